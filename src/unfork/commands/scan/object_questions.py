"""What is asked about objects that a project makes itself, and the answers so far."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from unfork.commands.scan.following import ScannedPart
from unfork.commands.scan.made_objects import ObjectAnswer, ObjectQuestion, QuestionKey, questions, settled
from unfork.commands.scan.object_programs import ObjectPrograms
from unfork.commands.scan.results import Explored
from unfork.commands.scan.scan_job import ScanJob
from unfork.errors import OutOfTime


class ObjectQuestions:
    """Asks about findings of entries, each once, with the jobs that ``aimed`` makes for questions."""

    def __init__(self, programs: ObjectPrograms, aimed: Callable[[ObjectQuestion], ScanJob]) -> None:
        self._programs, self._aimed = programs, aimed
        self._answers: dict[QuestionKey, ObjectAnswer] = {}
        self._without_makers: set[QuestionKey] = set()
        self._waiting: list[ObjectQuestion] = []

    def look(self, parts: Iterable[ScannedPart]) -> None:
        """Note the questions about some results."""
        for question in questions(parts):
            key = question.key
            if key in self._answers or key in self._without_makers:
                continue
            driver = self._programs.driver(self._aimed(question))
            if driver is None or not question.is_about(driver):
                self._without_makers.add(key)
                continue
            self._answers[key] = ObjectAnswer(driver, None)
            self._waiting.append(question)

    def jobs(self) -> list[ScanJob]:
        """Jobs that answer the questions that are noted; each comes once."""
        of_program: dict[int, list[ObjectQuestion]] = defaultdict(list)
        for question in self._waiting:
            of_program[question.key[0]].append(question)
        self._waiting = []
        fresh: list[ScanJob] = []
        for several in of_program.values():
            with contextlib.suppress(OutOfTime):
                built = [*self._programs.jobs([*map(self._aimed, several)])]
                for key in {each.key for each in several} - set(map(_key, built)):
                    self._without_makers.add(key)
                    del self._answers[key]
                fresh += built
        return fresh

    def end(self, job: ScanJob, explored: Explored) -> None:
        """Record the answer of a job."""
        self._answers[_key(job)] = replace(self._answers[_key(job)], explored=explored)

    def settled(self, parts: Sequence[ScannedPart]) -> list[ScannedPart]:
        """The parts with their findings as the makers of objects allow them."""
        return settled(parts, self._answers, self._without_makers)


def _key(job: ScanJob) -> QuestionKey:
    assert job.aim is not None
    return *job.place, job.aim
