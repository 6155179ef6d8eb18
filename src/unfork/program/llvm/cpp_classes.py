"""The classes of a C++ program from debug metadata: names, constructors, members, and derived classes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from unfork.program.llvm.debug_info import KEYWORDS, POINTERS, DebugInfo, Node
from unfork.program.llvm.demangle import plain_name, type_name

_INHERITED = re.compile(
    r"= !DIDerivedType\(tag: DW_TAG_inheritance, scope: (!\d+), baseType: (!\d+)(.*)$", re.MULTILINE
)
_METHOD = re.compile(r'^(!\d+) = !DISubprogram\(name: "([^"]*)", linkageName: "(_Z[^"]*)", scope: !\d+,', re.MULTILINE)
_TABLE = "_ZTV"
"""Prefix of virtual tables."""
_UNNAMED = "(anonymous namespace)::"
_CLASSES = frozenset(("DW_TAG_class_type", "DW_TAG_structure_type"))
_HIDDEN = ("DIFlagPrivate", "DIFlagProtected")


@dataclass(frozen=True, slots=True)
class DataMember:
    """A data member that all code may set."""

    name: str
    type: str
    is_bits: bool


class CppClasses:
    """Classes in debug metadata. Types are references into it; ``variables`` are those of the module."""

    def __init__(self, debug: DebugInfo, variables: Iterable[str]) -> None:
        self._debug = debug
        self._variables = variables

    def node(self, reference: str) -> Node:
        """The node of a type."""
        node = self._debug.node(reference)
        assert node is not None
        return node

    def plain(self, reference: str | None) -> str | None:
        """A type without its typedefs and qualifiers; None is void."""
        while (node := self._debug.node(reference)) is not None:
            tag = node.fields.get("tag", "")
            if tag != "DW_TAG_typedef" and tag not in ("DW_TAG_const_type", "DW_TAG_volatile_type"):
                return reference
            reference = node.fields.get("baseType")
        return None

    def is_class(self, reference: str) -> bool:
        """Whether a type is a completely known class or struct."""
        node = self.node(reference)
        return node.fields.get("tag") in _CLASSES and "DIFlagFwdDecl" not in node.fields.get("flags", "")

    def is_of_library(self, reference: str) -> bool:
        """Whether a class is in namespace std."""
        return self.spelling(reference).startswith("std::")

    # --- the spelling of types

    def spelling(self, reference: str | None) -> str:
        """A type as C++ writes it; "" for one without a name outside of a function, and for functions and arrays."""
        node = self._debug.node(reference)
        if node is None:
            return "void"
        tag, base = node.fields.get("tag", ""), node.fields.get("baseType")
        if tag in POINTERS:
            target = self.spelling(base)
            return f"{target} {POINTERS[tag]}" if target else ""
        if tag in ("DW_TAG_const_type", "DW_TAG_volatile_type"):
            target = self.spelling(base)
            return f"{target} {tag.split('_')[2]}" if target else ""
        if tag == "DW_TAG_typedef":
            return self.spelling(base) or self._qualified(node)
        if node.kind == "DIBasicType":
            return node.text("name")
        return self._qualified(node) if tag in KEYWORDS else ""

    def _qualified(self, node: Node) -> str:
        """The name with its namespaces and classes; "" if it has none."""
        names: list[str] = []
        at: Node | None = node
        while at is not None and at.kind in ("DICompositeType", "DIDerivedType", "DINamespace"):
            if at.text("name"):
                names.append(at.text("name"))
            elif at.kind != "DINamespace":
                return ""
            at = self._debug.node(at.fields.get("scope"))
        if at is not None and at.kind not in ("DIFile", "DICompileUnit"):
            return ""
        return plain_name("::".join(reversed(names))).replace(_UNNAMED, "")

    # --- the contents of classes

    def arguments(self, reference: str) -> list[str]:
        """The type arguments of a template."""
        parameters = self._debug.node(self.node(reference).fields.get("templateParams"))
        nodes = [self._debug.node(item) for item in parameters.items] if parameters else []
        return [each.fields.get("type", "null") for each in nodes if each and each.kind == "DITemplateTypeParameter"]

    def _elements(self, reference: str) -> Iterator[Node]:
        elements = self._debug.node(self.node(reference).fields.get("elements"))
        for item in elements.items if elements else []:
            element = self._debug.node(item)
            if element is not None:
                yield element

    def _is_public(self, reference: str, flags: str) -> bool:
        by_default = self.node(reference).fields.get("tag") == "DW_TAG_structure_type"
        return "DIFlagPublic" in flags or (by_default and not any(word in flags for word in _HIDDEN))

    def parameters(self, routine: Node) -> list[str] | None:
        """The types of a function's parameters, including ``this``; None if it is variadic."""
        kind = self._debug.node(routine.fields.get("type"))
        given = self._debug.signature(kind)[1:] if kind else ["null"]
        return None if "null" in given else given

    def constructors(self, reference: str) -> list[list[str]] | None:
        """The parameters of each public constructor, except copy constructors; None if the class declares none."""
        name = self.node(reference).text("name").partition("<")[0]
        declared = [
            each
            for each in self._elements(reference)
            if each.kind == "DISubprogram"
            and each.text("name").partition("<")[0] == name
            and "DIFlagArtificial" not in each.fields.get("flags", "")
        ]
        usable = []
        for each in declared:
            is_deleted = "DISPFlagDeleted" in each.fields.get("spFlags", "")
            parameters = self.parameters(each)
            if parameters is None or is_deleted or not self._is_public(reference, each.fields.get("flags", "")):
                continue
            if [self.target(parameter) for parameter in parameters[1:]] != [reference]:
                usable.append(parameters[1:])
        return usable if declared else None

    def target(self, reference: str) -> str | None:
        """The target of a reference, without qualifiers; the type itself if it is not one."""
        node = self._debug.node(reference)
        is_reference = node is not None and "reference_type" in node.fields.get("tag", "")
        return self.plain(node.fields.get("baseType") if node is not None and is_reference else reference)

    def members(self, reference: str) -> list[DataMember] | None:
        """The public data members, those of public bases first; None if some have no name."""
        members: list[DataMember] = []
        for each in self._elements(reference):
            flags, kind = each.fields.get("flags", ""), each.fields.get("baseType", "null")
            if "StaticMember" in flags or not self._is_public(reference, flags):
                continue
            if (
                each.fields.get("tag") == "DW_TAG_inheritance"
                and self.constructors(base := self.plain(kind) or "") is None
            ):
                inherited = self.members(base)
                if inherited is None:
                    return None
                members += inherited
            elif each.fields.get("tag") == "DW_TAG_member" and "DIFlagArtificial" not in flags:
                if not each.text("name"):
                    return None
                members.append(DataMember(each.text("name"), kind, "DIFlagBitField" in flags))
        return members

    def target_of_pointer(self, reference: str) -> str | None:
        """The target of a pointer, without qualifiers; None is void."""
        return self.plain(self.node(reference).fields.get("baseType"))

    def element(self, reference: str | None) -> str | None:
        """The type of an array's elements; None for another type."""
        node = self._debug.node(reference)
        is_array = node is not None and node.fields.get("tag") == "DW_TAG_array_type"
        return node.fields.get("baseType") if node is not None and is_array else None

    def bare(self, reference: str | None) -> str | None:
        """The type behind a reference, pointer or array, without qualifiers."""
        for node in self._debug.layers(self.plain(reference)):
            if node.fields.get("tag") not in (*POINTERS, "DW_TAG_array_type"):
                break
            reference = self.plain(node.fields.get("baseType"))
        return self.plain(reference)

    def is_number(self, reference: str) -> bool:
        """Whether a type is a number, truth value, character or enumeration."""
        node = self.node(reference)
        is_basic = node.kind == "DIBasicType" and node.text("name") != "decltype(nullptr)"
        return is_basic or node.fields.get("tag") == "DW_TAG_enumeration_type"

    @cached_property
    def _derived(self) -> dict[str, list[str]]:
        derived = defaultdict(list)
        for found in _INHERITED.finditer(self._debug.text, self._debug.start):
            if self._is_public(found[1], found[3]):
                derived[self.plain(found[2]) or ""].append(found[1])
        return derived

    def dynamic_types(self, reference: str) -> list[str]:
        """The concrete classes of objects whose static type is a class."""
        known, waiting = dict.fromkeys([reference]), [reference]
        while waiting:
            for each in self._derived.get(waiting.pop(), []):
                if each not in known:
                    known[each] = None
                    waiting.append(each)
        return [each for each in known if not self.is_abstract(each)]

    def virtual_table(self, reference: str) -> str:
        """The variable with the virtual table of a class; "" for none."""
        exact = self.node(reference).text("identifier").replace("_ZTS", _TABLE, 1)
        if exact in self._variables:
            return exact
        return self._tables.get(self.spelling(reference).replace(" ", ""), "")

    @cached_property
    def _tables(self) -> dict[str, str]:
        tables = [name for name in self._variables if name.startswith(_TABLE)]
        return {type_name(name.removeprefix(_TABLE)).replace(_UNNAMED, "").replace(" ", ""): name for name in tables}

    def is_polymorphic(self, reference: str) -> bool:
        """Whether a class, or a base of it, has a virtual function."""
        return "vtableHolder" in self.node(reference).fields

    def is_abstract(self, reference: str) -> bool:
        """Whether a virtual function has no definition in the class or its bases."""
        return "DISPFlagPureVirtual" in self._last_overriders(reference).values()

    def _last_overriders(self, reference: str) -> dict[tuple[str, str], str]:
        overriders: dict[tuple[str, str], str] = {}
        for each in self._elements(reference):
            if each.fields.get("tag") == "DW_TAG_inheritance":
                overriders |= self._last_overriders(self.plain(each.fields.get("baseType")) or "")
        for each in self._elements(reference):
            flags = each.fields.get("spFlags", "")
            if each.kind == "DISubprogram" and "Virtual" in flags:
                overriders[self._signature(each)] = "DISPFlagPureVirtual" if "PureVirtual" in flags else ""
        return overriders

    def _signature(self, routine: Node) -> tuple[str, str]:
        """What an overrider shares with the function that it overrides."""
        given = [self.spelling(each) for each in (self.parameters(routine) or [])[1:]]
        return re.sub(r"^~.*", "~", routine.text("name")), ", ".join([*given, "const" * self.is_const(routine)])

    # --- functions

    def is_const(self, routine: Node) -> bool:
        """Whether a method is const."""
        this, *_ = [*(self.parameters(routine) or []), "null"]
        pointer = self._debug.node(this)
        target = None if pointer is None else self._debug.node(pointer.fields.get("baseType"))
        return target is not None and target.fields.get("tag") == "DW_TAG_const_type"

    def is_method(self, routine: Node) -> bool:
        """Whether a function is declared in a class."""
        scope = self._debug.node(routine.fields.get("scope"))
        return scope is not None and scope.kind == "DICompositeType"

    def routine(self, reference: str | None) -> Node | None:
        """The declaration of a function, in its class if it is a method."""
        node = self._debug.node(reference)
        declared = None if node is None else self._debug.node(node.fields.get("declaration"))
        return declared or node

    @cached_property
    def methods(self) -> dict[str, str]:
        """The declarations of the methods of all classes, by the names of the functions."""
        return {found[3]: found[1] for found in _METHOD.finditer(self._debug.text, self._debug.start)}

    def called(self, name: str) -> list[str]:
        """The methods of classes with a name, as functions, without those in namespace std."""
        found = _METHOD.finditer(self._debug.text, self._debug.start)
        own = [each[3] for each in found if f"{each[2]}<".startswith(f"{name}<")]
        return [each for each in own if not each.startswith(("_ZNSt", "_ZNKSt"))]

    def qualified_name(self, routine: Node) -> str:
        """A function's name with its namespaces and class; "" if it has none outside of a function."""
        scope = self._debug.node(routine.fields.get("scope"))
        if scope is None or scope.kind in ("DIFile", "DICompileUnit"):
            return routine.text("name")
        around = self._qualified(scope)
        return f"{around}::{routine.text('name')}".removeprefix("::") if around or scope.kind == "DINamespace" else ""
