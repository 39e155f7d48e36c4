#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata lookup` against `puppet lookup`, on random code directories.

usage: lookup.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--messages]

Needs Puppet 7.23 with hiera-eyaml, hocon and deep_merge; lookup_oracle.rb asks it in one process. With STRATA_OPENVOX=DIR, a
folder with the source of OpenVox 8, it compares with that. A case is a code directory, facts and some queries.
What is compared: the bytes of the value as JSON, YAML and s; whether a query is found, fails in the data or fails for good; the whole text of
--explain and --explain-options up to the message of a failure, and both as data. --messages counts the messages of failures that differ. Each
difference is shown with the seed of its case, shrunk; exit status 1 where there is one. Left out: what docs/hiera/fidelity.md says of lookups (`excuse`).
"""
import argparse
import base64
import collections
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

from lookup_cases import request

HERE = os.path.dirname(os.path.abspath(__file__))
OPENVOX = os.environ.get("STRATA_OPENVOX")
LIBRARIES = ["-I", os.path.join(OPENVOX, "lib")] if OPENVOX else []


class Oracle:
    def __init__(self):
        self.process = subprocess.Popen(["ruby", "-W0", *LIBRARIES, os.path.join(HERE, "lookup_oracle.rb")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, case, folder):
        config = case.get("hiera_config")
        ask = {"codedir": folder + "/code", "folder": folder, "facts": os.path.join(folder, facts_name(case)), "queries": case["queries"],
               "hiera_config": os.path.join(folder, config) if config else folder + "/code/hiera.yaml"}
        self.process.stdin.write(json.dumps(ask).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def facts_name(case):
    return case.get("facts_name", "facts.yaml")


def lay_out(case, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in {**case["files"], facts_name(case): case["facts"]}.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.replace("{root}", folder).encode())


def arguments(case, query):
    out = ["--compat", "openvox" if OPENVOX else "puppet7", "--codedir", "code", "--facts", facts_name(case), "--node", "node.example.org"]
    if case.get("hiera_config"):
        out += ["--hiera-config", case["hiera_config"]]
    for name, flag in (("merge", "--merge"), ("prefix", "--knock-out-prefix"), ("type", "--type"), ("default", "--default")):
        if query.get(name) is not None:
            out += ["%s=%s" % (flag, query[name])] if query[name] else [flag, ""]
    for name, flag in (("sort", "--sort-merged-arrays"), ("hashes", "--merge-hash-arrays")):
        if query.get(name):
            out.append(flag)
    return out


def strata(binary, case, query, folder, more):
    done = subprocess.run([binary, "lookup", *arguments(case, query), *more, "--", *query["keys"]], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    # Relative folders of version 3 are shown absolute.
    return done.returncode, done.stdout.replace(os.fsencode(folder) + b"/v3rel", b"v3rel"), done.stderr


def unpacked(text):
    return base64.b64decode(text)


def shown(data):
    return data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else data


class Loader(yaml.CSafeLoader):
    pass


Loader.add_constructor("!binary", yaml.SafeLoader.construct_yaml_binary)
Loader.add_constructor("!ruby/symbol", yaml.SafeLoader.construct_yaml_str)


HIDDEN_LOOKUPS = b'Interpolation on "******"'

SENSITIVE = b"!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive"


def unmasked(want, got):
    """strata's text with what the reference shows in place of secrets, where all else is the same."""
    mask = b"\"******\""
    if mask not in got:
        return got
    wanted, out, place = want.split(b"\n"), [], 0
    for line in got.split(b"\n"):
        theirs = wanted[place] if place < len(wanted) else b""
        place += 1
        if mask not in line:
            out.append(line)
            continue
        parts = list(map(re.escape, line.split(mask)))
        # The reference shows interpolated strings as they are.
        inside = b"\".*\"" if b"Interpolation on" in line else b"(?:\"(?:[^\"\\\\]|\\\\.)*\"|nil|null|true|false|[-0-9.e+]+|\\[\\]|\\{\\})"
        if re.fullmatch(inside.join(parts), theirs):
            out.append(theirs)
            continue
        # A list or hash of several lines that is masked as a whole.
        opened = re.fullmatch(b"(.*)([\\[{])", theirs)
        if opened and line.startswith(opened.group(1) + mask):
            indent = re.match(b" *", theirs).group()
            closing = indent + {b"[": b"]", b"{": b"}"}[opened.group(2)] + line[len(opened.group(1) + mask):]
            if closing in wanted[place:]:
                end = wanted.index(closing, place) + 1
                out += wanted[place - 1:end]
                place = end
                continue
        out.append(line)
    return b"\n".join(out)


