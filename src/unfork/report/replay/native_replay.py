"""Native replay: a system compiler builds the program, with sanitizers and gcov if it has them, and tests run on it."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from unfork import host
from unfork.errors import InputError
from unfork.program.c import fuzzers, libcxx
from unfork.program.c.suffixes import IR_SUFFIXES, flags_for, has_cpp
from unfork.program.llvm import subprocesses
from unfork.program.llvm.compiler import NARROW_PROCESSOR, compiler_home
from unfork.report.replay.account import DATA_RACE, SUPPORT, NativeEnding
from unfork.report.replay.binary import TIME_LIMIT, Enclosure, NativeBinary, room_for_variables
from unfork.report.replay.kept_builds import compiles, compiles_now, kept_object
from unfork.world.inputs.harness import RENAMED, SANITIZERS, Harness
from unfork.world.inputs.testcase import Error, TestCase
from unfork.world.libc import make_kit
from unfork.world.libc.build_store import Progress
from unfork.world.libc.kit import NoKit, without_warnings

OBJECT = ".o"
_PASSED_ON = ("-Wl,", "-Wa,", "-Wp,")
"""Prefixes of flags for the linker, assembler or preprocessor, which look like warnings."""
LIBRARIES = ("-l", "-L")
"""Prefixes of flags that only the linker reads."""
_NARROW_TARGET = "x86-linux-musl"
_NATIVE = (
    *("-static", "-fuse-ld=lld", "-Wl,-z,stack-size=16777216"),
    *("-fstack-protector-strong", "--param", "ssp-buffer-size=4", "-fno-omit-frame-pointer"),
)
"""musl's threads have stacks of the program's size, and writes past an array are noticed."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler with its flags; ``has_gcov`` says whether gcov reads its coverage."""

    words: tuple[str, ...]
    flags: tuple[str, ...]
    name: str
    has_gcov: bool
    has_sanitizers: bool

    def compiling(self, source: Path) -> tuple[str, ...]:
        """The start of a command that compiles a file; C++ compilers need -x c for C."""
        return (*self.words, "-x", "c") if source.suffix == ".c" else self.words

    def given(self, flags: Sequence[str]) -> tuple[str, ...]:
        """The user's flags, adapted: gcc rejects clang's names of warnings, and no warning is shown here."""
        if not self.name.startswith(("gcc ", "g++ ")):
            return tuple(flags)
        kept = [flag for flag in flags if not flag.startswith("-W") or flag.startswith(_PASSED_ON)]
        lenient = any(flag.startswith("-Wno-error=") for flag in flags)
        return (*kept, *(["-fpermissive"] if lenient else []))


def toolchains(sources: Sequence[str], folder: Path, progress: Progress) -> Iterator[Toolchain]:
    """The compilers for ``sources``, with sanitizers where these work; the bundled clang comes last."""
    names = ["-Wl,--no-demangle"] if has_cpp(sources) else []  # in messages about undefined functions
    names += [] if host.this().is_target_processor else [host.SIGNED_CHARS]
    for name, path in _installed(sources):
        has_gcov = name in ("gcc", "g++") and shutil.which("gcov") is not None
        flags = (*names, *(("--coverage",) if has_gcov else ()))
        if compiles((path, *SANITIZERS, *flags), _PROBE, folder):
            yield Toolchain((path,), (*SANITIZERS, *flags), f"{name} with sanitizers", has_gcov, True)
        elif compiles((path, *flags), _PROBE, folder):
            yield Toolchain((path,), flags, f"{name} without sanitizers", has_gcov, False)
    yield from bundled(sources, progress)


def bundled(sources: Sequence[str], progress: Progress) -> Iterator[Toolchain]:
    """The clang bundled with unfork, with musl, and libc++ for C++; builds them first if needed.

    Raises InputError.
    """
    is_cpp = has_cpp(sources)
    try:
        made = make_kit.obtain(progress, is_cpp=is_cpp)
    except NoKit as problem:
        raise InputError(f"native replay: {problem}") from None
    words = made.clang(made.plain_programs, links_cpp=is_cpp, compiles_cpp=is_cpp)
    of_cpp = libcxx.INSTALLED if is_cpp else ()
    flags = (*without_warnings(_NATIVE), "-fno-sanitize=all", *of_cpp)
    yield Toolchain(tuple(words), flags, "bundled clang without sanitizers", False, False)


