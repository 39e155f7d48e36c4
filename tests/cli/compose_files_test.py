#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The files that templates and registries name, in every command about a stack: attached as the client of the service attaches them, bounded by the
repository, and reported where they are missing.

usage: compose_files_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
HEAD = "heat_template_version: 2018-08-31\n"


def template(parameters="", resources=""):
    return HEAD + f"parameters: {{{parameters}}}\nresources: {{{resources}}}\n"


class Stacks(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = os.path.join(os.path.realpath(self.temporary.name), "stack")
        os.mkdir(self.folder)

    def place(self, files):
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def run_strata(self, *words, status=0, folder=None):
        done = subprocess.run([STRATA, *words], cwd=folder or self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def composed(self, *words, **more):
        return json.loads(self.run_strata("compose", *words, **more).stdout)

    def findings(self, *words, status=1, own=()):
        done = self.run_strata("check", "--output", "json", *own, *words, status=status)
        return [(one["code"], one["severity"], one.get("file"), one.get("line"), one["message"], one["hint"]) for one in json.loads(done.stdout)["findings"]]

    def stack(self):
        """A stack whose nested templates declare `inner`, `deep` and `mapped`."""
        self.place({
            "t.yaml": template("a: {type: json, default: {}}", "n: {type: parts/n.yaml}, m: {type: My::T}"),
            "parts/n.yaml": template("inner: {type: comma_delimited_list, default: ''}", "d: {type: deep.yaml}, f: {type: OS::X, p: {get_file: run.sh}}"),
            "parts/deep.yaml": template("deep: {type: string, default: '', hidden: true}"),
            "parts/run.sh": "#!/bin/sh\nprintf '\\x1b'\n",
            "env/one.yaml": "resource_registry: {My::T: ../parts/mapped.yaml}\nparameter_defaults: {a: {x: 1}}\nparameter_merge_strategies: {inner: merge}\n",
            "parts/mapped.yaml": template("mapped: {type: number, default: 1}"),
            "env/two.yaml": "parameter_defaults: {inner: [one], deep: geheim, mapped: 2, stray: 3}\nparameter_merge_strategies: {inner: merge}\n",
            "env/three.yaml": "parameter_defaults: {inner: [two]}\n",
        })
        return ("-t", "t.yaml", "-e", "env/one.yaml", "-e", "env/two.yaml", "-e", "env/three.yaml")

    def test_parameters_of_nested_templates_count(self):
        words = self.stack()
        done = self.run_strata("compose", *words)
        self.assertEqual(json.loads(done.stdout)["parameter_defaults"], {"a": {"x": 1}, "inner": ["one", "two"], "deep": "geheim", "mapped": 2})
        self.assertEqual(done.stderr.count("[heat.dropped-name]"), 1, done.stderr)
        self.assertNotIn("unattached", done.stderr)
        # A nested template hides its parameter.
        self.assertEqual(self.composed("--mask", *words)["parameter_defaults"]["deep"], "******")
        self.assertNotIn("geheim", self.run_strata("compose", "--explain", *words).stdout)
        # From another folder, and with absolute names.
        above = [word if word.startswith("-") else "stack/" + word for word in words]
        self.assertEqual(self.composed(*above, folder=os.path.dirname(self.folder)), json.loads(done.stdout))
        absolute = [word if word.startswith("-") else os.path.join(self.folder, word) for word in words]
        self.assertEqual(self.composed(*absolute, folder="/"), json.loads(done.stdout))

    def test_parameters_of_the_root_alone_are_listed(self):
        words = self.stack()
        self.assertEqual(json.loads(self.run_strata("parameters", *words).stdout), {"a": {"value": {"x": 1}, "text": '{"x": 1}', "hidden": False}})

    def test_a_state_holds_the_files_of_the_client_in_its_order(self):
        words = self.stack()
        state = json.loads(self.run_strata("compose", "--save-state", "-", *words).stdout)
        self.assertEqual(list(state["files"]), ["parts/deep.yaml", "parts/run.sh", "parts/n.yaml", "parts/mapped.yaml", "env/one.yaml", "env/two.yaml", "env/three.yaml"])
        self.run_strata("compose", "--save-state", "s.json", *words)
        os.remove(os.path.join(self.folder, "parts/n.yaml"))
        self.place({"four.yaml": "parameter_defaults: {inner: [three]}\n"})
        updated = self.composed("--existing", "s.json", "-e", "four.yaml")
        self.assertEqual(updated["parameter_defaults"]["inner"], ["one", "two", "three"])

    def test_a_given_file_wins(self):
        words = self.stack()
        self.place({"mine.yaml": template("stray: {type: number, default: 0}"), "other.yaml": template("inner: {type: string, default: ''}")})
        self.assertEqual(self.composed("--file", "mine.yaml", *words)["parameter_defaults"]["stray"], 3)
        # The type of the given file counts: strings cannot be merged with lists.
        self.assertIn("parameter 'inner'", self.run_strata("compose", "--file", "other.yaml", *words, status=1).stderr)
        # In place of the file that is named.
        self.place({"parts/n.yaml": "not a template\n"})
        self.assertNotIn("inner", self.composed(*words)["parameter_defaults"])
        self.place({"parts/n.yaml": template("inner: {type: json, default: {}}")})
        self.assertEqual(self.composed("--file", "parts/n.yaml", *words[:-2])["parameter_defaults"]["inner"], ["one"])

    def test_check_does_not_advise_to_delete_what_counts(self):
        words = self.stack()
        told = self.findings("compose", *words)
        self.assertEqual([one[4] for one in told if one[0] == "check.undeclared-parameter"], ["no template declares 'stray'"])
        self.assertFalse([one for one in told if one[2] == "env/two.yaml" and "inner" in one[4]], told)

    def test_playbooks_are_not_layers(self):
        self.place({
            "t.yaml": template("a: {type: string, default: ''}", "f: {type: OS::X, properties: {p: {get_file: play.yaml}, q: {get_file: values.json}}}"),
            "play.yaml": "- name: one\n  hosts: all\n- name: two\n  hosts: all\n",
            "values.json": '{"parameters": {"a": "x"}, "other": {"b": 1}}',
            "env.yaml": "parameter_defaults: {a: x}\n",
        })
        for command in ("compose", "parameters"):
            self.assertEqual(self.findings(command, "-t", "t.yaml", "-e", "env.yaml", status=0), [])
        told = json.loads(self.run_strata("coverage", "--output", "json", "compose", "-t", "t.yaml", "-e", "env.yaml").stdout)
        self.assertEqual({os.path.basename(one["file"]) for one in told["files"]} & {"play.yaml", "values.json"}, set())

    def test_loops_end(self):
        self.place({"t.yaml": template("a: {type: json}", "n: {type: n.yaml}"),
                    "n.yaml": template("b: {type: json}", "n: {type: m.yaml}, t: {type: t.yaml}, i: {type: n.yaml}"),
                    "m.yaml": template("c: {type: json}", "n: {type: n.yaml}"),
                    "e.yaml": "parameter_defaults: {a: {}}\n", "f.yaml": "parameter_defaults: {b: {}, c: {}}\n"})
        done = self.run_strata("compose", "-t", "t.yaml", "-e", "e.yaml", "-e", "f.yaml")
        self.assertEqual(json.loads(done.stdout)["parameter_defaults"], {"a": {}, "b": {}, "c": {}})
        self.assertEqual(done.stderr, "")

    def test_json_environments_and_base_url(self):
        self.place({"t.yaml": template("a: {type: json}"),
                    "e.json": json.dumps({"resource_registry": {"base_url": "file://" + self.folder + "/parts", "A": "n.template", "resources": {"r": {"B": "m.yaml"}}},
                                          "parameter_defaults": {"a": {}}}),
                    "parts/n.template": json.dumps({"HeatTemplateFormatVersion": "2012-12-12", "Parameters": {"N": {"Type": "Json"}}}),
                    "parts/m.yaml": template("m: {type: json}"), "f.yaml": "parameter_defaults: {N: {}, m: {}}\n"})
        done = self.run_strata("compose", "-t", "t.yaml", "-e", "e.json", "-e", "f.yaml")
        self.assertEqual(json.loads(done.stdout)["parameter_defaults"], {"a": {}, "N": {}, "m": {}})
        self.assertEqual(done.stderr, "")

    def test_a_template_beside_its_name_in_a_registry(self):
        """A registry entry that leads one folder too high, after a public report."""
        self.place({"deployment/volume.yaml": HEAD, "deployment/etcd.yaml": HEAD,
                    "t.yaml": HEAD + "resources:\n  v: {type: My::Svc::Volume}\n  e: {type: My::Svc::Etcd}\n",
                    "environments/dcn.yaml": "resource_registry:\n  My::Svc::Volume: ../deployment/volume.yaml\n  My::Svc::Etcd: ../../deployment/etcd.yaml\n"})
        words = ("-t", "t.yaml", "-e", "environments/dcn.yaml")
        told = self.findings("compose", *words)
        self.assertEqual([one[:4] + one[5:] for one in told], [("check.missing-file", "error", "environments/dcn.yaml", 3, "did you mean '../deployment/etcd.yaml'?")])
        done = self.run_strata("compose", *words)
        self.assertIn("environments/dcn.yaml:3:3: warning: the file '../../deployment/etcd.yaml'", done.stderr)
        self.assertIn("[heat.unattached-file]", done.stderr)
        self.assertIn("[heat.unattached-file]", self.run_strata("compose", "--strict", *words, status=1).stderr)

    def test_a_typing_error_in_a_registry(self):
        """A type that no template names, and one wrong name among parameters of the template behind it."""
        self.place({"deployment/volume.yaml": HEAD + "parameters:\n  BackendPowerEnabled: {type: boolean, default: false}\n",
                    "t.yaml": HEAD + "resources:\n  v: {type: My::Svc::BackendDellPower}\n",
                    "env.yaml": "resource_registry:\n  My::Svc::BackendPower: deployment/volume.yaml\n"
                                "parameter_defaults:\n  BackendPowerEnabld: true\n  BackendPowerEnabled: true\n"})
        told = self.findings("compose", "-t", "t.yaml", "-e", "env.yaml")
        self.assertEqual([(one[0], one[3], one[5]) for one in told],
                         [("check.unused-registry", 2, "remove it"), ("check.undeclared-parameter", 4, "did you mean 'BackendPowerEnabled'?")])

    def test_all_empty_sections(self):
        self.place({"a.yaml": "parameters:\nresource_registry:\nparameter_defaults:\n  x: 1\n"})
        told = self.run_strata("compose", "-e", "a.yaml", status=1).stderr
        self.assertIn("a.yaml:1:1", told)
        self.assertIn("a.yaml:2:1", told)

    def test_analyses_read_no_files_outside(self):
        self.place({"t.yaml": template("a: {type: json}", "n: {type: ../outside/n.yaml}"), "e.yaml": "parameter_defaults: {a: {}}\n",
                    "../outside/n.yaml": template("out: {type: json}"), "f.yaml": "parameter_defaults: {out: {}}\n"})
        words = ("compose", "-t", "t.yaml", "-e", "e.yaml", "-e", "f.yaml")
        # A command that names its files is not bounded: as the client.
        self.assertEqual(self.composed(*words[1:])["parameter_defaults"], {"a": {}, "out": {}})
        outside = "the file '../outside/n.yaml' is outside of the folders that may be read here"
        told = self.findings(*words)
        self.assertIn(("check.missing-file", "error", "t.yaml", 3, outside, "--allow-files DIR lets files name what is in another folder"), told)
        self.assertNotIn(outside, str(self.findings(*words, own=("--allow-files", "../outside"), status=0)))
        os.symlink("../outside/n.yaml", os.path.join(self.folder, "link.yaml"))
        self.place({"t.yaml": template("a: {type: json}", "n: {type: link.yaml}")})
        self.assertIn("the file 'link.yaml' is outside of the folders that may be read here", str(self.findings(*words)))

    def test_urls_are_not_fetched(self):
        self.place({"t.yaml": template("a: {type: json}", "n: {type: 'http://u:geheim@127.0.0.1:9/n.yaml'}"), "e.yaml": "parameter_defaults: {a: {}}\n"})
        told = self.run_strata("compose", "-t", "t.yaml", "-e", "e.yaml").stderr
        self.assertIn("is not a file of this machine", told)
        self.assertNotIn("geheim", told)

    def test_edits_of_nested_templates_have_effects(self):
        words = self.stack()
        self.place({".strata.yaml": "projects:\n  web: {verb: compose, template: t.yaml, environment: [env/one.yaml, env/two.yaml, env/three.yaml]}\n"})
        edit = ("--set", "parts/mapped.yaml:/parameters/stray={type: number}")
        for question in (("compose", *words), ("@web",)):
            with self.subTest(question=question):
                told = self.run_strata("diff", *edit, *question, status=1).stdout
                self.assertIn("+ /parameter_defaults/stray: 3", told)
        told = self.run_strata("impact", *edit, "@web", status=1).stdout
        self.assertIn("1 of 1", told)

    def test_hostile_names(self):
        names = "".join(f"  A{i}: {'../' * 50}n{i}.yaml\n" for i in range(3_000))
        self.place({"t.yaml": template("a: {type: json}"), "e.yaml": "resource_registry:\n" + names + "  B: \"a\\0b.yaml\"\n  C: ''\n  D: /dev/zero\n  E: /proc/self/mem\n",
                    "long.yaml": f"resource_registry: {{base_url: 'file:///{'x' * 200_000}', " + ", ".join(f"A{i}: f" for i in range(20_000)) + "}\n"})
        told = self.run_strata("compose", "-t", "t.yaml", "-e", "e.yaml").stderr
        self.assertLess(len(told), 20_000)
        done = subprocess.run([STRATA, "compose", "-e", "long.yaml"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertIn(done.returncode, (0, 1))
        if done.returncode == 1:
            self.assertIn("limit.memory", done.stderr)

    def test_many_files_are_a_limit(self):
        self.place({f"n{i}.yaml": HEAD for i in range(30)})
        self.place({"t.yaml": template("", ", ".join(f"r{i}: {{type: n{i}.yaml}}" for i in range(30)))})
        self.run_strata("compose", "-t", "t.yaml")
        self.assertIn("[limit.includes]", self.run_strata("compose", "--limit", "includes=29", "-t", "t.yaml", status=1).stderr)


if __name__ == "__main__":
    unittest.main()
