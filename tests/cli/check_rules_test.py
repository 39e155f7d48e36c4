#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The findings of strata check that read files, against a model that reads the definitions: random sites of Hiera.

Shares no code with the program. Looked at: type-clash, scalar-type, unknown-variable, unreachable-level, unused-file, idle-options, knockout-key,
visible-knockout, typo, unused-key, unknown-parameter, surprising-scalar. Usage: check_rules_test.py BINARY [--count N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import yaml

LEVELS = ["node/%{cert}.yaml", "role/%{role}.yaml", "zone/%{facts.zone}.yaml", "os/%{os.family}.yaml", "common.yaml"]
KEYS = ["workers", "wrokers", "worker", "log-level", "log_level", "eth0", "eth1", "ntp::servers", "ntp::server", "ntp::mode", "ntp::mod", "size_min",
        "size_max", "users", "used_by_prefix", "free key"]
PAIRS = {frozenset(pair.split("/")) for pair in (
    "min/max in/out pre/post on/off up/down src/dst left/right start/stop enable/disable first/last read/write from/to old/new user/users host/hosts "
    "http/https tcp/udp ipv4/ipv6 public/private primary/secondary master/slave server/servers input/output source/sources").split()}
MANIFEST = """# workers are counted elsewhere
class ntp (
  Array[String] $servers = [],
  Enum['client', 'server'] $mode = $facts['mode'],
) {
  $x = lookup("used_by_${facts['role']}", String)
  notice(lookup('users', Hash, 'deep'))
}
"""


def distance(left, right):
    cost = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) + 1):
        for k in range(len(right) + 1):
            if i == 0 or k == 0:
                cost[i][k] = i + k
                continue
            cost[i][k] = min(cost[i - 1][k] + 1, cost[i][k - 1] + 1, cost[i - 1][k - 1] + (left[i - 1] != right[k - 1]))
            if i > 1 and k > 1 and left[i - 1] == right[k - 2] and left[i - 2] == right[k - 1]:
                cost[i][k] = min(cost[i][k], cost[i - 2][k - 2] + 1)
    return cost[-1][-1]


def words_of(text):
    """Letters and digits; a capital letter after one that is none begins a word."""
    return [word for run in re.findall(r"[A-Za-z0-9]+", text) for word in re.split(r"(?<=[^A-Z])(?=[A-Z])", run)]


def near(left, right):
    """(the distance, the word of the first that differs), or None."""
    ours, theirs = left.split("::"), right.split("::")
    if len(ours) != len(theirs):
        return None
    differing = [(p, q) for p, q in zip(ours, theirs) if p != q]
    if len(differing) != 1:
        return None
    p, q = differing[0]
    if min(len(p), len(q)) < 3:
        return None
    if re.sub("[-_]", "", p.lower()) == re.sub("[-_]", "", q.lower()):
        return (0, None)
    if re.sub(r"\D", "", p) != re.sub(r"\D", "", q):
        return None
    words, others = words_of(p), words_of(q)
    unlike = [(a.lower(), b.lower()) for a, b in zip(words, others) if a.lower() != b.lower()]
    if len(words) != len(others) or len(unlike) != 1 or frozenset(unlike[0]) in PAIRS:
        return None
    shorter = min(map(len, unlike[0]))
    far = distance(*unlike[0])
    return (far, unlike[0][0]) if far <= (0 if shorter <= 3 else 1 if shorter < 8 else 2) else None


def shape(value):
    return None if value is None else "mapping" if isinstance(value, dict) else "sequence" if isinstance(value, list) else "scalar"


def kind(value):
    return "text" if isinstance(value, str) else "boolean" if isinstance(value, bool) else "number"


def reads_as(text):
    """The type that a text has without quotes; only texts of the generator."""
    return {"8": "number", "8.5": "number", "yes": "boolean", "true": "boolean", "0x1f": "number"}.get(text)


