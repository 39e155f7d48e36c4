#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sites of which the options say a part, and the layout of their files the rest: facts in folders, patterns, facts of requests.

usage: serve_options_test.py STRATA
"""
import json
import os
import subprocess
import sys
import unittest

from serving import HANGS, Service
from site_serving import API, EXAMPLES, JSON, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
FILES = {"hiera.yaml": "version: 5\nhierarchy:\n  - {name: role, path: 'role/%{role}.yaml'}\n  - {name: common, path: common.yaml}\n",
         "data/common.yaml": "x: 5\nl: [1]\n\"d.k\": 9\n", "data/role/b.yaml": "i: .inf\nx: 1\n",
         "facts/a.yaml": "role: a\n", "facts/b.yaml": "role: b\n", "facts/c.yaml": "role: c\n"}


class Options(SiteTest):
    strata = STRATA

    def setUp(self):
        super().setUp()
        for path, text in FILES.items():
            whole = self.path("control", path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "w", encoding="utf-8") as file:
                file.write(text)

    def configured(self, **sites):
        settings = self.path("sites.yaml")
        with open(settings, "w", encoding="utf-8") as file:
            json.dump({"sites": {name: {"dialect": "hiera", **site} for name, site in sites.items()}}, file)
        return Service(STRATA, "--config", settings)

    def upload(self, service, options, files=None, dialect="hiera"):
        self.ask(service, "PUT", f"{API}/up", {"dialect": dialect, **({"options": options} if options is not None else {})}, 201)
        self.ask(service, "PUT", f"{API}/up/tree", {"files": files or FILES}, 201)

    def nodes(self, service, site):
        return self.ask(service, "GET", f"{API}/{site}/nodes")["nodes"]

    def test_files_that_the_configuration_names_are_regular(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with open(self.path("key"), "w", encoding="utf-8") as file:
            file.write("x")
        for place in (pipe, self.folder, "/dev/zero", "/dev/tty", self.path("none")):
            for words in (["--config", place], ["--policy", place], ["--auth", f"tokens:{place}"], ["--key", place],
                          ["--listen", "127.0.0.1:0,tls", "--tls-cert", place, "--tls-key", self.path("key")],
                          ["--auth", "oidc", "--oidc-issuer", "https://a.example", "--oidc-audience", "a", "--jwks", place],
                          ["--store", f"sqlite:{place}"], ["--site", f"a=hiera:{place}"]):
                if (words[0], place) in (("--store", self.path("none")), ("--site", self.folder)):
                    continue
                run = subprocess.run([STRATA, "serve", "--check", *words], capture_output=True, text=True, timeout=HANGS, stdin=subprocess.DEVNULL)
                self.assertNotEqual(run.returncode, 0, (place, words))
                self.assertRegex(run.stdout + run.stderr, "error|broken", (place, words))
        # The shell gives configurations by pipes of its own.
        run = subprocess.run(["bash", "-c", f"exec {STRATA} serve --check --store sqlite:{self.path('s.db')} --config <(echo 'limits: {{}}')"], capture_output=True,
                             text=True, timeout=HANGS)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_options_go_on_top_of_what_the_files_look_like(self):
        git = ["git", "-C", self.path("control"), "-c", "user.name=a", "-c", "user.email=a@example.com"]
        for words in (["init", "-q", "-b", "production"], ["add", "-A"], ["commit", "-qm", "first"]):
            subprocess.run([*git, *words], check=True)
        site = {"git": self.path("control"), "ref": "production", "secret_keys": ["password$", "^vault::"]}
        with self.configured(all=site, some={**site, "nodes": "facts/[ab]*.yaml"}, folder={**site, "nodes": "facts"},
                             none={**site, "nodes": "absent/*"}) as service:
            self.assertEqual(self.nodes(service, "all"), ["a", "b", "c"])
            self.assertEqual(self.nodes(service, "some"), ["a", "b"])
            self.assertEqual(self.nodes(service, "folder"), ["a", "b", "c"])
            self.assertEqual(self.ask(service, "GET", f"{API}/some/nodes/b/values/x")["value"], 1)
            self.assertEqual(self.ask(service, "GET", f"{API}/none/nodes", status=422)["code"], "site.broken")
        with Service(STRATA) as service:
            self.upload(service, {"nodes": "facts/?.yaml"})
            self.assertEqual(self.nodes(service, "up"), ["a", "b", "c"])
            # As it was said by a file at the root.
            files = {**FILES, ".strata.yaml": "projects: {p: {verb: lookup, hiera-config: hiera.yaml, nodes: facts}}\n"}
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, 201)
            self.assertEqual(self.nodes(service, "up"), ["a", "b", "c"])

    def test_patterns_of_the_command(self):
        def nodes(pattern):
            run = subprocess.run([STRATA, "lookup", "--hiera-config", "hiera.yaml", "--nodes", pattern, "--output", "json", "x"],
                                 cwd=self.path("control"), capture_output=True, text=True)
            return run.returncode, list(json.loads(run.stdout)) if run.stdout else run.stderr
        self.assertEqual(nodes("facts/*.yaml"), (0, ["a", "b", "c"]))
        self.assertEqual(nodes(self.path("control", "facts", "[bc].*")), (0, ["b", "c"]))
        status, text = nodes("nowhere/*")
        self.assertNotEqual(status, 0)
        self.assertIn("fleet.folder", text)

    def test_an_inventory_needs_no_options(self):
        with Service(STRATA, "--site", f"rc=inventory:{os.path.join(EXAMPLES, 'reclass')}") as service:
            self.assertEqual(self.nodes(service, "rc"), ["db1.example.com", "web1.example.com"])
        files = {"nodes/n.yml": "classes: [c]\n", "classes/c.yml": "parameters: {a: 1}\n"}
        with Service(STRATA) as service:
            got = self.ask(service, "POST", "/strata/v1/evaluate/inventory", {"files": files})
            self.assertEqual(got["value"]["a"], 1)

    def test_facts_of_a_request_replace_those_of_the_options(self):
        with self.configured(one={"path": self.path("control"), "hiera-config": "hiera.yaml", "facts": "facts/a.yaml"}) as service:
            self.assertEqual(self.ask(service, "GET", f"{API}/one/nodes/default/values/x")["value"], 5)
            got = self.ask(service, "POST", f"{API}/one/evaluate", {"facts": {"role": "b"}, "keys": ["x"]})
            self.assertEqual(got["results"][0]["value"], 1)
            self.assertEqual(service.request("GET", "/hiera/one/z/x?var.role=b")[2].strip(), "1")

    def test_impact_where_facts_are_a_folder(self):
        change = {"changes": [{"path": "data/common.yaml", "text": "x: 6\nl: [1]\n\"d.k\": 9\n"}]}
        with Service(STRATA) as service:
            self.upload(service, {"hiera-config": "hiera.yaml", "nodes": "facts"},
                        {**FILES, "data/role/b.yaml": "x: 1\n"})
            place = f"{API}/up/impact"
            first = self.ask(service, "POST", place, change)
            self.assertEqual((first["subjects"]["total"], first["effects"][0]["subjects"]), (3, ["a", "c"]))
            self.assertEqual(self.ask(service, "POST", place, change), first)
            # Stored nodes come and go.
            self.ask(service, "PUT", f"{API}/up/nodes/s", {"facts": {"role": "a"}}, 201)
            for _ in range(2):
                self.assertEqual(self.ask(service, "POST", place, change)["effects"][0]["subjects"], ["a", "c", "s"])
            self.ask(service, "DELETE", f"{API}/up/nodes/s", status=204)
            self.assertEqual(self.ask(service, "POST", place, change), first)

    def test_a_value_without_a_form_in_json_fails_alone(self):
        with Service(STRATA) as service:
            self.upload(service, {"nodes": "facts"})
            lines = [json.loads(line) for line in service.request("GET", f"{API}/up/snapshot")[2].splitlines()]
            self.assertEqual([(line["node"], line.get("error", {}).get("code")) for line in lines], [("a", None), ("b", "json.not-finite"), ("c", None)])
            self.assertNotIn("value", lines[1])
            got = self.ask(service, "POST", f"{API}/up/evaluate", {"node": "b", "keys": ["x", "i", "x"]})["results"]
            self.assertEqual([one.get("value") for one in got], [1, None, 1])
            self.assertEqual(got[1]["error"]["code"], "json.not-finite")

    def test_defaults_and_keys_that_are_not_there(self):
        with Service(STRATA) as service:
            self.upload(service, {"nodes": "facts"})
            ask = {"node": "a", "keys": ["x", "zz"]}
            for default in ("d", 7, {"a": [1]}, None):
                got = self.ask(service, "POST", f"{API}/up/evaluate", {**ask, "options": {"default": default}})["results"]
                self.assertEqual([one["value"] for one in got], [5, default])
            problem = self.ask(service, "GET", f"{API}/up/nodes/a/values/d.kk", status=404)
            self.assertEqual({**problem, "request_id": ""},
                             {"type": "urn:strata:error:hiera.key-not-found", "title": "No such key", "status": 404, "code": "hiera.key-not-found",
                              "detail": 'no level of "up" has "d.kk" for a', "hint": "did you mean '\"d.k\"'?", "places": [], "request_id": ""})
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/a/values/", status=400)["code"], "request.path")
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/a/values/l?explain=/9", status=404)["code"], "explain.path")
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes?limit=0", status=400)["code"], "request.query")

    def test_facts_that_no_lookup_takes_are_not_stored(self):
        with Service(STRATA) as service:
            self.upload(service, {"nodes": "facts"})
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/nodes/s", {"facts": {"trusted": 1}}, 422)["code"], "facts.name")
            self.assertEqual(self.nodes(service, "up"), ["a", "b", "c"])

    def test_layers_of_a_base_stand_as_they_count(self):
        files = {"cloud.cfg": "a: 0\n", "cloud.cfg.d/1.cfg": "a: 1\n", "cloud.cfg.d/2.cfg": "a: 2\n"}
        with Service(STRATA) as service:
            self.upload(service, {"base": "cloud.cfg"}, files, "cloud-init")
            layers = self.ask(service, "GET", f"{API}/up/layers")["layers"]
            history = self.ask(service, "GET", f"{API}/up/nodes/default/values/a?explain=")["history"][0]["history"]
            self.assertEqual([one["file"] for one in layers], [one["file"] for one in history])
            self.assertEqual(layers[0]["file"], "cloud.cfg.d/2.cfg")

    def test_set_says_where_it_cannot_work(self):
        with self.serve("deckhand") as service:
            self.assertEqual(self.ask(service, "POST", f"{API}/deckhand/set", {"item": "a", "value": 8}, 422)["code"], "set.verb")

    def test_forms_of_an_answer(self):
        with Service(STRATA) as service:
            self.upload(service, {"nodes": "facts"}, {**FILES, "data/common.yaml": f"x: {'y' * 2000}\n"})
            place = f"{API}/up/nodes/a/values/x"
            for wanted in ({}, {"Accept": "application/yaml"}):
                _, headers, _ = service.request("GET", place, headers={**JSON, **wanted})
                self.assertIn("Accept-Encoding", ", ".join(value for name, value in headers.items() if name == "vary"))
                status, again, _ = service.request("GET", place, headers={**wanted, "If-None-Match": headers["etag"]})
                self.assertEqual((status, again["etag"]), (304, headers["etag"]))
                self.assertIn("Accept", again["vary"])


if __name__ == "__main__":
    unittest.main()
