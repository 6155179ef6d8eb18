"""Control flow: branches and their phis, returns, unreachable code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from unfork.engine.instructions.activations import leave
from unfork.engine.instructions.exceptions import resume
from unfork.engine.protocols.outcome import Killed, Running
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.numbers import to_number
from unfork.engine.step.operands import Read, Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import PathEnded, Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Feasibility, Unknown
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.cfg import targets
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Branch,
    ConditionalBranch,
    IndirectBranch,
    Invoked,
    Operand,
    Resume,
    Return,
    Switch,
    Unreachable,
)
from unfork.program.llvm.module import Function

_SWITCHED = 64
"""The most values for which a switch caches its conditions."""
BRANCH = "a branch"
Edge = Callable[[Step, State], None]
"""Takes an edge: runs its phis on the state's top frame and moves there."""
Take = Callable[[Step], bool]
"""Takes the loop around a branch in one step. Whether that was done."""


def not_at_once(step: Step) -> bool:
    """Takes no loop."""
    return False


@dataclass(frozen=True, slots=True)
class AtOnce:
    """When to take the loop around a branch in one step: where the condition is symbolic, or where it would fork."""

    where_symbolic: Take
    where_forking: Take


NEVER = AtOnce(not_at_once, not_at_once)


@dataclass(frozen=True, slots=True)
class Way:
    """An edge out of a block. ``number`` is coverage's; None where coverage does not count it."""

    successor: int
    target: int
    number: int | None
    take: Edge


@dataclass(frozen=True, slots=True)
class Ways:
    """The edges out of a block, and when each is taken (1 bit)."""

    ways: tuple[Way, ...]
    conditions: Callable[[Step, Registers], list[Value]]


class _Cases:
    """The edges of a switch by value. Cases that share a block are one edge, and so one path."""

    def __init__(self, switch: Switch, width: int) -> None:
        self.targets = targets(switch)
        number_of = {target: i for i, target in enumerate(self.targets)}
        self._by_value = {value: number_of[target] for value, target in switch.cases}
        self._width = width
        self._known: dict[Term, list[Value]] = {}

    def edge(self, value: int) -> int:
        """The number of the edge for a known value."""
        return self._by_value.get(value, 0)

    def conditions(self, value: Term) -> list[Value]:
        """The condition of each edge. Cached: many paths come with the same value, and a switch may be large."""
        known = self._known
        when = known.get(value)
        if when is None:
            alternatives: list[list[Value]] = [[] for _ in self.targets]
            for case, i in self._by_value.items():
                alternatives[i].append(build.eq(value, case, self._width))
            alternatives[0].append(build.negate(build.disjunction(chain.from_iterable(alternatives))))
            if len(known) >= _SWITCHED:
                known.clear()
            when = known[value] = [build.disjunction(alternative) for alternative in alternatives]
        return when


