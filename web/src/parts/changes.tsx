// SPDX-License-Identifier: Apache-2.0
// What a state changes: changes, and effects that subjects share.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type CauseSet, type Change, type Done, type EffectGroup, Refused } from "../api.ts";
import { effect as askEffect } from "../api-pages.ts";
import { escaped } from "../pure/characters.ts";
import { shortened } from "../pure/runs.ts";
import { here, project, to } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useMade, useSlices } from "./slices.ts";
import { isSecret, Link, PlaceText, Text, ValueText } from "./show.tsx";

/** How many changes an effect shows, and how many more at a time: a table of thousands holds up the page. */
const FIRST = 50;

/** What tells causes: known when all is. */
type Causes = Pick<Done, "edits" | "cause_sets"> | undefined;

/** Rows that are drawn at once. */
const SLICE = 5;

export function causesOf(change: Change, done: Causes): CauseSet | undefined {
  if (change.cause_set !== undefined) return done?.cause_sets?.[change.cause_set];
  return change.causes === undefined ? undefined : { kind: change.cause_kind ?? "each", edits: change.causes };
}

export function Changes({ changes, done, most = FIRST }: { changes: readonly Change[]; done?: Causes; most?: number }): JSX.Element {
  const [count, setCount] = useState(most);
  const shown = changes.slice(0, useSlices(Math.min(count, changes.length), SLICE));
  const row = useMade<Change, JSX.Element>([done], (change) => <ChangeRow change={change} done={done} />);
  return (
    <>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">{T.what}</th>
            <th scope="col">{T.before}</th>
            <th scope="col">{T.after}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(row)}
        </tbody>
      </table>
      {count < changes.length && (
        <button type="button" onClick={() => setCount(count + 4 * FIRST)}>
          {T.more(changes.length - count)}
        </button>
      )}
    </>
  );
}

/** Causes that are named. */
const FIRST_CAUSES = 5;

function ChangeRow({ change, done }: { change: Change; done: Causes }): JSX.Element {
  const found = causesOf(change, done);
  const ids = found?.edits ?? [];
  const causes = ids.slice(0, FIRST_CAUSES).flatMap((id) => (done?.edits[id - 1] ? [done.edits[id - 1]!] : []));
  return (
    <tr class={`change change-${change.kind}`}>
      <th scope="row">
        <span class="change-kind">{T.changeKind(change.kind)}</span>{" "}
        <span class="code">
          <Text text={change.item === "" ? change.path || "/" : `${change.item}${change.path}`} lines={false} />
        </span>
        {change.from !== undefined && change.from !== change.path && (
          <span class="quiet">
            {" "}
            {T.was} <Text text={change.from} lines={false} />
          </span>
        )}
        {causes.length > 0 && (
          <span class="causes quiet">
            {T.because(found!.kind)}{" "}
            {causes.map((edit) => (
              <span key={edit.id} title={edit.file}>
                {escaped(shortened(T.editPlace(edit.file, edit.whole === true, edit.after.line, edit.after.lines, edit.before.line), 34))}{" "}
              </span>
            ))}
            {ids.length > causes.length && T.andMore(ids.length - causes.length)}
          </span>
        )}
      </th>
      <td>
        <SideText side={change.before} gone />
      </td>
      <td>
        <SideText side={change.after} secretChanged={isSecret(change.before) && isSecret(change.after)} />
      </td>
    </tr>
  );
}

function SideText({ side, gone = false, secretChanged = false }: { side: Change["before"]; gone?: boolean; secretChanged?: boolean }): JSX.Element {
  if (side === null) return <span class="quiet">{T.nothing}</span>;
  if (side.error) {
    return (
      <span class="message">
        <Text text={side.error.message} /> [{side.error.code}]
      </span>
    );
  }
  const value = <ValueText side={side} most={200} />;
  return (
    <>
      {gone ? <del>{value}</del> : <ins>{value}</ins>}
      {secretChanged && <span> {T.secretChanged}</span>}
      {side.file != null && (
        <span class="quiet change-place">
          <PlaceText place={{ ...side, file: side.file }} most={22} />
        </span>
      )}
    </>
  );
}

interface EffectProps {
  effect: EffectGroup;
  done: Done | undefined;
  open?: boolean;
  onOpen?: (open: boolean) => void;
}

/** An effect: how many subjects it has, who they are, and its changes. */
export function EffectText({ effect, done, open = false, onOpen }: EffectProps): JSX.Element {
  // What was never opened is not drawn.
  const [opened, setOpened] = useState(open);
  const of = done?.subjects.total;
  const [names, setNames] = useState<string[] | undefined>(undefined);
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const words = T.subjectWords(project.value, effect.count);
  const shown = names ?? effect.subjects;
  const all = (): void => {
    askEffect(here.value.project, effect.id, done?.run).then(
      (answer) => setNames(answer.subjects),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        setRefused(error.message);
      },
    );
  };
  const first = effect.changes[0];
  return (
    <details class="effect-group" id={`effect-${effect.id}`} open={open} onToggle={(event) => (event.currentTarget.open && setOpened(true), onOpen?.(event.currentTarget.open))}>
      <summary>
        <span class="effect-count">
          <span class="quiet">{effect.id}</span> <b>{T.number(effect.count)}</b> {words}
        </span>{" "}
        <span class="effect-first">
          {first && (
            <>
              <span class="code">
                <Text text={first.item === "" ? first.path || "/" : `${first.item}${first.path}`} lines={false} />
              </span>{" "}
              {first.before && !first.before.error && <ValueText side={first.before} most={30} />}
              {" → "}
              {first.after ? first.after.error ? <b class="warn">{T.fails}</b> : <ValueText side={first.after} most={30} /> : T.gone}
            </>
          )}
          {effect.changes.length > 1 && <span class="quiet"> {T.andMore(effect.changes.length - 1)}</span>}
        </span>
      </summary>
      {(opened || open) && (
        <>
          <p class="effect-names">
            {shown.slice(0, 1000).map((one) => (
              <span key={one}>
                <Link to={to("subject", one)}>
                  <Text text={one} lines={false} />
                </Link>{" "}
              </span>
            ))}
            {!names && effect.count > effect.subjects.length && (
              <button type="button" class="link" onClick={all}>
                {T.allOf(effect.count)}
              </button>
            )}
            {names && names.length > 1000 && T.more(names.length - 1000)}
            {refused !== undefined && <span class="warn">{refused}</span>}
            {of !== undefined && <span class="quiet"> {T.ofAll(effect.count, of)}</span>}
          </p>
          <Changes changes={effect.changes} done={done} />
        </>
      )}
    </details>
  );
}
