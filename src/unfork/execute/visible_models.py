"""What modelled functions do to memory, in a program with threads: each call is one visible operation."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.execute.handlers import Arguments, Handler
from unfork.execute.step import Step
from unfork.execute.threads import accesses_of, as_one_event
from unfork.llvm.ir import Call
from unfork.logic.term import Term, Value
from unfork.state.memory import SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.state.state import RegisterValue
from unfork.state.threads import THREADS, Access


@dataclass(frozen=True, slots=True)
class Touch:
    """The argument that points to bytes, and the one that says how many: None if they are a string.

    WHOLE: all of the object.
    """

    pointer: int
    writes: bool
    length: int | None = None


WHOLE = -1
_COPY = (Touch(0, True, 2), Touch(1, False, 2))
_FILL = (Touch(0, True, 2),)
_COMPARED = (Touch(0, False), Touch(1, False))
_TOUCHES: dict[str, tuple[Touch, ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk", "memcpy.inline"), _COPY),
    **dict.fromkeys(("memset", "__memset_chk", "memset.inline"), _FILL),
    **dict.fromkeys(("bzero", "explicit_bzero"), (Touch(0, True, 1),)),
    **dict.fromkeys(("memcmp", "bcmp"), (Touch(0, False, 2), Touch(1, False, 2))),
    **dict.fromkeys(("memchr", "memrchr"), (Touch(0, False, 2),)),
    **dict.fromkeys(("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "strspn", "strcspn"), _COMPARED),
    **dict.fromkeys(
        ("strlen", "strnlen", "strchr", "strrchr", "strdup", "strndup", "atoi", "atol"), (Touch(0, False),)
    ),
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull"), (Touch(0, False),)),
    **dict.fromkeys(("strcpy", "stpcpy", "strncpy", "strcat", "strncat"), (Touch(0, True), Touch(1, False))),
    **dict.fromkeys(("free", "realloc", "cfree", "unfork_delete"), (Touch(0, True, WHOLE),)),
}
"""By the names of functions, and of intrinsics without "llvm."."""


def visible_model(name: str, model: Handler) -> Handler:
    """The model of a function. If it touches memory, others may notice what."""
    touches = touches_of(name)
    if not touches:
        return model

    def handle(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        if step.state.remembered[THREADS] is None:
            return model(step, arguments, call)
        accesses = [access for touch in touches for access in _accesses(step, touch, arguments)]
        return as_one_event(step, accesses, lambda: model(step, arguments, call))

    return handle


def touches_of(name: str) -> tuple[Touch, ...]:
    """What a modelled function touches."""
    if name.startswith("llvm."):
        words = name.removeprefix("llvm.").split(".")
        name = ".".join(words[:2]) if words[1:2] == ["inline"] else words[0]
    return _TOUCHES.get(name, ())


def _accesses(step: Step, touch: Touch, arguments: Arguments) -> list[Access]:
    pointer: RegisterValue = arguments[touch.pointer] if touch.pointer < len(arguments) else 0
    if not isinstance(pointer, int | Term) or pointer == 0:
        return []
    size: Value = _length_of_string(step, pointer)
    if touch.length is not None and touch.length != WHOLE:
        size = arguments[touch.length]
    accesses = accesses_of(step, pointer, size, writes=touch.writes, is_atomic=False)
    if touch.length != WHOLE:
        return accesses
    return [Access(each.key, 0, _size(step, each.key), True, False, each.position) for each in accesses]


def _size(step: Step, key: object) -> Value:
    item = step.state.memory.objects.get(key) if isinstance(key, int) else None
    return 1 if item is None else item.size


def _length_of_string(step: Step, pointer: Value) -> int:
    """How many bytes of a string are known to be read: up to its end, or to the first byte that is not known."""
    if not isinstance(pointer, int):
        return 1
    item = step.state.memory.objects.get(pointer >> SLOT_BITS)
    start = (pointer & SLOT_MASK) - SLOT_MIDDLE
    if item is None or not 0 <= start < len(item.data):
        return 1
    end = item.data.find(0, start)  # bytes that are not known are 0 there
    return (end if end >= 0 else len(item.data) - 1) - start + 1
