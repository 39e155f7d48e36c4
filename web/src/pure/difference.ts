// SPDX-License-Identifier: Apache-2.0
// Differences of texts by lines: the edits of a draft, patches that `git apply` takes.

export interface Edit {
  /** Number of the first line that goes, from 1; where none goes, of the line before which the new ones come. */
  line: number;
  removed: string[];
  added: string[];
}

/** Lines with their line feeds, so that a missing one at the end is told. */
export function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Beyond this many steps the rest is told as one edit. */
const STEPS = 2_000;

/** Myers' shortest edits between what common ends leave. */
export function edits(before: string[], after: string[]): Edit[] {
  let begin = 0;
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) begin += 1;
  let end = 0;
  while (end < before.length - begin && end < after.length - begin && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const x = before.slice(begin, before.length - end);
  const y = after.slice(begin, after.length - end);
  if (x.length === 0 && y.length === 0) return [];
  const matched = matches(x, y);
  const found: Edit[] = [];
  let i = 0;
  let j = 0;
  for (const [mi, mj] of [...matched, [x.length, y.length] as [number, number]]) {
    if (i < mi || j < mj) found.push({ line: begin + i + 1, removed: x.slice(i, mi), added: y.slice(j, mj) });
    i = mi + 1;
    j = mj + 1;
  }
  return found;
}

function matches(x: string[], y: string[]): [number, number][] {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= Math.min(STEPS, x.length + y.length); steps += 1) {
    trace.push(new Map(furthest));
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let i = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i += 1;
      furthest.set(k, i);
      if (i >= x.length && i - k >= y.length) return walkBack(trace, x, y);
    }
  }
  return [];
}

function walkBack(trace: Map<number, number>[], x: string[], y: string[]): [number, number][] {
  const found: [number, number][] = [];
  let i = x.length;
  let j = y.length;
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const furthest = trace[steps]!;
    const k = i - j;
    const down = k === -steps || (k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const fromI = steps === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromJ = steps === 0 ? 0 : fromI - from;
    const startI = steps === 0 ? 0 : down ? fromI : fromI + 1;
    while (i > startI && j > (steps === 0 ? 0 : down ? fromJ + 1 : fromJ)) {
      i -= 1;
      j -= 1;
      found.push([i, j]);
    }
    i = fromI;
    j = fromJ;
  }
  return found.reverse();
}

export function applyEdits(text: string, changes: Edit[]): string | undefined {
  const before = lines(text);
  const after: string[] = [];
  let next = 0;
  for (const edit of changes) {
    const start = edit.line - 1;
    if (start < next || edit.removed.some((line, index) => before[start + index] !== line)) return undefined;
    after.push(...before.slice(next, start), ...edit.added);
    next = start + edit.removed.length;
  }
  return [...after, ...before.slice(next)].join("");
}

/** How many lines an insertion is found again by. */
const ANCHOR = 2;

/** The same edits, of which each replaces something: an insertion goes with the lines before it, or behind it, so that it is found again elsewhere. */
export function anchored(before: string[], changes: Edit[]): Edit[] {
  let taken = 0;
  return changes.map((edit, index) => {
    const at = edit.line - 1;
    let found = edit;
    if (edit.removed.length === 0) {
      const above = before.slice(Math.max(taken, at - ANCHOR), at);
      const below = above.length > 0 ? [] : before.slice(at, Math.min(at + ANCHOR, (changes[index + 1]?.line ?? Infinity) - 1));
      found = { line: edit.line - above.length, removed: [...above, ...below], added: [...above, ...edit.added, ...below] };
    }
    taken = found.line - 1 + found.removed.length;
    return found;
  });
}

/** Applies edits to a text that changed since: each where its removed lines stand nearest to their old place, and its surroundings did not meet another's. */
export function applyByContext(text: string, changes: Edit[]): string | undefined {
  const before = lines(text);
  const moved: Edit[] = [];
  let shift = 0;
  let next = 0;
  for (const edit of changes) {
    const wanted = Math.max(0, Math.min(before.length, edit.line - 1 + shift));
    // Lines that only come have no text to be found by (see `anchored`): they have a place in an empty text alone.
    if (edit.removed.length === 0 && before.length > 0) return undefined;
    const place = nearestPlace(before, edit.removed, wanted, next);
    if (place === undefined || place < next) return undefined;
    shift = place - (edit.line - 1);
    next = place + edit.removed.length;
    moved.push({ ...edit, line: place + 1 });
  }
  return applyEdits(text, moved);
}

function nearestPlace(all: string[], wanted: string[], near: number, least: number): number | undefined {
  let best: number | undefined;
  for (let place = least; place + wanted.length <= all.length; place += 1) {
    if (wanted.every((line, index) => all[place + index] === line) && (best === undefined || Math.abs(place - near) < Math.abs(best - near))) best = place;
  }
  return best;
}

const CONTEXT = 3;

/** A path as git writes it: quoted where it holds what a patch cannot. */
function patchPath(prefix: string, path: string): string {
  const name = `${prefix}/${path}`;
  if (!/["\\\u0000-\u001F\u007F-\uFFFF]/.test(name)) return name.includes(" ") ? `${name}\t` : name;
  let quoted = "";
  for (const byte of new TextEncoder().encode(name)) {
    const character = String.fromCharCode(byte);
    quoted += character === '"' || character === "\\" ? `\\${character}` : byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, "0")}` : character;
  }
  return `"${quoted}"`;
}

/** A unified diff of one file; empty where nothing differs. `isNew`: there was none. */
export function patch(path: string, before: string, after: string, isNew = false): string {
  const old = lines(before);
  const changes = edits(old, lines(after));
  if (changes.length === 0) return "";
  let text = `--- ${isNew ? "/dev/null" : patchPath("a", path)}\n+++ ${patchPath("b", path)}\n`;
  let shift = 0;
  for (let index = 0; index < changes.length; ) {
    const hunk = [changes[index]!];
    index += 1;
    while (index < changes.length && changes[index]!.line - (hunk.at(-1)!.line + hunk.at(-1)!.removed.length) <= 2 * CONTEXT) {
      hunk.push(changes[index]!);
      index += 1;
    }
    const begin = Math.max(0, hunk[0]!.line - 1 - CONTEXT);
    const end = Math.min(old.length, hunk.at(-1)!.line - 1 + hunk.at(-1)!.removed.length + CONTEXT);
    let body = "";
    let next = begin;
    let added = 0;
    let removed = 0;
    for (const edit of hunk) {
      for (; next < edit.line - 1; next += 1) body += patchLine(" ", old[next]!);
      for (const line of edit.removed) body += patchLine("-", line);
      for (const line of edit.added) body += patchLine("+", line);
      next += edit.removed.length;
      added += edit.added.length;
      removed += edit.removed.length;
    }
    for (; next < end; next += 1) body += patchLine(" ", old[next]!);
    const count = end - begin;
    const newCount = count + added - removed;
    // A side without lines is named by the line before it.
    text += `@@ -${count === 0 ? begin : begin + 1},${count} +${newCount === 0 ? begin + shift : begin + shift + 1},${newCount} @@\n${body}`;
    shift += added - removed;
  }
  return text;
}

function patchLine(sign: string, line: string): string {
  return line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
}
