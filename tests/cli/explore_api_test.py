#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/api/explorer.yaml describes what the explorer does: every path of the program, and what it really answers.

usage: explore_api_test.py STRATA
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from api_description import ApiDescription, routes
from exploring import PREFIX, Explorer, quoted
from serving import HANGS

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DESCRIPTION = ApiDescription("explorer.yaml")
SPEC, resolved, operations = DESCRIPTION.all, DESCRIPTION.resolved, DESCRIPTION.operations


def validate(schema, value):
    DESCRIPTION.validator(schema).validate(value)


class Description(unittest.TestCase):
    def test_paths_are_those_of_the_program(self):
        there = set()
        for face, method, pattern in routes(STRATA):
            if face == "explorer" and pattern.startswith(PREFIX):
                there.add((method, pattern.removeprefix(PREFIX).replace("*}", "}")))
        self.assertEqual(there, {(method, path) for path, method, _, _ in operations()})

    def test_names_are_whole(self):
        for path, method, operation, shared in operations():
            named = {resolved(one)["name"] for one in shared + operation.get("parameters", []) if resolved(one)["in"] == "path"}
            self.assertEqual(named, set(re.findall(r"\{(\w+)\}", path)), f"{method} {path}")
        references = set(re.findall(r'"(#/[^"]+)"', json.dumps(SPEC)))
        for one in references:
            resolved({"$ref": one})
        for kind, things in SPEC["components"].items():
            for name in things:
                if kind != "securitySchemes":
                    self.assertIn(f"#/components/{kind}/{name}", references)


