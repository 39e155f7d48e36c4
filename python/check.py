#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel without network, installs it into a fresh folder, and runs the tests, the examples and mypy against it there.

usage: check.py PROGRAM LIBRARY SCRATCH    in the root of the source; LIBRARY is libstrata.so
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def run(*words, **more):
    ran = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, **more)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def other_pythons():
    """Other interpreters of Python 3 with what cffi's extensions need."""
    names = ["python3", *(f"python3.{minor}" for minor in range(9, 20))]
    found = {shutil.which(name, path=folder) for name in names for folder in os.environ.get("PATH", "").split(os.pathsep)} - {None}
    seen = {os.path.realpath(sys.executable)}
    script = "import os, sys, _cffi_backend; assert sys.version_info >= (3, 9); print(os.path.realpath(sys.executable))"
    for python in sorted(found):
        asked = subprocess.run([python, "-c", script], check=False, capture_output=True, text=True)
        if asked.returncode == 0 and asked.stdout.strip() not in seen:
            seen.add(asked.stdout.strip())
            yield python


def install(library, scratch):
    """Builds the wheel over LIBRARY and installs it below SCRATCH, which is made anew. Returns the variables that its users need."""
    shutil.rmtree(scratch, ignore_errors=True)
    prefix, source, target = scratch / "prefix", scratch / "source", scratch / "target"
    (prefix / "include").mkdir(parents=True)
    (prefix / "include/strata").symlink_to(ROOT / "include/strata")
    (prefix / "lib").symlink_to(library.parent)
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    quiet = {**os.environ, "STRATA_PREFIX": str(prefix), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    pip = [sys.executable, "-m", "pip", "--quiet"]
    run(*pip, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", scratch, source, env=quiet)
    wheels = list(scratch.glob("*.whl"))
    if len(wheels) != 1 or "-cp39-abi3-" not in wheels[0].name:
        sys.exit(f"the wheel is for one Python only: {wheels}")
    run(*pip, "install", "--no-deps", "--no-index", "--target", target, wheels[0], env=quiet)
    shutil.rmtree(source)  # What is tested is the wheel.
    return {**os.environ, "PYTHONPATH": str(target), "LD_LIBRARY_PATH": str(library.parent), "PYTHONDONTWRITEBYTECODE": "1"}


def main(program, library, scratch):
    library, scratch = pathlib.Path(library).resolve(), pathlib.Path(scratch).resolve()
    used = {**install(library, scratch), "STRATA_PROGRAM": str(pathlib.Path(program).resolve())}
    target = used["PYTHONPATH"]
    run(sys.executable, "-m", "unittest", "discover", "-s", HERE / "tests", cwd=ROOT, env=used)
    run(sys.executable, "-c", "import doctest, strata_layers, sys; sys.exit(doctest.testmod(strata_layers).failed)", cwd=ROOT, env=used)
    run(sys.executable, "-m", "doctest", ROOT / "docs/library/python.md", cwd=ROOT, env=used)
    for python in other_pythons():
        run(python, "-m", "unittest", "test_strata.Lookups", "test_strata.Values", cwd=ROOT, env={**used, "PYTHONPATH": f"{target}:{HERE}/tests"})
    if shutil.which("mypy"):
        examples = sorted((ROOT / "examples/python").glob("*.py"))
        run("mypy", "--strict", "--cache-dir", scratch / "mypy", *examples, HERE / "tests/typed.py", cwd=ROOT, env={**os.environ, "MYPYPATH": str(target)})
        for example in examples:
            run(sys.executable, example, cwd=ROOT, env=used)
    shutil.rmtree(scratch)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
