"""Builds that the user's cache keeps: made on first need, whole or absent."""

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
"""Receives progress: the parts done, and all parts. The first call counts parts from an earlier build."""
Progress = Callable[[str], AbstractContextManager[Report]]
"""Shows that the build of this name runs."""
UNFINISHED = "unfinished-"
"""The prefix of folders of incomplete builds, also interrupted ones."""


@dataclass(frozen=True, slots=True)
class OneOff:
    """A build to make once; ``name`` is in words. ``make`` builds in the cache, and moves the result to its place at
    the end.

    Only one process at a time builds under a ``lock``.
    """

    name: str
    lock: str
    is_there: Callable[[], bool]
    make: Callable[[Path, Report], None]


def obtain(progress: Progress, build: OneOff) -> None:
    """Build it unless it is there, or another process builds it meanwhile. Raises InputError if that fails."""
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
    """Admit one process at a time; the system releases the lock ``path`` even if the process is killed."""
    with open(path, "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
