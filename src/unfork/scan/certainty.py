"""Whether a fault is certain, or the caller's business: these few rules decide.

A fault is *certain* (manifest, Pulse-X: Le et al., OOPSLA 2022) if the function fails from every caller's state in
which it decides as on this path; it is *conditional* if it needs something of the arguments or of the heap that its
code never tested, which is a precondition then. Of the siblings of the failing path (siblings.py) follows:

- What the function asserts, it may take for granted: assertions are preconditions.
- If siblings come by unharmed because a pointer leads elsewhere in them, where the pointer leads is a precondition.
- Else, what makes siblings fail is what numbers hold. Text and buffers may hold anything, and a function that reads
  them has to cope. A number of the caller's (an argument, a member, a variable) has to be *tested wrongly*: the path
  compares it with something, and the values that fail are bounded by that, on one side at least; or it is tested for
  too large values and fails for negative ones.
- What a size beside a pointer says is taken at its word: a function that writes more has not looked at it.
- No object is as large as half of all addresses: what needs a size or an offset beyond that is no finding.
- A text may be short, but a function that reads beyond its end must have looked at it before.
- A loop that runs as often as a number of the caller's says, and fails in one of its turns, has tested nothing by that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from unfork.contracts.outcome import Failed
from unfork.execute.machine import Machine
from unfork.execute.step import UNINITIALISED
from unfork.facts.cfg import targets
from unfork.facts.function_facts import FactsTable
from unfork.llvm.c_types import Cell, Cells, Pointer, Routine, Scalar
from unfork.llvm.ir import Bits, Compare, GetElementPointer, Load, Register, Store
from unfork.llvm.types import Position
from unfork.logic import build
from unfork.logic.boolean import conjuncts
from unfork.logic.c_terms import words
from unfork.logic.chain import Chain
from unfork.logic.path import PathCondition
from unfork.logic.term import Term, Value
from unfork.scan.siblings import TOO_MANY, Family, Place, Sibling, Siblings, agrees, is_plain
from unfork.state.inputs import UNWRITTEN
from unfork.state.lazy import LazyHeap, LazyObject, cell_path
from unfork.state.memory import object_of, offset_in
from unfork.state.state import State

CERTAIN, CONDITIONAL = "certain", "conditional"
_WORD = 64
_MANY = 32
"""So many siblings that fail, and none that does not, stand for all of them where these are too many."""
_BLOCK = "the block of "
"""How messages name what was allocated."""
_TEST_OF_NULL = re.compile(
    r"!\s*\w+\s*[)&|?]|[!=]=\s*(?:NULL|0)\b|\b(?:NULL|0)\s*[!=]=|\b(?:if|while)\s*\(\s*\w+\s*[)&|]"
)
_FRONT = "an access in front of "
_NAMED = re.compile(r"'([^']+)'")
ASSERTIONS = frozenset(("assert", "abort", "reach-error", "unreachable", "user"))
"""Kinds of errors by which a program says what it takes for granted."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``certainty`` and why, in a sentence. ``precondition`` is what a caller must see to, "" where it is not known."""

    certainty: str
    reason: str
    precondition: str = ""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of the caller's, by its C expression."""

    path: str
    is_signed: bool


