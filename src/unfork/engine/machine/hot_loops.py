"""Which loops are compiled to machine code: those that have taken longer than compiling them will take.

A loop is compiled once interpreting it has cost twice as much as compiling is expected to cost: if nothing comes after
that, half has been added to what was spent; if much comes, little was lost. Where its code turns out to be slower than
the interpreter, it is left alone until the loop has cost several times as much. What the seconds are is measured in the
run. They decide about time alone: native code stops where the interpreter does, with the same effects, so a run is the
same with it and without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter, thread_time

from unfork.engine.machine import native_loops
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.operands import Registers
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.llvm.ir import Call

WENT = -1
"""What code of a region yields where the state says where it is."""
ENTRY = 150
"""Entering native code takes as long as interpreting so many instructions."""
LOOK = 10_000
"""After so many instructions that a head was run for it is asked whether its loops are hot."""
SAMPLE = 63
"""One run in so many, plus one, is timed: not the first, for which more may have to be prepared."""
FEW, COLD = 10, 4
"""Where runs are so short on average, for so many samples, the head is not looked at any more."""
MOST = 3e-7
"""Seconds that an instruction may have taken, on average: what is above that was spent on symbolic values."""
TRIED = 32
"""After so many entries native code is compared with the interpreter."""
BASE = 15
"""Compiling no instruction at all costs as much as compiling so many."""
LARGEST = 5_000
"""Instructions of the largest loop that is compiled."""
PATIENCE = 4
"""By so much a loop must have cost more than before, each time that its code was too slow."""


@dataclass(slots=True)
class Costs:
    """Seconds that things have taken in this process so far, from a first guess on.

    ``spent`` seconds went into compiling ``compiled`` instructions, and ``timed`` into interpreting ``sampled``.
    """

    spent: float = 0.02
    compiled: int = 60
    timed: float = 0.0005
    sampled: int = 10_000
    native: int = 0
    """Instructions that native code has run."""
    is_on: bool = True
    """Whether anything is compiled."""
    problem: str | None = None
    """Why nothing can be."""

    def of_compiling(self, size: int) -> float:
        """What compiling so many instructions will take."""
        return self.spent * (size + BASE) / self.compiled

    def of_interpreting(self, instructions: int) -> float:
        """What interpreting so many instructions takes."""
        return self.timed * instructions / self.sampled


@dataclass(slots=True, eq=False)
class HotLoop:
    """A loop with what it has cost since it was judged: ``heat``, ``entries`` of its code, and what these have done."""

    head: int
    blocks: frozenset[int]
    size: int
    heat: float = 0.0
    limit: float = 2.0
    """How many times the cost of compiling it must have cost."""
    code: native_loops.NativeLoop | None = None
    entries: int = 0
    seconds: float = 0.0
    cut_short: float = 0.0
    """The seconds of entries that ended before the budget did."""
    instructions: int = 0


@dataclass(slots=True, eq=False)
class Head:
    """A block where loops begin: ``ran`` instructions since its loops were looked at, ``active`` is the native one."""

    loops: HotLoops
    block: int
    ran: int = 0
    won: int = 0
    """Those of them that native code would save: an entry costs as much as some."""
    runs: int = 0
    lately: int = 0
    """Instructions since the last sample."""
    cold: int = 0
    """How many samples in a row came after few."""
    called: tuple[int, int] = (0, 0)
    """The end of the step in which the loop was left for a call, and the depth of its frame."""
    at: int = 0
    native: int = 0
    """How many instructions had run then, of the state and of all native code."""
    active: HotLoop | None = None

    def run(
        self,
        interpret: Callable[[Step, State, Frame, Registers, int], int],
        step: Step,
        frame: Frame,
        budget: int,
        end: int,
    ) -> int:
        """Run the loop from here: as native code, until the state has run ``end`` instructions at most, and then it is
        the state that says where it is (WENT); or else as ``interpret`` does with its ``budget``."""
        state, registers, costs = step.state, frame.registers, self.loops.costs
        before = state.instructions
        if self.called == (end, len(state.frames)):
            called = max(before - self.at - costs.native + self.native, 0)
            self.ran += called
            self.won += called
            self.lately += called
        if self.active is not None and self._enter(self.active, step, frame, registers, end):
            return WENT
        self.runs += 1
        began = 0.0
        if self.runs & SAMPLE == SAMPLE:
            self._sleep_if_cold()
            began = perf_counter()
        where = interpret(step, state, frame, registers, budget)
        done = state.instructions - before
        if began:
            costs.timed += min(perf_counter() - began, MOST * (done + 10))
            costs.sampled += done
        self.ran += done
        self.lately += done
        self.won += max(done - ENTRY, 0)
        if self.ran >= LOOK:
            self.loops.heat(self.block, costs.of_interpreting(self.won), costs.of_interpreting(self.ran))
            self.ran = self.won = 0
        if where == WENT:  # to a function, say: what that runs is run for the loop
            self.called, self.at, self.native = (end, len(step.state.frames) - 1), before + done, costs.native
        return where

    def _sleep_if_cold(self) -> None:
        """Count no more where runs are short time and again: to count costs a third of the time of such a run."""
        self.cold = self.cold + 1 if self.lately < SAMPLE * FEW and self.active is None else 0
        self.lately = 0
        if self.cold == COLD:
            del self.loops.heads[self.block]

    def _enter(self, loop: HotLoop, step: Step, frame: Frame, registers: Registers, end: int) -> bool:
        assert loop.code is not None
        state = step.state
        before, began = state.instructions, perf_counter()
        has_run = loop.code.run(step, frame, registers, end - before)
        seconds = perf_counter() - began
        loop.entries += 1
        loop.seconds += seconds
        loop.instructions += state.instructions - before
        self.loops.costs.native += state.instructions - before
        if state.instructions < end:
            loop.cut_short += seconds
        if loop.entries >= TRIED:
            self.loops.judge(self.block, loop)
        return has_run


@dataclass(eq=False)
class HotLoops:
    """The loops of one function's code that ends at some stops; ``heads`` are those blocks that have run often.

    ``resting`` are blocks in which code ends. Their loops are left to the interpreter. ``callee`` is the code
    of a function that may be called natively.
    """

    facts: FunctionFacts
    statics: Statics
    coverage: BranchCoverage
    costs: Costs
    resting: frozenset[int]
    callee: Callable[[Call], FunctionFacts | None]
    heads: dict[int, Head] = field(default_factory=dict)

    def watch(self, block: int) -> None:
        """From now on count what runs from this block, if loops begin there."""
        if block in self.facts.flow.loop_heads and block not in self.heads and self.costs.is_on:
            head = self.heads[block] = Head(self, block)
            head.active = next((loop for loop in reversed(self._around(block)) if self._is_active(loop)), None)

    @cached_property
    def _loops(self) -> dict[int, HotLoop]:
        bodies = self.facts.function.blocks
        loops = {}
        for head, blocks in self.facts.flow.loops.items():
            size = sum(len(bodies[block].body) for block in blocks)
            if size <= LARGEST and not blocks & self.resting:
                loops[head] = HotLoop(head, blocks, size)
        return loops

    def _around(self, block: int) -> list[HotLoop]:
        """The loops around a block that may be compiled, the innermost first."""
        return [self._loops[head] for head in reversed(self.facts.nest.around[block]) if head in self._loops]

    def _is_active(self, loop: HotLoop) -> bool:
        return any(head.active is loop for head in self.heads.values())

    def heat(self, block: int, own: float, others: float, inside: HotLoop | None = None) -> None:
        """Loops around ``block``, or ``inside`` one, cost ``others`` seconds; the one that begins there ``own``."""
        around = self._around(block)
        if inside is not None:
            around = around[around.index(inside) + 1 :]
        for loop in around:
            loop.heat += own if loop.head == block else others
        for loop in around:
            if loop.heat >= loop.limit * self.costs.of_compiling(loop.size) and not self._is_active(loop):
                self._compile(loop)
                for other in around:
                    other.heat = 0.0  # what it has cost says nothing about what it will
                return

    def judge(self, block: int, loop: HotLoop) -> None:
        """Compare what native code has cost with what interpreting would have; the loops around may be better."""
        is_slower = loop.seconds > self.costs.of_interpreting(loop.instructions)
        cut_short = loop.cut_short
        loop.entries = loop.instructions = 0
        loop.seconds = loop.cut_short = 0.0
        if not is_slower:
            self.heat(block, cut_short, cut_short, loop)
            return
        loop.heat = 0.0
        loop.limit *= PATIENCE
        for head in self.heads.values():
            if head.active is loop:
                head.active = None

    def _compile(self, loop: HotLoop) -> None:
        """From now on the heads of a loop enter its code."""
        flow = self.facts.flow
        heads = (loop.head, *sorted(flow.loop_heads & loop.blocks - {loop.head}))
        if loop.code is None:
            began = thread_time()
            try:
                loop.code = native_loops.compiled(
                    self.facts, self.statics, self.coverage, loop.blocks, heads, self.callee
                )
            except native_loops.NoMachineCode as error:
                self.costs.is_on, self.costs.problem = False, str(error)
                self.heads.clear()
                return
            self.costs.spent += thread_time() - began
            self.costs.compiled += loop.size + BASE
            if loop.code is None:
                del self._loops[loop.head]
                return
        for number in heads:
            self.heads.setdefault(number, Head(self, number)).active = loop
