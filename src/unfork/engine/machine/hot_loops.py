"""Decides which loops become machine code.

A loop is compiled once interpreting it has cost twice as much as compiling it should: compiling in vain then adds at
most half, and a long loop loses little. Each time the code turns out slower than the interpreter, the limit grows. The
run measures the costs. They affect time alone: native code has the interpreter's effects.
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
"""A region yields this where the frame has its program point already."""
ENTRY = 150
"""Entering native code costs as much as interpreting this many instructions."""
LOOK = 10_000
"""A head asks whether its loops are hot after this many instructions."""
SAMPLE = 63
"""One run in this many plus one is timed. The first is not, as it may prepare things."""
FEW, COLD = 10, 4
"""A head whose runs have fewer than FEW instructions on average, in COLD samples in a row, is watched no longer."""
MOST = 3e-7
"""The most seconds that an average instruction counts for; the rest went into symbolic values."""
TRIED = 32
"""Native code is compared with the interpreter after this many entries."""
BASE = 15
"""Compiling no instruction costs as much as compiling this many."""
LARGEST = 5_000
"""Instructions of the largest loop to compile."""
PATIENCE = 4
"""Factor by which a loop's cost limit grows each time its code was too slow."""


@dataclass(slots=True)
class Costs:
    """Costs in this process so far, in seconds, from a first guess on.

    Compiling ``compiled`` instructions took ``spent``; interpreting ``sampled`` instructions took ``timed``.
    """

    spent: float = 0.02
    compiled: int = 60
    timed: float = 0.0005
    sampled: int = 10_000
    native: int = 0
    is_on: bool = True
    problem: str | None = None
    """Why none can be."""

    def of_compiling(self, size: int) -> float:
        return self.spent * (size + BASE) / self.compiled

    def of_interpreting(self, instructions: int) -> float:
        return self.timed * instructions / self.sampled


@dataclass(slots=True, eq=False)
class HotLoop:
    """A loop and its costs since it was last judged: its ``heat`` in seconds, and the ``entries`` of its code."""

    head: int
    blocks: frozenset[int]
    size: int
    heat: float = 0.0
    limit: float = 2.0
    """It is compiled when it has cost this many times as much as compiling."""
    code: native_loops.NativeLoop | None = None
    entries: int = 0
    seconds: float = 0.0
    cut_short: float = 0.0
    """The seconds of entries that ended before their budget."""
    instructions: int = 0


@dataclass(slots=True, eq=False)
class Head:
    """A block where loops begin. ``ran``: instructions since its loops were last judged; ``active``: the native one."""

    loops: HotLoops
    block: int
    ran: int = 0
    won: int = 0
    """Those that native code would save, less the cost of entries."""
    runs: int = 0
    lately: int = 0
    """Instructions since the last sample."""
    cold: int = 0
    """How many samples in a row saw few instructions."""
    call_site: tuple[int, int] = (0, 0)
    """Where the loop was left for a call: the step's ``end``, and the depth of the loop's frame."""
    at: int = 0
    native: int = 0
    """How many instructions native code had run then, and in ``at`` the state."""
    active: HotLoop | None = None

    def run(
        self,
        interpret: Callable[[Step, State, Frame, Registers, int], int],
        step: Step,
        frame: Frame,
        budget: int,
        end: int,
    ) -> int:
        """Run the loop from here.

        Native code runs until the state has run ``end`` instructions, and yields WENT. Otherwise ``interpret`` runs,
        with ``budget``.
        """
        state, registers, costs = step.state, frame.registers, self.loops.costs
        before = state.instructions
        if self.call_site == (end, len(state.frames)):
            callees = max(before - self.at - costs.native + self.native, 0)
            self.ran += callees
            self.won += callees
            self.lately += callees
        if self.active is not None and self._enter(self.active, step, frame, registers, end):
            return WENT
        self.runs += 1
        began = 0.0
        if self.runs & SAMPLE == SAMPLE:
            self._sleep_if_cold()
            began = perf_counter()
        where = interpret(step, state, frame, registers, budget)
        executed = state.instructions - before
        if began:
            costs.timed += min(perf_counter() - began, MOST * (executed + 10))
            costs.sampled += executed
        self.ran += executed
        self.lately += executed
        self.won += max(executed - ENTRY, 0)
        if self.ran >= LOOK:
            self.loops.heat(self.block, costs.of_interpreting(self.won), costs.of_interpreting(self.ran))
            self.ran = self.won = 0
        if where == WENT:  # perhaps into a function, whose instructions count for the loop
            self.call_site, self.at, self.native = (end, len(step.state.frames) - 1), before + executed, costs.native
        return where

    def _sleep_if_cold(self) -> None:
        """Stop counting where runs are short again and again: counting takes a third of the time of such a run."""
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
    """The loops of a function's code for certain stops. ``heads`` are their blocks that have run often.

    The interpreter keeps loops that contain ``resting`` blocks, in which code ends. ``callee`` gives the code of a
    function that native code may call.
    """

    facts: FunctionFacts
    statics: Statics
    coverage: BranchCoverage
    costs: Costs
    resting: frozenset[int]
    callee: Callable[[Call], FunctionFacts | None]
    heads: dict[int, Head] = field(default_factory=dict)

    def watch(self, block: int) -> None:
        """Count instructions that run from this block, if loops begin there."""
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
        """The loops around a block that may be compiled, innermost first."""
        return [self._loops[head] for head in reversed(self.facts.nest.around[block]) if head in self._loops]

    def _is_active(self, loop: HotLoop) -> bool:
        return any(head.active is loop for head in self.heads.values())

    def heat(self, block: int, own: float, others: float, inside: HotLoop | None = None) -> None:
        """Add costs, in seconds, to the loops around ``block``, or around ``inside``: ``own`` to the one that begins at
        ``block``, ``others`` to the rest.
        """
        around = self._around(block)
        if inside is not None:
            around = around[around.index(inside) + 1 :]
        for loop in around:
            loop.heat += own if loop.head == block else others
        for loop in around:
            if loop.heat >= loop.limit * self.costs.of_compiling(loop.size) and not self._is_active(loop):
                self._compile(loop)
                for other in around:
                    other.heat = 0.0  # its past cost says nothing about its future
                return

    def judge(self, block: int, loop: HotLoop) -> None:
        """Compare the cost of native code with that of interpreting. Loops around it may be better candidates."""
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
