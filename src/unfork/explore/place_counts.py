"""What exploring has cost by place: where states multiplied, which queries were asked, and which joins were refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from unfork.contracts.events import Event, Forked
from unfork.contracts.outcome import Running
from unfork.contracts.whereabouts import Spot, Whereabouts
from unfork.state.state import State


@dataclass(slots=True)
class PlaceCounts:
    """Counts by place. Their sums are the forks of the tally, the queries of the solver's statistics, and the refusals
    of merging.
    """

    queries: Counter[Spot] = field(default_factory=Counter)
    microseconds: Counter[Spot] = field(default_factory=Counter)
    """What the queries took."""
    refused: Counter[tuple[Spot, str]] = field(default_factory=Counter)
    """Joins by place and reason."""
    forks: Counter[tuple[Spot, Spot]] = field(default_factory=Counter)
    """By place and the innermost loop around it."""
    born: Counter[tuple[Spot, Spot]] = field(default_factory=Counter)
    """States that there were more after a fork than before; a side that ends at once is none."""
    multiplicity: Counter[tuple[Spot, Spot]] = field(default_factory=Counter)
    """The sum of the paths that the states stood for that forked."""


class Placing:
    """Counts by place what it is told."""

    def __init__(self, counts: PlaceCounts, whereabouts: Whereabouts) -> None:
        self.counts = counts
        self._whereabouts = whereabouts

    def asked(self, seconds: float) -> None:
        """The solver was asked."""
        spot = self._whereabouts.running()
        self.counts.queries[spot] += 1
        self.counts.microseconds[spot] += round(seconds * 1e6)

    def refused(self, state: State, reason: str, times: int) -> None:
        """``state`` was not joined where it rests."""
        self.counts.refused[self._whereabouts.yielding(state), reason] += times

    def tell(self, event: Event) -> None:
        """Count a fork."""
        if isinstance(event, Forked):
            place, counts = (event.at, event.loop), self.counts
            running = len([outcome for outcome in event.outcomes if isinstance(outcome, Running)])
            counts.forks[place] += 1
            counts.born[place] += max(running - 1, 0)
            counts.multiplicity[place] += event.outcomes[0].state.multiplicity
