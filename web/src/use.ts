// SPDX-License-Identifier: Apache-2.0
// Answers of the service as state of a component.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Refused } from "./api.ts";
import type { Page, Parameter } from "./address.ts";
import { generation, here, lost, misses, refine } from "./state.ts";

export interface Answer<T> {
  /** Stays while newer comes. */
  value: T | undefined;
  /** What the value was asked for. */
  key: string | undefined;
  error: Refused | undefined;
  busy: boolean;
}

/** The status of what the user has ended. */
export const STOPPED = -1;
const waiting = new Set<() => void>();
/** Counts up when what was ended is to be asked for again. */
const again = signal(0);

/** Ends all that is being asked for. */
export function stopWaiting(): void {
  for (const stop of [...waiting]) stop();
}

export function askAgain(): void {
  again.value += 1;
}

/** Asks whenever the key or the generation changes; undefined asks for nothing. What is no longer wanted is ended. */
export function useAnswer<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [state, setState] = useState<Answer<T>>({ value: undefined, key: undefined, error: undefined, busy: key !== undefined });
  const now = `${generation.value} ${again.value}`;
  // At once, not after the next frame: people wait for the answer.
  useLayoutEffect(() => {
    if (key === undefined) {
      setState({ value: undefined, key: undefined, error: undefined, busy: false });
      return undefined;
    }
    const control = new AbortController();
    setState((old) => ({ ...old, error: old.error?.status === STOPPED ? undefined : old.error, busy: true }));
    const stop = (): void => {
      waiting.delete(stop);
      control.abort();
      setState((old) => ({ ...old, busy: false, error: new Refused(STOPPED, "", []) }));
    };
    waiting.add(stop);
    load(control.signal).then(
      (value) => {
        waiting.delete(stop);
        if (!control.signal.aborted) setState({ value, key, error: undefined, busy: false });
      },
      (error: unknown) => {
        waiting.delete(stop);
        if (control.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        if (error.status === 0) {
          lost();
          // What is there stays: the banner tells its age.
          setState((old) => ({ ...old, busy: false, error: old.value === undefined ? error : undefined }));
        } else {
          setState((old) => ({ value: old.key === key && error.status !== 404 ? old.value : undefined, key, error, busy: false }));
        }
      },
    );
    return () => {
      waiting.delete(stop);
      control.abort();
    };
    // The loader is made anew with each drawing; the key says what it asks for.
  }, [key, now]);
  return state;
}

/** The value, a while after it stopped changing. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** What is typed for a parameter of the address, which has it a while later; another address is another text. */
export function useTyped(page: Page, name: Parameter, milliseconds = 150): [text: string, type: (text: string) => void, settled: string] {
  const asked = here.value.query[name] ?? "";
  const [text, setText] = useState(asked);
  const settled = useSettled(text, milliseconds);
  const told = useRef(asked);
  useEffect(() => {
    if (settled === told.current || here.value.page !== page) return;
    told.current = settled;
    refine({ [name]: settled || undefined });
  }, [settled]);
  useEffect(() => {
    if (asked === told.current) return;
    told.current = asked;
    setText(asked);
  }, [asked]);
  return [text, setText, settled];
}

/** Tells of a part of the address that leads to nothing. */
export function useMiss(part: string | undefined | false): void {
  useEffect(() => (part ? misses(part) : undefined), [part]);
}

/** Calls with what a function was last: for listeners that are set once. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}
