"""Joins that forget numbers except for inferred facts (Scheurer16, section 7), and that are exact on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.engine.protocols.join import Join, Refusal
from unfork.engine.state.state import State
from unfork.engine.step.conduct import InputSource
from unfork.logic.solve.chain import Chain
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.invariants.sieve import constants
from unfork.reduce.merge.abstract import constrain, is_to_be_chosen
from unfork.reduce.merge.diagrams import Diagrams
from unfork.reduce.merge.frames import Frames
from unfork.reduce.merge.inference import (
    MOST_ALTERNATIVES,
    NAMELESS,
    Inference,
    JoinCandidate,
    JoinedNumber,
    Vocabulary,
    addends,
    alternatives,
    sum_text,
)
from unfork.reduce.merge.lessons import Forgot, LearntCondition, Likeness, Values, alike, same_names
from unfork.reduce.merge.marked_order import mark_of
from unfork.reduce.merge.refinement import Refinement
from unfork.reduce.merge.scope import Pair, Variables
from unfork.reduce.merge.states import Origins, check_joinable, joined_state, unite_paths
from unfork.reduce.merge.value_choice import Unjoinable

PATIENCE = 2.0
"""Seconds for a query about a candidate."""


class Inferring:
    """The choice of an inferring join: a sum equal on both sides, one of a few values, or a fresh value.

    Values that other forgetting joins leave to the guard, it leaves too.
    """

    def __init__(
        self,
        first: Value,
        inference: Inference,
        vocabulary: Vocabulary,
        few: dict[Term, tuple[Value, ...]],
        origins: Origins,
    ) -> None:
        self.first = first
        self.joined: dict[Pair, Value] = {}
        """By pair, so that equal pairs stay equal."""
        self.loose: dict[Pair, None] = {}
        """Pairs of which something is forgotten: which of a few values they have, or the value."""
        self.forgotten: dict[Term, tuple[Value, Value]] = {}
        """The symbols of these, with their values in either state."""
        self.origin: Term | None = None
        """The symbol that says which side it was."""
        self.sums: list[str] = []
        """Facts about values that are not forgotten."""
        self._inference = inference
        self._vocabulary = vocabulary
        self._few = few
        self._origins = origins

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """One ite with the guard of the join."""
        return build.ite(self.first, a, b, width)

    def value(self, a: Value, b: Value, width: int) -> Value:
        """The common value if both sides are proved equal, to each other or to one sum; else something is forgotten."""
        if a is b or (isinstance(a, int) and a == b):
            return a
        if is_to_be_chosen(a, b, width):
            return self.exact(a, b, width)
        pair = (a, b, width)
        if pair not in self.joined:
            self.joined[pair] = self._one(a, b, width)
        return self.joined[pair]

    def _one(self, a: Value, b: Value, width: int) -> Value:
        if (a, b) in self._vocabulary.dead:
            return self.exact(a, b, width)
        same = self._inference.equal(a, b, width)
        if same is not None:
            return same
        holders = self._vocabulary.holders.get((a, b, width))
        if holders:
            total = self._inference.affine(a, b, width, self._vocabulary.known(width))
            if total is not None:
                self.sums.append(f"{holders[0].variable.name} == {total[1]}")
                return total[0]
        self.loose[a, b, width] = None
        return self._one_of_few(a, b, width) or self._forget((a, b), width)

    def _one_of_few(self, a: Value, b: Value, width: int) -> Term | None:
        """Either side's equality, joined, if both are short: one of a few values, selected by the origin."""
        known = self._vocabulary.known(width)
        values: dict[Value, None] = {}
        for value in (a, b):
            some = self._few.get(value) if isinstance(value, Term) else None
            values |= dict.fromkeys(some or alternatives(value, known))
            if not (some or alternatives(value, known)):
                return None
        if len(values) > MOST_ALTERNATIVES:
            return None
        if self.origin is None:
            self.origin = self._forget((1, 0), 1)
        chosen = build.ite(self.origin, a, b, width)
        assert isinstance(chosen, Term)
        self._few[chosen] = tuple(values)
        return chosen

    def _forget(self, sides: tuple[Value, Value], width: int) -> Term:
        fresh = self._origins.number(HAVOC, width)
        self.forgotten[fresh] = sides
        return fresh

    def truth(self) -> dict[Term, Value]:
        """The forgotten values as an exact join has them."""
        return {term: build.ite(self.first, *sides, term.width) for term, sides in self.forgotten.items()}

    def likeness(self) -> dict[Term, list[Likeness]]:
        """How another exploration may recognise forgotten values: best by a variable that is one of a few constants."""
        found: dict[Term, list[Likeness]] = {}
        for pair in self.loose:
            holders = self._vocabulary.holders.get(pair, ())
            variables = tuple([(holder.variable.name, holder.depth) for holder in holders])
            term = self.joined[pair]
            assert isinstance(term, Term)
            if term in self.forgotten:
                found.setdefault(term, []).append(Likeness(variables, pair))
            elif self.origin is not None:
                firsts = self._firsts(pair)
                found.setdefault(self.origin, []).append(Likeness(variables, pair, True, firsts))
        for ways in found.values():
            ways.sort(key=lambda way: (way.firsts is None, not way.variables))
        return found

    def _firsts(self, pair: Pair) -> tuple[int, ...] | None:
        """The constants that a number must be one of on the first side, and cannot be on the second."""
        few = [self._few.get(value, (value,)) if isinstance(value, Term) else (value,) for value in pair[:2]]
        numbers = [[each for each in values if isinstance(each, int)] for values in few]
        if [len(each) for each in numbers] != [len(each) for each in few] or set(numbers[0]) & set(numbers[1]):
            return None
        return tuple(numbers[0])

    def like(self, likeness: Likeness) -> Values | None:
        """The values that resemble those of another exploration's symbol."""
        pairs = [
            pair
            for pair, holders in self._vocabulary.holders.items()
            if any((holder.variable.name, holder.depth) in likeness.variables for holder in holders)
        ]
        sides = same_names(likeness.pair)
        pairs += [pair for pair in self.joined if same_names(pair) in (sides, sides[::-1])]
        for pair in pairs:
            joined = self.joined.get(pair)
            if joined is not None and pair[2] == likeness.pair[2]:
                values = alike((*pair[:2], joined), pair, likeness, self.origin)
                if values is not None:
                    return values
        return None


