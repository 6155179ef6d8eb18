"""The page's data of errors, alarms, tests and proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unfork.program.c.escape import escape_text, quote_bytes
from unfork.report.page.page_sources import Locations
from unfork.report.record.text import is_broken
from unfork.report.record.words_of_tests import contents, expectation_words, heap_text, in_hex, is_undefined, lanes
from unfork.world.inputs.testcase import Error, TestCase, TestInput, readable_number


def findings(summary: Mapping[str, Any], locations: Locations) -> list[dict[str, Any]]:
    """Errors, then alarms, each with its stack frames, innermost first."""
    rows = []
    for sort in ("errors", "alarms"):
        for entry in summary[sort]:
            location = locations.number(entry["file"], entry["line"], entry["function"])
            rows.append(
                {
                    "sort": sort[:-1],
                    "kind": entry["kind"],
                    "message": escape_text(entry["message"]),
                    "place": location,
                    "test": escape_text(entry["test"]),
                    "replayed": entry["replayed"],
                    "native": entry["native"],
                    "reason": escape_text(entry["reason"] or ""),
                    "stack": frames(entry["stack"], locations),
                }
            )
    return rows


def tests_data(kept: Mapping[str, TestCase], summary: Mapping[str, Any], locations: Locations) -> list[dict[str, Any]]:
    """The tests by name, each with the strategy that found it."""
    finders = {name: strategy["name"] for strategy in summary["strategies"] for name in strategy["tests"]}
    return [test_data(name, test, finders.get(name), locations) for name, test in kept.items()]


def test_data(name: str, test: TestCase, finder: str | None, locations: Locations) -> dict[str, Any]:
    """A test; ``finder`` is the strategy that found it."""
    expect = test.expect
    location = locations.number(expect.file, expect.line, expect.function) if isinstance(expect, Error) else 0
    return {
        "name": escape_text(name),
        "expect": expectation_words(test),
        "fails": isinstance(expect, Error),
        "place": location,
        "inputs": [_input(entry) for entry in test.inputs if not is_undefined(entry)],
        "undefined": sum(map(is_undefined, test.inputs)),
        "args": [quote_bytes(word.encode("utf-8", "surrogateescape")) for word in test.args],
        "stdin": contents(test.stdin) if test.stdin else None,
        "files": [[escape_text(file), contents(data)] for file, data in test.files],
        "environment": [
            [escape_text(name), "not set" if value is None else contents(value)] for name, value in test.environment
        ],
        "stdout": contents(test.stdout) if test.stdout else None,
        "heap": [line for line in heap_text(test) if line][1:],
        "schedule": lanes(test),
        "branches": [escape_text(branch) for branch in test.branches],
        "strategy": finder,
    }


def _input(entry: TestInput) -> dict[str, Any]:
    number = readable_number(entry)
    return {
        "name": escape_text(entry.name),
        "type": escape_text(entry.type or ""),
        "kind": entry.kind,
        "size": len(entry.data),
        "value": None if number is None else str(number),
        "text": contents(entry.data) if number is None else "",
        "bytes": in_hex(entry.data),
    }


def frames(stack: Sequence[Mapping[str, Any]], locations: Locations) -> list[dict[str, Any]]:
    """The stack of a failure, innermost call first."""
    return [
        {
            "function": escape_text(frame["function"]),
            "place": locations.number(frame["file"], frame["line"], frame["function"]),
            "near": frame.get("line_is_nearest", False),
            "values": [[escape_text(name), escape_text(value)] for name, value in frame["values"].items()],
        }
        for frame in stack
    ]


def proofs_data(summary: Mapping[str, Any], locations: Locations) -> dict[str, Any]:
    """The functions with their obligations, and figures by line. An obligation that a call breaks counts as failed."""
    return {
        "proofs": [_proof(proof, locations) for proof in summary["functions"]],
        "lines": _lines(summary, locations),
    }


def _lines(summary: Mapping[str, Any], locations: Locations) -> dict[str, dict[str, dict[str, Any]]]:
    by_file: dict[str, dict[str, dict[str, Any]]] = {}
    for proof in summary["functions"]:
        for each in proof["obligations"]:
            if each["file"] is not None and each["line"]:
                line = by_file.setdefault(str(locations.file(each["file"])), {}).setdefault(str(each["line"]), {})
                ending = _ending(proof, each)
                line[ending] = line.get(ending, 0) + 1
                line["seconds"] = round(line.get("seconds", 0) + each["seconds"], 3)
    return by_file


def _proof(proof: Mapping[str, Any], locations: Locations) -> dict[str, Any]:
    broken = proof["counterexample"]
    name = proof["function"]
    return {
        "function": escape_text(name),
        "verdict": proof["verdict"],
        "obligations": [
            {
                "kind": each["kind"],
                "place": locations.number(each["file"], each["line"] or None, name),
                "text": escape_text(each["text"]),
                "ending": _ending(proof, each),
                "paths": each["paths"],
                "by": sorted(each["by"]),
                "seconds": each["seconds"],
                "detail": [escape_text(line) for line in each["detail"].splitlines()],
            }
            for each in proof["obligations"]
        ],
        "broken": None
        if broken is None
        else {
            "kind": broken["kind"],
            "text": escape_text(broken["text"]),
            "place": locations.number(broken["file"], broken["line"], name),
            "call": escape_text(broken["call"]),
        },
        "reasons": [escape_text(reason) for reason in proof["reasons"]],
        "assumptions": [escape_text(assumption) for assumption in proof["assumptions"]],
        "called": [escape_text(callee) for callee in proof["called"]],
        "inferred": _predicates(proof["inferred"]),
        "figures": [
            ["paths", proof["paths"]],
            ["joins", proof["joins"]],
            ["instructions", proof["instructions"]],
            ["operators in queries", proof["operators"]],
            ["proved again", proof["audit"]["confirmed"]],
            ["not proved again", proof["audit"]["unconfirmed"]],
        ],
        "seconds": proof["seconds"],
        "cached": proof["cached"],
    }


def _ending(proof: Mapping[str, Any], obligation: Mapping[str, Any]) -> str:
    return "failed" if is_broken(proof, obligation) else str(obligation["ending"])


def _predicates(inferred: Mapping[str, Any] | None) -> list[list[str]]:
    if inferred is None:
        return []
    exact = inferred["exact"]
    rows = [[_mark(location), escape_text("; ".join(location["predicates"]))] for location in inferred["places"]]
    rows.append(["exact", exact if isinstance(exact, str) else ", ".join(map(_mark, exact)) or "nowhere"])
    return [*rows, ["explored again", str(inferred["again"])], ["queries", str(inferred["queries"])]]


def _mark(location: Mapping[str, Any]) -> str:
    return f"{escape_text(location['function'])}, block {location['block']}"
