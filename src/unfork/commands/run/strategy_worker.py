"""A worker: one exploration, which may have a coordinator that gives it tasks, and may lead others itself.

Its coordinator tells it in a WorkerTask how far to go on, what others know, and which states come to it. It answers
with a WorkerReport: what it did, and what it knows. A worker that leads is a coordinator of the same kind: of the
processes that help with its strategy (a team), or of the other strategies of the run (a race).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unfork.commands.run.coordinator import Coordinator, Remote
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Meetings, choose_family, pack_family, unpack_family
from unfork.commands.run.messages import Shown, WorkerKnowledge
from unfork.commands.run.race import Race
from unfork.commands.run.saving import ExplorationLeftovers, Saving, restore, snapshot, surroundings
from unfork.commands.run.team import Team
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.packed import pack, unpack
from unfork.engine.step.branch_coverage import Edge
from unfork.failures import Survival
from unfork.report.record.directory import WriteFailed
from unfork.report.record.journal import Journal, SavedExploration
from unfork.report.record.recorder import Recorder


class Worker:
    """Explores a strategy: from its beginning, or from the exploration that the journal has ``kept``.

    ``begin`` starts the helpers of its strategy, None if it has none. They begin after ``first`` work, and ``show``
    takes the tests that they send.
    """

    def __init__(
        self,
        explorer: Explorer,
        recorder: Recorder,
        kept: SavedExploration | None,
        first: int,
        begin: Callable[[], Sequence[Remote]] | None,
        show: Callable[[Shown], Any],
    ) -> None:
        self.explorer = explorer
        self.recorder = recorder
        self.before = None if kept is None else restore(explorer, recorder, kept)
        """What an earlier process came to."""
        self.side = WorkerSide(explorer)
        self.team = Team(self.side, begin or (lambda: ()), first, show)
        self._first = None if begin is None else first

    def explore(
        self,
        observers: list[Observer],
        journal: Journal | None,
        left: Callable[[], ExplorationLeftovers],
        meet: Callable[[Stopper], Meetings] | None = None,
        race: Race | None = None,
        between: Callable[[Stopper], Stopper] | None = None,
    ) -> None:
        """Explore to the end or to a limit, then end the processes that it leads.

        The ``journal`` keeps the exploration, and what is ``left`` besides. ``meet`` makes the meetings with its
        coordinator, if it has one; ``race`` is the race that it leads, if it leads one. ``between`` is put around
        the limits.
        """
        limits = self.explorer.limits(self.recorder, observers)
        stopper: Stopper = limits if between is None else between(limits)
        meetings = None if meet is None else meet(limits)
        if meetings is not None:
            stopper = meetings
        leads: list[tuple[Race | Team, Coordinator]] = []
        if race is not None:
            stopper = lead = Coordinator(race, stopper, race.until_others)
            leads.append((race, lead))
        if self._first is not None:
            stopper = lead = Coordinator(self.team, stopper, self._first)
            leads.append((self.team, lead))
        if journal is not None:
            stopper = Saving(stopper, journal, lambda: snapshot(self.explorer, self.recorder, self.team, left()))

        def wait(frontier: Frontier) -> str | None:
            reason = None if self._first is None else self.team.wait(frontier, leads[-1][1])
            return meetings.wait(frontier) if reason is None and meetings is not None else reason

        self.explorer.loop(self.recorder, observers, stopper, wait)
        for plan, lead in reversed(leads):
            self._end(lead)
            for failure in plan.failures:
                self.explorer.failures.keep(failure)

    def _end(self, lead: Coordinator) -> None:
        """End the others, who report once more. Their last results may find no room on the disk."""
        explorer = self.explorer
        try:
            with Survival(explorer.failures, "the others' last results", WriteFailed):
                explorer.deadline.begin_aftermath()
                explorer.stopped_by = lead.end(explorer.stopped_by, lambda: explorer.interrupt.hurried)
        except WriteFailed as failed:
            explorer.not_written(failed)


class WorkerSide:
    """What an exploration exchanges with others: states and knowledge."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._told: set[Edge] = set()
        """The settled edges that the others know."""
        self._ran = 0
        """The number of functions that ran of which the others know."""

    def work(self) -> int:
        return self._explorer.meter.work()

    def give(self, count: int) -> bytes:
        explorer = self._explorer
        scheduled = explorer.parts.scheduled
        states = choose_family(scheduled.frontier.waiting(), count, in_one=scheduled.in_one)
        assert explorer.exploration is not None
        explorer.exploration.move(states)
        return pack_family(states, explorer.parts.engine.coverage, surroundings(explorer))

    def take(self, family: bytes) -> None:
        explorer = self._explorer
        assert explorer.exploration is not None
        explorer.exploration.begin(unpack_family(family, explorer.parts.engine.coverage, surroundings(explorer)))

    def known(self) -> WorkerKnowledge:
        machine, coverage = self._explorer.parts.engine.machine, self._explorer.parts.engine.coverage
        settled = tuple([edge for edge in coverage.settled_edges() if edge not in self._told])
        self._told.update(settled)
        ran = [function.name for function in machine.running()]
        fresh, self._ran = tuple(ran[self._ran :]), len(ran)
        news = self._explorer.parts.pruned.sharing.news()
        learnt = b"" if news is None else pack(news, surroundings(self._explorer))
        return WorkerKnowledge(settled, fresh, machine.sightings.first, learnt, machine.layout_looks())

    def hear(self, known: WorkerKnowledge) -> None:
        program, engine = self._explorer.program, self._explorer.parts.engine
        engine.coverage.settle(tuple([engine.coverage.number_of_edge(edge, program) for edge in known.settled]))
        self._told.update(known.settled)
        for name in known.ran:
            engine.machine.code(program.function(name))
        self._ran = len(engine.machine.running())
        if engine.machine.sightings.first is None:
            engine.machine.sightings.first = known.looked
        engine.machine.hear_layout_looks(known.layout_looks)
        if known.learnt:
            self._explorer.parts.pruned.sharing.hear(unpack(known.learnt, surroundings(self._explorer)))
