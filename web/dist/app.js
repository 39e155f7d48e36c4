import {
  $,
  A,
  BEGINNING,
  Bar,
  DiagnosticText,
  Empty,
  FilterBox,
  Grid,
  Heading,
  LONG,
  Link,
  Loading,
  PlaceText,
  Q,
  Refused,
  RefusedText,
  RevisionPicker,
  SeverityText,
  Sign,
  SubjectFacts,
  T,
  T2,
  Text,
  Unknown,
  a,
  address,
  askAgain,
  askNames,
  at,
  b,
  changed,
  commonFolder,
  connect,
  connection,
  copy,
  counted2 as counted,
  d,
  drafts,
  escaped,
  exactKey,
  expectLeaf,
  facets,
  fetchPages,
  fits,
  focusFirstGrid,
  focusGrid,
  forget,
  generation,
  go,
  here,
  indentOf,
  isFile,
  keepFocus,
  layerColour,
  layerNames,
  layerShort,
  learnLayers,
  lost,
  namesError,
  namesOf,
  onKey,
  openSession,
  overview,
  pages,
  pagesFailed,
  parseFilter,
  placeText,
  project,
  projects,
  projects2,
  refine,
  replace,
  rows,
  search,
  select,
  signedOut,
  smallNames,
  subjects,
  tellsOrigin,
  theme,
  to,
  told,
  turn,
  unknownParts,
  useAnswer,
  useHits,
  useLatest,
  useMiss,
  useSettled,
  useTyped,
  valueText,
  w,
  work,
  x
} from "./chunk.js";

// src/overview/page.tsx
function OverviewPage() {
  const { project: name } = here.value;
  const fast = useAnswer(JSON.stringify([name, at.value, "overview"]), (signal) => overview(name, at.value, false, signal));
  const slow = useAnswer(fast.value ? JSON.stringify([name, at.value, "commits"]) : void 0, (signal) => overview(name, at.value, true, signal));
  const view = fast.value;
  A(() => {
    if (view) learnLayers(name, view.layers.map((layer) => layer.name));
  }, [view]);
  if (fast.error?.status === 404 && !at.value && projects2.value?.some((one) => one.name === name) === false) {
    return a(Unknown, { what: T2.project, name, error: fast.error, near: projects2.value.map((one) => one.name), page: "projects" });
  }
  const known = view ?? (at.value === void 0 ? project.value : void 0);
  return a($, { children: [
    a(Heading, { title: name }),
    a("div", { class: "scrolls overview", children: [
      known && a("nav", { class: "tiles", "aria-label": T2.beginHere, children: [
        a(Tile, { to: to("subjects"), number: known.subjects, text: T2.subjectWords(known, known.subjects ?? 2), more: T2.tileSubjects }),
        a(Tile, { to: to("files"), number: known.files, text: T2.filesOf(known.files ?? 2), more: T2.tileFiles }),
        a(Tile, { to: to("findings"), number: known.errors === null ? null : known.errors + (known.warnings ?? 0), text: T2.tileProblems((known.errors ?? 0) + (known.warnings ?? 0)), more: T2.tileFindings }),
        a(Tile, { to: to("matrix"), number: null, text: T2.pages.matrix, more: T2.tileMatrix })
      ] }),
      at.value === void 0 && project.value?.error ? a(DiagnosticText, { diagnostic: project.value.error }) : fast.error && a(RefusedText, { error: fast.error }),
      !view && !fast.error && a(Loading, { label: T2.loadingProject }),
      view && a("section", { children: [
        a("h2", { children: T2.layersHeading }),
        a("p", { class: "quiet", children: T2.layersAbout }),
        view.layers.length === 0 ? a(Empty, { children: T2.nothingWithout(known, T2.noLayers) }) : a("div", { class: "table-box", tabIndex: 0, role: "region", "aria-label": T2.layersHeading, children: a("table", { children: [
          a("thead", { children: a("tr", { children: [
            a("th", { scope: "col", children: T2.layer }),
            a("th", { scope: "col", class: "count", children: T2.title(T2.files) }),
            a("th", { scope: "col", children: T2.leavesColumn }),
            a("th", { scope: "col", class: "count", children: T2.neverVisible }),
            a("th", { scope: "col", class: "count", children: T2.deadOverride })
          ] }) }),
          a("tbody", { children: view.layers.map((layer) => a("tr", { children: [
            a("th", { scope: "row", children: a("span", { class: `stripe ${layerColour(layer)}`, children: a(Text, { text: layer.name, lines: false }) }) }),
            a("td", { class: "count", children: T2.number(layer.files) }),
            a("td", { children: a(Bar, { leaves: layer.leaves, seen: layer.seen, never: layer.never_visible, dead: layer.dead_override }) }),
            a("td", { class: "count", children: layer.never_visible > 0 ? T2.number(layer.never_visible) : "" }),
            a("td", { class: "count", children: layer.dead_override > 0 ? T2.number(layer.dead_override) : "" })
          ] }, layer.name)) })
        ] }) })
      ] }),
      view && view.subjects !== 0 && a("div", { class: "columns", children: [
        a("section", { children: [
          a("h2", { children: T2.pages.findings }),
          view.findings.length === 0 ? a("p", { children: T2.noFindings }) : a("ul", { class: "entries", children: view.findings.map((finding) => a("li", { children: [
            a(SeverityText, { severity: finding.severity }),
            " ",
            a(Link, { to: to("findings", "", { code: finding.code }), children: T2.findingShort(finding.code) }),
            " ",
            a("b", { children: T2.number(finding.count) })
          ] }, finding.code)) })
        ] }),
        a("section", { children: [
          a("h2", { children: T2.mostOverridden }),
          view.overridden.length === 0 ? a("p", { children: T2.nothingOverridden }) : a("ol", { class: "entries", children: view.overridden.map((one) => a("li", { children: [
            a(Link, { class: "code", to: to("matrix", "", { keys: `${one.item}${one.path}` || "*", all: "1" }), children: a(Text, { text: `${one.item}${one.path}` || "/", lines: false }) }),
            " ",
            a("span", { class: "quiet", children: T2.overriddenCount(one.losers, one.subjects, T2.subjectWords(known, one.subjects)) })
          ] }, `${one.item}${one.path}`)) })
        ] })
      ] }),
      a(Commits, { view: slow.value, busy: slow.busy })
    ] })
  ] });
}
function Tile(props) {
  return a(Link, { class: "tile", to: props.to, children: [
    a("span", { class: "tile-number", children: [
      props.number !== null && a("b", { children: [
        T2.number(props.number),
        " "
      ] }),
      props.text
    ] }),
    a("span", { class: "quiet", children: props.more })
  ] });
}
function Commits({ view, busy }) {
  if (view === void 0) return busy ? a(Loading, { label: T2.loadingCommits }) : null;
  if (view.commits === null) return null;
  return a("section", { children: [
    a("h2", { children: T2.commitsHeading }),
    view.commits.length === 0 ? a("p", { children: T2.noCommits }) : a("ul", { class: "entries", children: view.commits.map((commit) => {
      const tree = !/^[0-9a-f]{7,64}$/.test(commit.commit);
      return a("li", { children: [
        a(Link, { to: { ...to("compare"), query: tree ? {} : { from: `${commit.commit}~1`, to: commit.commit } }, class: "code", children: tree ? T2.workingTree : commit.commit.slice(0, 8) }),
        " ",
        a(Text, { text: commit.subject ?? "", lines: false }),
        " ",
        a("span", { class: "quiet", children: [
          a(Text, { text: commit.author ?? "", lines: false }),
          " ",
          T2.date(commit.date),
          " ",
          commit.changes !== void 0 && T2.changes(commit.changes)
        ] })
      ] }, commit.commit);
    }) })
  ] });
}
function ProjectsPage() {
  const all = projects2.value;
  A(() => {
    if (all?.length === 1 && here.value.page === "projects") replace(address("overview", all[0].name));
  }, [all]);
  return a($, { children: [
    a(Heading, { title: T2.projects }),
    all === void 0 && a(Loading, { label: T2.loadingProject }),
    all?.length === 0 && a(Empty, { children: T2.noProjects }),
    a("ul", { class: "cards", children: all?.map((one) => a("li", { children: a(Link, { class: "card", to: address("overview", one.name), children: [
      a("span", { class: "card-name", children: a(Text, { text: one.name, lines: false }) }),
      a("span", { class: "quiet", children: [
        "strata ",
        one.verb
      ] }),
      one.error ? a("span", { class: "warn", children: [
        one.error.file !== null && `${escaped(placeText(one.error))}: `,
        a(Text, { text: one.error.message, lines: false })
      ] }) : a($, { children: [
        one.subjects !== null && a("span", { children: T2.countWords(one.subjects, T2.subjectWords(one, one.subjects)) }),
        one.files !== null && a("span", { children: T2.countWords(one.files, T2.filesOf(one.files)) }),
        one.errors !== null && a("span", { children: T2.summary(one.errors, one.warnings ?? 0, 0) })
      ] }),
      one.revision !== null && a("span", { class: "quiet", children: T2.revisionWith(one.revision.slice(0, 8), one.changed_files ?? 0) })
    ] }) }, one.name)) })
  ] });
}

