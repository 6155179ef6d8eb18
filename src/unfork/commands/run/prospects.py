"""How much work a strategy may need until its end or its next news, by its course so far."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unfork.commands.run.messages import Standing

TRIED = 350_000
"""Work (0.35 s) before which the course of a strategy tells nothing."""
_UNKNOWN = 16
"""Of a strategy whose course tells nothing, assume that it needs so many times the work of the whole race."""
_LEAST = 2.0**-64
"""A smaller finished share counts as nothing."""
_STEADY = 1.25
"""The factor by which numbers of waiting states may differ and count as the same."""
_BROAD = 8
"""A search is broad if more than one in so many of its forks still waits: depth first, few do."""
_LONG = 8
"""A strategy that has worked so many times as long as until its last news has no more of them in sight.

All were chosen by calculation on the recorded courses of plain, join, learn and match on ten programs of the race.
"""


class Prospects:
    """The courses of strategies: their standings at each meeting.

    ``remaining`` is the least of five estimates.

    - By the finished share of its tree, if that goes on to grow with the power of the work with which it grew while
      the work last doubled: evenly where each path is explored for itself, faster where covers cut whole subtrees.
    - By the states that wait, if ever fewer do.
    - By the states that wait, if many do, paths end and their number grows more slowly than the work: by the parabola
      through the start, half the work and now. The finished share says little there: most work is in small shares.
    - If states meet as often as they part, and no more of them wait than at half the work, twice the work may end it.
      Each time that it does not, this counts a quarter.
    - By its last news: the next ones may take as long as those have been awaited.
    """

    def __init__(self) -> None:
        self._courses: dict[str, list[Standing]] = {}
        self.news: dict[str, int] = {}
        """The work of each strategy when it was last known to be the first to find something."""

    def note(self, standings: Sequence[Standing]) -> None:
        for each in standings:
            course = self._courses.setdefault(each.name, [])
            if course and _first(each) > _first(course[-1]):
                self.news[each.name] = each.work
            if not course or course[-1].work < each.work:
                course.append(each)

    def remaining(self, name: str) -> float:
        """The work that it may still need: more than 0, and finite."""
        course, unknown = self._courses[name], float(_UNKNOWN * self._age())
        if len(course) < 2:
            return unknown
        now = course[-1]
        before = next((each for each in reversed(course) if 2 * each.work <= now.work), course[0])
        early = max([each.progress.waiting for each in course if each.work <= before.work])
        late = max([each.progress.waiting for each in course if each.work > before.work])
        estimates = (
            _by_share(before, now),
            _by_waiting(early, late, now),
            _by_slower_growth(before, now),
            _by_meeting(early, late, now, self._age()),
            _by_news(self.news.get(name, 0), now),
        )
        return max(min(*estimates, unknown), 1.0)

    def _age(self) -> int:
        return sum([course[-1].work for course in self._courses.values()])


def _first(standing: Standing) -> int:
    return standing.edges_first + standing.errors_first


def _by_share(before: Standing, now: Standing) -> float:
    then, finished = before.progress.finished, now.progress.finished
    if not before.work or finished <= max(then, _LEAST):
        return math.inf
    if then < _LEAST:  # nothing to tell a power by
        return now.work * (1 / finished - 1)
    power = math.log(finished / then) / math.log(now.work / before.work)
    if power < 1:  # ever slower, so it takes longer than at this pace
        return (1 - finished) / (finished - then) * (now.work - before.work) / power
    return float(now.work * (finished ** (-1 / power) - 1))


def _by_waiting(early: int, late: int, now: Standing) -> float:
    return now.work * late / (early - late) if _STEADY * late <= early > 0 else math.inf


def _by_slower_growth(before: Standing, now: Standing) -> float:
    then, waiting = before.progress.waiting, now.progress.waiting
    if not before.paths or waiting <= then or waiting * _BROAD < now.progress.forks:
        return math.inf
    part = before.work / now.work
    bend = (then - waiting * part) / (
        part * (1 - part)
    )  # waiting after x times the work: (waiting + bend) x - bend x^2
    return now.work * waiting / bend if bend > 0 else math.inf


def _by_meeting(early: int, late: int, now: Standing, age: int) -> float:
    meets = 2 * now.progress.joins >= now.progress.forks > 0
    if not meets or late > _STEADY * early:
        return math.inf
    return max(now.work, age / 2) * max(now.work / TRIED, 1.0) ** 2


def _by_news(news: int, now: Standing) -> float:
    return max(now.work - news, now.work / (2 * _LONG)) if now.work < _LONG * news else math.inf