def first_difference(want, got):
    want, got = shown(want).split("\n"), shown(got).split("\n")
    for line, (a, b) in enumerate(zip(want + [None], got + [None])):
        if a != b:
            lines = ["    " + text for text in want[max(0, line - 6):line]]
            lines += ["  - " + text for text in want[line:line + 5]] + ["  + " + text for text in got[line:line + 5]]
            return "\n".join(lines)
    return ""


# ---- what is known ---------------------------------------------------------------------------------------------------------------------------------

def excuse(case, query, kind, want, status, got, told):
    """What docs/hiera/fidelity.md says of this difference, where it is meant. `want` is the reference's answer, `told` strata's standard error."""
    refused = re.search(rb"the conversion to (\w+) is not supported", got + told)
    if refused:
        return "no conversion to " + refused.group(1).decode()
    if isinstance(want, dict) and "error" in want:
        message = unpacked(want["message"])
        if want["error"] in ("stack", "crash"):
            return "the reference dies"
        if OPENVOX and kind.startswith("explain") and b"Undefined variable" in message:
            return "an unknown variable is explained"
        if b"config_version command" in message:
            return "strata runs no config_version command"
        if b"mapped_vars.empty?" in message:
            return "mapped_paths over a number"
        crash = re.match(rb"(NoMethodError|TypeError|LoadError|RegexpError|NameError|FloatDomainError)", message)
        if re.search(rb"of the merge has wrong type, entry '.*' variant \d entry 'convert_to' .* got Type", message):
            # It puts the type in place of its name, into the options that it merges later.
            return "the reference changes lookup_options"
        if b"k.start_with?(module_prefix)" in message:
            return "a module's root key that is no text"
        if b"facts.yaml): Tried to load unspecified class: Symbol" in message:
            return "symbols in facts"
        if b"as a key of a hash becomes" in got + told:
            return "alias in a key"
        if b"all lookup_options keys must be text" in got + told:
            return "lookup_options with keys that are no text"
        if crash and (kind.startswith("explain") or status == 1):
            return "the reference fails with a Ruby error"
        return None
    if kind == "yaml" and status == 0 and SENSITIVE in unpacked(want["yaml"]):
        # Its JSON says what it is, and YAML shows the secret.
        return "Sensitive in YAML" if yaml.load(got, Loader) == json.loads(unpacked(want["json"])) else None
    if status == 1 and b"as a key of a hash becomes" in told:
        return "alias in a key"
    if kind.startswith("explain") and status == 0:
        if b"as a key of a hash becomes" in got:
            return "alias in a key"
    return None


# ---- comparing -------------------------------------------------------------------------------------------------------------------------------------

def compare_value(binary, case, query, folder, want, see):
    for kind in ("json", "yaml", "s"):
        status, out, told = strata(binary, case, query, folder, ["--render-as", kind])
        problem = None
        failed = want if "error" in want else want[kind] if isinstance(want[kind], dict) else None
        if failed is not None:
            if status != 1:
                message = failed.get("failed") or failed.get("message")
                problem = "the reference fails: %s\n  strata gives: %s" % (shown(unpacked(message)), shown(out))
        elif status != 0:
            problem = "the reference gives %s  strata fails: %s" % (shown(unpacked(want[kind])), shown(told))
        elif out != unpacked(want[kind]):
            problem = "\n  - %s  + %s" % (shown(unpacked(want[kind])), shown(out))
        if status not in (0, 1):
            problem = "exit status %d: %s" % (status, shown(told))
        if problem and not see(excuse(case, query, kind, want, status, out, told)):
            return kind, problem
    return None


