"""Runs unfork commands in child processes: whatever a program does to the engine, the server stays.

A cancelled task kills its child and what that started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event

from unfork.program.llvm import subprocesses
from unfork.program.llvm.subprocesses import Finished, Started

# Without -P, modules of the workspace would stand in for Python's.
_UNFORK = (sys.executable, "-P", "-m", "unfork")
_READY = (sys.executable, "-P", "-m", "unfork.cli.ready_command")
_CALM = 3.0
"""Seconds until a child is replaced that was ready: the next loads the engine when this one has shown something."""


class _GivenUp(Exception):
    """Nobody waits for the child."""


async def unfork(words: Sequence[str], folder: Path, seconds: float) -> Finished:
    """Run a command of unfork in ``folder``. Raises TooSlow after ``seconds``, and OSError if the system refuses."""
    return await run([*_UNFORK, *words], folder, seconds)


class ReadyChild:
    """A child that has loaded the engine before it is needed. It ends with this process."""

    def __init__(self) -> None:
        self._child: Started | None = None

    def prepare(self) -> None:
        """Start it, unless it is there. A system that refuses makes the next command slower, no more."""
        if self._child is None:
            with contextlib.suppress(OSError):
                self._child = Started(_READY)

    async def unfork(self, words: Sequence[str], folder: Path, seconds: float) -> Finished:
        """As unfork(), in the child that is ready if there is one."""
        child, self._child = self._child, None
        asyncio.get_running_loop().call_later(_CALM, self.prepare)
        if child is None:
            return await unfork(words, folder, seconds)
        line = json.dumps([str(folder.resolve()), [*words]]).encode() + b"\n"
        return await _awaited(partial(child.finish, line, seconds=seconds))


async def run(words: Sequence[str], folder: Path, seconds: float) -> Finished:
    """Run any program likewise."""
    return await _awaited(partial(subprocesses.run, words, folder=folder, seconds=seconds))


async def _awaited(work: Callable[..., Finished]) -> Finished:
    """The end of a child that ``work`` waits for, in a thread."""
    given_up = Event()

    def look() -> None:
        if given_up.is_set():
            raise _GivenUp

    try:
        return await asyncio.to_thread(partial(work, meanwhile=look))
    finally:
        given_up.set()  # the thread of a cancelled task still waits for its child
