"""Errors are checked natively: an engine that repeats its own mistake when it replays is denied."""

from __future__ import annotations

import json
import math
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.replay.enclosure import ENCLOSURE
from tests.support.corpus import programs
from unfork.cli import main, parse
from unfork.commands.assemble import replaying, starting
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.logic.solve.solver import NoSolver
from unfork.program.llvm import compiler
from unfork.program.llvm.subprocesses import TooSlow
from unfork.report.replay.account import NativeEnding
from unfork.report.replay.binary import Enclosure
from unfork.report.replay.jail import NO_JAIL
from unfork.report.replay.native_replay import Toolchain
from unfork.report.replay.second_opinion import Build, NativeCheck
from unfork.world.inputs.testcase import Error, NativeOpinion, NativeVisibility, Opinion, Replayed, TestCase, TestInput
from unfork.world.library import string_functions

ASSERT = Error("assert", "a.c", 3)
TEST = TestCase(("a.c",), (TestInput("x", "symbolic", "int", bytes(4)),), ASSERT)
QUIET, FAILING = NativeEnding(0, ""), NativeEnding(-signal.SIGABRT, "a.out: a.c:3: main: Assertion `x' failed.\n")
EARLIER = NativeEnding(-signal.SIGABRT, "a.c:2:1: runtime error: division by zero\n")
needs_native = pytest.mark.skipif(
    shutil.which("gcc") is None or ENCLOSURE is not Enclosure.REQUIRED, reason="needs gcc and namespaces"
)
pytestmark = pytest.mark.native_check


def build(ending: NativeEnding | None, has_sanitizers: bool = True) -> Build:
    return Build(lambda test, seconds: ending, has_sanitizers)


def check(*builds: Build | Exception, deadline: float = math.inf) -> NativeCheck:
    def make(folder: Path, seconds: float) -> Iterator[Build]:
        for each in builds:
            if isinstance(each, Exception):
                raise each
            yield each

    return NativeCheck(make, deadline)


def opinion(made: NativeCheck, sight: NativeVisibility = NativeVisibility.SANITIZED, test: TestCase = TEST) -> Opinion:
    try:
        return made.of(test, Replayed(ASSERT, None, None, 0, sight=sight))
    finally:
        made.close()


@pytest.mark.parametrize(
    ("ending", "word"),
    [
        (FAILING, NativeOpinion.CONFIRMED),
        (QUIET, NativeOpinion.DENIED),
        (NativeEnding(7, "said something"), NativeOpinion.DENIED),
        (EARLIER, NativeOpinion.NOT_SEEN),  # it never came there
        (NativeEnding(-signal.SIGSEGV, ""), NativeOpinion.NOT_SEEN),
        (None, NativeOpinion.NOT_SEEN),
        (NativeEnding(NO_JAIL, "jail: no more processes"), NativeOpinion.NOT_SEEN),
        (NativeEnding(1, "==7==AddressSanitizer failed to allocate"), NativeOpinion.NOT_SEEN),
    ],
)
def test_what_a_native_end_says(ending: NativeEnding | None, word: NativeOpinion) -> None:
    assert opinion(check(build(ending))).word is word


def asked(build: Build) -> Opinion:
    """The opinion about an error before which the program has opened a file."""
    made = check(build)
    try:
        return made.of(TEST, Replayed(ASSERT, None, None, 0, sight=NativeVisibility.ANY, asked=("open",)))
    finally:
        made.close()


def test_a_run_that_the_system_may_have_led_elsewhere_denies_only_what_it_came_to() -> None:
    went_elsewhere = asked(build(NativeEnding(1, "")))
    assert went_elsewhere.word is NativeOpinion.UNCHECKED
    assert "ends with exit 1, and is not known to come here" in str(went_elsewhere.reason)
    assert "open" in str(went_elsewhere.reason)
    assert asked(replace(build(QUIET), came_to=lambda error: error == ASSERT)).word is NativeOpinion.DENIED
    assert asked(build(FAILING)).word is NativeOpinion.CONFIRMED
    assert asked(build(EARLIER)).word is NativeOpinion.NOT_SEEN


def test_what_need_not_show_is_not_denied() -> None:
    assert opinion(check(build(QUIET)), NativeVisibility.NONE).word is NativeOpinion.NOT_SEEN
    assert opinion(check(build(QUIET, has_sanitizers=False))).word is NativeOpinion.NOT_SEEN
    assert opinion(check(build(QUIET, has_sanitizers=False)), NativeVisibility.ANY).word is NativeOpinion.DENIED
    assert opinion(check(build(QUIET)), NativeVisibility.NONE).reason == "a native run of the test ends with exit 0"


