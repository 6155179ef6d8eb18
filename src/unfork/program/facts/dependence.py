"""Data dependence over SSA: the variables on which each likely solver query of a function may depend.

A variable is a register, or a cell: bytes at a constant offset from an address that a register, a global or an
alloca holds. Dependence flows through registers and from a cell to what is loaded from it, and not from memory to
memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.dataflow import fixpoint
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Alloca,
    AtomicUpdate,
    Binary,
    Bits,
    Call,
    Cast,
    CompareExchange,
    ConditionalBranch,
    GetElementPointer,
    GlobalAddress,
    IndirectBranch,
    Instruction,
    Load,
    Operand,
    Register,
    Store,
    Switch,
)
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import PointerType
from unfork.program.llvm.uses import registers_read

CONDITIONS = frozenset(
    (
        "unfork_check",
        "unfork_ensure",
        "unfork_invariant",
        "unfork_assume",
        "klee_assume",
        "klee_prefer_cex",
        "__VERIFIER_assume",
        "__VERIFIER_assert",
        "__CPROVER_assume",
        "__CPROVER_assert",
        "__CPROVER_precondition",
        "__CPROVER_postcondition",
    )
)
"""Functions whose argument is a condition: each call is a query."""
_DIVISIONS = frozenset(("sdiv", "udiv", "srem", "urem"))
_SHIFTS = frozenset(("shl", "lshr", "ashr"))


@dataclass(frozen=True, slots=True)
class LoadedCell:
    """``size`` bytes at ``offset`` from the pointer in register ``base``, or from the global of that name."""

    base: int | str
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Query:
    """A query before instruction ``index``, which reaches the solver if a variable of ``mask`` is symbolic."""

    index: int
    mask: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A direct call of ``callee`` at ``index``: the dependence of each argument, and its target if known."""

    index: int
    callee: str
    masks: tuple[int, ...]
    addresses: tuple[tuple[int | str, int] | None, ...]


