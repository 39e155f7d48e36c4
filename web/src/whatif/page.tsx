// SPDX-License-Identifier: Apache-2.0
// What an edit would change, and for whom, while it is typed.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refused } from "../api.ts";
import { save } from "../api-pages.ts";
import { whatIf } from "../api-streams.ts";
import { Changes, EffectText } from "../parts/changes.tsx";
import { keepFocus } from "../parts/keys.ts";
import { namesOf } from "../parts/names.ts";
import { isUnknownFile, UnknownFile } from "../file/page.tsx";
import { Heading } from "../parts/page.tsx";
import { Copy, DiagnosticText, Empty, Link, Loading, RefusedText, Text, copy, download } from "../parts/show.tsx";
import { type Effects, NO_EFFECTS, readEffects } from "../parts/stream.ts";
import { NewFindings, Progress } from "../compare/page.tsx";
import { writeAddress } from "../address.ts";
import { escaped, whyNot } from "../pure/characters.ts";
import { applyByContext, applyEdits, edits, lines, patch } from "../pure/difference.ts";
import { draftFile, editsOf, LONGEST, readDraft, writeDraft } from "../pure/draft.ts";
import { begin, checksStates, generation, go, here, lost, project, refine, replace, to, told } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer, useLatest } from "../use.ts";
import { SetFor, settable } from "./set.tsx";
import { type Drafts, drafts, draftOf, replaced, setDrafts } from "./drafts.ts";
import { newFile, openDraft, type Opened, presentText, reapplied } from "./open.ts";
import type { Editor, EditorMark } from "./editor-types.ts";

/** How long typing must have stopped. */
const SETTLES = 100;

interface Conflict {
  path: string;
  base: string;
  mine: string;
  theirs: string;
}

