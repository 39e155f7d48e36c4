#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a check reads besides data files of YAML and JSON: inventories of reclass, HOCON, files of subjects without a result; and what it never shows.

Usage: check_files_test.py BINARY
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_site import HANGS, HIERA, SiteTest  # noqa: E402

SiteTest.strata = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
INVENTORY = ("inventory", "--all")
LEVELS = 'version: 5\nhierarchy:\n  - {name: n, path: "n/%{cert}.yaml"}\n  - {name: r, path: "r/%{role}.yaml"}\n  - {name: common, path: common.yaml}\n'
NODES = json.dumps([{"name": name, "facts": {"cert": name, "role": role}} for name, role in (("a", "w"), ("b", "w"), ("c", "d"))])


class Inventory(SiteTest):
    """The statements of an inventory are the members of its parameters, and the lists beside these."""

    def setUp(self):
        super().setUp()
        self.write({
            "classes/base.yml": "parameters:\n  nginx: {port: 80, user: www}\n  motd: hi ${_reclass_:name:short}\n  unseen: 1\n  role: web\napplications: [ssh]\n",
            "classes/role/web.yml": "classes: [base]\nparameters:\n  nginx: {port: 80}\n  unseen: 2\n  role: web\n",
            "classes/role/web/init.yml.off": "",
            "classes/old.yml": "parameters: {k: 1}\n",
            "classes/notes.json": "{}",
            "nodes/n1.yml": "classes: [base, 'role.${role}']\nenvironment: base\napplications: [ssh, more, ~none]\nparameters:\n  nginx: {prot: 1}\n  ~unseen: 3\n",
            "nodes/n2.yml": "classes: [role.web]\nparameters:\n  nginx: {port: 8080}\n",
        })

    def told(self, *words):
        return [(code, file, line) for code, file, line in self.findings(*words, question=INVENTORY)]

    def test_dead(self):
        self.assertEqual(self.told("--select", "dead-override,never-visible,dead-item,idle-knockout"), [
            # n2 and n1 have the port of role.web; the user is base's alone.
            ("never-visible", "classes/base.yml", 2), ("never-visible", "classes/base.yml", 4),
            ("dead-override", "classes/role/web.yml", 3), ("dead-override", "classes/role/web.yml", 5),
            ("dead-override", "nodes/n1.yml", 2), ("dead-item", "nodes/n1.yml", 3), ("idle-knockout", "nodes/n1.yml", 3),
        ])
        one = next(one for one in self.report(question=INVENTORY)["findings"] if one["path"] == "/parameters/nginx/port" and "base" in one["file"])
        self.assertEqual(one["message"], "'parameters/nginx/port' is never seen: the 2 nodes that read it have stronger values")

    def test_other_findings(self):
        self.assertEqual(self.told("--select", "typo,unused-file,type-clash,scalar-type,surprising-scalar,lost-items,unknown-variable"), [
            ("unused-file", "classes/old.yml", None), ("typo", "nodes/n1.yml", 5)])
        self.write({"classes/role/web.yml": "classes: [base]\nparameters:\n  nginx: {port: '80'}\n  unseen: 010\n  role: web\n"})
        self.assertEqual(self.told("--select", "type-clash,scalar-type,surprising-scalar"),
                         [("scalar-type", "classes/role/web.yml", 3), ("surprising-scalar", "classes/role/web.yml", 4), ("scalar-type", "nodes/n2.yml", 3)])
        # What overrides may have any shape.
        self.write({"nodes/n2.yml": "classes: [role.web]\nparameters:\n  ~nginx: [1]\n"})
        self.assertEqual([one for one in self.told("--select", "type-clash") if one[0] != "type-clash"], [])

    def test_fix(self):
        def ask():
            return json.loads(subprocess.run([self.strata, *INVENTORY, "--output", "json"], cwd=self.folder, capture_output=True, timeout=HANGS, check=True).stdout)
        before = ask()
        self.check("--fix", "--select", "dead-override,never-visible,dead-item,idle-knockout", question=INVENTORY, status=0)
        self.assertEqual(ask(), before)
        self.assertNotIn("environment", self.read("nodes/n1.yml"))
        self.assertEqual(self.told("--select", "dead-override,never-visible,dead-item,idle-knockout"), [])

    def test_one_node_says_little(self):
        self.assertEqual(self.findings("--select", "dead-override", question=("inventory", "n1")), [])
        self.assertIn("analysis.no-fleet", self.check(question=("inventory", "n1")) + self.errors)

    def test_failing_nodes(self):
        self.write({"nodes/n3.yml": "classes: [nothing]\n"})
        told = self.told("--select", "unused-file,never-visible")
        self.assertIn(("never-visible", "classes/base.yml", 4), told)
        # What it would read is not known.
        self.assertEqual([one for one in told if one[0] == "unused-file"], [])

    def test_coverage(self):
        run = subprocess.run([self.strata, "coverage", *INVENTORY], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=True)
        self.assertIn("classes/role/web.yml (read by 2 of 2 nodes)\n", run.stdout)
        self.assertIn("    0! |   unseen: 1\n", run.stdout)
        self.assertIn("     2 |   motd: hi ${_reclass_:name:short}\n", run.stdout)
        self.assertIn("classes/old.yml (read by 0 of 2 nodes)\n", run.stdout)


