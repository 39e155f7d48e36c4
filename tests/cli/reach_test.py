#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Files that files of a repository name: none outside of it, unless the command line allows it. Messages quote no others.

usage: reach_test.py STRATA
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

from exploring import PREFIX, Explorer, quoted
from serving import HANGS

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
SECRET = "geheim-4711"


class Repository(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.top = os.path.realpath(self.temporary.name)
        self.folder, self.outside = os.path.join(self.top, "repository"), os.path.join(self.top, "outside")
        os.mkdir(self.folder)
        os.mkdir(self.outside)
        self.secret = os.path.join(self.outside, "secret.yaml")
        self.write(f"password: {SECRET}\n", self.secret)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, text, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, *names):
        with open(os.path.join(self.folder, *names), encoding="utf-8") as file:
            return file.read()

    def link(self, target, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(target, path)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", *words], cwd=self.folder, check=True,
                       capture_output=True, timeout=HANGS)

    def run_strata(self, *words, status=None, **options):
        options = {"cwd": self.folder, "env": {**os.environ, "CREDENTIAL": SECRET}, **options}
        run = subprocess.run([STRATA, *words], capture_output=True, text=True, timeout=HANGS, **options)
        if status is not None:
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def says(self, *words, **options):
        run = self.run_strata(*words, **options)
        return run.stdout + run.stderr

    def refuses(self, *words, **options):
        """The analyses of a query report a file outside, and print nothing of it."""
        for analysis in (["check"], ["coverage"], ["ansible-inventory", "--list"]):
            said = self.says(*analysis, *words, **options)
            self.assertNotIn(SECRET, said, analysis)
        said = self.says("check", *words, **options)
        self.assertRegex(said, r"tree\.outside|outside of the folders")
        self.assertIn("--allow-files", said)

    def hiera(self, datadir="data"):
        self.write(f"version: 5\ndefaults: {{datadir: '{datadir}', data_hash: yaml_data}}\nhierarchy:\n- {{name: all, path: common.yaml}}\n", "hiera.yaml")
        self.write('[{"name": "n1", "facts": {}}]\n', "nodes.json")
        return ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"]