class Terminators:
    """Semantics of the instructions that end blocks, for one function."""

    def __init__(self, function: Function, statics: Statics, coverage: BranchCoverage) -> None:
        self._function = function
        self._statics = statics
        self._coverage = coverage
        self._incoming: dict[int, list[tuple[int, dict[int, Operand]]]] = {}

    def compile(self, block: int, at_once: AtOnce) -> Semantics:
        """The semantics of a block's terminator; ``at_once`` is about the loop around it."""
        match self._function.blocks[block].body[-1]:
            case Branch(target=target) | Invoked(target=target):
                edge = self._edge(block, target, None)
                return lambda step, registers: edge(step, step.state)
            case ConditionalBranch() as branch:
                return self._conditional(block, branch, at_once)
            case Switch() as switch:
                return self._switch(block, switch, at_once)
            case IndirectBranch() as branch:
                return self._indirect(block, branch)
            case Return() as instruction:
                return self._return(instruction)
            case Resume(value=value):
                value_of = reader(value, self._statics)
                return lambda step, registers: resume(step, value_of(step, registers))
            case Unreachable():
                return _unreachable
            case other:
                construct = f"the instruction {getattr(other, 'text', type(other).__name__)}"
                return lambda step, registers: step.unsupported(construct)

    def ways(self, block: int) -> Ways:
        """The edges out of a block that ends in a branch or switch."""
        match self._function.blocks[block].body[-1]:
            case Branch(target=target) | Invoked(target=target):
                return Ways((self._way(block, 0, target, is_branch=False),), lambda step, registers: [1])
            case ConditionalBranch() as branch:
                return self._ways_of_branch(block, branch)
            case Switch() as switch:
                return self._ways_of_switch(block, switch)
        raise AssertionError("no branch")

    def _ways_of_branch(self, block: int, branch: ConditionalBranch) -> Ways:
        condition_of = reader(branch.condition, self._statics)

        def conditions(step: Step, registers: Registers) -> list[Value]:
            condition = condition_of(step, registers)
            step.use(condition, BRANCH)
            return [condition, build.negate(condition)]

        ways = [self._way(block, i, to, is_branch=True) for i, to in enumerate((branch.then, branch.otherwise))]
        return Ways(tuple(ways), conditions)

    def _ways_of_switch(self, block: int, switch: Switch) -> Ways:
        value_of, cases = reader(switch.value, self._statics), self._cases(switch)

        def conditions(step: Step, registers: Registers) -> list[Value]:
            value = value_of(step, registers)
            step.use(value, BRANCH)
            if isinstance(value, Term):
                return cases.conditions(value)
            number = cases.edge(value)
            return [int(edge == number) for edge in range(len(cases.targets))]

        return Ways(tuple([self._way(block, i, to, is_branch=True) for i, to in enumerate(cases.targets)]), conditions)

    def _way(self, block: int, successor: int, target: int, *, is_branch: bool) -> Way:
        own = is_branch and self._function.name not in self._statics.program.library
        number = self._coverage.number(self._function, block, successor) if own else None
        return Way(successor, target, number, self._edge(block, target, number))

    def _phis(self, target: int) -> list[tuple[int, dict[int, Operand]]]:
        operands = self._incoming.get(target)
        if operands is None:
            phis = self._function.blocks[target].phis
            operands = [(phi.result, {source: value for value, source in phi.incoming}) for phi in phis]
            self._incoming[target] = operands
        return operands

    def _edge(self, block: int, target: int, number: int | None) -> Edge:
        moves: list[tuple[int, Read]] = []
        for result, incoming in self._phis(target):
            moves.append((result, reader(incoming[block], self._statics)))
        coverage = self._coverage

        def take(step: Step, state: State) -> None:
            frame = state.frames[-1]
            registers = frame.registers
            if number is not None and not coverage.passed[number]:
                coverage.hit(state, number)
            if moves:
                step.state = state
                values = [(result, read(step, registers)) for result, read in moves]
                for result, value in values:
                    registers[result] = value
            frame.block = target
            frame.index = 0

        return take

    def _conditional(self, block: int, branch: ConditionalBranch, at_once: AtOnce) -> Semantics:
        ways = self._ways_of_branch(block, branch).ways
        (then, otherwise), numbers = [way.take for way in ways], [way.number for way in ways]
        coverage, infeasible = self._coverage, self._coverage.infeasible
        names = [None if number is None else coverage.edges[number] for number in numbers]
        condition_of = reader(branch.condition, self._statics)
        where_symbolic, where_forking = at_once.where_symbolic, at_once.where_forking

        def run(step: Step, registers: Registers) -> None:
            condition = condition_of(step, registers)
            if condition.__class__ is int:
                (then if condition else otherwise)(step, step.state)
                return
            if where_symbolic(step):
                return
            step.use(condition, BRANCH)
            state = step.state
            yes, no = step.chain.branch(state.path, condition)
            if yes is state.path or no is state.path:  # only one side is feasible
                is_yes = yes is state.path
                if (denied := names[is_yes]) is not None:
                    infeasible[denied] += 1
                (then if is_yes else otherwise)(step, state)
                return
            if where_forking(step):
                return
            for number, side in zip(numbers, (yes, no), strict=True):
                coverage.answer(number, side)
            diverge(step, [(yes, then), (no, otherwise)])

        return run

    def _cases(self, switch: Switch) -> _Cases:
        return _Cases(switch, layout.bits_of(switch.type))

    def _switch(self, block: int, switch: Switch, at_once: AtOnce) -> Semantics:
        value_of, cases = reader(switch.value, self._statics), self._cases(switch)
        ways = self._ways_of_switch(block, switch).ways
        edges = [way.take for way in ways]

        def run(step: Step, registers: Registers) -> None:
            value = value_of(step, registers)
            if value.__class__ is int:
                edges[cases.edge(value)](step, step.state)
                return
            if at_once.where_symbolic(step):
                return
            assert isinstance(value, Term)
            when = cases.conditions(value)
            sides = [(when[i], ways[i]) for i in (*range(1, len(edges)), 0)]
            _choose(step, sides, at_once.where_forking, self._coverage)

        return run

    def _indirect(self, block: int, branch: IndirectBranch) -> Semantics:
        address_of = reader(branch.address, self._statics)
        leads_to = targets(branch)  # compilers list a label once for each use of its address
        ways = [self._way(block, i, target, is_branch=True) for i, target in enumerate(leads_to)]
        name, blocks = self._function.name, self._function.blocks
        labels = [self._statics.block_address(name, blocks[target].label) for target in leads_to]
        by_address = {label: way.take for label, way in zip(labels, ways, strict=True)}
        goto = self._goto(block)

        numbers = [self._statics.number_of(label) for label in labels]

        def run(step: Step, registers: Registers) -> None:
            address = address_of(step, registers)
            edge = None if isinstance(address, Term) else by_address.get(address)
            if edge is not None:
                edge(step, step.state)
                return
            number = to_number(step, address)
            when = [build.eq(number, label, 64) for label in numbers]
            step.require(
                build.disjunction(when), "invalid-call", f"{goto} to something that is no label of this function"
            )
            _choose(step, list(zip(when, ways, strict=True)), not_at_once, self._coverage)

        return run

    def _goto(self, block: int) -> str:
        """A computed goto in words. Compilers merge those of a function into one jump without a line."""
        ends = [basic_block.body[-1] for basic_block in self._function.blocks if basic_block.body]
        lines = sorted({end.position.line for end in ends if block in targets(end) and end.position is not None})
        return f"computed goto of line {' or '.join(map(str, lines))}" if lines else "computed goto"

    def _return(self, instruction: Return) -> Semantics:
        if instruction.value is None:
            return lambda step, registers: leave(step, None)
        value_of = reader(instruction.value, self._statics)
        return lambda step, registers: leave(step, value_of(step, registers))