export function WhatIfPage(): JSX.Element {
  const { project: name, name: path, query } = here.value;
  const mine: Drafts = drafts.value[name] ?? {};
  const draft = mine[path];
  const isNew = draft?.from === "";
  const opened = useAnswer(path === "" || isNew ? undefined : JSON.stringify([name, query.at, "open", path]), (signal) => openDraft(name, query.at, path, signal));
  const made = useMemo(() => newFile(path), [path]);
  // A file that is gone while there is a draft of it is one that the draft makes.
  const isGone = draft !== undefined && isUnknownFile(opened.error) && !opened.error!.errors[0]?.code.startsWith("git.");
  const file = isNew || isGone ? made : opened.value?.path === path ? opened.value : undefined;
  const [sets, setSets] = useState(false);
  const changedFiles = Object.keys(mine);
  const [notice, setNotice] = useState<string | undefined>(undefined);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const [asksDiscard, setAsksDiscard] = useState(false);
  const keeps = useRef<HTMLButtonElement>(null);
  const discards = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  const asked = useRef(false);
  useEffect(() => {
    if (asksDiscard) keeps.current?.focus();
    else if (asked.current) {
      // A button that is disabled takes no focus.
      discards.current?.focus();
      keepFocus();
    }
    asked.current = asksDiscard;
  }, [asksDiscard]);
  const subject = query.subject ?? (namesOf.value?.length === 1 ? namesOf.value[0] : undefined);
  const { state, stale, wrong } = useEffects(name, query.at, subject, mine);
  const words = T.subjectWords(project.value);

  useLinkedDraft(setNotice, setConflicts);

  const patchText = (): string => changedFiles.map((one) => patch(one, mine[one]!.base, mine[one]!.text, mine[one]!.from === "")).join("");
  const copyLink = async (): Promise<void> => {
    const text = await writeDraft({ files: Object.fromEntries(changedFiles.map((one) => [one, draftFile(mine[one]!.from, mine[one]!.base, mine[one]!.text)])) });
    if (text.length > LONGEST) {
      setNotice(T.draftTooLarge(text.length, LONGEST));
      return;
    }
    told.value = (await copy(new URL(writeAddress({ ...here.value, draft: text }), location.href).href)) ? T.linkCopied : T.notCopied;
  };
  const store = async (): Promise<void> => {
    for (const one of changedFiles) {
      const { text, from, base } = mine[one]!;
      try {
        await save(name, one, text, from);
        setDrafts(name, Object.fromEntries(Object.entries(drafts.value[name] ?? {}).filter(([other]) => other !== one)));
        setConflicts((old) => old.filter((other) => other.path !== one));
        told.value = T.saved(one);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.status === 412) setConflicts([{ path: one, base, mine: text, theirs: (await openDraft(name, undefined, one)).text }]);
        else setNotice(error.message);
        return;
      }
    }
  };
  const reapply = (): void => {
    if (!file || !draft) return;
    if (isGone) {
      setDrafts(name, { ...mine, [path]: { from: "", base: "", text: draft.text } });
      return;
    }
    const text = reapplied(draft, file.text);
    if (text === undefined) {
      setConflicts([{ path, base: draft.base, mine: draft.text, theirs: file.text }]);
      return;
    }
    setConflicts((old) => old.filter((one) => one.path !== path));
    const rest = Object.fromEntries(Object.entries(mine).filter(([one]) => one !== path));
    setDrafts(name, text === file.text ? rest : { ...rest, [path]: { from: file.sha256, base: file.text, text } });
  };

  const moved = draft !== undefined && file !== undefined && draft.from !== file.sha256;
  const fits = useMemo(() => !moved || isGone || reapplied(draft, file.text) !== undefined, [moved, isGone, draft, file]);

  if (isUnknownFile(opened.error) && !isGone) return <UnknownFile name={path} error={opened.error!} page="what-if" />;
  const done = state.done;

  return (
    <>
      <Heading title={path === "" ? T.pages["what-if"] : path} path crumbs={path === "" ? [] : [{ text: T.pages["what-if"], to: to("what-if") }]}>
        <span class="quiet">{changedFiles.length > 0 ? T.draftOf(changedFiles.length) : T.noDraft}</span>
      </Heading>
      <div class="tools" role="toolbar" aria-label={T.draft}>
        <Copy class="primary" text={patchText} disabled={changedFiles.length === 0}>
          {T.copyPatch}
        </Copy>
        <button type="button" disabled={changedFiles.length === 0} onClick={() => download("draft.patch", patchText())}>
          {T.downloadPatch}
        </button>
        <button type="button" disabled={changedFiles.length === 0} onClick={() => void copyLink()}>
          {T.copyLink}
        </button>
        {project.value?.writable && query.at === undefined && (
          <button type="button" disabled={changedFiles.length === 0} onClick={() => void store()}>
            {T.save}
          </button>
        )}
        {asksDiscard ? (
          <>
            <span>{T.discardSure}</span>
            <button
              type="button"
              class="danger"
              onClick={() => {
                setDrafts(name, {});
                setAsksDiscard(false);
                setConflicts([]);
                setNotice(undefined);
                told.value = T.discarded;
              }}
            >
              {T.discardYes}
            </button>
            <button type="button" ref={keeps} onClick={() => setAsksDiscard(false)}>
              {T.discardNo}
            </button>
          </>
        ) : (
          <button type="button" ref={discards} disabled={changedFiles.length === 0} onClick={() => setAsksDiscard(true)}>
            {T.discard}
          </button>
        )}
        {settable.value && (
          <button type="button" onClick={() => setSets(true)}>
            {T.setFor}
          </button>
        )}
        <SubjectChoice value={subject} onValue={(value) => refine({ subject: value })} />
      </div>
      {sets && <SetFor item={undefined} path="" value="" subject={query.subject} onClose={() => setSets(false)} />}
      {notice !== undefined && (
        <p class="banner" role="alert">
          {notice}{" "}
          <button type="button" class="link" onClick={() => setNotice(undefined)}>
            {T.close}
          </button>
        </p>
      )}
      {moved && (
        <p class="banner" role="status">
          {isGone ? T.draftGone : T.draftMoved} {!fits && T.draftTakesBack}{" "}
          <button type="button" onClick={reapply}>
            {isGone ? T.draftAsNew : T.reapply}
          </button>
        </p>
      )}
      {conflicts.map((conflict) => (
        <ConflictText conflict={conflict} key={conflict.path} />
      ))}
      {changedFiles.length > 0 && !(changedFiles.length === 1 && changedFiles[0] === path) && (
        <nav class="draft-files" aria-label={T.filesOfDraft}>
          {changedFiles.map((one) => (
            <button type="button" key={one} aria-pressed={one === path} onClick={() => go({ ...here.value, name: one })}>
              <Text text={one} lines={false} />
            </button>
          ))}
        </nav>
      )}
      {opened.error && !isGone && <RefusedText error={opened.error} />}
      {path === "" ? (
        <Empty>
          {T.whatIfEmpty} <FileChoice />
        </Empty>
      ) : (
        <div class="split what-if">
          <section class="main-pane" aria-label={T.text}>
            {!file && (!opened.error || isGone) && <Loading label={T.loadingFile} />}
            {file && !file.editable && (
              <Empty>
                {file.file.hidden ? T.fileHidden : T.notEditable(whyNot(file.file.lines))} <Link to={to("file", path)}>{T.showFile}</Link>
              </Empty>
            )}
            {file?.editable && (
              <DraftEditor
                key={path}
                file={file}
                text={draft?.text ?? file.text}
                marks={marksOf(path, file, draft?.text ?? file.text, state)}
                onChange={(text) => draftOf(name, path, file, text)}
              />
            )}
          </section>
          <section class="pane effects" aria-label={T.effects}>
            {changedFiles.length === 0 ? (
              <Empty>{T.typeToSee(words)}</Empty>
            ) : (
              <>
                {state.error && <DiagnosticText diagnostic={state.error} />}
                {done?.diagnostics.map((diagnostic, index) => <DiagnosticText diagnostic={diagnostic} key={index} />)}
                {state.refused && <RefusedText error={state.refused} />}
                {stale && wrong && <p class="banner">{T.staleEffects}</p>}
                <div class={stale || state.busy ? "dimmed" : ""} aria-busy={state.busy ? true : undefined}>
                  <EffectsText state={stale ?? state} subject={subject} />
                </div>
              </>
            )}
          </section>
        </div>
      )}
    </>
  );
}

