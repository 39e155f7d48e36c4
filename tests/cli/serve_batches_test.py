#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Answers in parts: batches, pages with cursors, fleets, and all of them packed.

usage: serve_batches_test.py STRATA
"""
import gzip
import http.client
import json
import os
import re
import sys
import unittest

from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HIERA = "version: 5\nhierarchy: [{name: node, path: 'node/%{facts.cert}.yaml'}, {name: common, path: common.yaml}]\n"


class Batches(SiteTest):
    strata = STRATA

    def upload(self, service, count, name="up"):
        """A site with many keys, whose values have a list that is merged on demand."""
        common = "".join(f"key{i:05}: value {i}\n" for i in range(count)) + "list: [b, a]\nnumber: 7\n"
        files = {"hiera.yaml": HIERA, "data/common.yaml": common, "data/node/web.yaml": "list: [c]\nkey00001: of web\n",
                 "nodes.json": json.dumps([{"name": one, "facts": {"cert": one}} for one in ("web", "db")]),
                 ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"}
        self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera"}, status=201)
        self.ask(service, "PUT", f"{API}/{name}/tree", {"files": files}, status=201)

    def test_options_are_those_of_the_command(self):
        with Service(STRATA) as service:
            self.upload(service, 3)
            place = f"{API}/up/evaluate"

            def values(**more):
                return [one.get("value", one.get("error", {}).get("code")) for one in self.ask(service, "POST", place, {"node": "web", "keys": ["list", "no"], **more})["results"]]

            self.assertEqual(values(), [["c"], "hiera.key-not-found"])
            self.assertEqual(values(options={"merge": "unique"}), [["c", "b", "a"], "hiera.key-not-found"])
            self.assertEqual(values(options={"merge": "deep", "sort_merged_arrays": True}), [["a", "b", "c"], "hiera.key-not-found"])
            self.assertEqual(values(options={"merge": "deep", "sort-merged-arrays": False}), [["b", "a", "c"], "hiera.key-not-found"])
            self.assertEqual(values(options={}), [["c"], "hiera.key-not-found"])
            answer = self.ask(service, "POST", place, {"facts": {"cert": "web"}, "keys": ["list"], "options": {"merge": "unique"}})
            self.assertEqual(answer["results"][0]["value"], ["c", "b", "a"])
            for options, word in (({"merg": "deep"}, "merg"), ({"merge": "sideways"}, "sideways"), ([], "options"), ({"merge": {}}, "merge"), ({"--merge": "deep"}, "--merge"),
                                  ({"at": "HEAD"}, "at"), ({"output": "yaml"}, "output"), ({"merge=deep --at": "HEAD"}, "invalid name")):
                status, _, text = service.request("POST", place, json.dumps({"node": "web", "keys": ["list"], "options": options}), {"Content-Type": "application/json"})
                self.assertIn(status, (400, 422), text)
                self.assertIn(word, text)
            # Nobody raises the limits of the service.
            deep = {"files": {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": "a: " + "[" * 1500 + "]" * 1500 + "\n"},
                    "options": {"hiera-config": "hiera.yaml", "limit": ["depth=2000"]}}
            self.assertEqual(self.ask(service, "POST", "/strata/v1/evaluate/hiera", deep, status=422)["code"], "limit.depth")
            # Options of a request count for it alone.
            self.assertEqual(values(), [["c"], "hiera.key-not-found"])

    def test_long_batches_are_answered_in_order(self):
        with Service(STRATA) as service:
            self.upload(service, 1000)
            keys = [f"key{i:05}" for i in reversed(range(1000))] + ["no", "list"]
            answer = self.ask(service, "POST", f"{API}/up/evaluate", {"node": "web", "keys": keys})
            self.assertEqual(self.headers["content-type"], "application/json")
            self.assertEqual([one["key"] for one in answer["results"]], keys)
            self.assertEqual([one["value"] for one in answer["results"][:-2]], [f"value {i}" if i != 1 else "of web" for i in reversed(range(1000))])
            self.assertEqual(answer["results"][-2]["error"]["code"], "hiera.key-not-found")
            self.assertEqual(answer["results"][-1]["value"], ["c"])
            self.assertEqual((answer["warnings"], answer["site"]["generation"]), ([], 1))
            # Each part is what a short batch answers.
            for at in (0, 127, 128, 500, 999):
                short = self.ask(service, "POST", f"{API}/up/evaluate", {"node": "web", "keys": [keys[at]]})
                self.assertEqual(short["results"][0], answer["results"][at])
            files = {one: service.request("GET", f"{API}/up/files/{one}")[2] for one in self.ask(service, "GET", f"{API}/up/files")["files"]}
            for more in ({"node": "web"}, {"facts": {"cert": "web"}}):
                sent = self.ask(service, "POST", "/strata/v1/evaluate/hiera", {"files": files, "keys": keys, **more})
                self.assertEqual([{k: v for k, v in one.items() if k != "etag"} for one in sent["results"]], [{k: v for k, v in one.items() if k != "etag"} for one in answer["results"]])
                self.assertNotIn("site", sent)
            merged = self.ask(service, "POST", f"{API}/up/evaluate", {"node": "web", "keys": keys, "options": {"merge": "unique"}})
            self.assertEqual(merged["results"][-1]["value"], ["c", "b", "a"])
            # What is wrong is told by a status, also where the answer would come in parts.
            self.assertEqual(self.ask(service, "POST", f"{API}/up/evaluate", {"node": "web", "keys": keys, "options": {"merg": "x"}}, status=422)["code"], "site.project")
            self.assertEqual(self.ask(service, "POST", f"{API}/up/evaluate", {"node": "no", "keys": keys}, status=404)["code"], "site.node")
            self.assertEqual(self.ask(service, "POST", f"{API}/up/evaluate", {"node": "web", "keys": ["x"] * 10_001}, status=400)["code"], "request.body")

    def pages(self, service, path, member, limit):
        """All names of a list, page by page; `limit` in each."""
        names, place = [], f"{path}{'&' if '?' in path else '?'}limit={limit}"
        while place:
            page = self.ask(service, "GET", place)[member]
            self.assertLessEqual(len(page), limit)
            names += [one if isinstance(one, str) else one["name"] for one in page]
            link = self.headers.get("link")
            place = re.fullmatch(r'<http://[^/]*(/.*)>; rel="next"', link).group(1) if link else None
        return names

    def test_pages(self):
        with Service(STRATA) as service:
            self.upload(service, 3)
            for i in range(7):
                self.ask(service, "PUT", f"{API}/up/nodes/n{i}", {"facts": {"cert": "x"}}, status=201)
                self.ask(service, "PUT", f"{API}/site{i}", {"dialect": "hiera"}, status=201)
            for limit in (1, 2, 3, 100):
                self.assertEqual(self.pages(service, f"{API}/up/nodes", "nodes", limit), ["db"] + [f"n{i}" for i in range(7)] + ["web"])
                self.assertEqual(self.pages(service, API, "sites", limit), [f"site{i}" for i in range(7)] + ["up"])
                self.assertEqual(self.pages(service, f"{API}/up/files?prefix=data", "files", limit), ["data/common.yaml", "data/node/web.yaml"])

    def test_pages_are_those_of_one_generation(self):
        with Service(STRATA) as service:
            self.upload(service, 3)
            first = self.ask(service, "GET", f"{API}/up/files?limit=2")
            link = re.search(r"<http://[^/]*(/.*)>", self.headers["link"]).group(1)
            change = {"changes": [{"path": "data/zzz.yaml", "text": "a: 1"}, {"path": "hiera2.yaml", "text": ""}, {"path": "data/node/web.yaml", "delete": True}]}
            self.ask(service, "PATCH", f"{API}/up/tree", change, status=200)
            second = self.ask(service, "GET", link.replace("limit=2", "limit=100"))
            self.assertEqual((first["site"]["generation"], second["site"]["generation"]), (1, 1))
            self.assertEqual(first["files"] + second["files"], [".strata.yaml", "data/common.yaml", "data/node/web.yaml", "hiera.yaml", "nodes.json"])

    def test_cursors_are_signed(self):
        with Service(STRATA) as service:
            self.upload(service, 3)
            self.ask(service, "GET", f"{API}/up/nodes?limit=1")
            cursor = re.search(r"page=([^>&]*)", self.headers["link"]).group(1)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes?page={cursor}")["nodes"], ["web"])
            payload, signature = cursor.split(".")
            wrong = ["", ".", "x", payload, f"{payload}.", f".{signature}", f"{payload}.{signature}x", f"{payload}.{signature[:-1]}", f"{signature}.{payload}",
                     f"{payload[:-2]}AA.{signature}", cursor + "." + cursor, "%00", "A" * 20000]
            wrong += [cursor[:i] + ("A" if cursor[i] != "A" else "B") + cursor[i + 1:] for i in range(0, len(cursor), 5)]
            for one in wrong:
                self.assertIn(self.ask(service, "GET", f"{API}/up/nodes?page={one}", status=400 if len(one) < 8000 else 414)["code"], ("request.query", "request.line"), one)
            # A cursor is for its own list only.
            for path in (f"{API}?page={cursor}", f"{API}/up/files?page={cursor}", f"/p/other{API}?page={cursor}", f"{API}/up/nodes?x=1&page={cursor}"):
                self.assertEqual(self.ask(service, "GET", path, status=400)["code"], "request.query")

    def get(self, service, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
        connection.request(method, path, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer, data

    def test_packed_answers_have_tags_of_their_own(self):
        with Service(STRATA) as service:
            self.upload(service, 300)
            path = f"{API}/up/nodes/web/values"
            for _ in range(2):  # The first answer is made, the second is in memory.
                plain, text = self.get(service, path)
                packed, data = self.get(service, path, Accept_Encoding="gzip")
                self.assertIsNone(plain.getheader("Content-Encoding"))
                self.assertEqual(packed.getheader("Content-Encoding"), "gzip")
                self.assertIn("Accept-Encoding", packed.getheader("Vary"))
                self.assertLess(len(data), len(text))
                self.assertEqual(gzip.decompress(data), text)
                self.assertNotEqual(plain.getheader("ETag"), packed.getheader("ETag"))
                for tag in (plain.getheader("ETag"), packed.getheader("ETag")):
                    for more in ({}, {"Accept_Encoding": "gzip"}):
                        answer, data = self.get(service, path, If_None_Match=tag, **more)
                        self.assertEqual((answer.status, data), (304, b""))
            small, _ = self.get(service, f"{API}/up/nodes/web/values/number", Accept_Encoding="gzip")
            self.assertIsNone(small.getheader("Content-Encoding"))
            refused, _ = self.get(service, path, Accept_Encoding="gzip;q=0")
            self.assertIsNone(refused.getheader("Content-Encoding"))

    def test_fleets_and_batches_are_packed_on_their_way(self):
        with Service(STRATA, "--anonymous-roles", "admin", "--anonymous-roles", "secret-reader") as service:
            self.upload(service, 600)
            body = json.dumps({"node": "web", "keys": [f"key{i:05}" for i in range(600)]})
            for path, method, sent in ((f"{API}/up/snapshot", "GET", None), (f"{API}/up/evaluate", "POST", body)):
                plain, text = self.get(service, path, method, sent, Content_Type="application/json")
                packed, data = self.get(service, path, method, sent, Content_Type="application/json", Accept_Encoding="gzip")
                self.assertEqual((plain.status, packed.status), (200, 200))
                self.assertEqual((plain.getheader("Content-Encoding"), packed.getheader("Content-Encoding")), (None, "gzip"))
                self.assertLess(len(data), len(text) / 2)
                self.assertEqual(gzip.decompress(data), text)
                # Nobody learns of secrets by the size of what they were packed with.
                clear, _ = self.get(service, path + "?secrets=clear", method, sent, Content_Type="application/json", Accept_Encoding="gzip")
                self.assertEqual((clear.getheader("Content-Encoding"), clear.getheader("Cache-Control")), (None, "no-store"))

    def test_whoever_leaves_a_packed_stream_ends_its_work(self):
        with Service(STRATA) as service:
            self.upload(service, 600)
            for _ in range(20):
                connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
                connection.request("GET", f"{API}/up/snapshot", headers={"Accept-Encoding": "gzip"})
                connection.close()
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/web/values/number")["value"], 7)


if __name__ == "__main__":
    unittest.main()
