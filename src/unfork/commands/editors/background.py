"""Runs unfork commands in child processes: whatever a program does to the engine, the server stays.

A cancelled task kills its child and what that started.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Event

from unfork.program.llvm import subprocesses
from unfork.program.llvm.subprocesses import Finished

# Without -P, modules of the workspace would stand in for Python's.
_UNFORK = (sys.executable, "-P", "-m", "unfork")


class _GivenUp(Exception):
    """Nobody waits for the child."""


async def unfork(words: Sequence[str], folder: Path, seconds: float) -> Finished:
    """Run a command of unfork in ``folder``. Raises TooSlow after ``seconds``, and OSError if the system refuses."""
    return await run([*_UNFORK, *words], folder, seconds)


async def run(words: Sequence[str], folder: Path, seconds: float) -> Finished:
    """Run any program likewise."""
    given_up = Event()

    def look() -> None:
        if given_up.is_set():
            raise _GivenUp

    work = partial(subprocesses.run, words, folder=folder, seconds=seconds, meanwhile=look)
    try:
        return await asyncio.to_thread(work)
    finally:
        given_up.set()  # the thread of a cancelled task still waits for its child