def narrow(sources: Sequence[str], folder: Path) -> Iterator[Toolchain]:
    """The compilers for programs whose pointers have 32 bits; zig comes last, which builds musl for i386 first.

    Raises InputError where such programs do not run.
    """
    for name, path in _installed(sources):
        flags = (*SANITIZERS, "-m32")
        if _builds_and_runs((path, *flags), folder):
            yield Toolchain((path,), flags, f"{name} -m32 with sanitizers", False, True)
    words = (str(compiler_home() / "zig"), "cc", "-target", _NARROW_TARGET, NARROW_PROCESSOR)
    static = ("-static", "-fstack-protector-strong", "-fno-sanitize=all")
    if not _builds_and_runs((*words, *static), folder):
        raise InputError("native replay: this host runs no programs for i386")
    yield Toolchain(words, static, "zig cc for i386 without sanitizers", False, False)


def race_detectors(folder: Path) -> Iterator[Toolchain]:
    """The system's compilers with a ThreadSanitizer that works here."""
    flags = ("-fsanitize=thread", "-DUNFORK_RACES")
    for name, path in _installed(()):
        if _builds_and_runs((path, *flags), folder):
            yield Toolchain((path,), flags, f"{name} with ThreadSanitizer", False, False)


def has_system_compiler(sources: Sequence[str]) -> bool:
    """Whether the system has a compiler for ``sources``."""
    return next(_installed(sources), None) is not None


def _installed(sources: Sequence[str]) -> Iterator[tuple[str, str]]:
    needs_clang = any(Path(source).suffix in IR_SUFFIXES for source in sources)
    names = ("g++", "clang++", "c++") if has_cpp(sources) else ("gcc", "clang", "cc")
    for name in names[1:2] if needs_clang else names:
        path = shutil.which(name)
        if path is not None:
            yield name, path


_PROBE = "int main(void) { return 0; }\n"


def _builds_and_runs(words: Sequence[str], folder: Path) -> bool:
    is_built = compiles_now(words, _PROBE, folder)
    return is_built and not subprocesses.run([str(folder / "probe")], folder=folder).status


def framework_object(
    toolchain: Toolchain, framework: tuple[Path, tuple[str, ...]], folder: Path, call: Callable[[Sequence[str]], None]
) -> Path:
    """The object in ``folder`` of a test framework's file: from the cache, or compiled by ``call``."""
    path, own = framework
    plain = () if toolchain.has_sanitizers else [flag for flag in toolchain.flags if flag != "--coverage"]
    target = folder / f"{path.stem}{OBJECT}"
    kept_object((*toolchain.compiling(path), "-g", "-O0", "-w", *plain, *own, str(path)), target, call)
    return target


_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?(\w+)")
SETTINGS = {
    "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1"
    ":hard_rss_limit_mb=4000",
    "UBSAN_OPTIONS": "abort_on_error=1:print_stacktrace=0",
    "TSAN_OPTIONS": "halt_on_error=1:detect_deadlocks=0",
}


