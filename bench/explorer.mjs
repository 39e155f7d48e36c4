// SPDX-License-Identifier: Apache-2.0
// Times of the explorer in a real Chromium, beside its budgets (docs/explorer.md).
//   node bench/explorer.mjs STRATA INVENTORY [RUNS [PART...]] [--json FILE]    INVENTORY: a folder that `workloads.py inventory 1000 500` made
//   PART: assets, node, many, what-if, compare; all by default.
// The median and the best of RUNS (10). Loopback, warm browser; what a person waits for: from the key or click to the frame in which the answer is drawn.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { browser, explore, open, ROOT, settled, temporary } from "../tests/explorer/support.mjs";

const place = process.argv.indexOf("--json");
const [, results] = place < 0 ? [] : process.argv.splice(place, 2);
const rows = [];
const [, , , inventory, wantedRuns, ...wantedParts] = process.argv;
const RUNS = Number(wantedRuns ?? 10);
const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Prints a figure, or the median of several and the best of them, which is the more stable one on a shared machine. */
function report(what, figures, budget, unit) {
  const figure = Array.isArray(figures) ? median(figures) : figures;
  const best = Array.isArray(figures) ? `best ${Math.min(...figures).toFixed(figure < 100 ? 1 : 0)}` : "";
  const over = budget !== undefined && figure > budget ? "  over" : "";
  rows.push({ workload: what, measured: unit === "ms" ? "wall time" : "size", figure, unit, baseline: "", threads: "all", budget: budget ?? null, at_least: null });
  console.log(`${what.padEnd(70)} ${figure.toFixed(figure < 100 ? 1 : 0).padStart(8)} ${unit.padEnd(3)} ${best.padEnd(12)} ${budget === undefined ? "" : `< ${budget}${over}`}`);
}

/** The median of what `once` gives, in milliseconds. */
async function times(what, budget, once) {
  const found = [];
  for (let run = 0; run < RUNS; run += 1) found.push(await once(run));
  report(what, found, budget, "ms");
}

/** Until an expression is true. The content policy forbids pages to evaluate texts: the protocol does. */
async function ready(page, expression) {
  while (!(await page.evaluate(expression))) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Runs `act` in the page, and gives the time until `done` holds in a frame that was drawn. */
function until(page, act, done) {
  return page.evaluate(
    async ([actText, doneText]) => {
      const [run, ready] = [new Function(actText), new Function(`return ${doneText}`)];
      const begin = performance.now();
      run();
      while (!ready()) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - begin;
    },
    [act, done],
  );
}

/** From the next time that a pointer goes down until `done` holds in a frame that was drawn. */
async function clicked(page, done) {
  await page.evaluate((doneText) => {
    const ready = new Function(`return ${doneText}`);
    window.shown = new Promise((found) => {
      const pressed = async (event) => {
        while (!ready()) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        found(performance.now() - event.timeStamp);
      };
      addEventListener("pointerdown", pressed, { once: true, capture: true });
    });
  }, done);
  return () => page.evaluate("window.shown");
}

/** Until the page has nothing to do for a moment. */
const quiet = (page) => page.evaluate(() => new Promise((done) => setTimeout(() => requestIdleCallback(done), 150)));

const key = (selector, name) => `document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new KeyboardEvent("keydown", {key: ${JSON.stringify(name)}, bubbles: true}))`;
const input = (selector, text) =>
  `const box = document.querySelector(${JSON.stringify(selector)}); box.value = ${JSON.stringify(text)}; box.dispatchEvent(new Event("input", {bubbles: true}))`;
const link = (path) => `const a = document.createElement("a"); history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`;

function assets() {
  const size = (...names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(ROOT, "web/dist", name)), { level: 9 }).length, 0) / 1000;
  report("what the first page needs: app.js, chunk.js, gzip", size("app.js", "chunk.js"), 40, "KB");
  report("editor.js, gzip", size("editor.js"), 135, "KB");
}

