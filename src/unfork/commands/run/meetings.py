"""A worker at its meetings: it works off one quota after another, reports, gives states away and gets others.

States go from one to another in families: waiting states that lie near each other, packed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from unfork.commands.run.messages import GOING, IDLE, Give, Shown, WorkerKnowledge, WorkerReport, WorkerTask
from unfork.engine.explore.endings import Interrupt, TimeIsOver
from unfork.engine.protocols.frontier import Frontier, Ticket
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.packed import StateSurroundings, pack, unpack
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage, Edge
from unfork.report.record.findings import Finding

SPARE = 100_000
"""Work that a step may do beyond a quota, and the query in which that was used up, before it rests: 0.1 s."""
_TESTS, _JSON = "tests/", ".json"


class Channel(Protocol):
    """What an exploration meets the others through."""

    def send(self, report: WorkerReport | bytes, /) -> None:
        """Say what was done, or give a family. Raises OSError if nobody listens any more."""

    def recv(self) -> WorkerTask | Give:
        """What may be done next. Raises EOFError or OSError if nobody listens any more."""


class Post(Channel, Protocol):
    """A channel for an exploration that no signal reaches."""

    def heed(self, interrupt: Interrupt) -> None:
        """Set the interrupt when the exploration is to stop."""


Explore: TypeAlias = Callable[[Post, object], None]
"""An exploration as data: it is given its channel, and what it shares with all others."""


class MeetingSide(Protocol):
    """An exploration, as those see it with whom it shares states."""

    def work(self) -> int:
        """What it has done so far."""

    def give(self, count: int) -> bytes:
        """Take out up to so many waiting states: a family."""

    def take(self, family: bytes) -> None:
        """The states of a family wait here from now on. Raises Unreadable."""

    def known(self) -> WorkerKnowledge:
        """What was found out here since this was asked last."""

    def hear(self, known: WorkerKnowledge) -> None:
        """Rely on what another one has found out."""


class Meetings:
    """A stopper that lets an exploration work off one task after another; ``limits`` are its own.

    ``elapsed`` says how much it could have done so far, and ``report`` what was done since it was asked last.
    A worker that ``gets_states`` waits for them where it has none; any other meets in the middle of steps, too.
    """

    def __init__(
        self,
        channel: Channel,
        limits: Stopper,
        side: MeetingSide,
        elapsed: Callable[[], int],
        report: Callable[[str | None], WorkerReport],
        *,
        gets_states: bool,
    ) -> None:
        self._channel = channel
        self._limits = limits
        self._side = side
        self._elapsed = elapsed
        self._report = report
        self._gets_states = gets_states
        self._due = self._quota = 0
        self._most = 0
        """Until where a step may go on that has come beyond the quota."""
        self._coming: list[WorkerTask] = []
        """What brings news and states that are not there yet: they would come in the middle of a step."""
        self._limit: str | None = None

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends: a limit, its own or that of all. A quota may be nothing."""
        self._take()
        while (reason := self._limit or self._limits.look(frontier)) is None and self._elapsed() >= self._due:
            self._meet(GOING if frontier else IDLE, len(frontier))
            self._take()
        return reason

    def rest(self) -> None:
        """In the middle of a step, until there is something left of the quota. Raises TimeIsOver at a limit of all.

        ``SPARE`` may be done first: a step is often over soon after the query that took long.
        """
        if self._gets_states or self._elapsed() < self._due:
            return
        self._most = self._most or self._elapsed() + min(self._quota, SPARE)
        while self._limit is None and self._elapsed() >= max(self._due, self._most):
            self._meet(GOING, 0)
        if self._limit is not None:
            raise TimeIsOver(self._limit)

    def wait(self, frontier: Frontier) -> str | None:
        """Nothing waits here any more: until there is something, or all is explored."""
        while self._gets_states and not frontier:
            if (reason := self._limits.look(frontier)) is not None:
                return reason
            task = self._meet(GOING if frontier else IDLE, len(frontier))
            self._take()
            if task.is_last or task.limit is not None:
                return task.limit
        return None

    def _meet(self, status: str, waiting: int) -> WorkerTask:
        if self._due:
            self._channel.send(replace(self._report(status), waiting=waiting))
        while isinstance(message := self._channel.recv(), Give):
            self._channel.send(self._side.give(message.count))
        self._coming.append(message)
        self._due, self._most, self._limit = self._elapsed() + message.quota, 0, message.limit
        self._quota = message.quota
        return message

    def _take(self) -> None:
        for task in self._coming:
            for known in task.known:
                self._side.hear(known)
            for family in task.families:
                self._side.take(family)
        self._coming = []


