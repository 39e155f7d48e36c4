// SPDX-License-Identifier: Apache-2.0
// What the tests of the explorer share: the pure parts of web/src as modules, the real program, a browser that forgives nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const web = createRequire(join(ROOT, "web/package.json"));
/** `STRATA`, else what script/build or the preset `release` made. */
export const STRATA = process.env.STRATA ?? ["build/strata", "build/release/src/cli/strata"].map((path) => join(ROOT, path)).find(existsSync) ?? "strata";
export const LONG = process.env.STRATA_EXPLORER_LONG === "1";
/** Against hangs only: machines are loaded. */
export const HANGS = 300_000;

export function temporary() {
  return mkdtempSync(join(tmpdir(), "strata-explorer-"));
}

/** A copy of an example, so that a test may change it. */
export function copyOf(example) {
  const folder = temporary();
  cpSync(join(ROOT, "examples", example), folder, { recursive: true });
  return folder;
}

/** A module of web/src, as the pages have it. */
export async function source(path) {
  const { build } = web("esbuild");
  const folder = temporary();
  const outfile = join(folder, "module.mjs");
  await build({ entryPoints: [join(ROOT, "web/src", path)], bundle: true, format: "esm", target: "es2022", outfile, logLevel: "error" });
  const module = await import(pathToFileURL(outfile));
  rmSync(folder, { recursive: true });
  return module;
}

/** The program: `strata explore` over a folder, until `stop`. */
export async function explore(words, options = {}) {
  const child = spawn(STRATA, ["explore", "--no-open", ...words], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], ...options });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const line = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) found(text.split("\n")[0]);
    });
    child.on("exit", (status) => failed(new Error(`strata explore ended with ${status}: ${errors}`)));
  });
  const address = new URL(/^strata: (\S+)$/.exec(line)[1]);
  const token = address.searchParams.get("token");
  return {
    child,
    address: address.href,
    origin: address.origin,
    port: Number(address.port),
    token,
    /** An answer of the service, without a browser. */
    async ask(path, more = {}) {
      return fetch(`${address.origin}/strata/v1/explore${path}`, { ...more, headers: { Authorization: `Bearer ${token}`, ...more.headers } });
    },
    async json(path) {
      const answer = await this.ask(path);
      assert.equal(answer.status, 200, `${path}: ${answer.status} ${await answer.clone().text()}`);
      return answer.json();
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((done) => child.on("exit", done));
      child.kill("SIGINT");
      await ended;
    },
  };
}

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function browser() {
  const { chromium } = web("playwright-core");
  const path = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/bin/google-chrome"].find(existsSync);
  assert.ok(path, "no Chromium: script/bootstrap --browser installs it");
  return chromium.launch({ executablePath: path, args: FLAGS, timeout: HANGS });
}

/**
 * A page of a service in a browser of its own memory. `problems` collects what must not be: errors of the console and of the page, refused resources,
 * requests to other hosts. `allowed`: a pattern of messages that this test asks for itself.
 */
export async function open(chromium, service, path, options = {}) {
  const { allowed, ...context } = options;
  const profile = await chromium.newContext({ viewport: { width: 1280, height: 800 }, ...context });
  profile.setDefaultTimeout(HANGS);
  const problems = [];
  const problem = (text) => {
    if (!allowed?.test(text)) problems.push(text);
  };
  const page = await profile.newPage();
  const watch = (one) => {
    one.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problem(`console: ${message.text()} (${message.location().url})`);
    });
    one.on("pageerror", (error) => problem(`error: ${error.stack ?? error.message}`));
    // Aborted are those that the page ended itself.
    one.on("requestfailed", (request) => {
      const { errorText } = request.failure();
      if (errorText !== "net::ERR_ABORTED") problem(`${request.method()} ${request.url()}: ${errorText}`);
    });
    one.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "blob:" && origin !== service.origin) problem(`request to ${request.url()}`);
    });
  };
  watch(page);
  await page.goto(service.address);
  if (path !== undefined) await page.goto(service.origin + path);
  return {
    page,
    problems,
    profile,
    check() {
      assert.deepEqual(problems, []);
    },
    async close() {
      await profile.close();
      this.check();
    },
  };
}

/** Waits until nothing is loading. */
export async function settled(page) {
  await page.locator("h1:visible").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".loading, [aria-busy=true]") === null);
}

const axeSource = readFileSync(web.resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds: its source comes through the debugging protocol, for the content policy refuses scripts that are no files of the service. */
export async function accessibilityProblems(page) {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  };
  if (!(await evaluate("typeof axe === 'object'"))) await evaluate(`${axeSource}\n;0`);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const found = await evaluate(
    `axe.run(document, {runOnly: ${JSON.stringify(tags)}}).then((all) => all.violations.map((one) => one.id + ": " + one.nodes.slice(0, 4).map((node) => node.html.slice(0, 200) + " " + node.any.concat(node.all, node.none).map((check) => check.message).join("; ")).join(" | ")))`,
  );
  await session.detach();
  return found;
}

export async function screenshot(page, name) {
  const folder = join(ROOT, "build/explorer");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
