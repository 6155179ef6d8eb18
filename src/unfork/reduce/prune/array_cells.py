"""Arrays as lists of cells sorted by index (Anand06, section 5.2, Algorithm 2), folded like lists.

A star stands for the cells between two that may not be adjacent, and for those before the first and after the last.
Neighbours without an index variable become one node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.memory.loads import contents, is_array, without_decided_choices
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import ArrayType, FloatType, IntType, PointerType
from unfork.reduce.prune.contract import Differ

Node = tuple[Value, ...]
"""The values of the cells in one node; none: a star."""
STAR: Node = ()
Root = tuple[int, int]
"""A variable: the depth of its frame, and its register."""
MOST_CELLS = 1024
"""A larger array in a variable is compared cell by cell."""


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """An array for comparison. ``roots`` gives the node of each variable that indexes it, or points into it.

    None: at no known node. ``size``: bytes of a cell.
    """

    nodes: tuple[Node, ...]
    roots: Mapping[Root, int | None]
    size: int

    def pairs(self, other: ArrayShape) -> Iterator[tuple[Node, Node]]:
        """The matching nodes, without stars. Raises Differ if the lists differ."""
        if self.size != other.size or self.roots != other.roots or len(self.nodes) != len(other.nodes):
            raise Differ("different arrays")
        if any((one == STAR) != (its == STAR) for one, its in zip(self.nodes, other.nodes, strict=True)):
            raise Differ("different arrays")
        return (pair for pair in zip(self.nodes, other.nodes, strict=True) if pair[0] != STAR)


@dataclass(frozen=True, slots=True)
class KnownCell:
    """A known cell: its offset in bytes (64 bits), and its value."""

    offset: Value
    value: Value


class Arrays:
    """Finds the arrays of states; ``chain`` decides about indices under their paths."""

    def __init__(self, registers: LiveRegisters, chain: Chain) -> None:
        self._registers = registers
        self._chain = chain
        self._variables: dict[Function, frozenset[int]] = {}

    def shapes(self, state: State) -> dict[int, ArrayShape]:
        """Every array that a state has touched, by its object's number."""
        indices, pointers = self._roots(state)
        shapes: dict[int, ArrayShape] = {}
        objects = state.memory.objects
        for lazy_object in state.lazy.objects:
            item = objects.get(lazy_object.number)
            if (
                item is not None
                and item.kind == LAZY
                and item.gone == 0
                and lazy_object.cells is not None
                and is_array(lazy_object)
            ):
                size = lazy_object.cells.size
                known = state.lazy.cells.get(lazy_object.number, ())
                cells = [KnownCell(cell.offset, contents(item, cell.span, size)) for cell in known]
                roots = {**_scaled(indices, size), **pointers.get(lazy_object.number, {})}
                shapes[lazy_object.number] = self.shape(state.path, cells, item.size, size, roots)
        for number, item in objects.held.items():
            size = _element(item)
            if size:
                offsets = range(0, len(item.data), size)
                cells = [KnownCell(at, item.read(at, size)) for at in offsets if not item.uninitialised_runs(at, size)]
                roots = {**_scaled(indices, size), **pointers.get(number, {})}
                shapes[number] = self.shape(state.path, cells, item.size, size, roots)
        return shapes

    def shape(
        self, path: PathCondition, cells: Sequence[KnownCell], end: Value, size: int, roots: Mapping[Root, Value]
    ) -> ArrayShape:
        """The list of an array of ``end`` bytes (64 bits): Algorithm 2, and folding. ``cells`` are in order."""
        at = {root: self._position(path, cells, offset) for root, offset in roots.items()}
        held = {position for position in at.values() if position is not None}
        nodes: list[Node] = []
        of_cell: list[int] = []
        after: Value = 0
        for position, cell in enumerate(cells):
            if not self._are_equal(path, cell.offset, after):
                nodes.append(STAR)
            value = without_decided_choices(self._chain, path, cell.value)
            is_under_constrained = position in held or position - 1 in held
            if is_under_constrained or not nodes or nodes[-1] == STAR:
                nodes.append((value,))
            else:
                nodes[-1] = (*nodes[-1], value)
            of_cell.append(len(nodes) - 1)
            after = build.add(cell.offset, size, 64)
        if not self._are_equal(path, after, end):
            nodes.append(STAR)
        return ArrayShape(
            tuple(nodes), {root: None if position is None else of_cell[position] for root, position in at.items()}, size
        )

    def _position(self, path: PathCondition, cells: Sequence[KnownCell], offset: Value) -> int | None:
        """The cell proved to be at an offset."""
        value = self._chain.evaluate(path, offset)
        for position, cell in enumerate(cells):
            if self._chain.evaluate(path, cell.offset) == value and self._are_equal(path, cell.offset, offset):
                return position
        return None

    def _are_equal(self, path: PathCondition, one: Value, other: Value) -> bool:
        return self._chain.must(path, build.eq(one, other, 64))

    def _roots(self, state: State) -> tuple[dict[Root, Value], dict[int, dict[Root, Value]]]:
        """The values of index variables (64 bits), and the offsets of pointers into objects, by object."""
        indices: dict[Root, Value] = {}
        pointers: dict[int, dict[Root, Value]] = {}
        for depth, frame in enumerate(state.frames):
            types = self._registers.facts(frame.function).types
            variables = self._variables.get(frame.function)
            if variables is None:
                variables = self._variables[frame.function] = index_variables(frame.function)
            for register in self._registers.of_frame(state, depth):
                value, kind = frame.registers[register], types[register]
                if not isinstance(value, int | Term):
                    continue
                if isinstance(kind, IntType) and register in variables and kind.width <= 64:
                    indices[depth, register] = build.sext(value, kind.width, 64)
                elif isinstance(kind, PointerType) and (target := pointer_target(value)) is not None:
                    pointers.setdefault(target[0], {})[depth, register] = target[1]
        return indices, pointers


