#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The files that `strata compose` attaches against those of the client of the orchestration service, on random trees of templates.

usage: heat_files.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

Needs the distribution's python3-heatclient (3.1.0) for this Python, whose functions are called in this process as its commands call them. strata runs
once a case and prints the state, which holds the files. What is compared: which files are attached besides the environments, and in which order. Where
the client fails, because a file is missing or templates name each other, strata must end with a result. Each difference is shown with the seed of its
case; exit status 1 where there is one.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from urllib.parse import unquote

from seeded_cases import run_cases

# This file is called as the package is not, but those beside it are.
sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != os.path.dirname(os.path.realpath(__file__))]

from heatclient.common import template_utils

HANGS = 600
FOLDERS = ["", "a/", "a/b/", "c d/"]
VERSIONS = ["heat_template_version: 2018-08-31", "HeatTemplateFormatVersion: 2012-12-12", "version: none"]


def names_file(rng, folder, file):
    """A file as one in a folder names it."""
    name = os.path.relpath(file, folder or ".")
    return rng.choice(["./" + name, name, name, name])


def template(rng, folder, files):
    """A template that names some files, in one of the ways that the client knows."""
    parts = []
    for i, file in enumerate(files):
        name = json.dumps(names_file(rng, folder, file))
        parts.append(rng.choice([f"r{i}: {{type: {name}}}", f"r{i}: {{type: OS::X, p: {{get_file: {name}}}}}", f"r{i}: {{Type: {name}, get_file: [x]}}",
                                 f"r{i}: {{type: OS::G, properties: {{resource_def: {{type: {name}}}, l: [{{get_file: {name}}}]}}}}"]))
    if rng.random() < 0.2:
        return json.dumps({"heat_template_version": "2018-08-31", "resources": {f"r{i}": {"type": file} for i, file in enumerate(files)}})
    return f"{rng.choice(VERSIONS[:2]) if rng.random() < 0.95 else VERSIONS[2]}\nresources: {{{', '.join(parts)}}}\n"


def registry(rng, folder, files):
    entries, resources = [], []
    for i, file in enumerate(files):
        entry = f"{rng.choice('ABC')}{i}: {json.dumps(names_file(rng, folder, file))}"
        resources.append(entry) if rng.random() < 0.3 else entries.append(entry)
    entries += rng.sample(["X: OS::Nova::Server", "hooks: pre-create", "deep: {T: no.yaml}"], rng.randrange(3))
    if resources:
        entries.append(f"resources: {{r: {{{', '.join(resources)}, hooks: post-create}}, s: {{}}}}")
    return f"resource_registry: {{{', '.join(entries)}}}\n" if entries else "parameters: {a: 1}\n"


def case(seed):
    rng = random.Random(seed)
    names = [f"{rng.choice(FOLDERS)}n{i}.{rng.choice(['yaml', 'yaml', 'template', 'sh'])}" for i in range(rng.randrange(8))]
    files = {}
    for i, name in enumerate(names):
        others = names[i + 1:] if rng.random() < 0.95 else names
        files[name] = "echo\n" if name.endswith("sh") else template(rng, os.path.dirname(name), rng.sample(others, min(len(others), rng.randrange(3))))
    some = lambda: rng.sample(names, min(len(names), rng.randrange(4)))  # noqa: E731
    files["stack.yaml"] = template(rng, "", some()).replace(VERSIONS[2], VERSIONS[0])
    environments = [f"{rng.choice(FOLDERS)}e{i}.yaml" for i in range(rng.randrange(3))]
    for name in environments:
        files[name] = registry(rng, os.path.dirname(name), some())
    if names and rng.random() < 0.1:
        del files[rng.choice(names)]
    return files, environments


def attached(folder, environments):
    """The files that the client attaches besides environments; none where it fails."""
    path = lambda name: os.path.join(folder, name)  # noqa: E731
    try:
        files, _ = template_utils.get_template_contents(template_file=path("stack.yaml"))
        more, _ = template_utils.process_multiple_environments_and_files(env_paths=[path(name) for name in environments], env_list_tracker=[])
    except (Exception, RecursionError):  # pylint: disable=broad-except  # Whatever the client ends with is a failure.
        return None
    names = [os.path.relpath(unquote(url.removeprefix("file://")), folder) for url in {**files, **more}]
    # Two spellings of one URL are two files to the client.
    return [name for name in dict.fromkeys(names) if name not in environments]


def check(program, seed):
    """None, or what differs."""
    files, environments = case(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for name, text in files.items():
            place = pathlib.Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        words = [program, "compose", "--quiet", "--save-state", "-", "-t", "stack.yaml", *(word for name in environments for word in ("-e", name))]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=HANGS)
        want = attached(folder, environments)
    got = [name for name in json.loads(run.stdout)["files"] if name not in environments] if run.returncode == 0 else f"exit {run.returncode} {run.stderr}"
    if isinstance(got, list) and want in (None, got):
        return None
    return f"seed {seed}\n{json.dumps(files, indent=1)}\n{environments}\nreference: {want}\nstrata:    {got}"


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, check))
