// SPDX-License-Identifier: Apache-2.0
// What the service answers (docs/service/explorer.md), and the only module that asks it, with api-streams.ts.
import { pathName } from "./address.ts";
import { parseExact } from "./pure/numbers.ts";

export interface Place {
  file: string | null;
  line?: number | null;
  column?: number | null;
  part?: string;
  via?: Place;
  layer?: string | null;
  /** The one of the layers of the result that it belongs to. */
  level?: string | null;
  /** Of the level: one of the eight of the style sheet. */
  colour?: number;
}

export interface Note {
  message: string;
  file?: string | null;
  line?: number | null;
  column?: number | null;
  excerpt?: string | null;
}

export type Severity = "error" | "warning" | "note";

export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  excerpt: string | null;
  notes: Note[];
  hint: string | null;
}

/** A value of a result: what JSON has, or a secret, which the service never sends. Some numbers are texts, which `exactJson` knows. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

export interface Project {
  name: string;
  verb: string;
  subject_word: string;
  subjects: number | null;
  files: number | null;
  revision: string | null;
  changed_files: number | null;
  errors: number | null;
  warnings: number | null;
  notes: number | null;
  writable: boolean;
  assumed: boolean;
  /** The revision that is shown where the address names none; null: the files as they are. */
  at: string | null;
  error: Diagnostic | null;
}

export interface Layer {
  name: string;
  colour: number;
  files: number;
  leaves: number;
  seen: number;
  never_visible: number;
  dead_override: number;
}

export interface Overridden {
  item: string;
  path: string;
  subjects: number;
  losers: number;
}

export interface Commit {
  commit: string;
  date: string;
  author: string;
  subject: string;
  changes?: number;
}

export interface Overview extends Omit<Project, "error"> {
  layers: Layer[];
  findings: { code: string; severity: Severity; count: number }[];
  overridden: Overridden[];
  commits: Commit[] | null;
}

export interface SubjectInfo {
  name: string;
  facts: Record<string, Value>;
  findings: number | null;
}

export interface Facet {
  fact: string;
  values: [value: string, count: number][];
}

export type Mark = "computed" | "secret" | "finding" | "differs";

export interface Row {
  index: number;
  item: string | null;
  path?: string;
  depth?: number;
  text?: string;
  kind?: string;
  below?: number;
  origin?: Place | null;
  losers?: number;
  marks?: Mark[];
  error?: Diagnostic;
}

export interface Rows {
  total: number;
  lines: number;
  rows: Row[];
  /** Those of the result, strongest first. */
  layers: string[];
  warnings: Diagnostic[];
  error: Diagnostic | null;
}

export type Fate = "won" | "merged" | "shadowed" | "removed";

export interface Contribution extends Place {
  layer: string | null;
  fate: Fate;
  value?: Value;
  secret?: boolean;
  rank: number;
  reason: string | null;
  by?: string;
}

export interface Entry {
  path: string;
  value?: Value;
  secret?: boolean;
  history: Contribution[];
}

export interface ListReport {
  path: string;
  count: number;
  action: string;
  strategy: string;
  option: Place | null;
  layers: number;
  items: Place[];
  dropped: (Place & { value?: Value; secret?: boolean; why: string })[];
}

export interface Leaf {
  item: string;
  path: string;
  spelling: string;
  type: string;
  value?: Value;
  secret?: boolean;
  entries: Entry[];
  strategy: { text: string; origin: Place | null; default: boolean } | null;
  inputs: Contribution[];
  list: ListReport | null;
  /** Of a secret nobody is told who has the same. */
  others: { same_value: number | null; same_origin: number; of: number } | null;
  command: string;
}

export interface Finding {
  code: string;
  severity: Severity;
  message: string;
  file?: string;
  line?: number;
  column?: number;
  path: string;
  /** Of a file with several, from 0. */
  document?: number;
  notes: Note[];
  hint: string;
  fixable: boolean;
  fingerprint: string;
  silenced_by?: "comment" | "config" | "baseline";
  reason?: string;
  fix?: Record<string, string>;
}

export interface FileInfo {
  file: string;
  /** Null: it is read for all subjects, and nobody knows by whom. */
  read_by: number | null;
  leaves: number;
  seen: number;
  never_visible: number;
  dead_override: number;
  findings: number | null;
}

export interface FileLine {
  line: number;
  text: string;
  leaves: number;
  won?: number;
  merged?: number;
  shadowed?: number;
  removed?: number;
  /** Subjects that lose a value and see it nowhere. */
  overridden?: number;
  by?: (Place & { subjects: number })[];
  findings?: Finding[];
}

