"""Writes the tests of a run as files of a fuzzer's corpus: those that add coverage, and crashes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from unfork.commands.assemble import replaying, solving
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.report.record.corpus_folder import CorpusFolder, is_kept_out
from unfork.report.record.kept_run import KeptRun, where_it_ran
from unfork.report.replay.engine import EngineReplayer, is_too_long
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.fuzz_inputs import channel_of, test_of, with_input
from unfork.world.inputs.testcase import Error, Replayed, TestCase, fuzzer_input
from unfork.world.libc import fuzz_driver

MOST_RUNS = 2_000
"""Replays to shrink one crash."""


@dataclass(slots=True)
class WrittenCorpus:
    """What was written, by number; grows. ``known`` files were there before, ``needless`` tests added nothing."""

    known: int = 0
    kept: int = 0
    needless: int = 0
    rejected: int = 0
    crashes: list[Path] = field(default_factory=list)


def write_corpus(run: KeptRun, folder: Path, *, minimise: bool) -> WrittenCorpus:
    """Write the inputs of a run's tests to ``folder``, and its crashes beside it, shrunk if ``minimise`` says so.

    Raises InputError for a program that takes no fuzzer's input, and WriteFailed.
    """
    with ONE_AT_A_TIME, where_it_ran(run) as seen:
        options = option_rules.from_dict(seen.summary["options"])
        program, tests = seen.program(), [test for _, test in seen.tests()]
        channel = channel_of(program, tests[0].command if tests else CommandLine())
        if channel is None:
            wanted = "a fuzz target, AFL++'s macros, or @@"
            raise InputError(f"corpus: the program of {run.root} takes no fuzzer's input ({wanted})")
        with closing(solving.solver(options)) as backend:
            replayer = replaying.replayer(options, program, BranchCoverage(), is_too_long, backend)
            writer = _Writer(folder, replayer, may_reject=fuzz_driver.is_target(program))
            command = tests[0].command if tests else CommandLine()
            writer.read(lambda data: test_of(channel, program.sources, command, data))
            writer.write(tests, minimise=minimise)
            return writer.written


class _Writer:
    """Writes into one folder what adds coverage to it."""

    def __init__(self, folder: Path, replayer: EngineReplayer, *, may_reject: bool) -> None:
        self.written = WrittenCorpus()
        self._folder = CorpusFolder(folder)
        self._replayer = replayer
        self._may_reject = may_reject

    def read(self, as_test: Callable[[bytes], TestCase]) -> None:
        """Cover what the files in the folder cover."""
        self._folder.make()
        for file in self._folder.files():
            self._replayer.replay(as_test(file.read_bytes()))
            self.written.known += 1

    def write(self, tests: list[TestCase], *, minimise: bool) -> None:
        """Write inputs, the smallest first, then crashes."""
        inputs = [(data, test) for test in tests if (data := fuzzer_input(test)) is not None]
        inputs.sort(key=lambda each: (len(each[0]), each[0]))
        for data, test in inputs:
            if not isinstance(test.expect, Error):
                self._write_input(data, test)
        for data, test in inputs:
            if isinstance(test.expect, Error):
                self._write_crash(data, test, test.expect, minimise=minimise)

    def _write_input(self, data: bytes, test: TestCase) -> None:
        if is_kept_out(test, may_reject=self._may_reject):
            self.written.rejected += 1
            return
        before = len(self._replayer.coverage.covered_edges())
        self._replayer.replay(test)
        if len(self._replayer.coverage.covered_edges()) == before and self.written.known + self.written.kept:
            self.written.needless += 1
            return
        self._folder.write(data)
        self.written.kept += 1

    def _write_crash(self, data: bytes, test: TestCase, error: Error, *, minimise: bool) -> None:
        if minimise:
            data = shrunk(data, lambda shorter: self._replayed(test, shorter).end == error)
        again = self._replayed(test, data)
        text = error.words() if again.fault is None else f"{again.fault.message}: {error.words()}"
        self.written.crashes.append(self._folder.write_crash(data, text))

    def _replayed(self, test: TestCase, data: bytes) -> Replayed:
        return self._replayer.replay(with_input(test, data))


def shrunk(data: bytes, fails: Callable[[bytes], bool], most: int = MOST_RUNS) -> bytes:
    """A shorter input that still ``fails``, after at most ``most`` runs: no single byte of it can go, if runs suffice.

    Cuts pieces out, each half as long as those of the round before.
    """
    left, size = most, max(len(data) // 2, 1)
    while data:
        has_changed = False
        for start in _starts_from_the_end(len(data), size):
            if left == 0:
                return data
            left -= 1
            shorter = data[:start] + data[start + size :]
            if fails(shorter):
                data, has_changed = shorter, True
        if size == 1 and not has_changed:
            return data
        size = max(size // 2, 1)
    return data


def _starts_from_the_end(length: int, size: int) -> Iterator[int]:
    return iter(range(max(length - size, 0), -1, -size))
