"""From a finished stretch to its interpolant, and from a state to one that covers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from time import perf_counter

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Halted
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.engine.state.memory import FIRST_HEAP, FIRST_STACK
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import Onlooker
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Solver, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate, substitution
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.interpolation.beyond import CANDIDATES, LONGEST, Beyond, UntakenPath, open_turns
from unfork.reduce.prune.interpolation.general import CannotGeneralise
from unfork.reduce.prune.interpolation.interpolant import (
    Interpolant,
    InterpolantMismatch,
    instance,
    renamed,
    takes_a_side,
)
from unfork.reduce.prune.interpolation.payoff import AGAIN, QUERY, Payoff, Purse
from unfork.reduce.prune.interpolation.retrace import RetraceGoal, Retracer, Trace
from unfork.reduce.prune.interpolation.sources import Source, look_into_addresses
from unfork.reduce.prune.interpolation.strengthen import Holds, Sources, Strengthening
from unfork.reduce.prune.interpolation.table import LearntEntry, Shelf, View, number_in
from unfork.reduce.prune.interpolation.weakest import (
    Path,
    Precondition,
    combine,
    distinct_generals,
    interpolant,
    precondition,
    without_inputs,
)

ELSEWHERE = -1
"""In place of a node of the execution graph: learnt in another process."""
IDLE = "too many failed checks at the place"
COSTLY = "more work than it saves"
MIDDLES = 10
"""States per program point, reached without a fork, to learn from before that must pay."""
ALL_MIDDLES = 100
"""The same for all points together."""
MOST_PATHS = 64
"""Paths of one stretch to learn from together."""


@dataclass(frozen=True, slots=True)
class LearntCover:
    """Why a state was not explored: it meets what was learnt at ``coverer``, whose objects have other ``names``
    here.

    ``path`` is the state's; ``implied`` are the conditions of the interpolant over its symbols. ``interpolant`` has
    the names of objects here, ``learnt`` those where it was learnt.
    """

    coverer: int
    learnt: Interpolant
    interpolant: Interpolant
    names: dict[int, int]
    path: PathCondition
    implied: tuple[Term, ...]

    def __str__(self) -> str:
        if self.coverer == ELSEWHERE:
            return "does nothing that was not explored in another process"
        return f"does nothing that was not explored from state {self.coverer} on"


@dataclass(frozen=True, slots=True)
class StretchEnd:
    """The end of a path of a stretch. ``after`` is what was learnt there, or how the path ended."""

    state: State
    after: Interpolant | Halted | Failed


@dataclass(slots=True)
class Stretch:
    """A finished stretch, followed from its general beginning: the decisions of its paths, the requirements at their
    ends.
    """

    traces: list[Trace] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    anchors: dict[Source, None] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    """Open edges."""
    sides: list[Term] = field(default_factory=list)
    turns: list[Term] = field(default_factory=list)
    written: set[Term] = field(default_factory=set)
    is_numeric: bool = False
    """Whether objects count with their names: their addresses are known as numbers."""

    def add(self, trace: Trace, path: Path, asked: Precondition) -> None:
        """Add a path, with the requirements at its end (``asked``)."""
        self.traces.append(trace)
        self.paths.append(path)
        self.anchors.update(asked.anchors)
        self.written.update(asked.written, trace.general.written)
        self.absent.update(trace.general.absent)
        self.taken.update(asked.taken, trace.general.state.pending)

    def values(self) -> dict[Term, Value]:
        """The values of the general beginning's symbols."""
        return {symbol: value for general in distinct_generals(self.traces) for symbol, value in general.values.items()}


Again = Callable[[int, State, Collection[Term], Interpolant], Interpolant | None]
"""Explores (node, state) again without knowledge of some inputs: a weaker interpolant, if any."""


