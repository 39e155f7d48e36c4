// SPDX-License-Identifier: Apache-2.0
// What differs in the files: each place of difference with its text, beside what it causes.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Change, Done, EffectGroup, InputEdit, Totals } from "../api.ts";
import { file as askFile } from "../api-pages.ts";
import { causesOf } from "../parts/changes.tsx";
import { useMade, useSlices } from "../parts/slices.ts";
import { Loading, PlaceText, RefusedText, Text } from "../parts/show.tsx";
import { hunkLines } from "../pure/hunks.ts";
import { here, project, refine } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";

/** Files whose differences are shown at once. */
const FIRST = 100;
/** What one answer about a file may hold; the text of longer files is not shown. */
const MOST_LINES = 10_000;
/** Places of one file that are shown at once, and how many more at a time. */
const FIRST_PLACES = 50;
/** Lines of one place that are shown before one asks for all. */
const MOST_SHOWN = 60;

/** Places that are drawn at once. */
const SLICE = 3;

interface Props {
  done: Done;
  effects: readonly EffectGroup[];
  from: string;
  to: string | undefined;
}

/** For the id of a place: the effects that it is a cause of, each with its first change because of it. */
type Caused = ReadonlyMap<number, readonly { effect: EffectGroup; change: Change }[]>;

/** Made once for all places: thousands of them may stand beside thousands of changes, which share sets of causes. */
function causedBy(effects: readonly EffectGroup[], done: Done): Caused {
  const found = new Map<number, { effect: EffectGroup; change: Change }[]>();
  for (const effect of effects) {
    const told = new Set<number | undefined>();
    for (const change of effect.changes) {
      if (change.cause_set !== undefined && told.has(change.cause_set)) continue;
      told.add(change.cause_set);
      for (const id of causesOf(change, done)?.edits ?? []) {
        const mine = found.get(id) ?? [];
        if (mine.at(-1)?.effect !== effect) mine.push({ effect, change });
        found.set(id, mine);
      }
    }
  }
  return found;
}

export function Edits({ done, effects, from, to }: Props): JSX.Element {
  const { edits, subjects: totals } = done;
  const [most, setMost] = useState(FIRST);
  const caused = useMemo(() => causedBy(effects, done), [effects, done]);
  const byFile = useMemo(() => {
    const found = new Map<string, InputEdit[]>();
    for (const edit of edits) {
      const mine = found.get(edit.file);
      if (mine) mine.push(edit);
      else found.set(edit.file, [edit]);
    }
    return [...found];
  }, [edits]);
  return (
    <section>
      <h2>{T.editsHeading}</h2>
      {byFile.slice(0, most).map(([file, mine], index) => (
        <FileEdits key={file} file={file} edits={mine} caused={caused} totals={totals} from={from} to={to} first={index === 0} />
      ))}
      {byFile.length > most && (
        <button type="button" onClick={() => setMost(most + FIRST)}>
          {T.more(byFile.length - most)}
        </button>
      )}
    </section>
  );
}

/** The lines of a file in one state; none where it is not there, or not a file of the project. */
function useLines(file: string, revision: string | undefined, wanted: boolean): { lines: string[] | undefined; busy: boolean; refused: ReturnType<typeof useAnswer>["error"] } {
  const { project: name } = here.value;
  const answer = useAnswer(wanted ? JSON.stringify([name, revision, file, "lines"]) : undefined, (signal) => askFile(name, revision, file, 1, MOST_LINES, signal));
  const missing = answer.error?.status === 404;
  const lines = useMemo(() => (missing ? [] : answer.value?.lines.map((line) => line.text)), [missing, answer.value]);
  return { lines, busy: answer.busy, refused: missing ? undefined : answer.error };
}

interface FileProps extends Omit<Props, "effects" | "done"> {
  file: string;
  edits: readonly InputEdit[];
  totals: Totals;
  caused: Caused;
  first: boolean;
}

function FileEdits({ file, edits, caused, totals, from, to, first }: FileProps): JSX.Element {
  const [open, setOpen] = useState(first);
  const [most, setMost] = useState(FIRST_PLACES);
  const drawn = useSlices(Math.min(most, edits.length), SLICE);
  const before = useLines(file, from, open);
  const after = useLines(file, to, open);
  const idle = useMemo(() => edits.filter((edit) => !caused.has(edit.id)).length, [edits, caused]);
  const hunk = useMade<InputEdit, JSX.Element>([before.lines, after.lines, caused], (edit) => (
    <div class="hunk" key={edit.id}>
      <HunkText edit={edit} before={before.lines!} after={after.lines!} />
      <CausedText mine={caused.get(edit.id) ?? []} />
    </div>
  ));
  const refused = before.refused ?? after.refused;
  return (
    <details class="file-edits" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="code">
          <Text text={file} lines={false} />
        </span>{" "}
        <span class="quiet">{T.placesOf(edits.length, totals.changed > 0 ? idle : edits.length)}</span>
      </summary>
      {refused && <RefusedText error={refused} />}
      {open && !refused && (before.lines === undefined || after.lines === undefined) && <Loading label={T.loadingFile} />}
      {before.lines &&
        after.lines &&
        edits.slice(0, drawn).map(hunk)}
      {before.lines && after.lines && edits.length > most && (
        <button type="button" onClick={() => setMost(most + FIRST_PLACES)}>
          {T.more(edits.length - most)}
        </button>
      )}
    </details>
  );
}

function HunkText({ edit, before, after }: { edit: InputEdit; before: readonly string[]; after: readonly string[] }): JSX.Element {
  const [all, setAll] = useState(false);
  const lines = hunkLines(edit, before, after);
  const shown = all ? lines : lines.slice(0, MOST_SHOWN);
  return (
    <div>
      <p>
        <PlaceText place={{ file: edit.file, line: edit.whole ? 1 : Math.max(1, edit.after.line) }} />{" "}
        <span class="quiet">{T.editLines(edit.before.lines, edit.after.lines, edit.whole === true)}</span>
      </p>
      {lines.length > 0 && (
        <pre class="excerpt diff" tabIndex={0} aria-label={T.setDiff}>
          {shown.map((line, index) => (
            <span key={index} class={line.sign === "+" ? "added" : line.sign === "-" ? "gone" : ""}>
              <span class="quiet">{String(line.number).padStart(5)} </span>
              {line.sign} <Text text={line.text} lines={false} />
              {"\n"}
            </span>
          ))}
        </pre>
      )}
      {shown.length < lines.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {T.more(lines.length - shown.length)}
        </button>
      )}
    </div>
  );
}

/** The effects that a place is a cause of. */
function CausedText({ mine }: { mine: readonly { effect: EffectGroup; change: Change }[] }): JSX.Element {
  if (mine.length === 0) return <p class="caused quiet">{T.hunkNothing}</p>;
  return (
    <ul class="caused entries">
      {mine.slice(0, 10).map(({ effect, change }) => (
        <li key={effect.id}>
          <button type="button" class="link" onClick={() => (refine({ effect: String(effect.id) }), document.getElementById(`effect-${effect.id}`)?.scrollIntoView())}>
            {T.effectNumber(effect.id)}
          </button>{" "}
          <b>{T.countWords(effect.count, T.subjectWords(project.value, effect.count))}</b>:{" "}
          <span class="code">
            <Text text={change.item === "" ? change.path || "/" : `${change.item}${change.path}`} lines={false} />
          </span>
        </li>
      ))}
      {mine.length > 10 && <li class="quiet">{T.more(mine.length - 10)}</li>}
    </ul>
  );
}
