"""The page's data of a scan: functions, and findings with their C programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.page.findings_page import frames, test_data
from unfork.report.page.page_sources import Locations, visible_text
from unfork.report.record.kept_run import KeptRun, read_test
from unfork.report.record.scan_finding import program_of, within

_LONGEST = 60_000
"""The page shows at most this many characters of a C program: its end, with the call."""


def scan_data(run: KeptRun, locations: Locations) -> dict[str, Any]:
    """Findings with certain ones first, their tests, functions, ignored findings, functions left out."""
    tests: list[dict[str, Any]] = []
    numbers = {(each["file"], each["name"]): number for number, each in enumerate(run.summary["functions"])}
    rows = [
        {
            **_finding(run, each, tests, locations),
            "from": [numbers[origin["file"], origin["function"]] for origin in each["reached_from"]],
        }
        for each in run.summary["findings"]
    ]
    return {
        "findings": rows,
        "tests": tests,
        "proofs": None,
        "scan": {
            "functions": [_function(each, locations) for each in run.summary["functions"]],
            "ignored": [_ignored(each, locations) for each in run.summary["ignored"]],
            "left_out": [escape_text(line) for line in run.summary["left_out"]],
            "remarks": [escape_text(line) for lines in run.summary["comments"].values() for line in lines],
        },
    }


def _finding(
    run: KeptRun, finding: Mapping[str, Any], tests: list[dict[str, Any]], locations: Locations
) -> dict[str, Any]:
    is_certain = finding["certainty"] == "certain"
    test = within(run.root, finding["test"]) if is_certain else None
    if test is not None:
        try:
            tests.append(test_data(finding["test"], read_test(test), None, locations))
        except InputError:
            test = None
    return {
        "sort": "error" if is_certain else "alarm",
        "kind": finding["kind"],
        "message": escape_text(finding["message"]),
        "place": locations.number(finding["file"], finding["line"], finding["function"]),
        "test": escape_text(finding["test"]) if test is not None else None,
        "certainty": finding["certainty"],
        "known": finding["known"],
        "reason": escape_text(finding["reason"]),
        "precondition": escape_text(finding["precondition"]),
        "stack": frames(finding["stack"], locations),
        "path": [
            [locations.number(step["file"], step["line"], None), escape_text(step["what"])] for step in finding["path"]
        ],
        "reproducer": escape_text(finding["reproducer"]),
        "program": _program(run.root, finding) if is_certain else [],
    }


def _program(root: Path, finding: Mapping[str, Any]) -> list[str]:
    """The lines of a C program after its copy of the source, which the page shows elsewhere."""
    return [visible_text(line) for line in program_of(root, finding)[-_LONGEST:].splitlines()]


def _function(function: Mapping[str, Any], locations: Locations) -> dict[str, Any]:
    return {
        "name": escape_text(function["name"]),
        "place": locations.number(function["file"], function["line"], function["name"]),
        "explored": function["explored"],
        "reason": escape_text(function["reason"]),
        "requires": [escape_text(each) for each in function["preconditions"]],
        "as_code": [escape_text(each) for each in function["requires"]],
        "assumptions": [escape_text(each) for each in function["assumptions"]],
        "covered": function["branches"]["covered"],
        "sides": function["branches"]["total"],
        "seconds": function["seconds"],
    }


def _ignored(finding: Mapping[str, Any], locations: Locations) -> list[Any]:
    place = locations.number(finding["file"], finding["line"], finding["function"])
    return [finding["kind"], place, escape_text(finding["message"]), escape_text(finding["ignored"])]
