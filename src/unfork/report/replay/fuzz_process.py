"""A native process that fuzzes for as long as its gate is open, and keeps what it knows while the gate is closed.

A fuzzer that begins again with its corpus has forgotten which inputs were worth its time. The other side of the gate
is world/libc/fuzz/native_gate.h.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable

from unfork.errors import InputError
from unfork.report.replay.held_folder import HeldFolder

VARIABLE = "UNFORK_GATE"
_YES, _NO = b"\1", b"\0"
_IS_OPEN, _IS_WAITING = 0, 1
"""The two bytes of a gate: what this side writes, and what the process writes."""
_OFTEN = 0.01
"""Seconds between two looks at a gate."""


class FuzzProcess:
    """Runs ``work``, which starts a process whose environment has the words that it is given and returns its status.

    ``work`` also gets a question: whether to end the process. ``gate`` is a name in ``folder``.
    """

    def __init__(self, folder: HeldFolder, gate: str, work: Callable[[str, Callable[[], bool]], int]) -> None:
        folder.remove(gate)
        self._file = folder.create(gate)
        os.pwrite(self._file, _NO * 2, 0)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._is_ended = False
        self._status = 1
        self._failure: InputError | OSError | None = None
        self._thread = threading.Thread(target=self._run, args=(f"{VARIABLE}={folder.path / gate}", work), daemon=True)
        self._thread.start()

    def _run(self, word: str, work: Callable[[str, Callable[[], bool]], int]) -> None:
        try:
            self._status = work(word, lambda: self._is_ended)
        except (InputError, OSError) as failed:
            self._failure = failed

    def open(self) -> None:
        """Let it run."""
        os.pwrite(self._file, _YES, _IS_OPEN)

    def close(self) -> None:
        """Let it rest from its next run on."""
        os.pwrite(self._file, _NO, _IS_OPEN)

    def wait(self, seconds: float) -> bool:
        """Wait for so long until it rests or has ended; whether it does."""
        until = time.monotonic() + seconds
        while is_busy := self._thread.is_alive() and not self._rests():
            if time.monotonic() >= until:
                break
            self._thread.join(_OFTEN)
        return not is_busy

    def _rests(self) -> bool:
        return os.pread(self._file, 1, _IS_WAITING) == _YES

    def status(self) -> int | None:
        """Its exit status; None while it lives. Raises what ``work`` raised."""
        if self._thread.is_alive():
            return None
        if self._failure is not None:
            raise self._failure
        return self._status

    def end(self) -> None:
        """End it."""
        self._is_ended = True
        self._thread.join()
        os.close(self._file)