def explain_flags(kind):
    return {"data": ["--explain"], "options": ["--explain-options"], "both": ["--explain", "--explain-options"]}[kind]


def compare_explanation(binary, case, query, folder, name, want, see, messages):
    problem = difference_of_explanation(binary, case, query, folder, name, want, see, messages)
    if problem and "told" in want and difference_of_explanation(binary, case, query, folder, name, want["told"], see, messages) is None:
        see("values that changed after they were told")
        return None
    return problem


def difference_of_explanation(binary, case, query, folder, name, want, see, messages):
    status, out, told = strata(binary, case, query, folder, explain_flags(name))
    kind = "explain " + name
    problem = None
    same_message = True
    if status not in (0, 1):
        problem = "exit status %d: %s" % (status, shown(told))
    elif "error" in want:
        if status == 0:
            problem = "the reference fails for good: %s\n  strata explains: %s" % (shown(unpacked(want["message"])), shown(out)[-600:])
        else:
            messages[("fatal", masked(shown(unpacked(want["message"])), folder), masked(shown(told).split("\n")[0], folder))] += 1
    elif status != 0:
        problem = "the reference explains: ...%s  strata fails for good: %s" % (shown(unpacked(want["s"]))[-300:], shown(told))
    else:
        text = unpacked(want["s"])
        # The reference reports the lookups of a decrypted string, and with them its contents.
        hides_lookups = HIDDEN_LOOKUPS in out
        out = unmasked(text, out)
        if want["failed"]:
            message = unpacked(want["message"])
            body = text[:-1 - len(message.rstrip(b"\n"))] if text.rstrip(b"\n").endswith(message.rstrip(b"\n")) else text
            if not out.startswith(body) or len(out) == len(body):
                problem = first_difference(text, out)
            elif out != text:
                same_message = False
                messages[("lookup", masked(shown(message), folder), masked(shown(out[len(body):].rstrip()), folder))] += 1
        elif out != text:
            problem = first_difference(text, out)
        if hides_lookups and (problem or name in query.get("data", [])):
            see("what a secret interpolates is not told")
            return None
    if problem:
        return None if see(excuse(case, query, kind, want, status, out, told)) else (kind, "\n" + problem)
    if status == 0 and same_message and name in query.get("data", []):
        for form in ("json", "yaml"):
            status, out, told = strata(binary, case, query, folder, explain_flags(name) + ["--render-as", form])
            if isinstance(want[form], dict):
                if status == 0:
                    return kind + " as " + form, "the reference fails: " + shown(unpacked(want[form]["failed"]))
                continue
            text = unpacked(want[form])
            if status == 0:
                # Psych writes anchors; lines for unmasked.
                try:
                    text, out = (json.dumps(yaml.load(data, Loader) if form == "yaml" else json.loads(data), indent=1, ensure_ascii=False, default=repr).encode() for data in (text, out))
                except (yaml.YAMLError, TypeError, ValueError):
                    continue
            out = unmasked(text, out)
            if status != 0 or text != out and not see(excuse(case, query, kind, want, status, out, told)):
                return kind + " as " + form, shown(told) + first_difference(text.replace(b',"', b',\n"'), out.replace(b',"', b',\n"'))
    return None


def masked(text, folder):
    return text.replace(folder, "{root}")


class Comparison:
    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = folder
        self.oracle = Oracle()
        self.messages = collections.Counter()
        self.verdicts = collections.Counter()

    def see(self, reason):
        if reason:
            self.verdicts["excused: " + reason] += 1
        return reason is not None

    def difference(self, case):
        """None, or (index of the query, what, details)."""
        lay_out(case, self.folder)
        answers = self.oracle.ask(case, self.folder)
        if isinstance(answers, dict):
            if answers["error"] == "crash":
                return None
            answers = [{"value": answers, "explain": {kind: answers for kind in query["explain"]}} for query in case["queries"]]
        for index, (query, answer) in enumerate(zip(case["queries"], answers)):
            self.verdicts[answer["value"].get("error", "found")] += 1
            problem = compare_value(self.binary, case, query, self.folder, answer["value"], self.see)
            for name, want in answer["explain"].items():
                if problem:
                    break
                problem = compare_explanation(self.binary, case, query, self.folder, name, want, self.see, self.messages)
            if problem:
                return (index, *problem)
        return None


