"""Replay the tests of a run directory, on the engine or natively."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from unfork import options as choices
from unfork import outputs, wiring
from unfork.api.libc import silent_progress
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.inputs.arguments import program_name
from unfork.inputs.testcase import Error, Expectation, TestCase, missing
from unfork.options import Options
from unfork.program import clang
from unfork.program.module import Program
from unfork.replay import gcov
from unfork.replay.account import AS_EXPECTED, CUT, DIFFERENT, ENGINE_ONLY, Report, Row, judge
from unfork.replay.binary import Binary, Enclosure
from unfork.replay.evidence import Ending
from unfork.replay.native import FunctionRunner, NativeRunner, toolchains
from unfork.report.coverage import measure
from unfork.state.state import State

Named = Sequence[tuple[str, TestCase]]
"""Tests with the names of their files."""

_LONGEST = 50_000_000
"""Instructions after which a replay is cut: tests of cut paths may run for ever."""


class Session:
    """The program of one run directory, and the options that it ran with."""

    def __init__(self, root: Path, data: dict[str, Any] | None, enclosure: Enclosure = Enclosure.REQUIRED) -> None:
        self._root = root
        self._enclosure = enclosure
        self._options = choices.from_dict(data["options"]) if data is not None else Options()
        self._data = data

    def engine(self, tests: Named, given: tuple[str, ...] | None = None) -> Report:
        """Concrete runs with every check, from the tests alone; of the files ``given`` where there are any."""
        program = self._program(tests, given)
        coverage = BranchCoverage()
        replayer = wiring.replayer(self._options, program, coverage, _is_too_long)
        rows = []
        for name, test in tests:
            end = replayer.replay(test).end
            rows.append(Row(name, test.expect, end, _judge(test.expect, end == test.expect)))
        covered = measure(program, coverage, (self._options.entry, *program.constructors), replayer.has_run)
        text = (
            f"branches {covered.branches}/{covered.branches_total}, lines {covered.lines}/{covered.lines_total} covered"
        )
        return Report("on the engine", rows, text)

    def native(self, tests: Named) -> Report:
        """Runs of the compiled program. The sources are built again where they still are, else the bitcode is.

        PROGRAM stands beside the PROGRAM.bc that unfork cc has left, and is taken as it is.
        """
        if self._options.entry != "main":
            return self._calling(tests)
        beside = _built_beside(_files(self._data, tests))
        if beside is not None:
            return self.binary(tests, beside)
        program = self._program(tests)
        with tempfile.TemporaryDirectory(prefix="unfork-native-") as name:
            folder = Path(name)
            runner = self._runner(self._sources(tests), program, folder)
            sanitizers = runner.toolchain.has_sanitizers
            rows = [_native_row(name, test, runner.run, sanitizers) for name, test in tests]
            covered = gcov.read(folder) if runner.toolchain.has_gcov else None
            text = ""
            if covered is not None:
                text = f"branches {covered.branches}/{covered.branches_total}, "
                text += f"lines {covered.lines}/{covered.lines_total} covered (gcov)"
            elif tests:
                text = "coverage needs gcc and gcov; see --engine"
            return Report(f"natively, {runner.toolchain.name}{self._remark()}", rows, text)

    def _calling(self, tests: Named) -> Report:
        """Tests of a function that is run alone: each is C of its own, with the function's source in it."""
        program = self._program(tests)
        harness = replace(outputs.harness(program, self._options), sources=_files(self._data, tests))
        needed = harness.sources if harness.calls is not None else (harness.source_of_entry,)
        if not all(name.endswith((".c", ".i")) and Path(name).is_file() for name in needed):
            raise InputError(f"native replay: the C source of {self._options.function} cannot be found from here")
        with tempfile.TemporaryDirectory(prefix="unfork-native-") as name:
            folder = Path(name)
            toolchain = next(iter(toolchains(harness.sources, folder)), None)
            if toolchain is None:
                raise InputError("no C compiler for native replay: install gcc or clang")
            runner = FunctionRunner(harness, toolchain, self._flags(), folder, self._enclosure)
            rows = [_native_row(test_name, test, runner.run, toolchain.has_sanitizers) for test_name, test in tests]
            return Report(f"natively, {toolchain.name}{self._remark()}", rows, "")

    def _flags(self) -> list[str]:
        """The user's words for the compiler."""
        compiling = wiring.compile_options(self._options)
        flags = [f"-I{Path(one).resolve()}" for one in compiling.include]
        return [*flags, *(f"-D{one}" for one in compiling.define), *compiling.flags]

    def binary(self, tests: Named, program: Path) -> Report:
        """Runs of a native build of the program: on arguments, standard input and files, which need no harness."""
        if not program.is_file() or not os.access(program, os.X_OK):
            raise InputError(f"--program {program}: no program that can be run")
        with tempfile.TemporaryDirectory(prefix="unfork-native-") as name:
            made = Binary(program, program_name(_files(self._data, tests)), Path(name), {}, self._enclosure)
            rows = []
            for test_name, test in tests:
                if any(one.kind in ("symbolic", "nondet") for one in test.inputs):
                    reason = f"{ENGINE_ONLY} (the program asks for inputs by a function)"
                    rows.append(Row(test_name, test.expect, None, reason))
                else:
                    rows.append(_native_row(test_name, test, made.run, has_sanitizers=False))
            return Report(f"natively, {program}{self._remark()}", rows, "")

    def _remark(self) -> str:
        return "" if self._enclosure is Enclosure.REQUIRED else ", not enclosed"

    def _program(self, tests: Named, given: tuple[str, ...] | None = None) -> Program:
        bitcode = self._root / "program.bc"
        sources = [Path(file) for file in given or _files(self._data, tests)]
        libraries = wiring.libraries(self._options, silent_progress)
        files = [bitcode] if bitcode.is_file() and given is None else sources
        return clang.build(files, wiring.compile_options(self._options), sources, libraries)

    def _sources(self, tests: Named) -> tuple[str, ...]:
        files = _files(self._data, tests)
        if all(Path(file).is_file() for file in files):
            return files
        bitcode = self._root / "program.bc"
        if not bitcode.is_file():
            raise InputError(f"native replay: {' '.join(files)} cannot be found from here, nor {bitcode}")
        if self._options.libc != "none":
            reason = f"{' '.join(files)} cannot be found from here, and {bitcode} holds the modelled C library"
            raise InputError(f"native replay: {reason}; name a native build with --program")
        return (str(bitcode),)

    def _runner(self, sources: tuple[str, ...], program: Program, folder: Path) -> NativeRunner:
        """The program built by the first compiler that can."""
        harness = replace(outputs.harness(program, self._options), sources=sources)
        name = program_name(program.sources)
        flags = self._flags()
        problem = None
        for toolchain in toolchains(sources, folder):
            try:
                return NativeRunner(harness, name, toolchain, flags, folder, self._enclosure)
            except InputError as failed:
                problem = problem or failed
        raise problem or InputError("no C compiler for native replay: install gcc or clang")


