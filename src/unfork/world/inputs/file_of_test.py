"""The file of a test: its JSON, written and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from unfork.checked_json import Hex, parse, readable_text, text
from unfork.engine.state.threads import ThreadTurn
from unfork.errors import InputError
from unfork.world.inputs.command import (
    CommandLine,
    EnvironmentVariable,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    Word,
    check,
    with_files,
    with_variables,
)
from unfork.world.inputs.heap_data import (
    FunctionAddress,
    Heap,
    HeapAddress,
    HeapArgument,
    HeapCell,
    HeapObject,
    OutsideLocation,
    Reference,
    bytes_of,
)
from unfork.world.inputs.testcase import Error, Exit, Expectation, TestCase, TestInput, value_of
from unfork.world.library.fuzz_input import INPUT, INPUT_SIZE


class InputData(Struct, frozen=True, kw_only=True):
    """One input. Its bytes count; ``size`` and ``value`` are for readers."""

    name: str
    type: str | None = None
    size: Any = None
    bytes: Hex
    value: Any = None
    kind: str = "symbolic"


class CommandData(Struct, frozen=True, omit_defaults=True):
    """The command; a list of numbers is a symbolic word.

    ``environment``: the symbolic variables with their greatest sizes in bytes; ``named``: symbolic files;
    ``input_size``: the most bytes of a fuzzer's input, which is a file or standard input if the last two say so.
    """

    words: tuple[str | tuple[int, ...], ...]
    stdin: int | None
    files: tuple[int, int]
    stdout: bool
    fail: int
    environment: tuple[tuple[str, int], ...] = ()
    named: tuple[tuple[str, int], ...] = ()
    input_size: int = INPUT_SIZE
    input_file: bool = False
    input_stdin: bool = False


class ExitData(Struct, frozen=True, tag_field="end", tag="exit"):
    """The program exits."""

    status: int


class AbortData(Struct, frozen=True, tag_field="end", tag="abort"):
    """The program calls abort()."""


class ErrorData(Struct, frozen=True, tag_field="end", tag="error", omit_defaults=True):
    """The program fails."""

    kind: str
    file: str | None
    line: int | None
    line_is_nearest: bool = False
    function: str | None = None


class ArgumentData(Struct, frozen=True):
    """An argument of a function: a pointer, a struct copied from a pointer, or bytes."""

    name: str
    type: str
    pointer: str | UnsetType | None = UNSET
    copy: str | UnsetType | None = UNSET
    bytes: Hex | UnsetType = UNSET
    value: Any = UNSET


class CellData(Struct, frozen=True, omit_defaults=True):
    """A number or a pointer in an object."""

    path: str
    offset: int
    size: int
    type: str
    pointer: str | UnsetType | None = UNSET
    value: Any = UNSET
    const: bool = False
    untouched: bool = False


class ObjectData(Struct, frozen=True, kw_only=True):
    """An object of the heap; variables of the program have ``variable`` and ``foreign``."""

    name: str
    type: str
    length: int
    tail: int | UnsetType = UNSET
    text: bool
    variable: str | UnsetType = UNSET
    foreign: bool | UnsetType = UNSET
    bytes: Hex
    cells: tuple[CellData, ...]


class HeapData(Struct, frozen=True):
    """The input heap of a function. Pointers are null, "&NAME", "&NAME+OFFSET", "function NAME", "elsewhere WHAT"."""

    function: str
    arguments: tuple[ArgumentData, ...]
    objects: tuple[ObjectData, ...]


class TestData(Struct, frozen=True, kw_only=True):
    """A test. One written by hand may lack a command: it is concrete then.

    A null in ``environment`` is an unset variable.
    """

    __test__ = False

    program: tuple[str, ...]
    inputs: tuple[InputData, ...]
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    files: dict[str, bytes] = {}
    environment: dict[str, bytes | None] | UnsetType = UNSET
    command: CommandData | None = None
    stdout: bytes | None = None
    expect: ExitData | AbortData | ErrorData | None = None
    branches: tuple[str, ...] = ()
    schedule: tuple[ThreadTurn, ...] | UnsetType = UNSET
    heap: HeapData | UnsetType = UNSET


def to_json(test: TestCase) -> str:
    """The test as JSON."""
    return readable_text(_data(test))


def reread(test: TestCase, name: str) -> TestCase:
    """The test as read back from its file ``name``."""
    return from_json(text(_data(test)), name)  # much faster without line breaks


def from_json(text: str | bytes, name: str) -> TestCase:
    """The test in ``text``, the contents of the file ``name``. Raises InputError for an invalid one."""
    try:
        return _test(parse(text, TestData))
    except (ValueError, InputError) as problem:
        raise InputError(f"{name} is not a test file ({str(problem).splitlines()[0]})") from None


def _data(test: TestCase) -> TestData:
    return TestData(
        program=test.program,
        inputs=tuple(
            [
                InputData(
                    name=entry.name,
                    type=entry.type,
                    size=len(entry.data),
                    bytes=Hex(entry.data),
                    value=value_of(entry.type or "", entry.data),
                    kind=entry.kind,
                )
                for entry in test.inputs
            ]
        ),
        args=test.args,
        stdin=test.stdin,
        files=dict(test.files),
        environment=dict(test.environment) or UNSET,
        command=_command_data(test.command),
        stdout=test.stdout,
        expect=_end_data(test.expect),
        branches=test.branches,
        schedule=test.schedule or UNSET,
        heap=UNSET if test.command.heap is None else heap_data(test.command.heap),
    )


def _test(data: TestData) -> TestCase:
    files = tuple(data.files.items())
    heap = None if isinstance(data.heap, UnsetType) else heap_of(data.heap)
    variables = () if isinstance(data.environment, UnsetType) else tuple(data.environment.items())
    command = CommandLine(data.args, given=data.stdin, seeds=files, environment=_set_variables(variables))
    if data.command is not None:
        command = _command(data.command, data.stdin, files, variables)
    return TestCase(
        data.program,
        tuple([TestInput(entry.name, entry.kind, entry.type, bytes(entry.bytes)) for entry in data.inputs]),
        _end(data.expect),
        data.branches,
        data.args,
        data.stdin,
        files,
        replace(command, heap=heap),
        data.stdout,
        () if isinstance(data.schedule, UnsetType) else data.schedule,
        variables,
    )


def _end_data(expect: Expectation) -> ExitData | AbortData | ErrorData | None:
    match expect:
        case Exit(status):
            return AbortData() if status is None else ExitData(status)
        case Error(kind, file, line, is_near, function):
            return ErrorData(kind, file, line, is_near, function)
        case None:
            return None


def _end(data: ExitData | AbortData | ErrorData | None) -> Expectation:
    match data:
        case AbortData():
            return Exit(None)
        case ExitData(status):
            return Exit(status)
        case ErrorData(kind, file, line, is_near, function):
            return Error(kind, file, line, is_near, function)
        case None:
            return None


# --- the command -----------------------------------------------------------------------------------------------------


def _command_data(command: CommandLine) -> CommandData:
    words: list[str | tuple[int, ...]] = []
    for word in command.words:
        match word:
            case str():
                words.append(word)
            case SymbolicArgument(length):
                words.append((length,))
            case SymbolicArguments(least, most, length):
                words.append((least, most, length))
    surroundings = command.stdin, command.files, command.symbolic_stdout, command.failures
    variables = tuple([(each.name, each.length) for each in command.symbolic_variables()])
    of_input = command.input_size, command.has_input_file, command.has_input_stdin
    return CommandData(tuple(words), *surroundings, variables, command.named, *of_input)


_Variables = Sequence[tuple[str, bytes | None]]


def _set_variables(variables: _Variables) -> tuple[EnvironmentVariable, ...]:
    return tuple([EnvironmentVariable(name, value) for name, value in variables if value is not None])


def _command(data: CommandData, given: bytes, files: Sequence[tuple[str, bytes]], variables: _Variables) -> CommandLine:
    words: list[Word] = []
    for word in data.words:
        match word:
            case str():
                words.append(word)
            case (length,):
                words.append(SymbolicArgument(length))
            case (least, most, length):
                words.append(SymbolicArguments(least, most, length))
            case _:
                raise InputError(f"{list(word)} is no argument - at `$.command.words`")
    concrete = given if data.stdin is None and not data.input_stdin else b""
    command = CommandLine(tuple(words), data.stdin, concrete, data.files, (), data.stdout, data.fail)
    check(command, "command")
    lengths = dict(data.environment)
    command = with_variables(command, _set_variables([each for each in variables if each[0] not in lengths]))
    command = with_variables(command, [SymbolicVariable(*each) for each in data.environment])
    command = with_files(command, data.named)
    command = replace(command, input_size=data.input_size, has_input_file=data.input_file)
    command = replace(command, has_input_stdin=data.input_stdin)
    names = {*command.symbolic_files(), *([INPUT] if data.input_file else [])}
    return replace(command, seeds=tuple([(name, content) for name, content in files if name not in names]))


# --- the heap --------------------------------------------------------------------------------------------------------


def heap_data(heap: Heap) -> HeapData:
    """The heap as data for a test's file."""
    names = [heap_object.name for heap_object in heap.objects]
    return HeapData(
        heap.function,
        tuple([_argument_data(names, argument) for argument in heap.arguments]),
        tuple([_object_data(names, heap_object) for heap_object in heap.objects]),
    )