# ---- shrinking -------------------------------------------------------------------------------------------------------------------------------------

def smaller(case):
    if len(case["queries"]) > 1:
        for query in case["queries"]:
            yield {**case, "queries": [query]}
    for index, query in enumerate(case["queries"]):
        for name in list(query):
            if name not in ("keys", "explain", "data"):
                yield {**case, "queries": [*case["queries"][:index], {key: item for key, item in query.items() if key != name}, *case["queries"][index + 1:]]}
        for key in query["keys"]:
            if len(query["keys"]) > 1:
                yield {**case, "queries": [*case["queries"][:index], {**query, "keys": [key]}, *case["queries"][index + 1:]]}
    for name in case["files"]:
        yield {**case, "files": {key: data for key, data in case["files"].items() if key != name}}
    for name, content in case["files"].items():
        if isinstance(content, bytes):
            continue
        lines = content.split("\n")
        for index in range(len(lines)):
            yield {**case, "files": {**case["files"], name: "\n".join(lines[:index] + lines[index + 1:])}}
    lines = case["facts"].split("\n")
    for index in range(len(lines) - 1):
        yield {**case, "facts": "\n".join(lines[:index] + lines[index + 1:])}


def shrink(comparison, case, problem):
    end = time.monotonic() + 8
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in smaller(case):
            if time.monotonic() > end:
                break
            try:
                found = comparison.difference(candidate)
            except subprocess.TimeoutExpired:
                continue
            if found and found[1] == problem[1] and found[2][:18] == problem[2][:18]:
                case = candidate
                progress = True
                break
    return case


def describe(case):
    out = []
    for name, content in case["files"].items():
        out.append("  %s:\n%s" % (name, "\n".join("    " + line for line in shown(content).rstrip().split("\n"))))
    return "\n".join(out) + "\n  facts: %s\n  queries: %s" % (case["facts"].strip().replace("\n", "; "), case["queries"])


def work(task):
    binary, seed, first, last, most, shrinks = task
    differences = 0
    with tempfile.TemporaryDirectory(prefix="lookup") as folder:
        folder = os.path.realpath(folder)
        comparison = Comparison(binary, os.path.join(folder, "c"))
        for number in range(first, last):
            case_seed = seed * 1_000_000 + number
            case = request(case_seed)
            problem = comparison.difference(case)
            if problem is None:
                continue
            differences += 1
            messages, verdicts = comparison.messages.copy(), comparison.verdicts.copy()
            if shrinks:
                case = shrink(comparison, case, problem)
                problem = comparison.difference(case) or problem
            comparison.messages, comparison.verdicts = messages, verdicts
            print("case %d: query %d, %s: %s\n%s\n" % (case_seed, problem[0], problem[1], problem[2], describe(case) if shrinks else ""), flush=True)
            if differences >= most:
                break
        comparison.oracle.close()
    return differences, number + 1 - first, comparison.messages, comparison.verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most", type=int, default=10, help="differences to show, a job")
    parser.add_argument("--messages", action="store_true")
    parser.add_argument("--whole", action="store_true", help="show differences alone: no case, none shrunk")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    share = -(-options.count // options.jobs)
    tasks = [(binary, options.seed, start, min(start + share, options.count), options.most, not options.whole) for start in range(0, options.count, share)]
    if len(tasks) == 1:
        results = [work(tasks[0])]
    else:
        with multiprocessing.Pool(options.jobs) as pool:
            results = pool.map(work, tasks)
    messages, verdicts = collections.Counter(), collections.Counter()
    for result in results:
        messages.update(result[2])
        verdicts.update(result[3])
    if options.messages:
        for (kind, theirs, ours), times in messages.most_common():
            print("%4d %s\n  - %s\n  + %s" % (times, kind, theirs, ours))
    differences = sum(result[0] for result in results)
    print("seed %d: %d cases, %d differences; queries: %s" % (options.seed, sum(result[1] for result in results), differences,
                                                           ", ".join("%d %s" % (times, name) for name, times in verdicts.most_common())))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