type State = Effects & { busy: boolean; refused: Refused | undefined };

/** The effects of a draft. While its texts cannot be read, the last that could be stay. */
function useEffects(name: string, at: string | undefined, subject: string | undefined, mine: Drafts): { state: State; stale: State | undefined; wrong: boolean } {
  const [state, setState] = useState<State>({ ...NO_EFFECTS, busy: false, refused: undefined });
  const good = useRef<State | undefined>(undefined);
  const key = JSON.stringify([name, at, subject, Object.entries(mine).map(([path, { text }]) => [path, text])]);
  const now = generation.value;
  useEffect(() => {
    if (Object.keys(mine).length === 0) {
      good.current = undefined;
      setState({ ...NO_EFFECTS, busy: false, refused: undefined });
      return undefined;
    }
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    // One question at a time: this one begins when the one before it was ended.
    const timer = setTimeout(() => {
      const end = begin(T.asking, () => (control.abort(), setState((old) => ({ ...old, busy: false }))));
      Promise.all(Object.entries(mine).map(async ([path, one]) => [path, await presentText(name, at, path, one, control.signal)] as const))
        .then((files) =>
          readEffects(
            whatIf(name, { at: at ?? null, subject: subject ?? null, files: Object.fromEntries(files) }, checksStates.value, control.signal),
            control.signal,
            (effects) => setState({ ...effects, busy: true, refused: undefined }),
          ),
        )
        .then(
          (effects) => {
            if (control.signal.aborted) return;
            const found = { ...effects, busy: false, refused: undefined };
            if (!effects.error && effects.done && effects.done.diagnostics.length === 0) good.current = found;
            setState(found);
          },
          (error: unknown) => {
            if (control.signal.aborted) return;
            if (!(error instanceof Refused)) throw error;
            if (error.status === 0) lost();
            setState({ ...NO_EFFECTS, busy: false, refused: error.errors.length > 0 ? undefined : error, error: error.errors[0] });
          },
        )
        .finally(end);
    }, SETTLES);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, now]);
  const wrong = state.error !== undefined || state.refused !== undefined || (state.done?.diagnostics.length ?? 0) > 0;
  return { state, wrong, stale: wrong || (state.busy && !state.done && state.effects.length === 0) ? good.current : undefined };
}

