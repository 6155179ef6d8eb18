"""Explores a program with every two states joined that wait at one place, without any policy, and plainly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unfork.commands.assemble import machines, solving, starting
from unfork.engine.explore.limits import Budget
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.join import Join, Refusal
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Running
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition, Slice
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.options.options import Options
from unfork.program.facts.cfg import ControlFlow, control_flow
from unfork.program.facts.merge_points import everywhere
from unfork.program.llvm.module import Function, Program
from unfork.world.inputs.input_values import SymbolicInputs
from unfork.world.inputs.testcase import error_of

MakeJoin = Callable[[Chain], Join]
Place = tuple[tuple[int, int, int], ...]
Waiting = tuple[tuple[tuple[float, int], ...], Place | None, State]
MOST_STEPS = 4_000


@dataclass(slots=True)
class Explored:
    """What an exploration came to."""

    outcomes: list[Halted | Failed | Killed] = field(default_factory=list)
    coverage: BranchCoverage = field(default_factory=BranchCoverage)
    joins: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    finished: bool = True

    @property
    def errors(self) -> set[tuple[str, str, int]]:
        """(kind, file name, line) of every fault."""
        found = set()
        for outcome in self.outcomes:
            if isinstance(outcome, Failed):
                error = error_of(outcome.fault)
                found.add((error.kind, Path(error.file or "").name, error.line or 0))
        return found

    @property
    def killed(self) -> set[tuple[str, str]]:
        """Why parts were given up."""
        return {(one.reason, one.detail) for one in self.outcomes if isinstance(one, Killed)}

    @property
    def edges(self) -> set[tuple[str, int, int]]:
        """The covered branch edges."""
        covered = self.coverage.covered
        return {edge for number, edge in enumerate(self.coverage.edges) if covered[number]}


class MergePoints:
    """Where states wait, and which comes first: the deeper stack, then the earlier block in reverse post-order."""

    def __init__(self) -> None:
        self._flows: dict[Function, ControlFlow] = {}

    def flow(self, function: Function) -> ControlFlow:
        found = self._flows.get(function)
        if found is None:
            found = self._flows[function] = control_flow(function)
        return found

    def order(self, state: State) -> tuple[tuple[float, int], ...]:
        ranks = [(float(self.flow(one.function).rank[one.block]), one.index) for one in state.frames]
        return (*ranks, (float("inf"), 0))

    def place(self, state: State) -> Place | None:
        """The place, if paths may meet there."""
        top = state.frames[-1]
        flow = self.flow(top.function)
        if top.index or top.block not in flow.join_points | flow.loop_heads:
            return None
        return tuple([(id(one.function), one.block, one.index) for one in state.frames])


def machine_of(program: Program, options: Options, chain: Chain, coverage: BranchCoverage) -> Machine:
    """The machine of a run, without anything that watches."""
    manner = machines.MachineSetup(watches=False)
    return machines.machine(options, program, chain, SymbolicInputs(), coverage, manner)


def explore(
    program: Program, options: Options, arguments: Sequence[str] = (), make_join: MakeJoin | None = None
) -> Explored:
    """Explore to the end, joining where ``make_join`` gives a join."""
    explored = Explored()
    backend = solving.solver(options)
    try:
        chain = solving.chain(options, backend, Budget(0.0))
        machine = machine_of(program, options, chain, explored.coverage)
        states = starting.start(options)(machine, starting.command(options, arguments))
        _loop(machine, states, explored, make_join(chain) if make_join else None)
    finally:
        backend.close()
    return explored


def _loop(machine: Machine, states: list[State], explored: Explored, join: Join | None) -> None:
    places, yield_points = MergePoints(), YieldPoints(everywhere)
    waiting: list[Waiting] = [(places.order(state), None, state) for state in states]
    while waiting:
        explored.steps += 1
        if explored.steps > MOST_STEPS:
            explored.finished = False
            return
        chosen = min(range(len(waiting)), key=lambda i: waiting[i][0])
        _, start, state = waiting.pop(chosen)
        before = state.instructions
        for outcome in machine.step(state, yield_points):
            if not isinstance(outcome, Running):
                explored.outcomes.append(outcome)
                continue
            one = outcome.state
            place = places.place(one)
            has_moved = place != start or one.instructions > before + 1
            if join is not None and place is not None and has_moved:
                one = _joined(join, one, place, waiting, explored)
            waiting.append((places.order(one), place, one))


def _joined(join: Join, state: State, place: Place, waiting: list[Waiting], explored: Explored) -> State:
    for entry in list(waiting):
        if entry[1] == place:
            made = join.join(entry[2], state)
            if isinstance(made, Refusal):
                explored.refused[made.reason] += 1
            else:
                waiting.remove(entry)
                explored.joins += 1
                state = made
    return state


def disagreements(plain: Explored, joined: Explored) -> list[str]:
    """Where a joined exploration says something else than plain exploration of what a plain path's inputs lead to."""
    wrong = []
    for outcome in plain.outcomes:
        if isinstance(outcome, Halted) and outcome.end == "silent":
            continue  # what an assumption excludes ends without a word
        model = Model(outcome.state.path.model().values)
        accepting = [one for one in joined.outcomes if _accepts(one.state, model)]
        if len(accepting) != 1:
            wrong.append(f"{_end(outcome, model)}: {len(accepting)} joined states accept {model}")
        elif not _agree(_end(accepting[0], model), _end(outcome, model)):
            wrong.append(f"{_end(outcome, model)}: the joined state has {_end(accepting[0], model)} for {model}")
    return wrong


def _accepts(state: State, model: Model) -> bool:
    return all(evaluate(condition, model) for condition in state.path.constraints())


def _end(outcome: Halted | Failed | Killed, model: Model) -> tuple[object, ...]:
    match outcome:
        case Halted(state, end, status):
            printed = [_printed(state, descriptor, model) for descriptor in (1, 2)]
            return (end, None if status is None else evaluate(status, model), *printed)
        case Failed(_, fault):
            return (fault.kind, error_of(fault).line)
    return (outcome.reason, outcome.detail)


def _agree(joined: tuple[object, ...], plain: tuple[object, ...]) -> bool:
    """Equal, but for output that the joined state does not know."""
    known = len(joined) == len(plain) and [x is not None for x in joined]
    return bool(known) and all(x == y for x, y, is_known in zip(joined, plain, known, strict=True) if is_known)


def _printed(state: State, descriptor: int, model: Model) -> bytes | None:
    state.path = PathCondition.EMPTY.extended(
        state.path.constraints(), [Slice((), frozenset(), frozenset(model.values), model)]
    )
    chunks = state.written(descriptor)
    known = [chunk for chunk in chunks if chunk is not None]
    text = b"".join([bytes([evaluate(one, model) for one in chunk]) for chunk in known])
    return text if len(known) == len(chunks) else None
