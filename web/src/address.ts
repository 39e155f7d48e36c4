// SPDX-License-Identifier: Apache-2.0
// Addresses of pages: everything that a person would want to send to another stands in them.

export const BASE = "/explore/";

/** The pages, and which parameters each one knows, in the order in which they are written. */
const PARAMETERS = {
  projects: [],
  overview: ["at"],
  subjects: ["q", "fact", "column", "at"],
  subject: ["item", "leaf", "only", "q", "view", "fold", "at", "against"],
  files: ["q", "at"],
  file: ["line", "at"],
  "what-if": ["subject", "at"],
  matrix: ["keys", "q", "fact", "subject", "all", "item", "leaf", "at"],
  compare: ["from", "to", "by", "effect", "subject"],
  findings: ["code", "file", "q", "by", "finding", "at"],
  search: ["q", "kind", "at"],
} as const;

export type Page = keyof typeof PARAMETERS;
export type Parameter = (typeof PARAMETERS)[Page][number];

export interface Address {
  page: Page;
  project: string;
  /** The subject of `subject`, the file of `file` and `what-if`. */
  name: string;
  /** What has no value is not here; `fact`, `column`, and the `subject` of a matrix, hold one a line. */
  query: Partial<Record<Parameter, string>>;
  /** The fragment of a draft, without `#d=`. */
  draft: string;
}

export interface Read {
  address: Address;
  /** Parts of the text that no page knows. */
  unknown: string[];
}

const NUMBER = /^[1-9]\d{0,8}$/;
/** What some parameters can be; others are texts. */
const VALUES: Partial<Record<Parameter, RegExp>> = {
  line: NUMBER,
  effect: NUMBER,
  fold: NUMBER,
  view: /^(yaml|json)$/,
  all: /^1$/,
  by: /^(code|file|effect|change|path)$/,
  kind: /^(subjects|keys|files|values|findings)$/,
};

const NAMED: Page[] = ["subject", "file", "what-if"];

const isList = (page: Page, name: string): boolean => name === "fact" || name === "column" || (page === "matrix" && name === "subject");

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function address(page: Page, project = "", name = "", query: Address["query"] = {}): Address {
  return { page, project, name, query, draft: "" };
}

/** The nearest page that an address means, with what was not understood. */
export function readAddress(pathname: string, search: string, hash: string): Read {
  const unknown: string[] = [];
  const parts = pathname.startsWith(BASE) ? pathname.slice(BASE.length).split("/") : [];
  const project = decoded(parts[0] ?? "");
  const found = address("projects");
  if (project === undefined) {
    return { address: found, unknown: [parts[0] ?? ""] };
  }
  found.project = project;
  if (project !== "") {
    found.page = "overview";
    const word = parts[1] ?? "";
    const rest = parts.slice(2).join("/");
    if (word in PARAMETERS && word !== "projects") {
      const page = word as Page;
      const name = decoded(rest);
      if (name === undefined || (!NAMED.includes(page) && rest !== "")) {
        unknown.push(rest);
      } else {
        found.name = name.startsWith("~") && DOTS.test(name) ? name.slice(1) : name;
      }
      found.page = name === undefined && page === "file" ? "files" : name === undefined && page === "subject" ? "subjects" : page;
      if (found.page === "file" && found.name === "") found.page = "files";
    } else if (word !== "") {
      unknown.push(parts.slice(1).join("/"));
    }
  }
  const known = PARAMETERS[found.page] as readonly Parameter[];
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.includes(name as Parameter) || VALUES[name as Parameter]?.test(value) === false) {
      unknown.push(`${name}=${value}`);
    } else if (isList(found.page, name)) {
      found.query[name as Parameter] = found.query[name as Parameter] === undefined ? value : `${found.query[name as Parameter]}\n${value}`;
    } else {
      found.query[name as Parameter] = value;
    }
  }
  if (hash.startsWith("#d=") && found.page === "what-if") {
    found.draft = hash.slice(3);
  } else if (hash !== "" && hash !== "#main") {
    unknown.push(hash);
  }
  return { address: found, unknown };
}

/** What stays readable in a query: the letters that need no escape there. */
function encodedQuery(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2F|3A|2A|2C|40)/g, (escape) => decodeURIComponent(escape)).replace(/%20/g, "+");
}

/** `.` and `..` cannot stand in a path: such a name has a `~` before it, and one more where it has some already. */
const DOTS = /^~*\.\.?$/;
export const pathName = (name: string): string => (DOTS.test(name) ? `~${name}` : name);

/** A name as parts of a path: `/` stays. */
export function encodedPath(name: string): string {
  return pathName(name).split("/").map(encodeURIComponent).join("/");
}

export function writeAddress(to: Address): string {
  let text = BASE;
  if (to.project !== "") {
    text += `${encodeURIComponent(to.project)}/`;
    if (NAMED.includes(to.page)) {
      text += `${to.page}/${encodedPath(to.name)}`;
    } else if (to.page !== "overview" && to.page !== "projects") {
      text += to.page;
    }
  }
  const words: string[] = [];
  for (const name of PARAMETERS[to.page]) {
    const value = to.query[name];
    if (value === undefined) continue;
    for (const one of isList(to.page, name) ? value.split("\n") : [value]) words.push(`${name}=${encodedQuery(one)}`);
  }
  if (words.length > 0) text += `?${words.join("&")}`;
  if (to.draft !== "") text += `#d=${to.draft}`;
  return text;
}