@pytest.mark.parametrize("kind", ["uninit", "failure", "random"])
def test_a_test_that_no_native_run_is_given_whole_denies_nothing(kind: str) -> None:
    other = TestInput("y", kind, None, b"\1")
    assert opinion(check(build(QUIET)), test=replace(TEST, inputs=(other,))).word in (
        NativeOpinion.NOT_SEEN,
        NativeOpinion.UNCHECKED,
    )


def test_what_one_build_denies_another_may_confirm() -> None:
    assert opinion(check(build(QUIET), build(FAILING, has_sanitizers=False))).word is NativeOpinion.CONFIRMED
    assert opinion(check(build(QUIET), build(QUIET, has_sanitizers=False))).word is NativeOpinion.DENIED
    assert opinion(check(build(QUIET), build(None, has_sanitizers=False))).word is NativeOpinion.DENIED
    assert opinion(check(build(QUIET), InputError("no"))).word is NativeOpinion.DENIED


def test_a_second_build_that_does_not_fit_is_named() -> None:
    made = check(build(QUIET), TooSlow(), deadline=time.monotonic() + 3600)
    told = opinion(made)
    assert told.word is NativeOpinion.DENIED
    assert (
        told.reason
        == "a native run of the test ends with exit 0; there was no time for a second build, which may confirm it"
    )
    assert not made.is_cut_short  # by the limit of a build, and not that of the run


@pytest.mark.parametrize("problem", [InputError("no compiler"), TooSlow()])
def test_without_a_build_nothing_is_checked(problem: Exception) -> None:
    made = check(problem)
    assert opinion(made).word is NativeOpinion.UNCHECKED
    assert opinion(made).word is NativeOpinion.UNCHECKED
    assert opinion(check(build(QUIET), deadline=0.0)).word is NativeOpinion.UNCHECKED


def test_a_run_that_does_not_end_is_the_last() -> None:
    made = check(build(None))
    assert opinion(made).word is NativeOpinion.NOT_SEEN
    assert opinion(made).reason == "an earlier native run did not end in time"


def test_an_interrupt_leaves_the_error_as_it_is() -> None:
    def interrupted(test: TestCase, seconds: float) -> NativeEnding | None:
        raise KeyboardInterrupt

    assert opinion(check(Build(interrupted, has_sanitizers=True))) == Opinion(NativeOpinion.UNCHECKED, "interrupted")


# --- what must show --------------------------------------------------------------------------------------------------

FAULTS = """#include <unfork.h>
#include <stdlib.h>
#include <string.h>
static int table[4];
static const int fixed[4];
void reach_error(void) {}
static int least(const void *a, const void *b) { unfork_check(a == b); return 0; }
int main(void) {
  int x, n = 4, *heap = malloc(16), pair[2] = {1, 2};
  volatile int sink;
  unfork_symbolic(&x, sizeof x, "x");
  switch (x) {
    case 1: unfork_check(x != 1); break; /* ANY */
    case 2: abort(); /* ANY */
    case 3: sink = 1 / (x - 3); break; /* SANITIZED */
    case 4: free(heap); free(heap); break; /* SANITIZED */
    case 5: free(heap + 1); break; /* SANITIZED */
    case 6: free(heap); sink = heap[1]; break; /* SANITIZED */
    case 7: heap[n] = 1; break; /* SANITIZED */
    case 8: heap[n + 100] = 1; break; /* NONE */
    case 9: sink = table[n + 1]; break; /* SANITIZED */
    case 10: sink = table[n - 5]; break; /* NONE */
    case 11: sink = pair[n - 5]; break; /* SANITIZED */
    case 12: heap = 0; *heap = 1; break; /* SANITIZED */
    case 13: heap = 0; *heap; break; /* NONE */
    case 14: *(int *)&fixed[n - 4] = 1; break; /* SANITIZED */
    case 15: memset(heap, 0, n + 13); break; /* NONE */
    case 16: sink = "text"[n + 1]; break; /* NONE */
    case 17: ((void (*)(void))heap)(); break; /* NONE */
    case 18: reach_error(); break; /* NONE */
  }
  free(heap);
  return 0;
}
"""


