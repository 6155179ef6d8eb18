"""A path that fails, with the facts about it that the rules of certainty.py read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from unfork.commands.scan.case_questions import CaseQuestions
from unfork.commands.scan.failing_input import (
    differing_pointers,
    input_of,
    looks_at,
    numbers_of,
    symbols_of,
)
from unfork.commands.scan.requirements import CallerNumber, excluding
from unfork.commands.scan.siblings import (
    Place,
    Sibling,
    SiblingFamily,
    Siblings,
    agrees,
    not_plain,
    path_at,
    pointers_of,
)
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LazyHeap, LazyObject
from unfork.engine.state.state import UNDEFINED_REGISTERS
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.loops import decides_turn
from unfork.program.llvm.module import Function, Program

_LARGE = 256
"""Bytes, or elements: callers may promise some, but hardly so many."""
_LAST_BITS = 4
"""Tests of these bits of a size do not bound it: whether it is odd, or how it ends in base 64."""
_ENDS = 3
"""At so many places, paths meet the end of an object: one that lacks a header ends where that does."""


def _is_of_last_bits(part: Term) -> bool:
    return isinstance(part.parameter, int) and part.parameter + part.width <= _LAST_BITS


@dataclass(frozen=True, slots=True)
class LoopExit:
    """A branch of the path that decided whether a loop turns again. ``is_inside``: the path failed in that loop;
    ``has_turned``: it asked more than once.
    """

    is_inside: bool
    has_turned: bool
    conditions: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ScannedFunction:
    """The function that a scan explores, and what answers questions about its paths."""

    function: Function
    program: Program
    facts: FactsTable
    family: SiblingFamily
    ask: CaseQuestions
    is_called: bool
    """Whether another function of the program calls it."""


class FaultCase:
    """A path that failed. Each fact is computed when a rule first reads it.

    ``lazy`` is the path's input heap. Numbers are read from ``failing``, its sibling that fails on the same pointers.
    ``paths`` are those to the fault that are known.
    """

    def __init__(self, scanned: ScannedFunction, failed: Failed, paths: Sequence[Failed] = ()) -> None:
        self.scanned = scanned
        self.failed = failed
        self.paths = paths
        self.fault = failed.fault
        self.state = failed.state
        self.lazy = failed.state.lazy
        self.ask = scanned.ask

    # --- the siblings

    @cached_property
    def siblings(self) -> Siblings:
        return self.scanned.family.of(self.failed)

    @cached_property
    def failing_alike(self) -> list[Sibling]:
        """The siblings that fail on the pointers of this path."""
        return [each for each in self.siblings.failing if agrees(each.state.lazy, self.lazy)]

    @property
    def failing(self) -> Sibling:
        """The sibling whose numbers are read."""
        return self.failing_alike[0]

    @cached_property
    def is_sure(self) -> bool:
        """Whether no sibling with the pointers of this path survives."""
        return not any(agrees(self.lazy, each.state.lazy) for each in self.siblings.surviving)

    @cached_property
    def not_plain(self) -> frozenset[Place]:
        """Where the path read pointers that have no target of their own."""
        return not_plain(self.lazy)

    @property
    def null_pointer(self) -> str | None:
        """A pointer that the path read, and that is null: the one that is so on most paths, as a C expression."""
        counts = Counter(each for failed in self.paths for each in _null_pointers(failed.state.lazy))
        return max(_null_pointers(self.lazy), key=lambda each: counts[each], default=None)

    @property
    def is_plain(self) -> bool:
        """Whether each pointer that the path read has a target of its own."""
        return not self.not_plain

    @cached_property
    def differing_pointer(self) -> tuple[str, int] | None:
        """The first pointer that leads elsewhere in the nearest surviving sibling, with its target here; None if one
        survives with the same pointers.
        """
        if self.is_plain or any(agrees(self.lazy, each.state.lazy) for each in self.siblings.surviving):
            return None
        differing = [differing_pointers(self.lazy, self.not_plain, each.state) for each in self.siblings.surviving]
        nearest = min(filter(None, differing), key=len, default=None)
        return nearest[0] if nearest else None

    # --- the numbers

    @cached_property
    def numbers(self) -> dict[Term, CallerNumber]:
        return numbers_of(self.failing.state, is_called=self.scanned.is_called)

    @cached_property
    def passed_numbers(self) -> set[Term]:
        """Those of the numbers that are arguments."""
        return {each for each, number in self.numbers.items() if number.is_argument}

    @cached_property
    def stated_sizes(self) -> set[Term]:
        """The symbols of the sizes that the input states of its objects."""
        return symbols_of(each.length for each in self.failing.state.lazy.objects if each.is_stated)

    def excluding(self, fault: Iterable[Value]) -> str:
        """The condition in C under which not all conditions of ``fault`` hold; "" if C cannot say it."""
        return excluding(fault, self.numbers, is_narrow=self.scanned.program.is_narrow)

    @cached_property
    def tests(self) -> list[Term]:
        """What the project's own branches decided on this path."""
        return self.ask.known(self.failing.state.path, self.siblings.tested)

    @cached_property
    def fault_conditions(self) -> list[Term]:
        """The conditions of the fault, after all decisions."""
        granted, failing = self.siblings.granted, self.failing
        constraints = failing.state.path.constraints()
        conditions = [each for each in constraints[failing.lengths[-1] :] if each not in granted]
        violated = build.negate(failing.required) if isinstance(failing.required, Term) else None
        if isinstance(violated, Term):
            return list(dict.fromkeys((*conditions, *conjuncts(violated))))
        return conditions

    @cached_property
    def loop_exits(self) -> list[LoopExit]:
        """How often loops turned, if at all."""
        return [*self._loop_exits()]

    @cached_property
    def counts(self) -> set[Term]:
        """The symbols that decide how often loops around the fault turn."""
        around = (turn for turn in self.loop_exits if turn.is_inside and turn.has_turned)
        return symbols_of(each for turn in around for each in turn.conditions)

    @cached_property
    def _of_loops(self) -> set[Term]:
        """The decisions whether loops turn again."""
        return {each for turn in self.loop_exits for each in turn.conditions}

    @cached_property
    def _only_looped(self) -> set[Term]:
        """The arguments that loops alone test. Where a library decides something of them, another rule does."""
        of_libraries = [each for each in self.siblings.decided if each not in self.siblings.tested]
        tests = (each for each in (*self.tests, *of_libraries) if each not in self._of_loops)
        return self.passed_numbers - symbols_of(tests)

    @cached_property
    def _zeros(self) -> set[Term]:
        """Those of them that are 0, so that loops do not turn."""
        path = self.failing.state.path
        return {each for each in self._only_looped if self.ask.under(path, build.ne(each, 0, each.width)) is None}

    @cached_property
    def looped(self) -> set[Term]:
        """The arguments that loops alone test, and that are 0 or no size."""
        return self._zeros | (self._only_looped & symbols_of(self._of_loops) - self.stated_sizes)

    @cached_property
    def relevant(self) -> set[Term]:
        """The symbols on which the fault depends, also those of which there is nothing. Where poison is used, also
        those that the code did not test before: what made it lies behind.
        """
        near = symbols_of(self.fault_conditions) | self.beyond_any_size
        near |= self.counts | self._zeros
        if not any(each.name.startswith(UNDEFINED_REGISTERS) for each in near):
            return near
        tests = set(self.tests)
        return near | symbols_of(each for each in self.failing.state.path.constraints() if each not in tests)

    @cached_property
    def beyond_any_size(self) -> set[Term]:
        """The sizes of an object that no test bounds, and beyond which the path accesses it whatever they are: such a
        number may well be a place.
        """
        if self.within is None or not self.within.is_stated or self.fault.access is None or not self.is_sure:
            return set()
        sizes = symbols_of([self.within.length])
        if not symbols_of(self.fault_conditions) <= sizes:
            return set()
        return {each for each in sizes if not any(looks_at(test, each, _is_of_last_bits) for test in self.tests)}

    @cached_property
    def relevant_numbers(self) -> list[Term]:
        """The caller's numbers among them, by name."""
        return sorted(self.relevant & self.numbers.keys(), key=lambda term: term.name)

    @cached_property
    def open_sizes(self) -> set[Term]:
        """The sizes of the fault's object, if contents decide where its end is met: either a size may be large on this
        path, or others meet the end at other places.
        """
        if self.within is None or not self.within.is_stated or self.beyond_any_size:
            return set()
        sizes = symbols_of([self.within.length]) & self.numbers.keys()
        if len({*filter(None, map(self._met_end, self.paths))}) >= _ENDS:
            return sizes
        path = self.failing.state.path
        return {each for each in sizes if self.ask.under(path, build.ule(_LARGE, each, each.width)) is not None}

    @cached_property
    def filling_sizes(self) -> set[Term]:
        """The sizes of blocks that calls before were given, if it writes outside of what such calls made: whoever makes
        them may give as much as there is.
        """
        access, driver = self.fault.access, self.scanned.program.object_drivers.get(self.scanned.function.name)
        if driver is None or access is None or not access.is_write or self.within is not None:
            return set()
        return symbols_of(each.room for each in self.failing.state.lazy.arguments if each.room is not None)

    def _met_end(self, failed: Failed) -> int | None:
        """The size of the fault's object on a path that goes just beyond; None if the path leaves that open."""
        within, access = input_of(failed.state, failed.fault), failed.fault.access
        held = None if within is None else failed.state.memory.objects.get(within.number)
        if held is None or access is None or access.offset is None:
            return None
        is_met = self.ask.under(failed.state.path, build.ne(held.size, access.offset, 64)) is None
        return access.offset if is_met else None

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments on which the fault depends: numbers, null pointers, and what leads to its object."""
        place = None if self.within is None else self.within.path
        return tuple(
            [
                each.name
                for each in self.failing.state.lazy.arguments
                if each.value == 0 or each.name == place or self.relevant & symbols_of([each.value])
            ]
        )

    # --- the object

    @cached_property
    def within(self) -> LazyObject | None:
        """The input object of the fault."""
        return input_of(self.failing.state, self.fault)

    @property
    def is_behind(self) -> bool:
        """Whether the access is known to begin in its object, or after it."""
        return self.fault.access is not None and self.fault.access.is_behind

    @property
    def is_own(self) -> bool:
        """Whether the function made the fault's object itself, and nothing else in the project calls it. Blocks may be
        from calls before, where such made its objects.
        """
        thing, is_first = self.fault.thing, self.scanned.function.name not in self.scanned.program.object_drivers
        return not self.scanned.is_called and thing is not None and (thing.is_local or (thing.is_block and is_first))

    def _loop_exits(self) -> Iterator[LoopExit]:
        failing, places = self.failing, self.siblings.places
        constraints, frames = failing.state.path.constraints(), failing.state.frames
        ends = (*failing.lengths[1:], failing.lengths[-1])
        turns = Counter(places)
        for place, start, end in zip(places, failing.lengths, ends, strict=True):
            if start == end:
                continue
            frame = frames[place.depth - 1] if place.depth <= len(frames) else None
            inside = frame.block if frame is not None and frame.function is place.function else None
            for loop in self.scanned.facts[place.function].flow.loops.values():
                if place.block in loop and decides_turn(place.function, loop, place.block):
                    conditions = [each for each in constraints[start:end] if each not in self.siblings.granted]
                    yield LoopExit(inside in loop, turns[place] > 1, tuple(conditions))


def _null_pointers(lazy: LazyHeap) -> list[str]:
    return [path_at(lazy, place) for place, address in pointers_of(lazy) if address == 0]
