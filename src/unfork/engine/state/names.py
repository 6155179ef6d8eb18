"""Names of objects: the numbers in the high bits of addresses, the same on two paths that allocate alike."""

from __future__ import annotations

from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import aligned, windows
from unfork.engine.state.memory import END_OF_NAMES, FIRST_HEAP, FIRST_LAZY, FIRST_STACK
from unfork.errors import Unsupported

_MOST = 1 << 128
"""More activations, and more symbols of the engine's own, than a run uses, however often the rest is shared."""


class NumberSource:
    """Numbers given out in order, each once in a run."""

    __slots__ = ("_end", "_is_narrow", "_next")

    def __init__(self, first: int, end: int, *, is_narrow: bool = False) -> None:
        """``is_narrow``: they name objects to which pointers have 32 bits."""
        self._next, self._end = first, end
        self._is_narrow = is_narrow

    def share(self, part: int, parts: int) -> None:
        """Use one of ``parts`` equal parts of the remaining numbers; others who begin with these use the others."""
        each = (self._end - self._next) // parts
        self._next += part * each
        self._end = self._next + each

    def take(self, count: int = 1, alignment: int = 1) -> int:
        """The first of ``count`` consecutive numbers, ``aligned`` as an object. Raises Unsupported if too few are
        left.
        """
        first = aligned(self._next, alignment, is_narrow=self._is_narrow)
        if first + count > self._end:
            raise Unsupported(f"more than {END_OF_NAMES - FIRST_STACK} distinct stack objects, or a share of them")
        self._next = first + count
        return first

    def may_have_given(self, number: int) -> bool:
        """Whether a number was given out here, or may have been in another process."""
        return not self._next <= number < self._end


class Names:
    """The run's table of stack names; it only grows, and equal requests get equal answers.

    A stack object is named by (activation, alloca site, how often the site ran in this activation). An activation is
    named by its parent and by how many calls the parent had made to functions that hold captured locals: so one more
    call shifts later names within that caller alone. Locals whose address cannot outlive the frame are named by
    depth.
    """

    __slots__ = ("_activations", "_by_activation", "_is_narrow", "_numbers", "_objects", "_symbols")

    def __init__(self, *, is_narrow: bool = False) -> None:
        """``is_narrow``: pointers have 32 bits."""
        self._by_activation: dict[tuple[int, str, int], int] = {}
        self._objects: dict[tuple[int, str, int, int, int], int] = {}
        self._is_narrow = is_narrow
        end = narrow_layout.LAST_NAME if is_narrow else END_OF_NAMES
        self._numbers = NumberSource(FIRST_STACK, end, is_narrow=is_narrow)
        self._activations, self._symbols = NumberSource(1, _MOST), NumberSource(1, _MOST)

    def restore(self, earlier: Names) -> None:
        """Continue with the table of an ``earlier`` exploration and its states."""
        for name in self.__slots__:
            setattr(self, name, getattr(earlier, name))

    def share(self, part: int, parts: int) -> None:
        """Use one of ``parts`` equal parts of the remaining numbers; others who begin with this table use the
        others.

        So a number means one thing everywhere, and states may go from one process to another.
        """
        for numbers in (self._numbers, self._activations, self._symbols):
            numbers.share(part, parts)

    def symbol(self) -> int:
        """A fresh number for a symbol of the engine's own."""
        return self._symbols.take()

    def activation(self, parent: int, function: str, ordinal: int) -> int:
        """The number of the ``ordinal``-th activation of ``function`` within activation ``parent``."""
        key = (parent, function, ordinal)
        number = self._by_activation.get(key)
        if number is None:
            number = self._by_activation[key] = self._activations.take()
        return number

    def captured_local(
        self, activation: int, function: str, site: int, repetition: int, size: int, alignment: int
    ) -> int:
        """The object number of a local of at most ``size`` bytes whose address may outlive its frame."""
        return self._object((activation, function, site, repetition), size, alignment)

    def plain_local(self, depth: int, function: str, site: int, repetition: int, size: int, alignment: int) -> int:
        """As captured_local(), for a local whose address dies with its frame; the next call at this depth reuses it."""
        return self._object((-depth, function, site, repetition), size, alignment)

    def is_local(self, number: int) -> bool:
        """Whether a local on some path has this number, or may have it in another process."""
        return FIRST_STACK <= number < END_OF_NAMES and self._numbers.may_have_given(number)

    def _object(self, place: tuple[int, str, int, int], size: int, alignment: int) -> int:
        count = windows(size, is_narrow=self._is_narrow)
        key = (*place, count)
        number = self._objects.get(key)
        if number is None:
            number = self._objects[key] = self._numbers.take(count, alignment)
        return number


def heap_name(used: int, size: int, alignment: int = 1, *, is_narrow: bool = False) -> tuple[int, int]:
    """The object number of a block of at most ``size`` bytes on a path that has used this many, and the new count.

    ``is_narrow``: pointers have 32 bits. Raises Unsupported when the heap names are used up.
    """
    number = aligned(FIRST_HEAP + used, alignment, is_narrow=is_narrow)
    end = number + windows(size, is_narrow=is_narrow)
    if end > FIRST_LAZY:
        raise Unsupported(f"more than {FIRST_LAZY - FIRST_HEAP} heap allocations on one path")
    return number, end - FIRST_HEAP
