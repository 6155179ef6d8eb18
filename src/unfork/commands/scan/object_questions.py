"""What is asked about objects that a project makes itself, and the answers so far."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from unfork.commands.scan.following import ScannedPart
from unfork.commands.scan.judgement import SHOWN
from unfork.commands.scan.made_objects import ObjectAnswer, ObjectQuestion, QuestionKey, questions, settled
from unfork.commands.scan.object_programs import ObjectPrograms
from unfork.commands.scan.results import Explored
from unfork.commands.scan.scan_job import ScanJob
from unfork.errors import OutOfTime
from unfork.program.c.object_calls import ObjectDriver

_FEW = 1
"""Operations of a first look. With more, a decoder (heatshrink) did not come in 30 s to a line that one operation leads
to. Chosen on that and on a dictionary (iniparser), which comes to its line with neither.
"""


class ObjectQuestions:
    """Asks about findings of entries, first with few operations, with the jobs that ``aimed`` makes for questions."""

    def __init__(self, programs: ObjectPrograms, aimed: Callable[[ObjectQuestion], ScanJob]) -> None:
        self._programs, self._aimed = programs, aimed
        self._answers: dict[QuestionKey, ObjectAnswer] = {}
        self._without_makers: set[QuestionKey] = set()
        self._waiting: list[ObjectQuestion] = []
        self._begun: dict[QuestionKey, ObjectQuestion] = {}
        """Questions that few operations were to answer, or all."""

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
        """Jobs that answer the questions that are noted, in this round."""
        of_program: dict[tuple[int, bool], list[ObjectQuestion]] = defaultdict(list)
        for question in self._waiting:
            of_program[question.key[0], question.key in self._begun].append(question)
        self._waiting = []
        fresh: list[ScanJob] = []
        for several in of_program.values():
            jobs = [*map(self._aimed, several)]
            drivers = {job.name: self._next_driver(each.key) for job, each in zip(jobs, several, strict=True)}
            self._begun |= {each.key: each for each in several}
            with contextlib.suppress(OutOfTime):
                built = [*self._programs.jobs(jobs, drivers)]
                for key in {each.key for each in several} - set(map(_key, built)):
                    self._without_makers.add(key)
                    del self._answers[key]
                fresh += built
        return fresh

    def _next_driver(self, key: QuestionKey) -> ObjectDriver:
        driver = self._answers[key].driver
        return driver if key in self._begun else driver.first(_FEW)

    def end(self, job: ScanJob, explored: Explored) -> None:
        """Record the answer of a job. If few operations have shown nothing certain, more are next."""
        key = _key(job)
        answer = self._answers[key]
        if job.name == answer.driver.name or any(each.certainty in SHOWN for each in explored.found):
            self._answers[key] = replace(answer, explored=explored)
        else:
            self._waiting.append(self._begun[key])

    def settled(self, parts: Sequence[ScannedPart]) -> list[ScannedPart]:
        """The parts with their findings as the makers of objects allow them."""
        return settled(parts, self._answers, self._without_makers)


def _key(job: ScanJob) -> QuestionKey:
    assert job.aim is not None
    return *job.place, job.aim
