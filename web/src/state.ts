// SPDX-License-Identifier: Apache-2.0
// What the whole page knows: the address, the theme, the generation of the data, the connection, work under way.
import { computed, signal } from "@preact/signals";
import { type Address, address, type Page, type Parameter, readAddress, writeAddress } from "./address.ts";
import * as api from "./api.ts";
import type { Progress, Project } from "./api.ts";

const first = readAddress(location.pathname, location.search, location.hash);

/** Where the page is. Change it by `go` and `refine` alone. */
export const here = signal<Address>(first.address);
/** Parts of the address that were not understood. */
export const unknownParts = signal<string[]>(first.unknown);
export const at = computed(() => here.value.query.at);
/** The last action in words, for the status line and for screen readers. */
export const told = signal("");

/** Names a part of the address that leads to nothing, until the function that it gives is called. */
export function misses(part: string): () => void {
  unknownParts.value = [...unknownParts.value.filter((one) => one !== part), part];
  return () => {
    unknownParts.value = unknownParts.value.filter((one) => one !== part);
  };
}

export function go(to: Address): void {
  if (writeAddress(to) === writeAddress(here.value)) return;
  history.pushState(null, "", writeAddress(to));
  here.value = to;
  unknownParts.value = [];
}

/** Replaces without a step for Back. */
export function replace(to: Address): void {
  history.replaceState(null, "", writeAddress(to));
  here.value = to;
}

type Query = Partial<Record<Parameter, string | undefined>>;

export function withQuery(from: Address, query: Query): Address {
  const merged = { ...from.query, ...query };
  const clean: Address["query"] = {};
  for (const [name, value] of Object.entries(merged)) if (value !== undefined) clean[name as Parameter] = value;
  return { ...from, query: clean };
}

/** The same page with other parameters, and without a step for Back. */
export const refine = (query: Query): void => replace(withQuery(here.value, query));
/** The same page with other parameters: Back returns. */
export const turn = (query: Query): void => go(withQuery(here.value, query));

// Links ask for these alone: they stay when another part of the address changes.
const shownProject = computed(() => here.value.project);

/** A page of the project that is shown, as of the same revision. */
export function to(page: Page, name = "", query: Query = {}): Address {
  const keeps = page !== "projects" && page !== "compare" && at.value !== undefined;
  return withQuery(address(page, shownProject.value, name), { ...(keeps ? { at: at.value } : {}), ...query });
}

addEventListener("popstate", () => {
  const read = readAddress(location.pathname, location.search, location.hash);
  here.value = read.address;
  unknownParts.value = read.unknown;
});

export type Theme = "auto" | "light" | "dark";

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing: the setting lasts as long as the page.
  }
}

const storedTheme = stored("strata.theme");
export const theme = signal<Theme>(storedTheme === "light" || storedTheme === "dark" ? storedTheme : "auto");
export const singleKeys = signal(stored("strata.keys") !== "off");

theme.subscribe((value) => {
  document.documentElement.dataset["theme"] = value;
  store("strata.theme", value);
});
singleKeys.subscribe((value) => {
  store("strata.keys", value ? "on" : "off");
});

export interface Connection {
  /** The time of the next try, null while connected. */
  next: number | null;
  since: number;
}

export const connection = signal<Connection>({ next: null, since: Date.now() });
/** The service is there, and does not know who asks: it was started anew. */
export const signedOut = signal(false);
/** Counts up whenever inputs changed; 0 until the service told it. */
export const generation = signal(0);
/** What changed last, and when. */
export const changed = signal<{ files: string[]; time: number } | undefined>(undefined);
/** Work of the service that takes long: in words, and how to end it. */
export const work = signal<{ text: string; stop: () => void } | undefined>(undefined);
/** Says what is under way until the function that it gives is called: what another piece of work said since stays. */
export function begin(text: string, stop: () => void): () => void {
  const mine = { text, stop };
  work.value = mine;
  return () => {
    if (work.value === mine) work.value = undefined;
  };
}

/** What takes long at the service, for the project that is shown: it tells by events. */
export const progress = signal<readonly Progress[]>([]);
/** Counts up whenever the service has found out more about the project that is shown. */
export const counted = signal(0);
export const projects = signal<Project[] | undefined>(undefined);
export const project = computed(() => projects.value?.find((one) => one.name === shownProject.value));

/** Checks ask all subjects again and again: of more than these only where one wants it. */
const MOST_CHECKED = 1000;
export const checksStates = computed(() => (project.value?.subjects ?? 0) <= MOST_CHECKED);

const LONGEST_WAIT = 30;
let source: EventSource | undefined;
let waits = 1;
/** Of the next try; undefined: none is to come. */
let timer: ReturnType<typeof setTimeout> | undefined;
/** Counts tries: what an earlier one finds out late is no news. */
let tries = 0;
let telling: ReturnType<typeof setTimeout> | undefined;

function endWaiting(): void {
  clearTimeout(timer);
  timer = undefined;
}

export function connect(): void {
  endWaiting();
  source?.close();
  tries += 1;
  const mine = tries;
  source = new EventSource(api.eventsAddress);
  source.addEventListener("generation", (event) => {
    const data = JSON.parse((event as MessageEvent<string>).data) as { generation: number; changed?: string[] };
    waits = 1;
    endWaiting();
    // Another tab may have said who asks.
    signedOut.value = false;
    if (connection.value.next !== null) connection.value = { next: null, since: Date.now() };
    if (generation.value !== 0 && data.generation !== generation.value) changed.value = { files: data.changed ?? [], time: Date.now() };
    api.tellGeneration(data.generation);
    generation.value = data.generation;
  });
  source.addEventListener("progress", (event) => {
    const told = JSON.parse((event as MessageEvent<string>).data) as Progress;
    const others = progress.value.filter((one) => one.project !== told.project || one.at !== told.at || one.work !== told.work);
    progress.value = told.over ? others : [...others, told];
    if (!told.over) return;
    // Several pieces of work often end together.
    clearTimeout(telling);
    telling = setTimeout(() => {
      api.forget();
      counted.value += 1;
    }, 100);
  });
  source.addEventListener("error", () => {
    progress.value = [];
    source?.close();
    source = undefined;
    lost();
    // A stream of events does not say why it is refused.
    void api.isUnknown().then((unknown) => {
      if (mine === tries) signedOut.value = unknown;
    });
  });
}

/** No answer: the page stays as it is and tries again. */
export function lost(): void {
  if (timer !== undefined) return;
  connection.value = { next: Date.now() + waits * 1000, since: connection.value.next === null ? Date.now() : connection.value.since };
  timer = setTimeout(connect, waits * 1000);
  waits = Math.min(LONGEST_WAIT, waits * 2);
}

addEventListener("focus", () => {
  if (connection.value.next !== null) connect();
});