export interface FileText {
  file: string;
  total: number;
  read_by: number | null;
  subjects: number;
  /** Null where it cannot be edited: it would tell whether a guess at what is hidden is right. */
  sha256: string | null;
  editable: boolean;
  /** Nobody can tell what of its text is secret: nothing of it is here. */
  hidden: boolean;
  /** Whether it is known what becomes of its values. */
  traced: boolean;
  /** Whether the lines tell it: those of large files do where one asks. */
  effects: boolean;
  findings: Finding[];
  lines: FileLine[];
}

export interface Side extends Partial<Place> {
  value?: Value;
  secret?: boolean;
  error?: Place & { code: string; message: string };
}

export interface Change {
  /** Where changes of several subjects may stand. */
  subject?: string;
  item: string;
  path: string;
  kind: string;
  from?: string;
  before: Side | null;
  after: Side | null;
  causes?: number[] | null;
  cause_kind?: CauseSet["kind"];
  /** Instead of them: the number of a set, from 0. */
  cause_set?: number;
}

/** The edits because of which something changes, by id; null where they are too many to find out. */
export interface CauseSet {
  kind: "each" | "any" | "together";
  edits: number[] | null;
}

export interface EffectGroup {
  id: number;
  count: number;
  subjects: string[];
  changes: Change[];
}

export interface InputEdit {
  id: number;
  file: string;
  before: { line: number; lines: number };
  after: { line: number; lines: number };
  whole?: boolean;
}

export interface Totals {
  total: number;
  changed: number;
  unchanged: number;
  broken: number;
  mended: number;
  appeared: number;
  disappeared: number;
}

export interface Done {
  subjects: Totals;
  /** Their ids count from 1. */
  edits: InputEdit[];
  cause_sets?: CauseSet[];
  /** How many there are. */
  effects: number;
  truncated: boolean;
  more: { effects: number | null; subjects: number } | null;
  findings: { new: Finding[]; gone: Finding[] } | null;
  diagnostics: Diagnostic[];
  run: string;
  generation: number;
}

export type StreamLine =
  | { subject: Change[] }
  | { progress: [done: number, all: number] }
  | { effect: EffectGroup }
  | { done: Done }
  | { error: Diagnostic };

/** What some groups have in common. */
export interface MatrixCell {
  groups: number[];
  value?: Value;
  secret?: boolean;
  origin?: Place | null;
  error?: Diagnostic;
}

/** Edits after which the selected subjects have a value. */
export interface Proposal {
  rank: number;
  edits: { file: string; op: "set" | "unset"; pointer: string; line?: number; new_file: boolean }[];
  /** Subjects that are not selected and change. */
  collateral: string[];
  side: string[];
  /** Null: the texts hold secrets. */
  diff: string | null;
  files: Record<string, string> | null;
}

export interface Proposals {
  item: string;
  path: string;
  value: Value;
  selected: string[];
  already: number;
  of: number;
  proposals: Proposal[];
  rejected: { file: string; missed: number; why: string }[];
}

export interface Matrix {
  groups: { id: number; count: number; sample: string[] }[];
  keys: { item: string; path: string; values: number; cells: MatrixCell[] }[];
  equal: number;
  subjects: number;
  truncated: boolean;
}

export interface Findings {
  findings: Finding[];
  suppressed: number;
  summary: Record<Severity, number>;
}

export interface Hits<T> {
  total: number;
  first: (T & { text?: string })[];
}

export interface SearchHits {
  subjects: Hits<{ subject: string }>;
  keys: Hits<{ item: string; path: string; subjects: number; subject: string }>;
  files: Hits<{ file: string }>;
  values: Hits<{ item: string; path: string; value: Value; subjects: number; subject: string }>;
  findings: Hits<Finding>;
}

export interface History {
  revisions: { name: string; commit: string }[];
  /** Branches and tags. */
  references: string[];
  commits: Commit[];
}

/** How far the service is with what takes long: an event. */
export interface Progress {
  project: string;
  at: string;
  work: string;
  done: number;
  /** Null: nobody knows how many it takes. */
  all: number | null;
  over: boolean;
}

/** What every JSON answer has beside its own members. */
export interface Answered {
  generation: number;
}

const PREFIX = "/strata/v1/explore";

/** An answer that is not a result: a status of HTTP, or 0 where no service answered. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: Diagnostic[],
    /** The members of the answer. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | readonly string[] | undefined>;

export function target(path: string, query: Query = {}): string {
  const words: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as readonly string[]) : value === undefined ? [] : [String(value)]) {
      words.push(`${name}=${encodeURIComponent(one)}`);
    }
  }
  return `${PREFIX}${path}${words.length > 0 ? `?${words.join("&")}` : ""}`;
}

export const projectPath = (name: string): string => `/projects/${encodeURIComponent(name)}`;

/** A name as one part of a path. */
export const part = (name: string): string => encodeURIComponent(name);
/** The name of a subject as one. */
export const subjectPart = (name: string): string => part(pathName(name));