class Judge:
    """Judges the faults of one function."""

    def __init__(self, family: Family, chain: Chain, machine: Machine, function: str) -> None:
        self._family = family
        self._chain = chain
        self._facts = machine.facts
        self._program = machine.program
        self._types = machine.program.c_types
        self._is_called = any(caller != function for caller in machine.program.callers(function))

    def judge(self, failed: Failed) -> Judgement:
        """Whether a fault is certain."""
        if failed.fault.kind in ASSERTIONS:
            return Judgement(CONDITIONAL, "the program itself says that this never happens", failed.fault.message)
        foreign = self._undefined(failed.state) if failed.fault.kind == UNINITIALISED else None
        if foreign is not None:
            return Judgement(CONDITIONAL, f"it depends on the variable {foreign}, which no file here defines")
        siblings = self._family.of(failed)
        given = failed.state.lazy
        ours = [each for each in siblings.failing if agrees(each.state.lazy, given)] if siblings is not None else []
        is_known = siblings is not None and _is_known(siblings)
        if siblings is None or not ours or not is_known:
            return Judgement(CONDITIONAL, "it is not known whether all inputs that decide alike fail")
        alike = [each for each in siblings.surviving if agrees(given, each.state.lazy)]
        if not is_plain(given) and siblings.surviving:
            if _is_tested_later(failed, self._facts):
                return Judgement(CERTAIN, "the code tests the pointer, but only after it has used it")
            return _of_pointers(given, siblings.surviving)
        if not is_plain(given):
            missing = next(filter(None, (self._missing_function(each.state.lazy) for each in siblings.failing)), None)
            if missing is not None:
                return Judgement(CONDITIONAL, f"it needs a null pointer {missing}, for which there is no function here")
            if any(is_plain(each.state.lazy) for each in siblings.failing):
                return Judgement(CONDITIONAL, "it fails like this with better pointers, too")
        return self._of_numbers(ours[0], siblings, failed.fault.message, is_sure=not alike)

    def _of_numbers(self, failing: Sibling, siblings: Siblings, message: str, *, is_sure: bool) -> Judgement:
        """The judgement where it is numbers that make it fail."""
        state, lengths, granted = failing.state, failing.lengths, siblings.granted
        constraints = state.path.constraints()
        tests = [
            known
            for each in siblings.decided
            for known in (each, build.negate(each))
            if isinstance(known, Term) and self._chain.must(state.path, known)
        ]
        fault = [each for each in constraints[lengths[-1] :] if each not in granted]
        violated = build.negate(failing.required) if isinstance(failing.required, Term) else None
        if isinstance(violated, Term):
            fault = list(dict.fromkeys((*fault, *conjuncts(violated))))
        counts = self._counts(failing, siblings.places, granted)
        relevant = symbols_of(fault) | counts
        numbers = _numbers(state)
        if self._is_far(numbers, constraints):
            return Judgement(CONDITIONAL, "it needs a size or an offset that no object has")
        within = _input_named(state, message)
        if within is not None and not within.is_stated and not isinstance(failing.required, Term) and _FRONT in message:
            return Judgement(CONDITIONAL, f"it needs {within.path} to lead to the beginning of an object")
        for text, tested in self._texts(state, relevant):
            if not tested.intersection(symbols_of(tests)):
                reason = f"it needs a text {text} that is shorter than the code takes for granted"
                return Judgement(CONDITIONAL, reason, f"{text} is not so short")
        is_own = self._is_own(failing, message) or _leaves_room(state, message)
        wanted_numbers = () if is_own else relevant & numbers.keys()
        for each in sorted(wanted_numbers, key=lambda term: term.name):
            if not self._is_tested(each, numbers[each], tests, fault, is_count=each in counts):
                said = " && ".join(words(term, 1, signed=False) for term in fault if each in term.symbols)
                path = numbers[each].path
                wanted = f"!({said})" if said else f"{path} is not too large"
                return Judgement(CONDITIONAL, f"it needs a value of {path} that the code never tested", wanted)
        if is_sure:
            return Judgement(CERTAIN, "every input that takes these decisions fails here")
        if relevant & numbers.keys():
            names = ", ".join(sorted(numbers[each].path for each in relevant & numbers.keys()))
            return Judgement(CERTAIN, f"the code tests {names}, but lets values by that fail here")
        return Judgement(CERTAIN, "it depends on what text or a buffer holds, which may be anything")

    def _texts(self, state: State, relevant: Collection[Term]) -> Iterator[tuple[str, set[Term]]]:
        """The texts of whose length the ``relevant`` symbols are, each with the symbols of its characters."""
        lazy = state.lazy
        for item in lazy.objects:
            if item.is_text:
                ends = [
                    each
                    for each in lazy.possible_ends(item).values()
                    if self._under(state.path, build.eq(each, 0, 8)) is not None
                ]
                if symbols_of([item.length, *ends]).intersection(relevant):
                    characters = [value for (number, _), value in lazy.numbers.items() if number == item.number]
                    yield item.path, symbols_of(characters)

    def _undefined(self, state: State) -> str | None:
        """A variable that the path has read and that is only declared."""
        variables = self._program.globals
        for record in state.inputs:
            name = record.name.removeprefix(UNWRITTEN).partition("[")[0].partition("+")[0].partition("#")[0]
            if record.kind == "uninit" and name in variables and variables[name].initializer is None:
                return name
        return None

    def _is_own(self, failing: Sibling, message: str) -> bool:
        """Whether the object that a fault names was made by the function, which nobody else in the project calls."""
        if self._is_called:
            return False
        named = _NAMED.search(message)
        items = failing.state.memory.objects.values()
        is_local = named is not None and any(item.name == named[1] and item.kind == "stack" for item in items)
        return is_local or _BLOCK in message

    def _missing_function(self, given: LazyHeap) -> str | None:
        """The null pointer to a function for which the project has none that it could lead to."""
        for (number, offset), address in given.pointers.items():
            item = given.find(number)
            if address == 0 and item is not None and item.cells is not None:
                _, cell = _cell_at(item.cells, offset)
                if isinstance(cell.type, Pointer) and isinstance(self._types.target(cell.type), Routine):
                    return _path(given, number, offset)
        return None

    def _counts(self, failing: Sibling, places: Collection[Place], granted: Collection[Term]) -> set[Term]:
        """The symbols that say how often the loops turn in which the path failed."""
        constraints, frames = failing.state.path.constraints(), failing.state.frames
        ends = (*failing.lengths[1:], failing.lengths[-1])
        found: set[Term] = set()
        for place, start, end in zip(places, failing.lengths, ends, strict=True):
            if start == end or place.depth > len(frames) or frames[place.depth - 1].function is not place.function:
                continue
            for loop in self._facts[place.function].flow.loops.values():
                if place.block in loop and frames[place.depth - 1].block in loop:
                    after = targets(place.function.blocks[place.block].body[-1])
                    if not loop.issuperset(after):
                        found |= symbols_of(each for each in constraints[start:end] if each not in granted)
        return found

    def _is_tested(
        self, symbol: Term, number: _Number, tests: Iterable[Term], fault: Iterable[Term], *, is_count: bool
    ) -> bool:
        """Whether the path compares a number, and that bounds what fails. ``is_count``: loops turn so often."""
        tests = [*tests]
        if symbol not in symbols_of(tests):
            return False
        path = self._where((*tests, *fault))
        width = symbol.width
        top = 1 << (width - 1)

        def may_be(value: int) -> bool:
            return self._under(path, build.eq(symbol, value & (2 * top - 1), width)) is not None

        if not number.is_signed:
            return path is not None and not may_be(0) and not may_be(-1)
        fails_below = may_be(-top) and not may_be(top - 1) and not is_count
        if fails_below and self._where((*tests, build.eq(symbol, top - 1, width))) is None:
            return True
        is_below = may_be(0) and may_be(-1)
        sides = ((build.slt(symbol, 0, width), -top), (build.sle(0, symbol, width), top - 1))
        return any(
            self._under(path, side) is not None and not may_be(extreme) and not is_below for side, extreme in sides
        )

    def _is_far(self, numbers: Mapping[Term, _Number], constraints: Iterable[Term]) -> bool:
        """Whether a path is only possible with sizes and offsets of more than half of all addresses."""
        near = [build.sle(0, each, _WORD) for each in numbers if each.width == _WORD and not numbers[each].is_signed]
        return self._where((*constraints, *near)) is None

    def _where(self, conditions: Iterable[Value]) -> PathCondition | None:
        """The path on which all conditions hold, if there may be one."""
        path: PathCondition | None = PathCondition.EMPTY
        for condition in conditions:
            path = self._under(path, condition)
        return path

    def _under(self, path: PathCondition | None, condition: Value) -> PathCondition | None:
        """The path on which a condition holds, if there may be one."""
        longer = None if path is None else self._chain.assume(path, condition)
        return longer if isinstance(longer, PathCondition) else None


