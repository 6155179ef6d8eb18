"""Characters in quotes, as in C: of string literals, whose names only the compiler knows, and of arrays."""

from __future__ import annotations

import re

from unfork.clang.escape import quoted
from unfork.state.memory import MemoryObject, Released

NAME = re.compile(r"\.str(\.\d+)*")
ARRAY = re.compile(r"(const )?((un)?signed )?char ?\[\d+\]")
SHOWN = 24
"""Characters that are shown."""


def is_text(type_name: str | None) -> bool:
    """Whether a type, as C writes it, is an array of characters."""
    return type_name is not None and ARRAY.fullmatch(type_name) is not None


def in_quotes(data: bytes) -> str:
    """Characters as in C, cut short; one zero at the end is the string's own."""
    text = data.removesuffix(b"\0")
    return quoted(text) if len(text) <= SHOWN else f'{quoted(text[:SHOWN])[:-1]}..."'


def literal_text(item: MemoryObject | Released) -> str | None:
    """What a string literal holds, in quotes; None if ``item`` is something else."""
    if not isinstance(item, MemoryObject) or not item.read_only or NAME.fullmatch(item.name) is None:
        return None
    return in_quotes(bytes(item.data))
