"""Which state covers which, under which names, and on what conditions: rows of run.db."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.contracts.pruner import Evidence
from unfork.later import Later
from unfork.prune.contract import StateCover
from unfork.prune.interpolation.wording import Wording
from unfork.state.state import State

if TYPE_CHECKING:
    from unfork.prune.interpolation import learn
    from unfork.prune.interpolation.interpolant import Interpolant
    from unfork.prune.interpolation.learn import LearntCover
else:
    learn = Later("unfork.prune.interpolation.learn")

CoverRow = tuple[int, str, int | None, str, int | None]
"""The covered state, the reason, the state that covers it, renamed objects, and the number of what was learnt."""
KeptRow = tuple[int, int, str]
"""The number of what was learnt, the state where it was learnt, and one of its conditions."""


class Covers:
    """Makes the rows about covers. What was learnt gets rows for its conditions when it first covers a state."""

    def __init__(self) -> None:
        self._wording = Wording()
        self._numbers: dict[int, tuple[int, Interpolant]] = {}
        """By identity, together with the interpolant itself, so that no other object gets the same identity."""

    def rows(self, state: State, cover: Evidence) -> tuple[CoverRow, list[KeptRow]]:
        """The rows for ``state``, which is not explored because of ``cover``."""
        match cover:
            case StateCover():
                return (state.node, str(cover), cover.coverer, _renamed(dict(cover.objects)), None), []
            case learn.LearntCover():
                number, kept = self._learnt(state, cover)
                back = {here: there for there, here in cover.names.items()}
                coverer = None if cover.coverer == learn.ELSEWHERE else cover.coverer
                return (state.node, str(cover), coverer, _renamed(back), number), kept
            case _:
                return (state.node, str(cover), None, "", None), []

    def _learnt(self, state: State, cover: LearntCover) -> tuple[int, list[KeptRow]]:
        known = self._numbers.get(id(cover.learnt))
        if known is not None:
            return known[0], []
        number = len(self._numbers)
        self._numbers[id(cover.learnt)] = (number, cover.learnt)
        conditions = self._wording.conditions(cover.learnt, cover.names, state)
        return number, [(number, cover.coverer, condition) for condition in conditions]


def _renamed(objects: dict[int, int]) -> str:
    """The objects of the covered state that have another name in the covering state."""
    return ", ".join(f"{here} for {there}" for here, there in sorted(objects.items()) if here != there)
