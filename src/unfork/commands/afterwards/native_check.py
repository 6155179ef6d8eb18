"""Builds the program of a run natively, from its sources if they are still there, for replays and native checks."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unfork import host
from unfork.commands.assemble import outputs, starting
from unfork.commands.assemble.building import COPY, progress_of
from unfork.commands.assemble.choices import StartChoice, choose
from unfork.engine.step.statics import makes_threads
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.c import libcxx
from unfork.program.c.suffixes import COMPILED, IR_SUFFIXES, from_elsewhere, has_cpp
from unfork.program.llvm.compiler import INCLUDE
from unfork.program.llvm.cpp_types import CppTypes
from unfork.program.llvm.module import LIBRARY_FOLDER, Program
from unfork.program.llvm.subprocesses import TooSlow
from unfork.report.replay import account, baton, native_fuzzer
from unfork.report.replay import binary as replay_binary
from unfork.report.replay import native_replay as replay_native
from unfork.report.replay.second_opinion import Build, NativeCheck, NoCheck
from unfork.world.inputs.arguments import program_name
from unfork.world.inputs.testcase import Error, TestCase, as_file
from unfork.world.libc import framework_build, fuzz_driver

if TYPE_CHECKING:
    from unfork.report.replay.account import NativeEnding
    from unfork.report.replay.binary import Enclosure, NativeBinary
    from unfork.report.replay.native_fuzzer import NativeFuzzer, WholeProgram
    from unfork.report.replay.native_replay import FunctionRunner, NativeRunner, ScheduleRunner, Toolchain
    from unfork.world.libc.build_store import Progress

    Runner = NativeRunner | ScheduleRunner | FunctionRunner

_NO_MAIN = "-Dmain=unfork_own_main"
_BUILD_SECONDS = 60.0
"""Seconds that a build for the check of errors may take."""
NO_FUZZER = InputError("--fuzzer libfuzzer: no clang with libFuzzer is installed, or it cannot read the program")
NO_COMPILER = InputError("no C compiler for native replay: install gcc or clang")


@dataclass(frozen=True, slots=True)
class TrialSources:
    """A fuzz target for a program, and the files that stand for some of the program's (by their paths)."""

    target: Path
    replaced: Mapping[str, str]

    def sources(self, files: Sequence[str]) -> tuple[str, ...]:
        """The files to compile."""
        other = {Path(name).resolve(): own for name, own in self.replaced.items()}
        return (*[other.get(Path(file).resolve(), file) for file in files], str(self.target))