// src/search/box.tsx
function SearchBox() {
  const { project: name } = here.value;
  const [text, setText] = d("");
  const [open, setOpen] = d(false);
  const [current, setCurrent] = d(-1);
  const box = T(null);
  const settled = useSettled(text.trim(), 120);
  const searched = open && settled !== "" ? JSON.stringify([name, at.value, "search", settled]) : void 0;
  const answer = useAnswer(searched, (signal) => search(name, at.value, settled, void 0, void 0, signal));
  const before = T(null);
  A(() => onKey({ "/": () => (box.current?.focus(), box.current?.select()) }), []);
  const Found = pages.value;
  const own = w(() => Found?.ownHits(settled), [Found, settled, namesOf.value]);
  const hits = answer.value && answer.key === searched ? answer.value : own ?? answer.value;
  const groups = (hits && Found?.groupsOf(hits, settled)) ?? [];
  const flat = groups.flatMap((group) => group.hits);
  const shows = Found !== void 0 && open && settled !== "" && (hits !== void 0 || answer.error !== void 0);
  A(() => setCurrent(-1), [settled]);
  const choose = (address2) => {
    setOpen(false);
    go(address2);
    document.getElementById("main")?.focus();
  };
  return a("div", { class: "search", children: [
    a(
      "input",
      {
        ref: box,
        type: "search",
        class: "search-box",
        role: "combobox",
        list: void 0,
        autocomplete: "off",
        spellcheck: false,
        "aria-label": T2.search,
        placeholder: T2.searchHow,
        "aria-expanded": shows,
        "aria-controls": shows ? "search-hits" : void 0,
        "aria-activedescendant": shows && current >= 0 ? `hit-${current}` : void 0,
        "aria-autocomplete": "list",
        value: text,
        onInput: (event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        },
        onFocus: (event) => {
          before.current = event.relatedTarget;
          if (!Found) fetchPages();
          setOpen(true);
        },
        onBlur: () => setOpen(false),
        onKeyDown: (event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            setCurrent(Math.max(-1, Math.min(flat.length - 1, current + (event.key === "ArrowDown" ? 1 : -1))));
            event.preventDefault();
          } else if (event.key === "Enter" && text.trim() !== "") {
            choose(current >= 0 ? flat[current].to : to("search", "", { q: text.trim() }));
          } else if (event.key === "Escape") {
            setOpen(false);
            const back = before.current;
            if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
            else document.getElementById("main")?.focus();
          }
        }
      }
    ),
    shows && a(Found.SearchHits, { groups, current, isEmpty: hits !== void 0 && groups.length === 0, error: answer.error, onChoose: choose })
  ] });
}

