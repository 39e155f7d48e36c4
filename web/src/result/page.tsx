// SPDX-License-Identifier: Apache-2.0
// The result of a subject: the lines of --blame, with what lost at each.
import type { ComponentChildren, JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { expectLeaf, type Row } from "../api.ts";
import { namesOf } from "../parts/names.ts";
import { Grid, focusGrid } from "../parts/grid.tsx";
import { layerColour, layerNames, layerShort } from "../parts/layers.ts";
import { BEGINNING, copy, DiagnosticText, Empty, LONG, Loading, isFile, PlaceText, RefusedText, Sign, Text } from "../parts/show.tsx";
import { FilterBox, Heading, SubjectFacts, Unknown, useHits } from "../parts/page.tsx";
import { onKey } from "../parts/keys.ts";
import { escaped, indentOf } from "../pure/characters.ts";
import { commonFolder, tellsOrigin } from "../pure/runs.ts";
import { fetchPages, pages } from "../lazy.ts";
import { here, project, refine, to, turn, go, told } from "../state.ts";
import { T } from "../texts.ts";
import { useLatest, useMiss, useTyped } from "../use.ts";
import { type Cursor, cursorAt, isContainer, isFolded, parentOf, placeOf, rowName, shown } from "../pure/tree.ts";
import { useRows } from "./rows.ts";

const GRID = "result";

export function ResultPage(): JSX.Element {
  const { project: name, name: subject, query } = here.value;
  const [filter, setFilter] = useTyped("subject", "q");
  const only = useMemo(() => (query.only ? query.only.split(" ") : []), [query.only]);
  const list = useRows(name, query.at, subject, only, query.against);
  const level = query.fold === undefined ? undefined : Number(query.fold) || undefined;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const visible = useMemo(() => shown(list.rows, filter, folded, level, unfolded), [list.rows, filter, folded, level, unfolded]);
  // The keyboard's row stays where rows come and go.
  const [at, setAt] = useState<Cursor | undefined>(undefined);
  const current = useMemo(() => placeOf(list.rows, visible, at), [list.rows, visible, at]);
  const moveTo = (row: number): void => setAt(cursorAt(list.rows, visible, row));

  // A leaf in the address: its row is the keyboard's, and what is around it unfolds.
  const item = query.item ?? "";
  const leaf = query.leaf ?? "";
  const inspected = query.item !== undefined || query.leaf !== undefined;
  /** Counts up when a row is opened, be it the one that is open. */
  const [enters, setEnters] = useState(0);
  const isWanted = (row: Row): boolean => inspected && row.item === item && (row.path ?? "") === leaf;
  const found = useMemo(() => list.rows.findIndex(isWanted), [list.rows, query.item, query.leaf]);
  const wanted = `${item}\n${leaf}`;
  const arrived = useRef("");
  if (found >= 0 && arrived.current !== wanted) {
    arrived.current = wanted;
    setAt({ row: list.rows[found]!, line: 0 });
    const around: string[] = [];
    for (let outer = parentOf(list.rows, found); outer >= 0; outer = parentOf(list.rows, outer)) around.push(rowName(list.rows[outer]!));
    // What is open already stays as it is: thousands of rows are not gone through again.
    if (level !== undefined) setUnfolded((old) => new Set([...old, ...around]));
    setFolded((old) => (around.some((one) => old.has(one)) ? new Set([...old].filter((one) => !around.includes(one))) : old));
  }

  // With switches, rows are left out.
  const isWhole = inspected && found < 0 && !list.busy && list.rows.length > 0 && only.length === 0;
  const hasItem = isWhole && list.rows.some((one) => one.item === item);
  useMiss(isWhole && !hasItem && `item=${item}`);
  useMiss(hasItem && query.leaf !== undefined && !list.rows.some((one) => one.item === item && `${one.path ?? ""}/`.startsWith(`${leaf}/`)) && `leaf=${leaf}`);

  const folder = useMemo(() => commonFolder([...new Set(list.rows.flatMap((row) => (row.origin && isFile(row.origin) ? [row.origin.file] : [])))]), [list.rows]);
  const rowAt = (row: number): Row | undefined => (row < visible.length ? list.rows[visible[row]!] : undefined);
  const fold = (row: number): void => {
    const one = rowAt(row);
    if (!one || !isContainer(one)) return;
    const id = rowName(one);
    const closes = !isFolded(one, folded, level, unfolded);
    setFolded((old) => new Set(closes ? [...old, id] : [...old].filter((other) => other !== id)));
    setUnfolded((old) => new Set(closes ? [...old].filter((other) => other !== id) : [...old, id]));
  };
  const isOpen = (row: Row): boolean => filter !== "" || !isFolded(row, folded, level, unfolded);
  const layers = layerNames.value;
  const draw = useCallback((row: number) => cells(list.rows, visible, row, folder, () => fold(row), isOpen(rowAt(row)!)), [list.rows, visible, folder, layers]);
  const open = (row: number): void => {
    const one = rowAt(row);
    if (!one || one.item === null) return;
    arrived.current = `${one.item}\n${one.path ?? ""}`;
    setEnters((old) => old + 1);
    turn({ item: one.item, leaf: one.path ?? "" });
  };
  const expect = (row: number): void => {
    const one = rowAt(row);
    if (one && one.item !== null && !one.error) expectLeaf(name, query.at, subject, one.item, one.path ?? "");
  };
  // Who stays at a row is likely to open it.
  useEffect(() => {
    const timer = setTimeout(() => expect(current), 100);
    return () => clearTimeout(timer);
  }, [current]);
  const close = (): void => {
    turn({ item: undefined, leaf: undefined });
    focusGrid(GRID);
  };

  const state = useLatest({ visible, current, rows: list.rows });
  useEffect(
    () =>
      onKey({
        n: () => mark(1),
        N: () => mark(-1),
        y: () => copyPath(),
        "[": () => step(-1),
        "]": () => step(1),
      }),
    [name, subject],
  );
  const mark = (direction: number): void => {
    const { visible: all, current: from, rows } = state.current;
    for (let row = from + direction; row >= 0 && row < all.length; row += direction) {
      const one = rows[all[row]!]!;
      if ((one.losers ?? 0) > 0 || (one.marks?.length ?? 0) > 0 || one.error) {
        setAt(cursorAt(rows, all, row));
        focusGrid(GRID);
        return;
      }
    }
    told.value = T.noMoreMarks;
  };
  const copyPath = (): void => {
    const { visible: all, current: from, rows } = state.current;
    const one = from >= 0 ? rows[all[from]!] : undefined;
    if (!one) return;
    const path = `${one.item ?? ""}${one.path ?? ""}`;
    void copy(path).then((copied) => (told.value = copied ? T.copiedPath(path) : T.notCopied));
  };
  const step = (direction: number): void => {
    const all = namesOf.value;
    const from = all?.indexOf(here.value.name) ?? -1;
    const next = from < 0 ? undefined : all?.[from + direction];
    if (next !== undefined) go({ ...here.value, name: next });
  };
  useHits(filter === "" ? undefined : visible.length);
  const { Inspector, PlainText } = pages.value ?? {};
  const asText = query.view === "yaml" || query.view === "json";
  useEffect(() => {
    if ((inspected || asText) && !pages.value) fetchPages();
  }, [inspected, asText]);

  if (list.refused?.status === 404) return <Unknown what={T.subjectWord(project.value)} name={subject} error={list.refused} near={namesOf.value ?? []} page="subject" />;

  const word = T.subjectWord(project.value);
  const toggle = (value: string): void => {
    const next = only.includes(value) ? only.filter((one) => one !== value) : [...only, value];
    refine({ only: next.length > 0 ? next.join(" ") : undefined });
  };
  const layer = only.find((one) => one.startsWith("layer:"))?.slice(6);

  return (
    <>
      <Heading title={subject} crumbs={[{ text: T.subjectWords(project.value), to: to("subjects") }]}>
        <SubjectFacts subject={subject} />
        <span class="views" role="group" aria-label={T.view}>
          {([undefined, "yaml", "json"] as const).map((view) => (
            <button type="button" key={view ?? "rows"} aria-pressed={query.view === view} onClick={() => turn({ view })}>
              {view === undefined ? T.viewRows : T.viewText(view)}
            </button>
          ))}
        </span>
      </Heading>
      {!asText && (
        <div class="tools" role="toolbar" aria-label={T.filters}>
            <FilterBox id="filter" label={T.filterKeys} value={filter} onValue={setFilter} />
            <label class="switch">
              <input type="checkbox" checked={only.includes("overridden")} onChange={() => toggle("overridden")} /> {T.onlyOverridden}
            </label>
            {(project.value?.subjects !== 1 || only.includes("differs")) && (
              <label class="switch">
                <input type="checkbox" checked={only.includes("differs")} onChange={() => toggle("differs")} /> {T.onlyDiffers(T.subjectWords(project.value))}
              </label>
            )}
            {layers.length > 1 && (
              <label class="switch">
                {T.layer}{" "}
                <select
                  value={layer ?? ""}
                  onChange={(event) => {
                    const value = event.currentTarget.value;
                    const rest = only.filter((one) => !one.startsWith("layer:"));
                    const next = value === "" ? rest : [...rest, `layer:${value}`];
                    refine({ only: next.length > 0 ? next.join(" ") : undefined });
                  }}
                >
                  <option value="">{T.allLayers}</option>
                  {layers.map((one) => (
                    <option value={one} key={one}>
                      {escaped(one)}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <label class="switch">
              {T.fold}{" "}
              <select
                value={query.fold ?? ""}
                onChange={(event) => {
                  setFolded(new Set());
                  setUnfolded(new Set());
                  refine({ fold: event.currentTarget.value || undefined });
                }}
              >
                <option value="">{T.foldNothing}</option>
                {[1, 2, 3, 4].map((one) => (
                  <option value={String(one)} key={one}>
                    {T.foldLevel(one)}
                  </option>
                ))}
              </select>
            </label>
        </div>
      )}
      {list.warnings.length > 0 && (
        <details class="warnings">
          <summary>{T.warnings(list.warnings.length)}</summary>
          {list.warnings.map((warning, index) => (
            <DiagnosticText diagnostic={warning} key={index} />
          ))}
        </details>
      )}
      {list.refused && <RefusedText error={list.refused} />}
      {list.error && <DiagnosticText diagnostic={list.error} heading={T.subjectFails(word)} />}
      {asText ? (
        PlainText && <PlainText view={query.view as "yaml" | "json"} />
      ) : (
        <div class={`split ${inspected ? "has-pane" : ""}`}>
          <div class="main-pane">
            {list.rows.length === 0 && list.busy && <Loading label={T.loadingResult} />}
            {list.rows.length === 0 && !list.busy && !list.error && !list.refused && <Empty>{layer !== undefined && only.length === 1 ? T.nothingOf(escaped(layer)) : only.length > 0 ? T.nothingLeft : T.emptyResult(word)}</Empty>}
            {list.rows.length > 0 && visible.length === 0 && <Empty>{T.nothingFits}</Empty>}
            {visible.length > 0 && (
              <Grid
                id={GRID}
                label={T.resultOf(escaped(subject))}
                tree
                busy={list.busy}
                least={52}
                columns={[
                  { name: T.origin, width: "minmax(18ch, 1.5fr)", class: "origin" },
                  { name: T.value, width: "minmax(24ch, 2fr)", class: "code" },
                  { name: T.marks, width: "9ch", class: "marks" },
                ]}
                count={visible.length}
                current={current}
                onCurrent={moveTo}
                onOpen={open}
                onPress={expect}
                onFold={fold}
                onEscape={inspected ? close : undefined}
                onParent={(row) => {
                  const place = visible.indexOf(parentOf(list.rows, visible[row]!));
                  if (place >= 0) moveTo(place);
                }}
                state={(row) => {
                  const one = rowAt(row);
                  if (!one) return {};
                  return {
                    level: (one.depth ?? 0) + 1,
                    ...(isContainer(one) ? { expanded: isOpen(one) } : {}),
                    class: `${one.error ? "failed" : ""} ${isWanted(one) ? "inspected" : ""}`,
                  };
                }}
                cells={draw}
              />
            )}
          </div>
          {inspected && Inspector && <Inspector subject={subject} item={query.item ?? ""} path={query.leaf ?? ""} failed={list.rows[found]?.error} enters={enters} onClose={close} />}
        </div>
      )}
    </>
  );
}

function cells(rows: readonly Row[], visible: readonly number[], at: number, folder: string, fold: () => void, open: boolean): ComponentChildren[] {
  const row = rows[visible[at]!]!;
  if (row.error) {
    return [
      row.error.file ? <PlaceText place={row.error} folder={folder} most={34} inGrid /> : "",
      <>
        <span class="key">
          <Text text={row.item ?? ""} lines={false} />:{" "}
        </span>
        <span class="message">
          <Text text={row.error.message} lines={false} /> [{row.error.code}]
        </span>
      </>,
      <Sign name="failed" />,
    ];
  }
  const text = row.text ?? "";
  const tells = tellsOrigin(row, at === 0 ? undefined : rows[visible[at - 1]!]);
  return [
    row.origin ? (
      <span class={`stripe ${layerColour(row.origin)}`}>
        {tells ? (
          <>
            <span class="layer">
              <Text text={layerShort(row.origin)} lines={false} />
            </span>
            {row.origin.file !== null && <PlaceText place={row.origin} folder={folder} most={26} inGrid />}
          </>
        ) : (
          <span class="hidden">{T.asAbove}</span>
        )}
      </span>
    ) : (
      ""
    ),
    <>
      <span class="line">{indentOf(text)}</span>
      {isContainer(row) ? <span class={`twist ${open ? "open" : ""}`} aria-hidden="true" onClick={(event) => (event.stopPropagation(), fold())} /> : <span class="no-twist" />}
      <LineText text={(text.length > LONG ? `${text.slice(0, BEGINNING)}…` : text).slice(indentOf(text).length)} />
      {row.kind === "document" && (
        <span class="quiet">
          {" "}
          <Text text={row.item ?? ""} lines={false} />
        </span>
      )}
      {isContainer(row) && !open && <span class="folded"> {T.lines(row.below ?? 0)}</span>}
    </>,
    <Marks row={row} />,
  ];
}

/** A line of YAML: the key is told apart from its value. */
function LineText({ text }: { text: string }): JSX.Element {
  const found = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#\-][^#]*?|-[^\s][^#]*?):)(\s|$)/.exec(text);
  if (!found) {
    return (
      <span class="line">
        <Text text={text} lines={false} />
      </span>
    );
  }
  return (
    <span class="line">
      {found[1]}
      <span class="key">
        <Text text={found[2]!} lines={false} />
      </span>
      <Text text={text.slice(found[1]!.length + found[2]!.length)} lines={false} />
    </span>
  );
}

function Marks({ row }: { row: Row }): JSX.Element {
  return (
    <>
      {(row.losers ?? 0) > 0 && <Sign name="losers" count={row.losers!} />}
      {row.marks?.map((mark) => <Sign name={mark} key={mark} />)}
    </>
  );
}
