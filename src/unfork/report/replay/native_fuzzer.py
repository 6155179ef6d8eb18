"""Fuzzes a target natively: runs of mutated inputs in enclosed processes, with counters of edges.

Two programs are linked of the same objects: ours, which mutates and says which edges an input takes, and libFuzzer
where a clang has it, which then mutates. A program with a main runs in a process of its own for each input, which only
our mutations do.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from unfork.errors import InputError
from unfork.program.c import fuzzers
from unfork.program.c.suffixes import IR_SUFFIXES, flags_for, has_cpp
from unfork.program.llvm.module import FUZZ_TARGET
from unfork.report.replay import jail
from unfork.report.replay.binary import Enclosure, NativeBinary
from unfork.report.replay.fuzz_process import FuzzProcess
from unfork.report.replay.held_folder import HeldFolder
from unfork.report.replay.kept_builds import compiles, kept_driver, kept_object, kept_program
from unfork.report.replay.native_replay import LIBRARIES, SETTINGS, Toolchain, bundled, compiling_in
from unfork.world.inputs.fuzz_inputs import name_of
from unfork.world.inputs.testcase import TestCase
from unfork.world.libc.build_store import Progress
from unfork.world.libc.fuzz_driver import NATIVE_FUZZER, NATIVE_GATE, NATIVE_PROCESS
from unfork.world.library.fuzz_input import INPUT

_OF_PROCESSES = ("main", "_exit", "_Exit")
"""The functions of a program with a main that native_process.c comes before."""
_COMPARED = ("memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp")
"""The functions whose arguments our fuzzer sees."""
_PROBE = "int LLVMFuzzerTestOneInput(const char *data, long size) { return data && size ? 0 : 1; }\n"
_RUNS_PROCESSES = ("-DRUNS_PROCESSES", "-Dmain=__wrap_main")
_COUNTERS = "-fsanitize=fuzzer-no-link"
_ADDRESSES = "-fsanitize=address"
_VERSIONS = range(40, 10, -1)
"""The versions of clang that are looked for by names such as clang-19."""
_CRASHES = ("crash-", "oom-")
_SLOW_STATUS = 76
"""The exit status of a process at an input that takes more than SLOWEST seconds."""
SLOWEST = 5
"""Seconds for one input; what takes longer is left out."""
GRACE = 3
"""Seconds more until a process is ended that does not wait; processes look at their inputs once a second. This and the
next were set without a trial.
"""
MOST_RESTLESS = 3
"""Slots in turn with such processes, after which a run goes on without."""
MOST_CRASHES = 20
"""Processes that end in one slot before the next slot is waited for."""
_OFTEN = 0.1
"""Seconds between two looks at processes."""
_MEASURING = 30.0
"""Seconds for a look at the edges of new inputs, also when the run is over."""
_LIST, _EDGES = "list", "edges"
"""The files that a look at edges reads and writes."""
_MOST_EDGES = 1 << 30
"""The most bytes of the second."""
_MEGABYTES = 4000
_SEEDS = 1 << 31
"""libFuzzer's seeds are below that."""
_NEVER = 10**9
"""Seconds that no input takes."""


_NO_ENCLOSURE = (
    "--fuzzer: native programs cannot be enclosed here (no namespaces are granted), and what inputs make them do is "
    "real; unfork run explores the target without native runs"
)


@dataclass(frozen=True, slots=True)
class FuzzToolchain:
    """A compiler that counts edges. ``library`` are the flags that link libFuzzer, empty if it has none."""

    toolchain: Toolchain
    counting: tuple[str, ...]
    library: tuple[str, ...]

    def linking_in_part(self) -> FuzzToolchain:
        """The same for a program of which some functions are defined nowhere: it ends where it calls one."""
        flags = (*self.toolchain.flags, "-no-pie", "-Wl,--unresolved-symbols=ignore-all")
        return replace(self, toolchain=replace(self.toolchain, flags=flags))

    @property
    def name(self) -> str:
        """Compiler and mutator, for people."""
        return f"{self.toolchain.name}, {'libFuzzer' if self.library else 'own mutations'}"


