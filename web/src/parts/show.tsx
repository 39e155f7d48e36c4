// SPDX-License-Identifier: Apache-2.0
// Small things that all pages show: text with escapes, values, places, links, findings, messages.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Address, writeAddress } from "../address.ts";
import type { Diagnostic, Fate, Place, Refused, Severity, Value } from "../api.ts";
import { escaped, isPlain, pieces } from "../pure/characters.ts";
import { exactJson } from "../pure/numbers.ts";
import { shortened } from "../pure/runs.ts";
import { Code } from "./code.tsx";
import { go, here, progress, project, to, told } from "../state.ts";
import { T } from "../texts.ts";
import { askAgain, STOPPED, stopWaiting } from "../use.ts";

/** Text of configuration: hidden characters are shown by their numbers. */
export function Text({ text, lines = true }: { text: string; lines?: boolean }): JSX.Element {
  if (isPlain(text, lines)) return <>{text}</>;
  return (
    <>
      {pieces(text, lines).map((piece, index) =>
        piece.escape ? (
          <span class="escape" key={index}>
            {piece.escape}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** What is longer shows its beginning: 4 KiB, then 400 characters. */
export const LONG = 4096;
export const BEGINNING = 400;

/** A mapping that is configured may look like what stands for a secret: what is beside it tells. */
export const isSecret = (side: { secret?: boolean } | null | undefined): boolean => side?.secret === true;

export const SECRET = "******";

export function valueText(side: { value?: Value; secret?: boolean }): string {
  return isSecret(side) ? SECRET : side.value === undefined ? "" : exactJson(side.value);
}

/** A value as compact JSON, a secret as stars with a lock. */
export function ValueText({ side, most = LONG }: { side: { value?: Value; secret?: boolean }; most?: number }): JSX.Element {
  const text = valueText(side);
  return (
    <span class="value">
      {isSecret(side) ? (
        <>
          {SECRET} <Sign name="secret" />
        </>
      ) : (
        <Text text={text.length > most ? `${text.slice(0, most === LONG ? BEGINNING : most - 1)}…` : text} />
      )}
    </span>
  );
}

/** A sign with its word for those who do not see it. */
export function Sign({ name, count }: { name: keyof typeof T.signs; count?: number }): JSX.Element {
  const sign = T.signs[name];
  const words = typeof sign.words === "function" ? sign.words(count ?? 0) : sign.words;
  return (
    <span class={`sign sign-${name}`} title={words}>
      <span aria-hidden="true">
        {sign.text}
        {count}
      </span>
      <span class="hidden">{words}</span>
    </span>
  );
}

export function FateSign({ fate }: { fate: Fate }): JSX.Element {
  return (
    <span class={`fate fate-${fate}`}>
      <span aria-hidden="true">{T.fateSigns[fate]}</span> {T.fates[fate]}
    </span>
  );
}

interface LinkProps {
  to: Address;
  class?: string;
  title?: string | undefined;
  tabIndex?: number;
  current?: boolean;
  label?: string;
  onGo?: () => void;
  children: ComponentChildren;
}

export function Link(props: LinkProps): JSX.Element {
  return (
    <a
      href={writeAddress(props.to)}
      class={props.class}
      title={props.title}
      tabIndex={props.tabIndex}
      aria-current={props.current ? "page" : undefined}
      aria-label={props.label}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(props.to);
        props.onGo?.();
      }}
    >
      {props.children}
    </a>
  );
}

/** Whether a place is a line that the page of its file can show. */
export function isFile(place: Place | null | undefined): place is Place & { file: string } {
  return typeof place?.file === "string" && !/^<.*>$/.test(place.file) && typeof place.line === "number";
}

export function placeText(place: Place, column = false): string {
  const name = place.part === undefined ? place.file : `${place.file} (${place.part})`;
  const line = typeof place.line === "number" ? `:${place.line}${column && typeof place.column === "number" ? `:${place.column}` : ""}` : "";
  return `${name ?? T.noPlace}${line}`;
}

/** `file:line`, shortened in the middle, without the folder that all share; whole in its title and to screen readers. A link where the file can be shown. */
export function PlaceText(props: { place: Place; most?: number; column?: boolean; inGrid?: boolean; folder?: string }): JSX.Element {
  const { place, most = 60, folder = "" } = props;
  const whole = escaped(placeText(place, props.column));
  const short = shortened(folder !== "" && whole.startsWith(folder) ? whole.slice(folder.length) : whole, most);
  const isShort = short !== whole;
  const text = isShort ? (
    <>
      <span aria-hidden="true" class="place-parts">
        <Parts text={short} />
      </span>
      <span class="hidden">{whole}</span>
    </>
  ) : (
    <Parts text={whole} />
  );
  if (!isFile(place)) return <span title={whole} class="place">{text}</span>;
  // A name that is made of parts would have blanks between them.
  return (
    <Link to={to("file", place.file, { line: String(place.line) })} class="place" title={whole} {...(isShort ? {} : { label: whole })} {...(props.inGrid ? { tabIndex: -1 } : {})}>
      {text}
    </Link>
  );
}

/** The name of a file that gives way where there is little room. */
export function FileLink({ file }: { file: string }): JSX.Element {
  return (
    <Link to={to("file", file)} class="place" title={escaped(file)} label={escaped(file)} tabIndex={-1}>
      <Parts text={escaped(file)} />
    </Link>
  );
}

/** Where there is little room the folder gives way first, then the name of the file, and never the line. */
function Parts({ text }: { text: string }): JSX.Element {
  const [, folder, name, line] = /^(.*\/)?([^/]*?)((?::\d+)*)$/.exec(text) ?? [text, "", text, ""];
  return (
    <>
      {folder && (
        <span class="place-folder">
          <bdi dir="ltr">{folder}</bdi>
        </span>
      )}
      <span class="place-name">{name}</span>
      {line && <span class="place-line">{line}</span>}
    </>
  );
}

export function SeverityText({ severity }: { severity: Severity }): JSX.Element {
  return <span class={`severity severity-${severity}`}>{T.severities[severity]}</span>;
}

/** A message as a compiler prints it. */
export function DiagnosticText({ diagnostic, heading }: { diagnostic: Diagnostic; heading?: string }): JSX.Element {
  return (
    <div class={`diagnostic diagnostic-${diagnostic.severity}`}>
      {heading && <strong>{heading} </strong>}
      <p>
        <SeverityText severity={diagnostic.severity} /> <Text text={diagnostic.message} /> <Code code={diagnostic.code} />
      </p>
      {diagnostic.file !== null && (
        <p>
          <PlaceText place={diagnostic} column />
        </p>
      )}
      <Excerpt text={diagnostic.excerpt} column={diagnostic.column} />
      {diagnostic.notes.map((note, index) => (
        <div key={index}>
          <p>
            {T.note} <Text text={note.message} /> {note.file && <PlaceText place={{ file: note.file, line: note.line ?? null, column: note.column ?? null }} column />}
          </p>
          <Excerpt text={note.excerpt ?? null} column={note.column ?? null} />
        </div>
      ))}
      {diagnostic.hint && (
        <p>
          {T.hint} <Text text={diagnostic.hint} />
        </p>
      )}
    </div>
  );
}

function Excerpt({ text, column }: { text: string | null; column: number | null }): JSX.Element | null {
  if (text === null) return null;
  return (
    <pre class="excerpt">
      <Text text={text} />
      {column !== null && column <= text.length + 1 && <span aria-hidden="true">{`\n${text.slice(0, column - 1).replace(/[^\t]/g, " ")}^`}</span>}
    </pre>
  );
}

/** What stands in the place of an answer that was refused. `within`: of something that is told as a whole. */
export function RefusedText({ error, within = false }: { error: Refused; within?: boolean }): JSX.Element {
  if (error.status === STOPPED) {
    return (
      <p class="empty">
        {T.stopped}{" "}
        <button type="button" onClick={askAgain}>
          {T.goOn}
        </button>
      </p>
    );
  }
  const heading = error.status === 403 ? T.forbidden : error.status === 0 ? T.noAnswer : undefined;
  return (
    <div class="refused" role={within ? undefined : "alert"}>
      {heading && <p>{heading}</p>}
      {error.errors.length === 0 && error.status !== 0 && (
        <p>
          <Text text={error.message} />
        </p>
      )}
      {error.errors.map((diagnostic, index) => (
        <DiagnosticText diagnostic={diagnostic} key={index} />
      ))}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

/** Grey bars of the height of what will come: seen after 100 ms only (style sheet). */
export function Loading({ label }: { label: string }): JSX.Element {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" role="status" aria-label={label}>
      {slow && <Under label={label} />}
      {[40, 64, 52, 70, 46, 58].map((width) => (
        <span class="bar" key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** What is under way, and how to end it. */
function Under({ label }: { label: string }): JSX.Element {
  const { project: name, query } = here.value;
  const words = T.subjectWords(project.value);
  const mine = progress.value.filter((one) => one.project === name && one.at === (query.at ?? ""));
  return (
    <p class="under" aria-live="off">
      {label}
      {mine.length > 0 && `: ${mine.map((one) => T.progress(one.work, one.done, one.all, words)).join(", ")}`}{" "}
      <button type="button" onClick={stopWaiting}>
        {T.stop}
      </button>
    </p>
  );
}

/** What is longer is not read out. */
const MOST_TOLD = 200;

/** A button that copies a text and says so. */
export function Copy(props: { text: string | (() => string); children: ComponentChildren; class?: string; disabled?: boolean }): JSX.Element {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      class={props.class}
      disabled={props.disabled}
      onClick={() => {
        const text = typeof props.text === "string" ? props.text : props.text();
        void copy(text).then((copied) => {
          setDone(copied);
          told.value = !copied ? T.notCopied : text.length > MOST_TOLD || text.includes("\n") ? T.copied : T.copiedPath(text);
          setTimeout(() => setDone(false), 2000);
        });
      }}
    >
      {done ? T.copied : props.children}
    </button>
  );
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a safe context there is no clipboard but that of a marked field.
    const field = document.createElement("textarea");
    field.value = text;
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
