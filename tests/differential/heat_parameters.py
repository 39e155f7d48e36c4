#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the companions of strata compose with Heat and its client.

    usage: heat_parameters.py STRATA --seed N --count N

Each case makes files at random and runs one of parameters, resolve-type, hooks, restricted-actions and bundle on them; the reference runs in this
process. Where the reference fails strata must fail, and say the same of a value that breaks a constraint. What differs by decision (texts of containers,
accidents of the reference) is not generated.
"""
import argparse
import itertools
import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import yaml

# A script beside this one has the name of the package.
sys.path = [folder for folder in sys.path if pathlib.Path(folder).resolve() != pathlib.Path(__file__).resolve().parent]
logging.disable(logging.CRITICAL)
from heat.common import environment_format, exception, template_format  # noqa: E402
from heat.engine import environment, support, template  # noqa: E402
from heatclient.common import template_utils, utils  # noqa: E402

WORDS = ["a", "b", "small", "large", "", "ab", "a b", "é", "7", "yes", "null", "a,b", "12", " 3 ", "1_0", "1e3", "0x1", "-4", "2.50", "[1]", "{}", "x: y"]
NUMBERS = [0, 1, 2, 3, 7, -4, 10, 1.5, 2.0, 1e20, 123456789012345678901234567890]
PATTERNS = ["[a-z]+", "a|ab", "[a-z]*", "\\d+", "^a.*$", "(?i)SMALL", ".", "é?"]
TYPES = ["string", "number", "json", "comma_delimited_list", "boolean"]
CFN_TYPES = {"string": "String", "number": "Number", "json": "Json", "comma_delimited_list": "CommaDelimitedList", "boolean": "Boolean"}
CFN_BOUNDS = {"range": ("MinValue", "MaxValue"), "length": ("MinLength", "MaxLength")}


class Plugin:
    support_status = support.SupportStatus()


class BuiltInTypes(environment.ResourceRegistry):
    """The operator's registry: every type that begins with OS:: is built in, as strata takes it."""

    def __init__(self):
        super().__init__(None, {})

    def iterable_by(self, resource_type, resource_name=None):
        if resource_type.startswith("OS::"):
            info = environment.ClassResourceInfo(self, [resource_type], Plugin)
            info.user_resource = False
            yield info


def text_of(random_source, data):
    return json.dumps(data) if random_source.random() < 0.3 else yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


