"""How many of the newest states stay as they are follows how many stowed ones are taken out again."""

from __future__ import annotations

from typing import Any, cast

from unfork.engine.explore import stowing
from unfork.engine.explore.stowing import Stowing
from unfork.engine.state.state import State

MANY = 4_000


class FakeStowable:
    """Knows whether it is stowed."""

    def __init__(self) -> None:
        self.is_stowed = False

    def stow(self, *around: object) -> None:
        self.is_stowed = True

    def kept(self) -> Any:
        return self.is_stowed or None


class Frontier:
    """Waiting states, of which the one that came ``age`` states before the latest is taken out each time."""

    def __init__(self, age: int) -> None:
        self._age = age
        self._stowing = Stowing()
        self._waiting: dict[State, None] = {}
        self._all: list[State] = []

    def add(self, count: int) -> int:
        """So many more states come. Returns how many stowed ones were taken out."""
        taken = 0
        for _ in range(count):
            state = cast(State, FakeStowable())
            self._all.append(state)
            self._waiting[state] = None
            self._stowing.add(state, self._waiting)
            if len(self._all) > self._age:
                earlier = self._all[-1 - self._age]
                del self._waiting[earlier]
                self._stowing.take(earlier)
                taken += earlier.kept() is not None
        return taken

    def as_they_are(self) -> int:
        """The waiting states that are not stowed."""
        return sum(state.kept() is None for state in self._waiting)


def test_states_that_wait_a_few_picks_are_soon_not_stowed() -> None:
    frontier = Frontier(age=100)
    assert 0 < frontier.add(MANY) < MANY / 10
    assert frontier.add(MANY) == 0


def test_states_that_wait_for_long_are_stowed() -> None:
    frontier = Frontier(age=2 * MANY)
    assert frontier.add(MANY) == 0
    assert frontier.as_they_are() == stowing._FEWEST


def test_no_more_than_some_states_stay_as_they_are() -> None:
    frontier = Frontier(age=1_000)
    frontier.add(3 * MANY)
    assert frontier.as_they_are() == stowing._MOST


def test_fewer_stay_as_they_are_when_states_wait_longer_again() -> None:
    frontier = Frontier(age=100)
    frontier.add(MANY)
    frontier._age = 10 * MANY
    frontier.add(MANY)
    assert frontier.as_they_are() == stowing._FEWEST
