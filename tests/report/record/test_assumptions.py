"""What a run takes for granted is said with its verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.report.record.summary import ALONE
from unfork.report.record.text import final_lines

COPIED = "struct pair { int first, second; }; volatile struct pair v;"


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("volatile int v; int main(void) { int a = v, b = v; return a - b; }", [ALONE]),
        (f"{COPIED} int main(void) {{ struct pair a = v; return a.second; }}", [ALONE]),
        ("volatile int v; int main(void) { v = 3; return 0; }", []),
        ("int v; int main(void) { int a = v, b = v; return a - b; }", []),
    ],
)
@pytest.mark.parametrize("optimize", ["0", "1"])
def test_that_nobody_else_writes_what_is_volatile(text: str, assumed: list[str], optimize: str, tmp_path: Path) -> None:
    result = explore(written(text, tmp_path), tmp_path / "run", "--libc", "none", "--optimize", optimize)
    assert (result.verdict, result.summary["assumptions"]) == ("safe", assumed)


def test_the_verdict_says_that_it_rests_on_what_is_assumed(tmp_path: Path) -> None:
    text = '#include <stdlib.h>\nint main(void) { return getenv("A\\x1b b") != 0; }'
    result = explore(written(text, tmp_path), tmp_path / "run", "--libc", "none")
    assert result.summary["assumptions"] == ["A\\x1b b is not set"]
    *_, before, last = final_lines(result.summary, "run")
    assert before == "assumed: A\\x1b b is not set"
    assert last.startswith("verdict: safe, if what is assumed is true (")


def test_a_variable_that_is_given_is_not_assumed(tmp_path: Path) -> None:
    text = '#include <stdlib.h>\nint main(void) { return getenv("TOWN") != 0 || getenv("RIVER") != 0; }'
    result = explore(written(text, tmp_path), tmp_path / "run", "--sym-env", "TOWN", "2")
    assert result.summary["assumptions"] == ["RIVER is not set; --sym-env RIVER 16"]
