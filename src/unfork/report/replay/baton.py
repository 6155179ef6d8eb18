"""Machine code of a threaded program that yields, like the engine, before each visible operation (inputs/baton.c).

The code comes from the engine's own module, so both have the same operations: another compiler's code might access
memory in another order. The system's C library replaces the module's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from unfork.engine.memory.visible_models import Hidden, Touch, touches_of
from unfork.engine.memory.visible_operations import ATOMIC_FUNCTIONS, MemoryAccess, is_visible
from unfork.errors import InputError
from unfork.program.facts.sections import is_section
from unfork.program.llvm import binding, layout
from unfork.program.llvm.ir import (
    Alloca,
    AtomicUpdate,
    Call,
    CompareExchange,
    GlobalAddress,
    Invoked,
    Load,
    Operand,
    Register,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.reader import GLOBAL_DEFINITION, ModuleReader
from unfork.program.llvm.types import Position
from unfork.program.llvm.uses import pointers_to
from unfork.world.inputs.harness import BATON

_NAME = r'[-\w.$]+|"[^"]*"'
_POINTER = re.compile(
    rf"\bptr (?:align \d+ |[a-z]\w*(?:\([^)]*\))? )*?((?:[%@](?:{_NAME}))|(?:getelementptr|inttoptr)\b.*\)|null)"
)
_ALIASED = re.compile(rf"alias .*ptr @({_NAME})")
_REPLACED = re.compile(r"\bUNFORK_OF\((\w+)\)\(")
_INVOKE = re.compile(r"  (?:%\S+ = )?invoke ")
_ANYWHERE = "inttoptr (i64 1 to ptr)"
"""An address that is visible to other threads, for a function with hidden state."""
_LENGTH = re.compile(r"i64 ([^ ,]+), i1")
_LOCATION = re.compile(r", !dbg !\d+")
_DEBUG = re.compile(r",? !dbg !\d+|^    #dbg_.*\n|^!llvm\.dbg\.cu = .*\n", re.M)
_SAID = re.compile(r"^\t\.(?:addrsig|ident|file)\b.*\n", re.M)
_HIDDEN = re.compile(r"^(declare |@\S+ = external )(.*?)\bhidden ", re.M)
_LABEL = re.compile(r"\.L(?=[A-Za-z_.])")
"""Labels of compilers, which other compilers may use for their own code."""
_DECLARED = """
declare void @unfork_mark_read(ptr, i64)
declare void @unfork_mark_write(ptr, i64)
declare void @unfork_mark_atomic_read(ptr, i64)
declare void @unfork_mark_atomic_write(ptr, i64)
declare void @unfork_mark_update(ptr, i64)
declare void @unfork_access(ptr, ptr)
declare void @unfork_enter()
declare void @unfork_leave_section()
"""


def object_file(program: Program) -> bytes:
    """The object file, for linking with baton.c. Raises InputError."""
    return binding.object_file(_module(program))


def assembly(program: Program) -> str:
    """The same as portable assembly, without debug information. Raises InputError."""
    text = binding.assembly(_DEBUG.sub("", _module(program)))
    return _LABEL.sub(".Lprogram_", _SAID.sub("", text))


def _module(program: Program) -> str:
    """The module with calls before its visible operations."""
    if program.reading is None:
        raise InputError("native replay: the program was not read")
    if program.of_headers:
        raise InputError("native replay: programs in C++ that make threads are replayed on the engine alone")
    if program.is_narrow:
        raise InputError(
            "native replay: programs with threads and pointers of 32 bits are replayed on the engine alone"
        )
    plain = ModuleReader(replace(program.reading, optimize=0))
    plain.program(b"")
    parts, end = [_variables(plain, program.library)], plain.first
    for name, (start, stop) in plain.bodies.items():
        parts.append(plain.text[end:start])
        if name in program.library:
            parts.append(_elsewhere(name))
        else:
            parts.append(_resting(plain.text[start:stop], plain.parse(name), program.function(name), program))
        end = stop
    text = "".join([*parts, _DECLARED, plain.text[end:]])
    text = _HIDDEN.sub(r"\1\2", text)
    own = set(program.own)
    replaced = [name for name in _REPLACED.findall(BATON.read_text("utf-8")) if name not in own]
    return re.sub(rf"@({'|'.join([*replaced, 'main'])})(?![-\w.$])", r"@unfork_of_\1", text)


def _variables(plain: ModuleReader, library: frozenset[str]) -> str:
    """The text before the functions, without definitions of the C library."""

    def own(definition: re.Match[str]) -> str:
        aliased = _ALIASED.search(definition[0])
        if definition[1] not in library and not (aliased and aliased[1] in library):
            return definition[0]
        return _elsewhere(definition[1], "thread_local " if "thread_local" in definition[2] else "")

    return GLOBAL_DEFINITION.sub(own, plain.text[: plain.first])


def _elsewhere(name: str, kind: str = "") -> str:
    return f"@{name} = external {kind}global i8"


def _resting(text: str, function: Function, seen: Function, program: Program) -> str:
    """The text of a function that yields where the engine does; ``seen`` is the engine's version of the function."""
    lines = text.split("\n")
    instructions = _instructions(function)
    counts = _counts(function, seen)
    out: list[str] = []
    for line in lines:
        if line[:2] != "  " or line[2] in " ]":
            out.append(line)
            continue
        instruction = next(instructions, None)
        if instruction is None:
            raise InputError(f"native replay: {function.name} cannot be told apart into instructions")
        before, after = _calls(line, instruction, counts, program)
        if after and _INVOKE.match(line):
            raise InputError(f"native replay: {function.name} calls a library's function that may throw")
        out += [*before, line, *after]
    return "\n".join(out)


