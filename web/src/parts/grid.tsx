// SPDX-License-Identifier: Apache-2.0
// A long list as a grid: one tab stop, arrows move, and only the rows that are seen are elements.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ROW, scrollTo, windowAt } from "../pure/window.ts";

/** As the style sheet has it: 1.5rem, so that rows grow with the text. */
const heightOf = (row: Element | null): number => row?.getBoundingClientRect().height || ROW;

export interface Column {
  /** What tells it from others, where names do not. */
  id?: string;
  name: string;
  /** As `grid-template-columns` has it. */
  width: string;
  class?: string;
}

export interface RowState {
  level?: number;
  expanded?: boolean;
  selected?: boolean;
  class?: string;
}

interface Props {
  id: string;
  label: string;
  tree?: boolean;
  columns: Column[];
  /** The least width of a row, in `ch`: below it the grid scrolls. */
  least?: number;
  count: number;
  /** The row that the keyboard is at, -1 for none. */
  current: number;
  onCurrent: (row: number) => void;
  /** The cells of a row; undefined while it is not known. While it is the same function, rows whose state stays are not drawn anew. */
  cells: (row: number) => ComponentChildren[] | undefined;
  state?: (row: number) => RowState;
  /** Enter, and a click. */
  onOpen?: (row: number) => void;
  /** A click may follow. */
  onPress?: (row: number) => void;
  onFold?: (row: number) => void;
  onParent?: (row: number) => void;
  onSpace?: (row: number) => void;
  /** Escape, while there is something to close. */
  onEscape?: (() => void) | undefined;
  /** Called when rows come into view. */
  onView?: (first: number, last: number) => void;
  multiple?: boolean;
  busy?: boolean;
}

export function focusGrid(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true });
}

/** What is seen of a list, before anybody knows. */
const UNKNOWN = { view: 600, height: ROW };