class Model:
    def __init__(self, rng):
        self.rng = rng
        self.nodes = []
        for number in range(rng.randint(2, 4)):
            facts = {"cert": f"n{number}", "role": rng.choice(["web", "db"])}
            if rng.random() < 0.5:
                facts["zone"] = rng.choice(["a", None])
            if rng.random() < 0.5:
                facts["os"] = rng.choice([{"family": "Debian"}, {}])
            self.nodes.append({"name": f"n{number}", "facts": facts})
        self.levels = rng.sample(LEVELS[:-1], rng.randint(1, 4)) + [LEVELS[-1]]
        self.options = {}
        for key in rng.sample(KEYS, 3) + ["^ntp::", "^absent"]:
            if rng.random() < 0.7:
                merge = rng.choice(["first", "deep", {"strategy": "deep", "knockout_prefix": "--"}])
                self.options[key] = {"merge": merge}
        names = ["common", "role/web", "role/db", "role/none", "zone/a", "zone/", "os/Debian", "node/n0", "node/n1"]
        self.files = {}
        for name in names:
            if rng.random() < 0.75:
                self.files[f"data/{name}.yaml"] = {key: self.value(0) for key in KEYS if rng.random() < 0.35}
        self.files.setdefault("data/common.yaml", {})
        self.files["data/common.yaml"] = {"lookup_options": self.options, **self.files["data/common.yaml"]}
        self.has_code = rng.random() < 0.6

    def value(self, depth):
        rng = self.rng
        draw = rng.random()
        if depth < 2 and draw < 0.3:
            return {rng.choice(["a", "groups", "gruops", "--a", "b"]): self.value(depth + 1) for _ in range(rng.randint(1, 3))}
        if depth < 2 and draw < 0.5:
            return [self.value(depth + 1) for _ in range(rng.randint(1, 3))]
        return rng.choice([8, "8", True, "yes", "true", 8.5, "8.5", None, "x", "--x", "%{role}", "%{rolle} %{zone}", "%{facts.zone}", "%{os.family}",
                           "%{trusted.certname}", "%{literal('%')}", "%{lookup('free key')}", "%{::cert}"])

    def variable(self, facts, name):
        name = name.removeprefix("::")
        first, *rest = name.split(".")
        if first in ("trusted", "server_facts", "environment"):
            return (True, "")
        here = {"facts": facts, **facts}
        for step in [first, *rest]:
            if not isinstance(here, dict) or step not in here:
                return (False, None)
            here = here[step]
        return (True, here)

    def paths(self, node):
        out = []
        for level in self.levels:
            def text(match):
                value = self.variable(node["facts"], match.group(1))[1]
                return "" if value is None else str(value)
            try:
                out.append("data/" + re.sub(r"%\{([^}]*)\}", text, level).replace("//", "/"))
            except KeyError:
                pass
        return out

    def merge_of(self, key):
        said = self.options.get(key)
        if said is None:
            said = next((self.options[one] for one in self.options if one.startswith("^") and re.search(one, key)), {"merge": "first"})
        merge = said["merge"]
        return (merge, None) if isinstance(merge, str) else (merge["strategy"], merge["knockout_prefix"])


