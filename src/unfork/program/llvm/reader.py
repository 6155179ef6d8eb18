"""Reads a module of LLVM IR text into a Program: first an index by offset, the rest on first use."""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from unfork.errors import InputError, Unsupported
from unfork.program.llvm.binding import LIBRARY
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import ANY_NARROW_POINTER, ANY_POINTER
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.function_reader import FunctionReader, Signature
from unfork.program.llvm.ir import Aggregate, Bits, GlobalAddress, Operand
from unfork.program.llvm.layout import alignment_of, is_narrow, size_of
from unfork.program.llvm.lexer import ReadError, cursor_over, plain_name
from unfork.program.llvm.module import (
    LIBRARY_FOLDER,
    OUR_HEADERS,
    Declaration,
    Function,
    GlobalVariable,
    Outlines,
    Program,
    ProgramReading,
)
from unfork.program.llvm.operand_reader import OperandReader
from unfork.program.llvm.passes import LABEL_ADDRESS, SYMBOL, Simplifier
from unfork.program.llvm.stubs import PREFIX
from unfork.program.llvm.type_reader import TYPE_DEFINITION, TypeReader
from unfork.program.llvm.types import VOID, FunctionType, Type

GLOBAL_DEFINITION = re.compile(r'^@([-\w.$]+|"[^"]*") = ((?:[\w()]+ )*?)(global|constant|alias|ifunc) .*$', re.M)
DECLARATION = re.compile(r"^declare .*$", re.M)
DEFINITION = re.compile(r'^define [^@]*?@([-\w.$]+|"[^"]*")\(', re.M)
RETURNS_TWICE = re.compile(r"^attributes (#\d+) = \{[^}]*\breturns_twice\b", re.M)
COMPILE_UNITS = re.compile(r"^!llvm\.dbg\.cu = !\{(.*)\}$", re.M)
LIBRARY_NODES = re.compile(rf"^!{re.escape(LIBRARY)} = !\{{(.*)\}}$", re.M)
STRINGS = re.compile(r'!"([^"]*)"')
SUBPROGRAM = re.compile(r"!dbg (!\d+)")
GROUP_AT_END = re.compile(r" #\d+$")
WIDE = re.compile(r"align \d{5}")
_WIDE_NARROW = re.compile(r"align \d{3}")
_LARGE = 1 << 13
_LARGE_NARROW = 1 << 8
TARGET = re.compile(r'^target triple = "(.*)"$', re.M)
_LONGEST_TYPE = 300
"""Characters of a variable's definition to look at first: a large table may follow its type."""


def read(text: str, bitcode: bytes, names: Mapping[str, str], optimize: int = 0) -> Program:
    """The program in ``text``, a module as LLVM prints it. ``names``: the user's names of sources, by absolute path.

    With ``optimize`` 1, functions go through LLVM's passes when they are read. Raises InputError.
    """
    return read_again(ProgramReading(text, names, os.getcwd(), optimize), bitcode)


def read_again(reading: ProgramReading, bitcode: bytes) -> Program:
    """The program that was read from ``reading``, here or on another machine. Raises InputError."""
    try:
        program = ModuleReader(reading).program(bitcode)
    except (ReadError, ValueError, KeyError, IndexError) as error:
        raise InputError(f"cannot read this LLVM IR: {error}") from error
    program.reading = reading
    return program


