"""KLEE's .ktest file, version 3: a big-endian binary list of arguments and named objects.

The arguments are those of KLEE's POSIX run-time (``--sym-args 0 2 2``). The objects have its names and order:
n_args, arg00, ... for arguments, then A-data and A-data-stat, stdin and stdin-stat, stdout and stdout-stat,
model_version, then the program's own symbolic objects. KLEE 3 spells them A_data, A_data_stat, stdin_stat.
Environment variables (``--sym-env NAME LEN``) are an addition of unfork, between arguments and files: NAME-env-set,
NAME-env.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace

from unfork.errors import InputError
from unfork.world.inputs.arguments import COUNT, ENVIRONMENT
from unfork.world.inputs.command import (
    PLAIN,
    CommandLine,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    klee_words,
    read,
)
from unfork.world.inputs.testcase import TestCase, TestInput, of_inputs
from unfork.world.library.fuzz_input import INPUT

_MAGIC = b"KTEST"
_VERSION = 3
_STDOUT_SIZE = 1024
_REPEATED = re.compile(r"(.+)#\d+")
_STAT = struct.Struct("<QQQIIIIQqqqqqqqqq24x")
_REGULAR_FILE = 0o100644
Objects = list[tuple[str, bytes]]


def to_ktest(test: TestCase) -> bytes:
    """The bytes of the file, without uninitialised bytes and failing calls: KLEE has no objects for them."""
    test = _with_named_input(test)
    program = test.program[0] if test.program else "program"
    arguments = [program, *klee_words(test.command)]
    objects = [*_world(test), *_objects_of(test, ("symbolic", "nondet"))]
    out = [_MAGIC, struct.pack(">I", _VERSION), struct.pack(">I", len(arguments))]
    out += [_with_size(argument.encode("utf-8", "surrogateescape")) for argument in arguments]
    out += [struct.pack(">II", 0, 0), struct.pack(">I", len(objects))]
    for name, data in objects:
        out += [_with_size(name.encode("utf-8", "surrogateescape")), _with_size(data)]
    return b"".join(out)


def _with_named_input(test: TestCase) -> TestCase:
    """The test with the fuzzer's input as a file, or standard input, of just its size, which KLEE knows."""
    command = test.command
    if command.has_input_stdin:
        return replace(test, command=replace(command, has_input_stdin=False, stdin=len(test.stdin)))
    if not command.has_input_file:
        return test
    named = (INPUT, len(dict(test.files)[INPUT]))
    return replace(test, command=replace(command, has_input_file=False, named=(*command.named, named)))


def _world(test: TestCase) -> Objects:
    command = test.command
    objects = _objects_of(test, ("argument",))
    for variable, (name, value) in zip(command.environment, test.environment, strict=True):
        size = variable.length if isinstance(variable, SymbolicVariable) else len(variable.value)
        objects.append((f"{name}-env-set", bytes([value is not None])))
        objects.append((f"{name}-env", (value or b"").ljust(size + 1, b"\0")))
    contents = dict(test.files)
    files = [(f"{name}-data", contents[name]) for name in command.symbolic_files()]
    if command.stdin:
        files.append(("stdin", test.stdin))
    if command.symbolic_stdout:
        files.append(("stdout", (test.stdout or b"")[:_STDOUT_SIZE].ljust(_STDOUT_SIZE, b"\0")))
    for number, (name, data) in enumerate(files, 1):
        objects += [(name, data), (f"{name}-stat", _stat(number, len(data)))]
    if objects or klee_words(replace(command, words=())):
        objects.append(("model_version", struct.pack("<I", 1)))
    return objects


def _stat(number: int, size: int) -> bytes:
    return _STAT.pack(1, number, 1, _REGULAR_FILE, 1000, 1000, 0, 0, size, 4096, 8, 0, 0, 0, 0, 0, 0)


def _objects_of(test: TestCase, kinds: Sequence[str]) -> Objects:
    """The inputs of these kinds. unfork numbers equal names; KLEE repeats them."""
    names: set[str] = set()
    out = []
    for entry in test.inputs:
        repeated = _REPEATED.fullmatch(entry.name)
        name = repeated[1] if repeated is not None and repeated[1] in names else entry.name
        names.add(name)
        if entry.kind in kinds:
            out.append((name, entry.data))
    return out


