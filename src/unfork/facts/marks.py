"""Where calls in the text mark places of the IR: where states are joined, and where assertions stand."""

from __future__ import annotations

from collections.abc import Mapping

from unfork.clang.annotations import Annotation, read_annotation
from unfork.clang.calls import ASSERTED, END
from unfork.errors import InputError
from unfork.facts.merge_points import MERGE_ENDS, after_calls, merge_ends
from unfork.llvm.ir import Bits, ByteString, Call, GlobalAddress
from unfork.llvm.module import Function, Program

Mark = tuple[str, int, int]
"""The name of a function, a block, the index of the instruction after the call."""
Place = tuple[str, int, int]
"""A file, a line and a column, as an Assertion has them."""


def annotation_marks(program: Program) -> Mapping[Mark, tuple[Annotation, str]]:
    """The annotation of each mark, and its place for messages. Raises InputError for a malformed one."""
    marks: dict[Mark, tuple[Annotation, str]] = {}
    for name in program.callers(END):
        function = program.function(name)
        for block, index in after_calls(function, (END,)):
            call = function.blocks[block].body[index - 1]
            assert isinstance(call, Call)
            where = _where(call, name)
            marks[name, block, index] = _annotation(program, call, where), where
    return marks


def closing_marks(program: Program) -> list[Mark]:
    """The marks, calls or annotations, at which the program ends a stretch to be merged."""
    callers = dict.fromkeys(caller for name in MERGE_ENDS for caller in program.callers(name))
    return [(name, *place) for name in callers for place in sorted(merge_ends(program.function(name)))]


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


def asserted_places(function: Function) -> Mapping[Place, tuple[int, int]]:
    """The instructions, as block and index, in front of which the assertions of a function hold."""
    places: dict[Place, tuple[int, int]] = {}
    for block, index in sorted(after_calls(function, (ASSERTED,))):
        call = function.blocks[block].body[index - 1]
        match call:
            case Call(arguments=(Bits(value=line), Bits(value=column)), position=position) if position is not None:
                places[position.file, line, column] = (block, index)
    return places
