"""C++ in debug metadata beyond C: classes of a library, and code without a source."""

from __future__ import annotations

from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType


class CppTypes:
    """The classes and functions of a module in C++."""

    def __init__(self, types: CTypes) -> None:
        self._types = types
        self._debug = types.debug

    def file_of_class(self, record: RecordType) -> str:
        """The file that defines a class (in the source's sense); "" for a struct, whose members hold anything."""
        node = self._debug.node(record.reference)
        is_class = node is not None and node.fields.get("tag") == "DW_TAG_class_type"
        return self._debug.file(node.fields.get("file", "")) if node is not None and is_class else ""

    def leads_to_class(self, function: str, folder: str) -> bool:
        """Whether an argument of the function may contain an object of a class defined in ``folder``."""
        prototype = self._types.prototype(function)
        waiting = [] if prototype is None else [each.type for each in prototype.parameters]
        seen = set[CType]()
        while waiting:
            kind = waiting.pop()
            if kind in seen:
                continue
            seen.add(kind)
            match kind:
                case Pointer():
                    waiting.append(self._types.target(kind))
                case Array():
                    waiting.append(kind.element)
                case RecordType():
                    if folder in self.file_of_class(kind):
                        return True
                    waiting += [field.type for field in self._types.fields(kind)]
        return False

    def written(self, function: str) -> str | None:
        """The source's declaration of a defined function: one reference for all functions that the compiler makes of
        one constructor or destructor. None for functions without source or callable name, such as copy constructors
        and lambdas.
        """
        reference = self._types.subprogram(function)
        node = self._debug.node(reference)
        if node is None or "DIFlagArtificial" in node.fields.get("flags", ""):
            return None
        declared = node.fields.get("declaration", reference)
        member = self._debug.node(declared)
        around = self._debug.node(member.fields.get("scope")) if member is not None else None
        is_of_lambda = around is not None and around.kind == "DICompositeType" and not around.text("name")
        return None if is_of_lambda else declared
