"""Joins that forget (Scheurer16, Def. 11): differing numbers become one fresh value that is as a domain says."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.execute.step import InputSource
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.partition import parts_of
from unfork.logic.path import PathCondition, Slice
from unfork.logic.term import Term, Value
from unfork.merge.choice import Unjoinable
from unfork.merge.contract import Refused
from unfork.merge.diagrams import Diagrams
from unfork.merge.frames import Frames
from unfork.merge.lattices import Domain, is_unwritten, may_be_pointer
from unfork.merge.paths import guarded, joined_path, residuals
from unfork.merge.states import Origins, joined_state, said_by_both
from unfork.state.state import State

FORGOTTEN = "\0forgotten#"
"""Names of what stands for forgotten numbers begin so; no name that a program gives has a zero byte."""


class Forgetting:
    """The choice of an abstract join.

    The guard chooses pointers, what depends on unwritten bytes, single bits and what the engine keeps.
    """

    def __init__(
        self,
        first: Value,
        chain: Chain,
        paths: tuple[PathCondition, PathCondition],
        domains: Sequence[Domain],
        origins: Origins,
    ) -> None:
        self.first = first
        self.made: dict[tuple[Value, Value, int], tuple[Term, Value]] = {}
        """The fresh value of each pair that differs, with the condition on it: equal pairs stay equal."""
        self._chain = chain
        self._paths = paths
        self._domains = domains
        self._origins = origins

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """One ite with the guard of the join."""
        return build.ite(self.first, a, b, width)

    def value(self, a: Value, b: Value, width: int) -> Value:
        """A fresh value under the conditions of all domains."""
        if a is b or (isinstance(a, int) and a == b):
            return a
        if width == 1 or (width == 64 and (may_be_pointer(a) or may_be_pointer(b))):
            return self.exact(a, b, width)
        if is_unwritten(a) or is_unwritten(b):
            return self.exact(a, b, width)
        found = self.made.get((a, b, width))
        if found is None:
            fresh = self._origins.number(FORGOTTEN, width)
            sides = ((self._paths[0], a), (self._paths[1], b))
            conditions = [domain.covering(self._chain, sides, width, fresh) for domain in self._domains]
            found = self.made[a, b, width] = (fresh, build.conjunction(conditions))
        return found[0]


class AbstractJoin:
    """Joins by abstract domains; with none, differing numbers are forgotten altogether (havoc).

    The joined state stands for more than both (``over``): it may prove, but what it fails is an alarm.
    """

    def __init__(
        self,
        source: InputSource,
        chain: Chain,
        origins: Origins,
        frames: Frames,
        domains: Sequence[tuple[Domain, Domain]],
    ) -> None:
        self._source = source
        self._chain = chain
        self._origins = origins
        self._frames = frames
        self._domains = tuple(domains)
        self._diagrams = Diagrams()

    def join(self, a: State, b: State) -> State | Refused:
        """One state that stands for at least the concrete states of both."""
        try:
            self._frames.check_place(a, b)
            rest = residuals(a.path, b.path)
            said = said_by_both(self._diagrams, self._chain, a.path, rest)
            origin = None
            guard: Value
            if said is None:
                guard = origin = self._origins.fresh()
                conditions = guarded(rest, guard)
            else:
                guard, conditions = said
            is_widening = self._is_at_loop_head(a)
            domains = [widened if is_widening else plain for plain, widened in self._domains]
            choice = Forgetting(guard, self._chain, (a.path, b.path), domains, self._origins)
            path = joined_path(a.path, rest, conditions, origin)
            joined = joined_state(self._frames, self._source, (a, b), choice, path)
        except Unjoinable as reason:
            return Refused(reason.reason)
        joined.path = _knowing(joined.path, choice, Model(a.path.model().values))
        joined.over = joined.over or bool(choice.made)
        return joined

    def _is_at_loop_head(self, state: State) -> bool:
        frame = state.frames[-1]
        return frame.index == 0 and frame.block in self._frames.facts(frame.function).liveness.flow.loop_heads


def _knowing(path: PathCondition, choice: Forgetting, model: Model) -> PathCondition:
    """The path with what the domains say of the fresh values; ``model`` is the first side's, whose values they take."""
    for (a, _, _), (fresh, condition) in choice.made.items():
        if isinstance(condition, Term):
            parts = parts_of(condition)
            known = Model({fresh: evaluate(a, model)})
            path = path.extended(parts, [Slice(tuple(parts), frozenset(parts), frozenset((fresh,)), known)])
    return path
