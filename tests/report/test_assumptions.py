"""What a run takes for granted is said with its verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runs import explore, written
from unfork.report.summary import ALONE

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
