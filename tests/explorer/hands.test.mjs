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
        assert.match(await row(), /-1$/, path);
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
