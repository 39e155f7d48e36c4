// SPDX-License-Identifier: Apache-2.0
// All subjects of a project: filter, facets, and two or more to look at side by side.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { facets as askFacets, Refused, search as askSearch, type SubjectInfo, subjects as askSubjects } from "../api.ts";
import { Grid } from "../parts/grid.tsx";
import { namesError, namesOf, smallNames } from "../parts/names.ts";
import { FilterBox, Heading, useHits } from "../parts/page.tsx";
import { DiagnosticText, Empty, Link, Loading, RefusedText, Text, valueText } from "../parts/show.tsx";
import { parseFilter, select } from "../pure/filter.ts";
import { exactKey } from "../pure/numbers.ts";
import { at, counted, generation, go, here, lost, project, refine, to } from "../state.ts";
import { T } from "../texts.ts";
import { useAnswer, useSettled, useTyped } from "../use.ts";

const GRID = "subjects";
/** How many the service tells of at once. */
const PART = 200;

/** Which subjects have all of these facts: the service's to say. */
function useWithFacts(facts: readonly string[]): { names: ReadonlySet<string> | undefined; error: Refused | undefined; asked: boolean } {
  const { project: name } = here.value;
  const key = facts.length > 0 ? JSON.stringify([name, at.value, facts]) : undefined;
  const answer = useAnswer(key, async (signal) => {
    let all: Set<string> | undefined;
    for (const fact of facts) {
      const { subjects } = await askSearch(name, at.value, `fact:${fact}`, "subjects", MOST_FOUND, signal);
      const found = new Set(subjects.first.map((hit) => hit.subject));
      all = all === undefined ? found : new Set([...all].filter((one) => found.has(one)));
    }
    return all;
  });
  return { names: answer.key === key ? answer.value : undefined, error: answer.error, asked: key !== undefined };
}

const MOST_FOUND = 1000;

/** What is shown of subjects, read in parts as they come into view. */
function useInfo(names: readonly string[], first: number, last: number): { facts: string[]; info: ReadonlyMap<string, SubjectInfo> } {
  const { project: name } = here.value;
  const state = `${name}\n${at.value ?? ""}\n${generation.value}\n${counted.value}`;
  const [known, setKnown] = useState<{ state: string; facts: string[]; info: Map<string, SubjectInfo> }>({ state: "", facts: [], info: new Map() });
  const missing = names.slice(first, last).filter((one) => known.state !== state || !known.info.has(one)).slice(0, PART);
  const key = missing.join("\n");
  useEffect(() => {
    if (missing.length === 0) return undefined;
    const control = new AbortController();
    // Scrolling through thousands asks for those where it stops.
    const timer = setTimeout(() => {
      askSubjects(name, at.value, missing, control.signal).then(
        (answer) =>
          setKnown((old) => {
            const info = new Map(old.state === state ? old.info : []);
            for (const one of missing) info.set(one, { name: one, facts: {}, findings: null });
            for (const one of answer.subjects) info.set(one.name, one);
            return { state, facts: answer.facts, info };
          }),
        (error: unknown) => {
          if (control.signal.aborted) return;
          if (!(error instanceof Refused)) throw error;
          if (error.status === 0) lost();
        },
      );
    }, 60);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, state]);
  return { facts: known.facts, info: known.info };
}

