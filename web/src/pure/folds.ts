// SPDX-License-Identifier: Apache-2.0
// Which lines of a text stand in others, by their indentation: what folds on the page of a file.

const indentOf = (text: string): number => /^ */.exec(text)![0].length;
/** Blank lines and comments belong to nothing by themselves. */
const isSignificant = (text: string): boolean => !/^\s*(#.*)?$/.test(text);
const isItem = (text: string): boolean => /^ *-( |$)/.test(text);

/** For each line, how many of those that follow stand in it. */
export function folds(texts: readonly string[]): number[] {
  const found = new Array<number>(texts.length).fill(0);
  const open: { line: number; indent: number; item: boolean }[] = [];
  let last = -1;
  const close = (until: number): void => {
    while (open.length > until) {
      const one = open.pop()!;
      found[one.line] = Math.max(0, last - one.line);
    }
  };
  texts.forEach((text, line) => {
    if (!isSignificant(text)) return;
    const indent = indentOf(text);
    const item = isItem(text);
    // Items of a list may stand as far left as the key that they belong to.
    let keeps = open.length;
    while (keeps > 0) {
      const around = open[keeps - 1]!;
      if (around.indent < indent || (around.indent === indent && item && !around.item)) break;
      keeps -= 1;
    }
    close(keeps);
    last = line;
    open.push({ line, indent, item });
  });
  close(0);
  return found;
}

/** The lines that are seen, by number, while some are folded. */
export function unfolded(count: number, below: readonly number[], folded: ReadonlySet<number>): number[] {
  const seen: number[] = [];
  for (let line = 0; line < count; line += 1) {
    seen.push(line);
    if (folded.has(line)) line += below[line] ?? 0;
  }
  return seen;
}

/** The line that a line stands in, -1 for none. */
export function around(below: readonly number[], line: number): number {
  for (let outer = line - 1; outer >= 0; outer -= 1) if (outer + (below[outer] ?? 0) >= line) return outer;
  return -1;
}

/** How many lines a line stands in, for all. */
export function depths(below: readonly number[]): number[] {
  const ends: number[] = [];
  return below.map((more, line) => {
    while (ends.length > 0 && ends.at(-1)! < line) ends.pop();
    const depth = ends.length;
    if (more > 0) ends.push(line + more);
    return depth;
  });
}
