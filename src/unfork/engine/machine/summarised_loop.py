"""Takes a loop that scans in one step. Its end is a choice of constants, which the elements make.

It visits all stages of the loop (engine/machine/loop_stages.py), puts their results together
(engine/machine/loop_results.py), and moves the state to where these lead (engine/machine/loop_successors.py). If a
counter begins as a choice of constants, the result is a choice among those from each constant on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.engine.instructions.control import AtOnce, not_at_once
from unfork.engine.machine.iterations import Iterations, Phis
from unfork.engine.machine.loop_refusal import NotAtOnce
from unfork.engine.machine.loop_results import Line, LoopResult, line_of, pick_result, results_of
from unfork.engine.machine.loop_stages import LoopVisits, visit_stages
from unfork.engine.machine.loop_successors import TURNS, go_on, to_head
from unfork.engine.machine.plain_code import LoopCode, PlainBlock
from unfork.engine.memory.spans import ConstantChoice, constants_of
from unfork.engine.protocols.outcome import Fault
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.summarisable_loops import SummarisableLoop

TRUST = 8
"""How many more poor attempts than good ones a loop may have that costs much where the path knows its elements."""
MOST_TURNS = 256
"""How many turns a step takes at most, of a loop that goes on: twice as many each time."""
CHANGED_BY_READING = ("memory", "inputs", "input_counts", "remembered", "lazy", "path")
"""Attributes of a state that iterations may change."""


class SummarisedLoop:
    """One loop that scans. ``at_once`` tells a branch in it when to take it in one step."""

    def __init__(
        self, facts: FunctionFacts, loop: SummarisableLoop, blocks: Callable[[Sequence[int]], list[PlainBlock]]
    ) -> None:
        self._code = LoopCode(facts, loop, blocks)
        self._trust = TRUST

    @property
    def at_once(self) -> AtOnce:
        """When it is taken. A loop that is dearer in one step, if the path knows the elements, waits for a fork."""
        if self._code.loop.is_even and not self._code.loop.writes:
            return AtOnce(self.take, not_at_once)
        return AtOnce(not_at_once, lambda step: self._trust > 0 and self.take(step))

    def take(self, step: Step) -> bool:
        """Take the loop from the beginning of the current iteration to its end. Whether that was possible."""
        state, code = step.state, self._code
        twin, most = state.fork(), self._most_turns(step)
        try:
            visits, result = self._summary(step, twin, most)
        except NotAtOnce:
            self._judge(was_good=False)
            return False
        self._judge(was_good=result.alternatives >= len(visits.visits))
        for name in CHANGED_BY_READING:
            setattr(state, name, getattr(twin, name))
        state.instructions += sum(visit.iteration.instructions for visit in visits.visits)
        taken = (*self._place(state), most) if step.limits.turns_at_once < MOST_TURNS else None
        go_on(step, result, _faults(visits), to_head(code.loop.head, visits.phis, taken))
        return True

    def _most_turns(self, step: Step) -> int:
        """How many turns to take: twice as many as last time where the path goes on with this loop."""
        taken, most = step.state.remembered[TURNS], step.limits.turns_at_once
        if taken is None or taken[:-1] != self._place(step.state):
            return most
        return max(most, min(2 * taken[-1], MOST_TURNS))

    def _place(self, state: State) -> tuple[int, str, int]:
        return len(state.frames), state.frames[-1].function.name, self._code.loop.head

    def _judge(self, was_good: bool) -> None:
        """An attempt is good if the loop has as many ways out as iterations."""
        self._trust = min(TRUST, self._trust + 1) if was_good else self._trust - 1

    def _summary(self, step: Step, twin: State, most: int) -> tuple[LoopVisits, LoopResult]:
        """``most`` visits at most, and the result of the loop; reading changes ``twin``. Raises NotAtOnce."""
        code = self._code
        registers = twin.frames[-1].registers
        phis: Phis = {}
        for register in code.head_phis:
            value = registers[register]
            if not isinstance(value, int | Term):
                raise NotAtOnce("a register holds no number")
            phis[register] = value
        passed, iterations = step.coverage.passed, Iterations(step, twin, code)
        if not any(isinstance(phis[register], Term) for register in code.loop.addressing):
            visits = visit_stages(step, iterations, code, [phis], most)
            (result,) = results_of(visits, passed, code.widths)
            return visits, result
        if len(phis) > 1:
            raise NotAtOnce("it begins at a symbolic stage, and has more than one counter")
        ((register, value),) = phis.items()
        assert isinstance(value, Term)
        start = _start_of(step, value, code.widths[register], most)
        visits = visit_stages(step, iterations, code, [{register: constant} for constant in start.constants], most)
        return visits, pick_result(start, results_of(visits, passed, code.widths), code.widths)


def _start_of(step: Step, value: Term, width: int, most: int) -> ConstantChoice:
    """The constants that a counter of ``width`` bits may begin with, less than ``most`` apart."""
    choice = constants_of(value, width)
    if choice is not None:
        return choice
    low, high = step.chain.bounds(step.state.path, value, width)
    if high - low >= most:
        raise NotAtOnce("it begins at a symbolic stage")
    bits = (high - low).bit_length()
    index: Value = build.extract(build.sub(value, low, width), 0, bits) if bits else 0
    return ConstantChoice(range(low, high + 1), lambda values, width: build.lookup(index, bits, values, width))


def _faults(visits: LoopVisits) -> dict[Line, Fault]:
    faults: dict[Line, Fault] = {}
    for visit in visits.visits:
        for _, fault in visit.iteration.faults:
            faults.setdefault(line_of(fault), fault)
    return faults
