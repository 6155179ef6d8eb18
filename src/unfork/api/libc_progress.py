"""The C library's cache, for the command line and scripts: build it ahead of time, clear it, find it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.environment import libc
from unfork.later import Later
from unfork.llvm import cache

if TYPE_CHECKING:
    from unfork.environment.musl_build import Told
    from unfork.report import progress as report_progress
else:
    report_progress = Later("unfork.report.progress")


def shown_progress() -> AbstractContextManager[Told]:
    """A progress bar on the terminal, or a line elsewhere."""
    return report_progress.building("building the C library (once, about half a minute)")


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


def what_is_left(has_libc: bool) -> str:  # what it is about
    """What to add where a limit has ended the loading of a program, which is completed with a C library or not."""
    if not has_libc or libc.is_built():
        return ""
    return "; the C library is not built yet, and the next run goes on with that"