def pointer(tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def walk(value, tokens=()):
    """(tokens, value) of every member and item below."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, member in pairs:
        yield (*tokens, token), member
        yield from walk(member, (*tokens, token))


def members(model, name):
    """Through mappings alone: what can stand over a weaker one."""
    out = {}
    for key, value in model.files[name].items():
        if key == "lookup_options":
            continue
        out[(key,)] = value
        if model.merge_of(key)[0] == "deep":
            todo = [((key,), value)]
            while todo:
                tokens, here = todo.pop()
                if isinstance(here, dict):
                    for token, member in here.items():
                        out[(*tokens, token)] = member
                        todo.append(((*tokens, token), member))
    return out


def expected(model, results):
    found = set()
    read = {node["name"]: [path for path in model.paths(node) if path in model.files] for node in model.nodes}
    all_read = sorted({path for paths in read.values() for path in paths})

    for paths in read.values():
        for number, stronger in enumerate(paths):
            ours = members(model, stronger)
            for weaker in paths[number + 1:]:
                theirs = members(model, weaker)
                for tokens in ours.keys() & theirs.keys():
                    mine, other = ours[tokens], theirs[tokens]
                    if mine is None or other is None:
                        continue
                    if shape(mine) != shape(other):
                        found.add(("type-clash", stronger, pointer(tokens)))
                    elif shape(mine) == "scalar" and (isinstance(mine, str) != isinstance(other, str)):
                        text, plain = (mine, other) if isinstance(mine, str) else (other, mine)
                        if reads_as(text) == kind(plain):
                            found.add(("scalar-type", stronger, pointer(tokens)))

    def unknown(text, nodes):
        names = [name for name in re.findall(r"%\{([^}]*)\}", text) if "(" not in name]
        return any(not any(model.variable(node["facts"], name)[0] for node in nodes) for name in names)

    for number, level in enumerate(model.levels):
        if unknown(level, model.nodes):
            found.add(("unknown-variable", "hiera.yaml", f"/hierarchy/{number}/path"))
        if not any(model.paths(node)[number] in model.files for node in model.nodes):
            found.add(("unreachable-level", "hiera.yaml", f"/hierarchy/{number}/path"))
    for path in all_read:
        nodes = [node for node in model.nodes if path in read[node["name"]]]
        for tokens, value in walk(model.files[path]):
            if tokens[0] == "lookup_options":
                continue
            if isinstance(value, str) and unknown(value, nodes):
                found.add(("unknown-variable", path, pointer(tokens)))
            merge, prefix = model.merge_of(tokens[0])
            has_container = isinstance(model.files[path][tokens[0]], (dict, list))
            if merge == "deep" and prefix and has_container and len(tokens) > 1 and isinstance(tokens[-1], str) and tokens[-1].startswith(prefix):
                found.add(("knockout-key", path, pointer(tokens)))
    for path in model.files:
        if path not in all_read:
            found.add(("unused-file", path, ""))
    root_keys = {key for path in all_read for key in model.files[path]} - {"lookup_options"}
    if "data/common.yaml" in all_read:
        for name in model.options:
            if not (any(re.search(name, key) for key in root_keys) if name.startswith("^") else name in root_keys):
                found.add(("idle-options", "data/common.yaml", pointer(["lookup_options", name])))

    # Consumers
    parameters = {"ntp::servers", "ntp::mode"} if model.has_code else set()
    words = set(re.findall(r"[A-Za-z0-9_:]+", MANIFEST)) if model.has_code else set()
    named = {"free key"} if any(isinstance(value, str) and "lookup('free key')" in value for path in all_read for _, value in walk(model.files[path])) else set()

    def is_used(key):
        return key in parameters | words | named or (model.has_code and key.startswith("used_by_"))

    if model.has_code:
        for path in all_read:
            for key in model.files[path]:
                if key != "lookup_options" and not is_used(key):
                    found.add(("unknown-parameter" if key.startswith("ntp::") else "unused-key", path, pointer([key])))

    # Mistyped names
    families = {}
    for path in all_read:
        for tokens, value in walk(model.files[path]):
            if tokens[0] == "lookup_options" or not isinstance(tokens[-1], str):
                continue
            family = tuple("*" if isinstance(token, int) else token for token in tokens[:-1])
            families.setdefault(family, {}).setdefault(tokens[-1], []).append((path, tokens, value))
    word_files = {word: {"code"} for parameter in parameters for word in map(str.lower, words_of(parameter))}
    for path in all_read:
        texts = [text for tokens, value in walk(model.files[path]) for text in (tokens[-1], value) if isinstance(text, str)]
        for word in {word.lower() for text in texts for word in words_of(text)}:
            word_files.setdefault(word, set()).add(path)
    for family, names in families.items():
        for name, places in names.items():
            if len({path for path, _, _ in places}) != 1 or (family == () and is_used(name)):
                continue
            candidates = []
            known = {other: spots for other, spots in names.items() if len({path for path, _, _ in spots}) > 1}
            if family == ():
                known.update({other: names.get(other, []) for other in parameters})
            for other, spots in known.items():
                told = near(name, other)
                if told is None or other == name or (told[1] and word_files[told[1]] != {places[0][0]}):
                    continue
                if len(places) >= len(spots) and not (family == () and other in parameters):
                    continue
                if {(path, tokens[:-1]) for path, tokens, _ in places} & {(path, tokens[:-1]) for path, tokens, _ in spots}:
                    continue
                shapes = [shape(value) for _, _, value in spots] or [None]
                if any(shape(value) is None or one is None or shape(value) == one for _, _, value in places for one in shapes):
                    candidates.append(other)
            if candidates:
                found.add(("typo", places[0][0], pointer(places[0][1])))

    for node in model.nodes:
        for key, value in results.get(node["name"], {}).items():
            merge, prefix = model.merge_of(key)
            has_container = any(isinstance(model.files[path].get(key), (dict, list)) for path in read[node["name"]])
            if merge != "deep" or not prefix or not has_container:
                continue
            for _, text in [((), value), *walk(value)]:
                if isinstance(text, str) and text.startswith(prefix):
                    found.add(("visible-knockout", node["name"], key))
    return found


CODES = ["type-clash", "scalar-type", "unknown-variable", "unreachable-level", "unused-file", "idle-options", "knockout-key", "typo", "unused-key",
         "unknown-parameter"]


def run(binary, folder, *words):
    return subprocess.run([binary, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def check(binary, seed, counts):
    model = Model(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        lines = ["version: 5", "hierarchy:"] + [f"  - name: l{number}\n    path: {json.dumps(level)}" for number, level in enumerate(model.levels)]
        (root / "hiera.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (root / "nodes.json").write_text(json.dumps(model.nodes), encoding="utf-8")
        for name, data in model.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(yaml.safe_dump(data, sort_keys=False) if data else "{}\n", encoding="utf-8")
        if model.has_code:
            (root / "modules/ntp/manifests").mkdir(parents=True)
            (root / "modules/ntp/manifests/init.pp").write_text(MANIFEST, encoding="utf-8")
        question = ["lookup", "--compat", "puppet7", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json"]
        plain = run(binary, folder, *question, "--all", "--output", "json")
        results = json.loads(plain.stdout) if plain.stdout else {}
        if ": error: " in plain.stderr:
            return
        told = run(binary, folder, "check", "--select", ",".join([*CODES, "visible-knockout"]), "--output", "json",
                   *(["--consumers", "modules"] if model.has_code else []), *question)
        if told.returncode not in (0, 1):
            raise AssertionError(f"seed {seed}: {told.stderr}")
        findings = json.loads(told.stdout)["findings"]
        if any(not one["code"].startswith("check.") for one in findings):
            return  # What a failing node reads is not known.
        got = {(one["code"][6:], one["file"], one["path"]) for one in findings}
        want = expected(model, results)
        visible = {one for one in want if one[0] == "visible-knockout"}
        has_visible = {one for one in got if one[0] == "visible-knockout"}
        for code in CODES:
            ours, theirs = ({one for one in found if one[0] == code} for found in (want, got))
            counts[code] = counts.get(code, 0) + len(ours)
            if ours != theirs:
                for path in sorted(root.rglob("*")):
                    if path.is_file():
                        print("---", path.relative_to(root))
                        print(path.read_text(encoding="utf-8"))
                raise AssertionError(f"seed {seed} {code}: missing {sorted(ours - theirs)}, too many {sorted(theirs - ours)}")
        if bool(visible) != bool(has_visible):
            raise AssertionError(f"seed {seed} visible-knockout: {visible} {has_visible}")
        counts["visible-knockout"] = counts.get("visible-knockout", 0) + len(visible)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    counts = {}
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        check(binary, seed, counts)
    never = [code for code in [*CODES, "visible-knockout"] if not counts.get(code)]
    if never:
        raise AssertionError(f"no case for {never}")
    print(f"{arguments.count} sites: {counts}")


if __name__ == "__main__":
    sys.exit(main())