def _is_known(siblings: Siblings) -> bool:
    """Whether it is known what becomes of all siblings, or of so many that they stand for all."""
    return siblings.undecided is None or (siblings.undecided == TOO_MANY and len(siblings.failing) >= _MANY)


def symbols_of(values: Iterable[Value]) -> set[Term]:
    """The symbols in values."""
    return {symbol for value in values if isinstance(value, Term) for symbol in value.symbols}


def _is_tested_later(failed: Failed, facts: FactsTable) -> bool:
    """Whether the pointer through which an access failed is compared with null behind it, in the same function."""
    if not failed.state.frames or failed.fault.kind != "null-dereference":
        return False
    frame = failed.state.frames[-1]
    blocks = frame.function.blocks
    made = {each.result: each for block in blocks for each in block.body if isinstance(each, GetElementPointer)}
    access = blocks[frame.block].body[frame.index - 1]
    root = access.pointer if isinstance(access, Load | Store) else None
    while isinstance(root, Register) and root.index in made:
        root = made[root.index].base
    if not isinstance(root, Register):
        return False
    behind, waiting = set[int](), [*facts[frame.function].flow.successors[frame.block]]
    while waiting:
        block = waiting.pop()
        if block not in behind:
            behind.add(block)
            waiting += facts[frame.function].flow.successors[block]
    rest = [*blocks[frame.block].body[frame.index :], *(each for block in behind for each in blocks[block].body)]
    tests = [
        each for each in rest if isinstance(each, Compare) and {each.left, each.right} == {root, Bits(0, each.type)}
    ]
    return any(_is_written(each.position) for each in tests)