class Interpolants:
    """All interpolants, by program point."""

    def __init__(
        self,
        machine: Machine,
        coverage: Onlooker,
        chain: Chain,
        rests: Callable[[State], bool],
        sources: Sources,
        quick: Solver,
        purse: Purse,
    ) -> None:
        self._chain = chain
        self._holding = Chain(quick)
        self._strengthening = Strengthening(sources, quick)
        self._retracer = Retracer(machine, coverage, LiveRegisters(machine.facts, as_it_is), rests)
        self._beyond = Beyond(self._retracer, self._candidates)
        self._asked = 0
        """Queries whose cost is counted."""
        self._table: dict[Hashable, Shelf] = {}
        self._beyonds = Payoff(100 if sources.weakest else 0, 2 if sources.weakest else 0)
        self._fresh: list[tuple[Hashable, LearntEntry]] = []
        """Interpolants that are not yet shared."""
        self.heard = 0
        """How many came from other processes."""
        self._middles: dict[Hashable, Payoff] = {}
        """By program point, states that rest there without a fork since: untaken sides may lead there."""
        self._all_middles = Payoff(ALL_MIDDLES, 4)
        self.counts = PruneCounts()
        self.purse = purse

    def middle(self, state: State) -> tuple[Payoff, ...]:
        """The payoffs to credit if ``state``, which rests without a fork, is covered; empty: don't learn here."""
        payoff = self._middles.setdefault(point_of(state), Payoff(MIDDLES, 2))
        if not (self._beyonds.pays and self._all_middles.pays and payoff.pays):
            return ()
        for credited in (payoff, self._all_middles):
            credited.tried += 1
        return payoff, self._all_middles

    def forget(self) -> None:
        """Drop everything, when memory is short."""
        self._table.clear()
        self._fresh = []
        self.counts.size = 0

    def cover(self, state: State, *, is_real: bool = True) -> LearntCover | None:
        """The interpolant by which ``state`` does nothing new.

        A state that is not real may be the first to take edges.
        """
        shelf = self._table.get(point_of(state))
        if shelf is None:
            return None
        counts = self.counts
        if shelf.is_idle:
            counts.refused[IDLE] += 1
            return None
        if not self.purse.affords:
            counts.refused[COSTLY] += 1
            return None
        start = perf_counter()
        counts.checks += is_real
        try:
            view = View(state)
            for entry in shelf.candidates(partial(number_in, state)):
                counts.compared += 1
                self.purse.spent += entry.interpolant.size
                if is_real and entry.interpolant.taken and not self._retracer.are_covered(entry.interpolant.taken):
                    counts.refused["edges"] += 1
                    continue
                if view.refutes(entry.interpolant):
                    counts.refused["values"] += 1
                    continue
                met = self._meets(entry.interpolant, state)
                if met is not None:
                    counts.hits += is_real
                    shelf.hits += is_real
                    self.purse.saved += entry.interpolant.work if is_real else 0
                    conditions, names = met
                    if is_real:
                        for payoff in entry.owed:
                            payoff.gained += 1
                        self._beyonds.gained += takes_a_side(entry.interpolant, state, names)
                    learnt = entry.interpolant
                    return LearntCover(entry.node, learnt, renamed(learnt, names), names, state.path, conditions)
            shelf.failed += is_real
            return None
        finally:
            counts.seconds += perf_counter() - start

    def _meets(self, interpolant: Interpolant, state: State) -> tuple[tuple[Term, ...], dict[int, int]] | None:
        """The interpolant's requirements on ``state``, and the matched objects, if the path implies them."""
        try:
            conditions, names = instance(interpolant, state)
        except InterpolantMismatch as mismatch:
            self.counts.refused[str(mismatch)] += 1
            return None
        for condition in conditions:
            if not self._chain.must(state.path, condition):
                self.counts.refused["values"] += 1
                return None
        return tuple(conditions), names

    def learn(
        self,
        node: int,
        start: State,
        ends: Sequence[StretchEnd],
        owed: Sequence[Payoff],
        work: int,
        again: Again,
        *,
        is_real: bool = True,
    ) -> Interpolant | None:
        """Learn and store the interpolant of a stretch; None, with the reason counted, if there is none.

        Its covers are credited to ``owed``, and each saves ``work``. If the path to ``start`` ruled out some sides,
        ``again`` may explore ``start`` without the path's conditions on the inputs that did.
        """
        if not self.purse.affords:
            self.counts.unlearnt[COSTLY] += is_real
            return None
        began = perf_counter()
        try:
            stretch = self._follow(start, ends, is_real)
            values = stretch.values()
            learnt, witness = self._interpolant(start, stretch, values)
            learnt = replace(learnt, work=work)
            if narrow := self._narrow(start, stretch, values):
                self.counts.seconds += perf_counter() - began
                wider = again(node, start, narrow, learnt)
                began = perf_counter()
                if wider is not None:
                    return wider
        except CannotGeneralise as reason:
            if is_real:
                self.counts.unlearnt[str(reason)] += 1
            return None
        finally:
            self.counts.seconds += perf_counter() - began
            self.purse.spent += self._cost()
        entry = LearntEntry(node, learnt, witness, tuple(owed))
        self._fresh.append((point_of(start), entry))
        self._keep(point_of(start), entry)
        self.counts.stored += 1
        return learnt

    def _keep(self, point: Hashable, entry: LearntEntry) -> None:
        gone = self._table.setdefault(point, Shelf()).add(entry, self._strengthening.implies)
        self.counts.size += entry.interpolant.size - sum(earlier.interpolant.size for earlier in gone)

    def news(self) -> list[tuple[Hashable, LearntEntry]]:
        """What was learnt here since the last call, and where; without interpolants replaced by weaker ones."""
        fresh, self._fresh = self._fresh, []
        return [
            (point, entry) for point, entry in fresh if point in self._table and entry in self._table[point].entries
        ]

    def hear(self, point: Hashable, entry: LearntEntry) -> None:
        """Add what another process learnt."""
        self.heard += 1
        self._keep(point, entry)

    def _cost(self) -> int:
        """The cost of learning since the last call."""
        queries = self._chain.statistics.queries + self._holding.statistics.queries
        asked, self._asked = queries - self._asked, queries
        return AGAIN * self._retracer.work() + QUERY * asked

    def _candidates(self, state: State) -> list[Interpolant]:
        """The interpolants at the place of a general state."""
        shelf = self._table.get(point_of(state))
        if shelf is None:
            return []
        candidates = shelf.candidates(self._retracer.number)
        return [entry.interpolant for entry in islice(candidates, CANDIDATES)]

    def _follow(self, start: State, ends: Sequence[StretchEnd], is_real: bool) -> Stretch:
        """The paths from ``start`` to its ends, and beyond untaken sides."""
        if not ends:
            raise CannotGeneralise("nothing came of it")
        if len(ends) > MOST_PATHS:
            raise CannotGeneralise("many paths")
        stretch = Stretch(is_numeric=start.memory.is_narrow)
        goals = [
            RetraceGoal(end.state, end.state.path.model(), None if isinstance(end.after, Interpolant) else end.after)
            for end in ends
        ]
        for end, trace in zip(ends, self._retracer.traces(start, goals), strict=True):
            stretch.is_numeric |= trace.uses_addresses
            asked = Precondition((), {})
            if isinstance(end.after, Interpolant):
                asked = precondition(trace, end.after, self._retracer.step, self._retracer.oracle)
                stretch.is_numeric |= end.after.heap_count is not None
                stretch.absent |= end.after.absent
            stretch.sides += asked.sides
            known = [choice.condition for choice in trace.choices]
            left = without_inputs(asked.conditions, known, self._is_valid)
            stretch.is_numeric |= look_into_addresses((*[choice.term for choice in trace.choices], *left))
            stretch.add(trace, Path(trace.choices, tuple(left)), asked)
        for other in self._others(start, ends, stretch.paths, is_real):
            looks = other.trace.uses_addresses or look_into_addresses(other.terms)
            if looks and not stretch.is_numeric:
                continue
            stretch.add(other.trace, other.path, other.asked)
            if isinstance(other.turn, Term):
                stretch.turns.append(other.turn)
        return stretch

    @staticmethod
    def _narrow(start: State, stretch: Stretch, values: Mapping[Term, Value]) -> set[Term]:
        """The inputs by which the path to ``start`` decided a branch with one feasible side."""
        terms = list(open_turns(stretch.paths))
        known = start.path.slices
        if not terms or not known:
            return set()
        symbols = {symbol for term in terms for symbol in term.symbols}
        inputs = [values.get(symbol, symbol) for symbol in symbols]
        return {symbol for value in inputs if isinstance(value, Term) for symbol in value.symbols if symbol in known}

    def _interpolant(self, start: State, stretch: Stretch, values: Mapping[Term, Value]) -> tuple[Interpolant, Model]:
        holds = self._holds(start, values)
        together = combine(stretch.paths, holds)
        kept = without_inputs(together, (), self._is_valid)
        missing = [number for number in stretch.absent if _was_there(number, start)]
        learnt = interpolant(
            stretch.traces,
            kept,
            stretch.anchors,
            missing,
            start.heap_count if stretch.is_numeric else None,
            partial(self._strengthening.of, values=values, holds=holds),
            (*stretch.turns, *stretch.sides),
            frozenset(stretch.written),
        )
        learnt = replace(learnt, taken=self._retracer.still_open(stretch.taken))
        inputs = start.path.model()
        witness = {symbol: evaluate(values[symbol], inputs) for symbol in learnt.sources}
        return learnt, Model(witness)

    def _others(
        self, start: State, ends: Sequence[StretchEnd], paths: Sequence[Path], is_real: bool
    ) -> list[UntakenPath]:
        """Untaken sides beyond which an interpolant is known, as long as the search pays."""
        longest = max(end.state.instructions for end in ends) - start.instructions
        if not self._beyonds.pays or longest > LONGEST:
            return []
        sides = self._beyond.of(start, paths, ends[0].state.path.model())
        self._beyonds.tried += is_real and len(sides) > 0
        for side in sides:
            middle = self._middles.get(point_of(side.trace.general.state))
            if middle is not None and middle.tried:
                middle.gained += 1
                self._all_middles.gained += 1
        return sides

    def _holds(self, start: State, values: Mapping[Term, Value]) -> Holds:
        """A cheap test of whether a condition holds at ``start``."""
        met: dict[Term, bool] = {}
        replaced = substitution(values)

        def holds(condition: Value) -> bool:
            if not isinstance(condition, Term):
                return condition != 0
            answer = met.get(condition)
            if answer is None:
                answer = met[condition] = self._holding.must(start.path, replaced(condition))
            return answer

        return holds

    def _is_valid(self, known: Sequence[Value], condition: Term) -> bool:
        """Whether ``known`` imply ``condition``."""
        negation = build.negate(condition)
        answer = self._chain.solver.check(
            [term for term in (*known, negation) if isinstance(term, Term)], self._chain.timeout
        )
        return isinstance(answer, Unsat)


def _was_there(number: int, start: State) -> bool:
    """Whether an object that is gone later may have been gone at ``start``: not if it was made later, or existed."""
    if FIRST_HEAP <= number < FIRST_STACK:
        return number < FIRST_HEAP + start.heap_count and number not in start.memory.objects
    return number not in start.memory.objects


def point_of(state: State) -> Hashable:
    """The place of a state: its whole stack except values."""
    return tuple(
        [(frame.function.name, frame.block, frame.index, frame.stack_bytes, _scopes(frame)) for frame in state.frames]
    )


def _scopes(frame: Frame) -> tuple[int, ...]:
    """The number of a frame's locals, and which of them are out of scope."""
    ended = frame.ended or ()
    return (len(frame.locals), *[i for i, number in enumerate(frame.locals) if number in ended])
