# SPDX-License-Identifier: Apache-2.0
"""`python -m strata_layers WORD…`: what `strata WORD…` prints, for the commands of verbs and `ansible-inventory`, through the library."""
from __future__ import annotations

import errno
import io
import os
import sys
from typing import BinaryIO, Optional, TextIO, cast

import strata_layers as strata


class _Output(io.RawIOBase):
    """A stream of the process. What goes wrong with it is told once, at the end, in the words of the program."""

    def __init__(self, stream: Optional[TextIO]) -> None:
        self.stream = stream
        self.problem: Optional[OSError] = None

    def write(self, data: object) -> int:
        size = len(data)  # type: ignore[arg-type]
        if self.stream is None:
            self.problem = OSError(errno.EBADF, os.strerror(errno.EBADF))
        if self.stream is None or self.problem is not None:
            return size
        try:
            self.stream.buffer.write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError as problem:
            self.problem = problem
        return size

    def flush(self) -> None:
        if self.problem is not None:
            raise self.problem
        if self.stream is not None:
            self.stream.buffer.flush()


def _told(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)


def main(words: list[str]) -> int:
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            _told(f"error: a word of the command is not UTF-8: {os.fsencode(word)!r}; the program takes it [call.options]\n")
            return 2
    output, errors = _Output(sys.stdout), _Output(sys.stderr)
    try:
        status = strata.command(words, cast(BinaryIO, output), cast(BinaryIO, errors), None if sys.stdin is None else sys.stdin.buffer)
        output.flush()
        if errors.problem is None:
            errors.flush()
        return status
    except BrokenPipeError:  # Who reads has seen enough; nor is there anything to flush at the end.
        pass
    except OSError as problem:
        _told(f"error: the output cannot be written: {problem.strerror} [output.failed]\n")
    except strata.Error as error:
        _told(f"{error}\n")
        return 70 if isinstance(error, strata.Bug) else 1
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