/** Broken and mended subjects first. */
function urgency(effect: Effects["effects"][number]): number {
  const kinds = effect.changes.map((change) => change.kind);
  return kinds.includes("broken") ? 0 : kinds.includes("mended") || kinds.includes("fails-otherwise") ? 1 : 2;
}

function EffectsText({ state, subject }: { state: Effects; subject: string | undefined }): JSX.Element {
  const { done, effects, progress } = state;
  const words = T.subjectWords(project.value);
  const sorted = [...effects].sort((one, other) => urgency(one) - urgency(other) || one.id - other.id);
  return (
    <>
      {!done && <h2 class="pending">{T.asking}</h2>}
      {done && (
        <h2 class="headline">
          {done.subjects.changed === 0 ? T.nobodyChanges(done.subjects.total, words) : T.effectsSummary(done.subjects.changed, done.subjects.total, done.more?.effects ?? effects.length, words)}
        </h2>
      )}
      {progress && <Progress progress={progress} words={words} />}
      {subject !== undefined && state.subject && (
        <section>
          <h3>
            <Text text={subject} lines={false} />: {state.subject.length === 0 ? T.unchanged : T.changes(state.subject.length)}
          </h3>
          {state.subject.length > 0 && <Changes changes={state.subject} done={done} />}
        </section>
      )}
      {effects.length > 0 && <h3>{T.allSubjects(words)}</h3>}
      {sorted.map((effect, index) => (
        <EffectText effect={effect} done={done} open={index === 0 && (subject === undefined || state.subject?.length === 0)} key={effect.id} />
      ))}
      {done?.truncated && <p>{T.truncated(done.more?.subjects ?? 0, words)}</p>}
      {done?.findings && (done.findings.new.length + done.findings.gone.length > 0 ? <NewFindings found={done.findings} /> : <p class="quiet">{T.sameFindings}</p>)}
    </>
  );
}

/** What the editor underlines: what is wrong with the text, and which edited lines others override. */
function marksOf(path: string, file: Opened, text: string, state: Effects): EditorMark[] {
  const marks: EditorMark[] = [];
  const words = T.subjectWords(project.value);
  for (const one of [...(state.done?.diagnostics ?? []), ...(state.error ? [state.error] : [])]) {
    if (one.file === path && one.line !== null) {
      marks.push({ line: one.line, ...(one.column === null ? {} : { column: one.column }), severity: one.severity === "note" ? "info" : one.severity, message: escaped(one.message) });
    }
  }
  for (const one of state.done?.findings?.new ?? []) {
    if (one.file === path && one.line !== undefined) {
      marks.push({ line: one.line, ...(one.column === undefined ? {} : { column: one.column }), severity: one.severity === "note" ? "info" : one.severity, message: escaped(one.message) });
    }
  }
  let shift = 0;
  for (const edit of edits(lines(file.text), lines(text))) {
    if (edit.removed.length === edit.added.length) {
      edit.removed.forEach((_, index) => {
        const line = file.file.lines[edit.line - 1 + index];
        const count = line?.overridden ?? 0;
        if (count > 0) marks.push({ line: edit.line + shift + index, severity: "info", message: T.overridesIt(count, words) });
      });
    }
    shift += edit.added.length - edit.removed.length;
  }
  return marks;
}

/** The editor knows one kind of line break; a file keeps its own. */
const inEditor = (text: string): string => text.replace(/\r\n/g, "\n");
const asInFile = (file: Opened, text: string): string => (file.text.includes("\r\n") ? inEditor(text).replace(/\n/g, "\r\n") : text);