class ParametersCase:
    def __init__(self, rnd):
        self.rnd = rnd
        self.is_cfn = rnd.random() < 0.25
        self.kinds = {name: rnd.choice(TYPES) for name in rnd.sample("abcd", rnd.randint(1, 3))}
        schemas = {name: self.schema(kind) for name, kind in self.kinds.items()}
        version = {"HeatTemplateFormatVersion": "2012-12-12"} if self.is_cfn else {"heat_template_version": rnd.choice(["2018-08-31", "pike", "2013-05-23"])}
        self.template = text_of(rnd, {**version, "Parameters" if self.is_cfn else "parameters": schemas})
        self.environment = {}
        for section in ("parameters", "parameter_defaults"):
            names = [name for name in schemas if rnd.random() < 0.7] + (["z"] if rnd.random() < 0.04 else [])
            self.environment[section] = {name: self.fitting(self.kinds.get(name)) for name in names}
        self.files = {"t.yaml": self.template, "e.yaml": text_of(rnd, self.environment)}
        self.argv = ["parameters", "-t", "t.yaml", "-e", "e.yaml"]

    def value(self):
        rnd = self.rnd
        kind = rnd.random()
        if kind < 0.45:
            return rnd.choice(WORDS)
        if kind < 0.7:
            return rnd.choice(NUMBERS)
        if kind < 0.8:
            return rnd.choice([True, False, None])
        if kind < 0.9:
            return [rnd.choice(WORDS + NUMBERS + [True, None]) for _ in range(rnd.randint(0, 3))]
        return {rnd.choice(WORDS): rnd.choice(WORDS + NUMBERS) for _ in range(rnd.randint(0, 3))}

    def fitting(self, kind):
        """Mostly a value that may be of the type."""
        rnd = self.rnd
        if kind is None or rnd.random() < 0.1:
            return self.value()
        item = [rnd.choice(WORDS + NUMBERS + [True, None]) for _ in range(rnd.randint(0, 3))]
        return rnd.choice({"string": [rnd.choice(WORDS), rnd.choice(WORDS), rnd.choice(NUMBERS), True],
                           "number": [rnd.choice(NUMBERS), rnd.choice(["12", " 3 ", "1_0", "1e3", "-4", "2.50"])],
                           "json": ["[1]", "{}", '{"k": ["é", 1.50]}', item, {"k": item, "l": 1}, ""],
                           "comma_delimited_list": [item, rnd.choice(WORDS)], "boolean": [True, False, "yes", " ON ", 1, 0, "f"]}[kind])

    def schema(self, kind):
        rnd = self.rnd
        schema = {"Type": CFN_TYPES[kind]} if self.is_cfn else {"type": kind}
        if rnd.random() < 0.5:
            schema["Default" if self.is_cfn else "default"] = self.fitting(kind)
        if rnd.random() < 0.1:
            schema["NoEcho" if self.is_cfn else "hidden"] = rnd.choice([True, "true", "no", False])
        constraints = [self.constraint(kind) for _ in range(rnd.choice([0, 0, 0, 0, 1, 1, 2]))]
        if self.is_cfn:
            for constraint in constraints:
                self.add_cfn(schema, constraint)
        elif constraints:
            schema["constraints"] = constraints
        return schema

    def constraint(self, kind):
        rnd = self.rnd
        fitting = {"string": ["length", "allowed_values", "allowed_pattern"], "number": ["range", "modulo", "allowed_values"], "json": ["length"],
                   "comma_delimited_list": ["length", "allowed_values"], "boolean": ["allowed_values"]}
        name = rnd.choice(fitting[kind] if rnd.random() < 0.93 else ["length", "range", "modulo", "allowed_values", "allowed_pattern"])
        low, high = sorted([rnd.randint(-2, 6), rnd.randint(-2, 12)])
        bounds = {key: rnd.choice([number, str(number)]) for key, number in (("min", low), ("max", high)) if rnd.random() < 0.7}
        made = {"length": bounds, "range": bounds, "modulo": {"step": rnd.choice([2, 3, -2, 0, "2"]), "offset": rnd.choice([0, 1, -1])},
                "allowed_values": rnd.sample(WORDS + NUMBERS + [True, False], rnd.randint(0, 5)), "allowed_pattern": rnd.choice(PATTERNS)}
        constraint = {name: made[name]}
        if rnd.random() < 0.1:
            constraint["description"] = "not that one"
        return constraint

    @staticmethod
    def add_cfn(schema, constraint):
        for name, (low, high) in CFN_BOUNDS.items():
            if name in constraint:
                schema.update({key: constraint[name][bound] for key, bound in ((low, "min"), (high, "max")) if bound in constraint[name]})
        if "allowed_values" in constraint:
            schema["AllowedValues"] = constraint["allowed_values"]
        if "allowed_pattern" in constraint:
            schema["AllowedPattern"] = constraint["allowed_pattern"]
        if "description" in constraint:
            schema["ConstraintDescription"] = constraint["description"]

    def reference(self, _folder):
        made = template.Template(template_format.parse(self.template))
        # As it reads the text: 1e+20 is a number in JSON, and text in YAML 1.1.
        sections = environment_format.parse(self.files["e.yaml"])
        given = made.parameters(None, sections["parameters"], param_defaults=sections["parameter_defaults"])
        given.validate()
        names = [name for name in given.params if name not in given.PSEUDO_PARAMETERS]
        if any(isinstance(given.params[name].value(), str) and str(given.params[name].user_value or given.params[name].default())[:1] in "[{"
               for name in names):
            raise Undecided
        result = {name: {"value": given[name], "text": str(given.params[name]), "hidden": bool(given.params[name].hidden())} for name in names}
        json.dumps(result, allow_nan=False)
        return result

    @staticmethod
    def message(error):
        """What strata must say, too: the constraints' words, unless they are the language's own."""
        text = str(error)
        own = ("Unrecognized value '{", "Unrecognized value '[", "int() argument", "object has no attribute", "Value must be valid JSON", "could not convert", "'<' not supported")
        if not isinstance(error, exception.StackValidationFailed) or any(word in text for word in own):
            return ""
        return text.rstrip(".")


class Undecided(Exception):
    """A case that strata answers otherwise on purpose."""


