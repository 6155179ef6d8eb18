"""What can go wrong in the analysed program: the error kinds, and a fault with its place and its stack."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.program.types import Position

ERROR_KINDS = (
    "assert",
    "reach-error",
    "abort",
    "out-of-bounds",
    "null-dereference",
    "use-after-free",
    "double-free",
    "invalid-free",
    "uninitialised",
    "read-only",
    "div-by-zero",
    "overflow",
    "shift",
    "unreachable",
    "leak",
    "contract",
    "user",
    "stack-overflow",
    "invalid-call",
    "nontermination",
)


@dataclass(frozen=True, slots=True)
class StackEntry:
    """One frame of a C stack trace; ``values`` are the variables in scope, printed."""

    function: str
    position: Position | None
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A bug of the analysed program, found on one path. ``kind`` is one of ERROR_KINDS."""

    kind: str
    message: str
    position: Position | None
    stack: tuple[StackEntry, ...]