class Answers(unittest.TestCase):
    def fits(self, explorer, method, template, path=None, body=None, status=200, headers=None):
        """Asks, and holds the answer to the schema of the template's path."""
        operation = SPEC["paths"][template][method.lower()]
        if body is not None:
            validate(operation["requestBody"]["content"]["application/json"]["schema"], body)
        got, sent, text = explorer.request(method, PREFIX + (path or template), body, headers)
        self.assertEqual(got, status, f"{method} {path or template}: {text[:500]}")
        self.asked.add((method.lower(), template))
        response = resolved(operation["responses"].get(str(status)) or operation["responses"]["default"])
        if not text:
            self.assertNotIn("content", response)
            return None
        kind = sent["content-type"].split(";")[0]
        schema = response["content"][kind]["schema"]
        if kind == "application/x-ndjson":
            lines = [json.loads(line) for line in text.splitlines()]
            for line in lines:
                validate(schema, line)
            return lines
        if "json" not in kind:
            return text.decode()
        value = json.loads(text)
        validate(schema, value)
        return value

    def test_answers_fit(self):
        self.asked = set()
        of = "/projects/{name}"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples/fleet"), folder, dirs_exist_ok=True)
            for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "as it is"]):
                subprocess.run(["git", *words], cwd=folder, check=True, timeout=HANGS)
            question = ["lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
            with Explorer(STRATA, "--write", *question, folder=folder) as explorer:
                place = "/projects/lookup"
                self.fits(explorer, "GET", "/projects")
                for part in ("", "/names", "/facets", "/files", "/findings", "/history"):
                    self.fits(explorer, "GET", of + part, place + part)
                self.fits(explorer, "GET", of + "/subjects", place + "/subjects?ids=web01%0Adb01")
                node = f"{place}/subjects/web01"
                rows = self.fits(explorer, "GET", of + "/subjects/{subject}/rows", node + "/rows")
                self.assertIn("node", rows["layers"] + ["node"])
                self.fits(explorer, "GET", of + "/subjects/{subject}/rows", node + "/rows?text=yaml")
                for row in rows["rows"]:
                    if row.get("item") is not None and "path" in row:
                        self.fits(explorer, "GET", of + "/subjects/{subject}/leaf", f"{node}/leaf?item={quoted(row['item'])}&path={quoted(row['path'])}")
                got = self.fits(explorer, "GET", of + "/subjects/{subject}/leaf", node + "/leaf?item=profile::web::port&path=&others=0")
                self.assertIsNone(got["others"])
                self.assertIsNotNone(self.fits(explorer, "GET", of + "/subjects/{subject}/leaf", node + "/leaf?item=profile::web::port&path=")["others"])
                self.fits(explorer, "GET", of + "/matrix", place + "/matrix?all=1")
                self.fits(explorer, "GET", of + "/search", place + "/search?q=port")
                self.fits(explorer, "GET", of + "/search", place + "/search?q=", status=400)
                file = self.fits(explorer, "GET", of + "/files/{path}", place + "/files/data/common.yaml")
                self.fits(explorer, "GET", of + "/files/{path}", place + "/files/no.yaml", status=404)
                text = "".join(line["text"] + "\n" for line in file["lines"])
                draft = {"files": {"data/common.yaml": text.replace("profile::web::port: 80", "profile::web::port: 8000")}}
                told = self.fits(explorer, "POST", of + "/what-if", place + "/what-if", {**draft, "subject": "web01"})
                self.assertIn("done", told[-1])
                self.fits(explorer, "GET", of + "/effects/{number}", place + "/effects/1")
                self.fits(explorer, "GET", of + "/compare", place + "/compare?from=HEAD")
                wish = {"item": "profile::web::workers", "value": "12", "for": ["role=web"]}
                found = self.fits(explorer, "POST", of + "/set", place + "/set", wish)
                self.proposals_are_those_of_the_command(found, folder, question)
                # A draft is what it begins from; what has no value is to be taken away.
                taken = found["proposals"][0]["files"]
                again = self.fits(explorer, "POST", of + "/set", place + "/set", {**wish, "files": taken})
                self.assertEqual((again["already"], again["proposals"]), (3, []))
                gone = self.fits(explorer, "POST", of + "/set", place + "/set", {"item": "motd", "value": None, "for": ["web02"], "proposals": 1})
                self.assertEqual([edit["op"] for edit in gone["proposals"][0]["edits"]], ["unset"])
                for wrong in ({"item": "a", "value": "["}, {"item": "a", "for": "b"}, {"item": "a", "value": "1", "proposals": 0}):
                    status, _, _ = explorer.request("POST", f"{PREFIX}{place}/set", wrong)
                    self.assertIn(status, (400, 422), wrong)
                self.fits(explorer, "PUT", of + "/files/{path}", place + "/files/data/common.yaml", {"text": text}, headers={"If-Match": f'"{file["sha256"]}"'})
                self.fits(explorer, "POST", "/session", body={"token": explorer.token})
                self.fits(explorer, "DELETE", "/session", status=204)
        self.assertEqual({(method, path) for path, method, _, _ in operations()} - self.asked, {("get", "/events")})

    def proposals_are_those_of_the_command(self, found, folder, question):
        run = subprocess.run([STRATA, "set", "profile::web::workers=12", "--for", "role=web", "--output", "json", *question, "--all"], cwd=folder,
                             capture_output=True, text=True, timeout=HANGS, check=True)
        told = json.loads(run.stdout)
        for member in ("item", "path", "value", "selected", "already", "rejected"):
            self.assertEqual(found[member], told[member])
        self.assertEqual([{name: value for name, value in one.items() if name != "files"} for one in found["proposals"]], told["proposals"])

    def test_secrets_do_not_leave_with_proposals(self):
        with Explorer(STRATA, "examples/hiera", folder=ROOT) as explorer:
            project = explorer.get("/projects")["projects"][0]["name"]
            found = json.loads(explorer.request("POST", f"{PREFIX}/projects/{project}/set", {"item": "db::password", "value": "shown", "for": []})[2])
            self.assertNotIn("hunter", json.dumps(found))
            for one in found.get("proposals", []):
                self.assertEqual(one["files"] is None, one["diff"] is None)

    def test_documents_and_code_have_no_place_for_a_value(self):
        with Explorer(STRATA, "render", "examples/deckhand/site", folder=ROOT) as explorer:
            status, _, body = explorer.request("POST", f"{PREFIX}/projects/render/set", {"item": "a", "value": "1"})
            self.assertEqual(json.loads(body)["code"], "set.verb", status)


if __name__ == "__main__":
    unittest.main()
