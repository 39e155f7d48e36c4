#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The outputs of strata check: text, JSON, SARIF, workflow commands of GitHub, JUnit. All tell the same.

usage: check_formats_test.py STRATA
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import urllib.parse
import xml.etree.ElementTree

import check_site
import jsonschema

if len(sys.argv) > 1:
    check_site.SiteTest.strata = os.path.abspath(sys.argv.pop(1))
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = jsonschema.Draft202012Validator(json.loads((SOURCE / "docs/schema/analysis.schema.json").read_text(encoding="utf-8")))


def exactly(required, **properties):
    return {"type": "object", "properties": properties, "required": required.split(), "additionalProperties": False}


def listed(items, **more):
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string"}
INDEX = {"type": "integer", "minimum": 0}
MESSAGE = exactly("text", text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
PHYSICAL = exactly(
    "artifactLocation",
    artifactLocation=exactly("uri", uri=TEXT, uriBaseId=TEXT),
    region=exactly("startLine", startLine={"type": "integer", "minimum": 1}, startColumn={"type": "integer", "minimum": 1}),
)
OFFICIAL_SARIF = json.loads((SOURCE / "tests/cli/schemas/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
# The schema allows more members than strata writes: these are all.
WRITTEN_SARIF = jsonschema.Draft202012Validator(exactly(
    "version runs",
    **{"$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"}},
    version={"const": "2.1.0"},
    runs=listed(exactly(
        "tool results",
        tool=exactly("driver", driver=exactly(
            "name",
            name={"const": "strata"}, version={"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+"}, informationUri={"type": "string", "pattern": "^https://"},
            rules=listed(exactly("id", id=TEXT, shortDescription=MESSAGE, helpUri={"type": "string", "pattern": "^https://"},
                                 defaultConfiguration=exactly("level", level=LEVEL)), uniqueItems=True),
        )),
        originalUriBaseIds={"type": "object", "additionalProperties": exactly("", description=MESSAGE)},
        columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        results=listed(exactly(
            "message",
            ruleId=TEXT, ruleIndex=INDEX, level=LEVEL, message=MESSAGE,
            locations=listed(exactly("physicalLocation", physicalLocation=PHYSICAL)),
            relatedLocations=listed(exactly("physicalLocation", physicalLocation=PHYSICAL, message=MESSAGE), uniqueItems=True),
            partialFingerprints={"type": "object", "additionalProperties": TEXT},
            suppressions=listed(exactly("kind", kind={"enum": ["inSource", "external"]}, justification=TEXT), uniqueItems=True),
        )),
    ), minItems=1, maxItems=1),
))


class SARIF:
    official = jsonschema.Draft4Validator(OFFICIAL_SARIF, format_checker=jsonschema.FormatChecker())

    @classmethod
    def validate(cls, log):
        cls.official.validate(log)
        WRITTEN_SARIF.validate(log)


class Formats(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({
            "data/common.yaml": "port: 80\nname: x\nzone: y\n\"a\\nb%: c\": 1\nlist: [1]\nbad: \"%{unknown('x')}\"\n",
            "data/role/web.yaml": "port: 80\nname: x # strata: allow dead-override for a while\nzone: z # strata: allow typo\n# \u00e9\n\"a\\nb%: c\": 1\nlist: [1]\n",
            "data/old ü,:%<&\">.yaml": "a: 1\n",
            ".strata-check.yaml": "allow: [{code: dead-override, path: /list, reason: set in stone}]\nseverity: {bare-allow: note}\n",
        })

    def told(self, findings):
        return [one for one in findings if "silenced_by" not in one]

    def both(self, form, *words):
        report = self.report("--show-suppressed", status=1)
        SCHEMA.validate(report)
        return report, self.check("--output", form, *words, status=1)

    def test_json(self):
        all_of, _ = self.both("json")
        plain = self.report()
        SCHEMA.validate(plain)
        self.assertEqual(plain["findings"], self.told(all_of["findings"]))
        self.assertEqual(plain["suppressed"], len(all_of["findings"]) - len(plain["findings"]))
        for severity, number in plain["summary"].items():
            self.assertEqual(number, sum(1 for one in plain["findings"] if one["severity"] == severity))
        self.assertGreater(min(plain["summary"].values()), 0)

    def test_text(self):
        report, text = self.both("text")
        heads = re.findall(r"(?m)^(?:(?P<file>[^\n]*?)(?::(\d+):(\d+))?: )?(error|warning|note): (?:[^\n]|\n(?! |\n))*?\[([a-z-]+\.[a-z-]+)\]$", text)
        self.assertEqual([head[4] for head in heads], [one["code"] for one in self.told(report["findings"])])
        summary = report["summary"]
        self.assertEqual(text.splitlines()[-1],
                         f"{summary['error']} error{'' if summary['error'] == 1 else 's'}, {summary['warning']} warnings, {summary['note']} note"
                         f"{'' if summary['note'] == 1 else 's'}; {report['suppressed']} suppressed")

    def test_sarif(self):
        report, text = self.both("sarif")
        log = json.loads(text)
        SARIF.validate(log)
        run = log["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(rules, sorted({one["code"] for one in report["findings"]}))
        self.assertEqual({one["partialFingerprints"]["strataFinding/v1"] for one in run["results"]}, {one["fingerprint"] for one in report["findings"]})
        self.assertEqual(len(run["results"]), len(report["findings"]))
        by_print = {one["fingerprint"]: one for one in report["findings"]}
        levels = []
        for result in run["results"]:
            one = by_print[result["partialFingerprints"]["strataFinding/v1"]]
            self.assertEqual((result["ruleId"], rules[result["ruleIndex"]], result["level"]), (one["code"], one["code"], one["severity"]))
            self.assertEqual(result["message"]["text"], one["message"] + (". " + one["hint"] if one["hint"] else ""))
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(urllib.parse.unquote(place["artifactLocation"]["uri"], errors="strict"), one["file"])
            self.assertRegex(place["artifactLocation"]["uri"], r"^([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")
            self.assertEqual(place["artifactLocation"]["uriBaseId"], "SRCROOT")
            self.assertEqual(place.get("region"), {"startLine": one["line"], "startColumn": one["column"]} if "line" in one else None)
            self.assertEqual([note["message"]["text"] for note in result.get("relatedLocations", [])], [note["message"] for note in one["notes"]])
            silenced = {None: None, "comment": "inSource", "config": "external", "baseline": "external"}[one.get("silenced_by")]
            self.assertEqual(result.get("suppressions"), [{"kind": silenced, "justification": one["reason"]}] if silenced else None)
            if not silenced:
                levels.append(one["severity"])
        self.assertEqual(levels, sorted(levels, key=["error", "warning", "note"].index))
        self.assertEqual(set(levels), {"error", "warning", "note"})

    def test_github(self):
        report, text = self.both("github")
        self.assertNotIn("\r", text)
        lines = text.splitlines()
        expected = []
        for one in sorted(self.told(report["findings"]), key=lambda one: ["error", "warning", "note"].index(one["severity"])):
            message = one["message"] + (". " + one["hint"] if one["hint"] else "")
            fields = {"file": one["file"], "line": one.get("line"), "col": one.get("column"), "title": one["code"]}
            kind = {"note": "notice"}.get(one["severity"], one["severity"])
            escaped = ",".join(f"{key}={self.escaped(str(value), ':,')}" for key, value in fields.items() if value is not None)
            expected.append(f"::{kind} {escaped}::{self.escaped(message)}")
        self.assertEqual(lines[:-1], expected)
        self.assertIn("data/old ü%2C%3A%25<&\">.yaml", text)
        self.assertIn("'a%0Ab%25: c'", text)
        self.assertRegex(lines[-1], r"^\d+ errors?, \d+ warnings?, \d+ notes?; \d+ suppressed$")

    @staticmethod
    def escaped(text, more=""):
        return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)

    def test_junit(self):
        for words in ((), ("--show-suppressed",)):
            report, text = self.both("junit", *words)
            shown = report["findings"] if words else self.told(report["findings"])
            root = xml.etree.ElementTree.fromstring(text)
            self.assertEqual((root.tag, root.get("name")), ("testsuites", "strata check"))
            cases = []
            for suite in root:
                self.assertEqual(suite.tag, "testsuite")
                tests = list(suite)
                self.assertEqual(int(suite.get("tests")), len(tests))
                self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
                if [test.get("name") for test in tests] == ["none"]:
                    self.assertEqual(list(tests[0]), [])
                    continue
                for test in tests:
                    self.assertEqual(test.get("classname"), suite.get("name"))
                    failure = test.find("failure")
                    kind = (failure.get("type"), failure.get("message")) if failure is not None else ("silenced", test.find("skipped").get("message"))
                    cases.append((suite.get("name"), test.get("name"), test.get("file"), test.get("line"), *kind))
            expected = []
            for one in shown:
                kind = ("silenced", one["reason"]) if "silenced_by" in one else (one["severity"], one["message"] + (". " + one["hint"] if one["hint"] else ""))
                expected.append((one["code"], f"{one['file']}:{one['path']}", one["file"], str(one["line"]) if "line" in one else None, *kind))
            self.assertCountEqual(cases, expected)
            self.assertEqual(int(root.get("failures")), len(self.told(report["findings"])))
            self.assertEqual(int(root.get("tests")), sum(int(suite.get("tests")) for suite in root))
            names = [suite.get("name") for suite in root]
            self.assertEqual(names, sorted(names))
            self.assertIn("check.dead-item", names)

    def test_codes_looked_for(self):
        root = xml.etree.ElementTree.fromstring(self.check("--select", "dead-item,unused-file", "--ignore", "dead-item", "--output", "junit"))
        self.assertEqual([suite.get("name") for suite in root if not suite.get("name").startswith("hiera.")], ["check.unused-file"])

    def test_nothing(self):
        self.write({"data/common.yaml": "a: 1\n", "data/role/web.yaml": "b: 1\n", "data/more.json": "{}", "data/more.conf": "c: 1\n"})
        os.remove(os.path.join(self.folder, "data/old ü,:%<&\">.yaml"))
        self.assertEqual(self.check(status=0), "0 errors, 0 warnings, 0 notes\n")
        self.assertEqual(self.check("--output", "github", status=0), "0 errors, 0 warnings, 0 notes\n")
        log = json.loads(self.check("--output", "sarif", status=0))
        SARIF.validate(log)
        self.assertEqual(log["runs"][0]["results"], [])
        self.assertEqual(xml.etree.ElementTree.fromstring(self.check("--output", "junit", status=0)).get("failures"), "0")

    def test_control_characters(self):
        """XML cannot hold all that YAML can."""
        key = "".join(f"\\x{code:02x}" for code in range(0x20)) + "\\uFFFE\\U0001F600"
        self.write({"data/common.yaml": f'"{key}": 1\n', "data/role/web.yaml": f'"{key}": 1\n'})
        root = xml.etree.ElementTree.fromstring(self.check("--output", "junit", status=1))
        names = [test.get("name") for test in root.iter("testcase")]
        self.assertTrue(any("\ufffd" * 9 + "\t\n" in name and "\U0001F600" in name for name in names), names)

    def test_most_results(self):
        """GitHub takes 25,000 results."""
        self.write({"data/common.yaml": "# strata: allow typo\n" * 25100 + "bad: \"%{unknown('x')}\"\n"})
        results = json.loads(self.check("--output", "sarif", status=1))["runs"][0]["results"]
        self.assertEqual(len(results), 25000)
        self.assertEqual(results[0]["level"], "error")


class Evaluations(check_site.SiteTest):
    """Each warning of the evaluation is a finding, once, in every form."""

    FILES = {
        "merge": {"ok.yaml": "#cloud-config\nhostname: a\n", "broken.yaml": "#cloud-config\nfoo: [1\n", "ignored.yaml": "#cloud-conf\nfoo: 1\n"},
        "lookup": {"data/common.yaml": "a: 1\na: 2\n", "data/role/web.yaml": "b: '%{open'\n"},
        "compose": {"e.yaml": "parameters: {a: 1, a: 2}\n"},
        "render": {"policy.yaml": "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [site]}\n"},
    }
    WORDS = {"merge": ["merge", "ok.yaml", "broken.yaml", "ignored.yaml"], "lookup": [*check_site.QUESTION], "compose": ["compose", "-e", "e.yaml"],
             "render": ["render", "policy.yaml"]}

    def warned(self, words):
        """The places and codes that the plain command warns of."""
        words = [*words, "--all"] if words[0] == "lookup" else words
        run = subprocess.run([self.strata, *words], cwd=self.folder, capture_output=True, text=True, timeout=check_site.HANGS, check=False)
        return sorted(set(re.findall(r"(?m)^(\S+): warning: .*\[([a-z.-]+)\]$", run.stderr)))

    def test_every_form_has_every_warning_once(self):
        for verb, files in self.FILES.items():
            self.write(files)
            words = self.WORDS[verb]
            warned = self.warned(words)
            self.assertTrue(warned or verb == "render", verb)
            report = self.report(question=words, status=1 if warned else None)
            found = [(":".join(str(one[part]) for part in ("file", "line", "column") if part in one), one["code"]) for one in report["findings"]
                     if not one["code"].startswith("check.")]
            self.assertEqual(sorted(found), warned, verb)
            for one in report["findings"]:
                self.assertIn(one["severity"], ("warning", "note"))
            self.assertNotIn("warning: ", self.errors.replace("[analysis.no-fleet]", ""), verb)
            forms = {"text": lambda text: re.findall(r"(?m)warning: .*\[([a-z.-]+)\]$", text),
                     "github": lambda text: re.findall(r"(?m)^::warning .*title=([a-z.-]+)::", text),
                     "junit": lambda text: [case.get("classname") for case in xml.etree.ElementTree.fromstring(text).iter("testcase") if case.find("failure") is not None],
                     "sarif": lambda text: [one["ruleId"] for one in json.loads(text)["runs"][0]["results"]]}
            for form, codes in forms.items():
                text = self.check("--output", form, question=words)
                self.assertEqual(sorted(code for code in codes(text) if not code.startswith("check.")), sorted(code for _, code in warned), (verb, form))
            SARIF.validate(json.loads(self.check("--output", "sarif", question=words)))

    def test_a_part_that_is_lost(self):
        self.write(self.FILES["merge"])
        text = self.check(status=1, question=self.WORDS["merge"])
        self.assertIn("broken.yaml:3:1: warning: broken.yaml (part-002) is skipped", text)
        self.assertIn("ignored.yaml:1:1: warning: ", text)
        self.assertEqual(text.splitlines()[-1], "0 errors, 2 warnings, 0 notes")
        self.check("--fail-on", "error", status=0, question=self.WORDS["merge"])
        # Of --strict, the warning is the error, and is one finding.
        report = self.report(status=1, question=["merge", "--strict", "ok.yaml", "broken.yaml"])
        self.assertEqual([(one["code"], one["severity"]) for one in report["findings"]], [("yaml.syntax", "error")])

    def test_a_null_in_a_deep_merge(self):
        self.write({"data/role/web.yaml": "ing: {annotations: {tls: null, own: null}, list: [b]}\nsingle: ~\nmapped: {a: null}\n",
                    "data/common.yaml": "lookup_options:\n  ing: {merge: {strategy: deep, knockout_prefix: --}}\n  single: {merge: first}\n  mapped: {merge: hash}\n"
                                        "ing: {annotations: {tls: 'true', none: null}, list: [a]}\nsingle: {a: 1}\nmapped: {a: 1}\n"})
        told = [("data/role/web.yaml:1:26", "hiera.null-merge")]
        self.assertEqual(self.warned([*check_site.QUESTION]), told)
        run = subprocess.run([self.strata, *check_site.QUESTION, "--all"], cwd=self.folder, capture_output=True, text=True, timeout=check_site.HANGS, check=True)
        self.assertEqual(run.stderr.count("[hiera.null-merge]"), 1)
        self.assertIn("data/common.yaml:5:26: note: this value stays", run.stderr)
        found = [one for one in self.report()["findings"] if one["code"] == "hiera.null-merge"]
        self.assertEqual([(one["severity"], one["file"], one["line"], one["column"]) for one in found], [("warning", "data/role/web.yaml", 1, 26)])

    def test_what_is_known_can_be_silenced(self):
        self.write({**self.FILES["merge"], ".strata-check.yaml": "allow: [{code: yaml.syntax, reason: known}]\n", "ignored.yaml": "#cloud-config\nhostname: b\n"})
        self.assertTrue(self.check(question=self.WORDS["merge"]).endswith("; 1 suppressed\n"))
        self.assertNotIn("yaml.syntax", self.check(question=self.WORDS["merge"]))
        self.write({".strata-check.yaml": "{}\n"})
        self.assertIn("yaml.syntax", self.check(question=self.WORDS["merge"]))
        self.check("--write-baseline", "known.json", status=0, question=self.WORDS["merge"])
        self.check("--baseline", "known.json", status=0, question=self.WORDS["merge"])

    def test_a_selection_leaves_them_out(self):
        self.write(self.FILES["merge"])
        self.assertEqual(self.check("--select", "typo", status=0, question=self.WORDS["merge"]), "0 errors, 0 warnings, 0 notes\n")
        self.assertIn("warning: broken.yaml (part-002) is skipped", self.errors)


if __name__ == "__main__":
    unittest.main()
