"""The interpolants of one place, found by the numbers that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.term import Term, Value
from unfork.prune.interpolation.interpolant import Interpolant
from unfork.prune.interpolation.payoff import Payoff
from unfork.prune.interpolation.sources import RegisterSource
from unfork.state.memory import offset_in
from unfork.state.state import State

MOST = 64
"""Interpolants of one place that ask for the same numbers; the oldest goes first."""
MOST_OF_ALL = 4_096
"""Interpolants of one place, whatever they ask for."""
NEIGHBOURS = 8
"""So many of the others, the latest, are compared with one that comes."""

FAILED = 1_000
"""So many states may be looked at in vain at one place, and"""
FAILED_PER_HIT = 100
"""so many more for each one that is covered there; then nothing is looked for there any more."""

Asked = tuple[RegisterSource, ...]
Worth = Callable[[Value], Value]


def _itself(value: Value) -> Value:
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What was learnt of the subtree that began at node ``node`` of the execution graph."""

    node: int
    interpolant: Interpolant
    witness: Model
    """What the symbols of the interpolant, and others, are worth in a state that meets it."""
    owed: tuple[Payoff, ...] = ()
    """What a cover by it is to the credit of."""


Implies = Callable[[Sequence[Term], Term], bool]
"""Whether conditions imply another one, whatever else holds."""


@dataclass(slots=True)
class Shelf:
    """The entries of one place: by the registers that must hold a certain number, then by these numbers."""

    by_registers: dict[Asked, dict[tuple[int, ...], list[Entry]]] = field(default_factory=dict)
    entries: dict[Entry, tuple[Asked, tuple[int, ...]]] = field(default_factory=dict)
    """All of them, the oldest first, and where they are."""
    failed: int = 0
    hits: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether so many states were looked at in vain that no more are."""
        return self.failed >= FAILED + FAILED_PER_HIT * self.hits

    def add(self, entry: Entry, implies: Implies) -> list[Entry]:
        """Put an entry in; those that go for it: stronger ones, and the oldest where there are too many."""
        asked = _asked(entry.interpolant)
        place = tuple(asked), tuple(asked.values())
        gone = [one for one in self._latest() if is_weaker(entry.interpolant, one, implies)]
        alike = self.by_registers.get(place[0], {}).get(place[1], [])
        if not gone and len(alike) >= MOST:
            gone.append(alike[0])
        elif not gone and len(self.entries) >= MOST_OF_ALL:
            gone.append(next(iter(self.entries)))
        for one in gone:
            registers, numbers = self.entries.pop(one)
            self.by_registers[registers][numbers].remove(one)
        self.entries[entry] = place
        if place[0] not in self.by_registers:
            self.by_registers[place[0]] = {}
            self.by_registers = dict(sorted(self.by_registers.items(), key=lambda item: len(item[0])))
        self.by_registers[place[0]].setdefault(place[1], []).append(entry)
        return gone

    def _latest(self) -> list[Entry]:
        return list(islice(reversed(self.entries), NEIGHBOURS))

    def candidates(self, state: State, worth: Worth = _itself) -> Iterator[Entry]:
        """The entries whose numbers ``state`` has, or may have; those that ask for few, and the latest, first.

        ``worth`` says which number a value is to count as.
        """
        for registers, by_numbers in self.by_registers.items():
            numbers = tuple([_number(one, state, worth) for one in registers])
            if None not in numbers:
                yield from reversed(by_numbers.get(numbers, ()))  # type: ignore[arg-type]  # no None in it
                continue
            for asked, entries in by_numbers.items():
                if all(number is None or number == one for number, one in zip(numbers, asked, strict=True)):
                    yield from reversed(entries)


def is_weaker(weaker: Interpolant, entry: Entry, implies: Implies) -> bool:
    """Whether every state that meets the entry's interpolant surely meets ``weaker``."""
    stronger, witness = entry.interpolant, entry.witness
    if (
        not weaker.shapes.keys() <= stronger.shapes.keys()
        or not set(weaker.anchors) <= set(stronger.anchors)
        or not weaker.absent <= stronger.absent
        or weaker.heap_count not in (None, stronger.heap_count)
        or weaker.fixed != stronger.fixed
    ):
        return False
    known = set(stronger.conditions)
    unknown = [condition for condition in weaker.conditions if condition not in known]
    for condition in unknown:
        if any(one not in witness.values for one in condition.symbols) or not evaluate(condition, witness):
            return False
    return all(implies(stronger.conditions, condition) for condition in unknown)


def _asked(interpolant: Interpolant) -> dict[RegisterSource, int]:
    """The registers that must hold a certain number (pointers: be at a certain offset)."""
    found = {}
    for condition in interpolant.conditions:
        if condition.op != "eq":
            continue
        for one, other in (condition.args, condition.args[::-1]):
            if one.op == "symbol" and other.op == "const":
                source = interpolant.sources[one]
                if isinstance(source, RegisterSource):
                    found[source] = other.value
    return dict(sorted(found.items(), key=_place))


def _place(item: tuple[RegisterSource, int]) -> tuple[int, int, tuple[int, ...]]:
    return item[0].depth, item[0].register, item[0].part


def _number(source: RegisterSource, state: State, worth: Worth) -> int | None:
    """What ``state`` has there; None if that is not a plain number."""
    value = source.read(state)
    if isinstance(value, Term):
        value = worth(value)
    if not isinstance(value, int):
        return None
    return value if source.anchor is None else offset_in(value) & (1 << 64) - 1
