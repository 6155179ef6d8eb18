"""Joins that forget (Scheurer16, Def. 11): numbers that differ become one fresh value, as domains allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.protocols.join import Refusal
from unfork.engine.state.flat_layout import may_be_pointer
from unfork.engine.state.inputs import is_unwritten
from unfork.engine.state.state import State
from unfork.engine.step.conduct import InputSource
from unfork.logic.solve.chain import Chain
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expressions import Integral
from unfork.reduce.invariants.havoc import HAVOC, assume
from unfork.reduce.merge.abstraction_rules import NumberRule, PredicateRule, Rule, fits
from unfork.reduce.merge.diagrams import Diagrams
from unfork.reduce.merge.domains import TOP, Element, Predicate
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.scope import Holder, Pair, Variables
from unfork.reduce.merge.states import Origins, check_joinable, joined_state, unite_paths
from unfork.reduce.merge.value_choice import Unjoinable


@dataclass(frozen=True, slots=True)
class LatticeClaim:
    """The claim of a predicate lattice's element about a value of ``type`` in the frame at ``depth``."""

    element: Element
    predicates: Sequence[Predicate]
    type: Integral
    depth: int

    def of(self, variables: Variables, state: State, value: Value) -> Value:
        """The defining axiom for ``value`` in ``state`` (1 bit)."""
        here = variables.here(state, self.depth)
        return self.element.axiom([predicate.at(here, value, self.type) for predicate in self.predicates])


@dataclass(frozen=True, slots=True)
class ForgottenValue:
    """The fresh value for a differing pair, with the claims of domains (``condition``) and predicates."""

    fresh: Term
    condition: Value
    claims: tuple[LatticeClaim, ...]


class Forgetting:
    """The choice of an abstract join: numbers become fresh values.

    The guard chooses, as in an exact join, between pointers, single bits, values that depend on unwritten bytes, the
    engine's own values, and values without a rule.
    """

    def __init__(
        self,
        first: Value,
        chain: Chain,
        states: tuple[State, State],
        rules: Sequence[Rule],
        variables: Variables,
        origins: Origins,
        *,
        is_widening: bool,
    ) -> None:
        self.first = first
        self.forgotten: dict[Pair, ForgottenValue] = {}
        """By pair, so that equal pairs stay equal."""
        self._chain = chain
        self._states = states
        self._paths = states[0].path, states[1].path
        self._models = states[0].path.model(), states[1].path.model()
        self._rules = rules
        self._variables = variables
        self._origins = origins
        self._is_widening = is_widening
        self._exact: set[Pair] = set()
        asks_for_types = any(rule.about is not None or isinstance(rule, PredicateRule) for rule in rules)
        self._holders: Mapping[Pair, list[Holder]] = variables.holders(*states) if asks_for_types else {}

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """One ite with the guard of the join."""
        return build.ite(self.first, a, b, width)

    def value(self, a: Value, b: Value, width: int) -> Value:
        """The common value if both sides are proved equal; else a fresh value, constrained by every rule that fits."""
        if a is b or (isinstance(a, int) and a == b):
            return a
        if is_to_be_chosen(a, b, width):
            return self.exact(a, b, width)
        pair = (a, b, width)
        forgotten = self.forgotten.get(pair)
        if forgotten is None and pair not in self._exact:
            same = self._proved_equal(a, b, width)
            if same is not None:
                return same
            forgotten = self._forget(pair)
            if forgotten is None:
                self._exact.add(pair)
            else:
                self.forgotten[pair] = forgotten
        return self.exact(a, b, width) if forgotten is None else forgotten.fresh

    def _proved_equal(self, a: Value, b: Value, width: int) -> Value | None:
        """Condition (star) of Scheurer16, Def. 9: where one state proves that both are equal, the other's value."""
        for path, model, other in zip(self._paths, self._models, (b, a), strict=True):
            if evaluate(a, model) == evaluate(b, model) and self._chain.must(path, build.eq(a, b, width)):
                return other
        return None

    def _forget(self, pair: Pair) -> ForgottenValue | None:
        """A fresh value for the pair; None if no rule fits."""
        a, b, width = pair
        holders: Sequence[Holder | None] = self._holders.get(pair, (None,))
        fresh: Term | None = None
        conditions: list[Value] = []
        claims: list[LatticeClaim] = []
        for rule in self._rules:
            fitting = [holder for holder in holders if fits(rule.about, holder)]
            if isinstance(rule, PredicateRule):
                claims += [claim for holder in fitting if (claim := self._element(rule, holder, pair)) is not None]
            elif fitting:
                fresh = fresh or self._origins.number(HAVOC, width)
                conditions.append(self._number(rule, (a, b), width, fresh))
        if fresh is None and not claims:
            return None
        fresh = fresh or self._origins.number(HAVOC, width)
        return ForgottenValue(fresh, build.conjunction(conditions), tuple(claims))

    def _number(self, rule: NumberRule, values: tuple[Value, Value], width: int, fresh: Term) -> Value:
        domain = rule.widened if self._is_widening else rule.domain
        first, second = zip(self._paths, values, strict=True)
        return domain.covering(self._chain, (first, second), width, fresh)

    def _element(self, rule: PredicateRule, holder: Holder | None, pair: Pair) -> LatticeClaim | None:
        """The least element that holds in both states, over predicates with a value here; None if there are none."""
        kind = Integral(pair[2], True) if holder is None else holder.type
        depth = len(self._states[0].frames) - 1 if holder is None else holder.depth
        scopes = [self._variables.here(state, depth) for state in self._states]
        fitting, sides = [], []
        for predicate in rule.predicates:
            if not fits(predicate.about, holder):
                continue
            conditions = [predicate.at(here, value, kind) for here, value in zip(scopes, pair[:2], strict=True)]
            if conditions[0] is not None and conditions[1] is not None:
                fitting.append(predicate)
                sides.append(((self._paths[0], conditions[0]), (self._paths[1], conditions[1])))
        if not fitting:
            return None
        return LatticeClaim(rule.lattice(self._chain, sides), fitting, kind, depth)


