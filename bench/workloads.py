#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the sized inputs of the benchmarks. Everything follows from the arguments.

usage: workloads.py parts PARTS USERS DIR      user-data parts, each with list(append)+dict(recurse_list)+str()
       workloads.py layers LAYERS LEAVES DIR   layers of nested mappings that override half of each other
       workloads.py records MEGABYTES DIR      one YAML file of records
       workloads.py hierarchy KEYS NODES DIR   a code directory of five levels, a tenth of whose keys are lists and a hundredth hashes of 400, and facts.yaml
       workloads.py environments FILES STRATEGIES DIR   a Heat template t.yaml and environment files; STRATEGIES: 1 for merge strategies
       workloads.py inventory NODES KEYS DIR   five layers of Hiera data as YAML and JSON, nodes.json and hiera.yaml
       workloads.py bindings MODULES KEYS DIR  a project of bindings documents with facts.yaml
       workloads.py site DOCUMENTS DIR         a Deckhand site of three layers, with substitutions
"""
import json
import pathlib
import random
import sys


def parts(count, users, folder):
    for part in range(count):
        lines = ["#cloud-config", "merge_how: list(append)+dict(recurse_list)+str()", "users:"]
        for user in range(users):
            lines += [
                f"  - name: user-{part:05d}-{user:04d}",
                f"    gecos: User {user} of part {part}",
                f"    groups: [adm, g{user % 7}]",
                "    shell: /bin/bash",
                "    sudo:",
                '      - "ALL=(ALL) NOPASSWD:ALL"',
                "    ssh_authorized_keys:",
                f"      - ssh-ed25519 AAAAC3Nza{part:08d}K{user:06d} user{user}@host{part}",
            ]
        lines += ["packages:"] + [f"  - pkg-{part}-{i}" for i in range(5)]
        lines += ["runcmd:", f'  - [echo, "part {part}"]', "settings:", f"  part{part % 10}:", f"    n: {part}", f"    tags: [t{part}]"]
        (folder / f"p{part:05d}").write_text("\n".join(lines) + "\n")


def leaf(source):
    kind = source.random()
    if kind < 0.4:
        return str(source.randrange(0, 1 << 31))
    if kind < 0.7:
        return '"%s"' % "".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(source.randint(6, 24)))
    if kind < 0.8:
        return "true" if source.random() < 0.5 else "false"
    if kind < 0.9:
        return str(round(source.random() * 1000, 3))
    return "[%s]" % ", ".join("item%05d" % source.randrange(100000) for _ in range(3))


def layers(count, leaves, folder):
    source = random.Random(1)
    universe = [(f"d{i:02d}", f"s{j:02d}", f"g{k:02d}", f"k{m:03d}")
                for i in range(20) for j in range(10) for k in range(10) for m in range(leaves // 1000)]
    for layer in range(count):
        tree = {}
        for a, b, c, d in source.sample(universe, leaves):
            tree.setdefault(a, {}).setdefault(b, {}).setdefault(c, {})[d] = leaf(source)
        with open(folder / f"layer{layer}.yaml", "w", encoding="utf-8") as file:
            for a, x in tree.items():
                file.write(f"{a}:\n")
                for b, y in x.items():
                    file.write(f"  {b}:\n")
                    for c, z in y.items():
                        file.write(f"    {c}:\n")
                        file.writelines(f"      {d}: {value}\n" for d, value in z.items())


def records(megabytes, folder):
    source = random.Random(1)

    def word(length):
        return "".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))

    written = 0
    with open(folder / "records.yaml", "w", encoding="utf-8") as file:
        for number in range(10**9):
            note = " ".join(word(source.randint(2, 9)) for _ in range(15))
            text = (f"rec{number:06d}:\n  id: {number}\n  name: {word(12)}\n  enabled: {source.choice(['true', 'false'])}\n"
                    f"  ratio: {round(source.random(), 6)}\n  tags:\n" + "".join(f"  - {word(6)}\n" for _ in range(4)) +
                    f'  owner:\n    team: {word(8)}\n    mail: "{word(7)}@example.org"\n    oncall:\n      primary: {word(6)}\n'
                    f'      backup: null\n  note: "{note}"\n')
            written += file.write(text)
            if written >= megabytes * 1e6:
                return


def level(keys, number):
    """Of a hierarchy; 0 is the strongest, 4 has every key."""
    lines = [f"key_{i:04d}: 'v{number}-{i}'" for i in range(keys) if number == 4 or (i + number) % 3 != 0]
    for i in range(keys // 10):
        lines.append(f"list_{i:04d}: [{', '.join(f'item{i}_{number * 5 + j}' for j in range(10))}]")
    for i in range(keys // 100):
        lines.append(f"hash_{i:04d}:")
        lines += [f"  m{j}: {{a: {j}, l: [t{j}, l{number}, c], s: {{x{number}: y}}}}" for j in range(500) if j % 5 != number]
    lines += [f"tpl_{i:04d}: \"%{{facts.os.family}}-%{{role}}-%{{lookup('key_{i:04d}')}}\"" for i in range(keys // 10)]
    return "\n".join(lines) + "\n"


def hierarchy(keys, nodes, folder):
    environment = folder / "code/environments/production"
    files = {"roles/web": level(keys, 1), "sites/pdx": level(keys, 2), "os/Debian": level(keys, 3), "common": level(keys, 4)}
    for i in range(nodes):
        files[f"nodes/n{i}"] = level(keys, 0) if i == 0 else f"key_0000: 'node{i}'\nlist_0000: [only{i}]\n"
    for name, text in files.items():
        path = environment / f"data/{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (environment / "hiera.yaml").write_text("""version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: node, path: "nodes/%{facts.nodename}.yaml"}
  - {name: role and site, paths: ["roles/%{facts.role}.yaml", "sites/%{facts.site}.yaml"]}
  - {name: os, path: "os/%{facts.os.family}.yaml"}
  - {name: common, path: common.yaml}