async function refusal(answer: Response): Promise<Refused> {
  let body: Record<string, unknown> = {};
  try {
    body = (await answer.json()) as Record<string, unknown>;
  } catch {
    // An answer of something between the page and the service: the status must do.
  }
  const detail = typeof body["detail"] === "string" ? body["detail"] : `${answer.status} ${answer.statusText}`;
  const errors = Array.isArray(body["errors"]) ? (body["errors"] as Diagnostic[]) : [];
  return new Refused(answer.status, detail, errors, body);
}

export async function ask(path: string, options: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "same-origin", redirect: "error", ...options });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, "no answer", []);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/** Answers that were read, by target: they are asked for again with their tag, and kept where nothing changed. The oldest go first. */
const kept = new Map<string, { generation: number; body: unknown }>();
const MOST_KEPT = 300;
/** The generation that the service told last, 0 for none. */
let present = 0;

export function tellGeneration(generation: number): void {
  present = generation;
}

/** What the service has found out meanwhile may be told by answers that did not have it. */
export function forget(): void {
  kept.clear();
}

export async function get<T>(path: string, query: Query, signal?: AbortSignal): Promise<T & Answered> {
  const address = target(path, query);
  const before = kept.get(address);
  if (before && before.generation === present) return before.body as T & Answered;
  if (coming?.address === address && coming.generation === present) return coming.body as Promise<T & Answered>;
  return read(address, signal);
}

/** What was asked for early and is on its way. */
let coming: { address: string; generation: number; body: Promise<unknown> } | undefined;

/** Asks before what wants the answer is drawn. */
function early(path: string, query: Query): void {
  const address = target(path, query);
  if (kept.get(address)?.generation === present || coming?.address === address) return;
  const mine = { address, generation: present, body: read(address) };
  coming = mine;
  const over = (): void => {
    if (coming === mine) coming = undefined;
  };
  mine.body.then(over, over);
}

async function read<T>(address: string, signal?: AbortSignal): Promise<T & Answered> {
  const answer = await ask(address, signal ? { signal } : {});
  const body = parseExact(await answer.text()) as T & Answered;
  kept.delete(address);
  kept.set(address, { generation: body.generation, body });
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return body;
}

export type At = string | undefined;

export const projects = (signal?: AbortSignal) => get<{ projects: Project[] }>("/projects", {}, signal);
export const overview = (name: string, at: At, commits: boolean, signal?: AbortSignal) =>
  get<Overview>(projectPath(name), { at, ...(commits ? {} : { commits: 0 }) }, signal);
export const facets = (name: string, at: At, signal?: AbortSignal) => get<{ facets: Facet[] }>(`${projectPath(name)}/facets`, { at }, signal);

export async function names(name: string, at: At, signal?: AbortSignal): Promise<string[]> {
  const text = await (await ask(target(`${projectPath(name)}/names`, { at }), signal ? { signal } : {})).text();
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

export const subjects = (name: string, at: At, ids: readonly string[], signal?: AbortSignal) =>
  get<{ facts: string[]; subjects: SubjectInfo[] }>(`${projectPath(name)}/subjects`, { at, ids: ids.join("\n") }, signal);

export interface RowsQuery {
  from: number;
  count: number;
  filter?: string | undefined;
  only?: readonly string[] | undefined;
  against?: string | undefined;
}

export const rows = (name: string, at: At, subject: string, query: RowsQuery, signal?: AbortSignal) =>
  get<Rows>(`${projectPath(name)}/subjects/${subjectPart(subject)}/rows`, { at, ...query }, signal);

export const leafPath = (name: string, subject: string): string => `${projectPath(name)}/subjects/${subjectPart(subject)}/leaf`;
export const leafQuery = (at: At, item: string, path: string): Query => ({ at, item, path, others: 0 });

/** Asks for a leaf that somebody is about to choose. */
export const expectLeaf = (name: string, at: At, subject: string, item: string, path: string): void => early(leafPath(name, subject), leafQuery(at, item, path));
export const search = (name: string, at: At, q: string, kind: string | undefined, count: number | undefined, signal?: AbortSignal) =>
  get<SearchHits>(`${projectPath(name)}/search`, { at, q, kind, count }, signal);

/** Whether the service is there, and wants to know who asks. */
export async function isUnknown(): Promise<boolean> {
  try {
    await ask(target("/projects"), {});
    return false;
  } catch (error) {
    return error instanceof Refused && error.status === 401;
  }
}

/** A token becomes a cookie. */
export async function openSession(token: string): Promise<void> {
  await ask(target("/session"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
}

export const eventsAddress = target("/events");
