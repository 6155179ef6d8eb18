"""Shares of time by success: what finds more edges and errors with its work gets more of the next round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


class FadingSuccess:
    """The edges and errors that each party found first, and its work; both count half as much after each round.

    Each party is granted one success more, for as much work as all have done (as in Laplace's rule of succession), so
    that little success proves little.
    """

    def __init__(self) -> None:
        self._work: dict[str, float] = {}
        self._success: dict[str, tuple[float, float]] = {}

    def note(self, round_: Mapping[str, tuple[int, int, float]]) -> None:
        """Note the new edges, the new errors and the work of each party in a round; others have dropped out."""
        before = {name: self._success.get(name, (0.0, 0.0)) for name in round_}
        self._work = {name: self._work.get(name, 0.0) / 2 + work for name, (_, _, work) in round_.items()}
        self._success = {
            name: (before[name][0] / 2 + edges, before[name][1] / 2 + errors)
            for name, (edges, errors, _) in round_.items()
        }

    def all_work(self) -> float:
        return sum(self._work.values())

    def rates(self) -> dict[str, tuple[float, ...]]:
        """The rates of success per work of each party, for each of the two kinds that any party has had."""
        return {name: tuple(self._rates(name)) for name in self._success}

    def _rates(self, name: str) -> Iterator[float]:
        for kind in range(2):
            if any(success[kind] for success in self._success.values()):
                yield (1.0 + self._success[name][kind]) / (self.all_work() + self._work[name])


def shares(rates: Mapping[str, tuple[float, ...]], least: float, most: float) -> dict[str, float]:
    """The part of each party in the sum of rates, averaged over the kinds; equal parts if all rates are 0."""
    totals = [sum(kind) for kind in zip(*rates.values(), strict=True)]
    found = {}
    for name, rate in rates.items():
        parts = [mine / total for mine, total in zip(rate, totals, strict=True) if total > 0]
        share = sum(parts) / len(parts) if parts else 1 / len(rates)
        found[name] = min(max(share, least), most)
    return found
