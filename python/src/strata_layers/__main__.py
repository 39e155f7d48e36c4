"""`python -m strata_layers WORD…`: what `strata WORD…` prints, for the commands of verbs, through the library."""
from __future__ import annotations

import os
import sys

import strata_layers as strata


def main(words: list[str]) -> int:
    output, errors = sys.stdout.buffer, sys.stderr.buffer
    try:
        status = strata.command(words, output, errors, sys.stdin.buffer)
        output.flush()
        errors.flush()
        return status
    except BrokenPipeError:  # Who reads has seen enough; nor is there anything to flush at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except strata.Error as error:
        sys.stderr.write(f"{error}\n")
        return 70 if isinstance(error, strata.Bug) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
