// SPDX-License-Identifier: Apache-2.0
// The parts of the pages that compute: addresses, filters, windows of lists, origins in a row, drafts, patches, tables, hidden characters.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ROOT, source, temporary } from "./support.mjs";

/** A generator of small numbers from a seed: tests have one verdict. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("addresses are read as they were written", async () => {
  const { address, readAddress, writeAddress } = await source("address.ts");
  const cases = [
    [address("projects"), "/explore/"],
    [address("overview", "fleet"), "/explore/fleet/"],
    [address("subject", "fleet", "."), "/explore/fleet/subject/~."],
    [address("subject", "fleet", "~.."), "/explore/fleet/subject/~~.."],
    [address("subject", "fleet", "~x"), "/explore/fleet/subject/~x"],
    [address("subjects", "fleet", "", { q: "a b", fact: "role:db\ndc:ams" }), "/explore/fleet/subjects?q=a+b&fact=role:db&fact=dc:ams"],
    [address("subject", "fleet", "db01", { item: "ntp::servers", leaf: "/a/b", only: "overridden", at: "HEAD~1" }), "/explore/fleet/subject/db01?item=ntp::servers&leaf=/a/b&only=overridden&at=HEAD~1"],
    [address("subject", "fleet", "db01", { item: "a", leaf: "" }), "/explore/fleet/subject/db01?item=a&leaf="],
    [address("file", "a/b", 'data/x "y" #1?.yaml', { line: "31" }), "/explore/a%2Fb/file/data/x%20%22y%22%20%231%3F.yaml?line=31"],
    [address("matrix", "fleet", "", { keys: "ntp::*", q: "role=db" }), "/explore/fleet/matrix?keys=ntp::*&q=role%3Ddb"],
    [address("matrix", "fleet", "", { item: "ntp::servers", leaf: "/0", all: "1" }), "/explore/fleet/matrix?all=1&item=ntp::servers&leaf=/0"],
    [address("findings", "fleet", "", { code: "check.typo", finding: "1f0c" }), "/explore/fleet/findings?code=check.typo&finding=1f0c"],
    [{ ...address("what-if", "fleet", "data/common.yaml", { subject: "x+y&z" }), draft: "abc-_" }, "/explore/fleet/what-if/data/common.yaml?subject=x%2By%26z#d=abc-_"],
  ];
  for (const [written, text] of cases) {
    assert.equal(writeAddress(written), text);
    const url = new URL(text, "http://localhost");
    assert.deepEqual(readAddress(url.pathname, url.search, url.hash), { address: written, unknown: [] });
  }
});

test("an address that is not understood leads to the nearest page and names the part", async () => {
  const { readAddress } = await source("address.ts");
  const read = (text) => {
    const url = new URL(text, "http://localhost");
    const found = readAddress(url.pathname, url.search, url.hash);
    return [found.address.page, found.address.project, found.unknown];
  };
  assert.deepEqual(read("/explore/fleet/nodez/x"), ["overview", "fleet", ["nodez/x"]]);
  assert.deepEqual(read("/explore/fleet/subjects?colour=red&q=a"), ["subjects", "fleet", ["colour=red"]]);
  assert.deepEqual(read("/explore/fleet/findings/x"), ["findings", "fleet", ["x"]]);
  assert.deepEqual(read("/explore/%E0%A4%A"), ["projects", "", ["%E0%A4%A"]]);
  assert.deepEqual(read("/explore/fleet/matrix#d=x"), ["matrix", "fleet", ["#d=x"]]);
  assert.deepEqual(read("/explore/fleet/file/"), ["files", "fleet", []]);
  assert.deepEqual(read("/explore/fleet/file/a?line=abc"), ["file", "fleet", ["line=abc"]]);
  assert.deepEqual(read("/explore/fleet/compare?by=zz&effect=2"), ["compare", "fleet", ["by=zz"]]);
  assert.deepEqual(read("/explore/fleet/subject/a?view=pdf&fold=x"), ["subject", "fleet", ["view=pdf", "fold=x"]]);
});

test("filters: blanks are and, a dash is not, facts are apart, case does not count", async () => {
  const { parseFilter, select, nearest, globExpression } = await source("pure/filter.ts");
  assert.deepEqual(parseFilter("Web -AMS fact:role=db -"), { words: ["web", "-"], without: ["ams"], facts: [["role", "db"]] });
  const names = ["web01.ams", "web02.fra", "db01.fra"];
  assert.deepEqual(select(parseFilter("WEB"), names), [0, 1]);
  assert.deepEqual(select(parseFilter("web -ams"), names), [1]);
  assert.deepEqual(select(parseFilter("01 fra"), names), [2]);
  assert.deepEqual(select(parseFilter(""), names), [0, 1, 2]);
  assert.deepEqual(nearest("web1.ams", names, 1), ["web01.ams"]);
  assert.ok(globExpression("ntp::*").test("ntp::servers/0"));
  assert.ok(!globExpression("ntp.?").test("ntpxx"));
});

test("a window of a list: every row can be reached, few are drawn", async () => {
  const { ROW, windowAt, scrollTo } = await source("pure/window.ts");
  for (const rows of [0, 1, 40, 100_000, 5_000_000]) {
    for (const view of [100, 555, 1080]) {
      for (const row of [0, 1, 17, Math.floor(rows / 2), rows - 2, rows - 1].filter((one) => one >= 0 && one < rows)) {
        for (const from of [0, 1e5, 8e6]) {
          const scroll = scrollTo(row, rows, view, Math.min(from, windowAt(rows, view, 0).height));
          const seen = windowAt(rows, view, scroll);
          assert.ok(seen.first <= row && row < seen.last, `row ${row} of ${rows}`);
          assert.ok(seen.last - seen.first <= view / ROW + 16);
          const top = seen.top + (row - seen.first) * ROW - scroll;
          assert.ok(top >= -1 && top + ROW <= view + 1, `row ${row} of ${rows} stands at ${top} of ${view}`);
        }
      }
    }
  }
});

test("a window of rows that grew with the text", async () => {
  const { windowAt, scrollTo, ROW } = await source("pure/window.ts");
  const row = 2 * ROW;
  for (const count of [50, 1_000_000]) {
    const top = scrollTo(count - 1, count, 600, 0, row);
    const seen = windowAt(count, 600, top, row);
    assert.equal(seen.last, count);
    assert.ok(seen.last - seen.first <= 26);
    // The last row ends where the view does.
    assert.ok(Math.abs(seen.top + (count - seen.first) * row - (top + 600)) < 1);
  }
});

test("numbers are told as they are written", async () => {
  const { parseExact, exactJson, exactNumber } = await source("pure/numbers.ts");
  const values = ["9007199254740993", "1.0", "1", "-0.0", "-0", "1e400", "1.10", "123456789012345678901234567890", "0.1", "-17", "1E5"];
  for (const value of values) {
    for (const text of [value, `[${value}]`, `{"a":${value}}`, `{"a":[true,${value},"${value}"]}`, `["\\"",${value},"\\\\"]`]) assert.equal(exactJson(parseExact(text)), text);
  }
  assert.equal(parseExact('{"line": 31}').line, 31);
  assert.equal(parseExact("[0.5]")[0], 0.5);
  // Texts that look like numbers stay texts, and no text of a configuration is taken for one.
  const text = JSON.stringify(["1.0", ": 1.0", "\uE000x\uE0001.0", '"'.repeat(50), "\\", "x".repeat(1 << 20)]) .replace("[", "[1.0,");
  assert.equal(exactJson(parseExact(text)), text);
  assert.equal(exactJson([exactNumber(".inf")]), "[.inf]");
});

test("members keep their order, also where keys are whole numbers", async () => {
  const { parseExact, exactJson, plainKey, exactKey } = await source("pure/numbers.ts");
  const text = '{"10":"a","2":{"1":[],"0":"\\"3\\":"},"z":1.0,"1":"c"}';
  assert.equal(exactJson(parseExact(text)), text);
  assert.deepEqual(Object.keys(parseExact(text)).map(plainKey), ["10", "2", "z", "1"]);
  assert.equal(parseExact(text)[exactKey("10")], "a");
  assert.equal(parseExact(text)[exactKey("z")] !== undefined, true);
});

test("long lines are read in parts, and are what they are as a whole", async () => {
  const { parseLine } = await source("pure/lines.ts");
  const { exactJson, parseExact } = await source("pure/numbers.ts");
  const spaced = (value) => {
    if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`).join(", ")}}`;
  };
  // Values that look like ends of parts, and lists of the same names within them.
  const odd = ["}, {", '"changes": [{', '\\"edits\\": [', { changes: [{ a: "]}, {" }, { b: [{}, {}] }] }, [{ x: 1 }, { y: 2 }], 0.5];
  const changes = (count) => Array.from({ length: count }, (_, index) => ({ item: `k${index}`, before: null, after: { value: odd[index % odd.length], line: index } }));
  const edits = Array.from({ length: 5000 }, (_, index) => ({ id: index, file: index % 3 ? "a}, {b" : '"cause_sets": [', before: { line: index, lines: 1 } }));
  const lines = [
    { effect: { id: 1, count: 2, subjects: ["a", '"changes": ['], changes: changes(5000) } },
    { effect: { id: 1, count: 2, subjects: [], changes: [] } },
    { effect: { id: 1, count: 2, subjects: ["x".repeat(1 << 17)], changes: changes(2) } },
    { done: { run: "r", subjects: { total: 3 }, edits, cause_sets: edits.map(({ id }) => ({ kind: "each", edits: [id] })), effects: 1, more: { effects: 1 }, findings: { new: changes(3), gone: [] } } },
    { subject: changes(3000) },
  ];
  for (const line of lines) assert.equal(exactJson(await parseLine(spaced(line))), exactJson(parseExact(spaced(line))));
});

test("a layer has the short name of its level, and the colour that the service gave it", async () => {
  const { layerColour, layerShort, learnLayers } = await source("parts/layers.ts");
  assert.deepEqual([layerColour({ colour: 0 }), layerColour({ colour: 7 }), layerColour({})], ["layer-0", "layer-7", ""]);
  learnLayers("a", ["role", "common (x/data)", "common (x/ntp/data)"]);
  assert.equal(layerShort({ layer: "role/role/db.yaml", level: "role" }), "role");
  assert.equal(layerShort({ layer: "common/common.yaml", level: "common (x/ntp/data)" }), "common (ntp/data)");
  assert.equal(layerShort({ layer: "base/env.yaml" }), "env");
  assert.equal(layerShort({ layer: null }), "");
});

test("one of anything is told as one", async () => {
  const { T } = await source("texts-pages.ts");
  const texts = [T.countWords(1, "nodes"), T.countOf(1, 1, "nodes"), T.inSubjects(1, "nodes"), T.forSubjects(1, "nodes"), T.overriddenCount(1, 1, "nodes"), T.sameValue(1, 1, 1, "nodes"), T.groupOf(1, "nodes", "")];
  for (const text of [...texts, T.matrixSummary(1, 1, 1, "nodes"), T.overridesIt(1, "nodes"), T.setSelected(1, 1, 0, "nodes"), T.setReaches(2, 1, "nodes"), T.effectsSummary(1, 1, 1, "nodes")]) {
    assert.match(text, /\b1 (other )?node\b/);
    assert.doesNotMatch(text, /\b1 (other )?nodes\b/);
  }
  assert.equal(T.countWords(2, "nodes"), "2 nodes");
});

test("origins in a row are told once", async () => {
  const { tellsOrigin, shortened, commonFolder } = await source("pure/runs.ts");
  const row = (file, line) => ({ origin: file === null ? null : { file, line } });
  const rows = [row("a", 1), row("a", 1), row(null), row("a", 1), row("a", 2), row("b", 2)];
  assert.deepEqual(
    rows.map((one, index) => tellsOrigin(one, rows[index - 1])),
    [true, false, false, true, true, true],
  );
  assert.equal(shortened("environments/production/data/common.yaml:26", 24), "…/data/common.yaml:26");
  assert.equal(shortened("data/common.yaml:26", 24), "data/common.yaml:26");
  assert.equal(shortened("nodes/it's quoted.yaml:11", 24), "…/it's quoted.yaml:11");
  assert.equal(shortened("nodes/0123456789.yaml:1", 18), "…0123456789.yaml:1");
  assert.ok(shortened("averyveryverylongnameofafile.yaml:26", 12).endsWith(".yaml:26"));
  assert.equal(commonFolder(["a/b/c.yaml", "a/b/d/e.yaml"]), "a/b/");
  assert.equal(commonFolder(["a/b", "c/d"]), "");
});

test("a text that cannot be edited tells why, where it can be seen", async () => {
  const { whyNot } = await source("pure/characters.ts");
  assert.equal(whyNot([{ text: "a: 1" }, { text: "b: ******" }]), "hidden");
  assert.equal(whyNot([{ text: "a: \uFFFD" }]), "bytes");
  assert.equal(whyNot([{ text: "a: 1" }]), undefined);
});

test("hidden characters are shown by their numbers", async () => {
  const { escaped, isPlain } = await source("pure/characters.ts");
  assert.equal(escaped("a\u202Eb\u200Bc\u0007\uFEFF"), "aU+202EbU+200BcU+0007U+FEFF");
  assert.equal(escaped("\u{E0041}"), "U+E0041");
  for (const plain of ["grüße", "日本語", "a\tb\nc", "<img src=x onerror=alert(1)>", "e\u0301", "😀"]) assert.ok(isPlain(plain), plain);
});

/** Two texts that have lines in common. */
function texts(next) {
  const line = () => `${"abcd"[next(4)]}${next(3)}`;
  const before = Array.from({ length: next(14) }, line);
  const after = before.flatMap((one) => (next(5) === 0 ? [] : next(5) === 0 ? [line(), one] : next(6) === 0 ? [line()] : [one]));
  const ended = (all) => all.join("\n") + (all.length > 0 && next(3) > 0 ? "\n" : "");
  return [ended(before), ended(after)];
}

