"""The objects and offsets that a pointer names, and the faults of naming no object or leaving one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from unfork.engine.memory.array_elements import are_in_one_row, in_element, pin_elements
from unfork.engine.memory.lazy_objects import reach
from unfork.engine.protocols.fault import AccessFault, FaultyObject, Reach
from unfork.engine.state.flat_layout import GRAIN_BITS, NEAR, address_at, front, room, start_in, windows
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_STACK,
    FIRST_STATIC,
    MASK_64,
    MemoryObject,
    object_of,
    offset_in,
)
from unfork.engine.state.unbounded import UNBOUNDED
from unfork.engine.step.numbers import Carriers, to_number, to_pointer
from unfork.engine.step.step import Step
from unfork.engine.step.variable_texts import literal_text
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.own_source import shown
from unfork.program.llvm.types import Position

UNKNOWN_ARGUMENTS = "unknown variadic arguments"
"""The name of the variadic arguments of a function that runs alone. What they are, no type says."""
NULL_PAGE = 1 << 16
"""Addresses below this are null with an offset."""
LENGTH = "a length"
MOST_SPREAD = 1024
"""The most choices in sums and choices that a pointer is made of, counted once for each way to them."""
WILD_OBJECTS = 64
"""The most objects that a pointer of unknown origin forks over."""
WILD_FREED = 16
"""The most freed objects that the faults of such a pointer name."""


@dataclass(frozen=True, slots=True)
class Location:
    """Bytes of a live object. ``offset`` (64 bits) is within bounds on this path; an int is a plain index."""

    number: int
    item: MemoryObject
    offset: Value


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """Where a pointer leads under ``guard`` (1 bit): an object that may be gone, and a 64-bit offset."""

    guard: Value
    number: int
    offset: Value
    address: int | None


def resolve(step: Step, pointer: Value, size: Value, access: str) -> list[tuple[Value, Location]]:
    """The locations of ``size`` bytes (not 0) that ``pointer`` may name, under disjoint guards that cover the rest of
    the path.

    ``access`` is "read" or "write". Raises faults; splits when the pointer has no known base.
    """
    step.use(size, LENGTH)
    alternatives = candidates(step, pointer)
    if alternatives is None:
        return [(1, _in_whole(step, _resolve_wild(step, pointer, size, access)))]
    if len(alternatives) > 1 and len({each.number for each in alternatives}) == 1:
        alternatives = _in_row(step, alternatives, size)
    locations = [(candidate.guard, _check(step, candidate, size, access)) for candidate in alternatives]
    return [(guard, _in_element(step, each, size, guard)) for guard, each in locations if each is not None]


def resolve_single(step: Step, pointer: Value, size: Value, access: str) -> Location | None:
    """As ``resolve_any``, but does not support objects of any length."""
    location = resolve_any(step, pointer, size, access)
    if location is not None and location.item.kind == UNBOUNDED:
        step.unsupported(f"a {access} of an object of any length, but by loads and stores")
    return location


def resolve_any(step: Step, pointer: Value, size: Value, access: str) -> Location | None:
    """The one location of ``size`` bytes that ``pointer`` names; None if ``size`` is 0. Splits over its bases.

    Also splits over whether there are any bytes, where the pointer may be bad.
    """
    step.use(size, LENGTH)
    is_empty = build.eq(size, 0, 64)
    if is_empty == 1 or (is_empty != 0 and not _is_good_for_none(step, pointer, access) and step.decide(is_empty)):
        return None
    candidate = single_candidate(step, pointer)
    location = (
        _resolve_wild(step, pointer, size, access) if candidate is None else _check(step, candidate, size, access)
    )
    return None if location is None else _in_whole(step, location)


def _is_good_for_none(step: Step, pointer: Value, access: str) -> bool:
    """Whether no bytes at ``pointer`` are certainly in a live object, or just after it."""
    alternatives = candidates(step, pointer)
    if alternatives is None or len(alternatives) != 1:
        return False
    item = step.state.memory.objects.get(alternatives[0].number)
    if item is None or item.gone != 0 or (item.read_only and access == "write"):
        return False
    return step.chain.must(step.state.path, build.ule(alternatives[0].offset, item.size, 64))


def single_candidate(step: Step, pointer: Value) -> PointerTarget | None:
    """Where ``pointer`` leads, after splitting over its bases; None without a known base."""
    targets = candidates(step, pointer)
    if targets is None:
        return None
    alternatives = _by_object(targets)
    for candidate in alternatives[:-1]:
        if step.decide(candidate.guard):
            return replace(candidate, guard=1)
    return replace(alternatives[-1], guard=1)


def _by_object(alternatives: list[PointerTarget]) -> list[PointerTarget]:
    """One candidate for each object: several locations in it become one at a symbolic offset."""
    groups: dict[int, list[PointerTarget]] = {}
    for location, candidate in enumerate(alternatives):
        groups.setdefault(candidate.number or -location, []).append(candidate)  # targets without an object stay apart
    return [_union_of(group) for group in groups.values()]


def _union_of(group: list[PointerTarget]) -> PointerTarget:
    if len(group) == 1:
        return group[0]
    offset = group[-1].offset
    for candidate in reversed(group[:-1]):
        offset = build.ite(candidate.guard, candidate.offset, offset, 64)
    return PointerTarget(build.disjunction([candidate.guard for candidate in group]), group[0].number, offset, None)


# --- bases -----------------------------------------------------------------------------------------------------------


def candidates(step: Step, pointer: Value) -> list[PointerTarget] | None:
    """The objects that a pointer is built from; None if some part has no known base. This uses the pointer."""
    if isinstance(pointer, Term):
        step.use(pointer, "an address")
    alternatives = _candidates(step, pointer)
    if alternatives is None:
        converted = to_pointer(step, pointer)  # an argument of a system call is a number
        return None if converted is pointer else _candidates(step, converted)
    return alternatives


def _candidates(step: Step, pointer: Value) -> list[PointerTarget] | None:
    if isinstance(pointer, int):
        return [_candidate_of_word(step, 1, pointer)]
    carriers = Carriers()
    parts = carriers.parts(pointer)
    if not parts.choices:
        known = _candidate_of_base(step, 1, pointer, 0)
        return _candidates_of_choice(step, pointer, 0) if known is None else [known]
    choice = parts.choices[0]
    if len(parts.choices) == 1 and not carriers.is_far(parts.constant):
        alternatives = _candidates_of_choice(step, choice.value, parts.beside(choice))
        if alternatives is not None:
            return alternatives
    return _candidates_of_sum(step, pointer, carriers)


def _candidates_of_sum(step: Step, pointer: Term, carriers: Carriers) -> list[PointerTarget] | None:
    """The candidates of a sum of joined values, like ``buf + (end - start)``: only some combinations are feasible."""
    waiting: list[tuple[Value, Value]] = [(1, pointer)]
    guards: dict[Value, Value] = {}
    for _ in range(MOST_SPREAD):
        if not waiting:
            break
        guard, value = waiting.pop()
        if isinstance(step.chain.assume(step.state.path, guard), Unsat):
            continue
        parts = carriers.parts(value)
        if parts.choices:
            choice = parts.choices[0]
            condition, first, second = choice.sides
            rest = parts.beside(choice)
            waiting.append((build.both(guard, build.negate(condition)), build.add(second, rest, 64)))
            waiting.append((build.both(guard, condition), build.add(first, rest, 64)))
        else:
            guards[value] = build.either(guards.get(value, 0), guard)
    if waiting or not guards:
        return None
    alternatives = [_candidate_of_base(step, guard, value, 0) for value, guard in guards.items()]
    known = [candidate for candidate in alternatives if candidate is not None]
    return known if len(known) == len(alternatives) else None


def _candidate_of_word(step: Step, guard: Value, word: int) -> PointerTarget:
    pointer = address_at(word, step.state.memory)
    return PointerTarget(guard, object_of(pointer), offset_in(pointer) & MASK_64, pointer)


def _candidate_of_base(step: Step, guard: Value, pointer: Value, index: Value) -> PointerTarget | None:
    """The candidate of ``pointer + index`` if its constant part names an object, live or gone.

    The sum may hide it: a constant added to a choice of indices is added to each.
    """
    if isinstance(pointer, int) and isinstance(index, int):
        return _candidate_of_word(step, guard, pointer + index & MASK_64)
    base, rest = build.parted(pointer)
    more, rest_of_index = build.parted(index)
    if isinstance(rest_of_index, Term) and rest_of_index.alternatives:  # numbers with a constant added
        least = rest_of_index.low
        more, rest_of_index = more + least, build.sub(rest_of_index, least, 64)
    base = base + more & MASK_64
    number = object_of(base)
    if abs(offset_in(base)) > NEAR or not _was_named(step, number):
        return None
    offset = build.add(rest_of_index, offset_in(base) & MASK_64, 64)
    return PointerTarget(guard, number, build.add(rest, offset, 64), None)


def _candidates_of_choice(step: Step, choice: Value, rest: Value) -> list[PointerTarget] | None:
    if isinstance(choice, int):
        return None
    alternatives = build.choices(choice)
    if alternatives is None:
        return None
    bases = []
    for guard, value in alternatives:
        if isinstance(value, int) and value < NULL_PAGE and not isinstance(rest, int):
            bases.append(PointerTarget(guard, 0, build.add(value, rest, 64), None))
            continue
        candidate = _candidate_of_base(step, guard, value, rest)
        if candidate is None:
            return None
        bases.append(candidate)
    if rest != 0 and all(candidate.number == 0 for candidate in bases):
        return None  # a choice of plain numbers is an index, not a base
    return bases


def _was_named(step: Step, number: int) -> bool:
    if number in step.state.memory.objects or FIRST_STACK <= number < END_OF_NAMES:
        return True
    return FIRST_STATIC <= number < FIRST_HEAP + step.state.heap_count or step.state.lazy.find(number) is not None


# --- checks ----------------------------------------------------------------------------------------------------------


def _check(step: Step, candidate: PointerTarget, size: Value, access: str) -> Location | None:
    """The location of one candidate; raises faults under its guard. None if the access is always wrong."""
    item = step.state.memory.objects.get(candidate.number)
    otherwise = build.negate(candidate.guard)
    if item is None:
        step.require(otherwise, *_missing(step, candidate, size, access))
        return None
    if item.gone != 0:
        item = _alive(step, candidate, item, size, access)
    if item.read_only and access == "write":
        step.require(otherwise, "read-only", _access(size, access, Reach.READ_ONLY, described(item)))
        return None
    inside = within(candidate.offset, size, item)
    if inside != 1:
        if item.name == UNKNOWN_ARGUMENTS and item.kind == "stack":
            step.limit(
                build.either(otherwise, inside), "unsupported", f"{UNKNOWN_ARGUMENTS} (where the function begins)"
            )
        cause = _outside(candidate.offset, size, item, access)
        if item.kind == LAZY and reach(step, candidate.number, candidate.offset, size, otherwise, cause):
            item = step.state.memory.objects[candidate.number]
        else:
            stated = step.state.memory.objects[candidate.number]
            if stated is not item:  # its length is stated since ``reach`` looked
                item, inside = stated, within(candidate.offset, size, stated)
                cause = _outside(candidate.offset, size, item, access)
            step.require(build.either(otherwise, inside), "out-of-bounds", cause)
            if inside == 0:
                return None
    return Location(candidate.number, item, step.conduct.located(step.state, candidate.offset, size, item))


def _in_row(step: Step, alternatives: list[PointerTarget], size: Value) -> list[PointerTarget]:
    """Elements of one array of pointers in the input as one at an unknown place; others as they are."""
    is_row = are_in_one_row(step, alternatives[0].number, [each.offset for each in alternatives], size)
    return [replace(_union_of(alternatives), guard=1)] if is_row else alternatives


def _in_element(step: Step, location: Location, size: Value, guard: Value) -> Location:
    """The same bytes, in the element of an array in the input that has them, if that is apart."""
    if location.item.kind != LAZY or (location.item.limit >= 0 and isinstance(location.offset, int)):
        return location
    return Location(*in_element(step, location.number, location.offset, size, guard))


def _in_whole(step: Step, location: Location) -> Location:
    """The same bytes in an object without elements apart. Splits over their places."""
    if location.number not in step.state.lazy.elements:
        return location
    return replace(location, item=pin_elements(step, location.number))


def _alive(step: Step, candidate: PointerTarget, item: MemoryObject, size: Value, access: str) -> MemoryObject:
    fails = build.both(candidate.guard, item.gone)
    step.require(build.negate(fails), *_missing(step, candidate, size, access))
    if step.chain.must(step.state.path, build.negate(item.gone)):
        item = step.state.memory.writable(candidate.number)
        item.vanish(0)
    return item


def within(offset: Value, size: Value, item: MemoryObject) -> Value:
    """Whether ``size`` bytes at ``offset`` (64 bits, unsigned) lie in the object (1 bit)."""
    limit = item.limit
    if limit >= 0 and isinstance(size, int):
        if size > limit:
            return 0
        if isinstance(offset, int):
            return int(offset <= limit - size)
        return build.ule(offset, limit - size, 64)
    lowest = offset if isinstance(offset, int) else offset.low
    if isinstance(size, int) and lowest + size > len(item.data) and item.kind != UNBOUNDED:
        return 0
    if isinstance(offset, int) and isinstance(size, int) and offset + size <= MASK_64:
        return build.ule(offset + size, item.size, 64)  # the same term as a test of an index against a length
    room = build.sub(item.size, size, 64)
    return build.both(build.ule(size, item.size, 64), build.ule(offset, room, 64))


def described(item: MemoryObject) -> FaultyObject:
    """A live object, as faults name it."""
    size = item.size if isinstance(item.size, int) else None
    return FaultyObject(item.name, item.kind, size, literal_text(item), _line(item.site))


def _line(position: Position | None) -> int | None:
    return None if position is None else shown(position).line


def _access(
    size: Value, access: str, reach: Reach, thing: FaultyObject | None = None, address: int | None = None
) -> AccessFault:
    return AccessFault(access, size if isinstance(size, int) else None, reach, thing, address=address)


def _outside(offset: Value, size: Value, item: MemoryObject, access: str) -> AccessFault:
    distance = offset - (offset >> 63 << 64) if isinstance(offset, int) else None
    return replace(_access(size, access, Reach.OFFSET, described(item)), offset=distance)


def _missing(step: Step, candidate: PointerTarget, size: Value, access: str) -> tuple[str, AccessFault]:
    number = candidate.number
    if number == 0:
        address = candidate.address
        if address is None or address < NULL_PAGE:
            return "null-dereference", _access(size, access, Reach.NULL)
        return "out-of-bounds", _access(size, access, Reach.ADDRESS, address=address)
    released = step.state.memory.freed.get(number)
    if released is not None:
        line = f" at line {shown(released.where).line}" if released.where is not None else ""
        how = f"that was {released.why}{line}"
        thing = FaultyObject(released.name, released.kind, line=_line(released.site), gone=how)
        return "use-after-free", _access(size, access, Reach.GONE, thing)
    if FIRST_STACK <= number < END_OF_NAMES:
        return "use-after-free", _access(
            size, access, Reach.GONE, FaultyObject("", "stack", gone="that is out of scope")
        )
    if number < FIRST_HEAP and _was_named(step, number):
        return "read-only" if access == "write" else "out-of-bounds", _access(size, access, Reach.CODE)
    return "out-of-bounds", _access(size, access, Reach.NO_OBJECT)


# --- pointers without a known base -----------------------------------------------------------------------------------


def _resolve_wild(step: Step, pointer: Value, size: Value, access: str) -> Location:
    """Fork over the objects that a pointer of unknown origin can name; the rest is a fault."""
    if pointer in step.beyond_null:
        _fail_beyond_null(step, pointer, size, access)
    pointer = to_number(step, pointer)
    assert isinstance(pointer, Term)
    if step.state.lazy.is_of_other_member(pointer):
        step.assume(0)
    chain, objects = step.chain, step.state.memory.objects
    number = _object_at(step, chain.evaluate(step.state.path, pointer))
    item = objects.get(number)
    if item is not None and chain.must(step.state.path, _names(step, pointer, number, item)):
        offset = build.sub(pointer, start_in(number, step.state.memory), 64)
        location = _check(step, PointerTarget(1, number, offset, None), size, access)
        assert location is not None  # a certain fault has ended the path
        return location
    step.require(build.uge(pointer, NULL_PAGE, 64), "null-dereference", _access(size, access, Reach.MAYBE_NULL))
    live = _live_guards(step, pointer)
    anywhere = build.disjunction(live.values())
    for _ in range(WILD_FREED):
        outside = chain.assume(step.state.path, build.negate(anywhere))
        if not isinstance(outside, PathCondition):
            break
        number = _object_at(step, chain.evaluate(outside, pointer))
        if not _was_named(step, number):
            break
        elsewhere = build.negate(_is_around(step, pointer, number))
        if number in objects:
            if chain.evaluate(outside, objects[number].gone) == 0:
                break
            elsewhere = build.either(elsewhere, build.negate(objects[number].gone))
        step.require(elsewhere, *_missing(step, PointerTarget(1, number, 0, None), size, access))
    step.require(anywhere, "out-of-bounds", _access(size, access, Reach.ANYWHERE))
    step.state.lazy = replace(step.state.lazy, is_wild=True)
    _split_over_objects(step, pointer, live)


def _fail_beyond_null(step: Step, pointer: Value, size: Value, access: str) -> NoReturn:
    """An access through a null pointer plus a number: all fail alike, and one near null shows it best."""
    is_near = build.ult(pointer, NULL_PAGE, 64)
    if isinstance(step.chain.assume(step.state.path, is_near), PathCondition):
        step.assume(is_near)
        step.fail("null-dereference", _access(size, access, Reach.NULL))
    step.fail("out-of-bounds", _access(size, access, Reach.ANYWHERE))


def _live_guards(step: Step, pointer: Term) -> dict[int, Value]:
    """For each live object, whether a pointer, as a number, is that of one of its bytes."""
    elements = step.state.lazy.element_numbers
    return {
        number: build.both(build.negate(item.gone), _names(step, pointer, number, item))
        for number, item in step.state.memory.objects.items()
        if _is_visible(number, item) and number not in elements
    }


def named_candidates(step: Step, pointer: Value) -> list[PointerTarget]:
    """Where a pointer of unknown origin may lead: to a byte of each live object, as far as numbers tell."""
    number = to_number(step, pointer)
    guards = _live_guards(step, number) if isinstance(number, Term) else {}
    memory = step.state.memory
    return [
        PointerTarget(guard, name, build.sub(number, start_in(name, memory), 64), None)
        for name, guard in guards.items()
    ]


def _is_visible(number: int, item: MemoryObject) -> bool:
    """Whether a pointer may name an object: one with bytes, and with a number that fits (files have larger ones)."""
    return item.limit != 0 and number < END_OF_NAMES


def _split_over_objects(step: Step, pointer: Term, live: dict[int, Value]) -> NoReturn:
    chain = step.chain
    conditions: list[Value] = []
    remaining: PathCondition | Unsat | Unknown = step.state.path
    while isinstance(remaining, PathCondition) and len(conditions) < WILD_OBJECTS:
        named = live[_object_at(step, chain.evaluate(remaining, pointer))]
        conditions.append(named)
        remaining = chain.assume(remaining, build.negate(named))
    if not isinstance(remaining, Unsat):
        step.limit(build.disjunction(conditions), "capacity", f"a pointer that may name over {WILD_OBJECTS} objects")
    step.split(conditions)


def _object_at(step: Step, number: int) -> int:
    return object_of(address_at(number, step.state.memory))


def _names(step: Step, number: Term, name: int, item: MemoryObject) -> Value:
    """Whether a number is that of a byte of the object (of the first one, if it is empty)."""
    size = item.size if isinstance(item.size, int) else len(item.data)
    return build.ult(build.sub(number, start_in(name, step.state.memory), 64), size, 64)


def _is_around(step: Step, number: Term, name: int) -> Value:
    """Whether a number lies in, before or after an object, as far as its windows reach."""
    memory = step.state.memory
    item = memory.objects.get(name) or memory.freed.get(name)
    size = 1 if item is None or not isinstance(item.size, int) else item.size
    wide = room(name, memory) if memory.is_narrow else windows(size) << GRAIN_BITS
    return build.ult(build.sub(number, start_in(name, memory) - front(memory), 64), wide, 64)


def length_bounds(step: Step, length: Value, room: int) -> tuple[int, int]:
    """Bounds of a length (64 bits) on this path, at most ``room``."""
    if isinstance(length, int):
        return length, length
    low, high = step.chain.bounds(step.state.path, length, 64)
    return low, min(high, room)
