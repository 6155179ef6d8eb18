"""Explores a stretch again with less known of its inputs, to learn a weaker interpolant.

A path that reaches a program point under narrow constraints takes few of the branches there, so its interpolant
requires the same constraints. Without them most points turn out to be safe, too, and inputs need no requirement. A
speculation reports nothing. It leaves out sides that fail or that unfork cannot follow; its interpolant requires
states to go elsewhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable
from time import perf_counter

from unfork.engine.explore.limits import NoBound
from unfork.engine.explore.loop import Exploration, NoJoining, YieldAt
from unfork.engine.explore.search import DepthFirst, WaitingStates
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Failed, Killed, Outcome
from unfork.engine.protocols.stepper import FORKS, YieldPoints
from unfork.engine.state.merge_rules import cases_of
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import Onlooker
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms.term import Term
from unfork.reduce.prune.interpolation.interpolant import Interpolant, InterpolantMismatch, instance
from unfork.reduce.prune.interpolation.interpolating import Learning, measure
from unfork.reduce.prune.interpolation.learn import Interpolants
from unfork.reduce.prune.interpolation.payoff import Payoff
from unfork.world.kernel.contents import name_of
from unfork.world.kernel.kernel_tables import KERNEL

DEEPEST = 40
"""The deepest nesting of speculations."""
LONGEST = 20_000
"""Instructions of one speculation, without nested ones."""
FIRST = 30_000
"""Work of all speculations (reduce/prune/interpolation/payoff.py), beyond as much as the run has done."""
TRIES, OFTEN = 1, 2
"""Speculations at one instruction to try in any case; then one in this many must gain something."""
_ONE_WAITS = (None,)


class Speculation:
    """Explores states again on a ``machine`` of its own. They rest at forks, and may be covered where it ``rests``.

    The machine's ``coverage`` only reads that of the run.
    """

    def __init__(
        self, machine: Machine, coverage: Onlooker, interpolants: Interpolants, rests: Callable[[State], bool]
    ) -> None:
        self._machine = machine
        self._coverage = coverage
        self._interpolants = interpolants
        self._rests = rests
        self._is_over: Callable[[], bool] = lambda: False
        self._run: Learning
        self._depth = 0
        self._left = 0
        """Remaining instructions of the current one."""
        self._spent = 0
        self._payoffs: dict[Hashable, Payoff] = {}
        self._gained: Counter[Hashable] = Counter()
        self._failed: Counter[Hashable] = Counter()

    def serve(self, run: Learning) -> None:
        """Speculate for what the ``run`` learns."""
        self._run = run

    def heed(self, is_over: Callable[[], bool]) -> None:
        """``is_over`` says whether the run is to end."""
        self._is_over = is_over

    def foresees(self, state: State) -> bool:
        """Whether every speculation at the place of ``state``, which is about to be explored, has gained something."""
        code = _code_of(state)
        return bool(state.path.slices) and self._gained[code] > 0 == self._failed[code] and self._may_go_on()

    def again(
        self, node: int, start: State, inputs: Collection[Term], learnt: Interpolant | None = None
    ) -> Interpolant | None:
        """The interpolant at ``start`` (of ``node``) if nothing is known of ``inputs`` and values that depend on
        them.

        None if it requires no less than ``learnt``.
        """
        code, is_first = _code_of(start), not self._depth
        self._coverage.renew()
        # An interpolant with open edges is of no use before the run takes them: try again then.
        settled = self._coverage.settled.count(1) if is_first else -1
        payoff = self._payoffs.setdefault((code, settled), Payoff(TRIES, OFTEN))
        if not payoff.pays or not self._may_go_on():
            return None
        payoff.tried += 1
        state = start.fork()
        state.path, forgotten = _without(start.path, inputs)
        state.pending = ()
        counts = self._interpolants.counts
        counts.speculated += 1
        before, self._left = self._left, LONGEST
        began = perf_counter() - counts.seconds
        self._depth += 1
        try:
            wider = self._explore(node, state) if _has_room(state, forgotten) else None
        finally:
            self._depth -= 1
            self._left = before
            counts.seconds = perf_counter() - began
        if wider is None or not _asks_less(wider, learnt, start, inputs):
            self._failed[code] += 1
            return None
        self._gained[code] += 1
        if is_first and wider.taken:
            return None
        payoff.gained += 1
        counts.widened += 1
        return wider

    def _may_go_on(self) -> bool:
        purse = self._interpolants.purse
        is_affordable = purse.affords and self._spent <= FIRST + purse.earned
        return self._depth < DEEPEST and is_affordable and not self._is_over()

    def _explore(self, node: int, state: State) -> Interpolant | None:
        learning = Learning(self._interpolants, self._rests, _ONE_WAITS, self, stands_for=node)
        learning.trust(self._run.is_reported)
        beginning = learning.expect(0)
        frontier = WaitingStates((DepthFirst(),), random.Random(0))
        graph = ExecutionGraph()
        Exploration(self, YieldAt(FORKS), frontier, NoBound(), learning, NoJoining(), self, graph, (learning,)).run(
            (state,)
        )
        return beginning.learnt

    # --- the machine and the stopper of this exploration

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """As the machine's; a fault that the run has not reported ends the path silently."""
        purse = self._interpolants.purse
        outcomes, work = measure(self._machine, state, yield_points, self._machine.statistics, purse)
        cost = work + (not outcomes)
        purse.spent += cost
        self._spent += cost
        self._left -= cost
        return [self._pass_over(outcome) if isinstance(outcome, Failed) else outcome for outcome in outcomes]

    def _pass_over(self, failed: Failed) -> Outcome:
        if self._run.is_reported(failed.fault):
            return failed
        return Killed(failed.state, "speculation", failed.fault.kind)

    def look(self, frontier: Frontier) -> str | None:
        is_in_vain = not self._interpolants.purse.affords  # nothing would be learnt from it
        return "speculation" if self._left < 0 or is_in_vain or self._is_over() else None