test("patches are what git applies, and give the text", async () => {
  const { patch } = await source("pure/difference.ts");
  const next = random(7);
  const folder = temporary();
  execFileSync("git", ["init", "-q", folder]);
  const paths = ["data/common.yaml", "a b/c d.yaml", 'q"uote\\.yaml', "grüße.yaml"];
  for (let round = 0; round < 60; round += 1) {
    const path = paths[round % paths.length];
    const [before, after] = texts(next);
    const made = patch(path, before, after);
    assert.equal(made === "", before === after);
    if (made === "") continue;
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), before);
    execFileSync("git", ["apply", "--unidiff-zero", "-"], { cwd: folder, input: made });
    assert.equal(readFileSync(join(folder, path), "utf8"), after, made);
  }
  rmSync(folder, { recursive: true });
});

test("edits give the text, in a draft of an address, too", async () => {
  const { applyByContext, applyEdits, edits, lines } = await source("pure/difference.ts");
  const { draftFile, editsOf, readDraft, writeDraft } = await source("pure/draft.ts");
  const next = random(11);
  for (let round = 0; round < 100; round += 1) {
    const [before, after] = texts(next);
    assert.equal(applyEdits(before, edits(lines(before), lines(after))), after);
    const draft = { files: { "data/grüße.yaml": draftFile("0".repeat(64), before, after) } };
    const text = await writeDraft(draft);
    assert.match(text, /^[\w-]*$/);
    const read = await readDraft(text);
    assert.deepEqual(read, draft);
    assert.equal(applyEdits(before, editsOf(read.files["data/grüße.yaml"])), after);
  }
  const changes = edits(lines("a\nb\nc\n"), lines("a\nB\nc\n"));
  // What is inserted is found again by the lines around it, or not at all.
  const inserted = (before, after) => editsOf(draftFile("", before, after));
  const below = inserted("a\nb\nc\nd\n", "a\nb\nnew\nc\nd\n");
  assert.equal(applyEdits("a\nb\nc\nd\n", below), "a\nb\nnew\nc\nd\n");
  assert.equal(applyByContext("1\n2\n3\na\nb\nc\nd\n", below), "1\n2\n3\na\nb\nnew\nc\nd\n");
  assert.equal(applyByContext("x: 1\n", below), undefined);
  assert.equal(applyByContext("", below), undefined);
  const first = inserted("a\nb\n", "new\na\nb\n");
  assert.equal(applyByContext("1\na\nb\n", first), "1\nnew\na\nb\n");
  assert.equal(applyByContext("1\n", first), undefined);
  assert.equal(applyByContext("", inserted("", "a\n")), "a\n");
  assert.equal(applyByContext("b\n", inserted("", "a\n")), undefined);
  const two = inserted("a\nb\nc\n", "a\n1\nb\n2\nc\n");
  assert.equal(applyEdits("a\nb\nc\n", two), "a\n1\nb\n2\nc\n");
  assert.equal(applyByContext("x\na\nb\nc\n", two), "x\na\n1\nb\n2\nc\n");
  assert.equal(applyByContext("new\na\nb\nc\n", changes), "new\na\nB\nc\n");
  assert.equal(applyByContext("a\nx\nc\n", changes), undefined);
});

