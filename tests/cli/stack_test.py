#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Deep inputs through the real program with a small stack.

usage: stack_test.py STRATA [--measure] [CASE...]

Every case is run with input of several depths under stacks of several sizes, with the default `--limit depth=` and with one that the stack does not hold. No run
may end by a signal or with exit status 70; one that fails has exit status 1 (2: the limit is refused), and says why. With --measure: for each case the
smallest stack in KiB that is enough for some depths, to see what a level costs.
"""
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

from case_runner import is_sanitized, run_cases

HEAD = b"#cloud-config\n"
STACKS = (256, 1024)  # KiB.
POLICY = b"schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site, type]}\n"
JINJA = b"## template: jinja\n#cloud-config\n"
HEAT = b"heat_template_version: 2018-08-31\n"


def lists(depth, inner=b"1"):
    return b"[" * depth + inner + b"]" * depth


def maps(depth, inner=b"1"):
    return b'{"a": ' * depth + inner + b"}" * depth


def nested(before, after, inner=b"1"):
    return lambda depth: before * depth + inner + after * depth


def merge(text, *arguments, **files):
    return lambda depth: ({"user": text(depth), "empty.json": b"{}", **{name: data(depth) for name, data in files.items()}}, ["merge", *arguments, "user"])


def template(text):
    return merge(lambda depth: JINJA + b"a: " + text(depth) + b"\n", "--instance-data", "empty.json")


def expression(text, *arguments):
    return lambda depth: ({"bindings/default.pp": b"bindings default {\n  bind 'r' to (" + text(depth) + b")\n}\n", "facts.yaml": b"{a: b}\n"},
                          ["inject", "--facts", "facts.yaml", *arguments, "r"])


def bindings(text):
    return lambda depth: ({"bindings/default.pp": b"bindings default {\n" + text(depth) + b"\n}\n", "facts.yaml": b"{a: b}\n"}, ["inject", "--facts", "facts.yaml", "r"])


def site(data, *arguments, name="common.yaml", entry=b"", **files):
    production = "code/environments/production/"
    hierarchy = b"version: 5\nhierarchy:\n  - name: common\n    paths: [" + name.encode() + b", second.yaml]\n" + entry
    return lambda depth: ({production + "hiera.yaml": hierarchy, production + "data/" + name: data(depth), "facts.yaml": b"{a: b}\n",
                           **{production + path: text(depth) for path, text in files.items()}},
                          ["lookup", "--codedir", "code", "--facts", "facts.yaml", *arguments])


def lua(code, *arguments):
    production = "code/environments/production/"
    hierarchy = b"version: 5\nhierarchy:\n  - name: common\n    lookup_key: lua::deep\n"
    return lambda depth: ({production + "hiera.yaml": hierarchy, production + "lib/strata/deep.lua": code(depth), "facts.yaml": b"{a: b}\n"},
                          ["lookup", "--codedir", "code", "--facts", "facts.yaml", *arguments, "k"])


def document(name, data, more=b"", schema=b"x/Y/v1"):
    return (b"---\nschema: " + schema + b"\nmetadata: {schema: metadata/Document/v1, name: " + name + b", layeringDefinition: {abstract: false, layer: site}" + more + b"}\ndata: "
            + data + b"\n")


def child(data, method=b"merge"):
    return (b"---\nschema: x/Y/v1\nmetadata: {schema: metadata/Document/v1, name: child, layeringDefinition: {abstract: false, layer: type, parentSelector: {a: b}, actions: ["
            b"{method: " + method + b", path: .}]}}\ndata: " + data + b"\n")


def render(*documents):
    return lambda depth: ({"site.yaml": POLICY + b"".join(made(depth) for made in documents)}, ["render", "site.yaml"])


def substituted(path, pattern=b"", source=b"."):
    return render(lambda depth: document(b"s", b"{a: " + maps(depth) + b"}"),
                  lambda depth: document(b"t", b"{}", b", substitutions: [{src: {schema: x/Y/v1, name: s, path: '" + (source(depth) if callable(source) else source) + b"'}, dest: {path: '"
                                         + path(depth) + b"'" + pattern + b"}}]"))


def schema(text, data):
    return render(lambda depth: b"---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: x/Y/v1}\ndata: " + text(depth) + b"\n", lambda depth: document(b"d", data(depth)))


def compose(*texts):
    return lambda depth: ({f"e{i}.yaml": text(depth) for i, text in enumerate(texts)}, ["compose", *[word for i in range(len(texts)) for word in ("-e", f"e{i}.yaml")]])


def bundle(text, parameters=b""):
    return lambda depth: ({"t.yaml": HEAT + text(depth), "e.yaml": b"parameters: {}\n"}, ["bundle", "-t", "t.yaml", "-e", "e.yaml"])


CASES = {
    "lists of cloud-config": merge(lambda depth: HEAD + b"a: " + lists(depth) + b"\n"),
    "maps of cloud-config": merge(lambda depth: HEAD + b"a: " + maps(depth) + b"\n"),
    "block lists": merge(lambda depth: HEAD + b"a:\n" + b"- " * depth + b"x\n"),
    "keys that are lists": merge(lambda depth: HEAD + b"? " + lists(depth) + b"\n: 1\n"),
    "unclosed lists": merge(lambda depth: HEAD + b"a: " + b"[" * depth),
    "two parts merged": lambda depth: ({"one": HEAD + b"a: " + maps(depth), "two": b"#cloud-config\nmerge_how: dict(recurse_dict,recurse_list)+list(recurse_list,recurse_dict)\na: " + maps(depth, b"2")},
                                       ["merge", "one", "two"]),
    "two parts explained": lambda depth: ({"one": HEAD + b"a: " + maps(depth), "two": b"#cloud-config\nmerge_how: dict(recurse_dict,recurse_list)+list(recurse_list,recurse_dict)\na: " + maps(depth, b"2")},
                                          ["merge", "--explain", "one", "two"]),
    "two parts explained as JSON": lambda depth: ({"one": HEAD + b"a: " + maps(depth), "two": b"#cloud-config\nmerge_how: dict(recurse_dict)\na: " + maps(depth, b"2")},
                                                  ["merge", "--explain", "--output", "json", "one", "two"]),
    "blame": merge(lambda depth: HEAD + b"a: " + lists(depth), "--blame"),
    "blame as JSON": merge(lambda depth: HEAD + b"a: " + maps(depth), "--blame", "--output", "json"),
    "JSON": merge(lambda depth: HEAD + b"a: " + lists(depth), "--output", "json"),
    "aliases": merge(lambda depth: HEAD + b"a0: &a0 1\n" + b"".join(b"a%d: &a%d [*a%d]\n" % (i, i, i - 1) for i in range(1, depth))),
    "merge keys": merge(lambda depth: HEAD + b"a0: &a0 {x: 1}\n" + b"".join(b"a%d: &a%d {<<: *a%d, b: *a%d}\n" % (i, i, i - 1, i - 1) for i in range(1, depth))),
    "a patch": merge(lambda depth: b'#cloud-config-jsonp\n[{"op": "add", "path": "/a", "value": ' + lists(depth) + b"}]"),
    "a patch that copies": merge(lambda depth: b'#cloud-config-jsonp\n[{"op": "add", "path": "/a", "value": [1]}' + b', {"op": "copy", "from": "/a", "path": "/a/0"}' * min(depth, 20) + b"]"),
    "an archive": merge(lambda depth: b"#cloud-config-archive\n- {type: text/cloud-config, content: '" + lists(depth) + b"'}\n- " + lists(depth) + b"\n"),
    "messages": merge(lambda depth: b"MIME-Version: 1.0\n" + b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(min(depth, 5000))) + b"\nx\n"),
    "a Lua merger": lambda depth: ({"one": HEAD + b"a: " + maps(depth), "two": b"#cloud-config\nmerge_how: dict(recurse_dict)\na: " + maps(depth, b"2")}, ["merge", "one", "two"]),
    "instance data": lambda depth: ({"user": JINJA + b"a: '{{ v }}'\nb: {{ v | tojson }}\n", "data.json": b'{"v": ' + lists(depth) + b"}"}, ["merge", "--instance-data", "data.json", "user"]),
    "instance data compared": lambda depth: ({"user": JINJA + b"a: {{ v == w }}\n", "data.json": b'{"v": ' + lists(depth) + b', "w": ' + lists(depth) + b"}"},
                                             ["merge", "--instance-data", "data.json", "user"]),
    "templates: parentheses": template(nested(b"{{ ", b" }}")),
    "templates: lists": template(lambda depth: b"{{ " + lists(depth) + b" }}"),
    "templates: not": template(lambda depth: b"{{ " + b"not " * depth + b"1 }}"),
    "templates: signs": template(lambda depth: b"{{ " + b"- " * depth + b"1 }}"),
    "templates: sums": template(lambda depth: b"{{ 1" + b" + 1" * depth + b" }}"),
    "templates: powers": template(lambda depth: b"{{ 1" + b" ** 1" * depth + b" }}"),
    "templates: joins": template(lambda depth: b"{{ 1" + b" ~ 1" * depth + b" }}"),
    "templates: filters": template(lambda depth: b"{{ 1" + b" | string" * depth + b" }}"),
    "templates: attributes": template(lambda depth: b"{{ x is defined or x" + b".a" * depth + b" }}"),
    "templates: subscripts": template(lambda depth: b"{{ [1]" + b"[0]" * depth + b" }}"),
    "templates: else": template(lambda depth: b"{{ 1" + b" if 0 else 1" * depth + b" }}"),
    "templates: and": template(lambda depth: b"{{ 1" + b" and 1" * depth + b" }}"),
    "templates: calls": template(lambda depth: b"{{ " + b"range(" * depth + b"1" + b")" * depth + b" }}"),
    "templates: if": template(nested(b"{% if 1 %}", b"{% endif %}")),
    "templates: elif": template(lambda depth: b"{% if 0 %}" + b"{% elif 0 %}" * depth + b"{% endif %}"),
    "templates: for": template(nested(b"{% for i in [1] %}", b"{% endfor %}")),
    "templates: macros": template(lambda depth: b"{% macro m(n) %}{{ m(n + 1) if n < " + str(depth).encode() + b" }}{% endmacro %}{{ m(0) }}"),
    "templates: recursive loops": template(lambda depth: b"{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}"),
    "templates: values": template(lambda depth: b"{% set ns = namespace(v=[1]) %}{% for i in range(" + str(depth).encode() + b") %}{% set ns.v = [ns.v] %}{% endfor %}{{ ns.v }}{{ ns.v == [ns.v] }}"),
    "data in YAML": site(lambda depth: b"k: " + lists(depth), "k"),
    "data in JSON": site(lambda depth: b'{"k": ' + lists(depth) + b"}", "k", name="common.json", entry=b"    data_hash: json_data\n"),
    "maps in JSON": site(lambda depth: b'{"k": ' + maps(depth) + b"}", "--output", "json", "k", name="common.json", entry=b"    data_hash: json_data\n"),
    "maps merged deep": site(lambda depth: b"k: " + maps(depth), "--merge", "deep", "k", **{"data/second.yaml": lambda depth: b"k: " + maps(depth)}),
    "maps merged deep, explained": site(lambda depth: b"k: " + maps(depth), "--merge", "deep", "--explain", "k", **{"data/second.yaml": lambda depth: b"k: " + maps(depth)}),
    "maps merged deep, history": site(lambda depth: b"k: " + maps(depth), "--merge", "deep", "--explain", "--output", "json", "k", **{"data/second.yaml": lambda depth: b"k: " + maps(depth)}),
    "lists merged unique": site(lambda depth: b"k: " + lists(depth), "--merge", "unique", "k", **{"data/second.yaml": lambda depth: b"k: " + lists(depth)}),
    "HOCON lists": site(lambda depth: b"k: " + lists(depth), "k", name="common.conf", entry=b"    data_hash: hocon_data\n"),
    "HOCON maps": site(lambda depth: b"k: " + maps(depth), "k", name="common.conf", entry=b"    data_hash: hocon_data\n"),
    "HOCON paths": site(lambda depth: b"k" + b".a" * depth + b": 1\n", "k", name="common.conf", entry=b"    data_hash: hocon_data\n"),
    "HOCON substitutions": site(lambda depth: b"k: ${k1}\n" + b"".join(b"k%d: ${k%d}\n" % (i, i + 1) for i in range(1, depth)) + b"k%d: 1\n" % max(depth, 1), "k", name="common.conf",
                                entry=b"    data_hash: hocon_data\n"),
    "HOCON rows": site(lambda depth: b"k: x\n" + b"k: ${k}x\n" * min(depth, 5000), "k", name="common.conf", entry=b"    data_hash: hocon_data\n"),
    "HOCON merges": site(lambda depth: b"k: {}\n" + b"k: ${k} {a: 1}\n" * min(depth, 5000), "k", name="common.conf", entry=b"    data_hash: hocon_data\n"),
    "keys dug for": site(lambda depth: b"k: " + maps(depth), "k" + ".a" * 100),
    "lookups in lookups": site(lambda depth: b"k: \"%{lookup('k1')}\"\n" + b"".join(b"k%d: \"%%{lookup('k%d')}\"\n" % (i, i + 1) for i in range(1, depth)) + b"k%d: 1\n" % max(depth, 1), "k"),
    "aliases of aliases": site(lambda depth: b"k: \"%{alias('k1')}\"\n" + b"".join(b"k%d: [\"%%{alias('k%d')}\"]\n" % (i, i + 1) for i in range(1, depth)) + b"k%d: 1\n" % max(depth, 1), "k"),
    "aliases of aliases explained": site(lambda depth: b"k: \"%{alias('k1')}\"\n" + b"".join(b"k%d: [\"%%{alias('k%d')}\"]\n" % (i, i + 1) for i in range(1, depth)) + b"k%d: 1\n" % max(depth, 1), "--explain", "k"),
    "interpolation deep in data": site(lambda depth: b"k: " + lists(depth, b'"%{a}"'), "k"),
    "secrets deep in data": site(lambda depth: b"k: " + lists(depth, b'"ENC[PKCS7,xx]"'), "--mask", "k"),
    "as Ruby writes": site(lambda depth: b"k: " + lists(depth), "--render-as", "s", "k"),
    "as Ruby's JSON": site(lambda depth: b"k: " + lists(depth), "--render-as", "json", "k"),
    "facts": lambda depth: ({**site(lambda _: b"k: '%{facts.v}'\n")(1)[0], "facts.yaml": b"v: " + lists(depth)}, ["lookup", "--codedir", "code", "--facts", "facts.yaml", "k"]),
    "hierarchies": lambda depth: ({"code/environments/production/hiera.yaml": b"version: 5\nhierarchy:\n  - {name: x, path: x, options: " + maps(depth) + b"}\n", "facts.yaml": b"{a: b}"},
                                  ["lookup", "--codedir", "code", "--facts", "facts.yaml", "k"]),
    "Lua: calls": lua(lambda depth: b"local function f(n) if n == 0 then return 1 end return 1 + f(n - 1) end\nreturn function(key, options, context) if key ~= 'k' then context.not_found() end return f(" + str(depth).encode() + b") end\n"),
    "Lua: callbacks": lua(lambda depth: b"local function f(n) if n == 0 then return '1' end return (string.gsub('a', 'a', function() return f(n - 1) end)) end\nreturn function(key, options, context) if key ~= 'k' then context.not_found() end return f("
                          + str(depth).encode() + b") end\n"),
    "Lua: metamethods": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1] end\n"),
    "Lua: results": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end local t = {1} for i = 1, " + str(depth).encode() + b" do t = {t} end return t end\n"),
    "Lua: parentheses": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end return " + b"(" * depth + b"1" + b")" * depth + b" end\n"),
    "Lua: functions": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end return " + b"(function() return " * depth + b"1" + b" end)()" * depth + b" end\n"),
    "Lua: joins": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end return 'a'" + b" .. 'a'" * depth + b" end\n"),
    "Lua: signs": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end return " + b"- " * depth + b"1 end\n"),
    "Lua: tables": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end return " + b"{" * depth + b"1" + b"}" * depth + b" end\n"),
    "Lua: blocks": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end " + b"do " * depth + b"end " * depth + b" return 1 end\n"),
    "Lua: sorting": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end local t = {} for i = 1, " + str(min(depth, 50000)).encode() + b" do t[i] = i % 7 end table.sort(t, function(a, b) return a < b end) return 1 end\n"),
    "Lua: patterns": lua(lambda depth: b"return function(key, options, context) if key ~= 'k' then context.not_found() end local ok = pcall(string.find, string.rep('a', " + str(depth).encode() + b"), string.rep('a?', 100) .. 'b') return ok end\n"),
    "expressions: parentheses": expression(nested(b"(", b")")),
    "expressions: lists": expression(lists),
    "expressions: lists printed": expression(lambda depth: b'String(' + lists(depth) + b')'),
    "expressions: lists as text": expression(lambda depth: b'with(' + lists(depth) + b') |$x| { "${x}" }'),
    "expressions: hashes": expression(lambda depth: b"{a => " * depth + b"1" + b"}" * depth),
    "expressions: not": expression(lambda depth: b"!" * depth + b"true"),
    "expressions: signs": expression(lambda depth: b"- " * depth + b"1"),
    "expressions: sums": expression(lambda depth: b"1" + b" + 1" * depth),
    "expressions: and": expression(lambda depth: b"true" + b" and true" * depth),
    "expressions: comparisons": expression(lambda depth: b"1" + b" == 1" * depth),
    "expressions: indexes": expression(lambda depth: b"$facts" + b"['a']" * depth),
    "expressions: methods": expression(lambda depth: b"1" + b".then |$x| { $x }" * depth),
    "expressions: calls": expression(nested(b"type(", b")")),
    "expressions: lambdas": expression(nested(b"with(1) |$x| { ", b" }")),
    "expressions: if": expression(nested(b"if true { ", b" }")),
    "expressions: elsif": expression(lambda depth: b"if false { 1 }" + b" elsif false { 1 }" * depth),
    "expressions: else if": expression(lambda depth: b"if false { 1 } else { " * depth + b"1" + b" }" * depth),
    "expressions: case": expression(nested(b"case 1 { default: { ", b" } }")),
    "expressions: selectors": expression(nested(b"1 ? { default => ", b" }")),
    "expressions: texts": expression(nested(b'"${', b'}"')),
    "expressions: assignments": expression(lambda depth: b"with(1) |$x| { " + b"".join(b"$x%d = " % i for i in range(depth)) + b"1 }"),
    "expressions: types": expression(nested(b"Array[", b"]", b"Integer")),
    "expressions: variants": expression(nested(b"Variant[", b", String]", b"Integer")),
    "expressions: types of texts": expression(lambda depth: b"Type(" + b"'" + b"Array[" * depth + b"Integer" + b"]" * depth + b"')"),
    "expressions: made values": expression(lambda depth: b"Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }"),
    "expressions: made values compared": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { [$v == [$v], $v] }"),
    "expressions: made values printed": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { \"${v}\" }"),
    "expressions: types of values": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { String(type($v)) }"),
    "expressions: flatten": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { flatten($v) }"),
    "expressions: deep_merge": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce({}) |$m, $x| { {a => $m} }) |$v| { deep_merge($v, $v) }"),
    "expressions: tree_each": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { $v.tree_each.map |$x| { 1 } }"),
    "expressions: data of types": expression(lambda depth: b"with(Integer[0," + str(depth).encode() + b"].reduce([1]) |$m, $x| { [$m] }) |$v| { $v =~ Data }"),
    "expressions: matched": expression(lambda depth: lists(depth) + b" ? { " + lists(depth) + b" => 1, default => 2 }"),
    "expressions: explained": expression(lists, "--explain"),
    "expressions: patterns": expression(lambda depth: b"'a' =~ /" + b"(" * depth + b"a" + b")" * depth + b"/"),
    "typed keys": bindings(lambda depth: b"bind " + b"Array[" * depth + b"Integer" + b"]" * depth + b", 'r' to 1"),
    "conditions": bindings(lambda depth: b"when " + b"(" * depth + b"true" + b")" * depth + b" { bind 'r' to 1 }"),
    "conditions and": bindings(lambda depth: b"when " + b"a 'b' and " * depth + b"a 'b' { bind 'r' to 1 }"),
    "blocks": bindings(lambda depth: b"when a 'b' { " * depth + b"bind 'r' to 1" + b" }" * depth),
    "aliases of bindings": bindings(lambda depth: b"bind 'r' to name 'r1'\n" + b"".join(b"bind 'r%d' to name 'r%d'\n" % (i, i + 1) for i in range(1, depth)) + b"bind 'r%d' to 1\n" % max(depth, 1)),
    "injections in injections": bindings(lambda depth: b"bind 'r' to inject('r1')\n" + b"".join(b"bind 'r%d' to inject('r%d')\n" % (i, i + 1) for i in range(1, depth)) + b"bind 'r%d' to 1\n" % max(depth, 1)),
    "site.pp": lambda depth: ({"manifests/site.pp": b"site { categories { a => " + lists(depth) + b" } bindings => [] }\n", "facts.yaml": b"{a: b}"}, ["inject", "--facts", "facts.yaml", "r"]),
    "documents": render(lambda depth: document(b"d", b"{a: " + maps(depth) + b"}")),
    "documents merged": render(lambda depth: document(b"p", maps(depth), b", labels: {a: b}"), lambda depth: child(maps(depth, b"2"))),
    "documents explained": lambda depth: (lambda made: (made[0], [*made[1], "--explain"]))(render(lambda depth: document(b"p", maps(depth), b", labels: {a: b}"), lambda depth: child(maps(depth, b"2")))(depth)),
    "substitutions": substituted(lambda depth: b".b"),
    "paths": substituted(lambda depth: b".a" * min(depth, 2000)),
    "paths of lists": substituted(lambda depth: b"." + b"[0]" * min(depth, 2000)),
    "source paths": substituted(lambda depth: b".b", source=lambda depth: b".a" * min(depth, 2000)),
    "filters": substituted(lambda depth: b".b", source=lambda depth: b"$.a[?(" + b"(" * depth + b"@.a" + b")" * depth + b")]"),
    "descents": substituted(lambda depth: b".b", source=lambda depth: b"$" + b"..a" * min(depth, 3)),
    "patterns in data": substituted(lambda depth: b".", b", pattern: x, recurse: {depth: -1}", source=b".a"),
    "schemas": schema(nested(b"{type: object, properties: {a: ", b"}}", b"{type: integer}"), maps),
    "schemas of all": schema(nested(b"{allOf: [", b"]}", b"{}"), lambda depth: b"{}"),
    "schemas that refer to themselves": schema(lambda depth: b"{properties: {a: {$ref: '#'}}}", maps),
    "schemas that refer to each other": schema(lambda depth: b"{$ref: '#/d/a1', d: {" + b", ".join(b"a%d: {$ref: '#/d/a%d'}" % (i, i + 1) for i in range(1, max(2, min(depth, 5000)))) + b"}}", lambda depth: b"{}"),
    "environments": compose(lambda depth: b"parameters: {a: " + maps(depth) + b"}\n", lambda depth: b"parameters: {a: " + maps(depth) + b"}\n"),
    "environments merged": compose(lambda depth: b"parameters: {a: " + maps(depth) + b"}\nparameter_merge_strategies: {a: deep_merge}\n",
                                   lambda depth: b"parameters: {a: " + maps(depth) + b"}\nparameter_merge_strategies: {a: deep_merge}\n"),
    "types of types": compose(lambda depth: b"resource_registry: {" + b", ".join(b"T%d: T%d" % (i, i + 1) for i in range(min(depth, 5000))) + b"}\n"),
    "resources of registries": compose(lambda depth: b"resource_registry: {resources: " + maps(depth) + b"}\n"),
    "bundles": bundle(lambda depth: b"resources: {r: {type: OS::Heat::None, properties: {a: " + maps(depth) + b"}}}\n"),
    "bundles of functions": bundle(lambda depth: b"outputs: {r: {value: " + b"{str_replace: {template: " * depth + b"a" + b", params: {}}}" * depth + b"}}\n"),
}


def write(folder, files):
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def run(binary, folder, arguments, stack):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (stack << 10, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The environment stands on the stack, too. A sanitizer would make an exit status of the signal.
    return subprocess.run([binary, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, preexec_fn=limit,
                          env={"PATH": os.environ["PATH"], "ASAN_OPTIONS": "handle_segv=0"})


def problem_of(done):
    told = done.stderr.decode("utf-8", "replace")
    if done.returncode < 0:
        return f"ended by {signal.Signals(-done.returncode).name}\n{told[:500]}"
    if done.returncode not in (0, 1):
        return f"exit status {done.returncode}\n{told[:500]}"
    if done.returncode == 1 and "error: " not in told:
        return f"fails without a message: {told[:500]!r}"
    return None


def with_limit(arguments, depth):
    words = 2 if arguments[0] == "bindings" else 1
    return [*arguments[:words], "--limit", f"depth={depth}", *arguments[words:]]


def most_of(binary, folder, arguments, stack):
    """The most that `--limit depth=` takes; with what is wrong about the refusal of more."""
    for depth in (1_000_000, 10_000):
        done = run(binary, folder, with_limit(arguments, depth), stack)
        told = done.stderr.decode("utf-8", "replace")
        most = re.search(r"at most depth=(\d+)", told)
        if done.returncode not in (1, 2) or most is None:
            return 0, f"--limit depth={depth} is not refused: exit status {done.returncode}\n{told[:500]}"
    if "ulimit -s" not in told:
        return 0, f"the refusal does not name the way out\n{told[:500]}"
    return int(most[1]), None


def check(binary, name, stack):
    """What is wrong with a case under a stack of so many KiB; nothing where all is right."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, CASES[name](10)[0])
        most, problem = most_of(binary, folder, CASES[name](10)[1], stack)
    if problem is not None:
        return problem
    for depth, limit in ((50, None), (300, None), (990, None), (20_000, None), (most // 2, most), (most - 3, most), (20_000, most)):
        with tempfile.TemporaryDirectory() as folder:
            files, arguments = CASES[name](depth)
            write(folder, files)
            problem = problem_of(run(binary, folder, arguments if limit is None else with_limit(arguments, limit), stack))
        if problem is not None:
            return f"{depth} levels, limit {limit}: {problem}"
    return None


def measure(binary, names):
    for name in names or CASES:
        shown = []
        for depth in (300, 980):
            with tempfile.TemporaryDirectory() as folder:
                files, arguments = CASES[name](depth)
                write(folder, files)
                arguments = [arguments[0], "--limit", f"depth={max(1000, depth + 100)}", *arguments[1:]]
                low, high = 60, 65536
                done = run(binary, folder, arguments, high)
                if done.returncode < 0:
                    shown.append(f"{depth}: more than {high}")
                    continue
                while high - low > max(8, low // 8):
                    middle = (low + high) // 2
                    if run(binary, folder, arguments, middle).returncode < 0:
                        low = middle
                    else:
                        high = middle
                shown.append(f"{depth}: {high} ({done.returncode})")
        print(f"{name}: {', '.join(shown)}", flush=True)


def main(binary, words):
    if words[:1] == ["--measure"]:
        measure(binary, words[1:])
        return 0
    if is_sanitized(binary):
        print("the program is built with a sanitizer, whose frames do not fit into so small stacks")
        return 0
    return run_cases((f"{name}, {stack} KiB", check(binary, name, stack)) for stack in STACKS for name in words or CASES)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