class Analyses(Repository):
    def test_includes(self):
        for target in (self.secret, "file://" + self.secret, "../outside/secret.yaml", "file:///proc/self/environ", "/proc/self/environ", "/proc/thread-self/environ"):
            self.write(f"#include\n{target}\n", "user.yaml")
            self.refuses("merge", "user.yaml")
            self.refuses("merge", os.path.join(self.folder, "user.yaml"), cwd="/")
        self.git("init", "-q")
        self.refuses("merge", "user.yaml")

    def test_files_of_the_repository_and_of_named_folders(self):
        self.write("#cloud-config\npackages: [a]\n", "parts", "one.yaml")
        self.write("#cloud-config\npackages: [b]\n", self.outside, "two.yaml")
        self.git("init", "-q")
        os.mkdir(os.path.join(self.folder, "users"))
        self.write("#include\n../parts/one.yaml\n", "users", "user.yaml")
        self.run_strata("check", "merge", "user.yaml", status=0, cwd=os.path.join(self.folder, "users"))
        self.write(f"#include\n{self.outside}/two.yaml\n", "user.yaml")
        self.run_strata("check", "merge", "user.yaml", status=1)
        self.run_strata("check", "--allow-files", self.outside, "merge", "user.yaml", status=0)
        self.run_strata("check", "merge", "--allow-files", "../outside", "user.yaml", status=0)
        # A folder that is an argument itself is allowed, too.
        self.write("#cloud-config\ntimezone: UTC\n", self.outside, "base.d", "10.cfg")
        self.write(f"#include\n{self.outside}/base.d/10.cfg\n", "user.yaml")
        self.run_strata("check", "merge", "--base", f"{self.outside}/base.d", "user.yaml", status=0)

    def test_links(self):
        query = self.hiera()
        self.link(self.secret, "data", "common.yaml")
        self.refuses(*query)
        os.unlink(os.path.join(self.folder, "data", "common.yaml"))
        os.rmdir(os.path.join(self.folder, "data"))
        self.write(f"password: {SECRET}\n", self.outside, "common.yaml")
        self.link(self.outside, "data")
        self.refuses(*query)
        # A link within the repository is followed.
        os.unlink(os.path.join(self.folder, "data"))
        self.write("a: 1\n", "real", "common.yaml")
        self.link("real", "data")
        self.assertEqual(json.loads(self.run_strata("ansible-inventory", "--list", *query, status=0).stdout)["_meta"]["hostvars"]["n1"], {"a": 1})

    def test_a_named_file_of_the_repository_may_not_lead_out(self):
        self.link(self.secret, "user.yaml")
        self.refuses("merge", "user.yaml")

    def test_the_folder_of_git(self):
        """A checkout of CI leaves its token in .git/config, and the files of a pull request name it."""
        self.git("init", "--quiet")
        self.git("config", "http.extraheader", f"AUTHORIZATION: basic {SECRET}")
        self.link(".git/config", "link.yaml")
        self.write("#include\nfile:.git/config\n", "user.yaml")
        os.rename(os.path.join(self.folder, ".git", "config"), os.path.join(self.folder, ".git", "common.yaml"))
        for words in (self.hiera(".git"), self.hiera("data/../.git")):
            self.assertNotIn(SECRET, "".join(self.says(*analysis, *words) for analysis in (["check"], ["coverage"], ["ansible-inventory", "--list"])))
        os.rename(os.path.join(self.folder, ".git", "common.yaml"), os.path.join(self.folder, ".git", "config"))
        self.hiera()
        for words in (["merge", "user.yaml"], ["merge", "link.yaml"]):
            self.refuses(*words)
        for text in ("{verb: merge, args: [.git/config]}", "{verb: lookup, hiera-config: hiera.yaml, facts: .git/config}"):
            self.write(f"projects:\n  site: {text}\n", ".strata.yaml")
            self.refuses("@site")

    def test_data_folders(self):
        self.write(f"password: {SECRET}\n", self.outside, "common.yaml")
        for datadir in (self.outside, "../outside", "../../../../../../../" + self.outside):
            self.refuses(*self.hiera(datadir))

    def levels(self, *levels):
        """A hierarchy with a level of its own data, and two nodes with facts. The query."""
        self.write("version: 5\nhierarchy:\n" + "".join(f"- {one}\n" for one in (*levels, "{name: all, path: common.yaml}")), "hiera.yaml")
        self.write('[{"name": "n1", "facts": {"x": "x1"}}, {"name": "n2", "facts": {"x": "x2"}}]\n', "nodes.json")
        self.write("a: 1\nb: 1\n", "data", "common.yaml")
        return ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"]

    def goes_on(self, query, warnings):
        """All analyses report the files that may be read. `warnings`: how many each gives about what is outside."""
        check = json.loads(self.run_strata("check", "--output", "json", *query, status=1 if warnings else 0).stdout)
        found = [one for one in check["findings"] if "outside of the folders" in one["message"]]
        self.assertEqual(len(found), warnings, check)
        self.assertFalse([one for one in check["findings"] if one["code"] == "check.unreachable-level"])
        for one in found:
            self.assertEqual((one["severity"], one["file"]), ("warning", "hiera.yaml"))
            self.assertIn("--allow-files DIR", one["hint"])
        for words in (["coverage"], ["set", "a=3"], ["impact", "--set", "data/common.yaml:/a=3"], ["diff", "--set", "data/common.yaml:/a=3"]):
            run = self.run_strata(*words, *query)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            self.assertIn("common.yaml", run.stdout)
            self.assertNotIn(SECRET, run.stdout + run.stderr)
            self.assertEqual(run.stderr.count("outside of the folders"), warnings, run.stderr)
        return found

    def test_levels_outside_are_warnings(self):
        self.write(f"password: {SECRET}\n", self.outside, "common.yaml")
        for level in (f"{{name: out, path: common.yaml, datadir: {self.outside}}}", f"{{name: out, paths: [common.yaml, '%{{facts.x}}.yaml'], datadir: {self.outside}}}",
                      f"{{name: out, glob: '*.yaml', datadir: {self.outside}}}", "{name: out, path: common.yaml, datadir: ../outside}"):
            found = self.goes_on(self.levels(level), 1)
            self.assertIn(f"--map {self.outside}=DIR", found[0]["hint"])
            self.assertIn("levels with this datadir have no data", found[0]["message"])
        # A name with variables is one warning for all nodes.
        found = self.goes_on(self.levels(f"{{name: out, path: common.yaml, datadir: '{self.outside}/%{{facts.x}}'}}"), 1)
        self.assertIn(f"the folder '{self.outside}/%{{facts.x}}' is outside", found[0]["message"])
        self.assertIn(f"--map {self.outside}=DIR", found[0]["hint"])
        for path in (self.secret, f"{self.outside}/%{{facts.x}}.yaml"):
            found = self.goes_on(self.levels(f"{{name: out, path: '{path}'}}"), 1)
            self.assertIn(f"'{path}' is outside", found[0]["message"])
            self.assertIn("--map FROM=DIR", found[0]["hint"])
        self.goes_on(self.levels(f"{{name: one, path: a.yaml, datadir: {self.outside}}}", f"{{name: two, path: b.yaml, datadir: {self.outside}}}"), 1)
        self.goes_on(self.levels(f"{{name: one, path: a.yaml, datadir: {self.outside}}}", "{name: two, path: b.yaml, datadir: /nowhere/data}"), 2)

    def test_links_that_no_level_reads(self):
        query = self.levels()
        self.write(f"password: {SECRET}\n", self.outside, "folder", "x.yaml")
        self.link(self.secret, "data", "unread.yaml")
        self.link(os.path.join(self.outside, "folder"), "data", "unread")
        self.link(self.secret, "data", "more", "unread.yaml")
        self.goes_on(query, 0)

    def test_projects(self):
        query = self.hiera()
        self.write("a: 1\n", "data", "common.yaml")
        self.write(f'[{{"name": "{SECRET}", "facts": {{}}}}]', self.outside, "nodes.json")
        self.write(f'[{{"name": "n1", "args": ["--node", "{SECRET}"]}}]', self.outside, "fleet.json")
        del query
        for text in (f"{{verb: lookup, hiera-config: hiera.yaml, nodes: {self.outside}/nodes.json}}", "{verb: lookup, hiera-config: hiera.yaml, nodes: ../outside/nodes.json}",
                     f"{{verb: lookup, hiera-config: {self.secret}, nodes: nodes.json}}", f"{{verb: lookup, hiera-config: hiera.yaml, fleet: {self.outside}/fleet.json}}",
                     f"{{verb: lookup, hiera-config: hiera.yaml, facts: {self.secret}}}", f"{{verb: merge, args: [{self.secret}]}}",
                     f"{{verb: inventory, nodes-dir: {self.outside}, classes-dir: {self.outside}}}", f"{{verb: render, args: [{self.outside}]}}"):
            self.write(f"projects:\n  site: {text}\n", ".strata.yaml")
            self.refuses("@site")
            self.assertNotIn(SECRET, self.says("projects"))
            self.assertNotIn(SECRET, self.says("explore", "--check"))
        # Files that the user adds count.
        self.write("projects:\n  site: {verb: lookup, hiera-config: hiera.yaml}\n", ".strata.yaml")
        self.run_strata("check", "@site", "--nodes", f"{self.outside}/nodes.json", status=0)
        os.unlink(os.path.join(self.folder, ".strata.yaml"))
        self.link(self.secret, ".strata.yaml")
        for words in (["projects"], ["check", "@site"], ["explore", "--check"]):
            self.assertNotIn(SECRET, self.says(*words))

    def test_other_dialects(self):
        self.write("parameters: {}\n", "nodes", "n1.yml")
        os.mkdir(os.path.join(self.folder, "classes"))
        self.write("resource_registry: {}\nparameters: {}\n", "env.yaml")
        self.write(f"heat_template_version: 2018-08-31\nresources:\n  a:\n    type: OS::Nova::Server\n    properties: {{user_data: {{get_file: 'file://{self.secret}'}}}}\n", "t.yaml")
        self.refuses("compose", "-t", "t.yaml", "-e", "env.yaml")
        self.write(f"resource_registry: {{'My::Thing': '{self.secret}'}}\n", "env.yaml")
        self.write("heat_template_version: 2018-08-31\nresources: {a: {type: 'My::Thing'}}\n", "t.yaml")
        self.refuses("compose", "-t", "t.yaml", "-e", "env.yaml")
        self.link(self.secret, "classes", "c.yml")
        self.write("classes: [c]\n", "nodes", "n1.yml")
        self.refuses("inventory", "--all")
        os.unlink(os.path.join(self.folder, "classes", "c.yml"))
        self.write(f"nodes_uri: {self.outside}\nclasses_uri: {self.outside}\n", "reclass-config.yml")
        self.assertNotIn(SECRET, self.says("check", "inventory", "--all"))

    def test_configuration_of_checks(self):
        query = self.hiera()
        self.write("a: 1\n", "data", "common.yaml")
        self.link(self.secret, ".strata-check.yaml")
        self.assertNotIn(SECRET, self.says("check", *query))

    def test_inputs_that_the_user_names(self):
        query = self.hiera()[:3]
        self.write("a: '%{facts.x}'\n", "data", "common.yaml")
        self.write('{"x": "y"}', self.outside, "facts.json")
        for words, options in ((["--facts", f"{self.outside}/facts.json"], {}), (["--facts", "/dev/stdin"], {"input": '{"x": "y"}'}),
                               (["--facts", "-"], {"input": '{"x": "y"}'})):
            out = self.run_strata("diff", "--set", "data/common.yaml:/a='%{facts.x}z'", *query, *words, "--all", **options)
            self.assertIn("yz", out.stdout, out.stderr)
        run = subprocess.run(["bash", "-c", f"exec {STRATA} diff --set \"data/common.yaml:/a='%{{facts.x}}z'\" {' '.join(query)} --all --facts <(echo '{{x: y}}')"], cwd=self.folder,
                             capture_output=True, text=True, timeout=HANGS)
        self.assertIn("yz", run.stdout, run.stderr)
        # Facts outside open nothing beside them.
        self.link(self.secret, "data", "more.yaml")
        self.write(self.read("hiera.yaml").replace("common.yaml", "more.yaml"), "hiera.yaml")
        self.refuses(*query, "--all", "--facts", f"{self.outside}/facts.json")

    def test_texts_of_edits_may_be_anywhere(self):
        query = self.hiera()
        self.write("a: 1\n", "data", "common.yaml")
        self.write("a: 2\n", self.outside, "new.yaml")
        self.run_strata("diff", "--edit", f"data/common.yaml={self.outside}/new.yaml", *query, status=1)

    def test_pipes_and_devices_are_not_opened(self):
        query = self.hiera()
        os.makedirs(os.path.join(self.folder, "data"))
        os.mkfifo(os.path.join(self.folder, "data", "common.yaml"))
        self.assertIn("regular file", self.says("check", *query))
        os.unlink(os.path.join(self.folder, "data", "common.yaml"))
        self.link("/dev/zero", "data", "common.yaml")
        self.refuses(*query)

    def test_key_files(self):
        query = self.hiera()
        self.write("version: 5\nhierarchy:\n- {name: all, lookup_key: eyaml_lookup_key, path: data/common.yaml, options: {pkcs7_private_key: "
                   f"{self.secret}, pkcs7_public_key: {self.secret}}}}}\n", "hiera.yaml")
        self.write("a: ENC[PKCS7,MIIBiQYJKoZIhvcNAQcDoIIBejCCAXYCAQAxggEhMIIBHQIBADAFMAACAQEw]\n", "data", "common.yaml")
        self.assertNotIn(SECRET, self.says("check", *query))


