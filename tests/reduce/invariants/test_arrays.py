"""Loops over arrays, taken for any number of turns: what is proved of elements holds, whatever the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.generated_arrays import generate
from tests.support.power import some
from tests.support.runs import errors_of, explore, written
from unfork.reduce.invariants import abstract_loops, array_invariants

INPUT = 'static int in(void) { int x; unfork_symbolic(&x, sizeof x, "x"); return x; }\n'
GROUP = 10
GROUPS = 20
LEAST_PROVED = 0.2
"""Of the safe programs of a group, so many are proved at least: else nothing would be tested."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of a few elements are taken as those of many are."""
    monkeypatch.setattr(array_invariants, "LEAST_BYTES", 1)
    monkeypatch.setattr(abstract_loops, "MOST_KNOWN_OF_ARRAYS", 0)


SOME = "int j = 0; for (int i = 0; i < N; i++) if (in()) a[j++] = 1;"
FILLED = "for (int i = 0; i < N; i++) a[i] = in();"
PAIRS = [
    (f"{FILLED} for (int i = 0; i < N; i++) assert(a[i] == a[0]);", "unsafe"),
    ("int x = in(); for (int i = 0; i < N; i++) a[i] = x; for (int i = 0; i < N; i++) assert(a[i] == a[0]);", "safe"),
    (f"{FILLED} int m = 0; for (int i = 0; i < N; i++) {{ if (a[i] > m) m = a[i]; }} assert(a[2] <= m);", "safe"),
    (f"{FILLED} int m = 0; for (int i = 1; i < N; i++) {{ if (a[i] > m) m = a[i]; }} assert(a[0] <= m);", "unsafe"),
    (f"{SOME} for (int i = 0; i < j; i++) assert(a[i]);", "safe"),
    (
        f"{SOME} for (int i = 0; j < N && i <= j; i++) assert(a[i]);",
        "unsafe",
    ),
    (
        f"{FILLED} for (int i = 0; i < N; i++) b[i] = a[i]; a[1]++; for (int i = 0; i < N; i++) assert(a[i] == b[i]);",
        "unsafe",
    ),
    ("int l[N]; for (int i = 0; i < N; i++) l[i] = 3; for (int i = 0; i < N; i++) assert(l[i] == 3);", "safe"),
    ("int l[N]; for (int i = 0; i < N - 1; i++) l[i] = 3; for (int i = 0; i < N; i++) if (l[i]) b[i]++;", "unsafe"),
    ("int l[N]; for (int i = 1; i < N; i++) l[i] = 0; for (int i = 0; i < N; i++) assert(l[i] >= l[0]);", "unsafe"),
    ("for (int k = 0; k < 2; k++) { int l[N]; for (int i = k; i < N; i++) l[i] = 3; if (l[0]) b[0]++; }", "unsafe"),
    ("for (int i = 1; i < N; i++) a[i] = a[i - 1] + 1; for (int i = 0; i < N; i++) assert(a[i] == i);", "unknown"),
]
"""What is proved by what holds of elements, and much the same where it does not hold; ``unknown`` is out of reach."""


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("body", "verdict"), PAIRS)
def test_what_holds_of_elements_is_told_from_what_does_not(body: str, verdict: str, tmp_path: Path) -> None:
    text = (
        f'#include <assert.h>\n#include "unfork.h"\n#define N 5\nint a[N], b[N];\n{INPUT}int main(void) {{ {body} }}\n'
    )
    file = written(text, tmp_path, "p.c")
    words = ("--libc", "none", "--max-time", "60", "--check", "memory,div,shift,unreachable,uninitialised")
    result = explore(file, tmp_path / "run", "--strategy", "prove", "--tests", "errors", *words)
    assert result.summary["internal_error"] is None
    assert result.verdict == verdict or (verdict == "unsafe" and result.alarms)
    if verdict == "unsafe":
        assert explore(file, tmp_path / "exact", "--strategy", "plain", *words).verdict == "unsafe"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("group", some(range(GROUPS), "arrays"))
def test_what_is_proved_of_arrays_is_what_all_paths_show(group: int, tmp_path: Path) -> None:
    safe = proved = 0
    for seed in range(group * GROUP, (group + 1) * GROUP):
        file = written(generate(seed), tmp_path, f"p{seed}.c")
        checks = ("--check", "memory,div,shift,unreachable,uninitialised") if seed % 2 else ()
        limits = ("--libc", "none", "--tests", "errors", "--max-time", "60", *checks)
        exact = explore(file, tmp_path / f"exact{seed}", "--strategy", "plain", *limits)
        over = explore(file, tmp_path / f"over{seed}", "--strategy", "prove", *limits)
        assert exact.verdict in ("safe", "unsafe"), seed
        assert over.summary["internal_error"] is None, seed
        assert errors_of(over) <= errors_of(exact), seed
        if over.verdict == "safe":
            assert exact.verdict == "safe", seed
        safe += exact.verdict == "safe"
        proved += over.verdict == "safe"
    assert proved >= LEAST_PROVED * safe