// src/parts/header.tsx
var PAGES = [
  ["overview", "o"],
  ["subjects", "n"],
  ["files", "f"],
  ["findings", "d"],
  ["matrix", "m"],
  ["what-if", "w"],
  ["compare", "c"]
];
var ACTIVE = { subject: "subjects", file: "files" };
function Header() {
  const { page, project: name, query } = here.value;
  const [help, setHelp] = d(false);
  const Help = pages.value?.Help;
  const askHelp = () => (fetchPages(), setHelp(true));
  const known = project.value;
  const inProject = name !== "";
  A(
    () => onKey({
      "?": askHelp,
      ...Object.fromEntries(PAGES.map(([target, key]) => [`g ${key}`, () => inProject && go(to(target, target === "what-if" && here.value.page === "file" ? here.value.name : ""))])),
      "g p": () => go(address("projects"))
    }),
    [inProject]
  );
  const active = ACTIVE[page] ?? page;
  const changedFiles = Object.keys(drafts.value[name] ?? {}).length;
  return a("header", { children: [
    a("a", { class: "skip", href: "#main", onClick: (event) => (event.preventDefault(), document.getElementById("main")?.focus()), children: T2.skip }),
    a("div", { class: "bar-top", children: [
      a(Link, { class: "brand", to: address("projects"), children: "strata" }),
      inProject && a($, { children: [
        (projects2.value?.length ?? 0) > 1 ? a("select", { class: "project", "aria-label": T2.project, value: name, onChange: (event) => go(address("overview", event.currentTarget.value)), children: [
          !known && a("option", { value: name, children: escaped(name) }),
          projects2.value.map((one) => a("option", { value: one.name, children: escaped(one.name) }, one.name))
        ] }) : a(Link, { class: "project", to: to("overview"), children: escaped(name) }),
        page !== "compare" && a(RevisionPicker, { label: T2.at, value: query.at, none: known?.at ?? T2.workingTree, onValue: (value) => turn({ at: value }) }),
        a(SearchBox, {}),
        known && known.errors !== null && a(Link, { class: "problems", to: to("findings"), label: T2.summary(known.errors, known.warnings ?? 0, 0), children: [
          known.errors > 0 && a("span", { class: "severity-error", children: T2.errors(known.errors) }),
          " ",
          a("span", { class: "severity-warning", children: T2.warningsCount(known.warnings ?? 0) })
        ] })
      ] }),
      a("span", { class: "fill" }),
      a("button", { type: "button", class: "icon", "aria-label": T2.theme(theme.value), title: T2.theme(theme.value), onClick: () => theme.value = nextTheme(theme.value), children: a("span", { "aria-hidden": "true", children: theme.value === "auto" ? "◐" : theme.value === "light" ? "○" : "●" }) }),
      a("button", { type: "button", class: "icon", "aria-label": T2.help, title: T2.help, onClick: askHelp, children: a("span", { "aria-hidden": "true", children: "?" }) })
    ] }),
    inProject && a("nav", { class: "tabs", "aria-label": T2.pagesOf, children: PAGES.map(([target]) => a(Link, { to: to(target), current: active === target, class: active === target ? "active" : "", children: [
      target === "subjects" ? T2.title(T2.subjectWords(known)) : T2.pages[target],
      target === "what-if" && changedFiles > 0 && a("span", { class: "badge", children: [
        changedFiles,
        a("span", { class: "hidden", children: [
          " ",
          T2.changedFiles
        ] })
      ] })
    ] }, target)) }),
    a(Banners, {}),
    help && Help && a(Help, { onClose: () => setHelp(false) })
  ] });
}
function nextTheme(now) {
  return now === "auto" ? "light" : now === "light" ? "dark" : "auto";
}
function Banners() {
  return a($, { children: [
    a(Disconnected, {}),
    unknownParts.value.length > 0 && a("p", { class: "banner", role: "alert", children: [
      T2.notUnderstood,
      " ",
      a("code", { children: unknownParts.value.map(escaped).join("  ") }),
      " ",
      a("button", { type: "button", class: "link", onClick: () => unknownParts.value = [], children: T2.close })
    ] })
  ] });
}
function Disconnected() {
  const { next, since } = connection.value;
  const [, tick] = d(0);
  A(() => {
    if (next === null) return void 0;
    const timer = setInterval(() => tick((old) => old + 1), 1e3);
    return () => clearInterval(timer);
  }, [next]);
  if (next === null) return null;
  const seconds = Math.max(0, Math.ceil((next - Date.now()) / 1e3));
  return a("p", { class: "banner disconnected", children: [
    a("span", { role: "alert", children: T2.notConnected }),
    " ",
    T2.tryingIn(seconds),
    " ",
    T2.age(Math.round((Date.now() - since) / 1e3)),
    " ",
    a("button", { type: "button", class: "link", onClick: connect, children: T2.tryNow })
  ] });
}
function StatusLine() {
  const [, tick] = d(0);
  const last = changed.value;
  A(() => {
    if (last === void 0) return void 0;
    const timer = setInterval(() => tick((old) => old + 1), 5e3);
    return () => clearInterval(timer);
  }, [last]);
  const doing = work.value;
  const [slow, setSlow] = d(false);
  A(() => {
    if (doing === void 0) {
      setSlow(false);
      return void 0;
    }
    const timer = setTimeout(() => setSlow(true), 1e3);
    return () => clearTimeout(timer);
  }, [doing]);
  return a("footer", { children: [
    a("span", { role: "status", children: told.value }),
    a("span", { class: "fill" }),
    doing && slow && a("span", { children: [
      doing.text,
      " ",
      a("button", { type: "button", onClick: doing.stop, children: T2.stop })
    ] }),
    generation.value > 0 && a("span", { children: T2.generation(generation.value) }),
    last && a("span", { children: T2.filesChanged(last.files.length, Math.round((Date.now() - last.time) / 1e3)) })
  ] });
}

// src/parts/sign-in.tsx
function SignIn() {
  const [problem, setProblem] = d(void 0);
  return a(
    "form",
    {
      class: "tools",
      onSubmit: (event) => {
        event.preventDefault();
        openSession(String(new FormData(event.currentTarget).get("token") ?? "").trim()).then(
          () => location.reload(),
          (error) => {
            if (!(error instanceof Refused)) throw error;
            setProblem(error.message);
          }
        );
      },
      children: [
        a("label", { children: [
          T2.token,
          " ",
          a("input", { type: "password", name: "token", autocomplete: "current-password", required: true })
        ] }),
        a("button", { type: "submit", class: "primary", children: T2.signIn }),
        a("p", { role: "alert", children: problem ?? T2.signInHow })
      ]
    }
  );
}

