// SPDX-License-Identifier: Apache-2.0
// Every page of every dialect in the real program and a real browser: what a person sees, what axe finds, and that nothing is refused or fetched elsewhere.
// The short form looks at each page once; the long one (script/explorer --test --long) in both themes, narrow, and with forced colours.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessibilityProblems, browser, explore, HANGS, LONG, open, ROOT, screenshot, settled, temporary } from "./support.mjs";

const EXAMPLES = join(ROOT, "examples");
const environments = readdirSync(join(EXAMPLES, "heat/environments")).sort();

/** A question of each dialect, a subject, and a key of it that several layers have. */
const DIALECTS = {
  hiera: { words: ["examples/hiera"], subject: "db01", item: "accounts::users", leaf: "/alice/groups/1" },
  bindings: { words: ["examples/bindings", "--allow-programs"] },
  "cloud-init": { words: ["merge", "--base", "examples/cloud-init/cloud.cfg", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml"] },
  deckhand: { words: ["render", "examples/deckhand/site"] },
  heat: {
    words: [
      ...["compose", "-t", "examples/heat/overcloud.yaml"],
      ...["--file", "examples/heat/deployment/controller.yaml", "--file", "examples/heat/deployment/compute.yaml"],
      ...environments.flatMap((name) => ["-e", `examples/heat/environments/${name}`]),
    ],
  },
};

const LOOKS = LONG
  ? [
      { name: "light", colorScheme: "light" },
      { name: "dark", colorScheme: "dark" },
      { name: "narrow", viewport: { width: 320, height: 640 } },
      { name: "forced", forcedColors: "active" },
    ]
  : [{ name: "light", colorScheme: "light" }];

let chromium;
let folder;
before(async () => {
  // Away from the repository: the program watches where it works, and screenshots are written there.
  folder = temporary();
  cpSync(EXAMPLES, join(folder, "examples"), { recursive: true });
  // A repository with states to compare.
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "as it is");
  chromium = await browser();
});
after(async () => {
  await chromium?.close();
  rmSync(folder, { recursive: true });
});

const encoded = (text) => text.split("/").map(encodeURIComponent).join("/");

for (const [dialect, { words, ...known }] of Object.entries(DIALECTS)) {
  test(`${dialect}: every page`, { timeout: 4 * HANGS }, async () => {
    const service = await explore(words, { cwd: folder });
    try {
      const { projects } = await service.json("/projects");
      const project = projects[0].name;
      const subject = known.subject ?? (await (await service.ask(`/projects/${project}/names`)).text()).split("\n")[0];
      const { rows } = await service.json(`/projects/${project}/subjects/${encodeURIComponent(subject)}/rows`);
      const leaf =
        rows.find((row) => (known.item === undefined ? (row.losers ?? 0) > 0 && isWritten(row) : row.item === known.item && row.path === known.leaf)) ??
        rows.find(isWritten);
      assert.ok(leaf, "a leaf that a file wrote");
      const file = leaf.origin.file;
      const base = `/explore/${project}`;
      const pages = {
        overview: `${base}/`,
        subjects: `${base}/subjects`,
        result: `${base}/subject/${encodeURIComponent(subject)}`,
        leaf: `${base}/subject/${encodeURIComponent(subject)}?item=${encodeURIComponent(leaf.item)}&leaf=${encodeURIComponent(leaf.path)}`,
        text: `${base}/subject/${encodeURIComponent(subject)}?view=yaml`,
        files: `${base}/files`,
        file: `${base}/file/${encoded(file)}?line=${leaf.origin.line}`,
        "what-if": `${base}/what-if/${encoded(file)}`,
        findings: `${base}/findings`,
        matrix: `${base}/matrix`,
        search: `${base}/search?q=${encodeURIComponent(leaf.item || "a")}`,
        compare: `${base}/compare`,
      };
      for (const { name: look, ...options } of LOOKS) {
        const session = await open(chromium, service, undefined, options);
        const { page } = session;
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(service.origin + path);
          await settled(page);
          await expectations[name]?.(page, { service, subject, leaf, file, project });
          const problems = await accessibilityProblems(page);
          assert.deepEqual(problems, [], `${name}, ${look}`);
          session.check();
          if (dialect === "hiera" || LONG) await screenshot(page, `${dialect}-${name}-${look}`);
        }
        await session.close();
      }
    } finally {
      await service.stop();
    }
  });
}

/** Whether a file wrote a row, and not a fact or a parameter. */
const isWritten = (row) => row.origin != null && row.origin.line != null && !row.origin.file.startsWith("<");

/** What stands on a page. */
const expectations = {
  async overview(page) {
    await page.getByRole("heading", { name: "Layers" }).waitFor();
  },
  async subjects(page, { subject }) {
    await page.getByRole("grid").getByRole("link", { name: subject, exact: true }).waitFor();
  },
  async result(page, { service, project, subject }) {
    const grid = page.getByRole("treegrid");
    const { lines } = await service.json(`/projects/${project}/subjects/${encodeURIComponent(subject)}/rows`);
    assert.equal(await grid.getAttribute("aria-rowcount"), String(lines + 1));
    assert.ok((await grid.getByRole("row").count()) <= 60);
  },
  async leaf(page, { service, project, subject, leaf }) {
    const told = await service.json(
      `/projects/${project}/subjects/${encodeURIComponent(subject)}/leaf?item=${encodeURIComponent(leaf.item)}&path=${encodeURIComponent(leaf.path)}`,
    );
    const pane = page.getByRole("complementary", { name: "Where this value comes from" });
    const history = pane.getByRole("list", { name: "History, strongest first" }).getByRole("listitem");
    await history.first().waitFor();
    assert.equal(await history.count(), told.entries[0].history.length);
    const sorted = [...told.entries[0].history].sort((one, other) => one.rank - other.rank);
    for (const [index, one] of sorted.entries()) {
      const entry = history.nth(index);
      const lost = one.fate === "shadowed" || one.fate === "removed";
      assert.equal(await entry.locator("s").count(), lost ? 1 : 0);
      // A screen reader hears the fate with the value that is struck through.
      if (lost) assert.match(await entry.locator("s").textContent(), new RegExp(`^${one.fate}: `));
    }
  },
  async file(page, { leaf }) {
    const row = page.getByRole("treegrid").locator("[aria-selected=true]");
    await row.waitFor();
    assert.equal(await row.getAttribute("aria-rowindex"), String(leaf.origin.line + 1));
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "treegrid", "a link to a line gives it the focus");
  },
  async "what-if"(page) {
    await page.getByRole("region", { name: "Effects" }).waitFor();
  },
};
