#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile and broken sites through the real program.

usage: hostile_render_test.py STRATA

As hostile_test.py, for `strata render`.
"""
import json
import sys

from hostile_test import Case, DEEP, main

POLICY = b"""schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [global, site]}
"""


def document(name, data="{}", layer="site", layering="", more="", schema="example/Kind/v1"):
    return (f"---\nschema: {schema}\nmetadata: {{schema: metadata/Document/v1, name: {name}, storagePolicy: cleartext, "
            f"layeringDefinition: {{layer: {layer}{layering}}}{more}}}\ndata: {data}\n").encode()


def child(actions, data="{c: 1}", selector="{t: g}"):
    return document("c", data, layering=f", parentSelector: {selector}, actions: {actions}")


def reads(name, source, path=".", to=".x", more="", source_more="", data="{}"):
    entry = {"src": {"schema": "example/Kind/v1", "name": source, "path": path}, "dest": {"path": to}}
    entry["dest"].update(json.loads(more or "{}"))
    entry["src"].update(json.loads(source_more or "{}"))
    return document(name, data, more=", substitutions: " + json.dumps([entry]))


TOP = document("g", "{g: 1}", "global", more=", labels: {t: g}")


def site(name, documents, status, says, place="f:", seconds=5, output=None, arguments=()):
    case = Case(name, {"f": POLICY + documents}, [*arguments, "f"], status, says, place, seconds, output)
    case.command = "render"
    return case


def many(count, make):
    return b"".join(make(i) for i in range(count))


def schema(data):
    return (b"---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: example/Kind/v1}\ndata: " + data + b"\n")


CASES = [
    site("a cycle of two", reads("a", "b") + reads("b", "a"), 1, ["site/a → example/Kind/v1 site/b → example/Kind/v1 site/a"], "f:5:1"),
    site("a document that reads itself", reads("a", "a"), 1, ["deckhand.cycle"], "f:5:1"),
    site("a long cycle", many(5000, lambda i: reads(f"d{i}", f"d{(i + 1) % 5000}")), 1, ["deckhand.cycle", "4980 more"], "f:5:1"),
    site("many cycles", many(5000, lambda i: reads(f"d{i}", f"d{i ^ 1}")), 1, ["deckhand.cycle"]),
    site("two parents", TOP + document("h", "{}", "global", more=", labels: {t: g}") + child("[{method: merge, path: .}]"), 1, ["site/c", "2 candidates", "global/h"], "f:14:"),
    site("a duplicate", TOP + TOP, 1, ["global/g", "deckhand.duplicate"], "f:9:1"),
    site("an unknown layer", document("a", layer="sitte"), 1, ["did you mean 'site'?"], "f:6:"),
    site("no policy", b"---\n" + TOP, 1, ["deckhand.entry"], "f:"),
    site("a source that is not there", reads("a", "ghost"), 1, ["site/a", "example/Kind/v1 ghost"], "f:6:"),
    site("an action through a number", TOP + child("[{method: replace, path: .g.x}]", "{g: {x: 1}}"), 1, ["site/c", ".g.x"], "f:10:"),
    site("a path without end", TOP + child("[{method: merge, path: .a.}]"), 1, ["site/c", "'.a.'"], "f:10:"),
    site("an index in the billions", document("s", "{v: 1}") + reads("a", "s", ".v", ".x[4000000000]"), 1, ["site/a", "limit.result"], "f:10:"),
    site("an index beyond all numbers", document("s", "{v: 1}") + reads("a", "s", ".v", ".x[99999999999999999999999]"), 1, ["site/a"], "f:10:"),
    site("a nested path", TOP + child("[{method: delete, path: '" + ".a" * DEEP + "'}]"), 1, ["site/c"], "f:10:"),
    site("a path of brackets", TOP + child("[{method: delete, path: '$" + "(" * DEEP + "'}]"), 1, ["site/c"], "f:10:"),
    site("a runaway pattern", document("s", "{v: 1}") + reads("a", "s", ".v", ".x", '{"pattern": "(a*)*b"}', data="{x: " + "a" * 3000 + "}"), None, []),
    site("a runaway pattern of the source", document("s", "{v: " + "a" * 3000 + "c}") + reads("a", "s", ".v", ".x", source_more='{"pattern": "(a|aa)+$"}'), None, []),
    site("a broken pattern", document("s", "{v: 1}") + reads("a", "s", ".v", ".x", '{"pattern": "("}', data="{x: y}"), 1, ["site/a", "regex.syntax"], "f:10:"),
    site("documents that double", document("d0", "{v: [1, 2, 3]}") + many(60, lambda i: document(
        f"d{i + 1}", more=", substitutions: " + json.dumps([{"src": {"schema": "example/Kind/v1", "name": f"d{i}", "path": ".v"}, "dest": {"path": f".v.{to}"}} for to in "ab"]))),
         1, ["limit.result"], "", seconds=20),
    site("texts that double", document("d0", "{v: xxxxxxxx}") + many(60, lambda i: reads(
        f"d{i + 1}", f"d{i}", ".v", ".v", '{"pattern": "X"}', data="{v: XX}")), 1, ["limit"], "", seconds=20),
    site("documents that nest", document("d0", "{v: 1}") + many(1500, lambda i: reads(f"d{i + 1}", f"d{i}", ".", ".v")), 1, ["limit.depth", "site/d1"], "f:"),
    site("many that select one label", TOP + many(3000, lambda i: document(f"c{i}", layering=", parentSelector: {t: g}, actions: [{method: merge, path: .}]")), 0, [], None, output=b"c2999"),
    site("many parents for many children", many(3000, lambda i: document(f"p{i}", layer="global", more=", labels: {t: g}"))
         + many(3000, lambda i: document(f"c{i}", layering=", parentSelector: {t: g}, actions: [{method: merge, path: .}]")), 1, ["3000 candidates", "more findings"]),
    site("everything is wrong", many(20_000, lambda i: document(f"d{i}", layer="nowhere")), 1, ["19000 more findings"]),
    site("one long line", b"---\n{schema: a, metadata: {" + b",".join(b"k%d: 1" % i for i in range(100_000)) + b"}}\n", 1, ["deckhand.form"]),
    site("a schema that is not one", schema(b"{type: nonsense}") + document("a"), 1, ["example/Kind/v1"]),
    site("a schema that refers to itself", schema(b"{$ref: '#'}") + document("a"), None, []),
    site("schemas that refer to each other", schema(b"{definitions: {a: {$ref: '#/definitions/b'}, b: {$ref: '#/definitions/a'}}, $ref: '#/definitions/a'}") + document("a"), None, []),
    site("a schema with a runaway pattern", schema(b"{properties: {x: {type: string, pattern: '^(a*)*$'}}}") + document("a", "{x: " + "a" * 3000 + "b}"), None, []),
    site("deep data", document("a", "[" * DEEP), 1, ["limit.depth"]),
    site("an alias bomb", b"---\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + b"".join(b"a%d: &a%d [%s]\n" % (i, i, b",".join([b"*a%d" % (i - 1)] * 10)) for i in range(1, 12)), 1, ["limit.aliases"]),
    site("not YAML", b"---\na: [\n", 1, ["yaml.syntax"]),
    site("a trailing ---", TOP + b"---\n", 1, ["entry 3 of this stream is null"]),
    site("no documents after a filter", TOP, 0, [], None, output=b"", arguments=["--name", "none"]),
]

for arguments, status, says in (([], 2, ["give at least one FILE"]), (["nope"], 1, ["no such file"]), (["--label", "x", "f"], 2, ["KEY=VALUE"]),
                                (["--check", "--blame", "f"], 2, ["--check"]), (["--compat", "x", "f"], 2, ["x"])):
    CASES.append(Case(f"command line {arguments}", {"f": POLICY}, arguments, status, says))
    CASES[-1].command = "render"

if __name__ == "__main__":
    sys.exit(main(CASES))
