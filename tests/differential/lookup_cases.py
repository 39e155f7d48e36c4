# SPDX-License-Identifier: Apache-2.0
"""Random code directories, facts and queries for lookup.py."""
import json
import os
import random
import re
import subprocess
import zlib

import yaml

from long_scalars import is_long, long_scalar

KEYS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "hiera", "eyaml")


class Raw(str):
    """A scalar that YAML gets as it is written."""


RAW = ["~", "null", "yes", "No", "true", "1_000", "010", "0x1F", "1.0", "1.10", ".5", "1e3", "1.5e+3", "1.0e-05", "1.0e+20", "12:30", "1.2.3", "''", "nil", "0", "-3", "7",
       "100000000000000000000", "2024-01", "'2024-01-01'", "'12'", "'yes'", "'~'", "':s'", "!!str 5", "'@a'", "'<<'", "'1:30'", "'- x'", "'a: b'", "'#x'"]
TEXTS = ["", "x", "y", "a b", "é☃", "web", "1", "true", "a\nb", "a\nb\n", "tab\tx", "--x", "--a", "--", "-x", "it's", "\"q\"", "%", "%%", "100%", "\\n", "null", "U\u00a0V", "\U0001f600", "x" * 90,
         "word " * 20, "#{x}", "$x", " lead", "trail ", "\u0001"[0:0] + "k: v", "[a]", "{a}", "key", "a", "b", "c"]
ITEMS = ["a", "b", "c", "d", "--a", "--b", "a", "b", "x", "y", "--", 1, 2, "1", 1.0, True, None, "10", "9"]
MEMBERS = ["a", "b", "c", "p", "q", "r s", "x.y", "", "1", "--a", "Z"]
FACTS = """role: web
num: 5
flag: false
empty: ''
nothing: ~
float: 1.0
pct: '%{role}'
deep: {a: [x, {b: y}], '1': one, 2: two, 'x.y': dotted, e: {}, n: ~}
os: {family: Debian, release: {major: '12', minor: 5}, tags: [k, l]}
list: [one, two]
svc: {list: [s1, s2], one: s1, none: ~, empty: []}
env: stage
Big-Name: big
self: "%{self}"
"""


def style(text):
    """A number that says how a text is written: the same in each run."""
    return zlib.crc32(text.encode()) % 10


def flow(value):
    """A value as YAML in one line."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join("%s: %s" % (flow(key), flow(item)) for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        if style(value) < 3 and re.fullmatch("[A-Za-z][A-Za-z0-9 _-]*[A-Za-z0-9]", value):
            return value
        if style(value) < 6 and value.isprintable():
            return "'%s'" % value.replace("'", "''")
    return json.dumps(value, ensure_ascii=False)


def indented(text):
    return text.replace("\n", "\n  ")


def block_text(text):
    """A text as a literal or folded block, where it can be one."""
    body = text.rstrip("\n")
    if not body or body[0] in " \n" or style(text) > 3 or not body.replace("\n", "").isprintable():
        return None
    chomp = "-" if len(text) == len(body) else "" if len(text) == len(body) + 1 else "+"
    return (">" if style(text) == 0 else "|") + chomp + indented("\n" + text.rstrip("\n") + "\n" * max(0, len(text) - len(body) - 1))


def below(value, depth):
    """What stands behind a key or dash: one line, or a break and lines."""
    if isinstance(value, str) and not isinstance(value, Raw) and depth > 0:
        return " " + (block_text(value) or flow(value))
    if depth == 0 or not value or not isinstance(value, (list, dict)):
        return " " + flow(value)
    if isinstance(value, list):
        return "\n" + "\n".join("-" + item_below(item, depth - 1) for item in value)
    return indented("\n" + "\n".join(block(":s" if name == "!ruby/symbol s" else name, item, depth - 1) for name, item in value.items()))


def item_below(item, depth):
    text = below(item, depth)
    if text.startswith("\n"):
        # A mapping begins on the dash's own line; a list is indented.
        text = indented(text) if isinstance(item, list) else text
        return " " + text.lstrip("\n ")
    return text


def block(key, value, depth):
    """A member as YAML in lines, as far as the depth goes."""
    key = key if key.isidentifier() and key not in ("y", "n") or isinstance(key, Raw) or key == ":s" else flow(key)
    return key + ":" + below(value, depth)


def hocon(value, depth=0):
    """A value as HOCON, where it need not be JSON."""
    if isinstance(value, dict):
        between = ("\n" if depth < 2 else ", ")
        members = between.join("%s %s %s" % (key if style(key) < 5 and re.fullmatch("[a-z]+", key) else json.dumps(key, ensure_ascii=False), ":="[style(key) % 2], hocon(item, depth + 1))
                               for key, item in value.items())
        return members if depth == 0 else "{" + members + "}"
    if isinstance(value, list):
        return "[" + ", ".join(hocon(item, depth + 1) for item in value) + "]"
    if isinstance(value, str) and style(value) < 5 and re.fullmatch("[a-z]+( [a-z]+)*", value):
        return value
    return json.dumps(value, ensure_ascii=False)


def plain(value):
    """Without what JSON lacks."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def has_raw_key(value):
    if isinstance(value, dict):
        return any(isinstance(key, Raw) or has_raw_key(item) for key, item in value.items())
    return isinstance(value, list) and any(map(has_raw_key, value))


