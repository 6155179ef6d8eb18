"""Names of objects: the numbers in the high bits of addresses, the same on two paths that allocate alike."""

from __future__ import annotations

from unfork.errors import Unsupported
from unfork.state.flat_layout import aligned, windows
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, FIRST_LAZY, FIRST_STACK


class Names:
    """The run's table of stack names; it only grows, and equal questions get equal answers.

    A stack object is named by (activation, alloca site, how often the site ran in this activation). An activation is
    named by its parent and by how many calls the parent had made to functions that hold captured locals: so one more
    call shifts later names within that caller alone. Locals whose address cannot outlive the frame are named by depth.
    """

    __slots__ = ("_activations", "_next", "_objects")

    def __init__(self) -> None:
        self._activations: dict[tuple[int, str, int], int] = {}
        self._objects: dict[tuple[int, str, int, int, int], int] = {}
        self._next = FIRST_STACK

    def restore(self, earlier: Names) -> None:
        """Become what ``earlier`` was, for whoever goes on with its states."""
        self._activations, self._objects, self._next = earlier._activations, earlier._objects, earlier._next

    def activation(self, parent: int, function: str, ordinal: int) -> int:
        """The number of the ``ordinal``-th activation of ``function`` within activation ``parent``."""
        key = (parent, function, ordinal)
        return self._activations.setdefault(key, len(self._activations) + 1)

    def captured_local(
        self, activation: int, function: str, site: int, repetition: int, size: int, alignment: int
    ) -> int:
        """The object number of a local of at most ``size`` bytes whose address may outlive its frame."""
        return self._object((activation, function, site, repetition, windows(size)), alignment)

    def plain_local(self, depth: int, function: str, site: int, repetition: int, size: int, alignment: int) -> int:
        """The same of a local whose address dies with its frame; the next call at this depth reuses it."""
        return self._object((-depth, function, site, repetition, windows(size)), alignment)

    def is_local(self, number: int) -> bool:
        """Whether some path has given a local this number."""
        return FIRST_STACK <= number < self._next

    def _object(self, key: tuple[int, str, int, int, int], alignment: int) -> int:
        number = self._objects.get(key)
        if number is None:
            number = aligned(self._next, alignment)
            self._next = number + key[-1]
            if self._next > END_OF_NAMES:
                raise Unsupported(f"more than {END_OF_NAMES - FIRST_STACK} distinct stack objects")
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
