"""unfork scan: every function of a project on any arguments and any heap; what is certainly wrong, ranked."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from unfork import option_rules
from unfork.api import export
from unfork.api.building import ONE_AT_A_TIME
from unfork.api.function_scan import INTERRUPTED, longest, most, not_explored, scan_function
from unfork.api.pool import EACH, Pool, time_left
from unfork.api.projects import build, programs
from unfork.checked_json import parse, text
from unfork.errors import InputError
from unfork.explore.endings import Interrupt
from unfork.llvm import cache
from unfork.llvm.module import Program
from unfork.options import VERSION, Options, as_dict
from unfork.report import directory as directories
from unfork.report import journal
from unfork.report.directory import RunDirectory
from unfork.report.journal import Beginning
from unfork.report.kept_run import SCAN, KeptRun
from unfork.report.text import plural
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE
from unfork.scan import kept, results
from unfork.scan.digest import Digests
from unfork.scan.project import Group, Source, functions_of, groups, sources_of
from unfork.scan.results import Explored, Texts
from unfork.scan.revision import as_of
from unfork.wiring import bounding, cores, scanning

_EXITS = {"unsafe": EXIT_UNSAFE, "clean": EXIT_SAFE, "unknown": EXIT_UNKNOWN}
"""By verdicts."""
_APART = frozenset(("max-time", "cores", "out", "json", "quiet", "verbose", "no-progress", "serve"))
"""Options of which results do not depend, or whose values are compared."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asks of a scan: patterns of names, seconds of processors for each function, a scan.json that is
    known, a revision since which a function must have changed, and whether nothing is taken over from earlier scans.
    """

    paths: tuple[str, ...]
    functions: tuple[str, ...]
    per_function: float
    baseline: str | None = None
    changed: str | None = None
    is_fresh: bool = False


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan came to; ``data`` is what scan.json holds."""

    data: dict[str, Any]
    exit_status: int
    directory: Path


@dataclass(frozen=True, slots=True)
class _Job:
    """A function to scan. ``digests`` are those of its program; it has the time that its options say."""

    program: Program
    digests: Digests
    files: tuple[str, ...]
    options: Options
    name: str
    folder: Path

    @property
    def seconds(self) -> float:
        return scanning.seconds(self.options)

    @property
    def most(self) -> float:
        """Seconds of processors that it may use."""
        return most(self.seconds)

    @property
    def longest(self) -> float:
        """Seconds that it may take by the clock."""
        return longest(self.seconds)

    def work(self, tell: Callable[[Explored], None]) -> Explored:
        """What a process does for the function. Whatever fails costs that function, and nobody else."""
        shutil.rmtree(self.folder, ignore_errors=True)  # what a process that was killed has left
        explored = scan_function(self.program, self.files, self.options, self.name, self.folder, tell)
        if explored.explored != "not" and explored.reason != INTERRUPTED:
            kept.keep(self.key(), self.seconds, self.folder, explored)
        return explored

    def broken_off(self, so_far: Explored | None, reason: str, began: float) -> Explored:
        """What is told of the function if its process did not come to its end."""
        if so_far is not None:
            return replace(so_far, reason=reason)
        return not_explored(self.program, self.name, reason, began)

    def key(self) -> str:
        """Under what its result is kept."""
        asked = {name: value for name, value in as_dict(self.options).items() if name not in _APART}
        given = sorted(name for name in self.options.given if name.replace("_", "-") not in _APART)
        compilers = [shutil.which(name) for name in ("gcc", "clang", "cc")]
        around = repr((asked, given, compilers, self.files, str(Path.cwd()), self.name))
        return cache.key("scan", cache.engine(), around, self.digests.of(self.name))


def _unknown(jobs: Iterable[_Job], tell: Callable[[Explored], None]) -> Iterator[_Job]:
    """The jobs of which no result is kept; ``tell`` is told of all others."""
    for job in jobs:
        explored = kept.find(job.key(), job.seconds, job.folder)
        if explored is None:
            yield job
        else:
            tell(explored)


