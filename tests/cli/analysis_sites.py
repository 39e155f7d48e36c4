# SPDX-License-Identifier: Apache-2.0
"""Random sites of every dialect, and random edits of them, for analysis_properties_test.py."""
import fnmatch
import json
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


class RunEnds(Exception):
    """The plain command cannot even name its subjects."""


class Site:
    """A question about files. `files`: path -> bytes, those of the tree and what the host gives (`host`)."""

    names = ("k",)  # How items begin.
    against = "diff"
    fleet_words = False
    secrets = {}

    def __init__(self, rng, program):
        self.rng = rng
        self.program = program
        self.files = {}
        self.host = set()
        self.kept = set()  # Not deleted.
        self.fixed = set()  # Not edited.
        self.verb = []
        self.fleet_options = []
        self.make()

    # What dialects say.

    def make(self):
        raise NotImplementedError

    def line(self, name):
        """A line that may stand in a file."""
        raise NotImplementedError

    def text(self, name):
        """A whole file."""
        raise NotImplementedError

    def creatable(self):
        return "unread.yaml"

    def edited_host(self, name, text):
        return text

    def subjects(self, files, program):
        return [""]

    def plain(self, files, subject):
        return self.verb, {}

    def with_places(self, files, subject):
        """As `plain`, for a command that tells places, and the path of its result in that of the plain one."""
        return *self.plain(files, subject), ""

    def items(self, result, subject):
        if result is not None:
            yield "", "", result

    def shown(self, value):
        """A value without its secrets."""
        return value

    def hides(self, value):
        """Whether a value is secret as a whole: it is compared and shown as one."""
        return False

    def failed_item(self, message):
        return None

    def reads(self, before, after):
        """Which files the subjects read; None: not known."""
        return None

    def reads_of(self, model, subject):
        return None

    # Helpers.

    def put(self, name, text):
        self.files[name] = text.encode() if isinstance(text, str) else text

    def chance(self, part):
        return self.rng.random() < part

    def word(self):
        return self.rng.choice(("a", "b", "c", "x", "y", "7", "true", "'1'", "1", "2", "1.5", "null", '"q#"', "ams", "''"))

    def value(self, depth=2, scalar=None):
        """A value in flow style."""
        scalar = scalar or self.word
        kind = self.rng.random()
        if depth == 0 or kind < 0.45:
            return scalar()
        if kind < 0.72:
            return "[" + ", ".join(self.value(depth - 1, scalar) for _ in range(self.rng.randrange(5))) + "]"
        if kind < 0.78:
            return "[" + ", ".join("{name: %s, v: %s}" % (self.rng.choice("pqr"), self.word()) for _ in range(self.rng.randrange(4))) + "]"
        keys = self.rng.sample(("x", "y", "z", '"a/b"', '"t~"'), self.rng.randrange(4))
        return "{" + ", ".join(f"{key}: {self.value(depth - 1, scalar)}" for key in keys) + "}"

    def typed(self, key, scalar=None):
        """A value of the kind that a key has as a rule, so that values merge."""
        scalar = scalar or self.word
        kind = {"1": "scalar", "2": "list", "3": "map", "4": "map", "5": "list"}.get(key[-1], "any")
        if kind == "any" or self.chance(0.04):
            return self.value(2, scalar)
        if kind == "scalar":
            return scalar()
        if kind == "list":
            return "[" + ", ".join(scalar() if self.chance(0.8) else self.value(1, scalar) for _ in range(self.rng.randrange(5))) + "]"
        out = []
        for name in self.rng.sample("xyz", self.rng.randrange(1, 4)):
            out.append(name + ": " + {"x": scalar, "y": lambda: self.typed("2", scalar), "z": lambda: self.typed("3", scalar) if self.chance(0.4) else "{}"}[name]())
        return "{" + ", ".join(out) + "}"

    def with_line(self, text, line):
        """A text with a line instead of that of the same key, or after it."""
        key = line.split(":")[0].encode()
        new = line.encode() + b"\n"
        lines = re.findall(rb"[^\n]*\n|[^\n]+", text)
        for at, old in enumerate(lines):
            if old.startswith(key + b":"):
                lines[at] = new
                return b"".join(lines)
        return (text if text.endswith(b"\n") or not text else text + b"\n") + new

    def edit_keys(self, files):
        """The same line in some files."""
        names = sorted(name for name in files if name not in self.host | self.fixed and self.has_lines(name))
        if not names:
            return
        chosen = self.rng.sample(names, min(len(names), self.rng.choice((1, 1, 1, 2, 3))))
        line = self.line(chosen[0])
        for name in chosen:
            files[name] = self.with_line(files[name], line)

    def has_lines(self, name):
        """Whether lines of one key each may stand in a file."""
        return False

    def edited(self, files):
        """The files after some edits."""
        out = dict(files)
        for _ in range(self.rng.choice((1, 1, 2, 2, 3, 4, 6))):
            self.edit(out)
        if self.chance(0.03):
            for _ in range(60):
                self.edit_lines(out)
        return out

    def edit(self, files):
        kind = self.rng.random()
        if kind < 0.35 and any(map(self.has_lines, files)):
            self.edit_keys(files)
            return
        if kind < 0.62:
            self.edit_lines(files)
            return
        name = self.rng.choice(sorted(set(files) - self.fixed))
        if name in self.host:
            files[name] = self.edited_host(name, files[name])
        elif kind < 0.74:
            files[name] = self.text(name).encode()
        elif kind < 0.80 and len(files) > 2 and name not in self.kept:
            del files[name]
        elif kind < 0.88:
            new = self.creatable()
            files[new] = self.text(new).encode()
        elif kind < 0.92:
            files[name] += self.rng.choice((b"  ]: [\n", b"a: b: c\n", b"\xff\n", b"- x\n"))
        elif kind < 0.94:
            files[name] = files[name].replace(b"\n", b"\r\n")
        elif kind < 0.97:
            files[name] = files[name].removesuffix(b"\n")
        elif kind < 0.98:
            files[name] += b"# \0\n"
        else:
            files[name] = b""

    def edit_lines(self, files):
        name = self.rng.choice(sorted(set(files) - self.fixed))
        if name in self.host:
            if self.chance(0.5):
                files[name] = self.edited_host(name, files[name])
            return
        lines = re.findall(rb"[^\n]*\n|[^\n]+", files[name])
        at = self.rng.randrange(len(lines) + 1)
        kind = self.rng.random()
        if kind < 0.45 and at < len(lines):
            numbers = list(re.finditer(rb"\b\d+\b|\b[a-c]\b", lines[at]))
            if numbers and self.chance(0.7):
                found = self.rng.choice(numbers)
                lines[at] = lines[at][: found.start()] + self.rng.choice((b"1", b"2", b"9", b"b", b"zz")) + lines[at][found.end() :]
            else:
                lines[at] = self.line(name).encode() + b"\n"
        elif kind < 0.65 and at < len(lines):
            del lines[at]
        elif kind < 0.72 and at < len(lines):
            other = self.rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines.insert(at, self.line(name).encode() + b"\n")
        files[name] = b"".join(lines)


