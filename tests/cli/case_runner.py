# SPDX-License-Identifier: Apache-2.0
"""What the tests share that run many cases through the program."""
import re


def is_sanitized(binary):
    with open(binary, "rb") as file:
        return re.search(rb"__[at]san_init", file.read()) is not None


def run_cases(problems):
    """Prints the problems of named cases, (name, problem or None) each. The exit status."""
    count = failed = 0
    for name, problem in problems:
        count += 1
        if problem is not None:
            failed += 1
            print(f"{name}: {problem}", flush=True)
    print(f"{count} cases, {failed} failed")
    return 1 if failed else 0
