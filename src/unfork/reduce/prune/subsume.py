"""The pruner of Anand06: a state that an earlier one at its place covers is not explored; others are stored.

Sound for every order of exploration: a stored state was explored further, so all it may do is explored, except from
states that are covered themselves; each of these has run at least one instruction since, so that a shortest way to a
fault gets shorter with each cover on it. So a state that has not moved since it was stored is never looked at.
"""

from __future__ import annotations

from collections.abc import Sized
from time import perf_counter

from unfork.engine.machine.machine import QUANTUM
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.inputs import UNWRITTEN as UNWRITTEN_PREFIX
from unfork.engine.state.memory import FIRST_HEAP, object_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Sightings
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.merge_points import MergePointsOf
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.types import PointerType
from unfork.reduce.prune.abstraction import Abstracted, Abstraction, prove_any, rewritten
from unfork.reduce.prune.compared_side import UNWRITTEN
from unfork.reduce.prune.contract import Demands, Differ, PruneCounts, StateCover
from unfork.reduce.prune.implication import Implication
from unfork.reduce.prune.matching import Matching
from unfork.reduce.prune.places import label
from unfork.reduce.prune.roots import Roots, same_names
from unfork.reduce.prune.state_store import Key, Place, StateStore, Stored, key_of, outline

UNWRITTEN_INPUTS = (UNWRITTEN_PREFIX, UNWRITTEN)
"""Prefixes of symbols of unwritten bytes."""
MOST_ASKED = 16
"""Stored states of one shape whose values are compared with those of one state."""


BUDGET = "less budget left"


