// SPDX-License-Identifier: Apache-2.0
// Origins in a row: equal ones are written once, as a blame page does.

export interface Placed {
  origin?: { file?: string | null; line?: number | null } | null | undefined;
}

/** Whether a row tells its origin: it has one, and the row above it has none or another. */
export function tellsOrigin(row: Placed | undefined, above: Placed | undefined): boolean {
  const here = row?.origin;
  return Boolean(here?.file) && (here!.file !== above?.origin?.file || here!.line !== above?.origin?.line);
}

/** A path shortened in the middle: the end, which tells files apart, stays whole where it can. */
export function shortened(path: string, most: number): string {
  if (path.length <= most) return path;
  const parts = path.split("/");
  const last = parts.pop()!;
  if (last.length + 2 >= most) return `…${last.slice(Math.max(0, last.length - most + 1))}`;
  let text = last;
  while (parts.length > 0 && parts.at(-1)!.length + text.length + 3 <= most) text = `${parts.pop()!}/${text}`;
  return `…/${text}`;
}

/** The path that all share, to its last `/`. */
export function commonFolder(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  let common = paths[0]!.slice(0, paths[0]!.lastIndexOf("/") + 1);
  for (const path of paths) {
    while (!path.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  }
  return common;
}