def scan(wanted: Wanted, options: Options, say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Scan the functions of the project in ``wanted.paths``. Raises InputError for what cannot be used."""
    options = scanning.preset(options)
    option_rules.check(options)
    directories.check_root(options.out)
    export.check_of_scans(options)

    def begin() -> RunDirectory:
        directory = directories.create(options.out)
        begun = Beginning(wanted.paths, as_dict(options), tuple(sorted(options.given)), (text(wanted),))
        journal.begin(directory.root, VERSION, begun)
        return directory

    return _scan(wanted, options, begin, say)


def is_scan(root: Path) -> bool:
    """Whether it is the directory of a scan."""
    return (root / SCAN).is_file()


def resume(root: Path, changes: Mapping[str, Any], say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Go on with the scan of a directory; ``changes`` are options, by their names in Options.

    What is kept of its functions is taken over, as in every scan. A limit of time counts from now. Raises InputError.
    """
    version, begun = journal.read_beginning(root)
    if version != VERSION:
        raise InputError(f"{root} was begun by unfork {version}; this is {VERSION}")
    options = replace(option_rules.from_dict(begun.options), given=frozenset(begun.given) | changes.keys(), **changes)
    option_rules.check(options)
    wanted = replace(parse(begun.arguments[0], Wanted), is_fresh=False)
    return _scan(wanted, options, lambda: RunDirectory(root), say)


def _scan(wanted: Wanted, options: Options, begin: Callable[[], RunDirectory], say: Callable[[str], None]) -> Scanned:
    budget = bounding.budget(options, time.monotonic())
    known = results.known_findings(wanted.baseline)
    sources, left_out = sources_of(wanted.paths, "scan")
    explored: list[Explored] = []
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        built = list(programs(partial(build, options), groups(sources), left_out))
        jobs = [job for program, group in built for job in _jobs(program, group, options, wanted)]
        if not jobs:
            name = "" if "*" in wanted.functions else f" of a name like {' or '.join(map(repr, wanted.functions))}"
            raise InputError(": ".join((f"scan: no function to scan{name}", *left_out[:1])))
        if wanted.changed is not None:
            jobs = _changed(jobs, sources, options, wanted.changed)
        directory = begin()
        closing.enter_context(directories.claim(directory))
        jobs = [replace(job, folder=directory.root / "functions" / f"{number:04d}") for number, job in enumerate(jobs)]
        interrupt = closing.enter_context(Interrupt())
        written = -math.inf
        certain = taken = 0
        about: dict[str, Any] = {"tool": "unfork", "version": VERSION, "program": [str(each.path) for each in sources]}
        about |= {"folder": os.getcwd(), "options": as_dict(options), "left_out": left_out}
        texts = Texts(KeptRun(directory.root, about))

        def data() -> dict[str, Any]:
            told = results.as_dict(explored, len(jobs), time.monotonic() - budget.began, texts, known)
            return {**about, **told, "kept": taken}

        def tell(function: Explored) -> None:
            nonlocal written, certain
            explored.append(function)
            now = time.monotonic()
            if now > written + EACH:
                so_far, written = data(), now
                certain = so_far["new"]
                _write(directory, so_far)
            done = f"{len(explored)} of {len(jobs)} functions"
            left = time_left(len(explored), len(jobs), budget)
            say(f"{done}, {plural(certain, 'certain finding')}, {left}; {function.function} is done")

        def take(function: Explored) -> None:
            nonlocal taken
            taken += 1
            tell(function)

        _write(directory, data())
        many = cores.processes(options)
        pool = Pool[_Job, Explored](many, interrupt, lambda job, result: tell(result), budget.deadline)
        pool.run(iter(jobs) if wanted.is_fresh else _unknown(jobs, take))
        told = data()
        _write(directory, told)
        export.write_chosen_of_kept(directory, options)
        if not interrupt.requested and time.monotonic() < budget.deadline:
            journal.end(directory.root)
    status = EXIT_INTERRUPTED if interrupt.requested else _EXITS[told["verdict"]]
    return Scanned(told, status, directory.root)


def _write(directory: RunDirectory, data: dict[str, Any]) -> None:
    directory.write(SCAN, (json.dumps(data, indent=1) + "\n").encode())


def _changed(jobs: Sequence[_Job], sources: Sequence[Source], options: Options, revision: str) -> list[_Job]:
    """The functions that, or callees of which, were not there like that at a revision of git. Raises InputError."""
    known: set[str] = set()
    with as_of(revision, sources[0].path.resolve().parent) as tree:
        names = [(Path(tree.moved(str(each.path))), tuple(map(tree.moved, each.flags))) for each in sources]
        moved = scanning.moved(options, tree.moved, f"-fmacro-prefix-map={tree.copy}={tree.root}")
        with contextlib.chdir(tree.folder(Path.cwd().resolve())):
            earlier = groups([Source(path, flags) for path, flags in names if path.is_file()])
            for program, group in programs(partial(build, moved), earlier, []):
                digests = Digests(program, lines=False)
                known.update(digests.of(name) for name in functions_of(program, group, ("*",)))
    now = {id(job.program): Digests(job.program, lines=False) for job in jobs}
    return [job for job in jobs if now[id(job.program)].of(job.name) not in known]


def _jobs(program: Program, group: Group, options: Options, wanted: Wanted) -> Iterator[_Job]:
    flags = {source.path.resolve(): source.flags for source in group.sources}
    files = tuple([str(source.path) for source in group.sources])
    digests = Digests(program, lines=True)
    for name in functions_of(program, group, wanted.functions):
        position = program.function(name).position
        more = flags.get(Path(position.file).resolve(), ()) if position is not None else ()
        chosen = scanning.with_flags(replace(options, max_time=wanted.per_function), more)
        yield _Job(program, digests, files, chosen, name, Path())