class InferredJoin:
    """Joins by inferred predicates; where ``refinement`` says so, as ``exact`` does.

    Law: a value of either state satisfies its inferred facts (SEL4): both states have proved them.
    """

    def __init__(
        self,
        source: InputSource,
        chain: Chain,
        origins: Origins,
        frames: Frames,
        variables: Variables,
        exact: Join,
        refinement: Refinement,
    ) -> None:
        self._source = source
        self._chain = chain
        self._asked = Chain(chain.solver, min(chain.timeout, PATIENCE), refinement.statistics)
        self._origins = origins
        self._frames = frames
        self._variables = variables
        self._exact = exact
        self._refinement = refinement
        self._diagrams = Diagrams(chain.effort)
        self._few: dict[Term, tuple[Value, ...]] = {}
        """For joined values that are one of a few, which."""

    def join(self, a: State, b: State) -> State | Refusal:
        mark = mark_of(a)
        if self._refinement.is_exact(mark):
            return self._exact.join(a, b)
        self._asked.deadline = self._chain.deadline
        try:
            check_joinable(self._frames, a, b)
            guard, path = unite_paths(self._diagrams, self._chain, self._origins, (a.path, b.path))
            vocabulary = Vocabulary(self._variables, self._frames, a, b)
            inference = Inference(self._asked, (a.path, b.path), vocabulary.symbols())
            choice = Inferring(guard, inference, vocabulary, self._few, self._origins)
            joined = joined_state(self._frames, self._source, (a, b), choice, path)
        except Unjoinable as reason:
            return Refusal(reason.reason)
        joined.over = joined.over or bool(choice.loose)
        told, claims = self._claims(inference, vocabulary, choice, (a, b))
        claims += _again(self._refinement.learnt(mark), inference, choice)
        firsts = {term: first for term, (first, _) in choice.forgotten.items()}
        constrain(joined, [claim.joined for claim in claims], firsts, a.path.model())
        forgot = Forgot(mark, choice.truth(), choice.likeness(), path.trail)
        self._refinement.note_join(forgot, (*choice.sums, *told, *[claim.text for claim in claims]))
        return joined

    def _claims(
        self, inference: Inference, vocabulary: Vocabulary, choice: Inferring, states: tuple[State, State]
    ) -> tuple[list[str], list[JoinCandidate]]:
        """The facts about values that are not kept: that they are one of a few, and proved claims."""
        if not choice.loose:
            return [], []
        told: list[str] = []
        bounded: list[JoinedNumber] = []
        others = list(vocabulary.same)
        for pair in sorted(choice.joined, key=lambda pair: pair not in vocabulary.holders):
            joined = choice.joined[pair]
            number = _number(pair, joined, vocabulary)
            if pair not in choice.loose:
                others += [number] if pair in vocabulary.holders else []
                continue
            few = self._few.get(joined, ()) if isinstance(joined, Term) else ()
            known = vocabulary.known(number.width)
            told += (
                [" || ".join(f"{number.name} == {sum_text(each, number.width, known)}" for each in few)] if few else []
            )
            if not few or any(isinstance(each, Term) for each in few):
                made_of = frozenset(term for value in few for term in addends(value))
                bounded.append(replace(number, made_of=made_of))
        named = {value for number in others for value in number.values[:1]}
        for width, known in vocabulary.names.items():
            others += [
                JoinedNumber(name, (term,) * 3, width, True) for term, name in known.items() if term not in named
            ]
        limits = set(vocabulary.limits)
        for state in states:
            for part in state.path.touched(vocabulary.symbols()):
                limits.update(constants(part.constraints))
        return told, inference.claims(bounded, others, sorted(limits))


def _again(learnt: Sequence[LearntCondition], inference: Inference, choice: Inferring) -> list[JoinCandidate]:
    """The candidates that failures of earlier explorations gave, as far as they are proved here."""
    said = [(each.text(), each.at(choice.like)) for each in learnt] if choice.loose else []
    return inference.learnt([JoinCandidate(text, at[:2], at[2]) for text, at in said if at is not None])


def _number(pair: Pair, joined: Value, vocabulary: Vocabulary) -> JoinedNumber:
    a, b, width = pair
    holders = vocabulary.holders.get(pair)
    if not holders:
        return JoinedNumber(NAMELESS, (a, b, joined), width, True)
    return JoinedNumber(holders[0].variable.name, (a, b, joined), width, holders[0].type.signed)
