// SPDX-License-Identifier: Apache-2.0
// The rows of a result as a tree: what is folded, what fits a filter, what is around a row.
import type { Row } from "../api.ts";
import { fits, parseFilter } from "./filter.ts";

/** What a row is called from one state to the next. */
export function rowName(row: Row): string {
  return `${row.item ?? ""}\n${row.path ?? ""}\n${row.item === null ? row.index : ""}`;
}

/** A row of a list that changes: of the lines of a text that have one name, which it is. */
export interface Cursor {
  row: Row;
  line: number;
}

const isSame = (one: Row | undefined, other: Row): boolean => one?.item === other.item && one.path === other.path && (one.item !== null || one.index === other.index);

const firstOf = (rows: readonly Row[], visible: readonly number[], row: Row): number => visible.findIndex((index) => isSame(rows[index], row));

export function cursorAt(rows: readonly Row[], visible: readonly number[], place: number): Cursor | undefined {
  const row = rows[visible[place]!];
  return row && { row, line: place - firstOf(rows, visible, row) };
}

/** Where a cursor is among the rows that are shown, -1 where it is not. */
export function placeOf(rows: readonly Row[], visible: readonly number[], cursor: Cursor | undefined): number {
  if (!cursor) return -1;
  const first = firstOf(rows, visible, cursor.row);
  return first >= 0 && isSame(rows[visible[first + cursor.line]!], cursor.row) ? first + cursor.line : first;
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
