// SPDX-License-Identifier: Apache-2.0
// What the pages of pages.js alone ask for.
import {
  ask,
  type At,
  type FileInfo,
  type FileText,
  type Findings,
  get,
  type History,
  type Leaf,
  leafPath,
  leafQuery,
  type Matrix,
  type MatrixCell,
  part,
  projectPath,
  type Proposals,
  subjectPart,
  target,
} from "./api.ts";
import { parseExact } from "./pure/numbers.ts";

export const history = (name: string, signal?: AbortSignal) => get<History>(`${projectPath(name)}/history`, {}, signal);
export const files = (name: string, at: At, signal?: AbortSignal) => get<{ files: FileInfo[] }>(`${projectPath(name)}/files`, { at }, signal);

export async function text(name: string, at: At, subject: string, format: "yaml" | "json", signal?: AbortSignal): Promise<string> {
  return (await ask(target(`${projectPath(name)}/subjects/${subjectPart(subject)}/rows`, { at, text: format }), signal ? { signal } : {})).text();
}

export const leaf = (name: string, at: At, subject: string, item: string, path: string, signal?: AbortSignal) =>
  get<Leaf>(leafPath(name, subject), leafQuery(at, item, path), signal);
/** With what other subjects have there, for which the service asks all of them. */
export const leafOfAll = (name: string, at: At, subject: string, item: string, path: string, signal?: AbortSignal) =>
  get<Leaf>(leafPath(name, subject), { at, item, path }, signal);

/** `draft`: it will be edited. `effects`: of a large file, too. */
export const file = (name: string, at: At, path: string, from: number, count: number, signal?: AbortSignal, more: { draft?: 1; effects?: 1 } = {}) =>
  get<FileText>(`${projectPath(name)}/files/${path.split("/").map(part).join("/")}`, { at, from, count, ...more }, signal);

export interface MatrixQuery {
  keys: readonly string[];
  q: string;
  /** These only; all where there are none. */
  subject: readonly string[];
  all: boolean;
}

export const matrix = (name: string, at: At, query: MatrixQuery, signal?: AbortSignal) =>
  get<Matrix>(`${projectPath(name)}/matrix`, { at, ...query, all: query.all ? 1 : undefined }, signal);

/** The cell of a group. */
export function cellOf(key: Matrix["keys"][number], group: number): MatrixCell | undefined {
  let known = cells.get(key);
  if (!known) {
    known = new Map(key.cells.flatMap((cell) => cell.groups.map((one) => [one, cell] as const)));
    cells.set(key, known);
  }
  return known.get(group);
}
const cells = new WeakMap<Matrix["keys"][number], Map<number, MatrixCell>>();

export const findings = (name: string, at: At, signal?: AbortSignal) => get<Findings>(`${projectPath(name)}/findings`, { at }, signal);
/** With the texts that mend them. */
export const fixes = (name: string, at: At, file: string, signal?: AbortSignal) =>
  get<Findings>(`${projectPath(name)}/findings`, { at, file, fix: 1 }, signal);

/** All names of an effect of a run. */
export const effect = (name: string, id: number, run: string | undefined, signal?: AbortSignal) =>
  get<{ id: number; count: number; subjects: string[] }>(`${projectPath(name)}/effects/${id}`, { run }, signal);

export interface Wish {
  at: string | null;
  files: Record<string, string>;
  item: string;
  path: string;
  /** As YAML; null: there is to be nothing. */
  value: string | null;
  /** Names with `*` and `?`, or `FACT=GLOB`; none: all. */
  for: readonly string[];
}

export async function propose(name: string, wish: Wish, signal: AbortSignal): Promise<Proposals> {
  const headers = { "Content-Type": "application/json" };
  return parseExact(await (await ask(target(`${projectPath(name)}/set`), { method: "POST", headers, body: JSON.stringify(wish), signal })).text()) as Proposals;
}

/** A file that comes with the pages. */
export async function asset(name: string, signal: AbortSignal): Promise<string> {
  return (await ask(`/explore/${name}`, { signal })).text();
}

export async function save(name: string, path: string, text: string, sha256: string): Promise<{ sha256: string; generation: number }> {
  // What a draft makes must not be there.
  const headers = { "Content-Type": "application/json", "If-Match": sha256 === "" ? "*" : `"${sha256}"` };
  const answer = await ask(target(`${projectPath(name)}/files/${path.split("/").map(part).join("/")}`), { method: "PUT", headers, body: JSON.stringify({ text }) });
  return (await answer.json()) as { sha256: string; generation: number };
}
