"""Conversions between pointers and numbers, concrete or symbolic (engine/state/flat_layout.py has the concrete
ones).

A symbolic word is converted where it is built on known objects: an address plus an offset, or a choice of such. A
word of unknown origin is a number, in a register of either type, unless all its bits come from known words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import (
    END,
    GRAIN_BITS,
    IMAGE,
    LAZY_BITS,
    LOWEST_ADDRESS,
    NEAR,
    address_at,
    front,
    number_in,
    number_of,
    room,
    start_of,
)
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_LAZY,
    FIRST_STACK,
    FIRST_STATIC,
    MASK_64,
    SLOT_BITS,
    SLOT_MASK,
    SLOT_MIDDLE,
    Memory,
    object_of,
    offset_in,
)
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.choice import plain
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm import layout
from unfork.program.llvm.types import PointerType, Type


def magnitude(constant: int) -> int:
    """The distance of a word from zero, on either side."""
    return min(constant, MASK_64 + 1 - constant)


@dataclass(frozen=True, slots=True)
class ChoiceAddend:
    """A choice that is added or subtracted."""

    term: Term
    is_negative: bool

    @property
    def value(self) -> Value:
        """The value to add."""
        return build.neg(self.term, 64) if self.is_negative else self.term

    @property
    def sides(self) -> tuple[Value, Value, Value]:
        """The condition of the choice, and the values to add where it holds and where not."""
        condition, first, second = self.term.args
        if self.is_negative:
            return condition, build.neg(plain(first), 64), build.neg(plain(second), 64)
        return condition, plain(first), plain(second)


@dataclass(frozen=True, slots=True)
class SumParts:
    """The addends of a word: a constant, choices that carry addresses, and the sum of all others."""

    constant: int
    choices: list[ChoiceAddend]
    index: Value

    def beside(self, choice: ChoiceAddend) -> Value:
        """The sum of all addends but one."""
        return total([self.constant, self.index, *[other.value for other in self.choices if other is not choice]])


class Carriers:
    """Terms that contain a constant further from zero than ``limit``: by default, than any index."""

    def __init__(self, limit: int = NEAR) -> None:
        self._limit = limit
        self._plain: set[Term] = set()

    def is_far(self, constant: int) -> bool:
        """Whether a constant may be an address, or have one added to it."""
        return magnitude(constant) > self._limit

    def carries(self, term: Term) -> bool:
        """Whether a choice, or a sum, has such a constant in one of its alternatives."""
        if term.high <= self._limit:
            return False
        waiting, seen = [term], set[Term]()
        while waiting:
            part = waiting.pop()
            if part in seen or part in self._plain:
                continue
            seen.add(part)
            if part.op == "const":
                if self.is_far(part.value):
                    return True
            elif part.op == "ite":
                waiting.extend(part.args[1:])
            elif part.op in ("add", "neg"):
                waiting.extend(part.args)
        self._plain |= seen
        return False

    def parts(self, word: Value) -> SumParts:
        """The addends of a word."""
        if isinstance(word, int):
            return SumParts(word, [], 0)
        constant, choices, index = 0, list[ChoiceAddend](), list[Value]()
        waiting = [(word, False)]
        while waiting:
            term, is_negative = waiting.pop()
            if term.op == "const":
                constant += -term.value if is_negative else term.value
            elif term.op == "add":
                waiting.extend((addend, is_negative) for addend in reversed(term.args))
            elif term.op == "neg":
                waiting.append((term.args[0], not is_negative))
            elif term.op == "ite" and self.carries(term):
                choices.append(ChoiceAddend(term, is_negative))
            else:
                index.append(build.neg(term, 64) if is_negative else term)
        return SumParts(constant & MASK_64, choices, total(index))


def total(addends: Iterable[Value]) -> Value:
    """The sum of words."""
    result: Value = 0
    for addend in addends:
        result = build.add(result, addend, 64)
    return result


_REGIONS = (
    (FIRST_STATIC, FIRST_LAZY, GRAIN_BITS),
    (FIRST_LAZY, FIRST_STACK, LAZY_BITS),
    (FIRST_STACK, END_OF_NAMES, GRAIN_BITS),
)
"""First name, end of names, and bits of a window, of each part of the layout."""
LARGEST_NUMBER = LOWEST_ADDRESS - 1
"""A word further from zero may be a pointer, or the difference of one and a number."""
MOST_SUMS = 1024
"""Sums of several addends that carry addresses, in one word, to convert alternative by alternative."""


LEAST_NARROW = (FIRST_STATIC << narrow_layout.GRAIN_BITS) - 1
"""A number of 32 bits further from zero may be a pointer."""
FAR = "a pointer far from its object, where pointers have 32 bits"
UNKNOWN = "a pointer of unknown origin as a number, where pointers have 32 bits"


def to_number(step: Step, pointer: Value) -> Value:
    """``ptrtoint``: 64 bits."""
    memory = step.state.memory
    if isinstance(pointer, int):
        return number_of(pointer, memory)
    if memory.is_narrow:
        return _narrow_number(step, pointer)

    def known(word: int) -> int:
        return number_of(word, memory)

    def indexed(constant: int, total: Term) -> Value:
        if magnitude(constant) > LARGEST_NUMBER:
            return _number_in_any_region(total)
        return _shift(total, known) or (total if _is_number(total) else _number_in_any_region(total))

    return _as_number(pointer, known, indexed)


def to_pointer(step: Step, number: Value) -> Value:
    """``inttoptr`` of 64 bits; a pointer stays as it is.

    A number that may leave the surroundings of an object stays a number; an access finds out where it leads.
    """
    memory = step.state.memory
    if isinstance(number, int):
        return address_at(number, memory)
    if memory.is_narrow and number.op == "zext" and number.args[0].width == narrow_layout.BITS:
        return _narrow_pointer(step, number.args[0])
    return _pointer_of(step, number)


def _pointer_of(step: Step, number: Term) -> Value:
    memory = step.state.memory

    def leaf(constant: int, rest: Value) -> Value:
        if not isinstance(rest, Term):
            return address_at(constant + rest & MASK_64, memory)
        total = build.add(rest, constant, 64)
        if not isinstance(total, Term):
            return address_at(total, memory)
        shifted = _shift(total, lambda word: address_at(word, memory))
        if shifted is not None:
            return shifted
        address = address_at(constant, memory)
        if address == constant:
            return total
        distance = build.add(total, front(memory) - constant + offset_in(address) & MASK_64, 64)
        is_near = build.ult(distance, room(object_of(address), memory), 64)
        return build.add(rest, address, 64) if step.chain.must(step.state.path, is_near) else total

    return _convert(number, Carriers(LEAST_NARROW if memory.is_narrow else NEAR), leaf, _identity)


# --- numbers of 32 bits


def spelled(pointer: int, memory: Memory) -> int | None:
    """A pointer as memory that ``is_narrow`` holds it; None if it has no number that leads back."""
    number = number_of(pointer, memory)
    return number if address_at(number, memory) == pointer else None


def spell(step: Step, pointer: Value) -> Value:
    """A pointer as its number of 32 bits, which memory holds. A path on which it has none ends loudly."""
    if isinstance(pointer, int):
        number = spelled(pointer, step.state.memory)
        return step.unsupported(FAR) if number is None else number
    return build.trunc(to_number(step, pointer), 64, narrow_layout.BITS)


def unspell(step: Step, number: Value) -> Value:
    """The pointer for a number of 32 bits in memory."""
    if isinstance(number, Term):
        number = step.conduct.spelled(number)
    return to_pointer(step, build.zext(number, narrow_layout.BITS, 64))


def _narrow_number(step: Step, pointer: Term) -> Value:
    """The number of a symbolic pointer; the path goes on where it lies around its objects."""
    memory = step.state.memory

    def known(word: int) -> int:
        number = spelled(word, memory)
        return step.unsupported(FAR) if number is None else number

    def leaf(constant: int, rest: Value) -> Value:
        if not isinstance(rest, Term):
            return known(constant + rest & MASK_64)
        name = object_of(constant)
        if not FIRST_STATIC <= name < END_OF_NAMES:
            total = build.add(rest, constant, 64)
            if isinstance(total, Term) and total.high > narrow_layout.MASK:
                step.unsupported(UNKNOWN)
            return total if isinstance(total, Term) else known(total)
        at = offset_in(constant) & MASK_64
        distance = build.add(rest, at + narrow_layout.FRONT & MASK_64, 64)
        step.limit(build.ult(distance, room(name, memory), 64), "capacity", FAR)
        return build.add(rest, narrow_layout.start_of(name) + at & MASK_64, 64)

    def whole(_: Term) -> Value:
        return step.unsupported(UNKNOWN)

    return _convert(pointer, Carriers(LARGEST_NUMBER), leaf, whole)


def _narrow_pointer(step: Step, number: Term) -> Value:
    """The pointer for a number of 32 bits, separately for each alternative of a choice."""
    done: dict[Term, Value] = {}
    waiting = [number]
    while waiting:
        part = waiting[-1]
        if part in done:
            waiting.pop()
        elif part.op == "ite":
            missing = [side for side in part.args[1:] if side not in done]
            waiting += missing
            if not missing:
                condition, first, second = part.args
                done[part] = build.ite(condition, done[first], done[second], 64)
        elif part.op == "const":
            done[part] = address_at(part.value, step.state.memory)
        else:
            done[part] = _narrow_leaf(step, part)
    return done[number]


def _narrow_leaf(step: Step, number: Term) -> Value:
    memory, path = step.state.memory, step.state.path
    whole = build.zext(number, narrow_layout.BITS, 64)
    if number.op == "extract" and number.parameter == 0 and number.args[0].width == 64:
        inner = number.args[0]
        return _pointer_of(step, inner) if step.chain.must(path, build.ule(inner, narrow_layout.MASK, 64)) else whole
    assert isinstance(whole, Term)
    shifted = _shift(whole, lambda word: address_at(word, memory))
    if shifted is not None:
        return shifted
    constant, rest = build.constant_offset(number)
    address = address_at(constant, memory)
    if not FIRST_STATIC <= object_of(address) < END_OF_NAMES:
        return whole
    first = narrow_layout.start_of(object_of(address)) - narrow_layout.FRONT
    distance = build.sub(number, first, narrow_layout.BITS)
    is_near = build.ult(distance, room(object_of(address), memory), narrow_layout.BITS)
    return build.add(build.sext(rest, narrow_layout.BITS, 64), address, 64) if step.chain.must(path, is_near) else whole


def read_as(step: Step, word: Value, kind: Type) -> Value:
    """A loaded word as a scalar of this type."""
    if isinstance(kind, PointerType):
        return read_as_pointer(step, word)
    return read_as_number(step, word) if layout.store_size(kind) == WORD else word


def read_as_number(step: Step, word: Value) -> Value:
    """A word loaded as an integer: it may have been stored as a pointer."""
    memory = step.state.memory
    if isinstance(word, int):
        return number_in(word, memory) if word >= LOWEST_ADDRESS else word

    def known(part: int) -> int:
        return number_in(part, memory)

    return _as_number(word, known, lambda _, total: _shift(total, known) or total)


def _as_number(word: Term, known: Callable[[int], int], indexed: Callable[[int, Term], Value]) -> Value:
    """A word as a number: ``known`` converts an int, ``indexed`` a constant at no object, plus an index."""

    def leaf(constant: int, rest: Value) -> Value:
        if not isinstance(rest, Term):
            return known(constant + rest & MASK_64)
        number = known(constant)
        total = build.add(rest, number, 64)
        if number != constant or not isinstance(total, Term):
            return total
        return indexed(constant, total)

    return _convert(word, Carriers(LARGEST_NUMBER), leaf, _number_in_any_region)


def read_as_pointer(step: Step, word: Value) -> Value:
    """A word loaded as a pointer: it may have been stored as an integer."""
    if isinstance(word, int) and not IMAGE <= word < END:
        return word
    return to_pointer(step, word)


def move_pointer(step: Step, pointer: Value, address: Term) -> Value:
    """``address``, a pointer plus a distance. ``new + (p - old)`` with an unknown p is a sum of numbers."""
    base, _ = build.constant_offset(address)
    if not base or is_based(step, address) or not is_based(step, pointer):
        return address
    return build.add(build.sub(address, pointer, 64), to_number(step, pointer), 64)


def is_based(step: Step, word: Value) -> bool:
    """Whether a pointer is known, or a known address plus an index."""
    if isinstance(word, int):
        return True
    constant, rest = build.constant_offset(word)
    return number_of(constant, step.state.memory) != constant and not Carriers().carries(rest)


def _identity(word: Value) -> Value:
    return word


def _convert(
    word: Term, carriers: Carriers, leaf: Callable[[int, Value], Value], whole: Callable[[Term], Value]
) -> Value:
    """``word`` with the addresses in it converted, separately in each alternative of a choice.

    ``leaf`` converts a constant plus an index. Where several addends carry addresses, only their sum tells (``new +
    (p - old)``), so it is converted alternative by alternative; ``whole`` converts words with too many.
    """
    if not carriers.carries(word):
        return leaf(*build.constant_offset(word))
    done: dict[tuple[Value, Value], Value] = {}
    stack: list[tuple[Value, Value]] = [(word, 0)]
    sums = 0
    while stack:
        key = stack[-1]
        if key in done:
            stack.pop()
            continue
        part, rest = key
        parts = carriers.parts(part)
        if not parts.choices:
            converted = leaf(parts.constant, build.add(parts.index, rest, 64))
            done[key] = build.sub(converted, rest, 64)
            continue
        choice = parts.choices[0]
        others = parts.beside(choice)
        if len(parts.choices) == 1 and not carriers.is_far(parts.constant):
            inner = build.add(others, rest, 64)
            added = others
            others = 0
        else:
            sums += 1
            inner, added = rest, 0
            if sums > MOST_SUMS:
                return whole(word)
        condition, first, second = choice.sides
        children = [(build.add(side, others, 64), inner) for side in (first, second)]
        missing = [child for child in children if child not in done]
        if missing:
            stack.extend(missing)
            continue
        chosen = build.ite(condition, done[children[0]], done[children[1]], 64)
        done[key] = build.add(chosen, added, 64)
    return done[word, 0]


def _shift(word: Term, known: Callable[[int], int]) -> Value | None:
    """A converted word whose range lies around one object; None for others."""
    low, high = known(word.low), known(word.high)
    shift = low - word.low
    return build.add(word, shift & MASK_64, 64) if shift and shift == high - word.high else None


def _number_in_any_region(pointer: Term) -> Value:
    """The number of a pointer to any object, or to none."""
    number: Value = pointer
    name = build.lshr(pointer, SLOT_BITS, 64)
    offset = build.sub(build.and_(pointer, SLOT_MASK, 64), SLOT_MIDDLE, 64)
    is_near = build.ule(build.add(offset, NEAR, 64), 2 * NEAR, 64)
    for first, end, bits in _REGIONS:
        is_named = build.ult(build.sub(name, first, 64), end - first, 64)
        start = build.add(build.shl(build.sub(name, first, 64), bits, 64), start_of(first), 64)
        number = build.ite(build.both(is_named, is_near), build.add(start, offset, 64), number, 64)
    return number


def _is_number(word: Term) -> bool:
    """Whether a word of unknown origin is a number: none of its parts has bits of a pointer.

    Pieces of pointers lie side by side in a partly overwritten word of memory.
    """
    if word.high <= LARGEST_NUMBER:
        return True
    waiting, seen = [(word, 0)], set[tuple[Term, int]]()
    while waiting:
        piece = waiting.pop()
        if piece in seen:
            continue
        seen.add(piece)
        term, shift = piece
        match term.op:
            case "const":
                bits = term.value << shift if shift >= 0 else term.value >> -shift
                if magnitude(bits & MASK_64) > LARGEST_NUMBER:
                    return False
            case "ite":
                waiting.extend((side, shift) for side in term.args[1:])
            case "zext":
                waiting.append((term.args[0], shift))
            case "concat":
                above, below = term.args
                waiting += [(above, shift + below.width), (below, shift)]
            case "extract":
                assert isinstance(term.parameter, int)
                waiting.append((term.args[0], shift - term.parameter))
            case _:
                waiting.extend((part, shift) for part in term.args)
    return True