class Hiera(Site):
    against = "impact"
    root_keys = ("k1", "k2", "k3", "k4", "k5", "k6")

    def make(self):
        self.nodes = [f"n{i}" for i in range(1, self.rng.choice((2, 3, 3, 5)))]
        self.configs = {}
        self.host = {"nodes.json"}
        self.weird = self.chance(0.1)
        self.put("nodes.json", self.node_list(self.nodes))
        self.lay_out()
        self.all = self.chance(0.75)
        self.question()

    def lay_out(self):
        self.data = "data"
        self.put("hiera.yaml", self.config())
        self.verb = ["lookup", "--hiera-config", "hiera.yaml"]
        for name in sorted({self.creatable() for _ in range(10)} - {"data/unread.yaml"}):
            self.put(name, self.text(name))

    def question(self):
        if self.chance(0.15):
            self.verb += ["--merge", self.rng.choice(("first", "unique", "hash", "deep"))]
        if self.chance(0.1):
            self.verb += ["--compat", self.rng.choice(("promised", "puppet7", "openvox9"))]
        if self.all:
            self.verb += ["--all"]
        else:
            self.verb += self.rng.choice((["k1"], ["k2"], ["k2"], ["k3"], ["k3.x"], ["zz", "k4"], ["k1", "--default", "d"], ["m1::a"]))
        self.plain_verb = list(self.verb)
        self.verb += ["--nodes", "nodes.json"]

    def node_list(self, names):
        nodes = []
        for name in names:
            facts = {"cert": name, "role": self.rng.choice(("web", "db")), "dc": self.rng.choice(("ams", "fra")), "tiers": self.rng.sample(("t1", "t2"), self.rng.randrange(3)),
                     "os": {"family": self.rng.choice(("deb", "rh"))}}  # fmt: skip
            if self.weird:
                facts["odd"] = self.rng.choice(("%{lookup('k2')}", "k2", "%{role}", "{lookup('k3')}"))
            nodes.append(json.dumps({"name": name, "facts": facts}))
        return "[\n" + ",\n".join(nodes) + "\n]\n"

    def edited_host(self, name, text):
        kind = self.rng.random()
        nodes = json.loads(text if text != b"[{\n" else self.node_list(self.nodes))
        if kind < 0.3 and len(nodes) > 1:
            del nodes[self.rng.randrange(len(nodes))]
        elif kind < 0.6:
            free = [f"n{i}" for i in range(1, 7) if f"n{i}" not in [node["name"] for node in nodes]]
            if free:
                nodes.insert(self.rng.randrange(len(nodes) + 1), json.loads(self.node_list([free[0]]))[0])
        elif kind < 0.85:
            node = self.rng.choice(nodes)
            node["facts"] = json.loads(self.node_list([node["name"]]))[0]["facts"]
        elif kind < 0.93:
            self.rng.shuffle(nodes)
        else:
            return b"[{\n"
        return ("[\n" + ",\n".join(map(json.dumps, nodes)) + "\n]\n").encode()

    def subjects(self, files, program):
        try:
            return [node["name"] for node in json.loads(files["nodes.json"])]
        except (ValueError, KeyError) as error:
            raise RunEnds from error

    def plain(self, files, subject):
        node = [node for node in json.loads(files["nodes.json"]) if node["name"] == subject]
        return [*self.plain_verb, "--nodes", f"only-{subject}.json"], {f"only-{subject}.json": json.dumps(node).encode()}

    def items(self, result, subject):
        if not result or subject not in result:
            return
        if self.all:
            for key, value in result[subject].items():
                yield key, f"/{subject}/" + key.replace("~", "~0").replace("/", "~1"), value
        else:
            yield self.key(), f"/{subject}", result[subject]

    def key(self):
        return next(word for word in self.plain_verb if word in ("k1", "k2", "k3", "k3.x", "zz", "m1::a"))

    def failed_item(self, message):
        found = re.match(r"lookup of '(.*?)' failed", message)
        return found[1] if found and self.all else None

    LEVELS = (
        ("path", "node/%{cert}.yaml"),
        ("path", "role/%{role}.yaml"),
        ("path", "dc/%{facts.dc}.yaml"),
        ("path", "os/%{os.family}.yaml"),
        ("path", "common.yaml"),
        ("path", "more.json"),
        ("paths", ["role/%{role}-%{dc}.yaml", "dc/%{dc}.yaml"]),
        ("glob", "extra/*.yaml"),
        ("globs", ["extra/%{role}*.yaml", "node/%{cert}.d/*.yaml"]),
        ("mapped_paths", ["tiers", "t", "tier/%{t}.yaml"]),
        ("path", "%{lookup('where')}.yaml"),
        ("path", "more.conf"),
    )
    BACKENDS = {"more.json": ", data_hash: json_data", "more.conf": ", data_hash: hocon_data"}

    def config(self):
        weights = [4, 4, 2, 1, 4, 1, 2, 2, 1, 2, 0.3, 1]
        levels = []
        for _ in range(self.rng.randrange(2, 6)):
            level = self.rng.choices(self.LEVELS, weights)[0]
            if level not in levels:
                levels.append(level)
        text = "version: 5\n"
        if self.chance(0.2):
            text += "defaults: {datadir: data, data_hash: yaml_data}\n"
        text += "hierarchy:\n"
        for i, (name, value) in enumerate(levels):
            backend = self.BACKENDS.get(str(value), "")
            text += f"  - {{name: l{i}, {name}: {json.dumps(value)}{backend}}}\n"
        self.configs[text.encode()] = levels
        return text

    def creatable(self):
        return f"{self.data}/" + self.rng.choice(
            ("node/n1.yaml", "node/n2.yaml", "node/n3.yaml", "role/web.yaml", "role/db.yaml", "role/web-ams.yaml", "dc/ams.yaml", "dc/fra.yaml", "os/deb.yaml", "common.yaml",
             "common.yaml", "more.json", "more.conf", "extra/a.yaml", "extra/web1.yaml", "node/n1.d/x.yaml", "tier/t1.yaml", "tier/t2.yaml", "a.yaml", "unread.yaml")
        )  # fmt: skip

    def scalar(self):
        if self.chance(0.7):
            return self.word()
        key = self.rng.choice(self.root_keys)
        if self.chance(0.5):
            return json.dumps(self.rng.choice(("%{cert}", "x %{role}", f"%{{lookup('{key}')}}", f"<%{{lookup('{key}.x')}}>", f"%{{alias('{key}')}}", f"%{{alias('{key}.y')}}", f"%{{hiera('{key}')}}")))
        texts = [
            "%{cert}", "%{role}", "x-%{facts.dc}-y", f"%{{lookup('{key}')}}", f"%{{hiera('{key}')}}", f"%{{alias('{key}')}}", f"%{{alias('{key}.x')}}", f"%{{lookup('{key}.x')}}",
            f"%{{literal('%')}}{{lookup('{key}')}}", "%{literal('%')}{role}", f"a%{{cert}}b%{{lookup('{key}')}}c", f"%%{{lookup('{key}')}}", f"%{{lookup('{key}')}}%{{lookup('k2')}}",
            f"{{lookup('{key}')}}", f"%%{{lookup('{key}')}}{{role}}", "--a", "--x", "%{odd}", "%{nothing}", "%", f"%{{lookup('{key}')}}{{cert}}", f"%{{::lookup('{key}')}}",
            f"%{{lookup('{key}.0')}}", "%{::role}", f"%{{lookup('%{{cert}}')}}", f"%{{scope('role')}}", f"lookup('{key}')", f"%{{literal('%')}}%{{alias('{key}')}}", "%{", "}", f"%{{lookup(\"{key}\")}}",
        ]  # fmt: skip
        return json.dumps(self.rng.choice(texts))

    def hash(self):
        keys = self.rng.sample(("x", "y", "z", '"a/b"', '"%{role}"', "\"%{lookup('k2')}\"", '"--x"', '"k1"'), self.rng.randrange(5))
        return "{" + ", ".join(f"{key}: {self.value(1, self.scalar)}" for key in keys) + "}"

    def options(self):
        strategies = ("first", "unique", "hash", "deep", '{strategy: deep, knockout_prefix: "--"}', "{strategy: deep, sort_merged_arrays: true}", "{strategy: deep, merge_hash_arrays: true}", '"%{role}"')
        out = []
        names = [*self.root_keys, "'^k[12]$'", "'^k.*'", "'^.*[34]$'", "'^m1::.*'"]
        for name in self.rng.sample(names, self.rng.randrange(1, 4)):
            members = []
            if self.chance(0.8):
                members.append("merge: " + self.rng.choices(strategies, [2, 3, 3, 3, 2, 1, 1, 0.2])[0])
            if self.chance(0.1):
                members.append("convert_to: " + self.rng.choice(("String", "Array", "Integer", "Sensitive", "[Integer, 10]")))
            out.append(f"{name}: {{{', '.join(members)}}}")
        return "lookup_options: {" + ", ".join(out) + "}"

    def line(self, name):
        if name.endswith("hiera.yaml"):
            return self.rng.choice(("# note", "  - {name: more, path: common.yaml}", "  - {name: odd}", "defaults: {datadir: data2}"))
        if name.endswith(".json"):
            return '  "k1": 3,'
        if name.endswith(".conf"):
            return self.hocon()
        kind = self.rng.random()
        if kind < 0.06:
            return "# a comment"
        if kind < 0.16:
            return self.options()
        key = self.rng.choice(self.own_keys(name))
        return f"{key}: " + (self.hash() if key in ("k3", "k4") and self.chance(0.3) else self.typed(key, self.scalar))

    def hocon(self):
        """A line of HOCON: a definition of JSON, or of a member, or a substitution."""
        key = self.rng.choice(self.root_keys)
        if self.chance(0.15):
            return f"{key} = ${{?{self.rng.choice(self.root_keys)}}}"
        if self.chance(0.3):
            return f"{key}.{self.rng.choice('xyz')} = {self.rng.choice(('1', '[a, b]', '{x: 1}', 'true'))}"
        value = json.dumps(self.rng.choice((1, 2, "x", "a", ["a", "b"], ["y"], {"x": 1}, {"x": 1, "y": ["a"]}, {"y": ["a", "b"]}, "%{role}", True)))
        return f"{key} {self.rng.choice((':', '='))} {value}"

    def has_lines(self, name):
        return name.endswith(".yaml") and "/data/" in "/" + name

    def own_keys(self, name):
        return (*self.root_keys, "where") if self.chance(0.9) else ('"%{role}"', '"a/b"', "m1::a")

    def text(self, name):
        if name.endswith("hiera.yaml"):
            return self.config()
        if name.endswith(".conf"):
            return "\n".join(["# HOCON", *(self.hocon() for _ in range(self.rng.randrange(1, 6)))]) + "\n"
        if name.endswith(".json"):
            return json.dumps({key: self.rng.choice((1, "x", ["y"], {"x": "%{role}"}, "%{lookup('k2')}")) for key in self.rng.sample(self.root_keys, 2)}, indent=1) + "\n"
        keys, lines = set(), []
        for _ in range(self.rng.randrange(1, 8)):
            line = self.line(name)
            if line.split(":")[0] not in keys:
                keys.add(line.split(":")[0])
                lines.append(line)
        return "\n".join(lines) + "\n"

    def paths(self, files, subject):
        levels = self.configs.get(files.get("hiera.yaml"))
        if levels is None:
            return None
        facts = next(node for node in json.loads(files["nodes.json"]) if node["name"] == subject)["facts"]
        known = {"cert": facts["cert"], "role": facts["role"], "dc": facts["dc"], "facts.dc": facts["dc"], "os.family": facts["os"]["family"]}
        out = {"hiera.yaml"}

        def filled(path, **more):
            return "data/" + re.sub(r"%\{(.*?)\}", lambda found: {**known, **more}[found[1]], path)

        for kind, value in levels:
            if "lookup" in value:
                return None
            if kind == "mapped_paths":
                out |= {filled(value[2], t=tier) for tier in facts["tiers"]}
            elif kind.startswith("glob"):
                for pattern in [value] if kind == "glob" else value:
                    out |= {name for name in self.everything if fnmatch.fnmatchcase(name, filled(pattern)) and name.count("/") == filled(pattern).count("/")}
            else:
                out |= {filled(path) for path in ([value] if kind == "path" else value)}
        return out

    def reads_of(self, model, subject):
        if not self.all:
            return None
        self.everything = set(model.before) | set(model.after)
        out = set(self.host)
        for files, names in ((model.before, model.subjects_before), (model.after, model.subjects_after)):
            if subject in names:
                paths = self.paths(files, subject)
                if paths is None:
                    return None
                out |= paths
        return out


