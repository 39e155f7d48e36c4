// SPDX-License-Identifier: Apache-2.0
// JSON whose numbers are shown as they are written: a number of JavaScript holds 53 bits, and knows no `1.0`. And whose members keep their order:
// JavaScript puts those first whose keys are whole numbers.

/** Begins the text that stands for a number. Nothing that is configured can begin so. */
const MARK = `\uE000${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}\uE000`;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, "g");
/** Stands before a key that is a whole number. */
const KEY = `\uE001${MARK}`;

/** What may be such a number: a first look, so that most answers cost nothing more. */
const SUSPECT = /(?:^|[\s:,[])-?\d+[.eE]|\d{16}|-0(?:[\s,\]}]|$)|"\d+":/;
const TOKENS = /"(\d+)"(?=\s*:)|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A number by its text. */
export const exactNumber = (text: string): string => MARK + text;

/** As JSON.parse, but numbers that would be written otherwise are texts, and keys that are whole numbers are others: `exactJson` and `plainKey` know them. */
export function parseExact(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKENS, (token, key?: string) => (key !== undefined ? `"${KEY}${key}"` : token.startsWith('"') || String(Number(token)) === token ? token : `"${exactNumber(token)}"`)));
}

/** As JSON.stringify: each number as it was written. */
export function exactJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replaceAll(KEY, "").replace(MARKED, "$1") : text;
}

/** A key as `parseExact` gives it, and as it was written. */
export const exactKey = (key: string): string => (/^\d+$/.test(key) ? KEY + key : key);
export const plainKey = (key: string): string => (key.startsWith(KEY) ? key.slice(KEY.length) : key);
