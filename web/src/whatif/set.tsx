// SPDX-License-Identifier: Apache-2.0
// Set for …: a value for some subjects, and where it may be written so that they get it and nobody else changes.
import { computed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Proposal, type Proposals, Refused } from "../api.ts";
import { propose } from "../api-pages.ts";
import { Copy, RefusedText, Text } from "../parts/show.tsx";
import { plainKey } from "../pure/numbers.ts";
import { go, here, project, to, told } from "../state.ts";
import { T } from "../texts-pages.ts";
import { drafts, setDrafts } from "./drafts.ts";
import { openDraft } from "./open.ts";

/** Elsewhere a document's place in the layers, or code, is a person's choice. */
const VERBS = ["lookup", "merge", "compose"];
export const settable = computed(() => VERBS.includes(project.value?.verb ?? ""));

interface Props {
  /** Of the value that is to be set; without, one says which. */
  item: string | undefined;
  path: string;
  /** As YAML: what it is now. */
  value: string;
  subject: string | undefined;
  onClose: () => void;
}

type Whom = "subject" | "all" | "some";

export function SetFor({ item, path, value, subject, onClose }: Props): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const [wanted, setWanted] = useState({ item: item ?? "", value, whom: (subject === undefined ? "all" : "subject") as Whom, some: "", removes: false });
  const [found, setFound] = useState<Proposals | undefined>(undefined);
  const [refused, setRefused] = useState<Refused | undefined>(undefined);
  const control = useRef<AbortController | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const { project: name, query } = here.value;
  const words = T.subjectWords(project.value);
  useEffect(() => {
    box.current?.showModal();
    return () => control.current?.abort();
  }, []);

  const ask = (): void => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setBusy(true);
    setRefused(undefined);
    const selectors = wanted.whom === "all" ? [] : wanted.whom === "subject" ? [subject!] : wanted.some.split(/\s+/).filter((one) => one !== "");
    const files = Object.fromEntries(Object.entries(drafts.value[name] ?? {}).map(([one, { text }]) => [one, text]));
    propose(name, { at: query.at ?? null, files, item: wanted.item, path, value: wanted.removes ? null : wanted.value, for: selectors }, mine.signal).then(
      (answer) => {
        if (mine.signal.aborted) return;
        setFound(answer);
        setBusy(false);
      },
      (error: unknown) => {
        if (mine.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        setRefused(error);
        setFound(undefined);
        setBusy(false);
      },
    );
  };
  const take = async (proposal: Proposal): Promise<void> => {
    const taken = { ...(drafts.value[name] ?? {}) };
    try {
      for (const [key, text] of Object.entries(proposal.files!)) {
        const file = plainKey(key);
        const isNew = proposal.edits.some((edit) => edit.file === file && edit.new_file);
        const known = taken[file];
        const there = known || isNew ? undefined : await openDraft(name, query.at, file);
        taken[file] = { from: known?.from ?? there?.sha256 ?? "", base: known?.base ?? there?.text ?? "", text };
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefused(error);
      return;
    }
    setDrafts(name, taken);
    told.value = T.taken;
    box.current?.close();
    go(to("what-if", proposal.edits[0]!.file, subject === undefined ? {} : { subject }));
  };

  return (
    <dialog ref={box} class="set-for" aria-labelledby="set-title" onClose={onClose} onClick={(event) => event.target === box.current && box.current?.close()}>
      <div class="pane-head">
        <h2 id="set-title">
          {item === undefined ? (
            T.setFor
          ) : (
            <>
              {T.setTitle}{" "}
              <span class="code">
                <Text text={`${item}${path}`} lines={false} />
              </span>
            </>
          )}
        </h2>
        <button type="button" class="close" aria-label={T.close} onClick={() => box.current?.close()}>
          ×
        </button>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        {item === undefined && (
          <label>
            {T.key}
            <input type="text" class="code" required spellcheck={false} autocomplete="off" value={wanted.item} onInput={(event) => setWanted({ ...wanted, item: event.currentTarget.value })} />
          </label>
        )}
        <label>
          {T.setValue}
          <input
            type="text"
            class="code"
            spellcheck={false}
            autocomplete="off"
            disabled={wanted.removes}
            value={wanted.value}
            onInput={(event) => setWanted({ ...wanted, value: event.currentTarget.value })}
          />
        </label>
        <label class="switch">
          <input type="checkbox" checked={wanted.removes} onChange={() => setWanted({ ...wanted, removes: !wanted.removes })} /> {T.setRemoves}
        </label>
        <fieldset>
          <legend>{T.setWhom}</legend>
          {subject !== undefined && (
            <Choice whom="subject" now={wanted.whom} onWhom={(whom) => setWanted({ ...wanted, whom })}>
              <Text text={subject} lines={false} />
            </Choice>
          )}
          <Choice whom="all" now={wanted.whom} onWhom={(whom) => setWanted({ ...wanted, whom })}>
            {T.allSubjects(words).toLowerCase()}
          </Choice>
          <Choice whom="some" now={wanted.whom} onWhom={(whom) => setWanted({ ...wanted, whom })}>
            {T.setSome}{" "}
            <input
              type="text"
              class="code"
              spellcheck={false}
              autocomplete="off"
              aria-label={T.setSomeHow}
              placeholder="role=web  db*"
              value={wanted.some}
              onInput={(event) => setWanted({ ...wanted, whom: "some", some: event.currentTarget.value })}
            />
          </Choice>
        </fieldset>
        <p class="buttons">
          <button type="submit" class="primary">
            {T.setAsk}
          </button>
        </p>
      </form>
      {refused && <RefusedText error={refused} />}
      <div aria-live="polite" aria-busy={busy ? true : undefined} class={busy ? "dimmed" : ""}>
        {busy && !found && <p class="quiet">{T.setBusy}</p>}
        {found && <Found found={found} take={(one) => void take(one)} words={words} />}
      </div>
    </dialog>
  );
}