class HieraCode(Hiera):
    """Environments and modules."""

    def lay_out(self):
        self.root = self.rng.choice(("control", "code/environments/production"))
        self.data = f"{self.root}/data"
        if self.root == "control":
            self.verb = ["lookup", "--environment-root", "control"]
        else:
            self.verb = ["lookup", "--codedir", "code"]
            if self.chance(0.3):
                self.put("code/hiera.yaml", self.config().replace("{datadir: data,", "{datadir: gdata,"))
        if self.chance(0.9):
            self.put(f"{self.root}/hiera.yaml", self.config())
        self.places = [f"{self.root}/data"]
        for module in ("m1", "m2"):
            if self.chance(0.8):
                self.put(f"{self.root}/modules/{module}/hiera.yaml", self.module_config())
                self.places.append(f"{self.root}/modules/{module}/data")
        if self.chance(0.5):
            self.put(f"{self.root}/modules/m1/manifests/init.pp", "class m1 { }\n")
        if self.chance(0.3):
            self.put("code/data/common.yaml", self.text("common.yaml"))
        for _ in range(12):
            name = self.creatable()
            if "unread" not in name and "hiera.yaml" not in name:
                self.put(name, self.text(name))

    def module_config(self):
        text = self.config()
        if self.chance(0.4):
            text += "default_hierarchy:\n  - {name: fallback, path: fallback.yaml}\n"
        return text

    def creatable(self):
        if not hasattr(self, "places"):
            return "unread.yaml"
        self.data = self.rng.choice(self.places)
        if self.chance(0.06):
            return self.rng.choice((f"{self.root}/modules/m2/hiera.yaml", f"{self.root}/modules/m3/hiera.yaml", f"{self.root}/hiera.yaml", f"{self.root}/environment.conf"))
        return f"{self.data}/fallback.yaml" if self.chance(0.1) else super().creatable()

    def text(self, name):
        if name.endswith("environment.conf"):
            return self.rng.choice(("modulepath = modules\n", "modulepath = site:modules\n", "modulepath = other\n"))
        return super().text(name)

    def own_keys(self, name):
        if "/modules/" in name:
            module = re.search(r"/modules/(m\d)/", name)[1]
            return (f"{module}::a", f"{module}::b", f"{module}::c", "k1")
        return (*self.root_keys, "m1::a", "m2::b", "where")

    def scalar(self):
        text = super().scalar()
        return text if self.chance(0.6) else text.replace("k2", "m1::a").replace("k3", "m2::b")

    def paths(self, files, subject):
        return None


