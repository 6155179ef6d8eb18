"""The C library's cache, for the command line and scripts: build it ahead of time, clear it, find it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from unfork.environment import libc
from unfork.environment.musl_build import Told
from unfork.program import cache
from unfork.report.progress import building


def shown_progress() -> AbstractContextManager[Told]:
    """A progress bar on the terminal."""
    return building("building the C library (once)")


@contextlib.contextmanager
def silent_progress() -> Iterator[Told]:
    """No display."""
    yield lambda done, total: None


def build(progress: libc.Progress) -> Path:
    """Build the C library if it is missing; returns its folder. Raises InputError if the cache cannot be written to."""
    return libc.build(progress)


def clear() -> int:
    """Empty the cache; returns how many entries it had. Raises InputError if one cannot be removed."""
    return libc.clear()


def where() -> Path:
    """The cache's folder."""
    return cache.folder()
