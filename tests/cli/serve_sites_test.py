#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and sites: what it answers is what the commands print, for folders, repositories and uploads of every dialect.

usage: serve_sites_test.py STRATA
"""
import http.client
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import unittest

from serving import HANGS, Service
from site_serving import API, EXAMPLES, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"


def printed(folder, *words):
    run = subprocess.run([STRATA, *words, "--output", "json"], cwd=folder, capture_output=True, timeout=HANGS, check=True)
    return json.loads(run.stdout)


class Sites(SiteTest):
    strata = STRATA

    def test_values_are_those_of_the_commands(self):
        with self.serve("fleet", "cloud-init", "heat", "deckhand") as service:
            for name in ("web01", "db01"):
                nodes = [node for node in json.load(open(self.path("fleet", "nodes.json"), encoding="utf-8")) if node["name"] == name]
                with open(self.path("one.json"), "w", encoding="utf-8") as file:
                    json.dump(nodes, file)
                wanted = printed(self.path("fleet"), "lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "../one.json")
                self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/{name}/values")["value"], wanted[name])
                for key, value in wanted[name].items():
                    self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/{name}/values/{key}")["value"], value)
            wanted = printed(self.path("cloud-init"), "merge", "--base", "cloud.cfg", "platform.yaml", "web.yaml")
            self.assertEqual(self.ask(service, "GET", f"{API}/cloud-init/nodes/default/values")["value"], wanted)
            self.assertEqual(self.ask(service, "GET", f"{API}/cloud-init/nodes/default/values/packages")["value"], wanted["packages"])
            wanted = printed(self.path("heat"), "compose", "-t", "overcloud.yaml", "--environment-directory", "environments")
            text = json.dumps(self.ask(service, "GET", f"{API}/heat/nodes/default/values")["value"])
            self.assertIn('{"secret": true}', text)  # A hidden parameter, which is shown only on request.
            secret = wanted["parameters"]["AdminPassword"]
            self.assertEqual(json.loads(text.replace('{"secret": true}', json.dumps(secret))), wanted)
            wanted = printed(self.path("deckhand"), "render", ".", "--cleartext-secrets")
            got = self.ask(service, "GET", f"{API}/deckhand/nodes/default/values")["value"]
            self.assertEqual(len(got), len(wanted))
            self.assertIn('{"secret": true}', json.dumps(got))
            open_ones = [json.dumps(one, sort_keys=True) for one in got.values() if '{"secret": true}' not in json.dumps(one)]
            self.assertGreater(len(open_ones), 2)
            self.assertLessEqual(set(open_ones), {json.dumps(one, sort_keys=True) for one in wanted})

    def test_blame_and_histories(self):
        with self.serve("fleet", "cloud-init") as service:
            answer = self.ask(service, "GET", f"{API}/cloud-init/nodes/default/values/packages?blame=1&explain=/0")
            self.assertEqual(answer["blame"][0]["file"], "platform.yaml")
            self.assertEqual([one["path"] for one in answer["history"]], ["/0"])
            self.assertTrue(answer["history"][0]["history"])
            # Of all keys together, paths begin with the key.
            whole = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values?explain=&blame=1")
            self.assertEqual({one["path"] for one in whole["history"]}, {one["path"] for one in whole["blame"]})
            one_key = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values?explain=/profile::web::port")["history"]
            self.assertEqual([one["path"] for one in one_key], ["/profile::web::port"])
            self.assertIn(one_key[0], whole["history"])
            answer = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/profile::web::port?explain=")
            self.assertEqual([one["fate"] for one in answer["history"][0]["history"]][0], "won")

    def test_folders_that_are_not_there(self):
        missing = self.path("later")
        words = ["--site", f"later=hiera:{missing}", "--site", f"fleet=hiera:{os.path.join(EXAMPLES, 'fleet')}"]
        run = subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{self.path('check.db')}", *words], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(f"site: later (hiera, path): the site 'later' is broken: the folder '{missing}' is missing", run.stdout)
        self.assertRegex(run.stdout, r"site: fleet \(hiera, path\): \d+ files, \d+ assumed nodes")
        with Service(STRATA, *words) as service:
            self.assertEqual(self.ask(service, "GET", f"{API}/later/nodes", status=422)["code"], "site.broken")
            self.assertEqual(service.request("GET", "/readyz")[0], 503)
            shutil.copytree(os.path.join(EXAMPLES, "fleet"), missing)
            self.ask(service, "POST", f"{API}/later/refresh")
            self.assertTrue(self.ask(service, "GET", f"{API}/later/nodes")["nodes"])
        run = subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{self.path('check.db')}", *words], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_what_cannot_be_read_says_where(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": "version: [\n", "data/common.yaml": "a: 1\n"}}, status=201)
            answer = self.ask(service, "GET", f"{API}/up/nodes", status=422)
            self.assertEqual((answer["code"], answer["places"][0]["file"]), ("site.broken", "hiera.yaml"))

    def test_what_is_not_there(self):
        with self.serve("fleet") as service:
            missing = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/profile::web::prot", status=404)
            self.assertEqual((missing["code"], missing["hint"]), ("hiera.key-not-found", "did you mean 'profile::web::port'?"))
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/web1/values", status=404)["code"], "site.node")
            self.assertEqual(self.ask(service, "GET", f"{API}/flee/nodes", status=404)["code"], "site.unknown")
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/no?default=7")["value"], "7")
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/a%2Fb/values", status=400)["code"], "request.path")

    def test_entity_tags_live_as_long_as_results(self):
        with self.serve("fleet") as service:
            place = f"{API}/fleet/nodes/web01/values/profile::web::port"
            self.ask(service, "GET", place)
            tag = self.headers["etag"]
            for _ in range(3):
                self.ask(service, "GET", place, status=304, headers={"If-None-Match": tag})
            # An edit that does not touch the result keeps the tag; one that does changes it.
            with open(self.path("fleet", "data", "common.yaml"), "a", encoding="utf-8") as file:
                file.write("new::key: 1\n")
            self.assertEqual(self.ask(service, "POST", f"{API}/fleet/refresh")["generation"], 2)
            self.ask(service, "GET", place, status=304, headers={"If-None-Match": tag})
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/new::key")["value"], 1)
            with open(self.path("fleet", "data", "role", "web.yaml"), "a", encoding="utf-8") as file:
                file.write("\nprofile::web::port: 8123\n")
            self.ask(service, "POST", f"{API}/fleet/refresh")
            self.assertEqual(self.ask(service, "GET", place, headers={"If-None-Match": tag})["value"], 8123)

    def test_changes_are_noticed_and_broken_ones_told(self):
        with self.serve("fleet") as service:
            hiera = self.path("fleet", "hiera.yaml")
            good = open(hiera, encoding="utf-8").read()
            with open(hiera, "w", encoding="utf-8") as file:
                file.write("version: 5\nhierarchy: nonsense\n")
            end = time.monotonic() + HANGS
            while True:
                status, _, text = service.request("GET", f"{API}/fleet/nodes/web01/values")
                if status == 422:
                    break
                self.assertLess(time.monotonic(), end, text)
            with open(hiera, "w", encoding="utf-8") as file:
                file.write(good)
            self.ask(service, "POST", f"{API}/fleet/refresh")
            self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")

    def test_batches_and_facts_of_the_request(self):
        with self.serve("fleet") as service:
            answer = self.ask(service, "POST", f"{API}/fleet/evaluate", {"facts": {"cert": "x", "role": "web", "dc": "ams"}, "keys": ["profile::web::port", "no"]})
            port = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/profile::web::port")["value"]
            self.assertEqual(answer["results"][0]["value"], port)
            self.assertEqual(answer["results"][1]["error"]["code"], "hiera.key-not-found")
            answer = self.ask(service, "POST", f"{API}/fleet/evaluate", {"node": "web01", "keys": ["profile::web::port"]})
            self.assertEqual(answer["results"][0]["value"], port)
            for body in ([], {"keys": 1}, {"keys": [1]}, {"facts": []}, {"node": 1}):
                self.assertEqual(self.ask(service, "POST", f"{API}/fleet/evaluate", body, status=400)["code"], "request.body")

    def test_analyses_are_those_of_the_commands(self):
        with self.serve("fleet") as service:
            path = self.path("fleet", "data", "common.yaml")
            text = open(path, encoding="utf-8").read() + "profile::web::port: 8000\nother::key: 1\n"
            change = {"changes": [{"path": "data/common.yaml", "text": text}]}
            got = self.ask(service, "POST", f"{API}/fleet/impact?names=100", change)
            shutil.copytree(self.path("fleet"), self.path("before"))
            words = ["lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
            with open(self.path("edited.yaml"), "w", encoding="utf-8") as file:
                file.write(text)
            run = subprocess.run([STRATA, "impact", "--exit-zero", "--output", "json", "--edit", "data/common.yaml=../edited.yaml", *words],
                                 cwd=self.path("fleet"), capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(got, json.loads(run.stdout))
            got = self.ask(service, "POST", f"{API}/fleet/check")
            run = subprocess.run([STRATA, "check", "--output", "json", *words], cwd=self.path("fleet"), capture_output=True, timeout=HANGS, check=False)
            self.assertEqual(got["findings"], json.loads(run.stdout)["findings"])
            proposed = self.ask(service, "POST", f"{API}/fleet/set", {"item": "profile::web::port", "value": 9999, "for": ["web01"]})
            self.assertTrue(proposed["proposals"])

    def test_uploads(self):
        with Service(STRATA) as service:
            self.assertEqual(self.ask(service, "PUT", f"{API}/up", {"dialect": "hira"}, status=422)["hint"], "did you mean 'hiera'?")
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes", status=422)["code"], "site.empty")
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w:gz") as archive:
                archive.add(self.path("fleet"), arcname=".")
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", packed.getvalue(), status=201)["generation"], 1)
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", packed.getvalue())["generation"], 1)
            port = self.ask(service, "GET", f"{API}/up/nodes/web01/values/profile::web::port")["value"]
            self.assertIsInstance(port, int)
            role = open(self.path("fleet", "data", "role", "web.yaml"), encoding="utf-8").read() + "\nprofile::web::port: 8123\n"
            change = {"changes": [{"path": "data/role/web.yaml", "text": role}], "message": "another port"}
            self.assertEqual(self.ask(service, "PATCH", f"{API}/up/tree", change, status=412, headers={"If-Match": '"7"'})["code"], "request.precondition")
            self.assertEqual(self.ask(service, "PATCH", f"{API}/up/tree", change, status=200, headers={"If-Match": '"1"'})["generation"], 2)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/web01/values/profile::web::port")["value"], 8123)
            for path in ("../x", "/x", "a//b", "", "a/./b"):
                body = {"changes": [{"path": path, "text": ""}]}
                self.assertEqual(self.ask(service, "PATCH", f"{API}/up/tree", body, status=400)["code"], "request.path")
            # Another project has nothing of it.
            self.assertEqual(self.ask(service, "GET", f"/p/other{API}/up", status=404)["code"], "site.unknown")
            # It is there after a restart.
            service.stop()
            service.start()
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/web01/values/profile::web::port")["value"], 8123)

    def test_archives_that_are_refused(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)

            def archive(change, mode="w"):
                out = io.BytesIO()
                with tarfile.open(fileobj=out, mode=mode) as tar:
                    one = tarfile.TarInfo("hiera.yaml")
                    one.size = 3
                    change(one)
                    tar.addfile(one, io.BytesIO(b"a: " if one.isfile() else b""))
                return out.getvalue()

            def link(one):
                one.type, one.linkname, one.size = tarfile.SYMTYPE, "/etc/passwd", 0

            def outside(one):
                one.name = "../hiera.yaml"

            self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", archive(link), status=400)["code"], "request.archive")
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", archive(outside), status=400)["code"], "request.path")
            whole = archive(lambda one: None)
            for cut in (100, 513, 514):
                self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", whole[:cut], status=400)["code"], "request.archive")
            bomb = io.BytesIO()
            with tarfile.open(fileobj=bomb, mode="w:gz") as tar:
                one = tarfile.TarInfo("zero")
                one.size = 64 << 20
                tar.addfile(one, io.BytesIO(bytes(64 << 20)))
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", bomb.getvalue(), status=422)["code"], "site.large")

    def test_deep_folders_and_many_of_them_are_refused(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            deepest = "/".join(["d"] * 64)
            self.put_tree(service, [f"{deepest}/a.yaml"])
            for paths, part in (
                ([f"{'a/' * 1000}{i}.yaml" for i in range(300)], "nest at most 64 deep"),
                ([f"{deepest}/d/a.yaml"], "nest at most 64 deep"),
                ([f"{i}/{deepest[:119]}/a.yaml" for i in range(1700)], "at most 100000 folders"),
            ):
                self.assertIn(part, str(self.put_tree(service, paths, status=422)))
            for path in ("a/" * 65 + "a.yaml", deepest + "/d/a"):
                body = {"files": {path: "a: 1"}}
                self.assertEqual(self.ask(service, "PUT", f"{API}/up/tree", body, status=422)["code"], "site.large")
                body = {"changes": [{"path": path, "text": "a: 1"}]}
                self.assertEqual(self.ask(service, "PATCH", f"{API}/up/tree", body, status=422)["code"], "site.large")
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files")["files"], [f"{deepest}/a.yaml"])

    def put_tree(self, service, paths, status=201):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            for path in paths:
                one = tarfile.TarInfo(path)
                one.size = 5
                tar.addfile(one, io.BytesIO(b"a: 1\n"))
        return self.ask(service, "PUT", f"{API}/up/tree", out.getvalue(), status=status)

    def test_no_upload_holds_up_others(self):
        """A request about an upload takes at most a few times the processor time that storing the upload takes. So it delays no request of others for long."""
        most, least = 4, 0.25  # Times what storing takes; seconds, because the clock of processes is coarse.
        deep = "/".join(["d" * 60] * 60)
        uploads = {
            "deep": [f"{i}/{deep}/a.yaml" for i in range(300)],
            "wide": [f"data/{i}.yaml" for i in range(15_000)],
            "spread": [f"{i % 10}/{i % 100}/{i}/a.yaml" for i in range(5_000)],
        }

        def used(service):
            with open(f"/proc/{service.process.pid}/stat", encoding="ascii") as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        with self.serve("fleet") as service:
            key = f"{API}/fleet/nodes/web01/values/profile::web::port"
            value = self.ask(service, "GET", key)["value"]
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            for name, paths in uploads.items():
                before = used(service)
                self.put_tree(service, [*paths, "hiera.yaml"])
                limit = most * max(least, used(service) - before)
                for path in ("", "/files", "/nodes", "/nodes/default/values", "/layers", "/search?q=a"):
                    before = used(service)
                    status, _, _ = service.request("GET", f"{API}/up{path}")
                    self.assertLess(used(service) - before, limit, f"{name} {path} {status}")
                    self.assertEqual(self.ask(service, "GET", key)["value"], value)

    def test_repositories(self):
        git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org"]
        place = self.path("fleet")
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "one"]):
            subprocess.run([*git, *words], cwd=place, check=True, capture_output=True)
        with Service(STRATA, "--site", f"control=hiera:{place}@main") as service:
            first = self.ask(service, "GET", f"{API}/control")["commit"]
            with open(os.path.join(place, "data", "role", "web.yaml"), "a", encoding="utf-8") as file:
                file.write("\nprofile::web::port: 8123\n")
            self.ask(service, "POST", f"{API}/control/refresh")
            value = f"{API}/control/nodes/web01/values/profile::web::port"
            self.assertNotEqual(self.ask(service, "GET", value)["value"], 8123)  # Not committed.
            subprocess.run([*git, "commit", "-qam", "two"], cwd=place, check=True, capture_output=True)
            self.assertNotEqual(self.ask(service, "POST", f"{API}/control/refresh")["commit"], first)
            self.assertEqual(self.ask(service, "GET", value)["value"], 8123)

    def test_nothing_leads_out_of_a_site(self):
        secret = self.path("secret.yaml")
        with open(secret, "w", encoding="utf-8") as file:
            file.write("key: outside\n")
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            for path in (secret, "../../../../../.." + secret):
                hiera = json.dumps({"version": 5, "hierarchy": [{"name": "x", "path": path}, {"name": "y", "datadir": os.path.dirname(path), "path": "secret.yaml"}]})
                self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": hiera, "data/a.yaml": "b: 1"}}, status=201)
                status, _, text = service.request("GET", f"{API}/up/nodes/default/values")
                self.assertNotIn("outside", text)
                self.assertIn(status, (200, 404, 422), text)

    def test_the_explorer_has_the_names_of_the_configuration(self):
        for name in ("public_hosts", "public-hosts"):
            with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
                file.write(f"{name}: [a.example, 'b.example:8443']\n")
            with self.serve("fleet", more=("--config", self.path("strata.yaml"))) as service:
                for host, status in (("a.example", 200), ("a.example:1", 200), ("b.example:8443", 200), ("b.example", 421), ("c.example", 421)):
                    self.assertEqual(service.request("GET", "/strata/v1/explore/projects", headers={"Host": host})[0], status, host)

    def test_keys_are_those_of_the_site(self):
        # A client must not name keys or variables of the host, which may open what others have encrypted.
        hiera = os.path.join(EXAMPLES, "hiera")
        with open(os.path.join(hiera, "environments", "production", "data", "secrets.eyaml"), encoding="utf-8") as file:
            secrets = file.read()
        keys = {name: os.path.realpath(os.path.join(hiera, "keys", f"{name}_key.pkcs7.pem")) for name in ("private", "public")}
        texts = {}
        for name, path in keys.items():
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()

        def files(options, **more):
            config = {"version": 5, "hierarchy": [{"name": "x", "lookup_key": "eyaml_lookup_key", "path": "secrets.eyaml", "options": options}]}
            return {"files": {"hiera.yaml": json.dumps(config), "data/secrets.eyaml": secrets, **more}}

        from_host = {f"pkcs7_{name}_key": path for name, path in keys.items()}
        from_variables = {f"pkcs7_{name}_key_env_var": f"KEY_{name}" for name in keys}
        inside = {f"pkcs7_{name}_key": f"keys/{name}.pem" for name in keys}
        environment = {**os.environ, **{f"KEY_{name}": text for name, text in texts.items()}}
        with Service(STRATA, "--anonymous-roles", "admin", "--anonymous-roles", "secret-reader", environment=environment) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            place = f"{API}/up/nodes/default/values/profile::db::password"
            for options in (from_host, from_variables):
                self.ask(service, "PUT", f"{API}/up/tree", files(options), status=201)
                self.ask(service, "GET", place + "?secrets=clear", status=422)
            self.ask(service, "PUT", f"{API}/up/tree", files(inside, **{f"keys/{name}.pem": text for name, text in texts.items()}), status=201)
            self.assertEqual(self.ask(service, "GET", place)["value"], {"secret": True})
            self.assertIsInstance(self.ask(service, "GET", place + "?secrets=clear")["value"], str)


if __name__ == "__main__":
    unittest.main()
