"""What is in the way of a function whose paths all ended: a branch side that was neither reached nor denied by a path.

A side is unreachable, under what the run assumes, if every path that came to its branch denied it; and, if its branch
decides by a constant, unless the run itself chose that: a call whose result the world may choose had one result here,
or pointers were compared that a caller may let lead into one object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set

from unfork.engine.explore.distance import branch_targets
from unfork.engine.step.branch_coverage import BranchCoverage, Edge
from unfork.program.c.callbacks import PREFIX
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.nearest import end_position
from unfork.program.facts.own_source import shown
from unfork.program.llvm.ir import (
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import PointerType
from unfork.program.llvm.uses import operands_of
from unfork.world.inputs.doubts import CLOSED, reached_blocks

_OURS = ("llvm.", "unfork_", "klee_", "__ubsan_handle_", "__VERIFIER_", "__CPROVER_")
"""Prefixes of functions that are no part of the world."""
_DEEP = 64
"""Instructions through which the origin of a condition is followed."""


def in_the_way(
    program: Program,
    name: str,
    coverage: BranchCoverage,
    *,
    has_returned: bool,
    matters: Callable[[str, int], bool] = lambda name, block: True,
) -> str:
    """The first thing in the way of a function's untaken branch sides; "" if there is none. ``has_returned``: a path
    came to its end without a fault.

    Also what the world or the solver hid in the functions that it called. Only sides to blocks that ``matters``
    count.
    """
    function, covered = program.function(name), coverage.covered_edges()
    callbacks = [each for each in function.instructions() if _is_through_pointer(each)]
    if not has_returned and callbacks and matters(name, 0):
        return f"no path came back from the callback{_at(callbacks[0])}"
    others = sorted({edge[0] for edge in covered} - program.library - {name})
    others = [each for each in others if not each.startswith(PREFIX)]
    for each in (name, *others):
        reason = _hidden(program, program.function(each), coverage, covered, matters)
        if reason:
            return reason if each == name else f"{reason}, in {program.function(each).source_name}"
    return next(_undecided(program, function, coverage, covered, matters), "")


def _hidden(
    program: Program,
    function: Function,
    coverage: BranchCoverage,
    covered: Set[Edge],
    matters: Callable[[str, int], bool],
) -> str:
    """What the solver, the world or the places of objects hid at a branch that was reached."""
    for index in sorted(reached_blocks(function, covered)):
        after = branch_targets(function.blocks[index])
        edges = {(function.name, index, successor): target for successor, target in enumerate(after)}
        left = [edge for edge, target in edges.items() if edge not in covered and matters(function.name, target)]
        if any(coverage.unknown[edge] for edge in left):
            return f"the solver gave up on a side of {_line(function, index)}"
        is_open = any(not coverage.infeasible[edge] for edge in left) and not covered.isdisjoint(edges)
        if is_open and (call := _of_world(program, function, index)) is not None:
            return f"{call} has one result here, at {_line(function, index)}"
        if left and not covered.isdisjoint(edges) and _compares_pointers(function, index):
            return f"pointers that may lead into one object are compared at {_line(function, index)}"
    return ""


def _undecided(
    program: Program,
    function: Function,
    coverage: BranchCoverage,
    covered: Set[Edge],
    matters: Callable[[str, int], bool],
) -> Iterator[str]:
    """What ended all paths before a branch, although they came to code that leads there."""
    for index in sorted(reached_blocks(function, covered)):
        after = branch_targets(function.blocks[index])
        edges = [(function.name, index, successor) for successor in range(len(after))]
        is_decided = any(edge in covered or coverage.infeasible[edge] for edge in edges)
        if not is_decided and any(matters(function.name, target) for target in after):
            yield _ending(program, function, index)


def _line(function: Function, block: int) -> str:
    position = end_position(function, block)
    return "a branch" if position is None else f"line {shown(position).line}"


def _is_through_pointer(instruction: Instruction) -> bool:
    return isinstance(instruction, Call) and isinstance(instruction.callee, Register)


def _at(instruction: Instruction) -> str:
    return "" if instruction.position is None else f" at line {shown(instruction.position).line}"


def _ending(program: Program, function: Function, block: int) -> str:
    """What no path got beyond, in a block or those before it."""
    flow, seen = control_flow(function), set[int]()
    while block not in seen:
        seen.add(block)
        for instruction in reversed(function.blocks[block].body):
            if _is_through_pointer(instruction):
                return f"no path came back from the callback{_at(instruction)}"
            called = _own_or_world(program, instruction)
            if called is not None:
                return f"no path came back from {called}"
        before = flow.predecessors[block]
        if len(before) != 1 or branch_targets(function.blocks[before[0]]):
            break
        block = before[0]
    return f"no path came to {_line(function, block)}"


def _own_or_world(program: Program, instruction: Instruction) -> str | None:
    """A function called by name, by its name in the source; None for one of ours."""
    callee = instruction.callee if isinstance(instruction, Call) else None
    if not isinstance(callee, GlobalAddress) or callee.name.startswith(_OURS):
        return None
    return program.function(callee.name).source_name if callee.name in program.defined else callee.name


def _of_world(program: Program, function: Function, block: int) -> str | None:
    """The call of the world's whose result a branch depends on."""
    for _, instruction in _origins(function, operands_of(function.blocks[block].body[-1]), through=lambda each: True):
        callee = instruction.callee if isinstance(instruction, Call) else None
        if isinstance(callee, GlobalAddress) and _is_of_world(program, callee.name):
            return callee.name
    return None


def _compares_pointers(function: Function, block: int) -> bool:
    """Whether a branch depends on a comparison of pointers of which each comes from somewhere else, from the input."""
    for _, instruction in _origins(function, operands_of(function.blocks[block].body[-1]), through=_is_logical):
        if isinstance(instruction, Compare) and isinstance(instruction.type, PointerType):
            left, right = (_inputs(function, each) for each in (instruction.left, instruction.right))
            if left and right and left.isdisjoint(right):
                return True
    return False


def _inputs(function: Function, pointer: Operand) -> set[int]:
    """The registers of parameters and loads from which a pointer comes."""
    found = _origins(function, [pointer], through=_is_same_object)
    return {index for index, made in found if made is None or isinstance(made, Load)}


def _is_logical(instruction: Instruction) -> bool:
    return isinstance(instruction, Phi | Select | Freeze | Cast | Binary)


def _is_same_object(instruction: Instruction) -> bool:
    return isinstance(instruction, Phi | Select | Freeze | GetElementPointer)


def _origins(
    function: Function, operands: Iterable[Operand], through: Callable[[Instruction], bool]
) -> Iterator[tuple[int, Instruction | None]]:
    """The registers among these operands and, ``through`` instructions that say so, those from which they come.

    Each has what made it, or None for a parameter.
    """
    made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}
    waiting, seen = [*operands], set[int]()
    while waiting and len(seen) < _DEEP:
        operand = waiting.pop()
        if not isinstance(operand, Register) or operand.index in seen:
            continue
        seen.add(operand.index)
        instruction = made.get(operand.index)
        yield operand.index, instruction
        if instruction is not None and not isinstance(instruction, Call) and through(instruction):
            waiting += operands_of(instruction)


def _is_of_world(program: Program, name: str) -> bool:
    is_own = name in program.defined and name not in program.library
    return not is_own and name not in CLOSED and not name.startswith(_OURS)
