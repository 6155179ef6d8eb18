"""Standard output and standard error, even if they are closed, a pipe without a reader, or on a full disk."""

from __future__ import annotations

import os
import sys

from unfork.failures import InternalFailure
from unfork.program.c.escape import escape_text
from unfork.report.record.directory import write_failed


def say(words: str | bytes) -> None:
    """Write to standard output, bytes as they are. Raises WriteFailed, but not for a pipe whose reader has left."""
    if sys.stdout is None:
        return
    try:
        if isinstance(words, bytes):
            sys.stdout.buffer.write(words)
        else:
            sys.stdout.write(words)
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # so that the interpreter's last flush has somewhere to go
        if not isinstance(error, BrokenPipeError):
            raise write_failed("standard output", error) from None


def complain(line: str) -> None:
    """Write a line to standard error, if there is one."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # as in say


def plea(failure: InternalFailure, shown_in: str) -> str:
    """One line about a failure of the engine, which asks the user to report it."""
    line, where = escape_text(failure.line), escape_text(shown_in)
    return f"unfork: internal error: {line}; please report it with the program and {where}"
