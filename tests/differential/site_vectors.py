# SPDX-License-Identifier: Apache-2.0
"""Writes the vectors of tests/vectors/sites: for each dialect a site of the size and shape of a real one, about a hundred files with long strings.

    site_vectors.py DIALECT FOLDER    bindings, cloudinit, deckhand, heat, hiera or reclass

The results come from the references, which must be installed (script/bootstrap --differential); those of bindings and deckhand come from
the models of bindings_model.py and deckhand_shared.py, because no distribution has these references. Random sites of the comparisons are small, so that they
shrink; these show what only size shows. Run it again only to change the sites.
"""
import base64
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from long_scalars import long_scalar

HERE = os.path.dirname(os.path.abspath(__file__))
SEED = 20261129
FILES = 100


def mapping(members):
    """Members as YAML that every reader takes: JSON with ASCII escapes, one member per line."""
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in members.items())


def packages(rng):
    return rng.sample(["nginx", "curl", "vim", "git", "htop", "jq", "tmux", "rsync"], rng.randrange(1, 4))


def small_text(rng):
    """Long strings without the largest ones, so that a site stays below half a megabyte."""
    while len(text := long_scalar(rng)) > 5000:
        pass
    return text


def settings(rng, number, most=1):
    """Members as they repeat over the files of a site: lists and mappings that meet, and a script of the file's own."""
    made = {"packages": packages(rng), "service": {"port": rng.randrange(1, 9) * 1000, "log": {"level": rng.choice(["info", "warn"])}, f"only{number % 7}": number}}
    if rng.random() < most:
        made[f"script{number % 10}"] = small_text(rng)
    return made


def vector(dialect, files, argv, value, about):
    return [{"name": f"sites/{dialect}", "about": about, "files": files, "argv": argv, "stdin": None, "expect": {"exit": 0, "value": value, "ordered": False}}]