def encrypted(plains):
    out = {}
    for text in plains:
        done = subprocess.run(["openssl", "cms", "-encrypt", "-aes-256-cbc", "-outform", "DER", "-binary", os.path.join(KEYS, "certificate.pem")], input=text.encode(), stdout=subprocess.PIPE,
                              check=True)
        import base64
        out[text] = base64.b64encode(done.stdout).decode()
    return out


SECRETS = ["geheim", "42", "%{role}", "two\nlines\n", "%{lookup('f')}", "", "é"]
_secrets = {}


def secret(rng):
    if not _secrets:
        _secrets.update(encrypted(SECRETS))
    pick = rng.random()
    if pick < 0.04:
        return rng.choice(["ENC[PKCS7,AAAA]", "ENC[NOPE,abcd]", "ENC[PKCS7,%%%]", "ENC[GPG,AAAA]"])
    text = rng.choice(SECRETS)
    payload = _secrets[text]
    if pick < 0.1:
        return rng.choice(["ENC[PKCS7,unclosed", "DEC(1)::PKCS7[x]!", "ENC", "ENC[]"])
    block = rng.choice(["ENC[PKCS7,%s]", "ENC[PKCS7,%s]", "ENC[PKCS7,%s]", "ENC[%s]", "ENC[pkcs7,%s]"]) % payload
    return rng.choice([block, block, block, "user:" + block + "@h", block + block, block + "\n", "%{role}" + block if "\n" not in text else block])


PLAIN_KEYS = ["a", "b", "c", "d", "e", "f", "g", "h"]
ODD_KEYS = ["x.y", "a b", "::k", "Up", "é", "1"]
# Spellings of a module path in environment.conf, some of which Puppet refuses.
CONF_FORMS = ("[main]\nmodulepath = %s\n", "modulepath=%s\nmodulepath = elsewhere\n", "[other]\nmodulepath = %s\n", "# a = b\n\n\tmodulepath\t=\t%s  \r\n",
              "modulepath = '%s'\n", "modulepath = \"%s\n", "modulepath = %s {mode = 644}\n", "modulepath = %s {owner = a, group = b,}\n", "modulepath = %s {size = 1}\n",
              "modulepath = %s {mode = x}\n", "modulepath : %s\n", "\ufeffmodulepath = %s\n", "x y = 1\nmodulepath = %s\n", "config_version = {a\nmodulepath = %s\n",
              "config_version = {a}\nmodulepath = %s\n", "[main]\nmanifest = m\n[other]\n[main]\nmodulepath = %s\n", "[a b]\nmodulepath = %s\n", "; note\nmodulepath = %s\n")

