#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A repository is not a trusted host: which commands run its programs and contact its servers, and what they report when they do not.

tests/attacks/ has every way and every command; here is what the user reads and gets.

usage: trust_test.py STRATA
"""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import jsonschema
from exploring import Explorer
from serving import HANGS

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = ROOT / "tests/hiera/eyaml"
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/schema/analysis.schema.json").read_text(encoding="utf-8")))
ENC = "#!/bin/sh\necho ran >>'{canary}'\necho 'classes: []'\necho 'parameters: {{role: '$1'}}'\n"
SITE = {
    ".strata.yaml": "projects:\n  site: {verb: inject, confdir: ., nodes: nodes}\n",
    "strata.yaml": "enc_facts: true\nenc_command: ./enc.sh\n",
    "bindings/default.pp": "bindings default {\n  bind 'motd' to \"hello $role\"\n}\n",
    "nodes/web01.yaml": "{}",
    "nodes/db01.yaml": "{}",
}


class Trust(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.canary = pathlib.Path(made.name) / "canary"
        self.folder = pathlib.Path(made.name) / "site"
        self.folder.mkdir()
        self.git("init", "--quiet")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words], cwd=self.folder, check=True, capture_output=True)

    def place(self, files):
        for name, text in files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                file.chmod(0o755)

    def site(self, **more):
        self.place({**SITE, "enc.sh": ENC.format(canary=self.canary), **more})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "all")

    def strata(self, *words, status=0, folder=None, text=None):
        if words[0] == "check" and status == 0:
            words = ("check", "--exit-zero", *words[1:])  # Warnings of the evaluation are findings.
        done = subprocess.run([STRATA, *words], cwd=folder or self.folder, capture_output=True, text=True, input=text, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def has_run(self):
        out = self.canary.exists()
        self.canary.unlink(missing_ok=True)
        return out

    def test_one_warning_names_everything(self):
        self.site()
        for words in (["check"], ["coverage"], ["impact", "--from", "HEAD"], ["diff", "--from", "HEAD"], ["log", "-n", "1"]):
            done = self.strata(*words, "@site")
            self.assertFalse(self.has_run(), words)
            self.assertEqual(done.stderr.count("warning: "), done.stderr.count("[host.left-out]") + done.stderr.count("[puppet.unknown-variable]"), done.stderr)
            self.assertEqual(done.stderr.count("[host.left-out]"), 1, done.stderr)
            self.assertTrue(any(line.startswith("strata.yaml:2:14: warning: left out") for line in done.stderr.splitlines()), done.stderr)
            self.assertIn("the ENC", done.stderr)
            self.assertEqual(done.stderr.count("--allow-programs"), 1, done.stderr)
            self.assertNotIn("[host.left-out]", self.strata(*words, "--quiet", "@site", status=done.returncode).stderr)

    def test_reports_have_it(self):
        self.site()
        for words in (["check"], ["coverage"], ["impact", "--from", "HEAD"], ["diff", "--from", "HEAD"], ["log", "-n", "1"]):
            report = json.loads(self.strata(*words, "--output", "json", "@site").stdout)
            self.assertEqual([(one["file"], one["line"]) for one in report["left_out"]], [("strata.yaml", 2)], words)
            self.assertEqual(list(SCHEMA.iter_errors(report)), [])
            report = json.loads(self.strata(*words, "--output", "json", "--allow-programs", "@site").stdout)
            self.assertNotIn("left_out", report)
        told = self.strata("impact", "--from", "HEAD", "--output", "markdown", "@site").stdout
        self.assertIn("\n> **Warning:** the files name programs or servers that were left out", told)
        self.assertIn("--allow-programs", told)

    def test_the_command_line_allows(self):
        self.site()
        for words in (["check", "--allow-programs", "@site"], ["check", "@site", "--allow-programs"], ["impact", "--from", "HEAD", "--allow-programs", "@site"],
                      ["check", "--allow-programs", "inject", "--nodes", "nodes", "--all"], ["check", "inject", "--allow-programs", "--nodes", "nodes", "--all"],
                      ["inject", "--node", "web01", "--all", "--allow-programs", "--against", "HEAD"]):
            done = self.strata(*words)
            self.assertTrue(self.has_run(), words)
            self.assertNotIn("host.left-out", done.stderr)
        self.strata("check", "--allow-network", "@site")
        self.assertFalse(self.has_run(), "one option for each")

    def test_commands_by_themselves_are_as_they_were(self):
        self.site()
        for words in (["inject", "--node", "web01", "motd"], ["enc", "web01"], ["bindings", "check", "--node", "web01"], ["inject", "--nodes", "nodes", "--all"],
                      ["inject", "--node", "web01", "--at", "HEAD", "motd"]):
            self.strata(*words)
            self.assertTrue(self.has_run(), words)

    def test_strict_is_an_error(self):
        self.site(**{"bindings/default.pp": "bindings default {\n  bind 'motd' to 'hello'\n}\n"})
        for words in (["check", "--strict"], ["impact", "--strict", "--from", "HEAD"], ["diff", "--strict", "--from", "HEAD"], ["coverage", "--strict"]):
            done = self.strata(*words, "@site", status=3)
            self.assertFalse(self.has_run())
            self.assertIn("[enc.failed]", done.stderr)
            self.assertIn("hint: allow it with --allow-programs", done.stderr)
            self.strata(*words, "--allow-programs", "@site")
            self.assertTrue(self.has_run())

    def test_no_repair_on_half_the_inputs(self):
        self.site()
        for option in ("--fix", "--diff"):
            done = self.strata("check", option, "@site", status=3)
            self.assertFalse(self.has_run())
            self.assertIn("[enc.failed]\n", done.stderr)
            self.assertIn("hint: allow it with --allow-programs", done.stderr)
            self.strata("check", option, "--allow-programs", "@site")
            self.assertTrue(self.has_run())

    def test_results_for_machines_fail(self):
        self.site(**{".strata.yaml": SITE[".strata.yaml"] + "  one: {verb: inject, confdir: ., node: web01}\n"})
        for words, text in ((["ansible-inventory", "--list", "@site"], None), (["external"], '{"project": "one"}')):
            done = self.strata(*words, status=1, text=text)
            self.assertFalse(self.has_run())
            self.assertIn("hint: allow it with --allow-programs", done.stderr)
            self.strata(words[0], "--allow-programs", *words[1:], text=text)
            self.assertTrue(self.has_run())

    def test_a_project_allows_nothing(self):
        for project in ("{verb: inject, confdir: ., nodes: nodes, allow-programs: true}", "{verb: inject, confdir: ., nodes: nodes, args: [--allow-programs]}"):
            self.site(**{".strata.yaml": f"projects:\n  site: {project}\n"})
            done = self.strata("check", "@site")
            self.assertFalse(self.has_run(), project)
            self.assertEqual(done.stderr.count("[host.left-out]"), 1, done.stderr)
            self.assertIn("--allow-programs of the project counts only on the command line", done.stderr)
            self.strata("check", "--allow-programs", "@site")
            self.assertTrue(self.has_run(), project)

    def test_an_earlier_revision(self):
        self.site()
        self.place({"strata.yaml": "{}\n"})
        self.git("commit", "--quiet", "--all", "--message", "none")
        done = self.strata("impact", "--from", "HEAD~1", "@site", status=0)
        self.assertFalse(self.has_run())
        self.assertEqual(done.stderr.count("[host.left-out]"), 1, done.stderr)

    def test_explore(self):
        self.site()
        for words, runs in (([], False), (["@site"], False), (["inject", "--nodes", "nodes"], False), (["--allow-programs"], True), (["@site", "--allow-programs"], True)):
            with Explorer(STRATA, *words, folder=self.folder) as explorer:
                [project] = explorer.get("/projects")["projects"]
                explorer.get(f"/projects/{project['name']}")
                explorer.rows(project["name"], "web01")
                warnings = [(one["code"], one["hint"]) for one in explorer.last["warnings"]]
                explorer.process.terminate()
                messages = explorer.process.stderr.read()
            self.assertEqual(self.has_run(), runs, words)
            left_out = ("host.left-out", "allow it with --allow-programs")
            self.assertEqual(left_out in warnings, not runs, warnings)
            self.assertEqual(messages.count("[host.left-out]"), 0 if runs else 1, messages)

    def listen(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        self.connections = 0

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                self.connections += 1
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def test_puppetdb(self):
        url = self.listen()
        self.site(**{"strata.yaml": f"puppetdb: {{url: '{url}', timeout: 2}}\n",
                     "bindings/default.pp": "bindings default {\n  bind 'dbs' to Database[?? tag == prod]\n}\n"})
        for words in (["check"], ["impact", "--from", "HEAD"]):
            done = self.strata(*words, "@site", status=3)
            self.assertEqual(self.connections, 0, words)
            self.assertIn("[query.unavailable]", done.stderr)
            self.assertEqual(done.stderr.count("[host.left-out]"), 1, done.stderr)
            self.assertEqual(done.stderr.count("--allow-network"), 1, done.stderr)
        self.place({"resources.yaml": "[]\n"})
        done = self.strata("check", "@site", "--inventory", "resources.yaml")
        self.assertNotIn("host.left-out", done.stderr)
        done = self.strata("check", "--allow-network", "@site", status=3)
        self.assertNotEqual(self.connections, 0)
        self.assertIn("[query.failed]", done.stderr)

    def test_includes(self):
        url = self.listen()
        self.place({"user-data": f"#include\n{url}/x\n", ".strata.yaml": "projects: {m: {verb: merge, args: [user-data], allow-network: true}}\n"})
        done = self.strata("check", "@m", status=1)
        self.assertEqual(self.connections, 0)
        self.assertIn("[include.network]", done.stdout)
        self.assertIn("--allow-network of the project counts only on the command line", done.stderr)
        self.strata("check", "@m", "--allow-network", status=3)
        self.assertNotEqual(self.connections, 0)

    def test_relative_keys(self):
        """Those of eyaml, of a project and in the explorer, from any folder."""
        block = (KEYS / "payloads.hpp").read_text(encoding="utf-8").split('kGeheim')[1].split(';')[0]
        block = "".join(part for part in block.split('"')[1::2])
        self.place({".strata.yaml": "projects:\n  app: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n", "nodes.json": '[{"name": "web01", "facts": {}}]',
                    "hiera.yaml": "version: 5\nhierarchy:\n  - name: s\n    lookup_key: eyaml_lookup_key\n    path: s.eyaml\n"
                                  "    options: {pkcs7_private_key: keys/private_key.pem}\n",
                    "data/s.eyaml": f"text: ENC[PKCS7,{block}]\n", "below/x": ""})
        (self.folder / "keys").mkdir()
        shutil.copy(KEYS / "private_key.pem", self.folder / "keys")
        for folder in (self.folder, self.folder / "below"):
            self.strata("check", "@app", folder=folder)
            self.strata("coverage", "@app", folder=folder)
            with Explorer(STRATA, folder=folder) as explorer:
                [row] = explorer.rows("app", "web01", **{"from": 0})
                self.assertTrue(row, explorer.last)
                self.assertIsNone(explorer.last["error"])
        plain = ["lookup", "--hiera-config", str(self.folder / "hiera.yaml"), "--node", "x", "text"]
        self.assertEqual(self.strata(*plain, "--output", "json", folder=self.folder / "below").stdout, '"geheim"\n')
        explained = self.strata(*plain, "--explain", folder=self.folder / "below").stdout
        self.assertIn(f'The key file "keys/private_key.pem" is "{self.folder}/keys/private_key.pem"', explained)
        self.assertNotIn("The key file", self.strata(*plain, "--explain").stdout)


if __name__ == "__main__":
    unittest.main()