// src/pure/tree.ts
function rowName(row) {
  return `${row.item ?? ""}
${row.path ?? ""}
${row.item === null ? row.index : ""}`;
}
var isSame = (one, other) => one?.item === other.item && one.path === other.path && (one.item !== null || one.index === other.index);
var firstOf = (rows2, visible, row) => visible.findIndex((index) => isSame(rows2[index], row));
function cursorAt(rows2, visible, place) {
  const row = rows2[visible[place]];
  return row && { row, line: place - firstOf(rows2, visible, row) };
}
function placeOf(rows2, visible, cursor) {
  if (!cursor) return -1;
  const first = firstOf(rows2, visible, cursor.row);
  return first >= 0 && isSame(rows2[visible[first + cursor.line]], cursor.row) ? first + cursor.line : first;
}
function isContainer(row) {
  return (row.below ?? 0) > 0;
}
function parentOf(rows2, index) {
  const depth = rows2[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above -= 1) {
    if (isContainer(rows2[above]) && (rows2[above].depth ?? 0) < depth) return above;
  }
  return -1;
}
function shown(rows2, filter, folded, level, unfolded) {
  const found = [];
  const asked = parseFilter(filter);
  const filters = asked.words.length + asked.without.length > 0;
  const keeps = filters ? matching(rows2, (row) => fits(asked, `${row.item ?? ""} ${row.path ?? ""} ${row.text ?? row.error?.message ?? ""}`.toLowerCase())) : void 0;
  for (let index = 0; index < rows2.length; index += 1) {
    if (keeps && !keeps[index]) continue;
    found.push(index);
    const row = rows2[index];
    if (!filters && isContainer(row) && isFolded(row, folded, level, unfolded)) index = lastBelow(rows2, index);
  }
  return found;
}
function lastBelow(rows2, index) {
  const end = rows2[index].index + (rows2[index].below ?? 0);
  let last = index;
  while (last + 1 < rows2.length && rows2[last + 1].index <= end) last += 1;
  return last;
}
function isFolded(row, folded, level, unfolded) {
  const name = rowName(row);
  if (folded.has(name)) return true;
  return level !== void 0 && (row.depth ?? 0) + 1 >= level && !unfolded.has(name);
}
function matching(rows2, fit) {
  const keeps = new Array(rows2.length).fill(false);
  const around = [];
  for (let index = 0; index < rows2.length; index += 1) {
    const row = rows2[index];
    while (around.length > 0 && rows2[around.at(-1)].index + (rows2[around.at(-1)].below ?? 0) < row.index) around.pop();
    if (fit(row)) {
      keeps[index] = true;
      for (const outer of around) keeps[outer] = true;
    }
    if (isContainer(row)) around.push(index);
  }
  return keeps;
}

// src/result/rows.ts
var PART = 1e3;
function useRows(project2, at2, subject, only, against) {
  const key = JSON.stringify([project2, at2, subject, only, against]);
  const now = `${generation.value} ${counted.value}`;
  const [state, setState] = d({ key: "", rows: [], total: 0, warnings: [], error: null, refused: void 0, busy: true });
  A(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const read = async () => {
      let rows2 = [];
      for (; ; ) {
        const answer = await rows(project2, at2, subject, { from: rows2.length, count: PART, only, against }, control.signal);
        rows2 = rows2.concat(answer.rows);
        if (!control.signal.aborted) learnLayers(project2, answer.layers);
        const more = answer.rows.length > 0 && rows2.length < answer.total;
        const found = { key, rows: rows2, total: answer.total, warnings: answer.warnings, error: answer.error, refused: void 0, busy: more };
        setState((old) => more && old.key === key && old.rows.length > rows2.length ? old : found);
        if (!more) return;
      }
    };
    read().catch((error) => {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) {
        lost();
        setState((old) => ({ ...old, busy: false, refused: old.rows.length === 0 ? error : void 0 }));
      } else {
        setState({ key, rows: [], total: 0, warnings: [], error: null, refused: error, busy: false });
      }
    });
    return () => control.abort();
  }, [key, now]);
  return state;
}

