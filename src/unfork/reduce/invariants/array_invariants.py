"""Arrays that a loop fills or searches: invariants about each element that its turns have passed.

An array of the program becomes an object of any length (engine/state/unbounded.py), and each proved property of its
first elements is a fact that every read unfolds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.engine.state.inputs import UNWRITTEN, unwritten_symbols
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import (
    UNBOUNDED,
    CellsOfSymbols,
    Contents,
    Copied,
    ElementClaim,
    ElementLimits,
    Filled,
    ForgottenBytes,
    GuardedWrite,
    Limit,
    UnknownContents,
    cells_of_unknown,
    facts_at,
    is_in_order,
    read,
    stride_of,
)
from unfork.errors import Unsupported
from unfork.logic.solve.value_dependence import dependence
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm import layout
from unfork.program.llvm.types import Type
from unfork.reduce.invariants.cells import Cell, MemoryCell, RegisterCell

LEAST_BYTES = 1024
"""In smaller arrays, each element is a piece of memory of its own."""
ANY = "\0any element"
"""The index of an arbitrary element in a proof about all."""


@dataclass(frozen=True, slots=True)
class ElementBound:
    """Each element (``width`` bits) before the index in a cell keeps to a ``limit``: a fixed one, or another number
    of the loop.
    """

    array: int
    width: int
    index: Cell
    order: str
    limit: Limit | Cell


@dataclass(frozen=True, slots=True)
class Within:
    """A loop has written each element before the index in a cell, and no others: these are as ``before`` the loop."""

    array: int
    index: Cell
    before: Contents


OfArray = ElementBound | Within


def condition(candidate: OfArray, state: State) -> Value | None:
    """The claim of a candidate about any element, in a state at the head; None if the array's form prevents it."""
    contents, item = state.proof.contents.get(candidate.array), state.memory.objects.get(candidate.array)
    if contents is None or item is None or not isinstance(item.size, int):
        return None
    try:
        return _condition(candidate, contents, item.size, state)
    except Unsupported:
        return None  # parts of elements were written