class Dependence:
    """Queries and calls per block. Bit i of a mask is register i; later bits are ``cells``, in order."""

    def __init__(
        self,
        function: Function,
        flow: ControlFlow,
        enters: Callable[[str], bool],
        sizes: Callable[[str], tuple[int, ...]],
    ) -> None:
        self.function = function
        self.flow = flow
        self._enters = enters
        self._sizes = sizes
        self.cells: list[LoadedCell] = []
        self._numbers: dict[tuple[int | str, int], int] = {}
        self._addresses: dict[int, tuple[int | str, int]] = {}
        """Registers that are an address at a constant offset: (base, offset)."""
        self._fixed: set[int | str] = set()
        self.closure = self._closure()
        self.queries: list[list[Query]] = []
        self.calls: list[list[Entered]] = []
        for block in function.blocks:
            queries: list[Query] = []
            calls: list[Entered] = []
            for index, instruction in enumerate(block.body):
                if isinstance(instruction, Call) and self._enters(_callee(instruction)):
                    calls.append(self._call(index, instruction))
                else:
                    mask = self._decisive(instruction)
                    if mask is not None:
                        queries.append(Query(index, mask))
            self.queries.append(queries)
            self.calls.append(calls)
        self.live_cells = self._live_cells()

    def address(self, pointer: Operand) -> tuple[int | str, int] | None:
        """An address as (base, constant offset)."""
        if isinstance(pointer, GlobalAddress):
            return pointer.name, 0
        if isinstance(pointer, Register):
            return self._addresses.get(pointer.index, (pointer.index, 0))
        return None

    def cell(self, base: int | str, offset: int, size: int) -> int:
        """The number of the cell at an address, added if new. Its size in bytes is the largest requested."""
        number = self._numbers.get((base, offset))
        if number is None:
            number = self._numbers[base, offset] = self.function.register_count + len(self.cells)
            self.cells.append(LoadedCell(base, offset, size))
        known = self.cells[number - self.function.register_count]
        if known.size < size:
            self.cells[number - self.function.register_count] = LoadedCell(base, offset, size)
        return number

    def of(self, operand: Operand) -> int:
        """The variables on which an operand may depend."""
        return self.closure[operand.index] if isinstance(operand, Register) else 0

    def varies(self, pointer: Operand) -> bool:
        """Whether an address is more than a constant offset into a local or a global."""
        if not isinstance(pointer, Register):
            return False
        return self._addresses.get(pointer.index, (pointer.index, 0))[0] not in self._fixed

    # --- inside ---

    def _closure(self) -> list[int]:
        """For each register, itself and all from which it is computed."""
        function = self.function
        masks = [1 << register for register in range(function.register_count)]
        steps: list[tuple[int, list[int], int]] = []
        for number in self.flow.order:
            block = function.blocks[number]
            steps += [(phi.result, registers_read(phi), 0) for phi in block.phis]
            for instruction in block.body:
                self._locate(instruction)
                if instruction.result < 0:
                    continue
                more = 0
                if isinstance(instruction, Load):
                    address = self.address(instruction.pointer)
                    if address is not None:
                        more = 1 << self.cell(*address, layout.store_size(instruction.type))
                steps.append((instruction.result, registers_read(instruction), more))
        changed = True
        while changed:
            changed = False
            for result, read, more in steps:
                mask = masks[result] | more
                for register in read:
                    mask |= masks[register]
                if mask != masks[result]:
                    masks[result] = mask
                    changed = True
        return masks

    def _locate(self, instruction: Instruction) -> None:
        match instruction:
            case Alloca():
                self._fixed.add(instruction.result)
            case GetElementPointer(base=base, offset=offset, terms=terms):
                start = self.address(base)
                if start is not None and all(isinstance(index, Bits) for index, _ in terms):
                    for index, stride in terms:
                        assert isinstance(index, Bits)
                        bits = layout.bits_of(index.type)
                        offset += (index.value - (index.value >> (bits - 1) << bits)) * stride
                    self._addresses[instruction.result] = start[0], start[1] + offset
                    if isinstance(start[0], str):
                        self._fixed.add(start[0])
            case Cast(op="bitcast", value=value):
                start = self.address(value)
                if start is not None and isinstance(instruction.target, PointerType):
                    self._addresses[instruction.result] = start

    def _decisive(self, instruction: Instruction) -> int | None:
        """The variables that make this instruction a query; None if it never is."""
        match instruction:
            case ConditionalBranch(condition=operand) | Switch(value=operand) | IndirectBranch(address=operand):
                return self.of(operand) if isinstance(operand, Register) else None
            case Load() | Store() | AtomicUpdate() | CompareExchange():
                return self.of(instruction.pointer) if self.varies(instruction.pointer) else None
            case Binary(op=op, right=right) if op in _DIVISIONS or op in _SHIFTS:
                return self.of(right) if isinstance(right, Register) else None
            case Alloca(count=Register() as count):
                return self.of(count)
            case Call(callee=callee, arguments=arguments):
                return self._decisive_in_call(callee, arguments)
        return None

    def _decisive_in_call(self, callee: Operand, arguments: tuple[Operand, ...]) -> int | None:
        """The variables that a call queries: a condition, pointers that a modelled function follows, its sizes, or an
        indirect target.
        """
        if isinstance(callee, Register):
            return self.of(callee)
        name = callee.name if isinstance(callee, GlobalAddress) else ""
        if name.startswith("llvm.dbg"):
            return None
        is_condition, sizes = name in CONDITIONS, self._sizes(name)
        mask = 0
        for position, argument in enumerate(arguments):
            follows = isinstance(argument.type, PointerType) and self.varies(argument)
            if is_condition or follows or position in sizes:
                mask |= self.of(argument)
        return mask if mask else None

    def _call(self, index: int, call: Call) -> Entered:
        masks = [self.of(argument) for argument in call.arguments]
        pointers = [argument if isinstance(argument.type, PointerType) else None for argument in call.arguments]
        addresses = [None if pointer is None else self.address(pointer) for pointer in pointers]
        return Entered(index, _callee(call), tuple(masks), tuple(addresses))

    def _live_cells(self) -> list[int]:
        """Per block, the cells that may be loaded from its start on before a store; masks as above.

        A store kills the cell at its own address if it covers it. A call may load every cell.
        """
        everything = sum(1 << self.function.register_count + i for i in range(len(self.cells)))
        needs = [0] * self.flow.size
        kills = [0] * self.flow.size
        for number, block in enumerate(self.function.blocks):
            for instruction in block.body:
                match instruction:
                    case Load(pointer=pointer, type=kind):
                        address = self.address(pointer)
                        if address is not None:
                            needs[number] |= 1 << self.cell(*address, layout.store_size(kind)) & ~kills[number]
                    case Store(pointer=pointer, value=value):
                        address = self.address(pointer)
                        known = self._numbers.get(address) if address is not None else None
                        if known is not None:
                            cell = self.cells[known - self.function.register_count]
                            if cell.size <= layout.store_size(value.type):
                                kills[number] |= 1 << known
                    case Call():
                        needs[number] |= everything & ~kills[number]

        def update(block: int, entry: list[int]) -> int:
            mask = needs[block]
            for successor in self.flow.successors[block]:
                mask |= entry[successor] & ~kills[block]
            return mask

        return fixpoint(self.flow.order[::-1], self.flow.predecessors, [0] * self.flow.size, update)


def _callee(call: Call) -> str:
    return call.callee.name if isinstance(call.callee, GlobalAddress) else ""
