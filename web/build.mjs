// SPDX-License-Identifier: Apache-2.0
// Builds the pages: `node build.mjs [FOLDER]`, into dist by default. The result is a function of the sources alone: fixed names, no hash, no time.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  jsxSideEffects: true,
  metafile: true,
  logLevel: "warning",
};

mkdirSync(out, { recursive: true });
// The editor is loaded when a draft is opened, by a name that stays as it is.
// So are the pages that are seldom the first; what they share with the others is chunk.js.
const app = await build({ ...common, entryPoints: ["src/app.tsx"], outdir: out, splitting: true, chunkNames: "[name]", external: ["./editor.js"] });
const editor = await build({ ...common, entryPoints: ["src/whatif/editor.ts"], outfile: join(out, "editor.js"), minify: true });
for (const name of ["icon.svg", "index.html", "style.css"]) copyFileSync(join(here, "src", name), join(out, name));

/** Each package that a bundle took something from, with its licence as it ships it. */
function licences(...files) {
  const folders = new Set(files.flatMap(({ inputs }) => Object.keys(inputs)).flatMap((input) => /^node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
    const file = readdirSync(join(here, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${folder} has no file with its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(here, folder, file), "utf8").trim()}\n`;
  });
}
writeFileSync(join(out, "LICENSES.txt"), licences(app.metafile, editor.metafile).join(`\n${"-".repeat(79)}\n\n`));
