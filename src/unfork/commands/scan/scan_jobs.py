"""The functions that a scan explores, program by program; each program is built when its functions are due."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from unfork.commands.projects.entries import CallGraph, Entries, include_folders
from unfork.commands.projects.header_folders import HEADERS
from unfork.commands.projects.project import BuildSource, LinkGroup, functions_of, groups, is_of_header
from unfork.commands.projects.projects import build_with_callbacks, programs
from unfork.commands.scan import scanning
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.object_programs import ObjectPrograms
from unfork.commands.scan.revision import as_of
from unfork.commands.scan.scan_job import ScanJob
from unfork.errors import InputError, OutOfTime
from unfork.options.options import Options
from unfork.program.c.suffixes import COMPILED
from unfork.program.facts.counting import counting_members
from unfork.program.facts.environment_variables import looked_up_variables
from unfork.program.facts.held_tables import held_tables
from unfork.program.facts.opened_files import functions_that_open_files, reads_blocks
from unfork.program.facts.pointer_parameters import byte_parameters, handle_parameters, untested_parameters
from unfork.program.facts.stored_functions import stored_functions
from unfork.program.facts.stream_pointers import stream_pointers
from unfork.program.facts.written import written_variables
from unfork.program.llvm.module import Program
from unfork.report.record.text import plural


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
        self._entries = Entries(sources, include_folders(options))
        self.objects = ObjectPrograms(self._entries, self._build_with_texts, left_out)
        self._of_headers: set[tuple[Path, int, str]] = set()
        """The functions of headers that programs have had, by place and name."""
        self._files = self._files_built = 0
        """Files with functions to scan: all, and those of the programs so far."""
        self._jobs = self._all()

    def __iter__(self) -> Iterator[ScanJob]:
        return self

    @property
    def _spares_users(self) -> bool:
        """Whether functions of tests and examples are not scanned, since nothing names them."""
        return not self._request.within and self._request.functions == ("*",)

    @property
    def per_function(self) -> float:
        """The processor seconds that the user allows a function."""
        return self._request.per_function

    @property
    def count(self) -> int:
        """How many functions there are so far."""
        return len(self.names)

    @property
    def expected(self) -> int:
        """How many functions there may be, if files that were not built yet have as many as the others."""
        return round(self.count * self._files / max(self._files_built, 1))

    def __next__(self) -> ScanJob:
        return next(self._jobs)

    def end(self) -> None:
        """Count the rest of the programs that are built; build no others."""
        self._deadline = -math.inf
        for _ in self._jobs:
            pass

    def _all(self) -> Iterator[ScanJob]:
        request, is_first = _within(groups(self._sources), self._request.within), True
        if self._spares_users:
            request = self._without_users(request)
        waiting = {path: None for group in request for path in sorted(group.scanned)}
        self._files = len(waiting)
        users = set(self._entries.users)
        known: set[str] | None = None
        try:
            for program, group in programs(self._build_in_time, request, self._left_out):
                graph = self._entries.graph(program)
                _learn(program)
                self.objects.add(graph, group)
                self.graphs.append(graph)
                names = self._names(program, group)
                jobs = list(_jobs(program, graph, names, group, self._options, self._request))
                self.are_any = self.are_any or bool(jobs)
                if self._request.changed is not None:
                    known = _known(self._sources, self._options, self._request.changed) if known is None else known
                    digests = Digests(program, lines=False)
                    jobs = [job for job in jobs if digests.of(job.name) not in known]
                for path in group.scanned:
                    waiting.pop(path, None)
                users.difference_update(each.path for each in group.sources)
                self.names |= {job.place: program.function(job.name).source_name for job in jobs}
                self._files_built = self._files - len(waiting)
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

    def _names(self, program: Program, group: LinkGroup) -> list[str]:
        """The functions of a program to scan: of headers those that no program had before."""
        chosen: list[str] = []
        for name in functions_of(program, group, self._request.functions):
            function = program.function(name)
            if not is_of_header(function) or function.position is None:
                chosen.append(name)
                continue
            header = Path(function.position.file).resolve()
            place = (header, function.position.line, function.source_name)
            if place not in self._of_headers and self._is_wanted(header):
                self._of_headers.add(place)
                chosen.append(name)
        return chosen

    def _is_wanted(self, header: Path) -> bool:
        """Whether the functions of a header, or of a text from which a source was made, are scanned."""
        if self._request.within:
            return header in map(_resolved, self._request.within)
        if header.suffix in HEADERS and not self._entries.has_header(header):
            return False  # of a library
        return not (self._spares_users and self._entries.is_of_users(header))

    def _without_users(self, wanted: Sequence[LinkGroup]) -> list[LinkGroup]:
        """The groups, of which no function of tests and examples is scanned, unless there are no others."""
        users = sorted(path for group in wanted for path in group.scanned & self._entries.users)
        if all(group.scanned <= self._entries.users for group in wanted) and not self._entries.is_all_header:
            return [*wanted]
        if users:
            files = plural(len(users), "file")
            self._left_out.append(f"{files} of tests and examples ({users[0]}), whose calls count; --in scans one")
        return [replace(group, scanned=group.scanned - self._entries.users) for group in wanted]

    def _build_in_time(self, sources: Sequence[BuildSource]) -> Program:
        return self._build(sources, self._deadline)

    def _build_with_texts(self, sources: Sequence[BuildSource], *, after: tuple[tuple[Path, str], ...]) -> Program:
        return self._build(sources, self._until, after=after)

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
    own = {_resolved(file): file for file in files}
    scanned = {path: path.resolve() for group in wanted for path in group.scanned}
    headers = [path for path in own if path.suffix not in COMPILED and path.is_file()]
    for path, file in own.items():
        if path not in (*scanned.values(), *headers):
            raise InputError(f"--in {file}: is none of the files to scan")
    chosen = [(group, frozenset(path for path in group.scanned if scanned[path] in own)) for group in wanted]
    return [replace(group, scanned=paths) for group, paths in chosen if paths or headers]


def _resolved(file: str) -> Path:
    return Path(file).resolve()


def _learn(program: Program) -> None:
    """Learn what the scan of any function asks about the whole program: the processes of functions begin with it."""
    written_variables(program)
    counting_members(program)
    stream_pointers(program)
    byte_parameters(program)
    handle_parameters(program)
    untested_parameters(program)
    functions_that_open_files(program)
    looked_up_variables(program)
    reads_blocks(program)
    stored_functions(program)
    held_tables(program)


_NAMED = 3
"""The most unbuilt files that a message names."""


def _jobs(
    program: Program,
    graph: CallGraph,
    names: Sequence[str],
    group: LinkGroup,
    options: Options,
    request: ScanRequest,
) -> Iterator[ScanJob]:
    """The jobs of a program, those of entries first: only these show that something is certain."""
    flags = {source.path.resolve(): source.flags for source in group.sources}
    files = tuple([str(source.path) for source in group.sources])
    digests = cache(partial(Digests, program, lines=True))
    for name in sorted(names, key=lambda name: name not in graph.entries):
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
