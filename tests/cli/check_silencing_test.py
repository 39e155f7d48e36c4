#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What silences findings of strata check: comments, .strata-check.yaml, baselines.

usage: check_silencing_test.py STRATA
"""
import hashlib
import json
import os
import pathlib
import random
import sys
import unittest

import check_site
import jsonschema

if len(sys.argv) > 1:
    check_site.SiteTest.strata = os.path.abspath(sys.argv.pop(1))

SCHEMA = jsonschema.Draft202012Validator(json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/schema/analysis.schema.json").read_text()))
DEAD = ("--select", "dead-override,never-visible,dead-item,bare-allow,idle-allow")
COMMON = "port: 80\nname: x\nzone: y\nlist: [1, 2]\nh: {a: 1, b: 2}\n"


class Comments(check_site.SiteTest):
    def told(self, text, *words, name="data/role/web.yaml", **named):
        """(code, line) of what is told of one file beside COMMON, which is silenced."""
        self.write({name: text, "data/common.yaml": "# strata: allow-file all the base\n" + COMMON})
        return [(code, line) for code, file, line in self.findings(*(words or DEAD), **named) if file == name]

    def test_place(self):
        dead = "dead-override"
        for text, expected in {
            "port: 80 # strata: allow dead-override pinned\n": [],
            "port: 80\t# strata:allow\tcheck.dead-override pinned\n": [],
            "# strata: allow dead-override pinned\nport: 80\n": [],
            "# strata: allow typo, dead-override , never-visible pinned\n# more\nport: 80\nname: x\n": [(dead, 4)],
            "# strata: allow all pinned\n\nport: 80\n": [(dead, 3)],
            "port: 80\n# strata: allow dead-override behind\n": [(dead, 1), ("idle-allow", 2)],
            "h: # strata: allow dead-override all of it\n  a: 1\n  b: 2\n": [],
            "h:\n  # strata: allow dead-override a member of what is dead\n  a: 1\n  b: 2\n": [(dead, 1), ("idle-allow", 2)],
            "{port: 80, name: x} # strata: allow dead-override a line\n": [],
            "{port: 80, # strata: allow dead-override one\n name: x}\n": [(dead, 2)],
            "port: 80 #strata: allow dead-override\n": [(dead, 1), ("bare-allow", 1)],
            "port: 80 # strata: allow\n": [(dead, 1), ("bare-allow", 1)],
            "port: 80 # strata: allow dead-override,\n": [(dead, 1), ("bare-allow", 1)],
            "port: 80 # strata: allowed dead-override x\n": [(dead, 1)],
            "port: 80 # about strata: allow dead-override x\n": [(dead, 1)],
            "port: 80 # strata: allow never-visible another\n": [(dead, 1), ("idle-allow", 1)],
            "port: 80 # strata: allow unused-file not looked for\n": [(dead, 1)],
            "port: 80\r\n# strata: allow dead-override pinned\r\nname: x\r\n": [(dead, 1)],
            "\ufeff# strata: allow dead-override pinned\nport: 80\n": [],
        }.items():
            with self.subTest(text=text):
                self.assertEqual(self.told(text), expected)

    def test_only_comments(self):
        """A # in a text is none."""
        allow = "# strata: allow all it is a text"
        texts = [f'"a {allow}"', f"'a {allow}'", f'"a\n  {allow}\n  b"', f"|\n  {allow}\n  b", f">-\n  a\n  {allow}", f"|2+\n    b\n  {allow}\n\n", "a#b", "'#'"]
        for text in texts:
            with self.subTest(text=text):
                value = f"v: {text}\n"
                self.write({"data/role/web.yaml": value, "data/common.yaml": value})
                self.assertEqual([code for code, *_ in self.findings(*DEAD)], ["never-visible", "dead-override"])
        for text in ("|  # strata: allow all it is none\n  b", "&a # strata: allow all it is none\n  b", "!!str # strata: allow all it is none\n  b"):
            with self.subTest(text=text):
                self.write({"data/role/web.yaml": f"v: {text}\n", "data/common.yaml": f"v: {text}\n"})
                self.assertEqual(self.findings(*DEAD), [])

    def test_file(self):
        dead = ("dead-override", 3)
        for text, expected in {
            "# a\n# strata: allow-file dead-override generated\nport: 80\n": [],
            "# a\n\n# strata: allow-file dead-override generated\nport: 80\n": [],
            "# strata: allow-file dead-override\n---\nport: 80\n": [dead, ("bare-allow", 1)],
            "name: z\n# strata: allow-file dead-override late\nport: 80\n": [dead, ("idle-allow", 2)],
            "---\n# strata: allow-file dead-override late\nport: 80\n": [dead, ("idle-allow", 2)],
            "# strata: allow-file bare-allow, dead-override generated\n---\nport: 80 # strata: allow typo\n": [],
        }.items():
            with self.subTest(text=text):
                self.assertCountEqual(self.told(text), expected)
        self.write({"data/old.yaml": "# strata: allow-file unused-file for later\nport: 1\n", "data/older.yaml": "port: 2\n"})
        self.assertEqual(self.findings("--select", "unused-file"), [("unused-file", "data/older.yaml", None)])

    def test_json(self):
        """The JSON of Hiera has comments."""
        text = '{ // strata: allow-file typo not in the head\n  // strata: allow dead-override kept\n  "port": 80,\n  "name": "x", // strata: allow dead-override kept\n'
        text += '  "zone": "y", /* strata: allow dead-override no */\n  "v": "// strata: allow all no"\n}\n'
        self.assertEqual(self.told(text, name="data/more.json"), [("dead-override", 5)])
        self.assertEqual(self.told("// strata: allow-file dead-override all\n" + text.split("\n", 1)[1].replace("  //", "{ //", 1), name="data/more.json"),
                         [("idle-allow", 2)])

    def test_hocon(self):
        self.write({"data/more.conf": 'port = "# strata: allow all no" # strata: allow dead-override nothing\n'})
        self.assertEqual(self.findings(*DEAD), [("idle-allow", "data/more.conf", 1)])

    def test_failure(self):
        """Failures have codes, too."""
        self.write({"data/common.yaml": "a: \"%{unknown('b')}\" # strata: allow all broken on purpose\n"})
        report = self.report(*DEAD, "--show-suppressed")
        self.assertEqual([(one["severity"], one["silenced_by"]) for one in report["findings"]], [("error", "comment")])

    def test_hostile(self):
        """Many comments over a long line, and deep nesting."""
        many = "".join(f"# strata: allow c{number} because\n" for number in range(20000))
        self.told(many + "{" + ", ".join(f"k{number}: 1" for number in range(20000)) + "}\n")
        deep = "".join("  " * level + f"# strata: allow typo because\n{'  ' * level}k:\n" for level in range(90)) + "  " * 90 + "1\n"
        self.assertEqual(self.told(deep, "--select", "idle-allow"), [])

    def test_unnoticed(self):
        """P15: comments, blank lines and unread files change no fingerprint of another finding."""
        rng = random.Random(3)
        self.write({"data/common.yaml": COMMON, "data/role/web.yaml": COMMON, "data/old.yaml": "a: 1\n"})
        prints = [one["fingerprint"] for one in self.report()["findings"]]
        for _ in range(5):
            lines = [part for line in COMMON.splitlines() for part in rng.choice([[line], ["# c", line], ["", line], [line + "  # d"]])]
            self.write({"data/role/web.yaml": "\n".join(lines) + "\n", "data/new.yaml": "a: 1\n"})
            now = [one["fingerprint"] for one in self.report()["findings"] if one["file"] != "data/new.yaml"]
            self.assertEqual(now, prints)


