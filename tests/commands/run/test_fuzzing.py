"""Runs that also fuzz natively, and those that read what others add to their corpus."""

from __future__ import annotations

import hashlib
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from tests.report.replay.enclosure import ENCLOSURE
from tests.support.power import LONG
from tests.support.runs import options_of, written
from unfork.commands.run import fuzzing
from unfork.commands.run.fuzzing import LEAST_PATIENCE, PROBE, FuzzCampaign, FuzzShare
from unfork.commands.run.run import Result, run
from unfork.commands.run.success import FadingSuccess, shares
from unfork.errors import InputError
from unfork.program.c import dictionaries
from unfork.program.llvm.compiler import INCLUDE
from unfork.report.record.corpus_folder import ArrivingFiles
from unfork.report.replay import native_fuzzer
from unfork.report.replay.binary import Enclosure
from unfork.report.replay.native_fuzzer import NativeFuzzer, WholeProgram
from unfork.world.inputs.command import PLAIN
from unfork.world.inputs.fuzz_inputs import name_of
from unfork.world.inputs.testcase import of_inputs

pytestmark = pytest.mark.skipif(ENCLOSURE is not Enclosure.REQUIRED, reason="no namespaces")
SMALL = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 3 && data[0] == 'c') abort();
  if (size > 9 && !memcmp(data + 1, "bananas", 7)) return 1;
  return 0;
}
"""
ENDLESS = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) {
    sum = sum * 31 + data[i];
    if (sum % 7919 == 5) sum++;
  }
  if (size == 4 && data[1] == 'q') return 3;
  return sum == 12;
}
"""
STATE = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static unsigned calls;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (++calls == 50) abort();
  return size > 2 && data[2] == 'x';
}
"""
HIDDEN = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
extern int __sancov_lowest_stack __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
#ifdef __has_feature
#if __has_feature(coverage_sanitizer)
  if (size == 1 && data[0] == 'n') abort();
#endif
#endif
  return 0;
}
"""


MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int runs;
int main(int count, char **words) {
  char text[32] = {0};
  FILE *file = count == 3 && !strcmp(words[1], "-x") ? fopen(words[2], "rb") : stdin;
  size_t size = fread(text, 1, sizeof text - 1, file);
  if (runs++ || getenv("UNFORK_GATE") || dup(0) > 4) abort();
  if (size < 4) exit(1);
  if (text[0] == 'q') _exit(2);
  if (!memcmp(text, "MAGIC", 5) && remove(words[2])) abort();
  return 0;
}
"""
LOOP = """
#include <stdlib.h>
#include <unistd.h>
__AFL_FUZZ_INIT();
int main(void) {
  static int turns;
  __AFL_INIT();
  unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(1000)) {
    if (turns++) abort();
    if (__AFL_FUZZ_TESTCASE_LEN == 3 && data[1] == 'c') return data[3];
  }
  return 0;
}
"""


def fuzzed(folder: Path, program: str, *words: str, arguments: Sequence[str] = ()) -> Result:
    """A run that fuzzes with mutations of our own, which need no installed compiler."""
    options = options_of(folder / "run", "--fuzzer", "own", "--cores", "1", *words)
    return run(written(program, folder, "target.c"), options, arguments)


def warnings(result: Result) -> str:
    return (result.directory / "warnings.txt").read_text()


def test_an_empty_corpus_is_filled(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    result = fuzzed(tmp_path, SMALL, "--corpus", str(corpus), "--corpus-out", str(corpus), "--input-size", "9")
    assert result.verdict == "unsafe"
    assert len(list(corpus.iterdir())) >= 2


def test_both_sides_end_when_all_is_explored(tmp_path: Path) -> None:
    """Crashes are errors with tests, replayed on the engine and natively, and inputs are in the corpus."""
    result = fuzzed(tmp_path, SMALL, "--input-size", "12", "--corpus-out", str(tmp_path / "out"))
    assert (result.verdict, [(error.kind, error.line) for error in result.errors]) == ("unsafe", [("abort", 7)])
    assert result.summary["coverage"]["branches"]["covered"] == result.summary["coverage"]["branches"]["total"]
    assert "--fuzzer (" in warnings(result) and "own mutations" in warnings(result)
    for path in (tmp_path / "out").iterdir():
        assert path.name == hashlib.sha1(path.read_bytes()).hexdigest()
    assert list((tmp_path / "out-crashes").glob("crash-*.txt"))


@pytest.mark.parametrize(("arguments", "verdict"), [(["-x", "@@"], "safe"), ([], "unsafe")])
def test_a_main_reads_a_file_or_standard_input(arguments: list[str], verdict: str, tmp_path: Path) -> None:
    """What a program exits with and keeps reaches no other input; only standard input cannot be removed."""
    result = fuzzed(tmp_path, MAIN, "--input-size", "6", "--max-time", "40s", arguments=arguments)
    assert (result.verdict, [error.line for error in result.errors]) == (verdict, [14] if verdict == "unsafe" else [])
    assert len(list((result.directory / "corpus").iterdir())) >= 3 and "own mutations" in warnings(result)
    assert "native crash" not in warnings(result)


def test_a_loop_for_afl_has_one_turn_in_each_process(tmp_path: Path) -> None:
    result = fuzzed(tmp_path, LOOP, "--input-size", "4", "--max-time", "40s")
    assert (result.verdict, [(error.kind, error.line) for error in result.errors]) == (
        "unsafe",
        [("out-of-bounds", 11)],
    )
    assert "native crash" not in warnings(result)


def test_ctrl_c_keeps_the_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    rounds, one_round = count(1), FuzzCampaign.round

    def interrupted(self: FuzzCampaign) -> None:
        if next(rounds) == 4:
            timer.start()
        one_round(self)

    monkeypatch.setattr(FuzzCampaign, "round", interrupted)
    result = fuzzed(tmp_path, ENDLESS, "--input-size", "40")
    timer.join()
    assert result.summary["stopped_by"] == "interrupt" and result.tests
    assert list((result.directory / "corpus").iterdir())


def test_a_crash_of_what_calls_leave_behind_is_no_error(tmp_path: Path) -> None:
    """A process that runs one input does not crash; each path starts fresh."""
    result = fuzzed(tmp_path, STATE, "--input-size", "3")
    assert result.verdict == "safe" and not result.errors


def test_a_native_crash_that_the_engine_does_not_see_leaves_the_verdict_open(tmp_path: Path) -> None:
    result = fuzzed(tmp_path, HIDDEN, "--input-size", "2", "--max-time", "15s")
    assert result.verdict == "unknown" and "native crash: crash-" in warnings(result)


def of_many(folder: Path, *words: str, program: str = SMALL) -> Result:
    """A run, from 40 files that take three ways and one that crashes, that ends once the corpus was looked at."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    for number in range(39):
        (corpus / f"{number:02}").write_bytes(b"x" * number)
    (corpus / "a word").write_bytes(b"_bananas___")
    (corpus / "crash").write_bytes(b"cat")
    only = ("--strategy", "plain", "--max-instructions", "1", "--corpus", str(corpus))
    return run(written(program, folder, "target.c"), options_of(folder / "run", *only, *words))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "PATIENCE", 0.0)
    monkeypatch.setattr(fuzzing, "LONGEST", 0.0)  # no time for those that wait


@pytest.mark.usefixtures("impatient")
def test_native_runs_choose_the_seeds_of_a_large_corpus(tmp_path: Path) -> None:
    """What fails is an error all the same, and what takes the same edges as others waits."""
    result = of_many(tmp_path)
    assert [(error.kind, error.line) for error in result.errors] == [("abort", 7)]
    seeds = result.summary["seeds"]
    assert 3 <= seeds["inputs"] <= 5
    assert "37 files waited that take no edges of their own natively; " in warnings(result)
    all_of_them = of_many(tmp_path / "all", "--native-check", "never")
    assert all_of_them.summary["seeds"]["inputs"] == 41
    assert result.summary["coverage"] == all_of_them.summary["coverage"]