@dataclass(frozen=True, slots=True)
class BuildOrigin:
    """The sources of a native build: ``files`` as the user named them, or their copies in the folder ``kept``.

    ``bitcode`` is that of the run directory.
    """

    program: Program
    options: Options
    files: tuple[str, ...]
    kept: Path | None
    bitcode: Path | None
    enclosure: Enclosure

    @property
    def start(self) -> StartChoice:
        """Where the run starts."""
        return choose(self.options).start

    @property
    def is_allowed(self) -> bool:
        """Whether the user lets the program run natively."""
        return self.options.native_check != "never"

    def beside(self) -> Path | None:
        """The native program that unfork cc linked along with the only file, a bitcode file; None if there is none."""
        if len(self.files) != 1 or not self.files[0].endswith(".bc") or self.start.entry != "main":
            return None
        if self.has_threads():
            return None  # that goes on as it likes
        program = Path(self.files[0]).with_suffix("")
        return program if program.is_file() and os.access(program, os.X_OK) else None

    def binary(self, program: Path, folder: Path) -> NativeBinary:
        return replay_binary.NativeBinary(program, program_name(self.files), folder, {}, self.enclosure)

    def toolchains(self, folder: Path) -> Iterator[Toolchain]:
        """The toolchains that may build it: a program with threads needs the engine's C library."""
        if self.program.is_narrow:
            return replay_native.narrow(self.files, folder)
        if self.has_threads() or self.needs_libcxx() or self.needs_target():
            return replay_native.bundled(self.files, self.progress)
        sources = self.sources() if self.start.entry == "main" else self.files
        return replay_native.toolchains(sources, folder, self.progress)

    @property
    def progress(self) -> Progress:
        return progress_of(self.options)

    def needs_libcxx(self) -> bool:
        """Whether tests set objects of the C++ library byte by byte: other libraries have other classes."""
        entry = self.start.entry
        return entry != "main" and CppTypes(self.program.c_types).leads_to_class(entry, LIBRARY_FOLDER)

    def needs_target(self) -> bool:
        """Whether a program for this host's processor may mean something else than the explored one."""
        own = self.program.own
        return not host.this().is_target_processor and any(map(self.program.outlines.depends_on_target, own))

    def has_threads(self) -> bool:
        """Whether tests have schedules."""
        return makes_threads(self.program)

    def sources(self) -> tuple[str, ...]:
        """The files to compile or, if they are gone, bitcode without the C library. Raises InputError."""
        files = tuple([self._located(file) for file in self.files])
        if all(Path(file).is_file() for file in files):
            return files
        names = " ".join(self.files)
        if self.bitcode is None or not self.bitcode.is_file():
            where = "" if self.bitcode is None else f", nor {self.bitcode}"
            raise InputError(f"native replay: {names} cannot be found from here{where}")
        if not choose(self.options).compilation.is_freestanding:
            reason = f"{names} cannot be found from here, and {self.bitcode} holds the modelled C library"
            raise InputError(f"native replay: {reason}; name a native build with --program")
        return (str(self.bitcode),)

    def _located(self, file: str) -> str:
        """The path of a file: where its name says, or else in the folder of copies."""
        if self.kept is None or Path(file).is_absolute() or Path(file).is_file():
            return file
        copy = self.kept / file
        return str(copy) if copy.is_file() else file

    def runner(self, toolchain: Toolchain, folder: Path, seconds: float | None = None) -> Runner:
        """Runs tests on a build, of the program or of the function that is run alone.

        Raises InputError and TooSlow.
        """
        make = self._whole if self.start.entry == "main" else self._function
        return make(toolchain, folder, seconds)

    def _whole(self, toolchain: Toolchain, folder: Path, seconds: float | None) -> NativeRunner | ScheduleRunner:
        """The program with its main; it reads the inputs of tests from a file."""
        if self.has_threads():
            return self._scheduled(toolchain, folder, seconds)
        harness = outputs.harness(self.program, self.options)
        frameworks = framework_build.native(self.program)
        linked = (*frameworks, *fuzz_driver.native(self.program))
        harness = replace(harness, sources=self.sources(), frameworks=linked)
        flags = [*self._flags(), *([f"-I{framework_build.OURS}"] if frameworks else [])]
        name = program_name(self.program.sources)
        return replay_native.NativeRunner(harness, name, toolchain, flags, folder, self.enclosure, seconds)

    def fuzzer(
        self, folder: Path, wanted: str, largest: int, whole: WholeProgram | None, trial: TrialSources | None = None
    ) -> NativeFuzzer:
        """The fuzz target, or the ``whole`` program, with counters of edges, for native fuzzing.

        With a ``trial``, the program's own main never runs. Raises InputError.
        """
        sources, problem = self.sources(), NO_FUZZER
        flags = self._flags()
        if trial is not None:
            sources, flags = trial.sources(sources), [*flags, _NO_MAIN]
        for number, made in enumerate(native_fuzzer.toolchains(sources, folder, self.progress, wanted)):
            inner = folder / str(number)
            inner.mkdir()
            try:
                how = flags, inner, self.enclosure, INCLUDE, largest, whole
                return native_fuzzer.NativeFuzzer(made if trial is None else made.linking_in_part(), sources, *how)
            except InputError as failed:
                problem = failed
        raise problem

    def _scheduled(self, toolchain: Toolchain, folder: Path, seconds: float | None) -> ScheduleRunner:
        """The program with its main; its threads are scheduled as tests say."""
        code = folder / f"threads{replay_native.OBJECT}"
        code.write_bytes(baton.object_file(self.program))
        harness = replace(outputs.harness(self.program, self.options), sources=(str(code),), has_threads=True)
        name = program_name(self.program.sources)

        def build(toolchain: Toolchain, folder: Path) -> NativeRunner:
            folder.mkdir(exist_ok=True)
            return replay_native.NativeRunner(harness, name, toolchain, (), folder, self.enclosure, seconds)

        def race_detector() -> NativeRunner | None:
            for detector in replay_native.race_detectors(folder):
                with contextlib.suppress(InputError):
                    return build(detector, folder / "races")
            return None

        return replay_native.ScheduleRunner(build(toolchain, folder), race_detector)

    def _function(self, toolchain: Toolchain, folder: Path, seconds: float | None) -> FunctionRunner:
        """The function that is run alone: each test is a file with its source."""
        if self.has_threads():
            raise InputError("native replay: threads follow schedules only in programs that begin with main")
        harness = replace(outputs.harness(self.program, self.options), sources=self.files)
        needed = harness.sources if harness.calls is not None else (harness.source_of_entry,)
        if not all(Path(name).suffix in COMPILED and Path(name).is_file() for name in needed):
            raise InputError(f"native replay: the source of {self.start.function} cannot be found from here")
        return replay_native.FunctionRunner(harness, toolchain, self._flags(), folder, self.enclosure, seconds)

    def _flags(self) -> list[str]:
        """The user's flags for the compiler, and flags that stop sanitizers from checking more than --check does."""
        compiled = starting.compile_options(self.options)
        flags = list(outputs.unwatched(self.options))
        flags += [f"-I{Path(folder).resolve()}" for folder in compiled.include]
        if libcxx.HARDENING in compiled.checks:
            flags += libcxx.ASSERTIONS
        if COPY in self.files:  # C on standard input includes headers from here
            flags.append(f"-iquote{Path.cwd()}")
        flags += [f"-D{definition}" for definition in compiled.define]
        return [*flags, *from_elsewhere(compiled.flags, os.getcwd())]