def _is_written(position: Position | None) -> bool:
    """Whether the source says at a line that a pointer is compared with null: a macro may do so to be safe."""
    if position is None:
        return False
    try:
        lines = Path(position.file).read_text("latin-1").split("\n")
    except OSError:
        return False
    return 0 < position.line <= len(lines) and _TEST_OF_NULL.search(lines[position.line - 1]) is not None


def _of_pointers(given: LazyHeap, others: Iterable[Sibling]) -> Judgement:
    """The judgement where it is a pointer that makes it fail: the first one that leads elsewhere in a sibling."""
    nearest = min(others, key=lambda each: len(_differing(given, each.state)))
    for path, address in _differing(given, nearest.state):
        if address == 0:
            reason = f"it needs a null pointer {path} that the code never tested"
            return Judgement(CONDITIONAL, reason, f"{path} is not null")
        goal = _goal(given, address)
        reason = f"it needs {path} to lead to {goal}, which the code never tested"
        return Judgement(CONDITIONAL, reason, f"{path} does not lead to {goal}")
    return Judgement(CONDITIONAL, "it needs something of the heap that the code never tested")


def _differing(given: LazyHeap, other: State) -> list[tuple[str, int]]:
    """The pointers, by their C expressions, that lead elsewhere in another input, with where they lead in this one."""
    differing = [
        (mine.name, mine.value)
        for mine, their in zip(given.arguments, other.lazy.arguments, strict=False)
        if isinstance(mine.value, int) and mine.value != their.value
    ]
    for (number, offset), address in given.pointers.items():
        if other.lazy.pointers.get((number, offset), address) != address:
            differing.append((_path(given, number, offset), address))
    return differing


def _path(lazy: LazyHeap, number: int, offset: int) -> str:
    """The C expression of a pointer in an object."""
    item = lazy.find(number)
    return "a pointer" if item is None or item.cells is None else cell_path(item, *_cell_at(item.cells, offset))


def _cell_at(cells: Cells, offset: int) -> tuple[int, Cell]:
    """The cell of an object at an offset in bytes, with the index of its element."""
    [found] = cells.within(offset, offset + 1)
    return found


def _goal(lazy: LazyHeap, address: int) -> str:
    """Where an address leads, in words."""
    if address in lazy.functions:
        return lazy.functions[address]
    item = lazy.find(object_of(address))
    if item is None:
        return "an object"
    offset = offset_in(address)
    return f"*{item.path}" if not offset else f"the byte {offset} of *{item.path}"


def _input_named(state: State, message: str) -> LazyObject | None:
    """The object of the input that a fault names."""
    named = _NAMED.search(message)
    return None if named is None else next((item for item in state.lazy.objects if item.path == named[1]), None)


def _leaves_room(state: State, message: str) -> bool:
    """Whether more is written than there is room for by the caller's word."""
    named = _input_named(state, message)
    return message.startswith("write") and named is not None and named.is_stated


def _numbers(state: State) -> dict[Term, _Number]:
    """The numbers of the caller's among a path's symbols. What text and buffers of bytes hold is not among them."""
    lazy = state.lazy
    found: dict[Term, _Number] = {}
    for argument in lazy.arguments:
        if isinstance(argument.type, Scalar) and isinstance(argument.value, Term):
            number = _Number(argument.name, argument.type.encoding.startswith("signed"))
            found |= dict.fromkeys(argument.value.symbols, number)
    for (number_of_object, offset), value in lazy.numbers.items():
        item = lazy.find(number_of_object)
        if not isinstance(value, Term) or item is None or item.cells is None:
            continue
        if item.cells.size == 1 and item.variable is None:
            continue
        index, cell = _cell_at(item.cells, offset)
        signed = isinstance(cell.type, Scalar) and cell.type.encoding.startswith("signed")
        number = _Number(cell_path(item, index, cell), signed)
        found |= dict.fromkeys(value.symbols, number)
    return found
