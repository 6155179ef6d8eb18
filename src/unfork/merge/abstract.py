"""Joins that forget (Scheurer16, Def. 11): differing numbers become one fresh value that is as domains say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unfork.contracts.refusal import Refusal
from unfork.execute.input_source import InputSource
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.partition import join, parts_of, split
from unfork.logic.path import PathCondition
from unfork.logic.term import Term, Value
from unfork.merge.diagrams import Diagrams
from unfork.merge.frames import Frames
from unfork.merge.lattices import is_unwritten, may_be_pointer
from unfork.merge.predicates import TOP, Element, Predicate
from unfork.merge.rules import NumberRule, PredicateRule, Rule, fits
from unfork.merge.scope import Holder, Pair, Variables
from unfork.merge.states import Origins, check_joinable, joined_state, united
from unfork.merge.value_choice import Unjoinable
from unfork.program.c_expression import Integral
from unfork.state.state import State

FORGOTTEN = "\0forgotten#"
"""Names of what stands for forgotten numbers begin so; no name that a program gives has a zero byte."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an element of a lattice of predicates says of a value of ``type`` in a frame."""

    element: Element
    predicates: Sequence[Predicate]
    type: Integral
    depth: int

    def of(self, variables: Variables, state: State, value: Value) -> Value:
        """The defining axiom for ``value`` in ``state`` (1 bit)."""
        scope = variables.scope(state, self.depth)
        return self.element.axiom([one.at(scope, value, self.type) for one in self.predicates])


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The fresh value of a pair that differs, with what domains say of it alone, and what predicates do."""

    fresh: Term
    condition: Value
    said: tuple[Said, ...]


class Forgetting:
    """The choice of an abstract join.

    The guard chooses pointers, what depends on unwritten bytes, single bits, what the engine keeps, and values that no
    rule is for.
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
        self.made: dict[Pair, Forgotten] = {}
        """Equal pairs stay equal."""
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
        """What both are where that is proved; else a fresh value under the conditions of all rules that are meant."""
        if a is b or (isinstance(a, int) and a == b):
            return a
        if width == 1 or (width == 64 and (may_be_pointer(a) or may_be_pointer(b))):
            return self.exact(a, b, width)
        if is_unwritten(a) or is_unwritten(b):
            return self.exact(a, b, width)
        pair = (a, b, width)
        found = self.made.get(pair)
        if found is None and pair not in self._exact:
            same = self._proved_equal(a, b, width)
            if same is not None:
                return same
            found = self._forgotten(pair)
            if found is None:
                self._exact.add(pair)
            else:
                self.made[pair] = found
        return self.exact(a, b, width) if found is None else found.fresh

    def _proved_equal(self, a: Value, b: Value, width: int) -> Value | None:
        """Condition (star) of Scheurer16, Def. 9: where a state proves that both are equal, the other's value is it."""
        for path, model, other in zip(self._paths, self._models, (b, a), strict=True):
            if evaluate(a, model) == evaluate(b, model) and self._chain.must(path, build.eq(a, b, width)):
                return other
        return None

    def _forgotten(self, pair: Pair) -> Forgotten | None:
        """None where no rule is meant for the pair."""
        a, b, width = pair
        holders: Sequence[Holder | None] = self._holders.get(pair, (None,))
        fresh: Term | None = None
        conditions: list[Value] = []
        said: list[Said] = []
        for rule in self._rules:
            meant = [holder for holder in holders if fits(rule.about, holder)]
            if isinstance(rule, PredicateRule):
                said += [one for holder in meant if (one := self._element(rule, holder, pair)) is not None]
            elif meant:
                fresh = fresh or self._origins.number(FORGOTTEN, width)
                conditions.append(self._number(rule, (a, b), width, fresh))
        if fresh is None and not said:
            return None
        fresh = fresh or self._origins.number(FORGOTTEN, width)
        return Forgotten(fresh, build.conjunction(conditions), tuple(said))

    def _number(self, rule: NumberRule, values: tuple[Value, Value], width: int, fresh: Term) -> Value:
        domain = rule.widened if self._is_widening else rule.domain
        first, second = zip(self._paths, values, strict=True)
        return domain.covering(self._chain, (first, second), width, fresh)

    def _element(self, rule: PredicateRule, holder: Holder | None, pair: Pair) -> Said | None:
        """The least element for both states, of those predicates that say something here; None if none does."""
        kind = Integral(pair[2], True) if holder is None else holder.type
        depth = len(self._states[0].frames) - 1 if holder is None else holder.depth
        scopes = [self._variables.scope(state, depth) for state in self._states]
        meant, sides = [], []
        for predicate in rule.predicates:
            if not fits(predicate.about, holder):
                continue
            said = [predicate.at(scope, value, kind) for scope, value in zip(scopes, pair[:2], strict=True)]
            if said[0] is not None and said[1] is not None:
                meant.append(predicate)
                sides.append(((self._paths[0], said[0]), (self._paths[1], said[1])))
        if not meant:
            return None
        return Said(rule.lattice(self._chain, sides), meant, kind, depth)


class AbstractJoin:
    """Joins by abstract domains: what each rule says is kept of differing numbers.

    The joined state stands for more than both (``over``): it may prove, but what it fails is an alarm.
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
        self._diagrams = Diagrams()

    def join(self, a: State, b: State) -> State | Refusal:
        """One state that stands for at least the concrete states of both."""
        try:
            check_joinable(self._frames, a, b)
            guard, path = united(self._diagrams, self._chain, self._origins, (a.path, b.path))
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
        self._constrain(joined, choice, a.path.model())
        joined.over = joined.over or bool(choice.made)
        return joined

    def _constrain(self, joined: State, choice: Forgetting, first: Model) -> None:
        """Let the path know what is said of the fresh values; where it stands for the first side they are its own."""
        values = {**first.values, **joined.path.model().values}
        fresh = {found.fresh: evaluate(a, first) for (a, _, _), found in choice.made.items()}
        model = Model({**values, **fresh})
        for found in choice.made.values():
            said = [one.of(self._variables, joined, found.fresh) for one in found.said if one.element != TOP]
            for condition in (found.condition, *said):
                if isinstance(condition, Term):
                    joined.path = _assumed(joined.path, condition, model)

    def _is_at_loop_head(self, state: State) -> bool:
        frame = state.frames[-1]
        return frame.index == 0 and frame.block in self._frames.live.facts(frame.function).flow.loop_heads


def _assumed(path: PathCondition, condition: Term, model: Model) -> PathCondition:
    """The path under a condition that holds in ``model``, which satisfies the path too."""
    parts = parts_of(condition)
    base = join(path.touched(condition.symbols))
    return path.extended(parts, split(base, parts, model))
