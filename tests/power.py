"""How much of what multiplies a test runs: a part that its name chooses, or all of it (``make test-all``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

FRACTION = 3
"""One in so many of the examples of a law is tried where not everything is to run."""
T = TypeVar("T")
IS_FULL = os.environ.get("UNFORK_TESTS") == "all"


def some(choices: Sequence[T], name: str, count: int = 1) -> list[T]:
    """``count`` of the choices, the same for the same name; all of them where everything is to run."""
    if IS_FULL:
        return list(choices)
    first = crc32(name.encode()) % len(choices)
    return [choices[(first + number) % len(choices)] for number in range(min(count, len(choices)))]


def examples(count: int) -> int:
    """How many of ``count`` examples a law is tried on: all of them where everything is to run."""
    return count if IS_FULL else -(-count // FRACTION)