class Keys(Hiera):
    """Nodes that read no globs, and edits of data alone: the keys that can differ are known then, and no others are asked."""

    def question(self):
        self.all = True
        super().question()

    def config(self):
        text = "version: 5\nhierarchy:\n"
        levels = self.rng.sample([level for level in self.LEVELS if level[0] in ("path", "paths", "mapped_paths") and "lookup" not in level[1]], self.rng.randrange(2, 5))
        for i, (name, value) in enumerate(levels):
            backend = self.BACKENDS.get(str(value), "")
            text += f"  - {{name: l{i}, {name}: {json.dumps(value)}{backend}}}\n"
        self.configs[text.encode()] = levels
        return text

    def line(self, name):
        return self.options() if self.chance(0.2) and not name.endswith((".json", "hiera.yaml")) else super().line(name)

    def scalar(self):
        if self.chance(0.5):
            return super().scalar()
        key = self.rng.choice(self.root_keys)
        return json.dumps(self.rng.choice((f"%{{lookup('{key}')}}", f"%{{alias('{key}')}}", f"%{{alias('{key}.x')}}", f"%{{literal('%')}}{{alias('{key}')}}", "{role}", "%", f"%%{{lookup('{key}')}}")))

    def edited(self, files):
        out = dict(files)
        for _ in range(self.rng.choice((1, 1, 2))):
            if self.chance(0.5):
                self.edit_keys(out)
            else:
                data = {name: text for name, text in out.items() if name.startswith("data/")}
                self.edit_lines(data)
                out.update(data)
        return out