def toolchains(sources: Sequence[str], folder: Path, progress: Progress, wanted: str) -> Iterator[FuzzToolchain]:
    """The compilers that count edges, those with libFuzzer first. ``wanted`` is auto, libfuzzer or own.

    Raises InputError.
    """
    if not any(Path(source).suffix in IR_SUFFIXES for source in sources):  # another clang may not read bitcode
        without: list[FuzzToolchain] = []
        for path in _clangs(is_cpp=has_cpp(sources)):
            for made in _of_system(path, folder, wanted):
                if made.library or wanted == "own":
                    yield made
                else:
                    without.append(made)
        yield from without
    if wanted != "libfuzzer":
        for toolchain in bundled(sources, progress):
            yield FuzzToolchain(toolchain, (_COUNTERS,), ())


def _clangs(*, is_cpp: bool) -> Iterator[str]:
    name = "clang++" if is_cpp else "clang"
    found = [shutil.which(each) for each in (name, *(f"{name}-{version}" for version in _VERSIONS))]
    yield from dict.fromkeys([path for path in found if path is not None])


def _of_system(path: str, folder: Path, wanted: str) -> Iterator[FuzzToolchain]:
    for addresses in ((_ADDRESSES,), ()):
        words = (path, *addresses)
        has_library = wanted != "own" and compiles((*words, "-fsanitize=fuzzer"), _PROBE, folder)
        if not has_library and (wanted == "libfuzzer" or not compiles((*words, _COUNTERS, "-c"), _PROBE, folder)):
            continue
        if addresses and not has_library and not compiles((*words, "-shared", "-fPIC"), _PROBE, folder):
            continue  # no run-time library of the sanitizer
        said = f"{os.path.basename(path)} with{'' if addresses else 'out'} sanitizers"
        library = (*addresses, "-fsanitize=fuzzer") if has_library else ()
        yield FuzzToolchain(
            Toolchain((path,), addresses, said, False, bool(addresses)), (*addresses, _COUNTERS), library
        )
        return


@dataclass(frozen=True, slots=True)
class WholeProgram:
    """A program whose main takes the input. ``test`` has an empty input, and all that the program is given besides."""

    name: str
    """Its argv[0]."""
    test: TestCase

    def words(self) -> list[str]:
        """What native_process.c takes after the words of our fuzzer."""
        command = self.test.command
        where = INPUT if command.has_input_file else "-" if command.has_input_stdin else ""
        return ["--", where, self.name, *self.test.args]

    def settings(self) -> list[str]:
        """The words of its environment."""
        return [os.fsdecode(word) for word in self.test.variables()]


@dataclass(slots=True)
class NativeFinds:
    """What a slot of native runs brought: inputs that take new edges, inputs that crash, and how many were slow."""

    inputs: list[tuple[bytes, int]] = field(default_factory=list)
    """Each with its rank: how many inputs take its rarest edge."""
    crashes: list[bytes] = field(default_factory=list)
    slow: int = 0


