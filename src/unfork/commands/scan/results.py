"""The results of a scan, as scan.json lists them."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from unfork.commands.scan.decisions import PathStep
from unfork.commands.scan.fault_needs import Needs
from unfork.commands.scan.ignored import Ignore, Ignores, unmatched, without_effect
from unfork.commands.scan.judgement import CERTAIN, CLASSES, CONDITIONAL, SHOWN, UNDECIDED
from unfork.commands.scan.passed_lines import PassedLines
from unfork.commands.scan.path_rules import ASSERTIONS, AT_THE_END
from unfork.commands.scan.requirements import in_order
from unfork.errors import InputError
from unfork.report.record.fingerprints import Fingerprints, Lines
from unfork.report.record.kept_run import KeptRun

Defect: TypeAlias = tuple[str, str | None, int | None]
"""Kind, file and line: what identifies a defect, whichever function reaches it."""


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
    entry: str = ""
    """The entry that comes to it; "" if it was found in a function that is none."""
    followed: str = ""
    """How far it was followed up the callers of that function."""
    structs: tuple[str, ...] = ()
    """The structs of the input whose members the path read, if the fault may be about these."""
    needs: Needs = ()
    """What a certain or likely fault needs of the arguments on which it depends."""
    calls: tuple[str, ...] = ()
    """The functions that the program of the finding calls, if these make its objects."""

    @property
    def defect(self) -> Defect:
        return self.kind, self.file, self.line

    @property
    def is_shown(self) -> bool:
        """Whether its test has failed again, and nothing speaks against the objects on which it does."""
        return self.certainty in SHOWN and not self.followed


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
    passed: PassedLines = ()
    """The lines that its paths came by."""

    def came_by(self, defect: Defect) -> bool:
        """Whether a path came by a defect's line; that says nothing of one that shows elsewhere."""
        return defect[0] not in AT_THE_END and any(
            file == defect[1] and defect[2] in lines for file, lines in self.passed
        )


def ranked(functions: Iterable[Explored]) -> list[tuple[ScanFinding, Explored]]:
    """Each defect once, by class; of several paths to one, that of an entry, and with the shortest stack."""
    best: dict[Any, tuple[Any, ScanFinding, Explored]] = {}
    for explored in functions:
        for found in explored.found:
            rank = CLASSES.index(found.certainty), not found.entry, len(found.stack), explored.function
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


@dataclass(frozen=True, slots=True)
class Beside:
    """Results beside those of functions: further looks at single faults (``aimed``), faults that all callers exclude,
    results of a world in which a call fails (``failing``), the names of functions that were not looked at, and
    whether time ended before all programs were built.
    """

    aimed: Sequence[Explored] = ()
    excluded: Sequence[tuple[ScanFinding, Explored]] = ()
    failing: Sequence[Explored] = ()
    left: Sequence[str] = ()
    is_cut: bool = False


def as_dict(
    functions: Sequence[Explored],
    count: int,
    seconds: float,
    texts: Texts,
    known: Container[str] = frozenset(),
    beside: Beside = Beside(),
) -> dict[str, Any]:
    """The contents of scan.json for the functions so far, out of ``count`` ones. ``known``: fingerprints of a
    baseline.
    """
    every = [*functions, *beside.aimed]
    found = ranked(every)
    ignores = texts.ignores([*(each.file for each in functions), *(each.file for each, _ in found)])
    fingerprints = Fingerprints(texts.lines)
    origins = defaultdict[Any, dict[tuple[str, str], dict[str, str]]](dict)
    for explored in every:
        for defect in dict.fromkeys(each.defect for each in explored.found):
            origin = {"function": explored.function, "file": explored.file}
            origins[defect].setdefault((explored.file, explored.function), origin)
    rows: list[dict[str, Any]] = []
    ignored: list[dict[str, Any]] = []
    used = set[tuple[str, Ignore]]()
    for each, explored in found:
        row = {**_finding_row(each, explored, texts), "reached_from": list(origins[each.defect].values())}
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
        "verdict": _verdict(functions, count, fresh, beside),
        "findings": rows,
        "ignored": ignored,
        "failures": [*_failures(beside, every, texts)],
        "excluded": [*_excluded(beside, {each.defect for each, _ in found}, texts)],
        "comments": {"without_effect": [*without_effect(ignores)], "unmatched": [*unmatched(ignores, used, extents)]},
        "functions": [_row(each) for each in functions],
        "seconds": round(seconds, 3),
        "new": fresh,
        "unscanned": count - len(functions),
        "not_looked_at": [*beside.left],
        "is_cut": beside.is_cut or count > len(functions),
    }


def _finding_row(found: ScanFinding, explored: Explored, texts: Texts) -> dict[str, Any]:
    files = {name: os.path.relpath(getattr(found, name), texts.root) for name in ("test", "reproducer")}
    return {**asdict(found), **files, "from": explored.function}


def _failures(beside: Beside, others: Sequence[Explored], texts: Texts) -> Iterator[dict[str, Any]]:
    """What fails for certain only if an allocation or a call of the system does. An assertion that it does not is how
    the code answers that.
    """
    known = {found.defect for explored in others for found in explored.found}
    for found, explored in ranked(beside.failing):
        if found.certainty == CERTAIN and found.kind not in ASSERTIONS and found.defect not in known:
            yield _finding_row(found, explored, texts)


def _excluded(beside: Beside, others: Container[Defect], texts: Texts) -> Iterator[dict[str, Any]]:
    """Faults that all callers exclude, and that nothing else comes to."""
    seen = set[Defect]()
    for found, explored in beside.excluded:
        if found.defect not in others and found.defect not in seen:
            seen.add(found.defect)
            yield _finding_row(found, explored, texts)


def _verdict(functions: Iterable[Explored], count: int, fresh: int, beside: Beside) -> str:
    """The verdict of a scan. Without certain findings a project may still fail, so it is not called safe; and if time
    ended before all was looked at, it is not called clean either.
    """
    extents = [each.explored for each in functions]
    if count and all(extent == "not" for extent in extents):
        return "unknown"
    if fresh:
        return "unsafe"
    return "unknown" if beside.is_cut or count > len(extents) else "clean"


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
    conditional = [each for each in explored.found if each.certainty == CONDITIONAL]
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
        "undecided": sum(1 for each in explored.found if each.certainty == UNDECIDED),
        "assumptions": list(explored.assumptions),
        "branches": {"covered": explored.covered, "total": explored.edges},
        "seconds": round(explored.seconds, 3),
    }
