// SPDX-License-Identifier: Apache-2.0
// Long lines of streams, read in parts, so that the browser hears keys in between: an effect of thousands of changes is a line of megabytes.
import { parseExact } from "./numbers.ts";

/** What is shorter is read at once. */
const LONG = 1 << 16;
/** How much of a longer one is read at a time. */
const PART = 1 << 15;
const BETWEEN = "}, {";

/** The lists that can be long, by the first member of a line, in the order in which they stand there. */
const LISTS: Record<string, string[]> = { effect: ["changes"], done: ["edits", "cause_sets"] };

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The objects from a place on, and where the next one begins. A part that ends within a text or a list cannot be read: so none is cut there. */
async function objects(line: string, from: number): Promise<{ read: unknown[]; next: number }> {
  const read: unknown[] = [];
  let next = from;
  // The list ends somewhere: what fails then is little.
  for (let end = line.indexOf(BETWEEN, next + PART), fails = 0; end >= 0 && fails < 3; end = line.indexOf(BETWEEN, end + 1)) {
    try {
      read.push(...(parseExact(`[${line.slice(next, end + 1)}]`) as unknown[]));
    } catch {
      fails += 1;
      continue;
    }
    await pause();
    fails = 0;
    next = end + 3;
    end = next + PART;
  }
  return { read, next };
}

export async function parseLine(line: string): Promise<unknown> {
  if (line.length < LONG) return parseExact(line);
  const [, kind = ""] = /^\{"(\w+)": \{/.exec(line) ?? [];
  let rest = line;
  const lists: [name: string, read: unknown[]][] = [];
  for (const name of LISTS[kind] ?? []) {
    const head = `"${name}": [`;
    const from = rest.indexOf(head) + head.length;
    if (from < head.length) continue;
    const { read, next } = await objects(rest, from);
    rest = rest.slice(0, from) + rest.slice(next);
    lists.push([name, read]);
  }
  await pause();
  const whole = parseExact(rest) as Record<string, Record<string, unknown[]>>;
  for (const [name, read] of lists) whole[kind]![name] = read.concat(whole[kind]![name]!);
  // Who draws it does so by itself.
  await pause();
  return whole;
}
