"""Objects of any length: unknown contents, and the changes made to them, newest first.

A cell is named by its offset (64 bits) and its size. A chain of changes is never copied, so that a fork is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from unfork.errors import Unsupported
from unfork.logic.terms import build, concrete
from unfork.logic.terms.linear import Linear
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

UNBOUNDED = "unbounded"
"""The kind of a memory object of any length."""
MOST_ELEMENTS = 64
"""Of a larger array only the accessed cells exist, as if it had any length: a read at an unknown index is then one
cell, not a choice among all, and a claim about the array has one instance there, not one for each element.
"""
COUNT = 1 << 64
"""How many values a word has."""


@dataclass(frozen=True, slots=True)
class UnknownCell:
    """A cell of unknown contents. ``offset`` (64 bits) is where it begins, ``size`` its bytes."""

    contents: UnknownContents
    offset: Value
    size: int


@dataclass(slots=True)
class CellsOfSymbols:
    """The cell of each symbol of a run."""

    of: dict[Term, UnknownCell] = field(default_factory=dict)
    _contents: int = 0

    def unknown(self, name: str, stride: int) -> UnknownContents:
        """Unknown contents of elements of ``stride`` bytes."""
        self._contents += 1
        return UnknownContents(f"{name}@{self._contents}", stride, self)


@dataclass(slots=True, eq=False)
class UnknownContents:
    """Unknown contents: a symbol for each accessed cell. Equal offsets have one symbol."""

    name: str
    stride: int
    cells: CellsOfSymbols
    _known: dict[tuple[Value, int], Term] = field(default_factory=dict)

    def cell(self, offset: Value, size: int) -> Term:
        """The symbol of a cell."""
        known = self._known.get((offset, size))
        if known is None:
            known = symbol(f"{self.name}[{len(self._known)}]", 8 * size)
            self._known[offset, size] = known
            self.cells.of[known] = UnknownCell(self, offset, size)
        return known


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """Contents whose bytes all are ``byte`` (8 bits), of elements of ``stride`` bytes."""

    stride: int
    byte: Value = 0

    def cell(self, offset: Value, size: int) -> Value:
        return build.concat_bytes([self.byte] * size)


@dataclass(frozen=True, slots=True, eq=False)
class Copied:
    """Contents equal to those of a ``source`` at offsets larger by ``distance`` (64 bits)."""

    source: Contents
    distance: Value

    def cell(self, offset: Value, size: int) -> Value:
        return read(self.source, build.add(offset, self.distance, 64), size)


@dataclass(frozen=True, slots=True, eq=False)
class GuardedWrite:
    """``value`` was written to the ``size`` bytes at ``offset``, where ``guard`` (1 bit) holds."""

    below: Contents
    offset: Value
    size: int
    value: Value
    guard: Value = 1


@dataclass(frozen=True, slots=True, eq=False)
class ForgottenBytes:
    """The bytes from ``low`` to before ``high`` (64 bits, signed) are those of ``now``; so is a cell that they cut."""

    below: Contents
    low: Value
    high: Value
    now: UnknownContents | Filled | Copied


@dataclass(frozen=True, slots=True, eq=False)
class JoinedContents:
    """The contents on a joined path: ``first`` where ``guard`` (1 bit) holds, else ``second``."""

    guard: Value
    first: Contents
    second: Contents


Contents: TypeAlias = "UnknownContents | Filled | Copied | GuardedWrite | ForgottenBytes | JoinedContents"


def stride_of(contents: Contents) -> int:
    """The bytes of an element."""
    while not isinstance(contents, UnknownContents | Filled):
        match contents:
            case JoinedContents(_, first, _):
                contents = first
            case Copied(source, _):
                contents = source
            case _:
                contents = contents.below
    return contents.stride


class UniversalFact(Protocol):
    """A fact about all values of some variables, which engine/meaning/formula.py interprets."""

    def under(self, guard: Value) -> UniversalFact:
        """The fact, where ``guard`` (1 bit) holds."""


@dataclass(frozen=True, slots=True)
class Progression:
    """A limit for the element with index i: ``first`` plus i times ``step``, modulo the elements' width."""

    first: int
    step: int


@dataclass(frozen=True, slots=True)
class ElementLimits:
    """A limit for an element: the one at the same place in an object's earlier ``contents``."""

    number: int
    contents: Contents


Limit: TypeAlias = "Value | Progression | ElementLimits"
ORDERS: Mapping[str, Callable[[Value, Value, int], Value]] = {
    ">= (signed)": build.sge,
    "<= (signed)": build.sle,
    ">= (unsigned)": build.uge,
    "<= (unsigned)": build.ule,
}
RELATIONS = {"==": build.eq, **ORDERS}