""")
    (folder / "facts.yaml").write_text("nodename: n0\nrole: web\nsite: pdx\nos: {family: Debian, name: Debian}\n")


def flow(value):
    """A value as YAML on one line, which JSON is."""
    return json.dumps(value)


def inventory(nodes, keys, folder):
    source = random.Random(1)

    def word(length=10):
        return "".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))

    names = [f"{word(6)}_{i:03d}" for i in range(keys)]

    def value(index):
        if index % 5 < 3:
            return source.choice([source.randrange(65536), word(), source.random() < 0.5])
        if index % 5 == 3:
            return {"enabled": source.random() < 0.5, "port": source.randrange(65536),
                    "limits": {"cpu": source.randrange(64), "mem": source.randrange(4096), "name": word(6)}}
        return [word(8) for _ in range(4)]

    def layer(name, count):
        data = {names[i]: value(i) for i in (range(keys) if count == keys else source.sample(range(keys), min(count, keys)))}
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".json").write_text(json.dumps(data))
        path.with_suffix(".yaml").write_text("".join(f"{key}: {flow(item)}\n" for key, item in data.items()))

    layer("common", keys)
    for kind, count, size in (("os", 3, keys // 10), ("dc", 5, keys // 10), ("role", 20, keys // 5), ("node", nodes, 10)):
        for i in range(count):
            layer(f"{kind}/{kind}{i}", size)
    facts = [{"node": f"node{i}", "os": f"os{source.randrange(3)}", "dc": f"dc{source.randrange(5)}", "role": f"role{source.randrange(20)}"}
             for i in range(nodes)]
    (folder / "nodes.json").write_text(json.dumps([{"name": fact["node"], "facts": fact} for fact in facts]))
    paths = "".join(f'  - {{name: {kind}, path: "{kind}/%{{{kind}}}.yaml"}}\n' for kind in ("node", "role", "dc", "os"))
    (folder / "hiera.yaml").write_text(f"version: 5\ndefaults: {{datadir: data, data_hash: yaml_data}}\nhierarchy:\n{paths}  - {{name: common, path: common.yaml}}\n")


def classes(nodes, count, keys, folder):
    """An inventory of reclass: each node has five classes of its own choice over a common one, values of its own, and references."""
    source = random.Random(1)

    def leaves(size, tag):
        for i in source.sample(range(keys), size):
            yield f"  k{i:03d}:\n" + (f"    name: {tag}-{i}\n    port: {source.randrange(65536)}\n" if i % 3 == 0 else f"  - {tag}-{i}\n  - two\n" if i % 3 == 1
                                    else f"    on: {tag}\n")

    def write(name, classes_of, size):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "".join(f"- {one}\n" for one in classes_of)
        tag = path.stem
        text = "".join(leaves(size, tag)) + f"  from_{tag}: ${{_reclass_:name:short}}.{tag}\n"
        path.write_text((f"classes:\n{head}" if head else "") + f"applications:\n- app-{tag}\nparameters:\n" + text)

    write("classes/common.yml", [], keys)
    for i in range(count):
        write(f"classes/group{i % 10}/c{i:03d}.yml", ["common"], keys // 5)
    for i in range(nodes):
        write(f"nodes/n{i:04d}.yml", [f"group{one % 10}.c{one:03d}" for one in source.sample(range(count), 5)], 10)


def site(count, folder):
    """A tenth global and abstract, a fifth in regions, a fifth sources, the rest at sites with one to three substitutions each."""
    globals_, regions, sources = (max(1, count // share) for share in (10, 5, 5))

    def document(name, schema, layer, data, **more):
        layering = {"layer": layer, "abstract": layer == "global", **more.pop("layering", {})}
        return {"schema": schema, "metadata": {"schema": "metadata/Document/v1", "name": name, "storagePolicy": "cleartext",
                                               "layeringDefinition": layering, **more}, "data": data}

    def body(i, tag):
        return {"name": f"{tag}{i}", "net": {"mtu": 1500 + i, "vlan": i, "dns": ["10.0.0.1", "10.0.0.2"]},
                "opts": {f"k{j}": f"{tag}-{i}-{j}" for j in range(10)}, "on": bool(i % 2), tag: {"v": i, "w": [1, 2, {"x": i}]}}

    def layered(parent, *methods):
        return {"parentSelector": {"id": parent}, "actions": [{"method": method, "path": path} for method, path in methods]}

    def substitution(source, wanted, **dest):
        return {"src": {"schema": "bench/Source/v1", "name": f"s{source % sources}", "path": wanted}, "dest": dest}

    documents = [{"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
                  "data": {"layerOrder": ["global", "region", "site"]}}]
    for i in range(globals_):
        documents.append(document(f"g{i}", "bench/Doc/v1", "global", body(i, "g"), labels={"id": f"g{i}"}))
    for i in range(regions):
        documents.append(document(f"r{i}", "bench/Doc/v1", "region", body(i, "r"), labels={"id": f"r{i}"},
                                  layering=layered(f"g{i % globals_}", ("merge", ".")),
                                  substitutions=[substitution(i, ".secret", path=".region.secret")]))
    for i in range(sources):
        documents.append(document(f"s{i}", "bench/Source/v1", "site", {"secret": f"pw-{i}", "map": {"a": i, "b": [i, i + 1]}}))
    for i in range(count - globals_ - regions - sources):
        substitutions = [substitution(i * 7 + j, [".secret", ".map", ".map.b[1]"][j], path=f".sub.{'abc'[j]}") for j in range(1 + i % 3)]
        if i % 4 == 0:
            substitutions[0]["dest"] = {"path": ".url", "pattern": "INSERT_[A-Z]+_HERE"}
        data = {**body(i, "s"), "url": f"http://user:INSERT_PASSWORD_HERE@host-{i}:80/"}
        documents.append(document(f"l{i}", "bench/Doc/v1", "site", data, layering=layered(f"r{i % regions}", ("merge", "."), ("replace", ".net")),
                                  substitutions=substitutions))
    (folder / "site.yaml").write_text("".join(f"---\n{json.dumps(one, indent=1)}\n" for one in documents))


KINDS = ["string"] * 8 + ["number"] * 3 + ["boolean"] * 2 + ["json"] * 4 + ["comma_delimited_list"] * 3


def environments(count, strategies, folder):
    """Each file sets 200 of 400 parameters, half of them as defaults, and 100 of 300 types of the registry."""
    source = random.Random(1)
    defaults = {"string": "''", "number": "0", "boolean": "false", "json": "{}", "comma_delimited_list": "''"}

    def value(kind, file):
        if kind == "string":
            return f"'value of file {file} {source.randrange(1 << 24):06x}'"
        if kind == "number":
            return str(source.randrange(100000))
        if kind == "boolean":
            return source.choice(["true", "false"])
        if kind == "json":
            return (f"\n      enabled: {source.choice(['true', 'false'])}\n      key_{source.randrange(8)}: {{host: 'h{source.randrange(100)}.example.test', "
                    f"port: {source.randrange(65536)}, opts: {{a: {source.randrange(9)}, b: [1, 2]}}}}\n      list: [{file}, {source.randrange(1000)}]")
        return f"[s{source.randrange(100)}, t{source.randrange(100)}]"

    kinds = [KINDS[i % len(KINDS)] for i in range(400)]
    declared = "".join(f"  Param{i:03d}: {{type: {kind}, default: {defaults[kind]}}}\n" for i, kind in enumerate(kinds))
    (folder / "t.yaml").write_text("heat_template_version: 2018-08-31\nparameters:\n" + declared)
    for file in range(count):
        lines = []
        if file == 0 and strategies:
            words = {"json": "deep_merge", "comma_delimited_list": "merge"}
            lines += ["parameter_merge_strategies:"] + [f"  Param{i:03d}: {words[kind]}" for i, kind in enumerate(kinds) if kind in words]
        chosen = source.sample(range(400), 200)
        for section, part in (("parameters", chosen[:100]), ("parameter_defaults", chosen[100:])):
            lines += [f"{section}:"] + [f"  Param{i:03d}: {value(kinds[i], file)}" for i in part]
        lines += ["resource_registry:"]
        for i in source.sample(range(300), 100):
            target = source.choice([f"../deployment/svc{i:03d}/svc{i:03d}-puppet.yaml", "OS::Heat::None"])
            lines.append(f"  OS::Deploy::Services::Svc{i:03d}: {target}")
        (folder / f"e{file:04d}.yaml").write_text("\n".join(lines) + "\n")


def literal(value):
    """As the Puppet language writes it."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{key}' => {literal(one)}" for key, one in value.items()) + "}"
    return repr(value)


