"""From a finished stretch to its interpolant, and from a state to one that covers it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from time import perf_counter

from unfork.execute.machine import Machine
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate, substitution
from unfork.logic.path import PathCondition
from unfork.logic.solver import Solver, Unsat
from unfork.logic.term import Term, Value
from unfork.prune.contract import PruneCounts
from unfork.prune.interpolation.addresses import look_into_addresses
from unfork.prune.interpolation.beyond import CANDIDATES, LONGEST, Beyond, Side
from unfork.prune.interpolation.general import CannotGeneralise
from unfork.prune.interpolation.interpolant import Interpolant, Mismatch, instance, renamed, takes_a_side
from unfork.prune.interpolation.oracle import Oracle
from unfork.prune.interpolation.payoff import Payoff
from unfork.prune.interpolation.retrace import Retracer, Trace
from unfork.prune.interpolation.shifts import Holds
from unfork.prune.interpolation.sources import Source
from unfork.prune.interpolation.strengthen import Sources, Strengthening
from unfork.prune.interpolation.table import Entry, Shelf, number_in
from unfork.prune.interpolation.view import View
from unfork.prune.interpolation.weakest import Carried, Path, carried, combined, interpolant, without_inputs
from unfork.prune.live import LiveRegisters, as_it_is
from unfork.state.memory import FIRST_HEAP, FIRST_STACK
from unfork.state.state import Frame, State

IDLE = "too many failed checks at the place"
MIDDLES = 10
"""So many states at a place are learnt from although they came there without a fork, before that must pay."""
MOST_PATHS = 64
"""Paths of one stretch that are learnt from together."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Why a state was not explored: it meets what was learnt at ``node``, whose objects have other ``names`` here.

    ``path`` is the state's, and ``implied`` the conditions of the interpolant over its symbols. ``interpolant`` has the
    names that objects have here, ``learnt`` is the same as it was learnt.
    """

    node: int
    learnt: Interpolant
    interpolant: Interpolant
    names: dict[int, int]
    path: PathCondition
    implied: tuple[Term, ...]

    def __str__(self) -> str:
        return f"does nothing that was not explored from state {self.node} on"


@dataclass(frozen=True, slots=True)
class End:
    """Where a path of a stretch came to: ``after`` is None if that is the end of the path, and nothing is wrong."""

    state: State
    after: Interpolant | None


class Interpolants:
    """All that was learnt, by place."""

    def __init__(
        self,
        chain: Chain,
        make: Callable[[Oracle], Machine],
        rests: Callable[[State], bool],
        sources: Sources,
        quick: Solver,
    ) -> None:
        self._chain = chain
        self._quick = quick
        self._holding = Chain(quick)
        self._strengthening = Strengthening(sources, quick)
        self._retracer = Retracer(make, LiveRegisters(as_it_is), rests)
        self._beyond = Beyond(self._retracer, self._known)
        self._table: dict[Hashable, Shelf] = {}
        self._beyonds = Payoff(100 if sources.weakest else 0, 2 if sources.weakest else 0)
        self._middles: dict[Hashable, Payoff] = {}
        """Of each place, states that came to rest there without a fork since: sides that nobody took may lead there."""
        self.counts = PruneCounts()

    def middle(self, state: State) -> Payoff | None:
        """What to credit if ``state``, which came to rest without a fork since, is learnt from; None if it is not."""
        if not self._beyonds.pays:
            return None
        found = self._middles.setdefault(place_of(state), Payoff(MIDDLES, 2))
        if not found.pays:
            return None
        found.tried += 1
        return found

    def forget(self) -> None:
        """Drop all of it (when memory is short)."""
        self._table.clear()
        self.counts.size = 0

    def cover(self, state: State) -> Cover | None:
        """Something that was learnt and says that ``state`` does nothing new."""
        shelf = self._table.get(place_of(state))
        if shelf is None:
            return None
        counts = self.counts
        if shelf.is_idle:
            counts.refused[IDLE] += 1
            return None
        start = perf_counter()
        counts.checks += 1
        try:
            view = View(state)
            for entry in shelf.candidates(partial(number_in, state)):
                counts.compared += 1
                if view.refutes(entry.interpolant):
                    counts.refused["values"] += 1
                    continue
                met = self._meets(entry.interpolant, state)
                if met is not None:
                    counts.hits += 1
                    shelf.hits += 1
                    conditions, names = met
                    for one in entry.owed:
                        one.gained += 1
                    self._beyonds.gained += takes_a_side(entry.interpolant, state, names)
                    learnt = entry.interpolant
                    return Cover(entry.node, learnt, renamed(learnt, names), names, state.path, conditions)
            shelf.failed += 1
            return None
        finally:
            counts.seconds += perf_counter() - start

    def _meets(self, one: Interpolant, state: State) -> tuple[tuple[Term, ...], dict[int, int]] | None:
        """What the interpolant asks of ``state``, and who is who, if the path implies it."""
        try:
            conditions, names = instance(one, state)
        except Mismatch as mismatch:
            self.counts.refused[str(mismatch)] += 1
            return None
        for condition in conditions:
            if not self._chain.must(state.path, condition):
                self.counts.refused["values"] += 1
                return None
        return tuple(conditions), names

    def learn(self, node: int, start: State, ends: Sequence[End], owed: Sequence[Payoff]) -> Interpolant | None:
        """The interpolant of a stretch, stored for later; None, and the reason counted, where there is none.

        What it covers is to the credit of those to whom it is ``owed``.
        """
        began = perf_counter()
        try:
            found, witness = self._learn(start, ends)
        except CannotGeneralise as reason:
            self.counts.unlearnt[str(reason)] += 1
            return None
        finally:
            self.counts.seconds += perf_counter() - began
        entry = Entry(node, found, witness, tuple(owed))
        gone = self._table.setdefault(place_of(start), Shelf()).add(entry, self._implies)
        self.counts.stored += 1
        self.counts.size += found.size - sum(one.interpolant.size for one in gone)
        return found

    def _known(self, state: State) -> list[Interpolant]:
        """What was learnt at the place where a general state is."""
        place = place_of(state)
        if place in self._middles:
            self._middles[place].gained += 1
        shelf = self._table.get(place)
        if shelf is None:
            return []
        found = shelf.candidates(self._retracer.number)
        return [entry.interpolant for entry in islice(found, CANDIDATES)]

    def _learn(self, start: State, ends: Sequence[End]) -> tuple[Interpolant, Model]:
        if not ends:
            raise CannotGeneralise("nothing came of it")
        if len(ends) > MOST_PATHS:
            raise CannotGeneralise("many paths")
        traces: list[Trace] = []
        paths: list[Path] = []
        anchors: dict[Source, None] = {}
        sides: list[Term] = []
        absent: set[int] = set()
        is_numeric = False
        for end in ends:
            model = end.state.path.model()
            trace = self._retracer.trace(start, end.state, model, is_leaf=end.after is None)
            is_numeric |= trace.uses_addresses
            asked = Carried((), {})
            if end.after is not None:
                asked = carried(trace, end.after, self._retracer.step)
                anchors.update(asked.anchors)
                sides += asked.sides
                is_numeric |= end.after.heap_count is not None
                absent |= end.after.absent
            known = [choice.condition for choice in trace.choices]
            left = without_inputs(asked.conditions, known, self._is_valid)
            is_numeric |= look_into_addresses((*[choice.term for choice in trace.choices], *left))
            traces.append(trace)
            paths.append(Path(trace.choices, tuple(left)))
            absent.update(trace.general.absent)
        others = self._others(start, ends, paths)
        for other in others:
            looks = other.trace.uses_addresses or look_into_addresses(other.terms)
            if looks and not is_numeric:
                continue
            traces.append(other.trace)
            paths.append(other.path)
            anchors.update(dict.fromkeys(other.anchors))
            absent.update(other.trace.general.absent)
        turns = [other.turn for other in others if isinstance(other.turn, Term)]
        values: dict[Term, Value] = {}
        for trace in traces:
            values.update(trace.general.values)
        holds = self._holds(start, values)
        together = combined(paths, holds)
        kept = without_inputs(together, (), self._is_valid)
        missing = [one for one in absent if _was_there(one, start)]
        found = interpolant(
            traces,
            kept,
            anchors,
            missing,
            start.heap_count if is_numeric else None,
            self._strengthening,
            holds,
            (*turns, *sides),
        )
        inputs = start.path.model()
        witness = {one: evaluate(values[one], inputs) for one in found.sources}
        return found, Model(witness)

    def _others(self, start: State, ends: Sequence[End], paths: Sequence[Path]) -> list[Side]:
        """Sides that no path took, and beyond which something is known, as long as looking for them pays."""
        longest = max(end.state.instructions for end in ends) - start.instructions
        if not self._beyonds.pays or longest > LONGEST:
            return []
        found = self._beyond.of(start, paths, ends[0].state.path.model())
        self._beyonds.tried += len(found) > 0
        return found

    def _holds(self, start: State, values: Mapping[Term, Value]) -> Holds:
        """What says whether a condition holds at ``start``, as far as that is easily seen."""
        met: dict[Term, bool] = {}
        replaced = substitution(values)

        def holds(condition: Value) -> bool:
            if not isinstance(condition, Term):
                return condition != 0
            found = met.get(condition)
            if found is None:
                found = met[condition] = self._holding.must(start.path, replaced(condition))
            return found

        return holds

    def _implies(self, known: Sequence[Term], condition: Term) -> bool:
        """The same where it is worth a little time only."""
        against = build.negate(condition)
        return isinstance(against, Term) and isinstance(self._quick.check((*known, against)), Unsat)

    def _is_valid(self, known: Sequence[Value], condition: Term) -> bool:
        """Whether ``known`` imply ``condition``, whatever else holds."""
        negation = build.negate(condition)
        answer = self._chain.solver.check(
            [one for one in (*known, negation) if isinstance(one, Term)], self._chain.timeout
        )
        return isinstance(answer, Unsat)


def _was_there(number: int, start: State) -> bool:
    """Whether an object that is gone later may have been gone at ``start``: not if it was made later, or was there."""
    if FIRST_HEAP <= number < FIRST_STACK:
        return number < FIRST_HEAP + start.heap_count and number not in start.memory.objects
    return number not in start.memory.objects


def place_of(state: State) -> Hashable:
    """Where a state rests: its whole stack, as far as it is no value."""
    return tuple(
        [(frame.function.name, frame.block, frame.index, frame.stack_bytes, _scopes(frame)) for frame in state.frames]
    )


def _scopes(frame: Frame) -> tuple[int, ...]:
    """How many locals a frame has, and which of them are out of scope."""
    ended = frame.ended or ()
    return (len(frame.locals), *[i for i, number in enumerate(frame.locals) if number in ended])
