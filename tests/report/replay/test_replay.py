from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.report.replay.enclosure import NATIVE
from unfork.cli import main
from unfork.engine.state.memory import Memory
from unfork.engine.state.state import State
from unfork.report.replay.account import DIFFERENT, ENGINE_ONLY, NativeEnding, agrees, end_of, judge
from unfork.world.inputs.input_values import ReplayInputs
from unfork.world.inputs.testcase import Error, Exit, TestCase

FAULTS = """#include <unfork.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x"); volatile int top = 0x7fffffff; top += 1; top <<= 1;
  if (x == 1) { int *p = malloc(4); free(p); free(p); }
  if (x == 2) { volatile int *p = malloc(4); free((void *)p); return *p; }
  if (x == 3) { int *p = 0; return *(volatile int *)p; }
  if (x == 4) { char *p = malloc(3); return *(volatile char *)(p + 3); }
  if (x == 5) return 10 / (x - 5);
  if (x == 6) assert(x != 6);
  if (x == 7) abort();
  return 0;
}
"""
UNINIT = "int main(void) { int x; if (x == 12345) { int a[1]; return *(volatile int *)(a + 7); } return 0; }\n"
MOVED = """#include <stdio.h>
#include <string.h>
#include <unfork.h>
int main(void) {
  struct { char kind; short left, right; } from, to;
  long word, number, unknown = 0;
  unfork_symbolic(&number, sizeof number, "number");
  from.kind = 1, from.left = 2, from.right = 3;
  memcpy(&word, &from, 6); /* with padding, and two bytes of it stay unwritten */
  memcpy(&to, &word, sizeof to);
  switch (number) {
    case 0: return to.right + 4;
    case 1: return (word >> 8 & 1) + 8; /* the exit status */
    case 2: putchar(word >> 8 & 1); return 9; /* output */
    case 3: if (word >> 8 & 1) unknown++; return unknown != 0 ? 10 : 11; /* a decision */
    case 4: fwrite("abc", 1, word >> 8 & 3, stdout); return 12; /* how much is printed */
    case 5: unfork_check(to.left == 3); /* an error */
  }
  return 13;
}
"""
LINES = {
    "double-free": 7,
    "use-after-free": 8,
    "null-dereference": 9,
    "out-of-bounds": 10,
    "div-by-zero": 11,
    "assert": 12,
    "abort": 13,
}
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "faults.c").write_text(FAULTS)
    (tmp_path / "uninit.c").write_text(UNINIT)
    return tmp_path


def test_every_error_replays_on_the_engine_from_the_bitcode_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "faults.c", "--quiet", "--out", "run"]) == 1
    data = json.loads(Path("run/summary.json").read_text())
    assert {error["kind"]: error["line"] for error in data["errors"]} == LINES
    assert all(error["replayed"] for error in data["errors"])
    (here / "faults.c").unlink()
    assert main(["replay", "run"]) == 0
    text = capsys.readouterr().out
    assert "DIFFERENT" not in text
    assert "branches " in text


@needs_gcc
def test_native_replay_sees_every_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "faults.c", "--quiet", "--out", "run"]) == 1
    assert main(["replay", "run", *NATIVE]) == 0, capsys.readouterr().out
    text = capsys.readouterr().out
    assert "DIFFERENT" not in text
    assert "natively, gcc" in text
    assert "/faults.c" not in text  # compilers say where faults are by absolute paths
    assert main(["replay", "run/tests/000001.json", *NATIVE]) == 0


def test_a_test_that_expects_something_else_is_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "faults.c", "--quiet", "--out", "run"]) == 1
    path = Path("run/tests/000001.json")
    data = json.loads(path.read_text())
    data["expect"] = {"end": "exit", "status": 99}
    path.write_text(json.dumps(data))
    assert main(["replay", str(path)]) == 1
    assert "DIFFERENT" in capsys.readouterr().out


@needs_gcc
def test_what_only_the_engine_can_check_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "uninit.c", "--quiet", "--out", "run"]) == 1
    assert main(["replay", "run"]) == 0
    assert "as expected" in capsys.readouterr().out
    assert main(["replay", "run", *NATIVE]) == 0
    assert "only the engine can check it" in capsys.readouterr().out


def test_unwritten_bytes_that_are_only_moved_are_no_inputs(here: Path) -> None:
    (here / "moved.c").write_text(MOVED)
    assert (
        main(["run", "moved.c", "--quiet", "--out", "run", "--tests", "paths", "--merge", "none", "--formats", "c"])
        == 1
    )
    assert main(["replay", "run"]) == 0
    ends: set[tuple[str, bool]] = set()
    for path in Path("run/tests").glob("*.json"):
        expect, inputs = (json.loads(path.read_text())[part] for part in ("expect", "inputs"))
        has_unwritten = any(entry["kind"] == "uninit" for entry in inputs)
        assert ("may depend on uninitialised" in path.with_suffix(".c").read_text()) is has_unwritten
        ends.add((str(expect.get("status", expect["end"])), has_unwritten))
    depend = {(status, True) for status in ("8", "9", "10", "11", "12")}
    assert ends == {("7", False), ("error", False), ("13", False), *depend}


