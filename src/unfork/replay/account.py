"""How the tests of a replay ended, compared with what they expect, as a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.clang.escape import shown
from unfork.inputs.testcase import Error, Exit, Expectation, TestCase, missing
from unfork.replay import evidence
from unfork.replay.evidence import Ending

AS_EXPECTED = "as expected"
DIFFERENT = "DIFFERENT"
ENGINE_ONLY = "only the engine can check it"
ASKS = f"{ENGINE_ONLY} (the program asks for inputs by a function)"
OTHER_OUTPUT = "DIFFERENT OUTPUT"
CUT = "cut: nothing expected"
OUT_OF_TIME = "OUT OF TIME"
OUT_OF_TIME_AS_EXPECTED = "out of time, as expected"
_BAD = (DIFFERENT, OTHER_OUTPUT, OUT_OF_TIME)


@dataclass(frozen=True, slots=True)
class Row:
    """One test; ``ended`` is None if it did not end."""

    test: str
    expected: Expectation
    ended: Expectation
    judgement: str

    def is_bad(self) -> bool:
        """Whether the test ended in another way than expected, or with other output."""
        return self.judgement in _BAD


@dataclass(frozen=True, slots=True)
class Report:
    """A replay: ``how`` it ran, its rows, and the coverage of all tests together, in words."""

    how: str
    rows: Sequence[Row]
    coverage: str

    def agrees(self) -> bool:
        """Whether no row is bad."""
        return not any(row.is_bad() for row in self.rows)


def judge(name: str, test: TestCase, ending: Ending | None, has_sanitizers: bool) -> Row:
    """What a native run says about a test; no ``ending`` means that it ran out of time.

    Output is compared if it is known and the program ends by itself.
    """
    if ending is None and isinstance(test.expect, Error) and test.expect.kind == "nontermination":
        return Row(name, test.expect, None, OUT_OF_TIME_AS_EXPECTED)
    if ending is None:
        return Row(name, test.expect, None, OUT_OF_TIME if test.expect is not None else CUT)
    seen = evidence.read(ending)
    if test.expect is None:
        return Row(name, test.expect, seen, CUT)
    if not evidence.agrees(test.expect, seen):
        judgement = DIFFERENT
        if isinstance(test.expect, Error) and isinstance(seen, Exit):
            if not has_sanitizers:
                judgement = f"{ENGINE_ONLY} (no sanitizer here)"
            elif test.expect.kind in evidence.UNSURE:
                judgement = f"{ENGINE_ONLY} (sanitizers do not always see this)"
        return Row(name, test.expect, seen, judgement)
    is_same = test.stdout is None or not isinstance(test.expect, Exit) or test.expect.status is None
    if is_same or ending.output == test.stdout:
        return Row(name, test.expect, seen, AS_EXPECTED)
    return Row(name, test.expect, seen, OTHER_OUTPUT)


def run_natively(name: str, test: TestCase, run: Callable[[TestCase], Ending | None], has_sanitizers: bool) -> Row:
    """The row of a test that ``run`` runs. A test that needs what no native run can have is not run."""
    if test.has_failures():
        return Row(name, test.expect, None, f"{ENGINE_ONLY} (a call fails)")
    if (reason := missing(test)) is not None:
        return Row(name, test.expect, None, f"{ENGINE_ONLY} ({reason})")
    row = _named_as_given(judge(name, test, run(test), has_sanitizers))
    if row.is_bad() and test.has_unwritten():
        return Row(name, row.expected, row.ended, f"{ENGINE_ONLY} (uninitialised values)")
    return row


def _named_as_given(row: Row) -> Row:
    """The row with the test's name for a source that the compiler names by its absolute path."""
    match row.expected, row.ended:
        case Error(file=str(given)), Error(file=str(file)) if os.path.abspath(given) == file:
            return replace(row, ended=replace(row.ended, file=given))
        case _:
            return row


def end_text(end: Expectation) -> str:
    """An end in words."""
    match end:
        case None:
            return "-"
        case Exit(None):
            return "abort"
        case Exit(status):
            return f"exit {status}"
        case Error():
            return end.words()


def table(report: Report) -> list[str]:
    """The report as lines in aligned columns."""
    cells = [("test", "expected", "ended", "")]
    cells += [(shown(row.test), end_text(row.expected), end_text(row.ended), row.judgement) for row in report.rows]
    widths = [max(len(line[column]) for line in cells) for column in range(3)]
    lines = [f"replay: {report.how}"]
    for line in cells:
        padded = [cell.ljust(width) for cell, width in zip(line[:3], widths, strict=True)]
        lines.append("  ".join((*padded, line[3])).rstrip())
    good = sum(1 for row in report.rows if row.judgement in (AS_EXPECTED, OUT_OF_TIME_AS_EXPECTED))
    bad = sum(1 for row in report.rows if row.is_bad())
    others = f", {bad} do not" if bad else ""
    if len(report.rows) > good + bad:
        others += f", {len(report.rows) - good - bad} cannot be judged"
    lines.append(f"{good} of {len(report.rows)} tests end as expected{others}")
    if report.coverage:
        lines.append(report.coverage)
    return lines
