// SPDX-License-Identifier: Apache-2.0
// The lines of a place where two texts differ, with those around it.

export interface Side {
  line: number;
  lines: number;
}

export interface Hunk {
  before: Side;
  after: Side;
  /** All lines of both. */
  whole?: boolean;
}

export interface Line {
  sign: " " | "-" | "+";
  number: number;
  text: string;
}

/** Lines around a place. */
const AROUND = 2;

/** The lines of a place with those around it, numbered as they are in the state that they are shown of. */
export function hunkLines(hunk: Hunk, before: readonly string[], after: readonly string[]): Line[] {
  const lines = (from: readonly string[], sign: Line["sign"], first: number, count: number): Line[] =>
    from.slice(Math.max(0, first - 1), Math.max(0, first - 1 + count)).map((text, index) => ({ sign, number: Math.max(1, first) + index, text }));
  const { line: old, lines: gone } = hunk.whole ? { line: 1, lines: before.length } : hunk.before;
  const { line: now, lines: come } = hunk.whole ? { line: 1, lines: after.length } : hunk.after;
  const begin = Math.max(1, now - AROUND);
  return [
    ...lines(after, " ", begin, now - begin),
    ...lines(before, "-", old, gone),
    ...lines(after, "+", now, come),
    ...(hunk.whole ? [] : lines(after, " ", now + come, AROUND)),
  ];
}
