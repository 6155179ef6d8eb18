"""A team: several processes that explore one strategy together, led by the first of them.

They work for a quota each, then meet: the leader takes their reports in order, and families of states go from members
with many to members with few. Quotas count work, not time, so that a team comes to the same on any machine. The leader
keeps every family that it has given to a member until that is idle: if it dies, others explore these families again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unfork.commands.run.coordinator import Coordinator, Remote
from unfork.commands.run.meetings import MeetingSide
from unfork.commands.run.messages import GOING, IDLE, Counts, Shown, WorkerKnowledge, WorkerReport, WorkerTask, total
from unfork.engine.protocols.frontier import Frontier
from unfork.failures import InternalFailure

FIRST = 100_000
"""Work of the first process until its helpers begin."""
SHORTEST, LONGEST = 50_000, 4_000_000
"""Work between two meetings, at least and at most: 0.05 and 4 s."""
GROWTH = 8
"""A round is an eighth of the work since the team began."""
APART = 4
"""States move when one process has four times as many as another."""
GONE = "a process ended"


@dataclass(slots=True)
class TeamMember:
    """A member as the leader knows it."""

    name: str
    waiting: int = 0
    families: list[bytes] = field(default_factory=list)
    """The families that it was given since it was last idle."""
    counts: Counts | None = None
    settled: Counts | None = None
    """Its counts when it was last idle: no other process counts that again."""
    work: int = 0
    unwritten: int = 0
    given: int = 0
    """States that came to it from others, over the run."""
    ended: str | None = None
    """Why it has dropped out."""

    def as_dict(self) -> dict[str, Any]:
        return {"work": self.work, "given": self.given, "stopped_by": None if self.ended == IDLE else self.ended}


class Team:
    """Leads the processes that help this one to explore a strategy (Plan). ``begin`` starts them after ``first`` work.

    ``side`` is this process's own exploration, and ``show`` takes the tests of the others.
    """

    def __init__(
        self, side: MeetingSide, begin: Callable[[], Sequence[Remote]], first: int, show: Callable[[Shown], Any]
    ) -> None:
        self._side = side
        self._begin = begin
        self._first = first
        self._show = show
        self._rested = 0
        """The work of rounds in which this process had no states."""
        self._members: dict[str, TeamMember] = {}
        self._pool: list[bytes] = []
        """Families of members that are gone."""
        self._news: list[tuple[str | None, WorkerKnowledge]] = []
        self._looked: str | None = None
        self.failures: list[InternalFailure] = []

    @property
    def members(self) -> Sequence[TeamMember]:
        return list(self._members.values())

    def elapsed(self) -> int:
        """The work that each process of the team could have done so far."""
        return self._side.work() + self._rested

    def work(self) -> int:
        return self._side.work() + sum(member.work for member in self.members)

    @property
    def unwritten(self) -> int:
        return sum(member.unwritten for member in self.members)

    def as_dicts(self) -> list[dict[str, Any]]:
        own = {"work": self._side.work(), "given": 0, "stopped_by": None}
        return [own, *[member.as_dict() for member in self.members]]

    def counts(self, own: Counts) -> Counts:
        return total([own, *[self._counts_of(member, counts) for member in self.members if (counts := member.counts)]])

    def settled(self, own: Counts) -> Counts:
        """The counts of all, without those of families that are ``away``: these are explored again."""
        return total([own, *[self._counts_of(member, counts) for member in self.members if (counts := member.settled)]])

    def away(self) -> list[bytes]:
        return [*self._pool, *[family for member in self._present() for family in member.families]]

    def wait(self, frontier: Frontier, lead: Coordinator) -> str | None:
        """Wait, with no states here, until some come or nothing waits anywhere. Returns the limit that ended it."""
        while lead.has_begun and not frontier:
            if (reason := lead.stop(frontier) or lead.meet(frontier)) is not None:
                return reason
            self._rested += max(lead.due - self.elapsed(), 0)
            if not (self._pool or any(member.waiting for member in self._present())):
                return self._close(lead, frontier)
            lead.start(frontier)
        return None

    # --- the plan of the coordinator

    def is_due(self, due: int) -> bool:
        return self.elapsed() >= due

    def begin(self) -> Sequence[Remote]:
        if self._members:
            return ()
        workers = self._begin()
        self._members = {worker.name: TeamMember(worker.name) for worker in workers}
        return workers

    def watch(self, lead: Coordinator) -> None:
        """Nothing: each process watches its own memory."""

    def round(self, frontier: Frontier, lead: Coordinator) -> tuple[Mapping[str, WorkerTask], int]:
        coming, news, elapsed = self._share(frontier, lead), self._hear_all(), self.elapsed()
        quota = min(max((elapsed - self._first) // GROWTH, SHORTEST), LONGEST)
        tasks = {name: WorkerTask(quota, _of_others(news, name), tuple(coming[name])) for name in lead.workers}
        return tasks, elapsed + quota

    def take(self, name: str, report: WorkerReport) -> bool:
        member = self._members[name]
        member.counts, member.work, member.waiting = report.counts, report.work, report.waiting
        member.unwritten = report.unwritten
        for shown in report.shown:
            self._show(shown)
        if report.failure is not None:
            self.failures.append(report.failure)
        self._news.append((name, report.known))
        self._looked = self._looked or report.known.looked
        if report.status == IDLE:
            member.families, member.settled = [], report.counts
        elif report.status != GOING:
            member.ended = report.status or IDLE
        return True

    def lose(self, name: str, reason: str) -> None:
        """Let others explore its families again. What it had explored when it was last idle stays explored."""
        member = self._members[name]
        member.ended, member.waiting = GONE, 0
        member.counts = member.settled
        self._pool += member.families
        member.families = []

    def over(self, reason: str | None) -> str | None:
        return reason or next((member.ended for member in self.members if member.ended not in (None, IDLE, GONE)), None)

    def conclude(self, reason: str | None) -> str | None:
        for member in self._present():
            member.ended = reason or IDLE
        return reason

    # --- what is shared

    def _present(self) -> list[TeamMember]:
        return [member for member in self.members if member.ended is None]

    def _counts_of(self, member: TeamMember, counts: Counts) -> Counts:
        """The counts of a member. If addresses were looked at, the covers of one that is gone count as doubtful."""
        prunes = counts.prunes
        if member.ended != GONE or self._looked is None or not prunes.hits:
            return counts
        return replace(counts, prunes=replace(prunes, under=prunes.hits, under_because=self._looked))

    def _hear_all(self) -> list[tuple[str | None, WorkerKnowledge]]:
        """The news since the last round and the members they are from; this process takes them over."""
        own = self._side.known()
        self._looked = self._looked or own.looked
        news, self._news = [*self._news, (None, own)], []
        for name, known in news:
            if name is not None:
                self._side.hear(known)
        return news

    def _share(self, frontier: Frontier, lead: Coordinator) -> dict[str, list[bytes]]:
        """Move families from members with many states to members with few. Returns the families for each member."""
        coming: dict[str, list[bytes]] = {name: [] for name in lead.workers}
        for family in self._pool:
            self._side.take(family)
        self._pool = []
        for _ in self._members:
            sizes: list[tuple[int, TeamMember | None]] = [(len(frontier), None)]
            sizes += [(member.waiting, member) for member in self._present()]
            few, taker = min(sizes, key=lambda size: size[0])
            many, giver = max(sizes, key=lambda size: size[0])
            if many < 2 or few * APART > many:
                break
            given = self._take_family(giver, (many - few) // 2, lead)
            if given is None:
                continue
            if taker is None:
                self._side.take(given)
            else:
                coming[taker.name].append(given)
                taker.families.append(given)
                taker.given += (many - few) // 2
                taker.waiting += (many - few) // 2
        return coming

    def _take_family(self, giver: TeamMember | None, count: int, lead: Coordinator) -> bytes | None:
        """A family of ``giver`` (None: this process); None if it is gone."""
        if giver is None:
            return self._side.give(count)
        family = lead.ask(giver.name, count)
        if family is not None:
            giver.waiting -= count
        return family

    def _close(self, lead: Coordinator, frontier: Frontier) -> str | None:
        news = self._hear_all()
        lead.say({name: WorkerTask(0, _of_others(news, name), is_last=True) for name in lead.workers})
        return lead.meet(frontier)


def _of_others(news: Sequence[tuple[str | None, WorkerKnowledge]], name: str) -> tuple[WorkerKnowledge, ...]:
    return tuple([known for source, known in news if source != name])
