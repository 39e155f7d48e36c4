#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve`: whole fleets as streams, nodes that are stored, questions about files, changes, the audit, tokens, and the store as a file.

usage: serve_fleet_test.py STRATA
"""
import http.client
import json
import os
import select
import socket
import subprocess
import sys
import time
import unittest

from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"


class Fleet(SiteTest):
    strata = STRATA

    def lines(self, service, path):
        return [json.loads(line) for line in self.ask_text(service, path).splitlines()]

    def ask_text(self, service, path, status=200):
        got, self.headers, text = service.request("GET", path)
        self.assertEqual(got, status, text)
        return text

    def test_snapshots(self):
        with self.serve("fleet", "cloud-init") as service:
            all_lines = self.lines(service, f"{API}/fleet/snapshot")
            self.assertEqual(self.headers["content-type"], "application/jsonl")
            names = [one["name"] for one in json.load(open(self.path("fleet", "nodes.json"), encoding="utf-8"))]
            self.assertEqual([one["node"] for one in all_lines], sorted(names))
            for one in all_lines:
                answer = self.ask(service, "GET", f"{API}/fleet/nodes/{one['node']}/values")
                self.assertEqual((answer["value"], self.headers["etag"]), (one["value"], f'"{one["etag"]}"'))
            generation = self.ask_generation(service, "fleet")
            self.assertEqual(self.lines(service, f"{API}/fleet/snapshot?after={all_lines[0]['node']}&generation={generation}"), all_lines[1:])
            self.assertEqual(self.lines(service, f"{API}/fleet/snapshot?nodes=web01,db01"), [one for one in all_lines if one["node"] in ("db01", "web01")])
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/snapshot?generation=7", status=409)["code"], "site.generation")
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/snapshot?nodes=web", status=404)["code"], "site.node")
            only = self.lines(service, f"{API}/cloud-init/snapshot")
            self.assertEqual([one["node"] for one in only], ["default"])
            blamed = self.lines(service, f"{API}/fleet/snapshot?nodes=web01&blame=1")
            self.assertTrue(blamed[0]["blame"])

    def ask_generation(self, service, site):
        self.ask_text(service, f"{API}/{site}/snapshot")
        return self.headers["strata-generation"]

    def test_generations_and_tags_are_of_one_state(self):
        common = self.path("fleet", "data", "common.yaml")
        with open(common, encoding="utf-8") as file:
            good = file.read()
        options = "hiera-config: hiera.yaml, nodes: nodes.json, keep_last_good: true"
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write(f"sites: {{fleet: {{dialect: hiera, path: {self.path('fleet')}, {options}}}}}\n")

        def write(text):
            with open(common, "w", encoding="utf-8") as file:
                file.write(text)
            self.ask(service, "POST", f"{API}/fleet/refresh")

        def describe():
            self.ask(service, "GET", f"{API}/fleet")
            return self.headers["etag"]

        with Service(STRATA, "--config", self.path("strata.yaml")) as service:
            whole, generation = describe(), self.ask_generation(service, "fleet")
            for _ in range(2):
                self.ask(service, "GET", f"{API}/fleet", status=304, headers={"If-None-Match": whole})
            # It says why it is stale, and how many nodes there are.
            write("a: [\n")
            stale = describe()
            self.ask(service, "GET", f"{API}/fleet", status=200, headers={"If-None-Match": whole})
            self.assertEqual(self.ask_generation(service, "fleet"), generation)
            self.ask(service, "PUT", f"{API}/fleet/nodes/new01", {"facts": {"role": "db"}}, status=201)
            with_node = describe()
            self.assertEqual(len({whole, stale, with_node}), 3)
            write(good + "new::key: 1\n")
            self.assertNotEqual(self.ask_generation(service, "fleet"), generation)
            service.stop()
            service.start()
            # Another process counts from the start.
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet")["generation"], 1)
            self.assertNotEqual(self.ask_generation(service, "fleet"), generation)
            self.lines(service, f"{API}/fleet/snapshot?after=db01&generation=1")
            for old in (generation, "2"):
                self.assertEqual(self.ask(service, "GET", f"{API}/fleet/snapshot?after=db01&generation={old}", status=409)["code"], "site.generation")
            # The description of an upload is as good as its tag where it is a condition, and says as much.
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": "version: 5\n", "data/common.yaml": "a: 1\n"}}, status=201)
            self.ask(service, "GET", f"{API}/up")
            tag = self.headers["etag"]
            self.ask(service, "PUT", f"{API}/up/nodes/n1", {"facts": {}}, status=201)
            self.ask(service, "GET", f"{API}/up", status=200, headers={"If-None-Match": tag})
            change = {"changes": [{"path": "data/common.yaml", "text": "a: 2\n"}]}
            self.ask(service, "PATCH", f"{API}/up/tree", change, status=200, headers={"If-Match": tag})
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "b", "text": ""}]}, status=412, headers={"If-Match": tag})
            number = self.ask_generation(service, "up")
            self.assertEqual(number, "2")
            service.stop()
            service.start()
            self.ask_text(service, f"{API}/up/snapshot?generation={number}")

    def test_streams_leave_the_connection_as_it_was(self):
        target, ending = f"{API}/fleet/snapshot", b"0\r\n\r\n"
        with self.serve("fleet") as service:
            wanted = self.ask_text(service, target)
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
            for _ in range(3):
                connection.request("GET", target)
                self.assertEqual(connection.getresponse().read().decode(), wanted)
            used = connection.sock
            connection.request("GET", "/healthz")
            self.assertEqual((connection.getresponse().read().decode() != "", connection.sock), (True, used))
            connection.close()
            head = f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
            health = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for sent, answers in ((head + health, 2), (head + head + head + health, 4)):
                with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as raw:
                    raw.sendall(sent)
                    got = b"".join(iter(lambda: raw.recv(1 << 16), b""))
                self.assertEqual((got.count(b"HTTP/1.1 200"), got.count(ending)), (answers, answers - 1))
            # Who cannot go on is read to the end, and then dropped.
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as raw:
                raw.sendall(head.replace(b"HTTP/1.1", b"HTTP/1.0") + b"x" * 5000)
                got = b""
                while piece := raw.recv(1000):
                    got += piece
                    raw.sendall(b"y" * 100)
            self.assertTrue(got.decode().endswith(wanted), got[-100:])
            # Who has nothing more to say may still listen.
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as raw:
                raw.sendall(head)
                raw.shutdown(socket.SHUT_WR)
                got = b"".join(iter(lambda: raw.recv(1 << 16), b""))
            self.assertTrue(got.endswith(ending), got[-100:])

    def test_who_waits_for_a_change_keeps_nobody_from_work(self):
        path = f"{API}/fleet/nodes/web01/values"
        with self.serve("fleet") as service:
            self.ask_text(service, path)
            poll = f"GET {path} HTTP/1.1\r\nHost: a\r\nIf-None-Match: {self.headers['etag']}\r\nPrefer: wait=29\r\n\r\n".encode()
            polls = [socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) for _ in range(50)]
            for one in polls:
                one.sendall(poll)
            # More than there are threads.
            self.assertTrue(self.lines(service, f"{API}/fleet/snapshot"))
            self.assertEqual(service.request("GET", "/api/v1.0/revisions", headers={"Prefer": "wait=1"})[0], 200)
            self.assertEqual(select.select(polls, [], [], 0)[0], [], "they were answered before, and so may have been in the way")
            with open(self.path("fleet", "data", "node", "web01.yaml"), "a", encoding="utf-8") as file:
                file.write("changed::now: 1\n")
            self.ask(service, "POST", f"{API}/fleet/refresh")
            for one in polls:
                self.assertTrue(one.recv(1 << 16).startswith(b"HTTP/1.1 200"))
                one.close()
            # The end of the service is the end of waiting.
            self.ask_text(service, path)
            with socket.create_connection(("127.0.0.1", service.port), timeout=HANGS) as last:
                last.sendall(poll.replace(poll.split(b"Match: ")[1].split(b"\r")[0], self.headers["etag"].encode()))
                self.assertEqual(service.request("GET", "/healthz")[0], 200)
                service.stop()
                self.assertTrue(last.recv(1 << 16).startswith(b"HTTP/1.1 304"))

    def test_a_key_that_fails_fails_alone(self):
        with open(self.path("fleet", "nodes.json"), encoding="utf-8") as file:
            nodes = json.load(file)
        with self.serve("fleet") as service:
            with open(self.path("fleet", "data", "node", "web01.yaml"), "w", encoding="utf-8") as file:
                file.write("a: [\n")
            self.ask(service, "POST", f"{API}/fleet/refresh")
            lines = self.lines(service, f"{API}/fleet/snapshot")
            self.assertEqual(len(lines), len(nodes))
            failed = [one for one in lines if "error" in one]
            self.assertEqual([one["node"] for one in failed], ["web01"])
            self.assertTrue(failed[0]["error"]["code"])

    def test_many_nodes_are_sent_while_they_are_made(self):
        nodes = [{"name": f"n{i:05}", "facts": {"role": "web"}} for i in range(3000)]
        with open(self.path("fleet", "nodes.json"), "w", encoding="utf-8") as file:
            json.dump(nodes, file)
        with self.serve("fleet") as service:
            self.assertEqual([one["node"] for one in self.lines(service, f"{API}/fleet/snapshot")], [one["name"] for one in nodes])

    def test_stored_nodes(self):
        with self.serve("fleet") as service:
            web = {"facts": {"role": "web", "dc": "ams"}}
            for kind in ("fleet", "up"):
                if kind == "up":
                    self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
                    files = {}
                    for folder, _, names in os.walk(self.path("fleet")):
                        for name in names:
                            path = os.path.join(folder, name)
                            files[os.path.relpath(path, self.path("fleet"))] = open(path, encoding="utf-8").read()
                    self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
                place = f"{API}/{kind}/nodes"
                first = self.ask(service, "PUT", f"{place}/new01", web, status=201)["generation"]
                self.assertRegex(self.headers["strata-at"], r"^default:\d+$")
                self.assertEqual(self.ask(service, "PUT", f"{place}/new01", web)["generation"], first)
                self.assertIn("new01", self.ask(service, "GET", place)["nodes"])
                self.assertLessEqual({"role", "dc"}, set(self.ask(service, "GET", f"{place}/new01")["facts"]))
                values = self.ask(service, "GET", f"{place}/new01/values")["value"]
                self.assertEqual(values, self.ask(service, "POST", f"{API}/{kind}/evaluate", web)["value"])
                self.ask(service, "GET", f"{place}/new01/values")
                tag = self.headers["etag"]
                self.ask(service, "GET", f"{place}/new01/values", status=304, headers={"If-None-Match": tag})
                self.ask(service, "PUT", f"{place}/new01", {"facts": {"role": "db"}})
                self.assertGreater(self.ask(service, "GET", f"{place}/new01")["generation"], first)
                self.assertNotEqual(self.ask(service, "GET", f"{place}/new01/values", headers={"If-None-Match": tag})["value"], values)
                self.ask(service, "GET", f"{place}/new01/keys")
                self.assertEqual(self.ask(service, "PUT", f"{place}/web01", web, status=409)["code"], "site.fixed")
                self.assertEqual(self.ask(service, "PUT", f"{place}/x", {"facts": []}, status=400)["code"], "request.body")
                self.assertEqual(self.ask(service, "PUT", f"{place}/.x", web, status=400)["code"], "request.path")
                self.ask(service, "DELETE", f"{place}/new01", status=204)
                # Another one of the name is another one: no answer and no tag of the first is one of it.
                self.ask(service, "PUT", f"{place}/new01", web, status=201)
                self.assertNotEqual(self.headers["etag"], f'"{first}"')
                self.assertEqual(self.ask(service, "GET", f"{place}/new01/values")["value"], values)
                self.ask(service, "DELETE", f"{place}/new01", status=204)
                self.ask(service, "PUT", f"{place}/new01", {"facts": {"role": "db"}}, status=201)
                self.assertNotEqual(self.ask(service, "GET", f"{place}/new01/values")["value"], values)
                self.ask(service, "DELETE", f"{place}/new01", status=204)
                self.assertEqual(self.ask(service, "DELETE", f"{place}/new01", status=404)["code"], "site.node")
                self.ask(service, "GET", f"{place}/new01/values", status=404)
            self.assertEqual([one["name"] for one in self.ask(service, "GET", API)["sites"]], ["fleet", "up"])

    def test_stored_nodes_belong_to_the_fleet(self):
        with open(self.path("fleet", "data", "role", "db.yaml"), encoding="utf-8") as file:
            role = file.read()
        edit = {"changes": [{"path": "data/role/db.yaml", "text": role + "\nonly::here: 1\n"}]}
        with self.serve("fleet") as service:
            place = f"{API}/fleet"
            files = sorted(self.ask(service, "GET", f"{place}/nodes")["nodes"])
            before = self.ask(service, "POST", f"{place}/impact", edit)["subjects"]
            for turn, roles in enumerate(({"new01": "db"}, {"new01": "db", "aa": "web"}, {"new01": "web", "aa": "db"}, {"new01": "db", "aa": "db"})):
                for name, value in roles.items():
                    self.assertIn(service.request("PUT", f"{place}/nodes/{name}", json.dumps({"facts": {"role": value}}), {"Content-Type": "application/json"})[0], (200, 201))
                nodes = sorted([*files, *roles])
                self.assertEqual(self.ask(service, "GET", place)["nodes"], len(nodes))
                self.assertEqual(self.ask(service, "GET", f"{place}/nodes")["nodes"], nodes)
                lines = self.lines(service, f"{place}/snapshot")
                self.assertEqual([one["node"] for one in lines], nodes)
                for one in lines:
                    answer = self.ask(service, "GET", f"{place}/nodes/{one['node']}/values")
                    self.assertEqual((answer["value"], self.headers["etag"]), (one["value"], f'"{one["etag"]}"'))
                self.assertEqual(self.lines(service, f"{place}/snapshot?nodes=new01,web01"), [one for one in lines if one["node"] in ("new01", "web01")])
                self.assertEqual(self.lines(service, f"{place}/snapshot?after=new01"), [one for one in lines if one["node"] > "new01"])
                of_db = sorted(name for name, value in roles.items() if value == "db")
                for _ in range(2):
                    effects = self.ask(service, "POST", f"{place}/impact?names=1000", edit)
                    self.assertEqual(effects["subjects"]["total"], len(nodes))
                    self.assertEqual(effects["subjects"]["changed"], before["changed"] + len(of_db))
                    self.assertLessEqual(set(of_db), {name for one in effects["effects"] for name in one["subjects"]})
                only = self.ask(service, "POST", f"{place}/impact", {**edit, "only": ["only::*"]})
                self.assertEqual(only["subjects"]["changed"], before["changed"] + len(of_db))
                differences = self.ask(service, "POST", f"{place}/diff", edit)
                self.assertEqual(differences["summary"]["subjects"], len(nodes))
                of_new = self.ask(service, "POST", f"{place}/diff", {**edit, "nodes": ["new01"]})
                self.assertEqual("only::here" in json.dumps(of_new), roles["new01"] == "db", (turn, of_new))
            self.assertIn("data/role/db.yaml", [one["file"] for one in self.ask(service, "GET", f"{place}/layers?node=new01")["layers"]])
            self.assertTrue(self.ask(service, "POST", f"{place}/set", {"item": "only::here", "value": 1, "for": ["new01"]})["proposals"])
            self.assertTrue(self.ask(service, "GET", f"{place}/search?q=profile&in=keys&node=new01")["places"])
            self.assertEqual(self.ask(service, "POST", f"{place}/diff", {**edit, "nodes": ["new02"]}, status=404)["code"], "site.node")
            self.assertEqual(self.ask(service, "GET", f"{place}/layers?node=new02", status=404)["code"], "site.node")
            self.assertEqual(sorted(self.ask_text(service, "/strata/v1/explore/projects/fleet/names").split()), nodes)
            # A file that only a stored node reads is used.
            with open(self.path("fleet", "data", "role", "edge.yaml"), "w", encoding="utf-8") as file:
                file.write("profile::web::port: 1\n")
            self.ask(service, "POST", f"{place}/refresh")
            self.assertIn("role/edge.yaml", json.dumps(self.ask(service, "POST", f"{place}/check", {})["findings"]))
            self.ask(service, "PUT", f"{place}/nodes/edge01", {"facts": {"role": "edge"}}, status=201)
            self.assertNotIn("role/edge.yaml", json.dumps(self.ask(service, "POST", f"{place}/check", {})["findings"]))
            # A node of the files takes the place of a stored one.
            with open(self.path("fleet", "nodes.json"), encoding="utf-8") as file:
                listed = json.load(file)
            with_new = {"path": "nodes.json", "text": json.dumps([*listed, {"name": "new01", "facts": {"role": "web"}}])}
            self.assertEqual(self.ask(service, "POST", f"{place}/impact", {"changes": [with_new]})["subjects"]["total"], len(nodes) + 1)
            with open(self.path("fleet", "nodes.json"), "w", encoding="utf-8") as file:
                file.write(with_new["text"])
            self.ask(service, "POST", f"{place}/refresh")
            self.assertEqual(self.ask(service, "GET", place)["nodes"], len(nodes) + 1)
            self.assertEqual(len(self.lines(service, f"{place}/snapshot")), len(nodes) + 1)
            self.ask(service, "DELETE", f"{place}/nodes/aa", status=204)
            self.assertEqual(self.ask(service, "POST", f"{place}/impact", edit)["subjects"]["total"], len(nodes))

    def test_levels_that_are_not_there_are_layers_too(self):
        files = {"hiera.yaml": "version: 5\nhierarchy: [{name: n, path: 'n/%{node}.yaml'}, {name: g, glob: 'g/*.yaml'}, {name: r, paths: ['r/%{role}.yaml', 'r/all.yaml']}, {name: c, path: c.yaml}]\n",
                 "data/n/a.yaml": "x: 1\n", "data/g/1.yaml": "x: 2\n", "data/r/all.yaml": "x: 3\n", "data/c.yaml": "x: [\n", ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n",
                 "nodes.json": json.dumps([{"name": name, "facts": {"node": name, "role": "web"}} for name in ("a", "b")])}
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)

            def layers(node):
                return [(one["file"], one["present"]) for one in self.ask(service, "GET", f"{API}/up/layers?node={node}")["layers"] if one["file"].startswith("data/")]

            others = [("data/g/1.yaml", True), ("data/r/web.yaml", False), ("data/r/all.yaml", True), ("data/c.yaml", True)]
            self.assertEqual(layers("a"), [("data/n/a.yaml", True), *others])
            self.assertEqual(layers("b"), [("data/n/b.yaml", False), *others])

    def test_a_list_of_nodes_that_cannot_be_read_breaks_the_site(self):
        with open(self.path("fleet", "nodes.json"), encoding="utf-8") as file:
            good = file.read()
        with self.serve("fleet") as service:
            for wrong in ("{}", '[{"facts": {}}]', "[", "nothing"):
                with open(self.path("fleet", "nodes.json"), "w", encoding="utf-8") as file:
                    file.write(wrong)
                self.ask(service, "POST", f"{API}/fleet/refresh")
                site = self.ask(service, "GET", f"{API}/fleet")
                self.assertIn("nodes.json", json.dumps(site["error"]), wrong)
                self.assertIn("error", self.ask(service, "GET", API)["sites"][0])
                self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes", status=422)["code"], "site.broken")
                self.assertEqual(self.ask_text(service, f"{API}/fleet/files/nodes.json"), wrong)
                self.wait_for(lambda: service.request("GET", "/readyz")[0] == 503)
                self.assertIn("fleet", service.request("GET", "/readyz")[2])
            with open(self.path("fleet", "nodes.json"), "w", encoding="utf-8") as file:
                file.write(good)
            self.ask(service, "POST", f"{API}/fleet/refresh")
            self.assertNotIn("error", self.ask(service, "GET", f"{API}/fleet"))
            self.wait_for(lambda: service.request("GET", "/readyz")[0] == 200)
        run = subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{self.path('check.db')}", "--site", f"fleet=hiera:{self.path('fleet')}"], capture_output=True,
                             text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 0, run.stdout)

    def wait_for(self, holds):
        end = time.monotonic() + HANGS
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(holds())

    def test_sites_of_the_configuration(self):
        os.remove(self.path("fleet", ".strata.yaml"))
        config = self.path("strata.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"sites: {{fleet: {{dialect: hiera, path: {self.path('fleet')}, hiera-config: hiera.yaml, nodes: nodes.json, keep_last_good: true}}}}\n")
        with Service(STRATA, "--config", config) as service:
            before = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")
            self.assertNotIn("strata-stale", self.headers)
            nodes = self.path("fleet", "nodes.json")
            with open(nodes, encoding="utf-8") as file:
                good = file.read()
            for path, text in ((self.path("fleet", ".strata.yaml"), "projects: [\n"),):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                # The options of the configuration stand instead of the file.
                self.ask(service, "POST", f"{API}/fleet/refresh")
                self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")["value"], before["value"])
            os.remove(self.path("fleet", ".strata.yaml"))
            os.rename(self.path("fleet"), self.path("away"))
            self.ask(service, "POST", f"{API}/fleet/refresh")
            for _ in range(2):
                self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")["value"], before["value"])
                self.assertRegex(self.headers["strata-stale"], r"^\d+$")
            self.assertIn("error", self.ask(service, "GET", f"{API}/fleet"))
            os.rename(self.path("away"), self.path("fleet"))
            with open(nodes, "w", encoding="utf-8") as file:
                file.write(good + " ")
            self.ask(service, "POST", f"{API}/fleet/refresh")
            self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")
            self.assertNotIn("strata-stale", self.headers)

    def test_a_site_that_keeps_its_last_good_state_does_not_take_files_that_cannot_be_read(self):
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write("sites:\n" + "".join(f"  {name}: {{dialect: {dialect}, path: {self.path(name)}, keep_last_good: true}}\n"
                                            for name, dialect in (("fleet", "hiera"), ("cloud-init", "cloud-init"), ("deckhand", "deckhand"), ("heat", "heat"))))
        broken = {"fleet": ("data/common.yaml", "web01"), "cloud-init": ("web.yaml", "default"), "deckhand": ("site/50-site.yaml", "default"), "heat": ("overcloud.yaml", "default")}
        with Service(STRATA, "--config", self.path("strata.yaml")) as service:
            for name, (file, node) in broken.items():
                files = self.ask(service, "GET", f"{API}/{name}/files")["files"]
                self.assertIn(file, files, files)
                before = self.ask(service, "GET", f"{API}/{name}/nodes/{node}/values")["value"]
                with open(self.path(name, file), encoding="utf-8") as of:
                    good = of.read()
                with open(self.path(name, file), "w", encoding="utf-8") as of:
                    of.write(good + "\n? [\n")
                self.ask(service, "POST", f"{API}/{name}/refresh")
                site = self.ask(service, "GET", f"{API}/{name}")
                self.assertIn(file, site["error"]["file"], site)
                self.assertTrue(site["error"]["line"], site)
                self.assertEqual(self.ask(service, "GET", f"{API}/{name}/nodes/{node}/values")["value"], before)
                self.assertEqual(self.headers["strata-stale"], str(site["generation"]))
                # It answers, and so the service is ready; machines and servers are notified, too.
                self.assertEqual(service.request("GET", "/readyz")[0], 200)
                if name == "fleet":
                    self.ask_text(service, f"/hiera/fleet/{node}/{next(iter(before))}")
                    self.assertEqual(self.headers["strata-stale"], str(site["generation"]))
                # A file that no request reads breaks nothing.
                with open(self.path(name, file), "w", encoding="utf-8") as of:
                    of.write(good)
                with open(self.path(name, "unread.yml"), "w", encoding="utf-8") as of:
                    of.write("? [\n" if name != "deckhand" else "")
                self.ask(service, "POST", f"{API}/{name}/refresh")
                self.assertEqual(self.ask(service, "GET", f"{API}/{name}/nodes/{node}/values")["value"], before)
                self.assertNotIn("strata-stale", self.headers, name)
                self.assertNotIn("error", self.ask(service, "GET", f"{API}/{name}"))

    def test_uploads_that_keep_their_last_good_state(self):
        hiera = '{"version": 5, "hierarchy": [{"name": "all", "path": "all.yaml"}]}'
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "keep_last_good": True, "options": {"hiera-config": "hiera.yaml"}}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": hiera, "data/all.yaml": "a: 1\n"}}, status=201)
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "data/all.yaml", "text": "a: [\n"}]}, status=200)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values")["value"], {"a": 1})
            self.assertEqual(self.headers["strata-stale"], "1")
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "data/all.yaml", "text": "a: 2\n"}]}, status=200)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values")["value"], {"a": 2})
            self.assertNotIn("strata-stale", self.headers)
            # The files of a broken site say why it is.
            self.ask(service, "PUT", f"{API}/other", {"dialect": "hiera"}, status=201)
            self.ask(service, "PUT", f"{API}/other/tree", {"files": {".strata.yaml": "projects: [\n"}}, status=201)
            self.assertEqual(self.ask(service, "GET", f"{API}/other/nodes", status=422)["code"], "site.broken")
            self.assertEqual(self.ask(service, "GET", f"{API}/other/files")["files"], [".strata.yaml"])
            self.assertEqual(self.ask(service, "GET", f"{API}/other/files/.strata.yaml"), "projects: [\n")

    def test_one_key_of_a_site_without_nodes_is_evaluated_alone(self):
        files = {"hiera.yaml": '{"version": 5, "hierarchy": [{"name": "all", "path": "all.yaml"}]}', "data/all.yaml": "a: 1\nb: \"%{nobody}\"\nc: \"%{lookup('b')}\"\n"}
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml", "compat": "puppet7"}}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
            for key, warns in (("a", False), ("b", True), ("c", True)):
                answer = self.ask(service, "GET", f"{API}/up/nodes/default/values/{key}")
                self.assertEqual(bool(answer["warnings"]), warns, answer)
            self.assertTrue(self.ask(service, "GET", f"{API}/up/nodes/default/values")["warnings"])
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/d", status=404)["code"], "hiera.key-not-found")
            for changes in ([{"path": "hiera.yaml/x", "text": ""}], [{"path": "data", "text": ""}], [{"path": "q", "text": ""}, {"path": "q/r", "text": ""}],
                            [{"path": "data", "text": ""}, {"path": "data/other.yaml", "delete": True}]):
                for question in ("diff", "impact", "check", "set"):
                    body = {"changes": changes, **({"item": "a", "value": 1} if question == "set" else {})}
                    self.assertEqual(self.ask(service, "POST", f"{API}/up/{question}", body, status=400)["code"], "request.path", (changes, question))
            for changes in ([{"path": "hiera.yaml/x", "text": "1"}, {"path": "hiera.yaml", "delete": True}], [{"path": "data", "text": ""}, {"path": "data/all.yaml", "delete": True}]):
                self.ask(service, "POST", f"{API}/up/impact", {"changes": changes})

    def test_edits_of_the_question_are_refused(self):
        with self.serve("fleet") as service:
            with open(self.path("fleet", ".strata.yaml"), encoding="utf-8") as file:
                project = file.read()
            for question in ("impact", "diff", "check"):
                for text, code in ((project.replace("nodes.json", "other.json"), "site.project"), ("projects: [\n", "yaml.syntax")):
                    refused = self.ask(service, "POST", f"{API}/fleet/{question}", {"changes": [{"path": ".strata.yaml", "text": text}]}, status=422)
                    self.assertEqual(refused["code"], code, question)
                # What says the same is an edit like others.
                self.ask(service, "POST", f"{API}/fleet/{question}", {"changes": [{"path": ".strata.yaml", "text": "# note\n" + project}]})

    def test_wrong_words_of_a_fleet_end_a_request(self):
        with Service(STRATA) as service:
            for words in ("--bogus", "--help", "--version", "--strategy", "--threads=x", "--parts"):
                listed = {"p.yaml": "#cloud-config\nx: 1\n", ".strata.yaml": f"projects: {{p: {{verb: merge, fleet: [{{name: w, args: [p.yaml, {words}]}}]}}}}\n"}
                for keys in (["x"], [f"x{number}" for number in range(300)]):
                    answer = service.request("POST", "/strata/v1/evaluate/cloud-init", json.dumps({"files": listed, "keys": keys}), {"Content-Type": "application/json"})
                    self.assertIn(answer[0], (200, 400, 422), (words, answer))
                for target, sent in ((f"{API}/words", {"dialect": "cloud-init"}), (f"{API}/words/tree", {"files": listed})):
                    self.assertIn(service.request("PUT", target, json.dumps(sent), {"Content-Type": "application/json"})[0], (200, 201))
                self.assertIn(service.request("GET", f"{API}/words/snapshot")[0], (200, 422))
                self.assertIn(service.request("GET", f"{API}/words/nodes/w/values")[0], (404, 422))
            self.assertEqual(service.request("GET", "/healthz")[0], 200)

    def test_questions_about_files(self):
        with Service(STRATA) as service:
            files = {"hiera.yaml": '{"version": 5, "hierarchy": [{"name": "role", "path": "%{facts.role}.yaml"}, {"name": "all", "path": "all.yaml"}]}',
                     "data/all.yaml": "a: 1\nb: {c: [1, 2]}\n", "data/web.yaml": "a: 2\n"}
            body = {"files": files, "facts": {"role": "web"}, "keys": ["a", "b.c", "no"]}
            got = self.ask(service, "POST", "/strata/v1/evaluate/hiera", body)
            self.assertEqual([one.get("value") for one in got["results"]], [2, [1, 2], None])
            self.assertEqual(got["results"][2]["error"]["code"], "hiera.key-not-found")
            got = self.ask(service, "POST", "/strata/v1/evaluate/cloud-init", 
                           {"files": {"a.yaml": "#cloud-config\npackages: [a]\n", "b.yaml": "#cloud-config\nlocale: b\n"},
                            "options": {"args": ["a.yaml", "b.yaml"]}})
            self.assertEqual(got["value"], {"packages": ["a"], "locale": "b"})
            # Files are what the command is given, in their order.
            parts = {"a.yaml": "#cloud-config\nl: [1]\n", "b.yaml": "#cloud-config\nl: [2]\n", "i.json": "{}"}
            for options, wanted in (({}, [2]), ({"strategy": "list(append)+dict(recurse_list)+str()"}, [1, 2]), ({"args": ["b.yaml", "a.yaml"], "strategy": "list(append)+dict(recurse_list)+str()"}, [2, 1])):
                sent = {"files": parts if options else {name: parts[name] for name in ("a.yaml", "b.yaml")}, "options": {**options, "instance-data": "i.json"} if options else None}
                self.assertEqual(self.ask(service, "POST", "/strata/v1/evaluate/cloud-init", sent)["value"], {"l": wanted}, options)
            self.assertEqual(self.ask(service, "POST", "/strata/v1/evaluate/hiera", {"files": files, "keys": ["b"], "options": {"merge": "deep"}})["results"][0]["value"],
                             {"c": [1, 2]})
            for dialect, options in (("cloud-init", {"args": []}), ("cloud-init", {"args": ["--bogus"]}), ("deckhand", {"check": True}), ("heat", {"nope": 1})):
                refused = self.ask(service, "POST", f"/strata/v1/evaluate/{dialect}", {"files": parts, "options": options}, status=422)
                self.assertIn(refused["code"], ("site.project", "workspace.key"), refused)
            # Warnings are those that the command prints.
            self.assertEqual(got["warnings"], [])
            got = self.ask(service, "POST", "/strata/v1/evaluate/cloud-init",
                           {"files": {"a.yaml": "## template: jinja\n#cloud-config\nlocale: {{ v1.region }}\n"}, "options": {"args": ["a.yaml"]}})
            self.assertTrue(got["warnings"])
            self.assertTrue(all(one["code"] and one["message"] for one in got["warnings"]))
            got = self.ask(service, "POST", "/strata/v1/evaluate/deckhand", {"files": {"x.yaml": "a: ["}}, status=422)
            self.assertTrue(got["code"])
            self.ask(service, "POST", "/strata/v1/evaluate/hira", body, status=422)
            self.ask(service, "POST", "/strata/v1/evaluate/hiera", {"files": {"../x": ""}}, status=400)
            self.ask(service, "POST", "/strata/v1/evaluate/hiera", {}, status=400)
            self.assertEqual(self.ask(service, "GET", API)["sites"], [])

    def test_changes_and_the_audit(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"hiera.yaml": "version: 5\n"}}, status=201)
            changes = self.ask(service, "GET", "/strata/v1/changes")["changes"]
            self.assertEqual([(one["number"], one["kind"], one["target"]) for one in changes], [(1, "site", "up"), (2, "site", "up")])
            self.assertEqual(self.ask(service, "GET", "/strata/v1/changes?after=1")["changes"], changes[1:])
            self.assertEqual(self.ask(service, "GET", "/strata/v1/changes?limit=1")["changes"], changes[:1])
            self.assertIn("after=1", self.headers["link"])
            self.assertEqual(self.ask(service, "GET", "/p/other/strata/v1/changes")["changes"], [])
            audit = self.ask(service, "GET", "/strata/v1/audit")["audit"]
            self.assertEqual([one["target"] for one in audit], [f"PUT {API}/up", f"PUT {API}/up/tree"])

    def test_tokens(self):
        made = subprocess.run([STRATA, "token", "create", "--store", f"sqlite:{self.folder}/t.db", "--role", "admin", "--project", "team"],
                              capture_output=True, text=True, timeout=HANGS, check=True).stdout.split()[-1]
        with Service(STRATA, "--auth", "tokens", "--store", f"sqlite:{self.folder}/t.db") as service:
            admin = {"Authorization": f"Bearer {made}"}
            self.ask(service, "GET", "/strata/v1/tokens", status=401)
            got = self.ask(service, "POST", "/strata/v1/tokens", {"roles": ["reader"], "days": 3}, status=201, headers=admin)
            self.assertEqual((got["project"], got["roles"]), ("team", ["reader"]))
            self.assertEqual(self.headers["cache-control"], "no-store")
            reader = {"Authorization": f"Bearer {got['token']}"}
            self.assertEqual(self.ask(service, "GET", API, headers=reader)["sites"], [])
            self.ask(service, "GET", "/strata/v1/tokens", status=403, headers=reader)
            listed = self.ask(service, "GET", "/strata/v1/tokens", headers=admin)["tokens"]
            self.assertEqual(len(listed), 2)
            self.assertNotIn("token", listed[0])
            rows = self.ask(service, "GET", "/strata/v1/audit", headers=admin)["audit"]
            self.assertIn(f"POST /strata/v1/tokens/{got['id']}", [row["target"] for row in rows])  # Which token was made.
            # A token of one project makes none for another, and sees none.
            self.ask(service, "POST", "/strata/v1/tokens", {"roles": ["reader"], "project": "other"}, status=403, headers=admin)
            self.ask(service, "GET", "/strata/v1/tokens?all=1", status=403, headers=admin)
            self.ask(service, "GET", "/strata/v1/audit?all=1", status=403, headers=admin)
            self.ask(service, "GET", "/strata/v1/store/export", status=403, headers=admin)
            self.ask(service, "POST", "/strata/v1/tokens", {"roles": ["reader"]}, status=400, headers={**admin, "Idempotency-Key": "k"})
            for body in ({"roles": "reader"}, {"role": ["reader"]}, {"roles": ["reader"], "days": "3"}, []):
                self.assertEqual(self.ask(service, "POST", "/strata/v1/tokens", body, status=400, headers=admin)["code"], "request.body")
            self.ask(service, "DELETE", f"/strata/v1/tokens/{got['id']}", status=204, headers=admin)
            self.ask(service, "DELETE", f"/strata/v1/tokens/{got['id']}", status=404, headers=admin)
            while service.request("GET", API, headers=reader)[0] == 200:
                pass  # Within a second, wherever it is remembered.
            self.ask(service, "GET", API, status=401, headers=reader)
            self.assertNotIn(got["token"], open(service.log_path, encoding="utf-8").read())

    def test_the_store_as_a_file(self):
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
            connection.request("GET", "/strata/v1/store/export")
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.headers["content-type"]), (200, "application/zstd"))
            file = self.path("store.zst")
            with open(file, "wb") as out:
                out.write(answer.read())
            connection.close()
            subprocess.run([STRATA, "store", "import", "--store", f"sqlite:{self.folder}/copy.db", file], check=True, capture_output=True, timeout=HANGS)
            with Service(STRATA, "--store", f"sqlite:{self.folder}/copy.db") as copy:
                self.assertEqual([one["name"] for one in self.ask(copy, "GET", API)["sites"]], ["up"])


if __name__ == "__main__":
    unittest.main()