class RegistryCase:
    def __init__(self, rnd):
        self.rnd = rnd
        self.registry = {self.key(): self.target() for _ in range(rnd.randint(0, 6))}
        resources = {}
        for name in rnd.sample(["r1", "r*", "?1", "[!x]1", "o*", "outer", "*", "[a-", "[]1]", "in"], rnd.randint(0, 4)):
            resources[name] = self.resource(2)
        if rnd.random() < 0.8:
            self.registry["resources"] = resources
        self.files = {"e.yaml": text_of(rnd, {"resource_registry": self.registry})}
        self.question = rnd.choice(["resolve-type", "resolve-type", "hooks", "restricted-actions"])
        if self.question == "resolve-type":
            self.asked = rnd.choice(["My::A", "My::B", "My::AB", "M", "OS::A", "a.yaml", "Your::A", "My::*"])
            self.name = rnd.choice(["", "r1", "outer"])
            self.argv = ["resolve-type", self.asked, "-e", "e.yaml"] + (["--name", self.name] if self.name else [])
        else:
            self.asked = "/".join(rnd.choice(["r1", "x1", "outer", "o", "in", "]1", "a"]) for _ in range(rnd.randint(1, 3)))
            self.argv = [self.question, "--resource", self.asked, "-e", "e.yaml"]

    def key(self):
        return self.rnd.choice(["My::A", "My::B", "My::*", "M*", "My::A*", "Your::A", "Your::*", "OS::A", "OS::*", "*", "a.yaml", "b*"])

    def target(self):
        return self.rnd.choice(["My::A", "My::B", "My::*", "Your::A", "Your::*", "OS::A", "OS::B", "OS::*", "a.yaml", "x.template", "No::Such", "No*", "", "*"])

    def resource(self, depth):
        rnd = self.rnd
        made = {}
        if rnd.random() < 0.6:
            hooks = ["pre-create", "pre-update", "pre-delete", "post-create", "post-update", "post-delete"]
            made["hooks"] = rnd.choice([rnd.choice(hooks), rnd.sample(hooks, rnd.randint(0, 3))])
        if rnd.random() < 0.4:
            made["restricted_actions"] = rnd.choice(["update", "replace", ["update", "replace"], []])
        if rnd.random() < 0.5:
            made["My::A"] = self.target()
        if depth and rnd.random() < 0.6:
            for name in rnd.sample(["in", "i*", "*", "o", "x?"], rnd.randint(1, 2)):
                made[name] = self.resource(depth - 1)
        return made

    def reference(self, _folder):
        registry = environment.ResourceRegistry(BuiltInTypes(), {})
        registry.load(self.registry)
        if self.question == "resolve-type":
            info = registry.get_resource_info(self.asked, self.name or None)
            is_template = isinstance(info, environment.TemplateResourceInfo)
            return {"kind": "template" if is_template else "plugin", "value": info.template_name if is_template else info.name}
        *outer, name = self.asked.split("/")
        for level in outer:
            registry._registry["resources"] = {key: value for key, value in registry._registry["resources"].items() if isinstance(value, dict)}
            registry.remove_resources_except(level)
        resources = registry._registry["resources"]
        for key in [key for key, value in resources.items() if not isinstance(value, dict)]:
            del resources[key]  # Asking them is an accident.
        if self.question == "restricted-actions":
            return sorted(registry.get_rsrc_restricted_actions(name))
        return [hook for hook in environment.HOOK_TYPES if registry.matches_hook(name, hook)]

    @staticmethod
    def message(_error):
        return ""


