"""Models of the malloc family and of the mem* functions."""

from __future__ import annotations

from unfork.execute import heap, lookout
from unfork.execute.handlers import plain
from unfork.execute.loads import store
from unfork.execute.ranges import compare, copy, copy_apart, fill, longest, pinned, readable
from unfork.execute.spans import Sight, scan
from unfork.execute.step import Step
from unfork.execute.strings import Characters
from unfork.execute.uninitialised import initialised
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.state.memory import LARGEST

ENOMEM = 12
ALIGNMENTS = 64
"""How many values the alignment that a block is asked for may have."""


def _malloc(step: Step, arguments: Arguments, call: Call) -> Value:
    return heap.allocate(step, arguments[0], "malloc")


def _calloc(step: Step, arguments: Arguments, call: Call) -> Value:
    size = _product(step, arguments[0], arguments[1])
    return 0 if size is None else heap.allocate_zeroed(step, size, "calloc")


def _product(step: Step, count: Value, size: Value) -> Value | None:
    """count * size; None where concrete numbers overflow, so that no block is given. Symbolic numbers are limited."""
    wide = build.mul(build.zext(count, 64, 128), build.zext(size, 64, 128), 128)
    fits = build.ule(wide, heap.PTRDIFF_MAX, 128)
    if fits == 0:
        return None
    step.limit(fits, "capacity", "a block of symbolic size beyond any object's")
    return build.mul(count, size, 64)


def _reallocarray(step: Step, arguments: Arguments, call: Call) -> Value:
    size = _product(step, arguments[1], arguments[2])
    return 0 if size is None else heap.reallocate(step, arguments[0], size)


def _aligned_alloc(step: Step, arguments: Arguments, call: Call) -> Value:
    return heap.allocate(step, arguments[1], "aligned_alloc", _alignment(step, arguments[0]))


def _alignment(step: Step, wanted: Value) -> int:
    """The wanted alignment rounded up to a power of two, as allocators do."""
    known = step.concretize(wanted, 64, ALIGNMENTS, "the alignment of a block")
    return 1 << max(0, known - 1).bit_length() if known <= LARGEST else 1


def _valloc(step: Step, arguments: Arguments, call: Call) -> Value:
    return heap.allocate(step, arguments[0], "valloc")


def _posix_memalign(step: Step, arguments: Arguments, call: Call) -> Value:
    size, _ = heap.settle_size(step, arguments[2])
    alignment = _alignment(step, arguments[1])
    store(step, arguments[0], 0, 8)  # a fault of the result pointer comes before the allocation
    block = heap.allocate(step, size, "posix_memalign", alignment)
    if block == 0:
        return ENOMEM
    store(step, arguments[0], block, 8)
    return 0


def _usable_size(step: Step, arguments: Arguments, call: Call) -> Value:
    number = heap.freeable(step, arguments[0], "malloc_usable_size")
    return step.state.memory.objects[number].size if number else 0


def _memcpy(step: Step, arguments: Arguments, call: Call) -> Value:
    copy_apart(step, arguments[0], arguments[1], arguments[2], "memcpy")
    return arguments[0]


def _memmove(step: Step, arguments: Arguments, call: Call) -> Value:
    copy(step, arguments[0], arguments[1], arguments[2])
    return arguments[0]


def _mempcpy(step: Step, arguments: Arguments, call: Call) -> Value:
    copy_apart(step, arguments[0], arguments[1], arguments[2], "mempcpy")
    return build.add(arguments[0], arguments[2], 64)


def _bcopy(step: Step, arguments: Arguments, call: Call) -> None:
    copy(step, arguments[1], arguments[0], arguments[2])


def _memset(step: Step, arguments: Arguments, call: Call) -> Value:
    fill(step, arguments[0], build.trunc(arguments[1], 32, 8), arguments[2])
    return arguments[0]


def _bzero(step: Step, arguments: Arguments, call: Call) -> None:
    fill(step, arguments[0], 0, arguments[1])


def _memchr(step: Step, arguments: Arguments, call: Call) -> Value:
    """The path forks over whether the byte is there; over where it is, if the length is symbolic."""
    pointer, wanted, length = arguments[0], build.trunc(arguments[1], 32, 8), arguments[2]
    if step.decide(build.eq(length, 0, 64)):
        return 0
    if isinstance(length, int):
        span = scan(step, pointer, lambda byte: Sight(build.eq(byte, wanted, 8), 1), length)
        if span is not None:
            return span.end if step.decide(span.is_found) else 0
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


def _memrchr(step: Step, arguments: Arguments, call: Call) -> Value:
    pointer, wanted, length = arguments[0], build.trunc(arguments[1], 32, 8), arguments[2]
    location = readable(step, pointer, length)
    if location is None:
        return 0
    start = pinned(step, location)
    _, high = longest(step, length, len(location.item.data) - start)
    for index in reversed(range(high)):
        if not step.decide(build.ult(index, length, 64)):
            continue
        lookout.read(step, location.number, start + index, 1)
        byte = initialised(step, location.number, start + index, 1).byte(start + index)
        if step.decide(build.eq(byte, wanted, 8)):
            return build.add(pointer, index, 64)
    return 0


def _memmem(step: Step, arguments: Arguments, call: Call) -> Value:
    hay, hay_length, needle, needle_length = arguments
    long = step.concretize(hay_length, 64, 256, "length given to memmem")
    short = step.concretize(needle_length, 64, 256, "length given to memmem")
    for index in range(long - short + 1):
        is_match = build.eq(compare(step, build.add(hay, index, 64), needle, short), 0, 32)
        if step.decide(is_match):
            return build.add(hay, index, 64)
    return 0


MODELS = {
    "malloc": Model("l", "p", _malloc),
    "calloc": Model("ll", "p", _calloc),
    "realloc": Model("pl", "p", plain(heap.reallocate)),
    "reallocarray": Model("pll", "p", _reallocarray),
    "free": Model("p", "v", plain(heap.release)),
    "cfree": Model("p", "v", plain(heap.release)),
    "aligned_alloc": Model("ll", "p", _aligned_alloc),
    "memalign": Model("ll", "p", _aligned_alloc),
    "valloc": Model("l", "p", _valloc),
    "posix_memalign": Model("pll", "i", _posix_memalign),
    "malloc_usable_size": Model("p", "l", _usable_size),
    "memcpy": Model("ppl", "p", _memcpy),
    "memmove": Model("ppl", "p", _memmove),
    "mempcpy": Model("ppl", "p", _mempcpy),
    "__mempcpy": Model("ppl", "p", _mempcpy),
    "bcopy": Model("ppl", "v", _bcopy),
    "memset": Model("pil", "p", _memset),
    "bzero": Model("pl", "v", _bzero),
    "__bzero": Model("pl", "v", _bzero),
    "explicit_bzero": Model("pl", "v", _bzero),
    "memcmp": Model("ppl", "i", plain(compare)),
    "bcmp": Model("ppl", "i", plain(compare)),
    "memchr": Model("pil", "p", _memchr),
    "memrchr": Model("pil", "p", _memrchr),
    "memmem": Model("plpl", "p", _memmem),
    "__memcpy_chk": Model("ppll", "p", _memcpy),
    "__memmove_chk": Model("ppll", "p", _memmove),
    "__mempcpy_chk": Model("ppll", "p", _mempcpy),
    "__memset_chk": Model("pill", "p", _memset),
}
