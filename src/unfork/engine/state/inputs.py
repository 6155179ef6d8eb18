"""Input records: the symbolic objects that a path has created, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from unfork.logic.terms.term import Term, Value

UNWRITTEN = "uninit:"
"""Prefix of the names of inputs of kind uninit, and so of their symbols."""


@dataclass(frozen=True, slots=True)
class InputObject:
    """One object of input bytes. ``leaves`` are its values in order, each with its size; the sizes add up to
    ``size``.

    ``kind`` is "symbolic" (named by the program), "nondet" (an SV-COMP value), "uninit" (uninitialised bytes, undef
    and poison), "argument" or "file". ``name`` is unique along a path; ``base`` is the requested name, without a
    number. ``type_name`` is the C type, if known. ``guard`` (1 bit) says on which part of a joined path the input
    exists. ``is_latent`` marks unwritten bytes that a join had to name before the program read them.
    """

    name: str
    kind: str
    size: int
    leaves: tuple[tuple[Value, int], ...]
    type_name: str | None = None
    guard: Value = 1
    is_latent: bool = False
    base: str = ""


class Inputs:
    """The inputs of a path, in order. Immutable: a longer list shares its beginning with a shorter one.

    So one more input takes constant time.
    """

    __slots__ = ("_all", "count")

    def __init__(self, inputs: Iterable[InputObject] = ()) -> None:
        self._all = list(inputs)
        """The first ``count`` are this list's; later ones belong to a longer list."""
        self.count = len(self._all)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[InputObject]:
        return islice(self._all, self.count)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Inputs) and list(self) == list(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Inputs({list(self)!r})"

    @property
    def last(self) -> InputObject:
        return self._all[self.count - 1]

    def first(self, count: int) -> list[InputObject]:
        return self._all[: min(count, self.count)]

    def after(self, count: int) -> list[InputObject]:
        return self._all[count : self.count]

    def adds_only_unwritten(self, earlier: Inputs) -> bool:
        """Whether these are ``earlier`` followed by unwritten bytes only."""
        if self._all is not earlier._all and self.first(earlier.count) != list(earlier):
            return False
        added = range(earlier.count, self.count)
        return earlier.count <= self.count and all(self._all[i].kind == "uninit" for i in added)

    def latent_after(self, count: int) -> Inputs:
        """The same inputs, latent after the first ``count``."""
        if self.count == count:
            return self
        return Inputs((*self.first(count), *[replace(record, is_latent=True) for record in self.after(count)]))

    def with_one(self, record: InputObject) -> Inputs:
        """A list with one more input."""
        longer = Inputs.__new__(Inputs)
        longer._all = self._all if len(self._all) == self.count else self._all[: self.count]
        longer._all.append(record)
        longer.count = self.count + 1
        return longer

    def but_last(self) -> Inputs:
        shorter = Inputs.__new__(Inputs)
        shorter._all, shorter.count = self._all, self.count - 1
        return shorter

    def describe(self, type_name: str) -> None:
        """Set the C type of the latest input, in all lists that share it: copying one takes long."""
        self._all[self.count - 1] = replace(self.last, type_name=type_name)


def unwritten_symbols(value: Term, inputs: Iterable[InputObject] = ()) -> frozenset[Term]:
    """The symbols of ``value`` that stand for unwritten bytes; other kinds of ``inputs`` do not count."""
    symbols = frozenset(symbol for symbol in value.symbols if symbol.name.startswith(UNWRITTEN))
    if not symbols:
        return symbols
    return symbols.difference(leaf for record in inputs if record.kind != "uninit" for leaf, _ in record.leaves)


def is_unwritten(value: Value) -> bool:
    """Whether a value depends on unwritten bytes: a check may look for that, so it must not be forgotten."""
    return isinstance(value, Term) and bool(unwritten_symbols(value))
