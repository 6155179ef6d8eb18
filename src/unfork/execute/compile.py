"""Blocks to Python: a tree of blocks becomes one function that runs as long as every value is a plain int.

A region starts at any instruction of any block and follows branches into blocks that have no other predecessor; a
branch back to its start is a Python loop. Inside, registers are Python locals. Where anything but an int turns
up, memory is not concrete, or an instruction is not one of the plain ones, the code writes the live registers back and
leaves with the place (block, index), before any effect of that instruction: execute/machine.py goes on from there
with the instruction's full semantics. DESIGN: decision 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from unfork.execute import floats
from unfork.execute.coverage import BranchCoverage
from unfork.execute.integer_code import comparison_text, integer_text, signed_quotient, signed_remainder
from unfork.execute.memory_code import NAMES, converted_text, element_text, load_text, located, store_text
from unfork.execute.region import Region
from unfork.execute.statics import Statics
from unfork.execute.watch_code import address_text, name_text
from unfork.program import layout
from unfork.program.address_uses import WORD, AddressUses, is_cut, is_ordered
from unfork.program.cfg import targets
from unfork.program.function_facts import FunctionFacts
from unfork.program.ir import (
    Binary,
    Bits,
    Branch,
    Cast,
    Compare,
    ConditionalBranch,
    ConstantExpression,
    FloatCompare,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Select,
    Store,
    Switch,
)
from unfork.program.types import FloatType, IntType, PointerType, Type, VectorType
from unfork.program.uses import compares_used_by_their_branch
from unfork.state.flat_layout import GRAIN
from unfork.state.memory import SLOT_BITS, MemoryObject

LONGEST_REGION = 400
DEEPEST_REGION = 24
MOST_SWITCH_CASES = 16
NOBODY = MemoryObject(bytearray(), 0, "nobody", "nobody")
NOBODY.limit = -1
SCALARS = (IntType, PointerType, FloatType)
TRUTH, OF_BIT = "1 if ", " else 0"
MASK_64 = (1 << 64) - 1


class RegionCompiler:
    """Compiles regions of one function on demand."""

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        coverage: BranchCoverage,
        relative: frozenset[int],
        watched: AddressUses | None,
    ) -> None:
        function = self.function = facts.function
        self.statics = statics
        self.coverage = coverage
        self.is_library = function.name in statics.program.library
        self.flow = facts.flow
        self.relative = relative  # registers that hold pointers which leave the object that they are counted from
        self.watched = watched  # where looks at addresses are to be noticed: compiled code leaves before each
        self.liveness = facts.liveness
        self.fused = compares_used_by_their_branch(function)

    def compile(self, block: int, index: int, stops: frozenset[int]) -> Region:
        """The region that starts at instruction ``index`` of ``block`` and ends before the blocks ``stops``."""
        return _Writer(self, block, index, stops).region()


class _Stop(Exception):
    """This instruction has no plain form: leave before it."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the writer is: before instruction ``index`` of ``block``.

    ``defined`` are the registers that only locals hold, ``count`` the instructions run since the region's start or
    its last loop, ``depth`` the blocks from the region's start, ``pad`` the indentation.
    """

    block: int
    index: int
    defined: frozenset[int]
    count: int
    depth: int
    pad: str


class _Writer:
    """Writes the code of one region."""

    def __init__(self, compiler: RegionCompiler, block: int, index: int, stops: frozenset[int]) -> None:
        self.compiler = compiler
        self.stops = stops
        self.blocks = compiler.function.blocks
        self.head, self.start = block, index
        self.lines: list[str] = []
        self.exits: list[tuple[int, int]] = []
        self.names: dict[int, str] = {}
        """Text of every register that the code has at hand."""
        self.pointers: dict[int, str] = {}
        """Text of the pointer that a register was converted from: its low bits and differences need no conversion."""
        self.phis: dict[int, None] = {}
        """The phis of the region's start: locals of its loop."""
        self.live_in: dict[int, None] = {}
        """Registers that the code reads and does not define."""
        self.needed: dict[int, None] = {}
        """Those of them that the current block computes with: they must be ints."""
        self.needed_at_head: dict[int, None] = {}
        self.needed_later: dict[int, None] = {}
        self.size = 0
        self.namespace: dict[str, Any] = {
            "NOBODY": NOBODY,
            "V": compiler.coverage.passed,
            "HIT": compiler.coverage.hit,
            "SDIV": signed_quotient,
            "SREM": signed_remainder,
            **NAMES,
        }

    # --- the whole ---

    def region(self) -> Region:
        """Write, compile and wrap the region's code."""
        if self.start == 0:
            self.phis = {phi.result: None for phi in self.blocks[self.head].phis}
        self.names = {register: f"r{register}" for register in self.phis}
        self._block(_Place(self.head, self.start, frozenset(self.phis), 0, 0, "  "))
        text = "\n".join(self._prologue() + self.lines)
        name = f"<{self.compiler.function.name}:{self.head}.{self.start}>"
        exec(compile(text, name, "exec"), self.namespace)
        return Region(self.namespace["region"], self.exits)

    def _prologue(self) -> list[str]:
        lines = ["def region(state, R, budget):"]
        lines += [f" r{i} = R[{i}]" for i in sorted({*self.live_in, *self.phis})]
        checked = sorted({*self.needed_at_head, *self.phis})
        if checked:
            test = " or ".join(f"r{i}.__class__ is not int" for i in checked)
            lines.append(f" if {test}: return {-1 - self._exit(self.head, self.start)}")
        later = sorted(set(self.needed_later) - set(checked))
        if self.needed_later:
            lines.append(" ok = " + (" and ".join(f"r{i}.__class__ is int" for i in later) or "True"))
        lines += [" memory = state.memory", " G = memory.objects.held.get", " token = memory.token"]
        return [*lines, " n = 0", " while True:"]

    def _exit(self, block: int, index: int) -> int:
        self.exits.append((block, index))
        return len(self.exits) - 1

    # --- blocks ---

    def _block(self, place: _Place) -> None:
        """Write a block from ``place`` on, with the blocks that only it leads to."""
        outer_names, outer_needed = self.names, self.needed
        self.names, self.needed = dict(outer_names), {}
        if place.depth == 0:
            self.needed_at_head = self.needed
        needed, first_line = self.needed, len(self.lines)
        body = self.blocks[place.block].body
        here = place
        for index in range(place.index, len(body) - 1):
            instruction = body[index]
            self.size += 1
            try:
                self.lines += self._instruction(instruction, here)
            except _Stop:
                self._leave(here)
                break
            defined = here.defined if instruction.result < 0 else here.defined | {instruction.result}
            here = replace(here, index=index + 1, defined=defined, count=here.count + 1)
        else:
            self._terminator(body[-1], here)
        if place.depth:
            self._check(needed, place, first_line)
        self.names, self.needed = outer_names, outer_needed

    def _check(self, needed: dict[int, None], place: _Place, first_line: int) -> None:
        """Insert a test before the block: values from outside the region that it computes with must be ints."""
        later = [register for register in needed if register not in self.needed_at_head]
        if not later:
            return
        self.needed_later.update(dict.fromkeys(later))
        test = " and ".join(f"r{register}.__class__ is int" for register in later)
        written = self.lines[first_line:]
        del self.lines[first_line:]
        self.lines.append(f"{place.pad}if not (ok or {test}):")
        self._leave(replace(place, pad=place.pad + " "))
        self.lines += written

    def _leave(self, place: _Place) -> None:
        """Write live registers back and leave at ``place``."""
        self.lines += self._leaving(place, "")

    def _leaving(self, place: _Place, extra: str) -> list[str]:
        pad = place.pad + extra
        lines = self._flush(self.compiler.liveness.before(place.block, place.index), place.defined, pad)
        lines.append(f"{pad}state.instructions += n + {place.count}")
        lines.append(f"{pad}return {-1 - self._exit(place.block, place.index)}")
        return lines

    def _flush(self, live: int, defined: frozenset[int], pad: str) -> list[str]:
        return [f"{pad}R[{register}] = {self.names[register]}" for register in sorted(defined) if live >> register & 1]

    # --- operands ---

    def _use(self, operand: Operand) -> str:
        """The text of an int operand."""
        match operand:
            case Register(index=index, type=IntType() | PointerType() | FloatType()):
                name = self.names.get(index)
                if name is None:
                    self.live_in[index] = None
                    self.needed[index] = None
                    return f"r{index}"
                return name
            case Bits(value=value):
                return str(value)
            case GlobalAddress() | ConstantExpression():
                value = self.compiler.statics.constant(operand)
                if isinstance(value, int):
                    return str(value)
        raise _Stop

    def _any(self, operand: Operand) -> str:
        """The text of an operand that is only passed on, whatever its value is."""
        if isinstance(operand, Register) and operand.index not in self.names:
            self.live_in[operand.index] = None
            return f"r{operand.index}"
        return self._use(operand) if not isinstance(operand, Register) else self.names[operand.index]

    # --- instructions ---

    def _instruction(self, instruction: Instruction, place: _Place) -> list[str]:
        """The code of one instruction; raises _Stop where there is no plain form."""
        match instruction:
            case Binary(type=IntType(width=64), op="sub") if self._is_difference(instruction):
                left, right = self._pointer_of(instruction.left), self._pointer_of(instruction.right)
                number = f"NUMBER({left}, memory) - NUMBER({right}, memory)"
                is_near = f"{left} >> {SLOT_BITS} == {right} >> {SLOT_BITS}"
                difference = f"({left} - {right} if {is_near} else {number}) & {MASK_64}"
                return self._set(instruction, difference, place)
            case Binary(type=IntType(width=64), op="and", right=Bits(value=mask)) if mask < GRAIN:
                return self._set(instruction, f"{self._pointer_of(instruction.left)} & {mask}", place)
            case Binary(type=IntType(width=width), op=op):
                left, right = self._use(instruction.left), self._use(instruction.right)
                guard, text = integer_text(op, width, left, right)
                if text is None:
                    raise _Stop
                lines = self._guarded(self._address_text([instruction.left, instruction.right]), place)
                return [*lines, *self._guarded(guard, place), *self._set(instruction, text, place)]
            case Binary(type=FloatType() as kind, op=op):
                return self._call(floats.compile_float_binary(op, kind), instruction, place)
            case FloatCompare(type=FloatType() as kind, predicate=predicate):
                return self._call(floats.compile_float_compare(predicate, kind), instruction, place)
            case Compare(type=IntType() | PointerType()):
                return self._compare(instruction, place)
            case Cast():
                return self._guarded(self._address_text([instruction.value]), place) + self._cast(instruction, place)
            case Select(type=IntType() | PointerType() | FloatType()):
                condition, then = self._use(instruction.condition), self._use(instruction.then)
                otherwise = self._use(instruction.otherwise)
                return self._set(instruction, f"{then} if {condition} else {otherwise}", place)
            case Freeze(type=IntType() | PointerType() | FloatType(), value=value):
                return self._set(instruction, self._use(value), place)
            case GetElementPointer(type=PointerType()):
                lines = self._guarded(self._address_text([index for index, _ in instruction.terms]), place)
                return lines + self._address(instruction, place)
            case Load(type=IntType() | PointerType() | FloatType() as kind):
                return self._load(instruction, kind, place)
            case Store(type=IntType() | PointerType() | FloatType() as kind):
                return self._store(instruction, kind, place)
        raise _Stop

    def _pointer_of(self, operand: Operand) -> str:
        """The text of the pointer that an operand was converted from, or else of the operand itself."""
        pointer = self.pointers.get(operand.index) if isinstance(operand, Register) else None
        return self._use(operand) if pointer is None else pointer

    def _is_difference(self, instruction: Binary) -> bool:
        operands = (instruction.left, instruction.right)
        is_watched = self.compiler.watched is not None  # of two objects it would be a look
        return not is_watched and all(isinstance(side, Register) and side.index in self.pointers for side in operands)

    def _set(self, instruction: Instruction, text: str, place: _Place) -> list[str]:
        name = self.names[instruction.result] = f"r{instruction.result}"
        return [f"{place.pad}{name} = {text}"]

    def _guarded(self, guard: str | None, place: _Place) -> list[str]:
        return [f"{place.pad}if {guard}:", *self._leaving(place, " ")] if guard else []

    def _helper(self, function: Callable[..., Any]) -> str:
        name = f"F{len(self.namespace)}"
        self.namespace[name] = function
        return name

    def _call(self, function: Callable[..., Any], instruction: Binary | FloatCompare, place: _Place) -> list[str]:
        left, right = self._use(instruction.left), self._use(instruction.right)
        return self._set(instruction, f"{self._helper(function)}({left}, {right})", place)

    def _compare(self, instruction: Compare, place: _Place) -> list[str]:
        left, right = self._use(instruction.left), self._use(instruction.right)
        is_order = instruction.predicate not in ("eq", "ne")
        if isinstance(instruction.type, PointerType) and is_order and (left.isdigit() or right.isdigit()):
            raise _Stop  # a known pointer need not be one of an object, as which pointers are in order
        text = comparison_text(instruction.predicate, layout.bits_of(instruction.type), left, right)
        lines = self._guarded(self._order_text(instruction, left, right), place)
        if instruction.result in self.compiler.fused:
            self.names[instruction.result] = f"({TRUTH}{text}{OF_BIT})"
            return lines
        return lines + self._set(instruction, f"{TRUTH}{text}{OF_BIT}", place)

    def _order_text(self, compare: Compare, left: str, right: str) -> str | None:
        """A test whether a comparison asks for the order of two objects, if the machine watches for that."""
        if self.compiler.watched is None or not is_ordered(compare):
            return None
        is_apart = f"({left} ^ {right}) >> {SLOT_BITS}"
        return is_apart if isinstance(compare.type, PointerType) else self._address_text([compare.left, compare.right])

    def _address_text(self, operands: list[Operand]) -> str | None:
        """A test whether one of the numbers is an address, if the machine watches for that."""
        watched = self.compiler.watched
        numbers = [number for number in operands if watched is not None and watched.may_be_address(number)]
        return " or ".join(dict.fromkeys(address_text(self._use(number)) for number in numbers)) or None

    def _cast(self, instruction: Cast, place: _Place) -> list[str]:
        source, target = instruction.source, instruction.target
        if not isinstance(source, SCALARS) or not isinstance(target, SCALARS):
            raise _Stop
        before, after = layout.bits_of(source), layout.bits_of(target)
        value = self._use(instruction.value)
        match instruction.op:
            case "ptrtoint":
                if self.compiler.watched is not None and is_cut(instruction):
                    raise _Stop
                self.pointers[instruction.result] = value
                number = f"NUMBER({value}, memory)"
                self.names[instruction.result] = number if after >= 64 else f"({number} & {(1 << after) - 1})"
                return []
            case "inttoptr":
                number = value if before <= 64 else f"{value} & {MASK_64}"
                return self._set(instruction, f"POINTER({number}, memory)", place)
            case "trunc" | "zext" | "bitcast" | "addrspacecast":
                if after >= before:
                    self.names[instruction.result] = value
                    return []
                return self._set(instruction, f"{value} & {(1 << after) - 1}", place)
            case "sext":
                high, sign = (1 << after) - (1 << before), 1 << (before - 1)
                return self._set(instruction, f"{value} | {high} if {value} & {sign} else {value}", place)
        convert = self._helper(floats.compile_float_cast(instruction.op, source, target))
        lines = [f"{place.pad}x = {convert}({value})", *self._guarded("x is None", place)]
        return lines + self._set(instruction, "x", place)

    def _address(self, instruction: GetElementPointer, place: _Place) -> list[str]:
        if instruction.result in self.compiler.relative:
            raise _Stop
        if any(isinstance(index.type, VectorType) for index, _ in instruction.terms):
            raise _Stop
        base = self._use(instruction.base)
        text = element_text(instruction, base, self._use)
        if text == base:
            self.names[instruction.result] = base
            return []
        return self._set(instruction, f"({text}) & {MASK_64}", place)

    def _locate(self, pointer: str, size: int, more: str, place: _Place) -> list[str]:
        """Code that finds object ``o`` and offset ``f`` of a concrete access to concrete bytes, or leaves."""
        lookup, refused = located(pointer, size)
        return [*[f"{place.pad}{line}" for line in lookup], *self._guarded(refused + more, place)]

    def _load(self, instruction: Load, kind: Type, place: _Place) -> list[str]:
        if instruction.volatile:
            raise _Stop
        size = layout.store_size(kind)
        lines = self._locate(self._use(instruction.pointer), size, "", place)
        lines += self._set(instruction, load_text(kind), place)
        name, watched = self.names[instruction.result], self.compiler.watched
        if watched is not None and not isinstance(kind, PointerType):
            is_number = watched.may_be_address(Register(instruction.result, kind))
            lines += self._guarded(name_text(name, size, is_number), place)
        return [*lines, *[f"{place.pad}{line}" for line in converted_text(kind, name)]]

    def _store(self, instruction: Store, kind: Type, place: _Place) -> list[str]:
        value, size = self._use(instruction.value), layout.store_size(kind)
        apart = " or f & 7" if self.compiler.watched is not None and size == WORD else ""
        lines = self._locate(self._use(instruction.pointer), size, f" or o.owner is not token{apart}", place)
        return [*lines, f"{place.pad}{store_text(size, value)}"]

    # --- terminators ---

    def _terminator(self, instruction: Instruction, place: _Place) -> None:
        try:
            match instruction:
                case Branch(target=target):
                    self._passable(place.block, target)
                    self._edge(place, target, None)
                    return
                case ConditionalBranch(condition=condition, then=then, otherwise=otherwise):
                    test = self._use(condition)
                    test = test.removeprefix(f"({TRUTH}").removesuffix(f"{OF_BIT})")
                    self._passable(place.block, then, otherwise)
                    self.lines.append(f"{place.pad}if {test}:")
                    self._edge(replace(place, pad=place.pad + " "), then, 0)
                    self._edge(place, otherwise, 1)
                    return
                case Switch(value=value, cases=cases, default=default) if len(cases) <= MOST_SWITCH_CASES:
                    self.lines += self._guarded(self._address_text([value]), place)
                    test = self._use(value)
                    self._passable(place.block, default, *[target for _, target in cases])
                    leads_to = targets(instruction)
                    for case, target in cases:
                        self.lines.append(f"{place.pad}if {test} == {case}:")
                        self._edge(replace(place, pad=place.pad + " "), target, leads_to.index(target))
                    self._edge(place, default, 0)
                    return
        except _Stop:
            pass
        self._leave(place)

    def _passable(self, block: int, *targets: int) -> None:
        """Raises _Stop if an edge's phis have no plain form."""
        for target in targets:
            for phi in self.blocks[target].phis:
                if not isinstance(phi.type, SCALARS):
                    raise _Stop
                self._any(_operand(phi, block))

    def _edge(self, place: _Place, target: int, successor: int | None) -> None:
        """Write the code of an edge: back to the loop's head, into a block of this region, or out."""
        pad, block = place.pad, place.block
        place = replace(place, count=place.count + 1)
        if successor is not None and not self.compiler.is_library:
            number = self.compiler.coverage.number(self.compiler.function, block, successor)
            if not self.compiler.coverage.settled[number]:
                self.lines.append(f"{pad}if not V[{number}]: HIT(state, {number})")
        phis = self.blocks[target].phis
        loops = target == self.head and self.start == 0
        inlined = (
            not loops
            and len(self.compiler.flow.predecessors[target]) == 1
            and target not in self.stops
            and place.depth < DEEPEST_REGION
            and self.size < LONGEST_REGION
        )
        if not loops and not inlined:
            self._out(place, target)
            return
        values = [self._use(_operand(phi, block)) for phi in phis]
        names = [f"r{phi.result}" for phi in phis]
        if names:
            self.lines.append(f"{pad}{', '.join(names)} = {', '.join(values)}")
        if loops:
            self.lines.append(f"{pad}n += {place.count}")
            self.lines.append(f"{pad}if n > budget:")
            self.lines += self._flush(-1, frozenset(self.phis), pad + " ")
            self.lines += [f"{pad} state.instructions += n", f"{pad} return {target}", f"{pad}continue"]
            return
        outer = self.names
        self.names = {**outer, **{phi.result: f"r{phi.result}" for phi in phis}}
        defined = place.defined | {phi.result for phi in phis}
        self._block(_Place(target, 0, defined, place.count, place.depth + 1, pad))
        self.names = outer

    def _out(self, place: _Place, target: int) -> None:
        live = self.compiler.liveness.entry[target]
        phis = [phi for phi in self.blocks[target].phis if live >> phi.result & 1]
        pad = place.pad
        self.lines += self._flush(live, place.defined - {phi.result for phi in phis}, pad)
        self.lines += [f"{pad}R[{phi.result}] = {self._any(_operand(phi, place.block))}" for phi in phis]
        self.lines.append(f"{pad}state.instructions += n + {place.count}")
        self.lines.append(f"{pad}return {target}")


def _operand(phi: Phi, block: int) -> Operand:
    return next(value for value, source in phi.incoming if source == block)
