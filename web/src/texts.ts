// SPDX-License-Identifier: Apache-2.0
// All texts of the pages; those that only pages.js needs are in texts-pages.ts. Values of configuration are never localised; counts and times are.
import type { Project, Severity, Fate } from "./api.ts";
import type { Page } from "./address.ts";

const numbers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const number = (count: number): string => numbers.format(count);

/** `1 line`, `2 lines`. */
export const many = (count: number, one: string, more = `${one}s`): string => `${number(count)} ${count === 1 ? one : more}`;

/** A number with words, which are given as for many. */
export const counted = (count: number, words: string): string => `${number(count)} ${count === 1 ? words.replace(/s$/, "") : words}`;

const title = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

type Worded = Pick<Project, "subject_word"> | undefined;

const subjectWord = (project: Worded): string => project?.subject_word || "subject";
const subjectWords = (project: Worded, count = 2): string => (count === 1 ? subjectWord(project) : `${subjectWord(project)}s`);

const seconds = (count: number): string => (count < 60 ? `${count} s` : count < 3600 ? `${Math.round(count / 60)} min` : `${Math.round(count / 3600)} h`);

const FINDINGS: Record<string, string> = {
  "dead-override": "dead override",
  "never-visible": "never visible",
  "dead-item": "dead item",
  "unused-file": "unused file",
  "unreachable-level": "unreachable level",
  "unknown-variable": "unknown variable",
  "unused-key": "unused key",
  "unknown-parameter": "unknown parameter",
  "idle-options": "idle options",
  typo: "typo?",
  "unknown-module": "unknown module",
  "type-clash": "type clash",
  "scalar-type": "text or number?",
};

