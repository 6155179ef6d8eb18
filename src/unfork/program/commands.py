"""Runs other programs to their end: the one user of subprocess."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended. ``status`` is negative for a signal."""

    status: int
    output: bytes
    errors: bytes

    @property
    def complaint(self) -> str:
        """Its standard error, as text."""
        return self.errors.decode("utf-8", "replace")


class TooSlow(Exception):
    """The program was killed because it did not end in time."""


def run(
    words: Sequence[str] | Sequence[bytes],
    *,
    folder: Path | None = None,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Finished:
    """Run the program ``words[0]``, out of reach of Ctrl-C, with ``given`` as its standard input.

    Raises TooSlow after ``seconds``, and OSError where the program cannot be started.
    """
    try:
        done = subprocess.run(
            words,
            input=given,
            capture_output=True,
            cwd=folder,
            env=environment,
            timeout=seconds,
            check=False,
            process_group=0,
        )
    except subprocess.TimeoutExpired:
        raise TooSlow from None
    return Finished(done.returncode, done.stdout, done.stderr)
