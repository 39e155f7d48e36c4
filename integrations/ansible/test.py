# SPDX-License-Identifier: Apache-2.0
"""The collection with a real Ansible: variables and places equal what the program says, by the plugin and by the inventory, in inventories and playbooks."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FolderTest  # noqa: E402

PROJECT = "projects:\n  fleet: {verb: lookup, codedir: ., nodes: nodes}\n"


# Debian's Ansible has no output for programs.
COLLECT = """
import json, os
from ansible.plugins.callback import CallbackBase
DOCUMENTATION = "name: collect\\ntype: stdout\\nshort_description: results as JSON"

class CallbackModule(CallbackBase):
    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, "stdout", "collect"

    def v2_runner_on_ok(self, result):
        print(json.dumps([result._task.get_name(), result._host.get_name(), result._result], default=str))

    def v2_runner_on_failed(self, result, ignore_errors=False):
        print(json.dumps([result._task.get_name(), result._host.get_name(), result._result], default=str))
"""


class AnsibleTest(FolderTest):
    """A folder with an Ansible of its own."""

    def setUp(self):
        super().setUp()
        self.environment.update({"ANSIBLE_HOME": str(self.folder / "ansible"), "ANSIBLE_LOCAL_TEMP": str(self.folder / "temp"), "ANSIBLE_NOCOLOR": "1",
                                 "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3", "ANSIBLE_LOCALHOST_WARNING": "false"})


@unittest.skipUnless(shutil.which("ansible-inventory"), "Ansible is not installed: script/bootstrap --integrations")
class Collection(AnsibleTest):
    installed = None

    def install(self):
        """Once for all tests: the collection as it is distributed."""
        if Collection.installed is None:
            Collection.installed = tempfile.TemporaryDirectory()
            self.addClassCleanup(Collection.installed.cleanup)
            self.run_in(".", "ansible-galaxy", "collection", "build", "--output-path", self.folder, HERE)
            self.run_in(".", "ansible-galaxy", "collection", "install", "--collections-path", Collection.installed.name, "--offline",
                        next(self.folder.glob("strata-layers-*.tar.gz")))
        (self.folder / "collections").symlink_to(Collection.installed.name)

    def setUp(self):
        super().setUp()
        self.install()
        self.write({"callbacks/collect.py": COLLECT})
        site = self.copy("hiera", "site")
        # Keys of eyaml count from the folder where strata works.
        (site / "examples").mkdir()
        (site / "examples/hiera").symlink_to("..")
        self.write({"site/.strata.yaml": PROJECT})
        self.configure(project="@fleet", folder="site")
        # What is Sensitive comes in clear text.
        common = site / "environments/production/data/common.yaml"
        text = common.read_text(encoding="utf-8")
        common.write_text(text.replace("convert_to: Sensitive", "merge: first"), encoding="utf-8")
        self.wanted = json.loads(self.strata("site", "lookup", "--codedir", ".", "--nodes", "nodes", "--all", "--output", "json"))
        common.write_text(text, encoding="utf-8")
        self.names = sorted(self.wanted)
        self.hosts = ",".join(self.names) + ","

    def configure(self, **options):
        lines = "".join(f"{name} = {value}\n" for name, value in options.items())
        self.write({"ansible.cfg": "[defaults]\ncollections_path = collections\nvars_plugins_enabled = host_group_vars,strata.layers.strata\n"
                                   f"callback_plugins = callbacks\nstdout_callback = collect\njinja2_native = true\n[inventory]\nany_unparsed_is_failed = true\n[strata]\n{lines}"})

    def inventory(self, *words, environment=None):
        done = self.run_in(".", "ansible-inventory", *words, environment=environment)
        self.marked = []
        return json.loads(done.stdout, object_hook=self.unmarked)

    def unmarked(self, members):
        """Ansible shows texts that it does not take for templates with a mark."""
        if set(members) != {"__ansible_unsafe"}:
            return members
        self.marked.append(members["__ansible_unsafe"])
        return self.marked[-1]

    def failure(self, *words, environment=None):
        done = self.run_in(".", "ansible-inventory", *words, status=None, environment=environment)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        # Messages are wrapped.
        return " ".join(done.stderr.split())

    def play(self, hosts, tasks):
        """The results of tasks, by task and host."""
        self.write({"play.yml": json.dumps([{"hosts": "all", "gather_facts": False, "connection": "local", "tasks": tasks}])})
        out = {}
        for line in self.run_in(".", "ansible-playbook", "-i", hosts, "play.yml").stdout.splitlines():
            task, host, result = json.loads(line)
            out.setdefault(task, {})[host] = result
        return out

    def test_the_plugin_gives_what_the_program_gives(self):
        # A host that nobody knows has no variables, nor have groups.
        found = self.inventory("-i", self.hosts + "stranger,", "--list")
        self.assertEqual(found["_meta"]["hostvars"], self.wanted)
        self.assertGreater(len(self.wanted[self.names[0]]), 5)
        self.assertIn(self.wanted[self.names[0]]["profile::backup::password"], self.marked)
        self.assertNotIn(self.wanted[self.names[0]]["accounts::home"], self.marked)

    def test_the_python_module_is_asked_where_no_program_is_named(self):
        """The module has the interface of the real one, whose answers python/tests compares with those of the program."""
        self.write({"modules/strata_layers/__init__.py": "",
                    "modules/strata_layers/__main__.py": f"import os, sys\nopen('{self.folder}/asked', 'a').write('module ')\n"
                                                         f"os.execv('{testing.STRATA}', ['strata', *sys.argv[1:]])\n",
                    # Modules of the project's folder are not the one.
                    "site/json.py": "raise SystemExit('a module of the project')\n"})
        (self.folder / "bin/strata").unlink()
        environment = {"PYTHONPATH": str(self.folder / "modules")}
        found = self.inventory("-i", self.hosts, "--list", environment=environment)
        self.assertEqual(found["_meta"]["hostvars"], self.wanted)
        self.assertEqual((self.folder / "asked").read_text(encoding="utf-8"), "module ")
        # A program that is named is asked; without the module, the one of the PATH.
        self.configure(project="@fleet", folder="site", program=testing.STRATA)
        self.assertEqual(self.inventory("-i", self.hosts, "--list", environment=environment)["_meta"]["hostvars"], self.wanted)
        self.assertEqual((self.folder / "asked").read_text(encoding="utf-8"), "module ")
        self.configure(project="@fleet", folder="site")
        self.write({"none/strata_layers.py": "raise ImportError('libstrata.so.1 is missing')\n"})
        self.assertIn("strata cannot be started", self.failure("-i", self.hosts, "--list", environment={"PYTHONPATH": str(self.folder / "none")}))

    def test_warnings_are_shown(self):
        self.write({"site/environments/production/data/common.yaml": (self.folder / "site/environments/production/data/common.yaml").read_text(encoding="utf-8")
                    + "twice: 1\ntwice: 1\n"})
        self.configure(project="@fleet", folder="site", program=testing.STRATA)
        done = self.run_in(".", "ansible-inventory", "-i", self.hosts, "--list")
        self.assertRegex(done.stderr, r"\[WARNING\]:\s+strata: ")
        self.assertIn("[hiera.repeated-key]", done.stderr)

    def test_the_places_of_values(self):
        self.configure(project="@fleet", folder="site", origins="true")
        found = self.inventory("-i", self.hosts, "--list")["_meta"]["hostvars"]
        for name in self.names[:2]:
            blame = json.loads(self.strata("site", "lookup", "--codedir", ".", "--facts", f"nodes/{name.split('.')[0]}.yaml", "--all", "--blame", "--output",
                                           "json"))
            self.assertEqual(found[name].pop("strata_origins"), {leaf["path"]: f"{leaf['file']}:{leaf['line']}" for leaf in blame if leaf["file"]})
            self.assertEqual(found[name], self.wanted[name])

    def test_a_playbook(self):
        keys = sorted(key for key in self.wanted[self.names[0]] if all(key in values for values in self.wanted.values()))
        self.assertGreater(len(keys), 3)
        self.configure(project="@fleet", folder="site", origins="true")
        tasks = self.play(self.hosts, [
            *({"name": key, "debug": {"var": f"hostvars[inventory_hostname]['{key}']"}} for key in keys),
            {"name": "lookup", "debug": {"msg": "{{ lookup('vars', 'accounts::users') }}"}},
            {"name": "origin", "debug": {"msg": "{{ strata_origins['/accounts::users/alice/groups/1'] }}"}}])
        for name in self.names:
            for key in keys:
                self.assertEqual(tasks[key][name][f"hostvars[inventory_hostname]['{key}']"], self.wanted[name][key])
            self.assertEqual(tasks["lookup"][name]["msg"], self.wanted[name]["accounts::users"])
            self.assertRegex(tasks["origin"][name]["msg"], r"^environments/production/data/.*\.yaml:\d+$")

    def test_secrets_are_no_templates(self):
        """A secret that looks like a template stays what it is; other texts are templates, as ever in Ansible."""
        self.write({"small/.strata.yaml": "projects: {fleet: {verb: compose, template: t.yaml, fleet: [{name: one, args: [-e, e.yaml]}]}}\n",
                    "small/t.yaml": "heat_template_version: 2018-08-31\nparameters:\n  password: {type: string, hidden: true}\n  text: {type: string}\n",
                    "small/e.yaml": "parameters:\n  password: \"{{ 6 * 7 }}\"\n  text: \"{{ 6 * 7 }}\"\n"})
        self.configure(project="@fleet", folder="small")
        played = self.play("one,", [{"name": "it", "debug": {"var": "parameters"}}])
        self.assertEqual(played["it"]["one"]["parameters"], {"password": "{{ 6 * 7 }}", "text": 42})

    def test_the_inventory(self):
        environment = {"STRATA_FOLDER": str(self.folder / "site"), "STRATA_GROUP_BY": "role os.family", "ANSIBLE_VARS_ENABLED": "host_group_vars"}
        found = self.inventory("-i", HERE / "inventory/strata.sh", "--list", environment=environment)
        self.assertEqual(found["_meta"]["hostvars"], self.wanted)
        web = [name for name in self.wanted if name.startswith("web")]
        self.assertEqual(sorted(found["role_web"]["hosts"]), sorted(web))
        self.assertIn("os_family_RedHat", found)
        one = self.inventory("-i", HERE / "inventory/strata.sh", "--host", web[0], environment=environment)
        self.assertEqual(one, self.wanted[web[0]])

    def test_what_is_broken_is_told(self):
        self.write({"site/environments/production/data/common.yaml": "a: [\n"})
        told = self.failure("-i", self.hosts, "--list")
        self.assertIn("data/common.yaml:2:1: error:", told)
        environment = {"STRATA_FOLDER": str(self.folder / "site"), "ANSIBLE_VARS_ENABLED": "host_group_vars"}
        self.assertIn("data/common.yaml:2:1: error:", self.failure("-i", HERE / "inventory/strata.sh", "--list", environment=environment))
        self.configure(project="@flet", folder="site")
        self.assertIn("did you mean 'fleet'", self.failure("-i", self.hosts, "--list"))
        self.configure(project="@fleet", folder="site", program="no-such-program")
        self.assertIn("cannot be started", self.failure("-i", self.hosts, "--list"))


@unittest.skipUnless(shutil.which("ansible-inventory"), "Ansible is not installed: script/bootstrap --integrations")
class Readme(AnsibleTest, testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