export function Grid(props: Props): JSX.Element {
  const { id, count, current, columns } = props;
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(UNKNOWN);
  const { view, height } = size;
  const [, redraw] = useState(0);
  // Where the box is scrolled to, or will be when what is drawn now stands.
  const scroll = useRef(0);

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => {
      const row = heightOf(head.current);
      const seen = Math.max(row, element.clientHeight - row);
      setSize((old) => (old !== UNKNOWN && old.view === seen && old.height === row ? old : { view: seen, height: row }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(head.current!);
    return () => observer.disconnect();
  }, []);

  // The row of the keyboard is kept in view when it moves, and not when the person scrolls away from it.
  const shown = useRef("");
  const shows = `${current} ${count > current} ${size === UNKNOWN} ${height}`;
  const moves = useRef(false);
  if (shown.current !== shows && current >= 0 && current < count) {
    const wanted = scrollTo(current, count, view, scroll.current, height);
    moves.current ||= wanted !== scroll.current;
    scroll.current = wanted;
  }
  shown.current = shows;
  useLayoutEffect(() => {
    if (moves.current) box.current!.scrollTop = scroll.current;
    moves.current = false;
  });
  const seen = windowAt(count, view, scroll.current, height);

  useEffect(() => props.onView?.(seen.first, seen.last), [seen.first, seen.last, count]);

  const move = (row: number): void => {
    if (count > 0) props.onCurrent(Math.max(0, Math.min(count - 1, row)));
  };
  const page = Math.max(1, Math.floor(view / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const state = current >= 0 ? (props.state?.(current) ?? {}) : {};
    switch (event.key) {
      case "ArrowDown":
        move(current + 1);
        break;
      case "ArrowUp":
        move(current < 0 ? 0 : current - 1);
        break;
      case "Home":
        move(0);
        break;
      case "End":
        move(count - 1);
        break;
      case "PageDown":
        move(current + page);
        break;
      case "PageUp":
        move(current - page);
        break;
      case "ArrowRight":
        if (!props.tree) return;
        if (state.expanded === false) props.onFold?.(current);
        else if (state.expanded === true) move(current + 1);
        break;
      case "ArrowLeft":
        if (!props.tree) return;
        if (state.expanded === true) props.onFold?.(current);
        else props.onParent?.(current);
        break;
      case "Enter":
        if (current < 0 || !props.onOpen) return;
        props.onOpen(current);
        break;
      case " ":
        if (current < 0 || !props.onSpace) return;
        props.onSpace(current);
        break;
      case "Escape":
        if (!props.onEscape) return;
        props.onEscape();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const template = columns.map((column) => column.width).join(" ");
  const least = `${props.least ?? 40}ch`;
  const drawn = useRef<{ cells: Props["cells"]; rows: Map<string, JSX.Element> }>({ cells: props.cells, rows: new Map() });
  const before = drawn.current.cells === props.cells ? drawn.current.rows : undefined;
  const rows = new Map<string, JSX.Element>();
  for (let row = seen.first; row < seen.last; row += 1) {
    const state = props.state?.(row) ?? {};
    const top = seen.top + (row - seen.first) * height;
    const name = JSON.stringify([row, row === current, top, template, props.multiple, state]);
    rows.set(name, before?.get(name) ?? oneRow(props, row, state, top, template));
  }
  drawn.current = { cells: props.cells, rows };

  return (
    <div
      id={id}
      ref={box}
      class="grid"
      role={props.tree ? "treegrid" : "grid"}
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={current >= seen.first && current < seen.last ? `${id}-${current}` : undefined}
      aria-multiselectable={props.multiple ? true : undefined}
      aria-busy={props.busy ? true : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (current < 0 && count > 0 && box.current?.matches(":focus-visible")) props.onCurrent(seen.first === 0 ? 0 : seen.first);
      }}
      onScroll={(event) => {
        const now = event.currentTarget.scrollTop;
        if (Math.abs(now - scroll.current) < 1) return;
        scroll.current = now;
        redraw(now);
      }}
    >
      <div role="rowgroup" ref={head} class="grid-head" style={{ minWidth: least }}>
        <div role="row" aria-rowindex={1} class="row" style={{ gridTemplateColumns: template }}>
          {columns.map((column) => (
            <div role="columnheader" class={`cell ${column.class ?? ""}`} key={column.id ?? column.name}>
              {column.name}
            </div>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        class="grid-body"
        style={{ height: `${seen.height}px`, minWidth: least }}
        onPointerDown={(event) => {
          const row = rowOf(event);
          if (row !== undefined) props.onPress?.(row);
        }}
        onClick={(event) => {
          const row = rowOf(event);
          if (row === undefined) return;
          props.onCurrent(row);
          // Text that is being marked is not a click.
          if (getSelection()?.isCollapsed !== false) props.onOpen?.(row);
        }}
      >
        {[...rows.values()]}
      </div>
    </div>
  );
}

/** The row that is meant, unless it is something in it. */
function rowOf(event: Event): number | undefined {
  const target = event.target as Element;
  const row = target.closest("a, button, input") ? null : target.closest("[role=row]");
  return row ? Number(row.getAttribute("aria-rowindex")) - 2 : undefined;
}

function oneRow({ id, columns, cells, current, multiple }: Props, row: number, state: RowState, top: number, template: string): JSX.Element {
  return (
    <div
      role="row"
      key={row}
      id={`${id}-${row}`}
      aria-rowindex={row + 2}
      aria-level={state.level}
      aria-expanded={state.expanded}
      aria-selected={multiple ? Boolean(state.selected) : row === current}
      class={`row ${row === current ? "current" : ""} ${state.class ?? ""}`}
      style={{ top: `${top}px`, gridTemplateColumns: template }}
    >
      {cells(row)?.map((cell, index) => (
        <div role="gridcell" class={`cell ${columns[index]!.class ?? ""}`} key={index}>
          {cell}
        </div>
      )) ??
        columns.map((column, index) => (
          <div role="gridcell" class="cell" key={column.id ?? column.name}>
            {index < 2 && <span class="bar">&nbsp;</span>}
          </div>
        ))}
    </div>
  );
}
