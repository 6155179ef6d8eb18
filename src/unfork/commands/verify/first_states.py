"""The first states of a proof: a function's arguments and objects, no smaller than its contract requires.

A pointer that must be valid leads to an object that ends where its range ends. Several may share an object: each way to
group them is a first state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod

from unfork.commands.verify.aliases import (
    are_apart,
    conjuncts_of,
    effective,
    element_of,
    innermost,
    may_overlap,
    plain,
    pointed_type,
)
from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.fingerprint import variables_spoken_of
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning import unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.expression_meaning import CPointer, Where
from unfork.engine.meaning.pointers import targets
from unfork.engine.state.lazy import empty_heap
from unfork.engine.state.memory import END_OF_NAMES, FIRST_ARGUMENT, MemoryObject, address_of, object_of
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.state.unbounded import MOST_ELEMENTS, UNBOUNDED, CellsOfSymbols
from unfork.engine.step.step import PathEnded, Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.expressions import (
    INT,
    AddressOf,
    Expression,
    Fresh,
    Integral,
    MemberExpression,
    Name,
    NumberLiteral,
    RangeExpression,
    Valid,
    ValidBytes,
    nodes,
)
from unfork.program.llvm.c_types import BYTE, VOID, Array, CType, Opaque, Pointer, Scalar, TypeCells
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType, PointerType
from unfork.world.inputs.lazy_globals import own_variables

_ZERO = NumberLiteral(0, INT)
LARGEST = 1 << 38
"""The most bytes of an object: 256 GiB."""
MOST_POINTERS = 5
"""The most pointers that are grouped in all ways. With more, the contract must say which may share an object."""
FARTHEST = 64
"""The most elements by which lengths that are about equal differ."""
MOST_CASES = 64
"""The most ways in which pointers lead into variables."""
MOST_KNOWN = 1 << 16
"""The most bytes of an object of constant size; a larger one has any length."""


@dataclass(frozen=True, slots=True)
class ContractPointer:
    """A pointer's target according to a contract: valid ``ranges`` of elements, or bytes."""

    pointer: Expression
    ranges: tuple[RangeExpression | ValidBytes | Fresh, ...]
    writes: bool
    may_be_null: bool
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class Grouping:
    """One way to begin, by positions of pointers: null ones, those to no object, those into a variable, and those that
    share an object.
    """

    null: frozenset[int]
    nowhere: frozenset[int]
    variables: Mapping[int, str]
    groups: tuple[tuple[int, ...], ...]


