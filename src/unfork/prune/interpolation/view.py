"""A state as many interpolants look at it: what was read once is not read again."""

from __future__ import annotations

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.term import Term
from unfork.prune.interpolation.interpolant import Interpolant, Mismatch, read
from unfork.prune.interpolation.sources import Source, based, offset_term
from unfork.state.state import State

_SAME: dict[int, int] = {}


class View:
    """What a state holds, with objects under their own names, in the one model that its path carries."""

    __slots__ = ("_bases", "_inputs", "_known", "_met", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._inputs = state.path.model()
        self._known = Model({})
        self._met: dict[Term, int] = {}
        self._bases: dict[Source, int | None] = {}

    def refutes(self, interpolant: Interpolant) -> bool:
        """Whether the state certainly does not meet the interpolant, as far as can be told from its model."""
        bases = self._bases
        for source in interpolant.anchors:
            if source not in bases:
                try:
                    bases[source] = based(read(source, self.state, _SAME))
                except Mismatch:
                    bases[source] = None
            if bases[source] is None:
                return True
            if bases[source] != source.anchor:
                return False  # perhaps under other names
        known, sources, met = self._known, interpolant.sources, self._met
        for condition in interpolant.conditions:
            if condition in met:
                if not met[condition]:
                    return True
                continue
            for symbol in condition.symbols:
                if symbol not in known.values and not self._look(symbol, sources[symbol]):
                    return True
            met[condition] = evaluate(condition, known)
            if not met[condition]:
                return True
        return False

    def _look(self, symbol: Term, source: Source) -> bool:
        try:
            value = read(source, self.state, _SAME)
        except Mismatch:
            return False
        if source.anchor is not None:
            value = offset_term(value, source.anchor)
        self._known.values[symbol] = evaluate(value, self._inputs)
        return True