@dataclass(frozen=True, slots=True)
class Until:
    """A stopper that adds a ``reason`` to those of ``limits``."""

    limits: Stopper
    reason: Callable[[], str | None]

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends, or None."""
        return self.limits.look(frontier) or self.reason()


class Queue:
    """A folder in memory that keeps tests until they are sent to the process that writes them, and nothing else."""

    def __init__(self) -> None:
        self._tests: dict[str, str] = {}
        self._alarming: dict[str, str] = {}
        """Those that were sent and show an alarm: nobody else could find them again."""

    def write(self, name: str, data: bytes) -> None:
        """Keep a test. The files that describe an error are made anew where its test is written."""
        if name.startswith(_TESTS) and name.endswith(_JSON):
            self._tests[name] = data.decode()

    def saved(self) -> dict[str, str]:
        """What is to be sent by the one that goes on, for ``restore``."""
        return {**self._alarming, **self._tests}

    def restore(self, saved: Mapping[str, str]) -> None:
        """Keep what an earlier process had not sent."""
        self._tests = dict(saved)

    def sent(self, alarms: Sequence[Finding], lengths: Mapping[str, int]) -> tuple[Shown, ...]:
        """The tests that came since this was asked last; ``alarms`` say which of them show one.

        ``lengths`` are those of their paths.
        """
        by_test = {alarm.test: alarm for alarm in alarms}
        shown = tuple([Shown(test, lengths[name], by_test.get(name)) for name, test in self._tests.items()])
        self._alarming |= {name: test for name, test in self._tests.items() if name in by_test}
        self._tests = {}
        return shown


FAMILY = 2
"""States in a row that go or stay together, where no states are joined and their order says nothing."""


@dataclass(frozen=True, slots=True)
class StateFamily:
    """States, and the names of the branch edges that are pending on them, by the numbers of their sender."""

    states: tuple[State, ...]
    edges: Mapping[int, Edge]


def choose_family(waiting: Mapping[Ticket, State], count: int, *, in_one: bool) -> list[State]:
    """Up to ``count`` of the states.

    ``in_one``: those that have waited longest, in one piece. Else every other family, so that both sides get alike.
    """
    states = list(waiting.values())
    if in_one or len(states) < 2 * FAMILY:
        return states[:count]
    order = [index for index in range(len(states)) if index // FAMILY % 2]
    order += [index for index in range(len(states)) if not index // FAMILY % 2]
    return [states[index] for index in sorted(order[:count])]


def pack_family(states: Sequence[State], coverage: BranchCoverage, around: StateSurroundings) -> bytes:
    """The states as bytes."""
    edges = {edge: coverage.edges[edge] for state in states for edge in state.pending}
    return pack(StateFamily(tuple(states), edges), around)


def unpack_family(data: bytes, coverage: BranchCoverage, around: StateSurroundings) -> list[State]:
    """The states, with edges as they are numbered here. Raises Unreadable."""
    family: StateFamily = unpack(data, around)
    numbers = {edge: coverage.number_of_edge(name, around.program) for edge, name in family.edges.items()}
    for state in family.states:
        state.pending = coverage.unsettled(tuple([numbers[edge] for edge in state.pending]))
        for edge in state.pending:
            coverage.covered[edge] = 1
    return list(family.states)