class FirstStates:
    """Makes first states for one function."""

    def __init__(self, machine: Machine, conditions: ContractConditions, cells: CellsOfSymbols) -> None:
        self._machine = machine
        self._meaning = conditions.meaning
        self._scopes = conditions.scopes
        self._cells = cells
        self._contract = conditions.contract
        self._annotated = conditions.annotated
        self._definitions = conditions.definitions
        self.values: tuple[RegisterValue, ...] = ()
        self.length: int | None = None
        """About how many elements an object of open length has; None: any."""
        self.has_open_lengths = False
        self._has_open = False

    def states(self, function: Function) -> Iterator[tuple[State, tuple[RegisterValue, ...]]]:
        """Each first state with the arguments, not yet assuming the contract's requirements."""
        pointed = self._pointers()
        kinds = self._kinds(function, pointed)
        self._check_others(pointed, kinds)
        variables = self._variables(function, pointed, kinds)
        for grouping in self._groupings(pointed, kinds, variables):
            try:
                state = self._machine.initial(function.name, partial(self._arguments, pointed, grouping))
            except PathEnded:
                continue  # what is required cannot be
            state.proof = replace(state.proof, cells=self._cells if self.length is None else None)
            yield state, self.values

    # --- what is required of pointers

    def _pointers(self) -> list[ContractPointer]:
        requires = [*self._contract.requires]
        for behavior in self._contract.behaviors:
            requires += behavior.requires
        found: dict[Expression, list[tuple[RangeExpression | ValidBytes | Fresh, bool, bool]]] = {}
        for clause in requires:
            shown = self._definitions.shown(clause.expression)
            top = set(map(id, conjuncts_of(shown)))
            for node in nodes(shown):
                is_top = id(node) in top
                match node:
                    case Valid(ranges, writes):
                        for each in ranges:
                            part = plain(each)
                            found.setdefault(part.pointer, []).append((part, writes, is_top))
                    case ValidBytes(pointer, _, writes):
                        found.setdefault(pointer, []).append((node, writes, is_top))
                    case Fresh(pointer, _):
                        found.setdefault(pointer, []).append((node, True, is_top))
        result = []
        for pointer, entries in found.items():
            if not isinstance(pointer, Name | MemberExpression):
                continue
            may_be_null = not any(is_top for _, _, is_top in entries)
            result.append(
                ContractPointer(
                    pointer,
                    tuple([part for part, _, _ in entries]),
                    any(writes for _, writes, _ in entries),
                    may_be_null,
                    any(isinstance(part, Fresh) for part, _, _ in entries),
                )
            )
        result.sort(key=lambda each: _depth(each.pointer))  # what leads to a pointer comes before it
        return result

    def _groupings(
        self, pointed: Sequence[ContractPointer], kinds: Mapping[Expression, CType], variables: Sequence[Sequence[str]]
    ) -> Iterator[Grouping]:
        optional = [position for position, each in enumerate(pointed) if each.may_be_null]
        for chosen in product(("object", "null", "nowhere"), repeat=len(optional)):
            null, nowhere = (
                frozenset(position for position, way in zip(optional, chosen, strict=True) if way == word)
                for word in ("null", "nowhere")
            )
            rest = [position for position in range(len(pointed)) if position not in null | nowhere]
            if len(rest) > MOST_POINTERS and not all(pointed[each].is_fresh for each in rest):
                raise NoMeaning(f"more than {MOST_POINTERS} pointers to objects, which may overlap in many ways")
            for into in product(*[("", *variables[each]) for each in rest]):
                named = {each: name for each, name in zip(rest, into, strict=True) if name}
                for groups in _partitions([each for each in rest if each not in named]):
                    if all(self._may_share([pointed[each] for each in group], kinds) for group in groups):
                        yield Grouping(null, nowhere, named, groups)

    def _may_share(self, group: Sequence[ContractPointer], kinds: Mapping[Expression, CType]) -> bool:
        """Whether pointers may lead to elements of one object: parameters of the same type."""
        if len(group) == 1:
            return True
        if any(each.is_fresh or not isinstance(each.pointer, Name) for each in group):
            return False
        return len({effective(kinds[each.pointer]) for each in group}) == 1

    def _check_others(self, pointed: Sequence[ContractPointer], kinds: Mapping[Expression, CType]) -> None:
        """Raises NoMeaning if pointers may share memory in ways that are not tried."""
        types = self._machine.program.c_types
        conjuncts = [each for clause in self._contract.requires for each in conjuncts_of(clause.expression)]
        for number, each in enumerate(pointed):
            if each.is_fresh:
                continue
            mine, kind = [part for part in each.ranges if isinstance(part, RangeExpression)], kinds[each.pointer]
            for other in pointed[:number]:
                if other.is_fresh or self._may_share([each, other], kinds):
                    continue
                theirs = [part for part in other.ranges if isinstance(part, RangeExpression)]
                is_said = len(mine) == len(each.ranges) and len(theirs) == len(other.ranges)
                if may_overlap(kind, kinds[other.pointer], types) and not (
                    is_said and are_apart(conjuncts, mine, theirs)
                ):
                    names = f"{_text(each.pointer)} and {_text(other.pointer)}"
                    raise NoMeaning(f"{names} may lead to the same memory: say \\separated, or require is_fresh")

    def _variables(
        self, function: Function, pointed: Sequence[ContractPointer], kinds: Mapping[Expression, CType]
    ) -> list[list[str]]:
        """The variables, among those that function or contract name, that each pointer may lead into.

        Raises NoMeaning for one that contains something of a pointer's type, unless the contract excludes it.
        """
        program = self._machine.program
        conjuncts = [each for clause in self._contract.requires for each in conjuncts_of(clause.expression)]
        spoken = variables_spoken_of(program, self._annotated, function.name)
        found: list[list[str]] = []
        for each in pointed:
            into: list[str] = []
            mine, kind = [part for part in each.ranges if isinstance(part, RangeExpression)], kinds[each.pointer]
            for symbol, _, variable in own_variables(program):
                whole = RangeExpression(AddressOf(Name(variable.name)), _ZERO, _ZERO)
                is_apart = len(mine) == len(each.ranges) and are_apart(conjuncts, mine, [whole])
                is_possible = symbol in spoken and may_overlap(kind, variable.type, program.c_types)
                if each.is_fresh or is_apart or not is_possible:
                    continue
                if not isinstance(each.pointer, Name) or effective(element_of(variable.type)) != effective(kind):
                    raise NoMeaning(
                        f"{_text(each.pointer)} may lead to the variable {variable.name}:"
                        f" say \\separated({_text(each.pointer)}..., &{variable.name})"
                    )
                into.append(symbol)
            found.append(into)
        if prod(1 + len(into) for into in found) > MOST_CASES:
            raise NoMeaning(f"more than {MOST_CASES} ways for pointers to lead to variables: say \\separated")
        return found

    def _kinds(self, function: Function, pointed: Sequence[ContractPointer]) -> dict[Expression, CType]:
        program = self._machine.program
        names: dict[str, CType] = {variable.name: variable.type for _, _, variable in own_variables(program)}
        prototype = program.c_types.prototype(function.name)
        parameters = prototype.parameters if prototype else ()
        for parameter, name in zip(parameters, self._contract.parameters, strict=False):
            names[name] = parameter.type
        return {each.pointer: pointed_type(each.pointer, names, program.c_types) for each in pointed}

    # --- the state

    def _arguments(
        self, pointed: Sequence[ContractPointer], grouping: Grouping, step: Step, function: Function
    ) -> list[RegisterValue]:
        """The arguments: any numbers, then pointers to new objects."""
        self._has_open = False
        step.state.lazy = empty_heap(function.name, step.state.memory)
        _fill_variables(step)
        prototype = step.program.c_types.prototype(function.name)
        if prototype is None or len(prototype.parameters) != len(function.type.parameters):
            raise NoMeaning(f"the parameters of {function.source_name} (structs by value are not supported)")
        values: list[RegisterValue] = []
        for parameter, kind in zip(prototype.parameters, function.type.parameters, strict=True):
            width = 8 * parameter.type.size
            if not isinstance(kind, IntType | PointerType) or not isinstance(parameter.type, Scalar | Pointer):
                raise NoMeaning(f"the parameter {parameter.name} of type {parameter.type.name}")
            value = step.fresh(parameter.name, width, "symbolic")
            if isinstance(kind, IntType) and kind.width < width:
                value = build.trunc(value, width, kind.width)
            values.append(value)
        for position in sorted(grouping.null):
            self._lead(step, function, values, pointed[position], 0)
        for position in sorted(grouping.nowhere):
            moved = build.zext(step.fresh(f"index of {_text(pointed[position].pointer)}", 32, "symbolic"), 32, 64)
            nowhere = address_of(END_OF_NAMES - 1)
            self._lead(step, function, values, pointed[position], build.add(nowhere, moved, 64))
        for position, symbol in grouping.variables.items():
            address: Value = step.statics.address(symbol)
            whole = next(variable.type for name, _, variable in own_variables(step.program) if name == symbol)
            if isinstance(whole, Array):
                index = step.fresh(f"index of {_text(pointed[position].pointer)}", 32, "symbolic")
                address = build.add(address, build.mul(build.zext(index, 32, 64), element_of(whole).size, 64), 64)
            self._lead(step, function, values, pointed[position], address)
        for number, group in enumerate(sorted(grouping.groups, key=min)):
            self._object(step, function, values, [pointed[each] for each in group], FIRST_ARGUMENT + number)
        self.values = tuple(values)
        return values

    def _where(self, step: Step, function: Function, values: Sequence[RegisterValue]) -> Where:
        names = self._scopes.parameters(self._contract, function, values)
        return Where(step.state.fork(), names, self._contract.mathematical)

    def _lead(
        self, step: Step, function: Function, values: list[RegisterValue], pointed: ContractPointer, address: Value
    ) -> None:
        if isinstance(pointed.pointer, Name):
            name, parameters = pointed.pointer.name, self._contract.parameters
            if name in parameters:
                values[parameters.index(name)] = address
                return
        where = self._where(step, function, values)
        located = self._meaning.typed(pointed.pointer, where)
        for guard, number, offset in targets(getattr(located, "address", 0)):
            item = step.state.memory.objects.get(number)
            if guard == 1 and item is not None and isinstance(offset, int) and item.kind != UNBOUNDED:
                step.state.memory.writable(number).write(offset, 8, address)
                return
        raise NoMeaning("a pointer inside an object of any length is required to be valid")

    def _object(
        self, step: Step, function: Function, values: list[RegisterValue], group: Sequence[ContractPointer], number: int
    ) -> None:
        where = self._where(step, function, values)
        element = self._element(group[0], where)
        extents = [self._extent(each, where) for each in group]
        is_writable = any(each.writes for each in group)
        name = _text(group[0].pointer)
        cell = innermost(element, step.program.c_types)
        known = _constant(extents)
        is_array = isinstance(cell, Scalar) and known is not None and known[1] - known[0] > MOST_ELEMENTS * cell.size
        if known is not None and not (is_array and self.length is None):
            low, high = known
            self._known(step, number, name, element, high - low, is_writable=is_writable)
            self._lead(step, function, values, group[0], address_of(number, -low))
            return
        stride = max(element.size, 1)
        is_first = not self._has_open
        if known is None:
            self._has_open = self.has_open_lengths = True
        if self.length is None:
            size, addresses = self._size_and_addresses(step, group, extents, stride, number, None)
            item = MemoryObject(bytearray(), size, UNBOUNDED, name, read_only=not is_writable)
            step.state.memory.add(number, item)
            proof = step.state.proof
            contents = {**proof.contents, number: self._cells.unknown(name, max(cell.size, 1))}
            step.state.proof = replace(proof, contents=contents)
        else:
            length = self.length
            if not is_first and len(group) == 1:
                length = self._near(step, *extents[0], stride)
            size, addresses = self._size_and_addresses(step, group, extents, stride, number, length * stride)
            self._known(step, number, name, element, length * stride, is_writable=is_writable)
        for each, address in zip(group, addresses, strict=True):
            self._lead(step, function, values, each, address)

    def _near(self, step: Step, low: CValue, high: CValue, stride: int) -> int:
        """The elements of an object that ends where a range ends: about ``length``, if possible."""
        assert self.length is not None
        size = unbounded_integers.bits(unbounded_integers.binary("-", high, low))
        for distance in range(FARTHEST + 1):
            for count in (self.length + distance, self.length - distance):
                is_so = build.eq(size, count * stride, 64)
                if count >= 0 and isinstance(step.chain.assume(step.state.path, is_so), PathCondition):
                    return count
        return self.length

    def _known(self, step: Step, number: int, name: str, element: CType, size: int, *, is_writable: bool) -> None:
        size = max(size, 0)
        cells = step.program.c_types.cells(element)
        item = MemoryObject.unwritten(size, size, "argument", name)
        if cells is None or not cells.size:
            raise NoMeaning(f"an object of type {element.name}")
        _fill(step, item, cells, name, is_array=size > cells.size)
        item.read_only = not is_writable
        step.state.memory.add(number, item)

    def _size_and_addresses(
        self,
        step: Step,
        group: Sequence[ContractPointer],
        extents: Sequence[tuple[CValue, CValue]],
        stride: int,
        number: int,
        known: int | None,
    ) -> tuple[Value, list[Value]]:
        """The size of an object (64 bits; ``known``, if given) and the addresses of its pointers: its beginning for a
        single one, else any elements.
        """
        name, nothing = _text(group[0].pointer), unbounded_integers.constant(0)
        largest = unbounded_integers.constant(LARGEST)
        if len(group) == 1:
            low, high = extents[0]
            length = unbounded_integers.binary("-", high, low)
            for bound in (length, low, unbounded_integers.unary("-", low)):
                step.assume(unbounded_integers.compared("<=", bound, largest))
            size = build.ite(unbounded_integers.compared("<=", length, nothing), 0, unbounded_integers.bits(length), 64)
            if known is not None:
                step.assume(build.eq(size, known, 64))
            return size, [build.sub(address_of(number), unbounded_integers.bits(low), 64)]
        size = step.fresh(f"size of {name}", 64, "symbolic") if known is None else known
        step.assume(build.ule(size, LARGEST, 64))
        whole = unbounded_integers.number(CValue(size, Integral(64, False)))
        addresses: list[Value] = []
        for each, (low, high) in zip(group, extents, strict=True):
            index = CValue(step.fresh(f"index of {_text(each.pointer)}", 32, "symbolic"), Integral(32, False))
            start = unbounded_integers.binary(
                "*", unbounded_integers.number(index), unbounded_integers.constant(stride)
            )
            begin, end = unbounded_integers.binary("+", start, low), unbounded_integers.binary("+", start, high)
            is_empty = build.both(
                unbounded_integers.compared("<=", high, low), unbounded_integers.compared("<=", start, whole)
            )
            inside = build.both(
                unbounded_integers.compared(">=", begin, nothing), unbounded_integers.compared("<=", end, whole)
            )
            step.assume(build.either(is_empty, inside))
            addresses.append(build.add(address_of(number), unbounded_integers.bits(start), 64))
        return size, addresses

    def _element(self, pointed: ContractPointer, where: Where) -> CType:
        value = self._meaning.value(pointed.pointer, where)
        if not isinstance(value, CPointer):
            raise NoMeaning(f"{_text(pointed.pointer)} is no pointer")
        kind = element_of(value.target)
        if kind == VOID:
            return BYTE
        if isinstance(kind, Opaque):
            raise NoMeaning(f"{_text(pointed.pointer)} points to {kind.name}: its elements have no type")
        return kind

    def _extent(self, pointed: ContractPointer, where: Where) -> tuple[CValue, CValue]:
        """Where the valid part begins and ends, in bytes from the pointer."""
        begin = end = unbounded_integers.constant(0)
        for position, part in enumerate(pointed.ranges):
            if isinstance(part, RangeExpression):
                _, low, high = self._meaning.region(part, where)
            else:
                size = self._meaning.value(part.size, where)
                assert isinstance(size, CValue)
                low, high = unbounded_integers.constant(0), unbounded_integers.number(size)
            begin = unbounded_integers.extreme("<", low, begin) if position else low
            end = unbounded_integers.extreme(">", high, end) if position else high
        return begin, end


