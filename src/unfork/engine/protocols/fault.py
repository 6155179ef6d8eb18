"""Faults of the analysed program: a record for decisions, and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from unfork.engine.state.threads import THREAD_LOCAL
from unfork.program.llvm.demangle import readable


class Reach(Enum):
    """Where a failing access leads; the value continues its sentence."""

    OFFSET = " at {where} of {thing}"
    """To an offset outside of the object."""
    FRONT = "an access in front of {thing}"
    """To bytes before an input, at an unknown distance."""
    END = " past the end of {thing}: a string without a terminator?"
    """Behind a text without an end."""
    READ_ONLY = "write to {thing}, which is read-only"
    GONE = " in {thing}"
    """To an object that no longer exists."""
    NULL = " through a null pointer"
    MAYBE_NULL = " through a pointer that may be null"
    NO_OBJECT = " through a pointer to no object"
    ADDRESS = " at address {where}, where there is no object"
    ANYWHERE = " through a pointer that may be anything"
    CODE = " {preposition} a function or label"


_WHOLE = frozenset((Reach.FRONT, Reach.READ_ONLY))
"""Reaches whose value is the whole sentence."""


@dataclass(frozen=True, slots=True)
class FaultyObject:
    """The object of a fault. ``name`` is that of a variable, a path into the input, or its allocator.

    ``storage`` is the kind of a MemoryObject. ``size`` is in bytes, None if symbolic. ``literal`` is the text of a
    string literal, ``line`` where a block was allocated. ``gone`` says how an object ended.
    """

    name: str
    storage: str
    size: int | None = None
    literal: str | None = None
    line: int | None = None
    gone: str | None = None

    @property
    def is_local(self) -> bool:
        return self.storage == "stack"

    @property
    def is_block(self) -> bool:
        """Whether it was allocated on the heap."""
        return self.storage == "heap"

    def words(self) -> str:
        """The object in a sentence."""
        if self.gone is not None:
            return self._of_gone(self.gone)
        size = words_of_size(self.size)
        if self.literal is not None:
            return f"the string {self.literal} ({size})"
        if self.is_block:
            return f"the block of {size} from {self.name}" + (f" at line {self.line}" if self.line is not None else "")
        return f"'{self.name}' ({size})"

    def _of_gone(self, how: str) -> str:
        if not self.name and not self.is_block:
            return f"a local variable {how}"
        name = "the block" if self.is_block else f"'{self.name}'"
        verb = "declared" if self.storage == THREAD_LOCAL else "allocated"
        return name + (f" ({verb} at line {self.line})" if self.line is not None else "") + f" {how}"


@dataclass(frozen=True, slots=True)
class AccessFault:
    """An access that is a fault. ``verb`` is "read" or "write".

    ``size`` is in bytes, ``offset`` counts from the beginning of the ``thing``; None where symbolic or unknown.
    ``address`` is set where there is no object.
    """

    verb: str
    size: int | None
    reach: Reach
    thing: FaultyObject | None = None
    offset: int | None = None
    address: int | None = None

    @property
    def is_write(self) -> bool:
        return self.verb == "write"

    @property
    def is_in_front(self) -> bool:
        """Whether it certainly lies before its object."""
        return self.reach is Reach.FRONT or (self.offset is not None and self.offset < 0)

    @property
    def is_behind(self) -> bool:
        """Whether it certainly begins at an offset of its object or after it, and not before it."""
        return self.offset is not None and self.offset >= 0

    @property
    def is_nowhere(self) -> bool:
        """Whether its address comes from no object."""
        return self.reach in (Reach.NO_OBJECT, Reach.ADDRESS)

    def words(self) -> str:
        """The access as a sentence."""
        where = "a symbolic offset" if self.offset is None else f"offset {self.offset}"
        if self.address is not None:
            where = f"{self.address:#x}"
        thing = "" if self.thing is None else self.thing.words()
        if self.reach is Reach.FRONT and self.thing is not None:
            thing = f"'{self.thing.name}'"
        preposition = "to" if self.is_write else "from"
        rest = self.reach.value.format(where=where, thing=thing, preposition=preposition)
        return rest if self.reach in _WHOLE else f"{self._amount()}{rest}"

    def _amount(self) -> str:
        if self.size is None:
            return f"{self.verb} of a symbolic number of bytes"
        return f"{self.verb} of {self.size} byte" + ("s" if self.size != 1 else "")

    def as_dict(self) -> dict[str, Any]:
        """The access in summary.json."""
        name = None if self.thing is None else readable(self.thing.name)
        return {"verb": self.verb, "size": self.size, "offset": self.offset, "object": name}


@dataclass(frozen=True, slots=True)
class ObjectFault:
    """A fault with an object other than an access; ``before`` and ``after`` are the words around it. ``is_in_front``:
    the pointer certainly leads before the object.
    """

    before: str
    thing: FaultyObject
    after: str = ""
    is_in_front: bool = False

    def words(self) -> str:
        """The fault as a sentence."""
        return f"{self.before} {self.thing.words()}{self.after}"


class Aspect(Enum):
    """A detail on which decisions depend, beside the kind. The value is its name in summary.json."""

    RESULT = "result"
    """The result of an operation does not fit its type."""
    NO_ACCESS = "no-access"
    """There was no access yet."""
    NO_FUNCTION = "no-function"
    """The callee is not a function."""
    NO_EXCEPTION = "no-exception"
    """No exception is being handled."""
    VERIFIER_ASSERTION = "verifier-assertion"
    """The assertion is that of a verification task."""
    REGISTER = "register"
    """What was not set is a variable whose address nobody takes."""


def name_of(aspect: Aspect | None) -> str | None:
    """An aspect in summary.json."""
    return None if aspect is None else aspect.value


@dataclass(frozen=True, slots=True)
class SpecialFault:
    """A sentence with an aspect."""

    aspect: Aspect
    text: str

    def words(self) -> str:
        """The fault as a sentence."""
        return self.text


Cause = str | AccessFault | ObjectFault | SpecialFault
"""The cause of a fault; a plain sentence where only the kind matters for decisions."""


Subject = tuple[str | None, ...]
"""The identity of a fault, whatever its numbers are."""


def subject_of(cause: Cause) -> Subject:
    """The identity of a fault: faults of one kind and line with equal subjects are alike."""
    match cause:
        case AccessFault(thing=None):
            return cause.verb, cause.reach.name
        case AccessFault(thing=FaultyObject() as thing):
            return cause.verb, cause.reach.name, thing.storage, thing.name
        case ObjectFault():
            return cause.before, cause.thing.storage, cause.thing.name
        case SpecialFault(aspect):
            return (aspect.name,)
        case _:
            return (words_of(cause),)


def words_of(cause: Cause) -> str:
    """The sentence of a cause."""
    return cause if isinstance(cause, str) else cause.words()


def words_of_size(size: int | None) -> str:
    """The size of an object, in bytes, in a sentence; None: symbolic."""
    return "symbolic size" if size is None else f"{size} bytes"
