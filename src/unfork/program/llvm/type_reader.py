"""Reads types from LLVM IR tokens, resolving named structs on first use."""

from __future__ import annotations

import re

from unfork.program.llvm.lexer import ReadError, TokenCursor, cursor_over
from unfork.program.llvm.types import (
    METADATA,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    StructType,
    Type,
    VectorType,
    pointer_type,
)

TYPE_DEFINITION = re.compile(r'^(%(?:[-\w.$]+|"[^"]*")) = type (.*)$', re.M)

SIMPLE: dict[str, Type] = {
    "void": VOID,
    "label": OpaqueType("label"),
    "metadata": METADATA,
    "token": OpaqueType("token"),
    "x86_amx": OpaqueType("x86_amx"),
    **{name: FloatType(name) for name in ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")},
}


NARROW: dict[str, Type] = {"x86_fp80": FloatType("x86_fp80", 4)}
"""The types that i386 lays out differently."""


class TypeReader:
    """The types of one module. ``definitions`` maps ``%name`` to the text of its body; ``is_narrow``: for i386."""

    __slots__ = ("definitions", "is_narrow", "known", "pointer", "word")

    def __init__(self, definitions: dict[str, str], *, is_narrow: bool = False) -> None:
        self.definitions = definitions
        self.is_narrow = is_narrow
        self.pointer = pointer_type(is_narrow=is_narrow)
        self.word = self.pointer.size
        self.known: dict[str, Type] = SIMPLE | (NARROW if is_narrow else {})

    def starts_here(self, cursor: TokenCursor) -> bool:
        """Whether the next token begins a type (and is not an attribute, a calling convention or a linkage)."""
        token = cursor.tokens[cursor.at]
        if token in self.known or token == "ptr" or token == "target":
            return True
        return token[:1] in ("%", "[", "{", "<") or (token[:1] == "i" and token[1:].isdigit())

    def read(self, cursor: TokenCursor) -> Type:
        """The type at the cursor, function types included."""
        token = cursor.tokens[cursor.at]
        type = self.known.get(token)
        if type is None:
            type = self.read_rare(cursor, token)
        else:
            cursor.at += 1
        if cursor.tokens[cursor.at] == "(":
            return self.read_function(cursor, type)
        return type

    def read_rare(self, cursor: TokenCursor, token: str) -> Type:
        """An unknown type that begins with ``token``. Raises ReadError if it is not a type."""
        cursor.at += 1
        if token == "ptr":
            if cursor.tokens[cursor.at] == "addrspace":
                if self.is_narrow:
                    raise ReadError("a pointer of another address space")
                cursor.at += 1
                cursor.skip_group()
            return self.pointer
        if token[:1] == "i" and token[1:].isdigit():
            type: Type = IntType(int(token[1:]))
            self.known[token] = type
            return type
        if token[:1] == "%":
            return self.read_named(token)
        if token == "[":
            count, element = self.read_sequence(cursor)
            cursor.expect("]")
            return ArrayType(count, element)
        if token == "{":
            return StructType(self.read_list(cursor, "}"), word=self.word)
        if token == "<":
            if cursor.accept("{"):
                elements = self.read_list(cursor, "}")
                cursor.expect(">")
                return StructType(elements, True, self.word)
            count, element = self.read_sequence(cursor)
            cursor.expect(">")
            return VectorType(count, element)
        if token == "target":
            cursor.skip_group()
            return OpaqueType("target")
        raise ReadError(f"not a type: {token!r}")

    def read_named(self, token: str) -> Type:
        """The named struct ``token``, from its definition. Raises ReadError if there is none."""
        definition = self.definitions.get(token)
        if definition is None:
            raise ReadError(f"unknown type {token}")
        type = OpaqueType(token) if definition.startswith("opaque") else self.read(cursor_over(definition))
        self.known[token] = type
        return type

    def read_sequence(self, cursor: TokenCursor) -> tuple[int, Type]:
        """The ``COUNT x TYPE`` of an array or a vector. Raises ReadError for a scalable vector."""
        count = cursor.take()
        if not count.isdigit():
            raise ReadError("scalable vectors have no fixed size")
        cursor.expect("x")
        return int(count), self.read(cursor)

    def read_list(self, cursor: TokenCursor, end: str) -> tuple[Type, ...]:
        """The types up to and including the token ``end``."""
        elements: list[Type] = []
        while not cursor.accept(end):
            elements.append(self.read(cursor))
            cursor.accept(",")
        return tuple(elements)

    def read_function(self, cursor: TokenCursor, result: Type) -> FunctionType:
        """The function type with the given result, whose parameters are at the cursor."""
        cursor.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
            else:
                parameters.append(self.read(cursor))
            cursor.accept(",")
        return FunctionType(result, tuple(parameters), variadic)
