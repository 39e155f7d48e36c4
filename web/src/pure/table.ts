// SPDX-License-Identifier: Apache-2.0
// Tables as other programs read them.

export type Cell = string;

/** RFC 4180. A cell that a spreadsheet would read as a formula is led by an apostrophe. */
export function csv(rows: readonly Cell[][]): string {
  return `${rows.map((row) => row.map((cell) => quoted(harmless(cell))).join(",")).join("\r\n")}\r\n`;
}

function harmless(cell: Cell): string {
  return /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: Cell): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
}

export function tsv(rows: readonly Cell[][]): string {
  return `${rows.map((row) => row.map((cell) => harmless(cell).replace(/[\t\r\n]+/g, " ")).join("\t")).join("\n")}\n`;
}

export function markdown(rows: readonly Cell[][]): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/\r?\n/g, "⏎")));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...body.map(line)].join("\n")}\n`;
}
