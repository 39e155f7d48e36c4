// SPDX-License-Identifier: Apache-2.0
// What is committed in web/dist is what web/src makes, and script/explorer --check finds where it is not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HANGS, ROOT, temporary } from "./support.mjs";

test("sources that changed without a build are found, built files that changed by hand, too", { timeout: HANGS }, () => {
  const folder = temporary();
  mkdirSync(join(folder, "script"));
  cpSync(join(ROOT, "script/explorer"), join(folder, "script/explorer"));
  // With their times: what is installed is not older than the list of it.
  cpSync(join(ROOT, "web"), join(folder, "web"), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const change = (path, edit) => {
    const file = join(folder, path);
    const before = readFileSync(file, "utf8");
    const after = edit(before);
    assert.notEqual(after, before);
    writeFileSync(file, after);
  };
  change("web/src/whatif/editor.ts", (text) => `${text}\nexport const added = "something that was not there";\n`);
  change("web/dist/style.css", (text) => `${text}\n`);
  // That it passes over what is committed is a step of .ci/run.
  const ran = spawnSync(join(folder, "script/explorer"), ["--check"], { encoding: "utf8" });
  assert.equal(ran.status, 1, ran.stdout);
  const differ = [...ran.stderr.matchAll(/web\/dist\/(\S+) is not what web\/src makes/g)].map(([, name]) => name);
  assert.deepEqual(differ, ["editor.js", "style.css"]);
  assert.match(ran.stderr, /explorer: run script\/explorer, and commit what it changes/);
  rmSync(folder, { recursive: true });
});
