"""A test case: a path's inputs, the expected end of a run on them, and a native run's opinion of its fault."""

from __future__ import annotations

import math
import struct
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

from unfork.engine.protocols.outcome import Failed, Fault, Halted, Outcome
from unfork.engine.state.inputs import InputObject
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.merge_rules import OneOf
from unfork.engine.state.state import EitherOutput, OutputPrefix, State
from unfork.engine.state.threads import THREADS, ThreadTurn
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term
from unfork.program.c.escape import escape_text
from unfork.program.facts.own_source import own_position
from unfork.program.llvm.types import Position
from unfork.world.inputs import command as commands
from unfork.world.inputs import heap_data as heaps
from unfork.world.inputs.arguments import ARGUMENT, COUNT, ENVIRONMENT
from unfork.world.inputs.command import PLAIN, CommandLine
from unfork.world.inputs.heap_data import Heap
from unfork.world.inputs.input_values import byte_of_object, unique_name
from unfork.world.kernel.contents import name_of
from unfork.world.kernel.kernel_tables import KERNEL
from unfork.world.library.fuzz_input import DATA, INPUT, SIZE


class NativeVisibility(Enum):
    """Which native runs must show a fault. One that takes the same path and exits normally refutes the fault."""

    NONE = 0
    """None: no sanitizer checks for this fault, or not everywhere."""
    SANITIZED = 1
    """Runs of a program compiled with sanitizers."""
    ANY = 2
    """All: the fault ends the program."""


class NativeOpinion(Enum):
    """The opinion in one word, as the summary prints it."""

    CONFIRMED = "confirmed"
    """The native run fails in the same way."""
    NOT_SEEN = "not seen"
    """The native run does not fail, but need not."""
    UNCHECKED = "unchecked"
    """No native run, or none known to have reached the source location."""
    DENIED = "denied"
    """The native run had to fail, and did not."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A word and its reason; no reason for a confirmed fault."""

    word: NativeOpinion
    reason: str | None


NOT_ASKED = Opinion(NativeOpinion.UNCHECKED, None)


_UNSIGNED = frozenset(
    ["bool", "_Bool", "size_t", "u8", "u16", "u32", "uchar", "ushort", "uint", "ulong", "ulonglong", "uint128"]
)
_READABLE = 64
"""Longest run of consecutive unwritten values listed one by one."""
_GIVEN = frozenset(["symbolic", "nondet", "argument", ENVIRONMENT, "stdin", "file", LAZY])
"""Kinds of inputs that a native run can set."""
_TEXTS = (ARGUMENT, ENVIRONMENT, "file")
_FLOATS = {"float": (4, "<f"), "double": (8, "<d")}


@dataclass(frozen=True, slots=True)
class TestInput:
    """One input; ``kind`` as in state.inputs.Input."""

    __test__ = False

    name: str
    kind: str
    type: str | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Exit:
    """The program exits. ``status`` None: by abort()."""

    status: int | None


@dataclass(frozen=True, slots=True)
class Error:
    """The program fails. ``function`` is None unless it lacks debug information."""

    kind: str
    file: str | None
    line: int | None
    is_near: bool = False
    """Whether the line is only the nearest known one."""
    function: str | None = None

    def words(self) -> str:
        where = "" if self.file is None else f" {'near' if self.is_near else 'at'} {escape_text(self.file)}:{self.line}"
        return self.kind + (f" in {escape_text(self.function)}" if self.function is not None else "") + where


Expectation = Exit | Error | None
"""None: the path was cut before its end."""


