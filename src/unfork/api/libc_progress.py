"""The C library's cache, for the command line and scripts: build it before it is needed, clear it, say where it is."""

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
    """A bar on a terminal."""
    return building("building the C library (once)")


@contextlib.contextmanager
def silent_progress() -> Iterator[Told]:
    """Nothing to see."""
    yield lambda done, total: None


def build(progress: libc.Progress) -> Path:
    """Build the C library if it is not there; its folder. Raises InputError where the cache cannot be written to."""
    return libc.build(progress)


def clear() -> int:
    """Empty the cache; how many entries it had."""
    return libc.clear()


def where() -> Path:
    """The cache's folder."""
    return cache.folder()