// src/result/page.tsx
var GRID = "result";
function ResultPage() {
  const { project: name, name: subject, query } = here.value;
  const [filter, setFilter] = useTyped("subject", "q");
  const only = w(() => query.only ? query.only.split(" ") : [], [query.only]);
  const list = useRows(name, query.at, subject, only, query.against);
  const level = query.fold === void 0 ? void 0 : Number(query.fold) || void 0;
  const [folded, setFolded] = d(/* @__PURE__ */ new Set());
  const [unfolded, setUnfolded] = d(/* @__PURE__ */ new Set());
  const visible = w(() => shown(list.rows, filter, folded, level, unfolded), [list.rows, filter, folded, level, unfolded]);
  const [at2, setAt] = d(void 0);
  const current = w(() => placeOf(list.rows, visible, at2), [list.rows, visible, at2]);
  const moveTo = (row) => setAt(cursorAt(list.rows, visible, row));
  const item = query.item ?? "";
  const leaf = query.leaf ?? "";
  const inspected = query.item !== void 0 || query.leaf !== void 0;
  const [enters, setEnters] = d(0);
  const isWanted = (row) => inspected && row.item === item && (row.path ?? "") === leaf;
  const found = w(() => list.rows.findIndex(isWanted), [list.rows, query.item, query.leaf]);
  const wanted = `${item}
${leaf}`;
  const arrived = T("");
  if (found >= 0 && arrived.current !== wanted) {
    arrived.current = wanted;
    setAt({ row: list.rows[found], line: 0 });
    const around = [];
    for (let outer = parentOf(list.rows, found); outer >= 0; outer = parentOf(list.rows, outer)) around.push(rowName(list.rows[outer]));
    if (level !== void 0) setUnfolded((old) => /* @__PURE__ */ new Set([...old, ...around]));
    setFolded((old) => around.some((one) => old.has(one)) ? new Set([...old].filter((one) => !around.includes(one))) : old);
  }
  const isWhole = inspected && found < 0 && !list.busy && list.rows.length > 0 && only.length === 0;
  const hasItem = isWhole && list.rows.some((one) => one.item === item);
  useMiss(isWhole && !hasItem && `item=${item}`);
  useMiss(hasItem && query.leaf !== void 0 && !list.rows.some((one) => one.item === item && `${one.path ?? ""}/`.startsWith(`${leaf}/`)) && `leaf=${leaf}`);
  const folder = w(() => commonFolder([...new Set(list.rows.flatMap((row) => row.origin && isFile(row.origin) ? [row.origin.file] : []))]), [list.rows]);
  const rowAt = (row) => row < visible.length ? list.rows[visible[row]] : void 0;
  const fold = (row) => {
    const one = rowAt(row);
    if (!one || !isContainer(one)) return;
    const id = rowName(one);
    const closes = !isFolded(one, folded, level, unfolded);
    setFolded((old) => new Set(closes ? [...old, id] : [...old].filter((other) => other !== id)));
    setUnfolded((old) => new Set(closes ? [...old].filter((other) => other !== id) : [...old, id]));
  };
  const isOpen = (row) => filter !== "" || !isFolded(row, folded, level, unfolded);
  const layers = layerNames.value;
  const draw = b((row) => cells(list.rows, visible, row, folder, () => fold(row), isOpen(rowAt(row))), [list.rows, visible, folder, layers]);
  const open = (row) => {
    const one = rowAt(row);
    if (!one || one.item === null) return;
    arrived.current = `${one.item}
${one.path ?? ""}`;
    setEnters((old) => old + 1);
    turn({ item: one.item, leaf: one.path ?? "" });
  };
  const expect = (row) => {
    const one = rowAt(row);
    if (one && one.item !== null && !one.error) expectLeaf(name, query.at, subject, one.item, one.path ?? "");
  };
  A(() => {
    const timer = setTimeout(() => expect(current), 100);
    return () => clearTimeout(timer);
  }, [current]);
  const close = () => {
    turn({ item: void 0, leaf: void 0 });
    focusGrid(GRID);
  };
  const state = useLatest({ visible, current, rows: list.rows });
  A(
    () => onKey({
      n: () => mark(1),
      N: () => mark(-1),
      y: () => copyPath(),
      "[": () => step(-1),
      "]": () => step(1)
    }),
    [name, subject]
  );
  const mark = (direction) => {
    const { visible: all, current: from, rows: rows2 } = state.current;
    for (let row = from + direction; row >= 0 && row < all.length; row += direction) {
      const one = rows2[all[row]];
      if ((one.losers ?? 0) > 0 || (one.marks?.length ?? 0) > 0 || one.error) {
        setAt(cursorAt(rows2, all, row));
        focusGrid(GRID);
        return;
      }
    }
    told.value = T2.noMoreMarks;
  };
  const copyPath = () => {
    const { visible: all, current: from, rows: rows2 } = state.current;
    const one = from >= 0 ? rows2[all[from]] : void 0;
    if (!one) return;
    const path = `${one.item ?? ""}${one.path ?? ""}`;
    void copy(path).then((copied) => told.value = copied ? T2.copiedPath(path) : T2.notCopied);
  };
  const step = (direction) => {
    const all = namesOf.value;
    const from = all?.indexOf(here.value.name) ?? -1;
    const next = from < 0 ? void 0 : all?.[from + direction];
    if (next !== void 0) go({ ...here.value, name: next });
  };
  useHits(filter === "" ? void 0 : visible.length);
  const { Inspector, PlainText } = pages.value ?? {};
  const asText = query.view === "yaml" || query.view === "json";
  A(() => {
    if ((inspected || asText) && !pages.value) fetchPages();
  }, [inspected, asText]);
  if (list.refused?.status === 404) return a(Unknown, { what: T2.subjectWord(project.value), name: subject, error: list.refused, near: namesOf.value ?? [], page: "subject" });
  const word = T2.subjectWord(project.value);
  const toggle = (value) => {
    const next = only.includes(value) ? only.filter((one) => one !== value) : [...only, value];
    refine({ only: next.length > 0 ? next.join(" ") : void 0 });
  };
  const layer = only.find((one) => one.startsWith("layer:"))?.slice(6);
  return a($, { children: [
    a(Heading, { title: subject, crumbs: [{ text: T2.subjectWords(project.value), to: to("subjects") }], children: [
      a(SubjectFacts, { subject }),
      a("span", { class: "views", role: "group", "aria-label": T2.view, children: [void 0, "yaml", "json"].map((view) => a("button", { type: "button", "aria-pressed": query.view === view, onClick: () => turn({ view }), children: view === void 0 ? T2.viewRows : T2.viewText(view) }, view ?? "rows")) })
    ] }),
    !asText && a("div", { class: "tools", role: "toolbar", "aria-label": T2.filters, children: [
      a(FilterBox, { id: "filter", label: T2.filterKeys, value: filter, onValue: setFilter }),
      a("label", { class: "switch", children: [
        a("input", { type: "checkbox", checked: only.includes("overridden"), onChange: () => toggle("overridden") }),
        " ",
        T2.onlyOverridden
      ] }),
      (project.value?.subjects !== 1 || only.includes("differs")) && a("label", { class: "switch", children: [
        a("input", { type: "checkbox", checked: only.includes("differs"), onChange: () => toggle("differs") }),
        " ",
        T2.onlyDiffers(T2.subjectWords(project.value))
      ] }),
      layers.length > 1 && a("label", { class: "switch", children: [
        T2.layer,
        " ",
        a(
          "select",
          {
            value: layer ?? "",
            onChange: (event) => {
              const value = event.currentTarget.value;
              const rest = only.filter((one) => !one.startsWith("layer:"));
              const next = value === "" ? rest : [...rest, `layer:${value}`];
              refine({ only: next.length > 0 ? next.join(" ") : void 0 });
            },
            children: [
              a("option", { value: "", children: T2.allLayers }),
              layers.map((one) => a("option", { value: one, children: escaped(one) }, one))
            ]
          }
        )
      ] }),
      a("label", { class: "switch", children: [
        T2.fold,
        " ",
        a(
          "select",
          {
            value: query.fold ?? "",
            onChange: (event) => {
              setFolded(/* @__PURE__ */ new Set());
              setUnfolded(/* @__PURE__ */ new Set());
              refine({ fold: event.currentTarget.value || void 0 });
            },
            children: [
              a("option", { value: "", children: T2.foldNothing }),
              [1, 2, 3, 4].map((one) => a("option", { value: String(one), children: T2.foldLevel(one) }, one))
            ]
          }
        )
      ] })
    ] }),
    list.warnings.length > 0 && a("details", { class: "warnings", children: [
      a("summary", { children: T2.warnings(list.warnings.length) }),
      list.warnings.map((warning, index) => a(DiagnosticText, { diagnostic: warning }, index))
    ] }),
    list.refused && a(RefusedText, { error: list.refused }),
    list.error && a(DiagnosticText, { diagnostic: list.error, heading: T2.subjectFails(word) }),
    asText ? PlainText && a(PlainText, { view: query.view }) : a("div", { class: `split ${inspected ? "has-pane" : ""}`, children: [
      a("div", { class: "main-pane", children: [
        list.rows.length === 0 && list.busy && a(Loading, { label: T2.loadingResult }),
        list.rows.length === 0 && !list.busy && !list.error && !list.refused && a(Empty, { children: layer !== void 0 && only.length === 1 ? T2.nothingOf(escaped(layer)) : only.length > 0 ? T2.nothingLeft : T2.emptyResult(word) }),
        list.rows.length > 0 && visible.length === 0 && a(Empty, { children: T2.nothingFits }),
        visible.length > 0 && a(
          Grid,
          {
            id: GRID,
            label: T2.resultOf(escaped(subject)),
            tree: true,
            busy: list.busy,
            least: 52,
            columns: [
              { name: T2.origin, width: "minmax(18ch, 1.5fr)", class: "origin" },
              { name: T2.value, width: "minmax(24ch, 2fr)", class: "code" },
              { name: T2.marks, width: "9ch", class: "marks" }
            ],
            count: visible.length,
            current,
            onCurrent: moveTo,
            onOpen: open,
            onPress: expect,
            onFold: fold,
            onEscape: inspected ? close : void 0,
            onParent: (row) => {
              const place = visible.indexOf(parentOf(list.rows, visible[row]));
              if (place >= 0) moveTo(place);
            },
            state: (row) => {
              const one = rowAt(row);
              if (!one) return {};
              return {
                level: (one.depth ?? 0) + 1,
                ...isContainer(one) ? { expanded: isOpen(one) } : {},
                class: `${one.error ? "failed" : ""} ${isWanted(one) ? "inspected" : ""}`
              };
            },
            cells: draw
          }
        )
      ] }),
      inspected && Inspector && a(Inspector, { subject, item: query.item ?? "", path: query.leaf ?? "", failed: list.rows[found]?.error, enters, onClose: close })
    ] })
  ] });
}
function cells(rows2, visible, at2, folder, fold, open) {
  const row = rows2[visible[at2]];
  if (row.error) {
    return [
      row.error.file ? a(PlaceText, { place: row.error, folder, most: 34, inGrid: true }) : "",
      a($, { children: [
        a("span", { class: "key", children: [
          a(Text, { text: row.item ?? "", lines: false }),
          ":",
          " "
        ] }),
        a("span", { class: "message", children: [
          a(Text, { text: row.error.message, lines: false }),
          " [",
          row.error.code,
          "]"
        ] })
      ] }),
      a(Sign, { name: "failed" })
    ];
  }
  const text = row.text ?? "";
  const tells = tellsOrigin(row, at2 === 0 ? void 0 : rows2[visible[at2 - 1]]);
  return [
    row.origin ? a("span", { class: `stripe ${layerColour(row.origin)}`, children: tells ? a($, { children: [
      a("span", { class: "layer", children: a(Text, { text: layerShort(row.origin), lines: false }) }),
      row.origin.file !== null && a(PlaceText, { place: row.origin, folder, most: 26, inGrid: true })
    ] }) : a("span", { class: "hidden", children: T2.asAbove }) }) : "",
    a($, { children: [
      a("span", { class: "line", children: indentOf(text) }),
      isContainer(row) ? a("span", { class: `twist ${open ? "open" : ""}`, "aria-hidden": "true", onClick: (event) => (event.stopPropagation(), fold()) }) : a("span", { class: "no-twist" }),
      a(LineText, { text: (text.length > LONG ? `${text.slice(0, BEGINNING)}…` : text).slice(indentOf(text).length) }),
      row.kind === "document" && a("span", { class: "quiet", children: [
        " ",
        a(Text, { text: row.item ?? "", lines: false })
      ] }),
      isContainer(row) && !open && a("span", { class: "folded", children: [
        " ",
        T2.lines(row.below ?? 0)
      ] })
    ] }),
    a(Marks, { row })
  ];
}
function LineText({ text }) {
  const found = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#\-][^#]*?|-[^\s][^#]*?):)(\s|$)/.exec(text);
  if (!found) {
    return a("span", { class: "line", children: a(Text, { text, lines: false }) });
  }
  return a("span", { class: "line", children: [
    found[1],
    a("span", { class: "key", children: a(Text, { text: found[2], lines: false }) }),
    a(Text, { text: text.slice(found[1].length + found[2].length), lines: false })
  ] });
}
function Marks({ row }) {
  return a($, { children: [
    (row.losers ?? 0) > 0 && a(Sign, { name: "losers", count: row.losers }),
    row.marks?.map((mark) => a(Sign, { name: mark }, mark))
  ] });
}

