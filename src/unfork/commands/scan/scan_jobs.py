"""The functions that a scan explores, program by program; each program is built when its functions are due."""

from __future__ import annotations

import contextlib
import math
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from unfork.commands.assemble.choices import choose
from unfork.commands.projects.entries import CallGraph, Entries
from unfork.commands.projects.kept_results import Allowance
from unfork.commands.projects.project import BuildSource, LinkGroup, functions_of, groups
from unfork.commands.projects.projects import build_with_callbacks, programs
from unfork.commands.scan import kept, scanning
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.function_scan import INTERRUPTED, most, not_explored, scan_function
from unfork.commands.scan.made_objects import MOST_CALLS
from unfork.commands.scan.results import Defect, Explored
from unfork.commands.scan.revision import as_of
from unfork.errors import InputError, OutOfTime, UnforkError
from unfork.options.options import Options, as_dict
from unfork.patience import longest
from unfork.program.c.object_calls import ObjectDriver, text_of_drivers
from unfork.program.c.suffixes import C_SUFFIXES
from unfork.program.facts.object_makers import ObjectMakers
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program
from unfork.report.record.text import plural

_APART = frozenset(("max-time", "cores", "out", "json", "quiet", "verbose", "no-progress", "serve"))
"""Options that do not influence results, or whose values are compared elsewhere."""


@dataclass(frozen=True, slots=True)
class ScanRequest:
    """What a user wants to scan: patterns of names, processor seconds for each function, a baseline, a revision since
    which functions must have changed, whether to ignore kept results, and the only files whose functions count.
    """

    paths: tuple[str, ...]
    functions: tuple[str, ...]
    per_function: float
    baseline: str | None = None
    changed: str | None = None
    is_fresh: bool = False
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanJob:
    """A function to scan. ``digests`` and ``graph`` are those of its program; its options give its time."""

    program: Program
    graph: CallGraph
    digests: Callable[[], Digests]
    files: tuple[str, ...]
    options: Options
    name: str
    folder: Path
    aim: Defect | None = None
    """The only defect to look for."""
    entry: str = ""
    """The entry that is called on objects of the project's own makers; "" for any other job."""
    is_of_failures: bool = False
    """Whether an allocation or a call of the system may fail, which is not so in the scan as a whole."""

    def with_failures(self) -> ScanJob:
        """The same function, in a world in which a call of the system may fail."""
        options = replace(self.options, fail=1, given=self.options.given | {"fail"})
        return replace(self, options=options, is_of_failures=True)

    def with_share(self, share: float) -> ScanJob:
        """The same function, with a share of its time."""
        return replace(self, options=replace(self.options, max_time=share * self.seconds))

    @property
    def place(self) -> tuple[int, str]:
        """Identifies its function."""
        return id(self.graph), self.entry or self.name

    @property
    def seconds(self) -> float:
        return scanning.seconds(self.options)

    @property
    def most(self) -> float:
        return most(self.seconds)

    @property
    def longest(self) -> float:
        return longest(self.seconds)

    @property
    def most_memory(self) -> float:
        return scanning.most_memory(self.options)

    def work(self, tell: Callable[[Explored], None]) -> Explored:
        """Explore the function. A failure costs this function alone."""
        shutil.rmtree(self.folder, ignore_errors=True)  # files of a process that was killed
        return scan_function(self.program, self.files, self.options, self.name, self.folder, tell, self.aim)

    def kept(self) -> Explored | None:
        """The result that an earlier scan kept; writes its files into the folder."""
        return kept.find(self.key(), Allowance(self.seconds), self.folder)

    def keep(self, explored: Explored) -> None:
        """Keep a result, unless nothing was explored or the user stopped it."""
        if explored.explored != "not" and explored.reason != INTERRUPTED:
            kept.keep(self.key(), Allowance(self.seconds), self.folder, explored)

    def broken_off(self, so_far: Explored | None, reason: str, began: float) -> Explored:
        if so_far is not None:
            return replace(so_far, reason=reason)
        return not_explored(self.program, self.name, reason, began)

    def key(self) -> str:
        values = {name: value for name, value in as_dict(self.options).items() if name not in _APART}
        names = sorted(name for name in self.options.given if name.replace("_", "-") not in _APART)
        compilers = [shutil.which(name) for name in ("gcc", "clang", "cc")]
        around = repr((values, names, compilers, self.files, str(Path.cwd()), self.name, self.aim))
        return compilation_cache.key("scan", compilation_cache.engine(), around, self.digests().of(self.name))


