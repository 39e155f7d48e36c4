// SPDX-License-Identifier: Apache-2.0
// Drafts: texts of files that nobody wrote yet. They survive a reload in the storage of the tab, and never leave it but as a link or a patch.
import { signal } from "@preact/signals";

export interface DraftText {
  /** SHA-256 of the text that the draft began from. Empty: there was no file. */
  from: string;
  /** That text. */
  base: string;
  text: string;
}

export type Drafts = Readonly<Record<string, DraftText>>;

const STORED = "strata.drafts";

function read(): Record<string, Drafts> {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "{}") as Record<string, Drafts>;
  } catch {
    return {};
  }
}

/** The drafts of each project. */
export const drafts = signal<Readonly<Record<string, Drafts>>>(read());

drafts.subscribe((value) => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(value));
  } catch {
    // Full or forbidden: the draft lasts as long as the page.
  }
});

/** Counts drafts that came from elsewhere than the editor, which must then show them. */
export const replaced = signal(0);

export function setDrafts(project: string, files: Drafts): void {
  drafts.value = { ...drafts.value, [project]: files };
  replaced.value += 1;
}

/** Takes a text into the draft of a project; the text that the file has leaves it. */
export function draftOf(project: string, path: string, base: { sha256: string; text: string }, text: string): void {
  const old = drafts.value[project] ?? {};
  const rest = Object.fromEntries(Object.entries(old).filter(([name]) => name !== path));
  const from = old[path] ?? { from: base.sha256, base: base.text };
  drafts.value = { ...drafts.value, [project]: text === from.base ? rest : { ...rest, [path]: { from: from.from, base: from.base, text } } };
}
