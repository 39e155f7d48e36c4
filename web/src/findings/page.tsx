// SPDX-License-Identifier: Apache-2.0
// What strata check says, by code or by file.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Finding, Refused } from "../api.ts";
import { findings as ask, fixes } from "../api-pages.ts";
import { Pane } from "../parts/pane.tsx";
import { FilterBox, Heading, useHits } from "../parts/page.tsx";
import { focusGrid, Grid } from "../parts/grid.tsx";
import { FindingText } from "../parts/finding.tsx";
import { Empty, Link, Loading, PlaceText, RefusedText, SeverityText, Text } from "../parts/show.tsx";
import { escaped } from "../pure/characters.ts";
import { fits, parseFilter } from "../pure/filter.ts";
import { plainKey } from "../pure/numbers.ts";
import { at, go, here, project, refine, to, turn } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer, useMiss, useTyped } from "../use.ts";
import { draftOf } from "../whatif/drafts.ts";
import { openDraft } from "../whatif/open.ts";

const GRID = "findings";

type Line = { group: string; count: number; severity: Finding["severity"] } | { finding: Finding };

export function FindingsPage(): JSX.Element {
  const { project: name, query } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, "findings"]), (signal) => ask(name, at.value, signal));
  const [filter, setFilter] = useTyped("findings", "q");
  const byFile = query.by === "file";
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [silenced, setSilenced] = useState(false);
  const [current, setCurrent] = useState(-1);
  const all = answer.value?.findings ?? [];
  const open = useMemo(() => all.filter((one) => one.silenced_by === undefined), [all]);
  const quiet = useMemo(() => all.filter((one) => one.silenced_by !== undefined), [all]);
  const chosen = useMemo(() => {
    const parsed = parseFilter(filter);
    // What is opened is shown, be it silenced.
    const among = silenced ? all : all.filter((one) => one.silenced_by === undefined || one.fingerprint === query.finding);
    return among.filter(
      (one) =>
        (query.code === undefined || one.code === query.code) &&
        (query.file === undefined || one.file === query.file) &&
        fits(parsed, `${one.code} ${one.message} ${one.file ?? ""}`.toLowerCase()),
    );
  }, [all, silenced, filter, query.code, query.file, query.finding]);
  const lines = useMemo(() => {
    const groups = new Map<string, Finding[]>();
    for (const one of chosen) {
      const group = byFile ? (one.file ?? "") : one.code;
      groups.set(group, [...(groups.get(group) ?? []), one]);
    }
    const order = { error: 0, warning: 1, note: 2 };
    const worst = (group: Finding[]): number => Math.min(...group.map((one) => order[one.severity]));
    const sorted = [...groups].sort(([, one], [, other]) => worst(one) - worst(other) || other.length - one.length);
    return sorted.flatMap(([group, members]): Line[] => [
      { group, count: members.length, severity: (["error", "warning", "note"] as const)[worst(members)]! },
      ...(closed.has(group) ? [] : members.map((finding) => ({ finding }))),
    ]);
  }, [chosen, byFile, closed]);
  useHits(filter === "" ? undefined : chosen.length);
  const picked = query.finding === undefined ? undefined : chosen.find((one) => one.fingerprint === query.finding);
  useMiss(answer.value !== undefined && !answer.busy && query.finding !== undefined && !all.some((one) => one.fingerprint === query.finding) && `finding=${query.finding}`);
  /** Counts up when a row is opened, be it the one that is open. */
  const [enters, setEnters] = useState(0);
  const show = (finding: Finding): void => {
    setEnters((old) => old + 1);
    turn({ finding: finding.fingerprint });
  };
  const close = (): void => {
    turn({ finding: undefined });
    focusGrid(GRID);
  };
  // A finding in the address: its row is the keyboard's.
  useEffect(() => {
    const row = lines.findIndex((one) => "finding" in one && one.finding === picked);
    if (row >= 0) setCurrent(row);
  }, [picked]);
  const toggle = (group: string): void => setClosed((old) => new Set(old.has(group) ? [...old].filter((one) => one !== group) : [...old, group]));

  return (
    <>
      <Heading title={T.pages.findings}>
        {answer.value && <p class="quiet">{T.summary(answer.value.summary.error, answer.value.summary.warning, answer.value.summary.note)}</p>}
      </Heading>
      <div class="tools" role="toolbar" aria-label={T.filters}>
        <FilterBox id="filter" label={T.filterFindings} value={filter} onValue={setFilter} />
        <span class="views" role="group" aria-label={T.groupedBy}>
          <button type="button" aria-pressed={!byFile} onClick={() => refine({ by: undefined })}>
            {T.byCode}
          </button>
          <button type="button" aria-pressed={byFile} onClick={() => refine({ by: "file" })}>
            {T.byFile}
          </button>
        </span>
        {(["code", "file"] as const).map((name1) =>
          query[name1] === undefined ? null : (
            <button type="button" key={name1} class="chip" onClick={() => refine({ [name1]: undefined })}>
              {escaped(query[name1]!)} <span aria-hidden="true">×</span>
              <span class="hidden">{T.dropFilter}</span>
            </button>
          ),
        )}
        {quiet.length > 0 && (
          <label class="switch">
            <input type="checkbox" checked={silenced} onChange={() => setSilenced(!silenced)} /> {T.silenced(quiet.length)}
          </label>
        )}
      </div>
      {answer.error && <RefusedText error={answer.error} />}
      {!answer.value && !answer.error && <Loading label={T.loadingFindings} />}
      {answer.value && open.length === 0 && !silenced && <Empty>{project.value?.subjects === 0 ? T.noSubjects(T.subjectWord(project.value)) : T.noFindings}</Empty>}
      {open.length > 0 && chosen.length === 0 && <Empty>{T.nothingFits}</Empty>}
      {lines.length > 0 && (
        <div class={`split ${picked ? "has-pane" : ""}`}>
          <div class="main-pane">
            <Grid
              id={GRID}
              label={T.pages.findings}
              tree
              busy={answer.busy}
              least={80}
              columns={[
                { name: T.severity, width: "12ch" },
                { name: T.message, width: "minmax(30ch, 3fr)" },
                { name: T.where, width: "minmax(20ch, 1.2fr)", class: "origin" },
              ]}
              count={lines.length}
              current={current}
              onCurrent={setCurrent}
              onOpen={(row) => {
                const one = lines[row]!;
                if ("group" in one) toggle(one.group);
                else show(one.finding);
              }}
              onEscape={picked ? close : undefined}
              onFold={(row) => {
                const one = lines[row]!;
                if ("group" in one) toggle(one.group);
              }}
              onParent={(row) => {
                for (let above = row; above >= 0; above -= 1) {
                  if ("group" in lines[above]!) {
                    setCurrent(above);
                    return;
                  }
                }
              }}
              state={(row) => {
                const one = lines[row];
                if (!one) return {};
                return "group" in one ? { level: 1, expanded: !closed.has(one.group), class: "group" } : { level: 2, class: one.finding === picked ? "inspected" : "" };
              }}
              cells={(row) => {
                const one = lines[row];
                if (!one) return undefined;
                if ("group" in one) {
                  return [
                    <>
                      <span class={`twist ${closed.has(one.group) ? "" : "open"}`} aria-hidden="true" onClick={(event) => (event.stopPropagation(), toggle(one.group))} />
                      {T.number(one.count)}
                    </>,
                    <b>{byFile ? <Text text={one.group} lines={false} /> : T.findingShort(one.group)}</b>,
                    byFile ? "" : <code>{one.group}</code>,
                  ];
                }
                const { finding } = one;
                return [
                  <SeverityText severity={finding.severity} />,
                  <>
                    <Text text={finding.message} lines={false} />
                    {finding.silenced_by && <span class="quiet"> ({T.silencedBy[finding.silenced_by]})</span>}
                  </>,
                  finding.file ? <PlaceText place={{ file: finding.file, line: finding.line ?? null }} most={34} inGrid /> : "",
                ];
              }}
            />
          </div>
          {picked && <FindingPane finding={picked} enters={enters} onClose={close} />}
        </div>
      )}
    </>
  );
}

function FindingPane({ finding, enters, onClose }: { finding: Finding; enters: number; onClose: () => void }): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const tryIt = async (): Promise<void> => {
    const { project: name } = here.value;
    try {
      const answer = await fixes(name, at.value, finding.file!);
      const fix = answer.findings.find((one) => one.fingerprint === finding.fingerprint)?.fix;
      if (!fix) {
        setProblem(T.noFix);
        return;
      }
      const files = Object.entries(fix).map(([key, text]) => [plainKey(key), text] as const);
      for (const [file, text] of files) draftOf(name, file, await openDraft(name, at.value, file), text);
      go(to("what-if", files[0]![0]));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Pane label={T.finding} title={T.findingShort(finding.code)} about={finding.fingerprint} enters={`${finding.fingerprint} ${enters}`} onClose={onClose}>
      <FindingText finding={finding} />
      <p class="buttons">
        {finding.file && finding.line !== undefined && (
          <Link class="button primary" to={to("file", finding.file, { line: String(finding.line) })}>
            {T.goToLine}
          </Link>
        )}
        {finding.fixable && finding.file && (
          <button type="button" onClick={() => void tryIt()}>
            {T.tryFix}
          </button>
        )}
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </Pane>
  );
}
