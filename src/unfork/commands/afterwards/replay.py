"""Replays the tests of a run directory, on the engine or natively."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from unfork.commands.afterwards.native_check import NO_COMPILER, BuildOrigin
from unfork.commands.assemble import replaying, solving
from unfork.commands.assemble.building import ONE_AT_A_TIME, build_program
from unfork.commands.assemble.choices import choose
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.options.options import CHECKS, Options
from unfork.program.llvm.module import Program
from unfork.report.record.coverage_measure import measure
from unfork.report.record.kept_run import KeptRun, where_it_ran
from unfork.report.replay.account import (
    AS_EXPECTED,
    ASKS,
    CUT,
    DIFFERENT,
    ENGINE_ONLY,
    ReplayReport,
    ReplayRow,
    run_natively,
)
from unfork.report.replay.binary import Enclosure, NativeBinary
from unfork.report.replay.engine import is_too_long
from unfork.report.replay.native_replay import FunctionRunner, NativeRunner, ScheduleRunner, Toolchain, gcov_counts
from unfork.world.inputs import object_drivers
from unfork.world.inputs.arguments import program_name
from unfork.world.inputs.testcase import Error, Expectation, TestCase, as_file
from unfork.world.libc import fuzz_driver

Named = Sequence[tuple[str, TestCase]]
"""Tests with the names of their files."""


class ProgramBuilder(Protocol):
    """Builds the program that tests are of."""

    def __call__(self, options: Options, paths: Sequence[Path], sources: Sequence[Path]) -> Program:
        """The program in ``paths``, which reports call ``sources``. Raises InputError."""


class Session:
    """The program of a run directory, and the options that it ran with."""

    def __init__(
        self,
        root: Path,
        data: Mapping[str, Any] | None,
        enclosure: Enclosure = Enclosure.REQUIRED,
        build: ProgramBuilder = build_program,
    ) -> None:
        self._root = root.resolve()
        self._build = build
        self._enclosure = enclosure
        self.options = option_rules.from_dict(data["options"]) if data is not None else Options()
        self._data = data

    def engine(self, tests: Named, given: tuple[str, ...] | None = None) -> ReplayReport:
        """Replay on the engine, concretely and with every check, the run's program or the files ``given``."""
        with ONE_AT_A_TIME:
            return self._engine(tests, given)

    def _engine(self, tests: Named, given: tuple[str, ...] | None) -> ReplayReport:
        program = self.program(tests, given)
        options = self._watching(tests)
        coverage = BranchCoverage()
        rows = []
        with closing(solving.solver(options)) as backend:
            replayer = replaying.replayer(options, program, coverage, is_too_long, backend)
            for name, test in tests:
                end = replayer.replay(test).end
                rows.append(ReplayRow(name, test.expect, end, _judge(test.expect, end == test.expect)))
        covered = measure(program, coverage, (choose(options).start.entry, *program.constructors), replayer.has_run)
        text = (
            f"branches {covered.branches}/{covered.branches_total}, lines {covered.lines}/{covered.lines_total} covered"
        )
        return ReplayReport("on the engine", rows, text)

    def native(self, tests: Named) -> ReplayReport:
        """Replay natively. The sources are compiled again or, if they are gone, the bitcode is.

        A program that unfork cc has left beside its bitcode is used as it is. Raises InputError.
        """
        with ONE_AT_A_TIME, where_it_ran(KeptRun(self._root, self._data or {"program": []})):
            return self._native(tests)

    def _native(self, tests: Named) -> ReplayReport:
        files = _files(self._data, tests)
        program = self.program(tests)
        origin = BuildOrigin(program, self.options, files, self._root, self._root / "program.bc", self._enclosure)
        if (beside := origin.beside()) is not None:
            return self.binary(tests, beside)
        with tempfile.TemporaryDirectory(prefix="unfork-native-") as name:
            folder = Path(name)
            toolchain, runner = _runner(origin, folder)
            rows = [run_natively(name, test, runner.run, toolchain.has_sanitizers) for name, test in tests]
            counted = gcov_counts(folder) if toolchain.has_gcov else None
            text = ""
            if counted is not None:
                lines, branches = [f"{sum(runs.values())}/{len(runs)}" for runs in counted]
                text = f"branches {branches}, lines {lines} covered (gcov)"
            elif tests and choose(self.options).start.entry == "main" and not origin.has_threads():
                text = "coverage needs gcc and gcov; see --engine"
            return ReplayReport(f"natively, {toolchain.name}{self._remark()}", rows, text)

    def binary(self, tests: Named, program: Path) -> ReplayReport:
        """Replay on a native build without a harness: arguments, standard input and files. Raises InputError."""
        if not program.is_file() or not os.access(program, os.X_OK):
            raise InputError(f"--program {program}: no program that can be run")
        with tempfile.TemporaryDirectory(prefix="unfork-native-") as name:
            runner = NativeBinary(program, program_name(_files(self._data, tests)), Path(name), {}, self._enclosure)
            rows = []
            for test_name, each in tests:
                is_target = each.asks() and fuzz_driver.is_target(self.program(tests))
                test = as_file(each, is_target=is_target)
                if test.asks() or test.schedule:
                    reason = ASKS if test.asks() else f"{ENGINE_ONLY} (threads go on as they like there)"
                    rows.append(ReplayRow(test_name, test.expect, None, reason))
                else:
                    rows.append(run_natively(test_name, test, runner.run, has_sanitizers=False))
            return ReplayReport(f"natively, {program}{self._remark()}", rows, "")

    def _watching(self, tests: Named) -> Options:
        """The options of the run. A test without one, as of a scan, adds the check that its error is named after."""
        if self._data is not None:
            return self.options
        kinds = {test.expect.kind for _, test in tests if isinstance(test.expect, Error)}
        checks = choose(self.options).checks
        return replace(self.options, check=tuple(sorted(checks.union(kinds.intersection(CHECKS)))))

    def _remark(self) -> str:
        return "" if self._enclosure is Enclosure.REQUIRED else ", not enclosed"

    def program(self, tests: Named, given: tuple[str, ...] | None = None) -> Program:
        """The run's program from its bitcode, or from the files ``given``. Raises InputError."""
        bitcode = self._root / "program.bc"
        sources = [Path(file) for file in given or _files(self._data, tests)]
        options = self._watching(tests)
        program = self._build(options, [bitcode] if bitcode.is_file() and given is None else sources, sources)
        program.driver = object_drivers.read_driver(self._root)
        return program


def _runner(origin: BuildOrigin, folder: Path) -> tuple[Toolchain, NativeRunner | ScheduleRunner | FunctionRunner]:
    """The first build that a compiler can make. Raises InputError if none can."""
    problem = None
    for toolchain in origin.toolchains(folder):
        try:
            return toolchain, origin.runner(toolchain, folder)
        except InputError as failed:
            problem = problem or failed
    raise problem or NO_COMPILER


def _files(data: Mapping[str, Any] | None, tests: Named) -> tuple[str, ...]:
    if data is not None:
        return tuple(str(file) for file in data["program"])
    if not tests:
        raise InputError("there is no test to replay")
    return tests[0][1].program


def _judge(expect: Expectation, agrees: bool) -> str:  # the answer of a comparison
    if expect is None:
        return CUT
    return AS_EXPECTED if agrees else DIFFERENT
