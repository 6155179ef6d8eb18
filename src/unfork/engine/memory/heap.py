"""The heap: allocation with sizes that may be symbolic, reallocation, and faults of freeing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import gcd

from unfork.engine.memory.array_elements import pin_elements
from unfork.engine.memory.lazy_objects import settle
from unfork.engine.memory.loads import load
from unfork.engine.memory.pieces import spell_ends_out, spell_out
from unfork.engine.memory.resolve import NULL_PAGE, PointerTarget, candidates, described, single_candidate
from unfork.engine.memory.uninitialised import initialise, mark_copied, name_unread
from unfork.engine.protocols.fault import ObjectFault, words_of_size
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    FIRST_STATIC,
    LARGEST,
    MASK_64,
    UNINITIALISED,
    MemoryObject,
    address_of,
    object_of,
)
from unfork.engine.state.names import heap_name
from unfork.engine.state.origins import CopiedText, FormerBytes, OriginRange
from unfork.engine.state.unbounded import UNBOUNDED, CellsOfSymbols, Contents, Filled, linear
from unfork.engine.step.step import UNINITIALISED as CHECK_OF_UNWRITTEN
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.own_source import shown

PTRDIFF_MAX = (1 << 63) - 1
NARROW_PTRDIFF_MAX = (1 << 31) - 1
_OF_C = "malloc"
_COUNTERPARTS = {"new": "new", "delete": "new", "new[]": "new[]", "delete[]": "new[]"}
"""Which functions belong together, that make blocks and that end them. All others belong to malloc."""
LARGEST_IN_PROOFS = 1 << 38
INPUTS_IN_BLOCK = 4
"""A block whose size grows with texts and arrays of the input has room for this many of the longest: it often takes
several.
"""


def ptrdiff_max(step: Step) -> int:
    """PTRDIFF_MAX of the program: no object is larger."""
    return NARROW_PTRDIFF_MAX if step.state.memory.is_narrow else PTRDIFF_MAX


def allocate(step: Step, size: Value, maker: str, alignment: int = 1) -> int:
    """A new, unwritten heap block of ``size`` bytes (64 bits), made by the function ``maker``.

    Outside of proofs, the options limit symbolic sizes; larger ones end as Killed. A size beyond PTRDIFF_MAX gives
    null.
    """
    return _allocate(step, size, maker, alignment, CellsOfSymbols.unknown, MemoryObject.unwritten)


def allocate_zeroed(step: Step, size: Value, maker: str) -> int:
    """A new heap block of zeros."""
    return _allocate(step, size, maker, 1, _zero_contents, _zeroes)


def _allocate(
    step: Step,
    size: Value,
    maker: str,
    alignment: int,
    contents: Callable[[CellsOfSymbols, str, int], Contents],
    make: Callable[[int, Value, str, str], MemoryObject],
) -> int:
    if (block := _of_any_length(step, size, maker, contents)) is not None:
        return block
    size, capacity = settle_size(step, size)
    return 0 if capacity > ptrdiff_max(step) else _add(step, make(capacity, size, "heap", maker), alignment)


def _add(step: Step, item: MemoryObject, alignment: int) -> int:
    state = step.state
    number, state.heap_count = heap_name(state.heap_count, len(item.data), alignment, is_narrow=state.memory.is_narrow)
    item.site = step.site()
    state.memory.add(number, item)
    return address_of(number)


def _zeroes(capacity: int, size: Value, kind: str, name: str) -> MemoryObject:
    return MemoryObject(bytearray(capacity), size, kind, name)


def _zero_contents(cells: CellsOfSymbols, name: str, stride: int) -> Contents:
    return Filled(stride)


def _of_any_length(
    step: Step, size: Value, maker: str, contents: Callable[[CellsOfSymbols, str, int], Contents]
) -> int | None:
    """In a proof, a block that may exceed any capacity; None elsewhere.

    Its elements are as large as the steps in which the size grows; accesses that divide it otherwise are unsupported.
    """
    state, cells = step.state, step.state.proof.cells
    if cells is None or CHECK_OF_UNWRITTEN in step.limits.checks:  # such objects don't know which bytes were written
        return None
    size = _only_value(step, size)
    if isinstance(size, int) or step.chain.must(state.path, build.ule(size, step.limits.max_size, 64)):
        return None
    step.limit(build.ule(size, LARGEST_IN_PROOFS, 64), "capacity", f"a block of more than {LARGEST_IN_PROOFS} bytes")
    total = linear(size)
    stride = max(gcd(total.constant, *total.factors.values()), 1)
    address = _add(step, MemoryObject(bytearray(), size, UNBOUNDED, maker), 1)
    known = {**state.proof.contents, object_of(address): contents(cells, maker, stride)}
    state.proof = replace(state.proof, contents=known)
    return address


def _only_value(step: Step, size: Value) -> Value:
    step.use(size, "the size of a block")
    if isinstance(size, Term):
        known = step.chain.evaluate(step.state.path, size)
        same = build.eq(size, known, 64)
        if step.chain.must(step.state.path, same):
            return known
    return size


def settle_size(step: Step, size: Value) -> tuple[Value, int]:
    """A size as objects keep it, and the capacity in bytes that it needs."""
    size = _only_value(step, size)
    if isinstance(size, Term):
        most = step.limits.max_size
        if _grows_with_inputs(step, size):
            most *= INPUTS_IN_BLOCK
        step.limit(build.ule(size, most, 64), "capacity", f"an object of symbolic size above {most} (--max-size)")
        _, high = step.chain.bounds(step.state.path, size, 64)
        return size, min(high, most)
    if LARGEST < size <= ptrdiff_max(step):
        step.limit(0, "capacity", f"a block of {size} bytes (the largest has {LARGEST})")
    return size, size


def _grows_with_inputs(step: Step, size: Term) -> bool:
    """Whether lengths of texts and arrays of the input decide a size, alone or as far as the path bounds it."""
    lazy = step.state.lazy
    lengths = [each.length for each in lazy.objects if each.is_text or each.is_stated]
    lengths += [each.room for each in lazy.arguments if each.room is not None]
    known = {symbol for length in lengths if isinstance(length, Term) for symbol in length.symbols}
    are_all = known.issuperset(size.symbols)
    if are_all or known.isdisjoint(size.symbols):
        return are_all
    return step.chain.bounds(step.state.path, size, 64)[1] <= step.limits.max_size * INPUTS_IN_BLOCK


def release(step: Step, pointer: Value, function: str = "free") -> None:
    """free, or another ``function`` that ends a block.

    A fault, unless the pointer is null or the start of a block that a counterpart made.
    """
    if step.state.multiplicity > 1 and isinstance(pointer, Term) and _release_each(step, pointer, function):
        return
    number = freeable(step, pointer, function)
    if number:
        step.state.memory.free(number, "freed", step.site())


def _release_each(step: Step, pointer: Value, function: str) -> bool:
    alternatives = candidates(step, pointer)
    if alternatives is None or len(alternatives) < 2:
        return False
    named = [(alternative.guard, _check(step, alternative, function)) for alternative in alternatives]
    for guard, number in named:
        if number:
            step.state.memory.free_where(guard, number, "freed", step.site())
    return True


def freeable(step: Step, pointer: Value, function: str) -> int:
    """The number of the live block that starts at ``pointer``, 0 for null; faults otherwise."""
    if pointer == 0:
        return 0
    candidate = single_candidate(step, pointer)
    if candidate is None:
        load(step, pointer, 1)  # forks over the objects that it may name, or faults
        address = step.concretize(pointer, 64, 1, f"the pointer given to {function}")
        candidate = single_candidate(step, address)
        assert candidate is not None
    return _check(step, candidate, function)


def _check(step: Step, candidate: PointerTarget, function: str) -> int:
    """The number of the live block that starts at ``candidate``, 0 for null; faults under its guard."""
    memory, number = step.state.memory, candidate.number
    if number == 0 and candidate.address == 0:
        return 0
    otherwise = build.negate(candidate.guard)
    item = memory.objects.get(number)
    if item is None or item.gone != 0:
        gone = 1 if item is None else item.gone
        step.require(build.either(otherwise, build.negate(gone)), *_fault_of_freeing(step, candidate, function))
        if item is None:
            return 0
    is_block = item.kind in ("heap", LAZY) or (item.kind == UNBOUNDED and number < FIRST_LAZY)
    if not is_block or number < FIRST_HEAP:
        step.require(otherwise, "invalid-free", _fault(function, item, ", which is not on the heap"))
        return 0
    step.require(
        build.either(otherwise, build.eq(candidate.offset, 0, 64)),
        "invalid-free",
        ObjectFault(f"{function} of a pointer into the middle of", described(item), is_in_front=_is_below(candidate)),
    )
    if item.kind != LAZY and (fits := _fits(item, function)) != 1:
        step.require(build.either(otherwise, fits), "invalid-free", _fault(function, item))
    return number


def _is_below(candidate: PointerTarget) -> bool:
    """Whether a pointer certainly leads before its object."""
    return isinstance(candidate.offset, int) and bool(candidate.offset >> 63)


def check_size(step: Step, pointer: Value, size: Value, is_array: Value) -> None:
    """Check that a delete passes the ``size`` (64 bits) that its counterpart allocated. Leaves other faults to the
    delete.
    """
    maker, function = ("new[]", "delete[]") if is_array else ("new", "delete")
    for candidate in candidates(step, pointer) or ():
        item = step.state.memory.objects.get(candidate.number)
        if item is None or item.kind != "heap":
            continue
        if any(name != maker for name in (item.name, *[name for _, name, _ in item.sites])):
            continue
        is_meant = build.both(candidate.guard, build.both(build.eq(candidate.offset, 0, 64), build.negate(item.gone)))
        step.require(
            build.either(build.negate(is_meant), build.eq(size, item.size, 64)),
            "invalid-free",
            _fault(function, item, f" as one of {words_of_size(size if isinstance(size, int) else None)}"),
        )


def _fits(item: MemoryObject, function: str) -> Value:
    """Whether (1 bit) the function that made a block is a counterpart of the one that ends it."""
    pair = _COUNTERPARTS.get(function, _OF_C)
    fits: Value = int(_COUNTERPARTS.get(item.name, _OF_C) == pair)
    for guard, name, _ in item.sites:
        fits = build.ite(guard, int(_COUNTERPARTS.get(name, _OF_C) == pair), fits, 1)
    return fits


def _fault(function: str, item: MemoryObject, more: str = "") -> ObjectFault:
    return ObjectFault(f"{function} of", described(item), more)


def _fault_of_freeing(step: Step, candidate: PointerTarget, function: str) -> tuple[str, str]:
    released = step.state.memory.freed.get(candidate.number)
    if released is not None:
        line = f" at line {shown(released.where).line}" if released.where is not None else ""
        return "double-free", f"{function} of a block that was {released.why}{line}"
    return "invalid-free", f"{function} of {_not_a_block(candidate.number, candidate.address)}"


def _not_a_block(number: int, address: int | None) -> str:
    if FIRST_STACK <= number < END_OF_NAMES:
        return "a local variable that is out of scope"
    if number >= FIRST_STATIC or address is None:
        return "a pointer that is no block"
    return f"{address:#x}, which is no block" if address >= NULL_PAGE else f"a null pointer plus {address}"


def reallocate(step: Step, pointer: Value, size: Value) -> int:
    """realloc. The block always moves, so that uses of the old one show; size 0 frees it and gives null."""
    number = freeable(step, pointer, "realloc")
    if not number:
        return allocate(step, size, "realloc")
    if isinstance(size, Term) and step.decide(build.eq(size, 0, 64)):
        size = 0
    memory = step.state.memory
    if size == 0:
        memory.free(number, "freed by realloc", step.position)
        return 0
    old = memory.objects[number]
    if old.kind == UNBOUNDED or (isinstance(size, Term) and step.state.proof.cells is not None):
        step.unsupported("realloc of a block of any length")
    if old.kind == LAZY:
        pin_elements(step, number)
        old = settle(step, number)
        old = mark_copied(step, number, 0, len(old.data))
    block = allocate(step, size, "realloc")
    if block == 0:
        return 0
    _carry_over(step, number, object_of(block))
    memory.free(number, "freed by realloc", step.position)
    return block


def _carry_over(step: Step, source: int, number: int) -> None:
    """Copy a block to the new one, whose bytes beyond a symbolic size of the old one stay unwritten."""
    memory = step.state.memory
    old = memory.objects[source]
    low = count = min(len(old.data), len(memory.objects[number].data))
    spell_ends_out(step, source, 0, count)
    if isinstance(old.size, Term):
        low = min(step.chain.bounds(step.state.path, old.size, 64)[0], count)
        if old.kind == LAZY:
            _read_changes(step, source, low, count)
        spell_out(step, source, low, count - low)
    old = memory.objects[source]
    after = [i for i in range(low, count) if old.mask is None or old.mask[i] != UNINITIALISED]
    unwritten = [initialise(step, number, i, 1).byte(i) for i in after]
    before = FormerBytes(low, name_unread(step, number, low, count - low).part(low, count - low))
    item = memory.writable(number)
    item.copy_range(0, old, 0, count)
    for i, own in zip(after, unwritten, strict=True):
        item.write(i, 1, build.ite(build.ult(i, old.size, 64), old.byte(i), own, 8))
    for each in item.origins.within(low, count) if item.origins else ():
        if _is_own(each, source):
            record = CopiedText(source, 0, 0, old.size, before)
            item.leave_unread(each.start, each.end - each.start, record)


def _read_changes(step: Step, source: int, start: int, end: int) -> None:
    """Read the unread bytes of a text between two positions that are not its own characters."""
    origins = step.state.memory.objects[source].origins
    for each in origins.within(start, end) if origins else ():
        if not _is_own(each, source):
            initialise(step, source, each.start, each.end - each.start)


def _is_own(each: OriginRange, number: int) -> bool:
    """Whether bytes are the characters of a text of the input, as it was made, at their places."""
    return each.record == CopiedText(number, 0, 0, MASK_64, None) and each.shift == 0
