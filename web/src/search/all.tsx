// SPDX-License-Identifier: Apache-2.0
// All that a search finds.
import type { JSX } from "preact";
import { search as ask } from "../api.ts";
import { Heading } from "../parts/page.tsx";
import { Empty, Link, Loading, RefusedText, Text } from "../parts/show.tsx";
import { at, go, here, project, to } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";
import { type Hit, hitsOf, KINDS } from "./hits.tsx";

export function SearchPage(): JSX.Element {
  const { project: name, query } = here.value;
  const q = query.q ?? "";
  const count = query.kind === undefined ? undefined : 1000;
  const answer = useAnswer(q === "" ? undefined : JSON.stringify([name, at.value, "search", q, query.kind]), (signal) => ask(name, at.value, q, query.kind, count, signal));
  const hits = answer.value;
  const kinds = hits ? KINDS.filter((kind) => hitsOf(hits, kind).length > 0) : [];
  return (
    <>
      <Heading title={q === "" ? T.search : T.searchFor(q)} />
      {q === "" && <Empty>{T.searchHowLong}</Empty>}
      {answer.error && <RefusedText error={answer.error} />}
      {q !== "" && !hits && !answer.error && <Loading label={T.searching} />}
      {hits && kinds.length === 0 && <Empty>{T.nothingFound}</Empty>}
      <div class="scrolls">
        {hits &&
          kinds.map((kind) => {
            const total = hits[kind].total;
            const all = hitsOf(hits, kind);
            return (
              <section key={kind}>
                <h2>
                  {T.kinds(kind, project.value)} <span class="quiet">{T.number(total)}</span>
                </h2>
                <ul class="entries">
                  {all.map((hit) => (
                    <li key={hit.id}>
                      <SearchLink hit={hit} />
                    </li>
                  ))}
                </ul>
                {all.length < total && query.kind === undefined && (
                  <button type="button" onClick={() => go(to("search", "", { q, kind }))}>
                    {T.allOf(total)}
                  </button>
                )}
                {all.length < total && query.kind !== undefined && <p class="quiet">{T.more(total - all.length)}</p>}
              </section>
            );
          })}
      </div>
    </>
  );
}

function SearchLink({ hit }: { hit: Hit }): JSX.Element {
  return (
    <>
      <Link to={hit.to} class="code">
        <Text text={hit.text} lines={false} />
      </Link>{" "}
      <span class="quiet">
        <Text text={hit.more} lines={false} />
      </span>
    </>
  );
}