/** A fleet whose nodes have 2,500 keys. */
function many(folder) {
  mkdirSync(join(folder, "data/role"), { recursive: true });
  writeFileSync(join(folder, "hiera.yaml"), 'version: 5\nhierarchy:\n  - {name: role, path: "role/%{role}.yaml"}\n  - {name: common, path: common.yaml}\n');
  writeFileSync(join(folder, "data/common.yaml"), Array.from({ length: 2500 }, (_, index) => `key_${String(index).padStart(4, "0")}: {a: ${index}, b: [x, y]}\n`).join(""));
  for (const role of ["web", "db"]) writeFileSync(join(folder, `data/role/${role}.yaml`), Array.from({ length: 250 }, (_, index) => `key_${String(index * 10).padStart(4, "0")}: ${role}\n`).join(""));
  const nodes = (count) => JSON.stringify(Array.from({ length: count }, (_, index) => ({ name: `n${String(index).padStart(6, "0")}`, facts: { role: index % 2 ? "web" : "db" } })));
  writeFileSync(join(folder, "few.json"), nodes(40));
  // Many nodes have fewer keys.
  const small = join(folder, "small");
  mkdirSync(join(small, "data/role"), { recursive: true });
  cpSync(join(folder, "hiera.yaml"), join(small, "hiera.yaml"));
  writeFileSync(join(small, "data/common.yaml"), Array.from({ length: 5 }, (_, index) => `key_${index}: {a: ${index}, b: [x, y]}\n`).join(""));
  for (const role of ["web", "db"]) writeFileSync(join(small, `data/role/${role}.yaml`), `key_0: ${role}\n`);
  writeFileSync(join(small, "many.json"), nodes(100_000));
}

async function withService(words, cwd, work) {
  const service = await explore(words, { cwd });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

const PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime';

async function keysOfOneNode(chromium, folder) {
  await withService(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "few.json"], folder, async (service) => {
    // Without a repository there are no revisions to compare.
    const session = await open(chromium, service, "/explore/lookup/subjects", { allowed: /status of 404/ });
    const { page } = session;
    await settled(page);
    for (const path of ["", "subjects", "subject/n000001", "files", "file/data/common.yaml", "matrix", "findings", "compare"]) {
      await times(`first contentful paint: ${path || "overview"}`, 200, async () => {
        await page.goto(`${service.origin}/explore/lookup/${path}`);
        await ready(page, `${PAINT} !== undefined`);
        return page.evaluate(PAINT);
      });
    }
    await page.goto(`${service.origin}/explore/lookup/subjects`);
    await settled(page);
    const shows = (node) => `document.querySelector("h1")?.textContent === "${node}" && document.querySelectorAll("[role=treegrid] [role=row]").length > 10`;
    const nodes = Array.from({ length: RUNS }, (_, index) => `n${String(2 * index + 2).padStart(6, "0")}`);
    await times("result of a node with 2,500 keys, rows visible, cold", 300, (run) => until(page, link(`/explore/lookup/subject/${nodes[run]}`), shows(nodes[run])));
    await times("the same, warm", 100, (run) => until(page, link(`/explore/lookup/subject/${nodes[RUNS - 1 - (run % 2)]}`), shows(nodes[RUNS - 1 - (run % 2)])));
    await ready(page, 'document.querySelector("[role=treegrid]").getAttribute("aria-busy") === null');
    await page.locator("[role=treegrid]").focus();
    // The first one makes room for the pane.
    await until(page, link(`/explore/lookup/subject/${nodes[0]}?item=key_0002&leaf=/a`), 'document.querySelector("aside.inspector .effective .value")?.textContent === "2"');
    await times("leaf inspector, by its address", 50, (run) => {
      const name = `key_${String(run * 10 + 3).padStart(4, "0")}`;
      return until(
        page,
        link(`/explore/lookup/subject/${nodes[0]}?item=${name}&leaf=/a`),
        `document.querySelector("aside.inspector h2")?.textContent === "${name}/a" && document.querySelector("aside.inspector .effective .value")?.textContent === "${run * 10 + 3}"`,
      );
    });
    await times("leaf inspector, of a row that is clicked", 50, async (run) => {
      const number = 1000 + 10 * run + 4;
      await page.evaluate(link(`/explore/lookup/subject/${nodes[0]}?item=key_${number}&leaf=/b`));
      const row = page.getByRole("row").filter({ hasText: new RegExp(`a: ${number}$`) });
      await row.waitFor();
      await quiet(page);
      const shown = await clicked(page, `document.querySelector("aside.inspector .effective .value")?.textContent === "${number}" && document.querySelector("aside.inspector h3") !== null`);
      await row.locator(".code").click();
      return shown();
    });
    await session.close();
  });
}

