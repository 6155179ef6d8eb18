"""The run directories of run, verify and scan, for reading."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from unfork.checked_json import convert
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.program.facts.own_source import readable
from unfork.program.llvm.module import Program
from unfork.report.record.tables import Tables, read_tables
from unfork.world.inputs.file_of_test import from_json
from unfork.world.inputs.testcase import TestCase


class _Place(TypedDict):
    file: str | None
    line: int | None


class _Frame(_Place):
    function: str
    values: dict[str, str]


class _Finding(_Place):
    kind: str
    message: str
    function: str | None
    test: str
    replayed: bool
    stack: NotRequired[list[_Frame]]


class _Loss(TypedDict):
    reason: str
    detail: str
    paths: int


class _Strategy(TypedDict):
    name: str
    rounds: int
    work: int
    paths: int
    ended: bool
    edges_first: int
    errors_first: int
    tests: list[str]
    stopped_by: str | None


class _Any(TypedDict):
    """The fields of runs and of proofs."""

    version: str
    program: list[str]
    folder: NotRequired[str]
    """The run's current folder, relative to its directory; earlier versions did not note it."""
    verdict: str
    seconds: float
    assumptions: NotRequired[list[str]]


class _SeedSide(_Place):
    to_line: int | None
    edge: list[str | int]
    taken: bool
    reached: int
    flipped: int
    infeasible: int
    unknown: int
    inputs: int


class _Seeds(TypedDict):
    sides: list[_SeedSide]


class _Summary(_Any):
    options: dict[str, Any]
    stopped_by: str | None
    bounds_hit: list[str]
    given_up: list[_Loss]
    errors: list[_Finding]
    alarms: list[_Finding]
    paths: dict[str, Any]
    states: dict[str, int]
    merges: dict[str, Any]
    forks: int
    instructions: int
    tests: int
    solver: dict[str, float]
    coverage: dict[str, Any] | None
    strategies: NotRequired[list[_Strategy]]
    arguments: NotRequired[list[str]]
    given: NotRequired[list[str]]
    seeds: NotRequired[_Seeds | None]
    internal_error: NotRequired[dict[str, str | None] | None]


class _Obligation(_Place):
    kind: str
    text: str
    ending: str
    paths: int
    by: dict[str, int]
    seconds: float
    detail: str


class _Broken(_Place):
    kind: str
    text: str
    call: str


class _Proof(TypedDict):
    function: str
    verdict: str
    obligations: list[_Obligation]
    reasons: list[str]
    counterexample: _Broken | None
    paths: int
    instructions: int
    joins: int
    operators: int
    seconds: float
    audit: dict[str, int]
    cached: bool
    inferred: dict[str, Any] | None


class _Proofs(_Any):
    functions: list[_Proof]


class _Step(TypedDict):
    file: str
    line: int
    what: str
    function: NotRequired[str]
    calls: NotRequired[str]


class _Scanned(_Place):
    """A finding of a scan."""

    kind: str
    message: str
    function: str
    certainty: str
    entry: NotRequired[str]
    followed: NotRequired[str]
    reason: str
    precondition: str
    test: str
    reproducer: str
    known: bool
    reached_from: list[dict[str, str]]
    fingerprint: str
    stack: list[_Frame]
    path: list[_Step]


class _Function(TypedDict):
    name: str
    file: str
    line: int
    explored: str
    reason: str
    preconditions: list[str]
    requires: list[str]
    undecided: NotRequired[int]
    assumptions: list[str]
    branches: dict[str, int]
    seconds: float


class _Scan(_Any):
    options: dict[str, Any]
    excluded: NotRequired[list[dict[str, Any]]]
    failures: NotRequired[list[dict[str, Any]]]
    unscanned: NotRequired[int]
    not_looked_at: NotRequired[list[str]]
    is_cut: NotRequired[bool]
    findings: list[_Scanned]
    ignored: list[_Scanned]
    functions: list[_Function]
    left_out: list[str]
    kept: int
    comments: dict[str, list[str]]


_LATER: dict[str, Any] = {
    "strategies": [],
    "assumptions": [],
    "prunes": None,
    "audit": None,
    "internal_error": None,
    "tests_unwritten": 0,
}
_LATER_OF_FINDINGS: dict[str, Any] = {
    "native": "unchecked",
    "reason": None,
    "stack": [],
    "access": None,
    "aspect": None,
}
_LATER_OF_PATHS = {"counting": None, "unexpanded": 0, "estimated": None}
_LATER_OF_SCANS: dict[str, Any] = {"excluded": [], "failures": [], "unscanned": 0, "not_looked_at": [], "is_cut": False}
_LATER_OF_SCANNED = {"entry": "", "followed": ""}
_LATER_OF_PROOFS: dict[str, Any] = {"assumptions": [], "called": [], "processors": 0.0}
"""Fields that summaries of earlier versions lack."""


SCAN = "scan.json"


def _with_later(data: dict[str, Any]) -> dict[str, Any]:
    """The data of a scan with the fields that those of earlier versions lack."""
    findings = {part: [{**_LATER_OF_SCANNED, **each} for each in data[part]] for part in ("findings", "ignored")}
    functions = [{"undecided": 0, **each} for each in data["functions"]]
    return {**_LATER_OF_SCANS, **data, **findings, "functions": functions}


