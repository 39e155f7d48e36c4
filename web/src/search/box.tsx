// SPDX-License-Identifier: Apache-2.0
// The box in the header: what it finds while one types is shown by what comes with the other pages.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Address } from "../address.ts";
import { search as ask } from "../api.ts";
import { fetchPages, pages } from "../lazy.ts";
import { onKey } from "../parts/keys.ts";
import { namesOf } from "../parts/names.ts";
import { at, go, here, to } from "../state.ts";
import { T } from "../texts.ts";
import { useAnswer, useSettled } from "../use.ts";

/** A combobox whose list shows each kind. */
export function SearchBox(): JSX.Element {
  const { project: name } = here.value;
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState(-1);
  const box = useRef<HTMLInputElement>(null);
  const settled = useSettled(text.trim(), 120);
  const searched = open && settled !== "" ? JSON.stringify([name, at.value, "search", settled]) : undefined;
  const answer = useAnswer(searched, (signal) => ask(name, at.value, settled, undefined, undefined, signal));
  /** What had the focus before the box. */
  const before = useRef<Element | null>(null);
  useEffect(() => onKey({ "/": () => (box.current?.focus(), box.current?.select()) }), []);
  const Found = pages.value;
  // Subjects are known here already; the rest is the service's to find.
  const own = useMemo(() => Found?.ownHits(settled), [Found, settled, namesOf.value]);
  const hits = answer.value && answer.key === searched ? answer.value : (own ?? answer.value);
  const groups = (hits && Found?.groupsOf(hits, settled)) ?? [];
  const flat = groups.flatMap((group) => group.hits);
  const shows = Found !== undefined && open && settled !== "" && (hits !== undefined || answer.error !== undefined);
  useEffect(() => setCurrent(-1), [settled]);
  const choose = (address: Address): void => {
    setOpen(false);
    go(address);
    document.getElementById("main")?.focus();
  };
  return (
    <div class="search">
      <input
        ref={box}
        type="search"
        class="search-box"
        role="combobox"
        list={undefined}
        autocomplete="off"
        spellcheck={false}
        aria-label={T.search}
        placeholder={T.searchHow}
        aria-expanded={shows}
        aria-controls={shows ? "search-hits" : undefined}
        aria-activedescendant={shows && current >= 0 ? `hit-${current}` : undefined}
        aria-autocomplete="list"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={(event) => {
          before.current = event.relatedTarget as Element | null;
          if (!Found) fetchPages();
          setOpen(true);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            setCurrent(Math.max(-1, Math.min(flat.length - 1, current + (event.key === "ArrowDown" ? 1 : -1))));
            event.preventDefault();
          } else if (event.key === "Enter" && text.trim() !== "") {
            choose(current >= 0 ? flat[current]!.to : to("search", "", { q: text.trim() }));
          } else if (event.key === "Escape") {
            setOpen(false);
            const back = before.current;
            if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
            else document.getElementById("main")?.focus();
          }
        }}
      />
      {shows && <Found.SearchHits groups={groups} current={current} isEmpty={hits !== undefined && groups.length === 0} error={answer.error} onChoose={choose} />}
    </div>
  );
}
