#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy in parallel over sources, and not again over those that were clean with the same contents.

    script/tidy.py BUILD_FOLDER SOURCE...

The key of a source is a hash of its preprocessed text, its compile command, .clang-tidy and the version of clang-tidy, with the repository's
own path taken out: keys of clean sources are empty files in the user's cache folder, and count for every checkout. Exit status: 0 where all are clean.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys


# The analyzer's deep mode takes longer than all checks together; the sanitizers and the fuzz targets look deeper than either.
SHALLOW = [f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "mode=shallow")]


def compile_commands(build):
    commands = {}
    for entry in json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8")):
        commands[os.path.realpath(os.path.join(entry["directory"], entry["file"]))] = entry
    return commands


def preprocessed(entry):
    words = [word for word in shlex.split(entry["command"]) if os.path.basename(word) != "ccache"]
    kept = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word not in ("-c", "-MD"):
            kept.append(word)
    return subprocess.run([*kept, "-E", "-C", "-o", "-"], cwd=entry["directory"], capture_output=True, check=True).stdout


def check(build, marks, source, entry, rules):
    """None where the source is clean, else what clang-tidy says."""
    here = os.getcwd().encode()
    key = hashlib.sha256(rules + (entry["command"].encode() + preprocessed(entry)).replace(here, b"")).hexdigest()
    mark = marks / key
    if mark.exists():
        return None
    done = subprocess.run(["clang-tidy", "--quiet", *SHALLOW, "--extra-arg=-Wno-unknown-warning-option", "--warnings-as-errors=*", "-p", str(build), source], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        mark.touch()
        return None
    return done.stdout + "\n".join(line for line in done.stderr.splitlines() if "warnings generated" not in line and "Suppressed" not in line)


def main():
    build, *sources = sys.argv[1:]
    marks = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "strata", "tidy")
    marks.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    rules = version + pathlib.Path(".clang-tidy").read_bytes()
    commands = compile_commands(build)
    known = [source for source in sources if os.path.realpath(source) in commands]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for message in pool.map(lambda source: check(build, marks, source, commands[os.path.realpath(source)], rules), known):
            if message is not None:
                failed += 1
                print(message, flush=True)
    print("tidy: %d of %d files are clean" % (len(known) - failed, len(known)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
