"""Which source files are the program's own."""

from __future__ import annotations

from unfork.program.module import LIBRARY_FOLDER
from unfork.program.types import Position

FOREIGN = ("/ziglang/lib/", "/unfork/include/", LIBRARY_FOLDER)
"""Parts of paths that are not the program's own source."""


def own_position(position: Position | None) -> Position | None:
    """The innermost position in the program's own source, seen through inlining; None if there is none."""
    while position is not None and any(part in position.file for part in FOREIGN):
        position = position.inlined_at
    return position