def _without(path: PathCondition, inputs: Collection[Term]) -> tuple[PathCondition, frozenset[Term]]:
    """The path without its conditions on ``inputs`` and dependent values, and the symbols that this frees."""
    kept, forgotten = [], [frozenset(inputs)]
    for part in path.all_slices():
        if part.symbols.isdisjoint(inputs):
            kept.append(part)
        else:
            forgotten.append(part.symbols)
    conditions = [condition for part in kept for condition in part.constraints]
    return PathCondition.EMPTY.extended(conditions, kept), frozenset().union(*forgotten)


def _has_room(state: State, forgotten: frozenset[Term]) -> bool:
    """Whether objects and files have the bytes that their sizes require, for all values of the ``forgotten`` inputs.

    An object of symbolic size has as many bytes as the path allowed at its creation.
    """
    held = state.memory.objects.held
    sizes = [(item.size, item) for item in held.values()]
    if (kernel := state.remembered[KERNEL]) is not None:
        sizes += [
            (inode.size, held[name_of(number)])
            for number, slot in enumerate(kernel.inodes)
            for _, inode in cases_of(slot)
            if inode is not None and name_of(number) in held
        ]
    return not any(
        isinstance(size, Term) and size.high > len(item.data) and not size.symbols.isdisjoint(forgotten)
        for size, item in sizes
    )


def _asks_less(wider: Interpolant, learnt: Interpolant | None, start: State, inputs: Collection[Term]) -> bool:
    """Whether the new interpolant requires nothing of ``inputs``, and holds in ``start``.

    Of other values it must require no more than ``learnt``.
    """
    try:
        conditions, _ = instance(wider, start)
    except InterpolantMismatch:
        return False
    if not all(condition.symbols.isdisjoint(inputs) for condition in conditions):
        return False
    if learnt is None:
        return True
    before, now = set(learnt.conditions), set(wider.conditions)
    return len(now - before) <= len(before - now)


def _code_of(state: State) -> Hashable:
    """The instruction at which a state is, whatever called its function."""
    frame = state.frames[-1]
    return frame.function.name, frame.block, frame.index
