"""One iteration of a loop, taken on all its paths at once: how it leaves the loop, and how the next one begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from unfork.engine.instructions.control import Way
from unfork.engine.machine.guarded_run import GuardedConduct, GuardedRun, as_number, pick_value
from unfork.engine.machine.loop_memory import ChangedMemory, UnchangedMemory
from unfork.engine.machine.plain_code import LoopCode
from unfork.engine.memory.spans import decide_cheaply
from unfork.engine.protocols.outcome import Fault
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value

Phis = dict[int, Value]
"""The values of the phis of the loop's head, by register."""
Arrival = tuple[Value, Phis]
"""A way to come to the head: when (1 bit), and with which phis."""


@dataclass(frozen=True, slots=True)
class IterationExit:
    """A way out of the loop from ``block``, taken on ``condition`` (1 bit).

    ``values`` are the registers that are read after it, which mean something on that condition alone.
    """

    block: int
    way: Way
    condition: Value
    values: dict[int, Value]

    @property
    def edge(self) -> tuple[int, int]:
        """Which of the loop's ways out it is, in all iterations."""
        return self.block, self.way.successor


@dataclass(frozen=True, slots=True)
class LoopIteration:
    """How an iteration may end. The conditions of its exits and faults and ``again`` exclude each other; one holds.

    All conditions have 1 bit. ``again``: another iteration follows, whose phis are ``following``. ``edges`` are the
    branch edges within the loop that coverage counts, each with when it is taken.
    """

    exits: tuple[IterationExit, ...]
    faults: tuple[tuple[Value, Fault], ...]
    again: Value
    following: Phis
    edges: tuple[tuple[int, Value], ...]
    instructions: int


class Iterations:
    """Takes iterations of one loop on ``state``.

    Of the state, only registers change, and memory where the loop writes or reading makes objects. The path of
    ``step``, on which the loop begins, decides conditions.
    """

    def __init__(self, step: Step, state: State, code: LoopCode) -> None:
        conduct = GuardedConduct(step.chain, step.source)
        inner = step.beside(conduct, step.coverage)
        inner.state = state
        self._memory = ChangedMemory(inner, conduct) if code.loop.writes else UnchangedMemory(inner)
        self._decide = partial(decide_cheaply, step)
        self._run = GuardedRun(inner, conduct, self._memory, _unchanged if code.loop.is_even else self._decide)
        self._step = inner
        self._code = code
        self._registers = state.frames[-1].registers

    def iteration(self, phis: Phis, when: Value) -> LoopIteration:
        """The iteration that begins with ``phis``; the loop comes there ``when`` (1 bit). Raises NotAtOnce."""
        registers, run, code = self._registers, self._run, self._code
        for result, value in phis.items():
            registers[result] = value
        if isinstance(self._memory, ChangedMemory):
            self._memory.reached = when
        run.begin()
        exits: list[IterationExit] = []
        returns: list[Arrival] = []
        for departure in run.walk(code.blocks, 1, registers):
            block, way = departure.block.number, departure.way
            assert way is not None
            if way.target == code.loop.head:
                returns.append((departure.condition, self._next_phis(block)))
            else:
                values = {register: as_number(registers[register]) for register in code.read_after(block, way.target)}
                exits.append(IterationExit(block, way, departure.condition, values))
        again = self._decide(build.disjunction([condition for condition, _ in returns]))
        following = pick_phis(returns, code.widths)
        return LoopIteration(tuple(exits), tuple(run.faults), again, following, tuple(run.edges), run.instructions)

    def _next_phis(self, block: int) -> Phis:
        head = self._code.blocks[0]
        return {result: as_number(operands[block](self._step, self._registers)) for result, _, operands in head.phis}


def _unchanged(condition: Value) -> Value:
    """Keeps a condition: the iterations of a loop that counts evenly gain little from what the path knows."""
    return condition


def pick_phis(arrivals: Sequence[Arrival], widths: Mapping[int, int] | Sequence[int]) -> Phis:
    """The phis where one of ``arrivals`` happens; ``widths`` are in bits."""
    registers = arrivals[0][1] if arrivals else ()
    return {phi: pick_value([(when, phis[phi]) for when, phis in arrivals], widths[phi]) for phi in registers}