def _condition(candidate: OfArray, contents: Contents, size: int, state: State) -> Value:
    stride = stride_of(contents)
    element = symbol(ANY, 64)
    offset = build.mul(element, stride, 64)
    is_there = build.ult(element, size // stride, 64)
    value = read(contents, offset, stride)
    is_before = build.slt(offset, _end(candidate.index, stride, state), 64)
    match candidate:
        case ElementBound():
            said = is_in_order(value, candidate.order, _limit(candidate.limit, state), offset, stride)
            holds = build.either(build.negate(is_before), said)
        case Within():
            earlier = read(candidate.before, offset, stride)
            unwritten = unwritten_symbols(value) if isinstance(value, Term) else frozenset[Term]()
            is_written = build.negate(dependence(value, unwritten))
            holds = build.ite(is_before, is_written, build.eq(value, earlier, 8 * stride), 1)
    premises = [is_there, *facts_at(state.proof, candidate.array, offset)]
    premises += _congruence(state, element, (*premises, holds))
    return build.either(build.negate(build.conjunction(premises)), holds)


def _congruence(state: State, element: Term, terms: Iterable[Value]) -> Iterator[Value]:
    """Cells that depend on an element's index equal those at known offsets where the offsets are equal."""
    known = cells_of_unknown(state.proof)
    symbols = {symbol for term in terms if isinstance(term, Term) for symbol in term.symbols}
    symbols.update(symbol for part in state.path.touched(symbols) for symbol in part.symbols)
    cells = sorted([(each, known[each]) for each in symbols if each in known], key=lambda pair: pair[0].name)
    for mine, cell in cells:
        if not isinstance(cell.offset, Term) or element not in cell.offset.symbols:
            continue
        for other, its in cells:
            if other is not mine and its.contents is cell.contents and its.size == cell.size:
                is_same = build.eq(cell.offset, its.offset, 64)
                yield build.either(build.negate(is_same), build.eq(mine, other, 8 * cell.size))


def _end(index: Cell, stride: int, state: State) -> Value:
    """The offset (64 bits) of the element with the index in a cell."""
    return build.mul(build.sext(index.read(state), index.width, 64), stride, 64)


def _limit(limit: Limit | Cell, state: State) -> Limit:
    return limit.read(state) if isinstance(limit, RegisterCell | MemoryCell) else limit


# --- the beginning of a loop


def is_array(item: MemoryObject) -> bool:
    """Whether an object is an array of integers that may become an object of any length."""
    return (
        isinstance(item.size, int)
        and item.size >= LEAST_BYTES
        and not item.read_only
        and item.gone == 0
        and item.kind != UNBOUNDED
        and _stride(item.type) > 0
    )


def _stride(type: Type | None) -> int:
    """The bytes of an element; 0 if a type is not an array of integers of whole bytes."""
    return 0 if type is None else layout.element_of(type)


def changed_arrays(begun: State, over: Iterable[State]) -> list[int]:
    """The arrays that an iteration changes."""
    numbers: dict[int, None] = {}
    for state in over:
        for number, after in state.memory.objects.held.items():
            before = begun.memory.objects.get(number)
            if before is not None and before is not after and is_array(before):
                numbers[number] = None
    return list(numbers)


def open_arrays(
    state: State, numbers: Sequence[int], cells: CellsOfSymbols, fresh: Callable[[str, int], Term]
) -> State:
    """A more general state, in which arrays are objects of any length."""
    opened = state.fork()
    opened.over = True
    contents = dict(opened.proof.contents)
    for number in numbers:
        item = opened.memory.writable(number)
        contents[number] = _contents(item, _stride(item.type), cells, fresh)
        opened.memory.objects[number] = MemoryObject(
            bytearray(), item.size, UNBOUNDED, item.name, site=item.site, type=item.type, owner=item.owner
        )
    opened.proof = replace(opened.proof, contents=contents)
    return opened


def _contents(item: MemoryObject, stride: int, cells: CellsOfSymbols, fresh: Callable[[str, int], Term]) -> Contents:
    """The contents of an array: unless all zero, they may be anything."""
    if item.mask is None and not any(item.data):
        return Filled(stride)
    is_written = not item.uninitialised_runs(0, len(item.data)) and not any(
        unwritten_symbols(term) for term, _ in (item.symbolic or {}).values()
    )
    return _unknown(item.name, stride, cells, fresh, is_written=is_written)


def _unknown(
    name: str, stride: int, cells: CellsOfSymbols, fresh: Callable[[str, int], Term], *, is_written: bool
) -> UnknownContents:
    prefix = "" if is_written else UNWRITTEN
    return cells.unknown(f"{prefix}{fresh(ANY, 1).name} of {name}", stride)


# --- a general iteration


def havoc_arrays(
    state: State,
    objects: Mapping[int, bool],
    candidates: Sequence[OfArray],
    cells: CellsOfSymbols,
    fresh: Callable[[str, int], Term],
) -> None:
    """Havoc the arrays that iterations modify, under the candidates, which the state then knows.

    ``objects`` says of each whether its written values may depend on unwritten bytes.
    """
    contents = dict(state.proof.contents)
    for number, may_be_unwritten in objects.items():
        item, below = state.memory.objects.get(number), contents.get(number)
        if item is None or item.kind != UNBOUNDED or below is None:
            continue
        assert isinstance(item.size, int)
        stride = stride_of(below)
        within = next((each for each in candidates if isinstance(each, Within) and each.array == number), None)
        is_written = within is not None or not (may_be_unwritten or _may_be_unwritten(below))
        now = _unknown(item.name, stride, cells, fresh, is_written=is_written)
        high = item.size if within is None else _end(within.index, stride, state)
        contents[number] = ForgottenBytes(below, 0, high, now)
    known = [
        ElementClaim(
            each.array,
            contents[each.array],
            _end(each.index, stride_of(contents[each.array]), state),
            each.order,
            _limit(each.limit, state),
        )
        for each in candidates
        if isinstance(each, ElementBound)
    ]
    state.proof = replace(state.proof, contents=contents, claims=(*state.proof.claims, *known))


def _may_be_unwritten(contents: Contents) -> bool:
    """Whether part of an array may be unwritten."""
    waiting = [contents]
    for layer in waiting:
        match layer:
            case UnknownContents():
                if layer.name.startswith(UNWRITTEN):
                    return True
            case Copied():
                waiting.append(layer.source)
            case Filled(_, byte):
                if isinstance(byte, Term) and unwritten_symbols(byte):
                    return True
            case GuardedWrite():
                if isinstance(layer.value, Term) and unwritten_symbols(layer.value):
                    return True
                waiting.append(layer.below)
            case ForgottenBytes():
                waiting += (layer.below, layer.now)
            case _:
                waiting += (layer.first, layer.second)
    return False


# --- candidates


def arrays_in(state: State) -> list[int]:
    """The arrays of a state that are objects of any length."""
    return [number for number in state.proof.contents if number in state.memory.objects]


def writes_since(begun: State, state: State, array: int) -> Iterator[GuardedWrite]:
    """The writes to an array since ``begun``, newest first, until paths were joined."""
    layer, first = state.proof.contents[array], begun.proof.contents[array]
    while layer is not first and isinstance(layer, GuardedWrite):
        yield layer
        layer = layer.below


def limits_of(entry: State, array: int, objects: Iterable[int]) -> Iterator[ElementLimits]:
    """The elements, with the same indices, of arrays that a loop does not modify."""
    modified, contents = set(objects), entry.proof.contents
    for other in arrays_in(entry):
        if other != array and other not in modified and stride_of(contents[other]) == stride_of(contents[array]):
            yield ElementLimits(other, contents[other])