export function SubjectsPage(): JSX.Element {
  const { project: name, query } = here.value;
  const [filter, setFilter] = useTyped("subjects", "q");
  const parsed = useMemo(() => parseFilter(filter), [filter]);
  const typedFacts = useSettled(parsed.facts.map(([fact, value]) => `${fact}=${value}`).join("\n"), 150);
  const chosen = query.fact?.split("\n") ?? [];
  const facts = [...chosen.map((one) => one.replace(":", "=")), ...typedFacts.split("\n").filter((one) => one !== "")];
  const withFacts = useWithFacts(facts);
  const all = namesOf.value;
  const visible = useMemo(() => {
    const found = select(parsed, smallNames.value);
    return withFacts.names ? found.filter((index) => withFacts.names!.has(all![index]!)) : found;
  }, [parsed, all, withFacts.names]);
  const [current, setCurrent] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<[number, number]>([0, 40]);
  const shownNames = useMemo(() => visible.map((index) => all![index]!), [visible, all]);
  const { facts: known, info } = useInfo(shownNames, seen[0], seen[1]);
  const columns = query.column === undefined ? known : query.column.split("\n");
  const answer = useAnswer(JSON.stringify([name, at.value, "facets"]), (signal) => askFacets(name, at.value, signal));
  const facets = answer.value?.facets ?? [];
  const word = T.subjectWord(project.value);
  const words = T.subjectWords(project.value);
  useHits(filter === "" && facts.length === 0 ? undefined : visible.length);
  useEffect(() => setCurrent((old) => Math.min(old, visible.length - 1)), [visible.length]);

  const select1 = (row: number): void => {
    const one = shownNames[row];
    if (one === undefined) return;
    setSelected((old) => new Set(old.has(one) ? [...old].filter((other) => other !== one) : [...old, one]));
  };
  const toggleFact = (fact: string): void => {
    const next = chosen.includes(fact) ? chosen.filter((one) => one !== fact) : [...chosen, fact];
    refine({ fact: next.length > 0 ? next.join("\n") : undefined });
  };
  const toggleColumn = (fact: string): void => {
    const next = known.filter((one) => columns.includes(one) !== (one === fact));
    refine({ column: next.length === known.length || next.length === 0 ? undefined : next.join("\n") });
  };

  if (project.value?.error && at.value === undefined) {
    return (
      <>
        <Heading title={name} />
        <DiagnosticText diagnostic={project.value.error} />
      </>
    );
  }
  return (
    <>
      <Heading title={T.title(words)}>
        <p class="quiet" aria-live="off">
          {all && T.countOf(visible.length, all.length, words)} {project.value?.assumed && T.assumed(words)}
        </p>
      </Heading>
      <div class="tools" role="toolbar" aria-label={T.filters}>
        <FilterBox id="filter" label={T.filterSubjects(words)} placeholder={T.filterHow} value={filter} onValue={setFilter} />
        {selected.size > 0 ? (
          <>
            <Link class="button primary" to={to("matrix", "", { subject: [...selected].join("\n") })}>
              {selected.size === 2 ? T.compareTwo : T.matrixOf(selected.size, words)}
            </Link>
            <button type="button" onClick={() => setSelected(new Set())}>
              {T.selectNone}
            </button>
          </>
        ) : (
          (all?.length ?? 0) > 1 && <span class="quiet">{T.selectHow}</span>
        )}
        {known.length > 1 && (
          <details class="menu">
            <summary>{T.columns}</summary>
            <fieldset>
              <legend class="hidden">{T.columns}</legend>
              {known.map((fact) => (
                <label class="switch" key={fact}>
                  <input type="checkbox" checked={columns.includes(fact)} onChange={() => toggleColumn(fact)} /> <Text text={fact} lines={false} />
                </label>
              ))}
            </fieldset>
          </details>
        )}
      </div>
      {namesError.value && <RefusedText error={namesError.value} />}
      {withFacts.error && <RefusedText error={withFacts.error} />}
      <div class="split has-side">
        {facets.length > 0 && (
          <aside class="side" aria-label={T.facets}>
            {facets.map((facet) => (
              <fieldset key={facet.fact}>
                <legend>
                  <Text text={facet.fact} lines={false} />
                </legend>
                {facet.values.map(([value, count]) => {
                  const fact = `${facet.fact}:${value}`;
                  return (
                    <label class="switch" key={value}>
                      <input type="checkbox" checked={chosen.includes(fact)} onChange={() => toggleFact(fact)} />{" "}
                      <span class="facet-value">
                        <Text text={String(value)} lines={false} />
                      </span>
                      <span class="count">{T.number(count)}</span>
                    </label>
                  );
                })}
              </fieldset>
            ))}
          </aside>
        )}
        <div class="main-pane">
          {all === undefined && !namesError.value && <Loading label={T.loadingSubjects(words)} />}
          {all?.length === 0 && <Empty>{T.noSubjects(word)}</Empty>}
          {all !== undefined && all.length > 0 && visible.length === 0 && <Empty>{T.nothingFits}</Empty>}
          {visible.length > 0 && (
            <Grid
              id={GRID}
              label={T.title(words)}
              multiple
              columns={[
                { name: T.select, width: "7ch" },
                { name: T.title(word), width: "minmax(24ch, 2fr)", class: "code" },
                ...columns.map((fact) => ({ id: `fact-${fact}`, name: fact, width: "minmax(8ch, 1fr)" })),
                { name: T.findingsColumn, width: "10ch", class: "count" },
              ]}
              least={40 + columns.length * 8}
              count={visible.length}
              current={current}
              onCurrent={setCurrent}
              onOpen={(row) => go(to("subject", shownNames[row]!))}
              onSpace={select1}
              onView={(first, last) => setSeen([first, last])}
              state={(row) => ({ selected: selected.has(shownNames[row]!) })}
              cells={(row) => {
                const one = shownNames[row];
                if (one === undefined) return undefined;
                const more = info.get(one);
                return [
                  <label class="tick">
                    <input type="checkbox" tabIndex={-1} aria-label={T.selectOne(one)} checked={selected.has(one)} onChange={() => select1(row)} />
                  </label>,
                  <Link to={to("subject", one)} tabIndex={-1}>
                    <Text text={one} lines={false} />
                  </Link>,
                  ...columns.map((fact) => {
                    const value = more?.facts[exactKey(fact)];
                    return value === undefined ? "" : <Text text={typeof value === "string" ? value : valueText({ value })} lines={false} />;
                  }),
                  more?.findings ? T.number(more.findings) : "",
                ];
              }}
            />
          )}
        </div>
      </div>
    </>
  );
}
