"""Reads C types, prototypes and cells from debug metadata, each on first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from types import MappingProxyType

from unfork.program.c.callbacks import ANY, BYTES, GAP, NOTHING, READ, SCALARS, STRUCT, name_of_callback
from unfork.program.c.expression_text import type_text
from unfork.program.c.expressions import STANDARD_TYPES, integer_type
from unfork.program.llvm.c_types import (
    ANY_POINTER,
    BYTE,
    VOID,
    Array,
    CType,
    Field,
    FlexibleTail,
    MemberArray,
    Opaque,
    Parameter,
    Pointer,
    ProgramVariable,
    Prototype,
    RecordType,
    Routine,
    Scalar,
    TypeCell,
    TypeCells,
    array_of,
)
from unfork.program.llvm.cpp_classes import CppClasses
from unfork.program.llvm.debug_info import POINTERS, QUALIFIERS, DebugInfo, Node

MOST_CELLS = 1 << 19
"""The most cells of one type; a larger type is not described."""
_RECORDS = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ", "DW_TAG_class_type": "struct "}
_DECLARED = "DIFlagFwdDecl"
"""The flag of a struct that is declared only."""
_SIZE_OF_ENUMERATION = 4
"""Bytes of most enumerations."""
_FEW = 33
"""The most letters of a struct that a callback fills: set without a trial."""
_LEADING = ("type", "baseType", "elements", "types", "globals", "var", "enums", "retainedTypes")
"""The fields of debug information that lead to a file's definitions."""
_NAME_OF_RECORD = re.compile(r"%(struct|union)\.([A-Za-z_]\w*)(?:\.\d+)?$")
_TAGS = {"struct": "structure_type", "union": "union_type", "enum": "enumeration_type"}
_MEMBER = "DW_TAG_member"
_PARTS = (_MEMBER, "DW_TAG_inheritance")
"""The parts of a class: members and bases, which have the names of their classes here."""
_TRANSPARENT = frozenset((*QUALIFIERS, "DW_TAG_typedef", "DW_TAG_array_type"))
"""Types that are const if their underlying type is."""
_ARGUMENT = re.compile(r'^!\d+ = !DILocalVariable\(name: "(\w+)", arg: (\d+), scope: (!\d+),', re.M)


