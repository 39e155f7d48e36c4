#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/new-dialect makes a dialect that every list finds and that compiles, and refuses names that are wrong or taken.

usage: new_dialect_test.py ROOT    (the variable CXX may name the compiler)
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
COPIED = ["bench", "cmake", "docs", "examples", "include", "script", "src", "tests"]
NAME = "orchard"


def run(*words, folder, status=0, **more):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, **more)
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


class NewDialect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="strata-new-dialect-")
        cls.addClassCleanup(scratch.cleanup)
        cls.root = pathlib.Path(scratch.name) / "strata"
        cls.root.mkdir()
        for folder in COPIED:
            # Vectors are the half of all bytes, and no list of them is in question.
            shutil.copytree(ROOT / folder, cls.root / folder, symlinks=True, ignore=shutil.ignore_patterns("*.json", "__pycache__"))
        for file in ("CMakeLists.txt", ".clang-format", "README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md"):
            shutil.copy(ROOT / file, cls.root / file)
        shutil.copytree(ROOT / "script/dialect", cls.root / "script/dialect", dirs_exist_ok=True)
        cls.before = {path: path.read_bytes() for path in cls.root.rglob("*") if path.is_file() and not path.is_symlink()}
        cls.refused = {name: run("script/new-dialect", name, folder=cls.root, status=2).stderr
                       for name in ("Upper", "two words", "../up", "", "class", "sample", "hiera", "text", "merge", "enc", "bindings", "support")}
        cls.unchanged = all(path.read_bytes() == text for path, text in cls.before.items())
        cls.told = run("script/new-dialect", NAME, folder=cls.root).stdout
        cls.made = re.findall(r"^made    (.*)$", cls.told, re.MULTILINE)

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def test_what_it_refuses_changes_nothing(self):
        self.assertTrue(self.unchanged)
        for name, message in self.refused.items():
            self.assertIn(name, message)

    def test_the_name_is_taken_then(self):
        self.assertIn("there is a command", run("script/new-dialect", NAME, folder=self.root, status=2).stderr)

    def test_nothing_but_the_pages_is_changed(self):
        changed = {path.relative_to(self.root).as_posix() for path, text in self.before.items() if path.read_bytes() != text}
        self.assertEqual(changed, {"docs/README.md", "docs/errors.md", "docs/architecture.md"})
        for name in self.made:
            self.assertNotRegex(self.read(name), "(?i)sample", name)

    def test_the_rows_stand_in_order(self):
        codes = re.findall(r"^\| `([^`]+)`", self.read("docs/errors.md").partition("## Codes")[2], re.MULTILINE)
        at = codes.index(f"{NAME}.missing")
        self.assertEqual(codes[at + 1], f"{NAME}.root")
        self.assertLess(codes[at - 1], codes[at])
        self.assertLess(codes[at + 1], codes[at + 2])
        self.assertEqual(self.read("docs/README.md").count(f"`strata {NAME}`"), 1)
        self.assertIn(f"| 5 | `src/{NAME}/` |", self.read("docs/architecture.md"))

    def test_vectors_are_vectors(self):
        cases = json.loads(self.read(f"tests/vectors/{NAME}/basic.json"))
        self.assertTrue(all(case["argv"][0] == NAME for case in cases))

    def test_the_scripts_that_judge_pass(self):
        run("git", "init", "--quiet", folder=self.root)
        self.addCleanup(shutil.rmtree, self.root / ".git")
        run("script/includes.py", "check", folder=self.root)
        told = subprocess.run(["script/links.py"], cwd=self.root, capture_output=True, text=True, check=False).stdout
        self.assertEqual([line for line in told.splitlines() if NAME in line], [])
        code = [name for name in self.made if name.endswith((".cpp", ".hpp"))]
        self.assertEqual(len(code), 4)
        if shutil.which("clang-format"):
            run("clang-format", "--dry-run", "-Werror", *code, folder=self.root)

    def test_the_build_finds_and_compiles_it(self):
        run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", folder=self.root)
        commands = {pathlib.Path(row["file"]).relative_to(self.root).as_posix(): row
                    for row in json.loads(self.read("build/compile_commands.json")) if pathlib.Path(row["file"]).is_relative_to(self.root)}
        sources = [name for name in self.made if name.endswith(".cpp")]
        self.assertEqual(len(sources), 3)
        for name in sources:
            row = commands[name]
            words = shlex.split(row["command"])
            words = [word for word in words if word not in ("-c", "-o") and not word.endswith(".o")]
            if os.path.basename(words[0]) == "ccache":
                words = words[1:]
            run(*words, "-fsyntax-only", folder=row["directory"])
        built = self.read("build/build.ninja")
        for target in (f"libstrata_{NAME}.a:", f"tests/{NAME}/{NAME}_test:"):
            self.assertRegex(built, f"build [^ ]*{re.escape(target)}")
        program = re.search(r"^build src/cli/strata: .*$", built, re.MULTILINE).group()
        self.assertIn(f"{NAME}_command.cpp.o", program)
        self.assertIn(f"libstrata_{NAME}.a", program)


if __name__ == "__main__":
    unittest.main()
