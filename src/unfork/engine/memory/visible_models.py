"""How modelled functions and system calls access memory, which other threads may notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from unfork.engine.memory.loads import pointer_size
from unfork.engine.memory.races import NO_CLOCK, read_from
from unfork.engine.memory.visible_operations import accesses_of, as_one_event, begin, happened, happened_apart, of
from unfork.engine.state.memory import SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.engine.state.state import RegisterValue
from unfork.engine.state.threads import ACCESS, THREADS, Access, Operation, are_several
from unfork.engine.step.handlers import Arguments, Handler
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Term, Value


@dataclass(frozen=True, slots=True)
class Touch:
    """The bytes that an argument points to.

    There are ``size`` (ADDRESS: a pointer's), or as many as argument ``length`` says, or the whole object (WHOLE), or
    as many as the string in argument ``text`` has; otherwise they are a string. ``appends``: they begin at its end.
    """

    pointer: int
    writes: bool
    length: int | None = None
    size: int | None = None
    text: int | None = None
    appends: bool = False


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a function keeps between calls. ``is_locked``: threads may call it at once, and their order matters."""

    name: str
    is_locked: bool


Result = TypeVar("Result")
WHOLE, ADDRESS = -1, 0
"""A length, and a size: the whole object, and a pointer's bytes."""
IN, OUT = "in", "out"
_COPY = (Touch(0, True, 2), Touch(1, False, 2))
_FILL = (Touch(0, True, 2),)
_COMPARED = (Touch(0, False), Touch(1, False))
_COPIED = (Touch(0, True, text=1), Touch(1, False))
_COPIED_PART = (Touch(0, True, 2), Touch(1, False))
_APPENDED = (Touch(0, False), Touch(0, True, text=1, appends=True), Touch(1, False))
_NUMBER = (Touch(0, False), Touch(1, True, size=ADDRESS))
_TOKEN = Hidden("strtok", is_locked=False)
_RANDOM = Hidden("rand", is_locked=False)
_HANDLERS = Hidden("atexit", is_locked=True)
_OUTPUT = Hidden("standard output", is_locked=True)
"""For the functions that replace the C library's where none is linked."""
_TOUCHES: dict[str, tuple[Touch | Hidden, ...]] = {
    **dict.fromkeys(
        (
            "memcpy",
            "memmove",
            "mempcpy",
            "__mempcpy",
            "__memcpy_chk",
            "__memmove_chk",
            "__mempcpy_chk",
            "memcpy.inline",
        ),
        _COPY,
    ),
    "bcopy": (Touch(0, False, 2), Touch(1, True, 2)),
    **dict.fromkeys(("memset", "__memset_chk", "memset.inline"), _FILL),
    **dict.fromkeys(("bzero", "__bzero", "explicit_bzero"), (Touch(0, True, 1),)),
    **dict.fromkeys(("memcmp", "bcmp"), (Touch(0, False, 2), Touch(1, False, 2))),
    **dict.fromkeys(("memchr", "memrchr", "__memrchr"), (Touch(0, False, 2),)),
    "memmem": (Touch(0, False, 1), Touch(2, False, 3)),
    **dict.fromkeys(("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll"), _COMPARED),
    **dict.fromkeys(("strstr", "strspn", "strcspn", "strpbrk"), _COMPARED),
    **dict.fromkeys(("strlen", "strnlen", "strchr", "strrchr", "index", "rindex"), (Touch(0, False),)),
    **dict.fromkeys(("strchrnul", "__strchrnul", "strdup", "__strdup", "strndup"), (Touch(0, False),)),
    **dict.fromkeys(("atoi", "atol", "atoll"), (Touch(0, False),)),
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax"), _NUMBER),
    **dict.fromkeys((f"__isoc23_{name}" for name in ("strtol", "strtoul", "strtoll", "strtoull")), _NUMBER),
    **dict.fromkeys(("strcpy", "stpcpy", "__stpcpy", "__strcpy_chk", "__stpcpy_chk"), _COPIED),
    **dict.fromkeys(("strncpy", "stpncpy", "__stpncpy", "__strncpy_chk"), _COPIED_PART),
    "strlcpy": _COPIED,
    **dict.fromkeys(("strcat", "strncat", "strlcat", "__strcat_chk", "__strncat_chk"), _APPENDED),
    "strtok": (_TOKEN, Touch(0, True)),
    **dict.fromkeys(("strtok_r", "__strtok_r"), (Touch(2, True, size=ADDRESS), Touch(0, True))),
    "strsep": (Touch(0, True, size=ADDRESS),),
    **dict.fromkeys(("rand", "srand"), (_RANDOM,)),
    **dict.fromkeys(("atexit",), (_HANDLERS,)),
    **dict.fromkeys(("puts", "fputs", "fputs_unlocked"), (_OUTPUT, Touch(0, False))),
    **dict.fromkeys(("putchar", "putchar_unlocked", "putc", "fputc"), (_OUTPUT,)),
    "fwrite": (_OUTPUT, Touch(0, False, 2)),
    "write": (_OUTPUT, Touch(1, False, 2)),
    "posix_memalign": (Touch(0, True, size=ADDRESS),),
    "modf": (Touch(1, True, size=8),),
    "frexp": (Touch(1, True, size=4),),
    **dict.fromkeys(
        ("free", "realloc", "cfree", "__libc_free", "__libc_realloc", "unfork_delete"), (Touch(0, True, WHOLE),)
    ),
}
"""By function name, and by intrinsic's name without "llvm."."""


def visible_model(name: str, model: Handler) -> Handler:
    """The model of a function, with its memory accesses visible to other threads."""
    touches = touches_of(name)
    if not touches:
        return model

    return lambda step, arguments, call: visibly(step, touches, arguments, lambda: model(step, arguments, call))


def visibly(step: Step, touches: tuple[Touch | Hidden, ...], arguments: Arguments, run: Callable[[], Result]) -> Result:
    """Run code with these accesses, which other threads may notice."""
    if not step.are_several(step.state):
        return run()
    return as_one_event(step, [access for touch in touches for access in _accesses(step, touch, arguments)], run)


def in_kernel(step: Step, inode: int | None, way: str, run: Callable[[], Result]) -> Result:
    """Run a system call of the C library. All threads share files, descriptors and output.

    With an ``inode``, it only moves its data: IN, or OUT to readers, who learn what came before. None: it may do more.
    """
    threads = step.state.remembered[THREADS]
    if threads is None or not threads.depth or not are_several(threads):
        return run()
    site = step.site()
    accesses = [Access("the kernel", 0, 1, inode is None, True, site)]
    if inode is not None:
        accesses.append(Access(("inode", inode), 0, 1, True, True, site))
    data = [Access(("data", inode), 0, 1, way == IN, True, site)] if way else []
    operation = Operation(ACCESS, (*accesses, *data), position=site)
    begin(step, operation)
    result = run()
    if way == IN:
        happened_apart(step, operation, None, NO_CLOCK)
    else:
        happened(step, operation, None, read_from(of(step), data))
    return result


def touch(step: Step, pointer: Value, length: Value, *, writes: bool) -> None:
    """The kernel reads or writes ``length`` bytes (64 bits)."""
    if step.are_several(step.state):
        as_one_event(step, accesses_of(step, pointer, length, writes=writes, is_atomic=False), lambda: None)


def touches_of(name: str) -> tuple[Touch | Hidden, ...]:
    """The memory that a modelled function touches."""
    if name.startswith("llvm."):
        words = name.removeprefix("llvm.").split(".")
        name = ".".join(words[:2]) if words[1:2] == ["inline"] else words[0]
    return _TOUCHES.get(name, ())


def _accesses(step: Step, touch: Touch | Hidden, arguments: Arguments) -> list[Access]:
    if isinstance(touch, Hidden):
        return [Access(("state", touch.name), 0, 1, True, touch.is_locked, step.site())]
    pointer: RegisterValue = arguments[touch.pointer] if touch.pointer < len(arguments) else 0
    if not isinstance(pointer, int | Term) or pointer == 0:
        return []
    size: Value = pointer_size(step) if touch.size == ADDRESS else touch.size or _length_of_string(step, pointer)
    if touch.appends and isinstance(pointer, int):
        pointer += _length_of_string(step, pointer) - 1
    if touch.text is not None:
        text = arguments[touch.text]
        size = _length_of_string(step, text) if isinstance(text, int) else 1
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
    """How many bytes of a string are certainly read: up to its end, or to the first unknown byte."""
    if not isinstance(pointer, int):
        return 1
    item = step.state.memory.objects.get(pointer >> SLOT_BITS)
    start = (pointer & SLOT_MASK) - SLOT_MIDDLE
    if item is None or not 0 <= start < len(item.data):
        return 1
    end = item.data.find(0, start)  # unknown bytes are 0 in the data
    return (end if end >= 0 else len(item.data) - 1) - start + 1
