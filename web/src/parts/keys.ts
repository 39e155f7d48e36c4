// SPDX-License-Identifier: Apache-2.0
// Keys of one letter, and two that begin with `g`: they act where no field of text has the focus, and can be switched off.
import { useEffect, useRef } from "preact/hooks";
import { singleKeys } from "../state.ts";

type Keys = Record<string, () => void>;

const listeners: Keys[] = [];
let prefix = "";

/** Adds keys (`n`, `g o`) until the returned function is called. The last to be added is asked first. */
export function onKey(keys: Keys): () => void {
  listeners.push(keys);
  return () => {
    listeners.splice(listeners.indexOf(keys), 1);
  };
}

function takesText(target: EventTarget | null): boolean {
  const element = target instanceof Element ? (target.shadowRoot?.activeElement ?? target) : null;
  return element?.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], .editor-host") != null;
}

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && !event.altKey && !event.shiftKey) {
    if (run("/")) event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.composedPath()[0] ?? null) || takesText(event.target)) return;
  if (!singleKeys.value) return;
  const key = prefix + event.key;
  prefix = "";
  if (event.key === "g" && key === "g") {
    prefix = "g ";
    return;
  }
  if (run(key)) event.preventDefault();
});

function run(key: string): boolean {
  for (let index = listeners.length - 1; index >= 0; index -= 1) {
    const action = listeners[index]![key];
    if (action) {
      action();
      return true;
    }
  }
  return false;
}

/** A pane that is beside a list where there is room, and below it where there is not: there it comes into view, whenever it is about something else. */
export function useShown(about: unknown): { current: HTMLElement | null } {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (matchMedia("(max-width: 60rem)").matches) pane.current?.scrollIntoView({ block: "start" });
  }, [about]);
  return pane;
}

/** Gives the focus to the list of the page, if it has one. */
export function focusFirstGrid(): boolean {
  const grid = document.querySelector<HTMLElement>("main [role=grid], main [role=treegrid]");
  grid?.focus();
  return grid !== null;
}

/** Gives the focus to the page where what had it is gone: keys, and those who hear the page, go on from there. */
export function keepFocus(): void {
  const now = document.activeElement;
  if (now === null || now === document.body) document.getElementById("main")?.focus({ preventScroll: true });
}
