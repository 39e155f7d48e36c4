// SPDX-License-Identifier: Apache-2.0
// Effects as they arrive: of a draft, or of two states.
import type { Change, Diagnostic, Done, EffectGroup, StreamLine } from "../api.ts";

export interface Effects {
  subject: Change[] | undefined;
  progress: [done: number, all: number] | undefined;
  effects: EffectGroup[];
  done: Done | undefined;
  error: Diagnostic | undefined;
}

export const NO_EFFECTS: Effects = { subject: undefined, progress: undefined, effects: [], done: undefined, error: undefined };

/** How often what arrived is drawn, so that thousands of lines do not hold up the page. */
const DRAWN_EACH = 60;

/** Reads to the end, or until the signal; `draw` is called with what there is, now and then and at the end. */
export async function readEffects(stream: AsyncGenerator<StreamLine>, signal: AbortSignal, draw: (effects: Effects) => void): Promise<Effects> {
  let found = NO_EFFECTS;
  let drawn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const effects: EffectGroup[] = [];
  const show = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (signal.aborted) return;
    drawn = performance.now();
    found = { ...found, effects: [...effects] };
    draw(found);
  };
  try {
    for await (const line of stream) {
      if (signal.aborted) return found;
      if ("subject" in line) found = { ...found, subject: line.subject };
      else if ("progress" in line) found = { ...found, progress: line.progress };
      else if ("effect" in line) effects.push(line.effect);
      else if ("done" in line) found = { ...found, done: line.done, progress: undefined };
      else found = { ...found, error: line.error, progress: undefined };
      if (performance.now() - drawn >= DRAWN_EACH) {
        show();
        // The browser draws and hears keys in between.
        await new Promise((resolve) => setTimeout(resolve, 0));
      } else {
        // The next line may be long in coming.
        timer ??= setTimeout(show, DRAWN_EACH);
      }
    }
  } finally {
    clearTimeout(timer);
  }
  found = { ...found, effects };
  if (!signal.aborted) draw(found);
  return found;
}
