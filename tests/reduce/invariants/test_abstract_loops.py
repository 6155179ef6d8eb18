"""Loops for any number of turns at once: they prove what no number of turns would, and are never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import programs
from tests.support.power import IS_FULL, some
from tests.support.runs import errors_of, explore, written
from unfork.cli import main
from unfork.commands.run.run import Result
from unfork.errors import InputError
from unfork.reduce.invariants import abstract_loops
from unfork.report.record.loop_records import read_loops

EACH = 9 if IS_FULL else 36
"""Of the corpus, each so-manieth program is run."""
DEAR = () if IS_FULL else ("endless_recursion", "cpp", "integers/internet_checksum")
"""The beginnings of names of programs that take several seconds."""
CHOSEN = [
    program
    for program in programs()
    if not program.name.startswith(DEAR)
    and ("for (" in program.path.read_text() or "while (" in program.path.read_text())
]
NAMES = [
    "symbolic_ranges/slice_of_array_bug",
    *[f"{each.path.parent.name}/{each.path.stem}" for each in CHOSEN[::EACH]],
]


def ran(tmp_path: Path, body: str, *words: str, declarations: str = "") -> Result:
    source = f'#include "unfork.h"\n{declarations}\nint main(void) {{\n{body.strip()}\nreturn 0;\n}}\n'
    file = written(source, tmp_path, "p.c")
    result = explore(file, tmp_path / "run", "--libc", "none", "--loops", "abstract", "--max-time", "300", *words)
    assert result.summary["internal_error"] is None
    return result


def loops_of(result: Result) -> list[str]:
    return read_loops(result.directory)


COUNTED = """
int n, i, s = 0;
unfork_symbolic(&n, sizeof n, "n");
for (i = 0; i < n; i++)
  s += 2;
unfork_check(i >= n);
if (n >= 0)
  unfork_check(i == n);
unfork_check(s % 2 == 0);
"""


def test_numbers_that_grow_by_a_constant_are_functions_of_the_turns(tmp_path: Path) -> None:
    result = ran(tmp_path, COUNTED)
    assert result.verdict == "safe"
    lines = loops_of(result)
    assert lines[0].endswith("p.c:6: for any number of turns at once")
    assert any(line.strip().startswith("i(k) = ") for line in lines)
    assert any(line.strip().startswith("s(k) = ") for line in lines)


def test_what_the_loop_before_has_shown_is_known_behind_it(tmp_path: Path) -> None:
    """An index stays within its array, whatever is written there."""
    body = """
    int n, i;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n >= 0 && n <= 20);
    for (i = 0; i < n; i++)
      a[i] = i;
    unfork_check(i <= 20);
    a[i] = 1;
    """
    assert ran(tmp_path, body, declarations="int a[21];").verdict == "safe"


FAILING = """
int n, i, t = 0;
unfork_symbolic(&n, sizeof n, "n");
for (i = 0; i < n; i++) {
  unfork_check(FAILS);
  t ^= i;
}
"""


def test_a_bug_of_a_late_turn_is_found_and_replayed(tmp_path: Path) -> None:
    result = ran(tmp_path, FAILING.replace("FAILS", "i != 1000"))
    assert result.verdict == "unsafe"
    assert [(found.line, found.replayed) for found in result.errors] == [(7, True)]


def test_what_one_turn_keeps_is_proved(tmp_path: Path) -> None:
    """What a turn has checked is known in the next one."""
    assert ran(tmp_path, FAILING.replace("FAILS", "i > 4095 || t < 4096")).verdict == "safe"


def test_what_only_forgotten_numbers_fail_is_an_alarm(tmp_path: Path) -> None:
    """No turn fails: the numbers up to any one never come to 5; but some t that is not 5 becomes it."""
    result = ran(tmp_path, FAILING.replace("FAILS", "t != 5"))
    assert result.verdict == "unknown"
    assert not result.errors
    assert [found.line for found in result.alarms] == [7]


SUM = """
unsigned n, sum = 0, i;
unfork_symbolic(&n, sizeof n, "n");
unfork_assume(n <= 100);
for (i = 1; i <= n; i++)
  sum += i;
