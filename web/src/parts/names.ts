// SPDX-License-Identifier: Apache-2.0
// The names of all subjects of the project that is shown: one answer, held once.
import { computed, signal } from "@preact/signals";
import { names as ask, Refused } from "../api.ts";
import { at, generation, here, lost } from "../state.ts";

export const namesOf = signal<readonly string[] | undefined>(undefined);
/** The same in small letters, for filters. */
export const smallNames = computed(() => namesOf.value?.map((name) => name.toLowerCase()) ?? []);
export const namesError = signal<Refused | undefined>(undefined);

let control: AbortController | undefined;
let asked = "";

/** Called with each change of project, revision or generation. */
export function askNames(): void {
  const project = here.value.page === "projects" ? "" : here.value.project;
  const key = `${project}\n${at.value ?? ""}\n${generation.value}`;
  if (key === asked) return;
  const same = asked.slice(0, asked.lastIndexOf("\n")) === key.slice(0, key.lastIndexOf("\n"));
  asked = key;
  control?.abort();
  if (!same) namesOf.value = undefined;
  if (project === "") return;
  const mine = new AbortController();
  control = mine;
  ask(project, at.value, mine.signal).then(
    (names) => {
      namesOf.value = names;
      namesError.value = undefined;
    },
    (error: unknown) => {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) lost();
      else namesError.value = error;
    },
  );
}
