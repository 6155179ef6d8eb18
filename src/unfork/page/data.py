"""All that the page shows of a run directory, as plain data."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.inputs.escape import shown
from unfork.page.figures import functions, lines, totals
from unfork.page.findings import findings, tests
from unfork.page.graph import graph
from unfork.page.places import Places
from unfork.page.source import sources
from unfork.program.own_source import FOREIGN
from unfork.report.database import Connection, DatabaseError, read_database
from unfork.report.show import kept_proofs, read_summary

FORMAT = 1
"""The form of the data."""


def page_data(
    root: Path, checksums: Mapping[str, str], opened: Callable[[Path], Connection] = read_database
) -> dict[str, Any]:
    """The data of the page; ``opened`` opens run.db. Raises InputError for what is no run directory."""
    if not root.is_dir():
        raise InputError(f"{root}: no such run directory")
    if kept_proofs(root) is not None:
        raise InputError(f"{root} holds proofs (unfork verify); unfork show prints them, there is no page of them yet")
    summary = read_summary(root)
    places = Places()
    for name in summary["program"]:
        if Path(name).suffix not in _BINARY:
            places.file(name)
    found = findings(root, summary, places)
    known, troubles = tests(root, summary, places)
    tables = _tables(root, places, troubles, opened)
    own = [name for name in places.files if not any(part in name for part in FOREIGN)]
    shown_files = {file["name"]: file for file in sources(own, checksums)}
    return {
        "format": FORMAT,
        "summary": _plain(summary),
        "files": [shown_files.get(shown(name)) or _foreign(name) for name in places.files],
        "findings": found,
        "tests": known,
        "troubles": troubles,
        **tables,
        "places": places.rows(),
    }


_BINARY = (".bc", ".ll")
"""Suffixes of programs that are no source."""
_NOTHING: dict[str, Any] = {"lines": {}, "functions": [], "totals": None, "graph": None}


def _tables(root: Path, places: Places, troubles: list[str], opened: Callable[[Path], Connection]) -> dict[str, Any]:
    """What run.db tells; if it cannot be read, a line of ``troubles`` says so."""
    try:
        with contextlib.closing(opened(root / "run.db")) as database:
            return {
                "lines": lines(database, places),
                "functions": functions(database, places),
                "totals": totals(database),
                "graph": graph(database, places),
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
