// SPDX-License-Identifier: Apache-2.0
// The header of every page: project, state of the files, search, findings, theme, keys; and the pages of the project.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { address, type Page } from "../address.ts";
import { SearchBox } from "../search/box.tsx";
import { changed, connection, connect, generation, go, here, project, projects, theme, type Theme, to, told, turn, unknownParts, work } from "../state.ts";
import { fetchPages, pages } from "../lazy.ts";
import { escaped } from "../pure/characters.ts";
import { T } from "../texts.ts";
import { drafts } from "../whatif/drafts.ts";
import { onKey } from "./keys.ts";
import { RevisionPicker } from "./revision.tsx";
import { Link } from "./show.tsx";

/** The pages of a project, with the key that leads there after `g`. */
const PAGES: [Page, string][] = [
  ["overview", "o"],
  ["subjects", "n"],
  ["files", "f"],
  ["findings", "d"],
  ["matrix", "m"],
  ["what-if", "w"],
  ["compare", "c"],
];

/** Which of them a page belongs to. */
const ACTIVE: Partial<Record<Page, Page>> = { subject: "subjects", file: "files" };

export function Header(): JSX.Element {
  const { page, project: name, query } = here.value;
  const [help, setHelp] = useState(false);
  const Help = pages.value?.Help;
  const askHelp = (): void => (fetchPages(), setHelp(true));
  const known = project.value;
  const inProject = name !== "";
  useEffect(
    () =>
      onKey({
        "?": askHelp,
        ...Object.fromEntries(PAGES.map(([target, key]) => [`g ${key}`, () => inProject && go(to(target, target === "what-if" && here.value.page === "file" ? here.value.name : ""))])),
        "g p": () => go(address("projects")),
      }),
    [inProject],
  );
  const active = ACTIVE[page] ?? page;
  const changedFiles = Object.keys(drafts.value[name] ?? {}).length;
  return (
    <header>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        {T.skip}
      </a>
      <div class="bar-top">
        <Link class="brand" to={address("projects")}>
          strata
        </Link>
        {inProject && (
          <>
            {(projects.value?.length ?? 0) > 1 ? (
              <select class="project" aria-label={T.project} value={name} onChange={(event) => go(address("overview", event.currentTarget.value))}>
                {!known && <option value={name}>{escaped(name)}</option>}
                {projects.value!.map((one) => (
                  <option value={one.name} key={one.name}>
                    {escaped(one.name)}
                  </option>
                ))}
              </select>
            ) : (
              <Link class="project" to={to("overview")}>
                {escaped(name)}
              </Link>
            )}
            {page !== "compare" && <RevisionPicker label={T.at} value={query.at} none={known?.at ?? T.workingTree} onValue={(value) => turn({ at: value })} />}
            <SearchBox />
            {known && known.errors !== null && (
              <Link class="problems" to={to("findings")} label={T.summary(known.errors, known.warnings ?? 0, 0)}>
                {known.errors > 0 && <span class="severity-error">{T.errors(known.errors)}</span>} <span class="severity-warning">{T.warningsCount(known.warnings ?? 0)}</span>
              </Link>
            )}
          </>
        )}
        <span class="fill" />
        <button type="button" class="icon" aria-label={T.theme(theme.value)} title={T.theme(theme.value)} onClick={() => (theme.value = nextTheme(theme.value))}>
          <span aria-hidden="true">{theme.value === "auto" ? "◐" : theme.value === "light" ? "○" : "●"}</span>
        </button>
        <button type="button" class="icon" aria-label={T.help} title={T.help} onClick={askHelp}>
          <span aria-hidden="true">?</span>
        </button>
      </div>
      {inProject && (
        <nav class="tabs" aria-label={T.pagesOf}>
          {PAGES.map(([target]) => (
            <Link key={target} to={to(target)} current={active === target} class={active === target ? "active" : ""}>
              {target === "subjects" ? T.title(T.subjectWords(known)) : T.pages[target]}
              {target === "what-if" && changedFiles > 0 && (
                <span class="badge">
                  {changedFiles}
                  <span class="hidden"> {T.changedFiles}</span>
                </span>
              )}
            </Link>
          ))}
        </nav>
      )}
      <Banners />
      {help && Help && <Help onClose={() => setHelp(false)} />}
    </header>
  );
}

function nextTheme(now: Theme): Theme {
  return now === "auto" ? "light" : now === "light" ? "dark" : "auto";
}

function Banners(): JSX.Element {
  return (
    <>
      <Disconnected />
      {unknownParts.value.length > 0 && (
        <p class="banner" role="alert">
          {T.notUnderstood} <code>{unknownParts.value.map(escaped).join("  ")}</code>{" "}
          <button type="button" class="link" onClick={() => (unknownParts.value = [])}>
            {T.close}
          </button>
        </p>
      )}
    </>
  );
}

function Disconnected(): JSX.Element | null {
  const { next, since } = connection.value;
  const [, tick] = useState(0);
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setInterval(() => tick((old) => old + 1), 1000);
    return () => clearInterval(timer);
  }, [next]);
  if (next === null) return null;
  const seconds = Math.max(0, Math.ceil((next - Date.now()) / 1000));
  return (
    <p class="banner disconnected">
      <span role="alert">{T.notConnected}</span> {T.tryingIn(seconds)} {T.age(Math.round((Date.now() - since) / 1000))}{" "}
      <button type="button" class="link" onClick={connect}>
        {T.tryNow}
      </button>
    </p>
  );
}

export function StatusLine(): JSX.Element {
  const [, tick] = useState(0);
  const last = changed.value;
  useEffect(() => {
    if (last === undefined) return undefined;
    const timer = setInterval(() => tick((old) => old + 1), 5000);
    return () => clearInterval(timer);
  }, [last]);
  const doing = work.value;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (doing === undefined) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), 1000);
    return () => clearTimeout(timer);
  }, [doing]);
  return (
    <footer>
      <span role="status">{told.value}</span>
      <span class="fill" />
      {doing && slow && (
        <span>
          {doing.text}{" "}
          <button type="button" onClick={doing.stop}>
            {T.stop}
          </button>
        </span>
      )}
      {generation.value > 0 && <span>{T.generation(generation.value)}</span>}
      {last && <span>{T.filesChanged(last.files.length, Math.round((Date.now() - last.time) / 1000))}</span>}
    </footer>
  );
}
