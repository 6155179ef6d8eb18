"""Runs other programs, to their end or beside this one: the only user of subprocess."""

from __future__ import annotations

import contextlib
import os
import re
import select
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


_PIECE = 1 << 15
"""The most bytes that are read or written at once."""
_OFTEN = 0.25
"""Seconds between two calls of ``meanwhile``."""


class TooSlow(Exception):
    """The program was killed because it did not end in time."""


class _PipeExchange:
    """Gives a process its input, and keeps the last ``most`` bytes of its output and of its errors."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes, most: int | None) -> None:
        self._process = process
        self._most = most
        self._left = memoryview(given)
        self._kept: dict[int, bytearray] = {}
        self._input = process.stdin
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            self._kept[pipe.fileno()] = bytearray()
        self._open = set(self._kept)
        self._give()

    def wait(self, seconds: float | None) -> None:
        """Go on until the process has closed its pipes and ended. Raises subprocess.TimeoutExpired after ``seconds``,
        and may be called again then.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while self._open or self._input is not None:
            left = None if until is None else max(until - time.monotonic(), 0.0)
            watched = select.poll()
            for number in self._open:
                watched.register(number, select.POLLIN)
            if self._input is not None:
                watched.register(self._input, select.POLLOUT)
            ready = [number for number, _ in watched.poll(None if left is None else left * 1000)]
            for number in ready:
                if number in self._open:
                    self._take(number)
                else:
                    self._give()
            if not ready and left is not None:
                raise subprocess.TimeoutExpired(self._process.args, left)
        self._process.wait(None if until is None else max(until - time.monotonic(), 0.0))

    def written(self) -> tuple[bytes, bytes]:
        """Its output and its errors."""
        output, errors = (bytes(kept if self._most is None else kept[-self._most :]) for kept in self._kept.values())
        return output, errors

    def _take(self, number: int) -> None:
        data, kept = os.read(number, _PIECE), self._kept[number]
        kept += data
        if not data:
            self._open.remove(number)
        if self._most is not None and len(kept) > 2 * self._most + _PIECE:
            del kept[: -self._most]

    def _give(self) -> None:
        if self._input is None:
            return
        os.set_blocking(self._input.fileno(), False)
        try:
            if self._left:
                self._left = self._left[os.write(self._input.fileno(), self._left[:_PIECE]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._left = memoryview(b"")
        if not self._left:
            self._input.close()
            self._input = None


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
        self,
        given: bytes = b"",
        *,
        seconds: float | None = None,
        meanwhile: Callable[[], None] | None = None,
        most: int | None = None,
    ) -> Finished:
        """Let it run to its end with ``given`` as its input. ``meanwhile`` is called again and again.

        Of its output and of its errors, only the last ``most`` bytes are kept. Raises TooSlow after ``seconds``.
        """
        until = None if seconds is None else time.monotonic() + seconds
        with self._process as process:
            try:
                exchange = _PipeExchange(process, given, most)
                while True:
                    left = None if until is None else max(until - time.monotonic(), 0.0)
                    try:
                        exchange.wait(left if meanwhile is None else min(left or _OFTEN, _OFTEN))
                        return Finished(process.returncode, *exchange.written())
                    except subprocess.TimeoutExpired:
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
    most: int | None = None,
) -> Finished:
    """Run a program to its end, with ``given`` as its standard input.

    ``meanwhile`` is called again and again. Of what it writes, only the last ``most`` bytes are kept. Raises TooSlow
    after ``seconds``, and OSError if it cannot be started.
    """
    started = Started(words, folder=folder, environment=environment)
    return started.finish(given, seconds=seconds, meanwhile=meanwhile, most=most)


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