def _unreachable(step: Step, registers: Registers) -> None:
    if "unreachable" in step.limits.checks:
        step.fail("unreachable", "unreachable code was reached")
    step.unsupported("going on after unreachable code")


def _choose(step: Step, ways: Sequence[tuple[Value, Way]], where_forking: Take, coverage: BranchCoverage) -> None:
    """Take each way whose condition (1 bit) is feasible; if several are, ``where_forking`` may take the loop.

    ``coverage`` counts the others.
    """
    for condition, _ in ways:
        step.use(condition, BRANCH)
    path = step.state.path
    sides = [(step.chain.assume(path, condition), way) for condition, way in ways]
    if sum(isinstance(side, PathCondition) for side, _ in sides) < 2 or not where_forking(step):
        for side, way in sides:
            coverage.answer(way.number, side)
        diverge(step, [(side, way.take) for side, way in sides])


def diverge(step: Step, sides: list[tuple[Feasibility, Edge]]) -> None:
    """Fork the path: each feasible side gets a state, which takes its edge; the first keeps the state object.

    An unknown side ends alone.
    """
    state = step.state
    feasible = [(path, edge) for path, edge in sides if isinstance(path, PathCondition)]
    for path, _ in sides:
        if isinstance(path, Unknown):
            step.outcomes.append(Killed(state.fork(), "solver-unknown", path.reason))
    if not feasible:
        raise PathEnded
    states = step.parts(len(feasible))
    for side, (path, edge) in zip(states, feasible, strict=True):
        side.path = path
        edge(step, side)
    step.outcomes += [Running(side) for side in states[1:]]
    step.state = state
