"""What is guessed of loops: relations, limits and rates of counters. What is kept is true; what tempts is not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import explore, written
from unfork.cli import parse
from unfork.commands.run.run import Result
from unfork.commands.verify.verify import verify
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.reduce.invariants.candidates import BoundCandidate, Rate, condition_of, strongest
from unfork.reduce.invariants.cells import RegisterCell
from unfork.reduce.invariants.modified_set import COUNT_BITS
from unfork.report.record.loop_records import read_loops

PROGRAMS = Path(__file__).parents[2] / "commands" / "verify" / "programs"


def ran(tmp_path: Path, body: str) -> Result:
    start = 'int n, i; unsigned bits; unfork_symbolic(&n, sizeof n, "n"); unfork_symbolic(&bits, sizeof bits, "bits");'
    source = f'#include "unfork.h"\nint main(void) {{\n{start}\n{body.strip()}\nreturn 0;\n}}\n'
    file = written(source, tmp_path, "p.c")
    words = ("--libc", "none", "--loops", "abstract", "--max-time", "300", "--check", "memory,overflow")
    result = explore(file, tmp_path / "run", *words)
    assert result.summary["internal_error"] is None
    return result


KEPT = {
    "a counter under a condition": (
        "int k = 0; for (i = 0; i < n; i++) if (bits >> (i & 31) & 1) k++; unfork_check(n < 0 || k <= n);",
        "always i(k) >= (signed) k(k)",
    ),
    "a limit that the guard compares with": (
        "unfork_assume(n >= 0); for (i = 0; i != n; i++) bits ^= i; unfork_check(i == n);",
        "always i(k) <= (signed) n",
    ),
    "a constant that is assumed before": (
        "unfork_assume(n < 1000); for (; n % 8; n++) bits ^= n; unfork_check(n <= 1000);",
        "always n(k) <= (signed) 1000",
    ),
    "a rate": (
        "long s = 0; for (i = 0; i < n; i++) if (bits >> (i & 31) & 1) s += 5; unfork_check(s >= 0);",
        "always s(k) is 0 * k to 5 * k (signed, without wrapping)",
    ),
    "how many turns there are": (
        "long s = 0; for (i = 0; i < n; i++) s += 3; unfork_check(n < 0 || s == 3L * n);",
        "always k <= 4294967295",
    ),
    "a sum": (
        "int a = 0, b = 0; for (i = 0; i < n; i++) if (bits >> (i & 31) & 1) a++; else b++;"
        "unfork_check(n < 0 || a + b == n);",
        "== -1 * (",
    ),
}


@pytest.mark.parametrize("name", some([*KEPT], "kept", 3))
def test_what_turns_keep_is_found_and_used(name: str, tmp_path: Path) -> None:
    body, line = KEPT[name]
    result = ran(tmp_path, body)
    assert result.verdict == "safe"
    assert any(line in each for each in read_loops(result.directory))


FALSE = {
    "it wraps in its type": "unsigned char k = 0; for (i = 0; i < n; i++) k++; unfork_check(n < 0 || k == n);",
    "it goes below zero": (
        "unsigned k = 0; for (i = 0; i < n; i++) { if (bits & 1) k--; else k |= 1; } unfork_check(k <= 1 || n < 1);"
    ),
    "a pointer moves it": (
        "int k = 0, *p = &k; for (i = 0; i < n; i++) { if (bits & 4) k++; if (i == 5) *p = 9; } unfork_check(k <= i);"
    ),
    "a pointer moves the counter": (
        "int *p = &i; unfork_assume(n >= 0 && n < 99); for (i = 0; i < n; i++) if (i == 7) *p = 200;"
        "unfork_check(i <= n);"
    ),
    "it grows for longer than turns are counted": (
        "unsigned __int128 k = 0, m = ((unsigned __int128)1 << 64) + 5000 + (bits & 1); while (k != m) k++;"
        "unfork_check(bits == 4);"
    ),
    "it is compared with what each turn asks for anew": (
        'unsigned char m, j, x; int k = 0, bad = 0; unfork_symbolic(&m, 1, "m"); for (j = 0; j != m; j++) {'
        'unfork_symbolic(&x, 1, "x"); if (k < x) k++; else if (k > x + 1) bad = 1; } unfork_check(!bad);'
    ),
    "it is left early": "unfork_assume(n >= 0); for (i = 0; i < n; i++) if (i == 70) break; unfork_check(i == n);",
    "its limit moves": (
        "int e = n; unfork_assume(n >= 0); for (i = 0; i < e; i++) if (i == 6) e++; unfork_check(i <= n);"
    ),
    "an inner loop moves it too": (
        "int k = 0; for (i = 0; i < n; i++) { int j; for (j = 0; j < 2; j++) k++; } unfork_check(n < 0 || k <= n);"
    ),
    "one turn adds more than the others": (
        "long s = 0; for (i = 0; i < n; i++) { s += bits & 1; if (i == 5) s += 2; } unfork_check(n < 0 || s <= n);"
    ),
    "one turn counts on neither side": (
        "int a = 0, b = 0; for (i = 0; i < n; i++) if (bits & 1) a++; else if (i != 9) b++;"
        "unfork_check(n < 0 || a + b == n);"
    ),
}


@pytest.mark.parametrize("name", some([*FALSE], "false", 6))
def test_what_is_tempting_and_false_is_not_concluded(name: str, tmp_path: Path) -> None:
    assert ran(tmp_path, FALSE[name]).verdict in ("unsafe", "unknown")


@pytest.mark.parametrize("name", some(["loops_abstract_tempting.c", "loops_abstract_cut_tempting.c"], "tempting"))
def test_no_function_with_a_tempting_loop_is_proved(name: str, tmp_path: Path) -> None:
    given = [str(PROGRAMS / name), "--quiet", "--loops", "abstract", "--out", str(tmp_path / "out")]
    verified = verify([PROGRAMS / name], parse(given)[1])
    assert "safe" not in {each.verdict for each in verified.functions}


def test_a_rate_is_claimed_in_as_many_bits_as_it_takes() -> None:
    """A number that has wrapped is not where its rate says, even if it is there modulo its width."""
    cell, turns = RegisterCell(0, 8, False), symbol("turns", COUNT_BITS)
    number = symbol("number", 8)

    class Frame:
        registers = (number,)

    class Head:
        frames = (Frame(),)

    claim = condition_of(Rate(cell, 0, 1, 1, signed=False, bits=COUNT_BITS), Head(), turns)  # type: ignore[arg-type] # all that a register needs
    assert claim is not None
    assert [evaluate(claim, Model({number: 4, turns: count})) for count in (4, 260, 3)] == [1, 0, 0]


def test_of_bounds_by_constants_the_one_that_says_most_is_assumed() -> None:
    cell = RegisterCell(0, 8, False)
    limit = build.add(symbol("n", 8), 1, 8)
    low, lower = BoundCandidate(cell, 3, ">= (signed)"), BoundCandidate(cell, 255, ">= (signed)")
    top, below = BoundCandidate(cell, 200, "<= (unsigned)"), BoundCandidate(cell, 199, "<= (unsigned)")
    other = BoundCandidate(cell, limit, "<= (unsigned)")
    assert strongest([lower, low, top, other, below]) == [low, other, below]


THREES = """
/*@ requires 0 <= n <= 20; assigns \\nothing; ensures \\result % 3 == 0; */
int threes(int n, unsigned bits)
{
    int x = 0;
    /*@ loop assigns i, x; */
    for (int i = 0; i < n; i++)
        x += bits >> (i & 31) & 1 ? 3 : 6;
    return x;
}
"""


@pytest.mark.parametrize(("said", "verdict"), [("x % 3 == 0", "safe"), ("x % 2 == 0", "unknown")])
def test_what_a_user_states_of_a_loop_with_a_contract_is_proved_before_it_is_used(
    said: str, verdict: str, tmp_path: Path
) -> None:
    file = written(THREES, tmp_path, "threes.c")
    words = (
        "--quiet",
        "--loops",
        "abstract",
        "--invariant",
        f"threes.c:7:{said}",
        "--max-time",
        "300",
        "--out",
        str(tmp_path / "out"),
    )
    verified = verify([file], parse([str(file), *words])[1])
    assert verified.verdict == verdict
    left = {one.subject.kind for each in verified.functions for one in each.obligations if one.ending != "proved"}
    assert ("invariant" in left) == (verdict == "unknown")
