#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: libraries_test.py STRATA    the libraries that the program loads at each start, where it is linked to archives (STRATA_STATIC_LIBRARIES)

One symbol that the program takes from a shared library of C++ costs each start the loading of that library and of C++'s own: more than reading
a megabyte of YAML. src/cli/fmt_library.cpp says what to do where fmt is named here.
"""
import re
import subprocess
import sys

# The C library, and what Debian has no archive of.
EXPECTED = re.compile(r"(ld-linux[-\w]*|libc|libm|libmimalloc|libonig)\.so\.\d+")


def main():
    headers = subprocess.run(["objdump", "-p", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"NEEDED\s+(\S+)", headers)
    unexpected = [name for name in needed if not EXPECTED.fullmatch(name)]
    for name in unexpected:
        print(f"{name}: the program loads it at each start")
    print(f"{len(needed)} libraries, {len(unexpected)} unexpected")
    return 1 if unexpected or not needed else 0


if __name__ == "__main__":
    sys.exit(main())