class Hocon(SiteTest):
    """Findings in HOCON are told, and nothing edits it."""

    def test_dead(self):
        self.write({"data/more.conf": "# strata: allow never-visible kept\nk = 1\nl { a = 1, b = [x] }\nused = [1]\nm = ${used}\ns = \"1\"\nwrokers = 1\n", "data/common.yaml": "k: 2\nl: {a: 1}\ns: 1\nworkers: 2\n",
                    "data/role/web.yaml": "k: 3\nl: {a: 1, b: [x]}\nused: [1]\nworkers: 5\n"})
        told = [(one["code"][6:], one["file"], one["line"], one["path"], one["fixable"]) for one in self.report()["findings"] if one["file"].endswith(".conf")]
        self.assertEqual(told, [("never-visible", "data/more.conf", 3, "/l", False), ("scalar-type", "data/more.conf", 6, "/s", False), ("typo", "data/more.conf", 7, "/wrokers", False)])
        before = self.read("data/more.conf")
        self.check("--fix", "--select", "never-visible")
        self.assertEqual(self.read("data/more.conf"), before)
        self.assertNotIn("edit.", self.errors)


class Wording(SiteTest):
    """What is never seen for another reason than a stronger value."""

    def told(self, *words, question=("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json")):
        return [(one["path"], one["message"], one["hint"]) for one in self.report("--select", "dead-override,never-visible,dead-item", *words, question=question)["findings"]]

    def test_keys_that_no_lookup_reaches(self):
        self.write({"data/common.yaml": "5: x\na.b: 1\n~: y\n"})
        self.assertEqual(self.told(), [("/5", "'5' is never seen: no lookup reaches it", "remove it, or quote the key"),
                                       ("/null", "'null' is never seen: no lookup reaches it", "remove it, or quote the key")])

    def test_items_that_the_list_lacks(self):
        self.write({"a.yaml": "#cloud-config\nd: {l: [1, 2]}\n", "b.yaml": "#cloud-config\nmerge_how: list(recurse_list)+dict(recurse_list)+str()\nd: {l: [7, 8, 9]}\n"})
        self.assertIn(("/d/l/2", "this item changes nothing: the list does not have it", "remove it"), self.told(question=("merge", "a.yaml", "b.yaml")))

    def test_parameters_have_no_registry(self):
        self.write({"t.yaml": "heat_template_version: 2021-04-16\nparameters: {s: {type: string}}\nresources: {r: {type: 'A::B'}}\n", "q.yaml": "heat_template_version: 2021-04-16\nresources: {}\n",
                    "e.yaml": "parameters: {s: x}\nresource_registry: {'A::B': q.yaml}\n"})
        self.assertEqual(self.told(question=("parameters", "--template", "t.yaml", "-e", "e.yaml")), [])

    def test_what_fails_needs_its_statements(self):
        self.write({"data/common.yaml": "lookup_options: {h: {convert_to: Integer}, g: {merge: hash}}\nh: abc\ng: 1\n", "data/role/web.yaml": "h: abc\ng: {a: 1}\n"})
        self.assertEqual(self.told(), [("", json.loads(json.dumps(one["message"])), one["hint"]) for one in self.report()["findings"] if one["severity"] == "error"])

    def test_conversions_lose_nothing(self):
        self.write({"data/common.yaml": "lookup_options: {hh: {merge: deep, convert_to: Array}}\nhh: {a: {b: 1}, c: [1]}\n", "data/role/web.yaml": "hh: {a: {b: 1}, c: [2]}\n"})
        self.assertEqual(self.findings("--select", "lost-items"), [])

    def test_merges_take_the_same_from_weaker_files(self):
        """What is never visible is not always hidden by something stronger."""
        self.write({"data/common.yaml": "lookup_options: {h: {merge: hash}, u: {merge: deep}, d: {merge: deep}}\nh: {}\nu: [1, 2]\nd: {z: 0, a: 1}\n",
                    "data/role/web.yaml": "h: {}\nu: [2]\nd: {a: 2}\n"})
        told = {one["path"]: (one["message"], [(note["message"], note["file"], note["line"]) for note in one["notes"]], one["hint"])
                for one in self.report("--select", "never-visible")["findings"]}
        same = ("the 2 nodes that read it have the same values without it", [("the same value is here", "data/common.yaml", 2)], "remove it")
        self.assertEqual(told["/h"], (f"'h' is never seen: {same[0]}", *same[1:]))
        self.assertEqual(told["/u"], (f"'u' is never seen: {same[0]}", [("the same value is here", "data/common.yaml", 3)], "remove it"))
        self.assertEqual(told["/d/a"], ("'d/a' is never seen: the 2 nodes that read it have stronger values", [("a stronger value is here", "data/role/web.yaml", 3)],
                                        "remove it, or the stronger values"))

    def test_manifests_that_are_not_utf8(self):
        self.write({"data/common.yaml": "prof::web::port: 1\nprof::web::prot: 1\n", "code/x": ""})
        with open(f"{self.folder}/code/web.pp", "wb") as file:
            file.write(b"# \xe9t\xe9\nclass prof::web($port) {\n}\n")
        self.assertEqual([(one["code"], one["path"]) for one in self.report("--select", "unused-key,unknown-parameter", "--consumers", "code")["findings"]],
                         [("check.unknown-parameter", "/prof::web::prot")])

    def test_walks_of_knockouts_lose_items(self):
        self.write({"data/common.yaml": "lookup_options: {e: {merge: {strategy: deep, knockout_prefix: '--'}}}\ne: {l: [a, b]}\n",
                    "data/role/web.yaml": "e: {l: ['--a'], m: {n: {l: ['--x', y, z, '--q']}}, k: ['--', w]}\n"})
        self.assertEqual([(one["path"], one["message"]) for one in self.report("--select", "lost-items")["findings"]],
                         [("/e/m/n/l/1", "the merge loses 1 item of 'e/m/n/l'")])


