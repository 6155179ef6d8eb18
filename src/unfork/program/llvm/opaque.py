"""Rewrites a module's text so that LLVM's passes remove nothing that the engine must see.

Three things would be lost. An uninitialised local may have any value, and the optimiser picks a convenient one; so
an opaque value is stored to each local that leaves memory. A load, division or pure call with an unused result
disappears, with its fault; so loads become volatile, divisions and choices (whose condition may be uninitialised)
become calls, and attributes that promise purity are dropped. A constant access outside a local array is simply
deleted; so a local whose accesses are not provably in bounds stays in memory, because its address escapes. The
reader undoes these marks (see ``RESTORED`` and ``PLAIN``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unfork.program.llvm import first_writes
from unfork.program.llvm.ir import Register
from unfork.program.llvm.layout import bits_of, offset_of, size_of, store_size
from unfork.program.llvm.lexer import ReadError, cursor_over
from unfork.program.llvm.operand_reader import OperandReader
from unfork.program.llvm.type_reader import TypeReader
from unfork.program.llvm.types import (
    ArrayType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

UNDEFINED = "unfork.undefined."
KEEP = "unfork.keep"
PLAIN = "!unfork.plain"
CHOICE = "unfork.select."
RESTORED = {f"@unfork.{op}": op for op in ("sdiv", "udiv", "srem", "urem")}

NAME = re.compile(r'%(?:[-\w.$]+|"[^"]*")')
ALLOCA = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = alloca ')
LOAD = re.compile(r'^  %(?:[-\w.$]+|"[^"]*") = load (atomic )?(volatile )?')
PLAIN_LOAD = re.compile(r'^  %(?:[-\w.$]+|"[^"]*") = load (.*), ptr (%(?:[-\w.$]+|"[^"]*")), align \d+')
STORE = re.compile(r'^  store (?!atomic |volatile )(.*), ptr (%(?:[-\w.$]+|"[^"]*")), align \d+')
GEP = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = getelementptr (.*?)(?:, !.*)?$')
DIVISION = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = ([su](?:div|rem)) (?:exact )?(.*?)((?:, !.*)?)$')
SELECT = re.compile(r'^  (%(?:[-\w.$]+|"[^"]*")) = select (?:[a-z]+ )*(i1 .*?)((?:, !.*)?)$')
LIFETIME = re.compile(r"^  call void @llvm\.lifetime\.(start|end)\.p0\((?:i64 -?\d+, )?ptr (?:\w+ )?(%[^ )]+)\)")
COPY = re.compile(
    r"^  call void @llvm\.mem(?:cpy|move)\.[\w.]+\(ptr (?:\w+ (?:\d+ )?)*([%@][^ ,]+), "
    r"ptr (?:\w+ (?:\d+ )?)*([%@][^ ,]+), i64 (\d+), i1 false\)"
)
SET = re.compile(
    r"^  call void @llvm\.memset\.[\w.]+\(ptr (?:\w+ (?:\d+ )?)*(%[^ ,]+), i8 [^,]+, i64 (\d+), i1 false\)"
)
DECLARED_AT = re.compile(r"^    #dbg_declare\(ptr (%[^ ,]+), .*, (!\d+)\)$")
UNDEFINED_WORD = re.compile(r"\b(?:undef|poison)\b")

LARGEST_LOCAL = 128
"""The most bytes of a struct or array that may leave memory."""
MOST_LEAVES = 16
MANY_LOCALS = 500
"""From this many locals on, those that are written before they are used get no source where they begin: LLVM's time
is that of such sources times blocks. Chosen on yyjson, whose reader has 4,400 locals after inlining.
"""


class Local:
    """An alloca that may leave memory. Mutable: ``fits`` becomes false at the first use that forbids it."""

    __slots__ = ("declared_at", "fits", "leaves", "name", "size")

    def __init__(self, name: str, type: Type, leaves: list[tuple[int, Type]]) -> None:
        self.name = name
        self.size = size_of(type)
        self.leaves = leaves
        self.fits = True
        self.declared_at = ""


class OpaqueSources:
    """Rewrites one function. ``needed`` collects the declarations of new calls, by name."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types
        self.needed: dict[str, str] = {}
        self.count = 0
        self.settled: frozenset[str] = frozenset()
        """Locals that are written before they are used."""

    def rewrite(self, lines: list[str]) -> list[str]:
        """The lines of a function, from ``define`` to the closing brace, rewritten."""
        tracked = {local.name: (local, 0) for local in self.locals(lines)}
        self.track_addresses(lines, tracked)
        self.judge(lines, tracked)
        names = [name for name, (local, _) in tracked.items() if name == local.name and local.fits]
        if len(names) >= MANY_LOCALS:
            whole = [name for name in names if len(tracked[name][0].leaves) == 1]
            self.settled = first_writes.written_first(
                lines, whole, lambda line, name: self.writes_all(line, tracked[name][0])
            )
        return self.emit(lines, tracked)

    # --- which locals may leave memory -------------------------------------------------------------------------------

    def locals(self, lines: list[str]) -> Iterator[Local]:
        """The entry block's allocas that could leave memory."""
        for number, line in enumerate(lines):
            if line[:1] not in (" ", "") and number > 1:
                return
            match = ALLOCA.match(line)
            local = self.local(match[1], line[match.end() :]) if match else None
            if local is not None:
                yield local

    def local(self, name: str, text: str) -> Local | None:
        """The alloca of this name if its type, at the start of ``text``, is small and simple enough to leave memory."""
        cursor = cursor_over(text)
        try:
            type = self.types.read(cursor)
        except ReadError:
            return None
        rest = cursor.tokens[cursor.at : cursor.at + 2]
        if rest[0] and rest != [",", "align"] and rest != [",", "!dbg"]:
            return None
        if isinstance(type, OpaqueType) or size_of(type) > LARGEST_LOCAL or size_of(type) == 0:
            return None
        leaves = list(with_padding(leaves_of(type, 0), size_of(type)))
        if len(leaves) > MOST_LEAVES or any(bits_of(leaf) % 8 for _, leaf in leaves):
            return None
        return Local(name, type, leaves)

    def track_addresses(self, lines: list[str], tracked: dict[str, tuple[Local, int]]) -> None:
        """Add the names of addresses at a constant offset into a local, in any order of the blocks."""
        pending = [gep for line in lines if " = getelementptr " in line and (gep := GEP.match(line))]
        while pending:
            waiting = []
            for gep in pending:
                base = next((name for name in NAME.findall(gep[2]) if name in tracked), None)
                if base is None:
                    waiting.append(gep)
                    continue
                local, start = tracked[base]
                offset = self.constant_offset(gep[2], base)
                if offset is None:
                    local.fits = False
                else:
                    tracked[gep[1]] = (local, start + offset)
            if len(waiting) == len(pending):
                return
            pending = waiting

    def constant_offset(self, text: str, base: str) -> int | None:
        """The offset in bytes that a getelementptr adds to ``base``; None if it is not constant."""
        try:
            gep = OperandReader(self.types, {base: 0}).read_gep(cursor_over(text), 0, None)
        except (ReadError, ValueError, IndexError, KeyError):
            return None
        plain = isinstance(gep.base, Register) and isinstance(gep.type, PointerType) and not gep.terms
        return gep.offset if plain else None

    def judge(self, lines: list[str], tracked: dict[str, tuple[Local, int]]) -> None:
        """Check every use: one that is not a plain access inside the local keeps it in memory."""
        for line in lines:
            if "%" not in line:
                continue
            for name in NAME.findall(line):
                if name in tracked:
                    local, offset = tracked[name]
                    if local.fits and not self.harmless(line, name, local, offset, tracked):
                        local.fits = False

    def harmless(self, line: str, name: str, local: Local, offset: int, tracked: dict[str, tuple[Local, int]]) -> bool:
        """Whether a line that uses ``name``, ``offset`` bytes into the local, lets the local leave memory."""
        if line[:3] == "   ":
            match = DECLARED_AT.match(line)
            if match and match[1] == local.name:
                local.declared_at = match[2]
            return line.startswith("    #dbg_")
        if match := PLAIN_LOAD.match(line):
            return match[2] == name and self.inside(match[1], offset, local)
        if match := STORE.match(line):
            value = match[1]
            if match[2] != name or name in NAME.findall(value) or UNDEFINED_WORD.search(value):
                return False
            return self.inside(value, offset, local)
        if match := COPY.match(line):
            size = int(match[3])
            return all(end.startswith("@__const.") or covers(tracked.get(end), size) for end in (match[1], match[2]))
        if match := SET.match(line):
            return 0 <= offset <= local.size - int(match[2])
        # Definitions of tracked names were checked before, and lifetime marks access nothing.
        return bool(GEP.match(line) or ALLOCA.match(line) or LIFETIME.match(line))

    def inside(self, text: str, offset: int, local: Local) -> bool:
        """Whether an access of the type at the beginning of ``text`` stays in the local."""
        try:
            type = self.types.read(cursor_over(text))
        except ReadError:
            return False
        return 0 <= offset <= local.size - store_size(type)

    def writes_all(self, line: str, local: Local) -> bool:
        """Whether a line writes every bit of a local, and does nothing else with it."""
        match = STORE.match(line)
        if match is None or match[2] != local.name or local.name in NAME.findall(match[1]):
            return False
        type = self.types.read(cursor_over(match[1]))
        return store_size(type) == local.size and bits_of(type) == 8 * local.size

    # --- the new text ------------------------------------------------------------------------------------------------

    def emit(self, lines: list[str], tracked: dict[str, tuple[Local, int]]) -> list[str]:
        """The lines with opaque values, volatile loads, escaping addresses, and calls for divisions and choices."""
        out: list[str] = []
        for line in lines:
            if " = load " in line and (match := LOAD.match(line)):
                plain = PLAIN_LOAD.match(line)
                address = tracked.get(plain[2]) if plain else None
                if not match[2] and (address is None or not address[0].fits):
                    at = match.end()
                    line = f"{line[:at]}volatile {line[at:]}, {PLAIN} !{{}}"
            elif line[-1:] != ":" and " = " in line and ("div " in line or "rem " in line):
                line = self.without_division(line)
            elif " = select " in line:
                line = self.without_select(line)
            out.append(line)
            if " = alloca " in line and (match := ALLOCA.match(line)):
                address = tracked.get(match[1])
                if address is not None and address[0].fits:
                    out += () if match[1] in self.settled else self.sources(address[0])
                else:
                    self.needed[KEEP] = f"declare void @{KEEP}(ptr)"
                    out.append(f"  call void @{KEEP}(ptr {match[1]})")
            elif "llvm.lifetime.start" in line and (match := LIFETIME.match(line)):
                address = tracked.get(match[2])
                if address is not None and address[0].fits and address[1] == 0:
                    out += self.sources(address[0])
        return out

    def sources(self, local: Local) -> Iterator[str]:
        """Lines that store an opaque value to every byte of a local, each from a numbered call."""
        for offset, leaf in local.leaves:
            self.count += 1
            kind = type_word(leaf)
            word = type_text(leaf)
            self.needed[UNDEFINED + kind] = f"declare {word} @{UNDEFINED}{kind}(i32) nounwind willreturn memory(none)"
            value = f"%unfork.value.{self.count}"
            address = local.name
            if offset:
                address = f"%unfork.address.{self.count}"
                yield f"  {address} = getelementptr i8, ptr {local.name}, i64 {offset}"
            attachment = f", !dbg {local.declared_at}" if local.declared_at else ""
            yield f"  {value} = call {word} @{UNDEFINED}{kind}(i32 {self.count}){attachment}"
            yield f"  store {word} {value}, ptr {address}, align 1"

    def without_division(self, line: str) -> str:
        """A division that may fault, as a call."""
        division = DIVISION.match(line)
        if division is None:
            return line
        cursor = cursor_over(division[3])
        try:
            type = self.types.read(cursor)
        except ReadError:
            return line
        left, right = operands_apart(division[3][len(type_text(type)) + 1 :])
        if right.lstrip("-").isdigit() and right not in ("0", "-1"):
            return line
        word = type_text(type)
        name = f"unfork.{division[2]}.{type_word(type)}"
        self.needed[name] = f"declare {word} @{name}({word}, {word})"
        return f"  {division[1]} = call {word} @{name}({word} {left}, {word} {right}){division[4]}"

    def without_select(self, line: str) -> str:
        """A choice between scalars, as a call."""
        select = SELECT.match(line)
        if select is None:
            return line
        condition, then = operands_apart(select[2])
        try:
            type = self.types.read(cursor_over(then))
        except ReadError:
            return line
        if not isinstance(type, IntType | FloatType | PointerType):
            return line
        word = type_text(type)
        name = f"{CHOICE}{type_word(type)}"
        self.needed[name] = f"declare {word} @{name}(i1, {word}, {word})"
        return f"  {select[1]} = call {word} @{name}({condition}, {then}){select[3]}"


