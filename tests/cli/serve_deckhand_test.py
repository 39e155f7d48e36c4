#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and Deckhand's API: what it renders is what `strata render` prints, for the example and for random documents.

usage: serve_deckhand_test.py STRATA
"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import yaml

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "deckhand", "site")
API = "/api/v1.0"
YAML = {"Content-Type": "application/x-yaml"}
LAYERS = ["global", "type", "site"]


def value(chance, depth):
    kind = chance.randrange(6 if depth else 4)
    if kind == 4:
        return {chance.choice("abcd"): value(chance, depth - 1) for _ in range(chance.randrange(4))}
    if kind == 5:
        return [value(chance, depth - 1) for _ in range(chance.randrange(3))]
    return chance.choice([chance.randrange(100), "text", "yes", None, True, 1.5, "a: b", "é"])


def documents(chance):
    """A policy, and documents of one family in three layers, some of which take values of others."""
    out = [{"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"}, "data": {"layerOrder": LAYERS}}]
    for layer, name in enumerate(LAYERS):
        for number in range(chance.randrange(1, 3)):
            definition = {"abstract": layer < 2 and chance.random() < 0.4, "layer": name}
            if layer:
                definition["parentSelector"] = {"level": str(layer - 1)}
                definition["actions"] = [{"method": chance.choice(["merge", "merge", "replace"]), "path": chance.choice([".", ".", ".a"])}]
            document = {"schema": "example/Kind/v1", "data": {"a": value(chance, 3), "b": value(chance, 2)} if not layer else {"a": value(chance, 3)},
                        "metadata": {"schema": "metadata/Document/v1", "name": f"{name}-{number}", "labels": {"level": str(layer)} if not number else {},
                                     "layeringDefinition": definition, "storagePolicy": "cleartext"}}
            if layer == 2 and chance.random() < 0.5:
                document["metadata"]["substitutions"] = [{"dest": {"path": ".taken"}, "src": {"schema": "example/Source/v1", "name": "source", "path": "."}}]
            out.append(document)
    out.append({"schema": "example/Source/v1", "data": value(chance, 1) or {"k": 1},
                "metadata": {"schema": "metadata/Document/v1", "name": "source", "storagePolicy": "cleartext", "layeringDefinition": {"abstract": False, "layer": "site"}}})
    chance.shuffle(out)
    return out


ENCRYPTED = """---
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [site]}
---
schema: example/Plain/v1
metadata: {schema: metadata/Document/v1, name: plain, storagePolicy: cleartext, layeringDefinition: {layer: site}}
data: {text: "%s"}
---
schema: deckhand/Passphrase/v1
metadata: {schema: metadata/Document/v1, name: secret, storagePolicy: encrypted, layeringDefinition: {layer: site}}
data: the-word-that-nobody-packs
---
schema: example/Taker/v1
metadata:
  schema: metadata/Document/v1
  name: taker
  storagePolicy: cleartext
  layeringDefinition: {layer: site}
  substitutions: [{src: {schema: deckhand/Passphrase/v1, name: secret, path: .}, dest: {path: .password}}]
data: {}
""" % ("long " * 500)


