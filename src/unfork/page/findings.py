"""Errors, alarms and tests of a run directory as data of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.inputs.arguments import COUNT
from unfork.inputs.escape import quoted, shown
from unfork.inputs.testcase import Error, TestCase, TestInput, number_of
from unfork.page.places import Places
from unfork.report.show import TEXTS, expected, heap_text, is_undefined, read_test

_FRAME = re.compile(r"  #(\d+) (.*) at (near )?(.*)")
_PLACE = re.compile(r"(.*):(\d+)")
_BYTES_SHOWN = 64


def findings(root: Path, summary: Mapping[str, Any], places: Places) -> list[dict[str, Any]]:
    """Errors, then alarms, with their stacks."""
    found = []
    for sort in ("errors", "alarms"):
        for entry in summary[sort]:
            place = places.number(entry["file"], entry["line"], entry["function"])
            report = Path(entry["test"]).stem
            found.append(
                {
                    "sort": sort[:-1],
                    "kind": entry["kind"],
                    "message": shown(entry["message"]),
                    "place": place,
                    "test": shown(entry["test"]),
                    "replayed": entry["replayed"],
                    "native": entry.get("native", "unchecked"),
                    "reason": shown(entry.get("reason") or ""),
                    "stack": _stack(root / "errors" / f"{report}.txt", places),
                }
            )
    return found


def kept_tests(root: Path) -> tuple[dict[str, TestCase], list[str]]:
    """The tests of a run directory by name, and a line for each that cannot be read."""
    known: dict[str, TestCase] = {}
    troubles = []
    for path in sorted((root / "tests").glob("[0-9]*.json")):
        try:
            known[f"tests/{path.name}"] = read_test(path)
        except InputError as problem:
            troubles.append(shown(str(problem)))
    return known, troubles


def tests(kept: Mapping[str, TestCase], summary: Mapping[str, Any], places: Places) -> list[dict[str, Any]]:
    """The tests as data."""
    finders = {
        name: strategy["name"] for strategy in summary.get("strategies", ()) for name in strategy.get("tests", ())
    }
    return [_test(name, test, finders.get(name), places) for name, test in kept.items()]


def _test(name: str, test: TestCase, finder: str | None, places: Places) -> dict[str, Any]:
    expect = test.expect
    place = places.number(expect.file, expect.line, expect.function) if isinstance(expect, Error) else 0
    return {
        "name": shown(name),
        "expect": expected(test),
        "fails": isinstance(expect, Error),
        "place": place,
        "inputs": [_input(entry) for entry in test.inputs if not is_undefined(entry)],
        "undefined": sum(map(is_undefined, test.inputs)),
        "args": [quoted(word.encode("utf-8", "surrogateescape")) for word in test.args],
        "stdin": _contents(test.stdin) if test.stdin else None,
        "files": [[shown(file), _contents(data)] for file, data in test.files],
        "stdout": _contents(test.stdout) if test.stdout else None,
        "heap": [line for line in heap_text(test) if line][1:],
        "branches": [shown(branch) for branch in test.branches],
        "strategy": finder,
    }


def _input(entry: TestInput) -> dict[str, Any]:
    number = number_of(entry) if entry.kind not in TEXTS or entry.name.startswith(COUNT) else None
    return {
        "name": shown(entry.name),
        "type": shown(entry.type or ""),
        "kind": entry.kind,
        "size": len(entry.data),
        "value": None if number is None else str(number),
        "text": quoted(entry.data[:_BYTES_SHOWN]) if number is None else "",
        "bytes": entry.data[:_BYTES_SHOWN].hex(" ") + (" ..." if len(entry.data) > _BYTES_SHOWN else ""),
    }


def _contents(data: bytes) -> str:
    if len(data) <= _BYTES_SHOWN:
        return quoted(data)
    return f"{quoted(data[:_BYTES_SHOWN])}... ({len(data):,} bytes)"


def _stack(path: Path, places: Places) -> list[dict[str, Any]]:
    """The frames of a report (report/findings.py), innermost first; none if it cannot be read."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeError):
        return []
    frames: list[dict[str, Any]] = []
    for line in lines[lines.index("stack:") + 1 :] if "stack:" in lines else ():
        if (frame := _FRAME.fullmatch(line)) is not None:
            at = _PLACE.fullmatch(frame[4])
            place = places.number(places.meant(at[1]), int(at[2]), frame[2]) if at is not None else 0
            frames.append({"function": frame[2], "place": place, "near": frame[3] is not None, "values": []})
        elif line.startswith("       ") and frames and " = " in line:
            name, _, value = line.strip().partition(" = ")
            frames[-1]["values"].append([name, value])
        elif not line.startswith("  "):
            break
    return frames