USED = """#include <unfork.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static unsigned char bytes[3];
static int numbers[3], known;
static double reals[3];
static struct node *nodes[3];
static void say(int x) { known = x; }
static int next(int x) { return x + 1; }
__attribute__((const)) static int pure(int x) { int y[2] = {x, 3}; return y[x & 1] + x; }
int main(void) {
  int x, i = 3, k = 0;
  unfork_symbolic(&x, sizeof x, "x");
  switch (x) {
    case 1: if (bytes[i] != 6) say(1); break; /* SANITIZED */
    case 2: say(numbers[i]); break; /* SANITIZED */
    case 3: for (int j = 0; j <= 3; j++) k += numbers[j]; break; /* SANITIZED */
    case 4: if (numbers[i] == 1000) say(1); break; /* SANITIZED */
    case 5: if (numbers[i] < 0) say(1); break; /* SANITIZED */
    case 6: if (reals[i] > 3.5) say(1); break; /* SANITIZED */
    case 7: k = nodes[i]->next->value; break; /* SANITIZED */
    case 8: if (nodes[i]) say(1); break; /* SANITIZED */
    case 9: k = bytes[numbers[i] & 1]; break; /* NONE */
    case 10: k = bytes[numbers[i]]; break; /* SANITIZED */
    case 11: while (numbers[i] != k) k++; break; /* SANITIZED */
    case 12: k = next(bytes[i]); break; /* SANITIZED */
    case 13: switch (bytes[i]) { case 77: say(3); } break; /* SANITIZED */
    case 14: free(nodes[i]); break; /* SANITIZED */
    case 15: exit(numbers[i]); /* SANITIZED */
    case 16: if (bytes[i] || 1) say(1); break; /* NONE */
    case 17: say(numbers[i] * numbers[i] < 0); break; /* NONE */
    case 18: say(abs(numbers[i] & 7) >= 0); break; /* NONE */
    case 19: say(numbers[i] == numbers[i]); break; /* NONE */
    case 20: k = (2 | (pure(numbers[i]) != 6)) != 0; break; /* NONE */
    case 21: (void)*(volatile int *)&numbers[i]; break; /* SANITIZED */
  }
  return k & 63;
}
"""


@pytest.mark.parametrize("optimize", ["0", "1"])
@pytest.mark.parametrize("text", [FAULTS, USED], ids=["faults", "used"])
def test_what_must_show_is_told_from_the_place(text: str, optimize: str, tmp_path: Path) -> None:
    source = tmp_path / "faults.c"
    source.write_text(text)
    options = parse(["--optimize", optimize, "--abort", "error"])[1]
    program = compiler.build(
        [source], starting.compile_options(options), (), starting.libraries(options, lambda *_: None)
    )
    replayer = replaying.replayer(options, program, BranchCoverage(), lambda state: False, NoSolver())
    expected = [line.split("/* ")[1].split(" */")[0] for line in text.splitlines() if line.endswith("*/")]
    seen = []
    for number in range(1, len(expected) + 1):
        test = TestCase((str(source),), (TestInput("x", "symbolic", "int", number.to_bytes(4, "little")),), None)
        replayed = replayer.replay(test)
        assert isinstance(replayed.end, Error), number
        seen.append(replayed.sight.name)
    assert seen == expected


def test_looking_for_consequences_covers_nothing(tmp_path: Path) -> None:
    source = tmp_path / "faults.c"
    source.write_text(USED)
    options = parse([])[1]
    program = compiler.build(
        [source], starting.compile_options(options), (), starting.libraries(options, lambda *_: None)
    )
    coverage = BranchCoverage()
    replayer = replaying.replayer(options, program, coverage, lambda state: False, NoSolver())
    replayer.replay(TestCase((str(source),), (TestInput("x", "symbolic", "int", b"\1\0\0\0"),), None))
    assert [edge for edge, is_hit in zip(coverage.edges, coverage.covered, strict=True) if is_hit] == [("main", 0, 1)]


# --- whole runs ------------------------------------------------------------------------------------------------------

LENGTH = """#include <assert.h>
#include <string.h>
int main(void) {
  char text[] = "ab";
  assert(strlen(text) == 2);
  return 0;
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "length.c").write_text(LENGTH)
    return tmp_path


HEADERS = "#include <assert.h>\n#include <stdio.h>\n#include <unistd.h>\n"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No second build: the clang that comes along would first build its C library."""
    monkeypatch.setattr("unfork.report.replay.native_replay.bundled", lambda sources, progress: iter(()))


