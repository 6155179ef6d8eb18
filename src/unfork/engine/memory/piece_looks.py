"""Notices when the program does something with bytes of an address that may come out otherwise in another layout.

A load of less than a word looks at where objects lie if the bytes are those of an address, and are used other than by
copying them, or by comparing them with the same bytes of an address. program/facts/piece_uses.py says what a function
does with each load, engine/state/address_pieces.py which bytes are meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.engine.memory import lookout
from unfork.engine.memory.pieces import spell_out
from unfork.engine.state.address_pieces import AddressPieces, bytes_in, pieces_in
from unfork.engine.state.address_pieces import copied as moved_pieces
from unfork.engine.state.flat_layout import LOWEST_ADDRESS, is_address, number_of
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.pointer_words import pointer_words
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.operands import Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import EQUALITY, WORD
from unfork.program.facts.own_source import own_position
from unfork.program.facts.piece_uses import PieceUse, WordUse
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Bits, Call, Compare, Store
from unfork.program.llvm.module import Function
from unfork.program.llvm.uses import registers_read

COPIED, COMPARED = "copied", "compared"
"""Why the bytes of a load are of interest later (``Step.moving``)."""


def note_look(step: Step) -> None:
    """The result of this instruction depends on where objects lie."""
    library, frames = step.program.library, step.state.frames
    own = next((frame for frame in reversed(frames) if frame.function.name not in library), None)
    if own is not None:
        step.layout_looks.setdefault(own.function.name, own_position(step.site()) or own.function.position)


# --- loads and stores ------------------------------------------------------------------------------------------------


def noticing_load(run: Semantics, use: PieceUse, statics: Statics) -> Semantics:
    """The semantics of a load that then look at the loaded bytes."""
    pointer_of, size = reader(use.load.pointer, statics), layout.store_size(use.load.type)

    earlier = None if use.earlier is None else use.earlier.result

    def noticing(step: Step, registers: Registers) -> None:
        pointer = pointer_of(step, registers)
        run(step, registers)
        if isinstance(pointer, int):
            item = step.state.memory.objects.get(object_of(pointer))
            if item is not None and (item.pieces or step.moving):
                look_at(step, item, offset_in(pointer), size, use, None if earlier is None else registers[earlier])
        elif isinstance(pointer, Term) and use.looks and _may_be_piece(step, pointer, size):
            note_look(step)

    return noticing


def noticing_store(run: Semantics, store: Store, use: PieceUse, statics: Statics) -> Semantics:
    """The semantics of a store that take along which bytes of an address were loaded."""
    pointer_of = reader(store.pointer, statics)

    def noticing(step: Step, registers: Registers) -> None:
        pointer = pointer_of(step, registers)
        run(step, registers)
        if step.moving:
            put_copied(step, pointer, use)

    return noticing


def spell_and_look(
    step: Step, number: int, offset: int, size: int, use: PieceUse, earlier: RegisterValue = None
) -> MemoryObject:
    """Before a load at a valid place: spell pointers out of which it reads a part, and look at the bytes."""
    item = spell_out(step, number, offset, size)
    look_at(step, item, offset, size, use, earlier)
    return item


def look_at(step: Step, item: MemoryObject, offset: int, size: int, use: PieceUse, earlier: RegisterValue) -> None:
    """A load reads bytes that may be those of an address. ``earlier`` is the value of the load that it waits for.

    Bytes of an address may be compared with the same ones of another, or with those of null.
    """
    known = bytes_in(item, offset, size) if item.pieces else {}
    if use.earlier is not None:
        other = step.moving.pop((id(use.earlier), COMPARED), {})
        is_null = (
            earlier == 0 if known else item.is_concrete(offset, size) and not any(item.data[offset : offset + size])
        )
        if other != known and not is_null:
            note_look(step)
    if not known:
        return
    if use.looks_above or (use.looks and known.get(0) != 0):
        note_look(step)
    if use.is_awaited:
        step.moving[id(use.load), COMPARED] = known
    if use.copies:
        step.moving[id(use.load), COPIED] = moved_pieces(item, offset, size, 0)


def put_copied(step: Step, pointer: Value, use: PieceUse) -> None:
    """The bytes of a load were stored at ``pointer``."""
    pieces = step.moving.pop((id(use.load), COPIED), ())
    number = object_of(pointer) if isinstance(pointer, int) else None
    if pieces and number in step.state.memory.objects:
        assert isinstance(pointer, int) and number is not None and isinstance(pieces, tuple)
        start = offset_in(pointer)
        step.state.memory.writable(number).add_pieces(
            tuple([replace(each, offset=each.offset + start) for each in pieces])
        )


def _may_be_piece(step: Step, pointer: Term, size: int) -> bool:
    """Whether a load at an unknown place of an array of numbers may read bytes of an address."""
    base, rest = build.constant_offset(pointer)
    item = step.state.memory.objects.get(object_of(base))
    if item is None or not item.pieces or 1 << trailing_zeros(rest) >= WORD:
        return False
    near = [
        build.ult(build.add(rest, offset_in(base) + size - 1 - each.offset, 64), each.end - each.offset + size - 1, 64)
        for each in pieces_in(item, 0, len(item.data))
    ]
    return bool(near) and not step.chain.must(step.state.path, build.negate(build.disjunction(near)))


# --- words -----------------------------------------------------------------------------------------------------------


def read_word(step: Step, word: int, use: WordUse) -> int:
    """A word of memory that is loaded as a number."""
    memory = step.state.memory
    if not is_address(word, memory):
        return word
    note_word(step, use)
    return number_of(word, memory)


def noticing_word(run: Semantics, use: WordUse, statics: Statics) -> Semantics:
    """The semantics of a load of a number that notice if it is a stored pointer."""
    pointer_of = reader(use.load.pointer, statics)

    def noticing(step: Step, registers: Registers) -> None:
        pointer = pointer_of(step, registers)
        item = step.state.memory.objects.get(object_of(pointer)) if isinstance(pointer, int) else None
        run(step, registers)
        if item is not None and item.has_names and isinstance(pointer, int) and not offset_in(pointer) % WORD:
            word = item.read(offset_in(pointer), WORD) if item.is_concrete(offset_in(pointer), WORD) else 0
            if isinstance(word, int) and word >= LOWEST_ADDRESS and is_address(word, step.state.memory):
                note_word(step, use)

    return noticing


def note_word(step: Step, use: WordUse) -> None:
    """The program loads a pointer as a number."""
    function = step.state.frames[-1].function
    if use.looks is None:
        use.looks = function.name not in step.program.library and _looks(step, function, use.load.result)
    if use.looks:
        note_look(step)


def _looks(step: Step, function: Function, register: int) -> bool:
    """Whether the results of a function, or of those that get the number, depend on the address in a register."""
    seen, waiting = {(function.name, register)}, [(function.name, register)]
    while waiting:
        name, number = waiting.pop()
        depends, calls = step.facts[step.program.function(name)].pieces.depend_on(number)
        if depends:
            return True
        own = [call for call in calls if call[0] in step.program.defined and call[0] not in step.program.library]
        waiting += [call for call in own if call not in seen]
        seen.update(own)
    return False


# --- the library -----------------------------------------------------------------------------------------------------


def note_read(step: Step, number: int, offset: int, count: int) -> None:
    """A library function looks at bytes of an object."""
    lookout.note_read(step, number, offset, count)
    item = step.state.memory.objects[number]
    if item.has_names and (_has_pointer(item, offset, count) or pieces_in(item, offset, count)):
        note_look(step)


def _has_pointer(item: MemoryObject, offset: int, count: int) -> bool:
    words = pointer_words(item, max(offset, 0) & -WORD, offset + count)
    return any(isinstance(item.read(word, WORD), int) for word in words)


def note_compared(
    step: Step, left: tuple[MemoryObject, int], right: tuple[MemoryObject, int], bytes_of: Sequence[Sequence[Value]]
) -> None:
    """A library function compares bytes until two differ. Addresses that are equal are so in every layout."""
    count = len(bytes_of[0])
    pieces = [pieces_in(item, start, count) if item.pieces else () for item, start in (left, right)]
    if not (pieces[0] or pieces[1]):
        return
    known = [bytes_in(item, start, count) for item, start in (left, right)]
    whole = [_whole(each, start, count) for each, (_, start) in zip(pieces, (left, right), strict=True)]
    for at in range(count):
        one, other = bytes_of[0][at], bytes_of[1][at]
        if one is other or one == other:
            continue
        if at in known[0] or at in known[1]:
            is_equality = all(at in whole[side] for side in (0, 1) if at in known[side])
            is_null = not all(at in known[side] or bytes_of[side][at] == 0 for side in (0, 1))
            same = known[0].get(at) == known[1].get(at)
            ordered = same or is_null
            if not is_equality or (ordered and not _is_for_equality(step)):
                note_look(step)
                return
        if isinstance(one, int) and isinstance(other, int):
            return


def _whole(pieces: AddressPieces, start: int, count: int) -> set[int]:
    """The bytes, counted from ``start``, of addresses that lie in a range with all their bytes."""
    inside = [each for each in pieces if each.offset >= start and each.end <= start + count and len(each.contents) == 6]
    return {at - start for each in inside for at in range(each.offset, each.end)}


def _is_for_equality(step: Step) -> bool:
    """Whether the function that made this call only tests the result for zero."""
    frame = step.state.frames[-1] if step.state.frames else None
    call = None if frame is None else frame.function.blocks[frame.block].body[frame.index - 1]
    if frame is None or not isinstance(call, Call):
        return False
    readers = [each for each in frame.function.instructions() if call.result in registers_read(each)]
    return all(
        isinstance(each, Compare) and each.predicate in EQUALITY and isinstance(each.right, Bits) for each in readers
    )