def origin(program: Program, options: Options, files: tuple[str, ...], kept: Path | None) -> BuildOrigin:
    """The sources of native builds for a run."""
    return BuildOrigin(program, options, files, kept, None, replay_binary.Enclosure.REQUIRED)


def make_ready(origin: BuildOrigin) -> None:
    """Build what the first native check needs and later ones reuse: a limit of time must not break that off.

    The check reports any obstacle.
    """
    if not origin.is_allowed or origin.program.is_narrow or origin.start.entry != "main":
        return
    with contextlib.suppress(InputError):
        if origin.has_threads():
            next(replay_native.bundled(origin.files, origin.progress))
        elif frameworks := framework_build.native(origin.program):
            _make_frameworks_ready(origin, frameworks)


def _make_frameworks_ready(origin: BuildOrigin, frameworks: Sequence[tuple[Path, tuple[str, ...]]]) -> None:
    """Compile frameworks of tests for the first native build, unless they are kept. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="unfork-native-") as scratch, contextlib.ExitStack() as showing:
        folder, is_shown = Path(scratch), False

        def call(words: Sequence[str]) -> None:
            nonlocal is_shown
            if not is_shown:
                is_shown = True
                showing.enter_context(origin.progress("the framework of tests for native programs"))
            replay_native.compiling_in(folder)(words)

        for toolchain in replay_native.toolchains(origin.files, folder, origin.progress):
            if toolchain.has_sanitizers:
                for each in frameworks:
                    replay_native.framework_object(toolchain, each, folder, call)
            return


def make_second_ready(options: Options, files: Sequence[str]) -> None:
    """Build what the second native build needs and later ones reuse."""
    is_wide = options.data_model == "LP64"
    if options.native_check != "never" and is_wide and replay_native.has_system_compiler(files):
        with contextlib.suppress(InputError):
            next(replay_native.bundled(files, progress_of(options)))


def check(origin: BuildOrigin, deadline: float) -> NativeCheck | NoCheck:
    """The check that --native-check asks for. Raises InputError if "always" is not possible."""
    wanted = origin.options.native_check
    if wanted == "never" or (origin.program.is_narrow and wanted != "always"):
        return NoCheck()
    native = NativeCheck(partial(_builds, origin), deadline)
    if wanted == "always":
        try:
            native.prepare()
        except (InputError, TooSlow) as problem:
            native.close()
            reason = str(problem) or "the native build takes too long"
            raise InputError(f"--native-check always: {reason}") from None
    return native


def _builds(origin: BuildOrigin, folder: Path, deadline: float) -> Iterator[Build]:
    """Builds that judge errors: one with sanitizers, then one with the engine's compiler and C library.

    A program that unfork cc has linked is used as it is. Raises InputError if there is no compiler with sanitizers.
    """
    if (program := origin.beside()) is not None:
        yield _linked_build(origin.binary(program, folder), is_target=fuzz_driver.is_target(origin.program))
        return
    is_bitcode = any(file.endswith(tuple(IR_SUFFIXES)) for file in origin.files)
    language, native = ("C++", "g++ or clang++") if has_cpp(origin.files) else ("C", "gcc or clang")
    wanted = "clang, which reads bitcode" if is_bitcode else native
    problem = InputError(f"no {language} compiler with sanitizers: install {wanted}")
    if origin.program.is_narrow:
        folder.mkdir(exist_ok=True)
        yield _build(origin, next(replay_native.narrow(origin.files, folder)), folder / "first", deadline)
        return
    if origin.has_threads() or origin.needs_target():
        for toolchain in replay_native.bundled(origin.files, origin.progress):
            yield _build(origin, toolchain, folder / "first", deadline)
        return
    if origin.needs_libcxx():
        raise InputError("no C++ compiler with sanitizers has the bundled library, whose objects are set byte by byte")
    for toolchain in replay_native.toolchains(origin.files, folder, origin.progress):
        if not toolchain.has_sanitizers:
            continue
        try:
            yield _build(origin, toolchain, folder / "first", deadline)
            break
        except InputError as failed:
            problem = failed
    else:
        raise problem
    for toolchain in replay_native.bundled(origin.files, origin.progress):
        yield _build(origin, toolchain, folder / "second", deadline)


def _build(origin: BuildOrigin, toolchain: Toolchain, folder: Path, deadline: float) -> Build:
    folder.mkdir(exist_ok=True)
    folder.parent.chmod(0o711)  # enclosed programs run as a user without rights, who must get this far
    limit = min(deadline - time.monotonic(), _BUILD_SECONDS)
    runner = origin.runner(toolchain, folder, limit)

    def run(test: TestCase, seconds: float) -> NativeEnding | None:
        replay_native.forget_coverage(folder)
        return runner.run(test, seconds)

    return Build(run, toolchain.has_sanitizers, lambda error: _has_run(folder, error))


def _has_run(folder: Path, error: Error) -> bool:
    return (
        error.file is not None and error.line is not None and replay_native.has_run_line(folder, error.file, error.line)
    )


def _linked_build(binary: NativeBinary, *, is_target: bool) -> Build:
    """A program that was linked without the functions that ask for inputs, except for a fuzzer's."""

    def run(test: TestCase, seconds: float) -> NativeEnding | None:
        test = as_file(test, is_target=is_target)
        if test.asks():
            raise InputError(account.ASKS)
        return binary.run(test, seconds)

    return Build(run, has_sanitizers=False)
