"""Runs other programs, to their end or beside this one: the only user of subprocess."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
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
        """Its standard error, as text for people: files in removed folders by their names alone."""
        return without_scratch(self.errors.decode("utf-8", "replace"))


def without_scratch(text: str) -> str:
    """A text without the folders that unfork or a compiler makes for a while: only file names remain."""
    folder = re.escape(os.path.join(tempfile.gettempdir(), ""))
    return re.sub(rf"{folder}(?:unfork-[\w-]+/|(?=(?:cc|lto)\w+\.))", "", text)


_OFTEN = 0.25
"""Seconds between two calls of ``meanwhile``."""


class TooSlow(Exception):
    """The program was killed because it did not end in time."""


class Started:
    """A program out of reach of Ctrl-C that waits for its standard input. Programs that it started end with it."""

    def __init__(
        self,
        words: Sequence[str] | Sequence[bytes],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the program ``words[0]``. Raises OSError."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment, process_group=0
        )

    def finish(
        self, given: bytes = b"", *, seconds: float | None = None, meanwhile: Callable[[], None] | None = None
    ) -> Finished:
        """Let it run to its end with ``given`` as its input. ``meanwhile`` is called again and again.

        Raises TooSlow after ``seconds``.
        """
        until = None if seconds is None else time.monotonic() + seconds
        with self._process as process:
            try:
                while True:
                    left = None if until is None else max(until - time.monotonic(), 0.0)
                    try:
                        output, errors = process.communicate(
                            given, left if meanwhile is None else min(left or _OFTEN, _OFTEN)
                        )
                        return Finished(process.returncode, output, errors)
                    except subprocess.TimeoutExpired:
                        given = b""
                        if until is not None and time.monotonic() >= until:
                            raise TooSlow from None
                        if meanwhile is not None:
                            meanwhile()
            except BaseException:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise


def run(
    words: Sequence[str] | Sequence[bytes],
    *,
    folder: Path | None = None,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> Finished:
    """Run a program to its end, with ``given`` as its standard input.

    ``meanwhile`` is called again and again. Raises TooSlow after ``seconds``, and OSError if it cannot be started.
    """
    return Started(words, folder=folder, environment=environment).finish(given, seconds=seconds, meanwhile=meanwhile)


class Companion:
    """A program beside this one, out of reach of Ctrl-C. The two exchange lines."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start it. Raises OSError."""
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, process_group=0, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._theirs, self._ours = self._process.stdin, self._process.stdout
        self._rest = b""
        os.set_blocking(self._theirs.fileno(), False)

    def answer(self) -> bytes:
        """Waits for its next line; empty if it has ended."""
        while b"\n" not in self._rest:
            data = os.read(self._ours.fileno(), 4096)
            if not data:
                return b""
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def heard(self) -> list[bytes]:
        """The lines that have arrived."""
        os.set_blocking(self._ours.fileno(), False)
        with contextlib.suppress(BlockingIOError):
            self._rest += os.read(self._ours.fileno(), 4096)
        *lines, self._rest = self._rest.split(b"\n")
        return lines

    def say(self, line: bytes) -> None:
        """Write a line of at most 4,095 bytes. It is lost if the other side has ended, or does not keep up."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            self._theirs.write(line + b"\n")

    def end(self, seconds: float) -> None:
        """Close its input, at which it should end; kill it after so many seconds."""
        with contextlib.suppress(BrokenPipeError):
            self._theirs.close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._ours.close()
