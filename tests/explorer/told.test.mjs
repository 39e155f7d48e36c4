// SPDX-License-Identifier: Apache-2.0
// What the pages say, and whether it is so: where nothing is, what is not there, what looks like something else, what changed under a draft.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { accessibilityProblems, browser, copyOf, explore, HANGS, open, ROOT, settled, temporary } from "./support.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(async () => chromium?.close());

const OPTIONS = { timeout: 2 * HANGS };
const FLEET = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"];
const HIERA = 'version: 5\nhierarchy:\n  - {name: node, path: "n/%{cert}.yaml"}\n  - {name: common, path: common.yaml}\n';

/** Runs with a service over files, and a page of it. */
async function within(folder, words, path, work, more = {}) {
  const service = await explore(words, { cwd: folder });
  const session = await open(chromium, service, path, more);
  try {
    await work(session.page, service);
    session.check();
  } finally {
    await session.profile.close();
    await service.stop();
  }
}

/** A site of Hiera. */
function site(files, nodes = ["a", "b"]) {
  const folder = temporary();
  const all = { "hiera.yaml": HIERA, "nodes.json": JSON.stringify(nodes.map((name) => ({ name, facts: { cert: name } }))), ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("what is empty says why: no nodes, no values, no project that can be read", OPTIONS, async () => {
  const folder = site({ "data/common.yaml": "a: 1\n" }, []);
  await within(folder, FLEET, "/explore/lookup/", async (page, service) => {
    for (const name of ["", "files", "matrix", "findings", "subjects"]) {
      await page.goto(`${service.origin}/explore/lookup/${name}`);
      await settled(page);
      const said = page.getByText("This project has no nodes");
      const shown = { files: said.or(page.getByRole("grid")), findings: page.getByText("it contains no nodes") }[name] ?? said;
      await shown.first().waitFor();
      assert.equal(await page.getByText("every line has an effect").count(), 0);
      assert.equal(await page.getByText("No key fits").count(), 0);
    }
  });
  writeFileSync(join(folder, "nodes.json"), '[{"name": "a", "facts": {"cert": "a"}}]');
  writeFileSync(join(folder, "data/common.yaml"), "");
  await within(folder, FLEET, "/explore/lookup/matrix", async (page, service) => {
    await page.getByText("No file gives the nodes a value.").waitFor();
    await page.goto(`${service.origin}/explore/lookup/`);
    await page.getByText("Nothing is overridden.").waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
  });
  writeFileSync(join(folder, ".strata.yaml"), "projects:\n  broken: {verb: lookup, hiera-config: hiera.yaml, nodes: nope.json}\n  good: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n");
  await within(
    folder,
    ["."],
    "/explore/broken/",
    async (page, service) => {
      await page.getByText("there is no such file").first().waitFor();
      assert.equal(await page.getByText("There is no project").count(), 0);
      await page.goto(`${service.origin}/explore/broken/subjects`);
      await page.getByText("there is no such file").first().waitFor();
      assert.equal(await page.getByText("Pick two").count(), 0);
    },
    { allowed: /status of 404/ },
  );
  rmSync(folder, { recursive: true });
});

test("parts of an address that lead to nothing are named, and files that are near", OPTIONS, async () => {
  await within(
    ROOT,
    ["examples/hiera"],
    "/explore/hiera/what-if/data/common.yaml",
    async (page, service) => {
      const at = async (path) => {
        await page.goto(`${service.origin}/explore/hiera/${path}`);
        await settled(page);
      };
      const whole = "examples/hiera/environments/production/data/common.yaml";
      for (const kind of ["what-if", "file"]) {
        await at(`${kind}/data/common.yaml`);
        await page.getByRole("alert").getByText("There is no file").waitFor();
        await page.getByRole("alert").getByText("names of its files begin with 'examples/hiera/'").waitFor();
        assert.equal(await page.getByRole("link", { name: "Try an edit" }).count(), 0);
        await page.getByRole("alert").getByRole("link", { name: whole }).click();
        await page.waitForURL(new RegExp(`/${kind}/examples/hiera/environments/production/data/common.yaml`));
      }
      const notice = page.getByRole("alert").filter({ hasText: "This part of the address was not understood" });
      for (const [path, part] of [
        [`file/${whole}?line=99999`, "line=99999"],
        ["subject/db01?item=nokey", "item=nokey"],
        ["subject/db01?item=accounts::users&leaf=/nobody", "leaf=/nobody"],
      ]) {
        await at(path);
        await notice.getByText(part).waitFor();
      }
      await at("subject/db01?item=accounts::users&leaf=/alice");
      await page.getByRole("complementary").waitFor();
      assert.equal(await notice.count(), 0);
      await at("subject/db01?only=layer:nope");
      await page.getByText("No line is from a layer nope.").waitFor();
    },
    { allowed: /status of 40[04]/ },
  );
});

test("values are what they are: keys that are numbers, mappings that look like secrets, what became Sensitive, two levels of one name", OPTIONS, async () => {
  const folder = site({
    "data/common.yaml":
      'ordered: {"10": a, "2": b, z: 1.0, "1": c}\nlikely: {secret: true}\npw: CANARYcommon\nlist: [CANARYone, CANARYtwo]\nlookup_options:\n  pw: {convert_to: Sensitive}\n  list: {merge: unique, convert_to: Sensitive}\n',
    "data/n/a.yaml": "pw: CANARYnode\n",
  });
  const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "as it is");
  writeFileSync(join(folder, "data/n/a.yaml"), "pw: CANARYother\n");
  await within(folder, FLEET, "/explore/lookup/subject/a?item=ordered&leaf=", async (page, service) => {
    const value = page.locator("aside.inspector .effective .big");
    await value.waitFor();
    assert.equal(await value.textContent(), '{"10":"a","2":"b","z":1.0,"1":"c"}');
    await page.goto(`${service.origin}/explore/lookup/subject/a?item=likely&leaf=`);
    await value.waitFor();
    assert.equal(await value.textContent(), '{"secret":true}');
    await page.goto(`${service.origin}/explore/lookup/subject/a?item=pw&leaf=`);
    await value.waitFor();
    assert.match(await value.textContent(), /^\*{6}/);
    await page.getByText("by default").waitFor();

    await page.goto(`${service.origin}/explore/lookup/subject/a?against=HEAD`);
    const row = page.getByRole("treegrid").getByRole("row").filter({ hasText: "pw:" });
    await row.getByText("differs").waitFor({ state: "attached" });
    assert.equal(await page.getByRole("treegrid").getByText("differs").count(), 1);

    await page.goto(`${service.origin}/explore/lookup/file/data/common.yaml`);
    const line = page.getByRole("treegrid").getByRole("row").filter({ hasText: "list:" }).first();
    await line.getByText("merged into 2").waitFor();
    assert.equal(await line.getByText("overridden").count(), 0);
    assert.ok(!(await line.getAttribute("class")).includes("never"));
    await line.getByText("list:").click();
    const counts = page.getByRole("complementary", { name: "Line 4" }).getByRole("row");
    await counts.first().waitFor();
    assert.deepEqual((await counts.allTextContents()).map((text) => text.replace(/^\W+/, "")), ["wins for0nodes", "merged for2nodes", "overridden or removed for0nodes"]);
    assert.ok(!(await page.content()).includes("CANARY"));
  });
  rmSync(folder, { recursive: true });
  await within(ROOT, ["examples/hiera"], "/explore/hiera/subject/db01", async (page) => {
    const layers = page.getByRole("treegrid").locator(".layer");
    await layers.getByText("common (data)", { exact: true }).first().waitFor();
    await layers.getByText("common (modules/ntp/data)", { exact: true }).first().waitFor();
    await page.goto(page.url().replace("/subject/db01", "/matrix"));
    const keys = page.getByRole("row").filter({ hasText: "profile::firewall::rules" });
    await keys.first().waitFor();
    // The end of a path tells keys apart: it is seen.
    for (const key of await keys.all()) {
      const [cell, end] = await Promise.all([key.locator(".cell").first().boundingBox(), key.locator(".key-end bdi").boundingBox()]);
      assert.ok(end.x + end.width <= cell.x + cell.width + 1, JSON.stringify([cell, end]));
    }
  });
  await within(ROOT, ["examples/deckhand"], undefined, async (page, service) => {
    const [{ name }] = (await service.json("/projects")).projects;
    const { rows } = await service.json(`/projects/${name}/subjects/default/rows?count=1000`);
    const row = rows.find((one) => one.path?.endsWith("/domain"));
    await page.goto(`${service.origin}/explore/${encodeURIComponent(name)}/subject/default?item=${encodeURIComponent(row.item)}&leaf=${encodeURIComponent(row.path)}`);
    const pane = page.getByRole("complementary");
    await pane.getByRole("heading", { name: "Merged by" }).waitFor();
    assert.equal(await pane.getByText("by default").count(), 0);
  });
});

test("another's change under a draft stays in its effects, if the draft fits; keys go on in the list of a page", OPTIONS, async () => {
  const folder = copyOf("fleet");
  const common = join(folder, "data/common.yaml");
  await within(folder, FLEET, "/explore/lookup/what-if/data/common.yaml", async (page, service) => {
    const effects = page.getByRole("region", { name: "Effects" });
    await page.locator(".editor-host .cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("zz::one: 1\n");
    await effects.getByRole("heading", { name: /^4 of 4 nodes change: 1 distinct effect/ }).waitFor();
    writeFileSync(common, `aa::two: 2\n${readFileSync(common, "utf8")}`);
    await page.getByText("The file changed since this draft began.").waitFor();
    await effects.locator("[aria-busy=true]").waitFor({ state: "detached" });
    await effects.getByText("zz::one").first().waitFor();
    assert.equal(await effects.getByText("aa::two").count(), 0, "the other's line is not taken back");
    assert.equal(await page.getByText("takes that change back").count(), 0);
    // Where it does not fit, that is said.
    writeFileSync(common, "bb::three: 3\n");
    await page.getByText("takes that change back").waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Yes, discard" }).click();

    await page.goto(`${service.origin}/explore/lookup/subject/web01`);
    await page.getByRole("treegrid").waitFor();
    await settled(page);
    await page.keyboard.press("]");
    await page.waitForURL(/web02|db01/);
    await page.getByRole("treegrid").waitFor();
    await settled(page);
    const main = page.locator("main");
    await page.waitForFunction(() => document.activeElement?.id === "main");
    assert.notEqual(await main.evaluate((element) => getComputedStyle(element).outlineStyle), "none", "the focus is seen");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "treegrid");
    await page.locator(".row.current").waitFor();
  });
  rmSync(folder, { recursive: true });
});
