#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/names.py finds private names that two sources of a module share, or that a header declares too.

usage: names_test.py ROOT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.abspath(sys.argv.pop(1)), "script/names.py")


def private(declaration):
    return f"#include <string>\n\nnamespace strata {{\nnamespace {{\n\n{declaration}\n\n}}  // namespace\n\nvoid used();\n}}\n"


class Names(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-names-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        for folder in ("script", "include/strata", "src/heat", "src/hiera", "tests/heat"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(SCRIPT, self.root / "script")

    def write(self, name, contents):
        (self.root / name).write_text(contents, encoding="utf-8")

    def clashes(self, *folders):
        run = subprocess.run([sys.executable, self.root / "script/names.py", *folders], cwd=self.root, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1 if run.stdout else 0, run.stderr)
        return run.stdout.splitlines()

    def test_other_modules_members_and_locals_do_not_clash(self):
        self.write("src/heat/a.cpp", private("struct Row {\n  int size;\n};\nint size_of(Row row) {\n  int used = row.size;\n  return used;\n}"))
        self.write("src/heat/b.cpp", private("int used() { return 0; }"))
        self.write("src/hiera/a.cpp", private("struct Row {};"))
        self.assertEqual(self.clashes(), [])

    def test_each_kind_of_declaration_is_found(self):
        for declaration in ("struct Row {};", "enum class Row {};", "using Row = int;", "constexpr int Row = 1;", "[[nodiscard]] std::string Row(int a) {",
                            "const char* const Row[] = {};", "std::string Row{};"):
            self.write("src/heat/a.cpp", private(declaration))
            self.write("src/heat/b.cpp", private("struct Row {};"))
            self.assertEqual(self.clashes(), ["src/heat/a.cpp: the private name 'Row' is declared in src/heat/b.cpp, too: rename one"], declaration)

    def test_headers_of_the_module_and_public_ones(self):
        self.write("src/heat/a.cpp", private("struct Row {};"))
        self.write("src/heat/row.hpp", "namespace strata::heat {\n\nstruct Row {};\n\n}\n")
        self.assertIn("src/heat/row.hpp", self.clashes()[0])
        self.write("src/heat/row.hpp", "")
        self.write("include/strata/row.hpp", "namespace strata {\n\n[[nodiscard]] int Row();\n\n}\n")
        self.assertIn("include/strata/row.hpp", self.clashes()[0])

    def test_tests_and_named_folders(self):
        for name in ("a", "b"):
            self.write(f"tests/heat/{name}_test.cpp", private("int helper() { return 0; }"))
        self.assertEqual(len(self.clashes()), 1)
        self.assertEqual(self.clashes("src/heat"), [])


if __name__ == "__main__":
    unittest.main()
