"""What a process does that explores a strategy together with others: the side of a team, and a member's whole run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from unfork.api.explorer import Explorer
from unfork.api.reporting import reported
from unfork.api.saving import surroundings
from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import Edge
from unfork.execute.machine import Machine, SavedMachine
from unfork.explore.limits import Budget, resident_bytes
from unfork.later import Later
from unfork.llvm.module import Program
from unfork.options import Options
from unfork.race.outbox import Outbox
from unfork.replay.second_opinion import NoCheck
from unfork.state.packed import pack, unpack
from unfork.wiring import solving
from unfork.wiring.proofs import UNCHECKED

if TYPE_CHECKING:
    from unfork.race import families, process, team_messages
    from unfork.race import member as race_member
    from unfork.race.member import Member
    from unfork.race.process import PipeEnd, Process
    from unfork.race.team_messages import Known
else:
    families = Later("unfork.race.families")
    race_member = Later("unfork.race.member")
    process = Later("unfork.race.process")
    team_messages = Later("unfork.race.team_messages")


class Side:
    """An exploration, as the team that it belongs to sees it (race/member.py)."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._told: set[Edge] = set()
        self._ran = 0
        """How many of the functions that ran the others were told of."""
        options = explorer.options
        self._in_one = options.merge != "none" or options.search == ("dfs",)

    def work(self) -> int:
        """What it has done so far."""
        return self._explorer.work()

    def give(self, count: int) -> bytes:
        """Take out up to so many waiting states: a family."""
        explorer = self._explorer
        states = families.chosen(explorer.parts.scheduled.frontier.waiting(), count, in_one=self._in_one)
        assert explorer.exploration is not None
        explorer.exploration.move(states)
        return families.packed(states, explorer.parts.engine.coverage, surroundings(explorer))

    def take(self, family: bytes) -> None:
        """The states of a family wait here from now on. Raises Unreadable."""
        explorer = self._explorer
        assert explorer.exploration is not None
        explorer.exploration.begin(families.unpacked(family, explorer.parts.engine.coverage, surroundings(explorer)))

    def known(self) -> Known:
        """What was found out here since this was asked last."""
        parts = self._explorer.parts
        news = tuple([edge for edge in parts.engine.coverage.settled_edges() if edge not in self._told])
        self._told.update(news)
        ran = [function.name for function in parts.engine.machine.running()]
        fresh, self._ran = tuple(ran[self._ran :]), len(ran)
        learnt = parts.pruned.sharing.news()
        told = b"" if learnt is None else pack(learnt, surroundings(self._explorer))
        return team_messages.Known(news, fresh, parts.engine.machine.sightings.first, told)

    def hear(self, known: Known) -> None:
        """Rely on what another one has found out."""
        parts, program = self._explorer.parts, self._explorer.program
        parts.engine.coverage.settle(
            tuple([parts.engine.coverage.number_of_edge(edge, program) for edge in known.settled])
        )
        self._told.update(known.settled)
        for name in known.ran:
            parts.engine.machine.code(program.function(name))
        self._ran = len(parts.engine.machine.running())
        if parts.engine.machine.sightings.first is None:
            parts.engine.machine.sightings.first = known.looked
        if known.learnt:
            parts.pruned.sharing.hear(unpack(known.learnt, surroundings(self._explorer)))


@dataclass(frozen=True, slots=True)
class Crew:
    """The processes, besides the first, that explore a strategy: ``count`` of them, each with these ``options``."""

    name: str
    count: int
    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    program: Program
    budget: Budget

    def begin(self, machine: Machine) -> list[Process]:
        """Start them. ``machine`` is that of the first process; each names objects in a part of what is left."""
        saved, parts = machine.saved(), self.count + 1
        processes = []
        for part in range(1, parts):
            explore = partial(self._work_along, machine=saved, part=part)
            processes.append(process.Process(f"{self.name}/{part + 1}", explore))
        machine.share_names(0, parts)
        return processes

    @contextmanager
    def explorer(self) -> Iterator[Explorer]:
        """An exploration for this process, with a solver of its own. --max-memory counts from what is there already."""
        backend, budget = solving.backend(self.options), self.budget.beside(resident_bytes())
        try:
            yield Explorer(self.files, self.options, self.arguments, self.program, backend, UNCHECKED, budget)
        finally:
            backend.solver.close()

    def _work_along(self, channel: PipeEnd, machine: SavedMachine, part: int) -> None:
        """Explore what the leader at the other end of ``channel`` gives."""
        with self.explorer() as explorer:
            explorer.parts.engine.machine.restore(machine)
            explorer.parts.engine.machine.share_names(part, self.count + 1)
            explorer.first = ()
            _explore(channel, explorer)


def _explore(channel: PipeEnd, explorer: Explorer) -> None:
    outbox = Outbox()
    recorder = explorer.recorder(outbox, (), NoCheck())
    recorder.run_nothing_on()  # whoever adopts a test runs it
    report = partial(reported, explorer, recorder, outbox)
    member: Member | None = None

    def stopper(limits: Stopper) -> Stopper:
        nonlocal member
        member = race_member.Member(channel, limits, Side(explorer), report)
        return member

    def wait(frontier: Frontier) -> str | None:
        assert member is not None
        return member.wait(frontier)

    with explorer.interrupt:
        explorer.loop(recorder, explorer.observers(recorder, ()), stopper, wait)
        explorer.parts.pruned.finish()
        assert member is not None
        channel.send(member.last(explorer.stopped_by))
