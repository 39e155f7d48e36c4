#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Small inputs that ask for much work or memory, through the real program.

usage: budget_test.py STRATA [CASE...]

Every case has less than 1 MB of input. With the budget that strata has, it must end within 10 seconds of processor time and 1 GiB of memory, with exit
status 0 or 1; where it fails, the message names a limit. Here the budget of processor time is smaller, so that cases that use it up take no longer than they
must. Programs that are built with a sanitizer have a much larger budget, as they take more of both: they are passed over.
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
BUDGET = 1  # Seconds, in place of 8.
BYTE = 2e-6  # Seconds that each byte of input adds.
SECONDS = BUDGET + 2  # As with a budget of 8 seconds, what follows its end takes two more.
CODES = r"\[(limit\.[a-z-]+|hiera\.glob|git\.revision|workspace\.large)\]"
ATTEMPTS = 3  # Where other work has the caches and the memory's bandwidth, the same work takes longer: the best of these counts.
MEMORY = 1 << 30


def expression(text):
    return {"bindings/default.pp": b"bindings default {\n  bind 'r' to (" + text + b")\n}\n", "facts.yaml": b"{a: b}\n"}, ["inject", "--facts", "facts.yaml", "r"]


def site(data, *arguments, name="common.yaml", entry=b""):
    production = "code/environments/production/"
    hierarchy = b"version: 5\nhierarchy:\n  - name: common\n    path: " + name.encode() + b"\n" + entry
    return {production + "hiera.yaml": hierarchy, production + "data/" + name: data, "facts.yaml": b"{a: b}\n"}, ["lookup", "--codedir", "code", "--facts", "facts.yaml", *arguments]


def hierarchy(entry, facts, *arguments, data=b"k: 1\n"):
    """A lookup of `k` in a hierarchy of one entry, or some."""
    files, words = site(data, *arguments, "k")
    files["code/environments/production/hiera.yaml"] = b"version: 5\nhierarchy:\n" + entry
    files["facts.yaml"] = facts
    return files, words


def level(location, name=b"l"):
    return b"  - {name: " + name + b", " + location + b"}\n"


def inventory(parameters, *arguments):
    return {"nodes/n.yml": b"parameters:\n" + parameters, "classes/a.yml": b"{}\n"}, ["inventory", "n", *arguments]


def aliases(size, *counts):
    """A string of `size` bytes in a list, which is in a list, …: so often each."""
    lines = [b"a0: &a0 " + b"x" * size + b"\n"]
    for i, count in enumerate(counts, 1):
        lines.append(b"a%d: &a%d [" % (i, i) + b",".join([b"*a%d" % (i - 1)] * count) + b"]\n")
    return b"".join(lines)


def doubled(line, count):
    """Lines that each name the one before twice."""
    return b"".join(line.replace(b"%n", b"%d" % i).replace(b"%m", b"%d" % (i - 1)) for i in range(1, count))


