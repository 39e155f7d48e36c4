#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata explore: what its requests answer is what the commands say, and nobody else gets an answer.

usage: explore_test.py STRATA
"""
import base64
import collections
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import yaml
from exploring import PREFIX, Explorer, quoted
from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HEAT = ["compose", "-t", "examples/heat/overcloud.yaml", "--file", "examples/heat/deployment/controller.yaml", "--file",
        "examples/heat/deployment/compute.yaml"]
for environment in sorted(glob.glob(os.path.join(ROOT, "examples/heat/environments/*.yaml"))):
    HEAT += ["-e", os.path.relpath(environment, ROOT)]
FLEET = ["lookup", "--hiera-config", "examples/fleet/hiera.yaml", "--nodes", "examples/fleet/nodes.json"]
INVENTORY = ["inventory", "--all", "--nodes-dir", "examples/reclass/nodes", "--classes-dir", "examples/reclass/classes"]
LUA = ["lookup", "--codedir", "examples/hiera-lua", "--facts", "examples/hiera-lua/facts.yaml"]

STANDARD = ("layer", "file", "part", "line", "column", "via", "fate", "value")  # Members of a contribution that all dialects have.

# The name of the project, the words of `explore`, the words of the question.
QUESTIONS = {
    "hiera": ("hiera", ["examples/hiera"], ["lookup", "--all", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes"]),
    "fleet": ("lookup", FLEET, ["lookup", "--all", *FLEET[1:]]),
    "hiera-lua": ("lookup", LUA, ["lookup", "--all", *LUA[1:]]),
    "bindings": ("bindings", ["examples/bindings", "--allow-programs"], ["inject", "--all", "--confdir", "examples/bindings", "--inventory", "examples/bindings/inventory.yaml", "--nodes",
                                                     "examples/bindings/facts"]),
    "extensions": ("inject", ["inject", "--confdir", "examples/extensions-lua", "--facts", "examples/extensions-lua/facts.yaml"],
                   ["inject", "--all", "--confdir", "examples/extensions-lua", "--facts", "examples/extensions-lua/facts.yaml"]),
    "cloud-init": ("merge", ["merge", "--base", "examples/cloud-init/cloud.cfg", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml"],
                   ["merge", "--base", "examples/cloud-init/cloud.cfg", "examples/cloud-init/platform.yaml", "examples/cloud-init/web.yaml"]),
    "source-map": ("merge", ["merge", "examples/source-map/web.yaml"], ["merge", "examples/source-map/web.yaml"]),
    "deckhand": ("site", ["examples/deckhand"], ["render", "examples/deckhand/site"]),
    "heat": ("compose", HEAT, HEAT),
    "reclass": ("inventory", INVENTORY, INVENTORY),
}


def strata(*words, folder=ROOT, status=(0,), text=None):
    done = subprocess.run([STRATA, *words], cwd=folder, capture_output=True, text=True, input=text, timeout=HANGS, check=False)
    if done.returncode not in status:
        raise AssertionError(f"strata {' '.join(words)}: {done.returncode}\n{done.stderr}")
    return done.stdout


def masked(value):
    """A value of the explorer as commands show it."""
    if value == {"secret": True}:
        return "******"
    if isinstance(value, dict):
        return {key: masked(member) for key, member in value.items()}
    return [masked(item) for item in value] if isinstance(value, list) else value


def pointer(*tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def facts_of(words):
    """For each node of a folder of facts its file."""
    folder = words[words.index("--nodes") + 1]
    return {re.sub(r"\.yaml$", "", name): os.path.join(folder, name) for name in sorted(os.listdir(os.path.join(ROOT, folder)))}


def words_for(words, subject):
    """A question about many as that about one of them, where its command can be asked only so."""
    if words[0] == "inject" and "--nodes" in words:
        at = words.index("--nodes")
        return [*words[:at], "--facts", facts_of(words)[subject], *words[at + 2:]]
    return words


def fails(words):
    """Whether the command of one subject has no result."""
    return subprocess.run([STRATA, *words, "--quiet"], cwd=ROOT, capture_output=True, timeout=HANGS, check=False).stdout == b""


def blame_of(words):
    """Lines of `--blame` by subject: pairs of origin and text."""
    out = {}
    is_fleet = "--nodes" in words and words[0] == "lookup" or words[0] == "inventory"
    subjects = facts_of(words) if words[0] == "inject" and "--nodes" in words else {"default": None}
    for subject in subjects:
        lines = []
        if fails(words_for(words, subject)):
            out[subject] = None
            continue
        for line in strata(*words_for(words, subject), *(["--output", "yaml"] if words[0] in ("compose", "inject") else []), "--quiet", "--blame", "--wide",
                           status=(0, 1)).splitlines():
            margin, _, text = line.partition(" | ")
            lines.append((margin.strip(), text))
        if not is_fleet:
            out[subject] = lines
            continue
        node = None
        for margin, text in lines:
            if not text.startswith(" "):
                node = text.rstrip(":")
                out[node] = []
            else:
                out[node].append((margin, text[2:]))
    return out


def shown_origin(origin):
    if origin is None or origin["file"] is None:
        return ""
    part = f"[{origin['part']}]" if "part" in origin else ""
    return origin["file"] + part + (f":{origin['line']}" if origin["line"] is not None else "")


def histories_of(words):
    """The members of `--explain --output json` by subject and path."""
    out = {}
    is_fleet = "--nodes" in words and words[0] == "lookup" or words[0] == "inventory"
    subjects = facts_of(words) if words[0] == "inject" and "--nodes" in words else {"default": None}
    for subject in subjects:
        if fails(words_for(words, subject)):
            continue
        for one in json.loads(strata(*words_for(words, subject), "--quiet", "--explain", "--output", "json", status=(0, 1))):
            node, path = subject, one["path"]
            if is_fleet:
                tokens = path.split("/")
                node, path = tokens[1].replace("~1", "/").replace("~0", "~"), "/".join(["", *tokens[2:]])
            out.setdefault(node, {})[path] = one
    return out


class Questions(unittest.TestCase):
    """Rows are lines of --blame, leaves are those of --explain, for every subject of every example."""

    def test_rows_and_leaves(self):
        for name, (project, explored, words) in QUESTIONS.items():
            with self.subTest(name), Explorer(STRATA, *explored, folder=ROOT) as explorer:
                self.check(explorer, project, words)

    def check(self, explorer, project, words):
        listed = {one["name"]: one for one in explorer.get("/projects")["projects"]}
        self.assertIn(project, listed)
        self.assertIsNone(listed[project]["error"])
        subjects = explorer.names(project)
        blame = blame_of(words)
        self.assertEqual(set(subjects), set(blame))
        self.assertEqual(listed[project]["subjects"], len(subjects))
        histories = histories_of(words)
        for subject in subjects:
            rows = explorer.rows(project, subject)
            if blame[subject] is None:
                self.assertEqual(rows, [])
                self.assertTrue(explorer.last["error"]["message"])
                continue
            self.assertIsNone(explorer.last["error"], subject)
            lines = [(shown_origin(row["origin"]), row["text"]) for row in rows if "error" not in row]
            self.assertEqual(lines, blame[subject], f"{project} {subject}")
            self.check_shape(rows)
            asked = 0
            documents = -1
            for row in rows:
                if row.get("kind") == "document":
                    documents += 1
                if row.get("origin") is None or row["item"] is None:
                    continue
                path = self.path_of(words, row, documents)
                asked += self.check_leaf(explorer, project, subject, row, path, histories[subject])
            self.assertGreater(asked, 0, f"{project} {subject}")

    @staticmethod
    def path_of(words, row, document):
        """The path of a row in the whole result."""
        if words[0] == "render":
            return pointer(document) + row["path"]
        if words[0] == "inventory":
            head = (row["item"],) if row["item"] in ("applications", "classes", "environment", "__reclass__", "exports") else (
                "parameters", row["item"].removeprefix("parameters/"))
            return pointer(*head) + row["path"]
        return (pointer(row["item"]) if words[0] == "lookup" else "") + row["path"]

    def check_leaf(self, explorer, project, subject, row, path, histories):
        if path not in histories:  # A further line of a text.
            self.fail(f"{project} {subject}: no history of {path}")
        leaf = explorer.leaf(project, subject, row["item"], row["path"])
        self.assertEqual((leaf["item"], leaf["path"]), (row["item"], row["path"]))
        entry = next(one for one in leaf["entries"] if one["path"] == row["path"])
        expected = histories[path]
        # The command of this dialect reports what only it adds.
        expected["history"] = [{name: value for name, value in one.items() if name in STANDARD}
                               for one in expected["history"]]
        if project in ("bindings", "inject"):  # There, `via` is a text of the dialect.
            for one in expected["history"]:
                if isinstance(one.get("via"), str):
                    del one["via"]
        added = ("rank", "reason", "secret", "level", "colour")
        history = [{name: masked(value) if name == "value" else value for name, value in one.items() if name not in added}
                   for one in entry["history"]]
        if project == "bindings":  # Below the layer `hiera:` of this site, `data`, the explorer names levels, and the command the layer, in an order of its own.
            levels = ("common/", "roles/", "nodes/")
            history, expected["history"] = (
                sorted(({**one, "layer": "data"} if one["layer"].startswith(levels) else one for one in some), key=lambda one: json.dumps(one, sort_keys=True))
                for some in (history, expected["history"]))
        self.assertEqual(history, expected["history"], f"{project} {subject} {path}")
        self.assertEqual(masked(entry["value"]), expected["value"])
        self.assertEqual(masked(leaf["value"]), expected["value"])
        for one in [leaf, entry, *entry["history"]]:
            self.assertEqual(one.get("secret", False), one["value"] == {"secret": True})
        for one in entry["history"]:  # A level is the same in the row and in the history.
            self.assertEqual("colour" in one, one["layer"] is not None)
            if one["layer"] is not None and (one["layer"], one["file"]) == (row["origin"]["layer"], row["origin"]["file"]):
                self.assertEqual((one["level"], one["colour"]), (row["origin"]["level"], row["origin"]["colour"]))
        losers = [one for one in entry["history"] if one["fate"] in ("shadowed", "removed")]
        self.assertEqual(row["losers"], len(losers))
        self.assertTrue(all(one["reason"] for one in losers))
        self.assertEqual(sorted(one["rank"] for one in entry["history"]), list(range(len(history))))
        ranked = sorted(entry["history"], key=lambda one: one["rank"])
        fates = [one["fate"] in ("shadowed", "removed") for one in ranked]
        self.assertEqual(fates, sorted(fates), "winners come first")
        return 1

    def check_shape(self, rows):
        """`below` and `depth` say the same."""
        for i, row in enumerate(rows):
            if "error" in row:
                continue
            self.assertEqual(row["index"], i)
            below = rows[i + 1:i + 1 + row["below"]]
            self.assertEqual(len(below), row["below"])
            for one in below:
                self.assertGreater(one["depth"], row["depth"])
                if row["kind"] != "document" and row["item"] is not None:
                    self.assertEqual(one["item"], row["item"])
                    self.assertTrue(one["path"].startswith(row["path"] + "/"), (row, one))

    def test_colours_of_levels(self):
        """Two levels of one name have colours of their own, and the overview has those of the results."""
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            [project] = [one["name"] for one in explorer.get("/projects")["projects"]]
            colours = {}
            for subject in explorer.names(project):
                for row in explorer.rows(project, subject):
                    if row.get("origin"):
                        colours.setdefault(row["origin"]["level"], set()).add(row["origin"]["colour"])
            self.assertTrue(all(len(some) == 1 and some < set(range(8)) for some in colours.values()), colours)
            both = [name for name in colours if name.startswith("common (")]
            self.assertEqual(len({*map(str, map(colours.get, both))}), 2, both)
            known = {one["name"]: {one["colour"]} for one in explorer.get(f"/projects/{quoted(project)}", commits=0)["layers"]}
            for name in colours.keys() & known.keys():
                self.assertEqual(known[name], colours[name], name)
            self.assertLessEqual(set(both), known.keys())

    def test_a_broken_project_tells_its_place(self):
        """What is wrong may be in a file that the project names: then a note says which project does."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in ((".strata.yaml", "projects:\n  good:\n    verb: lookup\n    hiera-config: hiera.yaml\n    nodes: nodes.json\n"
                                                "  bad:\n    verb: lookup\n    hiera-config: hiera.yaml\n    nodes: missing.json\n"
                                                "  worse:\n    verb: lookup\n    nonsense: 1\n"),
                               ("hiera.yaml", "version: 5\n"), ("nodes.json", '[{"name": "n1", "facts": {}}]')):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            with Explorer(STRATA, folder=folder) as explorer:
                errors = {one["name"]: one["error"] for one in explorer.get("/projects")["projects"]}
                self.assertIsNone(errors["good"])
                self.assertEqual(errors["bad"]["file"], "missing.json")
                [note] = errors["bad"]["notes"]
                self.assertEqual((note["message"], note["file"], note["line"], note["column"]), ("the project 'bad'", ".strata.yaml", 6, 3))
                self.assertEqual((errors["worse"]["file"], errors["worse"]["line"], errors["worse"]["notes"]), (".strata.yaml", 12, []))

    def test_a_repository_without_commits_has_an_overview(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "hiera.yaml"), "w", encoding="utf-8") as file:
                file.write("version: 5\nhierarchy: [{name: common, path: common.yaml}]\n")
            os.mkdir(os.path.join(folder, "data"))
            with open(os.path.join(folder, "data", "common.yaml"), "w", encoding="utf-8") as file:
                file.write("a: 1\n")
            subprocess.run(["git", "init", "-q", folder], check=True)
            with Explorer(STRATA, "lookup", "--hiera-config", "hiera.yaml", folder=folder) as explorer:
                overview = explorer.get("/projects/lookup")
                self.assertFalse(overview["commits"])
                self.assertEqual([one["name"] for one in overview["layers"]], ["common"])

    def test_files_change_while_commits_are_looked_for(self):
        """States of commits outlive the projects that they were made for."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples/hiera"), folder, dirs_exist_ok=True)
            data = os.path.join(folder, "environments/production/data/common.yaml")
            git = ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com"]
            subprocess.run([*git, "init", "-q"], check=True)
            for number in range(25):
                with open(data, "a", encoding="utf-8") as file:
                    file.write(f"added_{number}: {number}\n")
                subprocess.run([*git, "add", "-A"], check=True)
                subprocess.run([*git, "commit", "-qm", f"number {number}"], check=True)
            with Explorer(STRATA, ".", folder=folder) as explorer:
                [project] = [one["name"] for one in explorer.get("/projects")["projects"]]
                is_over = threading.Event()

                def touch():
                    while not is_over.wait(0.001):
                        with open(os.path.join(folder, "touched"), "a", encoding="utf-8") as file:
                            file.write("again\n")

                thread = threading.Thread(target=touch)
                thread.start()
                try:
                    commits = explorer.get(f"/projects/{quoted(project)}")["commits"]
                finally:
                    is_over.set()
                    thread.join()
                self.assertEqual([one["subject"] for one in commits if one["commit"] != "working tree"][:3], ["number 24", "number 23", "number 22"])

    def test_folders_of_examples(self):
        """Each shows a project, subjects, a result, a leaf, a file, findings."""
        for name in ("hiera", "bindings", "cloud-init", "deckhand", "heat"):
            with self.subTest(name), Explorer(STRATA, f"examples/{name}", folder=ROOT) as explorer:
                for project in explorer.get("/projects")["projects"]:
                    self.assertIsNone(project["error"])
                    subjects = explorer.names(project["name"])
                    self.assertEqual(project["subjects"], len(subjects))
                    shown = 0
                    for subject in subjects:
                        for row in explorer.rows(project["name"], subject):
                            if row.get("origin") and row["origin"]["file"]:
                                self.assertTrue(explorer.leaf(project["name"], subject, row["item"], row["path"])["entries"])
                                shown += 1
                                break
                    self.assertGreater(shown, 0)
                    at = f"/projects/{quoted(project['name'])}"
                    files = explorer.get(at + "/files")["files"]
                    self.assertEqual(len(files), explorer.get(at, commits=0)["files"])
                    self.assertTrue(any((one["read_by"] or 0) > 0 for one in files))
                    self.assertTrue(explorer.get(f"{at}/files/{quoted(files[0]['file'])}")["lines"])
                    self.assertIn("findings", explorer.get(at + "/findings"))
                    self.assertIn("layers", explorer.get(at, commits=0))

    def test_examples_at_a_revision(self):
        """Of what a question asks for, some is outside of the repository."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
            git = ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
                subprocess.run([*git, *words], check=True, timeout=HANGS)
            for name, (project, explored, _) in QUESTIONS.items():
                with self.subTest(name), Explorer(STRATA, *explored, folder=folder) as explorer:
                    at = f"/projects/{quoted(project)}"
                    files = explorer.get(at + "/files", at="HEAD")["files"]
                    self.assertEqual([one["file"] for one in files], [one["file"] for one in explorer.get(at + "/files")["files"]])
                    self.assertTrue(explorer.get(f"{at}/files/{quoted(files[0]['file'])}", at="HEAD")["lines"])
                    self.assertIn("layers", explorer.get(at, at="HEAD", commits=0))
                    self.assertIn("keys", explorer.get(at + "/search", q="a", at="HEAD"))

    def test_a_key_has_its_own_rule(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            def strategy(item):
                told = explorer.leaf("hiera", "build01", item, "")["strategy"]
                return told["text"], told["default"]
            self.assertEqual(strategy("site_name"), ("first", True))
            self.assertEqual(strategy("profile::web::workers"), ("first", True))
            self.assertEqual(strategy("profile::firewall::rules"), ("hash", False))
            self.assertEqual(strategy("accounts::users")[0], "deep")

    def test_what_secrets_are_made_of_is_shown(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            name = "examples/hiera/environments/production/data/common.yaml"
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                draft = file.read() + "explored: 1\n"
            done = explorer.stream("POST", "/projects/hiera/what-if", {"files": {name: draft}})
            subjects = [subject for line in done if "effect" in line for subject in line["effect"]["subjects"]]
            self.assertTrue(subjects)
            self.assertLessEqual(set(subjects), set(explorer.names("hiera")))
        with Explorer(STRATA, "examples/deckhand", folder=ROOT) as explorer:
            shown = {one["file"]: explorer.get(f"/projects/site/files/{quoted(one['file'])}") for one in explorer.get("/projects/site/files")["files"]}
            self.assertEqual([os.path.basename(name) for name, file in shown.items() if not file["editable"]], ["60-secrets.yaml"])
            self.assertIn("west.example.com", json.dumps(shown["examples/deckhand/site/50-site.yaml"]["lines"]))
            self.assertNotIn("correct horse", json.dumps(shown))

    def test_filters(self):
        with Explorer(STRATA, *FLEET, folder=ROOT) as explorer:
            every = explorer.rows("lookup", "web02")
            overridden = explorer.rows("lookup", "web02", only="overridden")
            self.assertEqual(overridden, [row for row in every if row["losers"]])
            self.assertTrue(overridden)
            found = explorer.rows("lookup", "web02", filter="PORT -workers")
            self.assertEqual([row["item"] for row in found], ["profile::web::port"])
            self.assertEqual(explorer.last["lines"], len(every))
            self.assertEqual(explorer.rows("lookup", "web02", fold=1), [row for row in every if row["depth"] == 0])
            of_role = explorer.rows("lookup", "web02", only="layer:role")
            self.assertEqual(of_role, [row for row in every if row["origin"] and row["origin"]["file"].endswith("role/web.yaml")])
            differs = explorer.rows("lookup", "web02", only="differs")
            self.assertIn("profile::web::port", [row["item"] for row in differs])
            self.assertNotIn("ntp::servers", [row["item"] for row in differs])
            page = explorer.get("/projects/lookup/subjects/web02/rows", **{"from": 2, "count": 3})
            self.assertEqual(page["rows"], every[2:5])
            self.assertEqual(page["total"], len(every))
            self.assertIn("8080", explorer.get("/projects/lookup/subjects/web02/rows", text="yaml"))
            self.assertEqual(json.loads(explorer.get("/projects/lookup/subjects/web02/rows", text="json"))["profile::web::port"], "8080")


class Fleet(unittest.TestCase):
    """Over a copy of the fleet's example, in a repository."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)
        shutil.copytree(os.path.join(ROOT, "examples/fleet/data"), os.path.join(self.folder, "data"))
        for name in ("hiera.yaml", "nodes.json"):
            shutil.copy(os.path.join(ROOT, "examples/fleet", name), self.folder)
        self.words = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
        self.question = ["lookup", "--all", *self.words[1:]]

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def write(self, text, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", *words], cwd=self.folder, check=True,
                       capture_output=True, timeout=HANGS)

    def explorer(self, *own):
        return Explorer(STRATA, *own, *self.words, folder=self.folder)

    def generate(self, nodes, keys):
        """A larger fleet: five levels, values that differ."""
        shutil.rmtree(self.path("data"))
        self.write("version: 5\nhierarchy:\n" + "".join(
            f"  - {{name: {name}, path: \"{path}\"}}\n"
            for name, path in (("node", "node/%{cert}.yaml"), ("role", "role/%{role}.yaml"), ("dc", "dc/%{dc}.yaml"), ("common", "common.yaml"))),
                   "hiera.yaml")
        self.write(json.dumps([{"name": f"n{i:04}", "facts": {"cert": f"n{i:04}", "role": f"r{i % 5}", "dc": f"d{i % 3}"}} for i in range(nodes)]),
                   "nodes.json")
        self.write("".join(f"key{k}: {{a: {k}, list: [x{k}, y]}}\n" if k % 3 == 0 else f"key{k}: {k}\n" for k in range(keys)), "data", "common.yaml")
        for r in range(5):
            self.write("".join(f"key{k}: r{r}\n" for k in range(r, keys, 7)), "data", "role", f"r{r}.yaml")
        for d in range(3):
            self.write("".join(f"key{k}: {k if k % 2 else k + d}\n" for k in range(d, keys, 4)), "data", "dc", f"d{d}.yaml")
        for i in range(0, nodes, 9):
            self.write(f"key{i % keys}: own{i}\n", "data", "node", f"n{i:04}.yaml")

    # ---- Files

    def check_files(self):
        coverage = json.loads(strata("coverage", "--output", "json", *self.question, folder=self.folder))
        check = json.loads(strata("check", "--output", "json", *self.question, folder=self.folder, status=(0, 1)))
        marks = collections.defaultdict(list)
        for finding in check["findings"]:
            marks[(finding.get("file"), finding.get("line"))].append(finding)
        with self.explorer() as explorer:
            listed = {one["file"]: one for one in explorer.get("/projects/lookup/files")["files"]}
            self.assertEqual({name for name, one in listed.items() if one["leaves"] or one["read_by"] == 0} - {one["file"] for one in coverage["files"]}, set())
            self.assertLessEqual({one["file"] for one in coverage["files"]}, set(listed))
            findings = 0
            for file in coverage["files"]:
                told = explorer.get(f"/projects/lookup/files/{file['file']}", count=10000)
                self.assertEqual(told["read_by"], file["read_by"])
                self.assertEqual(told["subjects"], coverage["subjects"])
                self.assertEqual(listed[file["file"]]["read_by"], file["read_by"])
                self.assertEqual(listed[file["file"]]["leaves"], len(file["leaves"]))
                expected = {}
                for leaf in file["leaves"]:
                    of = expected.setdefault(leaf["line"], collections.Counter())
                    for fate in ("won", "merged", "shadowed", "removed"):
                        of[fate] = max(of[fate], leaf[fate])
                    of["leaves"] += 1
                self.assertEqual("\n".join(line["text"] for line in told["lines"]), self.read(file["file"]).rstrip("\n"))
                self.assertEqual(told["findings"], marks[(file["file"], None)])
                for line in told["lines"]:
                    if line["line"] in expected:
                        of = expected[line["line"]]
                        self.assertEqual({name: line[name] for name in ("leaves", "won", "merged", "shadowed", "removed")}, dict(of))
                        if of["shadowed"] or of["removed"]:
                            self.assertTrue(line["by"], line)
                    else:
                        self.assertEqual(line["leaves"], 0)
                    self.assertEqual(line["findings"], marks[(file["file"], line["line"])])
                    findings += len(line["findings"])
            self.assertGreater(findings, 0)
            self.assertEqual(explorer.get("/projects/lookup/findings")["findings"], check["findings"])
            return explorer.get("/projects/lookup/findings", fix=1)["findings"]

    def test_files_are_covered_and_marked(self):
        fixed = self.check_files()
        dead = [one for one in fixed if one["code"] in ("check.dead-override", "check.never-visible")]
        self.assertTrue(dead)
        with self.explorer() as explorer:
            for finding in dead:
                self.assertIn("fix", finding)
                lines = explorer.stream("POST", "/projects/lookup/what-if", {"files": finding["fix"]})
                self.assertFalse([line for line in lines if "effect" in line], finding["message"])
                self.assertEqual(lines[-1]["done"]["subjects"]["changed"], 0)
                self.assertIn(finding["fingerprint"], [one["fingerprint"] for one in lines[-1]["done"]["findings"]["gone"]])

    def test_files_of_a_generated_fleet(self):
        self.generate(40, 30)
        self.check_files()

    def test_only_files_of_the_project_are_shown(self):
        self.write("secret: 1\n", "other.yaml")
        with self.explorer() as explorer:
            for name in ("other.yaml", "data/none.yaml", "nodes.json"):
                self.assertEqual(explorer.get(f"/projects/lookup/files/{name}", status=404)["code"], "explore.file", name)
            for name in ("..%2Fx", "%2Fetc%2Fpasswd", "data%2F..%2F..%2Fx", "../../etc/passwd"):
                self.assertEqual(explorer.get(f"/projects/lookup/files/{name}", status=400)["code"], "tree.outside", name)

    # ---- What-if and compare

    def impact(self, *states):
        return json.loads(strata("impact", *states, "--output", "json", *self.question, folder=self.folder, status=(0, 1)))

    def check_stream(self, lines, impact):
        for effect in impact["effects"]:
            effect["subjects"] = effect["subjects"][:5]
        self.assertEqual([line["effect"] for line in lines if "effect" in line], impact["effects"])
        done = lines[-1]["done"]
        self.assertEqual(done["subjects"], impact["subjects"])
        self.assertEqual(done["edits"], impact["edits"])
        self.assertEqual(done["effects"], len(impact["effects"]))

    def test_what_if_is_impact(self):
        draft = self.read("data/common.yaml").replace("ntp::servers: [ntp1, ntp2]", "ntp::servers: [ntp0, ntp1, ntp2]").replace("port: 80", "port: 8000")
        self.write(draft, "draft")
        impact = self.impact("--edit", "data/common.yaml=draft")
        self.assertEqual(len(impact["effects"]), 2)
        with self.explorer() as explorer:
            lines = explorer.stream("POST", "/projects/lookup/what-if", {"subject": "db01", "files": {"data/common.yaml": draft}})
            self.check_stream(lines, impact)
            subject = lines[0]["subject"]
            effect = next(one for one in impact["effects"] if "db01" in one["subjects"])
            without = [{name: value for name, value in change.items() if name not in ("causes", "cause_kind")} for change in effect["changes"]]
            self.assertEqual([{name: value for name, value in change.items() if name not in ("causes", "cause_kind", "subject")} for change in subject],
                             without)
            run = lines[-1]["done"]["run"]
            whole = explorer.get("/projects/lookup/effects/1", run=run)
            self.assertEqual(whole["subjects"], ["web01", "web02", "web03"])
            explorer.get("/projects/lookup/effects/3", status=404)
            # Nothing was written, and the same again says the same.
            self.check_stream(explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/common.yaml": draft}}), impact)
            gone = explorer.stream("POST", "/projects/lookup/what-if?findings=0", {"files": {"data/role/web.yaml": None}})
            self.check_stream(gone, self.impact("--delete", "data/role/web.yaml"))
            self.assertIsNone(gone[-1]["done"]["findings"])
            for by in ("change", "path"):
                lines = explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/common.yaml": draft}}, by=by)
                self.check_stream(lines, self.impact("--by", by, "--edit", "data/common.yaml=draft"))

    def test_what_if_of_a_generated_fleet(self):
        self.generate(100, 20)
        draft = self.read("data/common.yaml").replace("key1: 1\n", "key1: other\n").replace("key4: 4\n", "")
        self.write(draft, "draft")
        with self.explorer() as explorer:
            lines = explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/common.yaml": draft}})
            self.check_stream(lines, self.impact("--edit", "data/common.yaml=draft"))

    def test_bad_drafts(self):
        with self.explorer() as explorer:
            lines = explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/common.yaml": "a: [1\nb: 2\n"}})
            told = lines[-1]["done"]["diagnostics"]
            self.assertEqual([(one["file"], one["code"]) for one in told], [("data/common.yaml", "yaml.syntax")])
            self.assertEqual(lines[-1]["done"]["subjects"]["broken"], 4)
            for body, code in (({}, "request.body"), ({"files": {}}, "request.body"), ({"files": {"data/common.yaml": 1}}, "request.body"),
                               ([], "request.body"), ({"files": {"../x": ""}}, "tree.outside"), ({"files": {"/etc/passwd": ""}}, "tree.outside"),
                               ({"files": {"x": ""}, "subject": "none"}, "explore.subject"), ({"files": {"x": ""}, "at": "HEAD"}, "git.no-repository")):
                got, _, text = explorer.request("POST", PREFIX + "/projects/lookup/what-if", body)
                self.assertEqual(json.loads(text)["code"], code, body)
                self.assertGreaterEqual(got, 400)
            # What is too long is refused before it comes.
            with socket.create_connection(("127.0.0.1", explorer.port), timeout=HANGS) as connection:
                connection.sendall(f"POST {PREFIX}/projects/lookup/what-if HTTP/1.1\r\nHost: 127.0.0.1:{explorer.port}\r\nAuthorization: Bearer "
                                   f"{explorer.token}\r\nContent-Type: application/json\r\nContent-Length: {9 << 20}\r\n\r\n".encode())
                self.assertTrue(connection.recv(64).startswith(b"HTTP/1.1 413 "))

    def test_compare_is_impact(self):
        self.git("init")
        self.git("add", "-A")
        self.git("commit", "-m", "one")
        self.write(self.read("data/role/db.yaml").replace("workers: 1", "workers: 2"), "data/role/db.yaml")
        self.git("commit", "-am", "two")
        self.write(self.read("data/common.yaml").replace("ntp1", "ntp9"), "data/common.yaml")
        with self.explorer() as explorer:
            self.check_stream(explorer.stream("GET", "/projects/lookup/compare", **{"from": "HEAD~1"}), self.impact("--from", "HEAD~1"))
            self.check_stream(explorer.stream("GET", "/projects/lookup/compare", **{"from": "HEAD~1", "to": "HEAD"}),
                              self.impact("--from", "HEAD~1", "--to", "HEAD"))
            self.assertEqual(explorer.get("/projects/lookup/subjects/db01/rows", filter="workers", at="HEAD~1")["rows"][0]["text"],
                             "profile::web::workers: 1")
            changed = explorer.rows("lookup", "db01", against="HEAD~1")
            self.assertEqual({row["item"] for row in changed if "differs" in row["marks"]}, {"profile::web::workers", "ntp::servers"})
            project = explorer.get("/projects/" + explorer.get("/projects")["projects"][0]["name"], commits=0)
            self.assertEqual(project["changed_files"], 1)
            self.assertRegex(project["revision"], "^[0-9a-f]{40}$")
            overview = explorer.get("/projects/lookup")
            log = json.loads(strata("log", "--output", "json", *self.question, folder=self.folder))
            self.assertEqual([one["commit"] for one in overview["commits"]], [one["commit"] for one in log["commits"]])
            self.assertEqual([one["changes"] for one in overview["commits"]], [len(one["changes"]) for one in log["commits"]])
            self.assertEqual([one["subject"] for one in explorer.get("/projects/lookup/history")["commits"]], ["two", "one"])
            self.assertEqual(explorer.get("/projects/lookup/names", at="none", status=404)["code"], "git.revision")
        with self.explorer("--at", "HEAD~1") as explorer:
            self.assertEqual(explorer.get("/projects/lookup/subjects/db01/rows", filter="workers")["rows"][0]["text"], "profile::web::workers: 1")

    # ---- Matrix

    def check_matrix(self, matrix, results, all_keys=False):
        """Against the results of a plain lookup: a mapping of nodes to leaves."""
        keys = []
        for leaves in results.values():
            keys += [key for key in leaves if key not in keys]
        missing = object()
        differing = [key for key in keys if len({repr(leaves.get(key, missing)) for leaves in results.values()}) > 1]
        self.assertEqual(matrix["equal"], len(keys) - len(differing))
        self.assertEqual(matrix["subjects"], len(results))
        self.assertEqual({(one["item"], one["path"]) for one in matrix["keys"]}, set(keys if all_keys else differing))
        groups = collections.defaultdict(list)
        for node, leaves in results.items():
            groups[tuple(repr(leaves.get(key, missing)) for key in keys)].append(node)
        expected = sorted(groups.values(), key=lambda nodes: (-len(nodes), list(results).index(nodes[0])))
        self.assertEqual([one["count"] for one in matrix["groups"]], [len(nodes) for nodes in expected])
        self.assertEqual([one["sample"] for one in matrix["groups"]], [nodes[:5] for nodes in expected])
        for key in matrix["keys"]:
            cells = {group: cell["value"] for cell in key["cells"] for group in cell["groups"]}
            for i, nodes in enumerate(expected):
                self.assertEqual(cells.get(i + 1, missing), results[nodes[0]].get((key["item"], key["path"]), missing))

    def results(self):
        def leaves(value, path):
            if isinstance(value, dict) and value:
                for key, member in value.items():
                    yield from leaves(member, path + pointer(key))
            elif isinstance(value, list) and value:
                for i, item in enumerate(value):
                    yield from leaves(item, path + pointer(i))
            else:
                yield path, value
        out = {}
        for line in strata(*self.question, "--quiet", "--output", "jsonl", folder=self.folder).splitlines():
            for node, result in json.loads(line).items():
                out[node] = {(item, path): value for item, whole in result.items() for path, value in leaves(whole, "")}
        return out

    def test_matrix_of_a_generated_fleet(self):
        self.generate(1000, 24)
        results = self.results()
        self.assertEqual(len(results), 1000)
        with self.explorer() as explorer:
            self.check_matrix(explorer.get("/projects/lookup/matrix"), results)
            self.check_matrix(explorer.get("/projects/lookup/matrix", all=1), results, all_keys=True)
            some = {node: {key: value for key, value in leaves.items() if key[0] in ("key1", "key2")} for node, leaves in results.items()}
            self.check_matrix(explorer.get("/projects/lookup/matrix", keys=["key1", "key2"]), some)
            of_role = {node: leaves for i, (node, leaves) in enumerate(results.items()) if i % 5 == 2}
            self.check_matrix(explorer.get("/projects/lookup/matrix", q="fact:role=r2"), of_role)
            self.check_matrix(explorer.get("/projects/lookup/matrix", q="N0 12 -n0012 -n02 -n03 -n04 -n05 -n06 -n07 -n08 -n09 -n012"), {"n0112": results["n0112"]})

    # ---- Subjects

    def test_subjects_and_facets(self):
        with self.explorer() as explorer:
            self.assertEqual(explorer.names("lookup"), ["web01", "web02", "web03", "db01"])
            facets = explorer.get("/projects/lookup/facets")["facets"]
            self.assertEqual(facets, [{"fact": "role", "values": [["web", 3], ["db", 1]]}])
            told = explorer.get("/projects/lookup/subjects", ids="db01\nweb01\nnone")
            self.assertEqual(told["facts"], ["role"])
            self.assertEqual([(one["name"], one["facts"]) for one in told["subjects"]], [("db01", {"role": "db"}), ("web01", {"role": "web"})])
            explorer.get("/projects/lookup/findings")
            told = explorer.get("/projects/lookup/subjects", ids=["web02", "db01"])
            self.assertGreater(told["subjects"][0]["findings"], told["subjects"][1]["findings"])
            answer = explorer.get("/projects/lookup/subjects/web1/rows", status=404)
            self.assertEqual(answer["code"], "explore.subject")
            self.assertEqual(answer["errors"][0]["hint"], "did you mean 'web01'?")
            self.assertEqual(explorer.get("/projects/lookp/names", status=404)["errors"][0]["hint"], "did you mean 'lookup'?")
            leaf = explorer.leaf("lookup", "db01", "ntp::servers", "/0")
            self.assertEqual(leaf["others"], {"same_value": 4, "same_origin": 4, "of": 4})
            self.assertEqual(leaf["list"]["count"], 2)
            self.assertEqual(leaf["spelling"], "ntp::servers.0")
            self.assertEqual(explorer.get("/projects/lookup/subjects/db01/leaf", item="ntp::server", status=404)["code"], "explore.item")

    def test_search(self):
        with self.explorer() as explorer:
            found = explorer.get("/projects/lookup/search", q="web02")
            self.assertEqual(found["subjects"], {"total": 1, "first": [{"subject": "web02"}]})
            self.assertEqual([one["file"] for one in found["files"]["first"]], ["data/node/web02.yaml"])
            found = explorer.get("/projects/lookup/search", q="key:port")
            self.assertEqual([one["item"] for one in found["keys"]["first"]], ["profile::web::port"])
            self.assertEqual(found["values"]["total"], 0)
            found = explorer.get("/projects/lookup/search", q="value:8080")
            self.assertEqual([(one["item"], one["subject"], one["subjects"]) for one in found["values"]["first"]], [("profile::web::port", "web02", 1)])
            self.assertEqual(explorer.get("/projects/lookup/search", q="code:typo")["findings"]["total"], 1)
            self.assertEqual(explorer.get("/projects/lookup/search", q="fact:role=web")["subjects"]["total"], 3)
            self.assertEqual(explorer.get("/projects/lookup/search", q="", status=400)["code"], "request.query")

    def test_overview(self):
        with self.explorer() as explorer:
            overview = explorer.get("/projects/lookup")
            self.assertEqual([one["name"] for one in overview["layers"]], ["node", "role", "common"])
            self.assertIsNone(overview["commits"])
            self.assertEqual((overview["errors"], overview["warnings"], overview["notes"]), (0, 5, 2))
            self.assertEqual({one["code"] for one in overview["findings"]} & {"check.typo", "check.never-visible"}, {"check.typo", "check.never-visible"})
            self.assertEqual(overview["overridden"][0]["item"], "profile::web::workers")
            for layer in overview["layers"]:
                self.assertLessEqual(layer["seen"], layer["leaves"])

    def test_a_failing_key_leaves_the_others(self):
        self.write(self.read("data/role/db.yaml") + "bad: x\nworse: [y]\nlookup_options: {bad: {convert_to: Integer}, worse: {convert_to: Float}}\n",
                   "data/role/db.yaml")
        done = subprocess.run([STRATA, *self.question, "--quiet", "--blame"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 1)
        with self.explorer() as explorer:
            rows = explorer.rows("lookup", "db01")
            failed = {row["item"]: row["error"] for row in rows if "error" in row}
            self.assertTrue(failed)
            for item, error in failed.items():
                self.assertIn(item, ("bad", "worse"))
                self.assertIn(error["message"], done.stderr)
            self.assertIn("ntp::servers", {row["item"] for row in rows})
            self.assertEqual(explorer.rows("lookup", "db01", only="failed"), [row for row in rows if "error" in row])

    # ---- Watching, saving

    def wait_for(self, explorer, generation):
        end = time.monotonic() + HANGS
        while explorer.get("/projects")["generation"] <= generation:
            self.assertLess(time.monotonic(), end)
            os.sched_yield()

    def test_changes_are_seen(self):
        with self.explorer() as explorer:
            before = explorer.get("/projects/lookup/subjects/db01/rows", filter="workers")
            tag = explorer.headers["etag"]
            got, headers, body = explorer.request("GET", f"{PREFIX}/projects/lookup/subjects/db01/rows?filter=workers", headers={"If-None-Match": tag})
            self.assertEqual((got, body, headers["etag"]), (304, b"", tag))
            with socket.create_connection(("127.0.0.1", explorer.port), timeout=HANGS) as connection:
                connection.sendall(f"GET {PREFIX}/events HTTP/1.1\r\nHost: 127.0.0.1:{explorer.port}\r\nAuthorization: Bearer {explorer.token}\r\n\r\n".encode())
                seen = b""
                while b'"generation": 1' not in seen:
                    seen += connection.recv(4096)
                self.write("profile::web::workers: 3\n", "data/role/db.yaml")
                while b'"changed": ["data/role/db.yaml"]' not in seen:
                    piece = connection.recv(4096)
                    self.assertTrue(piece)
                    seen += piece
            self.wait_for(explorer, before["generation"])
            after = explorer.get("/projects/lookup/subjects/db01/rows", filter="workers")
            self.assertEqual(after["rows"][0]["text"], "profile::web::workers: 3")
            self.assertNotEqual(explorer.headers["etag"], tag)
            self.write("profile::web::workers: [\n", "data/role/db.yaml")
            self.wait_for(explorer, after["generation"])
            broken = explorer.get("/projects/lookup/subjects/db01/rows")
            self.assertTrue(broken["error"] or any("error" in row for row in broken["rows"]))
            # A new node appears.
            nodes = json.loads(self.read("nodes.json"))
            nodes.append({"name": "new01", "facts": {"cert": "new01", "role": "web", "dc": "ams"}})
            self.write(json.dumps(nodes), "nodes.json")
            self.wait_for(explorer, broken["generation"])
            self.assertIn("new01", explorer.names("lookup"))

    def test_saving(self):
        target = PREFIX + "/projects/lookup/files/data/role/db.yaml"
        with self.explorer() as explorer:
            text = self.read("data/role/db.yaml")
            told = explorer.get("/projects/lookup/files/data/role/db.yaml")
            got, _, _ = explorer.request("PUT", target, {"text": "a: 1\n"}, {"If-Match": f'"{told["sha256"]}"'})
            self.assertEqual(got, 403)
            self.assertEqual(self.read("data/role/db.yaml"), text)
        with self.explorer("--write") as explorer:
            self.assertTrue(explorer.get("/projects")["projects"][0]["writable"])
            told = explorer.get("/projects/lookup/files/data/role/db.yaml")
            self.assertTrue(told["editable"])
            self.assertEqual(explorer.request("PUT", target, {"text": "a: 1\n"})[0], 428)
            got, _, body = explorer.request("PUT", target, {"text": "a: 1\n"}, {"If-Match": '"0"'})
            self.assertEqual((got, json.loads(body)["sha256"]), (412, told["sha256"]))
            self.assertEqual(self.read("data/role/db.yaml"), text)
            got, _, body = explorer.request("PUT", target, {"text": "profile::web::workers: 7\n"}, {"If-Match": f'"{told["sha256"]}"'})
            self.assertEqual(got, 200, body)
            self.assertEqual(self.read("data/role/db.yaml"), "profile::web::workers: 7\n")
            self.assertGreater(json.loads(body)["generation"], told["generation"])
            self.assertEqual(explorer.get("/projects/lookup/subjects/db01/rows", filter="workers")["rows"][0]["text"], "profile::web::workers: 7")
            new = PREFIX + "/projects/lookup/files/data/node/db01.yaml"
            self.assertEqual(explorer.request("PUT", new, {"text": "motd: new\n"}, {"If-Match": "*"})[0], 200)
            self.assertEqual(explorer.request("PUT", new, {"text": "motd: newer\n"}, {"If-Match": "*"})[0], 412)
            self.assertEqual(self.read("data/node/db01.yaml"), "motd: new\n")
            for name in ("..%2Fx.yaml", "%2Ftmp%2Fx.yaml", "data"):
                got, _, _ = explorer.request("PUT", f"{PREFIX}/projects/lookup/files/{name}", {"text": ""}, {"If-Match": "*"})
                self.assertGreaterEqual(got, 400, name)


class Guard(unittest.TestCase):
    """Who gets an answer."""

    HEADERS = {
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
                                   "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }

    def test_tokens_hosts_and_origins(self):
        with Explorer(STRATA, *FLEET, folder=ROOT) as explorer:
            host = f"127.0.0.1:{explorer.port}"
            data, what_if = PREFIX + "/projects", PREFIX + "/projects/lookup/what-if"
            self.assertRegex(explorer.token, "^[A-Za-z0-9_-]{22}$")
            for target in (data, "/explore/", "/explore/app.js", "/explore/x/y", PREFIX + "/events", PREFIX + "/projects/lookup/names"):
                got, headers, body = explorer.request("GET", target, known=False)
                self.assertEqual(got, 401, target)
                self.assertNotIn(b"strata: ", body)
                for name, value in self.HEADERS.items():
                    self.assertEqual(headers[name], value, target)
            self.assertEqual(explorer.request("GET", "/explore/?token=" + "x" * 22, known=False)[0], 401)
            # The first request changes the token for a cookie.
            got, headers, _ = explorer.request("GET", f"/explore/lookup/subjects?q=a%20b&token={explorer.token}", known=False)
            self.assertEqual((got, headers["location"]), (303, "/explore/lookup/subjects?q=a%20b"))
            cookie, *attributes = headers["set-cookie"].split("; ")
            self.assertEqual(attributes, ["HttpOnly", "SameSite=Strict", "Path=/"])
            known = {"Cookie": "other=1; " + cookie}
            got, headers, _ = explorer.request("GET", data, headers=known, known=False)
            self.assertEqual((got, headers["cache-control"]), (200, "no-store"))
            for name, value in self.HEADERS.items():
                self.assertEqual(headers[name], value)
            self.assertEqual(explorer.request("GET", data, headers={"Cookie": cookie[:-1] + "!"}, known=False)[0], 401)
            # Hosts.
            for name, status in ((host, 200), (f"localhost:{explorer.port}", 200), (f"[::1]:{explorer.port}", 200), ("example.org", 421),
                                 (f"example.org:{explorer.port}", 421), ("127.0.0.1", 421), ("127.0.0.1:1", 421), (f"127.0.0.1.example.org:{explorer.port}", 421)):
                self.assertEqual(explorer.request("GET", data, headers={"Host": name})[0], status, name)
                self.assertEqual(explorer.request("GET", "/explore/", headers={"Host": name})[0] in (200, 404), status == 200, name)
            # Origins: a cookie alone is not enough.
            body, json_type = {"files": {"examples/fleet/data/common.yaml": "a: 1\n"}}, {"Content-Type": "application/json"}
            self.assertEqual(explorer.request("POST", what_if, body, known, known=False)[0], 403)
            self.assertEqual(explorer.request("POST", what_if, body, {**known, "Origin": "http://example.org"}, known=False)[0], 403)
            self.assertEqual(explorer.request("POST", what_if, body, {**known, "Origin": "null"}, known=False)[0], 403)
            self.assertEqual(explorer.request("POST", what_if, body, {**known, "Origin": f"http://{host}"}, known=False)[0], 200)
            self.assertEqual(explorer.request("POST", what_if, json.dumps(body), {**known, "Origin": f"http://{host}", "Content-Type": "text/plain"},
                                              known=False)[0], 403)
            self.assertEqual(explorer.request("POST", what_if, json.dumps(body), json_type)[0], 200)
            self.assertEqual(explorer.request("POST", what_if, body, {"Origin": "http://example.org"})[0], 403)
            # Unknown methods and addresses.
            self.assertEqual(explorer.request("DELETE", data)[0], 405)
            self.assertEqual(explorer.request("GET", PREFIX + "/none")[0], 404)
            self.assertEqual(explorer.request("GET", "/healthz")[0], 404)

    def test_ends(self):
        for with_signal in (signal.SIGINT, signal.SIGTERM):
            with Explorer(STRATA, *FLEET, folder=ROOT) as explorer:
                self.assertEqual(explorer.stop(with_signal), 0)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([STRATA, "explore", "--no-open"], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("explore.none", done.stderr)
            self.assertEqual(subprocess.run([STRATA, "explore", "--no-open", "none"], cwd=folder, capture_output=True, timeout=HANGS, check=False).returncode, 1)
            self.assertEqual(subprocess.run([STRATA, "explore", "--port", "70000"], cwd=folder, capture_output=True, timeout=HANGS, check=False).returncode, 2)
            self.assertEqual(subprocess.run([STRATA, "explore", ".", "more"], cwd=folder, capture_output=True, timeout=HANGS, check=False).returncode, 2)

    def test_own_options_behind_a_project(self):
        with Explorer(STRATA, "examples/cloud-init", "--port", "0", folder=ROOT) as explorer:
            self.assertEqual([(one["name"], one["verb"], one["subjects"]) for one in explorer.get("/projects")["projects"]], [("machines", "merge", 2)])
        with Explorer(STRATA, "@machines", folder=os.path.join(ROOT, "examples/cloud-init")) as explorer:
            self.assertEqual(explorer.names("machines"), ["web", "plain"])

    def test_hostile_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "a \"quoted\" <img src=x onerror=alert(1)>.yaml"
            long = "x" * (1 << 20)
            keys = {"<img src=x onerror=alert(1)>": "javascript:alert(1)", "right\u202eleft": "zero\u200bwidth", "long": long, "control": "a\x07b"}
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("#cloud-config\n")
                yaml.safe_dump(keys, file, allow_unicode=False, width=1 << 22)
            with Explorer(STRATA, "merge", name, folder=folder) as explorer:
                rows = explorer.rows("merge", "default")
                values = {}
                for row in rows:
                    values[row["path"]] = explorer.leaf("merge", "default", "", row["path"])["value"]
                self.assertEqual(values, {pointer(key): value for key, value in keys.items()})
                self.assertEqual({row["origin"]["file"] for row in rows}, {name})
                told = explorer.get(f"/projects/merge/files/{quoted(name)}")
                self.assertEqual(told["file"], name)
                self.assertIn("charset=utf-8", explorer.request("GET", PREFIX + "/projects/merge/names")[1]["content-type"])
                for query in ("%", "%zz", "a=%ff", "&&&=", "from=-1", "count=99999999999999999999", "only=none", "fold=x", "from=1&from=2", "filter=%00"):
                    got, _, body = explorer.request("GET", f"{PREFIX}/projects/merge/subjects/default/rows?{query}")
                    self.assertIn(got, (200, 400), query)
                    json.loads(body)


class Secrets(unittest.TestCase):
    """Nothing that an answer has shows a secret of the examples."""

    def texts(self):
        """The clear texts of everything that eyaml hides in examples/hiera."""
        whole = strata("lookup", "--all", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--quiet", "--output", "json", status=(0, 1))
        blame = json.loads(strata("lookup", "--all", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--quiet", "--blame", "--output",
                                  "json", status=(0, 1)))
        results, out = json.loads(whole), set()
        for leaf in blame:
            if leaf["value"] != "******":
                continue
            value = results
            for token in leaf["path"].split("/")[1:]:
                token = token.replace("~1", "/").replace("~0", "~")
                value = value[int(token)] if isinstance(value, list) else value[token]
            out.add(value if isinstance(value, str) else json.dumps(value))
        return out

    def walk(self, explorer, secrets):
        """Asks for everything, and looks at each answer."""
        seen = set()

        def look(method, target, body=None):
            got, headers, text = explorer.request(method, PREFIX + target, body)
            shown = text.decode("utf-8", "replace") + json.dumps(headers)
            for secret in secrets:
                self.assertNotIn(secret, shown, target)
                self.assertNotIn(json.dumps(secret)[1:-1], shown, target)
                self.assertNotIn(base64.b64encode(secret.encode()).decode(), shown, target)
            seen.add((method, target.split("?")[0].split("/")[-1]))
            return got, text.decode("utf-8", "replace")

        def get(target):
            return json.loads(look("GET", target)[1])

        get("/projects")
        masked_rows = 0
        for project in get("/projects")["projects"]:
            at = f"/projects/{quoted(project['name'])}"
            for part in ("?commits=0", "/facets", "/files", "/findings?fix=1", "/history", "/matrix", "/matrix?all=1"):
                look("GET", at + part)
            names = look("GET", at + "/names")[1].splitlines()
            look("GET", f"{at}/subjects?ids={quoted(chr(10).join(names))}")
            for secret in secrets:
                for prefix in ("", "value:", "key:"):
                    found = get(f"{at}/search?q={quoted(prefix + secret[:6])}")
                    self.assertFalse([one for one in found["values"]["first"] if secret in one["value"]])
            for file in get(at + "/files")["files"]:
                told = get(f"{at}/files/{quoted(file['file'])}?count=10000")
                text = "\n".join(line["text"] for line in told["lines"]) + "\n"
                look("POST", at + "/what-if", {"files": {file["file"]: text + "# more\n"}, "subject": names[0]})
                look("POST", at + "/what-if?findings=0", {"files": {file["file"]: ""}, "subject": names[0]})
                look("POST", at + "/what-if?findings=0", {"files": {file["file"]: None}, "subject": names[-1]})
            look("GET", at + "/effects/1")
            look("GET", at + "/compare")
            for item in {row["item"] for name in names for row in get(f"{at}/subjects/{quoted(name)}/rows?count=1000")["rows"] if "secret" in row.get("marks", [])}:
                for whom in ([], [names[0]]):
                    look("POST", at + "/set", {"item": item, "value": "another", "for": whom, "proposals": 20})
                    look("POST", at + "/set", {"item": item, "value": None, "for": whom})
            for name in names:
                subject = f"{at}/subjects/{quoted(name)}"
                for form in ("text=yaml", "text=json", "count=1000", "count=1000&only=overridden"):
                    look("GET", f"{subject}/rows?{form}")
                for row in get(f"{subject}/rows?count=1000")["rows"]:
                    if row.get("origin") and ("secret" in row["marks"] or row["losers"]):
                        masked_rows += "secret" in row["marks"]
                        look("GET", f"{subject}/leaf?item={quoted(row['item'])}&path={quoted(row['path'])}")
        return masked_rows, seen

    def test_no_answer_has_a_secret(self):
        secrets = self.texts()
        self.assertGreater(len(secrets), 0)
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            masked_rows, seen = self.walk(explorer, secrets)
            self.assertGreater(masked_rows, 0)
            self.assertGreater(len(seen), 15)
            rows = [row for row in explorer.rows("hiera", "db01") if "secret" in row.get("marks", [])]
            self.assertTrue(rows)
            leaf = explorer.leaf("hiera", "db01", rows[0]["item"], rows[0]["path"])
            self.assertEqual((leaf["value"], leaf["type"]), ({"secret": True}, "secret"))


class Sites(unittest.TestCase):
    """The same pages over the sites of a service."""

    def test_sites_are_projects(self):
        with Service(STRATA, "--site", f"fleet=hiera:{ROOT}/examples/fleet", "--site", f"broken=hiera:{ROOT}/examples/heat", "--auth", "tokens:/dev/null") as service:
            self.assertEqual(service.request("GET", PREFIX + "/projects")[0], 401)
            got, headers, _ = service.request("GET", "/explore/")
            self.assertIn(got, (200, 404))  # With pages, or without.
            self.assertEqual(headers["content-security-policy"], Guard.HEADERS["content-security-policy"])
            self.assertEqual(service.request("GET", "/explore/", headers={"Host": "example.org"})[0], 421)
        with Service(STRATA, "--site", f"fleet=hiera:{ROOT}/examples/fleet", "--site", f"broken=hiera:{ROOT}/examples/heat") as service:
            projects = json.loads(service.request("GET", PREFIX + "/projects")[2])["projects"]
            self.assertEqual([one["name"] for one in projects], ["broken", "fleet"])
            self.assertEqual(projects[0]["error"]["code"], "site.broken")
            self.assertEqual((projects[1]["verb"], projects[1]["writable"]), ("lookup", False))
            names = service.request("GET", PREFIX + "/projects/fleet/names")[2].splitlines()
            self.assertTrue(names)
            rows = json.loads(service.request("GET", f"{PREFIX}/projects/fleet/subjects/{quoted(names[0])}/rows")[2])["rows"]
            self.assertTrue(rows)
            got, _, _ = service.request("PUT", PREFIX + "/projects/fleet/files/data/common.yaml", "{}", {"Content-Type": "application/json"})
            self.assertEqual(got, 403)
            self.assertEqual(service.request("GET", PREFIX + "/projects", headers={"Host": "rebound.example.org"})[0], 421)

    def test_a_token_becomes_a_cookie(self):
        with tempfile.TemporaryDirectory() as folder:
            store = f"sqlite:{folder}/store.db"
            made = strata("token", "create", "--store", store, "--project", "default", "--role", "reader")
            token = re.search(r"strata_\S+", made).group()
            with Service(STRATA, "--site", f"fleet=hiera:{ROOT}/examples/fleet", "--auth", "tokens", "--store", store, folder=folder) as service:
                session, kind = PREFIX + "/session", {"Content-Type": "application/json"}
                self.assertEqual(service.request("POST", session, json.dumps({"token": "strata_no_" + "x" * 43}), kind)[0], 401)
                self.assertEqual(service.request("POST", session, "{}", kind)[0], 400)
                got, headers, _ = service.request("POST", session, json.dumps({"token": token}), kind)
                self.assertEqual(got, 200)
                cookie = headers["set-cookie"].split(";")[0]
                self.assertEqual(service.request("GET", PREFIX + "/projects", headers={"Cookie": cookie})[0], 200)
                # The cookie is for the explorer alone.
                self.assertEqual(service.request("GET", "/strata/v1/sites", headers={"Cookie": cookie})[0], 401)
                self.assertEqual(service.request("DELETE", session, headers={"Cookie": cookie})[0], 403)
                gone = service.request("DELETE", session, headers={"Cookie": cookie, "Origin": f"http://127.0.0.1:{service.port}", **kind})
                self.assertEqual(gone[0], 204)
                self.assertIn("Max-Age=0", gone[1]["set-cookie"])


if __name__ == "__main__":
    unittest.main()
