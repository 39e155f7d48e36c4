// SPDX-License-Identifier: Apache-2.0
// Answers that come line by line: effects of drafts, and of two states.
import { ask, projectPath, type StreamLine, target } from "./api.ts";
import { parseLine } from "./pure/lines.ts";

async function* lines(answer: Response): AsyncGenerator<StreamLine> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const whole = value.split("\n");
      whole[0] = rest + whole[0]!;
      rest = whole.pop()!;
      for (const line of whole) if (line !== "") yield (await parseLine(line)) as StreamLine;
    }
    if (rest.trim() !== "") yield (await parseLine(rest)) as StreamLine;
  } finally {
    // Closing is how the service learns that nobody waits.
    await reader.cancel().catch(() => undefined);
  }
}

export interface WhatIf {
  at: string | null;
  subject: string | null;
  files: Record<string, string | null>;
}

/** `checks`: with the findings that come and go. */
export async function* whatIf(name: string, body: WhatIf, checks: boolean, signal: AbortSignal): AsyncGenerator<StreamLine> {
  const headers = { "Content-Type": "application/json" };
  yield* lines(await ask(target(`${projectPath(name)}/what-if`, { causes: "sets", ...(checks ? {} : { findings: 0 }) }), { method: "POST", headers, body: JSON.stringify(body), signal }));
}

export interface CompareQuery {
  from?: string | undefined;
  to?: string | undefined;
  by?: string | undefined;
  subject?: string | undefined;
  first?: number | undefined;
  findings?: number | undefined;
}

export async function* compare(name: string, query: CompareQuery, signal: AbortSignal): AsyncGenerator<StreamLine> {
  yield* lines(await ask(target(`${projectPath(name)}/compare`, { causes: "sets", ...query }), { signal }));
}
