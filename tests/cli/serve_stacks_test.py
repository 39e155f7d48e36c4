#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
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


class AsTheReference(Stacks):
    """Answers that were compared with those of Heat 19 (2022.2), run beside the service."""

    def refused(self, type_, message, status=400, of="create", **body):
        place, kind = (ROOT, type_) if of == "create" else ("/v1/p1/validate", "HTTPBadRequest" if type_ == "StackValidationFailed" else type_)
        error = self.ask("POST", place, {"stack_name": "refused", **body} if of == "create" else body, status)["error"]
        self.assertEqual((error["type"], error["message"]), (kind, message))

    def test_the_structure_of_templates(self):
        resource = lambda **members: {"resources": {"r": {"type": "My::Type", **members}}}
        groups = lambda *given: {"parameter_groups": list(given)}
        failed = "StackValidationFailed"
        for more, message in (
                ({"bogus": {}}, "The template section is invalid: bogus"),
                ({"outputs": {"o": {}}}, "Output validation error: outputs.o: Each output definition must contain a value key."),
                ({"outputs": {"o": None}}, "Output validation error: outputs.o: Output definitions must be a map. Found a NoneType instead"),
                ({"outputs": {"o": {"value": {"get_attr": ["zz", "a"]}}}}, 'outputs.o.value.get_attr: The specified reference "zz" (in unknown) is incorrect.'),
                ({"outputs": {"o": {"value": 1, "condition": "zz"}}}, 'outputs.o.condition: Invalid condition "zz"'),
                ({"conditions": [1]}, "Conditions validation error: Condition definitions must be a map. Found a list instead"),
                ({"heat_template_version": "2013-05-23", "conditions": {}}, "The template section is invalid: conditions"),
                ({"resources": {"r": None}}, "Each resource must contain a type key."),
                ({"resources": {"r": "x"}}, "\"resources\" must contain a map of resource maps. Found a [<class 'str'>] instead"),
                (resource(zz=1), '"zz" is not a valid keyword inside a resource definition'),
                (resource(type=5), "Resource r type type must be string"),
                (resource(properties=[1]), "Resource r properties type must be object"),
                (resource(depends_on={"a": 1}), "Resource r depends_on type must be list or string"),
                (resource(depends_on=[5]), "Resource r depends_on must be a list of strings"),
                (resource(deletion_policy="zz"), 'Invalid deletion policy "zz"'),
                (resource(condition=5), "Resource r condition type must be string_or_boolean"),
                ({"resources": {"a/b": {"type": "My::Type"}}}, 'Resource name may not contain "/"'),
                ({"resources": {"a": {"type": "My::Type"}}}, "Duplicate names {'a'}"),
                (groups({"label": "l"}), "Parameter Groups error: parameter_groups.l: The parameters must be provided for each parameter group."),
                (groups({"parameters": ["zz"]}), "Parameter Groups error: parameter_groups.: The grouped parameter zz does not reference a valid parameter."),
                (groups({"label": "l", "parameters": ["a"]}, {"label": "m", "parameters": ["a"]}),
                 "Parameter Groups error: parameter_groups.m: The a parameter must be assigned to one parameter group only.")):
            for of in ("create", "validate"):
                with self.subTest(more, of=of):
                    self.refused(failed, message, of=of, template={**template(), **more})
        self.refused("InvalidTemplateReference", 'The specified reference "zz" (in r) is incorrect.', template={**template(), **resource(depends_on="zz")})
        for text, message in (("a: 1", "Template format version not found."), ("[]", "The template is not a JSON object or YAML mapping.")):
            self.refused("HTTPBadRequest", "Template not in valid format: " + message, template=text)
        cfn = {"HeatTemplateFormatVersion": "2012-12-12"}
        self.refused(failed, "Each Resource must contain a Type key.", template={**cfn, "Resources": {"r": {}}})
        self.refused(failed, "Output validation error: Outputs.o: Each output definition must contain a Value key.", template={**cfn, "Outputs": {"o": {}}})
        fine = {**template(), "conditions": {"c": True}, "outputs": {"o": {"value": 1, "condition": "c"}, "p": {"value": {"get_attr": ["r", "x"]}}}}
        self.create("fine", template={**fine, **resource(depends_on=[], condition="c", deletion_policy="retain"), **groups({"label": "l", "parameters": ["a"]})})

    def test_templates_of_types(self):
        use = lambda **properties: {**template(), "resources": {"r": {"type": "My::Type", "properties": properties}}}
        nested = json.dumps({"heat_template_version": "2018-08-31", "parameters": {"p": {"type": "string"}}})
        body = lambda text, **more: {"environment": {"resource_registry": {"My::Type": "file:///n.yaml"}, **more},
                                     "files": {} if text is None else {"file:///n.yaml": text}}
        failed = "StackValidationFailed"
        for of in ("create", "validate"):
            self.refused(failed, 'Could not fetch remote template "file:///n.yaml": it is not among the files', of=of, template=use(), **body(None))
            self.refused(failed, "Template format version not found.", of=of, template=use(), **body("a: 1"))
            self.refused(failed, "Property error: resources.r.properties: Unknown Property zz", of=of, template=use(zz=1, p=1), **body(nested))
        self.refused(failed, "Property error: resources.r.properties: Property p not assigned", template=use(), **body(nested))
        self.ask("POST", "/v1/p1/validate", {"template": use(), **body(nested)})
        self.create("given", template=use(p="x"), **body(nested))
        self.create("default", template=use(), **body(nested, parameter_defaults={"p": "x"}))

    def test_requests(self):
        stack = self.create("s", template=template(t={"type": "string", "default": "", "tags": ["t1"]}), timeout_mins=5)
        self.ask("PATCH", stack, {"parameters": {"a": "y"}}, 202)
        statuses = [event["resource_status"] for event in self.ask("GET", stack + "/events")["events"]]
        self.assertEqual(statuses, ["UPDATE_COMPLETE", "UPDATE_IN_PROGRESS", "CREATE_COMPLETE", "CREATE_IN_PROGRESS"])
        self.assertEqual(self.ask("GET", stack + "/events?limit=1&sort_dir=")["events"][0]["resource_status"], "UPDATE_COMPLETE")
        for query in ("?name=&limit=&sort_dir=&with_count=", "?tags=zz&tags=", "?stack_status=UPDATE_COMPLETE", "?marker=zz&marker=yy"):
            self.assertEqual(len(self.ask("GET", ROOT + query)["stacks"]), 1, query)
        self.assertEqual(self.ask("GET", ROOT + "?stack_status=CREATE_COMPLETE")["stacks"], [])
        for body, headers in (("parameters: {a: z}", {"Content-Type": "application/x-yaml"}), (None, JSON)):
            for place in (stack, stack + "/preview"):
                self.assertEqual(self.service.request("PATCH", place, body, headers)[0], 400)
        for body in ({"disable_rollback": None}, {"parameters": None}, {"converge": None}, {"clear_parameters": None}):
            self.ask("PATCH", stack, body, 400)
        self.ask("PATCH", stack, {"timeout_mins": 0}, 202)
        self.assertEqual(self.ask("GET", stack)["stack"]["timeout_mins"], 5)
        self.assertEqual(self.service.request("HEAD", stack)[0], 405)
        for path in ("/resources?nested_depth=x", "/resources?with_detail=x"):
            self.ask("GET", stack + path, status=400)
        self.ask("PATCH", stack + "/preview?show_nested=maybe", {}, 400)
        self.assertEqual(self.ask("POST", "/v1/p1/validate", {"template": template(t={"type": "string", "default": "", "tags": ["t1"]})})["Parameters"]["t"]["Tags"], ["t1"])
        cfn = self.create("c", template={"HeatTemplateFormatVersion": "2012-12-12"})
        self.assertEqual(self.ask("GET", cfn)["stack"]["parameters"],
                         {"AWS::StackId": "arn:openstack:heat::p1:stacks/c/" + cfn.rsplit("/", 1)[1], "AWS::StackName": "c", "AWS::Region": "ap-southeast-1"})


if __name__ == "__main__":
    unittest.main(verbosity=1)
