// SPDX-License-Identifier: Apache-2.0
// Filters as people type them: blanks mean and, `-word` means not, `fact:role=db` asks for a fact. Case does not count.

export interface Filter {
  words: string[];
  without: string[];
  facts: [name: string, value: string][];
}

export function parseFilter(text: string): Filter {
  const filter: Filter = { words: [], without: [], facts: [] };
  for (const word of text.split(/\s+/)) {
    const fact = /^fact:([^=]+)=(.*)$/.exec(word);
    if (fact) {
      filter.facts.push([fact[1]!, fact[2]!]);
    } else if (word.startsWith("-") && word.length > 1) {
      filter.without.push(word.slice(1).toLowerCase());
    } else if (word !== "") {
      filter.words.push(word.toLowerCase());
    }
  }
  return filter;
}

/** Whether the words fit a text that is in small letters already. Facts are the service's to ask. */
export function fits(filter: Filter, small: string): boolean {
  return filter.words.every((word) => small.includes(word)) && !filter.without.some((word) => small.includes(word));
}

/** The numbers of the names that fit. `small`: the names in small letters. */
export function select(filter: Filter, small: readonly string[]): number[] {
  const found: number[] = [];
  for (let index = 0; index < small.length; index += 1) {
    if (fits(filter, small[index]!)) found.push(index);
  }
  return found;
}

/** `ntp::*` as the service reads it: `*` and `?`, the whole name. */
export function globExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
  return new RegExp(`^${escaped}$`, "su");
}

/** The names most like one, the nearest first: by letters that two texts share in order. */
export function nearest(name: string, names: readonly string[], count: number): string[] {
  const wanted = name.toLowerCase();
  const scored: [number, number][] = [];
  for (let index = 0; index < names.length; index += 1) {
    const other = names[index]!.toLowerCase();
    let begin = 0;
    while (begin < wanted.length && wanted[begin] === other[begin]) begin += 1;
    let end = 0;
    while (end < wanted.length - begin && wanted.at(-1 - end) === other.at(-1 - end)) end += 1;
    const shared = begin + end + (other.includes(wanted) ? wanted.length : 0);
    if (shared * 2 >= wanted.length) scored.push([shared * 2 - other.length, index]);
  }
  scored.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  return scored.slice(0, count).map(([, index]) => names[index]!);
}
