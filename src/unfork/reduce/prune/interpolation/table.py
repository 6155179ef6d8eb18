"""The interpolants of one program point, indexed by the numbers that they require."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from unfork.engine.state.memory import offset_in
from unfork.engine.state.state import RegisterValue, State
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term
from unfork.reduce.prune.interpolation.interpolant import Interpolant, InterpolantMismatch, read
from unfork.reduce.prune.interpolation.payoff import Payoff
from unfork.reduce.prune.interpolation.sources import (
    CellSource,
    RegisterSource,
    Source,
    base_object,
    is_static,
    is_written,
    offset_term,
)

MOST = 64
"""Interpolants of one program point that require the same numbers; the oldest goes first."""
MOST_OF_ALL = 4_096
"""Interpolants of one program point in all."""
NEIGHBOURS = 8
"""The latest others to compare with a new one."""

FAILED = 1_000
"""States that may be looked at in vain at one point,"""
FAILED_PER_HIT = 100
"""plus this many for each state covered there; after that the point is given up."""

NumberSource = RegisterSource | CellSource
Asked = tuple[NumberSource, ...]
Number = Callable[[NumberSource], int | None]
"""A state's value in a source; None if it is not a plain number."""


@dataclass(frozen=True, slots=True, eq=False)
class LearntEntry:
    """What was learnt of the subtree that began at node ``node`` of the execution graph."""

    node: int
    interpolant: Interpolant
    witness: Model
    """Values of the interpolant's symbols, and others, in a state that meets it."""
    owed: tuple[Payoff, ...] = ()
    """The payoffs to credit for a cover by it."""


Implies = Callable[[Sequence[Term], Term], bool]
"""Whether conditions imply another one."""


@dataclass(slots=True)
class Shelf:
    """The entries of one program point, by the registers and globals that must have certain numbers, then by these."""

    by_sources: dict[Asked, dict[tuple[int, ...], list[LearntEntry]]] = field(default_factory=dict)
    entries: dict[LearntEntry, tuple[Asked, tuple[int, ...]]] = field(default_factory=dict)
    """All entries, the oldest first, with their keys."""
    failed: int = 0
    hits: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether this point is given up."""
        return self.failed >= FAILED + FAILED_PER_HIT * self.hits

    def add(self, entry: LearntEntry, implies: Implies) -> list[LearntEntry]:
        """Add an entry. Returns those that go for it: stronger ones, and the oldest if there are too many."""
        asked = _required_numbers(entry.interpolant)
        sources, numbers = tuple(asked), tuple(asked.values())
        gone = [earlier for earlier in self._latest() if is_weaker(entry.interpolant, earlier, implies)]
        alike = self.by_sources.get(sources, {}).get(numbers, [])
        if not gone and len(alike) >= MOST:
            gone.append(alike[0])
        elif not gone and len(self.entries) >= MOST_OF_ALL:
            gone.append(next(iter(self.entries)))
        for earlier in gone:
            its_sources, its_numbers = self.entries.pop(earlier)
            self.by_sources[its_sources][its_numbers].remove(earlier)
        self.entries[entry] = sources, numbers
        if sources not in self.by_sources:
            self.by_sources[sources] = {}
            self.by_sources = dict(sorted(self.by_sources.items(), key=lambda item: len(item[0])))
        self.by_sources[sources].setdefault(numbers, []).append(entry)
        return gone

    def _latest(self) -> list[LearntEntry]:
        return list(islice(reversed(self.entries), NEIGHBOURS))

    def candidates(self, number: Number) -> Iterator[LearntEntry]:
        """The entries whose numbers a state has, or may have; those with few requirements, and the latest, first."""
        known: dict[NumberSource, int | None] = {}
        for sources, by_numbers in self.by_sources.items():
            for source in sources:
                if source not in known:
                    known[source] = number(source)
            numbers = tuple([known[source] for source in sources])
            if None not in numbers:
                yield from reversed(by_numbers.get(numbers, ()))  # type: ignore[arg-type]  # no None in it
                continue
            for asked, entries in by_numbers.items():
                if all(number is None or number == wanted for number, wanted in zip(numbers, asked, strict=True)):
                    yield from reversed(entries)


def is_weaker(weaker: Interpolant, entry: LearntEntry, implies: Implies) -> bool:
    """Whether every state that meets the entry's interpolant certainly meets ``weaker``."""
    stronger, witness = entry.interpolant, entry.witness
    if (
        not weaker.shapes.keys() <= stronger.shapes.keys()
        or not set(weaker.anchors) <= set(stronger.anchors)
        or not weaker.absent <= stronger.absent
        or weaker.heap_count not in (None, stronger.heap_count)
        or weaker.fixed != stronger.fixed
        or not weaker.taken <= stronger.taken
        or not weaker.written <= stronger.written
    ):
        return False
    known = set(stronger.conditions)
    unknown = [condition for condition in weaker.conditions if condition not in known]
    for condition in unknown:
        if any(symbol not in witness.values for symbol in condition.symbols) or not evaluate(condition, witness):
            return False
    return all(implies(stronger.conditions, condition) for condition in unknown)


