"""The results of a scan, as scan.json lists them."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from unfork.commands.scan.decisions import PathStep
from unfork.commands.scan.ignored import Ignore, Ignores, unmatched, without_effect
from unfork.commands.scan.judgement import CERTAIN
from unfork.commands.scan.requirements import in_order
from unfork.errors import InputError
from unfork.report.record.fingerprints import Fingerprints, Lines
from unfork.report.record.kept_run import KeptRun


@dataclass(frozen=True, slots=True)
class ScanFinding:
    """A fault with its judgement. ``test`` and ``reproducer`` (C that fails by itself) are files; scan.json names them
    relative to its folder.
    """

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
    rule: str
    """The name of the rule that decides how certain it is (certainty.py)."""
    access: Mapping[str, Any] | None = None
    """The access that fails, as in the errors of summary.json."""

    @property
    def defect(self) -> tuple[str, str | None, int | None]:
        """What identifies a defect, whichever function reaches it."""
        return self.kind, self.file, self.line


@dataclass(frozen=True, slots=True)
class Explored:
    """How far a function was explored ("all", "part" or "not"), why no further, and its branch edges."""

    function: str
    file: str
    line: int
    explored: str
    reason: str
    found: tuple[ScanFinding, ...]
    assumptions: tuple[str, ...]
    covered: int
    edges: int
    seconds: float


def ranked(functions: Iterable[Explored]) -> list[tuple[ScanFinding, Explored]]:
    """Each defect once: certain ones first; of several paths to one, that with the shortest stack."""
    best: dict[Any, tuple[Any, ScanFinding, Explored]] = {}
    for explored in functions:
        for found in explored.found:
            rank = found.certainty != CERTAIN, len(found.stack), explored.function
            if found.defect not in best or rank < best[found.defect][0]:
                best[found.defect] = rank, found, explored
    order = sorted(best.values(), key=lambda each: (each[0][0], each[1].file or "", each[1].line or 0, each[1].kind))
    return [(found, explored) for _, found, explored in order]


class Texts:
    """The sources of a project as a scan first read them."""

    def __init__(self, kept: KeptRun) -> None:
        self.root = kept.root
        self.lines: Lines = cache(kept.lines)
        self._ignores: dict[str, Ignores] = {}

    def ignores(self, files: Iterable[str | None]) -> Mapping[str, Ignores]:
        """The ignore comments of files, by file name."""
        for file in files:
            if file is not None and file not in self._ignores:
                text = b"\n".join(self.lines(file)).decode("utf-8", "replace")
                self._ignores[file] = Ignores(text.replace("\r\n", "\n"))
        return self._ignores


def as_dict(
    functions: Sequence[Explored], count: int, seconds: float, texts: Texts, known: Container[str] = frozenset()
) -> dict[str, Any]:
    """The contents of scan.json for the functions so far, out of ``count`` ones. ``known``: fingerprints of a
    baseline.
    """
    found = ranked(functions)
    ignores = texts.ignores([*(each.file for each in functions), *(each.file for each, _ in found)])
    fingerprints = Fingerprints(texts.lines)
    origins = defaultdict[Any, list[dict[str, str]]](list)
    for explored in functions:
        for defect in dict.fromkeys(each.defect for each in explored.found):
            origins[defect].append({"function": explored.function, "file": explored.file})
    rows: list[dict[str, Any]] = []
    ignored: list[dict[str, Any]] = []
    used = set[tuple[str, Ignore]]()
    for each, explored in found:
        files = {name: os.path.relpath(getattr(each, name), texts.root) for name in ("test", "reproducer")}
        row = {**asdict(each), **files, "from": explored.function, "reached_from": origins[each.defect]}
        row["fingerprint"] = fingerprints.of(each.kind, each.message, row)
        row["known"] = each.certainty == CERTAIN and row["fingerprint"] in known
        comment = None if each.file is None else ignores[each.file].of(each.kind, each.line)
        if each.file is None or comment is None:
            rows.append(row)
        else:
            ignored.append({**row, "ignored": comment.reason})
            used.add((each.file, comment))
    extents = {(each.file, each.function): each.explored for each in functions}
    fresh = sum(1 for row in rows if row["certainty"] == CERTAIN and not row["known"])
    return {
        "verdict": _verdict(functions, count, fresh),
        "findings": rows,
        "ignored": ignored,
        "comments": {"without_effect": [*without_effect(ignores)], "unmatched": [*unmatched(ignores, used, extents)]},
        "functions": [_row(each) for each in functions],
        "seconds": round(seconds, 3),
        "new": fresh,
        "unscanned": count - len(functions),
    }


def _verdict(functions: Iterable[Explored], count: int, fresh: int) -> str:
    """The verdict of a scan. Without certain findings a project may still fail, so it is not called safe."""
    if count and all(each.explored == "not" for each in functions):
        return "unknown"
    return "unsafe" if fresh else "clean"


def known_findings(baseline: str | Path | None) -> frozenset[str]:
    """The fingerprints of an earlier scan's certain findings. Raises InputError for a file that is no scan.json."""
    if baseline is None:
        return frozenset()
    try:
        findings = json.loads(Path(baseline).read_text("utf-8"))["findings"]
        return frozenset(each["fingerprint"] for each in findings if each["certainty"] == CERTAIN)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(f"--baseline {baseline}: is no scan.json ({problem})") from None


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
