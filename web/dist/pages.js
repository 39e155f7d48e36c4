import {
  $,
  A,
  BEGINNING,
  Bar,
  Code,
  Copy,
  DiagnosticText,
  Empty,
  FateSign,
  FileLink,
  FilterBox,
  Grid,
  Heading,
  LONG,
  Link,
  Loading,
  O,
  PlaceText,
  Refused,
  RefusedText,
  RevisionPicker,
  SeverityText,
  Sign,
  T,
  T2,
  Text,
  Unknown,
  ValueText,
  a,
  ask,
  at,
  begin,
  checksStates,
  copy,
  counted,
  d,
  download,
  draftOf,
  drafts,
  escaped,
  exactNumber,
  explained,
  fits,
  focusGrid,
  generation,
  get,
  go,
  here,
  indentOf,
  isFile,
  isSecret,
  keepFocus,
  layerColour,
  layerShort,
  leafPath,
  leafQuery,
  lost,
  many,
  namesOf,
  number,
  onKey,
  parseExact,
  parseFilter,
  part,
  plainKey,
  project,
  projectPath,
  refine,
  replace,
  replaced,
  search,
  select,
  setDrafts,
  shortened,
  singleKeys,
  smallNames,
  subjectPart,
  target,
  to,
  told,
  turn,
  useAnswer,
  useHits,
  useLatest,
  useMiss,
  useSettled,
  useShown,
  useTyped,
  valueText,
  w,
  whyNot,
  writeAddress
} from "./chunk.js";

// src/api-pages.ts
var history = (name, signal) => get(`${projectPath(name)}/history`, {}, signal);
var files = (name, at2, signal) => get(`${projectPath(name)}/files`, { at: at2 }, signal);
async function text(name, at2, subject, format, signal) {
  return (await ask(target(`${projectPath(name)}/subjects/${subjectPart(subject)}/rows`, { at: at2, text: format }), signal ? { signal } : {})).text();
}
var leaf = (name, at2, subject, item, path, signal) => get(leafPath(name, subject), leafQuery(at2, item, path), signal);
var leafOfAll = (name, at2, subject, item, path, signal) => get(leafPath(name, subject), { at: at2, item, path }, signal);
var file = (name, at2, path, from, count, signal, more = {}) => get(`${projectPath(name)}/files/${path.split("/").map(part).join("/")}`, { at: at2, from, count, ...more }, signal);
var matrix = (name, at2, query, signal) => get(`${projectPath(name)}/matrix`, { at: at2, ...query, all: query.all ? 1 : void 0 }, signal);
function cellOf(key, group) {
  let known = cells.get(key);
  if (!known) {
    known = new Map(key.cells.flatMap((cell) => cell.groups.map((one) => [one, cell])));
    cells.set(key, known);
  }
  return known.get(group);
}
var cells = /* @__PURE__ */ new WeakMap();
var findings = (name, at2, signal) => get(`${projectPath(name)}/findings`, { at: at2 }, signal);
var fixes = (name, at2, file2, signal) => get(`${projectPath(name)}/findings`, { at: at2, file: file2, fix: 1 }, signal);
var effect = (name, id, run, signal) => get(`${projectPath(name)}/effects/${id}`, { run }, signal);
async function propose(name, wish, signal) {
  const headers = { "Content-Type": "application/json" };
  return parseExact(await (await ask(target(`${projectPath(name)}/set`), { method: "POST", headers, body: JSON.stringify(wish), signal })).text());
}
async function asset(name, signal) {
  return (await ask(`/explore/${name}`, { signal })).text();
}
async function save(name, path, text2, sha2562) {
  const headers = { "Content-Type": "application/json", "If-Match": sha2562 === "" ? "*" : `"${sha2562}"` };
  const answer = await ask(target(`${projectPath(name)}/files/${path.split("/").map(part).join("/")}`), { method: "PUT", headers, body: JSON.stringify({ text: text2 }) });
  return await answer.json();
}

// src/pure/codes.ts
function cellsOf(row) {
  return row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}
function findCode(markdown2, code) {
  let found;
  for (const row of markdown2.split("\n")) {
    if (!row.startsWith("| `") || !row.includes(`\`${code}\``)) continue;
    const cells2 = cellsOf(row);
    if (cells2.length < 3 || !cells2[0].split(", ").includes(`\`${code}\``)) continue;
    found = { means: cells2.at(-2), wayOut: cells2.at(-1) };
  }
  return found;
}
function inline(text2) {
  const pieces = text2.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return pieces.map((piece, index) => ({ text: piece, code: index % 2 === 1 })).filter((piece) => piece.text !== "");
}

// src/texts-pages.ts
var T3 = {
  ...T2,
  // Words of many pages.
  file: "file",
  all: "all",
  closeKey: "Close (Escape)",
  allOf: (count) => `all ${number(count)}`,
  andMore: (count) => `and ${number(count)} more`,
  nothing: "–",
  download: "Download",
  more: (count) => `… and ${number(count)} more`,
  show: "Show",
  // What a search finds.
  nothingFound: "Nothing found.",
  found: "What was found",
  inSubjects: counted,
  kinds: (kind, known) => ({ subjects: T2.title(T2.subjectWords(known)), keys: "Keys", files: "Files", values: "Values", findings: "Findings" })[kind] ?? kind,
  fateFor: { won: "wins for", merged: "merged for", overridden: "overridden or removed for" },
  // States.
  loadingLeaf: "Reading the history",
  loadingFiles: "Reading the files",
  loadingFile: "Reading the file",
  loadingFindings: "Checking the project",
  loadingMatrix: "Comparing the results",
  searching: "Searching",
  comparing: "Comparing the states",
  asking: "Working out the effects",
  checking: "looking for findings that come and go",
  // Header.
  searchHowLong: "Type what you look for. Prefixes: node: key: file: value: code: fact:role=db",
  searchFor: (q) => `Search: ${q}`,
  // Result and inspector.
  inspector: "Where this value comes from",
  goToLine: "Go to line",
  tryEdit: "Try an edit",
  copyPath: "Copy path",
  copyCommand: "Copy as command",
  history: "History, strongest first",
  strategy: "Merged by",
  setIn: "set in",
  byDefault: "by default",
  via: "by the alias at",
  gone: "gone",
  leaves: (count) => many(count, "value"),
  noLeaves: "Nothing is here.",
  losers: (count) => `${number(count)} overridden`,
  inputs: "Computed from",
  listMerged: "How the list was merged",
  listAction: (action, count, layers) => `${many(count, "item")} of ${many(layers, "layer")}, ${action} by`,
  dropped: "not in the list",
  why: (why) => why.replace(/-/g, " "),
  others: (words) => `Other ${words}`,
  sameValue: (same, of, here2, words) => same === null ? `${number(here2)} of ${counted(of, words)} ${here2 === 1 ? "has" : "have"} a secret from here.` : `${number(same)} of ${counted(of, words)} ${same === 1 ? "has" : "have"} this value; ${number(here2)} ${here2 === 1 ? "has its value" : "have theirs"} from here.`,
  inMatrix: (words) => `This key for all ${words}`,
  // Dialogs.
  keys: "Keys",
  singleKeys: "Keys of one letter act",
  licences: "Licences of what these pages are made with",
  revision: "Revision",
  revisionHow: "branch, tag, commit, HEAD~2",
  branchesAndTags: "Branches and tags",
  commitsOf: "Commits",
  codeMeans: "Means",
  codeWayOut: "Way out",
  codeUnknown: "The documentation says nothing about this code.",
  copyText: "Copy",
  textTooLong: "Too long to show whole: download it.",
  keyList: [
    ["↑ ↓ Home End PgUp PgDn", "move in a list"],
    ["← →", "fold, unfold, go to what is around"],
    ["Enter", "open"],
    ["Escape", "close, and go back to the list"],
    ["Space", "select in a list of subjects"],
    ["/ or Ctrl+K", "search"],
    ["f", "filter"],
    ["n N", "next and previous mark"],
    ["[ ]", "previous and next subject"],
    ["y", "copy the path"],
    ["g o, g n, g f", "overview, subjects, files"],
    ["g d, g m, g w, g c", "findings, matrix, what-if, compare"],
    ["g p", "projects"],
    ["?", "this list"]
  ],
  // Files.
  filterFiles: "Filter files",
  readBy: (words) => `Read by ${words}`,
  nobody: "nobody",
  noFiles: "No file is read: look at the paths in the configuration.",
  line: "Line",
  lineNumber: (line) => `Line ${line}`,
  linesOf: (path) => `Lines of ${path}`,
  effect: "Effect",
  text: "Text",
  emptyFile: "This file is empty.",
  readForAll: (words) => `Read for all ${words}.`,
  forAll: "all",
  fileHidden: "Its text is not shown: nobody can tell what of it is secret.",
  notTraced: "What its lines do is not known: they say how results are made, and are not parts of them.",
  noResultHas: "No result has a value from this line.",
  largeFile: "This file is large: what its lines do is told if you ask for it.",
  showEffects: "Show what its lines do",
  fileError: "This file cannot be read:",
  wholeValue: "all",
  tooLong: "It is too long to show: download it.",
  unusedFile: (words) => `None of the ${words} reads this file.`,
  fileReadBy: (count, of, words) => `Read by ${count === of ? of === 1 ? "the" : `all ${number(of)}` : `${number(count)} of ${number(of)}`} ${words}.`,
  notEditable: (why) => `It cannot be edited here: it holds ${why === "hidden" ? "text that is hidden" : why === "bytes" ? "bytes that are not text" : "text that is hidden, or bytes that are not text"}.`,
  showFile: "What its lines do",
  by: "by",
  andMorePlaces: (count) => `and ${number(count)} more`,
  overriddenForAll: "overridden for all",
  overriddenFor: (count) => `overridden for ${number(count)}`,
  seenBy: (count) => `seen by ${number(count)}`,
  seenByAll: (count) => count === 1 ? "seen" : `seen by all ${number(count)}`,
  mergedInto: (count) => `merged into ${number(count)}`,
  writesNothing: "This line writes no value of its own.",
  reaches: "For whom",
  widest: (count) => `The line has ${many(count, "value")}: the numbers are those of the widest.`,
  strongerPlaces: "What overrides it",
  forSubjects: (count, words) => `for ${counted(count, words)}`,
  // Findings.
  finding: "Finding",
  filterFindings: "Filter findings",
  groupedBy: "Grouped by",
  byCode: "By kind",
  byFile: "By file",
  dropFilter: "remove this filter",
  severity: "Severity",
  message: "Message",
  where: "Where",
  silenced: (count) => `Show ${number(count)} silenced`,
  silencedBy: { comment: "silenced by a comment", config: "silenced by the configuration", baseline: "silenced by the baseline" },
  tryFix: "Try the fix",
  noFix: "There is no fix for it in this state of the files.",
  // Effects.
  what: "What",
  before: "Before",
  after: "After",
  was: "was",
  changeKind: (kind) => ({ added: "+ added", removed: "− removed", changed: "~ changed", broken: "! breaks", mended: "+ mended", "fails-otherwise": "! fails otherwise", appeared: "+ new", disappeared: "− gone" })[kind] ?? kind,
  because: (kind) => kind === "any" ? "by any of" : kind === "together" ? "together by" : "by",
  editPlace: (file2, whole, line, lines3, before) => whole ? file2 : lines3 === 0 ? `${file2}:${before} (removed)` : lines3 === 1 ? `${file2}:${line}` : `${file2}:${line}-${line + lines3 - 1}`,
  secretChanged: "secret changed",
  fails: "fails",
  ofAll: (count, of) => `${number(count)} of ${number(of)}`,
  effectsSummary: (changed, total, effects, words) => `${number(changed)} of ${counted(total, words)} ${changed === 1 ? "changes" : "change"}: ${many(effects, "distinct effect")}`,
  nobodyChanges: (total, words) => `None of ${counted(total, words)} changes`,
  nothingDiffers: (words) => `No result differs: all ${words} get the same in both states.`,
  truncated: (count, words) => `There are more effects, of ${counted(count, words)}: they are too many to tell apart.`,
  allSubjects: (words) => `All ${words}`,
  unchanged: "nothing changes",
  from: "from:",
  toState: "to:",
  groupings: { effect: "effect", change: "change", path: "path" },
  moreEffects: "More effects",
  editsHeading: "What differs in the files",
  editLines: (before, after, whole) => whole ? "the file as a whole" : before === 0 ? `${many(after, "line")} added` : after === 0 ? `${many(before, "line")} removed` : `${many(before, "line")} became ${number(after)}`,
  hunkNothing: "This place changes nothing.",
  placesOf: (count, idle) => `${many(count, "place")}${idle > 0 ? `, ${number(idle)} of them change${idle === 1 ? "s" : ""} nothing` : ""}`,
  effectNumber: (id) => `effect ${number(id)}`,
  findingsChange: (added, gone) => `Findings: + ${number(added)}, − ${number(gone)}`,
  goneFindings: (count) => `${many(count, "finding")} gone`,
  sameFindings: "Findings stay the same.",
  // What if.
  draft: "Draft",
  draftOf: (count) => `draft, ${many(count, "file")}`,
  noDraft: "no draft yet",
  copyPatch: "Copy patch",
  downloadPatch: "Download patch",
  copyLink: "Copy link",
  linkCopied: "The link is copied: it holds the draft",
  save: "Save",
  saved: (path) => `Saved ${path}`,
  discard: "Discard",
  discardSure: "Discard the draft?",
  discardYes: "Yes, discard",
  discardNo: "Keep it",
  discarded: "The draft is gone",
  draftTooLarge: (length, most) => `The draft is too large for a link (${number(length)} of ${number(most)} characters): copy the patch instead.`,
  draftBroken: "The link holds no draft that can be read.",
  draftMoved: "The file changed since this draft began.",
  draftTakesBack: "The effects are those of the text of the draft, which takes that change back.",
  draftGone: "The file is gone since this draft began.",
  draftAsNew: "Make it a new file",
  reapply: "Re-apply the draft to the new text",
  linkReplaces: "The link holds a draft of a file that you have a draft of. Replace yours?",
  conflict: (path) => `The draft of ${path} does not fit the file as it is now.`,
  versionBase: "What the draft began from",
  versionMine: "The draft",
  versionTheirs: "The file now",
  filesOfDraft: "Files of the draft",
  whatIfEmpty: "Choose a file to try an edit in. Nothing is written: the edit is a draft, shown with what it would change.",
  chooseFile: "Choose a file",
  effects: "Effects",
  typeToSee: (words) => `Change the text: for whom it changes what, of all ${words}, appears here while you type. Nothing is written.`,
  staleEffects: "The draft cannot be read: these are the effects of the last text that could.",
  editorLabel: (path) => `${path}. Press Escape, then Tab, to leave the editor.`,
  overridesIt: (count, words) => `${counted(count, words)} override${count === 1 ? "s" : ""} this line`,
  // Set for ….
  setFor: "Set for …",
  setTitle: "Set",
  setValue: "Value, as YAML",
  setRemoves: "Remove it instead: there is to be nothing",
  setWhom: "For whom",
  setSome: "those that fit",
  setSomeHow: "Names with * and ?, or facts: role=web, db*",
  setAsk: "Find where to write it",
  setBusy: "Trying the files …",
  setSelected: (selected, of, already, words) => `${number(selected)} of ${counted(of, words)} ${selected === 1 ? "is" : "are"} meant, ${number(already)} of them have it already.`,
  setNothing: "There is nothing to do.",
  setImpossible: "No edit of a file gives them this value:",
  setMissed: (count, words) => `(${counted(count, words)} would not get it)`,
  setOperation: (op, isNew) => isNew ? "new file" : op === "set" ? "set" : "removed",
  setReaches: (selected, others, words) => `Reaches ${selected === 1 ? "the one" : `all ${number(selected)}`} ${others === 0 ? "and changes nobody else." : `and changes ${counted(others, `other ${words}`)}:`}`,
  setDiff: "The change as a diff",
  setHidden: "The file holds secrets: its text is not shown. Write the value there yourself.",
  setTake: "Put into the draft",
  taken: "It is in the draft: look at what it changes",
  // Matrix.
  key: "Key",
  matrixKeys: "Keys to show, with * and ?",
  showEqual: "Also what is equal everywhere",
  copyAs: "Copy as",
  matrixSummary: (keys, groups, subjects, words) => `${many(keys, "key")}, ${counted(subjects, words)} in ${many(groups, "group")}`,
  matrixTruncated: "There is more than can be shown: choose keys or subjects.",
  matrixAllEqual: (count, words) => `All ${words} agree on ${many(count, "key")}: nothing differs.`,
  matrixNothing: "No key fits.",
  matrixEmpty: (words) => `No file gives the ${words} a value.`,
  valuesColumn: "Values",
  values: (count) => many(count, "value"),
  groupOf: (count, words, sample) => `${counted(count, words)}${sample === "" ? "" : `: ${sample} …`}`,
  onlyResult: "the result",
  sameAsFirst: "the same",
  noValue: "none",
  equalKeys: (count) => `… ${many(count, "key is", "keys are")} equal everywhere.`,
  showThem: "Show them",
  onlyThisKey: "Only this key"
};

