// The search of the header: subjects, keys, files, values and findings while typing.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Address } from "../address.ts";
import { search as ask, type SearchHits } from "../api.ts";
import { onKey } from "../parts/keys.ts";
import { namesOf, smallNames } from "../parts/names.ts";
import { RefusedText, Text, valueText } from "../parts/show.tsx";
import { parseFilter, select } from "../pure/filter.ts";
import { at, go, here, project, to } from "../state.ts";
import { T } from "../texts.ts";
import { useAnswer, useSettled } from "../use.ts";

export interface Hit {
  id: string;
  text: string;
  more: string;
  to: Address;
}

export const KINDS = ["subjects", "keys", "files", "values", "findings"] as const;
export type Kind = (typeof KINDS)[number];

export function hitsOf(hits: Partial<SearchHits>, kind: Kind): Hit[] {
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
function ownHits(text: string): Pick<SearchHits, "subjects"> | undefined {
  const names = namesOf.value;
  if (!names || text === "" || /^(key|file|value|code|fact):/.test(text)) return undefined;
  const found = select(parseFilter(text.replace(/^node:/, "")), smallNames.value);
  return { subjects: { total: found.length, first: found.slice(0, 20).map((index) => ({ subject: names[index]! })) } };
}

/** The box in the header: a combobox whose list shows each kind. */
export function SearchBox(): JSX.Element {
  const { project: name } = here.value;
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState(-1);
  const box = useRef<HTMLInputElement>(null);
  const settled = useSettled(text.trim(), 120);
  const searched = open && settled !== "" ? JSON.stringify([name, at.value, "search", settled]) : undefined;
  const answer = useAnswer(searched, (signal) => ask(name, at.value, settled, undefined, undefined, signal));
  /** What had the focus before the box. */
  const before = useRef<Element | null>(null);
  useEffect(() => onKey({ "/": () => (box.current?.focus(), box.current?.select()) }), []);
  // Subjects are known here already; the rest is the service's to find.
  const own = useMemo(() => ownHits(settled), [settled, namesOf.value]);
  const hits: Partial<SearchHits> | undefined = answer.value && answer.key === searched ? answer.value : (own ?? answer.value);
  const groups = hits ? KINDS.map((kind) => ({ kind, total: hits[kind]?.total ?? 0, hits: hitsOf(hits, kind).slice(0, kind === "subjects" || kind === "keys" ? 8 : 5) })).filter((group) => group.hits.length > 0) : [];
  const flat = groups.flatMap((group) => group.hits);
  const shows = open && settled !== "" && (hits !== undefined || answer.error !== undefined);
  useEffect(() => setCurrent(-1), [settled]);
  const choose = (address: Address): void => {
    setOpen(false);
    go(address);
    document.getElementById("main")?.focus();
  };
  let index = -1;
  return (
    <div class="search">
      <input
        ref={box}
        type="search"
        class="search-box"
        role="combobox"
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        aria-label={T.search}
        placeholder={T.searchHow}
        aria-expanded={shows}
        aria-controls={shows ? "search-hits" : undefined}
        aria-activedescendant={shows && current >= 0 ? `hit-${current}` : undefined}
        aria-autocomplete="list"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={(event) => {
          before.current = event.relatedTarget as Element | null;
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            setCurrent(Math.max(-1, Math.min(flat.length - 1, current + (event.key === "ArrowDown" ? 1 : -1))));
            event.preventDefault();
          } else if (event.key === "Enter" && text.trim() !== "") {
            choose(current >= 0 ? flat[current]!.to : to("search", "", { q: text.trim() }));
          } else if (event.key === "Escape") {
            setOpen(false);
            const back = before.current;
            if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
            else document.getElementById("main")?.focus();
          }
        }}
      />
      {shows && (
        <div class="search-hits" id="search-hits" role="listbox" aria-label={T.found}>
          {answer.error && <RefusedText error={answer.error} />}
          {groups.length === 0 && hits && <p role="option" aria-selected="false" class="empty">{T.nothingFound}</p>}
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
                      choose(hit.to);
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
      )}
    </div>
  );
}
