"""The program's own source files, and those that may be shown: a program can name any file (#line)."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from unfork.program.llvm.module import LIBRARY_FOLDER
from unfork.program.llvm.types import Position

_FOREIGN = ("/ziglang/lib/", "/unfork/include/", LIBRARY_FOLDER)
"""Parts of the paths of foreign sources."""
_LARGEST = 4 << 20
"""Bytes of the largest source to read."""


@lru_cache(maxsize=1024)
def is_own(file: str) -> bool:
    """Whether a file is the program's own, by its path."""
    return not any(part in file for part in _FOREIGN)


def own_position(position: Position | None) -> Position | None:
    """The innermost position in the program's own source, seen through inlining; None if there is none."""
    while position is not None and not is_own(position.file):
        position = position.inlined_at
    return position


def shown(position: Position) -> Position:
    """The position for readers: in the program's own source if it has one there."""
    return own_position(position) or position


def own_line(position: Position | None) -> int | None:
    """The line to show for a position; None if there is none."""
    return None if position is None else shown(position).line


@dataclass(frozen=True, slots=True)
class Readable:
    """The files whose text may be shown: ``files`` themselves, and those below ``folders``.

    Follows links first. Hidden files are not shown, and the root is not a project's folder.
    """

    files: frozenset[Path]
    folders: frozenset[Path]

    def contents(self, path: Path, checksum: str | None) -> bytes:
        """What is in a file; elsewhere it must be what the compiler read, whose MD5 sum is ``checksum``.

        Raises OSError, and ValueError with the reason.
        """
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is no file")
        if about.st_size > _LARGEST:
            raise ValueError("it is too large")
        resolved = path.resolve()
        if self._has(resolved):
            return path.read_bytes()
        if checksum is not None and md5(data := path.read_bytes()) == checksum:
            return data
        raise ValueError("it is neither below a folder of the program nor what the compiler read")

    def _has(self, path: Path) -> bool:
        if path in self.files:
            return True
        below = [path.relative_to(folder).parts for folder in self.folders if path.is_relative_to(folder)]
        return any(not any(part.startswith(".") for part in parts) for parts in below)


def md5(data: bytes) -> str:
    """The MD5 sum of a source, as compilers record it."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def readable(root: Path, summary: Mapping[str, Any]) -> Readable:
    """The files that may be shown of the run in ``root``: those below it, in the folders of its files and of -I, and
    in the current one.
    """
    include = summary.get("options", {}).get("include", ())
    return _readable(tuple(summary["program"]), (str(root), str(Path.cwd()), *include))


@lru_cache(maxsize=4)
def _readable(files: Sequence[str], folders: Sequence[str]) -> Readable:
    named = [Path(file).resolve() for file in files]
    around = {*(Path(folder).resolve() for folder in folders), *(file.parent for file in named)}
    return Readable(frozenset(named), frozenset(folder for folder in around if folder != Path(folder.anchor)))