class Configuration(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({"data/common.yaml": COMMON, "data/role/web.yaml": "port: 80\nname: x\n"})

    def told(self, config, *words, name=".strata-check.yaml"):
        self.write({name: config})
        return [(code, line) for code, file, line in self.findings(*(words or DEAD)) if file == "data/role/web.yaml"]

    def test_allow(self):
        both = [("dead-override", 1), ("dead-override", 2)]
        for allowed, expected in {
            "code: dead-override, file: 'data/role/*', path: /port": both[1:],
            "code: check.dead-override, file: 'data/**', path: '/n*'": both[:1],
            "code: all, file: data/role/we?.yaml": [],
            "code: all, file: '**/[v-x]eb.yaml'": [],
            "code: all, file: '**/[!w]eb.yaml'": both,
            "code: all, file: 'data/*'": both,
            "code: all, path: '/**'": [],
            "code: all, path: /port/x": both,
            "code: never-visible": both,
            "code: yaml.syntax": both,
        }.items():
            with self.subTest(allowed=allowed):
                self.assertEqual(self.told(f"version: 1\nallow: [{{{allowed}, reason: agreed}}]\n"), expected)

    def test_severity(self):
        self.write({".strata-check.yaml": "severity: {dead-override: error, never-visible: note, dead-item: off}\n"})
        self.assertEqual(self.report(*DEAD)["summary"], {"error": 2, "warning": 0, "note": 2})
        self.check("--fail-on", "error", *DEAD, status=1)
        self.write({".strata-check.yaml": "severity: {dead-override: off, never-visible: note}\n"})
        self.assertEqual(self.report(*DEAD)["summary"], {"error": 0, "warning": 0, "note": 2})
        self.check(*DEAD, status=0)

    def test_codes(self):
        self.assertEqual(self.told("select: [dead-item]\n", "--exit-zero"), [])
        self.assertEqual(len(self.told("select: [dead-item]\n", "--select", "dead-override")), 2)
        self.assertEqual(self.told("ignore: [check.dead-override]\n"), [])

    def test_where(self):
        """Beside .strata.yaml, before the working folder; or as --config says. Globs count from the folder of what was found."""
        config = "allow: [{code: all, file: 'data/**', reason: agreed}]\n"
        question = ("lookup", "--hiera-config", "../hiera.yaml", "--nodes", "../nodes.json")
        self.write({"sub/.keep": "", ".git/HEAD": "", ".strata.yaml": "projects: {}\n", ".strata-check.yaml": config, "other.yaml": "ignore: [never-visible]\n"})
        self.assertEqual(self.report(*DEAD, question=question, folder="sub")["findings"], [])
        self.assertEqual(len(self.findings("--config", "../other.yaml", *DEAD, question=question, folder="sub")), 2)
        os.remove(os.path.join(self.folder, ".strata-check.yaml"))
        self.write({"sub/.strata-check.yaml": "select: [never-visible]\n"})
        self.assertEqual(len(self.findings(question=question, folder="sub")), 2)

    def test_errors(self):
        for text, line, words in (
            ("version: 2\n", 1, "'version'"),
            ("\nseverities: {}\n", 2, "severity"),
            ("severity: {dead-overide: error}\n", 1, "did you mean 'dead-override'?"),
            ("severity: {dead-override: bad}\n", 1, "error, warning, note or off"),
            ("allow:\n  - {code: dead-override, file: '[a', reason: x}\n", 2, "has no ']'"),
            ("allow:\n  - {code: dead-override, file: 'a**', reason: x}\n", 2, "'**'"),
            ("allow:\n  - {code: dead-override, path: 'a\\', reason: x}\n", 2, "nothing follows"),
            ("allow:\n  - {code: dead-override}\n", 2, "no 'reason'"),
            ("allow:\n  - {code: dead-override, reason: x, files: y}\n", 2, "did you mean 'file'?"),
            ("allow: {}\n", 1, "a list of"),
            ("consumers: [1]\n", 1, "a list of texts"),
            ("known: {cloudconfig: [a]}\n", 1, "cloud-config"),
            ("select: [nothing]\n", 1, "there is no finding 'nothing'"),
            ("- 1\n", 1, "a mapping"),
        ):
            with self.subTest(text=text):
                self.write({"c.yaml": text})
                self.assertEqual(self.check("--config", "c.yaml", status=3), "")
                self.assertIn(f"c.yaml:{line}:", self.errors)
                self.assertIn("[check.config]", self.errors)
                self.assertIn(words, self.errors)
                self.assertIn("hint: ", self.errors)
        self.check("--config", "none.yaml", status=3)
        self.assertIn("none.yaml: error: there is no such file [check.config]", self.errors)


class Baseline(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({"data/common.yaml": COMMON, "data/role/web.yaml": "port: 80 # strata: allow all kept\nname: x # strata: allow typo\n", "data/old.yaml": "a: 1\n"})

    def test_exactly(self):
        """P16: the baseline of a run silences exactly that run."""
        before = self.report()
        self.check("--write-baseline", "b.json", status=0)
        after = self.report("--baseline", "b.json", status=0)
        self.assertEqual(after["findings"], [])
        self.assertEqual(after["suppressed"], before["suppressed"] + len(before["findings"]))
        base = json.loads(self.read("b.json"))
        SCHEMA.validate(base)
        self.assertEqual(base["findings"], sorted(base["findings"], key=lambda one: one["fingerprint"]))
        self.assertCountEqual(base["findings"], [{key: one[key] for key in ("fingerprint", "code", "file", "path")} for one in before["findings"]])
        self.write({"data/role/web.yaml": self.read("data/role/web.yaml") + "zone: y\n"})
        self.assertEqual(self.findings("--baseline", "b.json", status=1), [("never-visible", "data/common.yaml", 3), ("dead-override", "data/role/web.yaml", 3)])
        # One that is written anew keeps what the old one silenced.
        self.check("--baseline", "b.json", "--write-baseline", "b.json", status=0)
        self.assertEqual(len(json.loads(self.read("b.json"))["findings"]), len(base["findings"]) + 2)
        self.assertEqual(self.findings("--baseline", "b.json", status=0), [])

    def test_order(self):
        """Comments come before the configuration, and that before the baseline."""
        self.write({"data/role/web.yaml": "port: 80 # strata: allow dead-override c\nname: x\nzone: y\nh: {a: 1, b: 2}\n"})
        self.check("--select", "dead-override", "--write-baseline", "b.json", status=0)
        self.write({"data/role/web.yaml": "port: 80 # strata: allow dead-override c\nname: x\nzone: y\nh: {a: 1, b: 2}\n",
                    ".strata-check.yaml": "allow:\n - {code: all, path: /port, reason: no}\n - {code: all, path: /name, reason: f}\n"})
        report = self.report("--select", "dead-override", "--baseline", "b.json", "--show-suppressed", status=0)
        self.assertEqual([(one["path"], one["silenced_by"], one["reason"]) for one in report["findings"]],
                         [("/port", "comment", "c"), ("/name", "config", "f"), ("/zone", "baseline", ""), ("/h", "baseline", "")])
        self.assertEqual((report["suppressed"], report["summary"]), (4, {"error": 0, "warning": 0, "note": 0}))
        text = self.check("--select", "dead-override", "--baseline", "b.json", "--show-suppressed", status=0)
        self.assertIn("silenced by a comment: c\n", text)
        self.assertTrue(text.endswith("0 errors, 0 warnings, 0 notes; 4 suppressed\n"), text)

    def test_fingerprint(self):
        one = self.report("--select", "unused-file")["findings"][0]
        self.assertEqual(one["fingerprint"], hashlib.sha256(b"check.unused-file\0data/old.yaml\0\0").hexdigest()[:16])

    def test_every_folder(self):
        """Files below that of .strata.yaml are named from there."""
        self.write({".git/HEAD": "ref: refs/heads/main\n", ".strata.yaml": "projects:\n  l: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n", "sub/x": ""})
        here = self.report(question=("@l",))
        below = self.report(question=("@l",), folder="sub")
        self.assertTrue(below["findings"][0]["file"].startswith("/"), below)
        self.assertEqual([one["fingerprint"] for one in here["findings"]], [one["fingerprint"] for one in below["findings"]])
        self.check("--write-baseline", "b.json", status=0, question=("@l",), folder="sub")
        base = json.loads(self.read("sub/b.json"))["findings"]
        self.assertEqual({one["file"] for one in base}, {one["file"] for one in here["findings"]})
        for folder, name in ((".", "sub/b.json"), ("sub", "b.json")):
            self.assertEqual(self.report("--baseline", name, status=0, question=("@l",), folder=folder)["findings"], [])
        sarif = json.loads(self.check("--output", "sarif", question=("@l",), folder="sub"))["runs"][0]["results"]
        places = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in sarif]
        self.assertEqual({(place["uri"], place["uriBaseId"]) for place in places}, {(one["file"], "SRCROOT") for one in here["findings"]})

    def test_errors(self):
        for text in ("", "{", "[]", '{"format": "x", "findings": []}', '{"format": "strata-baseline/1"}',
                     '{"format": "strata-baseline/1", "findings": [{"fingerprint": "F445f1a1638dab0c"}]}',
                     '{"format": "strata-baseline/1", "findings": [{"fingerprint": "f445f1a1638dab0c-"}]}',
                     '{"format": "strata-baseline/1", "findings": [1]}'):
            with self.subTest(text=text):
                self.write({"b.json": text})
                self.assertEqual(self.check("--baseline", "b.json", status=3), "")
                self.assertIn("b.json:1:", self.errors)
                self.assertIn("[check.baseline]\n", self.errors)
                self.assertIn("hint: ", self.errors)
        self.check("--baseline", "none.json", status=3)
        self.assertIn("[check.baseline]", self.errors)
        self.assertEqual(self.check("--write-baseline", "none/b.json", status=3), "")


class Status(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({"data/common.yaml": COMMON, "data/role/web.yaml": "port: 80\n"})

    def test_max_warnings(self):
        for most, status in ((0, 1), (1, 1), (2, 0), (3, 0)):
            self.check("--max-warnings", str(most), "--select", "dead-override,never-visible", status=status)
        self.check("--max-warnings", "9", "--fail-on", "note", "--select", "dead-override,never-visible", status=0)
        self.check("--max-warnings", "-1", status=2)

    def test_limit(self):
        self.assertEqual(self.check("--limit", "findings=1", status=3), "")
        self.assertIn("[analysis.limit]", self.errors)

    def test_no_fleet(self):
        question = ("lookup", "--hiera-config", "hiera.yaml", "--node", "a", "--facts", "facts.yaml")
        self.write({"facts.yaml": "role: web\n"})
        self.assertEqual(self.findings(*DEAD, question=question, status=0), [])
        self.assertEqual(self.errors.count("[analysis.no-fleet]"), 1)
        self.check("--select", "bare-allow", question=question, status=0)
        self.assertNotIn("no-fleet", self.errors)
        self.check("--strict", question=question, status=3)
        self.write({"fleet.yaml": "[{name: one, args: []}]\n"})
        self.assertEqual(len(self.findings("--fleet", "fleet.yaml", *DEAD, question=question)), 2)
        self.assertNotIn("no-fleet", self.errors)
        self.write({"a.yaml": "#cloud-config\nlocale: de\na: 1\n", "b.yaml": "#cloud-config\nlocale: de\nb: 1\n"})
        self.assertEqual(self.check("--select", "dead-override,never-visible", question=("merge", "a.yaml", "b.yaml"), status=1).count("[check."), 2)
        self.assertNotIn("no-fleet", self.errors)


if __name__ == "__main__":
    unittest.main()