def _with_size(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


# --- reading ---------------------------------------------------------------------------------------------------------


def from_ktest(data: bytes, name: str) -> TestCase:
    """The test in the file ``name``, by KLEE or unfork; it has no expected end. Raises InputError."""
    try:
        arguments, objects = _parse(data)
    except (struct.error, ValueError) as problem:
        raise InputError(f"{name} is not a .ktest file ({problem})") from None
    if not arguments:
        raise InputError(f"{name} does not name its program")
    command = read(arguments[1:], PLAIN)
    if command.failures:
        raise InputError(f"{name}: failing calls of KLEE cannot be replayed")
    left = iter(objects)
    try:
        inputs = [*_arguments(left, command), *_others(left, command)]
    except (StopIteration, ValueError):
        raise InputError(f"{name}: its objects do not fit its arguments {' '.join(arguments[1:])}") from None
    return of_inputs((arguments[0],), tuple(inputs), None, (), command, None)


def _parse(data: bytes) -> tuple[list[str], Objects]:
    if data[:5] not in (_MAGIC, b"BOUT\n"):
        raise ValueError("it does not begin with KTEST")
    position = 5

    def number() -> int:
        nonlocal position
        (value,) = struct.unpack_from(">I", data, position)
        position += 4
        return int(value)

    def piece() -> bytes:
        """The next string: its length (32 bits), then its bytes. Raises ValueError if it is cut off."""
        nonlocal position
        size = number()
        if position + size > len(data):
            raise ValueError("it is cut off")
        position += size
        return data[position - size : position]

    version = number()
    if version > _VERSION:
        raise ValueError(f"version {version}")
    arguments = [piece().decode("utf-8", "surrogateescape") for _ in range(number())]
    if version > 1:
        number()
        number()
    objects = [(piece().decode("utf-8", "surrogateescape"), piece()) for _ in range(number())]
    return arguments, objects


def _arguments(objects: Iterator[tuple[str, bytes]], command: CommandLine) -> Iterator[TestInput]:
    """The objects of symbolic arguments, which come first, under unfork's names. Raises ValueError."""
    counts = symbolic = 0
    for word in command.words:
        match word:
            case str():
                continue
            case SymbolicArgument(length):
                number = 1
            case SymbolicArguments(least, most, length):
                number = least
                if least < most:
                    counts += 1
                    data = _next_object(objects, 4)
                    number = int.from_bytes(data, "little")
                    if not least <= number <= most:
                        raise ValueError
                    yield TestInput(COUNT if counts == 1 else f"{COUNT}#{counts}", "argument", None, data)
        for _ in range(number):
            yield TestInput(f"arg{symbolic:02d}", "argument", None, _next_object(objects, length + 1))
            symbolic += 1


def _next_object(objects: Iterator[tuple[str, bytes]], size: int) -> bytes:
    entry = next(objects, None)
    if entry is None or len(entry[1]) != size:
        raise ValueError
    return entry[1]


def _variable_part(objects: Iterator[tuple[str, bytes]], name: str, size: int) -> TestInput:
    return TestInput(name, ENVIRONMENT, None, _next_object(objects, size))


def _others(objects: Iterator[tuple[str, bytes]], command: CommandLine) -> Iterator[TestInput]:
    """Files and the program's own symbolic objects, without KLEE's. Raises ValueError."""
    sizes = {f"{name}-data": size for name, size in command.symbolic_files().items()}
    sizes |= {"stdin": command.stdin} if command.stdin else {}
    files = [*sizes]
    for each in command.symbolic_variables():
        yield _variable_part(objects, each.is_set, 1)
        yield _variable_part(objects, each.text, each.length + 1)
    ignored = {"model_version", "stdout", "stdout-stat", *(f"{name}-stat" for name in files)}
    spelt = {name.replace("-", "_"): name for name in (*files, *ignored)}
    counts: dict[str, int] = {}
    for given, data in objects:
        name = spelt.get(given, given)
        if name not in files and name not in ignored:
            name = given  # an object of the program with the same name
        if name in ignored:
            ignored.discard(name)
        elif name in files:
            files.remove(name)
            if len(data) != sizes[name]:
                raise ValueError
            counts[name] = 1
            yield TestInput(name, "file", None, data)
        else:
            counts[name] = counts.get(name, 0) + 1
            yield TestInput(name if counts[name] == 1 else f"{name}#{counts[name]}", "symbolic", None, data)
    if files:
        raise ValueError