@dataclass(frozen=True, slots=True)
class TestCase:
    """``program``: the files as the user named them; ``branches``: the edges that the test covers.

    ``args``, ``stdin``, ``files`` and ``environment`` are the concrete form of ``command``; a None variable is
    unset. ``stdout`` is the predicted output, None if unknown.
    """

    __test__ = False

    program: tuple[str, ...]
    inputs: tuple[TestInput, ...]
    expect: Expectation
    branches: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    files: tuple[tuple[str, bytes], ...] = ()
    command: CommandLine = PLAIN
    stdout: bytes | None = None
    schedule: tuple[ThreadTurn, ...] = ()
    environment: tuple[tuple[str, bytes | None], ...] = ()

    def variables(self) -> list[bytes]:
        return [
            name.encode("utf-8", "surrogateescape") + b"=" + value
            for name, value in self.environment
            if value is not None
        ]

    def expects_leak(self) -> bool:
        return isinstance(self.expect, Error) and self.expect.kind == "leak"

    def needs_engine(self) -> bool:
        """Whether only the engine is sure to follow this path, because it may depend on values that a native run
        cannot choose.
        """
        return self.has_unwritten() or self.has_failures()

    def has_unwritten(self) -> bool:
        """Whether the path read uninitialised bytes or undefined registers, relevant or not."""
        return any(test_input.kind == "uninit" for test_input in self.inputs)

    def asks(self) -> bool:
        """Whether the program calls functions for inputs, which only a harness provides."""
        return any(test_input.kind in ("symbolic", "nondet") for test_input in self.inputs)

    def is_given(self) -> bool:
        """Whether a native run can set all inputs of the path."""
        return all(test_input.kind in _GIVEN for test_input in self.inputs)

    def has_failures(self) -> bool:
        return any(test_input.kind == "failure" and any(test_input.data) for test_input in self.inputs)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of a replay: its end, its fault with concrete values, its output."""

    end: Expectation
    fault: Fault | None
    stdout: bytes | None
    instructions: int
    heap: Heap | None = None
    """A function's input heap as the run left it at the fault."""
    sight: NativeVisibility = NativeVisibility.NONE
    """The native runs that must show the fault."""
    asked: tuple[str, ...] = ()
    """The program's queries to its surroundings until then; a native run may get other answers."""


def of_state(
    state: State, outcome: Outcome | None, program: tuple[str, ...], command: CommandLine, branches: tuple[str, ...]
) -> TestCase:
    """A path's test case under the model of its path condition. Without ``outcome``, the path was cut.

    A path that has ended does not count unwritten bytes that it only copied: they read as zeros, and no value makes
    a difference.
    """
    model = state.path.model()
    expect = None if outcome is None else expectation(outcome, state)
    records = _inputs_on_path(state, model)
    if outcome is not None and expect is not None and not _may_need_all(outcome, state, model):
        shown = _shown_by(outcome, state)
        records = [(name, each) for name, each in records if each.kind != "uninit" or _matters(state, each, shown)]
    inputs = _together([(name, record, _data(record, model)) for name, record in records])
    command = replace(command, heap=heaps.of_state(state, model))
    test = of_inputs(program, tuple(inputs), expect, branches, command, predicted_output(state, model))
    threads = state.remembered[THREADS]
    return test if threads is None else replace(test, schedule=tuple(threads.turns()))


def _data(record: InputObject, model: Model) -> bytes:
    return b"".join([evaluate(value, model).to_bytes(size, "little") for value, size in record.leaves])


def _together(inputs: list[tuple[str, InputObject, bytes]]) -> list[TestInput]:
    """The inputs; many unwritten bytes of one object, read in order, become one input."""
    test_inputs: list[TestInput] = []
    run: list[TestInput] = []
    following: tuple[str, int, str] | None = None
    """The bytes that would continue the run."""
    for name, record, data in inputs:
        part = byte_of_object(name) if record.kind == "uninit" else None
        if part is None or part != following:
            test_inputs += _join_run(run)
            run = []
        run.append(TestInput(name, record.kind, record.type_name, data))
        following = None if part is None else (part[0], part[1] + len(data), part[2])
    return test_inputs + _join_run(run)


def _join_run(run: list[TestInput]) -> list[TestInput]:
    if len(run) <= _READABLE:
        return run
    return [replace(run[0], data=b"".join([test_input.data for test_input in run]))]


def _inputs_on_path(state: State, model: Model) -> list[tuple[str, InputObject]]:
    """The inputs on the model's path, with their names there.

    A joined path may have numbered more inputs of a name than the single path.
    """
    if all(record.guard == 1 and not record.is_latent for record in state.inputs):
        return [(record.name, record) for record in state.inputs]
    counts: dict[str, int] = {}
    records = [
        record
        for record in state.inputs
        if evaluate(record.guard, model) and (not record.is_latent or _matters(state, record))
    ]
    return [(unique_name(counts, record.base or record.name), record) for record in records]


def _matters(state: State, record: InputObject, shown: Collection[Term] = ()) -> bool:
    """Whether the path or its ``shown`` terms depend on an input. If not, a replay may use zeros."""
    slices = state.path.slices
    symbols = [symbol for value, _ in record.leaves if isinstance(value, Term) for symbol in value.symbols]
    return any(symbol in slices or symbol in shown for symbol in symbols)


