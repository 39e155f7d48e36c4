// SPDX-License-Identifier: Apache-2.0
// The types of web/src/api.ts against what the service really answers: recorded answers as constants of these types, which the compiler checks, members
// that no type knows included.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { copyOf, explore, HANGS, ROOT, temporary } from "./support.mjs";

const CASES = [
  { example: "fleet", words: ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"], project: "lookup", subject: "web01", file: "data/common.yaml", item: "users" },
  { example: "hiera", words: ["."], subject: "db01" },
  { example: "bindings", words: ["."] },
  { example: "cloud-init", words: ["merge", "--base", "cloud.cfg", "platform.yaml", "web.yaml"] },
  { example: "deckhand", words: ["render", "site"] },
  { example: "heat", words: ["compose", "-e", "environments/10-roles.yaml", "-e", "environments/60-sizing.yaml"] },
];

const lines = async (answer) =>
  (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Answers with the names of their types. */
async function recorded({ words, project: known, ...wanted }, folder) {
  const service = await explore(words, { cwd: folder });
  const found = [];
  try {
    const add = async (type, path, more) => {
      const answer = await service.ask(path, more);
      const body = await answer.json();
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(body)}`);
      found.push([type, body]);
      return body;
    };
    const { projects } = await add("{ projects: api.Project[] } & api.Answered", "/projects");
    const base = `/projects/${encodeURIComponent(known ?? projects[0].name)}`;
    const subject = wanted.subject ?? (await (await service.ask(`${base}/names`)).text()).split("\n")[0];
    const of = `${base}/subjects/${encodeURIComponent(subject)}`;
    await add("api.Overview & api.Answered", base);
    await add("{ facets: api.Facet[] } & api.Answered", `${base}/facets`);
    await add("{ facts: string[]; subjects: api.SubjectInfo[] } & api.Answered", `${base}/subjects?ids=${encodeURIComponent(subject)}`);
    const { files } = await add("{ files: api.FileInfo[] } & api.Answered", `${base}/files`);
    await add("api.Findings & api.Answered", `${base}/findings?fix=1`);
    const { rows } = await add("api.Rows & api.Answered", `${of}/rows?count=1000`);
    const leaf = rows.find((row) => row.item === wanted.item) ?? rows.find((row) => (row.losers ?? 0) > 0) ?? rows.find((row) => row.origin);
    await add("api.Leaf & api.Answered", `${of}/leaf?item=${encodeURIComponent(leaf.item)}&path=${encodeURIComponent(leaf.path)}`);
    const read = files.find((file) => file.file === wanted.file) ?? files.find((file) => file.read_by) ?? files[0];
    const { lines: text, editable } = await add("api.FileText & api.Answered", `${base}/files/${read.file.split("/").map(encodeURIComponent).join("/")}`);
    await add("api.Matrix & api.Answered", `${base}/matrix`);
    await add("api.SearchHits & api.Answered", `${base}/search?q=a`);
    await add("api.History & api.Answered", `${base}/history`);
    found.push(["api.StreamLine[]", await lines(await service.ask(`${base}/compare`))]);
    if (editable) {
      const draft = { at: null, subject, files: { [read.file]: `${text.map((line) => line.text).join("\n")}\nadded: [1]\n` } };
      const headers = { "Content-Type": "application/json" };
      found.push(["api.StreamLine[]", await lines(await service.ask(`${base}/what-if`, { method: "POST", headers, body: JSON.stringify(draft) }))]);
      if (wanted.item) {
        const wish = { at: null, files: {}, item: wanted.item, path: "/ann/uid", value: "7", for: ["web*"] };
        await add("api.Proposals & api.Answered", `${base}/set`, { method: "POST", headers, body: JSON.stringify(wish) });
      }
    }
  } finally {
    await service.stop();
  }
  return found;
}

test("what the service answers is what the types of the pages say", { timeout: 4 * HANGS }, async () => {
  const out = temporary();
  let text = `import type * as api from ${JSON.stringify(join(ROOT, "web/src/api.ts"))};\n`;
  let count = 0;
  for (const one of CASES) {
    const folder = copyOf(one.example);
    const git = (...words) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: folder });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "as it is");
    for (const [type, value] of await recorded(one, folder)) {
      count += 1;
      text += `export const c${count}: ${type} = ${JSON.stringify(value)};\n`;
    }
    rmSync(folder, { recursive: true });
  }
  writeFileSync(join(out, "answers.ts"), text);
  writeFileSync(join(out, "tsconfig.json"), JSON.stringify({ extends: join(ROOT, "web/tsconfig.json"), compilerOptions: { noEmit: true, typeRoots: [] }, include: ["answers.ts"] }));
  try {
    execFileSync(join(ROOT, "web/node_modules/.bin/tsc"), ["-p", out], { encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout);
  }
  assert.ok(count > 60, `${count} answers`);
  rmSync(out, { recursive: true });
});
