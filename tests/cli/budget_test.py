#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Small inputs that ask for much work or memory, through the real program.

usage: budget_test.py STRATA [CASE...]

Every case has less than 1 MB of input, and must end within 10 seconds of processor time and 1 GiB of memory with exit status 0 or 1. Where it fails, the
message names a limit. Programs that are built with a sanitizer have a much larger budget, as they take more of both: they are passed over.
"""
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

from case_runner import is_sanitized, run_cases

HEAD = b"#cloud-config\n"
MESSAGE = b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
POLICY = b"schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"
SECONDS = 10
ATTEMPTS = 3  # Where other work has the caches and the memory's bandwidth, the same work takes longer: the best of these counts.
MEMORY = 1 << 30


def expression(text):
    return {"bindings/default.pp": b"bindings default {\n  bind 'r' to (" + text + b")\n}\n", "facts.yaml": b"{a: b}\n"}, ["inject", "--facts", "facts.yaml", "r"]


def site(data, *arguments, name="common.yaml", entry=b""):
    production = "code/environments/production/"
    hierarchy = b"version: 5\nhierarchy:\n  - name: common\n    path: " + name.encode() + b"\n" + entry
    return {production + "hiera.yaml": hierarchy, production + "data/" + name: data, "facts.yaml": b"{a: b}\n"}, ["lookup", "--codedir", "code", "--facts", "facts.yaml", *arguments]


def hocon(data, key):
    return site(data, key, name="common.conf", entry=b"    data_hash: hocon_data\n")


def document(name, data, substitutions=()):
    rule = b", substitutions: [" + b", ".join(substitutions) + b"]" if substitutions else b""
    return (b"---\nschema: x/Y/v1\nmetadata: {schema: metadata/Document/v1, name: " + name + b", layeringDefinition: {abstract: false, layer: site}" + rule + b"}\ndata: " + data + b"\n")


def substitution(source, source_path, path, pattern=b""):
    return b"{src: {schema: x/Y/v1, name: " + source + b", path: " + source_path + b"}, dest: {path: '" + path + b"'" + pattern + b"}}"


def render(*documents):
    return {"site.yaml": POLICY + b"".join(documents)}, ["render", "site.yaml"]


def parents(count):
    """Documents of which each replaces what all before it have said: their histories have count²/2 lines."""
    layers = b", ".join(b"l%d" % i for i in range(count))
    texts = [b"schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [" + layers + b"]}\n"]
    for i in range(count):
        parent = b", parentSelector: {n: x%d}, actions: [{method: merge, path: .}]" % (i - 1) if i > 0 else b""
        texts.append(b"---\nschema: x/Y/v1\nmetadata: {schema: metadata/Document/v1, name: d%d, labels: {n: x%d}, layeringDefinition: {layer: l%d%s}}\ndata: {a: %d}\n" % (i, i, i, parent, i))
    return {"site.yaml": b"".join(texts)}


def contributed(count, *arguments):
    lines = b"".join(b"  bind to %d in 'l'\n" % i for i in range(count))
    return {"bindings/default.pp": b"bindings default {\n  multibind Array, 'l'\n" + lines + b"}\n", "facts.yaml": b"{a: b}\n"}, ["inject", "--facts", "facts.yaml", *arguments, "l"]


def merge(data, *arguments):
    return {"user": data, "empty.json": b"{}"}, ["merge", *arguments, "user"]


def archive(count, template):
    entry = b"- type: text/jinja2\n  content: |\n" + b"".join(b"    " + line + b"\n" for line in template.splitlines())
    return merge(b"#cloud-config-archive\n" + entry * count, "--instance-data", "empty.json")


def zipped(data, *arguments):
    packed = gzip.compress(data, mtime=0)
    assert len(packed) < 1_000_000
    return merge(packed, *arguments)


def chain(line, count):
    return b"".join(line % ((i,) + (i - 1,) * (line.count(b"%d") - 1)) for i in range(count, 0, -1)) + b"k0: xxxxxxxx\n"


def colliding_keys(count):
    """Keys whose hashes are equal under the hash that strata had before hashes were seeded."""
    factor, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    keys = []
    first = 0x3030303030303030
    start = 0xCBF29CE484222325 ^ 16
    target = 0x4141414141414141
    while len(keys) < count:
        first += 1
        hashed = ((start ^ first) * factor) & mask
        hashed ^= hashed >> 29
        second = hashed ^ target
        raw = first.to_bytes(8, "little") + second.to_bytes(8, "little")
        if all(0x21 <= byte < 0x7F and byte not in b"\"\\'" for byte in raw):
            keys.append(raw)
        elif first > 0x3030303030303030 + 4_000_000:
            # Not all are printable: escapes stand for the other bytes, two characters of JSON each.
            break
    return keys


def nested_type(text):
    return expression(b"Integer[0,100000].reduce(Integer) |$m, $x| { " + text + b" }")


def doubled_type(text):
    return expression(b"with(Integer[0,60].reduce(Integer) |$m, $x| { Variant[Array[$m],Tuple[$m]] }) |$a| { " + text + b" }")


TEMPLATE = b"## template: jinja\n#cloud-config\n"
CASES = {
    "a type that doubles, normalised": doubled_type(b"1"),
    "a type that doubles, compared": doubled_type(b"$a < $a"),
    "a type that doubles, printed": doubled_type(b'"${a}"'),
    "hashes of types that double": expression(b"Integer[0,60].reduce(Integer) |$m, $x| { Hash[$m,$m] } =~ Type"),
    "types 100,000 deep": nested_type(b"Array[$m]"),
    "types of types": nested_type(b"Type[$m]"),
    "optional types": nested_type(b"Optional[Array[$m]]"),
    "structs of structs": nested_type(b"Struct[{a=>$m}]"),
    "the type of a value that doubles": expression(b"type(Integer[0,24].reduce([1]) |$m, $x| { [$m,$m] }) =~ Type"),
    "the reduced type of a value that doubles": expression(b"type(Integer[0,24].reduce([1]) |$m, $x| { [$m,$m] }, 'reduced') =~ Type"),
    "a text that doubles": expression(b'Integer[0,60].reduce("xxxxxxxx") |$m, $x| { "${m}${m}" }'),
    "a list that doubles": expression(b"Integer[0,60].reduce([1]) |$m, $x| { [$m,$m] }"),
    "interpolation that doubles": site(chain(b"k%d: \"%%{lookup('k%d')}%%{lookup('k%d')}\"\n", 60), "k60"),
    "aliases that double": site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60), "k60"),
    "aliases that double, explained": site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60), "--explain", "k60"),
    "aliases that double, as text": site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60) + b"t: \"%{lookup('k20')}\"\n", "t"),
    "HOCON that doubles": hocon(b"a: x\n" + b"a: ${a}${a}\n" * 60, "a"),
    "HOCON that grows": hocon(b"a: x\n" + b"a: ${a} xxxxxxxxxxxxxxxxxxxx\n" * 30000, "a"),
    "a long row of HOCON": hocon(b"a = 1\nb = " + b"${a} " * 190000 + b"\n", "b"),
    "a long row of lists of HOCON": hocon(b"a = [1]\nb = " + b"${a} " * 190000 + b"\n", "b"),
    "a destination far down a list": render(document(b"s", b"{v: 1}"), document(b"t", b"{}", [substitution(b"s", b".v", b".c[99499].d")])),
    "destinations far down lists": render(document(b"s", b"{v: 1}"), document(b"t", b"{}", [substitution(b"s", b".v", b".c%d[99499].d" % i) for i in range(1000)])),
    "a pattern that grows": render(document(b"s", b"'" + b"X" * 1000 + b"'"), document(b"t", b"{v: '" + b"X" * 10000 + b"'}", [substitution(b"s", b".", b".v", b", pattern: X")] * 4)),
    "a pattern that matches nothing everywhere": render(document(b"s", b"'" + b"X" * 100000 + b"'"), document(b"t", b"{v: '" + b"X" * 100000 + b"'}", [substitution(b"s", b".", b".v", b", pattern: ''")])),
    "documents that double": render(document(b"s0", b"{a: 1}"), *[document(b"s%d" % i, b"{}", [substitution(b"s%d" % (i - 1), b".", b".a"), substitution(b"s%d" % (i - 1), b".", b".b")]) for i in range(1, 60)]),
    "a chain of parents, explained": (parents(4000), ["render", "--explain", "site.yaml"]),
    "a chain of parents, explained for programs": (parents(4000), ["render", "--explain", "--output", "json", "site.yaml"]),
    "lists of a chain of parents": (parents(4000), ["render", "--lists", "site.yaml"]),
    "many contributions, explained": contributed(40_000, "--explain"),
    "many contributions, explained for programs": contributed(40_000, "--explain", "--output", "json"),
    "the list of many contributions": contributed(40_000, "--lists"),
    "1,000 templates at their limit": archive(1000, TEMPLATE + b"{% for a in range(99999) %}{% for b in range(90) %}{% endfor %}{% endfor %}\n"),
    "1,000 templates of long texts": archive(1000, TEMPLATE + b"a: {{ 'x' * 9999999 }}\n"),
    "a template of many long texts": merge(TEMPLATE + b"a: {% for i in range(1000) %}{{ 'x' * 9999999 }}{% endfor %}\n", "--instance-data", "empty.json"),
    "a million parts": zipped(MESSAGE + b"--b\n\n#cloud-config\na: 1\n" * 1_000_000 + b"--b--\n"),
    "a million parts that nothing handles": zipped(MESSAGE + b"--b\n\nx\n" * 1_000_000 + b"--b--\n"),
    "many headers": zipped(b"MIME-Version: 1.0\nContent-Type: text/cloud-config\n" + b"X-A: b\n" * 20_000_000 + b"\na: 1\n"),
    "many include lines": zipped(b"#include\n" + b"# x\n" * 20_000_000),
    "many empty include lines": zipped(b"#include\n" + b"\n" * 100_000_000),
    "a list of many": zipped(HEAD + b"a:\n" + b"- 1\n" * 20_000_000),
    "a flow list of many lists": zipped(HEAD + b"a: [" + b"[]," * 100_000_000 + b"]"),
    "an archive of many": zipped(b"#cloud-config-archive\n" + b"- a\n" * 10_000_000),
    "much of nothing": zipped(b"\0" * 900_000_000),
    "a long text": zipped(HEAD + b"a: " + b"x" * 900_000_000),
    "characters as items, each with its place": zipped(MESSAGE + b"--b\n\n#cloud-config\nl: []\n--b\nMerge-Type: list(append)+dict(recurse_list,recurse_str)+str(append)\n\n#cloud-config\nl: "
                                                       + b"x" * 6_000_000 + b"\n--b--\n", "--blame", "--output", "json"),
    "keys that collided": merge(HEAD + b"{" + b", ".join(b'"' + key + b'": 1' for key in colliding_keys(40_000)) + b"}\n"),
    "keys that are large numbers": merge(HEAD + b"".join(b"%d: 1\n" % (10**19 + i) for i in range(40_000))),
    "keys that are no numbers": merge(HEAD + b"? .nan\n: 1\n" * 80_000),
}


def run(binary, case, folder):
    """Why the case fails, or nothing."""
    files, arguments = case
    size = 0
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        size += len(data)
    if size > 1_000_000:
        return f"its input has {size} bytes"
    with open(os.path.join(folder, ".errors"), "wb") as errors:
        begun = subprocess.Popen([binary, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (300, 301)))
        _, status, used = os.wait4(begun.pid, 0)
        begun.returncode = os.waitstatus_to_exitcode(status)
    with open(os.path.join(folder, ".errors"), encoding="utf-8", errors="replace") as errors:
        told = errors.read()
    if begun.returncode < 0:
        return f"ended by {signal.Signals(-begun.returncode).name}\n{told[:1000]}"
    if begun.returncode not in (0, 1):
        return f"exit status {begun.returncode}\n{told[:1000]}"
    if begun.returncode == 1 and not re.search(r"\[limit\.[a-z-]+\]", told):
        return f"names no limit\n{told[:1000]}"
    if used.ru_utime + used.ru_stime > SECONDS:
        return f"takes {used.ru_utime + used.ru_stime:.1f} s of processor time\n{told[-1000:]}"
    if used.ru_maxrss * 1024 > MEMORY:
        return f"takes {used.ru_maxrss // 1024} MiB\n{told[-1000:]}"
    return None


def main(binary, names):
    if is_sanitized(binary):
        print("the program is built with a sanitizer: its budget is another one")
        return 0

    def problem_of(name):
        for _ in range(ATTEMPTS):
            with tempfile.TemporaryDirectory() as folder:
                problem = run(binary, CASES[name], folder)
            if problem is None or not problem.startswith("takes") or "processor time" not in problem:
                break
        return problem
    return run_cases((name, problem_of(name)) for name in names or CASES)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
