"""How replayed tests ended, compared with their expectations, as a table.

The end of a native run follows from its exit status or signal and from reports of assert and the sanitizers.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.program.c.escape import escape_text
from unfork.world.inputs.testcase import Error, Exit, Expectation, TestCase, missing

AS_EXPECTED = "as expected"
DIFFERENT = "DIFFERENT"
ENGINE_ONLY = "only the engine can check it"
ASKS = f"{ENGINE_ONLY} (the program asks for inputs by a function)"
OTHER_OUTPUT = "DIFFERENT OUTPUT"
CUT = "cut: nothing expected"
OUT_OF_TIME = "OUT OF TIME"
OUT_OF_TIME_AS_EXPECTED = "out of time, as expected"
_BAD = (DIFFERENT, OTHER_OUTPUT, OUT_OF_TIME)
_ASSERT = re.compile(r"^(?:[^:\n]*: )?(?P<file>[^:\n]+):(?P<line>\d+): .*Assertion .* failed", re.M)
_MUSL_ASSERT = re.compile(r"^Assertion failed: .*\((?P<file>[^:()\n]+): [^:\n]*: (?P<line>\d+)\)", re.M)
_OURS = re.compile(r"^unfork: (?P<kind>[a-z-]+)", re.M)
_RUNTIME = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: runtime error: (?P<what>.*)$", re.M)
_HARDENED = re.compile(r"^[^\n]*:\d+: (?:assertion .* failed: |.*: Assertion '.*' failed\.)", re.M)
"""An assertion of libc++ or libstdc++."""
_NO_FUNCTION = re.compile(r"^(?:libc\+\+abi: )?(?:pure|deleted) virtual (?:method|function) called", re.M | re.I)
_ADDRESS = re.compile(r"ERROR: (?:Address|Leak)Sanitizer: (?P<what>[^\n]*)")
_LEAK = "leak of "
"""The start of each leak report at the end of a run."""
_REFUSED = re.compile(r"^SUMMARY: AddressSanitizer: (?:out-of-memory|allocation-size-too-big)", re.M)
"""A sanitizer writes this where the program would throw bad_alloc."""
_TERMINATED = re.compile(
    r"^(?:terminate called after throwing|libc\+\+abi: terminating due to uncaught exception)", re.M
)
_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in .+ (?P<file>[^:\s]+):(?P<line>\d+)", re.M)

_RACE = re.compile(r"^WARNING: ThreadSanitizer: (?P<what>data race|heap-use-after-free)", re.M)
_FRAME_OF_RACE = re.compile(r"^\s*#\d+ .+ (?P<file>[^:\s]+):(?P<line>\d+)", re.M)
DATA_RACE = "data-race"
OFF_SCHEDULE = "off-schedule"
"""The end of a program whose threads cannot follow the schedule."""

SUPPORT = "unfork_inputs.c"
"""The file that feeds a test's inputs to its program."""
_OF_LIBRARY = re.compile(r"^\.\./|/include/c\+\+/|/libcxx(?:abi)?/|sanitizer")
"""Matches file names of libraries; those of the C library are relative to its build folder."""
_OWN = ("/unfork", f"/{SUPPORT}")
"""The support code of tests written as C, and the source of inputs. The caller is to blame for errors there."""
_RUNTIME_KINDS = (
    ("division by zero", "div-by-zero"),
    ("shift exponent", "shift"),
    ("left shift of", "shift"),
    ("integer overflow", "overflow"),
    ("negation of", "overflow"),
    ("cannot be represented", "overflow"),
    ("out of bounds", "out-of-bounds"),
    ("null pointer", "null-dereference"),
    ("unreachable", "unreachable"),
    ("insufficient space", "out-of-bounds"),
    ("variable length array bound", "out-of-bounds"),
    ("not a valid value", "unreachable"),
)
_ADDRESS_KINDS = (
    ("double-free", "double-free"),
    ("attempting double-free", "double-free"),
    ("stack-overflow", "stack-overflow"),
    ("not malloc", "invalid-free"),
    ("alloc-dealloc-mismatch", "invalid-free"),
    ("new-delete-type-mismatch", "invalid-free"),
    ("bad-free", "invalid-free"),
    ("use-after", "use-after-free"),
    ("overflow on", "out-of-bounds"),
    ("buffer-overflow", "out-of-bounds"),
    ("buffer-underflow", "out-of-bounds"),
    ("container-overflow", "out-of-bounds"),
    ("param-overlap", "invalid-call"),
    ("leak", "leak"),
    ("FPE", "div-by-zero"),
)
_LOOSE = {
    "reach-error": ("assert", "abort"),
    "abort": ("assert", "reach-error"),
    "user": ("abort",),
    "read-only": ("null-dereference", "crash"),
    "null-dereference": ("crash", "out-of-bounds", "hardening"),
    "out-of-bounds": ("crash", "use-after-free", "null-dereference", "invalid-free", "hardening"),
    "use-after-free": ("crash", "out-of-bounds", "hardening"),
    "invalid-call": ("crash", "null-dereference", "out-of-bounds"),
    "stack-overflow": ("crash",),
    "overflow": ("div-by-zero",),
    "invalid-free": ("out-of-bounds", "double-free", "crash"),
    "double-free": ("use-after-free",),
    "data-race": ("use-after-free",),
    "uncaught-exception": ("abort",),
    "terminate": ("abort", "uncaught-exception"),
    "hardening": ("abort", "crash", "out-of-bounds", "null-dereference", "use-after-free", "invalid-free"),
}
"""Kinds that native runs may report instead of an error's kind: they may show the crash and the engine its cause."""
_NOTICED = frozenset(("out-of-bounds", "use-after-free", "double-free", "invalid-free"))
"""Without sanitizers, an allocator or a stack guard may abort the program for these errors."""
_ENDLESS = ("nontermination", "deadlock")
"""Faults that an endless run confirms: threads may also wait for each other in loops."""
UNSURE = frozenset(
    ("leak", "uninitialised", "overflow", "shift", "unreachable", "stack-overflow", "invalid-call", "hardening")
)
"""Kinds that sanitizers do not check or compilers move elsewhere; a quiet end is no evidence against them."""


