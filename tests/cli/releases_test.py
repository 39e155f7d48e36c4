#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The releases that strata lookup follows (--compat): the default, other names, server facts, messages, projects and analyses.

The results of each release are in tests/vectors/hiera. usage: releases_test.py STRATA
"""
import json
import os
import subprocess
import sys
import unittest

import check_site

if len(sys.argv) > 1:
    check_site.SiteTest.strata = os.path.abspath(sys.argv.pop(1))
UNKNOWN = "x: 'a%{nosuch}b'\nsure: 1\n"


class Releases(check_site.SiteTest):
    def setUp(self):
        super().setUp()
        self.write({"hiera.yaml": "version: 5\nhierarchy:\n  - {name: c, path: common.yaml}\n", "data/common.yaml": UNKNOWN, "facts.yaml": "role: web\n"})

    def strata_run(self, *words, status=0):
        run = subprocess.run([self.strata, *words], cwd=self.folder, capture_output=True, text=True, timeout=check_site.HANGS, check=False)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        self.errors = run.stderr
        return run.stdout

    def look_up(self, key, *words, status=0):
        return self.strata_run("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.yaml", "--render-as", "s", *words, key, status=status)


class Names(Releases):
    def test_names(self):
        for name in ((), ("--compat", "openvox"), ("--compat", "puppet8"), ("--compat", "openvox9")):
            self.look_up("x", *name, status=1)
            self.assertIn("common.yaml:1:4: error: ", self.errors)
            self.assertIn("[hiera.unknown-variable]", self.errors)
            self.assertNotIn("counts as", self.errors)
        for name in ("puppet7", "shipped", "promised"):
            self.assertEqual(self.look_up("x", "--compat", name), "ab\n")
            self.assertIn("common.yaml:1:4: warning: ", self.errors)
        self.look_up("x", "--compat", "puppet9", status=1)
        self.assertIn("puppet9", self.errors)

    def test_version(self):
        self.assertIn("OpenVox 8.28.1", self.strata_run("--version", "--verbose"))

    def test_all_leaves_out_the_key(self):
        run = self.strata_run("lookup", "--hiera-config", "hiera.yaml", "--facts", "facts.yaml", "--all", "--output", "json", status=1)
        self.assertEqual(json.loads(run), {"sure": 1})

    def test_explanations(self):
        self.assertIn('Found key: "x" value: "ab"', self.look_up("x", "--explain"))
        self.assertIn("warning: Undefined variable 'nosuch'", self.errors)

    def test_project(self):
        self.write({".strata.yaml": "projects:\n  seven: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json, compat: puppet7}\n"
                                    "  now: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n"})
        for project, severities in (("@seven", {"warning"}), ("@now", {"warning", "error"})):
            found = json.loads(self.strata_run("check", "--output", "json", project, status=1))["findings"]
            self.assertEqual({one["severity"] for one in found if "nosuch" in one["message"]}, severities)

    def test_check(self):
        for compat, severity in ((), "error"), (("--compat", "puppet7"), "warning"):
            report = self.report(question=(*check_site.QUESTION, *compat))
            self.assertEqual({one["severity"] for one in report["findings"] if one.get("line") == 1 and "nosuch" in one["message"]} & {"error"},
                             {"error"} if severity == "error" else set())


class ServerFacts(Releases):
    def test_without_the_option(self):
        self.write({"data/common.yaml": "a: '%{serverversion}'\nb: '%{server_facts.servername}'\nc: '%{server_facts.environment}'\nd: '%{serverx}'\n"})
        for key in "ab":
            self.assertEqual(self.look_up(key), "\n")
            self.assertIn("[hiera.unknown-variable]", self.errors)
            self.assertIn("--server-facts", self.errors)
        self.assertEqual(self.look_up("c"), "production\n")
        self.look_up("d", status=1)

    def test_fleet_and_paths(self):
        self.write({"hiera.yaml": "version: 5\nhierarchy:\n  - {name: s, path: 's/%{server_facts.servername}.yaml'}\n  - {name: v, path: 'v/%{serverversion}.yaml'}\n",
                    "data/s/p1.yaml": "k: 1\n", "data/v/8.yaml": "l: 2\n", "server.json": '{"servername": "p1", "serverversion": "8"}'})
        fleet = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--all", "--output", "json")
        self.assertEqual(json.loads(self.strata_run(*fleet, "--server-facts", "server.json")), {name: {"k": 1, "l": 2} for name in "ab"})
        self.assertEqual(self.errors, "")
        self.assertEqual(json.loads(self.strata_run(*fleet)), {"a": {}, "b": {}})
        self.assertEqual(self.errors.count("hint: give what the server knows with --server-facts FILE"), 2, self.errors)

    def test_wrong_files(self):
        for text, message in (("- a\n", "facts.server"), ("a: [\n", "yaml.syntax"), ("x\n", "facts.server"), ("", "facts.server")):
            self.write({"server.yaml": text})
            self.look_up("sure", "--server-facts", "server.yaml", status=1)
            self.assertIn("server.yaml:", self.errors)
            self.assertIn(message, self.errors)
        self.look_up("sure", "--server-facts", "nowhere.yaml", status=1)
        self.assertIn("nowhere.yaml", self.errors)


if __name__ == "__main__":
    unittest.main()
