"""Faults that only sequences of calls bring about: what one call leaves, another one uses.

A function that runs alone on any object shows none of them: nothing of its input was freed, and no block of its input
is smaller than the code says. So an entry that takes what the project makes runs once more, after makers and up to
CALLS public operations, and faults count that no such input can have shown.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from unfork.commands.scan.following import ScannedPart
from unfork.commands.scan.judgement import SHOWN
from unfork.commands.scan.made_objects import with_calls
from unfork.commands.scan.object_programs import ObjectPrograms
from unfork.commands.scan.path_rules import TOO_EARLY
from unfork.commands.scan.results import Explored, ScanFinding
from unfork.commands.scan.scan_job import ScanJob
from unfork.errors import OutOfTime
from unfork.program.c.object_calls import ObjectDriver

CALLS = 2
"""Operations between the makers and the entry: the fewest that add something, and take it away again."""
_SHARE = 0.5
"""Share of a function's time."""
_KINDS = TOO_EARLY | {"out-of-bounds"}


class CallSequences:
    """Explores entries on objects of the project's own makers, with no fault in mind."""

    def __init__(self, programs: ObjectPrograms) -> None:
        self._programs = programs
        self._found: dict[tuple[int, str], list[ScanFinding]] = {}

    def jobs(self, done: Iterable[ScanJob]) -> list[ScanJob]:
        """The jobs for entries among those that are done."""
        of_program: dict[int, list[tuple[ScanJob, ObjectDriver]]] = defaultdict(list)
        for job in done:
            driver = self._programs.driver(job) if job.name in job.graph.entries else None
            if driver is not None:
                of_program[id(job.graph)].append((job.with_share(_SHARE), driver.first(CALLS)))
        fresh: list[ScanJob] = []
        for several in of_program.values():
            with contextlib.suppress(OutOfTime):
                fresh += self._programs.jobs([job for job, _ in several], {job.name: each for job, each in several})
        return fresh

    def end(self, job: ScanJob, explored: Explored) -> None:
        """Record the result of a job. What fails in a call before the entry is no fault of the entry."""
        entry = job.program.function(job.entry).source_name
        self._found[job.place] = [
            with_calls(each)
            for each in explored.found
            if each.certainty in SHOWN and each.kind in _KINDS and _called_by_driver(each) == entry
        ]

    def added(self, parts: Sequence[ScannedPart]) -> list[ScannedPart]:
        """The parts with the faults of sequences of calls that their functions have not shown alone."""

        def found_in(part: ScannedPart) -> tuple[ScanFinding, ...]:
            known = {each.defect for each in part.explored.found}
            more = self._found.get((id(part.graph), part.name), []) if part.aim is None else []
            return (*part.explored.found, *(each for each in more if each.defect not in known))

        return [replace(part, explored=replace(part.explored, found=found_in(part))) for part in parts]


def _called_by_driver(found: ScanFinding) -> str:
    """The function in whose call by the driver a fault is."""
    return str(found.stack[-2]["function"]) if len(found.stack) > 1 else ""
