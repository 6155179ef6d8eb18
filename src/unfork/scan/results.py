"""What a scan found, as scan.json lists it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from unfork.scan.certainty import CERTAIN
from unfork.scan.decisions import PathStep
from unfork.scan.requirements import in_order


@dataclass(frozen=True, slots=True)
class Found:
    """A fault with its judgement. ``test`` and ``reproducer`` (C that fails by itself) are files."""

    kind: str
    file: str | None
    line: int | None
    function: str
    message: str
    certainty: str
    reason: str
    precondition: str
    requires: str
    test: str
    reproducer: str
    stack: Sequence[dict[str, Any]]
    path: tuple[PathStep, ...]

    @property
    def defect(self) -> tuple[str, str | None, int | None]:
        """What is one defect, from whichever function it was reached."""
        return self.kind, self.file, self.line


@dataclass(frozen=True, slots=True)
class Explored:
    """How far a function was explored: "all", "part" or "not", and why no more; its branch edges."""

    function: str
    file: str
    line: int
    explored: str
    reason: str
    found: tuple[Found, ...]
    assumptions: tuple[str, ...]
    covered: int
    edges: int
    seconds: float


def ranked(functions: Iterable[Explored]) -> list[tuple[Found, Explored]]:
    """Each defect once: certain ones first, and of several ways to one the shortest stack."""
    best: dict[Any, tuple[Any, Found, Explored]] = {}
    for explored in functions:
        for found in explored.found:
            rank = found.certainty != CERTAIN, len(found.stack), explored.function
            if found.defect not in best or rank < best[found.defect][0]:
                best[found.defect] = rank, found, explored
    order = sorted(best.values(), key=lambda each: (each[0][0], each[1].file or "", each[1].line or 0, each[1].kind))
    return [(found, explored) for _, found, explored in order]


def as_dict(functions: Sequence[Explored], seconds: float) -> dict[str, Any]:
    """The contents of scan.json."""
    return {
        "findings": [
            {**asdict(found), "from": explored.function, "fingerprint": fingerprint(found)}
            for found, explored in ranked(functions)
        ],
        "functions": [_row(each) for each in functions],
        "seconds": round(seconds, 3),
    }


def _row(explored: Explored) -> dict[str, Any]:
    conditional = [each for each in explored.found if each.certainty != CERTAIN]
    return {
        "name": explored.function,
        "file": explored.file,
        "line": explored.line,
        "explored": explored.explored,
        "reason": explored.reason,
        "preconditions": list(dict.fromkeys(each.precondition for each in conditional if each.precondition)),
        "requires": [
            f"UNFORK_REQUIRES({each});" for each in in_order(one.requires for one in conditional if one.requires)
        ],
        "assumptions": list(explored.assumptions),
        "branches": {"covered": explored.covered, "total": explored.edges},
        "seconds": round(explored.seconds, 3),
    }


def fingerprint(found: Found) -> str:
    """What stays when lines move: kind, function and message."""
    words = "\0".join((found.kind, found.file or "", found.function, found.message))
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:32]
