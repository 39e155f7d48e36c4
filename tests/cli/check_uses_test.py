#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata check: what is written for subjects and used by none, and refusals told together.

Sites with exact messages, and random environments, bindings and sites of Deckhand against the definitions, read directly.
Usage: check_uses_test.py BINARY [--count N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import yaml

TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: a}
  count: {type: number, default: 1}
resources:
  a: {type: My::Server}
"""
NODES = [{"name": "web01", "facts": {"cert": "web01", "role": "web"}}, {"name": "web02", "facts": {"cert": "web02", "role": "db"}}]
SITE = """site {
  categories { node => $facts['cert'], role => $facts['role'] }
  bindings => [
    layer { 'site': include => 'confdir:/site' },
    layer { 'base': include => 'confdir:/base' }
  ]
}
"""
POLICY = """schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [global, site]}
"""


def document(name, body="data: {v: 1}", **metadata):
    layering = {"abstract": False, "layer": "site", **metadata.pop("layering", {})}
    head = {"schema": "metadata/Document/v1", "name": name, "layeringDefinition": layering, **metadata}
    return f"---\nschema: a/B/v1\nmetadata: {json.dumps(head)}\n{body}\n"


def bindings(name, text):
    return f"bindings {name} {{\n{text}\n}}\n"


def inject(*, site="", base="", nodes=None):
    files = {
        "manifests/site.pp": SITE,
        "bindings/site.pp": bindings("site", site),
        "bindings/base.pp": bindings("base", base),
        "nodes.json": json.dumps(NODES if nodes is None else nodes),
    }
    return files, ["inject", "--confdir", ".", "--nodes", "nodes.json", "--all"]


def check(binary, files, words, *own):
    """The findings, as (code, severity, file, line, column, path, message, notes, hint)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([binary, "check", "--output", "json", *own, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, 1), f"{words}: exit {done.returncode}\n{done.stderr}"
    return [
        (
            one["code"].removeprefix("check."),
            one["severity"],
            one.get("file"),
            one.get("line"),
            one.get("column"),
            one["path"],
            one["message"],
            [(note["message"], note["file"], note["line"], note["column"]) for note in one["notes"]],
            one["hint"],
        )
        for one in json.loads(done.stdout)["findings"]
    ]


def expect(name, found, wanted):
    assert found == wanted, f"{name}:\n  found    {found}\n  expected {wanted}"


def test_parameters(binary):
    select = ("--select", "undeclared-parameter")
    files = {"t.yaml": TEMPLATE, "e.yaml": "parameter_defaults:\n  size: b\n  cuont: 2\n  stray: 1\n"}

    def told(line, name, hint, file="e.yaml"):
        return ("undeclared-parameter", "warning", file, line, 3, f"/parameter_defaults/{name}", f"no template declares '{name}'", [], hint)

    words = ["compose", "-t", "t.yaml", "-e", "e.yaml"]
    expect("parameters", check(binary, files, words, *select), [told(3, "cuont", "did you mean 'count'?"), told(4, "stray", "remove it")])
    expect("no template", check(binary, files, ["compose", "-e", "e.yaml"], *select), [])
    nested = "heat_template_version: 2018-08-31\nparameters: {stray: {type: string}}\n"
    found = check(binary, {**files, "n.yaml": nested}, [*words, "--file", "n.yaml"], *select)
    expect("attached", found, [told(3, "cuont", "did you mean 'count'?")])
    named = {**files, "n.yaml": nested, "t.yaml": TEMPLATE + "  n: {type: n.yaml}\n"}
    expect("named by a template", check(binary, named, words, *select), [told(3, "cuont", "did you mean 'count'?")])
    mapped = {**files, "sub/n.yaml": nested, "sub/r.yaml": "resource_registry: {My::Server: n.yaml}\n"}
    expect("mapped", check(binary, mapped, [*words, "-e", "sub/r.yaml"], *select), [told(3, "cuont", "did you mean 'count'?")])
    fleet = json.dumps([{"name": "a", "args": ["-t", "t.yaml"]}, {"name": "b", "args": ["-t", "u.yaml"]}])
    files = {**files, "f.json": fleet, "u.yaml": TEMPLATE.replace("size", "stray")}
    found = check(binary, files, ["compose", "-e", "e.yaml"], *select, "--fleet", "f.json")
    expect("fleet", found, [told(3, "cuont", "did you mean 'count'?")])


def test_registry(binary):
    select = ("--select", "unused-registry")
    registry = """resource_registry:
  My::Server: My::Other
  My::Other: OS::Heat::None
  My::Disk: OS::Heat::None
  My::*: OS::Heat::None
  base_url: file:///tmp/
  hooks: pre-create
  resources:
    a: {My::Server: OS::Heat::None, My::Net: OS::Heat::None, restricted_actions: update}
"""

    def told(line, column, name, path):
        return ("unused-registry", "note", "e.yaml", line, column, f"/resource_registry/{path}", f"no template uses '{name}'", [], "remove it")

    words = ["compose", "-t", "t.yaml", "-e", "e.yaml"]
    files = {"t.yaml": TEMPLATE, "e.yaml": registry}
    expect("registry", check(binary, files, words, *select), [told(4, 3, "My::Disk", "My::Disk"), told(9, 37, "My::Net", "resources/a/My::Net")])
    group = "  g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: My::Disk}}}\n"
    found = check(binary, {**files, "t.yaml": TEMPLATE + group}, words, *select)
    expect("in a group", found, [told(9, 37, "My::Net", "resources/a/My::Net")])
    fleet = json.dumps([{"name": "a", "args": []}, {"name": "b", "args": ["--file", "n.yaml"]}])
    nested = "heat_template_version: 2018-08-31\nresources: {n: {type: My::Net}, d: {type: My::Disk}}\n"
    expect("fleet", check(binary, {**files, "f.json": fleet, "n.yaml": nested}, words, *select, "--fleet", "f.json"), [])


def test_types_in_values(binary):
    """Types can be chosen by the values of parameters."""
    select = ("--select", "unused-registry")
    registry = "resource_registry: {My::One: OS::Heat::None, My::Two: OS::Heat::None, My::Three: OS::Heat::None}\n"
    template = TEMPLATE.replace("  count:", "  kinds: {type: comma_delimited_list, default: ['My::One']}\n  count:")
    files = {"t.yaml": template, "e.yaml": registry + "parameter_defaults: {kinds: ['My::Two']}\n"}
    found = check(binary, files, ["compose", "-t", "t.yaml", "-e", "e.yaml"], *select)
    expect("values", [one[6] for one in found], ["no template uses 'My::Three'"])


def test_missing_files(binary):
    select = ("--select", "missing-file")
    nested = "heat_template_version: 2018-08-31\n"
    registry = "resource_registry:\n  My::One: ../parts/one.yaml\n  My::Two: ../../parts/two.yaml\n  My::Three: parts/made.yaml\n"
    files = {"t.yaml": TEMPLATE + "  n: {type: parts/gone.yaml}\n  m: {type: parts/one.yaml}\n", "env/e.yaml": registry, "parts/one.yaml": nested,
             "parts/two.yaml": nested, "env/parts/made.j2.yaml": "{{ x }}"}
    told = [
        ("missing-file", "error", "env/e.yaml", 3, 3, "/resource_registry/My::Two", "the file '../../parts/two.yaml' is outside of the folders that may be read here", [],
         "did you mean '../parts/two.yaml'?"),
        ("missing-file", "error", "t.yaml", 7, 13, "", "the file 'parts/gone.yaml' does not exist", [], "correct the name, or add the file"),
    ]
    expect("missing", check(binary, files, ["compose", "-t", "t.yaml", "-e", "env/e.yaml"], *select), told)
    expect("no template", check(binary, files, ["compose", "-e", "env/e.yaml"], *select), told[:1])
    # The parameters and types of such a file are not known.
    files = {"t.yaml": TEMPLATE, "e.yaml": "resource_registry: {My::Server: gone.yaml, My::Other: OS::Heat::None}\nparameter_defaults: {stray: 1, cuont: 2}\n"}
    words = ["compose", "-t", "t.yaml", "-e", "e.yaml"]
    found = check(binary, files, words, "--select", "undeclared-parameter,unused-registry")
    expect("unread", [(one[0], one[1], one[6], one[8]) for one in found], [
        ("unused-registry", "note", "no template uses 'My::Other' (1 file that is named could not be read)", "add the files that are missing"),
        ("undeclared-parameter", "note", "no template declares 'stray' (1 file that is named could not be read)",
         "correct the name, or add the files that are missing"),
        ("undeclared-parameter", "note", "no template declares 'cuont' (1 file that is named could not be read)", "did you mean 'count'?")])


def test_bindings(binary):
    select = ("--select", "losing-binding")

    def told(file, line, column, note=None):
        notes = [("it loses to this one", *note)] if note else []
        return ("losing-binding", "warning", file, line, column, "", "this binding never wins", notes, "remove it")

    files, words = inject(site="bind 'port' to 80", base="bind 'port' to 8080\nbind 'motd' to 'x'")
    expect("losing", check(binary, files, words, *select), [told("bindings/base.pp", 2, 1, ("bindings/site.pp", 2, 1))])
    # A binding that is never in effect has no winner above it.
    files, words = inject(site="bind 'port' to 80\nwhen role 'none' { bind 'port' to 1 }")
    expect("never in effect", check(binary, files, words, *select), [told("bindings/site.pp", 3, 20)])
    files, words = inject(site="when node 'web01' { bind 'port' to 80 }", base="bind 'port' to 8080")
    expect("wins for one", check(binary, files, words, *select), [])
    files, words = inject(site="bind parameters class ntp to { a => 1 }", base="bind parameters class ntp to { a => 2, b => 3 }")
    expect("members", check(binary, files, words, *select), [told("bindings/base.pp", 2, 32, ("bindings/site.pp", 2, 32))])
    files, words = inject(site="when role 'db' { rebind 'port' }\nwhen node 'web01' { bind 'port' to 1 }", base="bind 'port' to 2")
    expect("rebound", check(binary, files, words, *select), [])
    files, words = inject(site="bind 'port' to 80\nbind abstract 'x'", base="bind 'port' to 2", nodes=NODES[:1])
    found = [one for one in check(binary, files, words, *select) if one[0] == "losing-binding"]
    expect("of a node that fails", found, [told("bindings/base.pp", 2, 1, ("bindings/site.pp", 2, 1))])


def test_abstract(binary):
    select = ("--select", "unbound-abstract")

    def told(line):
        return ("unbound-abstract", "warning", "bindings/base.pp", line, 1, "", "nothing binds this abstract key", [], "bind it, or remove it")

    base = "bind abstract 'one'\nbind abstract 'two'"
    files, words = inject(site="bind 'one' to 1", base=base)
    found = check(binary, files, words, *select)
    expect("abstract", [one for one in found if one[0] == "unbound-abstract"], [told(3)])
    expect("its failure is told as well", [one[0] for one in found if one[0] != "unbound-abstract"], ["bindings.abstract"])
    files, words = inject(site="bind 'one' to 1\nwhen role 'db' { bind 'two' to 2 }", base=base)
    found = check(binary, files, words, *select)
    expect("bound for one", [one for one in found if one[0] == "unbound-abstract"], [])


def test_categories(binary):
    select = ("--select", "unused-category")

    def told(line, column, hint="remove it"):
        return ("unused-category", "note", "bindings/site.pp", line, column, "", "no node has these categories", [], hint)

    site = "when node 'weeb02' {\n  when role 'mail' { bind 'b' to 1 }\n}\nwhen node 'WEB01' { bind 'a' to 1 }"
    files, words = inject(site=site)
    expect("category", check(binary, files, words, *select), [told(2, 1, "did you mean 'web02'?")])
    files, words = inject(site="when role 'web' {\n  when node 'web02' { bind 'b' to 1 }\n}\nwhen node 'x' or role 'db' { bind 'c' to 1 }")
    expect("inner", check(binary, files, words, *select), [told(3, 3)])
    files, words = inject(site="when role 'web' and node 'wbe01' { bind 'b' to 1 }\nwhen nodes 'web01' { bind 'b' to 1 }")
    expect("and", check(binary, files, words, *select), [told(2, 1, "did you mean 'web01'?"), told(3, 1)])
    fleet = json.dumps([{"name": "a", "args": ["--facts", "a.json"]}, {"name": "b", "args": ["--facts", "b.json"]}])
    files.update({"f.json": fleet, "a.json": json.dumps(NODES[0]["facts"]), "b.json": json.dumps({"cert": "wbe01", "role": "web"})})
    found = check(binary, files, ["inject", "--confdir", ".", "--all"], *select, "--fleet", "f.json")
    expect("subjects of a fleet", found, [told(3, 1)])


def test_replacements(binary):
    parent = document("x", layering={"layer": "global"}, labels={"k": "x"})
    alone = document("x", replacement=True)
    other = document("y", replacement=True, layering={"parentSelector": {"k": "x"}, "actions": [{"method": "merge", "path": "."}]})
    files = {"site.yaml": "---\n" + POLICY + parent + alone + other}
    words = ["render", "site.yaml"]
    hint = "a replacement has 'replacement: true', selects its parent by labels, and has its schema and name"
    messages = [
        ("a/B/v1 site/x: it is a replacement, but it has no parent to replace", []),
        ("a/B/v1 site/y: it is a replacement, but its parent has another name, 'x'", [("its parent, a/B/v1 global/x", "site.yaml", 6, 1)]),
    ]

    def told(code):
        lines = [10, 14]
        return [(code, "error", "site.yaml", line, 1, "", message, notes, hint) for line, (message, notes) in zip(lines, messages)]

    expect("replacements", check(binary, files, words), told("replacement-chain"))
    expect("not looked for", check(binary, files, words, "--ignore", "replacement-chain"), told("deckhand.replacement"))
    fleet = json.dumps([{"name": "a", "args": []}, {"name": "b", "args": []}])
    expect("fleet", check(binary, {**files, "f.json": fleet}, words, "--fleet", "f.json"), told("replacement-chain"))
    broken = {"a.yaml": "parameters: [", "b.yaml": "parmeters: {}\n", "t.yaml": TEMPLATE}
    found = check(binary, broken, ["compose", "-t", "t.yaml", "-e", "a.yaml", "-e", "b.yaml"])
    expect("all failures", [(one[0], one[2]) for one in found], [("yaml.syntax", "a.yaml"), ("heat.section", "b.yaml")])


def random_environments(rng, binary):
    """Members of environments against the templates: declared or not, named or not."""
    names = [f"p{n}" for n in range(6)]
    types = [f"T::{n}" for n in range(6)]
    files = {}

    def template():
        parameters = {name: {"type": "string", "default": ""} for name in names if rng.random() < 0.3}
        resources = {f"r{n}": {"type": rng.choice(types)} for n in range(rng.randint(0, 2))}
        return {"heat_template_version": "2018-08-31", "parameters": parameters, "resources": resources}

    templates = {f"t{n}.yaml": template() for n in range(4)}
    environments = {}
    for number in range(3):
        levels = {name: {rng.choice(types): "OS::Heat::None"} for name in ("r0", "r1") if rng.random() < 0.3}
        registry = {name: "OS::Heat::None" for name in types if rng.random() < 0.4}
        if levels:
            registry["resources"] = levels
        environments[f"e{number}.yaml"] = {
            "parameter_defaults": {name: "v" for name in names if rng.random() < 0.5},
            "resource_registry": registry,
        }
    for name, data in {**templates, **environments}.items():
        files[name] = yaml.safe_dump(data, sort_keys=False)
    members = []
    wanted = {}
    for number in range(rng.randint(1, 3)):
        taken = rng.sample(sorted(templates), 2)
        read = rng.sample(sorted(environments), rng.randint(1, 2))
        words = ["-t", taken[0], "--file", taken[1]]
        for name in read:
            words += ["-e", name]
        members.append({"name": f"s{number}", "args": words})
        declared = {name for one in taken for name in templates[one]["parameters"]}
        named = {resource["type"] for one in taken for resource in templates[one]["resources"].values()}
        for file in read:
            for name in environments[file]["parameter_defaults"]:
                place = ("undeclared-parameter", file, f"/parameter_defaults/{name}")
                wanted[place] = wanted.get(place, False) or name in declared
            registry = environments[file]["resource_registry"]
            for name in registry:
                if name != "resources":
                    place = ("unused-registry", file, f"/resource_registry/{name}")
                    wanted[place] = wanted.get(place, False) or name in named
            for resource, level in registry.get("resources", {}).items():
                for name in level:
                    place = ("unused-registry", file, f"/resource_registry/resources/{resource}/{name}")
                    wanted[place] = wanted.get(place, False) or name in named
    files["f.json"] = json.dumps(members)
    found = check(binary, files, ["compose"], "--select", "undeclared-parameter,unused-registry", "--fleet", "f.json")
    expect(f"environments {json.dumps(files)}", sorted((one[0], one[2], one[5]) for one in found), sorted(place for place, used in wanted.items() if not used))


def random_bindings(rng, binary):
    """Plain bindings of two layers against the order of layers and categories, and conditions against the nodes."""
    nodes = [{"name": f"n{number}", "facts": {"cert": f"n{number}", "role": rng.choice(["web", "db"])}} for number in range(rng.randint(1, 3))]
    conditions = [None, *(("role", role) for role in ["web", "db", "mail"]), *(("node", f"n{number}") for number in range(4))]
    texts = {"site": [], "base": []}
    placed = []  # Each with its layer, condition, key, and line; of blocks no key.
    for layer, lines in texts.items():
        for condition in conditions:
            keys = [key for key in "abc" if rng.random() < 0.35]
            if condition and keys:
                lines.append(f"when {condition[0]} '{condition[1]}' {{")
                placed.append((layer, condition, None, len(lines) + 1))
            for key in keys:
                lines.append(f"bind '{key}' to 1")
                placed.append((layer, condition, key, len(lines) + 1))
            if condition and keys:
                lines.append("}")
    wanted = {("unused-category" if one[2] is None else "losing-binding", f"bindings/{one[0]}.pp", one[3]) for one in placed}
    for node in nodes:
        categories = {("node", node["facts"]["cert"]), ("role", node["facts"]["role"]), None}
        there = [one for one in placed if one[1] in categories]
        winners = [one for one in there if one[2] is None]
        for key in "abc":
            rank = {"site": 10, "base": 0}
            order = {"node": 2, "role": 1}
            bound = sorted((one for one in there if one[2] == key), key=lambda one: rank[one[0]] + order.get(one[1][0] if one[1] else None, 0))
            winners += bound[-1:]
        wanted -= {("unused-category" if one[2] is None else "losing-binding", f"bindings/{one[0]}.pp", one[3]) for one in winners}
    files, words = inject(site="\n".join(texts["site"]), base="\n".join(texts["base"]), nodes=nodes)
    found = check(binary, files, words, "--select", "losing-binding,unused-category")
    expect(f"bindings {json.dumps(files)}", sorted((one[0], one[2], one[3]) for one in found), sorted(wanted))


def random_documents(rng, binary):
    """Abstract documents against the parents that documents select, and secret documents against substitutions."""
    documents = []
    for number in range(rng.randint(3, 6)):
        layer = rng.choice(["global", "site"])
        layering = {"abstract": rng.random() < 0.4, "layer": layer}
        metadata = {"schema": "metadata/Document/v1", "name": f"d{number}", "labels": {"n": str(number)}, "layeringDefinition": layering}
        documents.append({"schema": "a/B/v1", "metadata": metadata, "data": {"v": number}})
    above = [n for n, one in enumerate(documents) if one["metadata"]["layeringDefinition"]["layer"] == "global"]
    parents = set()
    sources = set()
    for number, one in enumerate(documents):
        layering = one["metadata"]["layeringDefinition"]
        if layering["layer"] == "site" and above and rng.random() < 0.5:
            parent = rng.choice(above)
            layering["parentSelector"] = {"n": str(parent)}
            layering["actions"] = [{"method": "merge", "path": "."}]
            parents.add(parent)
    secrets = []
    for number in range(rng.randint(0, 3)):
        metadata = {"schema": "metadata/Document/v1", "name": f"s{number}", "storagePolicy": "cleartext", "layeringDefinition": {"abstract": False, "layer": "site"}}
        secrets.append({"schema": "deckhand/Passphrase/v1", "metadata": metadata, "data": "x"})
        if rng.random() < 0.5:
            reader = rng.choice(documents)
            source = {"schema": "deckhand/Passphrase/v1", "name": f"s{number}", "path": "."}
            reader["metadata"].setdefault("substitutions", []).append({"src": source, "dest": {"path": f".p{number}"}})
            # What is not rendered reads nothing, but those who build on it do.
            sources.add(number)
    files = {"policy.yaml": POLICY}
    wanted = []
    for number, one in enumerate(documents):
        files[f"d{number}.yaml"] = yaml.safe_dump(one, sort_keys=False)
        if one["metadata"]["layeringDefinition"]["abstract"] and number not in parents:
            wanted.append(("childless-abstract", f"d{number}.yaml"))
    for number, one in enumerate(secrets):
        files[f"s{number}.yaml"] = yaml.safe_dump(one, sort_keys=False)
        if number not in sources:
            wanted.append(("unused-source", f"s{number}.yaml"))
    found = check(binary, files, ["render", *sorted(files)], "--select", "childless-abstract,unused-source")
    expect(f"documents {json.dumps(files)}", sorted((one[0], one[2]) for one in found), sorted(wanted))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    binary = str(pathlib.Path(options.binary).resolve())
    failed = 0
    tests = [test_parameters, test_registry, test_types_in_values, test_missing_files, test_bindings, test_abstract, test_categories, test_replacements]
    works = [(test.__name__, lambda test=test: test(binary)) for test in tests]
    for seed in range(options.seed, options.seed + options.count):
        for model in (random_environments, random_bindings, random_documents):
            works.append((f"{model.__name__} --seed {seed} --count 1", lambda model=model, seed=seed: model(random.Random(seed), binary)))
    for name, work in works:
        try:
            work()
        except AssertionError as problem:
            failed += 1
            print(f"FAILED {name}: {problem}", file=sys.stderr)
    print(f"{len(works) - failed} of {len(works)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
