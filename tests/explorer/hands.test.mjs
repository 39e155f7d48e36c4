// SPDX-License-Identifier: Apache-2.0
// How the pages are handled: on narrow screens, with the keyboard in panes, and what those who hear the page are told.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessibilityProblems, browser, copyOf, explore, HANGS, open, screenshot, settled } from "./support.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(async () => chromium?.close());

const OPTIONS = { timeout: 2 * HANGS };
const FLEET = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** Runs with a copy of an example, a service of it and a page, and looks at the end for what must not be. */
async function within(example, words, path, work, more = {}) {
  const folder = copyOf(example);
  if (more.prepare) more.prepare(folder);
  const service = await explore(words, { cwd: folder });
  const { prepare, ...context } = more;
  const session = await open(chromium, service, path, context);
  try {
    await settled(session.page);
    await work(session.page, service, folder);
    session.check();
  } finally {
    await session.profile.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

test("a narrow screen scrolls down alone, and each place of an origin keeps its line", OPTIONS, async () => {
  const name = "the settings that all machines of all of our sites have in common unless told otherwise";
  const prepare = (folder) => {
    writeFileSync(join(folder, "hiera.yaml"), `version: 5\nhierarchy:\n  - {name: role, path: "role/%{role}.yaml"}\n  - {name: "${name}", path: common.yaml}\n`);
  };
  for (const width of [320, 360]) {
    await within(
      "fleet",
      FLEET,
      "/explore/lookup/subject/web01",
      async (page) => {
        await page.getByRole("treegrid").getByText("profile::web::port").first().waitFor();
        assert.ok((await page.getByLabel("Layer").textContent()).includes(name));
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
        const lines = await page.evaluate(() =>
          [...document.querySelectorAll(".cell.origin .place-line")].map((line) => line.closest(".cell").getBoundingClientRect().right - line.getBoundingClientRect().right),
        );
        assert.ok(lines.length > 2 && lines.every((room) => room >= 0), JSON.stringify(lines));
        assert.deepEqual(await accessibilityProblems(page), []);
        await screenshot(page, `result-${width}`);
      },
      { prepare, viewport: { width, height: 640 } },
    );
  }
});

test("the name of a link to a place is the place, without blanks", OPTIONS, async () => {
  await within("fleet", FLEET, "/explore/lookup/findings", async (page, service) => {
    for (const path of ["findings", "matrix", "subject/web01"]) {
      await page.goto(`${service.origin}/explore/lookup/${path}`);
      await settled(page);
      const links = page.locator("main a[href*='?line=']");
      await links.first().waitFor();
      const named = page.locator("main").getByRole("link", { name: /^\S+\.yaml:\d+$/ });
      assert.equal(await named.count(), await links.count(), path);
    }
  });
});

test("panes by keyboard: Enter goes in, Escape comes back to the row, Escape in the list closes; the address opens them", OPTIONS, async () => {
  const pages = {
    "subject/web01": { label: "Where this value comes from" },
    "file/data/common.yaml": { label: /^Line / },
    "findings?by=file": { label: "Finding" },
    matrix: { label: "Key" },
  };
  await within(
    "fleet",
    FLEET,
    "/explore/lookup/",
    async (page, service) => {
      const grid = page.locator("main [role=grid], main [role=treegrid]");
      const focus = () => page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName);
      const has = (what) => page.waitForFunction((wanted) => (document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName)?.endsWith(wanted), what);
      const row = () => grid.getAttribute("aria-activedescendant");
      for (const [path, { label }] of Object.entries(pages)) {
        const pane = page.getByRole("complementary", { name: label });
        await page.goto(`${service.origin}/explore/lookup/${path}`);
        await grid.waitFor();
        await settled(page);
        await grid.focus();
        await page.keyboard.press("Home");
        for (let rows = 0; rows < 2; rows += 1) await page.keyboard.press("ArrowDown");
        assert.equal(await pane.count(), 0, `${path}: arrows open nothing`);
        const at = await row();
        assert.match(at, /-2$/, path);
        await page.keyboard.press("Enter");
        await has("ASIDE");
        assert.deepEqual(await accessibilityProblems(page), [], path);
        await page.keyboard.press("Escape");
        await pane.waitFor({ state: "detached" });
        assert.match(await focus(), /grid$/, path);
        assert.equal(await row(), at, path);
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Enter");
        await has("ASIDE");
        // From the list the same row is entered again, and Escape closes there, too.
        await grid.focus();
        await page.keyboard.press("Enter");
        await has("ASIDE");
        await grid.focus();
        await page.keyboard.press("Escape");
        await pane.waitFor({ state: "detached" });
        assert.match(await row(), /-1$/, path);
        await page.keyboard.press("Enter");
        await has("ASIDE");
        await page.reload();
        await pane.waitFor();
        await page.waitForFunction(() => document.querySelector("main [role=grid], main [role=treegrid]").getAttribute("aria-activedescendant")?.endsWith("-1"));
        // A link to a line leads to the line.
        await has(path.startsWith("file/") ? "grid" : "ASIDE");
      }
      // The path of a row of the matrix.
      await page.keyboard.press("Escape");
      await page.keyboard.press("y");
      await page.getByRole("status").getByText("Copied ").waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\w+::\w+/);
      await page.goto(`${service.origin}/explore/lookup/findings?finding=none`);
      await page.getByText("This part of the address was not understood").waitFor();
    },
    CLIPBOARD,
  );
});

