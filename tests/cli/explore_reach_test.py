#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata explore: what is broken hides nothing else, all files have pages, what is copied runs, and drafts uncover no secrets.

usage: explore_reach_test.py STRATA
"""
import http.client
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml
from exploring import PREFIX, Explorer, quoted
from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FLEET = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, text, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def copy(self, example, *names):
        shutil.copytree(os.path.join(ROOT, "examples", example), self.path(*names) if names else self.folder, dirs_exist_ok=True)

    def text(self, explorer, project, file):
        return explorer.get(f"/projects/{project}/files/{quoted(file)}")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", *words], cwd=self.folder, check=True,
                       capture_output=True, timeout=HANGS)


class Conversions(Folder):
    """What a conversion makes is made of its parts."""

    def test_parts_of_a_secret(self):
        self.write("version: 5\nhierarchy:\n  - {name: n, path: 'n/%{cert}.yaml'}\n  - {name: c, path: common.yaml}\n", "hiera.yaml")
        self.write(json.dumps([{"name": name, "facts": {"cert": name}} for name in "ab"]), "nodes.json")
        self.write("lookup_options: {h: {convert_to: Sensitive}, l: {merge: unique, convert_to: Sensitive}}\nh: {u: hunter}\nl: [hunter, hunter2]\n",
                   "data/common.yaml")
        self.write("h: {u: hunter}\nl: [hunter]\n", "data/n/a.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            told = {}
            for file in ("data/common.yaml", "data/n/a.yaml"):
                page = self.text(explorer, "lookup", file)
                self.assertNotIn("hunter", json.dumps(page))
                told[file] = [(line["merged"], line["shadowed"], line["removed"]) for line in page["lines"] if line["leaves"]]
        self.assertEqual(told, {"data/common.yaml": [(1, 1, 0), (2, 1, 0)], "data/n/a.yaml": [(1, 0, 0), (1, 0, 0)]})


class Broken(Folder):
    """One file that cannot be read."""

    def test_a_file_of_hiera(self):
        self.copy("fleet")
        before = {}
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            before = {one["file"] for one in explorer.get("/projects/lookup/files")["files"]}
        self.write("a: [1\n", "data/role/web.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            files = {one["file"]: one for one in explorer.get("/projects/lookup/files")["files"]}
            self.assertEqual(set(files), before)
            self.assertEqual((files["data/role/web.yaml"]["read_by"], files["data/common.yaml"]["read_by"]), (3, 4))
            for file in files:
                lines = self.text(explorer, "lookup", file)["lines"]
                self.assertEqual("".join(line["text"] + "\n" for line in lines), self.read(file), file)
            wrong = self.text(explorer, "lookup", "data/role/web.yaml")["findings"]
            self.assertEqual([(one["code"], one["line"], one["column"]) for one in wrong], [("yaml.syntax", 2, 1)])
            port = next(line for line in self.text(explorer, "lookup", "data/common.yaml")["lines"] if line["text"].startswith("profile::web::port"))
            self.assertEqual(port["won"], 1)
            # No finding says that it is unused.
            unused = {one["file"] for one in explorer.get("/projects/lookup/findings")["findings"] if one["code"] == "check.unused-file"}
            self.assertEqual(unused, {"data/node/old.yaml"})
            overview = explorer.get("/projects/lookup", commits=0)
            self.assertEqual([one["severity"] for one in overview["findings"]][:2], ["error", "warning"])
            self.assertEqual([one["name"] for one in overview["layers"]][-1], "common")
            self.assertGreater(explorer.get("/projects/lookup/search", q="port")["keys"]["total"], 0)
            # Drafts: of another file, and of the broken one.
            other = explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/common.yaml": self.read("data/common.yaml") + "more: 1\n"}})
            self.assertEqual((other[-1]["done"]["subjects"]["changed"], other[-1]["done"]["findings"]), (1, {"new": [], "gone": []}))
            mends = explorer.stream("POST", "/projects/lookup/what-if", {"files": {"data/role/web.yaml": "a: [1]\n"}})
            self.assertEqual(mends[-1]["done"]["subjects"]["mended"], 3)
            self.assertIn("yaml.syntax", {one["code"] for one in mends[-1]["done"]["findings"]["gone"]})

    def test_other_dialects(self):
        for words, project, broken, others in (
            (["render", "site"], "render", "site/secrets.yaml", None), (["merge", "a.yaml", "b.yaml", "c.yaml"], "merge", "b.yaml", {"a.yaml": "x: 1", "c.yaml": "x: 3"}),
            (["compose", "-e", "a.yaml", "-e", "b.yaml", "-e", "c.yaml"], "compose", "b.yaml", {"a.yaml": "x: 1", "c.yaml": "x: 3"})):
            with self.subTest(project):
                if project == "render":
                    self.copy("deckhand")
                    names = sorted(os.listdir(self.path("site")))
                    broken, others = f"site/{names[-1]}", {}
                for name in ("a", "b", "c"):
                    value = {"a": 1, "b": 2, "c": 3}[name]
                    self.write(f"#cloud-config\nx: {value}\n" if project == "merge" else f"parameter_defaults:\n  x: {value}\n", f"{name}.yaml")
                self.write(("#cloud-config\n" if project == "merge" else "") + "a: [1\n", broken)
                with Explorer(STRATA, *words, folder=self.folder) as explorer:
                    files = {one["file"] for one in explorer.get(f"/projects/{project}/files")["files"]}
                    self.assertIn(broken, files)
                    told = self.text(explorer, project, broken)
                    # What may be secret in a document of Deckhand is not known before it can be read.
                    self.assertEqual(told["hidden"], project == "render")
                    wrong = [one for one in told["findings"] + [one for line in told["lines"] for one in line["findings"]] if one["severity"] == "error"]
                    self.assertEqual(bool(wrong), project != "merge")  # cloud-init passes over parts that it cannot read.
                    for file, text in others.items():
                        self.assertIn(text, [line["text"].strip() for line in self.text(explorer, project, file)["lines"]])


class Files(Folder):
    """Every file that took part in a result has a page."""

    def test_an_inventory(self):
        words = ["inventory", "--all", "--nodes-dir", "nodes", "--classes-dir", "classes"]
        self.copy("reclass")
        with Explorer(STRATA, *words, folder=self.folder) as explorer:
            files = {one["file"]: one for one in explorer.get("/projects/inventory/files")["files"]}
            there = {os.path.relpath(os.path.join(at, name), self.folder) for folder in ("nodes", "classes") for at, _, names in os.walk(self.path(folder)) for name in names}
            self.assertEqual(set(files), there)
            nodes = explorer.names("inventory")
            blamed = {}
            for node in nodes:
                for leaf in json.loads(subprocess.run([STRATA, "inventory", node, *words[2:], "--blame", "--output", "json"], cwd=self.folder, check=True,
                                                      capture_output=True, timeout=HANGS).stdout):
                    if leaf["file"] in there:
                        blamed.setdefault((leaf["file"], leaf["line"]), set()).add(node)
            self.assertTrue(blamed)
            for file in files:
                told = self.text(explorer, "inventory", file)
                self.assertTrue(told["traced"])
                for line in told["lines"]:
                    having = len(blamed.get((file, line["line"]), ()))
                    self.assertGreaterEqual(max(line.get("won", 0), line.get("merged", 0)), min(having, 1), (file, line))
                    self.assertLessEqual(line.get("won", 0), files[file]["read_by"])
            layers = explorer.get("/projects/inventory", commits=0)["layers"]
            self.assertTrue(any(one["leaves"] for one in layers))

    def test_data_below_bindings(self):
        with Explorer(STRATA, "examples/bindings", "--allow-programs", folder=ROOT) as explorer:
            files = {one["file"] for one in explorer.get("/projects/bindings/files")["files"]}
            data = {f"examples/bindings/production/data/{name}" for name in os.listdir(os.path.join(ROOT, "examples/bindings/production/data"))
                    if os.path.isfile(os.path.join(ROOT, "examples/bindings/production/data", name))}
            read = {row["origin"]["file"] for node in explorer.names("bindings") for row in explorer.rows("bindings", node)
                    if row.get("origin") and row["origin"]["line"] and not row["origin"]["file"].startswith("<")}
            self.assertTrue(read & data, (read, data))
            self.assertLessEqual(read, files)
            for file in read:
                self.assertTrue(self.text(explorer, "bindings", file)["lines"], file)

    def test_layers_without_a_value(self):
        self.copy("fleet")
        self.write("# nothing yet\n", "data/dc/ams.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            layers = explorer.get("/projects/lookup", commits=0)["layers"]
            self.assertIn("data/dc/ams.yaml", [one["name"] for one in layers])
            node = next(one for one in layers if one["name"] == "node")
            self.assertEqual(node["files"], 2)  # One of them is unused.

    def test_a_large_file_is_text_first(self):
        self.copy("fleet")
        self.write(self.read("data/common.yaml") + "# " + "x" * 100 + "\n" + "".join(f"# {'y' * 200}\n" for _ in range(42_000)), "data/common.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            first = explorer.get("/projects/lookup/files/data/common.yaml", count=20)
            self.assertEqual((first["effects"], {line["leaves"] for line in first["lines"]}), (False, {0}))
            asked = explorer.get("/projects/lookup/files/data/common.yaml", count=20, effects=1)
            self.assertTrue(asked["effects"] and any(line["leaves"] for line in asked["lines"]))


class Names(Folder):
    def test_dots(self):
        self.copy("fleet")
        names = [".", "..", "~.", "a/b", "~"]
        self.write(json.dumps([{"name": name, "facts": {"cert": "c", "role": "web", "dc": "ams"}} for name in names]), "nodes.json")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            self.assertEqual(explorer.names("lookup"), names)
            for name, written in ((".", "~."), ("..", "~.."), ("~.", "~~."), ("a/b", "a%2Fb"), ("~", "~")):
                rows = explorer.get(f"/projects/lookup/subjects/{written}/rows")["rows"]
                self.assertTrue(rows, name)
                leaf = explorer.get(f"/projects/lookup/subjects/{written}/leaf", item="profile::web::port", path="")
                self.assertIn(f"--explain=/{name.replace('~', '~0').replace('/', '~1')}/profile::web::port", shlex.split(leaf["command"]))

    def test_pages_for_addresses_that_are_broken(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            whole = explorer.request("GET", "/explore/")
            for path in ("/explore/hiera/subject/%ff", "/explore/%zz", "/explore/hiera/subjects?q=%ff"):
                got = explorer.request("GET", path)
                self.assertEqual((got[0], got[2]), (whole[0], whole[2]), path)
            self.assertEqual(explorer.request("GET", PREFIX + "/projects/hiera/subjects/%ff/rows")[0], 400)

    def test_revisions_from_another_folder(self):
        self.copy("fleet", "fleet")
        self.copy("deckhand", "fleet/deckhand")
        os.makedirs(self.path("elsewhere"))
        subprocess.run(["git", "init", "-q", self.path("fleet")], check=True, timeout=HANGS)
        for words in (["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "one"]):
            subprocess.run(["git", *words], cwd=self.path("fleet"), check=True, timeout=HANGS)
        self.write(self.read("fleet/data/common.yaml").replace("port: 80", "port: 8000"), "fleet/data/common.yaml")
        question = ["lookup", "--hiera-config", "../fleet/hiera.yaml", "--nodes", "../fleet/nodes.json"]
        for words in (question, ["../fleet/deckhand"]):
            with Explorer(STRATA, *words, folder=self.path("elsewhere")) as explorer:
                project = explorer.get("/projects")["projects"][0]["name"]
                self.assertEqual(len(explorer.get(f"/projects/{project}/history")["commits"]), 1)
                marked = set()
                for subject in explorer.names(project, at="HEAD"):
                    self.assertTrue(explorer.rows(project, subject, at="HEAD"))
                    marked |= {row["item"] for row in explorer.rows(project, subject, against="HEAD") if "differs" in row.get("marks", [])}
                self.assertEqual(marked, {"profile::web::port"} if words is question else set())
                self.assertEqual(explorer.get(f"/projects/{project}/names", status=404, at="no-such")["code"], "git.revision")


class Told(Folder):
    def test_causes_are_shared(self):
        self.write("version: 5\nhierarchy: [{name: all, paths: [a.yaml, b.yaml]}]\n", "hiera.yaml")
        self.write(json.dumps([{"name": f"n{i}", "facts": {}} for i in range(3)]), "nodes.json")
        lines = lambda value: "".join(f"k{i}: {value}\n# {i}\n" for i in range(100))  # More edits than are tried one by one.
        for name in ("a", "b"):
            self.write(re.sub("k", name, lines(1)), f"data/{name}.yaml")
        files = {f"data/{name}.yaml": re.sub("k", name, lines(2)) for name in ("a", "b")}
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            each = explorer.stream("POST", "/projects/lookup/what-if?findings=0", {"files": files})
            sets = explorer.stream("POST", "/projects/lookup/what-if?findings=0&causes=sets", {"files": files})
            self.assertEqual(explorer.request("POST", PREFIX + "/projects/lookup/what-if?causes=all", {"files": files})[0], 400)
        table = sets[-1]["done"]["cause_sets"]
        self.assertLess(len(table), 5)
        change = lambda lines: [one for line in lines if "effect" in line for one in line["effect"]["changes"]]
        self.assertEqual(len(change(sets)), 200)
        for shared, alone in zip(change(sets), change(each), strict=True):
            cause = table[shared.pop("cause_set")]
            self.assertEqual({**shared, "causes": cause["edits"], "cause_kind": cause["kind"]}, alone)
        self.assertLess(len(json.dumps(sets)), len(json.dumps(each)) / 2)

    def test_who_knocked_out(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            history = explorer.leaf("hiera", "db01", "accounts::users", "/alice/groups/1")["entries"][0]["history"]
            reasons = {one["value"]: one["reason"] for one in history}
            data = "examples/hiera/environments/production/data"
            self.assertEqual(reasons["docker"], f"knocked out by `--docker` in {data}/roles/db.yaml:9:20, as `deep` merges")
            self.assertTrue(reasons["--docker"].startswith(f"it knocks out `docker` of {data}/common.yaml:26"), reasons)

    def test_who_wins_over_a_line(self):
        self.copy("fleet")
        self.write(self.read("data/common.yaml") + "uses: \"on %{lookup('profile::web::port')}\"\n", "data/common.yaml")
        self.write(self.read("data/role/web.yaml") + "profile::web::port: 81\n", "data/role/web.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            port = next(line for line in self.text(explorer, "lookup", "data/common.yaml")["lines"] if line["text"].startswith("profile::web::port"))
            self.assertEqual({one["file"] for one in port["by"]}, {"data/node/web02.yaml", "data/role/web.yaml"})

    def test_commands_run(self):
        """What *Copy as command* copies tells the same history."""
        heat = ["compose", "-e", "examples/heat/environments/10-roles.yaml", "-e", "examples/heat/environments/60-sizing.yaml"]
        questions = (["examples/hiera"], ["examples/bindings", "--allow-programs"], ["examples/deckhand"], ["lookup", "--hiera-config", "examples/fleet/hiera.yaml", "--nodes", "examples/fleet/nodes.json"],
                     ["examples/cloud-init"], ["inventory", "--all", "--nodes-dir", "examples/reclass/nodes", "--classes-dir", "examples/reclass/classes"], heat)
        for words in questions:
            with self.subTest(words), Explorer(STRATA, *words, folder=ROOT) as explorer:
                ran = 0
                for project in explorer.get("/projects")["projects"]:
                    if project["error"]:
                        continue
                    for subject in explorer.names(project["name"])[:2]:
                        rows = [row for row in explorer.rows(project["name"], subject) if row.get("origin") and "error" not in row]
                        for row in rows[:: max(1, len(rows) // 2)][:2]:
                            leaf = explorer.leaf(project["name"], subject, row["item"], row["path"])
                            command = leaf["command"].replace("strata ", shlex.quote(STRATA) + " ", 1) if leaf["command"].startswith("strata ") else \
                                leaf["command"].replace("| strata ", f"| {shlex.quote(STRATA)} ", 1)
                            done = subprocess.run(f"{command} --output json", shell=True, cwd=ROOT, capture_output=True, text=True, timeout=HANGS, check=False)
                            self.assertEqual(done.returncode, 0, (leaf["command"], done.stderr))
                            told = json.loads(done.stdout)
                            self.assertEqual(len(told), len(leaf["entries"]), leaf["command"])
                            for one, entry in zip(told, leaf["entries"], strict=True):
                                self.assertTrue(one["path"].endswith(entry["path"]), (one["path"], entry["path"]))
                                shown = [(part["file"], part["line"], part["fate"]) for part in entry["history"]]
                                self.assertEqual([(part["file"], part["line"], part["fate"]) for part in one["history"]], shown, leaf["command"])
                            ran += 1
                self.assertGreater(ran, 1)


class Secret(Folder):
    """Values that only a part of the results has, and values that drafts would uncover."""

    NODES = [{"name": name, "facts": {"cert": name}} for name in "abc"]

    def setUp(self):
        super().setUp()
        self.write("version: 5\nhierarchy:\n  - {name: options, path: opts.yaml}\n  - {name: node, path: \"n/%{cert}.yaml\"}\n  - {name: common, path: common.yaml}\n", "hiera.yaml")
        self.write(json.dumps(self.NODES), "nodes.json")
        self.write("lookup_options: {pw: {convert_to: Sensitive}}\n", "data/opts.yaml")
        self.write("pw: CANARYcommon\nuses: \"with %{lookup('pw')}\"\nopen: shown\n", "data/common.yaml")
        self.write("pw: CANARYnode\n", "data/n/a.yaml")
        self.write("pw: CANARYunread\nopen: here\n", "data/n/zzz.yaml")

    def check(self, ask, is_reader):
        told = json.loads(ask("GET", "/files/data/n/zzz.yaml")[2])
        self.assertNotIn("CANARY", json.dumps(told))
        self.assertEqual(told["hidden"], is_reader)
        self.assertEqual([line["text"] for line in told["lines"]], [] if is_reader else ["pw: ******", "open: here"])
        for file, text in (("data/n/c.yaml", "lookup_options: {pw: {merge: first}}\n"), ("data/opts.yaml", None), ("data/opts.yaml", ""),
                           ("data/n/b.yaml", "copied: \"%{lookup('pw')}!\"\n")):
            for subject in "abc":
                # Who asks drafts often enough finds out any secret: readers may not.
                got = ask("POST", "/what-if", {"files": {file: text}, "subject": subject}, 403 if is_reader else 200)[2]
                self.assertNotIn("CANARY", got, (file, text))
                self.assertIn("strata:tree.write" if is_reader else '"done"', got)
        leaf = json.loads(ask("GET", "/subjects/b/leaf?item=pw&path=")[2])
        self.assertEqual((leaf["type"], leaf["others"]["same_value"]), ("secret", None))

    def test_in_the_explorer(self):
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            def ask(method, target, body=None, status=200):
                got, headers, text = explorer.request(method, f"{PREFIX}/projects/lookup{target}", body)
                self.assertEqual(got, status, (target, text))
                return got, headers, text.decode()
            self.check(ask, False)

    def test_of_a_service(self):
        os.makedirs(self.path("site"))
        for name in ("data", "hiera.yaml", "nodes.json"):
            shutil.move(self.path(name), self.path("site", name))
        tokens = {}
        for role in ("reader", "editor"):
            made = subprocess.run([STRATA, "token", "create", "--store", f"sqlite:{self.path('store.db')}", "--project", "default", "--role", role], check=True,
                                  capture_output=True, text=True, timeout=HANGS).stdout
            tokens[role] = re.search(r"strata_\S+", made).group()
        self.write(yaml.safe_dump({"sites": {"sec": {"dialect": "hiera", "path": self.path("site"), "nodes": "nodes.json", "hiera-config": "hiera.yaml"}}}), "conf/strata.yaml")
        with Service(STRATA, "--config", self.path("conf/strata.yaml"), "--auth", "tokens", "--store", f"sqlite:{self.path('store.db')}", folder=self.path("conf")) as service:
            def asking(token):
                def ask(method, target, body=None, status=200):
                    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
                    got, answered, text = service.request(method, f"{PREFIX}/projects/sec{target}", None if body is None else json.dumps(body), headers)
                    self.assertEqual(got, status, (target, text))
                    return got, answered, text.decode() if isinstance(text, bytes) else text
                return ask
            for role, token in tokens.items():
                with self.subTest(role):
                    self.check(asking(token), role == "reader")


class Nuances(Folder):
    """What is told is so."""

    def secret_site(self):
        self.write("version: 5\nhierarchy:\n  - {name: node, path: 'n/%{cert}.yaml'}\n  - {name: common, path: common.yaml}\n", "hiera.yaml")
        self.write(json.dumps([{"name": name, "facts": {"cert": name}} for name in ("a", "b")]), "nodes.json")
        self.write("pw: CANARYcommon\nlist: [CANARYone, CANARYtwo]\nlikely: {secret: true}\nplain: 1\n"
                   "lookup_options:\n  pw: {convert_to: Sensitive}\n  list: {merge: unique, convert_to: Sensitive}\n", "data/common.yaml")
        self.write("pw: CANARYnode\nplain: 2\n", "data/n/a.yaml")

    def test_parts_of_secrets_are_seen(self):
        self.secret_site()
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            lines = self.text(explorer, "lookup", "data/common.yaml")["lines"]
            self.assertEqual([(line["merged"], line["overridden"]) for line in lines[:2]], [(1, 1), (2, 0)])
            self.assertEqual((lines[3]["won"], lines[3]["overridden"]), (1, 1))
            self.assertNotIn("CANARY", json.dumps(lines))

    def test_what_looks_like_a_secret_is_none(self):
        self.secret_site()
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            for item, is_secret in (("likely", False), ("pw", True)):
                leaf = explorer.leaf("lookup", "a", item, "")
                self.assertEqual((leaf["value"], leaf.get("secret", False)), ({"secret": True}, is_secret))
            keys = {one["item"]: one["cells"] for one in explorer.get("/projects/lookup/matrix", all=1)["keys"]}
            self.assertTrue(all(cell["secret"] is True for cell in keys["pw"]))
            self.assertTrue(all("secret" not in cell for cell in keys["likely"]))

    def test_secrets_that_differ_from_a_revision(self):
        self.secret_site()
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "as it was")
        self.write("pw: CANARYother\nplain: 2\n", "data/n/a.yaml")
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            for node, differs in (("a", {"pw"}), ("b", set())):
                rows = explorer.get(f"/projects/lookup/subjects/{node}/rows", against="HEAD")["rows"]
                self.assertEqual({row["item"] for row in rows if "differs" in row.get("marks", [])}, differs)
                self.assertNotIn("CANARY", json.dumps(rows))

    def test_levels_of_two_hierarchies(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            layers = [one["name"] for one in explorer.get("/projects/hiera", commits=0)["layers"]]
            common = [name for name in layers if name.startswith("common (")]
            self.assertEqual(len(common), 2, layers)
            self.assertNotIn("common", layers)
            module = next(name for name in common if "modules/ntp" in name)
            self.assertGreater(layers.index(module), layers.index("operating system"))
            rows = explorer.get("/projects/hiera/subjects/db01/rows", count=1000)
            self.assertLessEqual(set(common), set(rows["layers"]))
            of_module = explorer.get("/projects/hiera/subjects/db01/rows", only=f"layer:{module}", count=1000)["rows"]
            self.assertTrue(of_module)
            self.assertTrue(all("modules/ntp" in row["origin"]["file"] and row["origin"]["level"] == module for row in of_module))

    def test_where_no_rule_is_known(self):
        with Explorer(STRATA, "examples/deckhand", folder=ROOT) as explorer:
            project = explorer.get("/projects")["projects"][0]["name"]
            row = next(row for row in explorer.rows(project, "default") if row.get("origin") and row["path"].endswith("/domain"))
            self.assertFalse(explorer.leaf(project, "default", row["item"], row["path"])["strategy"]["default"])
        self.secret_site()
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            self.assertTrue(explorer.leaf("lookup", "a", "plain", "")["strategy"]["default"])

    def test_the_token_leaves_the_address(self):
        self.secret_site()
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=HANGS)
            connection.request("GET", f"/explore/?token={explorer.token}")
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.reason, answer.getheader("Location")), (303, "See Other", "/explore/"))
            connection.close()

    def test_searches_without_a_word(self):
        self.secret_site()
        with Explorer(STRATA, *FLEET, folder=self.folder) as explorer:
            for text in ("-x", "key:", "key:-x", " "):
                told = explorer.get("/projects/lookup/search", q=text, status=400)
                self.assertEqual((told["code"], told["detail"]), ("request.query", "'q' has no word to look for"), text)
            self.assertGreater(explorer.get("/projects/lookup/search", q="plain -x")["keys"]["total"], 0)

if __name__ == "__main__":
    unittest.main()