def _may_need_all(outcome: Outcome, state: State, model: Model) -> bool:
    """Whether unwritten bytes outside the path condition and ``_shown_by`` may matter."""
    is_error = isinstance(outcome, Failed) and outcome.fault.kind == "uninitialised"
    return is_error or _file(state, model) is not None


def _shown_by(outcome: Outcome, state: State) -> set[Term]:
    """The symbols in a path's visible end, apart from its path condition: exit status, output, requested inputs."""
    values = [record.guard for record in state.inputs]
    if isinstance(outcome, Halted):
        values.append(outcome.status)
    seen: set[int] = set()
    waiting = [state.output]
    while waiting:
        output = waiting.pop()
        if output is None or id(output) in seen:
            continue
        seen.add(id(output))
        if isinstance(output, EitherOutput):
            values.append(output.guard)
            waiting += [output.first, output.second]
            continue
        earlier, _, written = output
        waiting.append(earlier)
        if isinstance(written, OutputPrefix):
            values += [written.length, *written.values]
        elif isinstance(written, tuple):
            values += written
    return {symbol for value in values if isinstance(value, Term) for symbol in value.symbols}


def of_inputs(
    program: tuple[str, ...],
    inputs: tuple[TestInput, ...],
    expect: Expectation,
    branches: tuple[str, ...],
    command: CommandLine,
    stdout: bytes | None,
) -> TestCase:
    """A test whose arguments, standard input and files follow from its inputs."""
    args = commands.concrete(command.words, [test_input.data for test_input in inputs if test_input.kind == "argument"])
    contents = {test_input.name: test_input.data for test_input in inputs if test_input.kind in ("stdin", "file")}
    given = command.given if command.stdin is None else contents.get("stdin", bytes(command.stdin))
    files = [(name, contents.get(f"{name}-data", bytes(size))) for name, size in command.symbolic_files().items()]
    if command.has_input_file or command.has_input_stdin:
        size = next((int.from_bytes(each.data, "little") for each in inputs if each.name == SIZE), 0)
        data = contents.get(DATA, bytes(size))
        files += [(INPUT, data)] if command.has_input_file else []
        given = data if command.has_input_stdin else given
    variables = commands.concrete_variables(command, {test_input.name: test_input.data for test_input in inputs})
    test = TestCase(program, inputs, expect, branches, args, given, (*files, *command.seeds), command, stdout)
    return replace(test, environment=variables)


def fuzzer_input(test: TestCase) -> bytes | None:
    """The input that the path gave to a fuzz target, in memory or as a file; None if it asked for none."""
    return next((each.data for each in test.inputs if each.name == DATA), None)


def as_file(test: TestCase, *, is_target: bool) -> TestCase:
    """The test with a fuzzer's input outside of the program: a file for the main of a target, else standard input."""
    data = fuzzer_input(test)
    if data is None or not test.asks():
        return test
    inputs = tuple([replace(each, kind="file") if each.name in (SIZE, DATA) else each for each in test.inputs])
    if is_target:
        return replace(test, inputs=inputs, args=(INPUT,), files=(*test.files, (INPUT, data)))
    return replace(test, inputs=inputs, stdin=data)


def missing(test: TestCase) -> str | None:
    """Why no native run can have the test's files, all of which must be in the current directory; None if one can."""
    for name, _ in test.files:
        if name.startswith("/") or ".." in name.split("/"):
            return f"the file {name} is not in the current directory"
    return None


def expectation(outcome: Outcome, state: State) -> Expectation:
    """The expected end of a run on the path of ``outcome``, in the model of its path condition."""
    match outcome:
        case Halted(_, "exit", status):
            return Exit(evaluate(status, state.path.model()) & 0xFF)
        case Halted(_, "abort", _):
            return Exit(None)
        case Failed(_, fault):
            return error_of(fault)
        case _:
            return None


def error_of(fault: Fault) -> Error:
    """The kind and source location of a fault, by which tests and reports identify it."""
    position, unplaced = _location_of(fault)
    if position is None:
        return Error(fault.kind, None, None, function=unplaced)
    return Error(fault.kind, position.file, position.line, position.is_near, unplaced)


def function_of(fault: Fault) -> str | None:
    """The function that a fault is reported in."""
    position, unplaced = _location_of(fault)
    return position.function if unplaced is None and position is not None else unplaced


def column_of(fault: Fault) -> int | None:
    """The column of a fault, in bytes from 1 on; None if only a line near it is known."""
    position, _ = _location_of(fault)
    return None if position is None or position.is_near else position.column or None


