"""Inline assembly: templates that have a meaning here. An empty one is a barrier to the compiler and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from unfork.execute.handlers import Arguments, Handler
from unfork.execute.step import Step
from unfork.llvm.ir import Call, InlineAssembly
from unfork.state.state import RegisterValue

_TIED = re.compile(r"\d+$")
_COMMENT = re.compile(r"(#|//)[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Operands:
    """A constraint string taken apart.

    ``outputs`` has the positions, among all outputs, of those that the call yields. ``tied`` maps an output to the
    position of the argument that starts in the same register.
    """

    outputs: tuple[int, ...]
    tied: Mapping[int, int]


def read_constraints(text: str) -> Operands:
    """The operands that an LLVM constraint string declares."""
    outputs: list[int] = []
    tied: dict[int, int] = {}
    output = argument = 0
    for constraint in filter(None, text.split(",")):
        if constraint.startswith(("~", "!")):  # a clobber; a label
            continue
        if constraint.startswith("="):
            if "*" in constraint:  # written through a pointer, which is an argument
                argument += 1
            else:
                outputs.append(output)
            output += 1
            continue
        if _TIED.fullmatch(constraint):
            tied[int(constraint)] = argument
        argument += 1
    return Operands(tuple(outputs), tied)


class Assembly:
    """Finds handlers by template; ``templates`` are those that an environment adds, by exact text."""

    def __init__(self, templates: Mapping[str, Handler]) -> None:
        self._templates = templates

    def find(self, assembly: InlineAssembly) -> Handler | None:
        """The handler of a template, or None if it has no meaning here."""
        handler = self._templates.get(assembly.template)
        if handler is None and not _COMMENT.sub("", assembly.template).strip():
            return _barrier(read_constraints(assembly.constraints))
        return handler


def _barrier(operands: Operands) -> Handler:
    """Every output keeps what was in its register: the tied argument, or a value that is not known."""
    sources = [operands.tied.get(output) for output in operands.outputs]

    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        values = [None if source is None else arguments[source] for source in sources]
        if len(values) == 1:
            return values[0]
        return tuple(values) if values else None

    return run