@dataclass(frozen=True, slots=True)
class ElementClaim:
    """A claim: where ``guard`` holds, each element of ``contents``, which object ``number`` had, that begins before
    ``high`` (an offset, 64 bits, signed) is in an ``order`` of RELATIONS to a limit.
    """

    number: int
    contents: Contents
    high: Value
    order: str
    limit: Limit
    guard: Value = 1

    def under(self, guard: Value) -> ElementClaim:
        """The claim, where ``guard`` (1 bit) holds."""
        return replace(self, guard=build.both(guard, self.guard))

    def at(self, offset: Value) -> Value:
        """The claim about the element at ``offset``: 1 bit."""
        stride = stride_of(self.contents)
        is_meant = build.both(build.sge(offset, 0, 64), build.slt(offset, self.high, 64))
        said = is_in_order(read(self.contents, offset, stride), self.order, self.limit, offset, stride)
        return build.either(build.negate(build.both(self.guard, is_meant)), said)


def is_in_order(element: Value, order: str, limit: Limit, offset: Value, stride: int) -> Value:
    """Whether the element at ``offset``, of ``stride`` bytes, is in an order to its limit: 1 bit."""
    width = 8 * stride
    match limit:
        case ElementLimits(_, contents):
            other = read(contents, offset, stride)
        case Progression(first, step):
            index = (
                build.trunc(build.udiv(offset, stride, 64), 64, width) if width < 64 else build.udiv(offset, stride, 64)
            )
            other = build.add(build.mul(index, step % (1 << width), width), first % (1 << width), width)
        case _:
            other = limit
    return RELATIONS[order](element, other, width)


def cells_of_unknown(proof: ProofKnowledge) -> Mapping[Term, UnknownCell]:
    """The symbols of all cells of objects of any length: their meaning may depend on the program point."""
    waiting = list(proof.contents.values())
    for layer in waiting:
        match layer:
            case UnknownContents():
                return layer.cells.of
            case Filled():
                pass
            case GuardedWrite():
                waiting.append(layer.below)
            case Copied():
                waiting.append(layer.source)
            case ForgottenBytes():
                waiting += (layer.now, layer.below)
            case JoinedContents():
                waiting += (layer.first, layer.second)
    return {}


def facts_at(proof: ProofKnowledge, number: int, offset: Value) -> list[Value]:
    """The facts about the element of an object at an offset, and about those it is compared with: 1 bit each."""
    facts, waiting = [], [number]
    for each in waiting:
        for claim in proof.claims:
            if isinstance(claim, ElementClaim) and claim.number == each:
                facts.append(claim.at(offset))
                if isinstance(claim.limit, ElementLimits) and claim.limit.number not in waiting:
                    waiting.append(claim.limit.number)
    return facts


class Cut:
    """A point where a path was cut, and the condition for its return; commands/verify/cuts.py makes and reads it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ProofKnowledge:
    """A path's knowledge in a proof, beyond that in a run.

    ``contents`` are those of the objects of any length, by number. ``claims`` hold on the path. ``cuts`` are the
    loops whose turn the path is in, by depth of the frame and block, and the calls whose contracts wait for their
    end.
    """

    contents: Mapping[int, Contents]
    claims: tuple[UniversalFact, ...]
    cuts: Mapping[tuple[int, int], Cut]
    handled: int
    """The path's instructions at the last look where it may be cut."""
    cells: CellsOfSymbols | None = None
    """Cells of blocks of unknown size, which are objects of any length, too. None: they have a capacity."""


NOTHING = ProofKnowledge({}, (), {}, -1)
"""For a path that proves nothing."""


def read(contents: Contents, offset: Value, size: int) -> Value:
    """The ``size`` bytes at ``offset`` (64 bits). Raises Unsupported for an unknown part of a cell."""
    if isinstance(offset, Term) and _is_part(offset, size, stride_of(contents)):
        return _read_part(contents, offset, size)
    return _read_cell(contents, offset, size)


def _read_cell(contents: Contents, offset: Value, size: int) -> Value:
    """The ``size`` bytes at ``offset`` (64 bits), whose place in an element is known."""
    field = field_of(offset, size, stride_of(contents))
    known: dict[Contents, Value] = {}
    waiting = [contents]
    while waiting:
        layer = waiting[-1]
        if layer in known:
            waiting.pop()
            continue
        match layer:
            case UnknownContents() | Filled() | Copied():
                known[layer] = layer.cell(offset, size)
            case GuardedWrite():
                same = build.both(layer.guard, _is_same(layer, offset, size, field))
                if same == 1:
                    known[layer] = layer.value
                elif layer.below in known:
                    known[layer] = build.ite(same, layer.value, known[layer.below], 8 * size)
                else:
                    waiting.append(layer.below)
            case ForgottenBytes():
                inside = _is_changed(layer, offset, size)
                if inside == 1:
                    known[layer] = layer.now.cell(offset, size)
                elif layer.below in known:
                    now: Value = 0 if inside == 0 else layer.now.cell(offset, size)
                    known[layer] = build.ite(inside, now, known[layer.below], 8 * size)
                else:
                    waiting.append(layer.below)
            case JoinedContents():
                missing = [side for side in (layer.first, layer.second) if side not in known]
                if missing:
                    waiting += missing
                else:
                    known[layer] = build.ite(layer.guard, known[layer.first], known[layer.second], 8 * size)
    return known[contents]