@pytest.fixture
def mistaken(bare: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that counts the terminator, too."""
    right = string_functions.MODELS["strlen"]
    wrong = replace(right, run=lambda step, arguments, call: right.run(step, arguments, call) + 1)
    monkeypatch.setitem(string_functions.MODELS, "strlen", wrong)


def found(run: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(Path(run, "summary.json").read_text())
    return data


@needs_native
@pytest.mark.usefixtures("here", "mistaken")
def test_a_mistake_of_the_engine_is_an_alarm(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "length.c", "--out", "run"]) == 3
    assert "alarm: length.c:5" in capsys.readouterr().out
    data = found("run")
    assert (data["verdict"], data["errors"]) == ("unknown", [])
    [alarm] = data["alarms"]  # type: ignore[misc]
    assert (alarm["native"], alarm["replayed"]) == ("denied", False)
    assert alarm["reason"] == "a native run of the test ends with exit 0"
    assert "ends with exit 0" in Path("run/warnings.txt").read_text()
    assert main(["run", "length.c", "--out", "again", "--native-check", "never"]) == 1
    [error] = found("again")["errors"]  # type: ignore[misc]
    assert (error["native"], error["reason"]) == ("unchecked", None)


@needs_native
@pytest.mark.usefixtures("here", "mistaken")
def test_a_run_whose_second_build_does_not_fit_is_stopped_by_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(sources: object, progress: object) -> Iterator[Toolchain]:
        monkeypatch.setattr(NativeCheck, "is_cut_short", True)
        raise TooSlow
        yield

    monkeypatch.setattr("unfork.report.replay.native_replay.bundled", too_slow)
    assert main(["run", "length.c", "--out", "run", "--max-time", "600"]) == 3
    data = found("run")
    assert (data["verdict"], data["stopped_by"], data["exhausted"]) == ("unknown", "max-time", False)
    [alarm] = data["alarms"]  # type: ignore[misc]
    assert alarm["reason"].endswith("there was no time for a second build, which may confirm it")


@needs_native
def test_real_errors_are_confirmed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "real.c").write_text(LENGTH.replace("== 2", "== 3"))
    assert main(["run", "real.c", "--out", "run", "--native-check", "always"]) == 1
    assert "natively too" in capsys.readouterr().out
    [error] = found("run")["errors"]  # type: ignore[misc]
    assert (error["native"], error["reason"]) == ("confirmed", None)
    assert main(["show", "run", "errors/000001"]) == 0
    assert "natively: confirmed" in capsys.readouterr().out


@needs_native
@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (
            "FILE *f = tmpfile(); if (!f) return 1; fputc(1, f); rewind(f); fgetc(f); assert(fgetc(f) != EOF);",
            1,
            "confirmed",
        ),
        ('if (access("/etc/passwd", F_OK) == 0) return 1; assert(getpid() == 0);', 1, "unchecked"),
        ('assert(access("/etc/passwd", F_OK) == 0);', 3, "denied"),
    ],
)
def test_the_world_of_a_native_run_may_be_another(here: Path, body: str, status: int, word: str) -> None:
    (here / "world.c").write_text(f"{HEADERS}int main(void) {{\n{body.replace('assert', chr(10) + 'assert')}\n}}\n")
    assert main(["run", "world.c", "--out", "run"]) == status
    data = found("run")
    [finding] = [*data["errors"], *data["alarms"]]  # type: ignore[misc]
    assert finding["native"] == word, finding


@pytest.mark.usefixtures("here")
def test_always_is_refused_where_it_cannot_be_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing: Callable[[str], None] = lambda name: None  # noqa: E731
    monkeypatch.setattr("unfork.report.replay.native_replay.shutil.which", nothing)
    assert main(["run", "length.c", "--out", "run", "--native-check", "always"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "unfork: --native-check always: no C compiler with sanitizers: install gcc or clang"
    ]
    assert not Path("run").exists()
    assert main(["run", "length.c", "--out", "run"]) == 0


@needs_native
def test_reads_that_gcc_leaves_out_are_not_denied(tmp_path: Path) -> None:
    [program] = [each for each in programs() if each.name == "faults/folded_read_bug"]
    assert main(["run", *map(str, program.sources), "--out", str(tmp_path / "run"), "--native-check", "always"]) == 1
    data = found(str(tmp_path / "run"))
    assert data["alarms"] == []
    assert {each["native"] for each in data["errors"]} == {"not seen"}  # type: ignore[attr-defined]
