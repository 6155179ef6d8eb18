"""String literals by what they hold: the names that a compiler gives them say nothing to whoever wrote the program."""

from __future__ import annotations

import re

from unfork.state.memory import MemoryObject, Released

NAME = re.compile(r"\.str(\.\d+)*")
SHOWN = 24
"""Bytes of a literal that are shown, its end included."""


def literal_text(item: MemoryObject | Released) -> str | None:
    """What a string literal holds, in quotes as in C and cut short; None if ``item`` is something else."""
    if not isinstance(item, MemoryObject) or not item.read_only or NAME.fullmatch(item.name) is None:
        return None
    characters = bytes(item.data[:SHOWN])
    is_whole = len(item.data) <= SHOWN
    text = (characters.removesuffix(b"\0") if is_whole else characters).decode("latin-1")
    escaped = text.encode("unicode_escape").decode().replace('"', '\\"')
    return f'"{escaped}"' if is_whole else f'"{escaped}..."'
