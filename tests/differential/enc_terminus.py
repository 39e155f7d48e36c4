#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata enc` as Puppet's external node classifier, on random sites.

usage: enc_terminus.py STRATA [--seed N] [--count N]

Needs Puppet 7; enc_terminus.rb asks it in one process, with `node_terminus = exec` and the program as `external_nodes`. A case is a node of a site
whose bindings are random. What Puppet makes of its classes, parameters and environment must be what `strata inject` says of them.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = ["yes", "no", "on", "null", "~", "", " ", "true", "1", "0x1F", "017", "1_000", "1.5", "1e3", ".inf", "-", "- a", "a: b", "a #b", "#", ":symbol", "!tag", "&a",
         "*a", "<<", "=", "2001-01-01", "2001-01-01 10:00:00 Z", "12:30:45", "caf\u00e9", "\u65e5\u672c", "two\nlines", "ends\n", "\n", "tab\there", "it's", '"q"', "%{x}", "back\\slash",
         "[a]", "{a}", "|", ">", "---", "...", "a" * 200, "x y  z", "@at", "`b`", "? k", "e\u0301", "\u2028", "N", "Y"]


def text(random_):
    return random_.choice(TEXTS) if random_.random() < 0.7 else "".join(random_.choice("ab :-#'\"\n\\{}[]!*&%@,0") for _ in range(random_.randrange(8)))


def value(random_, depth=0):
    kind = random_.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return text(random_)
    if kind == 3:
        return random_.choice([0, 1, -5, 2**40, 9223372036854775807, -9223372036854775808])
    if kind == 4:
        return random_.choice([0.5, 1.0, -2.25, 1e20, 1e-7])
    if kind == 5:
        return random_.random() < 0.5
    if kind < 8:
        return [value(random_, depth + 1) for _ in range(random_.randrange(4))]
    return {text(random_) or "k": value(random_, depth + 1) for _ in range(random_.randrange(4))}


def quoted(word):
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def literal(item):
    if item is True or item is False:
        return "true" if item else "false"
    if isinstance(item, str):
        return quoted(item)
    if isinstance(item, float):
        return "(%s)" % repr(item).replace("e+", "e")
    if isinstance(item, int):
        return "(-9223372036854775807 - 1)" if item == -2**63 else "(%d)" % item
    if isinstance(item, list):
        return "[" + ", ".join(map(literal, item)) + "]"
    return "{" + ", ".join("%s => %s" % (quoted(key), literal(member)) for key, member in item.items()) + "}"


def statements(random_):
    out = []
    for name in random_.sample(["ntp", "web::server", "a", "b::c::d", "base"], random_.randrange(5)):
        out.append("include %s" % name)
        if random_.random() < 0.6:
            out.append("bind parameters %s to { %s }" % (name, ", ".join("%s => %s" % (key, literal(value(random_)))
                                                                         for key in random_.sample("pqrs", random_.randrange(1, 4)))))
    for name in random_.sample(["role", "v", "some_thing", "x"], random_.randrange(4)):
        out.append("bind variables to { %s => %s }" % (name, literal(value(random_))))
    return out


def site(random_, root, nodes):
    document = ["bindings default {"]
    for node in nodes:
        document.append("  when node '%s' {" % node)
        document.extend("    " + line for line in statements(random_))
        document.append("  }")
    document.append("}")
    files = {"bindings/default.pp": "\n".join(document) + "\n", "strata.yaml": "facts_dir: facts\n",
             "environments.pp": "site { environment { ['production', 'test', 'odd_one']: envdir => '$confdir' } }\n$environment = $facts['stage']\n"}
    for node in nodes:
        files["facts/%s.yaml" % node] = "fqdn: %s\nstage: %s\n" % (node, random_.choice(["production", "test", "odd_one"]))
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def ask(program, root, node, *arguments):
    done = subprocess.run([program, "inject", "--confdir", str(root), "--facts", str(root / "facts" / (node + ".yaml")), *arguments], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def expected(program, root, node):
    classes = ask(program, root, node, "--classes")
    facts = (root / "facts" / (node + ".yaml")).read_text(encoding="utf-8")
    return {"name": node, "environment": facts.split("stage: ")[1].strip(), "parameters": ask(program, root, node, "--variables"),
            "classes": {name: ask(program, root, node, "--parameters", "class " + name) for name in classes}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    random_ = random.Random(options.seed)
    nodes = ["node%d.example.com" % number for number in range(options.count)]
    with tempfile.TemporaryDirectory(prefix="strata-enc-") as folder:
        root = pathlib.Path(folder, "site")
        site(random_, root, nodes)
        done = subprocess.run(["ruby", "-W0", os.path.join(HERE, "enc_terminus.rb"), "%s enc --confdir %s" % (program, root), folder], input="\n".join(nodes) + "\n",
                              capture_output=True, text=True, check=False, env={**os.environ, "ENVIRONMENTS": "production,test,odd_one"})
        answers = [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
        if len(answers) != len(nodes):
            print("Puppet answered %d of %d nodes\n%s" % (len(answers), len(nodes), done.stderr[-2000:]))
            return 1
        failed = 0
        for answer in answers:
            want = expected(program, root, answer["name"])
            if answer != want:
                failed += 1
                print("%s differs (seed %d)\n  strata %s\n  puppet %s" % (answer["name"], options.seed, json.dumps(want)[:1500], json.dumps(answer)[:1500]))
    print("%d nodes, %d differ" % (len(nodes), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
