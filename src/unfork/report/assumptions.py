"""What a run took for granted about its inputs: the assumptions of all the paths it followed."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.contracts.events import Began, Bounded, Covered, Dropped, Ended, Event, Joined, Left
from unfork.state.state import State

ALONE = "volatile variables are changed by nobody but the program"


class Assumptions:
    """Observes a run and collects what its states assume about the heap that a function was given, and the world."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._assumed = set(given)

    def tell(self, event: Event) -> None:
        """Collect the assumptions of states that the run begins with, joins or has finished with."""
        match event:
            case Ended() | Bounded() | Covered() | Dropped() | Left():
                self._take(event.state)
            case Began(states) | Joined(states, _):
                for state in states:
                    self._take(state)

    def _take(self, state: State) -> None:
        self._assumed |= state.lazy.assumptions
        if state.volatile_reads:
            self._assumed.add(ALONE)

    def restore(self, words: Iterable[str]) -> None:
        """Know of what another run of the program has assumed."""
        self._assumed.update(words)

    def words(self) -> list[str]:
        """Each assumption once, in order."""
        return sorted(self._assumed)