class FunctionRunner:
    """Runs tests of one function. Each is a file that builds the heap; it is compiled in ``folder``.

    Compilers have ``seconds`` in all. Raises InputError if they fail, and TooSlow.
    """

    def __init__(
        self,
        harness: Harness,
        toolchain: Toolchain,
        flags: Sequence[str],
        folder: Path,
        enclosure: Enclosure,
        seconds: float | None = None,
    ) -> None:
        self._call = compiling_in(folder, seconds)
        self._harness = harness
        self._folder = folder
        self._enclosure = enclosure
        self._flags = [*(flag for flag in toolchain.flags if flag != "--coverage"), "-g", "-O0", "-w"]
        self._toolchain, self._own = toolchain, toolchain.given(flags)
        renamed = [RENAMED] if harness.has_main else []
        others = [file for file in harness.sources if file != harness.source_of_entry]
        self._others = [
            self._compiled(Path(source).resolve(), f"program{number}.o", renamed)
            for number, source in enumerate(others)
        ]

    def _compiled(self, source: Path, output: str, flags: Sequence[str] = ()) -> str:
        target = str(self._folder / output)
        own = [*flags_for(source.suffix, self._own), f"-I{self._harness.include}", *flags]
        self._call([*self._toolchain.compiling(source), *self._flags, *own, "-c", str(source), "-o", target])
        return target

    def run(self, test: TestCase, seconds: float = TIME_LIMIT) -> NativeEnding | None:
        """The end of the function on a test; None if it takes longer than ``seconds``. Raises InputError and
        TooSlow.
        """
        source = self._folder / f"test{self._harness.suffix}"
        source.write_text(self._harness.alone(test), "utf-8", "surrogateescape")
        program = self._folder / "program"
        objects = [self._compiled(source, "test.o"), *self._others]
        libraries = [flag for flag in self._own if flag.startswith(LIBRARIES)]
        words = [*self._toolchain.words, *self._flags, *self._own, *objects, *libraries, "-lm", "-o", str(program)]
        try:
            self._call(words)
        except NotBuilt as problem:
            if not problem.undefined:
                raise
            # functions that the rest of a project defines: the engine's path does not call them
            stubs = self._folder / "undefined.c"
            calls = "".join(f"void {name}(void) {{ __builtin_trap(); }}\n" for name in problem.undefined)
            stubs.write_text(calls, "utf-8")
            self._call([*words, self._compiled(stubs, "undefined.o")])
        binary = NativeBinary(program, program.name, self._folder, SETTINGS, self._enclosure, room_for_variables)
        return binary.run(test, seconds)


def compiling_in(folder: Path, seconds: float | None = None) -> Callable[[Sequence[str]], None]:
    """A function that runs compilers in ``folder``. It raises InputError if one fails, and TooSlow after
    ``seconds``.
    """
    deadline = None if seconds is None else time.monotonic() + seconds

    def run(words: Sequence[str]) -> None:
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        done = subprocesses.run(words, folder=folder, seconds=left)
        if done.status:
            raise NotBuilt(done.complaint)

    return run


class NotBuilt(InputError):
    """A compiler or the linker failed. ``undefined`` names the undefined functions."""

    def __init__(self, complaint: str) -> None:
        lines = complaint.strip().splitlines() or ["the compiler failed"]
        super().__init__(f"native replay: {next((line for line in lines if 'error' in line), lines[0])}")
        self.undefined = tuple(dict.fromkeys(_UNDEFINED.findall(complaint)))


