#!/usr/bin/python3
"""Stacks over HTTP: hidden parameters that templates leave out and bring back, and what exports say.

usage: serve_stacks_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = "/v1/p1/stacks"
JSON = {"Content-Type": "application/json"}
CANARY = "canary-1"


def template(**parameters):
    return {"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string", "default": "x"}, **parameters}}


def hidden(**more):
    return {"type": "string", "hidden": True, **more}


class Stacks(unittest.TestCase):
    def setUp(self):
        self.service = Service(STRATA)
        self.service.__enter__()

    def tearDown(self):
        self.service.__exit__()

    def ask(self, method, path, body=None, status=200):
        got, _, text = self.service.request(method, path, None if body is None else json.dumps(body), JSON)
        self.assertEqual(got, status, f"{method} {path} {body}: {text}")
        return json.loads(text) if text else None

    def create(self, name, **body):
        return f"{ROOT}/{name}/{self.ask('POST', ROOT, {'stack_name': name, **body}, 201)['stack']['id']}"


FILE = {"environment_files": ["f"], "files": {"f": json.dumps({"parameters": {"h": CANARY}})}}
DEFAULTS = {"environment_files": ["f"], "files": {"f": json.dumps({"parameter_defaults": {"h": CANARY}})}}


class Hidden(Stacks):
    def test_a_later_template_brings_values_back(self):
        rules = {"json": {"type": "json", "hidden": True}, "constraints": hidden(constraints=[{"allowed_pattern": "canary.*"}]), "string": hidden()}
        values = {"explicit": lambda value: {"parameters": {"h": value}}, "base": lambda value: {"environment": {"parameters": {"h": value}}},
                  "base defaults": lambda value: {"environment": {"parameter_defaults": {"h": value}}},
                  "file": lambda value: {"environment_files": ["f"], "files": {"f": json.dumps({"parameters": {"h": value}})}},
                  "defaults": lambda value: {"environment_files": ["f"], "files": {"f": json.dumps({"parameter_defaults": {"h": value}})}}}
        for number, (rule, declaration) in enumerate(rules.items()):
            for place, body in values.items():
                with self.subTest(rule=rule, place=place):
                    first = template(h=declaration)
                    stack = self.create(f"s{number}{place.replace(' ', '')}", template=first, **body({"k": CANARY} if rule == "json" else CANARY))
                    shown = self.ask("GET", stack)["stack"]["parameters"]["h"]
                    for _ in range(2):
                        self.ask("PATCH", stack, {"template": template()}, 202)
                        self.ask("PATCH", stack, {}, 202)
                        self.ask("PATCH", stack, {"template": first}, 202)
                        self.assertEqual(self.ask("GET", stack)["stack"]["parameters"]["h"], shown)
                    # What it never met stays unknown.
                    self.ask("PATCH", stack, {"template": template()}, 202)
                    self.ask("PATCH", stack, {"template": template(h=hidden(constraints=[{"length": {"max": 1}}]))}, 400)
                    self.ask("PATCH", stack, {"template": template(h={"type": "number"})}, 400)

    def test_a_value_that_comes_back_has_met_its_own_rules_only(self):
        """Rules that somebody chose for a value that he sent say nothing about the value behind it."""
        other = template(h=hidden(constraints=[{"length": {"max": 3}}]))
        for name, body in (("file", FILE), ("defaults", DEFAULTS), ("base", {"environment": {"parameter_defaults": {"h": CANARY}}})):
            with self.subTest(name):
                stack = self.create(name, template=template(h=hidden()), **body)
                uncover = {"parameters": {"h": None}}
                if name == "file":
                    uncover = {"clear_parameters": ["h"], "files": self.ask("GET", f"{stack}/files")}
                self.ask("PATCH", stack, {"template": other, "parameters": {"h": "abc"}}, 202)
                refusal = self.ask("PATCH", stack, {"template": other, **uncover}, 400)
                self.assertIn("send the value with the request", refusal["error"]["message"])
                self.assertEqual(self.ask("PATCH", stack, uncover, 400), refusal)
                # Its own rules it may have.
                self.ask("PATCH", stack, {"template": template(h=hidden()), **uncover}, 202)
                self.assertEqual(self.ask("PATCH", stack, {"template": other}, 400), refusal)

    def test_a_guess_is_not_confirmed(self):
        other = template(h=hidden(constraints=[{"allowed_pattern": "c.*"}]))
        stack = self.create("s", template=template(h=hidden()), **DEFAULTS)
        for guess in (CANARY, "canary-2"):
            self.ask("PATCH", stack, {"template": other, "parameters": {"h": guess}}, 202)
            self.ask("PATCH", stack, {"parameters": {"h": None}}, 400)

    def test_values_that_are_sent_may_have_new_rules(self):
        stack = self.create("s", template=template(h=hidden()), **FILE)
        other = template(h=hidden(constraints=[{"length": {"max": 3}}]))
        self.ask("PATCH", stack, {"template": other, "files": {"f": json.dumps({"parameters": {"h": "abc"}})}}, 202)
        self.ask("PATCH", stack, {"files": {"f": json.dumps({"parameters": {"h": "abd"}})}}, 202)
        refusal = self.ask("PATCH", stack, {"files": {"f": json.dumps({"parameters": {"h": "abcd"}})}}, 400)
        self.assertIn("length (******)", refusal["error"]["message"])
        # A masked file that is sent back keeps its value, and what that met.
        masked = self.ask("GET", f"{stack}/files")
        self.assertNotIn("abd", json.dumps(masked))
        self.ask("PATCH", stack, {"files": masked}, 202)
        self.ask("PATCH", stack, {"template": template(), "files": masked}, 202)
        self.ask("PATCH", stack, {"template": other}, 202)
        self.ask("PATCH", stack, {"template": template(h={"type": "number"})}, 400)

    def test_masked_values_do_not_move_to_other_rules(self):
        """`******` takes a value from elsewhere: it has not met what stood there before."""
        other = template(h=hidden(constraints=[{"length": {"max": 3}}]))
        stack = self.create("s", template=template(h=hidden()), **FILE)
        masked = self.ask("GET", f"{stack}/files")
        self.ask("PATCH", stack, {"template": other, "parameters": {"h": "abc"}}, 202)
        self.ask("PATCH", stack, {"template": template(h=hidden()), "clear_parameters": ["h"], "files": masked}, 202)
        self.ask("PUT", stack, {"template": other, "parameters": {"h": "******"}}, 400)
        self.ask("PUT", stack, {"template": other, "environment_files": ["f"], "files": masked}, 400)
        self.ask("PUT", stack, {"template": template(h=hidden()), "environment_files": ["f"], "files": masked}, 202)



class Exports(Stacks):
    def test_an_export_is_the_state(self):
        """What `strata compose --existing` makes of an export is what the stack has."""
        names = template(b={"type": "string", "default": "y"})
        body = {"environment": {"encrypted_param_names": ["b"]}}
        listed = {"environment_files": ["f"], "files": {"f": json.dumps({"encrypted_param_names": ["a"]})}}
        # An update names no encrypted parameters, as in Heat: those of the stack stay.
        for number, (made, wanted) in enumerate((({"parameters": {"a": "one"}}, []), ({}, []), (body, ["b"]), (listed, ["a"]),
                                                 ({"environment": {"parameters": {"a": "one"}}}, []))):
            stack = self.create(f"s{number}", template=names, **made)
            for update in ({}, body, {"environment": {"parameters": {"b": "two"}}}, body, {}):
                with self.subTest(made=made, update=update):
                    self.ask("PATCH", stack, update, 202)
                    environment = self.ask("GET", f"{stack}/environment")
                    self.assertEqual(environment["encrypted_param_names"], wanted)
                    with tempfile.TemporaryDirectory() as folder:
                        with open(os.path.join(folder, "state.json"), "w", encoding="utf-8") as file:
                            json.dump(self.ask("GET", f"{stack}/export"), file)
                        composed = subprocess.run([STRATA, "compose", "--existing", "state.json"], cwd=folder, capture_output=True, text=True, timeout=HANGS,
                                                  check=True)
                    self.assertEqual(json.loads(composed.stdout), environment)


if __name__ == "__main__":
    unittest.main(verbosity=1)
