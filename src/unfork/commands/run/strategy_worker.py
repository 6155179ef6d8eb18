"""A worker: explores a strategy, alone or with others, from its beginning or from where another process was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from unfork.commands.assemble import solving
from unfork.commands.assemble.checks import UNCHECKED, Checks
from unfork.commands.run.coordinator import Coordinator, Remote
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Meetings, choose_family, pack_family, unpack_family
from unfork.commands.run.messages import Shown, WorkerKnowledge
from unfork.commands.run.race import Race
from unfork.commands.run.saving import ExplorationLeftovers, Saving, restore, snapshot, surroundings
from unfork.commands.run.team import Team
from unfork.engine.explore.limits import Budget
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.packed import pack, unpack
from unfork.engine.step.branch_coverage import Edge
from unfork.failures import Survival
from unfork.options.options import Options
from unfork.processes import resident_bytes
from unfork.program.llvm.module import Program
from unfork.report.record.directory import WriteFailed
from unfork.report.record.journal import Journal, SavedExploration
from unfork.report.record.recorder import Recorder


@dataclass(frozen=True, slots=True)
class StrategyPlan:
    """A strategy of a run: its options, how many help its first process, and the part of the budget of each of them."""

    name: str
    helpers: int
    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    budget: Budget

    @contextmanager
    def explorer(self, program: Program, budget: Budget, checks: Checks = UNCHECKED) -> Iterator[Explorer]:
        """An exploration for this process, with a solver of its own."""
        backend = solving.backend(self.options)
        try:
            yield Explorer(self.files, self.options, self.arguments, program, backend, checks, budget)
        finally:
            backend.solver.close()

    def apart(self, program: Program) -> AbstractContextManager[Explorer]:
        """The same in a process of its own, where --max-memory counts from what is there already."""
        return self.explorer(program, self.budget.beside(resident_bytes()))


class WorkerSide:
    """An exploration, as those see it with whom it shares states (commands/run/meetings.py)."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._told: set[Edge] = set()
        self._ran = 0
        """How many of the functions that ran the others were told of."""

    def work(self) -> int:
        """What it has done so far."""
        return self._explorer.meter.work()

    def give(self, count: int) -> bytes:
        """Take out up to so many waiting states: a family."""
        explorer = self._explorer
        scheduled = explorer.parts.scheduled
        states = choose_family(scheduled.frontier.waiting(), count, in_one=scheduled.in_one)
        assert explorer.exploration is not None
        explorer.exploration.move(states)
        return pack_family(states, explorer.parts.engine.coverage, surroundings(explorer))

    def take(self, family: bytes) -> None:
        """The states of a family wait here from now on. Raises Unreadable."""
        explorer = self._explorer
        assert explorer.exploration is not None
        explorer.exploration.begin(unpack_family(family, explorer.parts.engine.coverage, surroundings(explorer)))

    def known(self) -> WorkerKnowledge:
        """What was found out here since this was asked last."""
        machine, coverage = self._explorer.parts.engine.machine, self._explorer.parts.engine.coverage
        news = tuple([edge for edge in coverage.settled_edges() if edge not in self._told])
        self._told.update(news)
        ran = [function.name for function in machine.running()]
        fresh, self._ran = tuple(ran[self._ran :]), len(ran)
        learnt = self._explorer.parts.pruned.sharing.news()
        told = b"" if learnt is None else pack(learnt, surroundings(self._explorer))
        return WorkerKnowledge(news, fresh, machine.sightings.first, told)

    def hear(self, known: WorkerKnowledge) -> None:
        """Rely on what another one has found out."""
        program, engine = self._explorer.program, self._explorer.parts.engine
        engine.coverage.settle(tuple([engine.coverage.number_of_edge(edge, program) for edge in known.settled]))
        self._told.update(known.settled)
        for name in known.ran:
            engine.machine.code(program.function(name))
        self._ran = len(engine.machine.running())
        if engine.machine.sightings.first is None:
            engine.machine.sightings.first = known.looked
        if known.learnt:
            self._explorer.parts.pruned.sharing.hear(unpack(known.learnt, surroundings(self._explorer)))


class Worker:
    """Explores a strategy from what is ``kept`` of it, if there is anything. It leads its helpers, if it has any,
    which ``begin`` starts after ``first`` work, and ``show`` takes what they show.
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
        """What an earlier process had come to."""
        self.side = WorkerSide(explorer)
        self.team = Team(self.side, begin or (lambda: ()), first, show)
        self._plans: list[tuple[Team | Race, int]] = [] if begin is None else [(self.team, first)]
        self._leads: list[Coordinator] = []
        self._met: Meetings | None = None

    def explore(
        self,
        observers: list[Observer],
        journal: Journal | None,
        left: Callable[[], ExplorationLeftovers],
        met: Callable[[Stopper], Meetings] | None = None,
        race: Race | None = None,
    ) -> None:
        """Explore to the end or to a limit. The ``journal`` keeps what there is, and what is ``left`` besides.

        Behind the limits others may be ``met`` who say how far to go on, and a ``race`` be led.
        """
        explorer, recorder, team = self.explorer, self.recorder, self.team
        plans = self._plans if race is None else [(race, race.until_others), *self._plans]

        def stopper(limits: Stopper) -> Stopper:
            stopper = limits
            if met is not None:
                stopper = self._met = met(limits)
            for plan, first in plans:
                stopper = Coordinator(plan, stopper, first)
                self._leads.append(stopper)
            if journal is None:
                return stopper
            return Saving(stopper, journal, lambda: snapshot(explorer, recorder, team, left()))

        explorer.loop(recorder, observers, stopper, self._wait)
        for plan, lead in zip(reversed([plan for plan, _ in plans]), reversed(self._leads), strict=True):
            self._end(lead)
            for failure in plan.failures:
                explorer.failures.keep(failure)

    def _wait(self, frontier: Frontier) -> str | None:
        """Nothing waits here any more: until there is something, or nothing anywhere (None)."""
        reason = self.team.wait(frontier, self._leads[-1]) if self._plans else None
        return self._met.wait(frontier) if reason is None and self._met is not None else reason

    def _end(self, lead: Coordinator) -> None:
        """End others, who are told why, and say why the run ends; what they have found may find no room."""
        explorer = self.explorer
        try:
            with Survival(explorer.failures, "the others' last results", WriteFailed):
                explorer.deadline.begin_aftermath()
                explorer.stopped_by = lead.end(explorer.stopped_by, lambda: explorer.interrupt.hurried)
        except WriteFailed as failed:
            explorer.not_written(failed)