// src/subjects/page.tsx
var GRID2 = "subjects";
var PART2 = 200;
function useWithFacts(facts) {
  const { project: name } = here.value;
  const key = facts.length > 0 ? JSON.stringify([name, at.value, facts]) : void 0;
  const answer = useAnswer(key, async (signal) => {
    let all;
    for (const fact of facts) {
      const { subjects: subjects2 } = await search(name, at.value, `fact:${fact}`, "subjects", MOST_FOUND, signal);
      const found = new Set(subjects2.first.map((hit) => hit.subject));
      all = all === void 0 ? found : new Set([...all].filter((one) => found.has(one)));
    }
    return all;
  });
  return { names: answer.key === key ? answer.value : void 0, error: answer.error, asked: key !== void 0 };
}
var MOST_FOUND = 1e3;
function useInfo(names, first, last) {
  const { project: name } = here.value;
  const state = `${name}
${at.value ?? ""}
${generation.value}
${counted.value}`;
  const [known, setKnown] = d({ state: "", facts: [], info: /* @__PURE__ */ new Map() });
  const missing = names.slice(first, last).filter((one) => known.state !== state || !known.info.has(one)).slice(0, PART2);
  const key = missing.join("\n");
  A(() => {
    if (missing.length === 0) return void 0;
    const control = new AbortController();
    const timer = setTimeout(() => {
      subjects(name, at.value, missing, control.signal).then(
        (answer) => setKnown((old) => {
          const info = new Map(old.state === state ? old.info : []);
          for (const one of missing) info.set(one, { name: one, facts: {}, findings: null });
          for (const one of answer.subjects) info.set(one.name, one);
          return { state, facts: answer.facts, info };
        }),
        (error) => {
          if (control.signal.aborted) return;
          if (!(error instanceof Refused)) throw error;
          if (error.status === 0) lost();
        }
      );
    }, 60);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, state]);
  return { facts: known.facts, info: known.info };
}
function SubjectsPage() {
  const { project: name, query } = here.value;
  const [filter, setFilter] = useTyped("subjects", "q");
  const parsed = w(() => parseFilter(filter), [filter]);
  const typedFacts = useSettled(parsed.facts.map(([fact, value]) => `${fact}=${value}`).join("\n"), 150);
  const chosen = query.fact?.split("\n") ?? [];
  const facts = [...chosen.map((one) => one.replace(":", "=")), ...typedFacts.split("\n").filter((one) => one !== "")];
  const withFacts = useWithFacts(facts);
  const all = namesOf.value;
  const visible = w(() => {
    const found = select(parsed, smallNames.value);
    return withFacts.names ? found.filter((index) => withFacts.names.has(all[index])) : found;
  }, [parsed, all, withFacts.names]);
  const [current, setCurrent] = d(-1);
  const [selected, setSelected] = d(/* @__PURE__ */ new Set());
  const [seen, setSeen] = d([0, 40]);
  const shownNames = w(() => visible.map((index) => all[index]), [visible, all]);
  const { facts: known, info } = useInfo(shownNames, seen[0], seen[1]);
  const columns = query.column === void 0 ? known : query.column.split("\n");
  const answer = useAnswer(JSON.stringify([name, at.value, "facets"]), (signal) => facets(name, at.value, signal));
  const facets2 = answer.value?.facets ?? [];
  const word = T2.subjectWord(project.value);
  const words = T2.subjectWords(project.value);
  useHits(filter === "" && facts.length === 0 ? void 0 : visible.length);
  A(() => setCurrent((old) => Math.min(old, visible.length - 1)), [visible.length]);
  const select1 = (row) => {
    const one = shownNames[row];
    if (one === void 0) return;
    setSelected((old) => new Set(old.has(one) ? [...old].filter((other) => other !== one) : [...old, one]));
  };
  const toggleFact = (fact) => {
    const next = chosen.includes(fact) ? chosen.filter((one) => one !== fact) : [...chosen, fact];
    refine({ fact: next.length > 0 ? next.join("\n") : void 0 });
  };
  const toggleColumn = (fact) => {
    const next = known.filter((one) => columns.includes(one) !== (one === fact));
    refine({ column: next.length === known.length || next.length === 0 ? void 0 : next.join("\n") });
  };
  if (project.value?.error && at.value === void 0) {
    return a($, { children: [
      a(Heading, { title: name }),
      a(DiagnosticText, { diagnostic: project.value.error })
    ] });
  }
  return a($, { children: [
    a(Heading, { title: T2.title(words), children: a("p", { class: "quiet", "aria-live": "off", children: [
      all && T2.countOf(visible.length, all.length, words),
      " ",
      project.value?.assumed && T2.assumed(words)
    ] }) }),
    a("div", { class: "tools", role: "toolbar", "aria-label": T2.filters, children: [
      a(FilterBox, { id: "filter", label: T2.filterSubjects(words), placeholder: T2.filterHow, value: filter, onValue: setFilter }),
      selected.size > 0 ? a($, { children: [
        a(Link, { class: "button primary", to: to("matrix", "", { subject: [...selected].join("\n") }), children: selected.size === 2 ? T2.compareTwo : T2.matrixOf(selected.size, words) }),
        a("button", { type: "button", onClick: () => setSelected(/* @__PURE__ */ new Set()), children: T2.selectNone })
      ] }) : (all?.length ?? 0) > 1 && a("span", { class: "quiet", children: T2.selectHow }),
      known.length > 1 && a("details", { class: "menu", children: [
        a("summary", { children: T2.columns }),
        a("fieldset", { children: [
          a("legend", { class: "hidden", children: T2.columns }),
          known.map((fact) => a("label", { class: "switch", children: [
            a("input", { type: "checkbox", checked: columns.includes(fact), onChange: () => toggleColumn(fact) }),
            " ",
            a(Text, { text: fact, lines: false })
          ] }, fact))
        ] })
      ] })
    ] }),
    namesError.value && a(RefusedText, { error: namesError.value }),
    withFacts.error && a(RefusedText, { error: withFacts.error }),
    a("div", { class: "split has-side", children: [
      facets2.length > 0 && a("aside", { class: "side", "aria-label": T2.facets, children: facets2.map((facet) => a("fieldset", { children: [
        a("legend", { children: a(Text, { text: facet.fact, lines: false }) }),
        facet.values.map(([value, count]) => {
          const fact = `${facet.fact}:${value}`;
          return a("label", { class: "switch", children: [
            a("input", { type: "checkbox", checked: chosen.includes(fact), onChange: () => toggleFact(fact) }),
            " ",
            a("span", { class: "facet-value", children: a(Text, { text: String(value), lines: false }) }),
            a("span", { class: "count", children: T2.number(count) })
          ] }, value);
        })
      ] }, facet.fact)) }),
      a("div", { class: "main-pane", children: [
        all === void 0 && !namesError.value && a(Loading, { label: T2.loadingSubjects(words) }),
        all?.length === 0 && a(Empty, { children: T2.noSubjects(word) }),
        all !== void 0 && all.length > 0 && visible.length === 0 && a(Empty, { children: T2.nothingFits }),
        visible.length > 0 && a(
          Grid,
          {
            id: GRID2,
            label: T2.title(words),
            multiple: true,
            columns: [
              { name: T2.select, width: "7ch" },
              { name: T2.title(word), width: "minmax(24ch, 2fr)", class: "code" },
              ...columns.map((fact) => ({ id: `fact-${fact}`, name: fact, width: "minmax(8ch, 1fr)" })),
              { name: T2.findingsColumn, width: "10ch", class: "count" }
            ],
            least: 40 + columns.length * 8,
            count: visible.length,
            current,
            onCurrent: setCurrent,
            onOpen: (row) => go(to("subject", shownNames[row])),
            onSpace: select1,
            onView: (first, last) => setSeen([first, last]),
            state: (row) => ({ selected: selected.has(shownNames[row]) }),
            cells: (row) => {
              const one = shownNames[row];
              if (one === void 0) return void 0;
              const more = info.get(one);
              return [
                a("label", { class: "tick", children: a("input", { type: "checkbox", tabIndex: -1, "aria-label": T2.selectOne(one), checked: selected.has(one), onChange: () => select1(row) }) }),
                a(Link, { to: to("subject", one), tabIndex: -1, children: a(Text, { text: one, lines: false }) }),
                ...columns.map((fact) => {
                  const value = more?.facts[exactKey(fact)];
                  return value === void 0 ? "" : a(Text, { text: typeof value === "string" ? value : valueText({ value }), lines: false });
                }),
                more?.findings ? T2.number(more.findings) : ""
              ];
            }
          }
        )
      ] })
    ] })
  ] });
}

