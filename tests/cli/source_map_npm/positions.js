// SPDX-License-Identifier: Apache-2.0
// Answers where positions lead, as the npm package `source-map` reads a map: {map, positions: [[line, column]…]} a line in, an array of [source, line,
// column, name] or null a line out. Lines from 1, columns in UTF-16 code units from 0.
"use strict";
const readline = require("readline");
const { SourceMapConsumer } = require("source-map");

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const { map, positions } = JSON.parse(line);
    const answers = await SourceMapConsumer.with(map, null, (consumer) =>
      positions.map(([line, column]) => {
        const found = consumer.originalPositionFor({ line, column });
        return found.source === null ? null : [found.source, found.line, found.column, found.name];
      }));
    process.stdout.write(JSON.stringify(answers) + "\n");
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
