// SPDX-License-Identifier: Apache-2.0
// Keys by groups of subjects: what is the same is one column, and what is equal everywhere is hidden.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Matrix, MatrixCell } from "../api.ts";
import { cellOf, matrix as ask } from "../api-pages.ts";
import { focusGrid, Grid } from "../parts/grid.tsx";
import { onKey } from "../parts/keys.ts";
import { FilterBox, Heading } from "../parts/page.tsx";
import { Pane } from "../parts/pane.tsx";
import { copy, Copy, Empty, isSecret, Link, Loading, PlaceText, RefusedText, Text, ValueText, valueText } from "../parts/show.tsx";
import { escaped } from "../pure/characters.ts";
import { csv, markdown, tsv } from "../pure/table.ts";
import { at, go, here, project, refine, to, told, turn } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer, useLatest, useMiss, useTyped } from "../use.ts";

const GRID = "matrix";

type Group = Matrix["groups"][number];
type Key = Matrix["keys"][number];
type CellOf = MatrixCell;

/** With more columns than these a row says how many values it has, and opens to its groups. */
const MOST_COLUMNS = 50;

export function MatrixPage(): JSX.Element {
  const { project: name, query } = here.value;
  const [keys, setKeys] = useTyped("matrix", "keys");
  const [q, setQ] = useTyped("matrix", "q");
  const named = query.subject?.split("\n") ?? [];
  const facts = query.fact?.split("\n").map((one) => `fact:${one.replace(":", "=")}`) ?? [];
  const asked = [query.q ?? "", ...facts].filter((one) => one !== "").join(" ");
  const patterns = (query.keys ?? "").split(/[\s,]+/).filter((one) => one !== "");
  const all = query.all === "1";
  const answer = useAnswer(JSON.stringify([name, at.value, "matrix", patterns, asked, named, all]), (signal) =>
    ask(name, at.value, { keys: patterns, q: asked, subject: named, all }, signal),
  );
  const table = answer.value;
  const words = T.subjectWords(project.value);
  const [current, setCurrent] = useState(-1);
  /** Counts up when a row is opened, be it the one that is open. */
  const [enters, setEnters] = useState(0);
  const wide = (table?.groups.length ?? 0) > MOST_COLUMNS;
  const opened = query.item !== undefined || query.leaf !== undefined;
  const isOpen = (key: Key): boolean => opened && key.item === (query.item ?? "") && key.path === (query.leaf ?? "");
  const openRow = table?.keys.findIndex(isOpen) ?? -1;
  const openKey = table?.keys[openRow];
  // Filters may leave it out.
  const isWhole = table !== undefined && !answer.busy && patterns.length + named.length === 0 && asked === "";
  useMiss(opened && isWhole && !openKey && [query.item !== undefined && `item=${query.item}`, query.leaf !== undefined && `leaf=${query.leaf}`].filter((one) => one !== false).join("&"));
  const show = (row: number): void => {
    setEnters((old) => old + 1);
    turn({ item: table!.keys[row]!.item, leaf: table!.keys[row]!.path });
  };
  const close = (): void => {
    turn({ item: undefined, leaf: undefined });
    focusGrid(GRID);
  };
  // A key in the address: its row is the keyboard's.
  useEffect(() => {
    if (openRow >= 0) setCurrent(openRow);
  }, [openRow]);
  const latest = useLatest(table?.keys[current]);
  useEffect(
    () =>
      onKey({
        y: () => {
          const key = latest.current;
          if (!key) return;
          const path = `${key.item}${key.path}`;
          void copy(path).then((copied) => (told.value = copied ? T.copiedPath(path) : T.notCopied));
        },
      }),
    [],
  );
  const rows = (): string[][] => (table ? exported(table, words) : []);

  return (
    <>
      <Heading title={T.pages.matrix}>
        {table && <p class="quiet">{T.matrixSummary(table.keys.length, table.groups.length, table.subjects, words)}</p>}
      </Heading>
      <div class="tools" role="toolbar" aria-label={T.filters}>
        <FilterBox id="keys" label={T.matrixKeys} placeholder="ntp::*" value={keys} onValue={setKeys} />
        <input
          class="filter"
          type="search"
          spellcheck={false}
          autocomplete="off"
          aria-label={T.filterSubjects(words)}
          placeholder={T.filterSubjects(words)}
          value={q}
          onInput={(event) => setQ(event.currentTarget.value)}
        />
        <label class="switch">
          <input type="checkbox" checked={all} onChange={() => refine({ all: all ? undefined : "1" })} /> {T.showEqual}
        </label>
        {named.length > 0 && (
          <button type="button" class="chip" onClick={() => refine({ subject: undefined })}>
            {T.countWords(named.length, T.subjectWords(project.value, named.length))} <span aria-hidden="true">×</span>
            <span class="hidden">{T.dropFilter}</span>
          </button>
        )}
        {table && table.keys.length > 0 && (
          <span class="views" role="group" aria-label={T.copyAs}>
            <Copy text={() => csv(rows())}>CSV</Copy>
            <Copy text={() => tsv(rows())}>TSV</Copy>
            <Copy text={() => markdown(rows())}>Markdown</Copy>
          </span>
        )}
      </div>
      {answer.error && <RefusedText error={answer.error} />}
      {!table && !answer.error && <Loading label={T.loadingMatrix} />}
      {table?.truncated && <p class="banner">{T.matrixTruncated}</p>}
      {table && table.keys.length === 0 && <Empty>{table.equal > 0 ? T.matrixAllEqual(table.equal, words) : T.nothingWithout(project.value, patterns.length + named.length > 0 || asked !== "" ? T.matrixNothing : T.matrixEmpty(words))}</Empty>}
      {table && table.keys.length > 0 && (
        <div class={`split ${openKey ? "has-pane" : ""}`}>
          <div class="main-pane">
            <Grid
              id={GRID}
              label={T.pages.matrix}
              busy={answer.busy}
              least={30 + (wide ? 40 : Math.min(table.groups.length, MOST_COLUMNS) * 26)}
              columns={[
                { name: T.key, width: "minmax(20ch, 1.2fr)", class: "code sticky" },
                ...(wide
                  ? [{ name: T.valuesColumn, width: "minmax(30ch, 3fr)" }]
                  : table.groups.map((group) => ({ id: `group-${group.id}`, name: groupName(group, words), width: "minmax(22ch, 1fr)" }))),
              ]}
              count={table.keys.length}
              current={current}
              onCurrent={setCurrent}
              onOpen={show}
              onEscape={openKey ? close : undefined}
              state={(row) => (isOpen(table.keys[row]!) ? { class: "inspected" } : {})}
              cells={(row) => {
                const key = table.keys[row]!;
                return [
                  <span class="place" title={escaped(`${key.item}${key.path}`)}>
                    <span class="place-name">
                      <Text text={key.item || (key.path ? "" : "/")} lines={false} />
                    </span>
                    <span class="key-end">
                      <bdi dir="ltr">
                        <Text text={key.path} lines={false} />
                      </bdi>
                    </span>
                  </span>,
                  ...(wide ? [<span>{T.values(key.values)}</span>] : table.groups.map((group) => <CellText key1={key} group={group} first={table.groups[0]!} />)),
                ];
              }}
            />
            {table.equal > 0 && !all && (
              <p class="below-grid quiet">
                {T.equalKeys(table.equal)}{" "}
                <button type="button" class="link" onClick={() => refine({ all: "1" })}>
                  {T.showThem}
                </button>
              </p>
            )}
          </div>
          {openKey && <KeyPane key1={openKey} table={table} enters={enters} onClose={close} />}
        </div>
      )}
    </>
  );
}

