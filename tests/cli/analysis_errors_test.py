#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What analyses say of bad input: every code, limit and exit status of their own. Nothing is printed in part, and nothing is written.

usage: analysis_errors_test.py STRATA
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
HIERA = 'version: 5\nhierarchy:\n  - {name: node, path: "node/%{cert}.yaml"}\n  - {name: role, path: "role/%{role}.yaml"}\n  - {name: common, path: common.yaml}\n'
NODES = [{"name": name, "facts": {"cert": name, "role": role}} for name, role in (("a", "web"), ("b", "web"), ("c", "db"))]
QUESTION = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all")
MERGE = ("merge", "user.yaml")
FILES = {
    "hiera.yaml": HIERA,
    "nodes.json": json.dumps(NODES),
    "data/common.yaml": "port: 80\nlog: info\nlist: [1, 2]\n",
    "data/role/web.yaml": "port: 80\nlog: debug\n",
    "data/node/a.yaml": "port: 80\n",
    "user.yaml": "#cloud-config\nhostname: web\n",
}


class Errors(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()
        self.write(FILES)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file() and ".git" not in path.parts}

    def git(self, *words, text=None):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], cwd=self.folder, input=text, capture_output=True,
                              text=True, check=False)

    def commit(self):
        self.git("init", "--quiet")
        self.git("add", ".")
        self.assertEqual(self.git("commit", "--quiet", "--message", "all").returncode, 0)

    def run_strata(self, *words, status, code=None, says=()):
        before = self.files()
        done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        if status == 3:
            self.assertEqual(done.stdout, "", words)
        if code:
            self.assertIn(f"[{code}]", done.stderr, words)
        for text in says:
            self.assertIn(text, done.stderr + done.stdout, words)
        self.assertEqual(self.files(), before, words)
        return done

    def test_names_make_no_lines(self):
        """Names of files, keys and nodes can have line breaks: none makes a line of a message, or a command for a runner that reads them."""
        name = "k\n::error::zz"
        quoted = json.dumps(name)
        self.write({f"data/node/{name}.yaml": f"{quoted}: '%{{none}}'\nport: \"%{{lookup('missing')}}\"\n", "data/role/web.yaml": f"{quoted}: [\n",
                    "nodes.json": json.dumps([{"name": name, "facts": {"cert": name, "role": "db"}}, {"name": "b", "facts": {"cert": "b", "role": "web"}}])})
        for words in (("check", *QUESTION[:-1]), ("coverage", *QUESTION), ("diff", "--set", "data/common.yaml:/log=x", *QUESTION),
                      ("impact", "--unset", f"data/node/{name}.yaml:/port", *QUESTION), ("set", "port=1", *QUESTION), ("set", f"{name}.x=1", *QUESTION),
                      QUESTION, ("lookup", "--hiera-config", "hiera.yaml", name), ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", name)):
            done = subprocess.run([STRATA, *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertNotIn("\n::error::", "\n" + done.stderr, words)
            self.assertIn("\\n::error::zz", done.stderr + done.stdout, words)

        # Words of a file of projects are those of a command line.
        words = {"args": ["--foo" + name], "limit": name, "merge": name}
        for key, value in words.items():
            project = {"verb": "lookup", "hiera-config": "hiera.yaml", "args": ["x"], key: value}
            self.write({".strata.yaml": json.dumps({"projects": {"p": project}})})
            done = subprocess.run([STRATA, "diff", "--set", "data/common.yaml:/log=x", "@p"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertNotIn("\n::error::", "\n" + done.stderr, key)
            self.assertIn("\\n::error::zz", done.stderr, key)

    def test_unknown_revisions(self):
        for command in ("diff", "impact"):
            self.run_strata(command, "--from", "nowhere", *QUESTION, status=3, says=["hint: "])
        self.commit()
        for command in ("diff", "impact"):
            for option in ("--from", "--to"):
                self.run_strata(command, option, "nowhere", *QUESTION, status=3, code="git.revision", says=["nowhere"])
        self.run_strata("log", "--to", "nowhere", *QUESTION, status=3, code="git.revision", says=["nowhere"])
        # The first commit has no parent.
        for command in ("diff", "impact"):
            self.run_strata(command, "--to", "HEAD", *QUESTION, status=3, code="analysis.state", says=["'HEAD' is a commit without parents", "--from REV"])

    def test_no_history(self):
        self.run_strata("log", *QUESTION, status=3, code="log.no-history")
        self.git("init", "--quiet")
        self.run_strata("log", *QUESTION, status=3, code="log.no-history")

    def test_edits_that_break_the_input(self):
        self.write({"bad.yaml": "a: [\n"})
        done = self.run_strata("impact", "--edit", "data/role/web.yaml=bad.yaml", "--output", "json", *QUESTION, status=1)
        report = json.loads(done.stdout)
        self.assertEqual(report["subjects"], {"total": 3, "changed": 2, "unchanged": 1, "broken": 2, "mended": 0, "appeared": 0, "disappeared": 0})
        self.assertEqual([effect["changes"][0]["kind"] for effect in report["effects"]], ["broken"])
        self.assertEqual(report["effects"][0]["changes"][0]["after"]["error"]["file"], "data/role/web.yaml")
        self.run_strata("impact", "--edit", "hiera.yaml=bad.yaml", *QUESTION, status=1, says=["3 of 3 nodes change", "! broken: "])

    def test_failures_that_no_edit_changes(self):
        """No change is not the same as a result: strata notes a failure that stays."""
        note = "note: fails in both states: "
        self.write({"data/common.yaml": "a: [\n"})
        self.commit()
        one = ("lookup", "--hiera-config", "hiera.yaml", "port")
        for words in (("diff", "--from", "HEAD", *one), ("impact", "--from", "HEAD", *one), (*one, "--against", "HEAD")):
            self.run_strata(*words, status=0, says=["data/common.yaml", note])
        done = self.run_strata("diff", "--quiet", "--from", "HEAD", *one, status=0)
        self.assertEqual(done.stderr, "")
        # Nodes that the edit concerns, in one note for all that fail alike.
        edit = ("--set", "data/role/web.yaml:/log=warn")
        done = self.run_strata("impact", *edit, *QUESTION, status=0, says=[note])
        self.assertEqual(done.stderr.count(note), 1)
        # Keys that fail alone, whichever items are shown.
        self.write({"data/common.yaml": "port: 80\nbad: '%{nope(\"x\")}'\n", "facts.json": '{"role": "web"}'})
        one = ("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.json", "--all")
        self.run_strata("diff", *edit, *one, status=1, says=["note: 'bad' fails in both states: "])
        self.run_strata("diff", *edit, "--only", "p*", *one, status=0, says=["note: 'bad' fails in both states: "])

    def test_edits_that_cannot_be_done(self):
        cases = {
            ("--create", "data/common.yaml=user.yaml"): "--edit replaces it",
            ("--delete", "data/none.yaml"): "there is no such file to delete",
            ("--unset", "data/none.yaml:/a"): "there is no such file",
            ("--unset", "data/common.yaml:/none"): "data/common.yaml",
        }
        for words, says in cases.items():
            self.run_strata("diff", *words, *QUESTION, status=3, code="analysis.state", says=[says])
        self.run_strata("diff", "--edit", "data/common.yaml=none.yaml", *QUESTION, status=3, says=["none.yaml"])
        self.write({"two.yaml": "a: 1\n---\na: 2\n", "alias.yaml": "x: &x {a: 1}\ny: *x\n"})
        self.run_strata("diff", "--set", "two.yaml:/a=3", "render", "two.yaml", status=3, code="edit.which-document", says=["two.yaml"])
        self.run_strata("diff", "--set", "alias.yaml:/y/a=3", *QUESTION, status=3, code="edit.unsupported", says=["alias.yaml:2:"])

    def test_edits_outside_a_revision(self):
        self.commit()
        outside = self.folder.parent / (self.folder.name + "-none.yaml")
        for words in (("--set", f"{outside}:/p=7"), ("--edit", f"{outside}=user.yaml"), ("--create", f"../{outside.name}=user.yaml"), ("--delete", f"../{outside.name}")):
            self.run_strata("diff", "--to", "HEAD", *words, *QUESTION, status=3, code="analysis.state", says=[outside.name])
        # What the host gives is outside of every revision.
        with tempfile.TemporaryDirectory() as folder:
            nodes = pathlib.Path(folder).resolve() / "nodes.json"
            nodes.write_text(json.dumps(NODES), encoding="utf-8")
            self.write({"fewer.json": json.dumps(NODES[:2])})
            done = self.run_strata("diff", "--to", "HEAD", "--edit", f"{nodes}=fewer.json", *QUESTION[:3], "--nodes", str(nodes), "--all", status=1)
            self.assertIn("- disappeared", done.stdout)

    def test_pipes_are_read_once(self):
        """What gives its bytes once is as good as a file, in however many states it is needed."""
        lookup = ("lookup", "--hiera-config", "hiera.yaml", "--all")
        edit = ("--set", "data/common.yaml:/log=x")
        for command, option, text in ((("diff", *edit), "--facts", NODES[2]["facts"]), (("impact", *edit), "--nodes", NODES), (("check",), "--nodes", NODES),
                                      (("set", "log=x"), "--nodes", NODES), (("coverage",), "--facts", NODES[0]["facts"])):
            self.write({"given.json": json.dumps(text)})
            wanted = subprocess.run([STRATA, *command, *lookup, option, "given.json"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertIn(wanted.returncode, (0, 1), wanted.stderr)
            reader, writer = os.pipe()
            os.write(writer, json.dumps(text).encode())
            os.close(writer)
            done = subprocess.run([STRATA, *command, *lookup, option, f"/dev/fd/{reader}"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS,
                                  check=False, pass_fds=(reader,))
            os.close(reader)
            self.assertEqual((done.returncode, done.stdout), (wanted.returncode, wanted.stdout), f"{command}\n{done.stderr}")

    def test_names_are_on_one_line(self):
        """Whoever names things writes no line of a report."""
        bad = "k\n::error::zz"
        nodes = [{"name": f"{node['name']}\n::error::node", "facts": node["facts"]} for node in NODES]
        self.write({"data/common.yaml": json.dumps({bad: 1}) + "\n", "data/role/web.yaml": json.dumps({bad: 1}) + "\n", "nodes.json": json.dumps(nodes)})
        for words, status in ((("diff",), 1), (("diff", "--stat"), 1), (("impact",), 1), (("impact", "--output", "markdown"), 1), (("check",), 1)):
            edit = ("--set", f"data/common.yaml:/{bad}=2") if words[0] != "check" else ()
            done = self.run_strata(*words, *edit, *QUESTION, status=status)
            self.assertNotIn("\n::error", done.stdout, words)
            self.assertIn("::error::zz", done.stdout, words)
        text = self.run_strata("set", f"{bad}=3", "--for", "c*", *QUESTION, status=0).stdout
        self.assertNotIn("\n::error", text)

    def test_edits_that_nobody_reads(self):
        words = ("--edit", "data/unread.yaml=user.yaml", *QUESTION)
        self.run_strata("impact", *words, status=0, code="analysis.unread", says=["0 of 3 nodes change"])
        self.run_strata("impact", "--strict", *words, status=3, code="analysis.unread")
        self.assertEqual(self.run_strata("impact", "--quiet", *words, status=0).stderr, "")

    def test_fleets(self):
        edit = ("--set", "data/common.yaml:/port=81")
        bad = {
            "[{name: a, args: []}, {name: a, args: []}]": "'a'",
            "{name: a}": "",
            "[{args: []}]": "",
            "[{name: a, args: [1]}]": "",
            "[{name: a, argv: []}]": "argv",
            "[{name: a, args: [--nodes, nodes.json]}]": "",
        }
        for text, says in bad.items():
            self.write({"fleet.yaml": text + "\n"})
            words = MERGE if "--nodes" not in text else QUESTION[:3] + ("--all",)
            for command in ("impact", "diff"):
                self.run_strata(command, "--fleet", "fleet.yaml", *edit, *words, status=3, code="analysis.fleet", says=[says])
            self.run_strata("check", "--fleet", "fleet.yaml", *words, status=3, code="analysis.fleet", says=[says])
        self.run_strata("impact", "--fleet", "none.yaml", *edit, *MERGE, status=3, says=["none.yaml"])
        self.run_strata("impact", "--fleet", "fleet.yaml", *edit, *QUESTION, status=2, says=["--fleet"])
        self.write({"nodes.json": json.dumps(NODES + NODES[:1])})
        for command in ("impact", "diff", "check", "coverage"):
            self.run_strata(command, *(edit if command in ("impact", "diff") else ()), *QUESTION, status=3, code="fleet.duplicate-node", says=["'a'", "nodes.json:1:"])

    def test_limits(self):
        edits = ("--set", "data/common.yaml:/log=x", "--set", "data/role/web.yaml:/log=y")
        report = json.loads(self.run_strata("diff", "--limit", "causes=1", "--output", "json", *edits, *QUESTION, status=1).stdout)
        self.assertEqual([change["causes"] for change in report["changes"]], [None, None, [1]])
        report = json.loads(self.run_strata("impact", "--limit", "caused=1", "--output", "json", *edits, *QUESTION, status=1).stdout)
        self.assertEqual([effect["changes"][0]["causes"] for effect in report["effects"]], [[2], None])
        report = json.loads(self.run_strata("impact", "--limit", "effects=1", "--output", "json", *edits, *QUESTION, status=1).stdout)
        self.assertEqual((len(report["effects"]), report["more"], report["truncated"]), (1, {"effects": None, "subjects": 1}, True))
        text = self.run_strata("impact", "--limit", "effects=1", *edits, *QUESTION, status=1).stdout
        self.assertTrue(text.startswith("3 of 3 nodes change: more than 1 distinct effect\n"), text)
        text = self.run_strata("impact", "--limit", "causes=0", "--output", "markdown", *edits, *QUESTION, status=1).stdout
        self.assertIn("| `<more edits than can be tried>` |", text)
        self.assertNotRegex(text, "[^`]<more")
        self.run_strata("check", "--limit", "findings=1", *QUESTION, status=3, code="analysis.limit", says=["hint: "])
        report = json.loads(self.run_strata("diff", "--limit", "alignment=1", "--output", "json", "--set", "data/common.yaml:/list=[0, 1, 3]", *QUESTION, status=1).stdout)
        self.assertEqual(len(report["changes"]), 9)  # By position: two changed items and a new one, for each node.
        found = json.loads(self.run_strata("set", "log=z", "--limit", "proposals=1", "--output", "json", *QUESTION, status=0).stdout)
        self.assertEqual(len(found["proposals"]), 1)
        self.run_strata("impact", "--limit", "nonsense=1", *QUESTION, status=2)

    def test_command_lines(self):
        for words in (
            ("diff",),
            ("impact", "nonsense"),
            ("diff", "lookup", "--output", "json", "--hiera-config", "hiera.yaml", "port"),
            ("diff", "lookup", "--against", "HEAD", "--hiera-config", "hiera.yaml", "port"),
            ("diff", "lookup", "--at", "HEAD", "--hiera-config", "hiera.yaml", "port"),
            ("check", "lookup", "--blame", "--hiera-config", "hiera.yaml", "--all"),
            ("diff", "--set", "nonsense", *QUESTION),
            ("diff", "--from", "HEAD", "results", "a.json", "b.json"),
            ("coverage", "lookup", "--explain", "--hiera-config", "hiera.yaml", "--all"),
            ("set", "log=1", "render", "a.yaml", "--unknown"),
        ):
            done = self.run_strata(*words, status=2)
            self.assertEqual(done.stdout, "", words)
            self.assertNotEqual(done.stderr, "", words)

    def test_results_that_strata_printed(self):
        """Each command's output is read back as it is: streams of documents, and the tags that only YAML 1.1 has."""
        self.write({"user.yaml": "#cloud-config\na: !!binary /v8=\nb: 2001-01-01\nc: !!set {a, b}\nd: !!omap [x: 1]\n"})
        site = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "deckhand" / "site")
        for words in (("merge", "user.yaml"), ("render", site)):
            self.write({name: self.run_strata(*words, "--output", name, status=0).stdout for name in ("yaml", "json")})
            self.run_strata("diff", "results", "yaml", "yaml", status=0)
            self.write({"other": (self.folder / "yaml").read_text().replace("/v8=", "/v7/").replace("mtu: 9000", "mtu: 1500")})
            self.run_strata("diff", "results", "yaml", "other", status=1)
        os.rename(self.folder / "json", self.folder / "r.json")
        self.run_strata("diff", "results", "yaml", "r.json", status=0)

    def test_configuration_of_checks(self):
        for text in ("severity: {typo: loud}\n", "nonsense: 1\n", "allow: [{code: typo}]\n", "version: 2\n"):
            self.write({".strata-check.yaml": text})
            self.run_strata("check", *QUESTION, status=3, code="check.config", says=[".strata-check.yaml:1:"])
        os.remove(self.folder / ".strata-check.yaml")
        self.write({"baseline.json": "{}"})
        self.run_strata("check", "--baseline", "baseline.json", *QUESTION, status=3, code="check.baseline")
        self.run_strata("check", "--baseline", "none.json", *QUESTION, status=3, says=["none.json"])
        for name in ("nodir", "user.yaml"):
            self.run_strata("check", "--consumers", name, *QUESTION, status=3, code="check.config", says=[name])

    def test_no_fleet(self):
        done = self.run_strata("check", "--exit-zero", *QUESTION[:3], status=0, code="analysis.no-fleet")
        self.assertIn("dead-override", done.stderr)
        self.assertNotIn("childless-abstract", done.stderr)  # Which a lookup cannot have.

    def test_writing(self):
        self.run_strata("set", "log=x", "--for", "a", "--apply=99", *QUESTION, status=2)
        self.run_strata("set", "log=x", "inject", "a", status=3, code="set.verb")
        self.run_strata("set", "log=x", "inventory", "--nodes-dir", ".", status=3, code="set.verb")

    def test_an_edit_below_a_file(self):
        self.run_strata("diff", "--edit", "data/node/a.yaml/z=data/common.yaml", *QUESTION, status=3, code="analysis.state", says=["needs a folder"])

    def test_standard_input_is_read_once(self):
        for words in (("--edit", "data/common.yaml=-", "--edit", "data/role/web.yaml=-", *QUESTION),
                      ("--edit", "data/common.yaml=-", *QUESTION[:3], "--nodes", "-", "--all")):
            done = subprocess.run([STRATA, "diff", *words], cwd=self.folder, input="zz: 1\n", capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertEqual((done.returncode, done.stdout), (3, ""), words)
            self.assertIn("[host.stdin-twice]", done.stderr)

    def test_fixes_apply_in_a_repository(self):
        """What --diff prints is what git applies and --fix writes."""
        self.commit()
        patch = self.run_strata("check", "--diff", *QUESTION, status=1).stdout
        self.assertEqual(self.git("apply", "--check", "-", text=patch).returncode, 0, patch)
        self.assertEqual(self.git("apply", "-", text=patch).returncode, 0)
        patched = self.files()
        self.assertNotEqual(self.git("diff", "--stat").stdout, "")
        self.git("checkout", "--quiet", ".")
        done = subprocess.run([STRATA, "check", "--fix", *QUESTION], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(self.files(), patched)
        same = subprocess.run([STRATA, "diff", *QUESTION], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual((same.returncode, same.stdout), (0, ""), same.stderr)


if __name__ == "__main__":
    unittest.main()
