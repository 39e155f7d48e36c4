// SPDX-License-Identifier: Apache-2.0
// The texts that drafts begin from.
import { type At, type FileText, Refused } from "../api.ts";
import { file as askFile } from "../api-pages.ts";
import { anchored, applyByContext, edits, lines } from "../pure/difference.ts";
import type { DraftText } from "./drafts.ts";

export async function sha256(text: string): Promise<string | undefined> {
  // Without a safe context browsers hash nothing.
  if (!globalThis.crypto?.subtle) return undefined;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface Opened {
  path: string;
  sha256: string;
  text: string;
  editable: boolean;
  /** What the service says of the file, with the effects of its lines. */
  file: FileText;
}

/** A file that only a draft has. */
export function newFile(path: string): Opened {
  return { path, sha256: "", text: "", editable: true, file: { file: path, total: 0, read_by: 0, subjects: 0, sha256: "", editable: true, hidden: false, traced: false, effects: true, findings: [], lines: [] } };
}

const PART = 10_000;

/** The whole text of a file, as it is: whether it ends with a line break is what its hash tells. */
export async function openDraft(project: string, at: At, path: string, signal?: AbortSignal): Promise<Opened> {
  const first = await askFile(project, at, path, 1, PART, signal, { draft: 1 });
  const lines = [...first.lines];
  while (lines.length < first.total) {
    const part = await askFile(project, at, path, lines.length + 1, PART, signal);
    if (part.lines.length === 0) break;
    lines.push(...part.lines);
  }
  const joined = lines.map((line) => line.text).join("\n");
  const ended = lines.length === 0 ? "" : `${joined}\n`;
  const file = { ...first, lines };
  const opened = { path, sha256: first.sha256 ?? "", editable: first.editable, file };
  const hash = await sha256(ended);
  if (hash === undefined || hash === first.sha256) return { ...opened, text: ended };
  if ((await sha256(joined)) === first.sha256) return { ...opened, text: joined };
  for (const text of [ended, joined].map((one) => one.replace(/\n/g, "\r\n"))) if ((await sha256(text)) === first.sha256) return { ...opened, text };
  // Bytes that are no text, or texts that are hidden: what is shown is not what is there.
  return { ...opened, text: joined, editable: false };
}

/** What a draft did to the text that it began from, done to another; undefined where it does not fit. */
export function reapplied(draft: DraftText, text: string): string | undefined {
  const base = lines(draft.base);
  return applyByContext(text, anchored(base, edits(base, lines(draft.text))));
}

/** What a draft makes of its file as it is now: where others wrote to it meanwhile, that stays, if the draft fits. */
export async function presentText(project: string, at: At, path: string, draft: DraftText, signal: AbortSignal): Promise<string> {
  if (draft.from === "") return draft.text;
  try {
    const now = await openDraft(project, at, path, signal);
    return now.sha256 === draft.from ? draft.text : (reapplied(draft, now.text) ?? draft.text);
  } catch (error) {
    if (error instanceof Refused && error.status !== 0) return draft.text;
    throw error;
  }
}
