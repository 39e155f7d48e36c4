// SPDX-License-Identifier: Apache-2.0
// The rows of a result, read in parts.
import { useEffect, useState } from "preact/hooks";
import { type At, type Diagnostic, Refused, type Row, rows as ask } from "../api.ts";
import { learnLayers } from "../parts/layers.ts";
import { counted, generation, lost } from "../state.ts";

export interface RowList {
  /** What was asked for. */
  key: string;
  rows: Row[];
  /** How many there will be. */
  total: number;
  warnings: Diagnostic[];
  error: Diagnostic | null;
  refused: Refused | undefined;
  busy: boolean;
}

const PART = 1000;

/** All rows of a subject, part after part: the first ones are there at once. */
export function useRows(project: string, at: At, subject: string, only: readonly string[], against: string | undefined): RowList {
  const key = JSON.stringify([project, at, subject, only, against]);
  const now = `${generation.value} ${counted.value}`;
  const [state, setState] = useState<RowList>({ key: "", rows: [], total: 0, warnings: [], error: null, refused: undefined, busy: true });
  useEffect(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const read = async (): Promise<void> => {
      let rows: Row[] = [];
      for (;;) {
        const answer = await ask(project, at, subject, { from: rows.length, count: PART, only, against }, control.signal);
        rows = rows.concat(answer.rows);
        if (!control.signal.aborted) learnLayers(project, answer.layers);
        const more = answer.rows.length > 0 && rows.length < answer.total;
        const found = { key, rows, total: answer.total, warnings: answer.warnings, error: answer.error, refused: undefined, busy: more };
        // A newer state of what is shown comes as a whole, so that no row jumps.
        setState((old) => (more && old.key === key && old.rows.length > rows.length ? old : found));
        if (!more) return;
      }
    };
    read().catch((error: unknown) => {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) {
        lost();
        setState((old) => ({ ...old, busy: false, refused: old.rows.length === 0 ? error : undefined }));
      } else {
        setState({ key, rows: [], total: 0, warnings: [], error: null, refused: error, busy: false });
      }
    });
    return () => control.abort();
  }, [key, now]);
  return state;
}
