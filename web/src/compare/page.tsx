// SPDX-License-Identifier: Apache-2.0
// Two states of the files: what differs in the results, each effect once.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Diagnostic, Refused } from "../api.ts";
import { compare as ask } from "../api-streams.ts";
import { Changes, EffectText } from "../parts/changes.tsx";
import { RevisionPicker } from "../parts/revision.tsx";
import { type Effects, NO_EFFECTS, readEffects } from "../parts/stream.ts";
import { Heading } from "../parts/page.tsx";
import { DiagnosticText, Empty, Loading, RefusedText, Text } from "../parts/show.tsx";
import { FindingText } from "../parts/finding.tsx";
import { Edits } from "./hunks.tsx";
import { begin, checksStates, generation, here, lost, project, turn, refine } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useMiss, useSettled } from "../use.ts";

/** How many effects are shown, and how many more at a time. */
const FIRST = 100;

export function ComparePage(): JSX.Element {
  const { project: name, query } = here.value;
  const [first, setFirst] = useState(FIRST);
  const [state, setState] = useState<Effects & { busy: boolean; refused: Refused | undefined }>({ ...NO_EFFECTS, busy: true, refused: undefined });
  const key = JSON.stringify([name, query.from, query.to, query.by, query.subject, first]);
  const now = generation.value;
  useEffect(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true, refused: undefined }));
    const stream = ask(name, { from: query.from, to: query.to, by: query.by, subject: query.subject, first, findings: checksStates.value ? undefined : 0 }, control.signal);
    const end = begin(T.comparing, () => (control.abort(), setState((old) => ({ ...old, busy: false }))));
    readEffects(stream, control.signal, (effects) => setState({ ...effects, busy: true, refused: undefined }))
      .then(
        (effects) => {
          if (!control.signal.aborted) setState({ ...effects, busy: false, refused: undefined });
        },
        (error: unknown) => {
          if (control.signal.aborted) {
            setState((old) => ({ ...old, busy: false }));
            return;
          }
          if (!(error instanceof Refused)) throw error;
          if (error.status === 0) lost();
          setState((old) => ({ ...old, busy: false, refused: error }));
        },
      )
      .finally(end);
    return () => control.abort();
  }, [key, now]);

  const { effects, done, error, progress } = state;
  // They are drawn after the effects.
  const settled = useSettled(done, 0);
  const words = T.subjectWords(project.value);
  const open = Number(query.effect ?? "1");
  useMiss(done !== undefined && query.effect !== undefined && open > Math.max(done.effects, done.more?.effects ?? 0) && `effect=${query.effect}`);
  return (
    <>
      <Heading title={T.pages.compare}>
        <p class="quiet">{done && T.effectsSummary(done.subjects.changed, done.subjects.total, done.more?.effects ?? effects.length, words)}</p>
      </Heading>
      <div class="tools" role="toolbar" aria-label={T.filters}>
        <RevisionPicker label={T.from} value={query.from ?? "HEAD"} none="HEAD" onValue={(value) => turn({ from: value, effect: undefined })} />
        <RevisionPicker label={T.toState} value={query.to} none={T.workingTree} onValue={(value) => turn({ to: value, effect: undefined })} />
        <label class="switch">
          {T.groupedBy}{" "}
          <select value={query.by ?? "effect"} onChange={(event) => turn({ by: event.currentTarget.value === "effect" ? undefined : event.currentTarget.value, effect: undefined })}>
            {(["effect", "change", "path"] as const).map((one) => (
              <option value={one} key={one}>
                {T.groupings[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {state.refused && <RefusedText error={state.refused} />}
      {error && <DiagnosticText diagnostic={error} />}
      {state.busy && !done && (progress ? <Progress progress={progress} words={words} /> : effects.length === 0 && <Loading label={T.comparing} />)}
      <div class={`scrolls ${state.busy && done ? "dimmed" : ""}`}>
        {done && effects.length === 0 && <Empty>{T.nothingDiffers(words)}</Empty>}
        {state.subject && query.subject !== undefined && (
          <section>
            <h2>
              <Text text={query.subject} lines={false} />
            </h2>
            <Changes changes={state.subject} done={done} />
          </section>
        )}
        {effects.map((effect) => (
          <EffectText
            effect={effect}
            done={done}
            open={effect.id === open}
            onOpen={(opens) => {
              if (opens && here.value.page === "compare") refine({ effect: String(effect.id) });
            }}
            key={`${key}${effect.id}`}
          />
        ))}
        {done?.truncated && <p>{T.truncated(done.more?.subjects ?? 0, words)}</p>}
        {effects.length >= first && (
          <button type="button" onClick={() => setFirst(first + FIRST)}>
            {T.moreEffects}
          </button>
        )}
        {done && settled === done && done.edits.length > 0 && <Edits done={done} effects={effects} from={query.from ?? "HEAD"} to={query.to} />}
        {done?.findings && <NewFindings found={done.findings} />}
        {done?.diagnostics.map((diagnostic: Diagnostic, index) => <DiagnosticText diagnostic={diagnostic} key={index} />)}
      </div>
    </>
  );
}

export function Progress({ progress, words }: { progress: [number, number]; words: string }): JSX.Element {
  return (
    <p class="progress" role="status">
      <progress value={progress[0]} max={progress[1]} aria-label={T.comparing} /> {T.countOf(progress[0], progress[1], words)}
      {progress[0] === progress[1] && ` · ${T.checking}`}
    </p>
  );
}

export function NewFindings({ found }: { found: NonNullable<import("../api.ts").Done["findings"]> }): JSX.Element | null {
  if (found.new.length + found.gone.length === 0) return null;
  return (
    <section>
      <h2>{T.findingsChange(found.new.length, found.gone.length)}</h2>
      {found.new.map((finding) => (
        <FindingText finding={finding} key={finding.fingerprint} />
      ))}
      {found.gone.length > 0 && (
        <details>
          <summary>{T.goneFindings(found.gone.length)}</summary>
          {found.gone.map((finding) => (
            <FindingText finding={finding} key={finding.fingerprint} />
          ))}
        </details>
      )}
    </section>
  );
}