class Unseen(SiteTest):
    """Keys whose users are out of sight."""

    PUPPETFILE = """# modules of the site
forge 'https://forge.example'
moduledir 'external'
mod 'shop/rocket', '1.0'   # mod 'shop/quoted'
mod "team-crane",
  :git => 'https://git.example/crane',
  branch: 'main'
mod 'ladder', :latest
"""

    def unused(self, data, files, *more):
        self.write({"data/common.yaml": data, "code/prof/manifests/init.pp": "class prof($port) {\n  $x = lookup('direct')\n}\n", **files})
        return [(one["path"], one["severity"], one["message"])
                for one in self.report("--select", "unused-key", "--consumers", "code", *more)["findings"]]

    def test_modules_that_are_not_here(self):
        data = "rocket::fuel: 1\ncrane::rope::size: 1\nladder::steps: 9\nquoted::a: 1\nprof::gone::a: 1\ndirect: 1\n"
        self.assertEqual(self.unused(data, {"Puppetfile": self.PUPPETFILE}), [
            ("/quoted::a", "note", "nothing is known to use 'quoted::a': the module 'quoted' is not here, and the Puppetfile does not name it"),
            ("/prof::gone::a", "warning", "nothing is known to use 'prof::gone::a'")])
        # With the code, what it uses is known.
        self.assertEqual([one[:2] for one in self.unused(data, {"code/rocket/manifests/init.pp": "class rocket($speed) {\n}\nclass rocket::stage {\n}\n"})],
                         [("/quoted::a", "note"), ("/prof::gone::a", "warning")])
        self.write({"data/common.yaml": "rocket::stages::a: 1\n"})
        self.assertEqual(len(self.report("--select", "unused-key", "--consumers", "code")["findings"]), 1)

    def test_environments_are_no_modules(self):
        self.write({"rocket/hiera.yaml": "version: 5\nhierarchy:\n  - {name: c, path: c.yaml}\n", "rocket/data/c.yaml": "rocket::fuel: 1\n",
                    "rocket/manifests/site.pp": "node default { }\n", "rocket/Puppetfile": self.PUPPETFILE})
        question = ("lookup", "--environment-root", "rocket", "--nodes", "nodes.json")
        self.assertEqual(self.report("--select", "unused-key", question=question)["findings"], [])
        self.assertEqual(self.unused("puppet::a: 1\n", {"Puppetfile": "mod 'shop/puppet'\n", "code/prof/lib/puppet/functions/prof/x.rb": "x\n"}), [])

    def test_keys_without_modules(self):
        self.assertEqual(self.unused("stray: 1\n", {}), [("/stray", "warning", "nothing is known to use 'stray'")])
        self.assertEqual(self.unused("stray: 1\n", {"Puppetfile": self.PUPPETFILE}),
                         [("/stray", "note", "nothing is known to use 'stray' (3 modules that the site needs are not here)")])

    def test_other_files_of_dependencies(self):
        data = "rocket::fuel: 1\n"
        for name, text in {"Puppetfile": "list.each { |name| mod name }\n", "Puppetfile.lock": "FORGE\n  specs:\n    shop-rocket (1.0)\n      shop-crane (>= 1)\n",
                           "code/prof/metadata.json": '{"name": "me-prof", "dependencies": [{"name": "shop/rocket"}]}',
                           "code/prof/.fixtures.yml": "fixtures:\n  forge_modules: {rocket: shop/rocket}\n",
                           "bolt-project.yaml": "modules: [shop/rocket, {name: shop-crane}]\n",
                           ".gitmodules": '[submodule "x"]\n\tpath = modules/rocket\n'}.items():
            self.write({"Puppetfile": "", "Puppetfile.lock": "", "code/prof/metadata.json": "{}", "code/prof/.fixtures.yml": "", "bolt-project.yaml": "",
                        ".gitmodules": ""})
            self.assertEqual(self.unused(data, {name: text}), [], name)
        self.write({"bolt-project.yaml": "[", ".gitmodules": "=", "code/prof/metadata.json": "[1"})
        self.assertEqual([one[:2] for one in self.unused(data, {})], [("/rocket::fuel", "note")])
        self.assertEqual(self.unused("puppet_enterprise::a: 1\npe_repo::b: 1\n", {}), [])

    def test_computed_keys(self):
        code = """class prof::more {
  $a = lookup("${where}::release")
  $b = lookup("shop_${facts['x']["y${z}"]}_${q}_tail")
  $c = lookup('early_' + $d)
}
"""
        data = "one::release: 1\nshop_1_2_tail: 1\nshop_tail: 1\nearly_x: 1\nprof::b: 1\n"
        self.assertEqual(self.unused(data, {"code/prof/manifests/more.pp": code}),
                         [("/shop_tail", "warning", "nothing is known to use 'shop_tail'"), ("/prof::b", "warning", "nothing is known to use 'prof::b'")][:1])

    def test_aliases_need_their_anchor(self):
        data = "shared: &shared {a: 1}\nlist: [&item x]\nown: &own [1, 1]\nprof::port: *shared\ndirect: {<<: *shared, b: *item}\n"
        self.assertEqual([one[0] for one in self.unused(data, {})], ["/own"])

    def test_names_that_are_no_typos(self):
        names = {"/deploy/net_tap": "/deploy/net_api", "osd-mon": "osd-mds", "push_all_of_it": "pull_all_of_it", "bay1": "day2", "fooWidthMin": "fooWidthMax",
                 "queue_nodes_x": "queue_codes_x", "daily_report": "dailyreports_x"}
        web = "".join(f"{json.dumps(name)}: 1\n" for name in names)
        common = "".join(f"{json.dumps(name)}: 1\n" for name in names.values())
        more = "nodes::max: 1\n"
        self.write({"data/role/web.yaml": web, "data/common.yaml": common, "data/more.json": json.dumps({**dict.fromkeys(names.values(), 1), "nodes::max": 1})})
        self.assertEqual(self.findings("--select", "typo"), [])
        self.write({"data/role/web.yaml": "queue_nodez_x: 1\nfooWidhtMax: 1\n" + more})
        self.assertEqual(self.findings("--select", "typo"), [("typo", "data/role/web.yaml", 2)])

    def test_copied_names_are_no_typos(self):
        hosts = "hosts:\n" + "".join(f"  - {{adress: {number}}}\n" for number in range(3))
        self.write({"data/role/web.yaml": hosts, "data/common.yaml": "hosts: [{address: 1}]\n", "data/more.json": '{"hosts": [{"address": 1}]}',
                    "hiera.yaml": HIERA})
        self.write({"data/common.yaml": "lookup_options: {hosts: {merge: deep}}\nhosts: [{address: 1}]\n"})
        self.assertEqual(self.findings("--select", "typo"), [])
        self.write({"data/role/web.yaml": "hosts: [{adress: 1}]\n"})
        self.assertEqual(self.findings("--select", "typo"), [("typo", "data/role/web.yaml", 1)])