def _is_part(offset: Term, size: int, stride: int) -> bool:
    """Whether an access is to one of the equal parts of an element, and it is unknown which."""
    if size >= stride or stride & (stride - 1) or stride % size:
        return False
    total = linear(offset)
    factors = total.factors.values()
    return any(each % stride for each in factors) and not any(each % size for each in (total.constant, *factors))


def _read_part(contents: Contents, offset: Term, size: int) -> Value:
    """Bytes of an element at an offset that may mean any of its parts."""
    stride = stride_of(contents)
    bits, width = stride.bit_length() - 1, 8 * stride
    whole = _read_cell(contents, build.mul(build.lshr(offset, bits, 64), stride, 64), stride)
    place = build.extract(offset, 0, bits)
    shift = build.mul(build.zext(place, bits, width), 8, width)
    return build.trunc(build.lshr(whole, shift, width), width, 8 * size)


def write(contents: Contents, offset: Value, size: int, value: Value, guard: Value) -> Contents:
    """The contents after ``value`` was written to the ``size`` bytes at ``offset``, where ``guard`` (1 bit) holds."""
    field_of(offset, size, stride_of(contents))
    return GuardedWrite(contents, offset, size, value, guard)


def fill(contents: Contents, low: Value, high: Value, byte: Value) -> Contents:
    """The contents after all bytes from ``low`` to before ``high`` became ``byte`` (8 bits).

    Raises Unsupported where these may begin or end within an element.
    """
    stride = stride_of(contents)
    if any(field_of(end, 0, stride) for end in (low, high)):
        raise Unsupported("a part of an element of an object of any length that is filled")
    return ForgottenBytes(contents, low, high, Filled(stride, byte))


def copy(contents: Contents, low: Value, high: Value, source: Contents, first: Value) -> Contents:
    """The contents after the bytes of a ``source`` from ``first`` on became those from ``low`` to before ``high``.

    Raises Unsupported where these may begin or end within an element, or elements have other sizes.
    """
    stride = stride_of(contents)
    if stride_of(source) != stride or any(field_of(end, 0, stride) for end in (low, high, first)):
        raise Unsupported("a part of an element of an object of any length that is copied")
    return ForgottenBytes(contents, low, high, Copied(source, build.sub(first, low, 64)))


def _is_changed(layer: ForgottenBytes, offset: Value, size: int) -> Value:
    """Whether a cell has a forgotten byte: 1 bit."""
    low, stride = layer.low, stride_of(layer.below)
    constant, factors = (low, {}) if isinstance(low, int) else (linear(low).constant, linear(low).factors)
    if constant % stride or any(factor % stride for factor in factors.values()):
        behind = build.slt(low, build.add(offset, size, 64), 64)
    else:
        behind = build.sle(low, offset, 64)
    return build.both(behind, build.slt(offset, layer.high, 64))


def _is_same(written: GuardedWrite, offset: Value, size: int, field: int) -> Value:
    """Whether a write was to the cell at ``offset``, which begins at ``field`` of its element: 1 bit."""
    stride = stride_of(written)
    other = field_of(written.offset, written.size, stride)
    if other == field and written.size == size:
        return build.eq(written.offset, offset, 64)
    if other < field + size and field < other + written.size:
        raise Unsupported("an access to a part of what was written as a whole, in an object of any length")
    return 0


def field_of(offset: Value, size: int, stride: int) -> int:
    """Where in its element an access begins. Raises Unsupported if that is unknown, or the access goes beyond."""
    if isinstance(offset, int):
        field = _signed(offset) % stride
    else:
        total = linear(offset)
        if any(factor % stride for factor in total.factors.values()):
            raise Unsupported("an access that may begin anywhere in an element of an object of any length")
        field = total.constant % stride
    if field + size > stride:
        raise Unsupported("an access to parts of several elements of an object of any length")
    return field


def linear(offset: Term) -> Linear:
    """An offset (64 bits) as a sum of signed numbers."""
    total = Linear()
    total.read_through(offset, 1)
    total.constant = _signed(total.constant)
    total.factors = {addend: _signed(factor) for addend, factor in total.factors.items() if factor % COUNT}
    return total


def _signed(number: int) -> int:
    return concrete.signed(number % COUNT, 64)