// src/app.tsx
function Page() {
  const { page, project: project2, name } = here.value;
  switch (page) {
    case "projects":
      return a(ProjectsPage, {});
    case "overview":
      return a(OverviewPage, {}, project2);
    case "subjects":
      return a(SubjectsPage, {}, project2);
    case "subject":
      return a(ResultPage, {}, `${project2}/${name}`);
    default:
      return a(OtherPage, {});
  }
}
function OtherPage() {
  const { page, project: project2, name } = here.value;
  const found = pages.value;
  A(() => {
    if (!found) fetchPages();
  }, []);
  if (!found) return a($, { children: pagesFailed.value ? a(RefusedText, { error: new Refused(0, "", []) }) : a(Loading, { label: T2.loadingPage }) });
  switch (page) {
    case "file":
      return a(found.FilePage, {}, `${project2}/${name}`);
    case "what-if":
      return a(found.WhatIfPage, {}, project2);
    case "matrix":
      return a(found.MatrixPage, {}, project2);
    case "compare":
      return a(found.ComparePage, {}, project2);
    case "findings":
      return a(found.FindingsPage, {}, project2);
    case "search":
      return a(found.SearchPage, {}, project2);
    default:
      return a(found.FilesPage, {}, project2);
  }
}
function toGrid(event) {
  if (event.target !== event.currentTarget || !/^(Arrow|Home|End|Page)/.test(event.key)) return;
  if (focusFirstGrid()) event.preventDefault();
}
function App() {
  const { project: project2, page } = here.value;
  const answer = useAnswer(`projects ${counted.value}`, (signal) => projects(signal));
  A(() => {
    if (answer.value) projects2.value = answer.value.projects;
  }, [answer.value]);
  const known = projects2.value !== void 0;
  const wasSignedOut = T(false);
  A(() => {
    if (wasSignedOut.current && !signedOut.value) {
      forget();
      askAgain();
    }
    wasSignedOut.current = signedOut.value;
  }, [signedOut.value]);
  const first = T(true);
  A(() => {
    if (!first.current) keepFocus();
    if (known) first.current = false;
  }, [known, here.value.page, project2, here.value.name]);
  const unknown = projects2.value !== void 0 && project2 !== "" && !projects2.value.some((one) => one.name === project2);
  return a($, { children: [
    a(Header, {}),
    signedOut.value && projects2.value && a("div", { class: "banner", children: a(SignIn, {}) }),
    a("main", { id: "main", tabIndex: -1, class: `page page-${page}`, onKeyDown: toGrid, children: [
      answer.error && !projects2.value && a($, { children: [
        a(Heading, { title: "strata" }),
        answer.error.status === 401 ? a(SignIn, {}) : a(RefusedText, { error: answer.error })
      ] }),
      unknown ? a(Unknown, { what: T2.project, name: project2, error: new Refused(404, T2.noSuchProject, []), near: projects2.value.map((one) => one.name), page: "projects" }) : (projects2.value !== void 0 || !answer.error) && a(Page, {})
    ] }),
    a(StatusLine, {}),
    pages.value && a(pages.value.CodeHelp, {})
  ] });
}
x(askNames);
var drawn = "";
x(() => {
  const { page, project: project2, name, query } = here.value;
  const before = drawn;
  drawn = page === "subject" ? JSON.stringify([project2, name, query.at]) : "";
  if (drawn !== before && page === "subject" && (query.item !== void 0 || query.leaf !== void 0)) expectLeaf(project2, query.at, name, query.item ?? "", query.leaf ?? "");
});
if (["projects", "overview", "subjects", "subject"].includes(here.value.page)) setTimeout(fetchPages, 500);
else fetchPages();
connect();
var root = document.getElementById("app");
root.replaceChildren();
Q(a(App, {}), root);
