// SPDX-License-Identifier: Apache-2.0
// Which rows of a long list are drawn. Browsers cannot draw elements of any height, so beyond MOST pixels the scroll bar stands for parts of the list.

/** The height of a row where text has its usual size. */
export const ROW = 24;
/** Below what every browser can lay out. */
const MOST = 8_000_000;
/** Rows drawn beyond each edge, so that a small move shows no gap. */
const BEYOND = 6;

export interface Window {
  /** Height of what scrolls. */
  height: number;
  /** Rows first to last, without last. */
  first: number;
  last: number;
  /** Where the first row stands, from the top of what scrolls. */
  top: number;
}

export function windowAt(rows: number, view: number, scrollTop: number, row = ROW): Window {
  const real = rows * row;
  const height = Math.min(real, MOST);
  const scale = real > MOST ? (real - view) / Math.max(1, height - view) : 1;
  const seen = Math.max(0, Math.min(scrollTop * scale, real - view));
  const first = Math.max(0, Math.min(rows, Math.floor(seen / row) - BEYOND));
  const last = Math.min(rows, Math.ceil((seen + view) / row) + BEYOND);
  return { height, first, last, top: scrollTop - (seen - first * row) };
}

/** The position of the scroll bar that shows a row, as near as possible to where it is. */
export function scrollTo(row: number, rows: number, view: number, scrollTop: number, rowHeight = ROW): number {
  const real = rows * rowHeight;
  const height = Math.min(real, MOST);
  const scale = real > MOST ? (real - view) / Math.max(1, height - view) : 1;
  const seen = scrollTop * scale;
  let wanted = seen;
  if (row * rowHeight < seen) wanted = row * rowHeight;
  else if ((row + 1) * rowHeight > seen + view) wanted = (row + 1) * rowHeight - view;
  return Math.max(0, wanted / scale);
}