export const T = {
  number,
  title,
  subjectWord,
  subjectWords,

  pages: {
    projects: "Projects",
    overview: "Overview",
    subjects: "Subjects",
    subject: "Result",
    files: "Files",
    file: "File",
    "what-if": "What if",
    matrix: "Matrix",
    compare: "Compare",
    findings: "Findings",
    search: "Search",
  } satisfies Record<Page, string>,

  // Words of many pages.
  project: "project",
  projects: "Projects",
  files: "files",
  filesOf: (count: number) => (count === 1 ? "file" : "files"),
  close: "Close",
  copied: "Copied",
  notCopied: "The browser does not allow copying",
  copiedPath: (path: string) => `Copied ${path}`,
  countOf: (count: number, all: number, words: string) => (count === all ? counted(all, words) : `${number(count)} of ${counted(all, words)}`),
  countWords: counted,
  hits: (count: number) => `${many(count, "hit")}`,
  lines: (count: number) => `… ${many(count, "line")}`,
  date: (text: string) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : dates.format(date);
  },
  note: "note:",
  hint: "hint:",
  noPlace: "(no file)",
  breadcrumb: "Where you are",
  skip: "Skip to the page",
  beginHere: "Begin here",
  pagesOf: "Pages of this project",
  filters: "Filters",
  view: "View",
  facets: "Facts",
  stop: "Stop",
  stopped: "Stopped.",
  goOn: "Go on",
  progress: (work: string, done: number, all: number | null, words: string) =>
    all === null ? `${number(done)} answers for the ${work}` : `${number(Math.min(done, all))} of ${counted(all, words)} for the ${work}`,

  severities: { error: "error", warning: "warning", note: "note" } satisfies Record<Severity, string>,
  errors: (count: number) => many(count, "error"),
  warningsCount: (count: number) => many(count, "warning"),
  warnings: (count: number) => many(count, "warning"),
  summary: (errors: number, warnings: number, notes: number) =>
    [many(errors, "error"), many(warnings, "warning"), ...(notes > 0 ? [many(notes, "note")] : [])].join(", "),
  findingShort: (code: string) => FINDINGS[code.replace(/^check\./, "")] ?? code.replace(/^check\./, "").replace(/-/g, " "),

  fates: { won: "won", merged: "merged", shadowed: "shadowed", removed: "removed" } satisfies Record<Fate, string>,
  fateSigns: { won: "●", merged: "◐", shadowed: "⊘", removed: "✕" } satisfies Record<Fate, string>,

  signs: {
    losers: { text: "⊘", words: (count: number) => `${number(count)} overridden` },
    computed: { text: "ƒ", words: "computed" },
    secret: { text: "", words: "secret" },
    finding: { text: "!", words: "finding" },
    differs: { text: "Δ", words: "differs" },
    failed: { text: "✕", words: "failed" },
  } as Record<"losers" | "computed" | "secret" | "finding" | "differs" | "failed", { text: string; words: string | ((count: number) => string) }>,

  // States.
  forbidden: "You may not see this.",
  noAnswer: "The service does not answer.",
  notConnected: "Not connected.",
  tryingIn: (count: number) => (count === 0 ? "Trying again …" : `Trying again in ${count} s.`),
  tryNow: "Try now",
  token: "Token",
  signIn: "Show the explorer",
  signInHow: "The service shows its projects to those who have a token. From strata explore, open the address that it printed.",
  age: (count: number) => `What you see is ${seconds(count)} old.`,
  generation: (count: number) => `generation ${number(count)}`,
  filesChanged: (count: number, ago: number) => `${many(count, "file")} changed ${seconds(ago)} ago`,
  notUnderstood: "This part of the address was not understood:",
  thereIsNo: (what: string) => `There is no ${what}`,
  asOf: (revision: string) => `as of ${revision}`,
  near: "Near:",
  noSuchRevision: "There is no such revision:",
  noSuchProject: "the service shows no project of this name",
  nothingFits: "Nothing fits the filter.",
  nothingOf: (layer: string) => `No line is from a layer ${layer}.`,
  nothingLeft: "No line is left: switch a filter off.",
  loadingPage: "Fetching the page",
  loadingProject: "Reading the project",
  loadingSubjects: (words: string) => `Reading the ${words}`,
  loadingResult: "Computing the result",
  loadingCommits: "Looking for commits that changed a result",


  // Header.
  at: "at:",
  workingTree: "working tree",
  search: "Search",
  searchHow: "Search   /",
  theme: (theme: string) => `Theme: ${theme === "auto" ? "as the system" : theme}`,
  help: "Keys",
  changedFiles: "changed files in the draft",

  // Projects and overview.
  noProjects: "There is no project here: go to a folder with configuration, or write a .strata.yaml.",
  revisionWith: (revision: string, changed: number) => `${revision}${changed > 0 ? ` + ${many(changed, "changed file")}` : ""}`,
  tileSubjects: "what each one gets, and why",
  tileFiles: "what each line reaches",
  tileProblems: (count: number) => (count === 1 ? "problem" : "problems"),
  tileFindings: "dead lines, typos, clashes",
  tileMatrix: "where they differ",
  layersHeading: "Layers",
  layersAbout: "Strongest first. The bar shows how much of what a layer writes is seen by somebody.",
  noLayers: "No file has a value that a result could have.",
  layer: "Layer",
  allLayers: "all",
  neverVisible: "Never visible",
  deadOverride: "Dead override",
  leavesColumn: "Values seen",
  noLeavesOfOwn: "–",
  seenOf: (seen: number, leaves: number) => `${number(seen)} of ${number(leaves)}`,
  barTitle: (leaves: number, seen: number, never: number, dead: number) =>
    `${many(leaves, "value")} written, ${number(seen)} seen, ${number(never)} never visible, ${many(dead, "dead override")}`,
  mostOverridden: "Most overridden",
  nothingOverridden: "Nothing is overridden.",
  overriddenCount: (losers: number, subjects: number, words: string) => `${many(losers, "value")} overridden, ${counted(subjects, words)}`,
  commitsHeading: "Commits that changed a result",
  noCommits: "No commit changed a result.",
  changes: (count: number) => many(count, "change"),

  // Subjects.
  columns: "Columns",
  select: "Pick",
  selectOne: (name: string) => `Pick ${name}`,
  selectNone: "Pick none",
  selectHow: "Pick two to compare them, more for the matrix.",
  compareTwo: "Compare the two",
  matrixOf: (count: number, words: string) => `Matrix of ${counted(count, words)}`,
  filterSubjects: (words: string) => `Filter ${words}`,
  filterHow: "name  -not  fact:role=db",
  findingsColumn: "Findings",
  assumed: (words: string) => `The ${words} are guessed from the names of files.`,
  /** Why there is nothing: without subjects that comes first. */
  nothingWithout: (project: Pick<Project, "subjects" | "subject_word"> | undefined, why: string): string => (project?.subjects === 0 ? T.noSubjects(subjectWord(project)) : why),
  noSubjects: (word: string): string => `This project has no ${word}s: name a folder of facts, --nodes DIR, or nodes: in .strata.yaml.`,

  // Result and inspector.
  origin: "Origin",
  value: "Value",
  marks: "Marks",
  asAbove: "as above",
  filterKeys: "Filter keys and values",
  onlyOverridden: "Only overridden",
  onlyDiffers: (words: string) => `Only what differs from most ${words}`,
  fold: "Fold",
  foldNothing: "nothing",
  foldLevel: (level: number) => `to level ${level}`,
  viewRows: "Lines",
  viewText: (format: string) => format.toUpperCase(),
  resultOf: (name: string) => `Result of ${name}`,
  emptyResult: (word: string) => `This ${word} gets nothing: no file has a value for it.`,
  subjectFails: (word: string) => `This ${word} has no result.`,
  noMoreMarks: "No more marks",

  // Findings.
  noFindings: "Nothing found: no line is without effect.",

  // Codes of errors.
  codeHow: "What this means",
};