def _argument_data(names: Sequence[str], argument: HeapArgument) -> ArgumentData:
    name, kind = argument.name, argument.type
    if argument.is_copy:
        return ArgumentData(name, kind, copy=_target_text(names, argument.target))
    if argument.is_pointer:
        return ArgumentData(name, kind, _target_text(names, argument.target))
    return ArgumentData(name, kind, bytes=Hex(argument.data), value=value_of(kind, argument.data))


def _object_data(names: Sequence[str], heap_object: HeapObject) -> ObjectData:
    return ObjectData(
        name=heap_object.name,
        type=heap_object.type,
        length=heap_object.length,
        tail=heap_object.tail or UNSET,
        text=heap_object.is_text,
        variable=heap_object.symbol or UNSET,
        foreign=heap_object.is_foreign if heap_object.symbol else UNSET,
        bytes=Hex(heap_object.data),
        cells=tuple([_cell_data(names, heap_object, cell) for cell in heap_object.cells]),
    )


def _cell_data(names: Sequence[str], heap_object: HeapObject, cell: HeapCell) -> CellData:
    pointer = _target_text(names, cell.target) if cell.is_pointer else UNSET
    value = UNSET if cell.is_pointer else value_of(cell.type, bytes_of(cell, heap_object.data))
    return CellData(cell.path, cell.offset, cell.size, cell.type, pointer, value, cell.is_const, not cell.is_touched)