def git(folder, *words, data=None):
    environment = {**os.environ, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=n", "-c", "user.email=n@example.org", *words]
    return subprocess.run(command, cwd=folder, input=data, capture_output=True, check=True, env=environment).stdout.strip()


def repository(folder):
    git(folder, "init", "-q", "-b", "main", ".")


def shared_folders(folder):
    """A revision with a tree of 2^40 folders, of which git stores 40."""
    repository(folder)
    blob = git(folder, "hash-object", "-w", "--stdin", data=b"k: 1\n")
    tree = git(folder, "mktree", data=b"100644 blob " + blob + b"\tf.yaml\n")
    for _ in range(40):
        tree = git(folder, "mktree", data=b"".join(b"040000 tree " + tree + b"\t" + name + b"\n" for name in (b"a", b"b")))
    hiera = git(folder, "hash-object", "-w", "--stdin", data=b"version: 5\nhierarchy: [{name: l, glob: '**/*.yaml'}]\n")
    root = git(folder, "mktree", data=b"100644 blob " + hiera + b"\thiera.yaml\n040000 tree " + tree + b"\tdata\n")
    git(folder, "update-ref", "refs/heads/main", git(folder, "commit-tree", "-m", "x", root.decode()).decode())


def stars(folder):
    """Folders that a pattern of .gitignore nearly matches."""
    repository(folder)
    for i in range(5):
        os.makedirs(os.path.join(folder, "a" * 200 + str(i)))


def endless(folder):
    path = os.path.join(folder, "code/environments/production/data")
    os.makedirs(path)
    os.symlink("/dev/zero", os.path.join(path, "zero.yaml"))


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


def zipped(head, repeated, count, *arguments, tail=b""):
    """`repeated` so often, packed in pieces of the same bytes: packing all of it would take longer than the program."""
    together = min(count, (1 << 22) // len(repeated))
    packed = gzip.compress(head, mtime=0) + gzip.compress(repeated * together, mtime=0) * (count // together) + gzip.compress(tail, mtime=0)
    assert len(packed) < 1_000_000
    return merge(packed, *arguments)


def chain(line, count):
    return b"".join(line % ((i,) + (i - 1,) * (line.count(b"%d") - 1)) for i in range(count, 0, -1)) + b"k0: xxxxxxxx\n"


def nested_type(text):
    return expression(b"Integer[0,100000].reduce(Integer) |$m, $x| { " + text + b" }")


def doubled_type(text):
    return expression(b"with(Integer[0,60].reduce(Integer) |$m, $x| { Variant[Array[$m],Tuple[$m]] }) |$a| { " + text + b" }")


TEMPLATE = b"## template: jinja\n#cloud-config\n"
CASES = {
    "a type that doubles, normalised": lambda: doubled_type(b"1"),
    "a type that doubles, compared": lambda: doubled_type(b"$a < $a"),
    "a type that doubles, printed": lambda: doubled_type(b'"${a}"'),
    "hashes of types that double": lambda: expression(b"Integer[0,60].reduce(Integer) |$m, $x| { Hash[$m,$m] } =~ Type"),
    "types 100,000 deep": lambda: nested_type(b"Array[$m]"),
    "types of types": lambda: nested_type(b"Type[$m]"),
    "optional types": lambda: nested_type(b"Optional[Array[$m]]"),
    "structs of structs": lambda: nested_type(b"Struct[{a=>$m}]"),
    "the type of a value that doubles": lambda: expression(b"type(Integer[0,24].reduce([1]) |$m, $x| { [$m,$m] }) =~ Type"),
    "the reduced type of a value that doubles": lambda: expression(b"type(Integer[0,24].reduce([1]) |$m, $x| { [$m,$m] }, 'reduced') =~ Type"),
    "a text that doubles": lambda: expression(b'Integer[0,60].reduce("xxxxxxxx") |$m, $x| { "${m}${m}" }'),
    "a list that doubles": lambda: expression(b"Integer[0,60].reduce([1]) |$m, $x| { [$m,$m] }"),
    "interpolation that doubles": lambda: site(chain(b"k%d: \"%%{lookup('k%d')}%%{lookup('k%d')}\"\n", 60), "k60"),
    "aliases that double": lambda: site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60), "k60"),
    "aliases that double, explained": lambda: site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60), "--explain", "k60"),
    "aliases that double, as text": lambda: site(chain(b"k%d: [\"%%{alias('k%d')}\", \"%%{alias('k%d')}\"]\n", 60) + b"t: \"%{lookup('k20')}\"\n", "t"),
    "HOCON that doubles": lambda: hocon(b"a: x\n" + b"a: ${a}${a}\n" * 60, "a"),
    "HOCON that grows": lambda: hocon(b"a: x\n" + b"a: ${a} xxxxxxxxxxxxxxxxxxxx\n" * 30000, "a"),
    "a long row of HOCON": lambda: hocon(b"a = 1\nb = " + b"${a} " * 190000 + b"\n", "b"),
    "a long row of lists of HOCON": lambda: hocon(b"a = [1]\nb = " + b"${a} " * 190000 + b"\n", "b"),
    "a destination far down a list": lambda: render(document(b"s", b"{v: 1}"), document(b"t", b"{}", [substitution(b"s", b".v", b".c[99499].d")])),
    "destinations far down lists": lambda: render(document(b"s", b"{v: 1}"), document(b"t", b"{}", [substitution(b"s", b".v", b".c%d[99499].d" % i) for i in range(1000)])),
    "a pattern that grows": lambda: render(document(b"s", b"'" + b"X" * 1000 + b"'"), document(b"t", b"{v: '" + b"X" * 10000 + b"'}", [substitution(b"s", b".", b".v", b", pattern: X")] * 4)),
    "a pattern that matches nothing everywhere": lambda: render(document(b"s", b"'" + b"X" * 100000 + b"'"), document(b"t", b"{v: '" + b"X" * 100000 + b"'}", [substitution(b"s", b".", b".v", b", pattern: ''")])),
    "documents that double": lambda: render(document(b"s0", b"{a: 1}"), *[document(b"s%d" % i, b"{}", [substitution(b"s%d" % (i - 1), b".", b".a"), substitution(b"s%d" % (i - 1), b".", b".b")]) for i in range(1, 60)]),
    "a chain of parents, explained": lambda: (parents(4000), ["render", "--explain", "site.yaml"]),
    "a chain of parents, explained for programs": lambda: (parents(4000), ["render", "--explain", "--output", "json", "site.yaml"]),
    "lists of a chain of parents": lambda: (parents(4000), ["render", "--lists", "site.yaml"]),
    "many contributions, explained": lambda: contributed(40_000, "--explain"),
    "many contributions, explained for programs": lambda: contributed(40_000, "--explain", "--output", "json"),
    "the list of many contributions": lambda: contributed(40_000, "--lists"),
    "1,000 templates at their limit": lambda: archive(1000, TEMPLATE + b"{% for a in range(99999) %}{% for b in range(90) %}{% endfor %}{% endfor %}\n"),
    "1,000 templates of long strings": lambda: archive(1000, TEMPLATE + b"a: {{ 'x' * 9999999 }}\n"),
    "a template of many long strings": lambda: merge(TEMPLATE + b"a: {% for i in range(1000) %}{{ 'x' * 9999999 }}{% endfor %}\n", "--instance-data", "empty.json"),
    "a million parts": lambda: zipped(MESSAGE, b"--b\n\n#cloud-config\na: 1\n", 1_000_000, tail=b"--b--\n"),
    "a million parts that nothing handles": lambda: zipped(MESSAGE, b"--b\n\nx\n", 1_000_000, tail=b"--b--\n"),
    "many headers": lambda: zipped(b"MIME-Version: 1.0\nContent-Type: text/cloud-config\n", b"X-A: b\n", 20_000_000, tail=b"\na: 1\n"),
    "many include lines": lambda: zipped(b"#include\n", b"# x\n", 20_000_000),
    "many empty include lines": lambda: zipped(b"#include\n", b"\n", 100_000_000),
    "a list of many": lambda: zipped(HEAD + b"a:\n", b"- 1\n", 20_000_000),
    "a flow list of many lists": lambda: zipped(HEAD + b"a: [", b"[],", 100_000_000, tail=b"]"),
    "an archive of many": lambda: zipped(b"#cloud-config-archive\n", b"- a\n", 10_000_000),
    "much of nothing": lambda: zipped(b"", b"\0", 900_000_000),
    "a long text": lambda: zipped(HEAD + b"a: ", b"x", 900_000_000),
    "characters as items, each with its place": lambda: zipped(MESSAGE + b"--b\n\n#cloud-config\nl: []\n--b\nMerge-Type: list(append)+dict(recurse_list,recurse_str)+str(append)\n\n#cloud-config\nl: ", b"x", 6_000_000, "--blame", "--output", "json", tail=b"\n--b--\n"),
    "a list of nothing": lambda: zipped(HEAD + b"a:\n", b"- \n", 100_000_000),
    "a flow list of empty strings": lambda: zipped(HEAD + b"a: [", b"'',", 60_000_000, tail=b"]\n"),
    "a mapping of one key": lambda: zipped(HEAD, b"a: 1\n", 60_000_000),
    "a flow mapping of nothing": lambda: zipped(HEAD + b"a: {", b"? ,", 50_000_000, tail=b"}\n"),
    "anchors in a line": lambda: merge(HEAD + b"l: [" + b",".join(b"&a%d x" % i for i in range(60_000)) + b"]\n"),
    "tags in a line": lambda: merge(HEAD + b"l: [" + b",".join([b"!!str x"] * 100_000) + b"]\n"),
    "keys with anchors in a line": lambda: site(b"l: {" + b",".join(b"&a%d k%d: 1" % (i, i) for i in range(40_000)) + b"}\n", "l"),
    "long strings by aliases": lambda: site(aliases(20_000, 1000, 100), "a2"),
    "long strings by aliases, as blame": lambda: merge(HEAD + aliases(20_000, 1000, 100), "--blame"),
    "long strings by aliases, as blame for programs": lambda: merge(HEAD + aliases(20_000, 1000, 100), "--blame", "--output", "json"),
    "long strings by aliases of a key, as blame": lambda: site(aliases(20_000, 1000, 100), "--blame", "a2"),
    "nodes by aliases, as blame for programs": lambda: merge(HEAD + aliases(1, 10, 10, 10, 10, 10, 10), "--blame", "--output", "json"),
    "a path of long variables": lambda: hierarchy(level(b"path: '" + b"%{a}" * 1000 + b"'"), b"a: " + b"x" * 500_000 + b"\n"),
    "paths of a long variable": lambda: hierarchy(level(b"paths: [" + b",".join(b"'%%{a}%d'" % i for i in range(5000)) + b"]"), b"a: " + b"x" * 500_000 + b"\n"),
    "a folder of long variables": lambda: hierarchy(level(b"path: c.yaml, datadir: '" + b"%{a}" * 1000 + b"'"), b"a: " + b"x" * 500_000 + b"\n"),
    "a path of variables that double": lambda: hierarchy(level(b"path: '%{a59}'"), b"a0: xxxxxxxx\n" + doubled(b"a%n: '%{a%m}%{a%m}'\n", 60)),
    "levels of mapped paths": lambda: hierarchy(b"".join(level(b"mapped_paths: [a, x, 'p%d/%%{x}']" % i, b"l%d" % i) for i in range(100)),
                                               b"a: [" + b",".join(b"i%d" % i for i in range(10_000)) + b"]\n"),
    "references that double a string": lambda: inventory(b"  k0: xxxxxxxx\n" + doubled(b"  k%n: '${k%m}${k%m}'\n", 60)),
    "references that double a printed mapping": lambda: inventory(b"  k0: {x: 1}\n" + doubled(b"  k%n: {a: '${k%m}', b: 'x${k%m}'}\n", 60)),
    "folders that git stores once": lambda: ({"facts.yaml": b"{a: b}\n"}, ["lookup", "--at", "main", "--hiera-config", "hiera.yaml", "--facts", "facts.yaml", "k"], shared_folders),
    "stars of .gitignore": lambda: ({".gitignore": b"a*" * 13 + b"b\n"}, ["projects"], stars),
    "a file that is endless": lambda: (*hierarchy(level(b"path: zero.yaml"), b"{a: b}\n"), endless),
    "keys that are large numbers": lambda: merge(HEAD + b"".join(b"%d: 1\n" % (10**19 + i) for i in range(40_000))),
    "keys that are not numbers": lambda: merge(HEAD + b"? .nan\n: 1\n" * 80_000),
}


