"""The successors of a state whose loop has been taken in one step: a state for each exit, a failure for each line."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.engine.instructions.control import Edge, diverge
from unfork.engine.machine.iterations import IterationExit, Phis
from unfork.engine.machine.loop_results import Line, LoopResult
from unfork.engine.memory.spans import MOST_CHOICES
from unfork.engine.protocols.outcome import Failed, Fault, Killed
from unfork.engine.state.memory import FIRST_STATIC, MASK_64, address_of, object_of
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value

TakenTurns = tuple[int, str, int, int]
"""How many frames there are, the function of the last one, the head of a loop in it, and its turns in one step."""
TURNS: Fact[TakenTurns | None] = Fact("turns of the loop that goes on", EqualPart(), None)
NEAR = 1 << 20
"""Addresses at most this many bytes from their object are written as offsets to it."""
LEAST_ADDRESS = address_of(FIRST_STATIC)


def go_on(step: Step, result: LoopResult, faults: Mapping[Line, Fault], at_head: Edge) -> None:
    """Move the step's state to where the loop leads. ``at_head`` moves it to the head after the last iteration."""
    state = step.state

    def counted(edge: Edge) -> Edge:
        def take(step: Step, side: State) -> None:
            side.multiplicity *= max(1, result.alternatives)
            edge(step, side)

        return take

    _fail(step, result, faults)
    _cover(step, result)
    exits = [leaving for leaving in result.exits.values() if leaving.condition != 0]
    targets = [(leaving.condition, counted(_leave(leaving))) for leaving in exits]
    if result.beyond != 0:
        targets.append((result.beyond, at_head))
    is_only = len(targets) == 1 and not any(result.faults.values())
    paths = [state.path if is_only else step.chain.assume(state.path, condition) for condition, _ in targets]
    for leaving, path in zip(exits, paths, strict=False):
        step.coverage.answer(leaving.way.number, path)
    diverge(step, [(path, edge) for path, (_, edge) in zip(paths, targets, strict=True)])


def to_head(head: int, phis: Phis, turns: TakenTurns | None) -> Edge:
    """The edge to the loop's head with these phis; ``turns`` are remembered."""

    def take(step: Step, state: State) -> None:
        state.remembered[TURNS] = turns
        frame = state.frames[-1]
        for register, value in phis.items():
            frame.registers[register] = value
        frame.block, frame.index = head, 0

    return take


def _leave(leaving: IterationExit) -> Edge:
    def take(step: Step, state: State) -> None:
        registers = state.frames[-1].registers
        for register, value in leaving.values.items():
            registers[register] = rebase(value)
        leaving.way.take(step, state)

    return take


def rebase(value: Value) -> Value:
    """A choice of addresses in one object as its address plus a choice of offsets. Later sums keep it a choice."""
    if not isinstance(value, Term) or value.width != 64 or value.alternatives < 2:
        return value
    addresses = build.leaves(value, MOST_CHOICES)
    if addresses is None or addresses[0] < LEAST_ADDRESS:
        return value
    base = address_of(object_of(addresses[0]))
    if any(abs(address - base) > NEAR for address in addresses):
        return value
    return build.add(build.spread(lambda leaf: leaf - base & MASK_64, value, 64), base, 64)


def _fail(step: Step, result: LoopResult, faults: Mapping[Line, Fault]) -> None:
    state = step.state
    for line, condition in result.faults.items():
        path = step.chain.assume(state.path, condition)
        if isinstance(path, Unsat):
            continue
        side = state.fork()
        if isinstance(path, PathCondition):
            side.path = path
            step.outcomes.append(Failed(side, faults[line]))
        else:
            step.outcomes.append(Killed(side, "solver-unknown", f"{line[0]}: {path.reason}"))


def _cover(step: Step, result: LoopResult) -> None:
    """Cover the branch edges within the loop that no path has taken; each that is not certain needs an example."""
    state, coverage = step.state, step.coverage
    waiting = {edge: condition for edge, condition in result.edges.items() if not coverage.passed[edge]}
    for edge in [edge for edge, condition in waiting.items() if condition == 1]:
        coverage.hit(state, edge)
        del waiting[edge]
    while waiting:
        edge, condition = next(iter(waiting.items()))
        del waiting[edge]
        path = step.chain.assume(state.path, condition)
        if not isinstance(path, PathCondition):
            coverage.answer(edge, path)
            continue
        example = state.fork()
        example.path = path
        model = path.model()
        coverage.hit(example, edge)
        for other in [other for other, when in waiting.items() if evaluate(when, model)]:
            coverage.hit(example, other)
            del waiting[other]
        coverage.show(example)
