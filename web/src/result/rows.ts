// The rows of a result: read in parts, folded and filtered here.
import { useEffect, useState } from "preact/hooks";
import { type At, type Diagnostic, Refused, type Row, rows as ask } from "../api.ts";
import { fits, parseFilter } from "../pure/filter.ts";
import { generation, lost } from "../state.ts";

export interface RowList {
  /** What was asked for. */
  key: string;
  rows: Row[];
  /** How many there will be. */
  total: number;
  warnings: Diagnostic[];
  error: Diagnostic | null;
  refused: Refused | undefined;
  busy: boolean;
}

const PART = 1000;

/** All rows of a subject, part after part: the first ones are there at once. */
export function useRows(project: string, at: At, subject: string, only: readonly string[], against: string | undefined): RowList {
  const key = JSON.stringify([project, at, subject, only, against]);
  const now = generation.value;
  const [state, setState] = useState<RowList>({ key: "", rows: [], total: 0, warnings: [], error: null, refused: undefined, busy: true });
  useEffect(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const read = async (): Promise<void> => {
      let rows: Row[] = [];
      for (;;) {
        const answer = await ask(project, at, subject, { from: rows.length, count: PART, only, against }, control.signal);
        rows = rows.concat(answer.rows);
        const more = answer.rows.length > 0 && rows.length < answer.total;
        const found = { key, rows, total: answer.total, warnings: answer.warnings, error: answer.error, refused: undefined, busy: more };
        // A newer state of what is shown comes as a whole, so that no row jumps.
        setState((old) => (more && old.key === key && old.rows.length > rows.length ? old : found));
        if (!more) return;
      }
    };
    read().catch((error: unknown) => {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) {
        lost();
        setState((old) => ({ ...old, busy: false, refused: old.rows.length === 0 ? error : undefined }));
      } else {
        setState({ key, rows: [], total: 0, warnings: [], error: null, refused: error, busy: false });
      }
    });
    return () => control.abort();
  }, [key, now]);
  return state;
}

/** What a row is called from one state to the next. */
export function rowName(row: Row): string {
  return `${row.item ?? ""}\n${row.path ?? ""}\n${row.item === null ? row.index : ""}`;
}

export function isContainer(row: Row): boolean {
  return (row.below ?? 0) > 0;
}

/** The place of the nearest row around one, -1 for none. */
export function parentOf(rows: readonly Row[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) {
    if (isContainer(rows[above]!) && (rows[above]!.depth ?? 0) < depth) return above;
  }
  return -1;
}

/** The numbers of the rows that are shown: what fits the filter with what is around it, without what is folded away. */
export function shown(rows: readonly Row[], filter: string, folded: ReadonlySet<string>, level: number | undefined, unfolded: ReadonlySet<string>): number[] {
  const found: number[] = [];
  const asked = parseFilter(filter);
  const filters = asked.words.length + asked.without.length > 0;
  const keeps = filters ? matching(rows, (row) => fits(asked, `${row.item ?? ""} ${row.path ?? ""} ${row.text ?? row.error?.message ?? ""}`.toLowerCase())) : undefined;
  for (let index = 0; index < rows.length; index += 1) {
    if (keeps && !keeps[index]) continue;
    found.push(index);
    const row = rows[index]!;
    if (!filters && isContainer(row) && isFolded(row, folded, level, unfolded)) index = lastBelow(rows, index);
  }
  return found;
}

/** The last row that belongs to one; `below` counts rows of the whole result, of which some may be left out. */
function lastBelow(rows: readonly Row[], index: number): number {
  const end = rows[index]!.index + (rows[index]!.below ?? 0);
  let last = index;
  while (last + 1 < rows.length && rows[last + 1]!.index <= end) last += 1;
  return last;
}

export function isFolded(row: Row, folded: ReadonlySet<string>, level: number | undefined, unfolded: ReadonlySet<string>): boolean {
  const name = rowName(row);
  if (folded.has(name)) return true;
  return level !== undefined && (row.depth ?? 0) + 1 >= level && !unfolded.has(name);
}

/** Which rows fit, or have one that fits below them. */
function matching(rows: readonly Row[], fit: (row: Row) => boolean): boolean[] {
  const keeps = new Array<boolean>(rows.length).fill(false);
  const around: number[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    while (around.length > 0 && rows[around.at(-1)!]!.index + (rows[around.at(-1)!]!.below ?? 0) < row.index) around.pop();
    if (fit(row)) {
      keeps[index] = true;
      for (const outer of around) keeps[outer] = true;
    }
    if (isContainer(row)) around.push(index);
  }
  return keeps;
}