async function manySubjects(chromium, folder) {
  await withService(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "many.json"], join(folder, "small"), async (service) => {
    const session = await open(chromium, service, "/explore/lookup/subjects");
    const { page } = session;
    const count = 'Number(document.querySelector("[role=grid]")?.getAttribute("aria-rowcount"))';
    await ready(page, `${count} === 100001`);
    const filters = [["9999", 11], ["", 100_001], ["00001", 21], ["", 100_001]];
    await times("key press to filtered list, 100,000 subjects", 50, (run) => {
      const [text] = filters[run % filters.length];
      return until(page, `window.before = ${count}; ${input("#filter", text)}`, `${count} !== window.before`);
    });
    await page.evaluate(input("#filter", ""));
    await ready(page, `${count} === 100001`);
    const end = (name, row) => until(page, key("#subjects", name), `document.getElementById("subjects").getAttribute("aria-activedescendant") === "subjects-${row}" && document.getElementById("subjects-${row}") !== null`);
    await times("End and Home in 100,000 rows", 80, (run) => (run % 2 === 0 ? end("End", 99_999) : end("Home", 0)));
    const tools = await page.context().newCDPSession(page);
    await tools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await tools.send("Runtime.getHeapUsage");
    report("memory of the page with 100,000 subjects", usedSize / 1e6, 150, "MB");
    await session.close();
    const { text, firstEffect, longest } = await edit(chromium, service, "data/common.yaml", "key_added: changed\n");
    report(`what-if, 100,000 nodes: the first group (${text})`, firstEffect, 1000, "ms");
    report("what-if, 100,000 nodes: the longest that the page is blocked", longest, 50, "ms");
  });
}

/** From now on `window.longest` is the longest time, in milliseconds, that the page did not hear keys. */
function watchLongTasks(page) {
  return page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
    }).observe({ type: "longtask" });
  });
}

