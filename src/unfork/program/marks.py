"""Where annotations join: the places of a program behind the calls that stand for them, read from the IR."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.errors import InputError
from unfork.program.annotations import END, Annotation, read_annotation
from unfork.program.ir import Bits, ByteString, Call, GlobalAddress
from unfork.program.module import Program

Mark = tuple[str, int, int]
"""The name of a function, a block, the index of the instruction behind the call."""


def annotation_marks(program: Program) -> Mapping[Mark, tuple[Annotation, str]]:
    """The annotation of each mark, and its place for messages. Raises InputError for a malformed one."""
    found: dict[Mark, tuple[Annotation, str]] = {}
    for name in program.callers(END):
        for block in program.function(name).blocks:
            for index, one in enumerate(block.body):
                if isinstance(one, Call) and one.callee == GlobalAddress(END):
                    where = _where(one, name)
                    found[name, block.index, index + 1] = _annotation(program, one, where), where
    return found


def _where(call: Call, name: str) -> str:
    line = call.arguments[2] if len(call.arguments) == 3 else None
    return f"{call.position.file}:{line.value}" if call.position and isinstance(line, Bits) else name


def _annotation(program: Program, call: Call, where: str) -> Annotation:
    text = call.arguments[0] if call.arguments else None
    known = program.globals[text.name].initializer if isinstance(text, GlobalAddress) else None
    if not isinstance(known, ByteString):
        raise InputError(f"{where}: {END} takes a string literal")
    try:
        return read_annotation(known.data.rstrip(b"\0").decode("utf-8", "replace"))
    except ValueError as problem:
        raise InputError(f"{where}: {problem}") from None