class ModuleReader:
    """The index of one module's text.

    ``first_read`` are the variables to read before the program starts: they are large or widely aligned, so that
    they may take several names, or hold addresses of labels, which are numbered in order of reading.
    """

    def __init__(self, reading: ProgramReading) -> None:
        text = self.text = reading.text
        self.optimize = reading.optimize
        self.bodies: dict[str, tuple[int, int]] = {}
        self.declared: list[str] = []
        self.index_functions()
        triple = TARGET.search(text, 0, self.first)
        self.is_narrow = triple is not None and is_narrow(triple[1])
        self.types = TypeReader(dict(TYPE_DEFINITION.findall(text[: self.first])), is_narrow=self.is_narrow)
        self.debug = DebugInfo(text, text.find("\n!0 = ", self.metadata), reading.names, reading.folder)
        self.constants = OperandReader(self.types, {})
        self.lines: dict[str, str] = {}
        self.first_read: list[str] = []
        self.thread_local: set[str] = set()
        self.aliases: dict[str, Operand] = {}
        self.declarations: dict[str, FunctionType] = {}
        self.weak: set[str] = set()
        self.functions: FunctionReader | None = None
        self.simplifier: Simplifier | None = None

    def program(self, bitcode: bytes) -> Program:
        """The program; its functions are parsed later, and ``bitcode`` is only stored."""
        for definition in GLOBAL_DEFINITION.finditer(self.text, 0, self.first):
            self.index_global(definition)
        prototypes = self.prototypes()
        groups = RETURNS_TWICE.findall(self.text, self.last, self.metadata)
        twice = set(groups)
        intrinsics: dict[str, str] = {}
        for line in self.declared:
            signature = Signature(self.types, line)
            self.declarations[signature.name] = signature.type
            if twice.intersection(signature.tail):
                twice.add("@" + signature.name)
            if " extern_weak " in line.partition("@")[0]:
                self.weak.add(signature.name)
            if signature.name.startswith("llvm."):
                intrinsics["@" + signature.name] = GROUP_AT_END.sub("", line)
        self.functions = FunctionReader(self.types, self.debug, frozenset(twice), self.thread_local)
        if self.optimize:
            labelled = set(LABEL_ADDRESS.findall(self.text)) if "blockaddress(" in self.text else set()
            twice_pattern = self.returning_twice(groups)
            self.simplifier = Simplifier(self.types, self.debug, intrinsics, self.thread_local, labelled, twice_pattern)
        constructors = sorted(self.run_list("llvm.global_ctors"), key=lambda entry: entry[0])
        destructors = sorted(self.run_list("llvm.global_dtors"), key=lambda entry: entry[0])
        return Program(
            Globals(self.lines, self.read_global),
            self.aliases,
            self.declarations,
            tuple(self.bodies),
            self.parse,
            tuple(name for _, name in constructors),
            tuple(name for _, name in reversed(destructors)),
            self.sources(),
            bitcode,
            Outlines(self.text, self.bodies, self.debug),
            frozenset(self.weak),
            self.library,
            self.of_headers,
            tuple(name for name in self.first_read if name in self.lines),
            CTypes(
                self.debug,
                self.subprogram,
                {name: said[0].reference for name, said in prototypes.items()},
                self.lines,
                ANY_NARROW_POINTER if self.is_narrow else ANY_POINTER,
            ),
            self.callers,
            self.mentioned,
            self.debug.names_of_variables_and_types,
            self.debug.checksums,
            prototypes=prototypes,
            is_narrow=self.is_narrow,
        )

    def prototypes(self) -> dict[str, tuple[Declaration, ...]]:
        """The declarations to check, by the functions' names; the constants for them are not variables of the
        program.
        """
        said: dict[str, tuple[Declaration, ...]] = {}
        for name in [each for each in self.lines if each.startswith(PREFIX)]:
            constant = self.read_global(self.lines.pop(name))
            if isinstance(constant.initializer, GlobalAddress) and constant.reference:
                function, source_name = constant.initializer.name, name.removeprefix(PREFIX).partition("_")[2]
                said[function] = (*said.get(function, ()), Declaration(source_name, constant.reference))
        return said

    def callers(self, name: str) -> tuple[str, ...]:
        """The functions whose text calls ``name``."""
        word = f"@{name}("
        return tuple(
            caller for caller, (start, end) in self.bodies.items() if self.text.find(word, start + 1, end) >= 0
        )

    def mentioned(self, functions: Iterable[str]) -> frozenset[str]:
        """The functions and variables that these functions, and variables outside of libraries, name."""
        library = self.library
        texts = [self.text[start:end] for start, end in (self.bodies[name] for name in functions)]
        texts += [line for name, line in self.lines.items() if name not in library]
        return frozenset(plain_name(symbol[1:]) for text in texts for symbol in SYMBOL.findall(text))

    def index_functions(self) -> None:
        """Find the functions, and with them the beginnings of the text's parts: variables, functions, metadata."""
        text = self.text
        end = 0
        start = text.find("\ndefine ")
        while start >= 0:
            definition = DEFINITION.match(text, start + 1)
            assert definition is not None
            self.declared += DECLARATION.findall(text, end, start)
            end = text.index("\n}\n", start) + 2
            self.bodies[plain_name(definition[1])] = (start + 1, end)
            start = text.find("\ndefine ", end)
        metadata = text.find("\n!", end)
        self.metadata = metadata if metadata >= 0 else len(text)
        self.declared += DECLARATION.findall(text, end, self.metadata)
        starts = [start for start, _ in self.bodies.values()]
        first_declared = text.find("\ndeclare ")
        self.first = min([*starts[:1], *([first_declared] if first_declared >= 0 else []), len(text)])
        self.last = end

    def returning_twice(self, groups: list[str]) -> re.Pattern[str] | None:
        """A pattern for calls that may return twice, by their attributes or by the function that they name."""
        if not groups:
            return None
        marks = [f"{group}\\b" for group in groups]
        is_marked = re.compile("|".join(marks))
        heads = [*self.declared, *(self.text[at : self.text.index("\n", at)] for at, _ in self.bodies.values())]
        names = [SYMBOL.search(head) for head in heads if is_marked.search(head)]
        return re.compile("|".join([*marks, *(re.escape(name[0]) + r"\(" for name in names if name)]))

    def parse(self, name: str) -> Function:
        assert self.functions is not None
        start, end = self.bodies[name]
        text = self.text[start:end]
        if self.simplifier is not None and not self.is_simplified(name):
            text = self.simplifier.simplify(text)
        return self.functions.read(text)

    def is_simplified(self, name: str) -> bool:
        """Whether passes have run over it: over members of a library, and not over its headers' definitions."""
        return name in self.library and not self.debug.is_as_written(self.subprogram(name) or "")

    def subprogram(self, name: str) -> str | None:
        """The metadata reference of a defined function."""
        span = self.bodies.get(name)
        attachment = SUBPROGRAM.search(self.text, span[0], self.text.index("\n", span[0])) if span else None
        return attachment[1] if attachment else None

    def index_global(self, definition: re.Match[str]) -> None:
        """Note a global variable, or read an alias."""
        name = plain_name(definition[1])
        words = definition[2].split()
        if definition[3] in ("global", "constant"):
            line = self.lines[name] = definition[0]
            size = size_of(self.type_of_global(self.text[definition.end(3) : definition.end()]))
            most, wide = (_LARGE_NARROW, _WIDE_NARROW) if self.is_narrow else (_LARGE, WIDE)
            is_large = size > most
            if is_large or "blockaddress(" in line or wide.search(line, len(line) - 200):
                self.first_read.append(name)
            if "extern_weak" in words:
                self.weak.add(name)
            if any(word.startswith("thread_local") for word in words):
                self.thread_local.add(f"@{definition[1]}")
            return
        if any(word.startswith("thread_local") for word in words):
            self.thread_local.add(f"@{definition[1]}")
        cursor = cursor_over(self.text[definition.end(3) : definition.end()])
        of = self.types.read(cursor)
        cursor.expect(",")
        if definition[3] == "ifunc" and isinstance(of, FunctionType):
            # The loader of the target system chooses its function.
            self.declarations[name] = of
        else:
            # LLVM writes the type before a name, and none before a constant expression.
            is_typed, constants = self.types.starts_here(cursor), self.constants
            self.aliases[name] = constants.typed(cursor) if is_typed else constants.read(cursor, self.types.pointer)

    def type_of_global(self, text: str) -> Type:
        """The type after ``global`` or ``constant``; no value if it cannot be read."""
        for start in (text[:_LONGEST_TYPE], text):
            with contextlib.suppress(ReadError, IndexError):
                return self.types.read(cursor_over(start))
        return VOID

    def read_global(self, line: str) -> GlobalVariable:
        """A global variable."""
        cursor = cursor_over(line)
        name = plain_name(cursor.take())
        cursor.expect("=")
        words: list[str] = []
        while (word := cursor.take()) not in ("global", "constant"):
            words.append(word)
        type = self.types.read(cursor)
        declared = "external" in words or "extern_weak" in words
        constants = self.constants if name.startswith("llvm.") else OperandReader(self.types, {}, self.thread_local)
        initializer = None if declared else constants.read(cursor, type)
        if constants.own.mentions:
            raise ReadError("it begins with the address of a thread-local variable, which is no constant")
        alignment = 0
        position = variable = None
        reference = ""
        while token := cursor.take():
            if token == "align":
                alignment = int(cursor.take())
            elif token == "!dbg" and position is None:
                reference = cursor.take()
                position, variable = self.debug.declaration(reference), self.debug.global_variable(reference)
        thread_local = "thread_local" in words
        known = alignment or alignment_of(type)
        return GlobalVariable(
            name, type, initializer, word == "constant", known, thread_local, position, variable, reference
        )

    def run_list(self, name: str) -> list[tuple[int, str]]:
        """(priority, function) of llvm.global_ctors or llvm.global_dtors, which are not variables of the program."""
        line = self.lines.pop(name, None)
        variable = None if line is None else self.read_global(line)
        if variable is None or not isinstance(variable.initializer, Aggregate):
            return []
        entries = []
        for entry in variable.initializer.elements:
            match entry:
                case Aggregate((Bits(priority), GlobalAddress(function), *_)):
                    entries.append((priority, function))
        return entries

    @cached_property
    def library(self) -> frozenset[str]:
        """The functions and variables recorded by ``llvm.record_library``, and the definitions in a library's
        headers.
        """
        return self.linked | self.of_headers

    @cached_property
    def of_headers(self) -> frozenset[str]:
        """The functions defined in a library's headers, and not linked from it."""
        return frozenset(
            [name for name in self.bodies.keys() - self.linked if name.startswith("_Z") and self._is_of_header(name)]
        )

    @cached_property
    def linked(self) -> frozenset[str]:
        """The functions and variables recorded by ``llvm.record_library``."""
        names: set[str] = set()
        noted = LIBRARY_NODES.search(self.text, self.last)
        for reference in noted[1].split(", ") if noted is not None else ():
            start = self.text.index(f"\n{reference} = ", self.last)
            names.update(STRINGS.findall(self.text, start, self.text.index("\n", start + 1)))
        return frozenset(names)

    def _is_of_header(self, name: str) -> bool:
        """Whether a function is defined in a header of a library."""
        about = self.debug.node(self.subprogram(name))
        file = "" if about is None else self.debug.file(about.fields.get("file", ""))
        return file.startswith(LIBRARY_FOLDER) or file.endswith(OUR_HEADERS)

    def sources(self) -> tuple[str, ...]:
        """The files of the compile units."""
        units = COMPILE_UNITS.search(self.text, self.last)
        files: dict[str, None] = {}
        for reference in units[1].split(", ") if units else []:
            unit = self.debug.node(reference)
            if unit is not None and "file" in unit.fields:
                file = self.debug.file(unit.fields["file"])
                if not file.startswith(LIBRARY_FOLDER):
                    files[file] = None
        return tuple(files)