class CTypes:
    """The C types of a module. ``subprogram`` gives the metadata reference of a defined function.

    ``pointing`` gives that of a variable that points to a function without a body. ``variables`` are the module's.
    """

    def __init__(
        self,
        debug: DebugInfo,
        subprogram: Callable[[str], str | None],
        pointing: Mapping[str, str] = MappingProxyType({}),
        variables: Iterable[str] = (),
        any_pointer: Pointer = ANY_POINTER,
    ) -> None:
        """``any_pointer`` is the module's ``void *``."""
        self.debug = debug
        self.any_pointer = any_pointer
        self.subprogram = subprogram
        self.classes = CppClasses(debug, variables)
        self._pointing = pointing
        self._types: dict[str, CType] = {}
        self._fields: dict[str, tuple[Field, ...]] = {}
        self._cells: dict[CType, TypeCells | None] = {}
        self._complete: dict[str, str | None] = {}
        self._named: dict[tuple[str, int], RecordType | None] = {}

    # --- types ---

    def type(self, reference: str | None) -> CType:
        """The type of a metadata reference, without typedefs and qualifiers; None is void."""
        if reference is None or reference == "null":
            return VOID
        kind = self._types.get(reference)
        if kind is None:
            kind = self._types[reference] = self._read(reference)
        return kind

    def target(self, pointer: Pointer) -> CType:
        """The target type of a pointer."""
        return self.type(pointer.reference)

    def leads_to_const(self, pointer: Pointer) -> bool:
        """Whether nothing may be changed through a pointer."""
        node = self.debug.node(pointer.reference)
        return node is not None and node.fields.get("tag") == "DW_TAG_const_type"

    def _read(self, reference: str) -> CType:
        at: str | None = reference
        alias = ""
        while True:
            node = self.debug.node(at)
            if node is None:
                return VOID
            tag = node.fields.get("tag", "")
            if tag == "DW_TAG_typedef":
                alias = node.text("name")
            elif tag not in QUALIFIERS:
                break
            at = node.fields.get("baseType")
        assert at is not None
        if node.kind == "DISubroutineType":
            return Routine(self._routine_name(node))
        if node.kind == "DIBasicType":
            encoding = node.fields.get("encoding", "").removeprefix("DW_ATE_")
            return Scalar(node.text("name"), node.number("size") // 8, encoding)
        if tag in POINTERS:
            target = node.fields.get("baseType")
            return replace(self.any_pointer, name=self._pointer_name(target), reference=target)
        if tag == "DW_TAG_enumeration_type":
            base = self.type(node.fields.get("baseType"))
            encoding = base.encoding if isinstance(base, Scalar) else "unsigned"
            name = f"enum {node.text('name')}" if node.text("name") else alias or "unsigned int"
            return Scalar(name, node.number("size") // 8, encoding)
        if tag == "DW_TAG_array_type":
            return self._array(node)
        if tag in _RECORDS:
            return self._record(at, node, tag, alias)
        return Opaque(node.text("name") or alias or tag)

    def _array(self, node: Node) -> CType:
        kind = self.type(node.fields.get("baseType"))
        for count in [count or 0 for count in reversed(self.debug.counts(node))]:
            kind = array_of(kind, count)
        return kind

    def _record(self, reference: str, node: Node, tag: str, alias: str) -> CType:
        name = _RECORDS[tag] + node.text("name") if node.text("name") else alias
        if node.fields.get("flags", "").startswith(_DECLARED):
            whole = self._definition(tag, node.text("name"))
            if whole is None:
                return Opaque(name)
            reference = whole
            complete = self.debug.node(whole)
            assert complete is not None
            node = complete
        size = node.number("size") // 8
        if size == 0 or self._has_virtual_base(node):
            return Opaque(name)
        return RecordType(name or f"{_RECORDS[tag]}{{{reference}}}", size, tag == "DW_TAG_union_type", reference)

    def _has_virtual_base(self, record: Node) -> bool:
        """Whether only the table of virtual functions knows where a base of a class is."""
        bases = self.debug.node(record.fields.get("elements")) if "vtableHolder" in record.fields else None
        several = [] if bases is None else [self.debug.node(each) for each in bases.items]
        return any(each is not None and "DIFlagVirtual" in each.fields.get("flags", "") for each in several)

    def _definition(self, tag: str, name: str) -> str | None:
        """Another compile unit's definition of a struct that this one only declares."""
        if name not in self._complete:
            pattern = re.compile(rf'^(!\d+) = (?:distinct )?!DICompositeType\(tag: {tag}, name: "{name}",(.*)$', re.M)
            matches = pattern.finditer(self.debug.text, self.debug.start)
            self._complete[name] = next((match[1] for match in matches if _DECLARED not in match[2]), None)
        return self._complete[name]

    def _pointer_name(self, target: str | None) -> str:
        node = self.debug.plain_type(target)
        if node is not None and node.kind == "DISubroutineType":
            result, parameters = self._signature(node)
            return f"{result} (*)({parameters})"
        if node is None:
            return "void *"
        name = self.type(target).name
        return f"{name}*" if name.endswith("*") else f"{name} *"

    def _routine_name(self, node: Node) -> str:
        result, parameters = self._signature(node)
        return f"{result}({parameters})"

    def _signature(self, node: Node) -> tuple[str, str]:
        items = self.debug.signature(node)
        names = [self.type(item).name if item != "null" else "..." for item in items[1:]]
        return self.type(items[0]).name if items else "void", ", ".join(names) or "void"

    def named(self, record: str, size: int) -> RecordType | None:
        """The struct or union that LLVM names ``%struct.NAME`` or similar: by tag, or by typedef without one."""
        if (record, size) not in self._named:
            kinds = map(self.type, self._called(record))
            self._named[record, size] = next(
                (kind for kind in kinds if isinstance(kind, RecordType) and kind.size == size), None
            )
        return self._named[record, size]

    def _called(self, record: str) -> Iterator[str]:
        match = _NAME_OF_RECORD.match(record)
        if match is not None:
            tags = f"DICompositeType\\(tag: DW_TAG_{_TAGS[match[1]]}|DIDerivedType\\(tag: DW_TAG_typedef"
            pattern = re.compile(rf'^(!\d+) = (?:distinct )?!(?:{tags}), name: "{match[2]}",', re.M)
            yield from (found[1] for found in pattern.finditer(self.debug.text, self.debug.start))

    def of_name(self, words: str) -> CType | None:
        """The type with this name in C, by keywords, a tag or a typedef; None if there is none, or several that
        differ.
        """
        keywords = integer_type(words)
        if keywords is not None:
            encoding = "boolean" if keywords.width == 1 else "signed" if keywords.signed else "unsigned"
            return Scalar(words, max(keywords.width // 8, 1), encoding)
        tag, _, name = words.rpartition(" ")
        kind = f"DICompositeType\\(tag: DW_TAG_{_TAGS[tag]}" if tag else "DIDerivedType\\(tag: DW_TAG_typedef"
        pattern = re.compile(rf'^(!\d+) = (?:distinct )?!{kind}, name: "{name}",', re.M)
        known = {self.type(found[1]) for found in pattern.finditer(self.debug.text, self.debug.start)}
        if len(known) == 1:
            return known.pop()
        standard = STANDARD_TYPES.get(words)
        return None if known or standard is None else self.of_name(type_text(standard))

    def pointer_to(self, kind: CType) -> Pointer:
        """The type of a pointer."""
        reference = f"to {kind!r}"
        self._types.setdefault(reference, kind)
        name = f"{kind.name}*" if kind.name.endswith("*") else f"{kind.name} *"
        return replace(self.any_pointer, name=name, reference=reference)

    def dynamic_types(self, record: RecordType) -> list[tuple[CType, str]]:
        """The possible classes of an object with the static type ``record``, and the variables with their virtual
        tables; none for a class without virtual functions.
        """
        if not self.classes.is_polymorphic(record.reference):
            return []
        known = self.classes.dynamic_types(record.reference)
        return [(self.type(each), self.classes.virtual_table(each)) for each in known]

    def members(self, union: RecordType, start: int, end: int, *, is_pointer: bool) -> tuple[TypeCell, ...]:
        """The cells between two offsets in a union, of the first member that has some; () if none has.

        ``is_pointer`` requires a single pointer. If members disagree on its target, it is a ``void *``.
        """
        choices = [
            found
            for field in self.fields(union)
            if not field.is_bits and (found := self._within(field, start, end, is_pointer=is_pointer))
        ]
        if not choices:
            return ()
        if is_pointer and len({found[0].type for found in choices}) > 1:
            return (replace(choices[0][0], type=self.any_pointer),)
        return choices[0]

    def shapes(self, union: RecordType) -> list[tuple[TypeCell, ...]]:
        """The cells of a union as each of its members, with single bytes behind a shorter one; of members with the same
        pointers only those of the first.
        """
        waiting, of_pointers = [*self._members_of(union)], dict[tuple[tuple[int, CType], ...], tuple[TypeCell, ...]]()
        while waiting:
            cells = waiting.pop(0)
            inner = next((each for each in cells if isinstance(each.type, RecordType)), None)
            if inner is not None and isinstance(inner.type, RecordType):
                rest = [each for each in cells if each is not inner]
                waiting += [[*rest, *(each.within(inner) for each in of)] for of in self._members_of(inner.type)]
                continue
            pointers = [(each.offset, each.type) for each in cells if isinstance(each.type, Pointer)]
            of_pointers.setdefault(tuple(sorted(pointers)), _fill_gaps(cells, union.size))
        return [*of_pointers.values()]

    def _members_of(self, union: RecordType) -> Iterator[list[TypeCell]]:
        """The cells of each member of a union."""
        for field in self.fields(union):
            cells, path = self.cells(field.type), _member("", field.name)
            if cells is not None and not field.is_bits:
                yield [replace(each, path=None if each.path is None else f"{path}{each.path}") for each in cells.cells]

    def _within(self, member: Field, start: int, end: int, *, is_pointer: bool) -> tuple[TypeCell, ...]:
        """The cells between two offsets in a union's member, which begins at the union's offset; () if it has none."""
        cells = self.cells(member.type)
        if cells is None or end > cells.size:
            return ()
        found = tuple(
            replace(cell, path=None if cell.path is None else f"{_member('', member.name)}{cell.path}")
            for _, cell in cells.within(start, end)
        )
        if len(found) == 1 and isinstance(found[0].type, RecordType):
            inner = found[0]
            nested = self.members(found[0].type, start - inner.offset, end - inner.offset, is_pointer=is_pointer)
            found = tuple(cell.within(inner) for cell in nested)
        if not found or found[0].offset != start or found[-1].end != end:
            return ()
        is_one = len(found) == 1 and isinstance(found[0].type, Pointer)
        return found if is_one == is_pointer else ()

    def known_in(self, function: str) -> frozenset[str]:
        """The names of the structs, unions and enums that a function's file defines.

        It may know others, to which its pointers lead, by name only.
        """
        reference = self.subprogram(function)
        known: set[str] = set()
        waiting = [reference, self.unit(function)]
        seen: set[str] = set()
        while waiting:
            at = waiting.pop()
            node = self.debug.node(at)
            if at is None or node is None or at in seen:
                continue
            seen.add(at)
            waiting += [*node.items, *(node.fields.get(name) for name in _LEADING)]
            is_named = node.kind == "DICompositeType" or node.fields.get("tag") == "DW_TAG_typedef"
            if is_named and not self._is_local(node):
                known.add(self._own_name(node))
        return frozenset(known)

    def _own_name(self, node: Node) -> str:
        """The name of a type defined where ``node`` belongs, with its tag; "" for others."""
        plain = self.debug.plain_type(node.fields.get("baseType")) if node.kind == "DIDerivedType" else node
        if plain is None or plain.kind != "DICompositeType" or plain.fields.get("flags", "").startswith(_DECLARED):
            return ""
        tag = _RECORDS.get(plain.fields.get("tag", ""), "enum ")
        return f"{tag}{plain.text('name')}" if plain.text("name") else node.text("name")

    def _is_local(self, node: Node) -> bool:
        scope = self.debug.node(node.fields.get("scope"))
        return scope is not None and scope.kind in ("DISubprogram", "DILexicalBlock")

    # --- members and cells ---

    def fields(self, record: RecordType) -> tuple[Field, ...]:
        """The members of a struct or union, in order."""
        fields = self._fields.get(record.reference)
        if fields is None:
            fields = self._fields[record.reference] = self._read_fields(record)
        return fields

    def _read_fields(self, record: RecordType) -> tuple[Field, ...]:
        node = self.debug.node(record.reference)
        elements = self.debug.node(node.fields.get("elements")) if node else None
        fields = []
        for item in elements.items if elements else []:
            member = self.debug.node(item)
            tag = member.fields.get("tag") if member is not None else None
            if member is None or tag not in _PARTS or "StaticMember" in member.fields.get("flags", ""):
                continue
            is_bits = "DIFlagBitField" in member.fields.get("flags", "")
            reference = member.fields.get("baseType")
            offset = member.number("offset") // 8
            kind = self.type(reference)
            name = member.text("name") if tag == _MEMBER else kind.name.rpartition(" ")[2]
            fields.append(Field(name, kind, offset, is_bits, self._is_const(reference)))
        return tuple(fields)

    def _is_const(self, reference: str | None) -> bool:
        """Whether a type is const, or an array of something const."""
        for node in self.debug.layers(reference):
            tag = node.fields.get("tag", "")
            if tag not in _TRANSPARENT:
                return False
            if tag == "DW_TAG_const_type":
                return True
        return False

    def cells(self, kind: CType) -> TypeCells | None:
        """The cells of one element of a type; None for a type without a size, or with too many cells."""
        if kind not in self._cells:
            self._cells[kind] = self._flatten(kind) if kind.size else None
        return self._cells[kind]

    def _flatten(self, whole: CType) -> TypeCells | None:
        cells: list[TypeCell] = []
        parts: list[tuple[int, CType]] = []
        arrays: list[MemberArray] = []
        flexible = False
        pending: list[tuple[int, str | None, CType, bool]] = [(0, "", whole, False)]
        while pending:
            offset, path, kind, is_const = pending.pop()
            if len(cells) + len(pending) > MOST_CELLS:
                return None
            if isinstance(kind, Array):
                flexible = flexible or kind.count == 0
                arrays += self._member_array(offset, path, kind, arrays)
                names = [None if path is None else f"{path}[{i}]" for i in range(kind.count)]
                stride = kind.element.size
                pending.extend(
                    (offset + i * stride, names[i], kind.element, is_const) for i in reversed(range(kind.count))
                )
                continue
            if isinstance(kind, Scalar | Pointer):
                cells.append(TypeCell(offset, kind, path, is_const))
                if isinstance(kind, Pointer) or kind is whole:
                    parts.append((offset, kind))
            elif isinstance(kind, RecordType):
                parts.append((offset, kind))
                if kind.is_union:
                    cells.extend(self._cell_of_union(offset, path, kind, is_const=is_const))
                    continue
                fields = [field for field in self.fields(kind) if not field.is_bits]
                pending.extend(
                    (offset + field.offset, _member(path, field.name), field.type, is_const or field.is_const)
                    for field in reversed(fields)
                )
            else:
                return None
        gapless = _fill_gaps(cells, whole.size)
        tail = self._tail(whole, gapless) if flexible else None
        return TypeCells(whole.size, gapless, tuple(parts), flexible, tail, tuple(arrays))

    def _member_array(
        self, offset: int, path: str | None, kind: Array, before: Sequence[MemberArray]
    ) -> Iterator[MemberArray]:
        """The array as the type with it has it; nothing if it is in one before, or if its elements hold no pointers."""
        element: CType = kind
        dimensions = list[int]()
        while isinstance(element, Array):
            dimensions.append(element.count)
            element = element.element
        if path is None or prod(dimensions) < 2 or any(offset < each.end for each in before):
            return
        cells = self.cells(element)
        if cells is not None and cells.holds_pointers and cells.tail is None:
            yield MemberArray(offset, path, element, cells, tuple(dimensions))

    def _tail(self, whole: CType, cells: tuple[TypeCell, ...]) -> FlexibleTail | None:
        """The flexible array member, or GNU C's array of length 0, that ends a struct.

        None if it lies elsewhere, or if its elements do not end where objects of the struct may.
        """
        at, path, kind, is_const, record = 0, "", whole, False, None
        while isinstance(kind, RecordType) and not kind.is_union:
            record = kind
            fields = self.fields(kind)
            if not fields or fields[-1].is_bits:
                return None
            last = fields[-1]
            at, path, kind = at + last.offset, _member(path, last.name) or "", last.type
            is_const = is_const or last.is_const
        elements = self.cells(kind.element) if isinstance(kind, Array) and kind.count == 0 else None
        if record is None or elements is None or not isinstance(kind, Array) or elements.tail is not None or is_const:
            return None
        ends = (whole.size - at) % elements.size == 0 or all(each.size == 1 for each in elements.cells)
        reaches = any(each.offset < at < each.end or (each.offset >= at and each.path is not None) for each in cells)
        return FlexibleTail(record, at, path, kind.element, elements) if ends and not reaches else None

    def _cell_of_union(self, offset: int, path: str | None, union: RecordType, *, is_const: bool) -> list[TypeCell]:
        if self._has_pointer(union):
            return [TypeCell(offset, union, path, is_const)]
        for field in self.fields(union):
            if isinstance(field.type, Scalar) and field.type.size == union.size and not field.is_bits:
                return [TypeCell(offset, field.type, _member(path, field.name), is_const or field.is_const)]
        return []

    def _has_pointer(self, whole: CType) -> bool:
        pending: list[CType] = [whole]
        while pending:
            kind = pending.pop()
            match kind:
                case Pointer():
                    return True
                case Array():
                    pending.append(kind.element)
                case RecordType():
                    pending.extend(field.type for field in self.fields(kind))
        return False

    # --- variables and functions ---

    def variable(self, reference: str) -> ProgramVariable | None:
        """The variable of a DIGlobalVariableExpression; None without debug information."""
        expression = self.debug.node(reference)
        node = self.debug.node(expression.fields.get("var")) if expression else None
        if node is None:
            return None
        scope = node.fields.get("scope")
        around = self.debug.node(scope)
        unit = scope if around is not None and around.kind == "DICompileUnit" else None
        is_static = node.fields.get("isLocal") == "true"
        return ProgramVariable(node.text("name"), self.type(node.fields.get("type")), unit or "", is_static)

    def unit(self, function: str) -> str:
        """The compile unit that defines a function, in the form of ``ProgramVariable.unit``."""
        node = self.debug.node(self.subprogram(function))
        return node.fields.get("unit", "") if node else ""

    def source_of(self, function: str) -> str:
        """The file of a function; "" without debug information."""
        node = self.debug.node(self.unit(function) or None)
        return self.debug.file(node.fields["file"]) if node else ""

    def prototype(self, function: str) -> Prototype | None:
        """A function's C declaration; None without debug information."""
        reference = self.subprogram(function)
        if reference is None and function in self._pointing:
            return self.prototype_of_target(function, self._pointing[function])
        node = self.debug.node(reference)
        kind = self.debug.node(node.fields.get("type")) if node else None
        if node is None or kind is None or reference is None:
            return None
        return self._prototype(node.text("name") or function, kind, reference)

    def prototype_of_target(self, function: str, reference: str) -> Prototype | None:
        """The C declaration of a variable's target function; ``reference`` is as in ``variable``."""
        variable = self.variable(reference)
        target = variable.type.reference if variable is not None and isinstance(variable.type, Pointer) else None
        kind = self.debug.plain_type(target)
        return None if kind is None or kind.kind != "DISubroutineType" else self._prototype(function, kind, "")

    def _prototype(self, name: str, kind: Node, subprogram: str) -> Prototype | None:
        items = self.debug.signature(kind)
        if not items:
            return None
        given = items[1:]
        is_variadic = bool(given) and given[-1] == "null"
        names = self._names_of_arguments
        parameters = [
            self._parameter(names.get((subprogram, number), f"argument{number}"), self.type(item))
            for number, item in enumerate(given[:-1] if is_variadic else given, 1)
        ]
        return Prototype(name, self.type(items[0]), tuple(parameters), is_variadic)

    def _parameter(self, name: str, kind: CType) -> Parameter:
        """A parameter as the compiler passes it: an object that must not be copied byte by byte by its address."""
        node = self.debug.node(kind.reference) if isinstance(kind, RecordType) else None
        is_address = node is not None and "TypePassByReference" in node.fields.get("flags", "")
        return Parameter(name, self.pointer_to(kind) if is_address else kind, is_address)

    def routine(self, function: str) -> Routine | None:
        """The type of a defined function."""
        node = self.debug.node(self.subprogram(function))
        if node is None:
            return None
        kind = self.type(node.fields.get("type"))
        return kind if isinstance(kind, Routine) else None

    def callback(self, pointer: Pointer, *, has_context: bool = True) -> str | None:
        """The name of the function that stands for a caller's (program/c/callbacks.py), for a pointer to a function;
        None if there is none for its type.
        """
        node = self.debug.plain_type(pointer.reference)
        if node is None or node.kind != "DISubroutineType":
            return None
        items = self.debug.signature(node) or ["null"]
        letters = [self._letter(item) for item in items[1:]]
        result = NOTHING if items[0] == "null" else self._letter(items[0])
        if result is None or None in letters:
            return None
        return name_of_callback(result, [each for each in letters if each], has_context=has_context)

    def _letter(self, reference: str) -> str | None:
        """The letter of a parameter or a result; None for ``...``, structs and other types."""
        kind = self.type(reference)
        if isinstance(kind, Scalar):
            return _letter_of(kind)
        if not isinstance(kind, Pointer):
            return None
        if kind.reference is None:
            return ANY
        if self._is_const(kind.reference):
            return READ
        target = self.type(kind.reference)
        if isinstance(target, RecordType):
            return self._letters_of_members(target) or READ
        if not isinstance(target, Scalar):
            return ANY if target == VOID else READ
        return BYTES if target.size == 1 else f"{BYTES}{SCALARS[target.name]}" if target.name in SCALARS else READ

    def _letters_of_members(self, kind: RecordType) -> str:
        """The letters of a struct of a few numbers, and of its other bytes; "" for any other type."""
        node, cells = self.debug.node(kind.reference), self.cells(kind)
        if node is None or node.fields.get("tag") != "DW_TAG_structure_type" or cells is None or cells.tail is not None:
            return ""
        letters = [STRUCT]
        for cell in cells.cells:
            letter = _letter_of(cell.type) if isinstance(cell.type, Scalar) and not cell.is_const else None
            if letter is None or cell.offset % cell.size:
                return ""
            letters.append(letter if cell.path is not None else GAP)
        return "".join(letters) if len(letters) <= _FEW and {*letters} != {STRUCT, GAP} else ""

    @cached_property
    def _names_of_arguments(self) -> dict[tuple[str, int], str]:
        matches = _ARGUMENT.finditer(self.debug.text, self.debug.start)
        return {(match[3], int(match[2])): match[1] for match in matches}


def _letter_of(kind: Scalar) -> str | None:
    """The letter of a number; an enumeration has that of its integer."""
    is_enumeration = kind.size == _SIZE_OF_ENUMERATION and kind.encoding in ("signed", "unsigned")
    return SCALARS.get(kind.name) or (SCALARS["unsigned int"] if is_enumeration else None)


NO_TYPES = CTypes(DebugInfo("", -1, {}), lambda name: None)
"""The types of a module without debug information."""


def _member(path: str | None, name: str) -> str | None:
    """The path of a member; those of an unnamed struct are members of the struct around it."""
    return path if path is None or not name else f"{path}.{name}"


def _fill_gaps(cells: list[TypeCell], size: int) -> tuple[TypeCell, ...]:
    """The cells in order, with single bytes in the gaps."""
    gapless: list[TypeCell] = []
    filled = 0
    for cell in sorted(cells, key=lambda cell: cell.offset):
        if cell.offset < filled:
            continue
        gapless.extend(TypeCell(i, BYTE, None) for i in range(filled, cell.offset))
        gapless.append(cell)
        filled = cell.end
    gapless.extend(TypeCell(i, BYTE, None) for i in range(filled, size))
    return tuple(gapless)
