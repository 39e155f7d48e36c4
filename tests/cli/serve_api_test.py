#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""strata's own API beside results: generations, forms of uploads, forms of answers, pages, conditions, waiting, searches.

usage: serve_api_test.py STRATA
"""
import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
import unittest
import urllib.parse
import zipfile

import yaml
from api_description import routes
from serving import HANGS, Service
from site_serving import API, JSON, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HIERA = "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n"


def zipped(files, change=lambda entry: None, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for path, text in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = method
            entry.external_attr = 0o100644 << 16
            change(entry)
            archive.writestr(entry, text)
    return out.getvalue()


def tarred(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


class Uploads(SiteTest):
    strata = STRATA

    def make(self, service, name="up", **files):
        self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, 201)
        self.ask(service, "PUT", f"{API}/{name}/tree", {"files": {"hiera.yaml": HIERA, "data/c.yaml": "a: 1\n", **files}}, 201)

    def headers_of(self, service, path):
        self.ask(service, "GET", path)
        return self.headers

    def change(self, service, text, name="up"):
        return self.ask(service, "PATCH", f"{API}/{name}/tree", {"changes": [{"path": "data/c.yaml", "text": text}]}, 200)["generation"]

    def test_keys_are_those_of_a_lookup(self):
        with Service(STRATA) as service:
            self.make(service, **{"data/c.yaml": "map: {a.b: 1, n: [x, y]}\n\"a.b\": dot\na: {b: dug}\n"})
            keys = {"a.b": "dug", "'a.b'": "dot", '"a.b"': "dot", "map.'a.b'": 1, "map.n.1": "y", "map": {"a.b": 1, "n": ["x", "y"]}}
            quoted = {key: urllib.parse.quote(key, safe="") for key in keys}
            for key, value in keys.items():
                self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/{quoted[key]}")["value"], value, key)
                status, _, text = service.request("GET", f"/hiera/up/default/{quoted[key]}")
                self.assertEqual((status, json.loads(text)), (200, value), key)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/{quoted[chr(34) + 'a.b' + chr(34)]}?explain=")["history"][0]["value"], "dot")
            results = self.ask(service, "POST", f"{API}/up/evaluate", {"node": "default", "keys": [*keys, "a..b", "map.'a.c'", "map.n.7"]})["results"]
            self.assertEqual([one.get("value") for one in results[:len(keys)]], list(keys.values()))
            self.assertEqual([one["error"]["code"] for one in results[len(keys):]], ["hiera.key", "hiera.key-not-found", "hiera.key-not-found"])
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/a..b", status=422)["code"], "hiera.key")
            self.assertEqual(service.request("GET", "/hiera/up/default/%27lookup_options%27")[0], 404)

    def test_keys_of_paths_name_something(self):
        with Service(STRATA) as service:
            self.make(service, **{"data/c.yaml": "a/b: 1\na..b: 2\n"})
            place = f"{API}/up/nodes/default/values"
            for key in ("..", "a/..", "../a", "a/%2e%2E/b", "a%2F..%2Fb", "%2Fa", "/a", "a//b"):
                self.assertEqual(self.ask(service, "GET", f"{place}/{key}", status=400)["code"], "request.path", key)
            self.assertEqual(self.ask(service, "GET", f"{place}/a/b")["value"], 1)
            self.assertEqual(self.ask(service, "GET", f"{place}/a%2Fb/")["value"], 1)

    def test_the_files_of_a_broken_site_are_searched_and_cures_are_tried(self):
        files = {"hiera.yaml": HIERA, "data/c.yaml": "a: 1\n", ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml}}\n"}
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, 201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {**files, ".strata.yaml": "projects: [\n"}}, 201)
            found = self.ask(service, "GET", f"{API}/up/search?q=projects&in=files")
            self.assertEqual(([one["file"] for one in found["places"]], found["site"]["generation"]), ([".strata.yaml"], 1))
            self.assertEqual(self.ask(service, "GET", f"{API}/up/search?q=a&in=keys", status=422)["code"], "site.broken")
            self.assertEqual(self.ask(service, "POST", f"{API}/up/check", {}, status=422)["code"], "site.broken")
            cure = {"changes": [{"path": ".strata.yaml", "text": files[".strata.yaml"]}]}
            self.assertEqual(self.ask(service, "POST", f"{API}/up/check", cure)["format"], "strata-check/1")
            self.assertEqual(self.ask(service, "POST", f"{API}/up/check", {"changes": [{"path": ".strata.yaml", "text": "projects: {\n"}]}, status=422)["code"], "yaml.syntax")
            self.ask(service, "PATCH", f"{API}/up/tree", cure, 200)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/a")["value"], 1)

    def test_a_change_says_one_thing(self):
        with Service(STRATA) as service:
            self.make(service)
            for changes in ([{"path": "a", "text": "x", "delete": True}], [{"path": "a", "text": "x", "base64": "eA=="}],
                            [{"path": "a", "text": "1"}, {"path": "a", "text": "2"}]):
                for method, path in (("PATCH", "tree"), ("POST", "check")):
                    self.assertEqual(self.ask(service, method, f"{API}/up/{path}", {"changes": changes}, status=400)["code"], "request.body", changes)
    def test_bodies_have_the_members_that_are_known(self):
        change = {"path": "a", "text": "x"}
        with Service(STRATA) as service:
            self.make(service)
            for method, path, body in (("POST", "evaluate", {"node": "default", "fact": {}}), ("PUT", "nodes/n", {"facts": {}, "fact": {}}),
                                       *(("POST", path, {"item": "a", "value": 1, "zzz": 1}) for path in ("diff", "impact", "check", "set")),
                                       ("POST", "set", {"item": "a", "value": 1, "node": "default"}), ("PUT", "tree", {"files": {}, "mesage": "m"}),
                                       ("PATCH", "tree", {"changes": [change], "mesage": "m"}), ("PATCH", "tree", {"changes": [{**change, "mode": 1}]}),
                                       ("POST", "check", {"changes": [{**change, "mode": 1}]})):
                problem = self.ask(service, method, f"{API}/up/{path}", body, status=400)
                self.assertEqual(problem["code"], "request.body", (path, body))
            self.assertIn("mode", problem["detail"])
            self.assertEqual(self.ask(service, "GET", f"{API}/up")["generation"], 1)

    def test_a_selector_that_selects_nobody(self):
        with Service(STRATA) as service:
            self.make(service)
            problem = self.ask(service, "POST", f"{API}/up/set", {"item": "a", "value": 2, "for": ["nope", "role=x"]}, status=422)
            self.assertEqual((problem["code"], problem["detail"]), ("set.selector", "'nope', 'role=x' select none of 1 node"))

    def test_cursors_outlive_the_process(self):
        with Service(STRATA) as service:
            self.make(service)
            following = self.headers_of(service, f"{API}/up/files?limit=1")["link"].split(">")[0][1:]
            following = following[following.index("/strata"):]
            first = self.ask(service, "GET", following)["files"]
            self.assertEqual(service.stop(), 0)
            service.start()
            self.assertEqual(self.ask(service, "GET", following)["files"], first)

    def test_generations_that_were(self):
        with Service(STRATA) as service:
            self.make(service)
            self.change(service, "a: 2\nb: 1\n")
            self.change(service, "a: 3\n")
            self.assertEqual([self.ask(service, "GET", f"{API}/up/files/data/c.yaml?generation={n}") for n in (1, 2, 3)], ["a: 1\n", "a: 2\nb: 1\n", "a: 3\n"])
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files?generation=1")["site"]["generation"], 1)
            for wrong in ("4", "-1", "x", "99999999999999999999"):
                self.assertEqual(self.ask(service, "GET", f"{API}/up/files?generation={wrong}", status=404)["code"], "site.no-generation")
            report = self.ask(service, "POST", f"{API}/up/diff", {"from": 1, "to": 3})
            changes = {change["item"]: change for change in report["changes"]}
            self.assertEqual((changes["a"]["before"]["value"], changes["a"]["after"]["value"]), (1, 3))
            self.assertNotIn("b", changes)
            # Of the nodes that are named.
            self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"from": 1, "to": 3, "nodes": ["default"]})["changes"], report["changes"])
            self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"from": 1, "to": 3, "nodes": ["zz"]}, 404)["code"], "site.node")
            for wrong in ([], "default", [5]):
                self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"from": 1, "to": 3, "nodes": wrong}, 400)["code"], "request.body")
            # Of two ends, the one that is not given is the present.
            self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"from": 1}), report)
            back = json.dumps(self.ask(service, "POST", f"{API}/up/diff", {"to": "1"}))
            self.assertIn('"after": {"value": 1', back)
            edited = json.dumps(self.ask(service, "POST", f"{API}/up/diff", {"from": 1, "changes": [{"path": "data/c.yaml", "text": "a: 9\n"}]}))
            self.assertIn('"after": {"value": 9', edited)
            self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"to": 1, "changes": []}, 400)["code"], "request.body")
            self.assertEqual(self.ask(service, "POST", f"{API}/up/diff", {"from": 7}, 404)["code"], "site.no-generation")

    def test_revisions_of_a_repository(self):
        repository = self.path("control")
        os.makedirs(repository + "/data")

        def commit(text):
            for path, content in (("hiera.yaml", HIERA), ("data/c.yaml", text), (".strata.yaml", "projects: {c: {verb: lookup, hiera-config: hiera.yaml}}\n")):
                with open(os.path.join(repository, path), "w", encoding="utf-8") as file:
                    file.write(content)
            for words in (["init", "-q", "-b", "main"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
                subprocess.run(["git", "-C", repository, *words], check=True, timeout=HANGS)
            return subprocess.run(["git", "-C", repository, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()

        first, second = commit("a: 1\n"), commit("a: 2\n")
        with Service(STRATA, "--site", f"control=hiera:{repository}@main") as service:
            self.assertEqual(self.ask(service, "GET", f"{API}/control/files/data/c.yaml?generation={first}"), "a: 1\n")
            self.assertEqual(self.ask(service, "GET", f"{API}/control/files?generation={second}")["site"]["commit"], second)
            report = json.dumps(self.ask(service, "POST", f"{API}/control/diff", {"from": first, "to": second}))
            self.assertIn('"before": {"value": 1', report)
            self.assertIn('"after": {"value": 2', report)
            for wrong in ("no-such", "../../etc", "--upload-pack=x", "HEAD~99"):
                self.assertEqual(self.ask(service, "GET", f"{API}/control/files?generation={urllib.parse.quote(wrong)}", status=404)["code"], "site.no-generation")

    def test_zips_and_forms(self):
        files = {"hiera.yaml": HIERA, "data/c.yaml": "a: zip\n"}
        with Service(STRATA) as service:
            self.make(service)
            place = f"{API}/up/tree"
            send = lambda body, kind, status: json.loads(self.raw(service, "PUT", place, body, kind, status))  # noqa: E731
            self.assertEqual(send(zipped(files), "application/zip", 201)["generation"], 2)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/a")["value"], "zip")
            self.assertEqual(send(zipped(files, method=zipfile.ZIP_STORED), "application/zip", 200)["generation"], 2)
            form = b""
            for path, text in {**files, "data/c.yaml": "a: form\n"}.items():
                form += f'--b\r\nContent-Disposition: form-data; name="files"; filename="{path}"\r\nContent-Type: text/plain\r\n\r\n'.encode() + text.encode() + b"\r\n"
            form += b'--b\r\nContent-Disposition: form-data; name="message"\r\n\r\nwhy\r\n--b--\r\n'
            self.assertEqual(send(form, 'multipart/form-data; boundary="b"', 201)["generation"], 3)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/a")["value"], "form")
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files")["files"], ["data/c.yaml", "hiera.yaml"])

            def link(entry):
                entry.external_attr = 0o120777 << 16

            whole = zipped(files)
            flipped = bytearray(whole)
            flipped[45] ^= 0xFF
            for name, body, kind in [("a link", zipped(files, link), "application/zip"), ("a path out", zipped({"../a": ""}), "application/zip"),
                                     ("an absolute path", zipped({"/a": ""}), "application/zip"), ("a broken sum", bytes(flipped), "application/zip"),
                                     ("half a zip", whole[:-30], "application/zip"), ("a head alone", whole[:4], "application/zip"),
                                     ("no boundary", form, "multipart/form-data"), ("half a form", form[:-20], "multipart/form-data; boundary=b"),
                                     ("another boundary", form, "multipart/form-data; boundary=c"),
                                     ("a form without a chosen file", b'--b\r\nContent-Disposition: form-data; name="files"; filename=""\r\n\r\n\r\n--b--', "multipart/form-data; boundary=b"),
                                     ("a part without head", b"--b\r\nx\r\n--b--", "multipart/form-data; boundary=b"),
                                     ("a form path out", form.replace(b"hiera.yaml", b"../ra.yaml"), "multipart/form-data; boundary=b")]:
                with self.subTest(name):
                    status, _, text = service.request("PUT", place, body, {"Content-Type": kind})
                    self.assertIn((status, json.loads(text)["code"]), [(422, "request.archive"), (400, "request.archive"), (400, "request.path"), (400, "request.body")], text)
            self.assertEqual(self.ask(service, "GET", f"{API}/up")["generation"], 3)

    def test_bodies_that_are_not_archives_change_nothing(self):
        files = {"hiera.yaml": HIERA, "data/c.yaml": "a: tar\n", "data/more.yaml": "b: 1\n"}
        whole = tarred(files)
        entries = whole.rstrip(b"\0")
        entries += b"\0" * (-len(entries) % 512)
        with Service(STRATA) as service:
            self.make(service)
            place = f"{API}/up/tree"
            for name, body, kind in [("junk as a zip", b"junk", "application/zip"), ("junk", b"junk", "application/octet-stream"), ("nothing", b"", "application/x-tar"),
                                     ("511 zeros", b"\0" * 511, "application/x-tar"), ("a zero and junk", b"\0" + b"junk" * 200, "application/x-tar"),
                                     ("long junk", b"junk" * 500, "application/x-tar"), ("packed junk", gzip.compress(b"junk"), "application/gzip"),
                                     ("nothing, packed", gzip.compress(b""), "application/gzip"), ("no end", entries, "application/x-tar"),
                                     ("cut at an entry", whole[:1024], "application/x-tar"), ("cut in an entry", whole[:600], "application/x-tar"),
                                     ("cut, and packed", gzip.compress(whole[:1024]), "application/gzip"), ("two, the second ignored", whole + whole, "application/x-tar"),
                                     ("something behind gzip", gzip.compress(whole) + gzip.compress(whole), "application/gzip"),
                                     ("JSON without a type", b'{"files": {}}', "application/octet-stream"), ("no files", tarred({}), "application/x-tar"),
                                     ("no files in a zip", zipped({}), "application/zip"),
                                     ("no files in a form", b'--b\r\nContent-Disposition: form-data; name="message"\r\n\r\nwhy\r\n--b--', "multipart/form-data; boundary=b"),
                                     ("an empty form", b"--b--", "multipart/form-data; boundary=b")]:
                with self.subTest(name):
                    problem = json.loads(self.raw(service, "PUT", place, body, kind, 400))
                    self.assertEqual(problem["code"], "request.archive", problem)
            for kind in ("application/xml", "text/html", "text/plain; charset=utf-8", "application/jsonx", "image/png"):
                for body in (b"<xml/>", whole):
                    self.assertEqual(json.loads(self.raw(service, "PUT", place, body, kind, 415))["code"], "request.type", kind)
            self.assertEqual(self.ask(service, "GET", f"{API}/up")["generation"], 1)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files")["files"], ["data/c.yaml", "hiera.yaml"])
            # The same tar is taken whole: as it is, packed, with one block of zeros at its end, and by whatever an archive may be called.
            self.assertEqual(json.loads(self.raw(service, "PUT", place, whole, "application/x-tar", 201))["generation"], 2)
            for body, kind in [(entries + b"\0" * 512, "Application/X-Tar"), (gzip.compress(whole), "application/gzip"), (whole, "application/octet-stream"),
                               (whole, "application/x-www-form-urlencoded"), (zipped(files), "application/zip; x=y")]:
                self.assertEqual(json.loads(self.raw(service, "PUT", place, body, kind, 200))["generation"], 2, kind)
            self.assertEqual(service.request("PUT", place, whole)[0], 200)  # Without a type.
            # Who means it says so.
            self.ask(service, "PUT", place, {"files": {}}, 201)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files?generation=3")["files"], [])

    def test_no_path_is_a_file_and_a_folder(self):
        with Service(STRATA) as service:
            self.make(service)
            place = f"{API}/up/tree"
            for path in ("data", "hiera.yaml/x", "data/c.yaml/a/b"):
                problem = self.ask(service, "PATCH", place, {"changes": [{"path": path, "text": "x"}]}, 400)
                self.assertEqual(problem["code"], "request.path", problem)
            for files in ({"a": "1", "a/b": "2"}, {"a/b/c": "1", "a": "2"}, {"a/b": "1", "a-": "3", "a/b/c": "2"}):
                with self.subTest(str(files)):
                    form = b"".join(f'--b\r\nContent-Disposition: form-data; name="f"; filename="{path}"\r\n\r\n{text}\r\n'.encode() for path, text in files.items()) + b"--b--"
                    self.assertEqual(self.ask(service, "PUT", place, {"files": files}, 400)["code"], "request.path")
                    for body, kind in [(tarred(files), "application/x-tar"), (zipped(files), "application/zip"), (form, "multipart/form-data; boundary=b")]:
                        self.assertEqual(json.loads(self.raw(service, "PUT", place, body, kind, 400))["code"], "request.path", kind)
                    body = {"files": {"hiera.yaml": HIERA, **files}, "options": {"hiera-config": "hiera.yaml"}, "keys": ["a"]}
                    self.assertEqual(self.ask(service, "POST", "/strata/v1/evaluate/hiera", body, 400)["code"], "request.path")
            self.assertEqual(self.ask(service, "GET", f"{API}/up")["generation"], 1)
            # A file may become a folder, and names may begin alike.
            changes = [{"path": "data/c.yaml", "delete": True}, {"path": "data/c.yaml/x", "text": "1"}, {"path": "data/c.yaml-", "text": "2"}]
            self.assertEqual(self.ask(service, "PATCH", place, {"changes": changes}, 200)["generation"], 2)

    def test_bytes_of_changes(self):
        with Service(STRATA) as service:
            self.make(service)
            place = f"{API}/up/tree"
            for wrong in ("!!", "YTogMQ", "YTogMQ=", "YTogMQ==x", "=YTogMQ=", "YTog*MQ=", "YTo\u00e9", "===="):
                problem = self.ask(service, "PATCH", place, {"changes": [{"path": "data/c.yaml", "base64": wrong}]}, 400)
                self.assertEqual(problem["code"], "request.body", wrong)
            for right, text in (("YTogOQo=", "a: 9\n"), ("YTog\nOAo=\n", "a: 8\n"), ("", "")):
                self.ask(service, "PATCH", place, {"changes": [{"path": "data/c.yaml", "base64": right}]}, 200)
                self.assertEqual(self.ask(service, "GET", f"{API}/up/files/data/c.yaml"), text)

    def test_files_that_are_folders_and_sites_of_the_configuration(self):
        with self.serve("fleet") as service:
            self.make(service)
            for path in ("up/files/data", "fleet/files/data", "up/files/data/no"):
                self.assertEqual(self.ask(service, "GET", f"{API}/{path}", status=404)["code"], "site.file", path)
            # The files of a site of the configuration are where it says, also when the site has nodes in the store.
            for _ in range(2):
                self.assertEqual(self.ask(service, "PUT", f"{API}/fleet/tree", {"files": {"a": "b"}}, 409)["code"], "site.fixed")
                self.assertEqual(self.ask(service, "PATCH", f"{API}/fleet/tree", {"changes": [{"path": "a", "text": "b"}]}, 409)["code"], "site.fixed")
                self.ask(service, "PUT", f"{API}/fleet/nodes/stored", {"facts": {}}, 201 if _ == 0 else 200)
            self.assertEqual(self.ask(service, "PUT", f"{API}/none/tree", {"files": {"a": "b"}}, 404)["code"], "site.unknown")

    def test_sites_that_ask_programs_are_refused_as_wrong(self):
        files = {"strata.yaml": "enc_command: ./enc\n", "manifests/site.pp": "", "bindings/default.pp": "bindings default { bind 'a' to 1 }\n", "facts/web.yaml": "{}\n",
                 ".strata.yaml": "projects: {b: {verb: inject, confdir: ., nodes: facts}}\n"}
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/b", {"dialect": "bindings"}, 201)
            self.ask(service, "PUT", f"{API}/b/tree", {"files": files}, 201)
            problem = self.ask(service, "GET", f"{API}/b/nodes/web/values", status=422)
            self.assertEqual((problem["code"], problem["places"][0]["file"]), ("enc.failed", "strata.yaml"), problem)
            self.assertEqual(service.request("GET", "/enc/b/web")[0::2], (422, "'enc_command' is not run: running programs is not allowed here\n"))

    def test_generations_of_changes(self):
        with Service(STRATA) as service:
            self.make(service)
            self.change(service, "a: 2\n")
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "./hiera.yaml"}}, 200)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/a")["value"], 2)
            changes = self.ask(service, "GET", "/strata/v1/changes")["changes"]
            self.assertEqual([one["generation"] for one in changes], [0, 1, 2, 2])

    def raw(self, service, method, path, body, kind, status):
        got, _, text = service.request(method, path, body, {"Content-Type": kind})
        self.assertEqual(got, status, text)
        return text

    def test_conditions(self):
        with Service(STRATA) as service:
            self.make(service)
            only_new = {"If-None-Match": "*"}
            self.assertEqual(self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, 412, only_new)["code"], "request.precondition")
            self.ask(service, "PUT", f"{API}/other", {"dialect": "hiera"}, 201, only_new)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"a": ""}}, 412, only_new)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"a": ""}}, 412, {"If-Match": '"9"'})
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"a": ""}}, 412, {"If-Match": 'W/"1"'})
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"a": ""}}, 201, {"If-Match": '"9", "1"'})
            # The settings of a site change its tag; whoever changes files may be content with their generation.
            tag = self.headers_of(service, f"{API}/up")["etag"]
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["a"]}, 200, {"If-Match": tag})
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["b"]}, 412, {"If-Match": tag})
            newer = self.headers_of(service, f"{API}/up")["etag"]
            self.assertNotEqual(tag, newer)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"b": ""}}, 412, {"If-Match": tag})
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {"b": ""}}, 201, {"If-Match": newer})

    def test_a_tree_without_files_is_a_part_of_its_site(self):
        with Service(STRATA) as service:
            for name, tag in (("a", None), ("b", '"0"')):
                self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera"}, 201)
                tag = tag or self.headers["etag"]
                for wrong in ('"1"', "*", f"W/{tag}"):
                    self.ask(service, "PUT", f"{API}/{name}/tree", {"files": {"a": ""}}, 412, {"If-Match": wrong})
                self.ask(service, "PUT", f"{API}/{name}/tree", {"files": {"a": ""}}, 201, {"If-Match": tag, "If-None-Match": "*"})
                self.ask(service, "PATCH", f"{API}/{name}/tree", {"changes": [{"path": "b", "text": ""}]}, 412, {"If-Match": tag})

    def test_every_write_is_conditional(self):
        documents = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [site]}\n"
        yaml_type = {"Content-Type": "application/x-yaml"}
        site, revisions = "/strata/v1/sites/{site}", "/api/v1.0/revisions"
        stack = {"stack_name": "s", "template": {"heat_template_version": "2018-08-31"}}
        bodies = {("put", site): {"dialect": "hiera"}, ("put", f"{site}/tree"): {"files": {"a": ""}}, ("patch", f"{site}/tree"): {"changes": []},
                  ("put", f"{site}/nodes/{{node}}"): {"facts": {}}, ("delete", f"{site}/nodes/{{node}}"): None, ("delete", "/strata/v1/tokens/{id}"): None,
                  ("put", "/api/v1.0/buckets/{bucket}/documents"): documents, ("delete", revisions): None, ("delete", revisions + "/{id}/tags"): None,
                  ("delete", revisions + "/{id}/tags/{tag}"): None, ("post", revisions + "/{id}/tags/{tag}"): "", ("post", "/api/v1.0/rollback/{id}"): "",
                  ("post", revisions + "/{id}/validations/{name}"): "{status: success, validator: {name: v}}",
                  **{(method, "/v1/{project}/stacks/{name}/{id}" + more): stack for method in ("put", "patch") for more in ("", "/preview")},
                  ("delete", "/v1/{project}/stacks/{name}/{id}"): None}
        # What has no state of its own, or is refused whatever it is.
        stack_parts = "/v1/{project}/stacks/{name}/{id}/"
        others = {("delete", "/strata/v1/explore/session"), ("delete", stack_parts + "abandon"), ("delete", stack_parts + "snapshots/{snapshot}"),
                  ("patch", stack_parts + "resources/{resource}"), ("put", "/strata/v1/explore/projects/{name}/files/{path*}")}
        writes = {(method, pattern) for face, method, pattern in routes(STRATA) if method in ("put", "patch", "delete") or (face == "deckhand" and method == "post")}
        redirected = {one for one in writes if one[1].startswith("/v1/") and not one[1].startswith("/v1/{project}/stacks/{name}/{id}")}
        self.assertEqual(writes - others - redirected, set(bodies))
        with Service(STRATA) as service:
            self.make(service)
            self.ask(service, "PUT", f"{API}/up/nodes/n", {"facts": {}}, 201)
            self.ask(service, "PUT", "/api/v1.0/buckets/b/documents", documents, 200, yaml_type)
            self.ask(service, "POST", "/api/v1.0/revisions/1/tags/t", "", 201, yaml_type)
            self.ask(service, "POST", "/strata/v1/tokens", {"id": "k", "roles": ["reader"]}, 201)
            token = self.headers["etag"]
            made = self.ask(service, "POST", "/v1/default/stacks", stack, 201)["stack"]["id"]
            before = self.ask(service, "GET", "/strata/v1/changes")
            names = {"site": "up", "node": "n", "bucket": "b", "tag": "t", "project": "default", "path": "a", "name": "s"}
            for (method, pattern), body in bodies.items():
                own = made if pattern.startswith("/v1/") else "k" if "tokens" in pattern else "1"
                path = pattern.replace("{id}", own)
                for name, value in names.items():
                    path = path.replace(f"{{{name}}}", value)
                with self.subTest(f"{method} {pattern}"):
                    headers = {"If-Match": '"other"', **(yaml_type if pattern.startswith("/api/") else {})}
                    self.ask(service, method.upper(), path, body, 412, headers)
            self.assertEqual(self.ask(service, "GET", "/strata/v1/changes"), before)
            for path, tag in (("/strata/v1/tokens/k", token), ("/api/v1.0/revisions/1/tags/t", '"1"'), ("/api/v1.0/revisions", '"2", "1"')):
                self.ask(service, "DELETE", path, None, 204, {"If-Match": tag})

    def test_conditions_of_stored_nodes(self):
        with Service(STRATA) as service:
            self.make(service)
            place = f"{API}/up/nodes/n2"
            self.ask(service, "PUT", place, {"facts": {"role": "a"}}, 412, {"If-Match": "*"})
            self.ask(service, "DELETE", place, None, 412, {"If-Match": "*"})
            self.ask(service, "PUT", place, {"facts": {"role": "a"}}, 201, {"If-None-Match": "*"})
            self.assertEqual(self.ask(service, "PUT", place, {"facts": {"role": "b"}}, 412, {"If-None-Match": "*"})["code"], "request.precondition")
            tag = self.headers_of(service, place)["etag"]
            self.ask(service, "PUT", place, {"facts": {"role": "b"}}, 200, {"If-Match": tag})
            self.ask(service, "PUT", place, {"facts": {"role": "c"}}, 412, {"If-Match": tag})
            self.ask(service, "DELETE", place, None, 412, {"If-Match": tag})
            self.assertEqual(service.request("DELETE", place, None, {"If-Match": self.headers_of(service, place)["etag"]})[0], 204)

    def test_conditions_may_be_a_duty(self):
        with Service(STRATA, "--require-if-match") as service:
            self.make(service)  # What is not there needs no condition.
            self.assertEqual(self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["a"]}, 428)["code"], "request.if-match")
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["a"]}, 200, {"If-Match": "*"})
            self.assertEqual(self.ask(service, "PATCH", f"{API}/up/tree", {"changes": []}, 428)["code"], "request.if-match")
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "a", "text": ""}]}, 200, {"If-Match": "*"})

    def test_pages(self):
        with Service(STRATA) as service:
            self.make(service, **{f"data/n{i:02}": "" for i in range(10)})
            for i in range(4):
                self.ask(service, "PUT", f"{API}/site{i}", {"dialect": "hiera"}, 201)
            for path, member, name in [(f"{API}/up/files", "files", str), (API, "sites", lambda one: one["name"])]:
                whole = [name(one) for one in self.ask(service, "GET", path)[member]]
                self.assertGreater(len(whole), 4)
                seen, target = [], path + "?limit=3"
                while target:
                    page = self.ask(service, "GET", target)[member]
                    self.assertLessEqual(len(page), 3)
                    seen += [name(one) for one in page]
                    link = self.headers.get("link")
                    target = link.split("<http://")[1].split("/", 1)[1].split(">")[0] if link else None
                    target = "/" + target if target else None
                self.assertEqual(seen, whole)
            for wrong in ("page=1", "page=zz", "page=3939", "limit=1001", "limit=-1", "limit=x"):
                self.assertEqual(self.ask(service, "GET", f"{API}?{wrong}", status=400)["code"], "request.query")

    def test_yaml(self):
        with Service(STRATA) as service:
            body = yaml.safe_dump({"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}})
            self.assertEqual(service.request("PUT", f"{API}/up", body, {"Content-Type": "application/yaml"})[0], 201)
            files = yaml.safe_dump({"files": {"hiera.yaml": HIERA, "data/c.yaml": "a: {b: [1, 'x']}\n"}})
            self.assertEqual(service.request("PUT", f"{API}/up/tree", files, {"Content-Type": "application/yaml; charset=utf-8"})[0], 201)
            path = f"{API}/up/nodes/default/values/a"
            plain = self.ask(service, "GET", path)
            for accepted in ("application/yaml", "application/json;q=0.5, application/yaml", "text/html, application/x-yaml"):
                status, headers, text = service.request("GET", path, headers={"Accept": accepted})
                self.assertEqual((status, headers["content-type"], headers["vary"]), (200, "application/yaml", "Accept"))
                self.assertEqual(yaml.safe_load(text), plain)
            self.assertNotEqual(headers["etag"], self.headers["etag"])
            self.assertEqual(service.request("GET", path, headers={"Accept": "application/yaml", "If-None-Match": headers["etag"]})[0], 304)
            for accepted in ("*/*", "application/json", "application/json, application/yaml;q=0.1", "application/yaml;q=0"):
                self.assertEqual(service.request("GET", path, headers={"Accept": accepted})[1]["content-type"], "application/json", accepted)
            status, headers, text = service.request("GET", f"{API}/no", headers={"Accept": "application/yaml"})
            self.assertEqual((status, headers["content-type"], yaml.safe_load(text)["code"]), (404, "application/problem+yaml", "site.unknown"))
            self.assertEqual(service.request("PUT", f"{API}/up", "{", {"Content-Type": "application/yaml"})[0] // 100, 4)

    def test_polling_with_patience(self):
        with Service(STRATA) as service:
            self.make(service)
            path = f"{API}/up/nodes/default/values/a"
            self.ask(service, "GET", path)
            headers = {"If-None-Match": self.headers["etag"], "Prefer": "wait=25"}
            answers = []
            waiting = [threading.Thread(target=lambda: answers.append(service.request("GET", path, headers=headers))) for _ in range(6)]
            for one in waiting:
                one.start()
            # More of them than workers, and nobody else waits.
            self.assertEqual(self.ask(service, "GET", f"{API}/up")["generation"], 1)
            self.change(service, "a: 1\nz: 1\n")  # Another result, but not of what they ask for.
            self.change(service, "a: 2\nz: 1\n")
            for one in waiting:
                one.join(HANGS)
            self.assertEqual([(status, json.loads(text)["value"], sent["preference-applied"]) for status, sent, text in answers], [(200, 2, "wait=25")] * 6)
            headers = {"If-None-Match": answers[0][1]["etag"], "Prefer": "wait=1"}
            for prefer, applied in (("wait=1", "wait=1"), ("handling=strict , WAIT = \"1\"; x=2", "wait=1"), ("nowait=3", None), ("wait=1x", None), ("wait=", None)):
                status, sent, _ = service.request("GET", path, headers=headers | {"Prefer": prefer})
                self.assertEqual((status, sent.get("preference-applied")), (304, applied), prefer)
            self.assertEqual(service.request("GET", path, headers={"Prefer": "wait=30"})[0], 200)  # Nothing to wait for.

    def test_who_waits_does_not_hold_the_end(self):
        service = Service(STRATA)
        with service:
            self.make(service)
            path = f"{API}/up/nodes/default/values/a"
            self.ask(service, "GET", path)
            tag = self.headers["etag"]
            answers = []
            one = threading.Thread(target=lambda: answers.append(service.request("GET", path, headers={"If-None-Match": tag, "Prefer": "wait=29"})[0]))
            one.start()
            while "strata_http_in_flight 1" not in service.request("GET", "/metrics")[2]:
                pass
            self.assertEqual(service.stop(), 0)
            one.join(HANGS)
            self.assertEqual(answers, [304])


class Questions(SiteTest):
    strata = STRATA

    def test_searches(self):
        with self.serve("fleet") as service:
            place = f"{API}/fleet/search?"
            found = self.ask(service, "GET", place + "q=ntp1")
            self.assertEqual([(one["in"], one["file"], one["line"]) for one in found["places"]], [("files", "data/common.yaml", 5)])
            found = self.ask(service, "GET", place + "q=re:%5Entp%3A%3Aserver&in=keys")["places"]
            self.assertEqual({one["key"] for one in found}, {"ntp::servers"})
            self.assertEqual(found[0]["file"], "data/common.yaml")
            found = self.ask(service, "GET", place + "q=ntp2&in=values,keys&node=db01")["places"]
            self.assertEqual([(one["in"], one["key"], one["text"]) for one in found], [("values", "ntp::servers", "ntp2")])
            self.assertEqual(self.ask(service, "GET", place + "q=re:(&in=keys", status=422)["code"], "regex.syntax")
            self.assertEqual(self.ask(service, "GET", place + "q=a&in=nothing", status=400)["code"], "request.query")
            self.assertEqual(self.ask(service, "GET", place + "q=a&in=keys&node=no", status=404)["code"], "site.node")

    def test_other_ways_to_merge(self):
        with self.serve("fleet") as service:
            path = f"{API}/fleet/nodes/web01/values/users"
            deep = self.ask(service, "GET", path)["value"]
            first = self.ask(service, "GET", path + "?merge=first")["value"]
            self.assertNotEqual(deep, first)
            self.assertEqual(self.ask(service, "GET", path + "?merge=deep")["value"], deep)
            self.assertEqual(self.ask(service, "GET", path + "?merge=--config", status=400)["code"], "request.query")
            self.ask(service, "PUT", f"{API}/fleet/nodes/new01", {"facts": {"cert": "web01", "role": "web", "dc": "ams"}}, 201)
            self.assertEqual(self.ask(service, "GET", f"{API}/fleet/nodes/new01/values/users?merge=first")["value"], first)

    def test_a_strategy_of_the_request_holds_for_parts_and_missing_keys(self):
        with self.serve("fleet") as service:
            path = f"{API}/fleet/nodes/web01/values"
            users = self.ask(service, "GET", path + "/users?merge=first")["value"]
            name = next(iter(users))
            self.assertEqual(self.ask(service, "GET", f"{path}/users.{name}?merge=first")["value"], users[name])
            missing = self.ask(service, "GET", path + "/user?merge=deep", status=404)
            self.assertEqual((missing["code"], "users" in missing["hint"]), ("hiera.key-not-found", True))
            self.assertEqual(self.ask(service, "GET", path + "/user?merge=deep&default=d")["value"], "d")
            explained = self.ask(service, "GET", path + "/users?merge=first&explain=")
            self.assertEqual(explained["value"], users)
            self.assertTrue(explained["history"])

    def test_effects_as_lines(self):
        change = {"changes": [{"path": "data/common.yaml", "text": "ntp::servers: [x]\n"}]}
        with self.serve("fleet") as service:
            whole = self.ask(service, "POST", f"{API}/fleet/impact", change)
            for _ in range(2):
                self.assertEqual(self.ask(service, "POST", f"{API}/fleet/impact", change), whole)
            status, headers, text = service.request("POST", f"{API}/fleet/impact", json.dumps(change), {**JSON, "Accept": "application/jsonl"})
            self.assertEqual((status, headers["content-type"]), (200, "application/jsonl"))
            head, *effects = [json.loads(line) for line in text.splitlines()]
            self.assertEqual({**head, "effects": effects}, whole)
            self.assertGreater(len(effects), 0)
            other = self.ask(service, "POST", f"{API}/fleet/impact", {"changes": [{"path": "data/common.yaml", "delete": True}]})
            self.assertNotEqual(other["effects"], whole["effects"])
            self.assertEqual(self.ask(service, "POST", f"{API}/fleet/impact", change), whole)

    def test_stored_nodes_are_those_of_puppet_too(self):
        with self.serve("fleet") as service:
            self.assertEqual(service.request("GET", "/hiera/fleet/new01/profile::web::port")[0], 404)
            self.ask(service, "PUT", f"{API}/fleet/nodes/new01", {"facts": {"cert": "web01", "role": "web", "dc": "ams"}}, 201)
            self.assertEqual(service.request("GET", "/hiera/fleet/new01/profile::web::port")[2], service.request("GET", "/hiera/fleet/web01/profile::web::port")[2])


if __name__ == "__main__":
    unittest.main()
