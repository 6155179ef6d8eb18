"""What a run is given: the names of its files, and where they are. C on standard input is read from a copy."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unfork.errors import InputError

STDIN = "-"
COPY = "stdin.c"
"""The name given to C on standard input; the run directory keeps it under this name."""

ONE_AT_A_TIME = threading.RLock()
"""Held by the thread that runs the engine, since all threads share the table of terms, and only one may fill it.

Others wait; their time limits start when they get it.
"""

FileName = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Given:
    """``names`` are what reports show, ``paths`` what is read; ``folder`` holds the copy of standard input, if any."""

    names: tuple[str, ...]
    paths: tuple[Path, ...]
    folder: tempfile.TemporaryDirectory[str] | None = None

    def copy(self) -> bytes | None:
        """The copy of standard input; None if no file was read from there."""
        return None if self.folder is None else Path(self.folder.name, COPY).read_bytes()

    def close(self) -> None:
        """Remove the copy."""
        if self.folder is not None:
            self.folder.cleanup()


def given(files: FileName | Iterable[FileName]) -> Given:
    """The files of a run: one or several.

    Raises TypeError for what names no file, and InputError for no files or an unusable standard input.
    """
    several: Any = [files] if isinstance(files, str | os.PathLike) else files
    if isinstance(several, bytes) or not isinstance(several, Iterable):
        raise TypeError(f"files: must be a str, a path or several of these, not {type(files).__name__}")
    names = []
    for file in several:
        name = os.fspath(file) if isinstance(file, str | os.PathLike) else None
        if not isinstance(name, str):
            raise TypeError(f"files: must be a str or a path, not {type(file).__name__} {file!r}")
        names.append(name)
    if not names:
        raise InputError("no input file")
    if STDIN not in names:
        return Given(tuple(names), tuple([Path(name) for name in names]))
    if names.count(STDIN) > 1:
        raise InputError("- (standard input) is there once")
    folder = tempfile.TemporaryDirectory(prefix="unfork-stdin-")
    copy = Path(folder.name, COPY)
    # The line marker gives the copy its name: in messages, and in the debug information that all reports are made from.
    copy.write_bytes(f'#line 1 "{COPY}"\n'.encode() + _typed())
    paths = tuple([copy if name == STDIN else Path(name) for name in names])
    return Given(tuple([COPY if name == STDIN else name for name in names]), paths, folder)


def words(arguments: Iterable[str]) -> tuple[str, ...]:
    """The arguments of the program. Raises TypeError unless they are a list of str."""
    if isinstance(arguments, str | bytes) or not isinstance(arguments, Iterable):
        raise TypeError(f"arguments: must be a list of str, not {type(arguments).__name__} {arguments!r}")
    several: tuple[Any, ...] = tuple(arguments)
    for word in several:
        if not isinstance(word, str):
            raise TypeError(f"arguments: must be a list of str, not of {type(word).__name__}")
    return several


def _typed() -> bytes:
    if sys.stdin is None:
        raise InputError("- (standard input) is closed")
    text = sys.stdin.buffer.read()
    if not text.strip():
        raise InputError("- (standard input) is empty")
    return text