def _no_program(*_: object) -> Program:
    raise InputError("the run was read without its program")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run directory. ``summary`` is the data of summary.json, or of scan.json.

    ``program`` rebuilds the explored program. It raises InputError if that is gone, and for proofs and scans, which
    keep none (commands/afterwards/export.py provides it).
    """

    root: Path
    summary: Mapping[str, Any]
    program: Callable[[], Program] = _no_program
    rebuilt: Callable[[Path, str], Program] = _no_program
    """The program of one C file, compiled with another text (latin-1). Raises InputError."""

    @property
    def is_of_proofs(self) -> bool:
        """Whether unfork verify wrote it: functions with obligations, no tests."""
        return "functions" in self.summary and not self.is_of_scan

    @property
    def is_of_scan(self) -> bool:
        """Whether unfork scan wrote it: ``summary`` is the data of scan.json."""
        return "findings" in self.summary

    def tables(self) -> Tables:
        """run.db at one moment. Raises InputError."""
        return read_tables(self.root / "run.db")

    def tests(self) -> list[tuple[str, TestCase]]:
        """The tests by name ("tests/000001.json"), in order of writing. Raises InputError."""
        return [(name, read_test(self.root / name)) for name in self._test_names()]

    def readable_tests(self) -> tuple[dict[str, TestCase], list[str]]:
        """The readable tests by name, and a line for each unreadable one."""
        known: dict[str, TestCase] = {}
        troubles = []
        for name in self._test_names():
            try:
                known[name] = read_test(self.root / name)
            except InputError as problem:
                troubles.append(escape_text(str(problem)))
        return known, troubles

    def _test_names(self) -> Iterator[str]:
        return (f"tests/{path.name}" for path in sorted((self.root / "tests").glob("[0-9]*.json")))

    def source(self, name: str) -> Path | None:
        """The C file that debug information calls ``name``: the original or the run's copy; None if both are gone."""
        return next((path for path in (Path(name), self.root / name) if path.is_file()), None)

    def contents(self, name: str) -> bytes | None:
        """Its contents; None if reading fails or is not allowed (program/facts/own_source.py)."""
        path, allowed = self.source(name), readable(self.root, self.summary)
        if path is None:
            return None
        try:
            return allowed.contents(path, None)
        except OSError:
            return None
        except ValueError:
            with contextlib.suppress(InputError, OSError, ValueError):
                return allowed.contents(path, self.program().checksums().get(name))
            return None

    def lines(self, name: str) -> list[bytes]:
        """Its lines; none if reading fails or is not allowed."""
        data = self.contents(name)
        return [] if data is None else data.split(b"\n")


def read_run(root: Path) -> KeptRun:
    """The run directory ``root``, without its program. Raises InputError if it is none."""
    if not root.is_dir():
        raise InputError(f"{root}: no such run directory")
    path = root / "summary.json"
    if (root / SCAN).is_file():
        path = root / SCAN
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{root} holds no summary.json: no run directory, or the run was cut off") from None
    except (OSError, ValueError, RecursionError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
    if not isinstance(data, dict) or data.get("tool") != "unfork":
        raise InputError(f"{path} is not a summary of unfork")
    try:
        if path.name == SCAN:
            convert(data, _Scan)
            return KeptRun(root, _with_later(data))
        if "functions" in data:
            convert(data, _Proofs)
            proofs = [{**_LATER_OF_PROOFS, **proof} for proof in data["functions"]]
            return KeptRun(root, {"assumptions": [], "left_out": [], **data, "functions": proofs})
        convert(data, _Summary)
    except ValueError as problem:
        raise InputError(f"{path} is not a summary of unfork ({problem})") from None
    later = {"coverage": data["coverage"] and {"goals": [], **data["coverage"]}}
    later["audit"] = data.get("audit") and {"joined_again": 0, **data["audit"]}
    later |= {sort: [{**_LATER_OF_FINDINGS, **each} for each in data[sort]] for sort in ("errors", "alarms")}
    summary = {**_LATER, **data, **later, "paths": {**_LATER_OF_PATHS, **data["paths"]}}
    return KeptRun(root, summary)


@contextlib.contextmanager
def where_it_ran(run: KeptRun) -> Iterator[KeptRun]:
    """Change to the folder of the run's file names, if its program is still there: the folder may have moved.

    Yields the run with its root as seen from there.
    """
    seen = replace(run, root=run.root.resolve())
    folder = (seen.root / run.summary["folder"]).resolve() if "folder" in run.summary else Path()
    if not any((folder / name).exists() for name in run.summary["program"]):
        yield seen
        return
    with contextlib.chdir(folder):
        yield seen


def read_exploration(root: Path) -> KeptRun:
    """The directory of a run. Raises InputError for proofs and scans, too."""
    run = read_run(root)
    if run.is_of_scan:
        raise InputError(f"{root} holds a scan (unfork scan): unfork show tells what is left of it")
    if run.is_of_proofs:
        raise InputError(f"{root} holds proofs (unfork verify): unfork show tells what is left of them")
    return run


def read_test(path: Path) -> TestCase:
    """The test in a file. Raises InputError."""
    try:
        return from_json(path.read_text("utf-8"), str(path))
    except FileNotFoundError:
        raise InputError(f"{path}: no such test") from None
    except (OSError, UnicodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
