#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ten threads of Python on one fleet, with a library that was built with the thread sanitizer: no race, and each answer is the one of a single thread.

usage: threads.py LIBRARY SCRATCH SECONDS    in the root of the source; LIBRARY is libstrata.so
"""
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from check import ROOT, install

COUNT = 10
# The C library frees the variables of a thread that has ended once the kernel says so, which the sanitizer does not see.
SUPPRESSIONS = "race:_dl_deallocate_tls\n"
KEYS = ("accounts::users", "no::such", None)
EDIT = {"examples/hiera/environments/production/data/common.yaml": None}


def answer(strata, fleet, subject, key):
    try:
        found = fleet.get(subject, key, history=True) if key else fleet.get(subject)
        return found.value, [origin.file for origin in (found.origin(""),)]
    except strata.NotFound as problem:
        return str(problem), []


def stress(seconds):
    import strata_layers as strata  # pylint: disable=import-error,import-outside-toplevel

    fleet = strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes")
    subjects = fleet.subjects()
    wanted = {(subject, key): answer(strata, fleet, subject, key) for subject in subjects for key in KEYS}
    until = time.monotonic() + seconds
    problems, rounds = [], [0] * COUNT

    def ask(number):
        try:
            while time.monotonic() < until and not problems:
                rounds[number] += 1
                turn = rounds[number] + number
                subject, key = subjects[turn % len(subjects)], KEYS[turn // len(subjects) % len(KEYS)]
                if answer(strata, fleet, subject, key) != wanted[subject, key]:
                    problems.append((subject, key))
                if turn % 16 == 0:
                    more = (lambda: list(fleet.all(KEYS[0])), fleet.refresh, lambda: fleet.impact(EDIT).data, lambda: fleet.check().data)
                    more[number % len(more)]()
        except Exception as problem:  # pylint: disable=broad-exception-caught
            problems.append(problem)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems or not all(rounds):
        sys.exit(f"threads: {problems[:3]}, rounds: {rounds}")
    print(f"threads: {COUNT} of Python, {sum(rounds)} rounds, each answer as that of one")


def main(library, scratch, seconds):
    library, scratch = pathlib.Path(library).resolve(), pathlib.Path(scratch).resolve()
    used = install(library, scratch)
    linked = subprocess.run(["ldd", str(library)], check=True, capture_output=True, text=True).stdout
    sanitizer = [line.split()[2] for line in linked.splitlines() if "libtsan" in line]
    if not sanitizer:
        sys.exit(f"{library} is not built with the thread sanitizer")
    suppressions = scratch / "suppressions"
    suppressions.write_text(SUPPRESSIONS, encoding="utf-8")
    # The interpreter is not: what watches must be there before it.
    watched = {**used, "LD_PRELOAD": sanitizer[0], "TSAN_OPTIONS": f"suppressions={suppressions}"}
    ran = subprocess.run([sys.executable, __file__, "--stress", str(seconds)], cwd=ROOT, env=watched, check=False)
    shutil.rmtree(scratch)
    sys.exit(ran.returncode)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--stress":
        stress(float(sys.argv[2]))
    elif len(sys.argv) == 4:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