@dataclass(frozen=True, slots=True)
class NativeEnding:
    """The end of a native run. As in subprocess, ``status`` is negative for a signal."""

    status: int
    text: str
    """Its standard error."""
    output: bytes = b""
    """Its standard output."""


def end_of(ending: NativeEnding, line: int | None = None) -> Exit | Error:
    """The end of a run in the engine's terms; a crash of unknown cause has the kind "crash".

    Among several leaks, the one at ``line`` if there is one.
    """
    text = ending.text
    if match := _OURS.search(text):
        return Error(match["kind"], None, None)
    if match := _RUNTIME.search(text):
        kind = _kind(match["what"], _RUNTIME_KINDS)
        is_own = not _OF_LIBRARY.search(match["file"])
        return Error(kind, match["file"], int(match["line"])) if is_own else Error(kind, None, None)
    if match := _ADDRESS.search(text):
        error = _address_error(match["what"], text)
        leaks = [_address_error(match["what"], each) for each in text.split(_LEAK)[1:]] if error.kind == "leak" else []
        return next((each for each in leaks if each.line == line), error)
    if match := _RACE.search(text):
        return _race(DATA_RACE if match["what"] == "data race" else "use-after-free", text[match.end() :])
    if ending.status < 0 and _HARDENED.search(text):
        return Error("hardening", None, None)
    if match := _ASSERT.search(text) or _MUSL_ASSERT.search(text):
        return Error("assert", match["file"], int(match["line"]))
    if ending.status >= 0:
        return Exit(ending.status)
    if _TERMINATED.search(text):
        return Error("uncaught-exception", None, None)
    if _NO_FUNCTION.search(text):
        return Error("invalid-call", None, None)
    if ending.status in (-signal.SIGABRT, -signal.SIGILL, -signal.SIGTRAP):  # abort() and __builtin_trap()
        return Error("abort", None, None)
    if ending.status == -signal.SIGFPE:
        return Error("div-by-zero", None, None)
    return Error("crash", None, None)


def agrees(expect: Expectation, seen: Exit | Error) -> bool:
    """Whether a native end agrees with a test's expectation. Lines count if both are known and exact.

    The line of a stack overflow does not count: it depends on the compiler's frame sizes.
    """
    match expect, seen:
        case None, _:
            return True
        case Exit(None), Error("abort", _, _):
            return True
        case Exit(status), Exit(other):
            return status == other
        case Error(kind, _, line, is_near), Error(other_kind, _, other_line):
            if kind != other_kind and other_kind not in _LOOSE.get(kind, ()):
                return False
            is_vague = is_near or kind == "stack-overflow" or None in (line, other_line)
            return kind != other_kind or is_vague or line == other_line
        case _:
            return False


def _kind(text: str, table: tuple[tuple[str, str], ...]) -> str:
    return next((kind for part, kind in table if part in text), "crash")


