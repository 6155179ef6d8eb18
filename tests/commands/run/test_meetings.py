"""A worker meets the others between its steps, and in the middle of one that takes longer than its quota."""

from __future__ import annotations

from typing import cast

import pytest

from unfork.commands.run.meetings import SPARE, Meetings
from unfork.commands.run.messages import GOING, Counts, Give, WorkerKnowledge, WorkerReport, WorkerTask
from unfork.engine.explore.endings import TimeIsOver
from unfork.engine.explore.tally import PointCounts, Tally
from unfork.engine.protocols.frontier import Frontier
from unfork.logic.solve.solver import Statistics
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.prune.contract import PruneCounts

QUOTA = 10 * SPARE


class Alone:
    """The whole other side: its tasks come one after the other, and nothing limits the exploration here."""

    def __init__(self, *tasks: WorkerTask) -> None:
        self.tasks = list(tasks)
        self.work = 0
        self.reports: list[WorkerReport] = []
        self.heard: list[WorkerKnowledge] = []

    def send(self, report: WorkerReport | bytes) -> None:
        self.reports.append(cast(WorkerReport, report))

    def recv(self) -> WorkerTask | Give:
        return self.tasks.pop(0)

    def look(self, frontier: Frontier) -> str | None:
        return None

    def hear(self, known: WorkerKnowledge) -> None:
        self.heard.append(known)

    def meetings(self, *, gets_states: bool = False) -> Meetings:
        counts = Counts(Tally(), Statistics(), MergeCounts(), PruneCounts(), (), PointCounts())

        def report(status: str | None) -> WorkerReport:
            return WorkerReport(self.work, status, (), counts, None)

        return Meetings(self, self, self, lambda: self.work, report, gets_states=gets_states)  # type: ignore[arg-type]


NOBODY = cast(Frontier, ())


def test_a_step_beyond_its_quota_meets_the_others() -> None:
    news = WorkerKnowledge(ran=("main",))
    other = Alone(WorkerTask(QUOTA), WorkerTask(0), WorkerTask(QUOTA, (news,)))
    meetings = other.meetings()
    assert meetings.look(NOBODY) is None
    other.work = QUOTA - 1
    meetings.rest()
    other.work = QUOTA
    meetings.rest()
    other.work = QUOTA + SPARE - 1
    meetings.rest()
    assert not other.reports
    other.work = QUOTA + SPARE
    meetings.rest()
    assert [report.work for report in other.reports] == 2 * [QUOTA + SPARE]  # it rested for a round
    assert {report.status for report in other.reports} == {GOING}
    assert not other.heard
    assert meetings.look(NOBODY) is None
    assert other.heard == [news]


def test_a_limit_breaks_off_a_step_that_rests() -> None:
    other = Alone(WorkerTask(QUOTA), WorkerTask(0, limit="max-forks"))
    meetings = other.meetings()
    meetings.look(NOBODY)
    other.work = 2 * QUOTA
    meetings.rest()
    other.work = 3 * QUOTA
    with pytest.raises(TimeIsOver) as over:
        meetings.rest()
    assert over.value.args == ("max-forks",)
    assert meetings.look(NOBODY) == "max-forks"


def test_who_gets_states_meets_between_steps_alone() -> None:
    other = Alone(WorkerTask(QUOTA))
    meetings = other.meetings(gets_states=True)
    meetings.look(NOBODY)
    for work in (QUOTA, 2 * QUOTA):
        other.work = work
        meetings.rest()
    assert not other.reports