@pytest.mark.parametrize(
    ("status", "text", "expected"),
    [
        (3, "", Exit(3)),
        (-6, "", Error("abort", None, None)),
        (-4, "", Error("abort", None, None)),
        (-8, "", Error("div-by-zero", None, None)),
        (-11, "", Error("crash", None, None)),
        (-6, "unfork: reach-error\n", Error("reach-error", None, None)),
        (-6, "a.out: dir/a.c:7: main: Assertion `x' failed.\n", Error("assert", "dir/a.c", 7)),
        (-6, "Assertion failed: x (a.c: main: 7)\n", Error("assert", "a.c", 7)),
        (
            -6,
            "/usr/include/c++/12/optional:467: T f() [with T = int]: Assertion 'has()' failed.\n",
            Error("hardening", None, None),
        ),
        (-6, "/x/include/vector:7: assertion n < size() failed: out of bounds\n", Error("hardening", None, None)),
        (-6, "pure virtual method called\nterminate called without\n", Error("invalid-call", None, None)),
        (-6, "libc++abi: Pure virtual function called!\n", Error("invalid-call", None, None)),
        (-6, "a.c:3:9: runtime error: division by zero\n", Error("div-by-zero", "a.c", 3)),
        (-6, "a.c:3:9: runtime error: signed integer overflow: 1 + 2\n", Error("overflow", "a.c", 3)),
        (
            -6,
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address\n    #0 0x1 in main /x/a.c:5\n",
            Error("use-after-free", "/x/a.c", 5),
        ),
        (
            -6,
            "==1==ERROR: AddressSanitizer: stack-overflow on address\n    #0 0x1 in main /x/a.c:5\n",
            Error("stack-overflow", "/x/a.c", 5),
        ),
        (
            -6,
            "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address\n"
            "    #0 0x1 in memcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:5\n"
            "    #1 0x2 in std::vector<int, std::allocator<int> >::at(unsigned long) /usr/include/c++/12/vector:6\n"
            "    #2 0x3 in Box<int, 3>::get(int const&) const (.isra.0) /x/box.hpp:7:9\n"
            "    #3 0x4 in main /x/a.cpp:8\n",
            Error("out-of-bounds", "/x/box.hpp", 7),
        ),
    ],
)
def test_evidence(status: int, text: str, expected: Exit | Error) -> None:
    assert end_of(NativeEnding(status, text)) == expected


def test_of_several_leaks_the_one_that_is_expected_is_seen() -> None:
    leaks = "Direct leak of 24 byte(s)\n    #0 0x1 in f a.c:9\n\nIndirect leak of 40 byte(s)\n    #0 0x2 in g a.c:7\n"
    ending = NativeEnding(-6, f"==1==ERROR: LeakSanitizer: detected memory leaks\n\n{leaks}")
    assert [end_of(ending, line) for line in (7, 8, None)] == [Error("leak", "a.c", line) for line in (7, 9, 9)]
    for line, expected in ((7, False), (8, True)):
        assert judge("", TestCase(("a.c",), (), Error("leak", "a.c", line)), ending, True).is_bad() is expected


def test_what_sanitizers_may_miss_is_no_difference() -> None:
    leaking, failing = (TestCase(("a.c",), (), Error(kind, "a.c", 7)) for kind in ("leak", "assert"))
    assert judge("", leaking, NativeEnding(0, ""), has_sanitizers=True).judgement.startswith(ENGINE_ONLY)
    assert judge("", failing, NativeEnding(0, ""), has_sanitizers=True).judgement == DIFFERENT


def test_agreement() -> None:
    assert agrees(None, Exit(1))
    assert agrees(Exit(None), Error("abort", None, None))
    assert agrees(Error("assert", "a.c", 7), Error("assert", "/x/a.c", 7))
    assert not agrees(Error("assert", "a.c", 7), Error("assert", "/x/a.c", 8))
    assert not agrees(Error("assert", "a.c", 7), Exit(0))
    assert not agrees(Exit(0), Exit(1))
    assert agrees(Error("reach-error", "a.c", 7), Error("assert", "a.c", 3))


def test_what_a_test_lacks_leaves_no_record() -> None:
    """A replay may go on for very long behind its test, asking again and again."""
    state = State.begin(Memory())
    source = ReplayInputs({"x": b"\1"})
    for _ in range(3):
        source.make(state, "x", None, 1, "symbolic")
    assert [one.name for one in state.inputs] == ["x"]
    assert source.missing == 2
    assert state.input_counts["x"] == 3