class PlainCommands(Repository):
    def test_they_read_what_their_reference_reads(self):
        self.write(f"#cloud-config\ntimezone: {SECRET}\n", self.outside, "part.yaml")
        self.write(f"#include\n{self.outside}/part.yaml\n", "user.yaml")
        self.assertIn(SECRET, self.run_strata("merge", "user.yaml", status=0).stdout)

    def test_their_messages_do_not_quote_it(self):
        self.write("#include\nfile:///proc/self/environ\n", "user.yaml")
        run = self.run_strata("merge", "user.yaml", status=0)
        self.assertNotIn(SECRET, run.stdout + run.stderr)
        self.assertIn("part.unhandled", run.stderr)
        self.write(f"#cloud-config\n{SECRET}: ]\n", self.outside, "broken.yaml")
        self.write(f"#include\n{self.outside}/broken.yaml\n", "user.yaml")
        run = self.run_strata("merge", "user.yaml")
        self.assertNotIn(SECRET, run.stderr)
        self.assertIn("broken.yaml", run.stderr)
        # Those of a folder that is named do.
        self.assertIn(SECRET, self.run_strata("merge", "--allow-files", self.outside, "user.yaml").stderr)

    def test_messages_about_files_that_are_named(self):
        self.write(f"{SECRET}: ]\n", self.outside, "hiera.yaml")
        self.assertIn(SECRET, self.run_strata("lookup", "--hiera-config", f"{self.outside}/hiera.yaml", "a").stderr)
        self.assertIn(SECRET, self.run_strata("lookup", "--hiera-config", "hiera.yaml", "a", cwd=self.outside).stderr)