def covers(address: tuple[Local, int] | None, size: int) -> bool:
    """Whether ``size`` bytes at a constant offset into a local lie inside it."""
    return address is not None and 0 <= address[1] <= address[0].size - size


def operands_apart(text: str) -> tuple[str, str]:
    """The two operands in ``text``, which may be constant expressions with commas. Raises ReadError."""
    depth = 0
    for at, letter in enumerate(text):
        if letter in "(<":
            depth += 1
        elif letter in ")>":
            depth -= 1
        elif letter == "," and depth == 0:
            return text[:at], text[at + 2 :]
    raise ReadError(f"no two operands: {text}")


def leaves_of(type: Type, at: int) -> Iterator[tuple[int, Type]]:
    """The scalars and vectors of a type with their byte offsets."""
    match type:
        case StructType(elements):
            for index, element in enumerate(elements):
                yield from leaves_of(element, at + offset_of(type, index))
        case ArrayType(count, element):
            for index in range(count):
                yield from leaves_of(element, at + index * size_of(element))
        case _:
            yield at, type


def with_padding(leaves: Iterator[tuple[int, Type]], size: int) -> Iterator[tuple[int, Type]]:
    """The leaves, with an integer for each run of padding between them."""
    at = 0
    for offset, leaf in leaves:
        if offset > at:
            yield at, IntType(8 * (offset - at))
        yield offset, leaf
        at = offset + store_size(leaf)
    if size > at:
        yield at, IntType(8 * (size - at))


def type_word(type: Type) -> str:
    """A word for a scalar or vector type, usable in a function's name."""
    return type_text(type).strip("<>").replace(" ", "")


def type_text(type: Type) -> str:
    """A scalar or vector type as LLVM writes it."""
    match type:
        case IntType(width):
            return f"i{width}"
        case FloatType(name):
            return name
        case VectorType(count, element):
            return f"<{count} x {type_text(element)}>"
        case _:
            return "ptr"
