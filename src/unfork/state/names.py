"""Names of objects: the numbers in the high bits of addresses, the same on two paths that allocate alike."""

from __future__ import annotations

from unfork.errors import Unsupported
from unfork.state.flat_layout import aligned, windows
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, FIRST_LAZY, FIRST_STACK

_ACTIVATIONS = 1 << 48
"""More activations than any process comes to."""


class Names:
    """The run's table of stack names; it only grows, and equal questions get equal answers.

    A stack object is named by (activation, alloca site, how often the site ran in this activation). An activation is
    named by its parent and by how many calls the parent had made to functions that hold captured locals: so one more
    call shifts later names within that caller alone. Locals whose address cannot outlive the frame are named by depth.
    """

    __slots__ = ("_activations", "_end", "_next", "_next_activation", "_objects")

    def __init__(self) -> None:
        self._activations: dict[tuple[int, str, int], int] = {}
        self._objects: dict[tuple[int, str, int, int, int], int] = {}
        self._next, self._end = FIRST_STACK, END_OF_NAMES
        self._next_activation = 1

    def restore(self, earlier: Names) -> None:
        """Become what ``earlier`` was, for whoever goes on with its states."""
        for name in self.__slots__:
            setattr(self, name, getattr(earlier, name))

    def share(self, part: int, parts: int) -> None:
        """Use one of ``parts`` equal parts of what is left, as others who begin with this table use the others.

        So what has one number anywhere is one thing, and states may go from one process to another.
        """
        each = (self._end - self._next) // parts
        self._next += part * each
        self._end = self._next + each
        self._next_activation += part * _ACTIVATIONS

    def activation(self, parent: int, function: str, ordinal: int) -> int:
        """The number of the ``ordinal``-th activation of ``function`` within activation ``parent``."""
        key = (parent, function, ordinal)
        number = self._activations.get(key)
        if number is None:
            number = self._activations[key] = self._next_activation
            self._next_activation += 1
        return number

    def captured_local(
        self, activation: int, function: str, site: int, repetition: int, size: int, alignment: int
    ) -> int:
        """The object number of a local of at most ``size`` bytes whose address may outlive its frame."""
        return self._object((activation, function, site, repetition, windows(size)), alignment)

    def plain_local(self, depth: int, function: str, site: int, repetition: int, size: int, alignment: int) -> int:
        """The same of a local whose address dies with its frame; the next call at this depth reuses it."""
        return self._object((-depth, function, site, repetition, windows(size)), alignment)

    def is_local(self, number: int) -> bool:
        """Whether some path has given a local this number, or may have done so in another process."""
        return FIRST_STACK <= number < END_OF_NAMES and not self._next <= number < self._end

    def _object(self, key: tuple[int, str, int, int, int], alignment: int) -> int:
        number = self._objects.get(key)
        if number is None:
            number = aligned(self._next, alignment)
            self._next = number + key[-1]
            if self._next > self._end:
                raise Unsupported(f"more than {END_OF_NAMES - FIRST_STACK} distinct stack objects, or a share of them")
            self._objects[key] = number
        return number


def heap_name(used: int, size: int, alignment: int = 1) -> tuple[int, int]:
    """The object number of a block of at most ``size`` bytes where a path has used so many, and how many then are.

    Raises Unsupported when the heap names are used up.
    """
    number = aligned(FIRST_HEAP + used, alignment)
    end = number + windows(size)
    if end > FIRST_LAZY:
        raise Unsupported(f"more than {FIRST_LAZY - FIRST_HEAP} heap allocations on one path")
    return number, end - FIRST_HEAP