class Writing(Repository):
    def explored(self):
        self.write("version: 5\nhierarchy:\n- {name: node, path: '%{facts.cert}.yaml'}\n- {name: all, path: common.yaml}\n", "hiera.yaml")
        self.write('[{"name": "n1", "facts": {"cert": "n1"}}]\n', "nodes.json")
        self.write("a: 1\n", "data", "common.yaml")
        return Explorer(STRATA, "--write", "lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", folder=self.folder)

    def put(self, explorer, name, text="a: 2\n", tag="*"):
        status, _, body = explorer.request("PUT", f"{PREFIX}/projects/lookup/files/{quoted(name)}", {"text": text}, {"If-Match": tag})
        return status, json.loads(body)

    def test_only_configuration_of_the_project(self):
        self.git("init", "-q")
        self.write("all:\n", "Makefile")
        with self.explored() as explorer:
            self.assertEqual(self.put(explorer, "data/n1.yaml")[0], 200)
            self.assertEqual(self.read("data", "n1.yaml"), "a: 2\n")
            for name in (".git/config", ".git/hooks/pre-commit", ".GIT/hooks/x", ".github/workflows/x.yaml", "data/n2.yaml", "Makefile", "x", "data/.git/n1.yaml"):
                for text in ("a: 2\n", "", "# x\n"):
                    status, body = self.put(explorer, name, text)
                    self.assertIn(status, (400, 404, 412), (name, body))
            for name in (".git/hooks/pre-commit", ".GIT", ".github", "data/n2.yaml", "x", "data/.git"):
                self.assertFalse(os.path.lexists(os.path.join(self.folder, name)), name)
            self.assertEqual(self.read("Makefile"), "all:\n")

    def test_links_that_lead_out(self):
        self.link(self.secret, "data", "n1.yaml")
        with self.explored() as explorer:
            for tag in ("*", '"0"'):
                status, body = self.put(explorer, "data/n1.yaml", tag=tag)
                self.assertEqual(status, 400, body)
                self.assertEqual(body["code"], "tree.outside")
        self.assertEqual(self.read(self.secret), f"password: {SECRET}\n")

    def test_links_that_no_level_reads(self):
        self.link(self.secret, "data", "unread.yaml")
        self.link(self.outside, "data", "unread")
        with self.explored() as explorer:
            status, _, body = explorer.request("GET", f"{PREFIX}/projects/lookup/files")
            self.assertEqual(status, 200, body)
            self.assertIn("data/common.yaml", [one["file"] for one in json.loads(body)["files"]])
            for name in ("data/unread.yaml", "data/unread/secret.yaml"):
                status, _, body = explorer.request("GET", f"{PREFIX}/projects/lookup/files/{quoted(name)}")
                self.assertEqual(status, 404, body)
                self.assertNotIn(SECRET, body.decode())
            self.assertEqual(self.put(explorer, "data/n1.yaml")[0], 200)
            self.assertIn(self.put(explorer, "data/unread.yaml")[0], (400, 404))

    def test_levels_outside(self):
        self.write("version: 5\nhierarchy:\n- {name: node, path: '%{facts.cert}.yaml'}\n- {name: out, path: x.yaml, datadir: /etc/puppetlabs/code/hieradata}\n"
                   "- {name: all, path: common.yaml}\n", "hiera.yaml")
        self.write('[{"name": "n1", "facts": {"cert": "n1"}}]\n', "nodes.json")
        self.write("a: 1\n", "data", "common.yaml")
        with Explorer(STRATA, "--write", "lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", folder=self.folder) as explorer:
            for page in ("files", "findings", "overview"):
                status, _, body = explorer.request("GET", f"{PREFIX}/projects/lookup/{page}")
                self.assertIn(status, (200, 404) if page == "overview" else (200,), body)
            self.assertEqual(self.put(explorer, "data/n1.yaml")[0], 200)

    def test_wrong_names_are_mistakes_of_the_client(self):
        with self.explored() as explorer:
            for name in ("x" * 300, "x/" * 3000 + "x", "data/" + "y" * 300 + ".yaml", "data", "data/", "data/common.yaml/x", "data/common.yaml/", "a\nb", "..", "../x", "/etc/x",
                         "data//x", "./data/n1.yaml"):
                for method in ("PUT", "GET"):
                    status, _, body = explorer.request(method, f"{PREFIX}/projects/lookup/files/{quoted(name)}", {"text": "a: 2\n"} if method == "PUT" else None,
                                                       {"If-Match": "*"})
                    self.assertTrue((400 if method == "PUT" and not name.startswith("./") else 200) <= status < 500, (method, name[:20], status, body))

    def small_files(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    def test_a_limit_on_the_size_of_files(self):
        query = self.hiera()
        self.write("a: 1\n" + "# " + "x" * 5000 + "\n", "data", "common.yaml")
        before = self.read("data", "common.yaml")
        run = self.run_strata("set", "a=2", "--apply", *query, preexec_fn=self.small_files)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn("output.edit", run.stderr)
        self.assertEqual(self.read("data", "common.yaml"), before)
        self.assertEqual(os.listdir(os.path.join(self.folder, "data")), ["common.yaml"])


if __name__ == "__main__":
    unittest.main()
