"""Whether a call may come back to the function that is proved."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.llvm.ir import Call, GlobalAddress
from unfork.llvm.module import Function, Program


def may_call(program: Program, caller: str, callee: str) -> bool:
    """Whether a function may call another, itself or by others.

    A call of a pointer may be one of any function, and what has no body here may call any.
    """
    waiting, seen = [caller], {caller}
    while waiting:
        name = waiting.pop()
        if name in program.stand_ins:
            return True
        if name not in program.defined or name in program.library:
            continue
        for called in _called(program, program.function(name)):
            if called == callee:
                return True
            if called not in seen:
                seen.add(called)
                waiting.append(called)
    return False


def _called(program: Program, function: Function) -> Iterator[str]:
    for instruction in function.instructions():
        if isinstance(instruction, Call):
            if isinstance(instruction.callee, GlobalAddress):
                yield instruction.callee.name
            else:
                yield from [name for name in program.defined if name not in program.library]
                yield from program.stand_ins