def run(binary, case, folder):
    """Why the case fails, or nothing."""
    files, arguments, *made = case
    for make in made:
        make(folder)
    size = 0
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        size += len(data)
    if size > 1_000_000:
        return f"its input has {size} bytes"
    with open(os.path.join(folder, ".errors"), "wb") as errors:
        begun = subprocess.Popen([binary, *arguments, "--limit", f"processor-seconds={BUDGET}"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 31)))
        _, status, used = os.wait4(begun.pid, 0)
        begun.returncode = os.waitstatus_to_exitcode(status)
    with open(os.path.join(folder, ".errors"), encoding="utf-8", errors="replace") as errors:
        told = errors.read()
    if begun.returncode < 0:
        return f"ended by {signal.Signals(-begun.returncode).name}\n{told[:1000]}"
    if begun.returncode not in (0, 1):
        return f"exit status {begun.returncode}\n{told[:1000]}"
    if begun.returncode == 1 and not re.search(CODES, told):
        return f"names no limit\n{told[:1000]}"
    if used.ru_utime + used.ru_stime > SECONDS + size * BYTE:
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
                problem = run(binary, CASES[name](), folder)
            if problem is None or not problem.startswith("takes") or "processor time" not in problem:
                break
        return problem
    return run_cases((name, problem_of(name)) for name in names or CASES)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
