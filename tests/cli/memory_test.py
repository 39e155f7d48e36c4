#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every command with too little memory.

usage: memory_test.py STRATA [--steps NUMBER] [CASE...]

Each case runs in an address space (`ulimit -v`) of sizes between the smallest in which the program starts at all, and the smallest in which it succeeds. Each
run gives the right answer, or ends with exit status 1, a message and no output. --steps: so many sizes for each case (default 12); the more, the longer.
Programs that are built with a sanitizer reserve terabytes of address space: they are passed over.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

from case_runner import is_sanitized, run_cases

SITE = "code/environments/production/"
POLICY = "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [global, site]}\n"
MOST = 4 << 20  # KiB: enough for every case.


def cloud_config(size):
    return {"one": "#cloud-config\n" + "".join(f"k{i}: {{a: [1, 2, 'text {i}'], b: {i}}}\n" for i in range(size)),
            "two": "#cloud-config\nmerge_how: dict(recurse_dict,recurse_list)+list(append)\n" + "".join(f"k{i}: {{a: [3], c: x}}\n" for i in range(size))}


def template(size):
    return {"user": "## template: jinja\n#cloud-config\na:\n{% for i in range(" + str(size) + ") %} - {{ 'x' * i }}{{ v1.b | upper }}\n{% endfor %}\n", "data.json": '{"v1": {"b": "c"}}'}


def hiera(size):
    return {SITE + "hiera.yaml": "version: 5\nhierarchy:\n  - {name: a, path: a.yaml}\n  - {name: b, path: b.json, data_hash: json_data}\n  - {name: c, path: c.conf, data_hash: hocon_data}\n",
            SITE + "data/a.yaml": "lookup_options: {k: {merge: deep}}\nk: {" + ", ".join(f"a{i}: \"%{{facts.role}} {i}\"" for i in range(size)) + "}\n",
            SITE + "data/b.json": json.dumps({"k": {f"b{i}": [i] for i in range(size)}}),
            SITE + "data/c.conf": "k: {" + ", ".join(f"c{i}: [${{x}}]" for i in range(size)) + "}\nx: 1\n",
            "facts.yaml": "{role: web}\n", "nodes.json": json.dumps([{"name": f"n{i}", "facts": {"role": f"r{i}"}} for i in range(20)])}


def lua(size):
    return {SITE + "hiera.yaml": "version: 5\nhierarchy:\n  - {name: a, lookup_key: 'lua::f'}\n",
            SITE + "lib/strata/f.lua": "return function(key, options, context) if key ~= 'k' then context.not_found() end local t = {} for i = 1, " + str(size)
            + " do t[i] = ('x'):rep(100) .. i end return t end\n", "facts.yaml": "{role: web}\n"}


def deckhand(size):
    head = "---\nschema: x/Y/v1\nmetadata: {schema: metadata/Document/v1, name: "
    return {"site.yaml": POLICY + head + "p, labels: {a: b}, layeringDefinition: {abstract: true, layer: global}}\ndata: {" + ", ".join(f"k{i}: {{a: {i}}}" for i in range(size)) + "}\n"
            + head + "c, layeringDefinition: {abstract: false, layer: site, parentSelector: {a: b}, actions: [{method: merge, path: .}]}, substitutions: [{src: {schema: x/Y/v1, name: s, path: .v}, "
            "dest: {path: .t, pattern: X+}}]}\ndata: {t: aXXb, " + ", ".join(f"k{i}: {{b: {i}}}" for i in range(size)) + "}\n" + head + "s, layeringDefinition: {abstract: false, layer: site}}\ndata: {v: y}\n"
            "---\nschema: deckhand/DataSchema/v1\nmetadata: {schema: metadata/Control/v1, name: x/Y/v1}\ndata: {type: object, additionalProperties: true}\n"}


def heat(size):
    return {"a.yaml": "parameters: {" + ", ".join(f"p{i}: {{a: {i}}}" for i in range(size)) + "}\nparameter_defaults: {d: 1}\n",
            "b.yaml": "parameters: {" + ", ".join(f"p{i}: {{b: {i}}}" for i in range(size)) + "}\nparameter_merge_strategies: {default: deep_merge}\n",
            "t.yaml": "heat_template_version: 2018-08-31\nparameters: {" + ", ".join(f"p{i}: {{type: json}}" for i in range(size)) + "}\n"}


