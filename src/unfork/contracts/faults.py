"""What can go wrong in the analysed program: a fault with its place and its stack."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.llvm.types import Position


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One frame of a C stack trace; ``values`` are the variables in scope, printed."""

    function: str
    position: Position | None
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A bug of the analysed program, found on one path. ``kind`` is one of unfork.error_kinds."""

    kind: str
    message: str
    position: Position | None
    stack: tuple[StackEntry, ...]