// src/parts/code-help.tsx
function CodeHelp() {
  const code = explained.value;
  const box = T(null);
  const answer = useAnswer(code === void 0 ? void 0 : code, async (signal) => {
    const text2 = await asset(code.startsWith("check.") ? "check.md" : "errors.md", signal);
    return findCode(text2, code) ?? null;
  });
  A(() => {
    if (code !== void 0 && box.current?.open === false) box.current.showModal();
  }, [code]);
  if (code === void 0) return null;
  const found = answer.key === code ? answer.value : void 0;
  return a(
    "dialog",
    {
      ref: box,
      class: "help",
      "aria-labelledby": "code-title",
      onClose: () => explained.value = void 0,
      onClick: (event) => event.target === box.current && box.current?.close(),
      children: [
        a("div", { class: "pane-head", children: [
          a("h2", { id: "code-title", class: "code", children: escaped(code) }),
          a("button", { type: "button", class: "close", "aria-label": T3.close, onClick: () => box.current?.close(), children: "×" })
        ] }),
        answer.error && a("p", { children: T3.noAnswer }),
        found === null && a("p", { children: T3.codeUnknown }),
        found && a("dl", { children: [
          a("dt", { children: T3.codeMeans }),
          a("dd", { children: a(Inline, { text: found.means }) }),
          found.wayOut !== "" && a($, { children: [
            a("dt", { children: T3.codeWayOut }),
            a("dd", { children: a(Inline, { text: found.wayOut }) })
          ] })
        ] })
      ]
    }
  );
}
function Inline({ text: text2 }) {
  return a($, { children: inline(text2).map((piece, index) => piece.code ? a("code", { children: piece.text }, index) : piece.text) });
}

// src/pure/lines.ts
var LONG2 = 1 << 16;
var PART = 1 << 15;
var BETWEEN = "}, {";
var LISTS = { effect: ["changes"], done: ["edits", "cause_sets"] };
var pause = () => new Promise((resolve) => setTimeout(resolve, 0));
async function objects(line, from) {
  const read = [];
  let next = from;
  for (let end = line.indexOf(BETWEEN, next + PART), fails = 0; end >= 0 && fails < 3; end = line.indexOf(BETWEEN, end + 1)) {
    try {
      read.push(...parseExact(`[${line.slice(next, end + 1)}]`));
    } catch {
      fails += 1;
      continue;
    }
    await pause();
    fails = 0;
    next = end + 3;
    end = next + PART;
  }
  return { read, next };
}
async function parseLine(line) {
  if (line.length < LONG2) return parseExact(line);
  const [, kind = ""] = /^\{"(\w+)": \{/.exec(line) ?? [];
  let rest = line;
  const lists = [];
  for (const name of LISTS[kind] ?? []) {
    const head = `"${name}": [`;
    const from = rest.indexOf(head) + head.length;
    if (from < head.length) continue;
    const { read, next } = await objects(rest, from);
    rest = rest.slice(0, from) + rest.slice(next);
    lists.push([name, read]);
  }
  await pause();
  const whole = parseExact(rest);
  for (const [name, read] of lists) whole[kind][name] = read.concat(whole[kind][name]);
  await pause();
  return whole;
}

// src/api-streams.ts
async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      const whole = value.split("\n");
      whole[0] = rest + whole[0];
      rest = whole.pop();
      for (const line of whole) if (line !== "") yield await parseLine(line);
    }
    if (rest.trim() !== "") yield await parseLine(rest);
  } finally {
    await reader.cancel().catch(() => void 0);
  }
}
async function* whatIf(name, body, checks, signal) {
  const headers = { "Content-Type": "application/json" };
  yield* lines(await ask(target(`${projectPath(name)}/what-if`, { causes: "sets", ...checks ? {} : { findings: 0 } }), { method: "POST", headers, body: JSON.stringify(body), signal }));
}
async function* compare(name, query, signal) {
  yield* lines(await ask(target(`${projectPath(name)}/compare`, { causes: "sets", ...query }), { signal }));
}

// src/parts/slices.ts
function useSlices(count, size) {
  const [drawn, setDrawn] = d(size);
  A(() => {
    if (drawn >= count) return void 0;
    const timer = setTimeout(() => setDrawn(drawn + size), 0);
    return () => clearTimeout(timer);
  }, [drawn, count, size]);
  return Math.min(drawn, count);
}
function useMade(of, make) {
  const made = w(() => /* @__PURE__ */ new Map(), of);
  return (one) => {
    if (!made.has(one)) made.set(one, make(one));
    return made.get(one);
  };
}

// src/parts/changes.tsx
var FIRST = 50;
var SLICE = 5;
function causesOf(change, done) {
  if (change.cause_set !== void 0) return done?.cause_sets?.[change.cause_set];
  return change.causes === void 0 ? void 0 : { kind: change.cause_kind ?? "each", edits: change.causes };
}
function Changes({ changes, done, most = FIRST }) {
  const [count, setCount] = d(most);
  const shown = changes.slice(0, useSlices(Math.min(count, changes.length), SLICE));
  const row = useMade([done], (change) => a(ChangeRow, { change, done }));
  return a($, { children: [
    a("table", { class: "changes", children: [
      a("thead", { children: a("tr", { children: [
        a("th", { scope: "col", children: T3.what }),
        a("th", { scope: "col", children: T3.before }),
        a("th", { scope: "col", children: T3.after })
      ] }) }),
      a("tbody", { children: shown.map(row) })
    ] }),
    count < changes.length && a("button", { type: "button", onClick: () => setCount(count + 4 * FIRST), children: T3.more(changes.length - count) })
  ] });
}
var FIRST_CAUSES = 5;
function ChangeRow({ change, done }) {
  const found = causesOf(change, done);
  const ids = found?.edits ?? [];
  const causes = ids.slice(0, FIRST_CAUSES).flatMap((id) => done?.edits[id - 1] ? [done.edits[id - 1]] : []);
  return a("tr", { class: `change change-${change.kind}`, children: [
    a("th", { scope: "row", children: [
      a("span", { class: "change-kind", children: T3.changeKind(change.kind) }),
      " ",
      a("span", { class: "code", children: a(Text, { text: change.item === "" ? change.path || "/" : `${change.item}${change.path}`, lines: false }) }),
      change.from !== void 0 && change.from !== change.path && a("span", { class: "quiet", children: [
        " ",
        T3.was,
        " ",
        a(Text, { text: change.from, lines: false })
      ] }),
      causes.length > 0 && a("span", { class: "causes quiet", children: [
        T3.because(found.kind),
        " ",
        causes.map((edit) => a("span", { title: edit.file, children: [
          escaped(shortened(T3.editPlace(edit.file, edit.whole === true, edit.after.line, edit.after.lines, edit.before.line), 34)),
          " "
        ] }, edit.id)),
        ids.length > causes.length && T3.andMore(ids.length - causes.length)
      ] })
    ] }),
    a("td", { children: a(SideText, { side: change.before, gone: true }) }),
    a("td", { children: a(SideText, { side: change.after, secretChanged: isSecret(change.before) && isSecret(change.after) }) })
  ] });
}
function SideText({ side, gone = false, secretChanged = false }) {
  if (side === null) return a("span", { class: "quiet", children: T3.nothing });
  if (side.error) {
    return a("span", { class: "message", children: [
      a(Text, { text: side.error.message }),
      " [",
      side.error.code,
      "]"
    ] });
  }
  const value = a(ValueText, { side, most: 200 });
  return a($, { children: [
    gone ? a("del", { children: value }) : a("ins", { children: value }),
    secretChanged && a("span", { children: [
      " ",
      T3.secretChanged
    ] }),
    side.file != null && a("span", { class: "quiet change-place", children: a(PlaceText, { place: { ...side, file: side.file }, most: 22 }) })
  ] });
}
function EffectText({ effect: effect2, done, open = false, onOpen }) {
  const [opened, setOpened] = d(open);
  const of = done?.subjects.total;
  const [names, setNames] = d(void 0);
  const [refused, setRefused] = d(void 0);
  const words = T3.subjectWords(project.value, effect2.count);
  const shown = names ?? effect2.subjects;
  const all = () => {
    effect(here.value.project, effect2.id, done?.run).then(
      (answer) => setNames(answer.subjects),
      (error) => {
        if (!(error instanceof Refused)) throw error;
        setRefused(error.message);
      }
    );
  };
  const first = effect2.changes[0];
  return a("details", { class: "effect-group", id: `effect-${effect2.id}`, open, onToggle: (event) => (event.currentTarget.open && setOpened(true), onOpen?.(event.currentTarget.open)), children: [
    a("summary", { children: [
      a("span", { class: "effect-count", children: [
        a("span", { class: "quiet", children: effect2.id }),
        " ",
        a("b", { children: T3.number(effect2.count) }),
        " ",
        words
      ] }),
      " ",
      a("span", { class: "effect-first", children: [
        first && a($, { children: [
          a("span", { class: "code", children: a(Text, { text: first.item === "" ? first.path || "/" : `${first.item}${first.path}`, lines: false }) }),
          " ",
          first.before && !first.before.error && a(ValueText, { side: first.before, most: 30 }),
          " → ",
          first.after ? first.after.error ? a("b", { class: "warn", children: T3.fails }) : a(ValueText, { side: first.after, most: 30 }) : T3.gone
        ] }),
        effect2.changes.length > 1 && a("span", { class: "quiet", children: [
          " ",
          T3.andMore(effect2.changes.length - 1)
        ] })
      ] })
    ] }),
    (opened || open) && a($, { children: [
      a("p", { class: "effect-names", children: [
        shown.slice(0, 1e3).map((one) => a("span", { children: [
          a(Link, { to: to("subject", one), children: a(Text, { text: one, lines: false }) }),
          " "
        ] }, one)),
        !names && effect2.count > effect2.subjects.length && a("button", { type: "button", class: "link", onClick: all, children: T3.allOf(effect2.count) }),
        names && names.length > 1e3 && T3.more(names.length - 1e3),
        refused !== void 0 && a("span", { class: "warn", children: refused }),
        of !== void 0 && a("span", { class: "quiet", children: [
          " ",
          T3.ofAll(effect2.count, of)
        ] })
      ] }),
      a(Changes, { changes: effect2.changes, done })
    ] })
  ] });
}

// src/parts/stream.ts
var NO_EFFECTS = { subject: void 0, progress: void 0, effects: [], done: void 0, error: void 0 };
var DRAWN_EACH = 60;
async function readEffects(stream, signal, draw) {
  let found = NO_EFFECTS;
  let drawn = 0;
  let timer;
  const effects = [];
  const show = () => {
    clearTimeout(timer);
    timer = void 0;
    if (signal.aborted) return;
    drawn = performance.now();
    found = { ...found, effects: [...effects] };
    draw(found);
  };
  try {
    for await (const line of stream) {
      if (signal.aborted) return found;
      if ("subject" in line) found = { ...found, subject: line.subject };
      else if ("progress" in line) found = { ...found, progress: line.progress };
      else if ("effect" in line) effects.push(line.effect);
      else if ("done" in line) found = { ...found, done: line.done, progress: void 0 };
      else found = { ...found, error: line.error, progress: void 0 };
      if (performance.now() - drawn >= DRAWN_EACH) {
        show();
        await new Promise((resolve) => setTimeout(resolve, 0));
      } else {
        timer ??= setTimeout(show, DRAWN_EACH);
      }
    }
  } finally {
    clearTimeout(timer);
  }
  found = { ...found, effects };
  if (!signal.aborted) draw(found);
  return found;
}

// src/parts/finding.tsx
function FindingText({ finding, withPlace = true }) {
  return a("div", { class: `diagnostic diagnostic-${finding.severity}`, children: [
    a("p", { children: [
      a(SeverityText, { severity: finding.severity }),
      " ",
      a(Text, { text: finding.message }),
      " ",
      a(Code, { code: finding.code })
    ] }),
    withPlace && finding.file && a("p", { children: a(PlaceText, { place: { file: finding.file, line: finding.line ?? null, column: finding.column ?? null }, column: true }) }),
    finding.notes.map((note, index) => a("p", { children: [
      T3.note,
      " ",
      a(Text, { text: note.message }),
      " ",
      note.file && a(PlaceText, { place: { file: note.file, line: note.line ?? null, column: note.column ?? null }, column: true })
    ] }, index)),
    finding.hint && a("p", { children: [
      T3.hint,
      " ",
      a(Text, { text: finding.hint })
    ] }),
    finding.silenced_by && a("p", { class: "quiet", children: [
      T3.silencedBy[finding.silenced_by],
      finding.reason && a($, { children: [
        ": ",
        a(Text, { text: finding.reason })
      ] })
    ] })
  ] });
}

// src/pure/hunks.ts
var AROUND = 2;
function hunkLines(hunk, before, after) {
  const lines3 = (from, sign, first, count) => from.slice(Math.max(0, first - 1), Math.max(0, first - 1 + count)).map((text2, index) => ({ sign, number: Math.max(1, first) + index, text: text2 }));
  const { line: old, lines: gone } = hunk.whole ? { line: 1, lines: before.length } : hunk.before;
  const { line: now, lines: come } = hunk.whole ? { line: 1, lines: after.length } : hunk.after;
  const begin2 = Math.max(1, now - AROUND);
  return [
    ...lines3(after, " ", begin2, now - begin2),
    ...lines3(before, "-", old, gone),
    ...lines3(after, "+", now, come),
    ...hunk.whole ? [] : lines3(after, " ", now + come, AROUND)
  ];
}

// src/compare/hunks.tsx
var FIRST2 = 100;
var MOST_LINES = 1e4;
var FIRST_PLACES = 50;
var MOST_SHOWN = 60;
var SLICE2 = 3;
function causedBy(effects, done) {
  const found = /* @__PURE__ */ new Map();
  for (const effect2 of effects) {
    const told2 = /* @__PURE__ */ new Set();
    for (const change of effect2.changes) {
      if (change.cause_set !== void 0 && told2.has(change.cause_set)) continue;
      told2.add(change.cause_set);
      for (const id of causesOf(change, done)?.edits ?? []) {
        const mine = found.get(id) ?? [];
        if (mine.at(-1)?.effect !== effect2) mine.push({ effect: effect2, change });
        found.set(id, mine);
      }
    }
  }
  return found;
}
function Edits({ done, effects, from, to: to2 }) {
  const { edits: edits2, subjects: totals } = done;
  const [most, setMost] = d(FIRST2);
  const caused = w(() => causedBy(effects, done), [effects, done]);
  const byFile = w(() => {
    const found = /* @__PURE__ */ new Map();
    for (const edit of edits2) {
      const mine = found.get(edit.file);
      if (mine) mine.push(edit);
      else found.set(edit.file, [edit]);
    }
    return [...found];
  }, [edits2]);
  return a("section", { children: [
    a("h2", { children: T3.editsHeading }),
    byFile.slice(0, most).map(([file2, mine], index) => a(FileEdits, { file: file2, edits: mine, caused, totals, from, to: to2, first: index === 0 }, file2)),
    byFile.length > most && a("button", { type: "button", onClick: () => setMost(most + FIRST2), children: T3.more(byFile.length - most) })
  ] });
}
function useLines(file2, revision, wanted) {
  const { project: name } = here.value;
  const answer = useAnswer(wanted ? JSON.stringify([name, revision, file2, "lines"]) : void 0, (signal) => file(name, revision, file2, 1, MOST_LINES, signal));
  const missing = answer.error?.status === 404;
  const lines3 = w(() => missing ? [] : answer.value?.lines.map((line) => line.text), [missing, answer.value]);
  return { lines: lines3, busy: answer.busy, refused: missing ? void 0 : answer.error };
}
function FileEdits({ file: file2, edits: edits2, caused, totals, from, to: to2, first }) {
  const [open, setOpen] = d(first);
  const [most, setMost] = d(FIRST_PLACES);
  const drawn = useSlices(Math.min(most, edits2.length), SLICE2);
  const before = useLines(file2, from, open);
  const after = useLines(file2, to2, open);
  const idle = w(() => edits2.filter((edit) => !caused.has(edit.id)).length, [edits2, caused]);
  const hunk = useMade([before.lines, after.lines, caused], (edit) => a("div", { class: "hunk", children: [
    a(HunkText, { edit, before: before.lines, after: after.lines }),
    a(CausedText, { mine: caused.get(edit.id) ?? [] })
  ] }, edit.id));
  const refused = before.refused ?? after.refused;
  return a("details", { class: "file-edits", open, onToggle: (event) => setOpen(event.currentTarget.open), children: [
    a("summary", { children: [
      a("span", { class: "code", children: a(Text, { text: file2, lines: false }) }),
      " ",
      a("span", { class: "quiet", children: T3.placesOf(edits2.length, totals.changed > 0 ? idle : edits2.length) })
    ] }),
    refused && a(RefusedText, { error: refused }),
    open && !refused && (before.lines === void 0 || after.lines === void 0) && a(Loading, { label: T3.loadingFile }),
    before.lines && after.lines && edits2.slice(0, drawn).map(hunk),
    before.lines && after.lines && edits2.length > most && a("button", { type: "button", onClick: () => setMost(most + FIRST_PLACES), children: T3.more(edits2.length - most) })
  ] });
}
function HunkText({ edit, before, after }) {
  const [all, setAll] = d(false);
  const lines3 = hunkLines(edit, before, after);
  const shown = all ? lines3 : lines3.slice(0, MOST_SHOWN);
  return a("div", { children: [
    a("p", { children: [
      a(PlaceText, { place: { file: edit.file, line: edit.whole ? 1 : Math.max(1, edit.after.line) } }),
      " ",
      a("span", { class: "quiet", children: T3.editLines(edit.before.lines, edit.after.lines, edit.whole === true) })
    ] }),
    lines3.length > 0 && a("pre", { class: "excerpt diff", tabIndex: 0, "aria-label": T3.setDiff, children: shown.map((line, index) => a("span", { class: line.sign === "+" ? "added" : line.sign === "-" ? "gone" : "", children: [
      a("span", { class: "quiet", children: [
        String(line.number).padStart(5),
        " "
      ] }),
      line.sign,
      " ",
      a(Text, { text: line.text, lines: false }),
      "\n"
    ] }, index)) }),
    shown.length < lines3.length && a("button", { type: "button", class: "link", onClick: () => setAll(true), children: T3.more(lines3.length - shown.length) })
  ] });
}
function CausedText({ mine }) {
  if (mine.length === 0) return a("p", { class: "caused quiet", children: T3.hunkNothing });
  return a("ul", { class: "caused entries", children: [
    mine.slice(0, 10).map(({ effect: effect2, change }) => a("li", { children: [
      a("button", { type: "button", class: "link", onClick: () => (refine({ effect: String(effect2.id) }), document.getElementById(`effect-${effect2.id}`)?.scrollIntoView()), children: T3.effectNumber(effect2.id) }),
      " ",
      a("b", { children: T3.countWords(effect2.count, T3.subjectWords(project.value, effect2.count)) }),
      ":",
      " ",
      a("span", { class: "code", children: a(Text, { text: change.item === "" ? change.path || "/" : `${change.item}${change.path}`, lines: false }) })
    ] }, effect2.id)),
    mine.length > 10 && a("li", { class: "quiet", children: T3.more(mine.length - 10) })
  ] });
}

