"""Where covers are looked for: before each turn of a loop, at recursive calls, and at marks."""

from __future__ import annotations

from unfork.engine.state.state import Frame
from unfork.logic.terms.term import Value
from unfork.program.facts import query_count
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.merge_points import MergePoints, MergePointsOf, after_calls
from unfork.program.llvm.ir import Bits, Call, GlobalAddress, Register
from unfork.program.llvm.module import Function, Program

MARK = "unfork_subsume"


def covering_places(program: Program) -> MergePointsOf:
    """Loop heads, and the entries of functions that may call themselves; in a function with marks, the marks alone."""

    def places(function: Function) -> MergePoints:
        marked = after_calls(function, (MARK,))
        blocks: frozenset[int] = frozenset()
        if not marked:
            blocks = control_flow(function).loop_heads
            if _calls_itself(program, function):
                blocks |= {0}
        return MergePoints(blocks, marked, lambda block, index: False)

    return places


def marks_of(name: str) -> MergePointsOf:
    """The marks in the function of that name, and nothing else."""

    def places(function: Function) -> MergePoints:
        marked = after_calls(function, (MARK,)) if function.name == name else frozenset()
        return MergePoints(frozenset(), marked, lambda block, index: False)

    return places


def label(frame: Frame) -> Value | None:
    """The argument of the mark just before the frame's place; None if there is none."""
    call = frame.function.blocks[frame.block].body[frame.index - 1] if frame.index else None
    if not isinstance(call, Call) or not isinstance(call.callee, GlobalAddress) or call.callee.name != MARK:
        return None
    match call.arguments[0]:
        case Bits(value=value):
            return value
        case Register(index=index):
            argument: Value = frame.registers[index]
            return argument
    return 0


def _calls_itself(program: Program, function: Function) -> bool:
    """Whether direct calls lead from the function back to it."""
    reached: set[str] = set()
    pending = list(query_count.callees(function))
    while pending:
        name = pending.pop()
        if name == function.name:
            return True
        if name not in reached and name in program.defined:
            reached.add(name)
            pending.extend(query_count.callees(program.function(name)))
    return False
