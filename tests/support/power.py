"""How much of what multiplies a test runs: a part that its name chooses, or all of it (``make test-all``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeVar
from zlib import crc32

import pytest

FRACTION = 10
"""One in so many of the examples of a law is tried, and of other choices run, where not everything is to run."""
T = TypeVar("T")
U = TypeVar("U")
IS_FULL = os.environ.get("UNFORK_TESTS") == "all"
LONG = pytest.mark.skipif(not IS_FULL, reason="takes more than some seconds: make test-all")
"""For a test of what others test in part."""


def some(choices: Sequence[T], name: str, count: int = 1) -> list[T]:
    """``count`` of the choices, the same for the same name; all of them where everything is to run."""
    if IS_FULL:
        return list(choices)
    first = crc32(name.encode()) % len(choices)
    return [choices[(first + number) % len(choices)] for number in range(min(count, len(choices)))]


def part(choices: Iterable[T], name_of: Callable[[T], str], of: int = FRACTION) -> list[T]:
    """One in ``of`` of the choices, those that their names say; all of them where everything is to run."""
    return [each for each in choices if IS_FULL or not crc32(name_of(each).encode()) % of]


def every(choices: Iterable[T], step: int) -> list[T]:
    """Every ``step``-th of the choices; all of them where everything is to run."""
    return list(choices)[:: 1 if IS_FULL else step]


def paired(ones: Sequence[T], others: Sequence[U]) -> list[tuple[T, U]]:
    """Pairs in which each of both occurs; all pairs where everything is to run."""
    if IS_FULL:
        return list(product(ones, others))
    return [(ones[i % len(ones)], others[i % len(others)]) for i in range(max(len(ones), len(others)))]


def examples(count: int, of: int = FRACTION) -> int:
    """How many of ``count`` examples a law is tried on: one in ``of``, and all of them where everything is to run."""
    return count if IS_FULL else -(-count // of)
