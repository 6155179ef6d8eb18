"""The loops and instructions of the program that its contracts are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import normpath

from unfork.engine.protocols.outcome import Outcome
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State
from unfork.errors import InputError
from unfork.program.c.contracts import Assertion, Contracts, FunctionContract, Lemma, LogicDefinition, LoopContract
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.merge_points import MergePoints, assertion_locations, union
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.ir import Return
from unfork.program.llvm.module import Function, Program

Instruction = tuple[Function, int, int]
"""A function, a block, and an index in it."""


@dataclass(frozen=True, slots=True)
class AnnotatedProgram:
    """A program's contracts by location; ``functions`` has linked names."""

    functions: Mapping[str, FunctionContract]
    loops: Mapping[tuple[Function, int], LoopContract]
    assertions: Mapping[Instruction, Sequence[Assertion]]
    unread: Mapping[str, str] = field(default_factory=dict)
    """Functions whose contracts cannot be read, each with the problem. They are in no other field."""
    definitions: Sequence[LogicDefinition] = ()
    lemmas: Sequence[Lemma] = ()

    def functions_with_points(self) -> set[str]:
        """Functions with program points inside: their loops must not be taken in one step."""
        return {function.name for function, _ in self.loops} | {function.name for function, _, _ in self.assertions}

    def watched_functions(self) -> set[str]:
        """Functions with program points, if only at their entry."""
        return self.functions_with_points() | set(self.functions) | set(self.unread)

    def points(self, function: Function) -> MergePoints:
        """The program points of proofs: heads and exits of annotated loops, assertions, entry and ends."""
        flow = control_flow(function)
        blocks: set[int] = set()
        for other, head in self.loops:
            if other is function:
                inside = flow.loops[head]
                blocks.add(head)
                blocks |= {follower for block in inside for follower in flow.successors[block]} - set(inside)
        inside_blocks = {(block, index) for other, block, index in self.assertions if other is function and index}
        blocks |= {block for other, block, index in self.assertions if other is function and not index}
        if function.name in self.unread:
            blocks.add(0)
        if function.name in self.functions:
            blocks.add(0)
            for block in function.blocks:
                last = len(block.body) - 1
                if isinstance(block.body[last], Return):
                    inside_blocks.add((block.index, last)) if last else blocks.add(block.index)
        return MergePoints(frozenset(blocks), frozenset(inside_blocks), lambda block, index: False)


class AtProgramPoints:
    """A stepper that also rests at the program points of proofs."""

    def __init__(self, stepper: Stepper, annotated: AnnotatedProgram) -> None:
        self._stepper = stepper
        self._annotated = annotated
        self._rests: dict[YieldPoints, YieldPoints] = {}

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        known = self._rests.get(yield_points)
        if known is None:
            known = self._rests[yield_points] = YieldPoints(union(yield_points.places, self._annotated.points))
        return self._stepper.step(state, known)


def locate_contracts(program: Program, contracts: Contracts) -> AnnotatedProgram:
    """Find the program points of contracts. A function with a misplaced contract becomes ``unread``.

    Raises InputError if it is unknown which function that is.
    """
    own = [program.function(name) for name in program.own]
    known = {each.source_name for each in own}
    unread = dict(contracts.unread)

    def refuse(contract: LoopContract | Assertion, problem: str) -> None:
        """Note a problem, unless the compiler dropped the function since nothing calls it."""
        message = f"{contract.file}:{contract.line}: {problem}"
        if not contract.function:
            raise InputError(message)
        unread.setdefault(contract.function, message)

    loops: dict[tuple[Function, int], LoopContract] = {}
    for loop in contracts.loops:
        heads = list(_heads(own, loop))
        if any(head not in control_flow(function).loops for function, head in heads):
            refuse(loop, "a loop that is entered in its middle: no contract")
        elif heads:
            loops.update(dict.fromkeys(heads, loop))
        elif loop.function in known or not loop.function:
            refuse(loop, "the compiler has no loop here: its contract is about nothing")
    assertions: dict[Instruction, list[Assertion]] = {}
    calls = [(function, location, at) for function in own for location, at in assertion_locations(function).items()]
    for assertion in contracts.assertions:
        stand = [
            (function, *at)
            for function, (file, line, column), at in calls
            if (line, column) == (assertion.line, assertion.column) and is_file(assertion.file, file)
        ]
        if not stand and (assertion.function in known or not assertion.function):
            refuse(assertion, "no path comes to this assertion")
        for instruction in stand:
            assertions.setdefault(instruction, []).append(assertion)
    present = {each.name: each.source_name for each in (*own, *program.stubs.values())}
    return AnnotatedProgram(
        {
            name: contracts.functions[source_name]
            for name, source_name in present.items()
            if source_name in contracts.functions and source_name not in unread
        },
        loops,
        assertions,
        {name: unread[source_name] for name, source_name in present.items() if source_name in unread},
        contracts.definitions,
        contracts.lemmas,
    )


def is_file(named: str, file: str) -> bool:
    """Whether a file of debug information is the user's, or a header in another folder that it includes."""
    named, file = normpath(named), normpath(file)
    return file == named or file.endswith(f"/{named}") or named.endswith(f"/{file}")


def _heads(functions: Iterable[Function], loop: LoopContract) -> Iterator[tuple[Function, int]]:
    """The loop after a contract, in each copy of its function: an edge to its head has the position of its keyword."""
    for function in functions:
        flow = control_flow(function)
        for head in flow.loop_heads:
            for block in flow.predecessors[head]:
                position = end_position(function, block)
                if (
                    position is not None
                    and (position.line, position.column) == (loop.line, loop.column)
                    and is_file(loop.file, position.file)
                ):
                    yield function, head