def _fill_variables(step: Step) -> None:
    """Give any contents to the program's own variables that may change. Raises NoMeaning for types that cannot be
    built, and for constructors.
    """
    program = step.program
    if program.constructors:
        raise NoMeaning(f"{program.constructors[0]} is a constructor, which runs before any function")
    for symbol, _, variable in own_variables(program):
        kind = element_of(variable.type)
        cells = program.c_types.cells(kind)
        item = step.state.memory.writable(object_of(step.statics.address(symbol)))
        if cells is None or not cells.size or len(item.data) % cells.size:
            raise NoMeaning(f"the variable {variable.name} of type {variable.type.name}")
        _fill(step, item, cells, variable.name, is_array=kind is not variable.type)


def _fill(step: Step, item: MemoryObject, element: TypeCells, name: str, *, is_array: bool) -> None:
    """Give an object any contents, with an input for each number and pointer."""
    for start in range(0, len(item.data), element.size):
        index = f"[{start // element.size}]" if is_array else ""
        for cell in element.cells:
            if start + cell.end <= len(item.data):
                value = step.fresh(f"{name}{index}{cell.path or ''}", 8 * cell.size, "symbolic")
                item.write(start + cell.offset, cell.size, value)


def _constant(extents: Sequence[tuple[CValue, CValue]]) -> tuple[int, int] | None:
    """Where a single pointer's object begins and ends, if known and small enough."""
    if len(extents) > 1 or not all(isinstance(bound.value, int) for bound in extents[0]):
        return None
    low, high = [unbounded_integers.value_of(bound) for bound in extents[0]]
    return (low, high) if high - low <= MOST_KNOWN else None


def _depth(pointer: Expression) -> int:
    depth = 0
    while isinstance(pointer, MemberExpression):
        pointer, depth = pointer.record, depth + 1
    return depth


def _text(pointer: Expression) -> str:
    names: list[str] = []
    while isinstance(pointer, MemberExpression):
        names.append(("->" if pointer.arrow else ".") + pointer.field)
        pointer = pointer.record
    return (pointer.name if isinstance(pointer, Name) else "object") + "".join(reversed(names))


def _partitions(items: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    ways: list[list[list[int]]] = [[]]
    for item in items:
        following = []
        for way in ways:
            following.append([*way, [item]])
            following += [[*way[:at], [*way[at], item], *way[at + 1 :]] for at in range(len(way))]
        ways = following
    for way in ways:
        yield tuple([tuple(group) for group in way])
