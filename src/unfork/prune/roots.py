"""Where two states' memory is entered, in a fixed order: live registers, globals, files, tables of library and kernel.

What of a state is no root and reached from none is garbage, and does not count.
"""

from __future__ import annotations

from collections import Counter

from unfork.execute.library_objects import ERRNO, FIRST_LIBRARY_OBJECT
from unfork.execute.lookout import mentioned
from unfork.logic.term import Term
from unfork.prune.contract import Differ
from unfork.prune.matched_facts import FactMatch, check_equal_facts, match_register
from unfork.prune.matching import Matching
from unfork.state.afterwards import JUMP_TARGETS
from unfork.state.live_registers import LiveRegisters
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, MemoryObject
from unfork.state.objects import Objects
from unfork.state.state import Frame, RegisterValue, State


class Roots:
    """Compares the stacks and the roots of two states that stand at one place.

    ``keeps_all`` makes blocks that nothing leads to count too (for leak checks).
    """

    def __init__(self, registers: LiveRegisters, *, keeps_all: bool) -> None:
        self.registers = registers
        self._keeps_all = keeps_all
        self._facts = FactMatch()

    def compare(self, match: Matching) -> None:
        """Compare everything. Raises Differ where the states do not match."""
        covered, coverer = match.covered.state, match.coverer.state
        check_equal_facts(covered.remembered, coverer.remembered)
        for depth in range(len(covered.frames)):
            self._frame(match, covered, coverer, depth)
        self._facts.match(match, covered.remembered, coverer.remembered)
        _statics(match, covered.memory.objects, coverer.memory.objects)
        if not match.renames:
            if not same_names(covered, coverer):
                raise Differ("different names")
            _blocks_and_locals(match, covered.memory.objects)
        _variables(match)
        match.walk()
        if self._keeps_all:
            _garbage(match, covered, coverer)

    def _frame(self, match: Matching, covered: State, coverer: State, depth: int) -> None:
        one, other = covered.frames[depth], coverer.frames[depth]
        if covered.remembered[JUMP_TARGETS] and (one.activation, one.ordinal) != (other.activation, other.ordinal):
            raise Differ("different activations")
        if one.stack_bytes != other.stack_bytes or len(one.locals) != len(other.locals):
            raise Differ("different stacks")
        types = self.registers.facts(one.function).types
        live = self.registers.of_frame(covered, depth)
        for register in live:
            match_register(match, one.registers[register], other.registers[register], types[register])
        if self._keeps_all:
            _kept(match, one, other, [i for i in range(len(one.registers)) if i not in live])
        if len(one.variadic) != len(other.variadic):
            raise Differ("different variadic arguments")
        for first, second in zip(one.variadic, other.variadic, strict=True):
            if first[:2] != second[:2]:
                raise Differ("different variadic arguments")
            match_register(match, first[2], second[2], first[0])


def _variables(match: Matching) -> None:
    """What predicates say of variables must be the same."""
    if match.abstracted is not None:
        for fact, other in zip(match.abstracted[0].facts, match.abstracted[1].facts, strict=True):
            if fact is not None and other is not None:
                match.number(fact, other, 1)
            elif fact is not other:
                raise Differ("different variables")


def _kept(match: Matching, one: Frame, other: Frame, registers: list[int]) -> None:
    """Registers that are not read any more, but keep a block from being lost."""
    for register in registers:
        x, y = one.registers[register], other.registers[register]
        names = isinstance(x, int) and match.covered.names(x), isinstance(y, int) and match.coverer.names(y)
        if any(names):
            if not all(names):
                raise Differ("different kept blocks")
            match.address(x, y)
        elif x is not y and (_may_name(x) or _may_name(y)):
            raise Differ("different kept blocks")


def _may_name(value: RegisterValue) -> bool:
    return isinstance(value, tuple) or (isinstance(value, Term) and bool(mentioned(value)))


def _statics(match: Matching, mine: Objects[MemoryObject], theirs: Objects[MemoryObject]) -> None:
    """Globals match by name, as do contents of files."""
    touched = [number for number in mine.held if not FIRST_HEAP <= number < END_OF_NAMES]
    touched += [n for n in theirs.held if not FIRST_HEAP <= n < END_OF_NAMES and n not in mine.held]
    beginnings = mine.beginnings
    for number in touched:
        item, its = mine.get(number), theirs.get(number)
        if item is its and beginnings is not None and number in beginnings.numbers and item is beginnings[number]:
            continue  # as it began, on both paths
        if number in mine and number in theirs:
            match.label(number, number)
            continue
        known = item or its
        assert known is not None
        if known.read_only and number < FIRST_HEAP:
            continue  # a table of the library, made on first use
        if number != FIRST_LIBRARY_OBJECT + ERRNO:
            raise Differ("different objects")
        zero = MemoryObject(bytearray(len(known.data)), known.size, known.kind, known.name)
        match.contents(item or zero, its or zero, (number, number))


def same_names(covered: State, coverer: State) -> bool:
    """Whether both states hold blocks and locals of the same names, and will give the same names."""
    mine, theirs = covered.memory.objects.held, coverer.memory.objects.held
    return (
        covered.heap_count == coverer.heap_count
        and {number for number in mine if _is_block_or_local(number)}
        == {number for number in theirs if _is_block_or_local(number)}
        and all(
            frame.ordinal == other.ordinal
            and (frame.calls or {}) == (other.calls or {})
            and (frame.repetitions or {}) == (other.repetitions or {})
            for frame, other in zip(covered.frames, coverer.frames, strict=True)
        )
    )


def _is_block_or_local(number: int) -> bool:
    return FIRST_HEAP <= number < END_OF_NAMES


def _blocks_and_locals(match: Matching, objects: Objects[MemoryObject]) -> None:
    """Where numbers have been made of addresses, nobody knows which objects are still within reach."""
    for number in objects.held:
        if _is_block_or_local(number):
            match.label(number, number)


def _garbage(match: Matching, covered: State, coverer: State) -> None:
    """Blocks that nothing leads to: as many of each line, so that the same leaks are found."""
    lost = []
    for state, reached in ((covered, match.objects.keys()), (coverer, frozenset(match.objects.values()))):
        heap = [(n, item) for n, item in state.memory.objects.items() if item.kind == "heap" and n not in reached]
        if any(item.sites or item.gone != 0 for _, item in heap):
            raise Differ("different lost blocks")
        lost.append(Counter(item.site for _, item in heap))
    reached_sites = [
        (covered.memory.objects.get(number), coverer.memory.objects.get(other))
        for number, other in match.objects.items()
    ]
    if lost[0] != lost[1] or any(a and b and a.kind == "heap" and a.site != b.site for a, b in reached_sites):
        raise Differ("different lost blocks")
