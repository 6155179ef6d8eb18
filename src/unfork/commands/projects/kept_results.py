"""Keeps the results of functions for the next command, so that only changed functions cost again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from unfork.checked_json import parse, text
from unfork.program.llvm import compilation_cache

Result = TypeVar("Result")
_ENDLESS = 1e9
"""Seconds that stand for no limit: JSON has no infinite number."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a job may use: ``seconds`` of processors, seconds for a ``query``, and the ``solver`` that it asks first."""

    seconds: float
    query: float = 0.0
    solver: str = ""

    def covers(self, other: Allowance) -> bool:
        """Whether a job with ``other`` would find no more."""
        seconds, query = min(other.seconds, _ENDLESS), min(other.query, _ENDLESS)
        return self.seconds >= seconds and self.query >= query and self.solver == other.solver


@dataclass(frozen=True, slots=True)
class KeptResult(Generic[Result]):
    """A result with its job's allowance. If it ``is_final``, no other allowance changes it."""

    allowance: Allowance
    is_final: bool
    result: Result


def find(key: str, shape: type[KeptResult[Result]], allowance: Allowance) -> Result | None:
    """The result that is kept under ``key``; None if there is none, or if ``allowance`` might find more."""
    data = compilation_cache.get(key)
    if data is None:
        return None
    try:
        kept = parse(data, shape)
    except ValueError:
        return None
    return kept.result if kept.is_final or kept.allowance.covers(allowance) else None


def keep(key: str, allowance: Allowance, result: Any, *, is_final: bool) -> None:
    """Keep a result under ``key``. If that fails, the next command does the job again."""
    bounded = Allowance(min(allowance.seconds, _ENDLESS), min(allowance.query, _ENDLESS), allowance.solver)
    compilation_cache.put(key, text(KeptResult(bounded, is_final, result)).encode())
