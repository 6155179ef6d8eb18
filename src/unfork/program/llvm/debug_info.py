"""Source positions and variables from the module's debug metadata, each read on first use."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from unfork.program.llvm.demangle import MANGLED, function_name
from unfork.program.llvm.lexer import unescape
from unfork.program.llvm.types import DebugVariable, Position

FIELD = re.compile(r'(\w+): ("[^"]*"|[^,()]+)')
REFERENCE = re.compile(r"!\d+|null")
_SEARCH = 7000
"""Bytes of nodes that can be split into lines in the time of one search."""
NUMBER = re.compile(r"!(\d+) = ")
NAMED = re.compile(
    r"= (?:distinct )?!DI(?:LocalVariable|GlobalVariable|DerivedType|CompositeType|BasicType)"
    r'\((?:tag: \w+, )?name: "([^"]*)"'
)
CHECKSUM = re.compile(
    r'^!(\d+) = (?:distinct )?!DIFile\(.*checksumkind: CSK_MD5, checksum: "([0-9a-f]{32})"', re.MULTILINE
)
LOCATION = re.compile(
    r"(?:distinct )?!DILocation\(line: (\d+), (?:column: (\d+), )?scope: (!\d+)(?:, inlinedAt: (!\d+))?"
)
"""A position: by far the most frequent node."""
TAG = re.compile(r"^(?:distinct )?!(\w+)\(")

KEYWORDS = {
    "DW_TAG_structure_type": "struct ",
    "DW_TAG_union_type": "union ",
    "DW_TAG_enumeration_type": "enum ",
    "DW_TAG_class_type": "class ",
}
QUALIFIERS = {
    "DW_TAG_const_type": "const ",
    "DW_TAG_volatile_type": "volatile ",
    "DW_TAG_restrict_type": "",
    "DW_TAG_atomic_type": "_Atomic ",
}
POINTERS = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}
"""Types that are addresses in memory, and how they are written."""
_NAMING = frozenset((*QUALIFIERS, "DW_TAG_typedef"))


class Node:
    """A metadata node: its kind ("" for a tuple), its fields as text, and its references if it is a tuple."""

    __slots__ = ("fields", "items", "kind")

    def __init__(self, text: str) -> None:
        tag = TAG.match(text)
        self.kind = tag[1] if tag else ""
        self.fields: dict[str, str] = dict(FIELD.findall(text, tag.end())) if tag else {}
        self.items: list[str] = [] if tag else REFERENCE.findall(text)

    def text(self, name: str) -> str:
        """A string field without its quotes, or ""."""
        return unescape(self.fields.get(name, '""')[1:-1]).decode("utf-8", "replace")

    def number(self, name: str) -> int:
        value = self.fields.get(name, "0")
        return int(value) if value.isdigit() else 0


class DebugInfo:
    """The debug metadata of a module.

    From ``start`` on, ``text`` has the numbered nodes in order, one per line; -1 if there are none. ``names`` gives
    the user's own name for an absolute path; relative ones start from ``folder``.
    """

    def __init__(self, text: str, start: int, names: Mapping[str, str], folder: str = "") -> None:
        self.text = text
        self.start = start + 1 if start >= 0 else len(text)
        self.names = names
        self.folder = folder
        self.nodes: dict[str, Node] = {}
        self.positions: dict[str, Position | None] = {}
        self.variables: dict[str, DebugVariable] = {}
        self.files: dict[str, str] = {}
        self.scopes: dict[str, tuple[str, str]] = {}
        self.chains: dict[str, tuple[str, ...]] = {}
        self.types: dict[str, str] = {}
        self.calls: dict[str, str] = {}
        self._lines: list[str] | None = None
        self._first = 0
        self._searches = 0

    def node(self, reference: str | None) -> Node | None:
        """The node of a reference such as ``!12``."""
        if reference is None or not reference[1:].isdigit():
            return None
        node = self.nodes.get(reference)
        if node is None:
            line = self.line(int(reference[1:]))
            if line is None:
                return None
            node = self.nodes[reference] = Node(line)
        return node

    def line(self, number: int) -> str | None:
        """The text of node ``number``, found by binary search: most runs need too few nodes for a list of lines.

        The list is made once searches have cost more.
        """
        if self._lines is not None:
            at = number - self._first
            start = f"!{number} = "
            line = self._lines[at] if 0 <= at < len(self._lines) else ""
            if line.startswith(start):
                return line[len(start) :]
        text = self.text
        self._searches += 1
        if self._lines is None and self._searches * _SEARCH > len(text) - self.start:
            first = NUMBER.match(text, self.start)
            self._lines, self._first = text[self.start :].split("\n"), int(first[1]) if first else 0
        low, high = self.start, len(text)
        while low < high:
            at = text.rfind("\n", low, (low + high) // 2) + 1 or low
            end = text.find("\n", at)
            match = NUMBER.match(text, at)
            if match is None or end < 0:
                return None
            here = int(match[1])
            if here == number:
                return text[match.end() : end]
            if here < number:
                low = end + 1
            else:
                high = at
        return None

    # --- positions ---------------------------------------------------------------------------------------------------

    def position(self, reference: str) -> Position | None:
        """The position of a DILocation."""
        if reference in self.positions:
            return self.positions[reference]
        chain: list[tuple[str, re.Match[str] | None]] = []
        around: tuple[str, ...] = ()
        at: str | None = reference
        while at is not None and self.positions.get(at) is None:
            location = LOCATION.match(self.line(int(at[1:])) or "")
            chain.append((at, location))
            at = location[4] if location else None
        outer = self.positions[at] if at is not None else None
        if outer is not None:
            around = outer.scopes
        for step, location in reversed(chain):
            if location is None:
                outer = self.positions[step] = None
                continue
            line, column, scope = int(location[1]), int(location[2] or 0), location[3]
            around = (*self.chain(scope, location[4] or ""), *around)
            if line == 0:  # code that the compiler added
                self.positions[step] = None
                continue
            file, function = self.scope(scope)
            outer = self.positions[step] = Position(file, line, column, function, outer, around)
        return self.positions[reference]

    def scope(self, reference: str) -> tuple[str, str]:
        """File and function of a scope."""
        known = self.scopes.get(reference)
        if known is not None:
            return known
        file = ""
        function = ""
        at: str | None = reference
        while (node := self.node(at)) is not None:
            if not file and "file" in node.fields:
                file = self.file(node.fields["file"])
            if node.kind == "DISubprogram":
                function = _routine_name(node)
                break
            at = node.fields.get("scope")
        self.scopes[reference] = (file, function)
        return file, function

    def chain(self, reference: str, call: str = "") -> tuple[str, ...]:
        """A scope and those around it, up to the function and its compile unit, inlined by ``call``."""
        known = self.chains.get(reference + call)
        if known is not None:
            return known
        around: list[str] = []
        at: str | None = reference
        while at is not None and (node := self.node(at)) is not None and at not in around:
            around.append(at)
            at = node.fields.get("unit" if node.kind == "DISubprogram" else "scope")
        scopes = tuple([scope for each in around for scope in ((each + call, each) if call else (each,))])
        self.chains[reference + call] = scopes
        return scopes

    def file(self, reference: str) -> str:
        """The name of a DIFile as the user wrote it; otherwise as the compiler recorded it."""
        known = self.files.get(reference)
        if known is not None:
            return known
        node = self.node(reference)
        name = node.text("filename") if node else ""
        if node and name:
            directory = node.text("directory")
            full = os.path.normpath(os.path.join(self.folder, directory, name))
            if full in self.names:
                name = self.names[full]
            elif directory not in (".", "", self.folder) and not os.path.isabs(name):
                name = full
        self.files[reference] = name
        return name

    def checksums(self) -> dict[str, str]:
        """The MD5 sums of the sources that the compiler read, by their names as in ``file``."""
        return {self.file(f"!{match[1]}"): match[2] for match in CHECKSUM.finditer(self.text, self.start)}

    def declaration(self, reference: str) -> Position | None:
        """Where the source declares a DISubprogram or a global variable (through its expression)."""
        node = self.node(reference)
        if node is not None and node.kind == "DIGlobalVariableExpression":
            node = self.node(node.fields.get("var"))
        if node is None or "file" not in node.fields or node.number("line") == 0:
            return None
        function = _routine_name(node) if node.kind == "DISubprogram" else ""
        return Position(self.file(node.fields["file"]), node.number("line"), 0, function)

    def source_name(self, reference: str) -> str:
        """The name of a DISubprogram, or ""."""
        node = self.node(reference)
        return _routine_name(node) if node else ""

    def is_as_written(self, reference: str) -> bool:
        """Whether no optimiser changed the function that a DISubprogram describes."""
        node = self.node(reference)
        return node is not None and "DISPFlagOptimized" not in node.fields.get("spFlags", "")

    # --- variables and their types -----------------------------------------------------------------------------------

    def variable(self, reference: str, location: str = "") -> DebugVariable | None:
        """The source variable of a DILocalVariable or a DIGlobalVariable.

        ``location`` is that of a debug record, which says where a local's function was inlined.
        """
        call = self.call(location) if location else ""
        variable = self.variables.get(reference + call)
        if variable is None:
            node = self.node(reference)
            if node is None or "name" not in node.fields:
                return None
            type = node.fields.get("type")
            kind = self.type_name(type), self.encoding(type), self.type_size(type)
            scope = node.fields.get("scope", "") + call
            file = self.file(node.fields["file"]) if "file" in node.fields else ""
            variable = self.variables[reference + call] = DebugVariable(
                node.text("name"), *kind, scope, file, node.number("line"), type or ""
            )
        return variable

    def call(self, location: str) -> str:
        """The call that inlined the code at a DILocation, or ""."""
        call = self.calls.get(location)
        if call is None:
            found = LOCATION.match(self.line(int(location[1:])) or "")
            call = self.calls[location] = found[4] or "" if found else ""
        return call

    def global_variable(self, reference: str) -> DebugVariable | None:
        """The source variable that a DIGlobalVariableExpression describes."""
        node = self.node(reference)
        return self.variable(node.fields["var"]) if node is not None and "var" in node.fields else None

    def names_of_variables_and_types(self) -> frozenset[str]:
        """The names that the module's source gives to variables and types."""
        return frozenset(NAMED.findall(self.text, self.start))

    def type_name(self, reference: str | None) -> str:
        """A type roughly as C writes it: declarators of arrays and functions come last."""
        if reference is None:
            return "void"
        spelling = self.types.get(reference)
        if spelling is not None:
            return spelling
        prefixes: list[str] = []
        suffixes: list[str] = []
        at: str | None = reference
        name = "void"
        while (node := self.node(at)) is not None:
            tag = node.fields.get("tag", "")
            at = node.fields.get("baseType")
            if tag in POINTERS:
                target = self.node(at)
                if target is not None and target.kind == "DISubroutineType":
                    result = [self.type_name(item) for item in self.signature(target)[:1]]
                    prefixes.append(f"{result[0] if result else 'void'} ({POINTERS[tag]}")
                    suffixes.append(")()")
                    name = ""
                    break
                prefixes.append(POINTERS[tag])
            elif tag in QUALIFIERS:
                prefixes.append(QUALIFIERS[tag])
            elif tag == "DW_TAG_array_type":
                suffixes += [f"[{'' if count is None else count}]" for count in self.counts(node)]
            elif tag in KEYWORDS:
                name = KEYWORDS[tag] + (node.text("name") or "{...}")
                break
            else:
                name = node.text("name") or "void"
                break
        stars = ""
        words = ""
        for prefix in reversed(prefixes):
            if prefix in POINTERS.values():
                stars += prefix
            elif stars:
                stars += prefix.rstrip()
            else:
                words += prefix
        spelling = words + name + (" " + stars if stars else "") + "".join(suffixes)
        self.types[reference] = spelling
        return spelling

    def signature(self, routine: Node) -> list[str]:
        """The types of a function's result and parameters; "null" is void, and at the end "...".

        None for code that the compiler made.
        """
        types = self.node(routine.fields.get("types"))
        return types.items if types else ["null"]

    def counts(self, array: Node) -> list[int | None]:
        """The number of elements in each dimension of an array type; None if flexible, or not constant."""
        elements = self.node(array.fields.get("elements"))
        bounds = [self.node(item) for item in elements.items] if elements else []
        counts = [bound.fields.get("count", "") if bound else "" for bound in bounds]
        return [int(count) if count.isdigit() else None for count in counts]

    def layers(self, reference: str | None) -> Iterator[Node]:
        """A type, the type of which it is a typedef, qualified form or pointer, and so on."""
        while (node := self.node(reference)) is not None:
            yield node
            reference = node.fields.get("baseType")

    def plain_type(self, reference: str | None) -> Node | None:
        """The type without its typedefs and qualifiers; for an enumeration, its integer type, if any."""
        for node in self.layers(reference):
            is_outer = node.fields.get("tag") in _NAMING or node.fields.get("tag") == "DW_TAG_enumeration_type"
            if not is_outer or "baseType" not in node.fields:
                return node
        return None

    def encoding(self, reference: str | None) -> str | None:
        """The DWARF encoding without its prefix, "pointer", or None for aggregates."""
        node = self.plain_type(reference)
        if node is None:
            return None
        if node.fields.get("tag") in POINTERS:
            return "pointer"
        encoding = node.fields.get("encoding")
        return encoding.removeprefix("DW_ATE_") if encoding else None

    def type_size(self, reference: str | None) -> int | None:
        """The size of a type in bytes, if it has one."""
        for node in self.layers(reference):
            if "size" in node.fields:
                return node.number("size") // 8
            if node.fields.get("tag") not in _NAMING:
                return None
        return None


def _routine_name(routine: Node) -> str:
    """The name of a DISubprogram, with its namespaces and class in C++."""
    name = routine.text("name")
    mangled = routine.text("linkageName")
    return function_name(mangled, name) if mangled.startswith(MANGLED) else name