class Failing(SiteTest):
    """Subjects without a result read files, too."""

    def test_broken_files(self):
        self.write({"hiera.yaml": LEVELS, "nodes.json": NODES, "data/r/w.yaml": "a: [\n", "data/n/a.yaml": "onlya: 1\n", "data/n/b.yaml": "z: '%{only}'\n",
                    "data/r/d.yaml": "k: 1\n", "data/common.yaml": "p: 1\nlookup_options: {onlya: {merge: first}}\n", "data/n/d.yaml": "k: 1\n"})
        self.assertEqual(self.findings(), [("unused-file", "data/n/d.yaml", None), ("yaml.syntax"[len("check."):], "data/r/w.yaml", 2)])

    def test_broken_configuration(self):
        self.write({"hiera.yaml": HIERA.replace("common.yaml", "%{lookup('x')}.yaml"), "data/common.yaml": "k: 1\n"})
        run = subprocess.run([self.strata, "coverage", "lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all"], cwd=self.folder, capture_output=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)


class Secrets(SiteTest):
    """No output shows what is secret, whatever form it has in the files."""

    OPTIONS = "lookup_options: {'^s': {convert_to: Sensitive}, sd: {merge: {strategy: deep, knockout_prefix: '--'}, convert_to: Sensitive}}\n"

    def shown(self, *words, question=("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json")):
        out = ""
        for command in (("check", "--exit-zero"), ("check", "--exit-zero", "--output", "json"), ("check", "--exit-zero", "--diff", "--select", "dead-override,never-visible,dead-item,idle-knockout"),
                        ("coverage",), *words):
            more = ("--all",) if question[0] == "lookup" and command[0] != "check" else ()
            run = subprocess.run([self.strata, *command, *question, *more], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            out += run.stdout + run.stderr
        return out

    def test_hiera(self):
        for text, more in (
            ("sd: [HUNTER1, x]\n", "sd: ['--HUNTER2', 'y']\n"),  # An idle knockout.
            ("s1: \"one\nHUNTER1 two\"\ns2:\n  - |\n   HUNTER2\n  - x\nz: 1\n", "s1: \"one\nHUNTER1 two\"\nz: 1\n"),  # Texts that go on no deeper.
            ("s1: HUNTER1\ns1: HUNTER2\nz: 1\n", "z: 1\n"), ("s1: {a: HUNTER1, a: HUNTER2}\n", "s1: {a: HUNTER1}\n"),  # Keys that occur twice.
            ("s1: {a: HUNTER1, b: [HUNTER2]}\n", "s1: {a: HUNTER1}\n"), ("s1: HUNTER1\rz: 1\r", "z: 1\r"),
            ("sd: {l: [HUNTER1, HUNTER2]}\n", "sd: {l: ['--a'], m: {n: {l: ['--x', HUNTER5]}}}\n"),  # merge.surprise quotes a line.
            ("{\"s1\": \"HUNTER1\", \"q\": \"%{nothing}\"}\n", "z: 1\n"),  # Warnings about a neighbour.
            ("sd: HUNTER1\n", "sd: {u: HUNTER2}\n"), ("sd: {l: [HUNTER1, 1]}\n", "sd: {l: {a: HUNTER2}}\n"),  # Nothing marks what fails.
            ("s1: >\n  HUNTER1\n\n  # HUNTER2\nz: 1\n", "s1: >\n  HUNTER1\n\n  # HUNTER2\nz: 1\n"),
        ):
            nodes = json.dumps([{"name": "a", "facts": {"cert": "a", "role": "x"}}])
            separate = '  - {name: options, path: options.yaml}\n'
            self.write({"hiera.yaml": LEVELS + separate, "nodes.json": nodes, "data/options.yaml": self.OPTIONS, "data/common.yaml": text, "data/n/a.yaml": more})
            self.assertNotIn("HUNTER", self.shown(("set", "z=2", "--for", "a")), (text, more))

    def test_warnings_of_comparisons(self):
        """Who compares results does not know which lines are secret. Each warning is told once."""
        self.write({"hiera.yaml": LEVELS, "a.json": '{"cert": "a"}', "data/common.yaml": self.OPTIONS + "z: 1\n",
                    "data/n/a.yaml": '{"s1": "HUNTER1", "q": "%{nothing}"}\n'})
        question = ("lookup", "--compat", "puppet7", "--hiera-config", "hiera.yaml", "--facts", "a.json", "--all")
        for command in (("diff", "--set", "data/common.yaml:/z=2"), ("impact", "--set", "data/common.yaml:/z=2"), ("set", "z=2")):
            run = subprocess.run([self.strata, *command, *question], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
            self.assertNotIn("HUNTER", run.stdout + run.stderr, command)
            self.assertEqual(run.stderr.count("data/n/a.yaml:1:24: warning: Undefined variable 'nothing'"), 1, (command, run.stderr))

    def test_comments_stay(self):
        """A text of one line hides nothing but itself."""
        self.write({"hiera.yaml": LEVELS, "nodes.json": NODES, "data/common.yaml": self.OPTIONS + "s1: 'HUNTER1'\n# a comment\ns2: HUNTER2\n# another\nz: 1\n"})
        out = self.shown()
        self.assertNotIn("HUNTER", out)
        self.assertIn("# a comment", out)
        self.assertIn("# another", out)

    def test_heat(self):
        self.write({"t.yaml": "heat_template_version: 2018-08-31\nparameters: {hl: {type: comma_delimited_list, hidden: true}, hj: {type: json, hidden: true}, port: {type: number}}\n"
                              "resources: {}\n",
                    "a.yaml": "parameter_defaults:\n  hl: [HUNTER2, HUNTER3]\n  hj: {HUNTERKEY: HUNTER4, l: [HUNTER5]}\n  port: 80\n",
                    "b.yaml": "parameter_defaults:\n  hj:\n    HUNTERKEY:\n      HUNTERL: x\n  hl: [HUNTER2]\n"})
        for files in (("-e", "a.yaml"), ("-e", "a.yaml", "-e", "b.yaml"), ("-e", "b.yaml", "-e", "a.yaml")):
            question = ("compose", "--template", "t.yaml", *files)
            self.assertNotIn("HUNTER", self.shown(("set", "parameter_defaults=5", "--path", "/port"), question=question), files)


if __name__ == "__main__":
    unittest.main()