def position_of(fault: Fault) -> Position | None:
    """The position of a fault's reported line."""
    return _location_of(fault)[0]


def _location_of(fault: Fault) -> tuple[Position | None, str | None]:
    """A fault's reported location: the innermost position in the program's own source, through inlining.

    For a function without debug information: its name, and the position of the call that led there, which is only
    near.
    """
    unplaced: str | None = None
    positions = [(fault.position, None)] if fault.position is not None else []
    for start, function in (*positions, *((entry.position, entry.function) for entry in fault.stack)):
        unplaced = function if start is None and unplaced is None else unplaced
        if (position := own_position(start)) is not None:
            return replace(position, is_near=position.is_near or unplaced is not None), unplaced
    return fault.position if unplaced is None else None, unplaced


def value_of(kind: str, data: bytes) -> int | float | str | None:
    """The JSON number for bytes of a C type."""
    return _json_number(number_of(TestInput("", "", kind, data)))


def number_of(test_input: TestInput) -> int | float | None:
    """The input as a number, if its C type or size makes it one; else None."""
    size = len(test_input.data)
    kind = (test_input.type or "").replace("const ", "").strip()
    if kind in _FLOATS:
        expected, code = _FLOATS[kind]
        return float(struct.unpack(code, test_input.data)[0]) if size == expected else None
    if kind == "long double" or "*" in kind or size not in (1, 2, 4, 8, 16):
        return None
    signed = bool(kind) and not ("unsigned" in kind or kind in _UNSIGNED)
    return int.from_bytes(test_input.data, "little", signed=signed)


def readable_number(test_input: TestInput) -> int | float | None:
    """The number to show; None for text (an argument, a file) and other inputs that are no number."""
    is_text = test_input.kind in _TEXTS and not test_input.name.startswith(COUNT) and not is_choice(test_input)
    return None if is_text else number_of(test_input)


def is_choice(test_input: TestInput) -> bool:
    """Whether the input says if an environment variable is set."""
    return test_input.kind == ENVIRONMENT and test_input.name.endswith("-env-set")


def _json_number(number: float | None) -> int | float | str | None:
    """JSON has no NaN and no infinities: they become text."""
    return str(number) if isinstance(number, float) and not math.isfinite(number) else number


_LEAST_INT, _LEAST_LONG = -(2**31), -(2**63)


def literal(entry: TestInput) -> str | None:
    """A C constant of the input's value; None if == cannot identify it (NaN, -0.0), or C has none."""
    number = number_of(entry)
    if "*" in (entry.type or ""):
        return None if any(entry.data) else "0"
    if isinstance(number, float):
        is_told = math.isfinite(number) and (number != 0 or math.copysign(1, number) > 0)
        return repr(number) if is_told else None
    return None if number is None else c_integer(number)


def c_integer(number: int) -> str | None:
    """An integer as a C constant; None if C has none."""
    if not _LEAST_LONG <= number < 2**64:
        return None
    if number == _LEAST_LONG:
        return f"(-{2**63 - 1}LL - 1)"
    if _LEAST_INT < number < 2**31:
        return str(number)
    return f"{number}LL" if number < 2**63 else f"{number}ULL"


def c_bytes(data: bytes) -> str:
    """Bytes as a C initializer, which must not be empty."""
    return ", ".join(map(str, data)) or "0"


def predicted_output(state: State, model: Model) -> bytes | None:
    """The bytes on standard output; None if some are unknown.

    If standard output is a file (--sym-stdout), the file's contents at the end.
    """
    held = _file(state, model)
    if held is not None:
        return held
    out = []
    for chunk in state.written(1):
        if chunk is None:
            return None
        out.append(chunk if isinstance(chunk, bytes) else bytes([evaluate(value, model) for value in chunk]))
    return b"".join(out)


def _file(state: State, model: Model) -> bytes | None:
    kernel = state.remembered[KERNEL]
    if kernel is None:
        return None
    for number, slot in enumerate(kernel.inodes):
        inode = slot.under(model) if isinstance(slot, OneOf) else slot
        if inode is None or inode.sort != "file" or inode.stream != 1:
            continue
        item = state.memory.objects[name_of(number)]
        size = evaluate(inode.size, model)
        count = min(size, len(item.data))
        return bytes([evaluate(value, model) for value in item.byte_values(0, count)]).ljust(size, b"\0")
    return None
