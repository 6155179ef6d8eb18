"""A team: several processes that explore one strategy together, led by the first of them.

They work for a quota each, then meet: what they have shown and found out is put together in their order, and families
of states go from those for whom many wait to those for whom few do. Quotas count work, not time, so that a team comes
to the same on any machine. The leader keeps every family that it has given to a member until nothing waits for that
one: if it dies, others explore these families again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.failures import Failure
from unfork.later import Later
from unfork.race.messages import ELSEWHERE, GOING, Counts, Shown
from unfork.race.sums import total
from unfork.race.team_messages import IDLE, Give, Known, Task, Word

if TYPE_CHECKING:
    from unfork.race import gathering
    from unfork.race.member import Side
    from unfork.race.process import Process
else:
    gathering = Later("unfork.race.gathering")

SHORTEST, LONGEST = 50_000, 4_000_000
"""Work between two meetings, about so many microseconds, at least and at most."""
GROWTH = 8
"""A round is one in so many parts of the work since the team began."""
APART = 4
"""States move when for one process so many times as many wait as for another one."""
GONE = "a process ended"


@dataclass(slots=True)
class Place:
    """A member as its leader knows it."""

    process: Process
    waiting: int = 0
    families: list[bytes] = field(default_factory=list)
    """What it was given since it was idle last."""
    counts: Counts | None = None
    settled: Counts | None = None
    """What it had counted when it was idle last: no other process counts that."""
    work: int = 0
    given: int = 0
    """States that came to it from others, over the run."""
    ended: str | None = None
    """Why it takes no part any more."""

    def as_dict(self) -> dict[str, Any]:
        """The entry of summary.json."""
        return {"work": self.work, "given": self.given, "stopped_by": None if self.ended == IDLE else self.ended}


class Team:
    """A stopper for the leader, ``behind`` the one that it would have alone; it leads the members from round to round.

    ``begin`` starts the members, if there are any, after ``first`` work of the leader. ``side`` is its own exploration,
    and ``show`` takes what a member has shown.
    """

    def __init__(
        self, side: Side, begin: Callable[[], Sequence[Process]], first: int, show: Callable[[Shown], Any]
    ) -> None:
        self._stopper: Stopper
        self._side = side
        self._begin = begin
        self._first = self._due = first
        self._show = show
        self._rested = 0
        """Work that the leader would have done, had anything waited for it."""
        self._has_begun = False
        self._places: list[Place] = []
        self._pool: list[bytes] = []
        """Families of a member that is gone."""
        self._news: list[tuple[Place | None, Known]] = []
        self._looked: str | None = None
        self.failures: list[Failure] = []

    def behind(self, stopper: Stopper) -> Team:
        """This one, which asks ``stopper`` first: that may be the one of a race."""
        self._stopper = stopper
        return self

    @property
    def members(self) -> Sequence[Place]:
        """All that have begun."""
        return self._places

    def elapsed(self) -> int:
        """The work that each process of the team could have done so far."""
        return self._side.work() + self._rested

    def work(self) -> int:
        """What all have done."""
        return self._side.work() + sum(place.work for place in self._places)

    def as_dicts(self) -> list[dict[str, Any]]:
        """What each process came to, the leader first, for summary.json."""
        own = {"work": self._side.work(), "given": 0, "stopped_by": None}
        return [own, *[place.as_dict() for place in self._places]]

    def counts(self, own: Counts) -> Counts:
        """What all have counted together."""
        return total([own, *[self._trusted(place, counts) for place in self._places if (counts := place.counts)]])

    def settled(self, own: Counts) -> Counts:
        """What all have counted together, but for what ``away`` has again."""
        return total([own, *[self._trusted(place, counts) for place in self._places if (counts := place.settled)]])

    def away(self) -> list[bytes]:
        """Families of which others may not have explored everything."""
        return [*self._pool, *[family for place in self._present() for family in place.families]]

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends, or None; at the end of a round, everybody meets first."""
        if (reason := self._stopper.look(frontier)) is not None:
            return reason
        if self.elapsed() < self._due:
            return None
        if not self._has_begun:
            self._has_begun = True
            self._places = [Place(process) for process in self._begin()]
        elif (reason := self._meet(frontier)) is not None:
            return reason
        self._start(frontier)
        return None

    def wait(self, frontier: Frontier) -> str | None:
        """Nothing waits for the leader any more: until there is something, or nothing anywhere (None)."""
        while self._has_begun and not frontier:
            if (reason := self._stopper.look(frontier) or self._meet(frontier)) is not None:
                return reason
            self._rested += max(self._due - self.elapsed(), 0)
            if not self._is_left(frontier):
                return self._close(frontier)
            self._start(frontier)
        return None

    def end(self, reason: str | None) -> str | None:
        """The exploration has ended. If ``reason`` is a limit, take what the members have found since they met last.

        Returns the reason.
        """
        try:
            if reason is not None and reason != ELSEWHERE:
                self._take_all(gathering.last_words([place.process for place in self._present()], reason))
            return reason
        finally:
            for place in self._present():
                place.process.end()
                place.ended = reason or IDLE

    # --- a meeting

    def _present(self) -> list[Place]:
        return [place for place in self._places if place.ended is None]

    def _meet(self, frontier: Frontier) -> str | None:
        """Wait for all and put together what they say. Returns why the exploration ends, or None."""
        if (reason := self._gather(lambda: self._stopper.look(frontier))) is not None:
            return reason
        return next((place.ended for place in self._places if place.ended not in (None, GONE)), None)

    def _gather(self, stop: Callable[[], str | None]) -> str | None:
        """Take what the members say, in their order; what ``stop`` says if they have not all said something."""
        words, reason = gathering.gathered([place.process for place in self._present()], stop)
        self._take_all(words)
        return reason

    def _take_all(self, words: Mapping[str, Word | None]) -> None:
        for place in self._present():
            if place.process.name in words:
                self._take(place, words[place.process.name])

    def _take(self, place: Place, word: Word | None) -> None:
        """Put in what a member says. None: it is gone, or its message was broken."""
        if word is None:
            self._lose(place)
            return
        report = word.report
        place.counts, place.work, place.waiting = report.counts, report.work, word.waiting
        for shown in report.shown:
            self._show(shown)
        if report.failure is not None:
            self.failures.append(report.failure)
        self._news.append((place, word.known))
        self._looked = self._looked or word.known.looked
        if report.status == IDLE:
            place.families, place.settled = [], report.counts
        elif report.status != GOING:
            place.ended = report.status or IDLE
            place.process.end()

    def _lose(self, place: Place) -> None:
        """A member is gone. What it had, others explore again; what it had ended with before stays explored."""
        place.process.end()
        place.ended, place.waiting = GONE, 0
        place.counts = place.settled
        self._pool += place.families
        place.families = []

    def _trusted(self, place: Place, counts: Counts) -> Counts:
        """The counts of a member. One that is gone cannot say which covers an address that was looked at spoils."""
        prunes = counts.prunes
        if place.ended != GONE or self._looked is None or not prunes.hits:
            return counts
        return replace(counts, prunes=replace(prunes, under=prunes.hits, under_because=self._looked))

    def _is_left(self, frontier: Frontier) -> bool:
        """Whether anything is still to be explored."""
        return bool(frontier or self._pool or any(place.waiting for place in self._present()))

    def _start(self, frontier: Frontier) -> None:
        """Begin a round."""
        coming: dict[int, list[bytes]] = {id(place): [] for place in self._present()}
        self._share(frontier, coming)
        news = self._heard()
        elapsed = self.elapsed()
        quota = min(max((elapsed - self._first) // GROWTH, SHORTEST), LONGEST)
        for place in self._present():
            heard = tuple([known for source, known in news if source is not place])
            self._send(place, Task(quota, tuple(coming[id(place)]), heard))
        self._due = elapsed + quota

    def _heard(self) -> list[tuple[Place | None, Known]]:
        """What was found out since the last round, and by whom; the leader knows it from now on."""
        own = self._side.known()
        self._looked = self._looked or own.looked
        news, self._news = [*self._news, (None, own)], []
        for place, known in news:
            if place is not None:
                self._side.hear(known)
        return news

    def _share(self, frontier: Frontier, coming: dict[int, list[bytes]]) -> None:
        """Let families go from those for whom many states wait to those for whom few do."""
        for family in self._pool:
            self._side.take(family)
        self._pool = []
        for _ in self._places:
            sizes: list[tuple[int, Place | None]] = [(len(frontier), None)]
            sizes += [(place.waiting, place) for place in self._present()]
            few, taker = min(sizes, key=lambda size: size[0])
            many, giver = max(sizes, key=lambda size: size[0])
            if many < 2 or few * APART > many:
                return
            given = self._given(giver, (many - few) // 2)
            if given is None:
                continue
            if taker is None:
                self._side.take(given)
            else:
                coming[id(taker)].append(given)
                taker.families.append(given)
                taker.given += (many - few) // 2
                taker.waiting += (many - few) // 2

    def _given(self, giver: Place | None, count: int) -> bytes | None:
        """A family of ``giver``; None if that is gone."""
        if giver is None:
            return self._side.give(count)
        self._send(giver, Give(count))
        if giver.ended is not None or (family := gathering.answer_of(giver.process)) is None:
            self._lose(giver)
            return None
        giver.waiting -= count
        return bytes(family)

    def _send(self, place: Place, message: Task | Give) -> None:
        try:
            place.process.start(message)
        except OSError:
            self._lose(place)

    def _close(self, frontier: Frontier) -> str | None:
        """All is explored: everybody hears what was found out last, and says what it came to in the end."""
        news = self._heard()
        for place in self._present():
            heard = tuple([known for source, known in news if source is not place])
            self._send(place, Task(0, (), heard, is_last=True))
        reason = self._gather(lambda: self._stopper.look(frontier))
        return reason or next((place.ended for place in self._places if place.ended not in (IDLE, GONE)), None)
