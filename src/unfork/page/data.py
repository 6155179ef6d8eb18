"""All that the page shows of a run directory, as plain data."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unfork.clang.escape import shown
from unfork.errors import InputError
from unfork.facts.own_source import is_own, readable
from unfork.inputs.testcase import TestCase
from unfork.page.figures import Branching, functions, lines, totals
from unfork.page.findings import findings, kept_tests, tests
from unfork.page.graph import graph
from unfork.page.paths import NO_PATH, WalkedPath, path_data
from unfork.page.places import Places
from unfork.page.proofs import lines_of_proofs, proofs_data
from unfork.page.source import sources
from unfork.page.trouble import trouble_data
from unfork.report.database import Connection, DatabaseError, read_database
from unfork.report.proofs import is_of_proofs
from unfork.report.show import kept_proofs, read_summary

FORMAT = 1
"""The form of the data."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a run directory holds in files; ``troubles`` has a line for each that cannot be read."""

    root: Path
    summary: dict[str, Any]
    tests: dict[str, TestCase]
    troubles: list[str]


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine adds: the MD5 sums of sources by name, the functions that branch, and the paths of tests."""

    checksums: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Branching] = field(default_factory=dict)
    paths: Mapping[str, WalkedPath] = field(default_factory=dict)


def kept(root: Path) -> Kept:
    """The files of a run directory. Raises InputError for what is none."""
    if not root.is_dir():
        raise InputError(f"{root}: no such run directory")
    proofs = kept_proofs(root)
    return Kept(root, read_summary(root), *kept_tests(root)) if proofs is None else Kept(root, proofs, {}, [])


def page_data(run: Kept, told: Told, opened: Callable[[Path], Connection] = read_database) -> dict[str, Any]:
    """The data of the page; ``opened`` opens run.db."""
    troubles = list(run.troubles)
    places = Places()
    for name in run.summary["program"]:
        if Path(name).suffix not in _BINARY:
            places.file(name)
    shown_parts = _of_proofs(run, places) if is_of_proofs(run.summary) else _of_run(run, told, places, troubles, opened)
    own = [name for name in places.files if is_own(name)]
    shown_files = dict(zip(own, sources(own, told.checksums, readable(run.root, run.summary)), strict=True))
    return {
        "format": FORMAT,
        "summary": _plain(run.summary),
        "files": [shown_files.get(name) or _foreign(name) for name in places.files],
        "troubles": troubles,
        **shown_parts,
        "places": places.rows(),
    }


def _of_run(
    run: Kept, told: Told, places: Places, troubles: list[str], opened: Callable[[Path], Connection]
) -> dict[str, Any]:
    failures = findings(run.summary, places)
    told_tests = tests(run.tests, run.summary, places)
    for name, entry in zip(run.tests, told_tests, strict=True):
        entry.update(path_data(told.paths[name], places) if name in told.paths else NO_PATH)
    tables = _tables(run, told, places, troubles, opened)
    return {"findings": failures, "tests": told_tests, "proofs": None, **tables}


def _of_proofs(run: Kept, places: Places) -> dict[str, Any]:
    """Proofs are neither explored nor tested: they have lines and obligations."""
    proofs = proofs_data(run.summary, places)
    return {**_NOTHING, "findings": [], "tests": [], "proofs": proofs, "lines": lines_of_proofs(run.summary, places)}


_BINARY = (".bc", ".ll")
"""Suffixes of programs that are no source."""
_NOTHING: dict[str, Any] = {"lines": {}, "functions": [], "totals": None, "graph": None, "why": None}


def _tables(
    run: Kept, told: Told, places: Places, troubles: list[str], opened: Callable[[Path], Connection]
) -> dict[str, Any]:
    """What run.db tells; if it cannot be read, a line of ``troubles`` says so."""
    try:
        with contextlib.closing(opened(run.root / "run.db")) as database:
            return {
                "lines": lines(database, places),
                "functions": functions(database, places, told.functions) if run.summary["coverage"] else [],
                "totals": totals(database),
                "graph": graph(database, places),
                "why": trouble_data(run.summary, database, places, troubles),
            }
    except (InputError, DatabaseError) as problem:
        troubles.append(f"what is in run.db cannot be told: {shown(str(problem))}")
        return _NOTHING


def _foreign(name: str) -> dict[str, Any]:
    """A file of a library: it is named, and not shown."""
    return {"name": shown(name), "status": "library", "note": "belongs to a library", "lines": []}


def _plain(value: Any) -> Any:
    """Data of a summary with all texts made safe to show, and integers too large for a page as text."""
    match value:
        case str():
            return shown(value)
        case dict():
            return {shown(str(key)): _plain(each) for key, each in value.items()}
        case list():
            return [_plain(each) for each in value]
        case bool():
            return value
        case int() if abs(value) >= 1 << 53:
            return str(value)
        case _:
            return value