function groupName(group: Group, words: string): string {
  return group.count === 1 ? escaped(group.sample[0] ?? "") || T.onlyResult : T.groupOf(group.count, words, group.id === 1 ? "" : escaped(group.sample[0] ?? ""));
}

function sameValue(one: CellOf | undefined, other: CellOf | undefined): boolean {
  if (!one || !other) return one === other;
  if (one.error || other.error) return one.error?.message === other.error?.message;
  if (isSecret(one) || isSecret(other)) return isSecret(one) && isSecret(other);
  return valueText(one) === valueText(other);
}

function CellText({ key1, group, first }: { key1: Key; group: Group; first: Group }): JSX.Element {
  const cell = cellOf(key1, group.id);
  if (group !== first && sameValue(cell, cellOf(key1, first.id))) return <span class="hidden">{T.sameAsFirst}</span>;
  if (cell?.error) {
    return (
      <span class="message" title={escaped(cell.error.message)}>
        {T.fails}: <Text text={cell.error.message} lines={false} />
      </span>
    );
  }
  if (!cell || (cell.value === undefined && !isSecret(cell))) return <span class="quiet">{T.noValue}</span>;
  return (
    <span class="value-and-place">
      <ValueText side={cell} most={60} /> {cell.origin && <span class="quiet"><PlaceText place={cell.origin} most={26} inGrid /></span>}
    </span>
  );
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((sum, group) => sum + group.count, 0);

/** All groups of one key, those with the same value together. */
function KeyPane({ key1, table, enters, onClose }: { key1: Key; table: Matrix; enters: number; onClose: () => void }): JSX.Element {
  const name = `${key1.item}${key1.path}`;
  const classes: { cell: CellOf | undefined; groups: Group[] }[] = [];
  for (const group of table.groups) {
    const cell = cellOf(key1, group.id);
    const known = classes.find((one) => sameValue(one.cell, cell));
    if (known) known.groups.push(group);
    else classes.push({ cell, groups: [group] });
  }
  return (
    <Pane label={T.key} title={name || "/"} about={name} enters={`${name} ${enters}`} onClose={onClose}>
      {classes.map((one, index) => (
        <section key={index}>
          <h3 class="big">{one.cell?.error ? <Text text={one.cell.error.message} /> : one.cell && (one.cell.value !== undefined || isSecret(one.cell)) ? <ValueText side={one.cell} /> : T.noValue}</h3>
          <p>
            <b>{T.number(sizeOf(one.groups))}</b> {T.subjectWords(project.value, sizeOf(one.groups))}
            {one.cell?.origin && (
              <>
                {" · "}
                <PlaceText place={one.cell.origin} most={44} />
              </>
            )}
          </p>
          <p>
            {one.groups
              .flatMap((group) => group.sample)
              .slice(0, 5)
              .map((sample) => (
                <span key={sample}>
                  <Link to={to("subject", sample, { item: key1.item, leaf: key1.path })}>
                    <Text text={sample} lines={false} />
                  </Link>{" "}
                </span>
              ))}
          </p>
        </section>
      ))}
      <p>
        <button type="button" onClick={() => (go(to("matrix", "", { keys: key1.item, all: "1" })), focusGrid(GRID))}>
          {T.onlyThisKey}
        </button>
      </p>
    </Pane>
  );
}

function exported(table: Matrix, words: string): string[][] {
  const head = [T.key, ...table.groups.map((group) => groupName(group, words))];
  const body = table.keys.map((key) => [
    `${key.item}${key.path}`,
    ...table.groups.map((group) => {
      const cell = cellOf(key, group.id);
      return cell ? (cell.error ? cell.error.code : valueText(cell)) : "";
    }),
  ]);
  return [head, ...body];
}