class OneNode(Hiera):
    """A node's own facts file."""

    against = "diff"

    def question(self):
        self.host = {"facts.json"}
        facts = json.loads(self.files.pop("nodes.json"))[0]["facts"]
        self.put("facts.json", json.dumps(facts) + "\n")
        super().question()
        self.verb = self.plain_verb = [*self.plain_verb, "--facts", "facts.json"]

    def edited_host(self, name, text):
        return (json.dumps(json.loads(self.node_list(["n1"]))[0]["facts"]) + "\n").encode()

    def subjects(self, files, program):
        return [""]

    def plain(self, files, subject):
        return self.verb, {}

    def items(self, result, subject):
        if result is None and not self.all:
            return
        if self.all:
            for key, value in (result or {}).items():
                yield key, "/" + key.replace("~", "~0").replace("/", "~1"), value
        else:
            yield self.key(), "", result

    def failed_item(self, message):
        found = re.match(r"[Ll]ookup of (?:key )?'(.*?)' failed", message)
        return found[1] if found and self.all else None

    def reads_of(self, model, subject):
        return None


class Eyaml(Hiera):
    """Secrets: never shown, but compared."""

    secrets = {}  # Encrypted -> as it is.

    def lay_out(self):
        base = ROOT / "examples/hiera"
        for name in ("private_key", "public_key"):
            self.put(f"keys/{name}.pkcs7.pem", (base / f"keys/{name}.pkcs7.pem").read_bytes())
        self.fixed = {"keys/private_key.pkcs7.pem", "keys/public_key.pkcs7.pem"}
        if not self.secrets:
            chance = self.rng.getstate()
            self.find_secrets(base)
            self.rng.setstate(chance)  # A case is the same, whatever ran before it.
        super().lay_out()
        self.names = ("k",)

    def find_secrets(self, base):
        text = (base / "environments/production/data/secrets.eyaml").read_text(encoding="utf-8")
        encrypted = re.findall(r"ENC\[PKCS7,[^]]+\]", text)
        for one in encrypted:
            files = {**self.files, "hiera.yaml": self.config().encode(), "data/common.yaml": f"k1: {one}\n".encode()}
            files["hiera.yaml"] = self.eyaml("version: 5\nhierarchy:\n  - {name: a, path: common.yaml}\n").encode()
            _, out, _ = self.program.plain(files, ["lookup", "--hiera-config", "hiera.yaml", "k1", "--output", "json"], {})
            self.secrets[one] = json.loads(out)

    @staticmethod
    def eyaml(text):
        keys = ", ".join(f"pkcs7_{name}: keys/{name}.pkcs7.pem" for name in ("private_key", "public_key"))
        lines = [line if "data_hash" in line or "- {" not in line else line[:-1] + f", lookup_key: eyaml_lookup_key, options: {{{keys}}}}}" for line in text.split("\n")]
        return "\n".join(lines).replace("defaults: {datadir: data, data_hash: yaml_data}\n", "")

    def config(self):
        text = super().config()
        levels = self.configs.pop(text.encode())
        text = self.eyaml(text)
        self.configs[text.encode()] = levels
        return text

    def scalar(self):
        return json.dumps(self.rng.choice(sorted(self.secrets))) if self.chance(0.35) and self.secrets else super().scalar()

    def reads_of(self, model, subject):
        return None

    def is_secret(self, text):
        return isinstance(text, str) and any(secret in text for secret in self.secrets.values())

    def hides(self, value):
        return isinstance(value, dict) and any(self.is_secret(key) for key in value)

    def shown(self, value):
        if self.hides(value):
            return "******"
        if isinstance(value, dict):
            return {key: self.shown(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.shown(item) for item in value]
        return "******" if self.is_secret(value) else value


class Grouped(Site):
    """One subject, or `--fleet FILE`."""

    def as_fleet(self, members):
        if members:
            self.members = members
            self.fleet_words = True
            self.fleet_options = ["--fleet", "fleet.json"]
            self.put("fleet.json", json.dumps([{"name": name, "args": args} for name, args in members.items()]))
            self.host.add("fleet.json")
        else:
            self.members = {"": []}

    def edited_host(self, name, text):
        return text

    def subjects(self, files, program):
        return list(self.members)

    def plain(self, files, subject):
        return [*self.verb, *self.members[subject]], {}

    def creatable(self):
        return self.rng.choice([name for name in self.files if name not in self.host] + ["unread.yaml"])


class Merge(Grouped):
    keys = ("runcmd", "packages", "users", "write_files", "ntp", "k1", "k2")

    def make(self):
        for name in ("p1.yaml", "p2.yaml", "p3.yaml"):
            self.put(name, self.text(name))
        self.verb = ["merge"]
        if self.chance(0.3):
            self.put("vendor.yaml", self.text("vendor.yaml"))
            self.verb += ["--vendor-data", "vendor.yaml"]
        if self.chance(0.3):
            self.put("cloud.cfg", self.text("cloud.cfg"))
            self.put("cloud.cfg.d/10.cfg", self.text("cloud.cfg"))
            self.verb += ["--base", "cloud.cfg"]
        if self.chance(0.3):
            self.verb += ["--strategy", "list(append)+dict(recurse_array)+str()"]
        if self.chance(0.4):
            self.as_fleet({"m1": ["p1.yaml", "p2.yaml"], "m2": ["p1.yaml", "p3.yaml"], "m3": ["p1.yaml", "p2.yaml"]})
        else:
            self.as_fleet(None)
            self.verb += ["p1.yaml", "p2.yaml", "p3.yaml"]

    def line(self, name):
        if self.chance(0.1):
            return self.rng.choice(("merge_how: 'list(append)+dict(recurse_list)+str(append)'", "merge_how: 'dict(replace)+list(prepend)'", "merge_type: 'dict(recurse_array)+list()'", "# note"))
        key = self.rng.choice(self.keys)
        return f"{key}: {self.typed({'runcmd': '2', 'packages': '2', 'users': '2', 'ntp': '3'}.get(key, key))}"

    def has_lines(self, name):
        return name not in self.host

    def text(self, name):
        keys, lines = set(), ["#cloud-config"]
        for _ in range(self.rng.randrange(1, 7)):
            line = self.line(name)
            if line.split(":")[0] not in keys:
                keys.add(line.split(":")[0])
                lines.append(line)
        return "\n".join(lines) + "\n"


class Render(Grouped):
    names = ("a/",)

    def make(self):
        self.put("site/00.yaml", self.policy())
        self.put("site/10-global.yaml", self.text("site/10-global.yaml"))
        self.put("site/20-type.yaml", self.text("site/20-type.yaml"))
        self.put("site/30-site.yaml", self.text("site/30-site.yaml"))
        self.put("extra/x.yaml", self.text("site/30-extra.yaml"))
        self.kept = {"extra/x.yaml"}  # Whether a folder stays when its last file goes is up to the tree.
        self.verb = ["render"]
        if self.chance(0.4):
            self.as_fleet({"s1": ["site"], "s2": ["site", "extra"], "s3": ["site/00.yaml", "site/10-global.yaml"]})
        else:
            self.as_fleet(None)
            self.verb += ["site"]

    @staticmethod
    def policy():
        return "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: layering-policy}\ndata:\n  layerOrder: [global, type, site]\n"

    def creatable(self):
        return self.rng.choice(("site/40-more.yaml", "site/sub/x.yaml", "site/20-type.yaml", "unread.yaml", "site/note.txt", "extra/y.yml"))

    def line(self, name):
        key = self.rng.choice(("d1", "d2", "d3", "d4", "d6"))
        return f"  {key}: {self.typed(key)}" if self.chance(0.9) else self.rng.choice(("# note", "---"))

    def document(self, layer, name):
        actions = ", ".join(
            "{method: %s, path: %s}" % (("merge", ".") if self.chance(0.8) else self.rng.choice((("replace", ".d2"), ("delete", ".d1"), ("merge", ".d3"), ("replace", "."))))
            for _ in range(self.rng.choice((1, 1, 2)))
        )
        above = {"global": (), "type": ("d1", "d2"), "site": ("d1", "d2", "t1", "t2")}[layer]
        if self.chance(0.02):
            above = ("d1", "s1")
        parent = f", parentSelector: {{is: {self.rng.choice(above)}}}, actions: [{actions}]" if above and self.chance(0.8) else ""
        abstract = ", abstract: true" if self.chance(0.15) else ""
        text = "schema: a/K/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: %s\n  storagePolicy: cleartext\n  labels: {is: %s}\n" % (name, name)
        text += f"  layeringDefinition: {{layer: {layer}{abstract}{parent}}}\n"
        if self.chance(0.3):
            text += "  substitutions:\n  - {src: {schema: a/K/v1, name: %s, path: .%s}, dest: {path: .%s}}\n" % (self.rng.choice(("d1", "d2")), self.rng.choice(("d1", "d2")), self.rng.choice(("s6", "d6")))
        return text + "data:\n" + "".join(f"  {key}: {self.typed(key)}\n" for key in sorted({"d1", "d2"} | set(self.rng.sample(("d3", "d4", "d6"), self.rng.randrange(4)))))

    def has_lines(self, name):
        return name not in self.host and name != "site/00.yaml"

    def text(self, name):
        if name == "site/00.yaml":
            return self.policy()
        layer = "global" if "global" in name else "type" if "type" in name else "site"
        prefix = {"global": "d", "type": "t", "site": "s"}[layer] + ("x" if "extra" in name else "m" if "more" in name else "")
        return "---\n".join(self.document(layer, f"{prefix}{i}") for i in range(1, self.rng.randrange(2, 4)))

    def items(self, result, subject):
        for i, document in enumerate(result if isinstance(result, list) else []):
            yield f"{document['schema']}/{document['metadata']['name']}", f"/{i}", document


class Compose(Grouped):

    def make(self):
        for name in ("e1.yaml", "e2.yaml", "e3.yaml"):
            self.put(name, self.text(name))
        self.verb = ["compose"]
        if self.chance(0.4):
            self.as_fleet({"a": ["-e", "e1.yaml", "-e", "e2.yaml"], "b": ["-e", "e1.yaml", "-e", "e3.yaml"], "c": ["-e", "e1.yaml", "-e", "e2.yaml"]})
        else:
            self.as_fleet(None)
            self.verb += ["-e", "e1.yaml", "-e", "e2.yaml", "-e", "e3.yaml"]
        if self.chance(0.3):
            self.verb += ["--parameter", "p1=5"]

    def line(self, name):
        key = self.rng.choice(("p1", "p2", "p3", "p4"))
        return f"  {key}: {self.typed(key)}" if self.chance(0.9) else "# note"

    def has_lines(self, name):
        return name not in self.host

    def text(self, name):
        out = []
        for section in ("parameters", "parameter_defaults"):
            if self.chance(0.8):
                out += [f"{section}:"] + [f"  {key}: {self.typed(key)}" for key in self.rng.sample(("p1", "p2", "p3", "p4"), self.rng.randrange(1, 4))]
        if self.chance(0.3):
            out += ["resource_registry:", f"  'A::{self.rng.choice('BC')}': 'OS::Nova::Server'"]
        if self.chance(0.5):
            strategies = self.rng.sample(("p1: deep_merge", "p2: merge", "p3: overwrite", "default: merge", "default: deep_merge"), self.rng.randrange(1, 3))
            if len([text for text in strategies if "default" in text]) < 2:
                out += ["parameter_merge_strategies: {" + ", ".join(strategies) + "}"]
        return "\n".join(out or ["{}"]) + "\n"


class Inventory(Site):
    against = "impact"
    names = ("p", "classes")

    def make(self):
        for name in ("n1", "n2", "n3"):
            self.put(f"nodes/{name}.yml", self.text(f"nodes/{name}.yml"))
        for name in ("c1", "c2", "c3", "d/init", "d/e"):
            self.put(f"classes/{name}.yml", self.text(f"classes/{name}.yml"))
        self.verb = ["inventory", "--nodes-dir", "nodes", "--classes-dir", "classes", "--all"]
        if self.chance(0.3):
            self.put("list.yaml", "[n1, n3, n2]\n")
            self.host = {"list.yaml"}
            self.verb = [*self.verb[:-1], "--nodes", "list.yaml"]

    def edited_host(self, name, text):
        names = ["n1", "n2", "n3", "n4"]
        self.rng.shuffle(names)
        return f"[{', '.join(names[: self.rng.randrange(1, 4)])}]\n".encode()

    def subjects(self, files, program):
        if self.host:
            return [name.strip() for name in files["list.yaml"].decode().strip("[]\n").split(",")]
        return sorted(name[len("nodes/") : -len(".yml")] for name in files if name.startswith("nodes/") and name.endswith(".yml"))

    def plain(self, files, subject):
        return [*self.verb[:5], subject], {}

    def items(self, result, subject):
        for name, value in (result or {}).items():
            if name != "parameters":
                yield name, "/" + name, value
                continue
            for key, member in value.items():
                yield f"parameters/{key}" if key in result else key, "/parameters/" + key.replace("~", "~0").replace("/", "~1"), member

    def creatable(self):
        return self.rng.choice(("nodes/n4.yml", "nodes/n2.yml", "classes/c4.yml", "classes/c1.yml", "unread.yml", "nodes/readme.txt"))

    def scalar(self):
        return self.word() if self.chance(0.8) else json.dumps(self.rng.choice(("${_reclass_:name:full}", "x${_reclass_:name:short}", "${_reclass_:environment}") if self.chance(0.7) else ("${p1}", "x${p2}", "${p3:x}", "${nothing}")))

    def line(self, name):
        if self.chance(0.1):
            return self.rng.choice(("# note", "environment: prod", "applications: [a, ~b]"))
        prefix = "~" if self.chance(0.15) else ""
        key = self.rng.choice(("p1", "p2", "p3", "p4", "p5")) if self.chance(0.97) else "classes"
        return f"  {prefix}{key}: {self.typed(key, self.scalar)}"

    def has_lines(self, name):
        return name not in self.host

    def text(self, name):
        lower = {"nodes": ["c1", "c2", "d", "d.e", "c3"], "c1": ["c3", "d.e"], "c2": ["c3"]}
        place = "nodes" if name.startswith("nodes") else pathlib.Path(name).stem
        out = []
        classes = lower.get(place, [])
        if classes and self.chance(0.8):
            out.append("classes: [" + ", ".join(self.rng.sample(classes, self.rng.randrange(1, len(classes) + 1))) + "]")
        if self.chance(0.3):
            out.append(f"applications: [{self.rng.choice('abc')}, {self.rng.choice(('d', '~a'))}]")
        out.append("parameters:")
        keys, lines = set(), []
        for _ in range(self.rng.randrange(1, 5)):
            line = self.line(name)
            if line.startswith("  ") and line.split(":")[0] not in keys:
                keys.add(line.split(":")[0])
                lines.append(line)
        return "\n".join(out + (lines or ["  p1: 1"])) + "\n"


class Inject(Site):
    against = "impact"
    names = ("n", "web")

    def make(self):
        base = ROOT / "examples/bindings"
        for path in sorted(base.rglob("*")):
            if path.is_file() and path.suffix in (".pp", ".yaml", ".json") and not path.relative_to(base).parts[0] == "enc":
                self.put(str(path.relative_to(base)), path.read_bytes())
        self.files["strata.yaml"] = b"\n".join(line for line in self.files["strata.yaml"].split(b"\n") if b"enc" not in line)
        nodes = []
        for name in [name for name in self.files if name.startswith("facts/")]:
            self.facts = self.files.pop(name)
            nodes.append({"name": pathlib.Path(name).stem, "facts": yaml.safe_load(self.facts)})
        self.put("nodes.json", json.dumps(nodes))
        self.host = {"nodes.json", "inventory.yaml"}
        self.plain_verb = ["inject", "--confdir", ".", "--inventory", "inventory.yaml", "--all"]
        self.verb = [*self.plain_verb, "--nodes", "nodes.json"]

    def edited_host(self, name, text):
        if name == "inventory.yaml":
            return text.replace(b"size: 1", b"size: 3") if b"size: 1" in text else text + b"# note\n"
        nodes = json.loads(text)
        if len(nodes) > 1 and self.chance(0.5):
            del nodes[self.rng.randrange(len(nodes))]
        else:
            nodes = [node for node in nodes if node["name"] != "new.example.com"] + [{"name": "new.example.com", "facts": {"role": "web"}}]
        return json.dumps(nodes).encode()

    def subjects(self, files, program):
        return [node["name"] for node in json.loads(files["nodes.json"])]

    def plain(self, files, subject):
        node = [node for node in json.loads(files["nodes.json"]) if node["name"] == subject]
        return [*self.plain_verb, "--nodes", "only.json"], {"only.json": json.dumps(node).encode()}

    def with_places(self, files, subject):
        facts = next(node["facts"] for node in json.loads(files["nodes.json"]) if node["name"] == subject)
        return [*self.plain_verb, "--node", subject, "--facts", "facts.json"], {"facts.json": json.dumps(facts).encode()}, f"/{subject}"

    def items(self, result, subject):
        if result and subject in result:
            yield "", f"/{subject}", result[subject]

    def line(self, name):
        return "# note" if self.chance(0.5) or not name.endswith(".pp") else "  bind 'n%d' to %d" % (self.rng.randrange(3), self.rng.randrange(3))

    def text(self, name):
        return self.files.get(name, b"# nothing\n").decode().replace("'green'", "'red'")


DIALECTS = {"lookup": Hiera, "lookup-keys": Keys, "lookup-code": HieraCode, "lookup-one": OneNode, "lookup-eyaml": Eyaml, "merge": Merge, "render": Render, "compose": Compose, "inventory": Inventory, "inject": Inject}
