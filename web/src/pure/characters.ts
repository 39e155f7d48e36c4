// SPDX-License-Identifier: Apache-2.0
// Characters that nobody sees, or that make text read otherwise than it is written.

/** Control characters but tab and line feed, soft hyphens, zero-width and bidirectional characters, byte order marks, tags, lone surrogates. */
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB]|[\u{E0000}-\u{E0FFF}]|\p{Surrogate}/u;

export interface Piece {
  text: string;
  /** `U+202E`: the text is one hidden character. */
  escape?: string;
}

/** Whether all of a text can be shown as it is; without `lines` it has no line feeds and tabs. */
export function isPlain(text: string, lines = true): boolean {
  return !HIDDEN.test(text) && (lines || !/[\n\t]/.test(text));
}

/** A text in pieces: what can be shown as it is, and each hidden character by its number. `lines`: line feeds and tabs are shown as they are. */
export function pieces(text: string, lines = true): Piece[] {
  const found: Piece[] = [];
  let plain = "";
  for (const character of text) {
    if (!isPlain(character, lines)) {
      if (plain !== "") found.push({ text: plain });
      plain = "";
      found.push({ text: character, escape: `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}` });
    } else {
      plain += character;
    }
  }
  if (plain !== "" || found.length === 0) found.push({ text: plain });
  return found;
}

/** The blanks that a line begins with; other white space is shown with the text. */
export const indentOf = (text: string): string => /^ */.exec(text)![0];

/** The same as one text, for titles and labels. */
export function escaped(text: string): string {
  if (isPlain(text)) return text;
  return pieces(text).map((piece) => piece.escape ?? piece.text).join("");
}

/** Why a text cannot be edited here, as far as it tells: it holds what is hidden, or bytes that are not text. */
export function whyNot(lines: readonly { text: string }[]): "hidden" | "bytes" | undefined {
  if (lines.some((line) => line.text.includes("\uFFFD"))) return "bytes";
  return lines.some((line) => line.text.includes("******")) ? "hidden" : undefined;
}