// src/compare/page.tsx
var FIRST3 = 100;
function ComparePage() {
  const { project: name, query } = here.value;
  const [first, setFirst] = d(FIRST3);
  const [state, setState] = d({ ...NO_EFFECTS, busy: true, refused: void 0 });
  const key = JSON.stringify([name, query.from, query.to, query.by, query.subject, first]);
  const now = generation.value;
  A(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true, refused: void 0 }));
    const stream = compare(name, { from: query.from, to: query.to, by: query.by, subject: query.subject, first, findings: checksStates.value ? void 0 : 0 }, control.signal);
    const end = begin(T3.comparing, () => (control.abort(), setState((old) => ({ ...old, busy: false }))));
    readEffects(stream, control.signal, (effects2) => setState({ ...effects2, busy: true, refused: void 0 })).then(
      (effects2) => {
        if (!control.signal.aborted) setState({ ...effects2, busy: false, refused: void 0 });
      },
      (error2) => {
        if (control.signal.aborted) {
          setState((old) => ({ ...old, busy: false }));
          return;
        }
        if (!(error2 instanceof Refused)) throw error2;
        if (error2.status === 0) lost();
        setState((old) => ({ ...old, busy: false, refused: error2 }));
      }
    ).finally(end);
    return () => control.abort();
  }, [key, now]);
  const { effects, done, error, progress } = state;
  const settled = useSettled(done, 0);
  const words = T3.subjectWords(project.value);
  const open = Number(query.effect ?? "1");
  useMiss(done !== void 0 && query.effect !== void 0 && open > Math.max(done.effects, done.more?.effects ?? 0) && `effect=${query.effect}`);
  return a($, { children: [
    a(Heading, { title: T3.pages.compare, children: a("p", { class: "quiet", children: done && T3.effectsSummary(done.subjects.changed, done.subjects.total, done.more?.effects ?? effects.length, words) }) }),
    a("div", { class: "tools", role: "toolbar", "aria-label": T3.filters, children: [
      a(RevisionPicker, { label: T3.from, value: query.from ?? "HEAD", none: "HEAD", onValue: (value) => turn({ from: value, effect: void 0 }) }),
      a(RevisionPicker, { label: T3.toState, value: query.to, none: T3.workingTree, onValue: (value) => turn({ to: value, effect: void 0 }) }),
      a("label", { class: "switch", children: [
        T3.groupedBy,
        " ",
        a("select", { value: query.by ?? "effect", onChange: (event) => turn({ by: event.currentTarget.value === "effect" ? void 0 : event.currentTarget.value, effect: void 0 }), children: ["effect", "change", "path"].map((one) => a("option", { value: one, children: T3.groupings[one] }, one)) })
      ] })
    ] }),
    state.refused && a(RefusedText, { error: state.refused }),
    error && a(DiagnosticText, { diagnostic: error }),
    state.busy && !done && (progress ? a(Progress, { progress, words }) : effects.length === 0 && a(Loading, { label: T3.comparing })),
    a("div", { class: `scrolls ${state.busy && done ? "dimmed" : ""}`, children: [
      done && effects.length === 0 && a(Empty, { children: T3.nothingDiffers(words) }),
      state.subject && query.subject !== void 0 && a("section", { children: [
        a("h2", { children: a(Text, { text: query.subject, lines: false }) }),
        a(Changes, { changes: state.subject, done })
      ] }),
      effects.map((effect2) => a(
        EffectText,
        {
          effect: effect2,
          done,
          open: effect2.id === open,
          onOpen: (opens) => {
            if (opens && here.value.page === "compare") refine({ effect: String(effect2.id) });
          }
        },
        `${key}${effect2.id}`
      )),
      done?.truncated && a("p", { children: T3.truncated(done.more?.subjects ?? 0, words) }),
      effects.length >= first && a("button", { type: "button", onClick: () => setFirst(first + FIRST3), children: T3.moreEffects }),
      done && settled === done && done.edits.length > 0 && a(Edits, { done, effects, from: query.from ?? "HEAD", to: query.to }),
      done?.findings && a(NewFindings, { found: done.findings }),
      done?.diagnostics.map((diagnostic, index) => a(DiagnosticText, { diagnostic }, index))
    ] })
  ] });
}
function Progress({ progress, words }) {
  return a("p", { class: "progress", role: "status", children: [
    a("progress", { value: progress[0], max: progress[1], "aria-label": T3.comparing }),
    " ",
    T3.countOf(progress[0], progress[1], words),
    progress[0] === progress[1] && ` · ${T3.checking}`
  ] });
}
function NewFindings({ found }) {
  if (found.new.length + found.gone.length === 0) return null;
  return a("section", { children: [
    a("h2", { children: T3.findingsChange(found.new.length, found.gone.length) }),
    found.new.map((finding) => a(FindingText, { finding }, finding.fingerprint)),
    found.gone.length > 0 && a("details", { children: [
      a("summary", { children: T3.goneFindings(found.gone.length) }),
      found.gone.map((finding) => a(FindingText, { finding }, finding.fingerprint))
    ] })
  ] });
}

// src/parts/pane.tsx
function Pane(props) {
  const pane = useShown(props.about);
  A(() => {
    if (props.enters !== void 0) pane.current?.focus({ preventScroll: true });
  }, [props.enters]);
  return a(
    "aside",
    {
      ref: pane,
      class: `pane ${props.class ?? ""}`,
      "aria-label": props.label,
      tabIndex: -1,
      onKeyDown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onClose();
      },
      children: [
        a("div", { class: "pane-head", children: [
          a("h2", { children: a(Text, { text: props.title, lines: false }) }),
          a("button", { type: "button", class: "close", "aria-label": T3.close, title: T3.closeKey, onClick: props.onClose, children: "×" })
        ] }),
        props.children
      ]
    }
  );
}

// src/pure/folds.ts
var indentOf2 = (text2) => /^ */.exec(text2)[0].length;
var isSignificant = (text2) => !/^\s*(#.*)?$/.test(text2);
var isItem = (text2) => /^ *-( |$)/.test(text2);
function folds(texts) {
  const found = new Array(texts.length).fill(0);
  const open = [];
  let last = -1;
  const close = (until) => {
    while (open.length > until) {
      const one = open.pop();
      found[one.line] = Math.max(0, last - one.line);
    }
  };
  texts.forEach((text2, line) => {
    if (!isSignificant(text2)) return;
    const indent = indentOf2(text2);
    const item = isItem(text2);
    let keeps = open.length;
    while (keeps > 0) {
      const around2 = open[keeps - 1];
      if (around2.indent < indent || around2.indent === indent && item && !around2.item) break;
      keeps -= 1;
    }
    close(keeps);
    last = line;
    open.push({ line, indent, item });
  });
  close(0);
  return found;
}
function unfolded(count, below, folded) {
  const seen = [];
  for (let line = 0; line < count; line += 1) {
    seen.push(line);
    if (folded.has(line)) line += below[line] ?? 0;
  }
  return seen;
}
function around(below, line) {
  for (let outer = line - 1; outer >= 0; outer -= 1) if (outer + (below[outer] ?? 0) >= line) return outer;
  return -1;
}
function depths(below) {
  const ends = [];
  return below.map((more, line) => {
    while (ends.length > 0 && ends.at(-1) < line) ends.pop();
    const depth = ends.length;
    if (more > 0) ends.push(line + more);
    return depth;
  });
}

// src/file/page.tsx
function FilesPage() {
  const { project: name } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, "files"]), (signal) => files(name, at.value, signal));
  const [filter, setFilter] = useTyped("files", "q");
  const files2 = answer.value?.files;
  const visible = w(() => {
    const parsed = parseFilter(filter);
    return files2?.filter((file2) => fits(parsed, file2.file.toLowerCase())) ?? [];
  }, [files2, filter]);
  const [current, setCurrent] = d(-1);
  useHits(filter === "" ? void 0 : visible.length);
  const words = T3.subjectWords(project.value);
  return a($, { children: [
    a(Heading, { title: T3.pages.files, children: a("p", { class: "quiet", children: files2 && T3.countOf(visible.length, files2.length, T3.files) }) }),
    a("div", { class: "tools", children: a(FilterBox, { id: "filter", label: T3.filterFiles, value: filter, onValue: setFilter }) }),
    answer.error && a(RefusedText, { error: answer.error }),
    !files2 && !answer.error && a(Loading, { label: T3.loadingFiles }),
    files2?.length === 0 && a(Empty, { children: T3.nothingWithout(project.value, T3.noFiles) }),
    files2 && files2.length > 0 && visible.length === 0 && a(Empty, { children: T3.nothingFits }),
    visible.length > 0 && a(
      Grid,
      {
        id: "files",
        label: T3.pages.files,
        busy: answer.busy,
        least: 80,
        columns: [
          { name: T3.title(T3.file), width: "minmax(24ch, 2fr)", class: "code" },
          { name: T3.readBy(words), width: "14ch", class: "count" },
          { name: T3.leavesColumn, width: "minmax(16ch, 1fr)" },
          { name: T3.neverVisible, width: "14ch", class: "count" },
          { name: T3.deadOverride, width: "14ch", class: "count" },
          { name: T3.findingsColumn, width: "10ch", class: "count" }
        ],
        count: visible.length,
        current,
        onCurrent: setCurrent,
        onOpen: (row) => go(to("file", visible[row].file)),
        cells: (row) => fileCells(visible[row])
      }
    )
  ] });
}
function fileCells(file2) {
  return [
    a(FileLink, { file: file2.file }),
    file2.read_by === null ? T3.forAll : file2.read_by === 0 ? a("b", { class: "warn", children: T3.nobody }) : T3.number(file2.read_by),
    a(Bar, { leaves: file2.leaves, seen: file2.seen, never: file2.never_visible, dead: file2.dead_override }),
    file2.never_visible > 0 ? T3.number(file2.never_visible) : "",
    file2.dead_override > 0 ? T3.number(file2.dead_override) : "",
    file2.findings ? T3.number(file2.findings) : ""
  ];
}
var PART2 = 5e3;
function useFile(project2, revision, path, effects) {
  const key = JSON.stringify([project2, revision, path]);
  const now = `${generation.value} ${effects}`;
  const [state, setState] = d({
    key: "",
    text: void 0,
    error: void 0,
    busy: true
  });
  A(() => {
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const read = async () => {
      let lines3 = [];
      for (; ; ) {
        const part2 = await file(project2, revision, path, lines3.length + 1, PART2, control.signal, effects ? { effects: 1 } : {});
        lines3 = lines3.concat(part2.lines);
        const more = part2.lines.length > 0 && lines3.length < part2.total;
        setState((old) => more && old.key === key ? old : { key, text: { ...part2, lines: lines3 }, error: void 0, busy: more });
        if (!more) return;
      }
    };
    read().catch((error) => {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      if (error.status === 0) lost();
      setState((old) => ({ key, text: error.status === 0 && old.key === key ? old.text : void 0, error, busy: false }));
    });
    return () => control.abort();
  }, [key, now]);
  return state;
}
var GRID = "lines";
function FilePage() {
  const { project: name, name: path, query } = here.value;
  const [asksEffects, setAsksEffects] = d(false);
  const { text: file2, error, busy, key } = useFile(name, query.at, path, asksEffects);
  const isHere = key === JSON.stringify([name, query.at, path]);
  const wanted = query.line === void 0 ? -1 : Math.max(0, (Number(query.line) || 1) - 1);
  const [current, setCurrent] = d(wanted);
  const words = T3.subjectWords(project.value);
  const opened = query.line !== void 0 && file2 && isHere ? file2.lines[wanted] : void 0;
  useMiss(file2 !== void 0 && isHere && !busy && wanted >= file2.total && `line=${query.line}`);
  const focused = T("");
  const broken = w(() => errorsOf(file2), [file2]);
  const below = w(() => folds(file2?.lines.map((line) => line.text) ?? []), [file2?.lines]);
  const depth = w(() => depths(below), [below]);
  const [folded, setFolded] = d(/* @__PURE__ */ new Set());
  const visible = w(() => unfolded(file2?.lines.length ?? 0, below, folded), [file2?.lines, below, folded]);
  const row = w(() => visible.indexOf(current), [visible, current]);
  const fold = (line) => {
    if ((below[line] ?? 0) === 0) return;
    setFolded((old) => new Set(old.has(line) ? [...old].filter((one) => one !== line) : [...old, line]));
  };
  const reveal = (line) => {
    setFolded((old) => {
      const open2 = new Set(old);
      for (let outer = around(below, line); outer >= 0; outer = around(below, outer)) open2.delete(outer);
      return open2.size === old.size ? old : open2;
    });
  };
  A(() => setFolded(/* @__PURE__ */ new Set()), [path]);
  A(() => {
    if (wanted < 0) return;
    setCurrent(wanted);
    reveal(wanted);
  }, [wanted, path]);
  const [enters, setEnters] = d(0);
  const open = (line) => {
    focused.current = `${path}:${line + 1}`;
    setEnters((old) => old + 1);
    turn({ line: String(line + 1) });
  };
  const close = () => {
    focused.current = "";
    setEnters(0);
    turn({ line: void 0 });
    focusGrid(GRID);
  };
  A(() => {
    if (!file2 || !isHere || query.line === void 0 || focused.current === `${path}:${query.line}`) return;
    focused.current = `${path}:${query.line}`;
    focusGrid(GRID);
  }, [file2, isHere, path, query.line]);
  const latest = useLatest({ lines: file2?.lines ?? [], current });
  A(() => {
    const step = (direction) => {
      const { lines: lines3, current: from } = latest.current;
      for (let row2 = from + direction; row2 >= 0 && row2 < lines3.length; row2 += direction) {
        const line = lines3[row2];
        if ((line.findings?.length ?? 0) > 0 || (line.overridden ?? 0) > 0) {
          reveal(row2);
          setCurrent(row2);
          focusGrid(GRID);
          return;
        }
      }
      told.value = T3.noMoreMarks;
    };
    return onKey({ n: () => step(1), N: () => step(-1), y: () => void copy(path).then((copied) => told.value = copied ? T3.copiedPath(path) : T3.notCopied) });
  }, [path]);
  if (isUnknownFile(error)) return a(UnknownFile, { name: path, error, page: "file" });
  return a($, { children: [
    a(Heading, { title: path, path: true, crumbs: [{ text: T3.pages.files, to: to("files") }], children: a("span", { class: "buttons", children: [
      file2?.editable !== false && a(Link, { class: "button primary", to: to("what-if", path), children: T3.tryEdit }),
      a(Link, { class: "button", to: to("findings", "", { file: path }), children: T3.pages.findings })
    ] }) }),
    file2 && isHere && a("p", { class: `quiet ${file2.read_by === 0 || file2.hidden ? "banner" : ""}`, children: [
      file2.read_by === null ? T3.readForAll(words) : file2.read_by === 0 ? T3.unusedFile(words) : T3.fileReadBy(file2.read_by, file2.subjects, T3.subjectWords(project.value, file2.subjects)),
      file2.hidden ? ` ${T3.fileHidden}` : !file2.editable && ` ${T3.notEditable(whyNot(file2.lines))}`
    ] }),
    file2 && isHere && !file2.effects && a("p", { class: "banner", children: [
      T3.largeFile,
      " ",
      a("button", { type: "button", onClick: () => setAsksEffects(true), children: T3.showEffects })
    ] }),
    broken.length > 0 && a("div", { role: "alert", children: [
      a("p", { children: a("b", { children: T3.fileError }) }),
      broken.map((finding) => a(FindingText, { finding }, finding.fingerprint))
    ] }),
    file2?.findings.map((finding) => !broken.includes(finding) && a(FindingText, { finding, withPlace: false }, finding.fingerprint)),
    error && a(RefusedText, { error }),
    !file2 && busy && a(Loading, { label: T3.loadingFile }),
    file2 && file2.lines.length === 0 && !busy && !file2.hidden && a(Empty, { children: T3.emptyFile }),
    file2 && file2.lines.length > 0 && a("div", { class: `split ${opened ? "has-pane" : ""}`, children: [
      a("div", { class: "main-pane", children: a(
        Grid,
        {
          id: GRID,
          label: T3.linesOf(escaped(path)),
          tree: true,
          busy,
          least: 70,
          columns: [
            { name: T3.line, width: `${Math.max(7, String(file2.total).length + 3)}ch`, class: "line-number" },
            { name: T3.effect, width: "minmax(30ch, 1fr)", class: "effect" },
            { name: T3.text, width: "minmax(30ch, 2fr)", class: "code" }
          ],
          count: visible.length,
          current: row,
          onCurrent: (next) => setCurrent(visible[next] ?? -1),
          onOpen: (next) => open(visible[next]),
          onEscape: opened ? close : void 0,
          onFold: (next) => fold(visible[next]),
          onParent: (next) => {
            const outer = around(below, visible[next]);
            if (outer >= 0) setCurrent(outer);
          },
          state: (next) => {
            const line = visible[next];
            return {
              level: (depth[line] ?? 0) + 1,
              ...(below[line] ?? 0) > 0 ? { expanded: !folded.has(line) } : {},
              class: lineClass(summed(file2.lines, line, folded.has(line) ? below[line] : 0))
            };
          },
          cells: (next) => {
            const number2 = visible[next];
            const more = folded.has(number2) ? below[number2] : 0;
            const line = file2.lines[number2];
            if (!line) return void 0;
            const text2 = line.text.length > LONG ? `${line.text.slice(0, BEGINNING)}…` : line.text;
            return [
              String(line.line),
              a(Effect, { line: summed(file2.lines, number2, more), of: file2.read_by ?? file2.subjects }),
              a($, { children: [
                a("span", { class: "line", children: indentOf(text2) }),
                (below[number2] ?? 0) > 0 ? a("span", { class: `twist ${more > 0 ? "" : "open"}`, "aria-hidden": "true", onClick: (event) => (event.stopPropagation(), fold(number2)) }) : a("span", { class: "no-twist" }),
                a("span", { class: "line", children: a(Text, { text: text2.slice(indentOf(text2).length), lines: false }) }),
                more > 0 && a("span", { class: "folded", children: [
                  " ",
                  T3.lines(more)
                ] })
              ] })
            ];
          }
        }
      ) }),
      opened && a(LinePane, { line: opened, file: file2, enters, onClose: close })
    ] })
  ] });
}
var isUnknownFile = (error) => error?.status === 404 || error?.errors[0]?.code === "tree.outside";
function UnknownFile({ name, error, page }) {
  const { project: of, query } = here.value;
  const all = useAnswer(JSON.stringify([of, query.at, "near"]), (signal) => files(of, query.at, signal));
  return a(Unknown, { what: T3.file, name, error, near: all.value?.files.map((one) => one.file) ?? [], page });
}
function errorsOf(file2) {
  const most = 3;
  const all = [...file2?.findings ?? [], ...file2?.lines.flatMap((line) => line.findings ?? []) ?? []];
  return all.filter((one) => one.severity === "error" && !one.code.startsWith("check.")).slice(0, most);
}
function summed(lines3, at2, more) {
  const line = lines3[at2];
  if (!line || more === 0) return line;
  const all = lines3.slice(at2, at2 + more + 1);
  const most = (count) => all.reduce((found, one) => Math.max(found, count(one) ?? 0), 0);
  return {
    ...line,
    leaves: all.reduce((sum, one) => sum + one.leaves, 0),
    won: most((one) => one.won),
    merged: most((one) => one.merged),
    shadowed: most((one) => one.shadowed),
    removed: most((one) => one.removed),
    overridden: most((one) => one.overridden),
    findings: all.flatMap((one) => one.findings ?? [])
  };
}
function has(line, code) {
  return line?.findings?.some((finding) => finding.code === `check.${code}`) ?? false;
}
function lineClass(line) {
  if (!line || line.leaves === 0) return has(line, "never-visible") ? "never" : "";
  const { won = 0, merged = 0, overridden = 0 } = line;
  if (has(line, "never-visible") || won + merged === 0 && overridden > 0) return "never";
  return has(line, "dead-override") ? "dead" : "";
}
function Effect({ line, of }) {
  const parts = [];
  const own = line.findings ?? [];
  for (const finding of own) {
    parts.push(
      a("span", { class: `mark mark-${finding.severity}`, title: escaped(finding.message), children: [
        a(Sign, { name: "finding" }),
        " ",
        T3.findingShort(finding.code)
      ] }, finding.fingerprint)
    );
  }
  if (line.leaves > 0) {
    const { won = 0, merged = 0, overridden: lost2 = 0 } = line;
    const seen = Math.max(won, merged);
    if (lost2 > 0 && !has(line, "never-visible")) {
      parts.push(
        a("span", { children: [
          seen === 0 ? T3.overriddenForAll : T3.overriddenFor(lost2),
          a(By, { line })
        ] }, "lost")
      );
    }
    if (won > 0) parts.push(a("span", { children: won === of ? T3.seenByAll(won) : T3.seenBy(won) }, "won"));
    if (merged > 0) parts.push(a("span", { children: T3.mergedInto(merged) }, "merged"));
  }
  return a($, { children: parts.map((part2, index) => a("span", { children: [
    index > 0 && a("span", { class: "quiet", children: " · " }),
    part2
  ] }, index)) });
}
function By({ line }) {
  const [first, ...more] = line.by ?? [];
  if (!first) return null;
  return a($, { children: [
    " ",
    T3.by,
    " ",
    a(PlaceText, { place: first, most: 24, inGrid: true }),
    " ",
    more.length > 0 && T3.andMorePlaces(more.length)
  ] });
}
function LinePane({ line, file: file2, enters, onClose }) {
  const words = T3.subjectWords(project.value);
  const by = line.by ?? [];
  return a(Pane, { label: T3.lineNumber(line.line), title: T3.lineNumber(line.line), about: line, enters: enters > 0 ? String(enters) : void 0, onClose, children: [
    a("pre", { class: "big", tabIndex: 0, "aria-label": T3.text, children: a(Text, { text: (line.text.length > LONG ? `${line.text.slice(0, BEGINNING)}…` : line.text).slice(indentOf(line.text).length) || " ", lines: false }) }),
    file2.editable && a("p", { class: "buttons", children: a(Link, { class: "button primary", to: to("what-if", file2.file), children: T3.tryEdit }) }),
    line.leaves === 0 ? a("p", { children: file2.traced ? T3.writesNothing : T3.notTraced }) : a("section", { children: [
      a("h3", { children: T3.reaches }),
      a("table", { class: "numbers", children: a("tbody", { children: ["won", "merged", "overridden"].map((fate) => a("tr", { class: (line[fate] ?? 0) === 0 ? "quiet" : "", children: [
        a("th", { scope: "row", children: [
          a("span", { "aria-hidden": "true", children: T3.fateSigns[fate === "overridden" ? "shadowed" : fate] }),
          " ",
          T3.fateFor[fate]
        ] }),
        a("td", { class: "count", children: T3.number(line[fate] ?? 0) }),
        a("td", { children: T3.subjectWords(project.value, line[fate] ?? 0) })
      ] }, fate)) }) }),
      line.leaves > 1 && a("p", { class: "quiet", children: T3.widest(line.leaves) })
    ] }),
    by.length > 0 && a("section", { children: [
      a("h3", { children: T3.strongerPlaces }),
      a("ul", { class: "entries", children: by.map((place, index) => a("li", { children: [
        a(PlaceText, { place, column: true, most: 46 }),
        " ",
        a("span", { class: "quiet", children: T3.forSubjects(place.subjects, words) })
      ] }, index)) })
    ] }),
    (line.findings?.length ?? 0) > 0 && a("section", { children: [
      a("h3", { children: T3.pages.findings }),
      line.findings.map((finding) => a(FindingText, { finding, withPlace: false }, finding.fingerprint))
    ] })
  ] });
}