/** Types at the end of a draft, and waits for the effects. */
async function edit(chromium, service, path, text, subject) {
  const session = await open(chromium, service, `/explore/lookup/what-if/${path}${subject === undefined ? "" : `?subject=${subject}`}`);
  const { page } = session;
  await page.locator(".editor-host .cm-content").waitFor();
  await watchLongTasks(page);
  await page.locator(".editor-host .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.evaluate(() => {
    window.found = {};
    const look = () => {
      const effects = document.querySelector("section.effects");
      if (window.found.subject === undefined && effects?.querySelector("h3")) window.found.subject = performance.now();
      if (window.found.effect === undefined && effects?.querySelector("details.effect-group")) window.found.effect = performance.now();
      if (effects?.querySelector("h2.headline")) window.found.all = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.keyboard.insertText(text);
  const begin = await page.evaluate("performance.now()");
  await ready(page, "window.found.all !== undefined");
  const found = await page.evaluate("window.found");
  const longest = await page.evaluate("window.longest");
  const headline = await page.locator("h2.headline").textContent();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Yes, discard" }).click();
  await session.close();
  return { text: headline, chosen: found.subject - begin, firstEffect: found.effect - begin, all: found.all - begin, longest };
}

/** Two revisions with 5,000 changed leaves in ten files: from the address to all of it, and the longest time that the page is blocked. */
async function compareStates(chromium) {
  const folder = temporary();
  const git = (...words) => execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.com", ...words], { cwd: folder });
  mkdirSync(join(folder, "data"));
  const files = Array.from({ length: 10 }, (_, index) => `part${index}.yaml`);
  const write = (value) => {
    for (const file of files) {
      const keys = Array.from({ length: 250 }, (_, index) => `${file.slice(0, 5)}_${index}:\n  a: ${value}\n  # ${index}\n  b: ${value}\n`);
      writeFileSync(join(folder, "data", file), keys.join(""));
    }
  };
  writeFileSync(join(folder, "hiera.yaml"), `version: 5\nhierarchy:\n  - {name: parts, paths: [${files}]}\n`);
  writeFileSync(join(folder, "nodes.json"), JSON.stringify(Array.from({ length: 20 }, (_, index) => ({ name: `n${index}`, facts: {} }))));
  git("init", "-q");
  write(1);
  git("add", "-A");
  git("commit", "-qm", "before");
  write(2);
  await withService(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"], folder, async (service) => {
    const blocked = [];
    const whole = [];
    for (let run = 0; run < RUNS; run += 1) {
      const session = await open(chromium, service, "/explore/lookup/subjects");
      await settled(session.page);
      await watchLongTasks(session.page);
      const begin = await session.page.evaluate("performance.now()");
      await session.page.evaluate(link("/explore/lookup/compare"));
      await ready(session.page, 'document.querySelectorAll(".file-edits .hunk").length > 0');
      whole.push((await session.page.evaluate("performance.now()")) - begin);
      blocked.push(await session.page.evaluate("window.longest"));
      await session.close();
    }
    report("two states, 5,000 changed leaves: all of it", whole, undefined, "ms");
    report("two states, 5,000 changed leaves: the longest that the page is blocked", blocked, 50, "ms");
  });
  rmSync(folder, { recursive: true });
}

async function whatIf(chromium) {
  const folder = temporary();
  cpSync(inventory, folder, { recursive: true });
  const [name] = /^\w+(?=:)/m.exec(readFileSync(join(folder, "data/common.yaml"), "utf8"));
  const [node] = JSON.parse(readFileSync(join(folder, "nodes.json"), "utf8"));
  await withService(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--merge", "deep"], folder, async (service) => {
    const found = [];
    // The first one takes the subjects.
    for (let run = 0; run <= RUNS; run += 1) found.push(await edit(chromium, service, "data/common.yaml", `zz_added_to_${name}: ${run}\n`, node.name));
    found.shift();
    report("what-if, 1,000 nodes x 500 keys: the chosen subject", found.map((one) => one.chosen), 100 + 100, "ms");
    report("what-if, 1,000 nodes x 500 keys: the first effect", found.map((one) => one.firstEffect), 300, "ms");
    report("what-if, 1,000 nodes x 500 keys: all, with findings", found.map((one) => one.all), undefined, "ms");
  });
  rmSync(folder, { recursive: true });
}

const chromium = await browser();
const folder = temporary();
many(folder);
const parts = {
  assets,
  node: () => keysOfOneNode(chromium, folder),
  many: () => manySubjects(chromium, folder),
  "what-if": () => whatIf(chromium),
  compare: () => compareStates(chromium),
};
for (const [name, measure] of Object.entries(parts)) if (wantedParts.length === 0 || wantedParts.includes(name)) await measure();
await chromium.close();
rmSync(folder, { recursive: true });
if (results !== undefined) {
  const about = { date: new Date().toISOString().slice(0, 10), cpu: cpus()[0].model, cores: cpus().length, load: Number(loadavg()[1].toFixed(1)), command: "script/bench explorer" };
  mkdirSync(dirname(results), { recursive: true });
  writeFileSync(results, `${JSON.stringify({ ...about, rows }, null, 1)}\n`);
}
