"""Programs of a project with drivers: functions that call its own on objects of its own makers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from unfork.commands.projects.entries import CallGraph, Entries
from unfork.commands.projects.project import BuildSource, LinkGroup
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.made_objects import MOST_CALLS
from unfork.commands.scan.scan_job import ScanJob
from unfork.errors import OutOfTime, UnforkError
from unfork.program.c.object_calls import ObjectDriver, text_of_drivers
from unfork.program.c.suffixes import C_SUFFIXES
from unfork.program.facts.object_makers import ObjectMakers
from unfork.program.llvm.module import Program


class BuildsWithTexts(Protocol):
    """Builds a program of sources."""

    def __call__(self, sources: Sequence[BuildSource], *, after: tuple[tuple[Path, str], ...]) -> Program:
        """``after``: a text to append to each of some files. Raises UnforkError."""


class ObjectPrograms:
    """Makes the drivers of functions, and builds the programs that have them.

    ``left_out`` gets a line for each driver that the compiler refuses.
    """

    def __init__(self, entries: Entries, build: BuildsWithTexts, left_out: list[str]) -> None:
        self._entries, self._build, self._left_out = entries, build, left_out
        self._groups: dict[int, LinkGroup] = {}
        self._makers: dict[int, ObjectMakers] = {}
        """Of each program, by its calls; once they are needed."""
        self._drivers: dict[tuple[int, str], ObjectDriver | None] = {}

    def add(self, graph: CallGraph, group: LinkGroup) -> None:
        """Add the sources of the program with these calls."""
        self._groups[id(graph)] = group

    def driver(self, job: ScanJob) -> ObjectDriver | None:
        """The driver that calls a job's function; None if it needs none, or there is none."""
        if job.place not in self._drivers:
            self._drivers[job.place] = self._made(job)
        return self._drivers[job.place]

    def _made(self, job: ScanJob) -> ObjectDriver | None:
        number, source = id(job.graph), self._source(job)
        if number not in self._makers:
            self._makers[number] = ObjectMakers(job.program, job.graph.entries, MOST_CALLS)
        return None if source is None else self._makers[number].driver(job.name, self._entries.words_in(source))

    def jobs(self, jobs: Sequence[ScanJob], drivers: Mapping[str, ObjectDriver]) -> Iterator[ScanJob]:
        """Jobs that explore the drivers of some jobs, of one program. Drivers that the compiler refuses have none.

        Raises OutOfTime.
        """
        waiting = [list(drivers)] if drivers else []
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
        after: dict[Path, list[ObjectDriver]] = defaultdict(list)
        for job in {job.name: job for job in jobs}.values():
            source = self._source(job)
            assert source is not None  # it has a driver
            after[source.path].append(drivers[job.name])
        texts = tuple([(path, text_of_drivers(each)) for path, each in after.items()])
        sources = self._groups[id(jobs[0].graph)].sources
        program = self._build([each for each in sources if str(each.path) in jobs[0].program.sources], after=texts)
        program.object_drivers = {each.name: each for several in after.values() for each in several}
        return program

    def _source(self, job: ScanJob) -> BuildSource | None:
        """The file in C that is compiled to the code of a job's function."""
        file = Path(job.program.c_types.source_of(job.name)).resolve()
        sources = self._groups[id(job.graph)].sources
        return next((each for each in sources if each.path.resolve() == file and file.suffix in C_SUFFIXES), None)
