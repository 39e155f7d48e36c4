#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Run the conformance vectors against the program.

    tests/run_vectors.py PROGRAM FILE|FOLDER ... [--commands merge,lookup] [--name TEXT] [--all] [--jobs N] [--timeout SECONDS] [--list]

A file of vectors is a JSON array of cases. A case has

    name, about         what it is called, and the rule that it pins
    files               path -> text, or {"b64": text}: placed in an empty folder, in which the program runs;
    files_base64        path -> text: the same for bytes
    argv, stdin, env    how the program is run
    expect.exit         the exit status (0 where it is not given), or "nonzero" for any failure but a crash; no case may end by a signal
                        or with 70, which says "this is a bug in strata"
    expect.value        what standard output is as JSON; kinds count (1, 1.0, true and "1" differ), and with `ordered` the order of keys
    expect.yaml         what standard output is as a stream of YAML documents
    expect.stdout       what standard output is, exactly
    expect.error        words (one text) or phrases (a list) that standard error names, in any case; `warn` is the same beside a result,
                        and `"warn": []` means that standard error is empty
    expect.error_at     which errors standard error reports, all of them in their order: {"code", "file", "line", "column"}, or a list of such;
                        file, line and column are left out where the error has no place

`{root}` and `@CWD@` in what is expected stand for the folder. Cases with `steps` instead of `argv` are for the service and are not run here.
Files in SET_ASIDE hold bugs of the references that strata does not repeat: they run with --all only.
Exit status: 0 where every case passed, 1 where one failed, 2 where none was selected.
"""
import argparse
import base64
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

SET_ASIDE = {"reference_bugs.json"}
BUG = 70  # EX_SOFTWARE: the program found itself to be wrong.
ERROR = re.compile(r"^(?:(?P<file>[^\n]*?)(?::(?P<line>\d+):(?P<column>\d+))?: )?error: .*?\[(?P<code>[a-z0-9]+(?:[.-][a-z0-9]+)+)\]$", re.MULTILINE | re.DOTALL)


@dataclasses.dataclass
class Case:
    file: pathlib.Path
    data: dict

    @property
    def command(self):
        return next((word for word in self.data["argv"] if not word.startswith("-")), "")


class Mismatch(Exception):
    """Why a case failed, for a reader."""


def find_cases(paths, everything):
    for path in map(pathlib.Path, paths):
        files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        for file in files:
            if path.is_dir() and file.name in SET_ASIDE and not everything:
                continue
            cases = json.loads(file.read_text(encoding="utf-8"))
            yield from (Case(file, data) for data in cases if "argv" in data)


def selected(case, options):
    if options.commands and case.command not in options.commands.split(","):
        return False
    return options.name in case.data["name"]


def file_contents(data):
    for name, content in (data.get("files") or {}).items():
        if isinstance(content, dict):
            yield name, base64.b64decode(content["b64"])
        else:
            yield name, content.encode("utf-8", "surrogateescape")
    for name, content in (data.get("files_base64") or {}).items():
        yield name, base64.b64decode(content)


def difference(want, got, ordered, path=""):
    """None, or (JSON Pointer, expected, actual) of the first place where the two differ."""
    absent = "(nothing)"
    if type(want) is not type(got):
        return path, want, got
    if isinstance(want, dict):
        for key in [*want, *(key for key in got if key not in want)]:
            step = "%s/%s" % (path, str(key).replace("~", "~0").replace("/", "~1"))
            if key not in want or key not in got:
                return step, want.get(key, absent), got.get(key, absent)
            found = difference(want[key], got[key], ordered, step)
            if found:
                return found
        if ordered and list(want) != list(got):
            return (path or "/") + " (order of keys)", list(want), list(got)
        return None
    if isinstance(want, list):
        for index in range(max(len(want), len(got))):
            step = "%s/%d" % (path, index)
            if index >= len(want) or index >= len(got):
                return step, want[index] if index < len(want) else absent, got[index] if index < len(got) else absent
            found = difference(want[index], got[index], ordered, step)
            if found:
                return found
        return None
    if isinstance(want, float) and math.isnan(want) and math.isnan(got):
        return None
    return None if want == got else (path, want, got)


def require_same(want, got, ordered):
    found = difference(want, got, ordered)
    if found:
        raise Mismatch("differs at %s\n  expected %.800r\n  actual   %.800r" % (found[0] or "the root", found[1], found[2]))


def require_words(words, text, what):
    words = words.split() if isinstance(words, str) else words or []
    missing = [word for word in words if word.lower() not in text.lower()]
    if missing:
        raise Mismatch("%s does not name %s\n  actual   %.800s" % (what, ", ".join(map(repr, missing)), text.strip()))


def reported_errors(text):
    """The errors that standard error holds, as `error_at` gives them."""
    for found in ERROR.finditer(text):
        error = {"code": found["code"]}
        if found["file"] is not None:
            error["file"] = found["file"]
        if found["line"] is not None:
            error["line"], error["column"] = int(found["line"]), int(found["column"])
        yield error


def require_errors(want, text):
    want = want if isinstance(want, list) else [want]
    got = list(reported_errors(text))
    if want != got:
        raise Mismatch("the errors are others\n  expected %s\n  actual   %s\n  %.800s" % (json.dumps(want), json.dumps(got), text.strip()))


class YamlLoader(yaml.SafeLoader):
    """SafeLoader that also knows `!binary`, as Ruby writes it."""


YamlLoader.add_constructor("!binary", yaml.SafeLoader.construct_yaml_binary)


def read_yaml(text):
    return list(yaml.load_all(text, YamlLoader))  # The loader is a safe one.


def check(expect, status, stdout, stderr):
    """Raises Mismatch where a run is not what the case expects."""
    wanted = expect.get("exit", 0)
    if status < 0 or status >= 128:
        raise Mismatch("died of signal %d\n  %.800s" % (-status if status < 0 else status - 128, stderr.strip()))
    if status == BUG:
        raise Mismatch("found a bug in itself (exit status %d)\n  %.800s" % (status, stderr.strip()))
    if "error_at" in expect:
        require_errors(expect["error_at"], stderr)
    if wanted == "nonzero":
        if status == 0:
            raise Mismatch("succeeded where it should fail\n  actual   %.800s" % stdout)
        require_words(expect.get("error"), stderr, "standard error")
        return
    if status != wanted:
        raise Mismatch("exit status %s instead of %s\n  %.800s" % (status, wanted, stderr.strip()))
    if expect.get("warn") == [] and stderr.strip():
        raise Mismatch("standard error is not empty\n  %.800s" % stderr.strip())
    require_words(expect.get("error"), stderr, "standard error")
    require_words(expect.get("warn"), stderr, "standard error")
    if "value" in expect:
        try:
            got = json.loads(stdout)
        except ValueError as error:
            raise Mismatch("standard output is not JSON (%s)\n  actual   %.800s" % (error, stdout)) from error
        require_same(expect["value"], got, expect.get("ordered", False))
    if "yaml" in expect:
        try:
            got = read_yaml(stdout)
        except yaml.YAMLError as error:
            raise Mismatch("standard output is not YAML (%s)\n  actual   %.800s" % (error, stdout)) from error
        require_same(read_yaml(expect["yaml"]), got, expect.get("ordered", False))
    if "stdout" in expect and stdout != expect["stdout"]:
        raise Mismatch("standard output differs\n  expected %.800r\n  actual   %.800r" % (expect["stdout"], stdout))


def run(program, case, timeout):
    """None, or why the case failed."""
    with tempfile.TemporaryDirectory(prefix="strata-vector-") as folder:
        root = os.path.realpath(folder)
        for name, content in file_contents(case.data):
            target = pathlib.Path(root, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        environment = {**os.environ, "PWD": root, **(case.data.get("env") or {})}
        stdin = (case.data.get("stdin") or "").encode("utf-8", "surrogateescape")
        try:
            done = subprocess.run([program, *case.data["argv"]], cwd=root, input=stdin, capture_output=True, timeout=timeout, env=environment,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "no answer within %g seconds" % timeout
        stdout, stderr = (text.decode("utf-8", "replace").replace(root, "{root}") for text in (done.stdout, done.stderr))
        expect = json.loads(json.dumps(case.data["expect"]).replace("@CWD@", "{root}"))
        try:
            check(expect, done.returncode, stdout, stderr)
        except Mismatch as mismatch:
            return str(mismatch)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--commands", default="", help="run the cases of these commands only, separated by commas")
    parser.add_argument("--name", default="", help="run the cases whose name holds this text only")
    parser.add_argument("--all", action="store_true", help="run the files that are set aside too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=600, help="seconds after which a case hangs; nothing is measured by it: machines are loaded")
    parser.add_argument("--list", action="store_true", help="print the names of the selected cases and run nothing")
    options = parser.parse_args()

    cases = [case for case in find_cases(options.paths, options.all) if selected(case, options)]
    if options.list:
        for case in cases:
            print("%s: %s" % (case.file, case.data["name"]))
        return 0
    if not cases:
        print("no case is selected", file=sys.stderr)
        return 2
    program = os.path.abspath(options.program)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, why in zip(cases, pool.map(lambda each: run(program, each, options.timeout), cases)):
            if why is not None:
                failed += 1
                print("FAILED %s (%s)\n  about    %s\n  run      strata %s\n  %s\n" %
                      (case.data["name"], case.file, case.data.get("about", ""), " ".join(case.data["argv"]), why))
    print("%d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