def _target_text(names: Sequence[str], target: Reference) -> str | None:
    match target:
        case None:
            return None
        case FunctionAddress(name):
            return f"function {name}"
        case OutsideLocation(what):
            return f"elsewhere {what}"
        case HeapAddress(index, offset):
            return f"&{names[index]}" + (f"+{offset}" if offset else "")


def heap_of(data: HeapData) -> Heap:
    """The heap of a test's file. Raises ValueError for an invalid one."""
    names = [entry.name for entry in data.objects]
    if len(set(names)) != len(names):
        raise ValueError("two objects of one name")
    return Heap(
        data.function,
        tuple([_argument(names, entry) for entry in data.arguments]),
        tuple([_object(names, entry) for entry in data.objects]),
    )


def _argument(names: Sequence[str], data: ArgumentData) -> HeapArgument:
    if not isinstance(data.pointer, UnsetType):
        return HeapArgument(data.name, data.type, b"", True, _target(names, data.pointer))
    if not isinstance(data.copy, UnsetType):
        target = _target(names, data.copy)
        if not isinstance(target, HeapAddress):
            raise ValueError(f"{data.name} is the copy of no object")
        return HeapArgument(data.name, data.type, b"", True, target, is_copy=True)
    if isinstance(data.bytes, UnsetType):
        raise ValueError(f"{data.name} has neither bytes nor a pointer")
    return HeapArgument(data.name, data.type, bytes(data.bytes))


def _object(names: Sequence[str], entry: ObjectData) -> HeapObject:
    cells = []
    for cell in entry.cells:
        if not 0 <= cell.offset <= cell.offset + cell.size <= len(entry.bytes):
            raise ValueError(f"{cell.path} is not in {entry.name}")
        is_pointer = not isinstance(cell.pointer, UnsetType)
        target = None if isinstance(cell.pointer, UnsetType) else _target(names, cell.pointer)
        kind = cell.type, is_pointer, target
        cells.append(HeapCell(cell.path, cell.offset, cell.size, *kind, not cell.untouched, cell.const))
    return HeapObject(
        entry.name,
        entry.type,
        entry.length,
        bytes(entry.bytes),
        tuple(cells),
        entry.text,
        entry.variable or "",
        bool(entry.foreign),
        entry.tail or 0,
    )


def _target(names: Sequence[str], text: str | None) -> Reference:
    if text is None:
        return None
    if text.startswith("function "):
        return FunctionAddress(text.removeprefix("function "))
    if text.startswith("elsewhere "):
        return OutsideLocation(text.removeprefix("elsewhere "))
    name, plus, offset = text.removeprefix("&").rpartition("+")
    if not plus or not offset.isdecimal():
        name, offset = text.removeprefix("&"), "0"
    return HeapAddress(names.index(name), int(offset))