class Deckhand(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.service = Service(STRATA)
        self.service.start()
        self.addCleanup(self.service.temporary.cleanup)
        self.addCleanup(self.service.stop)

    def test_small_texts_with_large_contents_are_refused(self):
        def text(levels):
            return "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(levels))

        def documents(levels):
            head = "---\nschema: example/Kind/v1\nmetadata: {schema: metadata/Document/v1, name: k, storagePolicy: cleartext, layeringDefinition: {abstract: false, layer: site}}\n"
            return ENCRYPTED + head + "data:\n" + "".join(f"  {line}\n" for line in text(levels).splitlines())

        for levels, status in ((6, 400), (3, 200)):
            self.assertEqual(self.service.request("PUT", f"{API}/buckets/b/documents", documents(levels).encode(), YAML)[0], status)
        for levels, status in ((6, 400), (3, 201)):
            self.assertEqual(self.service.request("POST", f"{API}/revisions/1/tags/t", text(levels).encode(), YAML)[0], status)

    def test_the_type_of_a_body_comes_before_its_path_and_of_no_other_face(self):
        text, large = {"Content-Type": "text/plain"}, b"x" * 1_000_000
        for body in (b"x", large, [b"x"]):  # The last one in chunks. A large one is refused before it is read.
            for method, target in (("POST", f"{API}/nowhere"), ("POST", f"{API}/revisions"), ("PUT", f"{API}/buckets/b/documents"), ("POST", "/p/other/api/v1.0/nowhere")):
                with self.subTest(method=method, target=target):
                    status, _, answer = self.service.request(method, target, body, text)
                    self.assertEqual((status, yaml.safe_load(answer)["details"]["errorType"]), (415, "HTTPUnsupportedMediaType"))
                    status, _, answer = self.service.request(method, target, body)
                    self.assertEqual((status, yaml.safe_load(answer)["details"]["errorType"]), (400, "HTTPMissingHeader"))
            self.assertEqual(self.service.request("POST", "/strata/v1/nowhere", body, text)[0], 404)
            self.assertEqual(self.service.request("POST", "/nowhere", body, text)[0], 404)
            self.assertEqual(self.service.request("GET", f"{API}/revisions", body, text)[0], 200)
        self.assertEqual(self.service.request("POST", f"{API}/nowhere", headers=text)[0], 404)

    def test_secrets_in_clear_text_are_told_to_the_audit_and_not_packed(self):
        word, packed = "the-word-that-nobody-packs", {"Accept-Encoding": "gzip"}
        self.assertEqual(self.service.request("PUT", f"{API}/buckets/b/documents", ENCRYPTED.encode(), YAML)[0], 200)
        place = f"{API}/revisions/1/rendered-documents"

        def shown():
            audit = json.loads(self.service.request("GET", "/strata/v1/audit?limit=1000")[2])["audit"]
            self.assertNotIn(word, json.dumps(audit))
            return [one["target"] for one in audit if one["outcome"] == "200, secrets in clear text"]

        for query in ("", "?cleartext-secrets=true", "?schema=deckhand/Passphrase", "?metadata.name=taker&metadata.name=plain"):
            before = shown()
            status, headers, text = self.service.request("GET", place + query, headers=packed)
            self.assertEqual((status, headers.get("content-encoding")), (200, None), query)
            self.assertIn(word, text)
            self.assertIn("etag", headers)
            self.assertEqual(shown(), [*before, "GET " + place], query)
            # Who has it is shown nothing.
            self.assertEqual(self.service.request("GET", place + query, headers={"If-None-Match": headers["etag"]})[0], 304)
        before = shown()
        for path in (place + "?cleartext-secrets=false", place + "?metadata.name=plain", f"{API}/revisions/1/documents"):
            status, headers, text = self.service.request("GET", path, headers=packed)
            self.assertEqual((status, headers.get("content-encoding")), (200, "gzip"), path)
            self.assertNotIn(word, text)
        self.assertNotIn(word, self.service.request("GET", f"{API}/revisions/0/deepdiff/1")[2])
        self.assertEqual(shown(), before)

    def test_blame_names_the_body_that_has_the_line(self):
        """A rollback has no body."""
        head = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: p}\ndata: {layerOrder: [site]}\n"
        document = "---\nschema: example/Kind/v1\nmetadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}\ndata: {a: %s}\n"

        def put(bucket, text):
            self.assertEqual(self.service.request("PUT", f"{API}/buckets/{bucket}/documents", text.encode(), YAML)[0], 200)

        def roll_back(to):
            self.assertEqual(self.service.request("POST", f"{API}/rollback/{to}", b"", YAML)[0], 201)

        def place(revision):
            status, _, body = self.service.request("GET", f"{API}/revisions/{revision}/rendered-documents?strata-blame=1&metadata.name=b")
            self.assertEqual(status, 200, body)
            found, = yaml.safe_load_all(body)
            return found["metadata"]["strata"]

        put("b", head + document % ("b", 1))
        put("b", "# One line more.\n" + head + document % ("b", 1))
        put("c", document % ("c", 1))
        put("b", head + document % ("b", 2))
        roll_back(2)
        roll_back(5)
        self.assertEqual([place(number) for number in range(1, 7)],
                         [[{"path": "/data/a", "file": f"b@{body}", "line": line}] for body, line in ((1, 8), (2, 9), (2, 9), (4, 8), (2, 9), (2, 9))])

    def rendered(self, text, bucket):
        """The documents that the service renders, without what the store fills in; or its messages."""
        status, _, body = self.service.request("PUT", f"{API}/buckets/{bucket}/documents", text.encode(), YAML)
        if status != 200:
            return status, body
        revision = next(yaml.safe_load_all(body))["status"]["revision"]
        status, _, body = self.service.request("GET", f"{API}/revisions/{revision}/rendered-documents")
        if status != 200:
            return status, body
        found = []
        for document in yaml.safe_load_all(body):
            if document["status"]["bucket"] == bucket:
                found.append({name: document[name] for name in ("schema", "metadata", "data")})
        return status, found

    def command(self, text):
        path = os.path.join(self.folder, "documents.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run([STRATA, "render", "--output", "json", "--cleartext-secrets", path], capture_output=True, timeout=HANGS, check=False)

    def assert_same(self, found, text):
        run = self.command(text)
        self.assertEqual(run.returncode, 0, run.stderr)

        def plain(all_documents):
            return sorted(json.dumps({"schema": one["schema"], "name": one["metadata"]["name"], "data": one["data"]}, sort_keys=True) for one in all_documents)

        self.assertEqual(plain(found), plain(json.loads(run.stdout)))

    def test_the_example(self):
        text = "".join("---\n" + open(path, encoding="utf-8").read().removeprefix("---\n") for path in sorted(glob.glob(f"{EXAMPLE}/*.yaml")))
        status, found = self.rendered(text, "site")
        self.assertEqual(status, 200, found)
        self.assertGreater(len(found), 2)
        run = self.command(text)
        clear = {(one["schema"], one["metadata"]["name"]): one["data"] for one in json.loads(run.stdout)}
        self.assertEqual({(one["schema"], one["metadata"]["name"]) for one in found}, set(clear))
        for one in found:
            if one["metadata"].get("storagePolicy") != "encrypted":
                self.assertEqual(one["data"], clear[one["schema"], one["metadata"]["name"]])

    def test_random_documents(self):
        chance = random.Random(int(os.environ.get("SEED", "1")))
        rendered = 0
        for number in range(int(os.environ.get("ROUNDS", "40"))):
            text = yaml.safe_dump_all(documents(chance), allow_unicode=True, sort_keys=False)
            # One bucket that is replaced each time: each revision has these documents alone.
            status, found = self.rendered(text, "random")
            with self.subTest(number=number, text=text):
                if status == 200:
                    self.assert_same(found, text)
                    rendered += 1
                else:
                    self.assertNotEqual(self.command(text).returncode, 0, found)
        self.assertGreater(rendered, 15)


if __name__ == "__main__":
    unittest.main()
