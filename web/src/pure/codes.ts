// SPDX-License-Identifier: Apache-2.0
// What the documentation says of the code of an error: a row of a table.

export interface CodeText {
  means: string;
  wayOut: string;
}

/** The cells of a row of a table in Markdown. */
function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/** The row of a code; of several that name it, the last: the first table is of families. */
export function findCode(markdown: string, code: string): CodeText | undefined {
  let found: CodeText | undefined;
  for (const row of markdown.split("\n")) {
    if (!row.startsWith("| `") || !row.includes(`\`${code}\``)) continue;
    const cells = cellsOf(row);
    if (cells.length < 3 || !cells[0]!.split(", ").includes(`\`${code}\``)) continue;
    found = { means: cells.at(-2)!, wayOut: cells.at(-1)! };
  }
  return found;
}

export interface Piece {
  text: string;
  code: boolean;
}

/** Text in Markdown as pieces, of which some are code. Links are their texts. */
export function inline(text: string): Piece[] {
  const pieces = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return pieces.map((piece, index) => ({ text: piece, code: index % 2 === 1 })).filter((piece) => piece.text !== "");
}