class NativeFuzzer:
    """A target that was built for native fuzzing in ``folder``, and the corpus of its processes.

    Raises InputError if it cannot be built, or if the system grants no enclosure.
    """

    def __init__(
        self,
        made: FuzzToolchain,
        sources: Sequence[str],
        flags: Sequence[str],
        folder: Path,
        enclosure: Enclosure,
        include: Path,
        largest: int,
        whole: WholeProgram | None = None,
    ) -> None:
        self.name = made.name
        self.crash_count = 0
        self._folder = folder
        self.largest = largest
        """The most bytes of an input."""
        self.megabytes = _MEGABYTES
        """The most memory of a process of libFuzzer."""
        self._call = compiling_in(folder)
        self._flags, self._include = tuple(made.toolchain.given(flags)), include
        self._processes: list[FuzzProcess | None] = []
        self._started = 0
        self._slow = 0
        self._restless = 0
        """Slots in turn at whose end a process did not wait."""
        objects = [self._compiled(made, number, source) for number, source in enumerate(sources)]
        libraries = [flag for flag in self._flags if flag.startswith(LIBRARIES)]
        self._whole = whole
        own = self._own_program(made, objects, libraries)
        try:
            self._binary = NativeBinary(own, "target", folder, SETTINGS, enclosure)
        except InputError:
            raise InputError(_NO_ENCLOSURE) from None
        if whole is not None:
            self._binary.lay(whole.test)
        self.mutator: Path | None = None
        """The program with libFuzzer, if the compiler has it."""
        if made.library:
            gated, wrapping = [*objects, self._driver(made, NATIVE_GATE)], (*made.library, *_wrapping((FUZZ_TARGET,)))
            self.mutator = self._linked(made, gated, wrapping, libraries, "mutator")
        for name in ("corpus", "aside"):
            (folder / name).mkdir()
        self._scratch = HeldFolder(folder)
        self._corpus, self._aside = HeldFolder(folder / "corpus"), HeldFolder(folder / "aside")
        self._words = folder / "words"
        self._words.write_bytes(b"")
        self._dictionary: Path | None = None
        self._measured: set[str] = set()
        self._crashed: set[str] = set()
        self._often: dict[int, int] = {}
        """How many inputs take an edge."""

    @property
    def edges(self) -> int:
        """The edges that were taken."""
        return len(self._often)

    @property
    def is_restless(self) -> bool:
        """Whether processes did not wait in so many slots that it is not worth while to start more."""
        return self._restless >= MOST_RESTLESS

    def taken(self) -> set[int]:
        """The edges that the inputs of the corpus take, by number."""
        self.look()
        return {*self._often}

    def _compiled(self, made: FuzzToolchain, number: int, source: str) -> Path:
        path = Path(source).resolve()
        if path.suffix == ".o":
            return path
        own = () if path.suffix in IR_SUFFIXES else (*flags_for(path.suffix, self._flags), f"-I{self._include}")
        own = (*own, *fuzzers.macro_flags(path.read_bytes()))
        target = self._folder / f"program{number}.o"
        words = (
            *made.toolchain.compiling(path),
            "-g",
            "-O1",
            "-w",
            *made.toolchain.flags,
            *own,
            *made.counting,
            str(path),
        )
        if path.suffix in IR_SUFFIXES:
            self._call([*words, "-c", "-o", str(target)])
        else:
            kept_object(words, target, self._call)
        return target

    def _own_program(self, made: FuzzToolchain, objects: Sequence[Path], libraries: Sequence[str]) -> Path:
        """Our fuzzer with the target."""
        if self._whole is None:
            drivers, wrapped = [self._driver(made, NATIVE_FUZZER)], [*_COMPARED]
        else:
            drivers = [self._driver(made, source, *_RUNS_PROCESSES) for source in (NATIVE_FUZZER, NATIVE_PROCESS)]
            wrapped = [*_COMPARED, *_OF_PROCESSES]
        return self._linked(made, [*objects, *drivers], _wrapping(wrapped), libraries, "program")

    def _driver(self, made: FuzzToolchain, source: Path, *flags: str) -> Path:
        target = self._folder / f"{source.stem}.o"
        words = (*made.toolchain.compiling(source), "-O2", "-w", *made.toolchain.flags, "-fno-sanitize=all")
        words = (*words, f"-DSLOWEST={SLOWEST}", f"-DSLOW_STATUS={_SLOW_STATUS}", *flags)
        kept_driver(words, source, target, self._call)
        return target

    def _linked(
        self, made: FuzzToolchain, objects: Sequence[Path], linking: Sequence[str], libraries: Sequence[str], name: str
    ) -> Path:
        program = self._folder / name
        words = [*made.toolchain.words, *made.toolchain.flags, *linking]
        if libraries:  # the user's, which may change
            self._call([*words, *map(str, objects), *libraries, "-lm", "-o", str(program)])
        else:
            kept_program(words, objects, program, self._call)
        return program

    # --- the corpus

    def use_dictionary(self, file: Path, words: Sequence[bytes]) -> None:
        """Mutate with these words, which are those of the file, too."""
        self._dictionary = self._folder / "dictionary"
        shutil.copy(file, self._dictionary)
        self._words.write_bytes(b"".join([bytes([len(word)]) + word for word in words]))

    def give(self, data: bytes) -> None:
        """Add an input to the corpus of the processes."""
        with contextlib.suppress(FileExistsError):
            self._corpus.write(name_of(data), data)

    # --- the processes

    def fuzz(self, seconds: float, count: int, seed: int, is_over: Callable[[], bool]) -> NativeFinds:
        """Let ``count`` processes run for so long; what they found since the last call."""
        self._processes += [None] * (count - len(self._processes))
        try:
            self._run(time.monotonic() + seconds, count, seed, is_over)
        finally:
            for process in self._processes[:count]:
                if process is not None:
                    process.close()
        self._wait(count)
        return self.look()

    def _run(self, until: float, count: int, seed: int, is_over: Callable[[], bool]) -> None:
        """Keep ``count`` processes running, and start others for those that end."""
        ended = 0
        while time.monotonic() < until and not is_over():
            for number in range(count):
                process = self._processes[number]
                if process is None and ended < MOST_CRASHES:
                    process = self._processes[number] = self._begun(seed)
                    process.open()
                elif process is not None and (status := process.status()) is not None:
                    self._slow += status == _SLOW_STATUS
                    ended += 1
                    self._let_go(number)
                elif process is not None:
                    process.open()
            if ended >= MOST_CRASHES and not any(self._processes[:count]):
                break
            time.sleep(max(min(_OFTEN, until - time.monotonic()), 0.0))

    def _wait(self, count: int) -> None:
        """Wait until the processes, whose gates are closed, wait as well; end those that do not."""
        until, is_restless = time.monotonic() + SLOWEST + GRACE, False
        for number, process in enumerate(self._processes[:count]):
            if process is not None and not process.wait(until - time.monotonic()):
                is_restless = True
                self._let_go(number)
        self._restless = self._restless + 1 if is_restless else 0

    def close(self) -> None:
        """End the processes."""
        for number in range(len(self._processes)):
            self._let_go(number)

    def _let_go(self, number: int) -> None:
        process, self._processes[number] = self._processes[number], None
        if process is not None:
            process.end()

    def _begun(self, seed: int) -> FuzzProcess:
        self._started += 1
        words = self._mutating((seed + self._started) % _SEEDS)

        def work(gate: str, is_ended: Callable[[], bool]) -> int:
            return self._start(words, math.inf, is_ended, (gate,))

        return FuzzProcess(self._scratch, f"gate{self._started}", work)

    def _mutating(self, seed: int) -> list[str]:
        corpus, aside = str(self._corpus.path), str(self._aside.path)
        if self.mutator is None:
            limits = [str(seed + 1), str(self.largest)]
            return [str(self._binary.program), "fuzz", corpus, aside, *limits, str(self._words), *self._of_program()]
        limits = ["-timeout=0", f"-report_slow_units={_NEVER}", f"-rss_limit_mb={self.megabytes}"]
        ways = [f"-seed={seed + 1}", f"-max_len={self.largest}", "-detect_leaks=0", "-close_fd_mask=3", "-verbosity=0"]
        ways += [f"-dict={self._dictionary}"] if self._dictionary is not None else []
        return [str(self.mutator), *limits, *ways, f"-artifact_prefix={aside}/", corpus]

    def _of_program(self) -> list[str]:
        return [] if self._whole is None else self._whole.words()

    def _start(
        self, words: Sequence[str], seconds: float, is_over: Callable[[], bool], settings: Sequence[str] = ()
    ) -> int:
        """The exit status of a process; 0 if it was ended."""
        if self._whole is not None:
            settings = [*self._whole.settings(), *settings]
        done = self._binary.start(words, seconds, is_over, settings)
        if done is not None and done.status == jail.NO_JAIL:
            raise InputError(f"fuzz: {done.complaint.strip()}")
        return 0 if done is None else done.status

    def look(self) -> NativeFinds:
        """What the files of the corpus show that were not looked at yet."""
        found = NativeFinds()
        found.slow, self._slow = self._slow, 0
        found.inputs, crashing, slow = self._news(self._corpus.names())
        for name in crashing:  # the next process would end at it before anything else
            self._corpus.move(name, self._aside, f"{_CRASHES[0]}{name}")
        for name in slow:
            self._corpus.remove(name)
            found.slow += 1
        for name in self._aside.names():
            if name not in self._crashed and name.startswith(_CRASHES):
                self._crashed.add(name)
                self.crash_count += 1
                data = self._aside.read(name, self.largest)
                if data is not None and self._edges_of(self._aside, [name])[1]:  # else of what calls left behind
                    found.crashes.append(data)
        return found

    def _news(self, names: Sequence[str]) -> tuple[list[tuple[bytes, int]], list[str], list[str]]:
        """The inputs among those not looked at yet that take new edges, as few as will do, each with its rank; and the
        names of those that end the process, and of those that are slow.
        """
        edges, crashing, slow = self._edges_of(self._corpus, [name for name in names if name not in self._measured])
        self._measured |= {*edges}
        known = set(self._often)
        for taken in edges.values():
            for edge in taken:
                self._often[edge] = self._often.get(edge, 0) + 1
        fresh = {name: taken - known for name, taken in edges.items() if taken - known}
        inputs = []
        while fresh:
            name = max(fresh, key=lambda name: (len(fresh[name]), name))
            news = fresh.pop(name)
            fresh = {other: rest for other, taken in fresh.items() if (rest := taken - news)}
            data = self._corpus.read(name, self.largest)
            if data is not None:
                inputs.append((data, min(self._often[edge] for edge in news)))
        return inputs, crashing, slow

    def _edges_of(self, folder: HeldFolder, names: Sequence[str]) -> tuple[dict[str, set[int]], list[str], list[str]]:
        """The edges of inputs that end, those that end the process, and those that are slow."""
        edges: dict[str, set[int]] = {}
        crashing: list[str] = []
        slow: list[str] = []
        rest = [*names]
        until = time.monotonic() + _MEASURING
        while rest and time.monotonic() < until:
            self._scratch.remove(_LIST)
            self._scratch.write(_LIST, b"".join([os.fsencode(f"{name}\n") for name in rest]))
            words = ["edges", str(folder.path), str(self._folder / _LIST), str(self._folder / _EDGES)]
            words += self._of_program()
            watch = _Standstill(self._scratch, _EDGES)
            self._start([str(self._binary.program), *words], until - time.monotonic(), watch.look)
            text = os.fsdecode(self._scratch.read(_EDGES, _MOST_EDGES) or b"")
            self._scratch.remove(_EDGES)
            lines = [line.split() for line in text.split("\n")[:-1]]
            known = {line[0]: {int(word) for word in line[1:]} for line in lines if line and line[0] in rest}
            edges |= known
            over = [name for name in rest if name not in known]
            crashing += [name for name in over[:1] if [f"!{name}"] in lines]
            slow += [name for name in over[:1] if [f"~{name}"] in lines or watch.is_stuck]
            rest = over[1:]  # the first of them ended the process
        return edges, crashing, slow


class _Standstill:
    """Watches a file that a process has begun to write: the process is stuck if the file does not grow for long.

    A process has its own limit for an input, but the target may have taken its signal.
    """

    def __init__(self, folder: HeldFolder, name: str) -> None:
        self._folder, self._name = folder, name
        self._size, self._since = 0, time.monotonic()
        self.is_stuck = False

    def look(self) -> bool:
        """Whether the process is stuck."""
        size, now = self._folder.size(self._name), time.monotonic()
        if not size or size != self._size:
            self._size, self._since = size, now
        self.is_stuck = now - self._since > SLOWEST + GRACE
        return self.is_stuck


def _wrapping(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"-Wl,--wrap={name}" for name in names)