def _required_numbers(interpolant: Interpolant) -> dict[NumberSource, int]:
    """The registers, and parts of globals, that must have a certain number (pointers in registers: an offset)."""
    numbers: dict[NumberSource, int] = {}
    for condition in interpolant.conditions:
        if condition.op != "eq":
            continue
        for one, other in (condition.args, condition.args[::-1]):
            if one.op == "symbol" and other.op == "const":
                source = interpolant.sources[one]
                if isinstance(source, RegisterSource) or (
                    isinstance(source, CellSource) and source.anchor is None and is_static(source.number)
                ):
                    numbers[source] = other.value
    return dict(sorted(numbers.items(), key=_order))


def _order(item: tuple[NumberSource, int]) -> tuple[int, ...]:
    one = item[0]
    if isinstance(one, RegisterSource):
        return 0, one.depth, one.register, *one.part
    return 1, one.number, one.offset, one.size


def number_in(state: State, source: NumberSource) -> int | None:
    """The Number of a state."""
    if isinstance(source, RegisterSource):
        return number_at(source, source.read(state))
    item = state.memory.objects.get(source.number)
    if item is None or not is_written(item, source.offset, source.size):
        return None
    return number_at(source, item.read(source.offset, source.size))


def number_at(source: NumberSource, value: RegisterValue) -> int | None:
    """The part of a value that counts: the offset of a pointer."""
    if not isinstance(value, int):
        return None
    return value if source.anchor is None else offset_in(value) & (1 << 64) - 1


_SAME: dict[int, int] = {}


class View:
    """A state's values, with objects under their own names, in its path's model."""

    __slots__ = ("_bases", "_inputs", "_known", "_met", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._inputs = state.path.model()
        self._known = Model({})
        self._met: dict[Term, int] = {}
        self._bases: dict[Source, int | None] = {}

    def refutes(self, interpolant: Interpolant) -> bool:
        """Whether the state's model shows that it does not meet the interpolant."""
        bases = self._bases
        for source in interpolant.anchors:
            if source not in bases:
                try:
                    bases[source] = base_object(read(source, self.state, _SAME))
                except InterpolantMismatch:
                    bases[source] = None
            if bases[source] is None:
                return True
            if bases[source] != source.anchor:
                return False  # perhaps under other names
        known, sources, met = self._known, interpolant.sources, self._met
        for condition in interpolant.conditions:
            if condition in met:
                if not met[condition]:
                    return True
                continue
            for symbol in condition.symbols:
                if symbol not in known.values and not self._look(symbol, sources[symbol]):
                    return True
            met[condition] = evaluate(condition, known)
            if not met[condition]:
                return True
        return False

    def _look(self, symbol: Term, source: Source) -> bool:
        try:
            value = read(source, self.state, _SAME)
        except InterpolantMismatch:
            return False
        if source.anchor is not None:
            value = offset_term(value, source.anchor)
        self._known.values[symbol] = evaluate(value, self._inputs)
        return True