def _built_beside(files: tuple[str, ...]) -> Path | None:
    """The native program that was linked together with the only one of ``files``, which is bitcode."""
    if len(files) != 1 or not files[0].endswith(".bc"):
        return None
    program = Path(files[0]).with_suffix("")
    return program if program.is_file() and os.access(program, os.X_OK) else None


def _native_row(name: str, test: TestCase, run: Callable[[TestCase], Ending | None], has_sanitizers: bool) -> Row:
    if test.has_failures():
        return Row(name, test.expect, None, f"{ENGINE_ONLY} (a call fails)")
    if (reason := missing(test)) is not None:
        return Row(name, test.expect, None, f"{ENGINE_ONLY} ({reason})")
    row = _named_as_given(judge(name, test, run(test), has_sanitizers))
    if row.is_bad() and test.has_unwritten():
        return Row(name, row.expected, row.ended, f"{ENGINE_ONLY} (uninitialised values)")
    return row


def _named_as_given(row: Row) -> Row:
    """A compiler may name a source by its absolute path: the row shows the name that the test has for it."""
    match row.expected, row.ended:
        case Error(file=str(given)), Error(file=str(file)) if os.path.abspath(given) == file:
            return replace(row, ended=replace(row.ended, file=given))
        case _:
            return row


def _files(data: dict[str, Any] | None, tests: Named) -> tuple[str, ...]:
    if data is not None:
        return tuple(str(file) for file in data["program"])
    if not tests:
        raise InputError("there is no test to replay")
    return tests[0][1].program


def _judge(expect: Expectation, agrees: bool) -> str:  # the answer of a comparison
    if expect is None:
        return CUT
    return AS_EXPECTED if agrees else DIFFERENT


def _is_too_long(state: State) -> bool:
    return state.instructions > _LONGEST
