"""What is built once, by the first that needs it, and kept in the user's cache: whole or not there."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from unfork.errors import InputError
from unfork.program.llvm import compilation_cache

Report = Callable[[int, int], None]
"""Told of progress: the number of parts that are done, and of all parts. First of those that were done before."""
Progress = Callable[[str], AbstractContextManager[Report]]
"""Starts to show that something, which it is given the name of, is being built."""
UNFINISHED = "unfinished-"
"""How the names of folders begin that a build goes on in, after it was broken off, too."""


@dataclass(frozen=True, slots=True)
class OneOff:
    """What is built once; ``name`` is in words. ``make`` builds it in the cache, and gives it its place at the end.

    One process at a time builds what has the same ``lock``.
    """

    name: str
    lock: str
    is_there: Callable[[], bool]
    make: Callable[[Path, Report], None]


def obtain(progress: Progress, build: OneOff) -> None:
    """Build it, unless it is there or another process builds it meanwhile. Raises InputError if that fails."""
    if build.is_there():
        return
    home = compilation_cache.make_folder()
    if home is None:
        raise InputError(
            f"the cache folder {compilation_cache.folder()} cannot be written to: set UNFORK_CACHE, or use --libc none"
        )
    try:
        with progress(build.name) as report, only_process(home / build.lock):
            if not build.is_there():
                build.make(home, report)
    except OSError as error:
        raise InputError(
            f"{build.name} cannot be built in {home}: {error.strerror or error}; set UNFORK_CACHE, or use --libc none"
        ) from None


@contextlib.contextmanager
def only_process(path: Path) -> Iterator[None]:
    """Let in one process at a time; the system releases the lock ``path`` even if the process is killed."""
    with open(path, "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