def bindings(size):
    return {"bindings/default.pp": "bindings default {\n" + "".join(f"  bind 'k{i}' to \"${{facts['role']}} ${{[{i}, {i + 1}].map |$x| {{ $x * 2 }}}}\"\n" for i in range(size))
            + "  bind 'all' to Integer[1," + str(size) + "].map |$i| { regsubst(\"x$i\", '(x)', 'y') }\n}\n", "facts.yaml": "{role: web}\n"}


def enc(_):
    return {"enc": "#!/bin/sh\necho 'classes: [a]'\necho 'parameters: {role: web}'\n", "strata.yaml": "enc_command: sh enc\n",
            "bindings/default.pp": "bindings default { bind 'r' to $role }\n", "facts.yaml": "{clientcert: a.b}\n"}


LOOKUP = ["lookup", "--codedir", "code", "--facts", "facts.yaml"]
COMMANDS = {
    "merge": (cloud_config, ["merge", "one", "two"]),
    "merge as JSON": (cloud_config, ["merge", "--output", "json", "one", "two"]),
    "merge with blame": (cloud_config, ["merge", "--blame", "one", "two"]),
    "merge explained": (cloud_config, ["merge", "--explain", "one", "two"]),
    "a template": (template, ["merge", "--instance-data", "data.json", "user"]),
    "lookup": (hiera, [*LOOKUP, "k"]),
    "lookup explained": (hiera, [*LOOKUP, "--explain", "k"]),
    "lookup of all keys": (hiera, [*LOOKUP, "--all"]),
    "a fleet": (hiera, ["lookup", "--codedir", "code", "--nodes", "nodes.json", "k"]),
    "a back end in Lua": (lua, [*LOOKUP, "k"]),
    "render": (deckhand, ["render", "site.yaml"]),
    "compose": (heat, ["compose", "-e", "a.yaml", "-e", "b.yaml"]),
    "parameters": (heat, ["parameters", "-t", "t.yaml", "-e", "a.yaml"]),
    "inject": (bindings, ["inject", "--facts", "facts.yaml", "all"]),
    "inject all": (bindings, ["inject", "--facts", "facts.yaml", "--all"]),
    "check": (bindings, ["bindings", "check", "--facts", "facts.yaml"]),
    "an ENC": (enc, ["inject", "--facts", "facts.yaml", "r"]),
}
CASES = {f"{name}, {size}": (files(size), arguments) for name, (files, arguments) in COMMANDS.items() for size in (3, 2000)}


def run(binary, folder, arguments, space):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (space << 10, space << 10))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.run([binary, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, preexec_fn=limit)


def starts(done):
    """Not so where the loader finds no space for the libraries."""
    return done.returncode != 127 and not (done.returncode < 0 and not done.stderr)


def smallest(holds, low, high):
    """To about one per cent."""
    while high - low > max(32, low // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def problem_of(binary, case, folder, steps):
    files, arguments = case
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    wanted = run(binary, folder, arguments, MOST)
    if wanted.returncode != 0:
        return f"fails with enough memory: {wanted.stderr[:500]!r}"
    first = smallest(lambda space: run(binary, folder, ["--version"], space).returncode == 0, 1024, MOST)
    last = smallest(lambda space: run(binary, folder, arguments, space).returncode == 0, first, MOST)
    for step in range(steps + 1):
        space = first + (last + 1024 - first) * step // steps
        done = run(binary, folder, arguments, space)
        where = f"in {space} KiB: "
        if done.returncode == 0:
            if done.stdout != wanted.stdout:
                return where + f"another answer: {done.stdout[:300]!r}"
        elif done.returncode != 1:
            return where + f"exit status {done.returncode}: {done.stderr[:500]!r}"
        elif done.stdout or not re.search(rb"error: ", done.stderr):
            return where + f"fails without a message, or with output: {done.stdout[:300]!r} {done.stderr[:500]!r}"
    return None


def main(binary, words):
    steps = 12
    if words[:1] == ["--steps"]:
        steps, words = int(words[1]), words[2:]
    if is_sanitized(binary):
        print("the program is built with a sanitizer, which needs more address space than there is")
        return 0

    def check(name):
        with tempfile.TemporaryDirectory() as folder:
            return problem_of(binary, CASES[name], folder, steps)
    return run_cases((name, check(name)) for name in words or CASES)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
