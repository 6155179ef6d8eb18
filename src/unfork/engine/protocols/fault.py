"""What went wrong in the analysed program, as a record that decisions read, and the sentence that people read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from unfork.engine.state.threads import THREAD_LOCAL
from unfork.program.llvm.demangle import readable


class Reach(Enum):
    """Where an access that fails leads; the value is how its sentence goes on."""

    OFFSET = " at {where} of {thing}"
    """To an offset that is not within the object."""
    FRONT = "an access in front of {thing}"
    """To bytes in front of an input, of which only the side is known."""
    END = " past the end of {thing}: a string without a terminator?"
    """Behind a text, which has no end."""
    READ_ONLY = "write to {thing}, which is read-only"
    GONE = " in {thing}"
    """To an object that exists no more."""
    NULL = " through a null pointer"
    MAYBE_NULL = " through a pointer that may be null"
    NO_OBJECT = " through a pointer to no object"
    ADDRESS = " at address {where}, where there is no object"
    ANYWHERE = " through a pointer that may be anything"
    CODE = " {preposition} a function or label"


_WHOLE = frozenset((Reach.FRONT, Reach.READ_ONLY))
"""Those whose value is the whole sentence."""


@dataclass(frozen=True, slots=True)
class FaultyObject:
    """The object that a fault is about. ``name`` is that of a variable, a path into the input, or who allocated it.

    ``storage`` is the kind of a MemoryObject. ``size`` is in bytes, None if it is symbolic. ``literal`` is the text of
    a string literal, ``line`` where a block was allocated. ``gone`` says how an object ended that exists no more.
    """

    name: str
    storage: str
    size: int | None = None
    literal: str | None = None
    line: int | None = None
    gone: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether it is a local variable."""
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
    """An access that must not be. ``verb`` is "read" or "write".

    ``size`` is in bytes, ``offset`` from the beginning of the ``thing`` on; each is None where it is symbolic or not
    known. ``address`` is where there is no object.
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
        """Whether it is known to lie in front of its object."""
        return self.reach is Reach.FRONT or (self.offset is not None and self.offset < 0)

    @property
    def is_behind(self) -> bool:
        """Whether it is known to begin at an offset of its object, or behind that, and not in front of it."""
        return self.offset is not None and self.offset >= 0

    @property
    def is_nowhere(self) -> bool:
        """Whether its address was made from no object."""
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
    """What must not be done with an object but by an access; ``before`` and ``after`` are the words around it."""

    before: str
    thing: FaultyObject
    after: str = ""

    def words(self) -> str:
        """The fault as a sentence."""
        return f"{self.before} {self.thing.words()}{self.after}"


class Aspect(Enum):
    """What is decided on about faults of the same kind. The value is its name in summary.json."""

    RESULT = "result"
    """The result of an operation does not fit its type."""
    NO_ACCESS = "no-access"
    """Nothing was accessed yet."""
    NO_FUNCTION = "no-function"
    """What is called is no function."""
    VERIFIER_ASSERTION = "verifier-assertion"
    """The assertion is that of a verification task."""


def name_of(aspect: Aspect | None) -> str | None:
    """An aspect in summary.json."""
    return None if aspect is None else aspect.value


@dataclass(frozen=True, slots=True)
class SpecialFault:
    """A sentence, and what is decided on about it."""

    aspect: Aspect
    text: str

    def words(self) -> str:
        """The fault as a sentence."""
        return self.text


Cause = str | AccessFault | ObjectFault | SpecialFault
"""What went wrong; a plain sentence where nothing is decided on but the kind."""


Subject = tuple[str | None, ...]
"""What a fault is about, whatever its numbers are."""


def subject_of(cause: Cause) -> Subject:
    """What a fault is about: faults of one kind and line that agree in it are alike."""
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
    """The size of an object, in bytes, in a sentence; None: it is symbolic."""
    return "symbolic size" if size is None else f"{size} bytes"