function Choice(props: { whom: Whom; now: Whom; onWhom: (whom: Whom) => void; children: ComponentChildren }): JSX.Element {
  return (
    <label class="switch">
      <input type="radio" name="whom" checked={props.now === props.whom} onChange={() => props.onWhom(props.whom)} /> {props.children}
    </label>
  );
}

function Found({ found, take, words }: { found: Proposals; take: (one: Proposal) => void; words: string }): JSX.Element {
  const selected = found.selected.length;
  const nothing = found.already === selected;
  return (
    <>
      <p>
        {T.setSelected(selected, found.of, found.already, words)} {nothing && T.setNothing}
      </p>
      {!nothing && found.proposals.length === 0 && (
        <>
          <p class="warn">{T.setImpossible}</p>
          <ul class="entries">
            {found.rejected.map((one) => (
              <li key={`${one.file} ${one.why}`}>
                <span class="code">
                  <Text text={one.file} lines={false} />
                </span>
                : <Text text={one.why} lines={false} /> <span class="quiet">{T.setMissed(one.missed, words)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {found.proposals.map((one, index) => (
        <section class="proposal" key={one.rank}>
          <h3>
            {one.edits.map((edit) => (
              <span key={edit.file}>
                <span class="code">
                  <Text text={edit.line === undefined ? edit.file : `${edit.file}:${edit.line}`} lines={false} />
                </span>{" "}
                <span class="quiet">{T.setOperation(edit.op, edit.new_file)}</span>{" "}
              </span>
            ))}
          </h3>
          <p>
            {T.setReaches(selected, one.collateral.length, words)}
            {one.collateral.length > 0 && (
              <b class="warn">
                {" "}
                <Text text={one.collateral.slice(0, 5).join(", ")} lines={false} />
                {one.collateral.length > 5 && ` ${T.andMore(one.collateral.length - 5)}`}
              </b>
            )}
          </p>
          <details open={index === 0}>
            <summary>{T.setDiff}</summary>
            {one.diff === null ? <p class="quiet">{T.setHidden}</p> : <Diff text={one.diff} />}
          </details>
          {one.files !== null && (
            <p class="buttons">
              <button type="button" class={index === 0 ? "primary" : ""} onClick={() => take(one)}>
                {T.setTake}
              </button>
              <Copy text={one.diff ?? ""}>{T.copyPatch}</Copy>
            </p>
          )}
        </section>
      ))}
    </>
  );
}

/** A unified diff: what goes and what comes is told by a sign and a colour. */
export function Diff({ text }: { text: string }): JSX.Element {
  return (
    <pre class="excerpt diff" tabIndex={0} aria-label={T.setDiff}>
      {text
        .replace(/\n$/, "")
        .split("\n")
        .map((line, index) => (
          <span key={index} class={line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@") ? "quiet" : line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : ""}>
            <Text text={line} lines={false} />
            {"\n"}
          </span>
        ))}
    </pre>
  );
}
