"""`python -m strata_layers WORD…`: what `strata WORD…` prints, for the commands of verbs, through the library."""
from __future__ import annotations

import errno
import io
import os
import sys
from typing import BinaryIO, Optional, TextIO

import strata_layers as strata


class _Closed(io.RawIOBase):
    """A stream that the process was started without. What becomes of the output is told at its end, as of one that is full."""

    is_used = False

    def write(self, data: object) -> int:
        self.is_used = True
        return len(data)  # type: ignore[arg-type]

    def flush(self) -> None:
        if self.is_used:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _bytes_of(stream: Optional[TextIO]) -> BinaryIO:
    return _Closed() if stream is None else stream.buffer  # type: ignore[return-value]


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
    output, errors = _bytes_of(sys.stdout), _bytes_of(sys.stderr)
    try:
        status = strata.command(words, output, errors, None if sys.stdin is None else sys.stdin.buffer)
        output.flush()
        if sys.stderr is not None:
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