MODULE_KEYS = ["m::a", "m::b", "m::c", "m::x::d", "n::a", "n::b"]
ALL_KEYS = PLAIN_KEYS + MODULE_KEYS


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.files = {}
        rng = self.rng
        # How odd a case is: most are tame, so that they succeed.
        self.odd = rng.choice([0, 0, 0, 0.01, 0.03, 0.1])
        # What kind of value each key has in every file, mostly.
        self.kinds = {key: rng.choice(["list", "list", "hash", "hash", "hash", "scalar", "any"]) for key in ALL_KEYS + ODD_KEYS}
        self.interpolates = rng.choice([0, 0.1, 0.3, 0.5])

    def oddly(self, times=1.0):
        return self.rng.random() < self.odd * times

    # -- values

    def expression(self, key):
        rng = self.rng
        later = [name for name in ALL_KEYS if ALL_KEYS.index(name) > (ALL_KEYS.index(key) if key in ALL_KEYS else -1)] or ["nope"]
        if rng.random() < 0.03:
            later = ALL_KEYS
        other = rng.choice(later)
        if rng.random() < 0.2:
            other = rng.choice([other + ".a", other + ".0", other + ".b", other + ".p.q", "nope", "nope.a", "\"x.y\"", "'x.y'", "a b", "zip::a", "lookup_options", "lookup_options.a", "m::nope", "::k", other + ".p.q.0",
                                other + ".'x.y'", "'%s'.a" % other, " %s " % other, "Up", "é", "1", other + ".1.a"])
        variable = rng.choice(["role", "role", "num", "flag", "empty", "nothing", "float", "pct", "os.family", "os.release.major", "os.tags.1", "facts.'os'.family", "'os'.family", "deep.'x.y'", "facts.\"Big-Name\"", "::trusted.certname", "facts.list.0", "os.release", "::os.tags", "facts.role", "facts.os.tags", "::role", "deep.a.1.b", "deep",
                               "deep.2", "deep.\"1\"", "deep.\"x.y\"", "deep.n", "environment", "trusted.certname", "trusted", "list", "list.5", "nope", "nope.x", "Big-Name", "trusted.extensions",
                               "server_facts", "facts.nope", "::facts.os.family", "deep.zip.a", "os.tags.-1", "nothing.x", "list.a", "role.x", "num.x", "module_name", "calling_module"]
                              [:None if rng.random() < 0.1 or self.oddly(10) else -7])
        quote = "\"" if "'" in other else "'"
        choices = ["%%{%s}" % variable] * 5 + ["%%{lookup(%s%s%s)}" % (quote, other, quote)] * 5
        choices += ["%%{hiera(%s%s%s)}" % (quote, other, quote), "%%{scope('%s')}" % variable.replace("'", ""), "%%{ %s }" % variable, "%{literal('%')}", "%{literal('%{role')}", "%{}", "%{::}", "%{''}", "%%{}{role}",
                    "%{literal('x')}", "%%%{num}", "%%{lookup(\"%s\")}" % other.replace("\"", "'"), "%%{::%s}" % variable.lstrip(":")]
        if self.oddly(5):
            choices = ["%{nomethod('x')}", "%{lookup(o)}", "%{lookup('')}", "%{lookup ('f')}", "%{unclosed", "%{a%{role}}b", "x%{alias('f')}", "%{role.a.b}", "%{'a}", "%{a..b}", "%{.a}", "%{lookup('a.')}",
                       "%{lookup('f')x}", "%{ lookup('f') }", "%{self}", "%{pct.x}", "%%{lookup('%s')}" % key, "%{lookup(' f ')}", "%{literal('')}", "%{foo(1)}", "%{\"\"}", "%{x-y}", "%{a b}", "%{lookup('f', 'g')}",
                       "%{Lookup('f')}", "%{flag.x}", "%{float.x}", "%{num.x}", "%{list.a}"]
        return rng.choice(choices)

    def text(self, key):
        rng = self.rng
        if is_long(rng):
            return long_scalar(rng)
        if rng.random() >= self.interpolates:
            return rng.choice(TEXTS)
        pick = rng.random()
        if pick < 0.2:
            later = [name for name in ALL_KEYS if ALL_KEYS.index(name) > (ALL_KEYS.index(key) if key in ALL_KEYS else -1)] or ["nope"]
            other = rng.choice(later) + rng.choice(["", "", "", ".a", ".0", ".nope"])
            return rng.choice(["%{alias('KEY')}", "%{alias(\"KEY\")}", "%{ alias('KEY') }"]).replace("KEY", rng.choice([other, other, other, "nope", "e", "a b", "x.y"]))
        return "".join(rng.choice([self.expression(key), self.expression(key), rng.choice(TEXTS)[:5]]) for _ in range(rng.choice([1, 1, 2, 3])))

    def scalar(self, key):
        rng = self.rng
        pick = rng.random()
        if pick < 0.3:
            return Raw(rng.choice(RAW))
        if pick < 0.5:
            return rng.choice([None, True, False, 0, 1, -2, 3.5, 2])
        if self.oddly():
            return Raw(rng.choice([":sym", "2024-01-01", "!foo x", ".inf", "!!binary aGk=", "*nope", "{a: b", "!ruby/object:X {}", "\"\\x01\"", "08", "1e400"]))
        return self.text(key)

    def mapping_key(self, key):
        rng = self.rng
        if rng.random() < 0.04:
            return Raw(rng.choice(["5", "1", "7.5", "!ruby/symbol s", "-1"]))
        if self.oddly(2):
            return Raw(rng.choice(["true", "~", "[1]", "\"%{role}\"", "\"%{alias('e')}\"", "\"%{num}\"", "<<"]))
        if rng.random() < 0.04:
            return rng.choice(["%{role}", "k%{num}", "%{nope}", "%{lookup('h')}"])
        return rng.choice(MEMBERS)

    def value(self, key, kind=None, depth=3):
        rng = self.rng
        kind = kind or rng.choice(["list", "hash", "scalar", "scalar"])
        if kind == "any":
            kind = rng.choice(["list", "hash", "scalar"])
        if kind == "scalar" or depth == 0:
            return self.scalar(key)
        size = rng.choice([0, 1, 2, 2, 3, 3, 4])
        if kind == "list":
            pick = rng.random()
            if pick < 0.55:
                return [rng.choice(ITEMS[:11] if rng.random() < 0.9 else ITEMS) for _ in range(size)]
            if pick < 0.7:
                return [self.value(key, "hash", 1) for _ in range(size)]
            return [self.value(key, None, depth - 1) for _ in range(size)]
        return {self.mapping_key(key): self.value(key, None, depth - 1) for _ in range(size)}

    def root_value(self, key):
        kind = self.kinds.get(key, "any")
        if self.rng.random() < 0.08:
            kind = "any"
        return self.value(key, kind)

    # -- lookup_options

    def merge(self):
        rng = self.rng
        if self.oddly(3):
            return rng.choice(["no", 5, [], {}, {"strategy": "zip"}, {"strategy": "deep", "knockout_prefix": 5}, {"strategy": "hash", "sort_merged_arrays": True}, {"knockout_prefix": "--"}, "", True,
                               {"strategy": "deep", "zip": 1}, {"strategy": "deep", "knockout_prefix": ""}, {"strategy": "deep", "knockout_prefix": "["}, {"strategy": "unconstrained_deep"},
                               {"strategy": "reverse_deep"}, "reverse_deep", "unconstrained_deep", {"strategy": "deep", "merge_debug": True}, {"strategy": None}, "default", "Deep", "first"])
        pick = rng.random()
        if pick < 0.5:
            return rng.choice(["deep", "deep", "deep", "hash", "unique", "unique", "first"])
        if pick < 0.55:
            return None
        if pick < 0.65:
            return {"strategy": rng.choice(["first", "unique", "hash"])}
        out = {"strategy": "deep"}
        for name, values in (("knockout_prefix", ["--", "--", "--", "-", None, "x"]), ("sort_merged_arrays", [True, True, False, None]), ("merge_hash_arrays", [True, True, False])):
            if rng.random() < 0.5:
                out[name] = rng.choice(values)
        items = list(out.items())
        rng.shuffle(items)
        return dict(items)

    def conversion(self):
        rng = self.rng
        if self.oddly(3):
            return rng.choice(["Nope", "Integer[", "", 5, [], [5], {}, ["Integer", "x"], "Any", "Data", "Optional[String]", None, ["Array", 5], "Timestamp", "Variant[String, Integer]", "String[100]"])
        return rng.choice(["String", "String", "Array", ["Array", True], ["Array", True], "Boolean", "Integer", ["Integer", 10], "Float", "Numeric", "Hash", ["String", "%s"], ["String", "%p"],
                           "Array[String]", ["Array[Any]", True], "Sensitive", "Sensitive[String]", "Optional[Integer]", "Integer[1, 50]", "Hash[String, Any]", ["Hash", "hash_tree"], "Array[Integer]",
                           ["Integer", 16], ["Integer", 10, True], ["Float", True], ["Boolean"], ["String", "%#p"], ["String", {"Array": {"format": "%(a", "separator": "; "}}], ["String", "%x"], ["String", "%5s"],
                           "Tuple[String, String]", "Struct[{a => Any, Optional[b] => Any}]", "Variant[Array, String]", "NotUndef", "Regexp", "SemVer", "Binary", "Enum[web, x]", "Array[Any, 0, 3]", "Numeric",
                           ["Array", False], "String[1]", "Boolean", "Timespan", "Scalar", "Undef", "URI"])

    def options_for(self, names):
        rng = self.rng
        out = {}
        for _ in range(rng.choice([1, 1, 2, 3, 4])):
            key = rng.choice(names)
            if rng.random() < 0.3:
                key = rng.choice(["^" + key, "^" + key[:-1], "^[ab]$", "^.*$", "^(a|c)", "^\\w$", "^(?!a)", "^(?i)A", "^" + key + "$", "^" + key[:-1] + "[a-c]"])
            if self.oddly(0.5):
                key = rng.choice(["^(", "^[", "a.b", "", "\"a\"", "%{role}", "^%{lookup('a')}", Raw("5"), "^m", "x.y", "^\\p{Alpha}"])
            entry = {}
            if rng.random() < 0.8:
                entry["merge"] = self.merge()
            if rng.random() < 0.2:
                entry["convert_to"] = self.conversion()
            if self.oddly():
                entry = rng.choice([None, "deep", [], 5, {"zip": 1}, {"merge": "%{role}"}])
            out[key] = entry
        if self.oddly(0.5):
            return rng.choice([None, [], "x", 5, {}])
        return out

    # -- files

    def document(self, names, foreign=()):
        rng = self.rng
        out = {}
        for key in names:
            if rng.random() < 0.55:
                out[key] = self.root_value(key)
        for key in foreign:
            if rng.random() < 0.03:
                out[key] = self.root_value(key)
        if rng.random() < 0.4:
            own = rng.random() < 0.93
            out["lookup_options"] = self.options_for(names if own or not foreign else ALL_KEYS)
        items = list(out.items())
        rng.shuffle(items)
        return dict(items)

    def data_file(self, path, names, foreign=(), eyaml=False):
        rng = self.rng
        document = self.document(names, foreign)
        if self.oddly(1.5):
            self.files[path] = rng.choice(["", "[]\n", "a: [\n", "a: 2024-01-01\n", "--- 5\n", b"\xffa: 1\n", "a: 1\nb: : 2\n", "~\n", "{\"a\": 1,}", "a: &x [*x]\n", "'", "a = ${nope}"])
            return
        if path.endswith(".json"):
            self.files[path] = json.dumps(plain(document), ensure_ascii=False, indent=rng.choice([None, 1]))
            if rng.random() < 0.1:
                self.files[path] = "/* c */ " + self.files[path] + " // d\n"
        elif path.endswith(".conf"):
            self.files[path] = json.dumps(plain(document), ensure_ascii=False) if rng.random() < 0.5 else "# c\n" + hocon(plain(document)) + "\n"
        else:
            if eyaml:
                for key in list(document):
                    if key == "lookup_options" or rng.random() < 0.5:
                        continue
                    pick = rng.random()
                    document[key] = secret(rng) if pick < 0.5 else {"a": secret(rng), "b": document[key]} if pick < 0.8 else [secret(rng), "a", document[key]]
            lines = [block(key, item, rng.choice([0, 0, 1, 2, 3, 4])) for key, item in document.items()]
            if rng.random() < 0.15 and len(document) > 1:
                self.share(lines, document)
            if self.oddly(0.5):
                lines.append(rng.choice([":sym: 1", "5: a", "true: b", "~: c", "<<: {a: 1, b: [x]}", "a: &x {a: 1}\nb: *x\nc: {<<: *x, b: 2}", "a: |\n  text\n  %{role}\nb: >\n  folded\n  text"]))
            head = rng.choice(["---\n", "", "# comment\n", "%YAML 1.1\n---\n" if rng.random() < 0.1 else ""])
            self.files[path] = head + "\n".join(lines) + rng.choice(["\n"] * 9 + ["\n---\na: 2\n"])
            if rng.random() < 0.03:
                self.files[path] = self.files[path].replace("\n", "\r\n")

    def share(self, lines, document):
        """Anchors, aliases and merge keys between the members of a document."""
        keys = list(document)
        first, second = sorted(self.rng.sample(range(len(keys)), 2))
        if "lookup_options" in (keys[first], keys[second]):
            return
        shared = document[keys[first]]
        lines[first] = block(keys[first], Raw("&x " + flow(shared)), 0)
        whole = isinstance(shared, dict) and self.rng.random() < 0.6
        lines[second] = block(keys[second], Raw(self.rng.choice(["{<<: *x, a: 1}", "{a: 1, <<: *x}", "{b: *x, <<: [*x, {a: 5, z: 1}]}"]) if whole else self.rng.choice(["*x", "[*x, b]", "{a: *x}"])), 0)

    PATHS = {  # template -> files that it may name
        "common.yaml": ["common.yaml"], "role/%{role}.yaml": ["role/web.yaml"], "os/%{facts.os.family}.yaml": ["os/Debian.yaml"], "x%{nope}.yaml": ["x.yaml"],
        "os/%{facts.'os'.family}.yaml": ["os/Debian.yaml"], "%{::facts.role}/%{::role}.yaml": ["web/web.yaml"], "%{facts.os.release.minor}-%{float}.yaml": ["5-1.0.yaml"], "%{}common.yaml": ["common.yaml"],
        "%{deep.'x.y'}.yaml": ["dotted.yaml"], "role/%{ role }.yaml": ["role/web.yaml"], "%{environment}.yaml": ["production.yaml"], "é/%{role}.yaml": ["é/web.yaml"],
        "nodes/%{trusted.certname}.yaml": [], "%{::env}.yaml": ["stage.yaml"], "missing.yaml": [], "%{nope}.yaml": [".yaml"], "more/%{os.tags.0}.yaml": ["more/k.yaml"], "n%{num}.yaml": ["n5.yaml"],
    }
    GLOBS = {"*.yaml": ["common.yaml", "b.yaml"], "g/**/*.yaml": ["g/a.yaml", "g/a/1.yaml", "g/z.yaml"], "g/{b,a}.yaml": ["g/a.yaml", "g/b.yaml"], "role/%{role}*.yaml": ["role/web.yaml", "role/web2.yaml"],
             "q?.yaml": ["q1.yaml", "q2.yaml"], "[k-m].yaml": ["l.yaml"], "none/*.yaml": []}
    MAPPED = [(["svc.list", "i", "svc/%{i}.yaml"], ["svc/s1.yaml", "svc/s2.yaml"]), (["facts.svc.one", "i", "svc/%{i}.yaml"], ["svc/s1.yaml"]), (["nope", "i", "svc/%{i}.yaml"], []),
              (["list", "role", "svc/%{role}-%{num}.yaml"], ["svc/one-5.yaml", "svc/two-5.yaml"]), (["svc.none", "i", "%{i}.yaml"], []), (["svc.empty", "i", "%{i}.yaml"], []),
              (["os.release", "i", "x%{i}.yaml"], []), (["empty", "i", "%{i}.yaml"], [])]

    def location(self, base, names, foreign, extension=".yaml", eyaml=False):
        """Location keys for an entry, with their files made."""
        rng = self.rng

        def make(files):
            for name in files:
                if rng.random() < 0.85:
                    path = os.path.normpath(os.path.join(base, name.replace(".yaml", extension)))
                    if path not in self.files:
                        self.data_file(path, names, foreign, eyaml)

        def templates(table, count):
            picks = rng.sample(list(table), count)
            for pick in picks:
                make(table[pick])
            return [pick.replace(".yaml", extension) for pick in picks]
        kind = rng.choice(["path", "path", "path", "paths", "paths", "paths", "glob", "globs", "mapped_paths"])
        if kind == "mapped_paths":
            spec, files = rng.choice(self.MAPPED)
            make(files)
            return {kind: [text.replace(".yaml", extension) for text in spec]}
        if kind == "path":
            return {kind: templates(self.PATHS, 1)[0]}
        if kind == "paths":
            return {kind: templates(self.PATHS, rng.choice([1, 2, 2, 3]))}
        if kind == "glob":
            return {kind: templates(self.GLOBS, 1)[0]}
        return {kind: templates(self.GLOBS, rng.choice([1, 2]))}

    def eyaml_options(self):
        out = {"pkcs7_private_key": os.path.realpath(os.path.join(KEYS, "private_key.pem")), "pkcs7_public_key": os.path.realpath(os.path.join(KEYS, "certificate.pem"))}
        if self.oddly(2):
            out["pkcs7_private_key"] = self.rng.choice(["/nonexistent", os.path.realpath(os.path.join(KEYS, "other_private_key.pem"))])
        return out

    def entry(self, root, name, names, foreign, default_datadir, default_function):
        rng = self.rng
        out = {"name": name}
        datadir = default_datadir
        if rng.random() < 0.15:
            datadir, folder = rng.choice([("other", "other"), ("{root}/abs", None), ("../shared", "../shared"), ("d-%{env}", "d-stage"), ("./data/", "data"), ("data//", "data"), ("%{nope}data", "data"),
                                          ("data/../data2", "data2")])
            out["datadir"] = datadir
            base = "abs" if folder is None else os.path.join(root, folder)
            self.files.setdefault(os.path.join(root, "data", "kept"), "")
        else:
            base = os.path.join(root, datadir)
        function = rng.choice(["yaml_data"] * 6 + ["json_data", "hocon_data", "eyaml_lookup_key"])
        if function == default_function and rng.random() < 0.8:
            pass
        elif default_function is None or function != default_function:
            out["lookup_key" if function == "eyaml_lookup_key" else "data_hash"] = function
        extension = {"yaml_data": ".yaml", "json_data": ".json", "hocon_data": ".conf", "eyaml_lookup_key": ".eyaml"}[function]
        if function == "eyaml_lookup_key":
            out["options"] = self.eyaml_options()
        if rng.random() < 0.005 + self.odd / 10:
            out["uri" if rng.random() < 0.5 else "uris"] = rng.choice(["http://x/%{role}", "u"]) if "uri" in out else ["http://x/%{role}", "u"]
        else:
            out.update(self.location(base, names, foreign, extension, function == "eyaml_lookup_key"))
        items = list(out.items())
        rng.shuffle(items)
        out = dict(items)
        if self.oddly(0.7):
            out.update(rng.choice([{"zip": 1}, {"path": ""}, {"paths": []}, {"options": {"x": 1}}, {"data_hash": "nope"}, {"lookup_key": "zip"}, {"name": ""}, {"path": "%{lookup('a')}"}, {"datadir": ""}, {"path": "%{role.x}"},
                                   {"hiera3_backend": "yaml"}, {"options": {"path": "x"}}, {"path": 5}, {"name": 5}, {"options": {"1x": 2}}, {"mapped_paths": ["a"]}, {"glob": "{"}, {"path": "."}, {"options": {}},
                                   {"data_dig": "x"}, {"uri": "x"}]))
        return out

    def version5(self, root, names, foreign=(), module=False):
        rng = self.rng
        if rng.random() < 0.08:
            for name in ["common.yaml"]:
                self.data_file(os.path.join(root, "data", name), names, foreign)
            return rng.choice([{"version": 5}, {"version": 5, "hierarchy": None}, {"version": 5, "defaults": None}])
        config = {"version": 5}
        datadir, function = "data", "yaml_data"
        if rng.random() < 0.4:
            defaults = {}
            pick = rng.random()
            if pick < 0.6:
                datadir = rng.choice(["data", "hieradata", "data", "d-%{env}"])
                defaults["datadir"] = datadir
                datadir = datadir.replace("%{env}", "stage")
            function = rng.choice(["yaml_data", "yaml_data", "yaml_data", "json_data", None])
            if function:
                defaults["data_hash"] = function
            config["defaults"] = defaults
            if not defaults and rng.random() < 0.9:
                del config["defaults"]
                function = "yaml_data"
            if self.oddly():
                defaults.update(rng.choice([{"path": "x"}, {"lookup_key": "x"}, {"options": {"x": "%{role}"}}, {"zip": 1}, {"options": {}}]))
        entry_names = ["Nodes", "Per %{role}", "x", "y", "Common", "z"]
        hierarchy = [self.entry(root, entry_names[i], names, foreign, datadir, function) for i in range(rng.choice([1, 2, 2, 3, 3, 4]))]
        if rng.random() < 0.03:
            hierarchy = []
        config["hierarchy"] = hierarchy
        if module and rng.random() < 0.4:
            config["default_hierarchy"] = [self.entry(root, "D%d" % i, names, foreign, "defaults", function) for i in range(rng.choice([1, 2]))]
        if self.oddly(0.7):
            config.update(rng.choice([{"version": 2}, {"version": "5"}, {"zip": 1}, {"default_hierarchy": []}, {"hierarchy": "x"}, {"hierarchy": [{}]}, {"version": 3}, {"version": 4}, {"plan_hierarchy": []},
                                      {"hierarchy": hierarchy * 2}, {"defaults": []}, {"version": None}]))
        items = list(config.items())
        if rng.random() < 0.3:
            rng.shuffle(items)
        return dict(items)

    def version4(self, root, names, foreign=()):
        rng = self.rng
        config = {"version": 4}
        datadir = "data"
        if rng.random() < 0.3:
            datadir = config["datadir"] = rng.choice(["data", "old"])
        hierarchy = []
        for index in range(rng.choice([1, 2, 3])):
            backend = rng.choice(["yaml", "yaml", "yaml", "json", "hocon"])
            extension = {"yaml": ".yaml", "json": ".json", "hocon": ".conf"}[backend]
            entry = {"name": ["first", "role/%{role}", "last"][index], "backend": backend}
            pick = rng.random()
            files = [entry["name"].replace("%{role}", "web")]
            if pick < 0.4:
                entry["path"] = rng.choice(["common", "role/%{role}", "x" + extension])
                files = [entry["path"].replace("%{role}", "web").replace(extension, "")]
            elif pick < 0.7:
                entry["paths"] = ["common", "os/%{os.family}"]
                files = ["common", "os/Debian"]
            for name in files:
                path = os.path.join(root, datadir, name + extension)
                if path not in self.files and rng.random() < 0.85:
                    self.data_file(path, names, foreign)
            hierarchy.append(entry)
        if rng.random() < 0.85:
            config["hierarchy"] = hierarchy
        else:
            self.data_file(os.path.join(root, datadir, "common.yaml"), names, foreign)
        return config

    def version3(self, names):
        rng = self.rng
        backends = rng.choice([["yaml"], ["yaml"], ["yaml", "json"], ["json", "yaml"], "yaml", ["hocon"], ["eyaml"]])
        config = {}
        if backends != ["yaml"] or rng.random() < 0.5:
            config[":backends"] = backends
        folder = "code/environments/production/hieradata"
        for backend in [backends] if isinstance(backends, str) else backends:
            settings = {}
            base = folder
            if rng.random() < 0.8:
                settings[":datadir"] = rng.choice(["{root}/v3", "{root}/v3", "v3rel", "{root}/v3-%{env}"])
                base = settings[":datadir"].replace("{root}/", "").replace("%{env}", "stage")
            extension = {"yaml": "yaml", "json": "json", "hocon": "conf", "eyaml": "eyaml"}[backend]
            if rng.random() < 0.15:
                extension = settings[":extension"] = "yml" if backend != "json" else "jsn"
            if backend == "eyaml":
                settings.update({":" + key: item for key, item in self.eyaml_options().items()})
            if settings:
                config[":" + backend] = settings
            for name in ["common", "role/web", "os/Debian", "role/", "nodes/x"]:
                if rng.random() < 0.7:
                    self.data_file(os.path.join(base, name + "." + extension), names, (), backend == "eyaml")
        if rng.random() < 0.8:
            config[":hierarchy"] = rng.choice([["role/%{role}", "common"], ["os/%{os.family}", "role/%{::role}", "common"], "common", ["role/%{nope}", "common"], ["common.yaml"], [], ["role/%{calling_module}", "common"]])
        if rng.random() < 0.2:
            config[":merge_behavior"] = rng.choice(["native", "deep", "deeper"])
        if rng.random() < 0.1:
            config[":logger"] = "console"
        if self.oddly():
            config[rng.choice(["zip", ":zip", "version"])] = rng.choice([1, 3, "3"])
        return config

    def config_text(self, config):
        rng = self.rng

        def key_text(key):
            return key if key.startswith(":") else flow(key)

        def nested(value):
            if isinstance(value, dict):
                return "{" + ", ".join("%s: %s" % (key_text(key), nested(item)) for key, item in value.items()) + "}"
            return "[" + ", ".join(map(nested, value)) + "]" if isinstance(value, list) else flow(value)
        lines = []
        for key, item in config.items():
            if isinstance(item, dict) and key.startswith(":"):
                lines.append("%s:" % key)
                lines += ["  %s: %s" % (name, nested(one)) for name, one in item.items()]
            elif isinstance(item, list) and item and rng.random() < 0.8:
                lines.append("%s:" % key)
                lines += ["  - " + nested(one) for one in item]
            else:
                lines.append("%s: %s" % (key, nested(item)))
        if config.get("version") == 5 and rng.random() < 0.05:
            lines = [":" + line if re.match("[a-z_]+:", line) else line for line in lines]
        if self.oddly(0.3):
            lines = rng.choice([["a: ["], [""], ["- x"], ["version: 5", "a: 2024-01-01"], ["~"]])
        return "\n".join(lines) + "\n"

    def layers(self):
        rng = self.rng
        case = {}
        environment = "code/environments/production"
        self.files[environment + "/environment.conf"] = ""
        # The global layer.
        pick = rng.random()
        root = "code"
        if rng.random() < 0.15:
            case["hiera_config"] = rng.choice(["glob/h.yaml", "glob/h.yaml", "nothing.yaml"])
            root = "glob"
        path = case.get("hiera_config", "code/hiera.yaml")
        if path != "nothing.yaml":
            if pick < 0.45:
                self.files[path] = self.config_text(self.version5(root, PLAIN_KEYS + MODULE_KEYS[:2] + ODD_KEYS))
            elif pick < 0.57:
                self.files[path] = self.config_text(self.version3(PLAIN_KEYS + MODULE_KEYS[:2]))
            elif pick < 0.58:
                self.files[path] = self.config_text(self.version4(root, PLAIN_KEYS))
        # The environment.
        pick = rng.random()
        names = ALL_KEYS + ODD_KEYS
        if pick < 0.82:
            self.files[environment + "/hiera.yaml"] = self.config_text(self.version5(environment, names))
        elif pick < 0.89:
            self.files[environment + "/hiera.yaml"] = self.config_text(self.version4(environment, names))
        elif pick < 0.91:
            self.files[environment + "/hiera.yaml"] = self.config_text(self.version3(names))
        # Modules.
        modules = environment + "/modules"
        if rng.random() < 0.2:
            setting, modules = rng.choice([("site:modules", environment + "/site"), ("site", environment + "/site"), ("{root}/mods:modules", "mods"), ("../mods:$basemodulepath", "code/environments/mods"),
                                           ("$basemodulepath", "code/modules"), ("nope:$basemodulepath", "code/modules"), ("s*te:modules", environment + "/site"), ("[a-s]ite", environment + "/site"),
                                           ("$codedir/environments/$environment/site:modules", environment + "/modules"), ("$environmentpath/../modules", "code/modules"),
                                           ("$nope/site:site", environment + "/site"), ("${codedir}/modules", "code/modules"), ("site::modules:", environment + "/site"),
                                           ("", environment + "/modules"), ("true", environment + "/modules"), ("./site//", environment + "/site"), ("$codedir/m*", "code/modules")])
            self.files[environment + "/environment.conf"] = rng.choice(CONF_FORMS) % setting if rng.random() < 0.4 else "modulepath = %s\n" % setting
        elif rng.random() < 0.2:
            modules = "code/modules"
        for module in ("m", "n"):
            names = [key for key in MODULE_KEYS if key.startswith(module + "::")]
            root = modules + "/" + module
            pick = rng.random()
            if pick < 0.7:
                self.files[root + "/hiera.yaml"] = self.config_text(self.version5(root, names, PLAIN_KEYS[:2], True))
            elif pick < 0.78:
                self.files[root + "/hiera.yaml"] = self.config_text(self.version4(root, names, PLAIN_KEYS[:2]))
            elif pick < 0.8:
                self.files[root + "/hiera.yaml"] = self.config_text(self.version3(names))
            elif pick < 0.9:
                self.files[root + "/metadata.txt"] = ""
        return case

    def facts(self):
        rng = self.rng
        lines = FACTS.strip().split("\n")
        if rng.random() < 0.2:
            lines += ["hostname: node", "domain: example.org", "fqdn: node.example.org", "clientcert: node.example.org"]
        if rng.random() < 0.1:
            rng.shuffle(lines)
        if self.oddly():
            lines.append(rng.choice(["environment: zip", "name: x", "trusted: {a: b}", "facts: x", "role: [a, b]", "os: text", "svc: x", "module_name: m", "5: x", ":sym: x", "hostname: x", "env: ''", "env: {a: b}",
                                     "server_facts: x", "undef: x"]))
        return "\n".join(lines) + "\n"

    def key(self):
        rng = self.rng
        pick = rng.random()
        key = rng.choice(ALL_KEYS)
        if pick < 0.6:
            return key
        if pick < 0.8:
            return key + rng.choice([".a", ".b", ".0", ".1", ".a.b", ".p", ".a.0", ".5", ".\"x.y\"", ".'r s'", ".x.y", ".'1'", ".-1", ".a.p.q", ".p.a.b", ".\"\"", ".''", ".é", ".'--a'", ".q.1", ".Z", ".r s", ".0.a", ".1.b.0"])
        if pick < 0.9:
            return rng.choice(["\"x.y\"", "'x.y'", "x.y", "a b", "::k", "Up", "é", "nope", "nope.a", "zip::a", "m::nope", "m::nope.a", "n::nope", "1", "'a'.b", "\"m::a\".a", " a . b "])
        if pick < 0.92 or self.oddly(5):
            return rng.choice(["", "a.", ".a", "a..b", "'a", "a'b", "\"\"", "lookup_options", "lookup_options.a", "a.''", "'lookup_options'", "lookup_optionsx", "a.:1", "a.+1", "a.01", "m::", "::", "a\"b\"", "a. b", "__global__"])
        return key

    def query(self):
        rng = self.rng
        out = {"keys": [self.key() for _ in range(rng.choice([1, 1, 1, 1, 1, 2, 3]))], "explain": ["data"]}
        pick = rng.random()
        if pick < 0.35:
            out["merge"] = rng.choice(["deep", "deep", "deep", "hash", "unique", "unique", "first"])
            if out["merge"] == "deep" and rng.random() < 0.6:
                for name, values in (("prefix", ["--", "--", "-", "x", "."] + ["", "["] * (self.odd > 0.02)), ("sort", [True]), ("hashes", [True])):
                    if rng.random() < 0.5:
                        out[name] = rng.choice(values)
        if rng.random() < 0.1:
            out["type"] = rng.choice(["String", "Array", "Hash", "Any", "Integer", "Array[String]", "Hash[String, Any]", "Variant[Array, Hash]", "Optional[String]", "Boolean", "Scalar", "Undef", "Numeric",
                                      "Collection", "NotUndef", "String[1]", "Enum[x, y]", "Pattern[/a/]", "Integer[1,5]", "Array[Variant[String, Integer], 1]", "Nope[", "Tuple[String]",
                                      "Struct[{a => Any}]", "Float", "Hash[String, Variant[String, Array]]", "Array[Array]", "Struct[{Optional[a] => Integer, b => Any}]", "Sensitive", "Hash[Pattern[/^[a-z]/], Any]",
                                      "Tuple[Any, Any]", "Tuple[String, 1, 3]", "Array[Any, 2]", "Hash[Any, Any, 1, 2]", "Enum[web, b, true]", "Boolean[true]", "Regexp", "Optional[Hash]", "Array[Enum[a, b, c, d]]",
                                      "Integer[0, default]", "Default", "Sensitive[String]", "Variant[Undef, Integer]", "NotUndef[Array]", "Pattern[/^w/, /x/]", "String[2, 5]", "Array[Hash[String, Any]]",
                                      "Hash[Integer, Any]", "Iterable", "Collection[1, 2]", "Type", "ScalarData", "Callable"])
        if rng.random() < 0.1:
            out["default"] = rng.choice(["", "dflt", "5", "%{role}", "true"])
        if rng.random() < 0.25:
            out["explain"] += rng.choice([["options"], ["both"], ["options", "both"]])
        if rng.random() < 0.2:
            out["data"] = [rng.choice(out["explain"])]
        return out


def request(seed, queries=6):
    maker = Maker(seed)
    case = maker.layers()
    case["files"] = maker.files
    case["facts"] = maker.facts()
    pick = maker.rng.random()
    if pick < 0.15:
        try:
            case["facts"] = json.dumps(yaml.safe_load(case["facts"]), ensure_ascii=maker.rng.random() < 0.5)
            case["facts_name"] = "facts.json" if pick < 0.1 else "facts"
        except (yaml.YAMLError, TypeError):
            pass
    elif pick < 0.2:
        case["facts_name"] = maker.rng.choice(["facts.yml", "facts.txt"])
    case["queries"] = [maker.query() for _ in range(queries)]
    return case
