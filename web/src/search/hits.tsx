// SPDX-License-Identifier: Apache-2.0
// What a search finds: hits of each kind, and the list of them below the box.
import type { JSX } from "preact";
import type { Address } from "../address.ts";
import type { Refused, SearchHits as Hits } from "../api.ts";
import { namesOf, smallNames } from "../parts/names.ts";
import { RefusedText, Text, valueText } from "../parts/show.tsx";
import { parseFilter, select } from "../pure/filter.ts";
import { project, to } from "../state.ts";
import { T } from "../texts-pages.ts";

export interface Hit {
  id: string;
  text: string;
  more: string;
  to: Address;
}

export const KINDS = ["subjects", "keys", "files", "values", "findings"] as const;
export type Kind = (typeof KINDS)[number];

export function hitsOf(hits: Partial<Hits>, kind: Kind): Hit[] {
  const words = T.subjectWords(project.value);
  switch (kind) {
    case "subjects":
      return (hits.subjects?.first ?? []).map((one) => ({ id: one.subject, text: one.subject, more: "", to: to("subject", one.subject) }));
    case "keys":
      return (hits.keys?.first ?? []).map((one) => ({
        id: `${one.item}${one.path}`,
        text: `${one.item}${one.path}`,
        more: T.inSubjects(one.subjects, words),
        to: to("subject", one.subject, { item: one.item, leaf: one.path }),
      }));
    case "files":
      return (hits.files?.first ?? []).map((one) => ({ id: one.file, text: one.file, more: "", to: to("file", one.file) }));
    case "values":
      return (hits.values?.first ?? []).map((one) => ({
        id: `${one.item}${one.path} ${JSON.stringify(one.value)}`,
        text: `${one.item}${one.path}: ${valueText(one).slice(0, 120)}`,
        more: T.inSubjects(one.subjects, words),
        to: to("subject", one.subject, { item: one.item, leaf: one.path }),
      }));
    case "findings":
      return (hits.findings?.first ?? []).map((one) => ({
        id: one.fingerprint,
        text: one.message,
        more: one.file ? `${one.file}:${one.line ?? ""}` : one.code,
        to: one.file ? to("file", one.file, one.line === undefined ? {} : { line: String(one.line) }) : to("findings", "", { code: one.code }),
      }));
  }
}

/** Subjects whose names fit. */
export function ownHits(text: string): Pick<Hits, "subjects"> | undefined {
  const names = namesOf.value;
  if (!names || text === "" || /^(key|file|value|code|fact):/.test(text)) return undefined;
  const found = select(parseFilter(text.replace(/^node:/, "")), smallNames.value);
  return { subjects: { total: found.length, first: found.slice(0, 20).map((index) => ({ subject: names[index]! })) } };
}

export interface Group {
  kind: Kind;
  total: number;
  hits: Hit[];
}

/** The first ones of each kind, and the way to all of them where there are more. */
export function groupsOf(hits: Partial<Hits>, q: string): Group[] {
  const most = (kind: Kind): number => (kind === "subjects" || kind === "keys" ? 8 : 5);
  return KINDS.map((kind) => {
    const total = hits[kind]?.total ?? 0;
    const first = hitsOf(hits, kind).slice(0, most(kind));
    const all: Hit = { id: "\n", text: "", more: T.allOf(total), to: to("search", "", { q, kind }) };
    return { kind, total, hits: first.length < total && first.length > 0 ? [...first, all] : first };
  }).filter((group) => group.hits.length > 0);
}

interface Props {
  groups: readonly Group[];
  current: number;
  isEmpty: boolean;
  error: Refused | undefined;
  onChoose: (address: Address) => void;
}

export function SearchHits({ groups, current, isEmpty, error, onChoose }: Props): JSX.Element {
  let index = -1;
  return (
    <div class="search-hits" id="search-hits" role="listbox" aria-label={T.found}>
      {error && <RefusedText error={error} />}
      {isEmpty && <p role="option" aria-selected="false" class="empty">{T.nothingFound}</p>}
      {groups.map((group) => (
        <div role="group" aria-label={T.kinds(group.kind, project.value)} key={group.kind}>
          <div class="search-kind" aria-hidden="true">
            {T.kinds(group.kind, project.value)} <span class="quiet">{T.number(group.total)}</span>
          </div>
          {group.hits.map((hit) => {
            index += 1;
            const mine = index;
            return (
              <div
                role="option"
                id={`hit-${mine}`}
                key={hit.id}
                aria-selected={mine === current}
                class={`hit ${mine === current ? "current" : ""}`}
                onMouseDown={(event) => {
                  event.preventDefault();
                  onChoose(hit.to);
                }}
              >
                <span class="code">
                  <Text text={hit.text} lines={false} />
                </span>{" "}
                <span class="quiet">
                  <Text text={hit.more} lines={false} />
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
