"""Results of scans at the lines of a text that goes on changing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from unfork.commands.editors.file_results import (
    FileResults,
    PlacedFinding,
    changed_functions,
    function_summary,
    ineffective,
    results_of,
    updated,
)

HERE = Path("/work")
TWO = "int one(int n)\n{\n    return n;\n}\n\nint two(int n)\n{\n    return n + 1;\n}\n"


def row(name: str, line: int, **more: Any) -> dict[str, Any]:
    """A row of a finding in scan.json."""
    return {"file": "a.c", "line": line, "from": name, "stack": [], "certainty": "certain", **more}


def function(name: str, **more: Any) -> dict[str, Any]:
    """A row of a function in scan.json."""
    common = {"file": "a.c", "line": 1, "explored": "all", "reason": "", "preconditions": []}
    return {"name": name, **common, "branches": {"covered": 2, "total": 2}, **more}


def results(text: str, *findings: dict[str, Any], functions: tuple[str, ...] = ("one", "two")) -> FileResults:
    data = {"findings": findings, "functions": [function(name) for name in functions]}
    return results_of(text, HERE / "a.c", HERE, data, Path("out"))


@pytest.mark.parametrize(
    ("after", "changed"),
    [
        (TWO, ()),
        (TWO.replace("n + 1", "n + 2"), ("two",)),
        (TWO.replace("n + 1", "n + 1 /* why */"), ()),
        (f"\n\n{TWO}", ()),
        (f"{TWO}int three(void) {{ return 3; }}\n", ("three",)),
        (f"#define n 4\n{TWO}", ()),
        (TWO.replace("n + 1", "n + 2").replace("int two", "int table[3];\nint two"), ()),
    ],
)
def test_a_function_has_changed_if_its_own_code_has(after: str, changed: tuple[str, ...]) -> None:
    """What changes around functions may change any of them: then the digests decide."""
    assert changed_functions(TWO, after) == changed


def test_a_fault_in_a_callee_elsewhere_is_shown_at_its_call() -> None:
    stack = [{"file": "b.c", "line": 9}, {"file": "a.c", "line": 3}]
    found = results(TWO, row("one", 9, file="b.c", stack=stack), row("one", 9, file="b.c"))
    assert [each.line for each in found.findings] == [3]


def test_results_of_changed_functions_replace_theirs_alone() -> None:
    before = results(TWO, row("one", 3), row("two", 8))
    after = results(TWO.replace("n + 1", "n"), functions=("two",))
    both = updated(before, after)
    assert [(each.row["from"], each.line) for each in both.findings] == [("one", 3)]
    assert {*both.functions} == {"one", "two"}


def test_functions_that_are_gone_leave_nothing() -> None:
    both = updated(results(TWO, row("one", 3)), results(TWO.partition("\n\n")[2], functions=("two",)))
    assert both.findings == ()
    assert {*both.functions} == {"two"}


@given(some.integers(0, 5), some.integers(0, 5))
def test_findings_move_along_with_their_function(above: int, between: int) -> None:
    one, two = TWO.split("\n\n")
    text = "\n" * above + one + "\n\n" + "\n" * between + two
    both = updated(results(TWO, row("one", 3), row("two", 8)), results(text, functions=()))
    assert [each.line for each in both.findings] == [3 + above, 8 + above + between]


@pytest.mark.parametrize(
    ("extent", "said"),
    [
        ({"preconditions": ["p is not null"]}, "explored completely, 2/2 branches; requires: p is not null"),
        ({"explored": "part"}, "explored in part, 2/2 branches"),
        ({"explored": "not", "reason": "it has inline assembly"}, "explored not: it has inline assembly"),
    ],
)
def test_a_function_is_summed_up_in_a_line(extent: dict[str, Any], said: str) -> None:
    assert function_summary(function("one", **extent)) == said


def test_a_comment_without_a_reason_has_no_effect() -> None:
    text = "int a; /* unfork: ignore leak  */\nint b; /* unfork: ignore leak it ends */\n"
    assert [each.line for each in ineffective(text)] == [1]


def test_findings_without_a_place_are_left_out() -> None:
    assert results(TWO, row("one", 3, file=None)).findings == ()
    assert PlacedFinding(1, row("one", 3), Path()).line == 1
