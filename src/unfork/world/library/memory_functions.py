"""Models of the malloc family and of the mem* functions."""

from __future__ import annotations

from unfork.engine.memory import heap
from unfork.engine.memory.loads import store_pointer
from unfork.engine.memory.piece_looks import note_read
from unfork.engine.memory.ranges import compare, copy, copy_apart, fill, pin_offset, readable
from unfork.engine.memory.resolve import length_bounds
from unfork.engine.memory.spans import ScanStep, scan
from unfork.engine.memory.strings import Characters
from unfork.engine.memory.text_searches import place_within
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.memory import LARGEST
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.library.model import FunctionModel

ENOMEM = 12
ALIGNMENTS = 64


def _calloc(step: Step, count: Value, length: Value) -> Value:
    size = _product(step, count, length)
    return 0 if size is None else heap.allocate_zeroed(step, size, "calloc")


def _product(step: Step, count: Value, size: Value) -> Value | None:
    """count * size; None where concrete numbers overflow, and the allocation fails. Symbolic numbers are limited."""
    wide = build.mul(build.zext(count, 64, 128), build.zext(size, 64, 128), 128)
    fits = build.ule(wide, heap.ptrdiff_max(step), 128)
    if fits == 0:
        return None
    step.limit(fits, "capacity", "a block of symbolic size beyond any object's")
    return build.mul(count, size, 64)


def _reallocarray(step: Step, block: Value, count: Value, length: Value) -> Value:
    size = _product(step, count, length)
    return 0 if size is None else heap.reallocate(step, block, size)


def _aligned_alloc(step: Step, alignment: Value, size: Value) -> Value:
    return heap.allocate(step, size, "aligned_alloc", _alignment(step, alignment))


def _alignment(step: Step, wanted: Value) -> int:
    """The alignment rounded up to a power of two, as allocators do."""
    known = step.concretize(wanted, 64, ALIGNMENTS, "the alignment of a block")
    return 1 << max(0, known - 1).bit_length() if known <= LARGEST else 1


def _posix_memalign(step: Step, target: Value, alignment: Value, length: Value) -> Value:
    size, _ = heap.settle_size(step, length)
    known = _alignment(step, alignment)
    store_pointer(step, target, 0)  # a fault of the result pointer comes before the allocation
    block = heap.allocate(step, size, "posix_memalign", known)
    if block == 0:
        return ENOMEM
    store_pointer(step, target, block)
    return 0


def _new(step: Step, size: Value, alignment: Value, is_array: Value) -> Value:
    return heap.allocate(step, size, "new[]" if is_array else "new", _alignment(step, alignment))


def _delete(step: Step, block: Value, is_array: Value) -> None:
    heap.release(step, block, "delete[]" if is_array else "delete")


def _is_of_library(step: Step, function: Value) -> Value:
    name = step.statics.function_at(step.concretize(function, 64, 1, "the address of a function"))
    return int(name in step.program.library)


def _usable_size(step: Step, block: Value) -> Value:
    number = heap.freeable(step, block, "malloc_usable_size")
    return step.state.memory.objects[number].size if number else 0


def _memcpy(step: Step, target: Value, source: Value, length: Value, *_: Value) -> Value:
    copy_apart(step, target, source, length, "memcpy")
    return target


def _memmove(step: Step, target: Value, source: Value, length: Value, *_: Value) -> Value:
    copy(step, target, source, length)
    return target


def _mempcpy(step: Step, target: Value, source: Value, length: Value, *_: Value) -> Value:
    copy_apart(step, target, source, length, "mempcpy")
    return build.add(target, length, 64)


def _bcopy(step: Step, source: Value, target: Value, length: Value) -> None:
    copy(step, target, source, length)


def _memset(step: Step, target: Value, byte: Value, length: Value, *_: Value) -> Value:
    fill(step, target, build.trunc(byte, 32, 8), length)
    return target


def _bzero(step: Step, target: Value, length: Value) -> None:
    fill(step, target, 0, length)


