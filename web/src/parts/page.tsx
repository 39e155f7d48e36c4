// SPDX-License-Identifier: Apache-2.0
// What the pages of a project share: heading with breadcrumb, filter, facts of a subject, what is not there.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Address, Page } from "../address.ts";
import { type Refused, subjects } from "../api.ts";
import { nearest } from "../pure/filter.ts";
import { escaped } from "../pure/characters.ts";
import { plainKey } from "../pure/numbers.ts";
import { at, here, project, to, told } from "../state.ts";
import { T } from "../texts.ts";
import { useAnswer } from "../use.ts";
import { focusFirstGrid, onKey } from "./keys.ts";
import { Link, RefusedText, Text, valueText } from "./show.tsx";

export interface Crumb {
  text: string;
  to: Address;
}

/** The one `h1` of a page, behind what it is part of. */
export function Heading(props: { title: string; path?: boolean; crumbs?: Crumb[]; children?: ComponentChildren }): JSX.Element {
  const name = here.value.project;
  useEffect(() => {
    document.title = [escaped(props.title), name, "strata"].filter((one, index, all) => one !== "" && all.indexOf(one) === index).join(" · ");
  }, [props.title, name]);
  // Of a path the last part tells files apart.
  const folder = props.path ? props.title.lastIndexOf("/") + 1 : 0;
  return (
    <div class="heading">
      <nav aria-label={T.breadcrumb} class="crumbs">
        {props.crumbs?.map((crumb) => (
          <span key={crumb.text}>
            <Link to={crumb.to}>{crumb.text}</Link>
            <span aria-hidden="true"> › </span>
          </span>
        ))}
      </nav>
      <h1>
        {folder > 0 && (
          <span class="folder">
            <Text text={props.title.slice(0, folder)} lines={false} />
          </span>
        )}
        <Text text={props.title.slice(folder)} lines={false} />
      </h1>
      {props.children}
    </div>
  );
}

export function FilterBox(props: { id: string; label: string; value: string; onValue: (text: string) => void; placeholder?: string }): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => onKey({ f: () => box.current?.focus() }), []);
  return (
    <input
      ref={box}
      id={props.id}
      class="filter"
      type="search"
      autocomplete="off"
      spellcheck={false}
      aria-label={props.label}
      placeholder={props.placeholder ?? props.label}
      value={props.value}
      onInput={(event) => props.onValue(event.currentTarget.value)}
      onKeyDown={(event) => {
        // Down leads to what was found.
        if (event.key === "ArrowDown") {
          event.preventDefault();
          focusFirstGrid();
        }
      }}
    />
  );
}

/** Tells how many there are, at most once a second. */
export function useHits(count: number | undefined): void {
  useEffect(() => {
    if (count === undefined) return undefined;
    const text = T.hits(count);
    const timer = setTimeout(() => {
      told.value = text;
    }, 1000);
    return () => {
      clearTimeout(timer);
      // It is not true of other filters and pages.
      if (told.value === text) told.value = "";
    };
  }, [count]);
}

/** The facts of a subject that tell it from others. */
export function SubjectFacts({ subject }: { subject: string }): JSX.Element | null {
  const { project: name } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, subject, "facts"]), (signal) => subjects(name, at.value, [subject], signal));
  const facts = Object.entries(answer.value?.subjects.find((one) => one.name === subject)?.facts ?? {});
  if (facts.length === 0 && !project.value?.assumed) return null;
  return (
    <p class="facts">
      {facts.map(([fact, value]) => (
        <span class="fact" key={fact}>
          <Text text={plainKey(fact)} lines={false} /> <b>{typeof value === "string" ? <Text text={value} lines={false} /> : valueText({ value })}</b>
        </span>
      ))}
      {project.value?.assumed && <span class="quiet">{T.assumed(T.subjectWords(project.value))}</span>}
    </p>
  );
}

/** The page of something that is not there, with what is like it. */
export function Unknown(props: { what: string; name: string; error: Refused; near: readonly string[]; page: Page }): JSX.Element {
  const isRevision = props.error.errors[0]?.code.startsWith("git.") === true;
  // The message of these is the first sentence once more.
  const isSaid = /^explore\.(subject|file|project)$/.test(props.error.errors[0]?.code ?? "");
  const near = isRevision ? [] : nearest(props.name, props.near, 5);
  return (
    <>
      <Heading title={props.name} />
      <div class="refused" role="alert">
        <p>
          {isRevision ? (
            <>
              {T.noSuchRevision} <b class="code">{escaped([at.value, here.value.query.against].filter((one) => one !== undefined).join(", "))}</b>
            </>
          ) : (
            <>
              {T.thereIsNo(props.what)} <b class="code">{escaped(props.name)}</b> {at.value ? T.asOf(escaped(at.value)) : ""}
            </>
          )}
        </p>
        {near.length > 0 && (
          <p>
            {T.near}{" "}
            {near.map((one) => (
              <span key={one}>
                <Link to={props.page === "projects" ? { ...to("projects"), page: "overview", project: one } : to(props.page, one)}>
                  <Text text={one} lines={false} />
                </Link>{" "}
              </span>
            ))}
          </p>
        )}
        {isSaid && near.length === 0 && props.error.errors[0]!.hint && (
          <p>
            {T.hint} <Text text={props.error.errors[0]!.hint} />
          </p>
        )}
        {!isSaid && props.error.errors.length > 0 && <RefusedText error={props.error} within />}
      </div>
    </>
  );
}