unfork_check(sum == n * (n + 1) / 2);
"""


def test_an_invariant_is_proved_and_used(tmp_path: Path) -> None:
    result = ran(tmp_path, SUM, "--invariant", "p.c:7:i <= 101 && sum == i * (i - 1) / 2")
    assert result.verdict == "safe"
    assert any("(the invariant is proved)" in line for line in loops_of(result))


@pytest.mark.parametrize("optimize", some(["0", "1"], "passes"))
def test_an_invariant_may_be_about_what_a_pointer_leads_to(optimize: str, tmp_path: Path) -> None:
    body = SUM.replace("sum = 0, ", "").replace("  sum", "  p->total").replace("(sum", "(p->total")
    known = "struct sum { unsigned total; } s, *p = &s;"
    chosen = ("--optimize", optimize, "--invariant", "p.c:7:i <= 101 && p->total == i * (i - 1) / 2")
    result = ran(tmp_path, body, *chosen, declarations=known)
    assert result.verdict == "safe"
    assert any("(the invariant is proved)" in line for line in loops_of(result))


@pytest.mark.parametrize(
    ("invariant", "reason"),
    [("sum == 1", "where the loop begins"), ("sum == 0", "to be kept by a turn"), ("sum < i", "to be kept by a turn")],
)
def test_an_invariant_that_is_not_proved_is_an_alarm_and_not_used(invariant: str, reason: str, tmp_path: Path) -> None:
    result = ran(tmp_path, SUM, "--invariant", f"p.c:7:{invariant}")
    assert result.verdict == "unknown"
    assert not result.errors
    [alarm] = [found for found in result.alarms if found.kind == "contract"]
    assert alarm.message == f"the invariant {invariant} is not proved {reason}: nothing is concluded from it"
    assert not any("(the invariant is proved)" in line for line in loops_of(result))


@pytest.mark.parametrize(
    ("invariant", "problem"),
    [
        ("p.c:8:i > 0", "--invariant p.c:8: no loop is there; loops of that file are at 7"),
        ("q.c:7:i > 0", "--invariant q.c:7: no loop is there; there is no loop in that file"),
        ("p.c:7:j > 0", "--invariant 'p.c:7:j > 0': no variable of the program is called 'j'"),
        ("p.c:i > 0", "--invariant 'p.c:i > 0': must be FILE:LINE:EXPRESSION, with the line of a loop"),
    ],
)
def test_an_invariant_that_fits_no_loop_is_refused(invariant: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        ran(tmp_path, SUM, "--invariant", invariant)
    assert str(raised.value) == problem


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("char *p = a; for (int i = 0; i < n; i++) p += i; return p == a;", "a pointer changes by no constant"),
        (
            "int i = 0; if (n > 2) goto within; while (i < n) { a[i] = 1; within: i++; }",
            "it may be entered in several places",
        ),
        (
            'for (int i = 0; i < n; i++) unfork_symbolic(a, 1, "b"), *unfork_new() = 1;',
            "it allocates memory that outlives the turn",
        ),
    ],
)
def test_a_loop_that_changes_more_than_numbers_runs_turn_by_turn(body: str, reason: str | None, tmp_path: Path) -> None:
    declarations = "char a[100];\n#include <stdlib.h>\nstatic char *unfork_new(void) { return malloc(1); }"
    start = 'int n; unfork_symbolic(&n, sizeof n, "n"); unfork_assume(n >= 0 && n < 4);'
    result = ran(tmp_path, start + body, declarations=declarations)
    refused = [line.partition("turn by turn: ")[2] for line in loops_of(result) if "turn by turn" in line]
    assert refused == ([] if reason is None else [reason])


def test_loops_within_loops(tmp_path: Path) -> None:
    body = """
    int n, m, i, j, t = 0;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_symbolic(&m, sizeof m, "m");
    for (i = 0; i < n; i++)
      for (j = 0; j < m; j++)
        t ^= 4;
    unfork_check(t != 1);
    unfork_check(i >= n);
    """
    result = ran(tmp_path, body, "--invariant", "p.c:7:(t & 3) == 0", "--invariant", "p.c:8:(t & 3) == 0")
    assert result.verdict == "safe"
    assert sum("at once" in line for line in loops_of(result)) == 2


def test_functions_that_call_themselves_in_loops(tmp_path: Path) -> None:
    declarations = "static int down(int n) { int s = 0; for (int i = 0; i < n; i++) s |= down(n - 1); return s; }"
    body = 'int n; unfork_symbolic(&n, sizeof n, "n"); unfork_assume(n >= 0 && n < 3); unfork_check(down(n) == 0);'
    assert ran(tmp_path, body, declarations=declarations).verdict in ("safe", "unknown")


@pytest.mark.parametrize("libc", ["none", "musl"])
def test_what_the_library_makes_in_the_first_turn_is_there_in_the_next(libc: str, tmp_path: Path) -> None:
    body = """
    int n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n >= 0 && n < 100);
    for (int i = 0; i < n; i++) {
      unfork_check(!(errno == 76 && n == 78));
      errno = errno + 1;
    }
    """
    result = ran(tmp_path, body, "--libc", libc, declarations="#include <errno.h>")
    assert result.verdict == "unsafe"
    assert [found.line for found in result.errors] == [8]


def test_bytes_that_are_written_for_the_first_time_are_no_numbers_where_that_matters(tmp_path: Path) -> None:
    body = """
    int a[4], n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n >= 0 && n <= 4);
    for (int i = 0; i < n; i++)
      a[i] = i;
    return a[3];
    """
    result = ran(tmp_path, body, "--check", "memory,uninitialised")
    assert result.verdict == "unsafe"
    assert [found.kind for found in result.errors] == ["uninitialised"]


@pytest.mark.parametrize(
    ("name", "known"), [(name, known) for name in NAMES for known in some([0, abstract_loops.MOST_KNOWN], name)]
)
def test_abstract_loops_are_never_wrong(name: str, known: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if turns with a single path are not run as they are."""
    monkeypatch.setattr(abstract_loops, "MOST_KNOWN", known)
    [program] = [each for each in programs() if each.name == name]
    try:
        result = explore(program, tmp_path / "run", "--loops", "abstract", "--max-time", "10")
    except InputError as refusal:
        assert "--loops" in str(refusal)
        return
    assert errors_of(result) <= program.errors
    assert result.verdict != "safe" or not program.errors
    assert result.summary["internal_error"] is None


def test_show_tells_of_the_loops_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = ran(tmp_path, COUNTED)
    assert main(["show", "--loops", str(result.directory)]) == 0
    assert capsys.readouterr().out.splitlines() == loops_of(result)
    plain = explore(tmp_path / "p.c", tmp_path / "plain", "--libc", "none", "--max-forks", "2")
    assert main(["show", str(plain.directory), "--loops"]) == 2
    assert "only a run with --loops abstract does" in capsys.readouterr().err
