#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/abi passes on a small library with the public header, and fails where a function is removed, a parameter's type is changed, a symbol of C++ leaks.

usage: abi_test.py ROOT

The library has the functions of strata.h with empty bodies: what is tested is the check, on copies, not the library.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
REMOVED = "STRATA_API void strata_project_free(strata_project* project);"
PARAMETER = ("strata_value_item(const strata_value* value, size_t index)", "strata_value_item(const strata_value* value, uint32_t index)")


class Abi(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        # The header's types are looked for where the script finds them.
        shutil.copytree(ROOT / "include/strata", self.folder / "include/strata")
        (self.folder / "script").mkdir()
        shutil.copy(ROOT / "script/abi", self.folder / "script/abi")
        self.header = self.folder / "include/strata/strata.h"
        self.assertEqual(self.abi(self.build(), "--accept").returncode, 0)

    def build(self, more="", keeps=r"strata_*"):
        """The library that the header declares."""
        text = re.sub(r"/\*.*?\*/", "", self.header.read_text(encoding="utf-8"), flags=re.DOTALL)
        bodies = []
        for declaration in re.findall(r"^STRATA_API (.*?);", text, re.DOTALL | re.MULTILINE):
            kind = declaration[:re.search(r"strata_[a-z_]+\(", declaration).start()].strip()
            bodies.append(declaration + (" {}" if kind == "void" else f" {{ static {kind.removeprefix('const ')} out; return out; }}"))
        source = self.folder / "library.c"
        source.write_text('#include "strata/strata.h"\n' + more + "\n".join(bodies), encoding="utf-8")
        script = self.folder / "exported.map"
        script.write_text(f"STRATA_1 {{ global: {keeps}; local: *; }};\n", encoding="utf-8")
        library = self.folder / "libstrata.so"
        subprocess.run(["gcc", "-w", "-g", "-shared", "-fPIC", "-DSTRATA_C_BUILD", "-I", self.folder / "include", "-Wl,-soname,libstrata.so.1",
                        f"-Wl,--version-script={script}", source, "-o", library], check=True)
        return library

    def abi(self, library, *more):
        return subprocess.run([sys.executable, self.folder / "script/abi", "--library", library, "--header", self.folder / "include", "--baseline",
                               self.folder / "abi", *more], capture_output=True, text=True, check=False)

    def edit(self, before, after):
        text = self.header.read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1)
        self.header.write_text(text.replace(before, after), encoding="utf-8")

    def must_fail(self, library, reason):
        ran = self.abi(library)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn(reason, ran.stderr)
        return ran

    def test_the_same_library_passes(self):
        ran = self.abi(self.build())
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_an_added_function_needs_a_new_list(self):
        self.edit(REMOVED, REMOVED + "\nSTRATA_API int32_t strata_project_more(strata_project* project);")
        library = self.build()
        self.must_fail(library, "strata_project_more@@STRATA_1 is exported")
        self.assertEqual(self.abi(library, "--accept").returncode, 0)
        self.assertEqual(self.abi(library).returncode, 0)

    def test_a_removed_function(self):
        self.edit(REMOVED, "")
        library = self.build()
        self.must_fail(library, "strata_project_free@@STRATA_1 is gone")
        self.assertIn("would break", self.abi(library, "--accept").stderr)

    def test_a_changed_result(self):
        text = self.header.read_text(encoding="utf-8")
        self.header.write_text(re.sub(r"STRATA_API size_t strata_value_count", "STRATA_API uint32_t strata_value_count", text), encoding="utf-8")
        self.must_fail(self.build(), "strata_value_count")

    def test_a_changed_parameter(self):
        self.edit(*PARAMETER)
        library = self.build()
        self.must_fail(library, "strata_value_item")
        self.assertIn("would break", self.abi(library, "--accept").stderr)

    def test_a_leaked_symbol(self):
        self.must_fail(self.build("int _ZN6strata4leakEv(void) { return 1; }\n", "strata_*; _ZN6strata*"), "_ZN6strata4leakEv@@STRATA_1 is exported")

    def test_a_header_with_a_warning(self):
        self.edit("#define STRATA_ABI_VERSION 1", "#define STRATA_ABI_VERSION 1\nstatic int unused_one(int a) { return 0; }")
        self.must_fail(self.build(), "does not compile alone")


if __name__ == "__main__":
    unittest.main()