def bindings(rng):
    import bindings_model as model
    layers = []
    for number in range(10):
        documents = []
        for place in range(FILES // 10):
            statements = [{"op": "bind", "name": f"k{place}", "type": None, "producer": ("value", small_text(rng)), "guards": [model.condition(rng)]}]
            if number == 9 and place == 0:
                statements.append({"op": "multibind", "shape": "Hash[Data]", "name": "all", "id": "i", "options": {}, "guards": []})
            producer = rng.choice([("value", {"text": small_text(rng)}), ("inject", f"k{place}"), ("inject", f"always{place}")])
            statements.append({"op": "contribution", "name": f"m{number}{place}", "id": "i", "producer": producer, "guards": []})
            if number == 9:
                statements += [{"op": "bind", "name": name, "type": None, "producer": ("value", small_text(rng)), "guards": []} for name in (f"k{place}", f"always{place}")]
            documents.append((f"l{number}::d{place}", statements))
        layers.append((f"layer{number}", documents))
    kind, value = model.expected(layers, "all")
    assert kind == "value", value
    return vector("bindings", model.files(layers), ["inject", "--confdir", ".", "--facts", "facts.json", "--quiet", "all"], value,
                  "a hundred documents in ten layers that contribute long strings")


def cloudinit(rng):
    import merge
    files = {}
    for number in range(FILES):
        how = rng.choice(["", "", "merge_how: 'list(append)+dict(recurse_array)+str()'\n", "merge_how: 'dict(replace)+list(prepend)+str(append)'\n"])
        files[f"part{number:03}"] = "#cloud-config\n" + how + mapping(settings(rng, number))
    with tempfile.TemporaryDirectory() as folder:
        case = {"user": [text.encode() for text in files.values()], "vendor": None, "vendor2": None, "files": {}, "base": [], "instance": None, "index": None}
        status, value, _ = merge.reference(case, folder)
    assert status == "ok", value
    return vector("cloudinit", files, ["merge", "--quiet", "--output", "json", *files], value, "a hundred parts with scripts and three ways of merging")


def deckhand(rng):
    import deckhand_shared as model
    documents = []
    for number in range(FILES):
        data = settings(rng, number)
        data["unit"] = small_text(rng) + " BEGIN BLOCK " + small_text(rng) + " END BLOCK " + small_text(rng)
        document = {"name": f"d{number:02}", "layer": min(number // 40, 2), "abstract": False, "parent": None, "actions": [], "substitutions": [], "data": data}
        if number >= 40:
            document["parent"] = f"d{rng.randrange(40 * document['layer'] - 40, 40 * document['layer']):02}"
            document["actions"] = [{"method": "merge", "path": "."}, {"method": "replace", "path": ".packages"}]
        if number > 0:
            src = {"schema": model.SCHEMA, "name": f"d{rng.randrange(number):02}", "path": rng.choice([".service.port", ".service.log.level"])}
            document["substitutions"] = [{"src": src, "dest": [{"path": ".unit", "pattern": r"BEGIN BLOCK[\s\S]*?END BLOCK"}]}]
        documents.append(document)
    files = {}
    for number, text in enumerate(model.text(documents).split("---\n")[1:]):
        files[f"site/{number:03}.yaml"] = "---\n" + text
    name = documents[-1]["name"]
    document = json.loads(files[f"site/{FILES:03}.yaml"][4:])
    document["data"] = dict(model.render(documents))[name]
    return vector("deckhand", files, ["render", "--quiet", "--output", "json", "--name", name, "site"], [document],
                  "a hundred documents with parents and patterns in long strings")


def heat(rng):
    # heat.py hides the package of the same name unless it is loaded by its path.
    spec = importlib.util.spec_from_file_location("heat_comparison", os.path.join(HERE, "heat.py"))
    comparison = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(comparison)
    files = {}
    for number in range(FILES):
        members = {"a": small_text(rng), "m": {f"k{number % 9}": {"p": number}, "text": small_text(rng)}, "l": packages(rng)}
        chosen = {key: members[key] for key in rng.sample(sorted(members), rng.randrange(1, 4))}
        strategies = "parameter_merge_strategies: {m: deep_merge, l: merge}\n" if number == 0 else ""
        files[f"e{number:03}.yaml"] = strategies + mapping({"parameters": chosen, "parameter_defaults": {f"d{number % 11}": number}})
    case = {"files": files, "list": list(files), "shipped": False, "explicit": {}, "clear": [], "state": None}
    value = comparison.expected(case)
    assert value is not None
    argv = ["compose", "--quiet", "--template", "t.yaml"] + [word for name in files for word in ("-e", name)]
    return vector("heat", {**files, "t.yaml": comparison.TEMPLATE}, argv, value, "a hundred environment files with scripts and merge strategies")


def hiera(rng):
    import lookup
    production = "code/environments/production/"
    levels = [f"level{number:02}" for number in range(FILES)]
    paths = ", ".join(f"'{level}.yaml'" for level in levels)
    files = {production + "hiera.yaml": f"version: 5\nhierarchy:\n  - {{name: levels, paths: [{paths}]}}\n"}
    for number, level in enumerate(levels):
        members = settings(rng, number)
        members["greeting"] = small_text(rng) + " as %{facts.role}"
        members["scripts"] = {f"s{number % 10}": members[f"script{number % 10}"]}
        if number == FILES - 1:
            members["lookup_options"] = {name: {"merge": how} for name, how in (("packages", "unique"), ("service", "deep"), ("scripts", "deep"))}
            members["all"] = "%{alias('scripts')}"
        files[production + f"data/{level}.yaml"] = mapping({key: value for key, value in members.items() if key in ("all", "lookup_options") or rng.random() < 0.6})
    keys = ["packages", "service", "scripts", "greeting", "all", "script3"]
    oracle = lookup.Oracle()
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        case = {"files": files, "facts": "role: web\n", "queries": [{"keys": [key], "explain": []} for key in keys]}
        place = os.path.join(folder, "c")
        lookup.lay_out(case, place)
        answers = oracle.ask(case, place)
        assert isinstance(answers, list), answers
        for key, answer in zip(keys, answers):
            value = json.loads(base64.b64decode(answer["value"]["json"]))
            argv = ["lookup", "--codedir", "code", "--facts", "facts.yaml", "--node", "node.example.org", "--render-as", "json", key]
            made = vector("hiera", {**files, "facts.yaml": case["facts"]}, argv, value, f"a hundred levels with scripts: {key}")[0]
            cases.append({**made, "name": f"sites/hiera/{key}"})
    oracle.close()
    # The files are the same for all keys, so the vector is the one that reads the most.
    return [case for case in cases if case["argv"][-1] == "all"]


def reclass(rng):
    files = {}
    names = [f"c{number:02}" for number in range(FILES)]
    for number, name in enumerate(names):
        members = settings(rng, number)
        members["greeting"] = small_text(rng)
        members["copy"] = "${greeting}"
        classes = rng.sample(names[:number], min(number, rng.choice([0, 1, 1, 2])))
        files[f"classes/{name}.yml"] = mapping({"classes": classes, "applications": packages(rng), "parameters": members})
    files["nodes/web1.yml"] = mapping({"classes": names, "parameters": {"own": small_text(rng)}})
    files["nodes/db1.example.com.yml"] = mapping({"classes": names[10:20], "parameters": {}})
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, os.path.join(HERE, "reclass.py"), "--oracle", folder], capture_output=True, text=True, check=True)
    value = json.loads(run.stdout)["web1"][0]
    assert "error" not in value, value
    return vector("reclass", files, ["inventory", "--output", "json", "web1"], value, "a hundred classes with scripts and references to them")


def main():
    dialect, folder = sys.argv[1:]
    made = {"bindings": bindings, "cloudinit": cloudinit, "deckhand": deckhand, "heat": heat, "hiera": hiera, "reclass": reclass}[dialect](random.Random(SEED))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, dialect + ".json"), "w", encoding="utf-8") as file:
        json.dump(made, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