def _instructions(function: Function) -> Iterator[object]:
    """The instructions that are lines of the text: an invoke is one line, and two instructions."""
    own = function.own_variables
    return (each for each in islice(function.instructions(), own, None) if not isinstance(each, Invoked))


def _calls(line: str, instruction: object, counts: dict[int, int], program: Program) -> tuple[list[str], list[str]]:
    """The lines to insert before and after an instruction's line."""
    number = counts.get(id(instruction), 0)
    name = _called(instruction)
    touches = touches_of(name or "")
    if name is not None and not name.startswith("llvm.") and touches and not is_section(program, name):
        number = 1
    if number:
        start = line.index(f"@{name}(") + len(f"@{name}(") if isinstance(instruction, Call) else 0
        found = [match[1] for operand in _operands(line[start:]) if (match := _POINTER.search(operand))]
        if isinstance(instruction, Call):
            pointers = [_ANYWHERE] if any(isinstance(each, Hidden) for each in touches) else found[: len(touches)]
        else:
            pointers = found[-1:] if isinstance(instruction, Store) else found[:1]
        first, second = (*pointers, "null", "null")[:2]
        return [f"  call void @unfork_access(ptr {first}, ptr {second})"] * number + _marks(
            line, instruction, pointers
        ), []
    if name is not None and (
        is_section(program, name) or (name.startswith(ATOMIC_FUNCTIONS) and name in program.defined)
    ):
        return ["  call void @unfork_enter()"], ["  call void @unfork_leave_section()"]
    return [], []


def _operands(text: str) -> Iterator[str]:
    """The parts between commas, up to the closing parenthesis of an outer one."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (letter == "," and not depth):
            yield text[start:at]
            start = at + 1
        if depth < 0:
            return
    yield text[start:]


def _marks(line: str, instruction: object, pointers: Sequence[str]) -> list[str]:
    """Calls that tell a sanitizer of accesses; it sees those of the C library by itself."""
    size: object
    match instruction:
        case Load(type=kind, ordering=ordering):
            ways, size = ["atomic_read" if ordering else "read"], layout.store_size(kind)
        case Store(type=kind, ordering=ordering):
            ways, size = ["atomic_write" if ordering else "write"], layout.store_size(kind)
        case AtomicUpdate(type=kind):
            ways, size = ["update"], layout.store_size(kind)
        case CompareExchange(expected=expected):
            ways, size = ["update"], layout.store_size(expected.type)
        case Call(callee=GlobalAddress(name=name)) if (length := _LENGTH.search(line)) and name.startswith("llvm."):
            ways, size = _ways(name), length[1]
        case _:
            return []
    location = _LOCATION.search(line)
    place = "" if location is None else location[0]
    return [
        f"  call void @unfork_mark_{way}(ptr {pointer}, i64 {size}){place}"
        for way, pointer in zip(ways, pointers, strict=False)
    ]


def _ways(name: str) -> list[str]:
    return ["write" if touch.writes else "read" for touch in touches_of(name) if isinstance(touch, Touch)]


def _called(instruction: object) -> str | None:
    match instruction:
        case Call(callee=GlobalAddress(name=name)):
            return name
        case _:
            return None


def _counts(function: Function, seen: Function) -> dict[int, int]:
    """How often to yield before each access of a function.

    At a source location, the engine may have fewer accesses, since it keeps locals in registers, or more, since it
    copies structs part by part.
    """
    wanted: dict[Position | None, int] = defaultdict(int)
    for instruction in _accesses(seen):
        wanted[instruction.position] += 1
    there: dict[Position | None, list[MemoryAccess | Call]] = defaultdict(list)
    for instruction in _accesses(function):
        there[instruction.position].append(instruction)
    counts: dict[int, int] = {}
    local = pointers_to(function, [each for each in function.instructions() if isinstance(each, Alloca)])
    for position, accesses in there.items():
        number = wanted[position]
        accesses.sort(key=lambda access: not isinstance(access, Call) and _leads_to(access.pointer, local))
        for index, access in enumerate(accesses):
            counts[id(access)] = int(index < number)
        if number > len(accesses):
            counts[id(accesses[0])] += number - len(accesses)
    return counts


def _leads_to(pointer: Operand, registers: Collection[int]) -> bool:
    return isinstance(pointer, Register) and pointer.index in registers


def _accesses(function: Function) -> Iterator[MemoryAccess | Call]:
    for block in function.blocks:
        for instruction in block.body:
            name = _called(instruction) or ""
            if (isinstance(instruction, Call) and name.startswith("llvm.") and touches_of(name)) or is_visible(
                instruction, function
            ):
                yield instruction