test("a key that fails: its row opens the message, and nothing is asked for that would be refused", OPTIONS, async () => {
  const prepare = (folder) => writeFileSync(join(folder, "data/node/web01.yaml"), "zz::broken: x\nlookup_options: {zz::broken: {convert_to: Integer}}\n");
  await within(
    "fleet",
    FLEET,
    "/explore/lookup/subject/web01",
    async (page) => {
      const asked = [];
      page.on("request", (request) => request.url().includes("/leaf?") && asked.push(request.url()));
      const grid = page.getByRole("treegrid");
      const failed = grid.getByRole("row").filter({ hasText: "zz::broken" });
      await failed.getByText("failed", { exact: true }).waitFor();
      await grid.focus();
      await page.keyboard.press("End");
      await page.waitForTimeout(300);
      await page.keyboard.press("Enter");
      const pane = page.getByRole("complementary", { name: "Where this value comes from" });
      await pane.getByText(/convert/).first().waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await screenshot(page, "result-failed-key");
      await page.keyboard.press("Escape");
      await failed.getByText("zz::broken: ", { exact: true }).click();
      await pane.getByText(/convert/).first().waitFor();
      await pane.getByRole("link", { name: "Go to line" }).click();
      await page.getByRole("treegrid", { name: /^Lines of / }).waitFor();
      assert.deepEqual(asked, []);
    },
    { prepare },
  );
});

test("who hears the page is told what was copied, and nothing of another page; a question that is taken back leaves the focus", OPTIONS, async () => {
  await within(
    "fleet",
    FLEET,
    "/explore/lookup/subject/web01?item=profile::web::port&leaf=",
    async (page, service) => {
      const status = page.locator("footer").getByRole("status");
      await page.getByRole("button", { name: "Copy path" }).click();
      await status.getByText("Copied profile::web::port").waitFor();
      await page.getByText(/nodes? ha(s|ve) this value; \d+ ha(s its value|ve theirs) from here\./).waitFor();

      await page.goto(`${service.origin}/explore/lookup/subjects`);
      await page.getByLabel("Filter nodes").fill("zzz");
      await status.getByText("0 hits").waitFor();
      await page.getByRole("link", { name: "Overview" }).click();
      await page.getByRole("heading", { name: "Layers" }).waitFor();
      assert.equal(await status.textContent(), "");

      await page.goto(`${service.origin}/explore/lookup/what-if/data/common.yaml`);
      await page.locator(".editor-host .cm-content").focus();
      await page.keyboard.type("# ");
      const discard = page.getByRole("button", { name: "Discard", exact: true });
      await discard.click();
      await page.getByRole("button", { name: "Keep it" }).click();
      await page.waitForFunction(() => document.activeElement?.textContent === "Discard");
      await discard.click();
      await page.getByRole("button", { name: "Yes, discard" }).click();
      await page.waitForFunction(() => document.activeElement?.id === "main");
    },
    CLIPBOARD,
  );
});

test("what is not there is said once; what a search has more of is a choice", OPTIONS, async () => {
  const nodes = Array.from({ length: 12 }, (_, index) => ({ name: `web${index + 10}`, facts: { role: "web", dc: "ams", cert: "x" } }));
  const prepare = (folder) => writeFileSync(join(folder, "nodes.json"), JSON.stringify(nodes));
  await within(
    "fleet",
    FLEET,
    "/explore/lookup/subject/web1",
    async (page) => {
      await page.getByRole("alert").getByText("There is no node").waitFor();
      assert.equal(await page.locator("[role=alert] [role=alert]").count(), 0);
      assert.equal(await page.getByText(/there is no node/i).count(), 1);
      await page.keyboard.press("/");
      await page.keyboard.type("web1");
      await page.getByRole("option", { name: "all 10" }).waitFor();
      for (let rows = 0; rows < 9; rows += 1) await page.keyboard.press("ArrowDown");
      assert.match(await page.locator("[role=option][aria-selected=true]").textContent(), /all 10/);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.search === "?q=web1&kind=subjects");
      await page.waitForFunction(() => document.querySelectorAll("main .entries li").length === 10);
    },
    { prepare, allowed: /status of 404/ },
  );
});

test("one node: nothing is said of others, and one is one", OPTIONS, async () => {
  const prepare = (folder) => writeFileSync(join(folder, "nodes.json"), JSON.stringify([{ name: "web01", facts: { role: "web", dc: "ams", cert: "web01" } }]));
  await within(
    "fleet",
    FLEET,
    "/explore/lookup/subject/web01",
    async (page, service) => {
      await page.getByLabel("Only overridden").waitFor();
      assert.equal(await page.getByLabel("Only what differs from most nodes").count(), 0);
      await page.goto(`${service.origin}/explore/lookup/subjects`);
      await page.getByRole("grid").getByRole("link", { name: "web01" }).waitFor();
      assert.equal(await page.getByText("Pick two").count(), 0);
      await page.goto(`${service.origin}/explore/lookup/file/data/common.yaml?line=1`);
      await page.getByRole("complementary", { name: "Line 1" }).waitFor();
      assert.equal(await page.locator("tr").filter({ hasText: /^\D*1 *nodes/ }).count(), 0);
      await page.goto(`${service.origin}/explore/lookup/matrix?all=1&item=ntp::servers&leaf=/0`);
      await page.getByRole("complementary", { name: "Key" }).getByText("1 node", { exact: false }).first().waitFor();
      assert.equal(await page.getByText("1 nodes").count(), 0);
    },
    { prepare },
  );
});

test("a file that cannot be edited says why, and leads to what its lines do", OPTIONS, async () => {
  await within("deckhand", ["render", "site"], "/explore/render/what-if/site/60-secrets.yaml", async (page) => {
    await page.getByText("It cannot be edited here: it holds text that is hidden.").waitFor();
    await page.getByRole("link", { name: "What its lines do" }).click();
    await page.getByRole("treegrid", { name: /^Lines of / }).waitFor();
    await page.getByText("It cannot be edited here: it holds text that is hidden.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Try an edit" }).count(), 0);
  });
});
