// SPDX-License-Identifier: Apache-2.0
// The files that are read, and what each line of one does.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type At, type FileInfo, type FileLine, type FileText, type Finding, Refused } from "../api.ts";
import { file as askFile, files as askFiles } from "../api-pages.ts";
import { FilterBox, Heading, Unknown, useHits } from "../parts/page.tsx";
import { FindingText } from "../parts/finding.tsx";
import { focusGrid, Grid } from "../parts/grid.tsx";
import { onKey } from "../parts/keys.ts";
import { Bar } from "../parts/bar.tsx";
import { Pane } from "../parts/pane.tsx";
import { BEGINNING, copy, Empty, FileLink, Link, LONG, Loading, PlaceText, RefusedText, Sign, Text } from "../parts/show.tsx";
import { escaped, indentOf, whyNot } from "../pure/characters.ts";
import { fits, parseFilter } from "../pure/filter.ts";
import { around, depths, folds, unfolded } from "../pure/folds.ts";
import { at, generation, go, here, lost, project, to, told, turn } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer, useLatest, useMiss, useTyped } from "../use.ts";

export function FilesPage(): JSX.Element {
  const { project: name } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, "files"]), (signal) => askFiles(name, at.value, signal));
  const [filter, setFilter] = useTyped("files", "q");
  const files = answer.value?.files;
  const visible = useMemo(() => {
    const parsed = parseFilter(filter);
    return files?.filter((file) => fits(parsed, file.file.toLowerCase())) ?? [];
  }, [files, filter]);
  const [current, setCurrent] = useState(-1);
  useHits(filter === "" ? undefined : visible.length);
  const words = T.subjectWords(project.value);
  return (
    <>
      <Heading title={T.pages.files}>
        <p class="quiet">{files && T.countOf(visible.length, files.length, T.files)}</p>
      </Heading>
      <div class="tools">
        <FilterBox id="filter" label={T.filterFiles} value={filter} onValue={setFilter} />
      </div>
      {answer.error && <RefusedText error={answer.error} />}
      {!files && !answer.error && <Loading label={T.loadingFiles} />}
      {files?.length === 0 && <Empty>{T.nothingWithout(project.value, T.noFiles)}</Empty>}
      {files && files.length > 0 && visible.length === 0 && <Empty>{T.nothingFits}</Empty>}
      {visible.length > 0 && (
        <Grid
          id="files"
          label={T.pages.files}
          busy={answer.busy}
          least={80}
          columns={[
            { name: T.title(T.file), width: "minmax(24ch, 2fr)", class: "code" },
            { name: T.readBy(words), width: "14ch", class: "count" },
            { name: T.leavesColumn, width: "minmax(16ch, 1fr)" },
            { name: T.neverVisible, width: "14ch", class: "count" },
            { name: T.deadOverride, width: "14ch", class: "count" },
            { name: T.findingsColumn, width: "10ch", class: "count" },
          ]}
          count={visible.length}
          current={current}
          onCurrent={setCurrent}
          onOpen={(row) => go(to("file", visible[row]!.file))}
          cells={(row) => fileCells(visible[row]!)}
        />
      )}
    </>
  );
}

function fileCells(file: FileInfo): (JSX.Element | string)[] {
  return [
    <FileLink file={file.file} />,
    file.read_by === null ? T.forAll : file.read_by === 0 ? <b class="warn">{T.nobody}</b> : T.number(file.read_by),
    <Bar leaves={file.leaves} seen={file.seen} never={file.never_visible} dead={file.dead_override} />,
    file.never_visible > 0 ? T.number(file.never_visible) : "",
    file.dead_override > 0 ? T.number(file.dead_override) : "",
    file.findings ? T.number(file.findings) : "",
  ];
}

const PART = 5000;

/** A file with the effects of its lines, in parts. */
function useFile(project: string, revision: At, path: string, effects: boolean): { key: string; text: FileText | undefined; error: Refused | undefined; busy: boolean } {
  const key = JSON.stringify([project, revision, path]);
  const now = `${generation.value} ${effects}`;
  const [state, setState] = useState<{ key: string; text: FileText | undefined; error: Refused | undefined; busy: boolean }>({
    key: "",
    text: undefined,
    error: undefined,
    busy: true,
  });
  useEffect(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const read = async (): Promise<void> => {
      let lines: FileLine[] = [];
      for (;;) {
        const part = await askFile(project, revision, path, lines.length + 1, PART, control.signal, effects ? { effects: 1 } : {});
        lines = lines.concat(part.lines);
        const more = part.lines.length > 0 && lines.length < part.total;
        setState((old) => (more && old.key === key ? old : { key, text: { ...part, lines }, error: undefined, busy: more }));
        if (!more) return;
      }
    };
    read().catch((error: unknown) => {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) lost();
      setState((old) => ({ key, text: error.status === 0 && old.key === key ? old.text : undefined, error, busy: false }));
    });
    return () => control.abort();
  }, [key, now]);
  return state;
}

