"""Explores states after all that were not explored, or not alone: whatever they reach must be known already.

So must whatever the freest states reach that meet the interpolants behind covers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from unfork.engine.explore.loop import Exploration, NoJoining, NoPruning, YieldAt
from unfork.engine.explore.search import DepthFirst, WaitingStates
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.protocols.events import Ended, Event, Left
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Failed, Halted, Killed
from unfork.engine.protocols.stepper import FORKS, Stepper
from unfork.engine.protocols.stopper import Bound
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import UNINITIALISED, MemoryObject, address_of, object_of
from unfork.engine.state.state import RegisterValue, State, position_of
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown, Unsat
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make, symbol
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.types import IntType
from unfork.reduce.audit.claim import replaced, term_of
from unfork.reduce.audit.prove import AuditCounts, ObligationOutcome
from unfork.reduce.prune.interpolation.learn import LearntCover
from unfork.reduce.prune.interpolation.sources import NEAR, VARIADIC, CellSource, RegisterSource, SizeSource, Source
from unfork.world.inputs.testcase import Error, error_of

MOST = 2_000
"""Bytes of memory to free; the rest stays as it is."""
ANYTHING = "?"
"""Prefix of symbols for unconstrained values."""
WORD = 8
"""Bytes of a pointer."""

Assume = Callable[[PathCondition, Value], PathCondition | Unsat | Unknown]


class Freeing:
    """Makes freest states. ``assume`` is the chain's."""

    def __init__(self, assume: Assume) -> None:
        self._assume = assume
        self._facts = FactsTable()

    def freest(self, state: State, cover: LearntCover) -> State | None:
        """The freest state of the interpolant that covered ``state``, in its shape; None if the solver gives up.

        Pointers keep their objects, at any allowed offset near by. The path of ``state`` stays, for its remaining
        values.
        """
        learnt, names = cover.learnt, cover.names
        freed = state.fork()
        asked = {source: asked_symbol for asked_symbol, source in learnt.sources.items() if _is_free(source)}
        self._registers(freed, asked, names)
        _memory(freed, asked, names)
        kept = {
            asked_symbol: _value_at(source, state, names)
            for asked_symbol, source in learnt.sources.items()
            if source not in asked
        }
        near = [_near(asked_symbol) for source, asked_symbol in asked.items() if source.anchor is not None]
        for condition in (*near, *[replaced(condition, kept) for condition in learnt.conditions]):
            path = self._assume(freed.path, condition)
            if not isinstance(path, PathCondition):
                return None
            freed.path = path
        return freed

    def _registers(self, state: State, asked: Mapping[Source, Term], names: Mapping[int, int]) -> None:
        """Free all numbers in frames, and put the interpolant's symbols where it requires something."""
        state.frames = [frame.copy(state.token) for frame in state.frames]
        for depth, frame in enumerate(state.frames):
            facts = self._facts[frame.function]
            for number, value in enumerate(frame.registers):
                kind = facts.types[number]
                if isinstance(kind, IntType) and isinstance(value, int | Term) and not _is_address(value):
                    frame.registers[number] = symbol(f"{ANYTHING}{depth}.{number}", kind.width)
        for source, asked_symbol in asked.items():
            if isinstance(source, RegisterSource):
                registers = state.frames[source.depth].registers
                registers[source.register] = _with_part(
                    registers[source.register], source.part, _pointing(asked_symbol, source.anchor, names)
                )


def _is_free(source: Source) -> bool:
    """Whether a state may have any value there: sizes and variadic arguments stay."""
    return not isinstance(source, SizeSource) and not (
        isinstance(source, RegisterSource) and source.register == VARIADIC
    )


def _memory(state: State, asked: Mapping[Source, Term], names: Mapping[int, int]) -> None:
    """Free the bytes of the path's own memory, and put the interpolant's symbols where it requires something."""
    left = MOST
    for number, item in sorted(state.memory.objects.held.items()):
        if item.read_only or item.kind == LAZY or item.gone != 0:
            continue
        free = [at for at in range(min(len(item.data), left)) if _is_number(item, at)]
        left -= len(free)
        if free:
            item = state.memory.writable(number)
        for at in free:
            item.write(at, 1, symbol(f"{ANYTHING}{number}[{at}]", 8))
    for source, asked_symbol in asked.items():
        if isinstance(source, CellSource):
            item = state.memory.writable(names.get(source.number, source.number))
            item.write(source.offset, source.size, _pointing(asked_symbol, source.anchor, names))


def _is_number(item: MemoryObject, at: int) -> bool:
    """Whether a byte is written, and not part of a likely address."""
    if item.mask is not None and item.mask[at] == UNINITIALISED:
        return False
    first = at - at % WORD
    if first + WORD > len(item.data) or (item.mask is not None and UNINITIALISED in item.mask[first : first + WORD]):
        return True
    return not _is_address(item.read(first, WORD))


def _is_address(value: Value) -> bool:
    """Whether it looks like an address, or near one."""
    parts = (value,) if isinstance(value, int) else [part.value for part in value.args if part.op == "const"]
    return any(object_of(part) >= 1 for part in parts)


def _pointing(asked_symbol: Term, anchor: int | None, names: Mapping[int, int]) -> Value:
    """A symbol's meaning: a number, or a pointer's offset in its object."""
    return asked_symbol if anchor is None else _plus(asked_symbol, address_of(names.get(anchor, anchor)))


