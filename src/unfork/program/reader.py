"""Reads a module of LLVM IR text into a Program: an index by offset first, functions and metadata on first use."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unfork.errors import InputError
from unfork.program.debug_info import DebugInfo
from unfork.program.function_reader import FunctionReader, Signature
from unfork.program.ir import Aggregate, Bits, GlobalAddress, Operand
from unfork.program.layout import alignment_of
from unfork.program.lexer import ReadError, cursor_over, plain_name
from unfork.program.llvm import LIBRARY
from unfork.program.module import LIBRARY_FOLDER, Function, GlobalVariable, Program
from unfork.program.operand_reader import OperandReader
from unfork.program.type_reader import TypeReader, types_of
from unfork.program.types import FunctionType

GLOBAL_DEFINITION = re.compile(r'^@(?:[-\w.$]+|"[^"]*") = .*$', re.M)
DECLARATION = re.compile(r"^declare .*$", re.M)
DEFINITION = re.compile(r'^define [^@]*?@([-\w.$]+|"[^"]*")\(', re.M)
RETURNS_TWICE = re.compile(r"^attributes (#\d+) = \{[^}]*\breturns_twice\b", re.M)
COMPILE_UNITS = re.compile(r"^!llvm\.dbg\.cu = !\{(.*)\}$", re.M)
LIBRARY_NODES = re.compile(rf"^!{re.escape(LIBRARY)} = !\{{(.*)\}}$", re.M)
STRINGS = re.compile(r'!"([^"]*)"')
GLOBAL_WORDS = frozenset(("global", "constant", "alias", "ifunc"))


def read(text: str, bitcode: bytes, names: Mapping[str, str]) -> Program:
    """The program in ``text``, as LLVM prints a module. ``names``: absolute path to the user's own name of a source."""
    metadata = text.find("\n!0 = ")
    nodes = text[metadata + 1 :].split("\n") if metadata >= 0 else []
    types = types_of(text)
    debug = DebugInfo(nodes, names)
    try:
        return ModuleReader(text, types, debug).program(bitcode)
    except (ReadError, ValueError, KeyError, IndexError) as error:
        raise InputError(f"cannot read this LLVM IR: {error}") from error


class ModuleReader:
    """The index of one module's text."""

    def __init__(self, text: str, types: TypeReader, debug: DebugInfo) -> None:
        self.text = text
        self.types = types
        self.debug = debug
        self.constants = OperandReader(types, {})
        self.globals: dict[str, GlobalVariable] = {}
        self.aliases: dict[str, Operand] = {}
        self.declarations: dict[str, FunctionType] = {}
        self.weak: set[str] = set()
        self.bodies: dict[str, tuple[int, int]] = {}
        self.functions: FunctionReader | None = None

    def program(self, bitcode: bytes) -> Program:
        self.index_bodies()
        for found in GLOBAL_DEFINITION.finditer(self.text):
            self.read_global(found[0])
        twice = set(RETURNS_TWICE.findall(self.text))
        for found in DECLARATION.finditer(self.text):
            signature = Signature(self.types, found[0])
            self.declarations[signature.name] = signature.type
            if twice.intersection(signature.tail):
                twice.add("@" + signature.name)
            if found[0].startswith("declare extern_weak "):
                self.weak.add(signature.name)
        self.functions = FunctionReader(self.types, self.debug, frozenset(twice))
        constructors = sorted(self.run_list("llvm.global_ctors"), key=lambda entry: entry[0])
        destructors = sorted(self.run_list("llvm.global_dtors"), key=lambda entry: entry[0])
        return Program(
            self.globals,
            self.aliases,
            self.declarations,
            tuple(self.bodies),
            self.parse,
            tuple(name for _, name in constructors),
            tuple(name for _, name in reversed(destructors)),
            self.sources(),
            bitcode,
            frozenset(self.weak),
            self.library(),
        )

    def index_bodies(self) -> None:
        text = self.text
        for found in DEFINITION.finditer(text):
            self.bodies[plain_name(found[1])] = (found.start(), text.index("\n}\n", found.start()) + 2)

    def parse(self, name: str) -> Function:
        assert self.functions is not None
        start, end = self.bodies[name]
        return self.functions.read(self.text[start:end])

    def read_global(self, line: str) -> None:
        """A global variable or an alias."""
        cursor = cursor_over(line)
        name = plain_name(cursor.take())
        cursor.expect("=")
        words: list[str] = []
        while (word := cursor.take()) not in GLOBAL_WORDS:
            if not word:
                raise ReadError(f"no global: {line[:80]}")
            words.append(word)
        if word in ("alias", "ifunc"):
            of = self.types.read(cursor)
            cursor.expect(",")
            if word == "ifunc" and isinstance(of, FunctionType):
                # Which function it stands for is decided by the loader of the system that it was compiled for.
                self.declarations[name] = of
                return
            self.aliases[name] = self.constants.typed(cursor)
            return
        type = self.types.read(cursor)
        declared = "external" in words or "extern_weak" in words
        if "extern_weak" in words:
            self.weak.add(name)
        initializer = None if declared else self.constants.read(cursor, type)
        alignment = 0
        place = None
        while token := cursor.take():
            if token == "align":
                alignment = int(cursor.take())
            elif token == "!dbg" and place is None:
                place = self.debug.declared(cursor.take())
        thread_local = "thread_local" in words
        self.globals[name] = GlobalVariable(
            name, type, initializer, word == "constant", alignment or alignment_of(type), thread_local, place
        )

    def run_list(self, name: str) -> list[tuple[int, str]]:
        """(priority, function) of llvm.global_ctors or llvm.global_dtors, which are not variables of the program."""
        variable = self.globals.pop(name, None)
        if variable is None or not isinstance(variable.initializer, Aggregate):
            return []
        found = []
        for entry in variable.initializer.elements:
            match entry:
                case Aggregate((Bits(priority), GlobalAddress(function), *_)):
                    found.append((priority, function))
        return found

    def library(self) -> frozenset[str]:
        """The functions that ``llvm.record_library`` has named."""
        noted = LIBRARY_NODES.search(self.text)
        if noted is None:
            return frozenset()
        found: set[str] = set()
        for reference in noted[1].split(", "):
            start = self.text.index(f"\n{reference} = ")
            found.update(STRINGS.findall(self.text, start, self.text.index("\n", start + 1)))
        return frozenset(found)

    def sources(self) -> tuple[str, ...]:
        """The files of the compile units."""
        units = COMPILE_UNITS.search(self.text)
        found: dict[str, None] = {}
        for reference in units[1].split(", ") if units else []:
            unit = self.debug.node(reference)
            if unit is not None and "file" in unit.fields:
                file = self.debug.file(unit.fields["file"])
                if not file.startswith(LIBRARY_FOLDER):
                    found[file] = None
        return tuple(found)