const GRID = "lines";

export function FilePage(): JSX.Element {
  const { project: name, name: path, query } = here.value;
  const [asksEffects, setAsksEffects] = useState(false);
  const { text: file, error, busy, key } = useFile(name, query.at, path, asksEffects);
  const isHere = key === JSON.stringify([name, query.at, path]);
  const wanted = query.line === undefined ? -1 : Math.max(0, (Number(query.line) || 1) - 1);
  const [current, setCurrent] = useState(wanted);
  const words = T.subjectWords(project.value);
  const opened = query.line !== undefined && file && isHere ? file.lines[wanted] : undefined;
  useMiss(file !== undefined && isHere && !busy && wanted >= file.total && `line=${query.line}`);
  const focused = useRef("");
  const broken = useMemo(() => errorsOf(file), [file]);
  const below = useMemo(() => folds(file?.lines.map((line) => line.text) ?? []), [file?.lines]);
  const depth = useMemo(() => depths(below), [below]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const visible = useMemo(() => unfolded(file?.lines.length ?? 0, below, folded), [file?.lines, below, folded]);
  const row = useMemo(() => visible.indexOf(current), [visible, current]);
  const fold = (line: number): void => {
    if ((below[line] ?? 0) === 0) return;
    setFolded((old) => new Set(old.has(line) ? [...old].filter((one) => one !== line) : [...old, line]));
  };
  /** Unfolds what a line stands in. */
  const reveal = (line: number): void => {
    setFolded((old) => {
      const open = new Set(old);
      for (let outer = around(below, line); outer >= 0; outer = around(below, outer)) open.delete(outer);
      return open.size === old.size ? old : open;
    });
  };

  useEffect(() => setFolded(new Set()), [path]);
  useEffect(() => {
    // Closing leaves the keyboard where it is.
    if (wanted < 0) return;
    setCurrent(wanted);
    reveal(wanted);
  }, [wanted, path]);
  /** Counts up when a line is opened here: then the focus goes into its pane. A link leads to the line itself. */
  const [enters, setEnters] = useState(0);
  const open = (line: number): void => {
    focused.current = `${path}:${line + 1}`;
    setEnters((old) => old + 1);
    turn({ line: String(line + 1) });
  };
  const close = (): void => {
    focused.current = "";
    setEnters(0);
    turn({ line: undefined });
    focusGrid(GRID);
  };
  // Who comes by a link to a line goes on from there.
  useEffect(() => {
    if (!file || !isHere || query.line === undefined || focused.current === `${path}:${query.line}`) return;
    focused.current = `${path}:${query.line}`;
    focusGrid(GRID);
  }, [file, isHere, path, query.line]);

  const latest = useLatest({ lines: file?.lines ?? [], current });
  useEffect(() => {
    const step = (direction: number): void => {
      const { lines, current: from } = latest.current;
      for (let row = from + direction; row >= 0 && row < lines.length; row += direction) {
        const line = lines[row]!;
        if ((line.findings?.length ?? 0) > 0 || (line.overridden ?? 0) > 0) {
          reveal(row);
          setCurrent(row);
          focusGrid(GRID);
          return;
        }
      }
      told.value = T.noMoreMarks;
    };
    return onKey({ n: () => step(1), N: () => step(-1), y: () => void copy(path).then((copied) => (told.value = copied ? T.copiedPath(path) : T.notCopied)) });
  }, [path]);

  if (isUnknownFile(error)) return <UnknownFile name={path} error={error!} page="file" />;

  return (
    <>
      <Heading title={path} path crumbs={[{ text: T.pages.files, to: to("files") }]}>
        <span class="buttons">
          {file?.editable !== false && (
            <Link class="button primary" to={to("what-if", path)}>
              {T.tryEdit}
            </Link>
          )}
          <Link class="button" to={to("findings", "", { file: path })}>
            {T.pages.findings}
          </Link>
        </span>
      </Heading>
      {file && isHere && (
        <p class={`quiet ${file.read_by === 0 || file.hidden ? "banner" : ""}`}>
          {file.read_by === null ? T.readForAll(words) : file.read_by === 0 ? T.unusedFile(words) : T.fileReadBy(file.read_by, file.subjects, T.subjectWords(project.value, file.subjects))}
          {file.hidden ? ` ${T.fileHidden}` : !file.editable && ` ${T.notEditable(whyNot(file.lines))}`}
        </p>
      )}
      {file && isHere && !file.effects && (
        <p class="banner">
          {T.largeFile}{" "}
          <button type="button" onClick={() => setAsksEffects(true)}>
            {T.showEffects}
          </button>
        </p>
      )}
      {broken.length > 0 && (
        <div role="alert">
          <p>
            <b>{T.fileError}</b>
          </p>
          {broken.map((finding) => (
            <FindingText finding={finding} key={finding.fingerprint} />
          ))}
        </div>
      )}
      {file?.findings.map((finding) => !broken.includes(finding) && <FindingText finding={finding} key={finding.fingerprint} withPlace={false} />)}
      {error && <RefusedText error={error} />}
      {!file && busy && <Loading label={T.loadingFile} />}
      {file && file.lines.length === 0 && !busy && !file.hidden && <Empty>{T.emptyFile}</Empty>}
      {file && file.lines.length > 0 && (
        <div class={`split ${opened ? "has-pane" : ""}`}>
          <div class="main-pane">
            <Grid
              id={GRID}
              label={T.linesOf(escaped(path))}
              tree
              busy={busy}
              least={70}
              columns={[
                { name: T.line, width: `${Math.max(7, String(file.total).length + 3)}ch`, class: "line-number" },
                { name: T.effect, width: "minmax(30ch, 1fr)", class: "effect" },
                { name: T.text, width: "minmax(30ch, 2fr)", class: "code" },
              ]}
              count={visible.length}
              current={row}
              onCurrent={(next) => setCurrent(visible[next] ?? -1)}
              onOpen={(next) => open(visible[next]!)}
              onEscape={opened ? close : undefined}
              onFold={(next) => fold(visible[next]!)}
              onParent={(next) => {
                const outer = around(below, visible[next]!);
                if (outer >= 0) setCurrent(outer);
              }}
              state={(next) => {
                const line = visible[next]!;
                return {
                  level: (depth[line] ?? 0) + 1,
                  ...((below[line] ?? 0) > 0 ? { expanded: !folded.has(line) } : {}),
                  class: lineClass(summed(file.lines, line, folded.has(line) ? below[line]! : 0)),
                };
              }}
              cells={(next) => {
                const number = visible[next]!;
                const more = folded.has(number) ? below[number]! : 0;
                const line = file.lines[number];
                if (!line) return undefined;
                const text = line.text.length > LONG ? `${line.text.slice(0, BEGINNING)}…` : line.text;
                return [
                  String(line.line),
                  <Effect line={summed(file.lines, number, more)!} of={file.read_by ?? file.subjects} />,
                  <>
                    <span class="line">{indentOf(text)}</span>
                    {(below[number] ?? 0) > 0 ? (
                      <span class={`twist ${more > 0 ? "" : "open"}`} aria-hidden="true" onClick={(event) => (event.stopPropagation(), fold(number))} />
                    ) : (
                      <span class="no-twist" />
                    )}
                    <span class="line">
                      <Text text={text.slice(indentOf(text).length)} lines={false} />
                    </span>
                    {more > 0 && <span class="folded"> {T.lines(more)}</span>}
                  </>,
                ];
              }}
            />
          </div>
          {opened && <LinePane line={opened} file={file} enters={enters} onClose={close} />}
        </div>
      )}
    </>
  );
}

/** A name that leads out of the project is not one of its files either. */
export const isUnknownFile = (error: Refused | undefined): boolean => error?.status === 404 || error?.errors[0]?.code === "tree.outside";

export function UnknownFile({ name, error, page }: { name: string; error: Refused; page: "file" | "what-if" }): JSX.Element {
  const { project: of, query } = here.value;
  const all = useAnswer(JSON.stringify([of, query.at, "near"]), (signal) => askFiles(of, query.at, signal));
  return <Unknown what={T.file} name={name} error={error} near={all.value?.files.map((one) => one.file) ?? []} page={page} />;
}

/** Why a file cannot be read. */
function errorsOf(file: FileText | undefined): Finding[] {
  const most = 3;
  const all = [...(file?.findings ?? []), ...(file?.lines.flatMap((line) => line.findings ?? []) ?? [])];
  return all.filter((one) => one.severity === "error" && !one.code.startsWith("check.")).slice(0, most);
}

/** A line with those that are folded into it: the widest of each count, and all findings. */
function summed(lines: readonly FileLine[], at: number, more: number): FileLine | undefined {
  const line = lines[at];
  if (!line || more === 0) return line;
  const all = lines.slice(at, at + more + 1);
  const most = (count: (one: FileLine) => number | undefined): number => all.reduce((found, one) => Math.max(found, count(one) ?? 0), 0);
  return {
    ...line,
    leaves: all.reduce((sum, one) => sum + one.leaves, 0),
    won: most((one) => one.won),
    merged: most((one) => one.merged),
    shadowed: most((one) => one.shadowed),
    removed: most((one) => one.removed),
    overridden: most((one) => one.overridden),
    findings: all.flatMap((one) => one.findings ?? []),
  };
}

function has(line: FileLine | undefined, code: string): boolean {
  return line?.findings?.some((finding) => finding.code === `check.${code}`) ?? false;
}

function lineClass(line: FileLine | undefined): string {
  if (!line || line.leaves === 0) return has(line, "never-visible") ? "never" : "";
  const { won = 0, merged = 0, overridden = 0 } = line;
  // Of values that are computed elsewhere nothing is known.
  if (has(line, "never-visible") || (won + merged === 0 && overridden > 0)) return "never";
  return has(line, "dead-override") ? "dead" : "";
}

/** What a line does, in a few words: the finding first, then whom it reaches. */
function Effect({ line, of }: { line: FileLine; of: number }): JSX.Element {
  const parts: JSX.Element[] = [];
  const own = line.findings ?? [];
  for (const finding of own) {
    parts.push(
      <span key={finding.fingerprint} class={`mark mark-${finding.severity}`} title={escaped(finding.message)}>
        <Sign name="finding" /> {T.findingShort(finding.code)}
      </span>,
    );
  }
  if (line.leaves > 0) {
    const { won = 0, merged = 0, overridden: lost = 0 } = line;
    const seen = Math.max(won, merged);
    if (lost > 0 && !has(line, "never-visible")) {
      parts.push(
        <span key="lost">
          {seen === 0 ? T.overriddenForAll : T.overriddenFor(lost)}
          <By line={line} />
        </span>,
      );
    }
    if (won > 0) parts.push(<span key="won">{won === of ? T.seenByAll(won) : T.seenBy(won)}</span>);
    if (merged > 0) parts.push(<span key="merged">{T.mergedInto(merged)}</span>);
  }
  return (
    <>
      {parts.map((part, index) => (
        <span key={index}>
          {index > 0 && <span class="quiet"> · </span>}
          {part}
        </span>
      ))}
    </>
  );
}

/** Which place wins, and how many more do. */
function By({ line }: { line: FileLine }): JSX.Element | null {
  const [first, ...more] = line.by ?? [];
  if (!first) return null;
  return (
    <>
      {" "}
      {T.by} <PlaceText place={first} most={24} inGrid /> {more.length > 0 && T.andMorePlaces(more.length)}
    </>
  );
}

function LinePane({ line, file, enters, onClose }: { line: FileLine; file: FileText; enters: number; onClose: () => void }): JSX.Element {
  const words = T.subjectWords(project.value);
  const by = line.by ?? [];
  return (
    <Pane label={T.lineNumber(line.line)} title={T.lineNumber(line.line)} about={line} enters={enters > 0 ? String(enters) : undefined} onClose={onClose}>
      <pre class="big" tabIndex={0} aria-label={T.text}>
        <Text text={(line.text.length > LONG ? `${line.text.slice(0, BEGINNING)}…` : line.text).slice(indentOf(line.text).length) || " "} lines={false} />
      </pre>
      {file.editable && (
        <p class="buttons">
          <Link class="button primary" to={to("what-if", file.file)}>
            {T.tryEdit}
          </Link>
        </p>
      )}
      {line.leaves === 0 ? (
        <p>{file.traced ? T.writesNothing : T.notTraced}</p>
      ) : (
        <section>
          <h3>{T.reaches}</h3>
          <table class="numbers">
            <tbody>
              {(["won", "merged", "overridden"] as const).map((fate) => (
                <tr key={fate} class={(line[fate] ?? 0) === 0 ? "quiet" : ""}>
                  <th scope="row">
                    <span aria-hidden="true">{T.fateSigns[fate === "overridden" ? "shadowed" : fate]}</span> {T.fateFor[fate]}
                  </th>
                  <td class="count">{T.number(line[fate] ?? 0)}</td>
                  <td>{T.subjectWords(project.value, line[fate] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {line.leaves > 1 && <p class="quiet">{T.widest(line.leaves)}</p>}
        </section>
      )}
      {by.length > 0 && (
        <section>
          <h3>{T.strongerPlaces}</h3>
          <ul class="entries">
            {by.map((place, index) => (
              <li key={index}>
                <PlaceText place={place} column most={46} /> <span class="quiet">{T.forSubjects(place.subjects, words)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(line.findings?.length ?? 0) > 0 && (
        <section>
          <h3>{T.pages.findings}</h3>
          {line.findings!.map((finding) => (
            <FindingText finding={finding} key={finding.fingerprint} withPlace={false} />
          ))}
        </section>
      )}
    </Pane>
  );
}
