#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata bundle` against the client of the orchestration service, on random templates and environment files.

usage: heat_client.py STRATA [--seed N] [--count N] [--jobs N] [--most N] [--case SEED]

Needs the distribution's python3-heatclient (3.1.0) for this Python, whose functions are called in this process as its commands call them. strata runs
once a case. What is compared: whether the whole fails, the template, all files that are sent, the client's own merge, and the list of environments.
White space around templates, and how their last block ends, is what the cases are about. Each difference is shown with the seed of its case; exit
status 1 where there is one.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from seeded_cases import run_cases

# This file is called as the package is not, but those beside it are.
sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != os.path.dirname(os.path.realpath(__file__))]

from heatclient.common import template_utils

BLANKS = ["", "", "\n", "\n\n", "  ", " ", "\t", " \n", "\n  ", "\r\n", "\u00a0", "\u2028", "\x0c", "\n\u3000\n", "\ufeff", "# a comment\n", "---\n"]
ENDS = ["", "\n", "\n\n", "\n\n\n", "  ", "\n  ", "\n  \n", "\t", "\r\n", "\u00a0", "\x0c\n", "\n# a comment\n", "\n...\n", "\n...", "\n\n\u2003"]
BLOCKS = ["|", "|+", "|-", ">", ">+", ">-", "|2", "|+2"]


def template(rng, names):
    if rng.random() < 0.2:
        body = json.dumps({"heat_template_version": "2018-08-31", "description": rng.choice(["x", "é", ""]),
                           "resources": {name: {"type": name} for name in names}})
    else:
        body = "heat_template_version: 2018-08-31\n"
        if rng.random() < 0.3:
            body = "description: first\n" + body
        if names:
            body += "resources:\n" + "".join(
                f"  r{i}: {{type: {name}}}\n" if name.endswith(".yaml") else f"  r{i}: {{type: OS::Nova::Server, user_data: {{get_file: {name}}}}}\n"
                for i, name in enumerate(names))
        kind = rng.random()
        if kind < 0.6:
            body += f"description: {rng.choice(BLOCKS)}\n  one\n" + rng.choice(["", "\n", "  two\n", "   three\n"])
        elif kind < 0.8:
            body += rng.choice(["outputs: {a: [1, 2]}", "outputs:", "conditions: 'x '", "conditions: \"x\\\n  y \""])
        if rng.random() < 0.3:
            body = body.rstrip("\n")
    if rng.random() < 0.05:
        body = body.replace("heat_template_version", "version", 1)
    return rng.choice(BLANKS) + body + rng.choice(ENDS)


def case(seed):
    rng = random.Random(seed)
    files = {"text.txt": rng.choice(BLANKS) + "text" + rng.choice(ENDS), "leaf.yaml": template(rng, ["text.txt"] if rng.random() < 0.5 else [])}
    files["mid.yaml"] = template(rng, rng.sample(["leaf.yaml", "text.txt"], rng.randrange(3)))
    files["stack.yaml"] = template(rng, rng.sample(["leaf.yaml", "mid.yaml", "text.txt"], rng.randrange(4)))
    files["env.yaml"] = rng.choice(BLANKS) + "parameters: {a: 1}\n" + rng.choice(["", "resource_registry: {My::T: mid.yaml}\n"]) + \
        rng.choice(["", f"parameter_defaults:\n  b: {rng.choice(BLOCKS)}\n    text\n"]) + rng.choice(ENDS)
    return files, rng.random() < 0.6


def expected(folder, with_environment):
    """The body as the client makes it; none where it fails."""
    path = lambda name: os.path.join(folder, name)  # noqa: E731
    try:
        files, root = template_utils.get_template_contents(template_file=path("stack.yaml"))
        tracker = []
        more, environment = template_utils.process_multiple_environments_and_files(
            env_paths=[path("env.yaml")] if with_environment else [], env_list_tracker=tracker)
    except Exception:  # pylint: disable=broad-except  # Whatever the client ends with is a failure.
        return None
    body = {"parameters": {}, "template": root, "files": {**files, **more}, "environment": environment}
    if tracker:
        body["environment_files"] = tracker
    texts = {name: text if isinstance(text, str) else text.decode() for name, text in body["files"].items()}
    return json.loads(json.dumps({**body, "files": texts}))


def check(program, seed):
    """None, or what differs."""
    files, with_environment = case(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(text)
        words = [program, "bundle", "--quiet", "-t", "stack.yaml", *(["-e", "env.yaml"] if with_environment else [])]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
        want = expected(folder, with_environment)
        got = json.loads(run.stdout) if run.returncode == 0 else None if run.returncode == 1 else "crash"
    if json.dumps(want) == json.dumps(got):
        return None
    return f"seed {seed}\n{json.dumps(files, indent=1, ensure_ascii=False)}\nreference: {json.dumps(want)}\nstrata:    {json.dumps(got)} {run.stderr}"


if __name__ == "__main__":
    sys.exit(run_cases(__doc__, check))
