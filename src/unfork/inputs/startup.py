"""What a C library's start-up code would leave in its variables: the program's name and its environment."""

from __future__ import annotations

from unfork.execute.step import Step
from unfork.llvm.ir import GlobalAddress
from unfork.llvm.module import Program
from unfork.state.memory import SLOT_BITS

_ENVIRONMENT = "__environ"
_NAMES = ("__progname", "__progname_full")


def is_read(program: Program) -> bool:
    """Whether a C library that is part of ``program`` has such variables."""
    return any(_variable(program, name) for name in (_ENVIRONMENT, *_NAMES))


def tell(step: Step, argv: int, envp: int) -> None:
    """Point the library's variables at the environment and at the program's name, which has no folder."""
    memory = step.state.memory
    first = memory.objects[argv >> SLOT_BITS].data[:8]
    values = {_ENVIRONMENT: envp, **dict.fromkeys(_NAMES, int.from_bytes(first, "little"))}
    for name, value in values.items():
        if _variable(step.program, name):
            memory.writable(step.statics.address(name) >> SLOT_BITS).write(0, 8, value)


def _variable(program: Program, name: str) -> bool:
    """Whether the program defines the variable, under this name or as an alias."""
    alias = program.aliases.get(name)
    where = alias.name if isinstance(alias, GlobalAddress) else name
    variable = program.globals.get(where)
    return variable is not None and variable.initializer is not None