class NativeRunner:
    """The program, built once in ``folder``; runs tests one by one. ``name`` is its argv[0].

    Compilers have ``seconds`` in all. Raises InputError if they fail, and TooSlow.
    """

    def __init__(
        self,
        harness: Harness,
        name: str,
        toolchain: Toolchain,
        flags: Sequence[str],
        folder: Path,
        enclosure: Enclosure,
        seconds: float | None = None,
    ) -> None:
        self.folder = folder
        self.toolchain = toolchain
        self._harness = harness
        self._call = compiling_in(folder, seconds)
        flags = toolchain.given(flags)
        support = folder / SUPPORT
        support.write_text(harness.from_file(), "utf-8")
        uncounted = [flag for flag in toolchain.flags if flag != "--coverage"]
        if harness.has_threads:  # the coverage leaves the baton out
            uncounted.append("-fno-sanitize=all")
        objects = [self._compile(support, "unfork_inputs.o", uncounted)]
        for number, source in enumerate(harness.sources):
            if source.endswith(OBJECT):
                objects.append(Path(source))
                continue
            path = Path(source).resolve()
            own = () if path.suffix in IR_SUFFIXES else (*flags_for(path.suffix, flags), f"-I{harness.include}")
            objects.append(self._compile(path, f"program{number}.o", (*toolchain.flags, *own)))
        objects += [framework_object(toolchain, each, folder, self._call) for each in harness.frameworks]
        program = folder / "program"
        # The harness calls this to save coverage when a signal ends a test; its weak reference alone does not link it
        # in.
        dump = ("-Wl,-u,__gcov_dump",) if toolchain.has_gcov else ()
        libraries = [flag for flag in flags if flag.startswith(LIBRARIES)]
        linked = [*map(str, objects), *libraries, "-lm", "-o", str(program)]
        self._call([*toolchain.words, *toolchain.flags, *dump, *linked])
        self._inputs = folder / "inputs"
        settings = {"UNFORK_INPUTS": str(self._inputs), **SETTINGS}
        self.binary = NativeBinary(program, name, folder, settings, enclosure, room_for_variables)

    def run(self, test: TestCase, seconds: float = TIME_LIMIT) -> NativeEnding | None:
        self._inputs.write_bytes(self._harness.input_file(test))
        return self.binary.run(test, seconds)

    def _compile(self, source: Path, output: str, flags: Sequence[str]) -> Path:
        target = self.folder / output
        own = [*flags, *fuzzers.macro_flags(source.read_bytes())]
        self._call([*self.toolchain.compiling(source), "-c", "-g", "-O0", "-w", *own, str(source), "-o", str(target)])
        return target


class ScheduleRunner:
    """Runs tests of a threaded program. ``race_detector`` makes the build for tests that end in a data race."""

    def __init__(self, runner: NativeRunner, race_detector: Callable[[], NativeRunner | None]) -> None:
        self._runner = runner
        self._race_detector = cache(race_detector)

    def run(self, test: TestCase, seconds: float = TIME_LIMIT) -> NativeEnding | None:
        runner = None
        if isinstance(test.expect, Error) and test.expect.kind == DATA_RACE:
            runner = self._race_detector()
        return (runner or self._runner).run(test, seconds)


# --- line and branch coverage of native runs, as gcov counts it

Lines = dict[tuple[str, int], bool]
"""For each line with code, by file: whether it ran."""
Branches = dict[tuple[str, int, int], bool]
"""For each branch, by file, line and number: whether it was taken."""


def gcov_counts(folder: Path) -> tuple[Lines, Branches] | None:
    """The coverage that runs have left in ``folder``; None if there is none or gcov fails."""
    data = sorted(folder.glob("program*.gcda"))
    if not data:
        return None
    words = ["gcov", "--json-format", "--branch-probabilities", *(path.name for path in data)]
    done = subprocesses.run(words, folder=folder)
    reports = sorted(folder.glob("*.gcov.json.gz"))
    if done.status or not reports:
        return None
    lines: Lines = {}
    branches: Branches = {}
    for report in reports:
        with gzip.open(report) as file:
            text = file.read().decode("utf-8", "replace")
        # gcov does not escape file names, not even control characters.
        for part in json.loads(text, strict=False)["files"]:
            _count(part, lines, branches)
    return lines, branches


def has_run_line(folder: Path, file: str, line: int) -> bool:
    """Whether the coverage in ``folder`` shows that a line ran."""
    counted = gcov_counts(folder)
    return counted is not None and any(
        is_hit and number == line and os.path.realpath(name) == os.path.realpath(file)
        for (name, number), is_hit in counted[0].items()
    )


def forget_coverage(folder: Path) -> None:
    """Delete the coverage in ``folder``."""
    for data in folder.glob("*.gcda"):
        data.unlink()


def _count(part: Any, lines: Lines, branches: Branches) -> None:
    name = part["file"]
    for line in part["lines"]:
        key = (name, line["line_number"])
        lines[key] = lines.get(key, False) or line["count"] > 0
        for number, branch in enumerate(line["branches"]):
            edge = (*key, number)
            branches[edge] = branches.get(edge, False) or branch["count"] > 0