def _plus(value: Term, number: int) -> Term:
    return make("add", 8 * WORD, (value, constant(number & (1 << 8 * WORD) - 1, 8 * WORD)))


def _near(offset: Term) -> Term:
    """Further away it is a pointer by name only, and its failures depend on how it is written."""
    return make("ult", 1, (_plus(offset, NEAR), constant(2 * NEAR, 8 * WORD)))


def _with_part(value: RegisterValue, part: tuple[int, ...], new: Value) -> RegisterValue:
    if not part:
        return new
    assert isinstance(value, tuple)
    first = part[0]
    return (*value[:first], _with_part(value[first], part[1:], new), *value[first + 1 :])


def _value_at(source: Source, state: State, names: Mapping[int, int]) -> Term:
    """The value of ``state`` itself in a source that is not freed."""
    if isinstance(source, RegisterSource):
        value = source.whole(state)
        if source.anchor is not None and value is not None:
            value = _plus(term_of(value, 8 * WORD), -address_of(names.get(source.anchor, source.anchor)))
    else:
        value = state.memory.objects[names.get(source.number, source.number)].size
    assert value is not None
    return term_of(value, source.width)


LEAST = 20
SHARE = 20
"""The fewest states to explore again, and one in this many."""
STEPS = 10_000
"""Steps of the machine for each of them,"""
STEPS_OF_FREEST = 1_000
"""and for the freest state of an interpolant."""


class Loss(Enum):
    """What an unexplored state must not reach alone: errors, or branch edges as well."""

    ERRORS = "errors"
    EDGES = "edges"


class Sample:
    """The first LEAST states offered, and one in SHARE of all later ones."""

    def __init__(self) -> None:
        self._offered = 0
        self.explored = 0
        """How many were explored after all."""
        self.kept: list[tuple[State, Loss, LearntCover | None]] = []

    def offer(self, state: State, loss: Loss, cover: LearntCover | None = None) -> None:
        """An unexplored state, which claims to lose nothing; kept as a copy if sampled.

        ``cover``: it stands for all states that meet the interpolant.
        """
        self._offered += 1
        if len(self.kept) < LEAST or len(self.kept) * SHARE < self._offered:
            kept = state.fork()
            kept.pending = ()
            self.kept.append((kept, loss, cover))


@dataclass(frozen=True, slots=True)
class RunFindings:
    """The errors of a run, and all branch edges that are not open. ``forget`` opens edges again."""

    errors: Collection[Error]
    name_of: Callable[[int], str]
    forget: Callable[[tuple[int, ...]], None]


class _Watch:
    """Observes one exploration. ``edges`` were open, and are taken on paths that the program has."""

    def __init__(self, forget: Callable[[tuple[int, ...]], None]) -> None:
        self._forget = forget
        self.errors: dict[Error, None] = {}
        self.edges: dict[int, None] = {}
        self.is_whole = True

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed(state, fault)):
                self.errors[error_of(fault)] = None
                self.edges.update(dict.fromkeys(state.pending))
            case Ended(Halted(state, "silent", _)):
                self._forget(state.pending)
            case Ended(Halted(state, _, _)):
                self.edges.update(dict.fromkeys(state.pending))
            case Ended(Killed()) | Left():
                self.is_whole = False


class _Stop:
    """Ends an exploration after ``steps``, or at the user's request."""

    def __init__(self, is_over: Callable[[], bool], steps: int) -> None:
        self._is_over = is_over
        self._steps = steps

    def look(self, frontier: Frontier) -> str | None:
        self._steps -= 1
        return "audit" if self._steps < 0 or self._is_over() else None


def explore_again(
    samples: Sequence[Sample],
    stepper: Stepper,
    bound: Bound,
    freeing: Freeing,
    found: RunFindings,
    counts: AuditCounts,
    is_over: Callable[[], bool],
) -> None:
    """Explore the samples depth first, without joins and pruning: whatever is not in ``found`` is a failure.

    Only after a run that explored everything else: otherwise an error may have been about to be found.
    """
    for drawn, (state, loss, cover) in ((sample, kept) for sample in samples for kept in sample.kept):
        position = position_of(state)
        begin = None if is_over() else state if cover is None else freeing.freest(state, cover)
        if begin is None:
            counts.count(ObligationOutcome.UNKNOWN)
            continue
        watch = _Watch(found.forget)
        frontier = WaitingStates([DepthFirst()], random.Random(0))
        stop = _Stop(is_over, STEPS if cover is None else STEPS_OF_FREEST)
        parts = (stepper, YieldAt(FORKS), frontier, bound, NoPruning(), NoJoining(), stop, ExecutionGraph(), [watch])
        Exploration(*parts).run([begin])
        drawn.explored += 1
        missed = [error.words() for error in watch.errors if error not in found.errors]
        if loss is Loss.EDGES:
            missed += [f"branch edge {found.name_of(edge)}" for edge in watch.edges]
        where = "" if cover is None else f" of what was learnt at node {cover.coverer}"
        for what in missed:
            counts.fail(f"{what}, which nothing else finds{where}", position)
        counts.count(
            ObligationOutcome.FAILED
            if missed
            else ObligationOutcome.PROVED
            if watch.is_whole
            else ObligationOutcome.UNKNOWN
        )