def is_to_be_chosen(a: Value, b: Value, width: int) -> bool:
    """Whether differing values are never forgotten: pointers, single bits, and values that depend on unwritten
    bytes.
    """
    if width == 1 or (width == 64 and (may_be_pointer(a) or may_be_pointer(b))):
        return True
    return is_unwritten(a) or is_unwritten(b)


def constrain(joined: State, conditions: Iterable[Value], firsts: Mapping[Term, Value], first: Model) -> None:
    """Assume the facts about forgotten values; in the path's model these have their values in the first state."""
    values = {**first.values, **joined.path.model().values}
    model = Model({**values, **{term: evaluate(value, first) for term, value in firsts.items()}})
    for condition in conditions:
        if isinstance(condition, Term) and evaluate(condition, model):
            joined.path = assume(joined.path, condition, model)


class AbstractJoin:
    """Joins by abstract domains: of differing numbers, only what the rules name is kept.

    The joined state stands for more than both (``over``): it may prove, but its failures are alarms.
    """

    def __init__(
        self,
        source: InputSource,
        chain: Chain,
        origins: Origins,
        frames: Frames,
        variables: Variables,
        rules: Sequence[Rule],
    ) -> None:
        self._source = source
        self._chain = chain
        self._origins = origins
        self._frames = frames
        self._variables = variables
        self._rules = tuple(rules)
        self._diagrams = Diagrams(chain.effort)

    def join(self, a: State, b: State) -> State | Refusal:
        try:
            check_joinable(self._frames, a, b)
            guard, path = unite_paths(self._diagrams, self._chain, self._origins, (a.path, b.path))
            choice = Forgetting(
                guard,
                self._chain,
                (a, b),
                self._rules,
                self._variables,
                self._origins,
                is_widening=self._is_at_loop_head(a),
            )
            joined = joined_state(self._frames, self._source, (a, b), choice, path)
        except Unjoinable as reason:
            return Refusal(reason.reason)
        firsts = {forgotten.fresh: first for (first, _, _), forgotten in choice.forgotten.items()}
        constrain(joined, self._said(joined, choice), firsts, a.path.model())
        joined.over = joined.over or bool(choice.forgotten)
        return joined

    def _said(self, joined: State, choice: Forgetting) -> Iterator[Value]:
        """The claims about the fresh values."""
        for forgotten in choice.forgotten.values():
            yield forgotten.condition
            for claim in forgotten.claims:
                if claim.element != TOP:
                    yield claim.of(self._variables, joined, forgotten.fresh)

    def _is_at_loop_head(self, state: State) -> bool:
        frame = state.frames[-1]
        return frame.index == 0 and frame.block in self._frames.live.facts(frame.function).flow.loop_heads
