#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Projects: `.strata.yaml`, detection and assumed nodes, with `strata projects` and with @NAME in analyses, over real repositories.

usage: projects_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Projects(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def git(self, *words):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@example.org", *words], cwd=self.folder, check=True, capture_output=True,
                       env=environment)

    def commit(self):
        if not os.path.exists(os.path.join(self.folder, ".git")):
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "state")

    def run_in(self, folder, *words, status=0):
        run = subprocess.run([STRATA, *words], cwd=os.path.join(self.folder, folder), capture_output=True, timeout=HANGS, check=False)
        out, errors = run.stdout.decode(), run.stderr.decode()
        self.assertEqual(run.returncode, status, f"{words} in {folder}: {out}\n{errors}")
        self.errors = errors
        return out

    def projects(self, folder=".", *words):
        return json.loads(self.run_in(folder, "projects", *words, "--output", "json"))["projects"]

    def paste(self, folder, line):
        """What a command line prints in a shell."""
        environment = {**os.environ, "PATH": os.path.dirname(STRATA) + ":" + os.environ["PATH"]}
        run = subprocess.run(["bash", "-c", "set -o pipefail; " + line], cwd=os.path.join(self.folder, folder), capture_output=True, timeout=HANGS,
                             check=False, env=environment)
        self.assertEqual(run.returncode, 0, line + "\n" + run.stderr.decode())
        return run.stdout.decode()

    HIERA = {
        "puppet/hiera.yaml": "version: 5\nhierarchy:\n  - name: all\n    paths:\n      - nodes/%{trusted.certname}.yaml\n"
                             "      - role/%{facts.role}.yaml\n      - common.yaml\n",
        "puppet/environment.conf": "",
        "puppet/data/nodes/db01.yaml": "port: 1\n",
        "puppet/data/nodes/web01.yaml": "port: 2\n",
        "puppet/data/role/db.yaml": "tier: data\n",
        "puppet/data/common.yaml": "port: 0\ntier: none\n",
        "facts/db01.yaml": "role: db\nhostname: db01\ndomain: ''\nfqdn: db01\nclientcert: db01\n",
        "facts/web01.yaml": "role: web\nhostname: web01\ndomain: ''\nfqdn: web01\nclientcert: web01\n",
    }

    def test_a_question_works_from_any_folder(self):
        self.write({**self.HIERA, ".strata.yaml": "projects:\n  fleet: {verb: lookup, environment-root: puppet, nodes: facts/, compat: puppet8}\n",
                    "deep/er/x": ""})
        self.commit()
        self.write({"puppet/data/common.yaml": "port: 0\ntier: other\n"})
        spelled = self.run_in(".", "diff", "lookup", "--environment-root", "puppet", "--nodes", "facts/", "--compat", "puppet8", "--all", status=1)
        self.assertIn("puppet/data/common.yaml:2", spelled)
        self.assertEqual(self.run_in(".", "diff", "@fleet", status=1), spelled)
        below = self.run_in("puppet", "diff", "@fleet", status=1)
        self.assertIn("now  data/common.yaml:2", below)
        self.assertIn("1 of 2 nodes", below)
        aside = self.run_in("deep/er", "diff", "@fleet", status=1)
        self.assertIn(os.path.join(self.folder, "puppet/data/common.yaml:2"), aside)
        impact = self.run_in("deep/er", "impact", "@fleet", status=1)
        self.assertIn("1 of 2 nodes change", impact)
        log = self.run_in("deep/er", "log", "@fleet")
        self.assertIn("tier", log)
        # Own options count from the working folder, and what follows belongs to the verb.
        one = self.run_in("puppet", "diff", "--set", "data/nodes/db01.yaml:/port=9", "@fleet", "port", status=1)
        self.assertIn("port: 1 -> 9", one)
        self.assertNotIn("tier", one)
        # An option that follows replaces the project's.
        self.run_in(".", "diff", "@fleet", "--nodes", "nowhere", status=3)
        other = self.run_in("deep", "impact", "@fleet", "--nodes", "../facts", status=1)
        self.assertIn("1 of 2 nodes change", other)
        for folder in (".", "puppet", "deep/er"):
            line = self.projects(folder)[0]["questions"][0]["question"]
            self.assertEqual(json.loads(self.paste(folder, line + " --output json"))["db01"], {"port": 1, "tier": "data"})

    def test_a_fleet_with_words(self):
        files = {"platform.yaml": "#cloud-config\na: 1\n", "web.yaml": "#cloud-config\nb: 2\n", "db.yaml": "#cloud-config\nb: 3\n", "cloud.cfg": "c: 4\n"}
        fleet = '[{name: web, args: [platform.yaml, web.yaml]}, {name: db, args: [platform.yaml, db.yaml]}]'
        self.write({**files, "fleet.yaml": fleet, ".strata.yaml": f"projects:\n  inline: {{verb: merge, base: [cloud.cfg], fleet: {fleet}}}\n"
                    "  file: {verb: merge, base: cloud.cfg, fleet: fleet.yaml}\n", "sub/x": ""})
        self.commit()
        self.write({"web.yaml": "#cloud-config\nb: 20\n"})
        spelled = self.run_in(".", "impact", "--fleet", "fleet.yaml", "merge", "--base", "cloud.cfg", status=1)
        self.assertIn("1 of 2 machines changes", spelled)
        for name in ("@inline", "@file"):
            self.assertEqual(self.run_in(".", "impact", name, status=1), spelled)
            self.assertIn("1 of 2 machines changes", self.run_in("sub", "impact", name, status=1))
            self.run_in(".", "impact", "--fleet", "fleet.yaml", name, status=2)
        for folder in (".", "sub"):
            for project in self.projects(folder):
                self.assertEqual([one["subject"] for one in project["questions"]], ["web", "db"])
                self.assertEqual(json.loads(self.paste(folder, project["questions"][1]["question"] + " --output json")), {"a": 1, "b": 3, "c": 4})

    def test_paths_of_every_verb(self):
        self.write({"p/.strata.yaml": """
projects:
  heat: {verb: compose, template: t.yaml, fleet: [{name: prod, args: [-e, env/a.yaml, -eenv/b.yaml, --parameter, p=env/a.yaml]}]}
  mergers: {verb: merge, merger: [mine=m.lua], vendor-data: v.yaml, args: [w.yaml, --instance-data=i.json, -, https://x.invalid/y, /abs]}
  classes: {verb: inventory}
  docs: {verb: render, args: [site], sort-keys: false, strict: true, threads: 1, label: [a=b, c=d]}
""", "x": ""})
        of = {project["name"]: [one["question"] for one in project["questions"]] for project in self.projects(".", "p")}
        self.assertEqual(of["heat"], ["strata compose --template p/t.yaml -e p/env/a.yaml -ep/env/b.yaml --parameter p=env/a.yaml"])
        self.assertEqual(of["mergers"], ["strata merge --merger mine=p/m.lua --vendor-data p/v.yaml p/w.yaml --instance-data=p/i.json - https://x.invalid/y /abs"])
        self.assertEqual(of["classes"], ["strata inventory -b p --all"])
        self.assertEqual(of["docs"], ["strata render --no-sort-keys --strict --threads 1 --label a=b --label c=d p/site"])
        self.assertEqual(self.projects("p")[2]["questions"][0]["question"], "strata inventory --all")

    def test_command_lines_grant_nothing_that_the_repository_asks_for(self):
        self.write({".strata.yaml": """
projects:
  net: {verb: merge, allow-network: true, args: [u.yaml]}
  all: {verb: merge, fleet: [{name: a, args: [u.yaml, --allow-network, --allow-files, /, --allow-files=/etc]}]}
""", "u.yaml": "#cloud-config\n{}\n"})
        lines = [one["question"] for project in self.projects() for one in project["questions"]]
        self.assertEqual(sorted(lines), ["strata merge u.yaml", "strata merge u.yaml"])

    def test_errors_have_places(self):
        for text, code, place, message in [
            ("projects:\n  a: {verb: lookup, codedri: .}\n", "workspace.key", ":2:21:", "did you mean 'codedir'?"),
            ("projects:\n  a: {verb: lokup}\n", "workspace.value", ":2:13:", "did you mean 'lookup'?"),
            ("projects:\n  a: {verb: lookup, codedir: [a, b]}\n", "workspace.value", ":2:30:", "one text, not a list"),
            ("projects:\n  a: {verb: lookup, codedir: true}\n", "workspace.value", ":2:30:", "must be a text"),
            ("projects:\n  a: {verb: lookup, all: x}\n", "workspace.value", ":2:26:", "true or false"),
            ("projects:\n  a: {verb: lookup, output: json}\n", "workspace.key", ":2:21:", "unknown key 'output'"),
            ("projects:\n  a: {verb: merge, fleet: [{args: []}]}\n", "workspace.value", ":2:28:", "needs a name"),
            ("projects:\n  a: {verb: lookup, compat: x}\n", "workspace.value", ":2:3:", "cannot be used"),
            ("projects:\n  a: {verb: lookup, args: [--help]}\n", "workspace.value", ":2:3:", "cannot be used"),
            ("projects:\n  a: {verb: merge, limit: x=1}\n", "workspace.value", ":2:3:", "--limit x=1"),
            ("project: {}\n", "workspace.key", ":1:1:", "did you mean 'projects'?"),
        ]:
            self.write({".strata.yaml": text})
            self.run_in(".", "projects", status=1)
            self.assertIn(f"[{code}]", self.errors)
            self.assertIn(".strata.yaml" + place, self.errors)
            self.assertIn(message, self.errors)
        self.run_in(".", "diff", "@a", status=3)
        self.assertIn("[workspace.key]", self.errors)
        self.write({".strata.yaml": "projects: {fleet: {verb: merge}}\n"})
        self.run_in(".", "impact", "@flet", status=3)
        self.assertIn("did you mean 'fleet'? ", self.errors.replace("\n", " "))
        self.run_in(".", "projects", "nowhere", status=1)

    def test_the_nearest_file_up_to_the_repository(self):
        self.write({**self.HIERA, ".strata.yaml": "projects: {outer: {verb: merge, args: [a]}}\n", "puppet/.strata.yaml": "projects: {}\n", "sub/deep/x": ""})
        self.assertEqual([one["name"] for one in self.projects("sub/deep")], [])  # Without a repository, only the folder itself counts.
        self.commit()
        self.assertEqual([one["name"] for one in self.projects("sub/deep")], ["outer"])
        self.assertEqual(self.projects("puppet/data"), [])
        self.assertIn("names none", self.run_in("puppet", "projects"))

    def test_assumed_nodes(self):
        files = {name: text for name, text in self.HIERA.items() if not name.startswith("facts/")}
        self.write(files)
        self.commit()
        project, = self.projects()
        self.assertEqual((project["name"], project["rule"], project["assumed"]), ("puppet", "control-repository", ["db01", "role=db", "web01"]))
        self.assertIn("3 assumed nodes", self.run_in(".", "projects"))
        result = json.loads(self.paste(".", project["questions"][0]["question"] + " --output json"))
        self.assertEqual(result, {"db01": {"port": 1, "tier": "none"}, "role=db": {"tier": "data", "port": 0}, "web01": {"port": 2, "tier": "none"}})
        self.assertEqual(self.run_in(".", "diff", "@puppet"), "")
        # A new node, and one that goes: both are asked in both states.
        self.write({"puppet/data/nodes/web02.yaml": "port: 7\n"})
        os.remove(os.path.join(self.folder, "puppet/data/nodes/db01.yaml"))
        out = self.run_in("puppet/data", "diff", "@puppet", status=3)
        self.assertIn("unknown project 'puppet'", self.errors)
        out = self.run_in(".", "diff", "@puppet", status=1)
        self.assertIn("~ port: 0 -> 7", out)
        self.assertIn("~ port: 1 -> 0", out)
        self.assertIn("in 2 of 4 assumed nodes", out)
        impact = self.run_in(".", "impact", "@puppet", status=1)
        self.assertIn("2 of 4 assumed nodes change", impact)
        self.assertTrue(json.loads(self.run_in(".", "impact", "--output", "json", "@puppet", status=1))["assumed"])
        self.assertTrue(json.loads(self.run_in(".", "diff", "--output", "json", "@puppet", status=1))["assumed"])
        self.assertNotIn("assumed", json.loads(self.run_in(".", "diff", "--output", "json", "@puppet", "--node", "x")))
        # What a check finds rests on guesses, too.
        self.write({"puppet/data/nodes/web02.yaml": "port: 0\n"})
        self.assertIn("0 errors, 0 warnings, 1 note", self.run_in(".", "check", "--select", "dead-override", "@puppet"))
        self.write({"puppet/data/nodes/web02.yaml": "port: [\n"})
        self.assertIn("0 errors, 0 warnings, 1 note", self.run_in(".", "check", "--select", "dead-override", "@puppet"))
        self.assertFalse(any("assumed" in name for _, _, names in os.walk(self.folder) for name in names))

    def test_what_git_ignores_is_no_project(self):
        self.write({"build/cloud.cfg": "", "build/cloud.cfg.d/x": "", "src/cloud.cfg": "", "src/cloud.cfg.d/x": "", ".gitignore": "/build/\n",
                    "node_modules/cloud.cfg": "", "node_modules/cloud.cfg.d/x": ""})
        self.assertEqual([one["folder"] for one in self.projects()], ["build", "src"])
        self.commit()
        self.assertEqual([one["folder"] for one in self.projects()], ["src"])

    def test_hostile_names(self):
        self.write({"with blank/cloud.cfg": "", "with blank/cloud.cfg.d/x": "", "new\nline/cloud.cfg": "x: 1\n", "new\nline/cloud.cfg.d/x": "",
                    "quote's/--help/a.yaml": "#cloud-config\na: 1\n", "dash/-x.yaml": "#cloud-config\nb: 1\n"})
        os.symlink(".", os.path.join(self.folder, "cycle"))
        os.symlink("../dash", os.path.join(self.folder, "dash/again"))
        os.mkfifo(os.path.join(self.folder, "dash/pipe.yaml"))
        of = {project["name"]: project for project in self.projects()}
        self.assertEqual(sorted(of), ["--help", "dash", "new\nline", "with blank"])
        self.assertEqual(json.loads(self.paste(".", of["new\nline"]["questions"][0]["question"] + " --output json")), {"x": 1})
        self.assertEqual(json.loads(self.paste(".", of["--help"]["questions"][0]["question"] + " --output json")), {"a": 1})
        self.assertEqual(json.loads(self.paste("dash", self.projects("dash")[0]["questions"][0]["question"] + " --output json")), {"b": 1})
        self.assertEqual(len(self.run_in(".", "projects").splitlines()), 8)

    def test_large_and_deep(self):
        self.write({"a/b/c/d/cloud.cfg": "", "a/b/c/d/cloud.cfg.d/x": "", "a/b/c/e/f/cloud.cfg": "", "a/b/c/e/f/cloud.cfg.d/x": ""})
        self.assertEqual([one["folder"] for one in self.projects()], ["a/b/c/d"])
        for i in range(10_001):
            os.mkdir(os.path.join(self.folder, f"z{i}"))
        self.run_in(".", "projects", status=1)
        self.assertIn("[workspace.large]", self.errors)
        self.write({".strata.yaml": "projects: {deep: " + "[" * 100_000 + "}\n"})
        self.run_in(".", "projects", status=1)
        self.write({".strata.yaml": "projects: {" + ", ".join(f"p{i}: {{verb: merge, args: [a]}}" for i in range(2000)) + "}\n"})
        self.assertEqual(len(self.projects()), 2000)


if __name__ == "__main__":
    unittest.main()