test("edits of large texts are the shortest where few lines differ", async () => {
  const { edits } = await source("pure/difference.ts");
  const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
  const after = before.map((line, index) => (index === 10 || index === 19_990 ? `new ${index}\n` : line));
  assert.deepEqual(
    edits(before, after).map((edit) => [edit.line, edit.removed.length, edit.added.length]),
    [
      [11, 1, 1],
      [19_991, 1, 1],
    ],
  );
});

test("what is no draft is refused, also one that grows without end", async () => {
  const { readDraft, toBase64url, writeDraft } = await source("pure/draft.ts");
  for (const text of ["", "x", "!!!", "AAAA"]) await assert.rejects(readDraft(text));
  const packed = async (value) => {
    const stream = new Blob([typeof value === "string" ? value : JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return toBase64url(new Uint8Array(await new Response(stream).arrayBuffer()));
  };
  for (const wrong of [null, [], {}, { files: null }, { files: { a: {} } }, { files: { a: { from: "x", edits: [[0, [], []]] } } }, { files: { a: { from: "x", edits: [[1, [1], []]] } } }]) {
    await assert.rejects(readDraft(await packed(wrong)), JSON.stringify(wrong));
  }
  await assert.rejects(readDraft(await packed(" ".repeat(9_000_000))));
  assert.ok(await writeDraft({ files: {} }));
});

test("tables for other programs: quoted, and without formulas", async () => {
  const { csv, markdown, tsv } = await source("pure/table.ts");
  const rows = [
    ["key", "a,b"],
    ['say "x"', "=1+1"],
    ["n", "-5"],
    ["a|b", "x\ny"],
  ];
  assert.equal(csv(rows), 'key,"a,b"\r\n"say ""x""",\'=1+1\r\nn,-5\r\na|b,"x\ny"\r\n');
  assert.equal(tsv(rows), 'key\ta,b\nsay "x"\t\'=1+1\nn\t-5\na|b\tx y\n');
  assert.equal(markdown(rows), '| key | a,b |\n| --- | --- |\n| say "x" | =1+1 |\n| n | -5 |\n| a\\|b | x⏎y |\n');
});

test("rows of a result: folding, filters and what is around a row", async () => {
  const { cursorAt, isFolded, parentOf, placeOf, rowName, shown } = await source("pure/tree.ts");
  const row = (index, depth, below, text, item = "k") => ({ index, item, path: `/${index}`, depth, below, text });
  const rows = [row(0, 0, 3, "k:"), row(1, 1, 1, "  a:"), row(2, 2, 0, "    - x"), row(3, 1, 0, "  b: y"), row(4, 0, 0, "l: x", "l")];
  const none = new Set();
  const name = (index) => new Set([rowName(rows[index])]);
  assert.deepEqual(shown(rows, "", none, undefined, none), [0, 1, 2, 3, 4]);
  assert.deepEqual(shown(rows, "", name(0), undefined, none), [0, 4]);
  assert.deepEqual(shown(rows, "", name(1), undefined, none), [0, 1, 3, 4]);
  assert.deepEqual(shown(rows, "", none, 1, none), [0, 4]);
  assert.deepEqual(shown(rows, "", none, 1, name(0)), [0, 1, 3, 4]);
  assert.deepEqual(shown(rows, "- x", name(0), undefined, none), [0, 1, 2], "a filter looks into what is folded");
  assert.deepEqual(shown(rows, "x -k", none, undefined, none), [4]);
  assert.deepEqual(shown([rows[0], rows[3], rows[4]], "", name(0), undefined, none), [0, 2], "rows that the service left out");
  assert.equal(parentOf(rows, 2), 1);
  assert.equal(parentOf(rows, 3), 0);
  assert.equal(parentOf(rows, 4), -1);
  assert.ok(isFolded(rows[1], none, 2, none));
  // Lines of one text have one name: the keyboard tells them apart, also when rows above them come and go.
  const text = (index) => ({ ...row(index, 0, 0, "line"), path: "/text" });
  const lines = [rows[0], text(1), text(2), text(3), rows[4]];
  const all = [0, 1, 2, 3, 4];
  for (const place of all) assert.equal(placeOf(lines, all, cursorAt(lines, all, place)), place);
  const third = cursorAt(lines, all, 3);
  assert.equal(placeOf(lines, [1, 2, 3, 4], third), 2);
  assert.equal(placeOf([rows[0], text(1), rows[4]], [0, 1, 2], third), 1, "the text is shorter now");
  assert.equal(placeOf(rows, all, third), -1);
  assert.equal(cursorAt(lines, all, 5), undefined);
});

test("lines of a file fold by their indentation", async () => {
  const { around, depths, folds, unfolded } = await source("pure/folds.ts");
  const text = ["# head", "users:", "  ann:", "    uid: 1", "", "  # of bob", "  bob: {uid: 2}", "list:", "- a", "- b:", "    c: 1", "end: 1", ""];
  const below = folds(text);
  assert.deepEqual(below, [0, 5, 1, 0, 0, 0, 0, 3, 0, 1, 0, 0, 0]);
  assert.deepEqual(depths(below), [0, 0, 1, 2, 1, 1, 1, 0, 1, 1, 2, 0, 0]);
  assert.deepEqual(unfolded(text.length, below, new Set([1, 9])), [0, 1, 7, 8, 9, 11, 12]);
  assert.deepEqual(unfolded(text.length, below, new Set([1, 2])), [0, 1, 7, 8, 9, 10, 11, 12]);
  assert.equal(around(below, 3), 2);
  assert.equal(around(below, 10), 9);
  assert.equal(around(below, 11), -1);
});

test("lines of a place of difference stand with those around it", async () => {
  const { hunkLines } = await source("pure/hunks.ts");
  const before = ["a", "b", "c", "d"];
  const after = ["a", "x", "y", "c", "d"];
  const told = (hunk, old, now) => hunkLines(hunk, old, now).map(({ sign, number, text }) => `${sign}${number}${text}`);
  assert.deepEqual(told({ before: { line: 2, lines: 1 }, after: { line: 2, lines: 2 } }, before, after), [" 1a", "-2b", "+2x", "+3y", " 4c", " 5d"]);
  assert.deepEqual(told({ before: { line: 2, lines: 1 }, after: { line: 2, lines: 0 } }, before, ["a", "c", "d"]), [" 1a", "-2b", " 2c", " 3d"]);
  assert.deepEqual(told({ before: { line: 1, lines: 0 }, after: { line: 1, lines: 1 }, whole: true }, [], ["n"]), ["+1n"]);
});

test("what the documentation says of a code", async () => {
  const { findCode, inline } = await source("pure/codes.ts");
  const errors = readFileSync(join(ROOT, "docs/errors.md"), "utf8");
  assert.match(findCode(errors, "set.impossible").means, /\w/);
  assert.deepEqual(findCode(errors, "bindings.abstract"), {
    means: "the effective binding of a key is abstract. The notes show what it hides",
    wayOut: "bind the key in a higher layer",
  });
  assert.match(findCode(errors, "bindings.idle-rebind").means, /no effect/, "a row of several codes");
  assert.match(findCode(errors, "bindings.ambiguous").wayOut, /\$all\| \{/, "a bar that is escaped");
  assert.equal(findCode(errors, "no.such-code"), undefined);
  assert.match(findCode(readFileSync(join(ROOT, "docs/analysis/check.md"), "utf8"), "check.typo").wayOut, /rename it/);
  assert.deepEqual(inline("write `a` as [b](c.md#d)"), [
    { text: "write ", code: false },
    { text: "a", code: true },
    { text: " as b", code: false },
  ]);
});

test("layers of results join in the order of their strength", async () => {
  const { layerNames, learnLayers } = await source("parts/layers.ts");
  learnLayers("p", ["role", "common"]);
  learnLayers("p", ["node", "role"]);
  learnLayers("p", ["node", "place", "common"]);
  assert.deepEqual(layerNames.value, ["node", "role", "place", "common"]);
  learnLayers("q", ["only"]);
  assert.deepEqual(layerNames.value, ["only"]);
});

test("a patch makes a file that was not there", async () => {
  const { patch } = await source("pure/difference.ts");
  const folder = temporary();
  execFileSync("git", ["init", "-q", folder]);
  execFileSync("git", ["apply", "-"], { cwd: folder, input: patch("data/new.yaml", "", "a: 1\nb: 2\n", true) });
  assert.equal(readFileSync(join(folder, "data/new.yaml"), "utf8"), "a: 1\nb: 2\n");
  rmSync(folder, { recursive: true });
});
