#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and the unmodified client of the Orchestration service: the life of a stack.

usage: serve_heat_test.py STRATA
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
CLIENT = shutil.which("openstack")

FILES = {
    "t.yaml": """\
heat_template_version: 2018-08-31
description: demo
parameters:
  a: {type: string, default: x}
  m: {type: json, default: {}}
  l: {type: comma_delimited_list, default: ""}
  secret: {type: string, hidden: true, default: ""}
outputs:
  o: {value: {get_param: a}}
""",
    "nested.yaml": "heat_template_version: 2018-08-31\nparameters: {inner: {type: string, default: i}}\n",
    "a.yaml": 'parameters: {a: fromA, m: {k: 1}}\nparameter_defaults: {secret: topsecret}\nresource_registry: {"My::Type": nested.yaml}\n',
    "b.yaml": "parameters: {a: fromB}\nparameter_merge_strategies: {default: overwrite}\n",
    "c.yaml": 'parameters: {l: "x,y"}\n',
}


def has_orchestration():
    """Whether the client is installed, with its plugin for stacks."""
    if CLIENT is None:
        return False
    told = subprocess.run([CLIENT, "help", "stack", "list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=HANGS, check=False)
    return told.returncode == 0


@unittest.skipUnless(has_orchestration(), "the client is not installed: apt install python3-openstackclient python3-heatclient")
class Client(unittest.TestCase):
    def setUp(self):
        self.room = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in FILES.items():
            (self.room / name).write_text(text, encoding="utf-8")
        self.service = self.enterContext(Service(STRATA))

    def client(self, *words):
        """Exit status, output, messages."""
        endpoint = f"http://127.0.0.1:{self.service.port}/v1/p1"
        done = subprocess.run([CLIENT, "--os-auth-type", "none", "--os-endpoint", endpoint, *words], cwd=self.room, capture_output=True,
                              text=True, timeout=HANGS, check=False)
        return done.returncode, done.stdout, done.stderr

    def run_client(self, *words):
        status, out, messages = self.client(*words)
        self.assertEqual(status, 0, messages)
        self.assertNotIn("topsecret", out)
        return out

    def json(self, *words):
        return json.loads(self.run_client(*words, "-f", "json"))

    def url(self, name):
        return (self.room / name).resolve().as_uri()

    def test_the_life_of_a_stack(self):
        self.assertEqual(self.json("stack", "create", "-e", "a.yaml", "-e", "b.yaml", "-t", "t.yaml", "s1")["stack_status"], "CREATE_COMPLETE")
        shown = self.json("stack", "environment", "show", "s1")
        self.assertEqual(shown["parameters"], {"a": "fromB", "m": {"k": 1}})
        self.assertEqual(shown["parameter_defaults"], {"secret": "******"})
        files = self.json("stack", "file", "list", "s1")
        self.assertEqual(sorted(files.get("files", files)), sorted(map(self.url, ("a.yaml", "b.yaml", "nested.yaml"))))

        self.assertEqual(self.json("stack", "update", "--existing", "-e", "c.yaml", "s1")["stack_status"], "UPDATE_COMPLETE")
        self.assertEqual(self.json("stack", "environment", "show", "s1")["parameters"], {"a": "fromB", "m": {"k": 1}, "l": "x,y"})
        self.run_client("stack", "update", "--existing", "--parameter", "a=cli", "s1")
        self.assertEqual(self.json("stack", "environment", "show", "s1")["parameters"]["a"], "cli")
        self.run_client("stack", "update", "--existing", "--clear-parameter", "a", "s1")
        self.assertEqual(self.json("stack", "environment", "show", "s1")["parameters"], {"m": {"k": 1}, "l": "x,y"})
        self.run_client("stack", "update", "-e", "b.yaml", "-t", "t.yaml", "s1")
        files = self.json("stack", "file", "list", "s1")
        self.assertEqual(list(files.get("files", files)), [self.url("b.yaml")])

        self.assertEqual([stack["Stack Name"] for stack in self.json("stack", "list")], ["s1"])
        self.assertEqual(self.json("stack", "show", "s1")["parameters"]["a"], "fromB")
        self.assertIn("heat_template_version", self.run_client("stack", "template", "show", "s1"))
        self.assertEqual([output["output_key"] for output in self.json("stack", "output", "list", "s1")], ["o"])
        self.assertEqual(json.loads(self.run_client("stack", "export", "s1"))["environment_files"], [self.url("b.yaml")])
        self.run_client("stack", "delete", "-y", "s1")
        self.assertEqual(self.run_client("stack", "list").strip(), "")

    def test_what_is_not_stored(self):
        status, out, messages = self.client("orchestration", "template", "validate", "-t", "t.yaml", "-e", "a.yaml", "-f", "json")
        self.assertEqual(status, 0, messages)
        self.assertEqual(json.loads(out)["Parameters"]["a"]["Value"], "fromA")
        self.assertIn("s9", self.run_client("stack", "create", "--dry-run", "-t", "t.yaml", "s9"))
        self.assertEqual(self.run_client("stack", "list").strip(), "")

    def test_waiting_ends(self):
        self.assertIn("CREATE_COMPLETE", self.run_client("stack", "create", "--wait", "-t", "t.yaml", "s5"))
        self.assertIn("UPDATE_COMPLETE", self.run_client("stack", "update", "--wait", "--existing", "--parameter", "a=q", "s5"))
        self.run_client("stack", "delete", "-y", "--wait", "s5")

    def test_refusals_are_one_clear_line(self):
        self.run_client("stack", "create", "-t", "t.yaml", "s5")
        for words, message in ((("stack", "suspend", "s5"), "ERROR: strata keeps the environments of stacks and runs none: actions are not supported."),
                               (("stack", "create", "-t", "t.yaml", "s5"), "ERROR: The Stack (s5) already exists."),
                               (("stack", "show", "none"), "Stack not found: none"),
                               (("stack", "create", "-t", "t.yaml", "--parameter", "zz=1", "s6"), "ERROR: The Parameter (zz) was not defined in template.")):
            with self.subTest(words=words):
                status, _, messages = self.client(*words)
                self.assertNotEqual(status, 0)
                self.assertIn(message, messages)

    def test_an_exported_stack_is_a_state_file(self):
        self.run_client("stack", "create", "-e", "a.yaml", "-e", "b.yaml", "-t", "t.yaml", "s1")
        state = self.room / "state.json"
        state.write_text(self.run_client("stack", "export", "s1"), encoding="utf-8")
        done = subprocess.run([STRATA, "compose", "--existing", "state.json", "--parameter", "a=later"], cwd=self.room, capture_output=True,
                              text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["parameters"], {"a": "later", "m": {"k": 1}})


if __name__ == "__main__":
    unittest.main(verbosity=2)
