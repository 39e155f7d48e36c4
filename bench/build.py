#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the compile time of strata: processor seconds of a build of the release preset in an empty folder, without a compiler cache.

usage: build.py FOLDER [--json FILE]    FOLDER: is removed, made, and removed again
"""
import os
import pathlib
import shutil
import sys

import measure

# A launcher that runs the compiler and nothing else: an empty one would let CMakeLists.txt look for a cache.
NO_CACHE = "-DCMAKE_CXX_COMPILER_LAUNCHER=env"


def main():
    results = measure.Results("script/bench build")
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    # In case the compiler itself is a link to ccache.
    os.environ["CCACHE_DISABLE"] = "1"
    shutil.rmtree(folder, ignore_errors=True)
    measure.run(["cmake", "--preset", "release", "-B", str(folder), NO_CACHE])
    build = measure.run(["cmake", "--build", str(folder), "--target", "strata"])
    shutil.rmtree(folder)
    print(f"build of strata: {build.cpu:.0f} s of processor time, {build.wall:.0f} s, peak of one process {build.peak:.0f} MiB")
    results.add("`strata` from an empty build folder", "processor time", build.cpu, "s", threads="all")
    results.add("`strata` from an empty build folder", "wall time", build.wall, "s", threads="all")
    results.add("`strata` from an empty build folder", "peak memory of one process", build.peak, "MiB", threads="all")
    results.write()


if __name__ == "__main__":
    main()
