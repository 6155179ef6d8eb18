"""Which variables of the environment a program's functions look up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from unfork.program.facts.library_calls import calling, leading_to, named_call
from unfork.program.llvm.ir import ByteString, GlobalAddress, Operand
from unfork.program.llvm.module import Program

_LOOKING_UP = frozenset(("getenv", "secure_getenv"))


@lru_cache(maxsize=4)
def looked_up_variables(program: Program) -> Mapping[str, tuple[str, ...]]:
    """By function of the program's own, the constant names that it looks up, or one that it calls."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in calling(program, _LOOKING_UP):
        variables = [*_looked_up(program, name)]
        for each in leading_to(program, (name,)):
            found[each] += variables
    return {name: tuple(dict.fromkeys(variables)) for name, variables in found.items() if variables}


def _looked_up(program: Program, name: str) -> Iterator[str]:
    for each in program.function(name).instructions():
        call = named_call(each)
        if call is not None and call.name in _LOOKING_UP and call.arguments:
            text = _text(program, call.arguments[0])
            if text:
                yield text


def _text(program: Program, operand: Operand) -> str:
    """The constant text at an address; "" for any other."""
    match operand:
        case GlobalAddress(name=name) if name in program.globals:
            held = program.globals[name]
            if held.constant and isinstance(held.initializer, ByteString):
                return held.initializer.data.partition(b"\0")[0].decode("ascii", "ignore")
    return ""
