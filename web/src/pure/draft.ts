// SPDX-License-Identifier: Apache-2.0
// A draft in the fragment of an address: deflated JSON in base64url. The service never sees it.
import { anchored, type Edit, edits, lines } from "./difference.ts";

export interface DraftFile {
  /** SHA-256 of the text that the edits begin from. */
  from: string;
  edits: [line: number, removed: string[], added: string[]][];
}

export interface Draft {
  files: Record<string, DraftFile>;
}

/** What an address may hold. */
export const LONGEST = 16 * 1024;
/** What a link may grow to when it is read: a hostile one could hold gigabytes. */
const MOST_READ = 8 * 1024 * 1024;

export function draftFile(from: string, before: string, after: string): DraftFile {
  const old = lines(before);
  return { from, edits: anchored(old, edits(old, lines(after))).map((edit) => [edit.line, edit.removed, edit.added]) };
}

export function editsOf(file: DraftFile): Edit[] {
  return file.edits.map(([line, removed, added]) => ({ line, removed, added }));
}

export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  for (let begin = 0; begin < bytes.length; begin += 0x8000) text += String.fromCharCode(...bytes.subarray(begin, begin + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function fromBase64url(text: string): Uint8Array {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const source = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = source.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("the draft is too large");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function writeDraft(draft: Draft): Promise<string> {
  return toBase64url(await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream("deflate-raw"), Infinity));
}

/** Throws where the text is no draft. */
export async function readDraft(text: string): Promise<Draft> {
  const bytes = await through(fromBase64url(text), new DecompressionStream("deflate-raw"), MOST_READ);
  const draft: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!isDraft(draft)) throw new TypeError("not a draft");
  return draft;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("files" in value)) return false;
  const files = value.files;
  if (typeof files !== "object" || files === null) return false;
  return Object.values(files as Record<string, unknown>).every((file) => {
    if (typeof file !== "object" || file === null) return false;
    const { from, edits: changes } = file as Record<string, unknown>;
    return (
      typeof from === "string" &&
      Array.isArray(changes) &&
      changes.every((edit: unknown) => Array.isArray(edit) && Number.isInteger(edit[0]) && edit[0] >= 1 && isTexts(edit[1]) && isTexts(edit[2]))
    );
  });
}