def _memchr(step: Step, pointer: Value, byte: Value, length: Value) -> Value:
    """Forks on whether the byte is there; on its place, if the length is symbolic."""
    wanted = build.trunc(byte, 32, 8)
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if isinstance(length, int):
        span = scan(step, pointer, lambda byte: ScanStep(build.eq(byte, wanted, 8), 1), length)
        if span is not None:
            return span.end if step.decide(span.is_found) else 0
    place = place_within(step, pointer, wanted, length)
    if place is not None:
        return build.add(pointer, place, 64) if step.decide(build.ult(place, length, 64)) else 0
    characters = Characters(step, pointer)
    index = 0
    while True:
        if isinstance(length, Term):
            if not step.decide(build.ult(index, length, 64)):
                return 0
        elif index >= length:
            return 0
        if step.decide(build.eq(characters.at(index), wanted, 8)):
            return build.add(pointer, index, 64)
        index += 1


def _memrchr(step: Step, pointer: Value, byte: Value, length: Value) -> Value:
    wanted = build.trunc(byte, 32, 8)
    location = readable(step, pointer, length)
    if location is None:
        return 0
    start = pin_offset(step, location)
    _, high = length_bounds(step, length, len(location.item.data) - start)
    for index in reversed(range(high)):
        if not step.decide(build.ult(index, length, 64)):
            continue
        note_read(step, location.number, start + index, 1)
        byte = initialise(step, location.number, start + index, 1).byte(start + index)
        if step.decide(build.eq(byte, wanted, 8)):
            return build.add(pointer, index, 64)
    return 0


def _memmem(step: Step, hay: Value, hay_length: Value, needle: Value, needle_length: Value) -> Value:
    long = step.concretize(hay_length, 64, 256, "length given to memmem")
    short = step.concretize(needle_length, 64, 256, "length given to memmem")
    for index in range(long - short + 1):
        is_match = build.eq(compare(step, build.add(hay, index, 64), needle, short), 0, 32)
        if step.decide(is_match):
            return build.add(hay, index, 64)
    return 0


MODELS = {
    "malloc": FunctionModel.of("n", "p", lambda step, size: heap.allocate(step, size, "malloc")),
    "calloc": FunctionModel.of("nn", "p", _calloc),
    "realloc": FunctionModel.of("pn", "p", heap.reallocate),
    "reallocarray": FunctionModel.of("pnn", "p", _reallocarray),
    "free": FunctionModel.of("p", "v", heap.release),
    "cfree": FunctionModel.of("p", "v", heap.release),
    "unfork_new": FunctionModel.of("nni", "p", _new),
    "unfork_delete": FunctionModel.of("pi", "v", _delete),
    "unfork_is_of_library": FunctionModel.of("p", "i", _is_of_library),
    "unfork_check_size": FunctionModel.of("pni", "v", heap.check_size),
    "aligned_alloc": FunctionModel.of("nn", "p", _aligned_alloc),
    "memalign": FunctionModel.of("nn", "p", _aligned_alloc),
    "valloc": FunctionModel.of("n", "p", lambda step, size: heap.allocate(step, size, "valloc")),
    "posix_memalign": FunctionModel.of("pnn", "i", _posix_memalign),
    "malloc_usable_size": FunctionModel.of("p", "l", _usable_size),
    "memcpy": FunctionModel.of("ppn", "p", _memcpy),
    "memmove": FunctionModel.of("ppn", "p", _memmove),
    "mempcpy": FunctionModel.of("ppn", "p", _mempcpy),
    "__mempcpy": FunctionModel.of("ppn", "p", _mempcpy),
    "bcopy": FunctionModel.of("ppn", "v", _bcopy),
    "memset": FunctionModel.of("pin", "p", _memset),
    "bzero": FunctionModel.of("pn", "v", _bzero),
    "__bzero": FunctionModel.of("pn", "v", _bzero),
    "explicit_bzero": FunctionModel.of("pn", "v", _bzero),
    "memcmp": FunctionModel.of("ppn", "i", compare),
    "bcmp": FunctionModel.of("ppn", "i", compare),
    "memchr": FunctionModel.of("pin", "p", _memchr),
    "memrchr": FunctionModel.of("pin", "p", _memrchr),
    "memmem": FunctionModel.of("pnpn", "p", _memmem),
    "__memcpy_chk": FunctionModel.of("ppnl", "p", _memcpy),
    "__memmove_chk": FunctionModel.of("ppnl", "p", _memmove),
    "__mempcpy_chk": FunctionModel.of("ppnl", "p", _mempcpy),
    "__memset_chk": FunctionModel.of("pinl", "p", _memset),
}