class Globals(Mapping[str, GlobalVariable]):
    """``lines`` has the text of each, ``read`` makes a variable of it. Raises Unsupported for unreadable ones."""

    def __init__(self, lines: dict[str, str], read: Callable[[str], GlobalVariable]) -> None:
        self._lines = lines
        self._read = read
        self._known: dict[str, GlobalVariable] = {}

    def __getitem__(self, name: str) -> GlobalVariable:
        variable = self._known.get(name)
        if variable is None:
            line = self._lines[name]
            try:
                variable = self._known[name] = self._read(line)
            except (ReadError, ValueError, KeyError, IndexError) as error:
                raise Unsupported(f"the global {name} ({error})") from error
        return variable

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A program's bitcode, and its reading without the text; ``bitcode`` and ``text`` are compressed."""

    bitcode: bytes
    text: bytes
    reading: ProgramReading


def pack(program: Program) -> Parcel:
    """The program as data. Raises ValueError for a program that was not read."""
    reading = program.reading
    if reading is None:
        raise ValueError(f"{program!r} was not read")
    text = zlib.compress(reading.text.encode())
    return Parcel(zlib.compress(program.bitcode), text, replace(reading, text=""))


def unpack(parcel: Parcel) -> Program:
    """The same program, read again."""
    text = zlib.decompress(parcel.text).decode()
    return read_again(replace(parcel.reading, text=text), zlib.decompress(parcel.bitcode))