def _race(kind: str, text: str) -> Error:
    frames = (frame for frame in _FRAME_OF_RACE.finditer(text) if not _OF_LIBRARY.search(frame["file"]))
    frame = next(frames, None)
    if frame is None or os.path.basename(frame["file"]) == SUPPORT:  # an atomic access, reported by the baton
        return Error(kind, None, None)
    return Error(kind, frame["file"], int(frame["line"]))


def _address_error(what: str, text: str) -> Error:
    kind = _kind(what, _ADDRESS_KINDS)
    if kind == "crash" and "zero page" in text:
        kind = "null-dereference"
    for frame in _FRAME.finditer(text):
        file = frame["file"]
        if not (_OF_LIBRARY.search(file) or file.endswith(_OWN)):
            return Error(kind, file, int(frame["line"]))
    return Error(kind, None, None)


# --- comparison with expectations


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """The row of one test; ``ended`` is None if it did not end."""

    test: str
    expected: Expectation
    ended: Expectation
    judgement: str

    def is_bad(self) -> bool:
        """Whether the test ended unexpectedly, or with other output."""
        return self.judgement in _BAD


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """A replay: ``how`` it ran, its rows, and the coverage of all tests together, in words."""

    how: str
    rows: Sequence[ReplayRow]
    coverage: str

    def agrees(self) -> bool:
        return not any(row.is_bad() for row in self.rows)


def judge(name: str, test: TestCase, ending: NativeEnding | None, has_sanitizers: bool) -> ReplayRow:
    """The judgement of a native run; ``ending`` is None if it ran out of time.

    Output counts if it is known and the program ends by itself.
    """
    if ending is None and isinstance(test.expect, Error) and test.expect.kind in _ENDLESS:
        return ReplayRow(name, test.expect, None, OUT_OF_TIME_AS_EXPECTED)
    if ending is None:
        return ReplayRow(name, test.expect, None, OUT_OF_TIME if test.expect is not None else CUT)
    seen = end_of(ending, test.expect.line if isinstance(test.expect, Error) else None)
    if test.expect is None:
        return ReplayRow(name, test.expect, seen, CUT)
    if not agrees(test.expect, seen):
        judgement = DIFFERENT
        if _REFUSED.search(ending.text):
            return ReplayRow(name, test.expect, seen, f"{ENGINE_ONLY} (a sanitizer refuses so much memory)")
        is_race = isinstance(test.expect, Error) and test.expect.kind == DATA_RACE
        if is_race and not (isinstance(seen, Error) and seen.kind == OFF_SCHEDULE):
            judgement = f"{ENGINE_ONLY} (ThreadSanitizer does not see it)"
        elif isinstance(test.expect, Error) and test.expect.kind in _NOTICED and _is_abort(seen) and not has_sanitizers:
            judgement = AS_EXPECTED
        elif isinstance(test.expect, Error) and isinstance(seen, Exit):
            if not has_sanitizers:
                judgement = f"{ENGINE_ONLY} (no sanitizer here)"
            elif test.expect.kind in UNSURE:
                judgement = f"{ENGINE_ONLY} (sanitizers do not always see this)"
        return ReplayRow(name, test.expect, seen, judgement)
    is_same = test.stdout is None or not isinstance(test.expect, Exit) or test.expect.status is None
    if is_same or ending.output == test.stdout:
        return ReplayRow(name, test.expect, seen, AS_EXPECTED)
    return ReplayRow(name, test.expect, seen, OTHER_OUTPUT)


def _is_abort(seen: Exit | Error) -> bool:
    return isinstance(seen, Error) and seen.kind in ("abort", "crash")


def run_natively(
    name: str, test: TestCase, run: Callable[[TestCase], NativeEnding | None], has_sanitizers: bool
) -> ReplayRow:
    """The row of a test. ``run`` runs it, unless it needs something that no native run has."""
    if test.has_failures():
        return ReplayRow(name, test.expect, None, f"{ENGINE_ONLY} (a call fails)")
    if (reason := missing(test)) is not None:
        return ReplayRow(name, test.expect, None, f"{ENGINE_ONLY} ({reason})")
    row = _with_given_name(judge(name, test, run(test), has_sanitizers))
    if row.is_bad() and test.has_unwritten():
        return ReplayRow(name, row.expected, row.ended, f"{ENGINE_ONLY} (uninitialised values)")
    return row


def _with_given_name(row: ReplayRow) -> ReplayRow:
    """The row under the test's name for the source, where the compiler uses the absolute path."""
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


def table(report: ReplayReport) -> list[str]:
    """The report as lines in aligned columns."""
    cells = [("test", "expected", "ended", "")]
    cells += [
        (escape_text(row.test), end_text(row.expected), end_text(row.ended), row.judgement) for row in report.rows
    ]
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
