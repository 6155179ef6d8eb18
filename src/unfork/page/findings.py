"""Errors, alarms and tests of a run directory as data of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unfork.clang.escape import quoted, shown
from unfork.inputs.testcase import Error, TestCase, TestInput, readable_number
from unfork.page.places import Places
from unfork.report.test_words import contents, expected, heap_text, in_hex, is_undefined


def findings(summary: Mapping[str, Any], places: Places) -> list[dict[str, Any]]:
    """Errors, then alarms, each with the frames of its stack, innermost first."""
    rows = []
    for sort in ("errors", "alarms"):
        for entry in summary[sort]:
            place = places.number(entry["file"], entry["line"], entry["function"])
            rows.append(
                {
                    "sort": sort[:-1],
                    "kind": entry["kind"],
                    "message": shown(entry["message"]),
                    "place": place,
                    "test": shown(entry["test"]),
                    "replayed": entry["replayed"],
                    "native": entry["native"],
                    "reason": shown(entry["reason"] or ""),
                    "stack": [_frame(frame, places) for frame in entry["stack"]],
                }
            )
    return rows


def tests_data(kept: Mapping[str, TestCase], summary: Mapping[str, Any], places: Places) -> list[dict[str, Any]]:
    """The tests as data."""
    finders = {name: strategy["name"] for strategy in summary["strategies"] for name in strategy["tests"]}
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
        "stdin": contents(test.stdin) if test.stdin else None,
        "files": [[shown(file), contents(data)] for file, data in test.files],
        "stdout": contents(test.stdout) if test.stdout else None,
        "heap": [line for line in heap_text(test) if line][1:],
        "branches": [shown(branch) for branch in test.branches],
        "strategy": finder,
    }


def _input(entry: TestInput) -> dict[str, Any]:
    number = readable_number(entry)
    return {
        "name": shown(entry.name),
        "type": shown(entry.type or ""),
        "kind": entry.kind,
        "size": len(entry.data),
        "value": None if number is None else str(number),
        "text": contents(entry.data) if number is None else "",
        "bytes": in_hex(entry.data),
    }


def _frame(frame: Mapping[str, Any], places: Places) -> dict[str, Any]:
    return {
        "function": shown(frame["function"]),
        "place": places.number(frame["file"], frame["line"], frame["function"]),
        "near": frame.get("line_is_nearest", False),
        "values": [[shown(name), shown(value)] for name, value in frame["values"].items()],
    }
