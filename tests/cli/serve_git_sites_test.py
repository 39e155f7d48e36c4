#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`PUT /strata/v1/sites/{s}`: sites for uploads and of repositories, made by clients.

usage: serve_git_sites_test.py STRATA
"""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
PORT = "nodes/web01/values/profile::web::port"
GIT = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org"]


class GitSites(SiteTest):
    strata = STRATA

    def setUp(self):
        super().setUp()
        self.place = self.path("fleet")
        self.git("init", "-q", "-b", "main")
        self.commit("one")

    def git(self, *words):
        subprocess.run([*GIT, *words], cwd=self.place, check=True, capture_output=True, timeout=HANGS)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def set_port(self, number):
        with open(os.path.join(self.place, "data", "role", "web.yaml"), "a", encoding="utf-8") as file:
            file.write(f"\nprofile::web::port: {number}\n")
        self.commit(f"port {number}")

    def body(self, **more):
        return {"dialect": "hiera", "git": self.place, "ref": "main", **more}

    def test_a_repository_is_made_a_site_and_followed(self):
        with Service(STRATA) as service:
            made = self.ask(service, "PUT", f"{API}/control", self.body(), status=201)
            self.assertEqual((made["name"], made["kind"]), ("control", "git"))
            first = self.ask(service, "GET", f"{API}/control")
            self.assertEqual((first["kind"], len(first["commit"])), ("git", 40))
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}")["value"], 80)
            self.set_port(8123)
            # A request looks at the reference itself: no client waits for the next round.
            end = time.monotonic() + HANGS
            while self.ask(service, "GET", f"{API}/control/{PORT}")["value"] != 8123:
                self.assertLess(time.monotonic(), end)
            self.assertEqual([one["name"] for one in self.ask(service, "GET", API)["sites"]], ["control"])
            self.assertEqual(self.ask(service, "GET", f"{API}/control/files?generation={first['commit']}")["site"]["commit"], first["commit"])
            self.assertEqual(self.ask(service, "PUT", f"{API}/control/tree", {"files": {"a": "b"}}, status=409)["code"], "site.fixed")
            # It is there after a restart, and another project has nothing of it.
            service.stop()
            service.start()
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}")["value"], 8123)
            self.assertEqual(self.ask(service, "GET", f"/p/other{API}/control", status=404)["code"], "site.unknown")

    def test_settings_change_with_conditions(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/control", self.body(), status=201)
            self.ask(service, "GET", f"{API}/control")
            tag = self.headers["etag"]
            self.assertEqual(self.ask(service, "PUT", f"{API}/control", self.body(), status=412, headers={"If-None-Match": "*"})["code"], "request.precondition")
            self.assertEqual(self.ask(service, "PUT", f"{API}/control", self.body(), status=412, headers={"If-Match": '"other"'})["code"], "request.precondition")
            self.git("branch", "old")
            self.set_port(8123)
            self.ask(service, "PUT", f"{API}/control", self.body(ref="old"), headers={"If-Match": tag})
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}")["value"], 80)
            self.ask(service, "PUT", f"{API}/control", self.body(ref="main"))
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}")["value"], 8123)
            self.ask(service, "PUT", f"{API}/control", self.body(secret_keys=["port$"]))
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}")["value"], {"secret": True})
            # The same again changes nothing, and notifies no client.
            before = len(self.ask(service, "GET", "/strata/v1/changes")["changes"])
            self.ask(service, "PUT", f"{API}/control", self.body(secret_keys=["port$"]))
            self.assertEqual(len(self.ask(service, "GET", "/strata/v1/changes")["changes"]), before)
            # It becomes one for uploads.
            self.ask(service, "PUT", f"{API}/control", {"dialect": "hiera"})
            self.assertEqual(self.ask(service, "GET", f"{API}/control/nodes", status=422)["code"], "site.empty")

    def test_a_broken_commit_is_told_or_passed_over(self):
        with Service(STRATA) as service:
            for name, keeps in (("strict", False), ("lenient", True)):
                self.ask(service, "PUT", f"{API}/{name}", self.body(keep_last_good=keeps), status=201)
                self.ask(service, "GET", f"{API}/{name}/{PORT}")
            with open(os.path.join(self.place, ".strata.yaml"), "w", encoding="utf-8") as file:
                file.write("projects: nonsense\n")
            self.commit("broken")
            for name in ("strict", "lenient"):
                self.ask(service, "POST", f"{API}/{name}/refresh")
            self.assertEqual(self.ask(service, "GET", f"{API}/strict/{PORT}", status=422)["code"], "site.broken")
            self.assertEqual(self.ask(service, "GET", f"{API}/lenient/{PORT}")["value"], 80)
            self.assertEqual(self.headers["strata-stale"], "1")

    def test_requests_are_as_strict_as_the_configuration(self):
        with Service(STRATA) as service:
            for body, code, word in (
                    ({"dialect": "hira"}, "site.dialect", "hiera"), ({"dialect": "hiera", "gti": "/x"}, "request.body", "git"), ([], "request.body", ""),
                    ({}, "request.body", "dialect"), ({"dialect": "hiera", "path": self.place}, "request.body", "configuration"),
                    ({"dialect": "hiera", "git": "relative"}, "request.body", "absolute"), ({"dialect": "hiera", "ref": "main"}, "request.body", "git"),
                    (self.body(eyaml_keys={"private": "/x"}), "request.body", "configuration"), (self.body(options={"path": "/x"}), "request.body", "path"),
                    (self.body(options={"eyaml-keys": {"private": "/x"}}), "request.body", "eyaml-keys"), (self.body(secret_keys=["("]), "request.body", "secret-keys"),
                    (self.body(options={"secret-keys": ["("]}), "request.body", "secret-keys"), (self.body(keep_last_good="yes"), "request.body", "keep-last-good"),
                    (self.body(options={"noodes": "x"}), "workspace.key", "nodes"), (self.body(ref="none"), "site.repository", "none"),
                    (self.body(git=self.path("nowhere")), "site.repository", "nowhere")):
                status, _, text = service.request("PUT", f"{API}/control", json.dumps(body), {"Content-Type": "application/json"})
                self.assertIn(status, (400, 422), text)
                self.assertIn(word, text)
                self.assertIn(f'"{code}"', text)
            self.assertEqual(self.ask(service, "GET", API)["sites"], [])
        with self.serve("fleet") as service:
            self.assertEqual(self.ask(service, "PUT", f"{API}/fleet", {"dialect": "hiera"}, status=409)["code"], "site.fixed")

    def tokens(self):
        lines = []
        tokens = {}
        for name, words in (("tenant", ["--role", "admin", "--project", "tenant"]), ("reader", ["--role", "editor"])):
            run = subprocess.run([STRATA, "token", "create", "--for-file", "--id", name, *words], capture_output=True, text=True, timeout=HANGS, check=True)
            tokens[name], line = run.stdout.strip().splitlines()[:2]
            lines.append(line)
        with open(self.path("tokens"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return {name: {"Authorization": f"Bearer {token}"} for name, token in tokens.items()}

    def test_administrators_of_a_project_read_only_what_the_configuration_lets_them(self):
        heads = self.tokens()
        with Service(STRATA, "--auth", f"tokens:{self.path('tokens')}") as service:
            self.assertEqual(self.ask(service, "PUT", f"{API}/control", self.body(), status=403, headers=heads["tenant"])["code"], "service.forbidden")
            self.assertEqual(self.ask(service, "PUT", f"{API}/control", {"dialect": "hiera"}, status=403, headers=heads["reader"])["code"], "service.forbidden")
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write(f"repositories: [{self.folder}]\n")
        with Service(STRATA, "--config", self.path("strata.yaml"), "--auth", f"tokens:{self.path('tokens')}") as service:
            self.ask(service, "PUT", f"{API}/control", self.body(), status=201, headers=heads["tenant"])
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}", headers=heads["tenant"])["value"], 80)
            os.symlink("/", self.path("out"))
            for place in ("/srv", self.folder + "-other", self.path("out", "srv"), self.path("..", "other")):
                self.assertEqual(self.ask(service, "PUT", f"{API}/other", self.body(git=place), status=403, headers=heads["tenant"])["code"], "service.forbidden")

    def test_repositories_that_lead_out_are_not_read(self):
        heads = self.tokens()["tenant"]
        below, secret = self.path("below"), self.path("secret")
        os.mkdir(below)
        shutil.copytree(self.place, secret)
        with open(os.path.join(secret, "data", "role", "web.yaml"), "a", encoding="utf-8") as file:
            file.write("\nprofile::web::port: 6666\n")
        subprocess.run([*GIT, "commit", "-qam", "other"], cwd=secret, check=True, capture_output=True, timeout=HANGS)
        commit = subprocess.run([*GIT, "rev-parse", "HEAD"], cwd=secret, check=True, capture_output=True, text=True, timeout=HANGS).stdout.strip()
        subprocess.run([*GIT, "init", "-q"], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)
        commands = {
            "searched": "mkdir searched",
            "linked": "ln -s ../secret linked",
            "git_linked": "mkdir git_linked && ln -s ../../secret/.git git_linked/.git",
            "named": f"mkdir named && echo 'gitdir: {secret}/.git' >named/.git",
            "alternates": f"git init -q alternates && echo '{secret}/.git/objects' >alternates/.git/objects/info/alternates && echo {commit} >alternates/.git/refs/heads/main",
            "common": f"git init -q common && rm -r common/.git/objects common/.git/refs && echo '{secret}/.git' >common/.git/commondir",
            "objects": "git init -q objects && rm -r objects/.git/objects objects/.git/refs && ln -s ../../../secret/.git/objects objects/.git/objects && "
                       "ln -s ../../../secret/.git/refs objects/.git/refs",
            "included": f"cp -r ../fleet included && printf '[include]\\n\\tpath = {secret}/.git/config\\n' >>included/.git/config",
        }
        for name, command in commands.items():
            subprocess.run(["bash", "-c", command], cwd=below, check=True, capture_output=True, timeout=HANGS)
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write(f"repositories: [{below}]\n")
        with Service(STRATA, "--config", self.path("strata.yaml"), "--auth", f"tokens:{self.path('tokens')}") as service:
            for name in commands:
                status, _, text = service.request("PUT", f"{API}/{name}", json.dumps(self.body(git=os.path.join(below, name))),
                                                  {**heads, "Content-Type": "application/json"})
                self.assertEqual(status, 422 if name == "searched" else 403, (name, text))
                self.assertNotIn(secret, text)
            # A repository that begins to lead out when it is a site.
            shutil.copytree(self.place, os.path.join(below, "later"))
            self.ask(service, "PUT", f"{API}/later", self.body(git=os.path.join(below, "later")), status=201, headers=heads)
            self.assertEqual(self.ask(service, "GET", f"{API}/later/{PORT}", headers=heads)["value"], 80)
            later = os.path.join(below, "later", ".git")
            with open(os.path.join(later, "objects", "info", "alternates"), "w", encoding="utf-8") as file:
                file.write(f"{secret}/.git/objects\n")
            with open(os.path.join(later, "refs", "heads", "main"), "w", encoding="utf-8") as file:
                file.write(commit + "\n")
            self.ask(service, "POST", f"{API}/later/refresh", headers=heads)
            for target in (f"later/{PORT}", "later/files", f"later/files?generation={commit}"):
                status, _, text = service.request("GET", f"{API}/{target}", headers=heads)
                self.assertNotIn("6666", text)
                self.assertTrue(400 <= status < 500, (target, status, text))

    def test_what_leads_out_of_the_folders_later_is_not_read(self):
        heads = self.tokens()
        below = self.path("below")
        os.mkdir(below)
        os.rename(self.place, os.path.join(below, "control"))
        outside, self.place = self.path("outside"), os.path.join(below, "control")
        shutil.copytree(self.place, outside)
        with open(os.path.join(outside, "data", "role", "web.yaml"), "a", encoding="utf-8") as file:
            file.write("\nprofile::web::port: 6666\n")
        subprocess.run([*GIT, "commit", "-qam", "other"], cwd=outside, check=True, capture_output=True, timeout=HANGS)
        # A folder whose `.git` is a file names a repository elsewhere.
        os.mkdir(os.path.join(below, "named"))
        with open(os.path.join(below, "named", ".git"), "w", encoding="utf-8") as file:
            file.write(f"gitdir: {outside}/.git\n")
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write(f"repositories: [{below}]\n")
        with Service(STRATA, "--config", self.path("strata.yaml"), "--auth", f"tokens:{self.path('tokens')}") as service:
            named = self.body(git=os.path.join(below, "named"))
            self.assertEqual(self.ask(service, "PUT", f"{API}/named", named, status=403, headers=heads["tenant"])["code"], "service.forbidden")
            self.ask(service, "PUT", f"{API}/control", self.body(), status=201, headers=heads["tenant"])
            self.assertEqual(self.ask(service, "GET", f"{API}/control/{PORT}", headers=heads["tenant"])["value"], 80)
            os.rename(self.place, self.path("gone"))
            os.symlink(outside, self.place)
            self.ask(service, "POST", f"{API}/control/refresh", headers=heads["tenant"])
            end = time.monotonic() + HANGS
            while True:
                status, _, text = service.request("GET", f"{API}/control/{PORT}", headers=heads["tenant"])
                self.assertNotIn("6666", text)
                if status != 200:
                    break
                self.assertLess(time.monotonic(), end)
            self.assertNotIn("6666", service.request("GET", f"{API}/control/files/data/role/web.yaml", headers=heads["tenant"])[2])


if __name__ == "__main__":
    unittest.main()