// src/pure/difference.ts
function lines2(text2) {
  return text2.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
var STEPS = 2e3;
function edits(before, after) {
  let begin2 = 0;
  while (begin2 < before.length && begin2 < after.length && before[begin2] === after[begin2]) begin2 += 1;
  let end = 0;
  while (end < before.length - begin2 && end < after.length - begin2 && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const x = before.slice(begin2, before.length - end);
  const y = after.slice(begin2, after.length - end);
  if (x.length === 0 && y.length === 0) return [];
  const matched = matches(x, y);
  const found = [];
  let i = 0;
  let j = 0;
  for (const [mi, mj] of [...matched, [x.length, y.length]]) {
    if (i < mi || j < mj) found.push({ line: begin2 + i + 1, removed: x.slice(i, mi), added: y.slice(j, mj) });
    i = mi + 1;
    j = mj + 1;
  }
  return found;
}
function matches(x, y) {
  const trace = [];
  let furthest = /* @__PURE__ */ new Map([[1, 0]]);
  for (let steps = 0; steps <= Math.min(STEPS, x.length + y.length); steps += 1) {
    trace.push(new Map(furthest));
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1);
      let i = down ? furthest.get(k + 1) ?? 0 : (furthest.get(k - 1) ?? 0) + 1;
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i += 1;
      furthest.set(k, i);
      if (i >= x.length && i - k >= y.length) return walkBack(trace, x, y);
    }
  }
  return [];
}
function walkBack(trace, x, y) {
  const found = [];
  let i = x.length;
  let j = y.length;
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const furthest = trace[steps];
    const k = i - j;
    const down = k === -steps || k !== steps && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1);
    const from = down ? k + 1 : k - 1;
    const fromI = steps === 0 ? 0 : furthest.get(from) ?? 0;
    const fromJ = steps === 0 ? 0 : fromI - from;
    const startI = steps === 0 ? 0 : down ? fromI : fromI + 1;
    while (i > startI && j > (steps === 0 ? 0 : down ? fromJ + 1 : fromJ)) {
      i -= 1;
      j -= 1;
      found.push([i, j]);
    }
    i = fromI;
    j = fromJ;
  }
  return found.reverse();
}
function applyEdits(text2, changes) {
  const before = lines2(text2);
  const after = [];
  let next = 0;
  for (const edit of changes) {
    const start = edit.line - 1;
    if (start < next || edit.removed.some((line, index) => before[start + index] !== line)) return void 0;
    after.push(...before.slice(next, start), ...edit.added);
    next = start + edit.removed.length;
  }
  return [...after, ...before.slice(next)].join("");
}
var ANCHOR = 2;
function anchored(before, changes) {
  let taken = 0;
  return changes.map((edit, index) => {
    const at2 = edit.line - 1;
    let found = edit;
    if (edit.removed.length === 0) {
      const above = before.slice(Math.max(taken, at2 - ANCHOR), at2);
      const below = above.length > 0 ? [] : before.slice(at2, Math.min(at2 + ANCHOR, (changes[index + 1]?.line ?? Infinity) - 1));
      found = { line: edit.line - above.length, removed: [...above, ...below], added: [...above, ...edit.added, ...below] };
    }
    taken = found.line - 1 + found.removed.length;
    return found;
  });
}
function applyByContext(text2, changes) {
  const before = lines2(text2);
  const moved = [];
  let shift = 0;
  let next = 0;
  for (const edit of changes) {
    const wanted = Math.max(0, Math.min(before.length, edit.line - 1 + shift));
    if (edit.removed.length === 0 && before.length > 0) return void 0;
    const place = nearestPlace(before, edit.removed, wanted, next);
    if (place === void 0 || place < next) return void 0;
    shift = place - (edit.line - 1);
    next = place + edit.removed.length;
    moved.push({ ...edit, line: place + 1 });
  }
  return applyEdits(text2, moved);
}
function nearestPlace(all, wanted, near, least) {
  let best;
  for (let place = least; place + wanted.length <= all.length; place += 1) {
    if (wanted.every((line, index) => all[place + index] === line) && (best === void 0 || Math.abs(place - near) < Math.abs(best - near))) best = place;
  }
  return best;
}
var CONTEXT = 3;
function patchPath(prefix, path) {
  const name = `${prefix}/${path}`;
  if (!/["\\\u0000-\u001F\u007F-\uFFFF]/.test(name)) return name.includes(" ") ? `${name}	` : name;
  let quoted2 = "";
  for (const byte of new TextEncoder().encode(name)) {
    const character = String.fromCharCode(byte);
    quoted2 += character === '"' || character === "\\" ? `\\${character}` : byte < 32 || byte >= 127 ? `\\${byte.toString(8).padStart(3, "0")}` : character;
  }
  return `"${quoted2}"`;
}
function patch(path, before, after, isNew = false) {
  const old = lines2(before);
  const changes = edits(old, lines2(after));
  if (changes.length === 0) return "";
  let text2 = `--- ${isNew ? "/dev/null" : patchPath("a", path)}
+++ ${patchPath("b", path)}
`;
  let shift = 0;
  for (let index = 0; index < changes.length; ) {
    const hunk = [changes[index]];
    index += 1;
    while (index < changes.length && changes[index].line - (hunk.at(-1).line + hunk.at(-1).removed.length) <= 2 * CONTEXT) {
      hunk.push(changes[index]);
      index += 1;
    }
    const begin2 = Math.max(0, hunk[0].line - 1 - CONTEXT);
    const end = Math.min(old.length, hunk.at(-1).line - 1 + hunk.at(-1).removed.length + CONTEXT);
    let body = "";
    let next = begin2;
    let added = 0;
    let removed = 0;
    for (const edit of hunk) {
      for (; next < edit.line - 1; next += 1) body += patchLine(" ", old[next]);
      for (const line of edit.removed) body += patchLine("-", line);
      for (const line of edit.added) body += patchLine("+", line);
      next += edit.removed.length;
      added += edit.added.length;
      removed += edit.removed.length;
    }
    for (; next < end; next += 1) body += patchLine(" ", old[next]);
    const count = end - begin2;
    const newCount = count + added - removed;
    text2 += `@@ -${count === 0 ? begin2 : begin2 + 1},${count} +${newCount === 0 ? begin2 + shift : begin2 + shift + 1},${newCount} @@
${body}`;
    shift += added - removed;
  }
  return text2;
}
function patchLine(sign, line) {
  return line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}
\\ No newline at end of file
`;
}

// src/whatif/open.ts
async function sha256(text2) {
  if (!globalThis.crypto?.subtle) return void 0;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text2));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function newFile(path) {
  return { path, sha256: "", text: "", editable: true, file: { file: path, total: 0, read_by: 0, subjects: 0, sha256: "", editable: true, hidden: false, traced: false, effects: true, findings: [], lines: [] } };
}
var PART3 = 1e4;
async function openDraft(project2, at2, path, signal) {
  const first = await file(project2, at2, path, 1, PART3, signal, { draft: 1 });
  const lines3 = [...first.lines];
  while (lines3.length < first.total) {
    const part2 = await file(project2, at2, path, lines3.length + 1, PART3, signal);
    if (part2.lines.length === 0) break;
    lines3.push(...part2.lines);
  }
  const joined = lines3.map((line) => line.text).join("\n");
  const ended = lines3.length === 0 ? "" : `${joined}
`;
  const file2 = { ...first, lines: lines3 };
  const opened = { path, sha256: first.sha256 ?? "", editable: first.editable, file: file2 };
  const hash = await sha256(ended);
  if (hash === void 0 || hash === first.sha256) return { ...opened, text: ended };
  if (await sha256(joined) === first.sha256) return { ...opened, text: joined };
  for (const text2 of [ended, joined].map((one) => one.replace(/\n/g, "\r\n"))) if (await sha256(text2) === first.sha256) return { ...opened, text: text2 };
  return { ...opened, text: joined, editable: false };
}
function reapplied(draft, text2) {
  const base = lines2(draft.base);
  return applyByContext(text2, anchored(base, edits(base, lines2(draft.text))));
}
async function presentText(project2, at2, path, draft, signal) {
  if (draft.from === "") return draft.text;
  try {
    const now = await openDraft(project2, at2, path, signal);
    return now.sha256 === draft.from ? draft.text : reapplied(draft, now.text) ?? draft.text;
  } catch (error) {
    if (error instanceof Refused && error.status !== 0) return draft.text;
    throw error;
  }
}

// src/findings/page.tsx
var GRID2 = "findings";
function FindingsPage() {
  const { project: name, query } = here.value;
  const answer = useAnswer(JSON.stringify([name, at.value, "findings"]), (signal) => findings(name, at.value, signal));
  const [filter, setFilter] = useTyped("findings", "q");
  const byFile = query.by === "file";
  const [closed, setClosed] = d(/* @__PURE__ */ new Set());
  const [silenced, setSilenced] = d(false);
  const [current, setCurrent] = d(-1);
  const all = answer.value?.findings ?? [];
  const open = w(() => all.filter((one) => one.silenced_by === void 0), [all]);
  const quiet = w(() => all.filter((one) => one.silenced_by !== void 0), [all]);
  const chosen = w(() => {
    const parsed = parseFilter(filter);
    const among = silenced ? all : all.filter((one) => one.silenced_by === void 0 || one.fingerprint === query.finding);
    return among.filter(
      (one) => (query.code === void 0 || one.code === query.code) && (query.file === void 0 || one.file === query.file) && fits(parsed, `${one.code} ${one.message} ${one.file ?? ""}`.toLowerCase())
    );
  }, [all, silenced, filter, query.code, query.file, query.finding]);
  const lines3 = w(() => {
    const groups = /* @__PURE__ */ new Map();
    for (const one of chosen) {
      const group = byFile ? one.file ?? "" : one.code;
      groups.set(group, [...groups.get(group) ?? [], one]);
    }
    const order = { error: 0, warning: 1, note: 2 };
    const worst = (group) => Math.min(...group.map((one) => order[one.severity]));
    const sorted = [...groups].sort(([, one], [, other]) => worst(one) - worst(other) || other.length - one.length);
    return sorted.flatMap(([group, members]) => [
      { group, count: members.length, severity: ["error", "warning", "note"][worst(members)] },
      ...closed.has(group) ? [] : members.map((finding) => ({ finding }))
    ]);
  }, [chosen, byFile, closed]);
  useHits(filter === "" ? void 0 : chosen.length);
  const picked = query.finding === void 0 ? void 0 : chosen.find((one) => one.fingerprint === query.finding);
  useMiss(answer.value !== void 0 && !answer.busy && query.finding !== void 0 && !all.some((one) => one.fingerprint === query.finding) && `finding=${query.finding}`);
  const [enters, setEnters] = d(0);
  const show = (finding) => {
    setEnters((old) => old + 1);
    turn({ finding: finding.fingerprint });
  };
  const close = () => {
    turn({ finding: void 0 });
    focusGrid(GRID2);
  };
  A(() => {
    const row = lines3.findIndex((one) => "finding" in one && one.finding === picked);
    if (row >= 0) setCurrent(row);
  }, [picked]);
  const toggle = (group) => setClosed((old) => new Set(old.has(group) ? [...old].filter((one) => one !== group) : [...old, group]));
  return a($, { children: [
    a(Heading, { title: T3.pages.findings, children: answer.value && a("p", { class: "quiet", children: T3.summary(answer.value.summary.error, answer.value.summary.warning, answer.value.summary.note) }) }),
    a("div", { class: "tools", role: "toolbar", "aria-label": T3.filters, children: [
      a(FilterBox, { id: "filter", label: T3.filterFindings, value: filter, onValue: setFilter }),
      a("span", { class: "views", role: "group", "aria-label": T3.groupedBy, children: [
        a("button", { type: "button", "aria-pressed": !byFile, onClick: () => refine({ by: void 0 }), children: T3.byCode }),
        a("button", { type: "button", "aria-pressed": byFile, onClick: () => refine({ by: "file" }), children: T3.byFile })
      ] }),
      ["code", "file"].map(
        (name1) => query[name1] === void 0 ? null : a("button", { type: "button", class: "chip", onClick: () => refine({ [name1]: void 0 }), children: [
          escaped(query[name1]),
          " ",
          a("span", { "aria-hidden": "true", children: "×" }),
          a("span", { class: "hidden", children: T3.dropFilter })
        ] }, name1)
      ),
      quiet.length > 0 && a("label", { class: "switch", children: [
        a("input", { type: "checkbox", checked: silenced, onChange: () => setSilenced(!silenced) }),
        " ",
        T3.silenced(quiet.length)
      ] })
    ] }),
    answer.error && a(RefusedText, { error: answer.error }),
    !answer.value && !answer.error && a(Loading, { label: T3.loadingFindings }),
    answer.value && open.length === 0 && !silenced && a(Empty, { children: project.value?.subjects === 0 ? T3.noSubjects(T3.subjectWord(project.value)) : T3.noFindings }),
    open.length > 0 && chosen.length === 0 && a(Empty, { children: T3.nothingFits }),
    lines3.length > 0 && a("div", { class: `split ${picked ? "has-pane" : ""}`, children: [
      a("div", { class: "main-pane", children: a(
        Grid,
        {
          id: GRID2,
          label: T3.pages.findings,
          tree: true,
          busy: answer.busy,
          least: 80,
          columns: [
            { name: T3.severity, width: "12ch" },
            { name: T3.message, width: "minmax(30ch, 3fr)" },
            { name: T3.where, width: "minmax(20ch, 1.2fr)", class: "origin" }
          ],
          count: lines3.length,
          current,
          onCurrent: setCurrent,
          onOpen: (row) => {
            const one = lines3[row];
            if ("group" in one) toggle(one.group);
            else show(one.finding);
          },
          onEscape: picked ? close : void 0,
          onFold: (row) => {
            const one = lines3[row];
            if ("group" in one) toggle(one.group);
          },
          onParent: (row) => {
            for (let above = row; above >= 0; above -= 1) {
              if ("group" in lines3[above]) {
                setCurrent(above);
                return;
              }
            }
          },
          state: (row) => {
            const one = lines3[row];
            if (!one) return {};
            return "group" in one ? { level: 1, expanded: !closed.has(one.group), class: "group" } : { level: 2, class: one.finding === picked ? "inspected" : "" };
          },
          cells: (row) => {
            const one = lines3[row];
            if (!one) return void 0;
            if ("group" in one) {
              return [
                a($, { children: [
                  a("span", { class: `twist ${closed.has(one.group) ? "" : "open"}`, "aria-hidden": "true", onClick: (event) => (event.stopPropagation(), toggle(one.group)) }),
                  T3.number(one.count)
                ] }),
                a("b", { children: byFile ? a(Text, { text: one.group, lines: false }) : T3.findingShort(one.group) }),
                byFile ? "" : a("code", { children: one.group })
              ];
            }
            const { finding } = one;
            return [
              a(SeverityText, { severity: finding.severity }),
              a($, { children: [
                a(Text, { text: finding.message, lines: false }),
                finding.silenced_by && a("span", { class: "quiet", children: [
                  " (",
                  T3.silencedBy[finding.silenced_by],
                  ")"
                ] })
              ] }),
              finding.file ? a(PlaceText, { place: { file: finding.file, line: finding.line ?? null }, most: 34, inGrid: true }) : ""
            ];
          }
        }
      ) }),
      picked && a(FindingPane, { finding: picked, enters, onClose: close })
    ] })
  ] });
}
function FindingPane({ finding, enters, onClose }) {
  const [problem, setProblem] = d(void 0);
  const tryIt = async () => {
    const { project: name } = here.value;
    try {
      const answer = await fixes(name, at.value, finding.file);
      const fix = answer.findings.find((one) => one.fingerprint === finding.fingerprint)?.fix;
      if (!fix) {
        setProblem(T3.noFix);
        return;
      }
      const files2 = Object.entries(fix).map(([key, text2]) => [plainKey(key), text2]);
      for (const [file2, text2] of files2) draftOf(name, file2, await openDraft(name, at.value, file2), text2);
      go(to("what-if", files2[0][0]));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setProblem(error.message);
    }
  };
  return a(Pane, { label: T3.finding, title: T3.findingShort(finding.code), about: finding.fingerprint, enters: `${finding.fingerprint} ${enters}`, onClose, children: [
    a(FindingText, { finding }),
    a("p", { class: "buttons", children: [
      finding.file && finding.line !== void 0 && a(Link, { class: "button primary", to: to("file", finding.file, { line: String(finding.line) }), children: T3.goToLine }),
      finding.fixable && finding.file && a("button", { type: "button", onClick: () => void tryIt(), children: T3.tryFix })
    ] }),
    problem !== void 0 && a("p", { role: "alert", children: problem })
  ] });
}

// src/parts/help.tsx
function Help({ onClose }) {
  const box = T(null);
  A(() => box.current?.showModal(), []);
  return a("dialog", { ref: box, class: "help", "aria-labelledby": "help-title", onClose, onClick: (event) => event.target === box.current && box.current?.close(), children: [
    a("div", { class: "pane-head", children: [
      a("h2", { id: "help-title", children: T3.keys }),
      a("button", { type: "button", class: "close", "aria-label": T3.close, onClick: () => box.current?.close(), children: "×" })
    ] }),
    a("table", { children: a("tbody", { children: T3.keyList.map(([keys, does]) => a("tr", { children: [
      a("th", { scope: "row", children: a("kbd", { children: keys }) }),
      a("td", { children: does })
    ] }, keys)) }) }),
    a("label", { class: "switch", children: [
      a("input", { type: "checkbox", checked: singleKeys.value, onChange: () => singleKeys.value = !singleKeys.value }),
      " ",
      T3.singleKeys
    ] }),
    a("p", { children: a("a", { href: "/explore/LICENSES.txt", children: T3.licences }) })
  ] });
}

// src/whatif/set.tsx
var VERBS = ["lookup", "merge", "compose"];
var settable = O(() => VERBS.includes(project.value?.verb ?? ""));
function SetFor({ item, path, value, subject, onClose }) {
  const box = T(null);
  const [wanted, setWanted] = d({ item: item ?? "", value, whom: subject === void 0 ? "all" : "subject", some: "", removes: false });
  const [found, setFound] = d(void 0);
  const [refused, setRefused] = d(void 0);
  const control = T(void 0);
  const [busy, setBusy] = d(false);
  const { project: name, query } = here.value;
  const words = T3.subjectWords(project.value);
  A(() => {
    box.current?.showModal();
    return () => control.current?.abort();
  }, []);
  const ask2 = () => {
    control.current?.abort();
    const mine = new AbortController();
    control.current = mine;
    setBusy(true);
    setRefused(void 0);
    const selectors = wanted.whom === "all" ? [] : wanted.whom === "subject" ? [subject] : wanted.some.split(/\s+/).filter((one) => one !== "");
    const files2 = Object.fromEntries(Object.entries(drafts.value[name] ?? {}).map(([one, { text: text2 }]) => [one, text2]));
    propose(name, { at: query.at ?? null, files: files2, item: wanted.item, path, value: wanted.removes ? null : wanted.value, for: selectors }, mine.signal).then(
      (answer) => {
        if (mine.signal.aborted) return;
        setFound(answer);
        setBusy(false);
      },
      (error) => {
        if (mine.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        setRefused(error);
        setFound(void 0);
        setBusy(false);
      }
    );
  };
  const take = async (proposal) => {
    const taken = { ...drafts.value[name] ?? {} };
    try {
      for (const [key, text2] of Object.entries(proposal.files)) {
        const file2 = plainKey(key);
        const isNew = proposal.edits.some((edit) => edit.file === file2 && edit.new_file);
        const known = taken[file2];
        const there = known || isNew ? void 0 : await openDraft(name, query.at, file2);
        taken[file2] = { from: known?.from ?? there?.sha256 ?? "", base: known?.base ?? there?.text ?? "", text: text2 };
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefused(error);
      return;
    }
    setDrafts(name, taken);
    told.value = T3.taken;
    box.current?.close();
    go(to("what-if", proposal.edits[0].file, subject === void 0 ? {} : { subject }));
  };
  return a("dialog", { ref: box, class: "set-for", "aria-labelledby": "set-title", onClose, onClick: (event) => event.target === box.current && box.current?.close(), children: [
    a("div", { class: "pane-head", children: [
      a("h2", { id: "set-title", children: item === void 0 ? T3.setFor : a($, { children: [
        T3.setTitle,
        " ",
        a("span", { class: "code", children: a(Text, { text: `${item}${path}`, lines: false }) })
      ] }) }),
      a("button", { type: "button", class: "close", "aria-label": T3.close, onClick: () => box.current?.close(), children: "×" })
    ] }),
    a(
      "form",
      {
        onSubmit: (event) => {
          event.preventDefault();
          ask2();
        },
        children: [
          item === void 0 && a("label", { children: [
            T3.key,
            a("input", { type: "text", class: "code", required: true, spellcheck: false, autocomplete: "off", value: wanted.item, onInput: (event) => setWanted({ ...wanted, item: event.currentTarget.value }) })
          ] }),
          a("label", { children: [
            T3.setValue,
            a(
              "input",
              {
                type: "text",
                class: "code",
                spellcheck: false,
                autocomplete: "off",
                disabled: wanted.removes,
                value: wanted.value,
                onInput: (event) => setWanted({ ...wanted, value: event.currentTarget.value })
              }
            )
          ] }),
          a("label", { class: "switch", children: [
            a("input", { type: "checkbox", checked: wanted.removes, onChange: () => setWanted({ ...wanted, removes: !wanted.removes }) }),
            " ",
            T3.setRemoves
          ] }),
          a("fieldset", { children: [
            a("legend", { children: T3.setWhom }),
            subject !== void 0 && a(Choice, { whom: "subject", now: wanted.whom, onWhom: (whom) => setWanted({ ...wanted, whom }), children: a(Text, { text: subject, lines: false }) }),
            a(Choice, { whom: "all", now: wanted.whom, onWhom: (whom) => setWanted({ ...wanted, whom }), children: T3.allSubjects(words).toLowerCase() }),
            a(Choice, { whom: "some", now: wanted.whom, onWhom: (whom) => setWanted({ ...wanted, whom }), children: [
              T3.setSome,
              " ",
              a(
                "input",
                {
                  type: "text",
                  class: "code",
                  spellcheck: false,
                  autocomplete: "off",
                  "aria-label": T3.setSomeHow,
                  placeholder: "role=web  db*",
                  value: wanted.some,
                  onInput: (event) => setWanted({ ...wanted, whom: "some", some: event.currentTarget.value })
                }
              )
            ] })
          ] }),
          a("p", { class: "buttons", children: a("button", { type: "submit", class: "primary", children: T3.setAsk }) })
        ]
      }
    ),
    refused && a(RefusedText, { error: refused }),
    a("div", { "aria-live": "polite", "aria-busy": busy ? true : void 0, class: busy ? "dimmed" : "", children: [
      busy && !found && a("p", { class: "quiet", children: T3.setBusy }),
      found && a(Found, { found, take: (one) => void take(one), words })
    ] })
  ] });
}
function Choice(props) {
  return a("label", { class: "switch", children: [
    a("input", { type: "radio", name: "whom", checked: props.now === props.whom, onChange: () => props.onWhom(props.whom) }),
    " ",
    props.children
  ] });
}
function Found({ found, take, words }) {
  const selected = found.selected.length;
  const nothing = found.already === selected;
  return a($, { children: [
    a("p", { children: [
      T3.setSelected(selected, found.of, found.already, words),
      " ",
      nothing && T3.setNothing
    ] }),
    !nothing && found.proposals.length === 0 && a($, { children: [
      a("p", { class: "warn", children: T3.setImpossible }),
      a("ul", { class: "entries", children: found.rejected.map((one) => a("li", { children: [
        a("span", { class: "code", children: a(Text, { text: one.file, lines: false }) }),
        ": ",
        a(Text, { text: one.why, lines: false }),
        " ",
        a("span", { class: "quiet", children: T3.setMissed(one.missed, words) })
      ] }, `${one.file} ${one.why}`)) })
    ] }),
    found.proposals.map((one, index) => a("section", { class: "proposal", children: [
      a("h3", { children: one.edits.map((edit) => a("span", { children: [
        a("span", { class: "code", children: a(Text, { text: edit.line === void 0 ? edit.file : `${edit.file}:${edit.line}`, lines: false }) }),
        " ",
        a("span", { class: "quiet", children: T3.setOperation(edit.op, edit.new_file) }),
        " "
      ] }, edit.file)) }),
      a("p", { children: [
        T3.setReaches(selected, one.collateral.length, words),
        one.collateral.length > 0 && a("b", { class: "warn", children: [
          " ",
          a(Text, { text: one.collateral.slice(0, 5).join(", "), lines: false }),
          one.collateral.length > 5 && ` ${T3.andMore(one.collateral.length - 5)}`
        ] })
      ] }),
      a("details", { open: index === 0, children: [
        a("summary", { children: T3.setDiff }),
        one.diff === null ? a("p", { class: "quiet", children: T3.setHidden }) : a(Diff, { text: one.diff })
      ] }),
      one.files !== null && a("p", { class: "buttons", children: [
        a("button", { type: "button", class: index === 0 ? "primary" : "", onClick: () => take(one), children: T3.setTake }),
        a(Copy, { text: one.diff ?? "", children: T3.copyPatch })
      ] })
    ] }, one.rank))
  ] });
}
function Diff({ text: text2 }) {
  return a("pre", { class: "excerpt diff", tabIndex: 0, "aria-label": T3.setDiff, children: text2.replace(/\n$/, "").split("\n").map((line, index) => a("span", { class: line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@") ? "quiet" : line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : "", children: [
    a(Text, { text: line, lines: false }),
    "\n"
  ] }, index)) });
}

// src/result/inspector.tsx
function Inspector({ subject, item, path, failed, enters, onClose }) {
  const { project: name, query } = here.value;
  const key = JSON.stringify([name, query.at, subject, item, path]);
  const answer = useAnswer(failed ? void 0 : key, (signal) => leaf(name, query.at, subject, item, path, signal));
  const isThere = answer.key === key && answer.value !== void 0;
  const single = isThere && answer.value.entries.length === 1 && answer.value.entries[0].path === path;
  const isOneOfMany = single && (project.value?.subjects ?? 0) > 1;
  const others = useAnswer(isOneOfMany ? `${key} others` : void 0, (signal) => leafOfAll(name, query.at, subject, item, path, signal));
  const leaf2 = answer.value;
  const told2 = others.value && leaf2 && sameLeaf(others.value, leaf2) ? others.value.others : null;
  const text2 = w(() => leaf2 && a(LeafText, { leaf: leaf2, subject, others: told2 }), [leaf2, told2]);
  return a(
    Pane,
    {
      class: `inspector ${answer.busy && leaf2 ? "dimmed" : ""}`,
      label: T3.inspector,
      title: `${item}${path}` || "/",
      about: `${item}
${path}`,
      enters: `${item}
${path}
${enters}`,
      onClose,
      children: [
        failed && a($, { children: [
          a(DiagnosticText, { diagnostic: failed }),
          a("p", { class: "buttons", children: [
            isFile(failed) && a(Link, { class: "button primary", to: to("file", failed.file, { line: String(failed.line) }), children: T3.goToLine }),
            a(Copy, { text: `${item}${path}`, children: T3.copyPath })
          ] })
        ] }),
        answer.error && a(RefusedText, { error: answer.error }),
        !leaf2 && !answer.error && !failed && a(Loading, { label: T3.loadingLeaf }),
        text2
      ]
    }
  );
}
var sameLeaf = (one, other) => one.item === other.item && one.path === other.path;
function LeafText({ leaf: told2, subject, others }) {
  const leaf2 = told2.type === "float" && typeof told2.value === "string" && /^[-+]?\./.test(told2.value) ? { ...told2, value: exactNumber(told2.value) } : told2;
  const single = leaf2.entries.length === 1 ? leaf2.entries[0] : void 0;
  const history2 = [...single?.history ?? []].sort((one, other) => one.rank - other.rank);
  const winner = history2.find((one) => one.fate === "won" || one.fate === "merged");
  const word = T3.subjectWords(project.value);
  const whole = valueText(leaf2);
  const [sets, setSets] = d(false);
  const isMany = (project.value?.subjects ?? 0) > 1;
  return a($, { children: [
    a("div", { class: "effective", children: [
      a(BigValue, { leaf: leaf2 }),
      a("p", { class: "quiet", children: [
        leaf2.type,
        leaf2.spelling !== "" && leaf2.spelling !== `${leaf2.item}${leaf2.path}` && a($, { children: [
          " · ",
          a("code", { children: a(Text, { text: leaf2.spelling, lines: false }) })
        ] })
      ] })
    ] }),
    a("p", { class: "buttons", children: [
      winner && isFile(winner) && a(Link, { class: "button primary", to: to("file", winner.file, { line: String(winner.line) }), children: T3.goToLine }),
      winner && isFile(winner) && a(Link, { class: "button", to: to("what-if", winner.file, { subject }), children: T3.tryEdit }),
      leaf2.type !== "secret" && settable.value && a("button", { type: "button", onClick: () => setSets(true), children: T3.setFor }),
      a(Copy, { text: `${leaf2.item}${leaf2.path}`, children: T3.copyPath }),
      a(Copy, { text: leaf2.command, children: T3.copyCommand })
    ] }),
    whole.length > LONG && a(Whole, { text: typeof leaf2.value === "string" && leaf2.value.includes("\n") ? leaf2.value : whole }),
    sets && a(SetFor, { item: leaf2.item, path: leaf2.path, value: whole.length > LONG ? "" : whole, subject: isMany ? subject : void 0, onClose: () => setSets(false) }),
    single ? a(History, { history: history2 }) : a(Entries, { leaf: leaf2 }),
    leaf2.inputs.length > 1 && a(Inputs, { inputs: leaf2.inputs }),
    leaf2.strategy && a("section", { children: [
      a("h3", { children: T3.strategy }),
      a("p", { children: [
        a("code", { children: a(Text, { text: leaf2.strategy.text }) }),
        " ",
        leaf2.strategy.origin ? a($, { children: [
          T3.setIn,
          " ",
          a(PlaceText, { place: leaf2.strategy.origin, most: 46 })
        ] }) : leaf2.strategy.default && T3.byDefault
      ] })
    ] }),
    leaf2.list && a(ListText, { list: leaf2.list }),
    others && a("section", { children: [
      a("h3", { children: T3.others(word) }),
      a("p", { children: T3.sameValue(others.same_value, others.of, others.same_origin, word) }),
      a("p", { children: a(Link, { to: to("matrix", "", { keys: leaf2.path === "" ? leaf2.item : `${leaf2.item}${leaf2.path}`, all: "1" }), children: T3.inMatrix(word) }) })
    ] })
  ] });
}
var MOST_TEXT = 1024 * 1024;
function Whole({ text: text2 }) {
  const box = T(null);
  const [open, setOpen] = d(false);
  A(() => {
    if (open) box.current?.showModal();
  }, [open]);
  return a("p", { class: "buttons", children: [
    text2.length <= MOST_TEXT ? a("button", { type: "button", "aria-haspopup": "dialog", onClick: () => setOpen(true), children: T3.wholeValue }) : a("span", { class: "quiet", children: T3.tooLong }),
    a("button", { type: "button", onClick: () => download("value.json", text2), children: T3.download }),
    open && a("dialog", { ref: box, class: "whole", "aria-label": T3.value, onKeyDown: (event) => event.stopPropagation(), onClose: () => setOpen(false), children: [
      a("div", { class: "pane-head", children: [
        a(Copy, { text: text2, children: T3.copyText }),
        a("button", { type: "button", class: "close", "aria-label": T3.close, onClick: () => box.current?.close(), children: "×" })
      ] }),
      a("pre", { tabIndex: 0, "aria-label": T3.value, children: a(Text, { text: text2 }) })
    ] })
  ] });
}
function BigValue({ leaf: leaf2 }) {
  if (leaf2.value === void 0 && !isSecret(leaf2)) return a("p", { class: "big gone", children: T3.gone });
  const text2 = typeof leaf2.value === "string" && !isSecret(leaf2) ? leaf2.value : void 0;
  if (text2 !== void 0 && text2.includes("\n")) {
    return a("pre", { class: "big", tabIndex: 0, "aria-label": T3.value, children: a(Text, { text: text2.length > LONG ? `${text2.slice(0, BEGINNING)}…` : text2 }) });
  }
  return a("p", { class: "big", children: a(ValueText, { side: leaf2 }) });
}
function History({ history: history2 }) {
  return a("section", { children: [
    a("h3", { children: T3.history }),
    a("ol", { class: "history", "aria-label": T3.history, children: history2.map((one, index) => a("li", { class: `contribution ${one.fate} ${layerColour(one)}`, children: [
      a("div", { class: "contribution-head", children: [
        a(FateSign, { fate: one.fate }),
        a("span", { class: "layer", title: one.layer ?? "", children: a(Text, { text: layerShort(one), lines: false }) })
      ] }),
      one.fate === "shadowed" || one.fate === "removed" ? a("s", { class: "contribution-value", children: [
        a("span", { class: "hidden", children: [
          T3.fates[one.fate],
          ": "
        ] }),
        a(ValueText, { side: one, most: LONG })
      ] }) : a("strong", { class: "contribution-value", children: a(ValueText, { side: one }) }),
      a("div", { children: [
        a(PlaceText, { place: one, column: true, most: 52 }),
        one.via && a("span", { class: "quiet", children: [
          " ",
          T3.via,
          " ",
          a(PlaceText, { place: one.via, column: true, most: 40 })
        ] })
      ] }),
      one.reason && a("p", { class: "reason", children: a(Text, { text: one.reason }) })
    ] }, index)) })
  ] });
}
function Entries({ leaf: leaf2 }) {
  const most = 200;
  return a("section", { children: [
    a("h3", { children: T3.leaves(leaf2.entries.length) }),
    leaf2.entries.length === 0 && a("p", { children: T3.noLeaves }),
    a("ul", { class: "entries", children: leaf2.entries.slice(0, most).map((entry) => {
      const losers = entry.history.filter((one) => one.fate === "shadowed" || one.fate === "removed").length;
      const winner = [...entry.history].sort((one, other) => one.rank - other.rank)[0];
      const gone = entry.value === void 0 && !isSecret(entry);
      return a("li", { children: [
        a("button", { type: "button", class: "link", onClick: () => turn({ item: leaf2.item, leaf: entry.path }), children: a(Text, { text: entry.path.slice(leaf2.path.length) || "/", lines: false }) }),
        " ",
        gone ? a("s", { children: T3.gone }) : a(ValueText, { side: entry, most: 80 }),
        " ",
        a("span", { class: "quiet", children: [
          winner && a(PlaceText, { place: winner, most: 34 }),
          " ",
          losers > 0 && T3.losers(losers)
        ] })
      ] }, entry.path);
    }) }),
    leaf2.entries.length > most && a("p", { children: T3.more(leaf2.entries.length - most) })
  ] });
}
function Inputs({ inputs }) {
  return a("section", { children: [
    a("h3", { children: T3.inputs }),
    a("ul", { class: "entries", children: inputs.map((one, index) => a("li", { children: [
      a(ValueText, { side: one, most: 120 }),
      " ",
      a("span", { class: "quiet", children: [
        a(Text, { text: one.layer ?? "", lines: false }),
        " ",
        a(PlaceText, { place: one, column: true, most: 40 })
      ] })
    ] }, index)) })
  ] });
}
function ListText({ list }) {
  return a("section", { children: [
    a("h3", { children: T3.listMerged }),
    a("p", { children: [
      T3.listAction(list.action, list.count, list.layers),
      " ",
      a("code", { children: a(Text, { text: list.strategy }) }),
      " ",
      list.option && a($, { children: [
        T3.setIn,
        " ",
        a(PlaceText, { place: list.option, most: 46 })
      ] })
    ] }),
    a("ol", { class: "entries", start: 0, children: list.items.slice(0, 200).map((one, index) => a("li", { children: a("span", { class: `stripe ${layerColour(one)}`, children: [
      a("span", { class: "layer", children: a(Text, { text: layerShort(one), lines: false }) }),
      a(PlaceText, { place: one, column: true, most: 44 })
    ] }) }, index)) }),
    list.dropped.length > 0 && a("ul", { class: "entries", children: list.dropped.slice(0, 200).map((one, index) => a("li", { children: [
      a("s", { children: [
        a("span", { class: "hidden", children: [
          T3.dropped,
          ": "
        ] }),
        a(ValueText, { side: one, most: 80 })
      ] }),
      " ",
      a("span", { class: "quiet", children: [
        T3.why(one.why),
        " ",
        a(PlaceText, { place: one, column: true, most: 40 })
      ] })
    ] }, index)) })
  ] });
}

// src/pure/table.ts
function csv(rows) {
  return `${rows.map((row) => row.map((cell) => quoted(harmless(cell))).join(",")).join("\r\n")}\r
`;
}
function harmless(cell) {
  return /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;
}
function quoted(cell) {
  return /[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;
}
function tsv(rows) {
  return `${rows.map((row) => row.map((cell) => harmless(cell).replace(/[\t\r\n]+/g, " ")).join("	")).join("\n")}
`;
}
function markdown(rows) {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/\r?\n/g, "⏎")));
  const line = (cells2) => `| ${cells2.join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...body.map(line)].join("\n")}
`;
}

// src/matrix/page.tsx
var GRID3 = "matrix";
var MOST_COLUMNS = 50;
function MatrixPage() {
  const { project: name, query } = here.value;
  const [keys, setKeys] = useTyped("matrix", "keys");
  const [q, setQ] = useTyped("matrix", "q");
  const named = query.subject?.split("\n") ?? [];
  const facts = query.fact?.split("\n").map((one) => `fact:${one.replace(":", "=")}`) ?? [];
  const asked = [query.q ?? "", ...facts].filter((one) => one !== "").join(" ");
  const patterns = (query.keys ?? "").split(/[\s,]+/).filter((one) => one !== "");
  const all = query.all === "1";
  const answer = useAnswer(
    JSON.stringify([name, at.value, "matrix", patterns, asked, named, all]),
    (signal) => matrix(name, at.value, { keys: patterns, q: asked, subject: named, all }, signal)
  );
  const table = answer.value;
  const words = T3.subjectWords(project.value);
  const [current, setCurrent] = d(-1);
  const [enters, setEnters] = d(0);
  const wide = (table?.groups.length ?? 0) > MOST_COLUMNS;
  const opened = query.item !== void 0 || query.leaf !== void 0;
  const isOpen = (key) => opened && key.item === (query.item ?? "") && key.path === (query.leaf ?? "");
  const openRow = table?.keys.findIndex(isOpen) ?? -1;
  const openKey = table?.keys[openRow];
  const isWhole = table !== void 0 && !answer.busy && patterns.length + named.length === 0 && asked === "";
  useMiss(opened && isWhole && !openKey && [query.item !== void 0 && `item=${query.item}`, query.leaf !== void 0 && `leaf=${query.leaf}`].filter((one) => one !== false).join("&"));
  const show = (row) => {
    setEnters((old) => old + 1);
    turn({ item: table.keys[row].item, leaf: table.keys[row].path });
  };
  const close = () => {
    turn({ item: void 0, leaf: void 0 });
    focusGrid(GRID3);
  };
  A(() => {
    if (openRow >= 0) setCurrent(openRow);
  }, [openRow]);
  const latest = useLatest(table?.keys[current]);
  A(
    () => onKey({
      y: () => {
        const key = latest.current;
        if (!key) return;
        const path = `${key.item}${key.path}`;
        void copy(path).then((copied) => told.value = copied ? T3.copiedPath(path) : T3.notCopied);
      }
    }),
    []
  );
  const rows = () => table ? exported(table, words) : [];
  return a($, { children: [
    a(Heading, { title: T3.pages.matrix, children: table && a("p", { class: "quiet", children: T3.matrixSummary(table.keys.length, table.groups.length, table.subjects, words) }) }),
    a("div", { class: "tools", role: "toolbar", "aria-label": T3.filters, children: [
      a(FilterBox, { id: "keys", label: T3.matrixKeys, placeholder: "ntp::*", value: keys, onValue: setKeys }),
      a(
        "input",
        {
          class: "filter",
          type: "search",
          spellcheck: false,
          autocomplete: "off",
          "aria-label": T3.filterSubjects(words),
          placeholder: T3.filterSubjects(words),
          value: q,
          onInput: (event) => setQ(event.currentTarget.value)
        }
      ),
      a("label", { class: "switch", children: [
        a("input", { type: "checkbox", checked: all, onChange: () => refine({ all: all ? void 0 : "1" }) }),
        " ",
        T3.showEqual
      ] }),
      named.length > 0 && a("button", { type: "button", class: "chip", onClick: () => refine({ subject: void 0 }), children: [
        T3.countWords(named.length, T3.subjectWords(project.value, named.length)),
        " ",
        a("span", { "aria-hidden": "true", children: "×" }),
        a("span", { class: "hidden", children: T3.dropFilter })
      ] }),
      table && table.keys.length > 0 && a("span", { class: "views", role: "group", "aria-label": T3.copyAs, children: [
        a(Copy, { text: () => csv(rows()), children: "CSV" }),
        a(Copy, { text: () => tsv(rows()), children: "TSV" }),
        a(Copy, { text: () => markdown(rows()), children: "Markdown" })
      ] })
    ] }),
    answer.error && a(RefusedText, { error: answer.error }),
    !table && !answer.error && a(Loading, { label: T3.loadingMatrix }),
    table?.truncated && a("p", { class: "banner", children: T3.matrixTruncated }),
    table && table.keys.length === 0 && a(Empty, { children: table.equal > 0 ? T3.matrixAllEqual(table.equal, words) : T3.nothingWithout(project.value, patterns.length + named.length > 0 || asked !== "" ? T3.matrixNothing : T3.matrixEmpty(words)) }),
    table && table.keys.length > 0 && a("div", { class: `split ${openKey ? "has-pane" : ""}`, children: [
      a("div", { class: "main-pane", children: [
        a(
          Grid,
          {
            id: GRID3,
            label: T3.pages.matrix,
            busy: answer.busy,
            least: 30 + (wide ? 40 : Math.min(table.groups.length, MOST_COLUMNS) * 26),
            columns: [
              { name: T3.key, width: "minmax(20ch, 1.2fr)", class: "code sticky" },
              ...wide ? [{ name: T3.valuesColumn, width: "minmax(30ch, 3fr)" }] : table.groups.map((group) => ({ id: `group-${group.id}`, name: groupName(group, words), width: "minmax(22ch, 1fr)" }))
            ],
            count: table.keys.length,
            current,
            onCurrent: setCurrent,
            onOpen: show,
            onEscape: openKey ? close : void 0,
            state: (row) => isOpen(table.keys[row]) ? { class: "inspected" } : {},
            cells: (row) => {
              const key = table.keys[row];
              return [
                a("span", { class: "place", title: escaped(`${key.item}${key.path}`), children: [
                  a("span", { class: "place-name", children: a(Text, { text: key.item || (key.path ? "" : "/"), lines: false }) }),
                  a("span", { class: "key-end", children: a("bdi", { dir: "ltr", children: a(Text, { text: key.path, lines: false }) }) })
                ] }),
                ...wide ? [a("span", { children: T3.values(key.values) })] : table.groups.map((group) => a(CellText, { key1: key, group, first: table.groups[0] }))
              ];
            }
          }
        ),
        table.equal > 0 && !all && a("p", { class: "below-grid quiet", children: [
          T3.equalKeys(table.equal),
          " ",
          a("button", { type: "button", class: "link", onClick: () => refine({ all: "1" }), children: T3.showThem })
        ] })
      ] }),
      openKey && a(KeyPane, { key1: openKey, table, enters, onClose: close })
    ] })
  ] });
}
function groupName(group, words) {
  return group.count === 1 ? escaped(group.sample[0] ?? "") || T3.onlyResult : T3.groupOf(group.count, words, group.id === 1 ? "" : escaped(group.sample[0] ?? ""));
}
function sameValue(one, other) {
  if (!one || !other) return one === other;
  if (one.error || other.error) return one.error?.message === other.error?.message;
  if (isSecret(one) || isSecret(other)) return isSecret(one) && isSecret(other);
  return valueText(one) === valueText(other);
}
function CellText({ key1, group, first }) {
  const cell = cellOf(key1, group.id);
  if (group !== first && sameValue(cell, cellOf(key1, first.id))) return a("span", { class: "hidden", children: T3.sameAsFirst });
  if (cell?.error) {
    return a("span", { class: "message", title: escaped(cell.error.message), children: [
      T3.fails,
      ": ",
      a(Text, { text: cell.error.message, lines: false })
    ] });
  }
  if (!cell || cell.value === void 0 && !isSecret(cell)) return a("span", { class: "quiet", children: T3.noValue });
  return a("span", { class: "value-and-place", children: [
    a(ValueText, { side: cell, most: 60 }),
    " ",
    cell.origin && a("span", { class: "quiet", children: a(PlaceText, { place: cell.origin, most: 26, inGrid: true }) })
  ] });
}
var sizeOf = (groups) => groups.reduce((sum, group) => sum + group.count, 0);
function KeyPane({ key1, table, enters, onClose }) {
  const name = `${key1.item}${key1.path}`;
  const classes = [];
  for (const group of table.groups) {
    const cell = cellOf(key1, group.id);
    const known = classes.find((one) => sameValue(one.cell, cell));
    if (known) known.groups.push(group);
    else classes.push({ cell, groups: [group] });
  }
  return a(Pane, { label: T3.key, title: name || "/", about: name, enters: `${name} ${enters}`, onClose, children: [
    classes.map((one, index) => a("section", { children: [
      a("h3", { class: "big", children: one.cell?.error ? a(Text, { text: one.cell.error.message }) : one.cell && (one.cell.value !== void 0 || isSecret(one.cell)) ? a(ValueText, { side: one.cell }) : T3.noValue }),
      a("p", { children: [
        a("b", { children: T3.number(sizeOf(one.groups)) }),
        " ",
        T3.subjectWords(project.value, sizeOf(one.groups)),
        one.cell?.origin && a($, { children: [
          " · ",
          a(PlaceText, { place: one.cell.origin, most: 44 })
        ] })
      ] }),
      a("p", { children: one.groups.flatMap((group) => group.sample).slice(0, 5).map((sample) => a("span", { children: [
        a(Link, { to: to("subject", sample, { item: key1.item, leaf: key1.path }), children: a(Text, { text: sample, lines: false }) }),
        " "
      ] }, sample)) })
    ] }, index)),
    a("p", { children: a("button", { type: "button", onClick: () => (go(to("matrix", "", { keys: key1.item, all: "1" })), focusGrid(GRID3)), children: T3.onlyThisKey }) })
  ] });
}
function exported(table, words) {
  const head = [T3.key, ...table.groups.map((group) => groupName(group, words))];
  const body = table.keys.map((key) => [
    `${key.item}${key.path}`,
    ...table.groups.map((group) => {
      const cell = cellOf(key, group.id);
      return cell ? cell.error ? cell.error.code : valueText(cell) : "";
    })
  ]);
  return [head, ...body];
}

// src/result/plain.tsx
function PlainText({ view }) {
  const { project: name, name: subject, query } = here.value;
  const answer = useAnswer(JSON.stringify([name, query.at, subject, view]), (signal) => text(name, query.at, subject, view, signal));
  if (answer.error) return a(RefusedText, { error: answer.error });
  if (answer.value === void 0) return a(Loading, { label: T3.loadingResult });
  const whole = answer.value;
  return a("div", { class: "plain", children: [
    a("p", { class: "tools", children: [
      a(Copy, { text: whole, children: T3.copyText }),
      a("button", { type: "button", onClick: () => download(`${subject.replace(/[^\w.-]+/g, "_")}.${view}`, whole), children: T3.download }),
      whole.length > MOST_TEXT2 && a("span", { children: T3.textTooLong })
    ] }),
    a("pre", { class: "text", tabIndex: 0, "aria-label": T3.resultOf(escaped(subject)), children: a(Text, { text: whole.slice(0, MOST_TEXT2) }) })
  ] });
}
var MOST_TEXT2 = 1024 * 1024;

// src/parts/revision-dialog.tsx
function RevisionDialog({ label, none, onValue, onClose }) {
  const [text2, setText] = d("");
  const box = T(null);
  const { project: name } = here.value;
  const answer = useAnswer(name !== "" ? JSON.stringify([name, "history"]) : void 0, (signal) => history(name, signal));
  A(() => box.current?.showModal(), []);
  const choose = (chosen) => {
    box.current?.close();
    onValue(chosen === none ? void 0 : chosen);
  };
  const small = text2.toLowerCase();
  return a("dialog", { ref: box, class: "revisions", "aria-label": label, onClose, onClick: (event) => event.target === box.current && box.current?.close(), children: [
    a(
      "form",
      {
        onSubmit: (event) => {
          event.preventDefault();
          choose(text2.trim() === "" ? void 0 : text2.trim());
        },
        children: [
          a("label", { children: [
            T3.revision,
            a("input", { type: "text", spellcheck: false, autocomplete: "off", value: text2, placeholder: T3.revisionHow, onInput: (event) => setText(event.currentTarget.value) })
          ] }),
          a("button", { type: "submit", class: "primary", children: T3.show }),
          a("button", { type: "button", onClick: () => box.current?.close(), children: T3.close })
        ]
      }
    ),
    a("ul", { children: [
      none.toLowerCase().includes(small) && a("li", { children: a("button", { type: "button", class: "link", onClick: () => choose(void 0), children: none }) }),
      a(Revisions, { found: answer.value, small, choose })
    ] }),
    answer.error && a(RefusedText, { error: answer.error })
  ] });
}
var MOST_REFERENCES = 30;
function Revisions({ found, small, choose }) {
  const references = found?.references.filter((one) => one.toLowerCase().includes(small)) ?? [];
  return a($, { children: [
    found?.revisions.filter((one) => one.name.toLowerCase().includes(small)).map((one) => a("li", { children: [
      a("button", { type: "button", class: "link", onClick: () => choose(one.name), children: a(Text, { text: one.name, lines: false }) }),
      " ",
      a("span", { class: "quiet code", children: one.commit.slice(0, 8) })
    ] }, one.name)),
    references.length > 0 && a("li", { class: "quiet", children: T3.branchesAndTags }),
    references.slice(0, MOST_REFERENCES).map((one) => a("li", { children: a("button", { type: "button", class: "link", onClick: () => choose(one), children: a(Text, { text: one, lines: false }) }) }, one)),
    references.length > MOST_REFERENCES && a("li", { class: "quiet", children: T3.more(references.length - MOST_REFERENCES) }),
    found && found.commits.length > 0 && a("li", { class: "quiet", children: T3.commitsOf }),
    found?.commits.filter((one) => `${one.commit} ${one.subject}`.toLowerCase().includes(small)).map((one) => a("li", { children: [
      a("button", { type: "button", class: "link code", onClick: () => choose(one.commit), children: one.commit.slice(0, 8) }),
      " ",
      a(Text, { text: one.subject, lines: false }),
      " ",
      a("span", { class: "quiet", children: T3.date(one.date) })
    ] }, one.commit))
  ] });
}

// src/search/hits.tsx
var KINDS = ["subjects", "keys", "files", "values", "findings"];
function hitsOf(hits, kind) {
  const words = T3.subjectWords(project.value);
  switch (kind) {
    case "subjects":
      return (hits.subjects?.first ?? []).map((one) => ({ id: one.subject, text: one.subject, more: "", to: to("subject", one.subject) }));
    case "keys":
      return (hits.keys?.first ?? []).map((one) => ({
        id: `${one.item}${one.path}`,
        text: `${one.item}${one.path}`,
        more: T3.inSubjects(one.subjects, words),
        to: to("subject", one.subject, { item: one.item, leaf: one.path })
      }));
    case "files":
      return (hits.files?.first ?? []).map((one) => ({ id: one.file, text: one.file, more: "", to: to("file", one.file) }));
    case "values":
      return (hits.values?.first ?? []).map((one) => ({
        id: `${one.item}${one.path} ${JSON.stringify(one.value)}`,
        text: `${one.item}${one.path}: ${valueText(one).slice(0, 120)}`,
        more: T3.inSubjects(one.subjects, words),
        to: to("subject", one.subject, { item: one.item, leaf: one.path })
      }));
    case "findings":
      return (hits.findings?.first ?? []).map((one) => ({
        id: one.fingerprint,
        text: one.message,
        more: one.file ? `${one.file}:${one.line ?? ""}` : one.code,
        to: one.file ? to("file", one.file, one.line === void 0 ? {} : { line: String(one.line) }) : to("findings", "", { code: one.code })
      }));
  }
}
function ownHits(text2) {
  const names = namesOf.value;
  if (!names || text2 === "" || /^(key|file|value|code|fact):/.test(text2)) return void 0;
  const found = select(parseFilter(text2.replace(/^node:/, "")), smallNames.value);
  return { subjects: { total: found.length, first: found.slice(0, 20).map((index) => ({ subject: names[index] })) } };
}
function groupsOf(hits, q) {
  const most = (kind) => kind === "subjects" || kind === "keys" ? 8 : 5;
  return KINDS.map((kind) => {
    const total = hits[kind]?.total ?? 0;
    const first = hitsOf(hits, kind).slice(0, most(kind));
    const all = { id: "\n", text: "", more: T3.allOf(total), to: to("search", "", { q, kind }) };
    return { kind, total, hits: first.length < total && first.length > 0 ? [...first, all] : first };
  }).filter((group) => group.hits.length > 0);
}
function SearchHits({ groups, current, isEmpty, error, onChoose }) {
  let index = -1;
  return a("div", { class: "search-hits", id: "search-hits", role: "listbox", "aria-label": T3.found, children: [
    error && a(RefusedText, { error }),
    isEmpty && a("p", { role: "option", "aria-selected": "false", class: "empty", children: T3.nothingFound }),
    groups.map((group) => a("div", { role: "group", "aria-label": T3.kinds(group.kind, project.value), children: [
      a("div", { class: "search-kind", "aria-hidden": "true", children: [
        T3.kinds(group.kind, project.value),
        " ",
        a("span", { class: "quiet", children: T3.number(group.total) })
      ] }),
      group.hits.map((hit) => {
        index += 1;
        const mine = index;
        return a(
          "div",
          {
            role: "option",
            id: `hit-${mine}`,
            "aria-selected": mine === current,
            class: `hit ${mine === current ? "current" : ""}`,
            onMouseDown: (event) => {
              event.preventDefault();
              onChoose(hit.to);
            },
            children: [
              a("span", { class: "code", children: a(Text, { text: hit.text, lines: false }) }),
              " ",
              a("span", { class: "quiet", children: a(Text, { text: hit.more, lines: false }) })
            ]
          },
          hit.id
        );
      })
    ] }, group.kind))
  ] });
}

// src/search/all.tsx
function SearchPage() {
  const { project: name, query } = here.value;
  const q = query.q ?? "";
  const count = query.kind === void 0 ? void 0 : 1e3;
  const answer = useAnswer(q === "" ? void 0 : JSON.stringify([name, at.value, "search", q, query.kind]), (signal) => search(name, at.value, q, query.kind, count, signal));
  const hits = answer.value;
  const kinds = hits ? KINDS.filter((kind) => hitsOf(hits, kind).length > 0) : [];
  return a($, { children: [
    a(Heading, { title: q === "" ? T3.search : T3.searchFor(q) }),
    q === "" && a(Empty, { children: T3.searchHowLong }),
    answer.error && a(RefusedText, { error: answer.error }),
    q !== "" && !hits && !answer.error && a(Loading, { label: T3.searching }),
    hits && kinds.length === 0 && a(Empty, { children: T3.nothingFound }),
    a("div", { class: "scrolls", children: hits && kinds.map((kind) => {
      const total = hits[kind].total;
      const all = hitsOf(hits, kind);
      return a("section", { children: [
        a("h2", { children: [
          T3.kinds(kind, project.value),
          " ",
          a("span", { class: "quiet", children: T3.number(total) })
        ] }),
        a("ul", { class: "entries", children: all.map((hit) => a("li", { children: a(SearchLink, { hit }) }, hit.id)) }),
        all.length < total && query.kind === void 0 && a("button", { type: "button", onClick: () => go(to("search", "", { q, kind })), children: T3.allOf(total) }),
        all.length < total && query.kind !== void 0 && a("p", { class: "quiet", children: T3.more(total - all.length) })
      ] }, kind);
    }) })
  ] });
}
function SearchLink({ hit }) {
  return a($, { children: [
    a(Link, { to: hit.to, class: "code", children: a(Text, { text: hit.text, lines: false }) }),
    " ",
    a("span", { class: "quiet", children: a(Text, { text: hit.more, lines: false }) })
  ] });
}

// src/pure/draft.ts
var LONGEST = 16 * 1024;
var MOST_READ = 8 * 1024 * 1024;
function draftFile(from, before, after) {
  const old = lines2(before);
  return { from, edits: anchored(old, edits(old, lines2(after))).map((edit) => [edit.line, edit.removed, edit.added]) };
}
function editsOf(file2) {
  return file2.edits.map(([line, removed, added]) => ({ line, removed, added }));
}
function toBase64url(bytes) {
  let text2 = "";
  for (let begin2 = 0; begin2 < bytes.length; begin2 += 32768) text2 += String.fromCharCode(...bytes.subarray(begin2, begin2 + 32768));
  return btoa(text2).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
function fromBase64url(text2) {
  const letters = atob(text2.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
async function through(bytes, stream, most) {
  const source = new Blob([bytes]).stream().pipeThrough(stream);
  const parts = [];
  let length = 0;
  const reader = source.getReader();
  for (; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("the draft is too large");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at2 = 0;
  for (const part2 of parts) {
    whole.set(part2, at2);
    at2 += part2.length;
  }
  return whole;
}
async function writeDraft(draft) {
  return toBase64url(await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream("deflate-raw"), Infinity));
}
async function readDraft(text2) {
  const bytes = await through(fromBase64url(text2), new DecompressionStream("deflate-raw"), MOST_READ);
  const draft = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!isDraft(draft)) throw new TypeError("not a draft");
  return draft;
}
function isTexts(value) {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
function isDraft(value) {
  if (typeof value !== "object" || value === null || !("files" in value)) return false;
  const files2 = value.files;
  if (typeof files2 !== "object" || files2 === null) return false;
  return Object.values(files2).every((file2) => {
    if (typeof file2 !== "object" || file2 === null) return false;
    const { from, edits: changes } = file2;
    return typeof from === "string" && Array.isArray(changes) && changes.every((edit) => Array.isArray(edit) && Number.isInteger(edit[0]) && edit[0] >= 1 && isTexts(edit[1]) && isTexts(edit[2]));
  });
}

// src/whatif/page.tsx
var SETTLES = 100;
function WhatIfPage() {
  const { project: name, name: path, query } = here.value;
  const mine = drafts.value[name] ?? {};
  const draft = mine[path];
  const isNew = draft?.from === "";
  const opened = useAnswer(path === "" || isNew ? void 0 : JSON.stringify([name, query.at, "open", path]), (signal) => openDraft(name, query.at, path, signal));
  const made = w(() => newFile(path), [path]);
  const isGone = draft !== void 0 && isUnknownFile(opened.error) && !opened.error.errors[0]?.code.startsWith("git.");
  const file2 = isNew || isGone ? made : opened.value?.path === path ? opened.value : void 0;
  const [sets, setSets] = d(false);
  const changedFiles = Object.keys(mine);
  const [notice, setNotice] = d(void 0);
  const [conflicts, setConflicts] = d([]);
  const [asksDiscard, setAsksDiscard] = d(false);
  const keeps = T(null);
  const discards = T(null);
  const asked = T(false);
  A(() => {
    if (asksDiscard) keeps.current?.focus();
    else if (asked.current) {
      discards.current?.focus();
      keepFocus();
    }
    asked.current = asksDiscard;
  }, [asksDiscard]);
  const subject = query.subject ?? (namesOf.value?.length === 1 ? namesOf.value[0] : void 0);
  const { state, stale, wrong } = useEffects(name, query.at, subject, mine);
  const words = T3.subjectWords(project.value);
  useLinkedDraft(setNotice, setConflicts);
  const patchText = () => changedFiles.map((one) => patch(one, mine[one].base, mine[one].text, mine[one].from === "")).join("");
  const copyLink = async () => {
    const text2 = await writeDraft({ files: Object.fromEntries(changedFiles.map((one) => [one, draftFile(mine[one].from, mine[one].base, mine[one].text)])) });
    if (text2.length > LONGEST) {
      setNotice(T3.draftTooLarge(text2.length, LONGEST));
      return;
    }
    told.value = await copy(new URL(writeAddress({ ...here.value, draft: text2 }), location.href).href) ? T3.linkCopied : T3.notCopied;
  };
  const store = async () => {
    for (const one of changedFiles) {
      const { text: text2, from, base } = mine[one];
      try {
        await save(name, one, text2, from);
        setDrafts(name, Object.fromEntries(Object.entries(drafts.value[name] ?? {}).filter(([other]) => other !== one)));
        setConflicts((old) => old.filter((other) => other.path !== one));
        told.value = T3.saved(one);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.status === 412) setConflicts([{ path: one, base, mine: text2, theirs: (await openDraft(name, void 0, one)).text }]);
        else setNotice(error.message);
        return;
      }
    }
  };
  const reapply = () => {
    if (!file2 || !draft) return;
    if (isGone) {
      setDrafts(name, { ...mine, [path]: { from: "", base: "", text: draft.text } });
      return;
    }
    const text2 = reapplied(draft, file2.text);
    if (text2 === void 0) {
      setConflicts([{ path, base: draft.base, mine: draft.text, theirs: file2.text }]);
      return;
    }
    setConflicts((old) => old.filter((one) => one.path !== path));
    const rest = Object.fromEntries(Object.entries(mine).filter(([one]) => one !== path));
    setDrafts(name, text2 === file2.text ? rest : { ...rest, [path]: { from: file2.sha256, base: file2.text, text: text2 } });
  };
  const moved = draft !== void 0 && file2 !== void 0 && draft.from !== file2.sha256;
  const fits2 = w(() => !moved || isGone || reapplied(draft, file2.text) !== void 0, [moved, isGone, draft, file2]);
  if (isUnknownFile(opened.error) && !isGone) return a(UnknownFile, { name: path, error: opened.error, page: "what-if" });
  const done = state.done;
  return a($, { children: [
    a(Heading, { title: path === "" ? T3.pages["what-if"] : path, path: true, crumbs: path === "" ? [] : [{ text: T3.pages["what-if"], to: to("what-if") }], children: a("span", { class: "quiet", children: changedFiles.length > 0 ? T3.draftOf(changedFiles.length) : T3.noDraft }) }),
    a("div", { class: "tools", role: "toolbar", "aria-label": T3.draft, children: [
      a(Copy, { class: "primary", text: patchText, disabled: changedFiles.length === 0, children: T3.copyPatch }),
      a("button", { type: "button", disabled: changedFiles.length === 0, onClick: () => download("draft.patch", patchText()), children: T3.downloadPatch }),
      a("button", { type: "button", disabled: changedFiles.length === 0, onClick: () => void copyLink(), children: T3.copyLink }),
      project.value?.writable && query.at === void 0 && a("button", { type: "button", disabled: changedFiles.length === 0, onClick: () => void store(), children: T3.save }),
      asksDiscard ? a($, { children: [
        a("span", { children: T3.discardSure }),
        a(
          "button",
          {
            type: "button",
            class: "danger",
            onClick: () => {
              setDrafts(name, {});
              setAsksDiscard(false);
              setConflicts([]);
              setNotice(void 0);
              told.value = T3.discarded;
            },
            children: T3.discardYes
          }
        ),
        a("button", { type: "button", ref: keeps, onClick: () => setAsksDiscard(false), children: T3.discardNo })
      ] }) : a("button", { type: "button", ref: discards, disabled: changedFiles.length === 0, onClick: () => setAsksDiscard(true), children: T3.discard }),
      settable.value && a("button", { type: "button", onClick: () => setSets(true), children: T3.setFor }),
      a(SubjectChoice, { value: subject, onValue: (value) => refine({ subject: value }) })
    ] }),
    sets && a(SetFor, { item: void 0, path: "", value: "", subject: query.subject, onClose: () => setSets(false) }),
    notice !== void 0 && a("p", { class: "banner", role: "alert", children: [
      notice,
      " ",
      a("button", { type: "button", class: "link", onClick: () => setNotice(void 0), children: T3.close })
    ] }),
    moved && a("p", { class: "banner", role: "status", children: [
      isGone ? T3.draftGone : T3.draftMoved,
      " ",
      !fits2 && T3.draftTakesBack,
      " ",
      a("button", { type: "button", onClick: reapply, children: isGone ? T3.draftAsNew : T3.reapply })
    ] }),
    conflicts.map((conflict) => a(ConflictText, { conflict }, conflict.path)),
    changedFiles.length > 0 && !(changedFiles.length === 1 && changedFiles[0] === path) && a("nav", { class: "draft-files", "aria-label": T3.filesOfDraft, children: changedFiles.map((one) => a("button", { type: "button", "aria-pressed": one === path, onClick: () => go({ ...here.value, name: one }), children: a(Text, { text: one, lines: false }) }, one)) }),
    opened.error && !isGone && a(RefusedText, { error: opened.error }),
    path === "" ? a(Empty, { children: [
      T3.whatIfEmpty,
      " ",
      a(FileChoice, {})
    ] }) : a("div", { class: "split what-if", children: [
      a("section", { class: "main-pane", "aria-label": T3.text, children: [
        !file2 && (!opened.error || isGone) && a(Loading, { label: T3.loadingFile }),
        file2 && !file2.editable && a(Empty, { children: [
          file2.file.hidden ? T3.fileHidden : T3.notEditable(whyNot(file2.file.lines)),
          " ",
          a(Link, { to: to("file", path), children: T3.showFile })
        ] }),
        file2?.editable && a(
          DraftEditor,
          {
            file: file2,
            text: draft?.text ?? file2.text,
            marks: marksOf(path, file2, draft?.text ?? file2.text, state),
            onChange: (text2) => draftOf(name, path, file2, text2)
          },
          path
        )
      ] }),
      a("section", { class: "pane effects", "aria-label": T3.effects, children: changedFiles.length === 0 ? a(Empty, { children: T3.typeToSee(words) }) : a($, { children: [
        state.error && a(DiagnosticText, { diagnostic: state.error }),
        done?.diagnostics.map((diagnostic, index) => a(DiagnosticText, { diagnostic }, index)),
        state.refused && a(RefusedText, { error: state.refused }),
        stale && wrong && a("p", { class: "banner", children: T3.staleEffects }),
        a("div", { class: stale || state.busy ? "dimmed" : "", "aria-busy": state.busy ? true : void 0, children: a(EffectsText, { state: stale ?? state, subject }) })
      ] }) })
    ] })
  ] });
}
function useEffects(name, at2, subject, mine) {
  const [state, setState] = d({ ...NO_EFFECTS, busy: false, refused: void 0 });
  const good = T(void 0);
  const key = JSON.stringify([name, at2, subject, Object.entries(mine).map(([path, { text: text2 }]) => [path, text2])]);
  const now = generation.value;
  A(() => {
    if (Object.keys(mine).length === 0) {
      good.current = void 0;
      setState({ ...NO_EFFECTS, busy: false, refused: void 0 });
      return void 0;
    }
    const control = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const timer = setTimeout(() => {
      const end = begin(T3.asking, () => (control.abort(), setState((old) => ({ ...old, busy: false }))));
      Promise.all(Object.entries(mine).map(async ([path, one]) => [path, await presentText(name, at2, path, one, control.signal)])).then(
        (files2) => readEffects(
          whatIf(name, { at: at2 ?? null, subject: subject ?? null, files: Object.fromEntries(files2) }, checksStates.value, control.signal),
          control.signal,
          (effects) => setState({ ...effects, busy: true, refused: void 0 })
        )
      ).then(
        (effects) => {
          if (control.signal.aborted) return;
          const found = { ...effects, busy: false, refused: void 0 };
          if (!effects.error && effects.done && effects.done.diagnostics.length === 0) good.current = found;
          setState(found);
        },
        (error) => {
          if (control.signal.aborted) return;
          if (!(error instanceof Refused)) throw error;
          if (error.status === 0) lost();
          setState({ ...NO_EFFECTS, busy: false, refused: error.errors.length > 0 ? void 0 : error, error: error.errors[0] });
        }
      ).finally(end);
    }, SETTLES);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [key, now]);
  const wrong = state.error !== void 0 || state.refused !== void 0 || (state.done?.diagnostics.length ?? 0) > 0;
  return { state, wrong, stale: wrong || state.busy && !state.done && state.effects.length === 0 ? good.current : void 0 };
}
function urgency(effect2) {
  const kinds = effect2.changes.map((change) => change.kind);
  return kinds.includes("broken") ? 0 : kinds.includes("mended") || kinds.includes("fails-otherwise") ? 1 : 2;
}
function EffectsText({ state, subject }) {
  const { done, effects, progress } = state;
  const words = T3.subjectWords(project.value);
  const sorted = [...effects].sort((one, other) => urgency(one) - urgency(other) || one.id - other.id);
  return a($, { children: [
    !done && a("h2", { class: "pending", children: T3.asking }),
    done && a("h2", { class: "headline", children: done.subjects.changed === 0 ? T3.nobodyChanges(done.subjects.total, words) : T3.effectsSummary(done.subjects.changed, done.subjects.total, done.more?.effects ?? effects.length, words) }),
    progress && a(Progress, { progress, words }),
    subject !== void 0 && state.subject && a("section", { children: [
      a("h3", { children: [
        a(Text, { text: subject, lines: false }),
        ": ",
        state.subject.length === 0 ? T3.unchanged : T3.changes(state.subject.length)
      ] }),
      state.subject.length > 0 && a(Changes, { changes: state.subject, done })
    ] }),
    effects.length > 0 && a("h3", { children: T3.allSubjects(words) }),
    sorted.map((effect2, index) => a(EffectText, { effect: effect2, done, open: index === 0 && (subject === void 0 || state.subject?.length === 0) }, effect2.id)),
    done?.truncated && a("p", { children: T3.truncated(done.more?.subjects ?? 0, words) }),
    done?.findings && (done.findings.new.length + done.findings.gone.length > 0 ? a(NewFindings, { found: done.findings }) : a("p", { class: "quiet", children: T3.sameFindings }))
  ] });
}
function marksOf(path, file2, text2, state) {
  const marks = [];
  const words = T3.subjectWords(project.value);
  for (const one of [...state.done?.diagnostics ?? [], ...state.error ? [state.error] : []]) {
    if (one.file === path && one.line !== null) {
      marks.push({ line: one.line, ...one.column === null ? {} : { column: one.column }, severity: one.severity === "note" ? "info" : one.severity, message: escaped(one.message) });
    }
  }
  for (const one of state.done?.findings?.new ?? []) {
    if (one.file === path && one.line !== void 0) {
      marks.push({ line: one.line, ...one.column === void 0 ? {} : { column: one.column }, severity: one.severity === "note" ? "info" : one.severity, message: escaped(one.message) });
    }
  }
  let shift = 0;
  for (const edit of edits(lines2(file2.text), lines2(text2))) {
    if (edit.removed.length === edit.added.length) {
      edit.removed.forEach((_, index) => {
        const line = file2.file.lines[edit.line - 1 + index];
        const count = line?.overridden ?? 0;
        if (count > 0) marks.push({ line: edit.line + shift + index, severity: "info", message: T3.overridesIt(count, words) });
      });
    }
    shift += edit.added.length - edit.removed.length;
  }
  return marks;
}
var inEditor = (text2) => text2.replace(/\r\n/g, "\n");
var asInFile = (file2, text2) => file2.text.includes("\r\n") ? inEditor(text2).replace(/\n/g, "\r\n") : text2;
function DraftEditor(props) {
  const host = T(null);
  const editor = T(void 0);
  const latest = useLatest(props);
  const [failed, setFailed] = d(false);
  A(() => {
    let gone = false;
    import("./editor.js").then(
      ({ createEditor }) => {
        if (gone || !host.current) return;
        editor.current = createEditor(host.current, {
          text: inEditor(latest.current.text),
          label: T3.editorLabel(escaped(latest.current.file.path)),
          editable: true,
          yaml: /\.(ya?ml|eyaml|cfg)$/.test(latest.current.file.path),
          onChange: (text2) => latest.current.onChange(asInFile(latest.current.file, text2))
        });
        editor.current.setMarks(latest.current.marks);
        editor.current.focus();
      },
      () => setFailed(true)
    );
    return () => {
      gone = true;
      editor.current?.destroy();
      editor.current = void 0;
    };
  }, []);
  const others = replaced.value;
  A(() => {
    const { file: file2 } = latest.current;
    editor.current?.setText(inEditor(drafts.value[here.value.project]?.[file2.path]?.text ?? file2.text));
  }, [others, props.file.text]);
  const marks = JSON.stringify(props.marks);
  A(() => editor.current?.setMarks(latest.current.marks), [marks, props.text]);
  if (failed) {
    return a(
      "textarea",
      {
        class: "editor-host code",
        "aria-label": T3.editorLabel(escaped(props.file.path)),
        spellcheck: false,
        value: props.text,
        onInput: (event) => props.onChange(asInFile(props.file, event.currentTarget.value))
      }
    );
  }
  return a("div", { class: "editor-host", ref: host });
}
function useLinkedDraft(setNotice, setConflicts) {
  const { project: name, query, draft: text2 } = here.value;
  A(() => {
    if (text2 === "") return void 0;
    let gone = false;
    const read = async () => {
      let found;
      try {
        found = await readDraft(text2);
      } catch {
        setNotice(T3.draftBroken);
        return;
      }
      const taken = {};
      const conflicts = [];
      for (const [path, file2] of Object.entries(found.files)) {
        const there = file2.from === "" ? newFile(path) : await openDraft(name, query.at, path);
        const changes = editsOf(file2);
        const applied = there.sha256 === file2.from ? applyEdits(there.text, changes) : applyByContext(there.text, changes);
        if (applied === void 0 || !there.editable) {
          const added = changes.map((edit) => edit.added.join("")).join("\n");
          conflicts.push({ path, base: changes.map((edit) => edit.removed.join("")).join("\n"), mine: added, theirs: there.text });
        } else if (applied !== there.text) {
          taken[path] = { from: there.sha256, base: there.text, text: applied };
        }
      }
      if (gone) return;
      const old = drafts.value[name] ?? {};
      const loses = Object.keys(taken).some((path) => old[path] !== void 0 && old[path].text !== taken[path].text);
      if (loses && !confirm(T3.linkReplaces)) {
        replace({ ...here.value, draft: "" });
        return;
      }
      setConflicts(conflicts);
      setDrafts(name, { ...old, ...taken });
      replace({ ...here.value, draft: "" });
    };
    read().catch((error) => {
      if (!(error instanceof Refused)) throw error;
      setNotice(error.message);
    });
    return () => {
      gone = true;
    };
  }, [text2, name]);
}
function ConflictText({ conflict }) {
  return a("section", { class: "conflict", role: "alert", children: [
    a("p", { children: T3.conflict(escaped(conflict.path)) }),
    a("div", { class: "columns", children: [
      ["base", T3.versionBase],
      ["mine", T3.versionMine],
      ["theirs", T3.versionTheirs]
    ].map(([side, label]) => a("details", { children: [
      a("summary", { children: label }),
      a("pre", { class: "text", tabIndex: 0, "aria-label": label, children: a(Text, { text: conflict[side].slice(0, 1024 * 1024) }) })
    ] }, side)) })
  ] });
}
function SubjectChoice({ value, onValue }) {
  const names = namesOf.value ?? [];
  const [text2, setText] = d(value ?? "");
  A(() => setText(value ?? ""), [value]);
  const offered = w(() => names.filter((one) => one.toLowerCase().includes(text2.toLowerCase())).slice(0, 50), [names, text2]);
  if (names.length < 2) return null;
  const word = T3.subjectWord(project.value);
  return a("label", { class: "switch", children: [
    T3.title(word),
    " ",
    a(
      "input",
      {
        type: "text",
        class: "choice",
        list: "subject-choices",
        spellcheck: false,
        autocomplete: "off",
        value: text2,
        placeholder: T3.all,
        onInput: (event) => {
          const next = event.currentTarget.value;
          setText(next);
          if (next === "" || names.includes(next)) onValue(next || void 0);
        }
      }
    ),
    a("datalist", { id: "subject-choices", children: offered.map((one) => a("option", { value: one }, one)) })
  ] });
}
function FileChoice() {
  return a("button", { type: "button", class: "primary", onClick: () => go(to("files")), children: T3.chooseFile });
}
export {
  CodeHelp,
  ComparePage,
  FilePage,
  FilesPage,
  FindingsPage,
  Help,
  Inspector,
  MatrixPage,
  PlainText,
  RevisionDialog,
  SearchHits,
  SearchPage,
  WhatIfPage,
  groupsOf,
  ownHits
};
