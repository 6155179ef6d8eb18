"""What a scan of a function depends on, as a digest: the code, data and types that it can reach.

Names that the compiler invents, and numbers of debug information, are left out, so that changes elsewhere keep digests.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from unfork.commands.verify.fingerprint import position_data, without_numbers, without_positions
from unfork.errors import Unsupported
from unfork.program.facts.counting import counting_members
from unfork.program.facts.written import written_variables
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, Program

_ADDRESS = re.compile(r"GlobalAddress\(name='([^']*)'")
_MADE_UP = re.compile(r"^(?:\d+$|\..*)|\.\d+$")
"""Parts of names that are not in the source: names of anonymous data, and suffixes that keep static names apart."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A function, variable or type: the digest of its own text, and the parts that it names."""

    digest: bytes
    leads_to: tuple[str, ...]


class Digests:
    """The digests of a program's functions. Without ``lines``, neither positions nor callers count."""

    def __init__(self, program: Program, *, lines: bool) -> None:
        self._program = program
        self._lines = lines
        self._written = written_variables(program)
        self._counts = counting_members(program)
        self._parts: dict[str, _Part] = {}
        self._kinds: dict[str, Pointer | RecordType] = {}
        self._located = position_data(program)
        self._own = program.own
        called = [name for name in self._own if not program.library.isdisjoint(program.callers(name))]
        self._roots = (*program.constructors, *called)
        """Functions that run first, or that the library calls, such as the project's own allocator."""

    def of(self, name: str) -> str:
        """The digest of a function. Equal digests mean equal scans under equal options."""
        callers = sorted(_MADE_UP.sub("", each) for each in self._program.callers(name)) if self._lines else ()
        digest = hashlib.sha256(repr(callers).encode())
        numbers: dict[str, int] = {}
        for root in (name, *self._roots):
            numbers.setdefault(root, len(numbers))
        waiting = list(numbers)
        for current in waiting:  # it grows
            part = self._part(current)
            for other in part.leads_to:
                if other not in numbers:
                    numbers[other] = len(numbers)
                    waiting.append(other)
            digest.update(part.digest)
            digest.update(repr([numbers[other] for other in part.leads_to]).encode())
        return digest.hexdigest()

    def _part(self, name: str) -> _Part:
        part = self._parts.get(name)
        if part is None:
            text, types, others = self._description(name)
            text = without_numbers(text if self._lines else without_positions(text))
            named = [each for each in _ADDRESS.findall(text) if each not in self._located]
            digest = hashlib.sha256(_ADDRESS.sub("GlobalAddress(", text).encode("utf-8", "surrogatepass")).digest()
            leads_to = (*named, *self._references(types), *others)
            part = self._parts[name] = _Part(digest, leads_to)
        return part

    def _description(self, name: str) -> tuple[str, Iterable[CType], Iterable[str]]:
        """The text of a part, its types, and further parts that it may reach."""
        program, shown = self._program, _MADE_UP.sub("", name)
        if name.startswith("!"):
            return self._of_type(name)
        if name in program.library:
            return name, (), ()
        if name in program.aliases:
            return f"{shown} is {program.aliases[name]!r}", (), ()
        if name in program.stubs or name in program.defined:
            function = program.stubs.get(name) or program.function(name)
            prototype = program.c_types.prototype(name)
            place = f"{shown} {function.position!r} {function.source_name} {function.is_as_written}"
            code = f"{function.type!r} {function.parameter_byval!r} {function.blocks!r} {prototype!r}"
            return f"{place} {code}", self._types(function), self._own if _has_unknown_callee(function) else ()
        try:
            declared = program.globals[name]
        except KeyError:
            return f"{name} {program.declarations.get(name)!r}", (), ()
        except Unsupported:
            return f"{name} is not supported", (), ()
        if declared.position is not None and LIBRARY_FOLDER in declared.position.file:
            return name, (), ()
        variable = program.c_types.variable(declared.reference) if declared.reference else None
        text = f"{replace(declared, name=shown)!r} {variable!r} {name in self._written}"
        return text, () if variable is None else (variable.type,), ()

    def _types(self, function: Function) -> Iterator[CType]:
        types = self._program.c_types
        prototype = types.prototype(function.name)
        if prototype is not None:
            yield prototype.result
            yield from (parameter.type for parameter in prototype.parameters)
        for block in function.blocks:
            for record in block.debug:
                if record.variable.reference:
                    yield types.type(record.variable.reference)

    def _references(self, kinds: Iterable[CType]) -> Iterator[str]:
        """The types as names of parts. They begin with ``!``, unlike functions and variables."""
        for kind in kinds:
            while isinstance(kind, Array):
                kind = kind.element
            if isinstance(kind, Pointer) and kind.reference is not None:
                name = f"{kind.reference} *"
            elif isinstance(kind, RecordType):
                name = kind.reference
            else:
                continue
            self._kinds[name] = kind
            yield name

    def _of_type(self, name: str) -> tuple[str, Iterable[CType], Iterable[str]]:
        kind, types = self._kinds[name], self._program.c_types
        if isinstance(kind, Pointer):
            target = types.target(kind)
            return repr(target), (target,), ()
        fields = types.fields(kind)
        counts = [(each.offset, sorted(offsets)) for each, offsets in self._counts.items() if each.record == kind]
        return f"{kind!r} {fields!r} {sorted(counts)!r}", [each.type for each in fields], ()


def _has_unknown_callee(function: Function) -> bool:
    """Whether it calls through a pointer."""
    return any(
        isinstance(each, Call) and not isinstance(each.callee, GlobalAddress) for each in function.instructions()
    )
