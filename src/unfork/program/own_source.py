"""Which source files are the program's own."""

from __future__ import annotations

from unfork.program.module import LIBRARY_FOLDER
from unfork.program.types import Position

_FOREIGN = ("/ziglang/lib/", "/unfork/include/", LIBRARY_FOLDER)
"""Parts of paths that are not the program's own source."""


def is_own(file: str) -> bool:
    """Whether a file is the program's own, by its path."""
    return not any(part in file for part in _FOREIGN)


def own_position(position: Position | None) -> Position | None:
    """The innermost position in the program's own source, seen through inlining; None if there is none."""
    while position is not None and not is_own(position.file):
        position = position.inlined_at
    return position