@pytest.mark.usefixtures("impatient")
def test_files_that_native_runs_cannot_judge_are_all_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_fuzzer, "toolchains", lambda *_: iter(()))
    result = of_many(tmp_path)
    assert result.summary["seeds"]["inputs"] == 41
    assert "--corpus: native runs could not choose among the files: " in warnings(result)


@pytest.mark.usefixtures("impatient")
def test_a_file_that_crashes_natively_alone_leaves_the_verdict_open(tmp_path: Path) -> None:
    result = of_many(tmp_path, program=HIDDEN.replace("size == 1 && data[0] == 'n'", "size == 9"))
    assert result.verdict == "unknown"
    assert result.summary["given_up"]


@LONG
def test_files_of_others_are_read_between_rounds(tmp_path: Path) -> None:
    """A hash that no solver inverts in the time given: only the file leads beyond it."""
    program = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) {
    sum = (sum ^ data[i]) * 1099511628211u;
    sum ^= sum >> 31, sum *= 0x94d049bb133111ebu;
  }
  if (size == 16 && sum == %du) abort();
  return 0;
}
"""
    key, value = b"written by AFL++", 14695981039346656037
    for byte in key:
        value = (value ^ byte) * 1099511628211 % 2**64
        value ^= value >> 31
        value = value * 0x94D049BB133111EB % 2**64
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "first").write_bytes(b"0123456789abcdef")
    timer = threading.Timer(6, (corpus / "late").write_bytes, (key,))
    timer.start()
    options = options_of(tmp_path / "run", "--corpus", str(corpus), "--max-time", "60s", "--max-errors", "1")
    result = run(written(program % value, tmp_path, "target.c"), options)
    timer.join()
    assert [(error.kind, error.line) for error in result.errors] == [("abort", 11)]


def test_arriving_files_come_once(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    files = ArrivingFiles([tmp_path, tmp_path / "missing"])
    files.skip()
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "large").write_bytes(b"larger")
    assert [*files.read(3)] == [b"new"] and not [*files.read(9)]


def test_a_party_that_finds_more_per_second_gets_more() -> None:
    success = FadingSuccess()
    success.note({"native": (40, 0, 2.0), "seeds": (4, 0, 2.0), "paths": (0, 0, 2.0)})
    granted = shares(success.rates(), 0.05, 1.0)
    assert granted["native"] > granted["seeds"] > granted["paths"] >= 0.05
    for _ in range(20):
        success.note({"native": (0, 0, 2.0), "seeds": (4, 0, 2.0)})
    granted = shares(success.rates(), 0.05, 1.0)
    assert granted["seeds"] > granted["native"] and "paths" not in granted


def test_a_party_that_finds_nothing_backs_off() -> None:
    share = FuzzShare()
    share.judge(PROBE / 2, 0)
    assert share.patience == 1.0  # it has hardly worked
    for _ in range(9):
        share.judge(5.0, 0)
    assert share.patience == LEAST_PATIENCE
    share.judge(5.0, 1)
    assert share.patience == 1.0


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder that a user without rights may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


def native(scratch: Path, program: str, whole: WholeProgram | None = None) -> NativeFuzzer:
    """A fuzzer with mutations of our own."""
    source, folder = written(program, scratch, "target.c"), scratch / "native"
    folder.mkdir()
    made = next(native_fuzzer.toolchains([source], folder, lambda name: nullcontext(lambda done, whole: None), "own"))
    return NativeFuzzer(made, [source], [], folder, Enclosure.REQUIRED, INCLUDE, 40, whole)


def test_a_process_waits_between_slots(scratch: Path) -> None:
    """It goes on with what it knows, and takes files that came meanwhile."""
    fuzzer = native(scratch, ENDLESS)
    for number in range(3):
        fuzzer.fuzz(0.5, 1, 0, lambda: False)
        fuzzer.give(b"given%d" % number)
    fuzzer.close()
    assert len(list((scratch / "native").glob("gate*"))) == 1


def test_no_process_runs_on_where_another_fails(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzer = native(scratch, ENDLESS)

    def start(words: Sequence[str], seconds: float, is_over: Callable[[], bool], settings: Sequence[str]) -> int:
        if settings[0].endswith("gate1"):
            raise InputError("no jail")
        while not is_over():
            time.sleep(0.01)
        return 0

    monkeypatch.setattr(fuzzer, "_start", start)
    with pytest.raises(InputError, match="no jail"):
        fuzzer.fuzz(5.0, 2, 0, lambda: False)
    assert (scratch / "native" / "gate2").read_bytes()[:1] == b"\0"
    fuzzer.close()


RESTLESS = """
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile size_t rest = size;
  signal(SIGALRM, SIG_IGN);
  while (rest) rest |= 1;
  return 0;
}
"""


def test_processes_that_do_not_wait_are_ended(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_fuzzer, "SLOWEST", 0)
    monkeypatch.setattr(native_fuzzer, "GRACE", 0.1)
    fuzzer = native(scratch, RESTLESS)
    for number in range(native_fuzzer.MOST_RESTLESS):
        assert not fuzzer.is_restless
        fuzzer.fuzz(1.0, 1, 0, lambda: False)
        assert (scratch / "native" / f"gate{number + 1}").exists()  # each slot has a new process
    assert fuzzer.is_restless and not still_running(scratch)
    fuzzer.close()


def test_an_input_at_which_the_target_is_stuck_is_left_out(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzer = native(scratch, RESTLESS)
    fuzzer.give(b"stuck")
    monkeypatch.setattr(native_fuzzer, "SLOWEST", 0)
    monkeypatch.setattr(native_fuzzer, "GRACE", 1)
    fuzzer.give(b"")
    found = fuzzer.look()
    assert found.slow == 1 and [data for data, _ in found.inputs] == [b""]
    assert [path.name for path in (scratch / "native" / "corpus").iterdir()] == [name_of(b"")]


def test_a_fifo_in_the_corpus_blocks_no_process(scratch: Path) -> None:
    fuzzer = native(scratch, ENDLESS)
    os.mkfifo(scratch / "native" / "corpus" / "fifo")
    fuzzer.give(b"given")
    assert [data for data, _ in fuzzer.look().inputs] == [b"given"]
    fuzzer.fuzz(1.0, 1, 0, lambda: False)
    fuzzer.fuzz(0.3, 1, 0, lambda: False)
    assert not (scratch / "native" / "gate2").exists()
    fuzzer.close()


def test_links_in_the_folder_of_native_programs_lead_nowhere(scratch: Path) -> None:
    """A target may put links under the names of files that unfork writes, and replace folders by links."""
    fuzzer, inner, own = native(scratch, SMALL), scratch / "native", scratch / "own"
    own.mkdir()
    (own / "cxx").write_bytes(b"cxx")
    for name in ("gate1", "list", "edges"):
        (own / name).write_bytes(b"own")
        (inner / name).symlink_to(own / name)
    (inner / "corpus" / name_of(b"dxx")).symlink_to(own / "new")
    (inner / "corpus").rename(inner / "moved")
    (inner / "corpus").symlink_to(own)
    fuzzer.give(b"dxx")
    fuzzer.give(b"cxx")
    fuzzer.fuzz(0.3, 1, 0, lambda: False)
    fuzzer.close()
    assert {path.name: path.read_bytes() for path in own.iterdir()} == {
        "cxx": b"cxx",
        **dict.fromkeys(("gate1", "list", "edges"), b"own"),
    }


def test_a_crash_does_not_stop_the_next_process(scratch: Path) -> None:
    """A file that crashes leaves the corpus, where each process would begin with it."""
    fuzzer = native(scratch, SMALL)
    fuzzer.give(b"cxx")
    fuzzer.give(b"dxx")
    finds = fuzzer.look()
    assert [data for data, _ in finds.inputs] == [b"dxx"] and finds.crashes == [b"cxx"]
    fuzzer.fuzz(1.0, 1, 0, lambda: False)
    fuzzer.close()
    corpus = [path.read_bytes() for path in (scratch / "native" / "corpus").iterdir()]
    assert b"dxx" in corpus and b"cxx" not in corpus and len(corpus) > 1


def test_each_input_has_a_process_that_begins_at_main(scratch: Path) -> None:
    """Edges come back however a program exits, and comparisons lead mutations to a word."""
    command = replace(PLAIN, words=("-x", "input"), has_input_file=True)
    fuzzer = native(scratch, MAIN, WholeProgram("main", of_inputs((), (), None, (), command, None)))
    for data in (b"abcd", b"qbcd", b"ab", b"MAGIC"):
        fuzzer.give(data)
    finds = fuzzer.look()
    assert {data for data, _ in finds.inputs} == {b"abcd", b"qbcd", b"ab", b"MAGIC"} and not finds.crashes
    fuzzer.close()
    scratch.joinpath("native").rename(scratch / "first")
    standard = replace(PLAIN, has_input_stdin=True)
    fuzzer = native(scratch, MAIN, WholeProgram("main", of_inputs((), (), None, (), standard, None)))
    until = time.monotonic() + 60
    while not (finds := fuzzer.fuzz(2.0, 1, 0, lambda: False)).crashes and time.monotonic() < until:
        pass
    fuzzer.close()
    assert all(data.startswith(b"MAGIC") for data in finds.crashes) and finds.crashes


def test_dictionaries(tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_bytes(b'# words\nkw="a\\x00\\"b\\\\"\n\n"second"\nlevel@1="x"\n')
    assert dictionaries.read(file)[1] == [b'a\0"b\\', b"second", b"x"]
    file.write_bytes(b"word\n")
    with pytest.raises(InputError, match=r"words:1: not a word in quotes"):
        dictionaries.read(file)


@pytest.mark.parametrize(
    ("program", "words", "message"),
    [
        ("int first(int x) { return x; }", ["--function", "first"], "takes no fuzzer's input"),
        (MAIN, ["--fuzzer", "libfuzzer"], "a program with main needs a process for each input"),
        (MAIN, ["--sym-stdin", "3"], "takes no fuzzer's input"),
        (MAIN, ["--sym-arg", "3"], "native runs vary the fuzzer's input alone"),
        (SMALL, ["--input-stdin"], "the program takes a fuzzer's input in memory"),
        (ENDLESS, ["--data-model", "ILP32"], "fuzz targets need pointers of 64 bits"),
        (SMALL, ["--dictionary", "missing"], "--dictionary missing: cannot be read"),
        (SMALL, ["--corpus", "missing"], "--corpus missing: no such folder"),
    ],
)
def test_what_cannot_be_fuzzed(program: str, words: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        fuzzed(tmp_path, program, *words)


def test_no_native_process_is_left(tmp_path: Path) -> None:
    fuzzed(tmp_path, ENDLESS, "--input-size", "40", "--max-time", "4s")
    assert not still_running(tmp_path)


def still_running(folder: Path) -> list[bytes]:
    """The command lines of processes that name the folder, after a while in which those that were killed end."""
    until, lines = time.monotonic() + 20, [b""]
    while lines and time.monotonic() < until:
        time.sleep(0.05)
        lines = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                lines.append(path.read_bytes())
        lines = [line for line in lines if str(folder).encode() in line]
    return lines