class Jobs:
    """Iterates over a project's functions, and builds a program once those of the one before are taken.

    If ``deadline`` passes first, it ends and ``left_out`` says so. ``are_all``: there are no other programs.
    """

    def __init__(
        self,
        request: ScanRequest,
        options: Options,
        sources: Sequence[BuildSource],
        left_out: list[str],
        deadline: float,
    ) -> None:
        self._request, self._options, self._sources = request, options, sources
        self._left_out, self._deadline, self._until = left_out, deadline, deadline
        self.names: dict[tuple[int, str], str] = {}
        """The functions of the programs so far by their names in the source, by program and name in it."""
        self.graphs: list[CallGraph] = []
        """The calls of the programs so far."""
        self.are_any = False
        """Whether there are functions, changed or not."""
        self.are_all = False
        self.is_cut = False
        """Whether time ended before all programs were built."""
        self._entries = Entries(sources, choose(options).compilation.include)
        self._groups: dict[int, tuple[LinkGroup, ObjectMakers | None]] = {}
        """The sources of each program, by its calls; and its makers, once they are needed."""
        self._jobs = self._all()

    def __iter__(self) -> Iterator[ScanJob]:
        return self

    @property
    def count(self) -> int:
        """How many functions there are so far."""
        return len(self.names)

    def __next__(self) -> ScanJob:
        return next(self._jobs)

    def end(self) -> None:
        """Count the rest of the programs that are built; build no others."""
        self._deadline = -math.inf
        for _ in self._jobs:
            pass

    def _all(self) -> Iterator[ScanJob]:
        request, is_first = _within(groups(self._sources), self._request.within), True
        if not self._request.within and self._request.functions == ("*",):
            request = self._without_users(request)
        waiting = {path: None for group in request for path in sorted(group.scanned)}
        users = set(self._entries.users)
        known: set[str] | None = None
        try:
            for program, group in programs(self._build_in_time, request, self._left_out):
                graph = self._entries.graph(program)
                self._groups[id(graph)] = group, None
                self.graphs.append(graph)
                jobs = list(_jobs(program, graph, group, self._options, self._request))
                self.are_any = self.are_any or bool(jobs)
                if self._request.changed is not None:
                    known = _known(self._sources, self._options, self._request.changed) if known is None else known
                    digests = Digests(program, lines=False)
                    jobs = [job for job in jobs if digests.of(job.name) not in known]
                for path in group.scanned:
                    waiting.pop(path, None)
                users.difference_update(each.path for each in group.sources)
                self.names |= {job.place: program.function(job.name).source_name for job in jobs}
                self.are_all, is_first = not waiting, False
                yield from jobs
        except OutOfTime:
            if is_first:
                raise
            missing = [*waiting] or sorted(users)
            names, more = [str(each) for each in missing][:_NAMED], len(missing) - _NAMED
            rest = f" and {more} more" if more > 0 else ""
            self.is_cut = bool(waiting)
            self._left_out.append(f"{', '.join(names)}{rest}: the time was over before they were built")
        self.are_all = True

    def _without_users(self, wanted: Sequence[LinkGroup]) -> list[LinkGroup]:
        """The groups, of which no function of tests and examples is scanned, unless there are no others."""
        users = sorted(path for group in wanted for path in group.scanned & self._entries.users)
        if all(group.scanned <= self._entries.users for group in wanted):
            return [*wanted]
        if users:
            files = plural(len(users), "file")
            self._left_out.append(f"{files} of tests and examples ({users[0]}), whose calls count; --in scans one")
        return [replace(group, scanned=group.scanned - self._entries.users) for group in wanted]

    def _build_in_time(self, sources: Sequence[BuildSource]) -> Program:
        return self._build(sources, self._deadline)

    def drivers(self, jobs: Iterable[ScanJob]) -> dict[str, ObjectDriver]:
        """Drivers that call the functions of some jobs, of one program, on objects of the project's own makers. Those
        that need none, or for which there are none, are left out.
        """
        drivers: dict[str, ObjectDriver] = {}
        for job in jobs:
            group, makers = self._groups[id(job.graph)]
            makers = makers or ObjectMakers(job.program, job.graph.entries, MOST_CALLS)
            self._groups[id(job.graph)] = group, makers
            source = self._source(job)
            if source is not None and job.name not in drivers:
                driver = makers.driver(job.name, self._entries.words_in(source))
                drivers |= {} if driver is None else {job.name: driver}
        return drivers

    def on_made_objects(self, jobs: Sequence[ScanJob], drivers: Mapping[str, ObjectDriver]) -> Iterator[ScanJob]:
        """Jobs that explore the drivers of some jobs, of one program. Drivers that the compiler refuses have none.

        Raises OutOfTime.
        """
        waiting = [list(dict.fromkeys(job.name for job in jobs))] if jobs else []
        while waiting:
            names = waiting.pop()
            try:
                program = self._with_drivers([job for job in jobs if job.name in names], drivers)
            except OutOfTime:
                raise
            except UnforkError as problem:
                if len(names) > 1:
                    waiting += [names[len(names) // 2 :], names[: len(names) // 2]]
                    continue
                said = next((line for line in str(problem).splitlines() if "error" in line), str(problem))
                self._left_out.append(f"calls that make what {names[0]} takes: {said}")
                continue
            digests = cache(partial(Digests, program, lines=True))
            for job in jobs:
                if job.name in names:
                    yield replace(job, program=program, digests=digests, name=drivers[job.name].name, entry=job.name)

    def _with_drivers(self, jobs: Sequence[ScanJob], drivers: Mapping[str, ObjectDriver]) -> Program:
        """The program of some jobs with their drivers. Raises UnforkError."""
        sources = self._groups[id(jobs[0].graph)][0].sources
        after: dict[Path, list[ObjectDriver]] = defaultdict(list)
        for job in {job.name: job for job in jobs}.values():
            source = self._source(job)
            assert source is not None  # it has a driver
            after[source.path].append(drivers[job.name])
        texts = tuple([(path, text_of_drivers(each)) for path, each in after.items()])
        built_of = [source for source in sources if str(source.path) in jobs[0].program.sources]
        program = self._build(built_of, self._until, after=texts)
        program.object_drivers = {each.name: each for several in after.values() for each in several}
        return program

    def _source(self, job: ScanJob) -> BuildSource | None:
        """The file in C that is compiled to the code of a job's function."""
        file = Path(job.program.c_types.source_of(job.name)).resolve()
        sources = self._groups[id(job.graph)][0].sources
        return next((each for each in sources if each.path.resolve() == file and file.suffix in C_SUFFIXES), None)

    def _build(self, sources: Sequence[BuildSource], deadline: float, **changes: Any) -> Program:
        """Raises OutOfTime, and what the compiler raises."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime("--max-time: no time was left to build the program")
        options = self._options if math.isinf(left) else replace(self._options, max_time=left)
        return build_with_callbacks(options, sources, **changes)


def _within(wanted: Sequence[LinkGroup], files: Sequence[str]) -> list[LinkGroup]:
    """The groups, of which only the functions of ``files`` are scanned; without files, of all. Raises InputError."""
    if not files:
        return [*wanted]
    own = {Path(file).resolve(): file for file in files}
    scanned = {path: path.resolve() for group in wanted for path in group.scanned}
    for path, file in own.items():
        if path not in scanned.values():
            raise InputError(f"--in {file}: is none of the files to scan")
    chosen = [(group, frozenset(path for path in group.scanned if scanned[path] in own)) for group in wanted]
    return [replace(group, scanned=paths) for group, paths in chosen if paths]


_NAMED = 3
"""The most unbuilt files that a message names."""


def _jobs(
    program: Program, graph: CallGraph, group: LinkGroup, options: Options, request: ScanRequest
) -> Iterator[ScanJob]:
    """The jobs of a program, those of entries first: only these show that something is certain."""
    flags = {source.path.resolve(): source.flags for source in group.sources}
    files = tuple([str(source.path) for source in group.sources])
    digests = cache(partial(Digests, program, lines=True))
    for name in sorted(functions_of(program, group, request.functions), key=lambda name: name not in graph.entries):
        position = program.function(name).position
        more = flags.get(Path(position.file).resolve(), ()) if position is not None else ()
        chosen = scanning.with_flags(replace(options, max_time=request.per_function), more)
        yield ScanJob(program, graph, digests, files, chosen, name, Path())


def _known(sources: Sequence[BuildSource], options: Options, revision: str) -> set[str]:
    """The digests of a project's functions at a revision of git. Raises InputError."""
    known: set[str] = set()
    with as_of(revision, sources[0].path.resolve().parent) as tree:
        names = [(Path(tree.moved(str(each.path))), tuple(map(tree.moved, each.flags))) for each in sources]
        moved = scanning.moved(options, tree.moved, f"-fmacro-prefix-map={tree.copy}={tree.root}")
        with contextlib.chdir(tree.folder(Path.cwd().resolve())):
            earlier = groups([BuildSource(path, flags) for path, flags in names if path.is_file()])
            for program, group in programs(partial(build_with_callbacks, moved), earlier, []):
                digests = Digests(program, lines=False)
                known.update(digests.of(name) for name in functions_of(program, group, ("*",)))
    return known
