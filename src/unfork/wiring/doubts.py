"""Why a proof about a program may not hold for all that a competition lets the program do."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.library.closed_functions import CLOSED, ENDINGS
from unfork.library.verifier_api import MODELS, NONDET_PREFIX
from unfork.program.cfg import control_flow
from unfork.program.ir import Call, GlobalAddress, Return
from unfork.program.module import GlobalVariable, Program
from unfork.program.uses import registers_read

_OURS = ("llvm.", "__ubsan_handle_", "unfork_", NONDET_PREFIX)
"""Names of functions that are no part of the world begin so."""


def doubts(program: Program) -> Iterator[str]:
    """What the program asks of the world, where a run gives it one answer of many; in words."""
    if _looks_at_arguments(program):
        yield "main looks at its arguments, of which the run gives one choice"
    for name in sorted(program.mentioned()):
        if name in CLOSED or name in MODELS or name.startswith(_OURS):
            continue
        variable = _library_variable(program, name)
        if variable is None and (name in program.declarations or name in program.library):
            yield f"the result of {name}() is one choice of many"
        elif variable is not None and not variable.constant:  # as stdin and its like are
            yield f"what the library keeps in {name} is one choice of many"


def _library_variable(program: Program, name: str) -> GlobalVariable | None:
    """The variable of that name, if a library defines it."""
    target = program.aliases.get(name)
    name = target.name if isinstance(target, GlobalAddress) else name
    return program.globals[name] if name in program.library and name in program.globals else None


def returns(program: Program, name: str) -> bool:
    """Whether a call of the function may come back, for all that is known."""
    if name not in program.defined:
        return True
    function = program.function(name)
    successors = control_flow(function).successors
    waiting, seen = [0], {0}
    while waiting:
        block = waiting.pop()
        for instruction in function.blocks[block].body:
            if isinstance(instruction, Return):
                return True
            if isinstance(instruction, Call) and _ends_program(instruction):
                break
        else:
            waiting += [each for each in successors[block] if each not in seen]
            seen.update(successors[block])
    return False


def _ends_program(call: Call) -> bool:
    return isinstance(call.callee, GlobalAddress) and call.callee.name in ENDINGS


def _looks_at_arguments(program: Program) -> bool:
    """Whether main has parameters and reads them."""
    if "main" not in program.defined:
        return False
    main = program.function("main")
    count = len(main.type.parameters)
    return any(number < count for instruction in main.instructions() for number in registers_read(instruction))