function DraftEditor(props: { file: Opened; text: string; marks: EditorMark[]; onChange: (text: string) => void }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const latest = useLatest(props);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    import("./editor.js").then(
      ({ createEditor }) => {
        if (gone || !host.current) return;
        editor.current = createEditor(host.current, {
          text: inEditor(latest.current.text),
          label: T.editorLabel(escaped(latest.current.file.path)),
          editable: true,
          yaml: /\.(ya?ml|eyaml|cfg)$/.test(latest.current.file.path),
          onChange: (text) => latest.current.onChange(asInFile(latest.current.file, text)),
        });
        editor.current.setMarks(latest.current.marks);
        editor.current.focus();
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  // What the editor said itself is not told back to it: it may have gone on since.
  const others = replaced.value;
  useEffect(() => {
    const { file } = latest.current;
    editor.current?.setText(inEditor(drafts.value[here.value.project]?.[file.path]?.text ?? file.text));
  }, [others, props.file.text]);
  const marks = JSON.stringify(props.marks);
  useEffect(() => editor.current?.setMarks(latest.current.marks), [marks, props.text]);
  if (failed) {
    return (
      <textarea
        class="editor-host code"
        aria-label={T.editorLabel(escaped(props.file.path))}
        spellcheck={false}
        value={props.text}
        onInput={(event) => props.onChange(asInFile(props.file, event.currentTarget.value))}
      />
    );
  }
  return <div class="editor-host" ref={host} />;
}

/** Puts the draft of a link in the place of none, or of what one agrees to lose. */
function useLinkedDraft(setNotice: (text: string | undefined) => void, setConflicts: (found: Conflict[]) => void): void {
  const { project: name, query, draft: text } = here.value;
  useEffect(() => {
    if (text === "") return undefined;
    let gone = false;
    const read = async (): Promise<void> => {
      let found;
      try {
        found = await readDraft(text);
      } catch {
        setNotice(T.draftBroken);
        return;
      }
      const taken: Record<string, { from: string; base: string; text: string }> = {};
      const conflicts: Conflict[] = [];
      for (const [path, file] of Object.entries(found.files)) {
        const there = file.from === "" ? newFile(path) : await openDraft(name, query.at, path);
        const changes = editsOf(file);
        const applied = there.sha256 === file.from ? applyEdits(there.text, changes) : applyByContext(there.text, changes);
        if (applied === undefined || !there.editable) {
          const added = changes.map((edit) => edit.added.join("")).join("\n");
          conflicts.push({ path, base: changes.map((edit) => edit.removed.join("")).join("\n"), mine: added, theirs: there.text });
        } else if (applied !== there.text) {
          taken[path] = { from: there.sha256, base: there.text, text: applied };
        }
      }
      if (gone) return;
      const old = drafts.value[name] ?? {};
      const loses = Object.keys(taken).some((path) => old[path] !== undefined && old[path].text !== taken[path]!.text);
      if (loses && !confirm(T.linkReplaces)) {
        replace({ ...here.value, draft: "" });
        return;
      }
      setConflicts(conflicts);
      setDrafts(name, { ...old, ...taken });
      replace({ ...here.value, draft: "" });
    };
    read().catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      setNotice(error.message);
    });
    return () => {
      gone = true;
    };
  }, [text, name]);
}

function ConflictText({ conflict }: { conflict: Conflict }): JSX.Element {
  return (
    <section class="conflict" role="alert">
      <p>{T.conflict(escaped(conflict.path))}</p>
      <div class="columns">
        {([
          ["base", T.versionBase],
          ["mine", T.versionMine],
          ["theirs", T.versionTheirs],
        ] as const).map(([side, label]) => (
          <details key={side}>
            <summary>{label}</summary>
            <pre class="text" tabIndex={0} aria-label={label}>
              <Text text={conflict[side].slice(0, 1024 * 1024)} />
            </pre>
          </details>
        ))}
      </div>
    </section>
  );
}

/** The subject whose changes are told first. */
function SubjectChoice({ value, onValue }: { value: string | undefined; onValue: (value: string | undefined) => void }): JSX.Element | null {
  const names = namesOf.value ?? [];
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  const offered = useMemo(() => names.filter((one) => one.toLowerCase().includes(text.toLowerCase())).slice(0, 50), [names, text]);
  if (names.length < 2) return null;
  const word = T.subjectWord(project.value);
  return (
    <label class="switch">
      {T.title(word)}{" "}
      <input
        type="text"
        class="choice"
        list="subject-choices"
        spellcheck={false}
        autocomplete="off"
        value={text}
        placeholder={T.all}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          if (next === "" || names.includes(next)) onValue(next || undefined);
        }}
      />
      <datalist id="subject-choices">
        {offered.map((one) => (
          <option value={one} key={one} />
        ))}
      </datalist>
    </label>
  );
}

function FileChoice(): JSX.Element {
  return (
    <button type="button" class="primary" onClick={() => go(to("files"))}>
      {T.chooseFile}
    </button>
  );
}