class Subsumption:
    """Drops states that earlier ones cover, value by value and object by object.

    Under an ``abstraction``, states are compared in abstracted form, without the numbers in variables: then
    behaviour may be lost, and covers are not exact. Once ``sightings`` reports that the program observed an address
    as a number, all objects match under their own names only; they always do where pointers have 32 bits, since memory
    holds such numbers.
    """

    def __init__(
        self,
        places: MergePointsOf,
        implication: Implication,
        roots: Roots,
        sightings: Sightings,
        types: CTypes,
        demands: Demands,
        abstraction: Abstraction | None,
    ) -> None:
        self._places = places
        self._implication = implication
        self._roots = roots
        self._sightings = sightings
        self._types = types
        self._demands = demands
        self._abstraction = abstraction
        self._store = StateStore()
        self._renamed = 0
        self.asked = 0
        """Pairs of states with equal shapes, whose values were compared."""
        self.counts = PruneCounts()

    def cover(self, state: State) -> StateCover | None:
        place = self._place(state)
        if place is None or state.lazy.elements:  # the shapes of states have no elements at unknown places
            return None
        state.looked = (state.instructions, state.forks)
        began = perf_counter()
        key = self._key(state)
        if self._abstraction is None and not any(state.lazy.all):
            shape, words = outline(state, self._roots.registers)
            place, key = (*place, shape), (*key, *words)
        abstracted = None if self._abstraction is None else self._abstraction.of(state)
        cover = self._look(place, key, state, abstracted)
        self.counts.checks += 1
        if cover is None:
            self._store.add(place, key, Stored(state.fork(), state.node, state.depth, abstracted))
            self.counts.stored += 1
        else:
            self.counts.hits += 1
            self._renamed += cover.is_exact and cover.renames
            self.counts.under += not cover.is_exact
        self.counts.seconds += perf_counter() - began
        return cover

    def learn(self, node: int) -> None:
        """Nothing: a state covers others from when it goes on."""

    def forget(self) -> None:
        """Drop the stored states, when memory is short."""
        self._store.forget()

    def finish(self) -> PruneCounts:
        """The counts at the end. If addresses were observed, matches under other names may have lost behaviour."""
        if self._sightings.first is not None and self._renamed:
            self.counts.under += self._renamed
            self.counts.under_because = self._sightings.first
            self._renamed = 0
        self.counts.size = len({id(item) for state in self._store.all() for item in state.memory.objects.held.values()})
        return self.counts

    def _place(self, state: State) -> Place | None:
        """The state's place, if it is to be looked at there."""
        if not state.frames or state.instructions <= state.looked[0] or state.proof.contents:
            return None  # contents of objects of any length are not compared
        top = state.frames[-1]
        places = self._places(top.function)
        mark = None
        if (top.block, top.index) in places.inside:
            mark = label(top)
        elif top.index or top.block not in places.blocks or not is_due(state):
            return None
        return (mark, *[(frame.function, frame.block, frame.index) for frame in state.frames])

    def _key(self, state: State) -> Key:
        """The plain numbers in the registers of the top frame, without addresses of blocks and locals."""
        if self._abstraction is not None:
            return ()
        depth = len(state.frames) - 1
        top = state.frames[depth]
        types = self._roots.registers.facts(top.function).types
        live = self._roots.registers.of_frame(state, depth)
        values = [top.registers[i] for i in live]
        plain = [
            not isinstance(types[i], PointerType) or (isinstance(value, int) and object_of(value) < FIRST_HEAP)
            for i, value in zip(live, values, strict=True)
        ]
        return key_of(values, plain)

    def _look(self, place: Place, key: Key, state: State, abstracted: Abstracted | None) -> StateCover | None:
        renames = self._sightings.first is None and not state.memory.is_narrow
        asked = self.asked
        for stored in self._store.alike(place, key):
            if self.asked - asked >= MOST_ASKED:
                self.counts.refused["not compared"] += 1
                return None
            if self._demands.depth and stored.depth > state.depth:
                reason = BUDGET
            elif stored.state.over and not state.over:
                reason = "stands for more than the program does"
            else:
                try:
                    self.counts.compared += 1
                    return self._compare(stored, state, abstracted, renames=renames)
                except Differ as differ:
                    reason = differ.reason
            self.counts.refused[reason] += 1
        return None

    def _compare(self, stored: Stored, state: State, abstracted: Abstracted | None, *, renames: bool) -> StateCover:
        """The proof that ``stored`` covers ``state``. Raises Differ."""
        if self._demands.precondition and abstracted is None and (_has_unread(stored.state) or _has_unread(state)):
            raise Differ("unread input under a precondition")
        match = Matching(state, stored.state, self._types, renames=renames, tells_unwritten=self._demands.unwritten)
        if abstracted is not None and stored.abstracted is not None:
            match.abstracted = abstracted, stored.abstracted
        self._roots.compare(match)
        if self._demands.objects and len(stored.state.lazy.objects) + match.in_clouds > len(state.lazy.objects):
            raise Differ(BUDGET)
        self.asked += 1
        if self._demands.unwritten and any(_is_unwritten(one) or _is_unwritten(its) for one, its, _ in match.pairs):
            raise Differ("unwritten bytes")
        is_own = all(mine == its for mine, its in match.objects.items()) and same_names(state, stored.state)
        renamed = match.in_clouds > 0 or not is_own
        path, its_path, pairs = state.path, stored.state.path, match.pairs
        if abstracted is None or stored.abstracted is None:
            proof = self._implication.prove(path, its_path, pairs)
            return StateCover(stored.node, path, its_path, pairs, match.objects, proof, renames=renamed)
        path, its_path = abstracted.path, stored.abstracted.path
        pairs, folded = rewritten(pairs, match.summaries, abstracted, stored.abstracted)
        chosen = prove_any(self._implication, path, its_path, pairs, folded)
        return StateCover(
            stored.node,
            path,
            its_path,
            pairs,
            match.objects,
            chosen[0].proof,
            False,
            renamed,
            tuple(folded),
            tuple(chosen),
        )


def _has_unread(state: State) -> bool:
    """Whether part of the input heap is still uninitialised."""
    return bool(state.lazy.untouched(state.memory))


def _is_unwritten(value: Value) -> bool:
    """Whether a value depends on unwritten bytes."""
    return isinstance(value, Term) and any(s.name.startswith(UNWRITTEN_INPUTS) for s in value.symbols)


def is_due(state: State) -> bool:
    """Whether the state has moved, and forked or come far, since a cover was last looked for."""
    instructions, _ = state.looked
    return state.instructions > instructions and _has_changed(state)


def _has_changed(state: State) -> bool:
    """Whether it has forked or come far since then."""
    instructions, forks = state.looked
    return state.forks > forks or state.instructions - instructions >= QUANTUM


class YieldWhenDue:
    """States rest at places of ``looking`` while they are due, while others wait in ``others``, or ``always``.

    Otherwise they rest as for ``alone``.
    """

    __slots__ = ("_alone", "_always", "_looking", "_others")

    def __init__(self, others: Sized, looking: YieldPoints, alone: YieldPoints, *, always: bool) -> None:
        self._others = others
        self._looking = looking
        self._alone = alone
        self._always = always

    def yield_points(self, state: State) -> YieldPoints:
        return self._looking if self._always or _has_changed(state) or len(self._others) else self._alone
