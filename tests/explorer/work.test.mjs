// SPDX-License-Identifier: Apache-2.0
// What people do in the explorer: find why, try an edit, take it away as a patch or a link, by keyboard alone; and what must not happen meanwhile.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessibilityProblems, browser, copyOf, explore, HANGS, open, ROOT, screenshot, settled, STRATA, temporary } from "./support.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(async () => chromium?.close());

const OPTIONS = { timeout: 2 * HANGS };
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** Runs with a service and a page of it, and looks at the end for what must not be. */
async function within(words, options, path, work, more = {}) {
  const service = await explore(words, options);
  const session = await open(chromium, service, path, more);
  try {
    await work(session.page, service, session);
    session.check();
  } finally {
    await session.profile.close();
    await service.stop();
  }
}

/** Types behind the text of the editor. */
async function typeAtEnd(page, text) {
  await page.locator(".editor-host .cm-content").waitFor();
  await page.locator(".editor-host .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

const effects = (page) => page.getByRole("region", { name: "Effects" });

test("a draft: effects as strata impact tells them, a patch that git applies, a link that shows the same, discarding", OPTIONS, async () => {
  const folder = copyOf("fleet");
  execFileSync("git", ["init", "-q", folder]);
  const before = readFileSync(join(folder, "data/common.yaml"), "utf8");
  const line = before.split("\n").findIndex((text) => text.startsWith("profile::web::port:")) + 1;
  assert.ok(line > 0);
  const after = before.replace(/^profile::web::port: .*$/m, "profile::web::port: 8000");
  writeFileSync(join(folder, "edited"), after);
  const question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const ran = JSON.parse(
    execFileSync(STRATA, ["impact", "--exit-zero", "--output", "json", "--edit", "data/common.yaml=edited", ...question, "--all"], { cwd: folder, encoding: "utf8" }),
  );
  await within(
    question,
    { cwd: folder },
    "/explore/lookup/what-if/data/common.yaml",
    async (page, service) => {
      await page.locator(".editor-host .cm-content").waitFor();
      await page.locator(".editor-host .cm-line").nth(line - 1).click();
      await page.keyboard.press("End");
      await page.keyboard.press("Shift+Home");
      await page.keyboard.type("profile::web::port: 8000");
      const { changed, total } = ran.subjects;
      assert.ok(changed > 0);
      const headline = new RegExp(`^${changed} of ${total} nodes changes?: ${ran.effects.length} distinct effects?$`);
      await effects(page).getByRole("heading", { name: headline }).waitFor();
      const groups = effects(page).locator("details.effect-group");
      assert.equal(await groups.count(), ran.effects.length);
      assert.deepEqual(await accessibilityProblems(page), []);
      await screenshot(page, "what-if-draft");

      await page.getByRole("button", { name: "Copy patch" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const patch = await page.evaluate(() => navigator.clipboard.readText());
      execFileSync("git", ["apply", "-"], { cwd: folder, input: patch });
      assert.equal(readFileSync(join(folder, "data/common.yaml"), "utf8"), after);
      execFileSync("git", ["apply", "--reverse", "-"], { cwd: folder, input: patch });

      // A reload keeps the draft, a link takes it to another browser.
      await page.reload();
      await effects(page).getByRole("heading", { name: headline }).waitFor();
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByText("The link is copied").waitFor();
      const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
      const fresh = await open(chromium, service, link.pathname + link.search + link.hash);
      await effects(fresh.page).getByRole("heading", { name: headline }).waitFor();
      await fresh.close();

      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("button", { name: "Yes, discard" }).click();
      await page.getByText("Nothing is written.").waitFor();
      assert.equal(await page.locator(".editor-host .cm-line").nth(line - 1).textContent(), before.split("\n")[line - 1]);
      assert.equal(readFileSync(join(folder, "data/common.yaml"), "utf8"), before);
    },
    CLIPBOARD,
  );
  rmSync(folder, { recursive: true });
});

test("a draft that cannot be read: the place is told, the last effects stay, one question at a time; a large one is no link", OPTIONS, async () => {
  const folder = copyOf("fleet");
  await within(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"], { cwd: folder }, "/explore/lookup/what-if/data/common.yaml", async (page) => {
    let running = 0;
    let most = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/what-if") && request.method() === "POST") most = Math.max(most, (running += 1));
    });
    const ended = (request) => {
      if (request.url().endsWith("/what-if") && request.method() === "POST") running -= 1;
    };
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
    await typeAtEnd(page, "added::key: 1\n");
    const heading = effects(page).getByRole("heading", { name: /nodes? changes?: 1 distinct effect/ });
    await heading.waitFor();
    await page.keyboard.type("wrong: [a, b");
    await page.getByText("The draft cannot be read").waitFor();
    await effects(page).getByText("yaml.syntax").first().waitFor();
    assert.ok(await heading.isVisible(), "the last effects stay");
    assert.ok(most <= 1, `${most} questions at once`);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.type("]\n");
    await page.getByText("The draft cannot be read").waitFor({ state: "detached" });

    // Text that packs badly is more than an address may hold.
    let text = "large: ";
    for (let state = 1, index = 0; index < 30_000; index += 1) text += String.fromCharCode(97 + ((state = (state * 48271) % 2147483647) % 26));
    await page.evaluate((all) => {
      const drafts = JSON.parse(sessionStorage.getItem("strata.drafts"));
      drafts.lookup["data/common.yaml"].text += all;
      sessionStorage.setItem("strata.drafts", JSON.stringify(drafts));
    }, text);
    await page.reload();
    await page.locator(".editor-host .cm-content").waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("The draft is too large for a link").waitFor();
  });
  rmSync(folder, { recursive: true });
});

test("by keyboard alone: search, inspect, go to the line, edit, copy the patch", OPTIONS, async () => {
  const folder = copyOf("hiera");
  await within(
    ["."],
    { cwd: folder },
    "/explore/",
    async (page, service) => {
      const { projects } = await service.json("/projects");
      await settled(page);
      const focus = () =>
        page.evaluate(() => {
          const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
          return `${element?.getAttribute("role") ?? element?.tagName}`;
        });
      await page.keyboard.press("g");
      await page.keyboard.press("n");
      await page.getByRole("grid").waitFor();
      await page.keyboard.press("f");
      await page.keyboard.type("db01");
      await page.keyboard.press("ArrowDown");
      assert.equal(await focus(), "grid");
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      const grid = page.getByRole("treegrid");
      await grid.getByText("postgres").first().waitFor();
      await page.keyboard.press("f");
      await page.keyboard.type("alice postgres");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      const pane = page.getByRole("complementary", { name: "Where this value comes from" });
      await pane.getByText("removed").first().waitFor();
      assert.equal(await focus(), "ASIDE", "the inspector has the focus");
      await page.keyboard.press("Escape");
      assert.equal(await focus(), "treegrid", "Escape gives it back");
      await page.keyboard.press("Enter");
      await pane.getByRole("link", { name: "Go to line" }).waitFor();
      for (let tabs = 0; tabs < 5 && !(await pane.getByRole("link", { name: "Go to line" }).evaluate((link) => link === document.activeElement)); tabs += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("treegrid", { name: /^Lines of / }).waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Lines of "));
      await page.keyboard.press("g");
      await page.keyboard.press("w");
      await page.locator(".editor-host .cm-content").waitFor();
      await page.waitForFunction(() => document.activeElement?.classList.contains("editor-host"));
      await page.keyboard.press("Control+End");
      await page.keyboard.type("added::key: 1\n");
      await effects(page).getByRole("heading", { name: /distinct effect/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Shift+Tab");
      for (let tabs = 0; tabs < 12 && !(await page.getByRole("button", { name: "Copy patch" }).evaluate((button) => button === document.activeElement)); tabs += 1) {
        await page.keyboard.press("Shift+Tab");
      }
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Copied" }).waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\+added::key: 1$/m);
      assert.ok(projects.length > 0);
    },
    CLIPBOARD,
  );
  rmSync(folder, { recursive: true });
});

/** A project whose names and values look like markup, scripts and directions of text. */
function hostile() {
  const folder = temporary();
  mkdirSync(join(folder, "data"));
  mkdirSync(join(folder, "nodes"));
  writeFileSync(join(folder, "hiera.yaml"), 'version: 5\nhierarchy:\n  - {name: "<b>layer</b>", paths: ["nodes/it\'s \\"quoted\\" <i>.yaml", "common.yaml"]}\n');
  writeFileSync(join(folder, "nodes/n1.yaml"), "role: web\n");
  writeFileSync(join(folder, "nodes/n2.yaml"), "role: db\n");
  mkdirSync(join(folder, "data/nodes"));
  writeFileSync(join(folder, 'data/nodes/it\'s "quoted" <i>.yaml'), '"<img src=x onerror=alert(1)>": "<script>alert(2)</script>"\nlink: "javascript:alert(3)"\n');
  writeFileSync(
    join(folder, "data/common.yaml"),
    `"<img src=x onerror=alert(1)>": loses\nlink: "https://example.invalid/"\n"right\\u202Eleft": "zero\\u200Bwidth\\u0007"\nlarge: ${"x".repeat(1024 * 1024)}\n`,
  );
  return folder;
}

test("keys, values and names of files that look like markup are text", OPTIONS, async () => {
  const folder = hostile();
  await within(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes"], { cwd: folder }, "/explore/lookup/subject/n1", async (page, service, session) => {
    await settled(page);
    const grid = page.getByRole("treegrid");
    await grid.getByText("<script>alert(2)</script>").waitFor();
    await grid.getByText("U+200B").first().waitFor();
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.equal(await page.locator("a[href^=javascript], a[href^=http]").count(), 0);
    assert.ok((await grid.textContent()).length < 100_000, "a value of a megabyte is not shown whole");
    await grid.getByText("<script>alert(2)</script>").click();
    const pane = page.getByRole("complementary", { name: "Where this value comes from" });
    await pane.getByText("loses").waitFor();
    // YAML escapes it in the line; the name of the item is the character itself.
    await grid.getByText("\\u202E").click();
    await pane.getByRole("heading", { level: 2 }).getByText("U+202E").waitFor();
    await grid.getByText("<script>alert(2)</script>").click();
    await pane.getByText("loses").waitFor();
    await pane.getByRole("link", { name: "Go to line" }).click();
    await page.getByRole("heading", { level: 1, name: 'it\'s "quoted" <i>.yaml' }).waitFor();
    await page.goto(`${service.origin}/explore/lookup/search?q=${encodeURIComponent("<img")}`);
    await settled(page);
    assert.deepEqual(await accessibilityProblems(page), []);
    session.check();
  });
  rmSync(folder, { recursive: true });
});

/** The clear texts of what eyaml hides in examples/hiera: `strata lookup` shows them. */
function secretsOf(folder) {
  const words = ["lookup", "--all", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--output", "json", "--quiet"];
  const run = (...more) => JSON.parse(execFileSync(STRATA, [...words, ...more], { cwd: folder, encoding: "utf8" }));
  const clear = run();
  const masked = run("--mask");
  const found = [];
  const walk = (one, other) => {
    if (typeof other === "string" && other !== one) found.push(String(one));
    else if (other !== null && typeof other === "object") for (const key of Object.keys(other)) walk(one[key], other[key]);
  };
  walk(clear, masked);
  return [...new Set(found)];
}

test("secrets are not in the pages, not in what is copied, not in links", OPTIONS, async () => {
  // The example names its key from there.
  const folder = temporary();
  cpSync(join(ROOT, "examples/hiera"), join(folder, "examples/hiera"), { recursive: true });
  for (const words of [["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "as it is"]]) execFileSync("git", words, { cwd: folder });
  const secrets = secretsOf(folder);
  assert.ok(secrets.length > 0);
  await within(
    ["examples/hiera"],
    { cwd: folder },
    "/explore/",
    async (page, service) => {
      const { projects } = await service.json("/projects");
      const base = `${service.origin}/explore/${projects[0].name}`;
      const { rows } = await service.json(`/projects/${projects[0].name}/subjects/db01/rows?count=1000`);
      const secret = rows.find((row) => row.marks?.includes("secret"));
      const look = async (what) => {
        await settled(page);
        const shown = `${await page.content()} ${page.url()} ${await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }) + [...document.querySelectorAll("input, textarea")].map((one) => one.value).join(" "))}`;
        for (const one of secrets) assert.ok(!shown.includes(one), `${what} shows a secret`);
      };
      const copied = async (button, what) => {
        await page.getByRole("button", { name: button, exact: true }).click();
        await page.getByRole("button", { name: "Copied" }).first().waitFor();
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.ok(text.length > 0);
        for (const one of secrets) assert.ok(!text.includes(one), `${what} holds a secret`);
        await page.getByRole("button", { name: "Copied" }).first().waitFor({ state: "detached" });
      };
      for (const path of ["", "subjects", "files", "findings", "compare", "matrix?all=1", `search?q=${encodeURIComponent(secrets[0].slice(0, 6))}`, `file/${secret.origin.file}?line=${secret.origin.line}`, `what-if/${secret.origin.file}`]) {
        await page.goto(`${base}/${path}`);
        await look(path);
      }
      await page.goto(`${base}/subject/db01?item=${encodeURIComponent(secret.item)}&leaf=${encodeURIComponent(secret.path)}`);
      const pane = page.getByRole("complementary", { name: "Where this value comes from" });
      await pane.getByText("******").first().waitFor();
      await look("leaf");
      await copied("Copy path", "the path");
      await copied("Copy as command", "the command");
      await page.goto(`${base}/subject/db01?view=yaml`);
      await look("yaml");
      await copied("Copy", "the text");
      await page.goto(`${base}/matrix?all=1`);
      await settled(page);
      for (const form of ["CSV", "TSV", "Markdown"]) await copied(form, form);
      await page.goto(`${base}/what-if/examples/hiera/environments/production/data/common.yaml`);
      await typeAtEnd(page, "added::key: 1\n");
      await effects(page).getByRole("heading", { name: /distinct effect/ }).waitFor();
      await look("effects");
      await copied("Copy patch", "the patch");
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByText("The link is copied").waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      for (const one of secrets) assert.ok(!link.includes(one));
    },
    CLIPBOARD,
  );
  rmSync(folder, { recursive: true });
});

test("an address that leads nowhere says what is near", OPTIONS, async () => {
  await within(
    ["examples/hiera"],
    {},
    "/explore/hiera/subject/db0",
    async (page) => {
      await page.getByRole("alert").getByText("There is no node").first().waitFor();
      await page.getByRole("link", { name: "db01" }).click();
      await page.getByRole("treegrid").waitFor();
      await page.goto(`${new URL(page.url()).origin}/explore/hiera/nodez`);
      await page.getByText("This part of the address was not understood").waitFor();
      await page.goto(`${new URL(page.url()).origin}/explore/hier/`);
      await page.getByRole("link", { name: "hiera" }).first().waitFor();
    },
    { allowed: /status of 404/ },
  );
});

test("a file that changes shows by itself, folding and place stay; a service that ends is told, and found again", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const words = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const service = await explore(words, { cwd: folder });
  const session = await open(chromium, service, "/explore/lookup/subject/web01", { allowed: /Failed to load resource|ERR_/ });
  const { page } = session;
  const grid = page.getByRole("treegrid");
  await grid.getByText("profile::web::workers").waitFor();
  await grid.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  const folded = await grid.locator("[aria-selected=true]").textContent();
  writeFileSync(join(folder, "data/common.yaml"), `${readFileSync(join(folder, "data/common.yaml"), "utf8")}zz::added: here\n`);
  await grid.getByText("zz::added").waitFor();
  assert.equal(await grid.locator("[aria-selected=true]").textContent(), folded);
  await page.getByText(/file changed/).waitFor();

  await service.stop();
  await page.getByText("Not connected.").waitFor();
  assert.ok(await grid.getByText("zz::added").isVisible());
  assert.deepEqual(await accessibilityProblems(page), []);
  // Started anew it has another token: the page asks for it, and goes on where it was.
  const again = await explore(["--port", String(service.port), ...words], { cwd: folder });
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByLabel("Token").fill(again.token);
  await page.getByRole("button", { name: "Show the explorer" }).click();
  await grid.getByText("zz::added").waitFor();
  await page.getByText("Not connected.").waitFor({ state: "detached" });
  assert.match(page.url(), /\/subject\/web01/);

  // Where another tab said who asks, the page goes on by itself.
  await again.stop();
  await page.getByText("Not connected.").waitFor();
  const last = await explore(["--port", String(service.port), ...words], { cwd: folder });
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByLabel("Token").waitFor();
  const other = await session.profile.newPage();
  await other.goto(last.address);
  await settled(other);
  await other.close();
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByText("Not connected.").waitFor({ state: "detached" });
  await page.getByLabel("Token").waitFor({ state: "detached" });
  await grid.getByText("zz::added").waitFor();
  await last.stop();
  await session.profile.close();
  session.check();
  rmSync(folder, { recursive: true });
});

test("without scripts a sentence says so, and which command gives the same", OPTIONS, async () => {
  await within(
    ["examples/hiera"],
    {},
    undefined,
    async (page) => {
      assert.match(await page.locator("main").innerText(), /need JavaScript[\s\S]*strata lookup --blame/);
    },
    { javaScriptEnabled: false },
  );
});

test("100,000 nodes: the list ends, filters and opens, with few elements", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const nodes = Array.from({ length: 100_000 }, (_, index) => ({ name: `n${String(index).padStart(6, "0")}`, facts: { role: index % 2 ? "web" : "db", dc: "ams" } }));
  writeFileSync(join(folder, "many.json"), JSON.stringify(nodes));
  await within(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "many.json"], { cwd: folder }, "/explore/lookup/subjects", async (page) => {
    const grid = page.getByRole("grid");
    await grid.getByRole("link", { name: "n000000" }).waitFor();
    assert.equal(await grid.getAttribute("aria-rowcount"), "100001");
    await grid.focus();
    await page.keyboard.press("End");
    await grid.getByRole("link", { name: "n099999" }).waitFor();
    assert.ok((await grid.getByRole("row").count()) <= 60);
    await page.keyboard.press("f");
    await page.keyboard.type("9999 -n00");
    await page.waitForFunction(() => Number(document.querySelector("[role=grid]")?.getAttribute("aria-rowcount")) < 1000);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByRole("treegrid").waitFor();
    await page.getByRole("heading", { level: 1, name: "n099999" }).waitFor();

    // What asks all of them says how far it is, and ends where one does not want to wait.
    await page.goto(`${new URL(page.url()).origin}/explore/lookup/`);
    await page.getByRole("link", { name: /^100,000 nodes/ }).waitFor();
    await page.getByText(/[\d,]+ of 100,000 nodes for the/).waitFor();
    await page.getByRole("button", { name: "Stop" }).first().click();
    await page.getByText("Stopped.").first().waitFor();
    await page.getByRole("button", { name: "Go on" }).first().click();
    await page.getByText("Stopped.").first().waitFor({ state: "detached" });
  });
  rmSync(folder, { recursive: true });
});

test("set for …: proposals as strata set ranks them; one goes into the draft, a new file, too", OPTIONS, async () => {
  const folder = copyOf("fleet");
  execFileSync("git", ["init", "-q", folder]);
  const question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const ran = JSON.parse(
    execFileSync(STRATA, ["set", "profile::web::workers=12", "--for", "role=web", "--output", "json", ...question, "--all"], { cwd: folder, encoding: "utf8" }),
  );
  assert.ok(ran.proposals.length > 0 && ran.rejected.length > 0);
  await within(
    question,
    { cwd: folder },
    "/explore/lookup/subject/web01?item=profile::web::workers&leaf=",
    async (page, service) => {
      const pane = page.getByRole("complementary", { name: "Where this value comes from" });
      await pane.getByRole("button", { name: "Set for …" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Value, as YAML").fill("12");
      await dialog.getByLabel("Names with").fill("role=web");
      await dialog.getByRole("button", { name: "Find where to write it" }).click();
      await dialog.getByText(`${ran.selected.length} of 4 nodes are meant`).waitFor();
      const proposals = dialog.locator("section.proposal");
      assert.equal(await proposals.count(), ran.proposals.length);
      for (const [index, one] of ran.proposals.entries()) {
        const head = await proposals.nth(index).getByRole("heading").textContent();
        for (const edit of one.edits) assert.ok(head.includes(edit.file), `${head}: ${edit.file}`);
      }
      assert.equal((await proposals.first().locator("pre.diff").textContent()).trim(), ran.proposals[0].diff.trim());
      assert.deepEqual(await accessibilityProblems(page), []);
      await screenshot(page, "set-for");
      await proposals.first().getByRole("button", { name: "Put into the draft" }).click();
      await page.getByRole("heading", { level: 1, name: ran.proposals[0].edits[0].file.split("/").pop() }).waitFor();
      await effects(page).getByRole("heading", { name: /^3 of 4 nodes change/ }).waitFor();
      await page.getByRole("button", { name: "Copy patch" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const patch = await page.evaluate(() => navigator.clipboard.readText());
      execFileSync("git", ["apply", "-"], { cwd: folder, input: patch });
      assert.match(readFileSync(join(folder, ran.proposals[0].edits[0].file), "utf8"), /^profile::web::workers: 12$/m);
      execFileSync("git", ["apply", "--reverse", "-"], { cwd: folder, input: patch });

      // The draft is what further proposals begin from; a file that is not there becomes one that the draft makes.
      await page.getByRole("button", { name: "Set for …" }).click();
      await dialog.getByLabel("Key", { exact: true }).fill("only::db01");
      await dialog.getByLabel("Value, as YAML").fill("[x]");
      await dialog.getByLabel("Names with").fill("db01");
      await dialog.getByRole("button", { name: "Find where to write it" }).click();
      await dialog.getByText("1 of 4 nodes is meant").waitFor();
      const made = proposals.filter({ hasText: "node/db01.yaml" });
      await made.getByText("new file").waitFor();
      await made.getByRole("button", { name: "Put into the draft" }).click();
      await page.getByRole("heading", { level: 1, name: "db01.yaml" }).waitFor();
      await effects(page).getByRole("heading", { name: /^4 of 4 nodes change/ }).waitFor();
      await page.getByRole("button", { name: "Copy patch" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      execFileSync("git", ["apply", "-"], { cwd: folder, input: await page.evaluate(() => navigator.clipboard.readText()) });
      assert.match(readFileSync(join(folder, "data/node/db01.yaml"), "utf8"), /^only::db01: \[x\]$/m);

      // What cannot be set says why.
      const wrong = await service.ask("/projects/lookup/set", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"item": "a", "value": "[", "for": []}' });
      assert.equal(wrong.status, 422);
    },
    CLIPBOARD,
  );
  rmSync(folder, { recursive: true });
});

test("two states: each place of difference with its text and what it causes", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "as it is");
  git("tag", "v1");
  const common = join(folder, "data/common.yaml");
  writeFileSync(common, `# a remark\n${readFileSync(common, "utf8").replace(/^profile::web::port: .*$/m, "profile::web::port: 8000")}`);
  const question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const ran = JSON.parse(execFileSync(STRATA, ["impact", "--exit-zero", "--output", "json", ...question, "--all"], { cwd: folder, encoding: "utf8" }));
  await within(question, { cwd: folder }, "/explore/lookup/compare", async (page) => {
    const file = page.locator("details.file-edits").filter({ hasText: "data/common.yaml" });
    await file.locator(".hunk").first().waitFor();
    assert.equal(await file.locator(".hunk").count(), ran.edits.length);
    const remark = file.locator(".hunk").filter({ hasText: "# a remark" }).filter({ hasText: "1 line added" });
    await remark.getByText("This place changes nothing.").waitFor();
    const port = file.locator(".hunk").filter({ hasText: "+ profile::web::port: 8000" });
    await port.getByText("- profile::web::port: 80").waitFor();
    await port.getByRole("button", { name: "effect 1" }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await screenshot(page, "compare-hunks");
    // Branches and tags are offered.
    await page.getByRole("button", { name: /from:/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "v1" }).click();
    await page.waitForURL(/from=v1/);
    await file.locator(".hunk").first().waitFor();
  });
  rmSync(folder, { recursive: true });
});

test("the page of a file folds, and sums up what is folded; codes lead to what they mean; columns stand in the address", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const nodes = JSON.parse(readFileSync(join(folder, "nodes.json"), "utf8"));
  nodes.at(-1).facts.dc = "fra";
  writeFileSync(join(folder, "nodes.json"), JSON.stringify(nodes));
  await within(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"], { cwd: folder }, "/explore/lookup/file/data/role/web.yaml", async (page, service) => {
    const grid = page.getByRole("treegrid");
    const line = grid.getByRole("row").filter({ hasText: "users:" }).first();
    await line.waitFor();
    const all = Number(await grid.getAttribute("aria-rowcount"));
    await grid.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await grid.locator("[aria-selected=true]").getAttribute("aria-expanded"), "true", "the keyboard goes to what is around");
    await page.keyboard.press("ArrowLeft");
    await line.getByText("… 1 line").waitFor();
    assert.equal(Number(await grid.getAttribute("aria-rowcount")), all - 1);
    await line.getByText(/seen by|merged into/).first().waitFor();
    await page.keyboard.press("ArrowRight");
    assert.equal(Number(await grid.getAttribute("aria-rowcount")), all);

    await page.goto(`${service.origin}/explore/lookup/file/data/role/web.yaml?line=2`);
    await page.getByRole("button", { name: "[check.dead-override]" }).first().click();
    await page.getByRole("dialog").getByText("without which every result is the same").waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press("Escape");

    await page.goto(`${service.origin}/explore/lookup/subjects`);
    await page.locator("summary", { hasText: "Columns" }).click();
    const [fact] = (await service.json("/projects/lookup/facets")).facets;
    await page.getByRole("group", { name: "Columns" }).getByLabel(fact.fact).click();
    await page.waitForURL(/column=/);
    await page.reload();
    await page.getByRole("grid").getByRole("link", { name: "web01" }).waitFor();
    await page.getByRole("columnheader", { name: "Findings" }).waitFor();
    assert.equal(await page.getByRole("columnheader", { name: fact.fact, exact: true }).count(), 0);
  });
  rmSync(folder, { recursive: true });
});

test("two states with 5,000 changed leaves: the effects of strata impact --from, few of them drawn", OPTIONS, async () => {
  const folder = temporary();
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q", "-b", "main");
  mkdirSync(join(folder, "data/role"), { recursive: true });
  const files = Array.from({ length: 10 }, (_, index) => `part${index}.yaml`);
  writeFileSync(join(folder, "hiera.yaml"), `version: 5\nhierarchy:\n  - {name: role, path: "role/%{role}.yaml"}\n  - {name: parts, paths: [${files}]}\n`);
  writeFileSync(join(folder, "data/role/db.yaml"), "part0_000: {a: 0, b: db}\n");
  writeFileSync(join(folder, "nodes.json"), JSON.stringify(["web", "db", "web"].map((role, index) => ({ name: `n${index}`, facts: { role } }))));
  const write = (value) => {
    for (const file of files) {
      const key = (index) => `${file.slice(0, 5)}_${String(index).padStart(3, "0")}`;
      writeFileSync(join(folder, "data", file), Array.from({ length: 250 }, (_, index) => `${key(index)}:\n  a: ${value}\n  # ${index}\n  b: ${value}\n`).join(""));
    }
  };
  write(1);
  git("add", "-A");
  git("commit", "-qm", "before");
  git("commit", "-qm", "between", "--allow-empty");
  write(5);
  const question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const impact = ["impact", "--exit-zero", "--from", "HEAD~1", "--output", "json"];
  const ran = JSON.parse(execFileSync(STRATA, [...impact, ...question, "--all"], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 }));
  const leaves = ran.effects.reduce((sum, effect) => sum + effect.changes.length, 0);
  assert.ok(leaves >= 5000, `${leaves} leaves differ`);
  await within(question, { cwd: folder }, "/explore/lookup/compare?from=HEAD~1", async (page) => {
    const groups = page.locator("details.effect-group");
    await page.locator(".file-edits .hunk").first().waitFor();
    await page.getByText(`${ran.subjects.changed} of ${ran.subjects.total} nodes`).first().waitFor();
    assert.equal(await groups.count(), ran.effects.length);
    for (const [index, effect] of ran.effects.entries()) {
      const group = groups.nth(index);
      assert.equal(await group.locator(".effect-count b").textContent(), String(effect.count));
      // What was never opened is not drawn.
      if (index > 0) assert.equal(await group.locator("tr.change").count(), 0);
      if (index > 0) await group.locator("summary").click();
      await group.locator("tr.change").nth(49).waitFor();
      assert.equal(await group.locator("tr.change").count(), 50);
      await group.locator("tr.change .causes").first().getByText(/by data\/part|together by data\/part/).waitFor();
      await group.getByText(`… and ${(effect.changes.length - 50).toLocaleString("en-US")} more`, { exact: true }).waitFor({ state: "attached" });
    }
    // One file is open, with the first of its 500 places.
    await page.locator(".file-edits .hunk").nth(49).waitFor();
    assert.equal(await page.locator(".file-edits .hunk").count(), 50);
    await page.locator(".file-edits").getByRole("button", { name: "… and 450 more", exact: true }).click();
    await page.locator(".file-edits .hunk").nth(99).waitFor();
    await page.locator(".hunk").first().getByText("- ").first().waitFor();
    assert.ok((await page.locator("*").count()) < 20_000);
  });
  rmSync(folder, { recursive: true });
});

test("the focus stays on the page; the header names the revision of --at; who fails alike does not agree", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "as it is");
  const question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
  const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
  await within(["--at", "HEAD", ...question], { cwd: folder }, "/explore/lookup/subjects", async (page) => {
    await page.getByRole("button", { name: /^at: HEAD/ }).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("treegrid").waitFor();
    assert.equal(await focused(page), "main");
    for (const [key, title] of [["n", "Nodes"], ["m", "Matrix"], ["d", "Findings"]]) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      assert.notEqual(await focused(page), "BODY", key);
    }
    await page.getByRole("link", { name: "Nodes" }).first().focus();
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Nodes");
  });
  writeFileSync(join(folder, "data/common.yaml"), "date: 2020-01-01\n");
  await within(question, { cwd: folder }, "/explore/lookup/matrix", async (page) => {
    await page.getByRole("gridcell").filter({ hasText: /2020-01-01|date|\[/ }).first().waitFor();
    assert.equal(await page.getByText("nothing differs").count(), 0);
  });
  rmSync(folder, { recursive: true });
});

test("a file that cannot be read shows its error and its text; the others stand, and a draft mends it", OPTIONS, async () => {
  const folder = copyOf("fleet");
  writeFileSync(join(folder, "data/role/web.yaml"), "a: [1\n");
  await within(["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"], { cwd: folder }, "/explore/lookup/files", async (page, service) => {
    const files = page.getByRole("grid", { name: "Files" });
    await files.getByRole("link", { name: "data/role/web.yaml" }).click();
    await page.getByRole("alert").getByText("did not find expected").waitFor();
    await page.getByRole("alert").getByRole("link", { name: "data/role/web.yaml:2:1" }).waitFor();
    await page.getByRole("treegrid").getByText("a: [1").waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await screenshot(page, "file-broken");
    await page.goto(`${service.origin}/explore/lookup/file/data/common.yaml`);
    await page.getByRole("treegrid").getByText("profile::web::port").waitFor();
    await page.getByRole("treegrid").getByText(/seen by/).first().waitFor();
    await page.goto(`${service.origin}/explore/lookup/`);
    await page.getByRole("heading", { name: "Layers" }).waitFor();
    await settled(page);
    // Errors come before notes.
    assert.match(await page.locator("section", { has: page.getByRole("heading", { name: "Findings" }) }).getByRole("listitem").first().textContent(), /^error/);
    await screenshot(page, "overview-broken");
    await page.goto(`${service.origin}/explore/lookup/what-if/data/role/web.yaml`);
    await typeAtEnd(page, "]\n");
    await effects(page).getByRole("heading", { name: /^3 of 4 nodes change/ }).waitFor();
    await page.getByText(/^generation \d+$/).waitFor();
  });
  rmSync(folder, { recursive: true });
});

test("numbers stand as they are written; long values have a pane of their own; texts may be twice as large", OPTIONS, async () => {
  const folder = temporary();
  mkdirSync(join(folder, "data/n"), { recursive: true });
  writeFileSync(join(folder, "hiera.yaml"), 'version: 5\nhierarchy:\n  - {name: node, path: "n/%{cert}.yaml"}\n  - {name: common, path: common.yaml}\n');
  writeFileSync(join(folder, "nodes.json"), JSON.stringify(["a", "b", "."].map((name) => ({ name, facts: { cert: name } }))));
  const end = "the end of it";
  writeFileSync(join(folder, "data/common.yaml"), `id: 9007199254740993\nversion: 1.0\nhuge: 123456789012345678901234567890\ninfinite: -.inf\nlong: "${"x y ".repeat(2000)}${end}"\n`);
  writeFileSync(join(folder, "data/n/b.yaml"), "id: 9007199254740992\nversion: 1\n");
  await within(
    ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"],
    { cwd: folder },
    "/explore/lookup/subject/a?item=id&leaf=",
    async (page, service) => {
      const value = page.locator("aside.inspector .effective .big");
      for (const [item, text] of [["id", "9007199254740993"], ["version", "1.0"], ["huge", "123456789012345678901234567890"], ["infinite", "-.inf"]]) {
        await page.goto(`${service.origin}/explore/lookup/subject/a?item=${item}&leaf=`);
        await value.waitFor();
        assert.equal((await value.textContent()).trim(), text);
      }
      // A name that no path can hold.
      await page.goto(`${service.origin}/explore/lookup/subjects`);
      await page.getByRole("grid").getByRole("link", { name: ".", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: ".", exact: true }).waitFor();
      await page.getByRole("treegrid").getByText("9007199254740993").waitFor();

      await page.goto(`${service.origin}/explore/lookup/matrix`);
      const cells = page.getByRole("row").filter({ hasText: "id" }).getByRole("gridcell");
      await cells.first().waitFor();
      const shown = await cells.allTextContents();
      assert.ok(shown.some((text) => text.includes("9007199254740993")) && shown.some((text) => text.includes("9007199254740992")), shown.join(" | "));

      await page.goto(`${service.origin}/explore/lookup/subject/a?item=long&leaf=`);
      await value.waitFor();
      assert.ok(!(await value.textContent()).includes(end));
      await page.locator("aside.inspector").getByRole("button", { name: "all", exact: true }).click();
      await page.getByRole("dialog", { name: "Value" }).getByText(end).waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await value.waitFor();

      // As a browser does it whose text is set to twice the size: rows grow, and none lies over another.
      const tools = await page.context().newCDPSession(page);
      await tools.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
      await page.goto(`${service.origin}/explore/lookup/subject/a`);
      await page.getByRole("treegrid").getByText("version").waitFor();
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      await page.waitForFunction(() => {
        const rows = [...document.querySelectorAll(".grid-body > .row")].map((row) => row.getBoundingClientRect());
        return rows.length > 3 && rows.every((row, index) => Math.round(row.height) === 48 && (index === 0 || Math.abs(row.top - rows[index - 1].bottom) < 1));
      });
      await page.getByRole("treegrid").focus();
      await page.keyboard.press("End");
      await page.waitForFunction(() => {
        const grid = document.querySelector("[role=treegrid]").getBoundingClientRect();
        const row = document.querySelector(".row.current")?.getBoundingClientRect();
        return row !== undefined && row.bottom <= grid.bottom + 1 && row.top >= grid.top;
      });
      await screenshot(page, "result-large-text");
    },
  );
  rmSync(folder, { recursive: true });
});

test("an unknown revision is told as such; an address with broken encoding is a page; drafts of files that are gone stay", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "as it is");
  await within(
    ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"],
    { cwd: folder },
    "/explore/lookup/subject/web01?at=no-such",
    async (page, service) => {
      await page.getByRole("alert").getByText("There is no such revision:").waitFor();
      assert.equal(await page.getByText("There is no node").count(), 0);
      await page.goto(`${service.origin}/explore/lookup/subject/web01?against=no-such`);
      await page.getByRole("alert").getByText("There is no such revision:").waitFor();
      await page.goto(`${service.origin}/explore/lookup/subject/%ff`);
      await page.getByText("This part of the address was not understood").waitFor();
      await page.getByRole("grid").getByRole("link", { name: "web01" }).waitFor();

      await page.goto(`${service.origin}/explore/lookup/what-if/data/role/db.yaml`);
      await typeAtEnd(page, "added::key: 1\n");
      await effects(page).getByRole("heading", { name: /distinct effect/ }).waitFor();
      rmSync(join(folder, "data/role/db.yaml"));
      await page.getByText("The file is gone since this draft began.").waitFor();
      await page.getByRole("button", { name: "Make it a new file" }).click();
      await page.getByText("The file is gone since this draft began.").waitFor({ state: "detached" });
      await effects(page).getByRole("heading", { name: /^1 of 4 nodes changes/ }).waitFor();
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("button", { name: "Yes, discard" }).waitFor();
    },
    { allowed: /status of 404/ },
  );
  rmSync(folder, { recursive: true });
});
