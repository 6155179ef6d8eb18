"""A worker at its meetings: it works off one quota after another, reports, and gives and takes states.

States travel in families: waiting states that lie near each other, packed.
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
"""Work (0.1 s) that a step may do after the query in which its quota ran out, before it rests."""
_TESTS, _JSON = "tests/", ".json"


class Channel(Protocol):
    """The way between a worker and its coordinator."""

    def send(self, report: WorkerReport | bytes, /) -> None:
        """Send a report, or a family. Raises OSError if the coordinator is gone."""

    def recv(self) -> WorkerTask | Give:
        """The next task, or a request for states. Raises EOFError or OSError if the coordinator is gone."""


class Post(Channel, Protocol):
    """A channel for a worker that no signal reaches."""

    def heed(self, interrupt: Interrupt) -> None:
        """Set the ``interrupt`` when the exploration is to stop."""


Explore: TypeAlias = Callable[[Post, object], None]
"""An exploration as data, called with its channel and the value that all explorations share."""


class MeetingSide(Protocol):
    """An exploration as its team sees it."""

    def work(self) -> int:
        """Its work so far."""

    def give(self, count: int) -> bytes:
        """Take up to ``count`` waiting states out: a family."""

    def take(self, family: bytes) -> None:
        """Let the states of a family wait here. Raises Unreadable."""

    def known(self) -> WorkerKnowledge:
        """The knowledge that is new here since the last call."""

    def hear(self, known: WorkerKnowledge) -> None:
        """Take over the knowledge of another worker."""


class Meetings:
    """A stopper around ``limits`` that lets a worker work off one task after another.

    ``elapsed`` is the work that it could have done so far, and ``report`` makes its next report. A worker that
    ``gets_states`` waits for them when it has none; any other meets in the middle of steps, too.
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
        """The work until which a step may go on that has used up the quota; 0 if none has."""
        self._coming: list[WorkerTask] = []
        """Tasks whose knowledge and states are still to be taken: that is not done in the middle of a step."""
        self._limit: str | None = None

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends: a limit of its own, or one of the run. A quota may be 0."""
        self._take()
        while (reason := self._limit or self._limits.look(frontier)) is None and self._elapsed() >= self._due:
            self._meet(GOING if frontier else IDLE, len(frontier))
            self._take()
        return reason

    def rest(self) -> None:
        """Meet in the middle of a step if the quota is used up. Raises TimeIsOver at a limit of the run.

        The step may do ``SPARE`` first: it often ends soon after the query that took long.
        """
        if self._gets_states or self._elapsed() < self._due:
            return
        self._most = self._most or self._elapsed() + min(self._quota, SPARE)
        while self._limit is None and self._elapsed() >= max(self._due, self._most):
            self._meet(GOING, 0)
        if self._limit is not None:
            raise TimeIsOver(self._limit)

    def wait(self, frontier: Frontier) -> str | None:
        """Wait, with no states left, until some come (None) or the run ends. Returns the limit that ended it."""
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
    """Adds a ``reason`` to those of ``limits``."""

    limits: Stopper
    reason: Callable[[], str | None]

    def look(self, frontier: Frontier) -> str | None:
        return self.limits.look(frontier) or self.reason()


class Queue:
    """A Folder in memory: keeps tests until they are sent to the process that writes them, and drops all else."""

    def __init__(self) -> None:
        self._tests: dict[str, str] = {}
        self._alarming: dict[str, str] = {}
        """Sent tests that show an alarm: a process that goes on could not find them again."""

    def write(self, name: str, data: bytes) -> None:
        if name.startswith(_TESTS) and name.endswith(_JSON):
            self._tests[name] = data.decode()

    def saved(self) -> dict[str, str]:
        """For ``restore``: the tests that a process that goes on must send."""
        return {**self._alarming, **self._tests}

    def restore(self, saved: Mapping[str, str]) -> None:
        self._tests = dict(saved)

    def sent(self, alarms: Sequence[Finding], lengths: Mapping[str, int]) -> tuple[Shown, ...]:
        """The tests since the last call, with the ``lengths`` of their paths and the ``alarms`` that they show."""
        by_test = {alarm.test: alarm for alarm in alarms}
        shown = tuple([Shown(test, lengths[name], by_test.get(name)) for name, test in self._tests.items()])
        self._alarming |= {name: test for name, test in self._tests.items() if name in by_test}
        self._tests = {}
        return shown


FAMILY = 2
"""States in a row that go or stay together, where states are not joined, so that their order does not matter."""


@dataclass(frozen=True, slots=True)
class StateFamily:
    """States, and the names of the branch edges that are pending on them, by the sender's numbers."""

    states: tuple[State, ...]
    edges: Mapping[int, Edge]


def choose_family(waiting: Mapping[Ticket, State], count: int, *, in_one: bool) -> list[State]:
    """Up to ``count`` of the states: with ``in_one``, those that have waited longest, in one piece.

    Else every other family of the waiting states, so that both sides get similar ones.
    """
    states = list(waiting.values())
    if in_one or len(states) < 2 * FAMILY:
        return states[:count]
    order = [index for index in range(len(states)) if index // FAMILY % 2]
    order += [index for index in range(len(states)) if not index // FAMILY % 2]
    return [states[index] for index in sorted(order[:count])]


def pack_family(states: Sequence[State], coverage: BranchCoverage, around: StateSurroundings) -> bytes:
    """The states with their pending edges."""
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