class BundleCase:
    def __init__(self, rnd):
        self.rnd = rnd
        self.files = {}
        self.paths = ["n.yaml", "sub/m.yaml", "sub/deep/k.template", "my file.yaml", "data.txt", "sub/script.sh", "é.txt"]
        for index, path in enumerate(self.paths):
            later = self.paths[index + 1:]
            self.files[path] = self.template_text(path, later) if path.endswith((".yaml", ".template")) else rnd.choice(["plain\n", "", "é: [", "5\n"])
        self.names = rnd.sample(["a.yaml", "env/b.yaml", "c d.yaml"], rnd.randint(0, 3))
        for name in self.names:
            self.files[name] = text_of(rnd, self.environment(name))
        self.argv = ["bundle"] + [word for name in self.names for word in ("-e", name)]
        self.has_template = rnd.random() < 0.5
        self.argv += ["-t", "n.yaml"] if self.has_template else []
        self.parameters = [rnd.choice(["a=1", "a=2;b=3", "=x", "l=1", "c=d=e"]) for _ in range(rnd.choice([0, 0, 1, 2, 3]))]
        self.hooks = [rnd.choice(["web", "outer/in*", "/x/"]) for _ in range(rnd.choice([0, 0, 0, 1, 2]))]
        self.argv += [word for parameter in self.parameters for word in ("--parameter", parameter)]
        self.argv += [word for hook in self.hooks for word in ("--pre-create", hook)]

    def relative(self, path, other):
        return os.path.relpath(other, os.path.dirname(path) or ".")

    def template_text(self, path, later):
        rnd = self.rnd
        made = {"heat_template_version": "2018-08-31"} if rnd.random() < 0.9 else {}
        for name in "xy":
            if later and rnd.random() < 0.6:
                other = self.relative(path, rnd.choice(later))
                made.setdefault("resources", {})[name] = rnd.choice([{"type": other}, {"type": "OS::A", "properties": [{"get_file": other}, {"get_file": {"k": 1}}]}])
        return text_of(rnd, made)

    def environment(self, name):
        rnd = self.rnd
        made = {}
        if rnd.random() < 0.7:
            made["parameters"] = rnd.choice([None, {"a": self.value(2), "b": self.value(2)}, {"m": self.value(3)}])
        if rnd.random() < 0.7:
            registry = {f"My::{key}": rnd.choice(["OS::A", self.relative(name, rnd.choice(self.paths))]) for key in rnd.sample("ABCD", rnd.randint(0, 3))}
            if rnd.random() < 0.05:
                registry["My::Gone"] = rnd.choice(["gone.yaml", "Foo", ""])
            if rnd.random() < 0.3:
                registry["resources"] = {"r": {"My::T": self.relative(name, rnd.choice(self.paths)), "hooks": "pre-create"}, "s": {"deep": {"My::T": "not/there"}}}
            made["resource_registry"] = registry
        if rnd.random() < 0.2:
            made["parameter_merge_strategies"] = {"default": "merge"}
        return made

    def value(self, depth):
        rnd = self.rnd
        if depth and rnd.random() < 0.5:
            return {rnd.choice("ijk"): self.value(depth - 1) for _ in range(rnd.randint(0, 3))}
        return rnd.choice(WORDS + NUMBERS + [None, True, [], [1, "é"], {}])

    def reference(self, folder):
        before = os.getcwd()
        os.chdir(folder)
        try:
            result = {"parameters": utils.format_parameters(self.parameters)}
            files = {}
            if self.has_template:
                files, made = template_utils.process_template_path("n.yaml")
                result["template"] = made
            tracker = []
            more, merged = template_utils.process_multiple_environments_and_files(list(self.names), env_list_tracker=tracker)
            if self.hooks:
                if merged.get("resource_registry", {}) is None:
                    raise Undecided
                template_utils.hooks_to_env(merged, self.hooks, "pre-create")
            files.update(more)
            result["files"] = {url: text.decode() if isinstance(text, bytes) else text for url, text in files.items()}
            result["environment"] = merged
            if tracker:
                result["environment_files"] = tracker
            return json.loads(json.dumps(result))
        finally:
            os.chdir(before)

    @staticmethod
    def message(_error):
        return ""


def same(left, right):
    """Equal with the kinds of numbers and the order of keys."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(itertools.starmap(same, zip(left, right)))
    return type(left) is type(right) and left == right


def compare(program, case):
    """What differs, for a reader; None where nothing does."""
    with tempfile.TemporaryDirectory(prefix="strata-heat-") as folder:
        folder = os.path.realpath(folder)
        for name, text in case.files.items():
            target = pathlib.Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        done = subprocess.run([program, *case.argv], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode not in (0, 1):
            return f"exit status {done.returncode}\n{done.stderr}"
        try:
            expected = case.reference(folder)
        except Undecided:
            return None
        except (Exception, RecursionError) as error:  # noqa: BLE001: whatever it fails with
            if done.returncode == 0:
                return f"the reference fails: {type(error).__name__}: {error}\n{done.stdout}"
            if "******" not in done.stderr and case.message(error).lower() not in done.stderr.lower():
                return f"the reference says: {error}\n{done.stderr}"
            return None
        if done.returncode != 0:
            return f"the reference answers {json.dumps(expected)}\n{done.stderr}"
        actual = json.loads(done.stdout)
        return None if same(expected, actual) else f"expected {json.dumps(expected)}\nactual   {json.dumps(actual)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", choices=["parameters", "registry", "bundle"])
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    kinds = {"parameters": ParametersCase, "registry": RegistryCase, "bundle": BundleCase}
    failed = 0
    for number in range(options.count):
        rnd = random.Random(f"{options.seed}/{number}")
        kind = options.only or rnd.choice(list(kinds))
        case = kinds[kind](rnd)
        difference = compare(program, case)
        if difference is None:
            continue
        failed += 1
        print(f"case {number} of seed {options.seed}: strata {' '.join(case.argv)}")
        for name, text in case.files.items():
            print(f"--- {name}\n{text}")
        print(difference + "\n")
        if failed == 5:
            break
    print(f"{number + 1} cases, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
