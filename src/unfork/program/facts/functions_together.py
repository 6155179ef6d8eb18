"""The functions that a project offers its users side by side, in variables of a struct type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from unfork.errors import Unsupported
from unfork.program.llvm import layout
from unfork.program.llvm.c_types import Array, RecordType
from unfork.program.llvm.ir import Aggregate, GlobalAddress, Operand
from unfork.program.llvm.module import Program


@lru_cache(maxsize=4)
def functions_together(program: Program) -> Mapping[RecordType, Sequence[Mapping[int, str]]]:
    """By struct, the functions in each one that a variable begins with, by offset in bytes; not of static variables."""
    found: dict[RecordType, list[Mapping[int, str]]] = defaultdict(list)
    for name in program.globals:
        if name in program.aliases:
            continue
        try:
            held = program.globals[name]
        except Unsupported:
            continue  # reported when the program accesses it
        variable = program.c_types.variable(held.reference) if held.reference else None
        if held.initializer is None or variable is None or variable.is_static:
            continue
        kind = variable.type.element if isinstance(variable.type, Array) else variable.type
        functions = _functions_in(program, held.initializer)
        if isinstance(kind, RecordType) and functions:
            for start in range(0, variable.type.size, kind.size):
                found[kind].append(
                    {at - start: functions[at] for at in range(start, start + kind.size) if at in functions}
                )
    return found


def _functions_in(program: Program, initializer: Operand) -> dict[int, str]:
    """The functions that an initial value names, by offset."""
    functions, waiting = {}, [(0, initializer)]
    while waiting:
        offset, operand = waiting.pop()
        match operand:
            case Aggregate(elements=elements, type=kind):
                waiting += [(offset + at, part) for (at, _), part in zip(layout.parts_of(kind), elements, strict=True)]
            case GlobalAddress(name=name) if name in program.functions:
                functions[offset] = name
    return functions