def bindings(modules, keys, folder):
    """A project of so many modules of so many keys: all of them common, some again under conditions that are in effect or not, a multibind of ten
    contributions a module, and a site that overrides every twentieth key."""
    def value(i):
        return [i, f"value number {i}", [i, i + 1, "x"], {"a": i, "b": "text", "c": [1, 2, 3]}][i % 4]

    def bind(name, what, override=False):
        return f"bind {'override ' if override else ''}'{name}' to {literal(what)}"

    site, layer = [], []
    for m in range(modules):
        names = [f"m{m:03d}::key_{k:03d}" for k in range(keys)]
        lines = [bind(name, value(m * keys + k)) for k, name in enumerate(names)]
        lines.append(f"multibind Array[String], 'm{m:03d}::list' as 'm{m:03d}-list'")
        lines += [f"bind to 'item {i}' in 'm{m:03d}-list'" for i in range(10)]
        lines += ["when node 'kermit.example.com' {", *(f"  {bind(name, value(k + 1), True)}" for k, name in enumerate(names) if k % 5 == 0), "}"]
        lines += ["when node 'other.example.com' {", *(f"  {bind(name, 'never')}" for k, name in enumerate(names) if k % 7 == 0), "}"]
        lines += ["when environment 'production' and virtual true {", *(f"  {bind(name, 'ev')}" for k, name in enumerate(names) if k % 11 == 0), "}"]
        site += [bind(name, "site", True) for k, name in enumerate(names) if (m * keys + k) % 20 == 0]
        place = folder / f"modules/m{m:03d}/bindings"
        place.mkdir(parents=True)
        (place / "default.pp").write_text(f"bindings m{m:03d}::default {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
        layer.append(f"'module:/m{m:03d}::default'")
    (folder / "bindings").mkdir()
    (folder / "bindings/default.pp").write_text("bindings default {\n" + "".join(f"  {line}\n" for line in site) + "}\n")
    (folder / "site.pp").write_text("site {\n  categories {\n    node => $::fqdn\n    environment => true\n    virtual => $::is_virtual\n  }\n  bindings => [\n"
                                    "    layer { 'site': include => ['confdir:/default'] },\n"
                                    f"    layer {{ 'modules': include => [{', '.join(layer)}] }}\n  ]\n}}\n")
    (folder / "facts.yaml").write_text("fqdn: kermit.example.com\nis_virtual: true\n")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    numbers = [int(text) for text in sys.argv[2:-1]]
    kinds = {"parts": parts, "layers": layers, "records": records, "environments": environments, "hierarchy": hierarchy, "inventory": inventory, "classes": classes, "site": site,
             "bindings": bindings}
    kinds[sys.argv[1]](*numbers, folder)


if __name__ == "__main__":
    main()