def pointer_target(value: Value) -> tuple[int, Value] | None:
    """The object and offset (64 bits) of a pointer; None at an object's very beginning."""
    base, rest = build.parted(value)
    offset = build.add(rest, offset_in(base) & (1 << 64) - 1, 64)
    return None if offset == 0 else (object_of(base), offset)


def _scaled(indices: Mapping[Root, Value], size: int) -> dict[Root, Value]:
    return {root: build.mul(value, size, 64) for root, value in indices.items()}


def _element(item: MemoryObject) -> int:
    """The bytes of an element, for a variable that is an array of numbers; 0 for others."""
    kind = item.type
    if item.read_only or item.gone != 0 or not isinstance(kind, ArrayType) or not 1 < kind.count <= MOST_CELLS:
        return 0
    if not isinstance(kind.element, IntType | FloatType) or item.size != len(item.data):
        return 0
    size = layout.size_of(kind.element)
    return size if size * kind.count == len(item.data) else 0


MARK = "unfork_index"


def index_variables(function: Function) -> frozenset[int]:
    """The integer registers of all marked variables; without marks, of those that index arrays."""
    makers: dict[int, Instruction] = {}
    passed: dict[int, set[int]] = {}
    marked: set[int] = set()
    used: set[int] = set()
    for block in function.blocks:
        for instruction in (*block.phis, *block.body):
            makers[instruction.result] = instruction
            if isinstance(instruction, Call):
                if isinstance(instruction.callee, GlobalAddress) and instruction.callee.name == MARK:
                    marked.update(_registers(instruction.arguments[:1]))
            elif isinstance(instruction, GetElementPointer):
                used.update(_registers(index for index, _ in instruction.terms))
            for source in _registers(_handed_on(instruction)):
                passed.setdefault(source, set()).add(instruction.result)
                passed.setdefault(instruction.result, set()).add(source)
    variables: set[int] = set()
    waiting = [_without_distance(register, makers) for register in marked or used]
    while waiting:
        register = waiting.pop()
        if register not in variables:
            variables.add(register)
            waiting.extend(passed.get(register, ()))
    return frozenset(variables)


def _registers(operands: Iterator[Operand] | tuple[Operand, ...]) -> list[int]:
    return [
        operand.index for operand in operands if isinstance(operand, Register) and isinstance(operand.type, IntType)
    ]


def _handed_on(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands that an instruction passes on as its result, of any width."""
    match instruction:
        case Phi(incoming=incoming):
            return tuple(value for value, _ in incoming)
        case Select(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Cast(op="sext" | "zext" | "trunc", value=value) | Freeze(value=value):
            return (value,)
    return ()


def _without_distance(register: int, makers: dict[int, Instruction]) -> int:
    """The register from which another is made by adding constants and casts."""
    while True:
        match makers.get(register):
            case Cast(op="sext" | "zext" | "trunc", value=Register(index=source)):
                register = source
            case Binary(op="add" | "sub", left=Register(index=source), right=Bits()):
                register = source
            case Binary(op="add", left=Bits(), right=Register(index=source)):
                register = source
            case _:
                return register
