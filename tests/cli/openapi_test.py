#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/api/openapi.yaml describes what the service does: every path of the program, every example, and what the service really answers.

usage: openapi_test.py STRATA
"""
import json
import os
import re
import sys
import unittest

from api_description import ApiDescription, routes
from serving import Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
DESCRIPTION = ApiDescription("openapi.yaml")
SPEC, resolved, validator, operations = DESCRIPTION.all, DESCRIPTION.resolved, DESCRIPTION.validator, DESCRIPTION.operations


class Document(unittest.TestCase):
    def test_paths_are_those_of_the_program(self):
        there = set()
        for face, method, pattern in routes(STRATA):
            if face in ("strata", "nodes", "operation"):
                there.add((method, pattern.replace("*}", "}")))
        self.assertGreater(len(there), 30)
        described = {(method, path) for path, method, _, _ in operations()}
        self.assertEqual(described - there, set(), "described, but not there")
        self.assertEqual(there - described, set(), "there, but not described")

    def test_names_are_whole(self):
        for path, method, operation, shared in operations():
            where = f"{method} {path}"
            self.assertTrue(operation["summary"], where)
            self.assertTrue(operation["responses"], where)
            named = {resolved(one)["name"] for one in shared + operation.get("parameters", []) if resolved(one)["in"] == "path"}
            self.assertEqual(named, set(re.findall(r"\{(\w+)\}", path)), where)
        references = re.findall(r'"(#/[^"]+)"', json.dumps(SPEC))
        self.assertGreater(len(references), 100)
        for one in references:
            resolved({"$ref": one})
        used = set(references)
        for kind, things in SPEC["components"].items():
            for name in things:
                if kind != "securitySchemes":
                    self.assertIn(f"#/components/{kind}/{name}", used)

    def test_examples_are_valid(self):
        count = 0
        for path, method, operation, shared in operations():
            contents = [operation["requestBody"]] if "requestBody" in operation else []
            for holder in contents + list(operation["responses"].values()):
                for kind, content in resolved(holder).get("content", {}).items():
                    is_json = "json" in kind
                    self.assertTrue(not is_json or "example" in content, f"{method} {path}: {kind} has no example")
                    if "example" in content:
                        validator(content["schema"]).validate(content["example"])
                        count += 1
            for one in shared + operation.get("parameters", []):
                if "example" in resolved(one):
                    validator(resolved(one)["schema"]).validate(resolved(one)["example"])
        self.assertGreater(count, 60)


class Answers(SiteTest):
    strata = STRATA

    def fits(self, service, method, template, path=None, body=None, status=200, headers=None, data=None):
        """Asks, and holds the answer to the schema of the template's path."""
        operation = SPEC["paths"][template][method.lower()]
        text_body = json.dumps(body) if body is not None else data
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if body is not None:
            validator(operation["requestBody"].get("content", resolved(operation["requestBody"])["content"])["application/json"]["schema"]).validate(body)
        got, self.headers, text = service.request(method, path or template, text_body, {**sent, **(headers or {})})
        self.assertEqual(got, status, f"{method} {path}: {text}")
        response = resolved(operation["responses"].get(str(status)) or operation["responses"]["default"])
        if status in (204, 304):
            self.assertEqual(text, "")
            return None
        kind = self.headers["content-type"].split(";")[0]
        self.assertIn(kind, response["content"], f"{method} {template}")
        for name in response.get("headers", {}):
            if name == "ETag":
                self.assertIn("etag", self.headers, f"{method} {template}")
        if kind == "application/jsonl":
            for line in text.splitlines():
                validator(response["content"][kind]["schema"]).validate(json.loads(line))
            return text
        if "json" not in kind:
            return text
        validator(response["content"][kind]["schema"]).validate(json.loads(text))
        self.asked.add((method.lower(), template))
        return json.loads(text)

    def test_answers_fit(self):
        self.asked = set()
        site = "/strata/v1/sites/{site}"
        with self.serve("fleet", "cloud-init", "heat", more=("--anonymous-roles", "admin", "--anonymous-roles", "secret-reader")) as service:
            self.assertEqual(self.fits(service, "GET", "/openapi.json"), SPEC)
            self.fits(service, "GET", "/openapi.json", status=304, headers={"If-None-Match": self.headers["etag"]})
            for path in ("/healthz", "/readyz", "/metrics", "/strata/v1/projects", "/strata/v1/sites"):
                self.fits(service, "GET", path)
            for name, node in (("fleet", "web01"), ("cloud-init", "default"), ("heat", "default")):
                place = f"{API}/{name}"
                self.fits(service, "GET", site, place)
                self.fits(service, "POST", site + "/refresh", place + "/refresh")
                for part in ("/files", "/layers", "/nodes", "/snapshot"):
                    self.fits(service, "GET", site + part, place + part)
                self.fits(service, "GET", site + "/search", place + "/search?q=a")
                self.fits(service, "GET", site + "/nodes/{node}", f"{place}/nodes/{node}")
                for part in ("/keys", "/values", "/values?blame=1&explain="):
                    self.fits(service, "GET", site + "/nodes/{node}" + part.split("?")[0], f"{place}/nodes/{node}{part}")
                self.fits(service, "GET", site + "/nodes/{node}/values", f"{place}/nodes/{node}/values", status=304, headers={"If-None-Match": "*"})
                self.fits(service, "POST", site + "/evaluate", place + "/evaluate", {"node": node, "keys": ["users", "no.such"]})
                self.fits(service, "POST", site + "/evaluate", place + "/evaluate?blame=1", {"node": node})
                change = {"changes": [{"path": "nothing.yaml", "text": "a: 1\n"}]}
                for part in ("/diff", "/impact"):
                    self.fits(service, "POST", site + part, place + part, change)
                self.fits(service, "POST", site + "/check", place + "/check", {})
                self.fits(service, "GET", site + "/nodes/{node}/values/{key}", f"{place}/nodes/{node}/values/no.such", status=404)
            self.fits(service, "POST", site + "/set", f"{API}/fleet/set", {"item": "profile::web::port", "value": 1, "for": ["web01"]})
            self.fits(service, "GET", site + "/nodes/{node}/values/{key}", f"{API}/fleet/nodes/web01/values/profile::web::port?explain=")
            self.fits(service, "GET", site + "/files/{path}", f"{API}/fleet/files/data/common.yaml")
            self.fits(service, "PUT", site + "/nodes/{node}", f"{API}/fleet/nodes/new01", {"facts": {"role": "web"}}, status=201)
            self.fits(service, "GET", site + "/nodes/{node}", f"{API}/fleet/nodes/new01")
            self.fits(service, "DELETE", site + "/nodes/{node}", f"{API}/fleet/nodes/new01", status=204)
            self.fits(service, "PUT", site, f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            self.fits(service, "PUT", site + "/tree", f"{API}/up/tree", {"files": {"hiera.yaml": "version: 5\n"}}, status=201)
            self.fits(service, "PATCH", site + "/tree", f"{API}/up/tree", {"changes": [{"path": "a", "text": ""}]}, status=412, headers={"If-Match": '"9"'})
            self.fits(service, "PATCH", site + "/tree", f"{API}/up/tree", {"changes": [{"path": "a", "base64": "YQ=="}]}, status=200, headers={"If-Match": '"1"'})
            example = SPEC["paths"]["/strata/v1/evaluate/{dialect}"]["post"]["requestBody"]["content"]["application/json"]["example"]
            self.fits(service, "POST", "/strata/v1/evaluate/{dialect}", "/strata/v1/evaluate/cloud-init", example)
            for path in ("/strata/v1/changes", "/strata/v1/audit", "/strata/v1/tokens"):
                self.fits(service, "GET", path)
            made = self.fits(service, "POST", "/strata/v1/tokens", body={"roles": ["reader"], "days": 1}, status=201)
            self.fits(service, "GET", "/strata/v1/tokens")
            self.fits(service, "DELETE", "/strata/v1/tokens/{id}", f"/strata/v1/tokens/{made['id']}", status=204)
            self.fits(service, "GET", "/hiera/{site}/{node}/{key}", "/hiera/fleet/web01/profile::web::port")
            self.fits(service, "GET", "/hiera/{site}/{node}/{key}", "/hiera/fleet/web01/no", status=404)
            self.fits(service, "GET", "/cloud-init/{node}/{file}", "/cloud-init/web01/meta-data", status=404)
            untouched = {(method, path) for path, method, _, _ in operations()} - self.asked
            without_json = {"/healthz", "/metrics", site + "/files/{path}", site + "/snapshot", site + "/watch", "/strata/v1/store/export", "/cloud-init/{node}/{file}", "/enc/{site}/{node}",
                            "/strata/v1/tokens/{id}"}
            self.assertEqual({(method, path) for method, path in untouched if path not in without_json and method != "delete"}, set())


if __name__ == "__main__":
    unittest.main()
