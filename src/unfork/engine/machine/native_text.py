"""A loop as LLVM IR that runs on plain numbers, and leaves before anything else.

Its argument is a block of 64-bit words: the entry, the budget of instructions, the registers, a table of objects. It
returns the number of the point where it left; the instruction there has had no effect. It follows no pointer of the
program (engine/machine/native_memory.py). It leaves at possible faults and where full semantics are needed. Law: it has
the effects of the plain forms (engine/instructions/forms.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unfork.engine.instructions.python_text import amount_mask
from unfork.engine.machine.native_memory import BUDGET, ENTRY, FIND, PASSED, REGISTERS, NativeLines, NotNative, kind_of
from unfork.engine.state.state import ProgramPoint
from unfork.engine.step.branch_coverage import BranchCoverage, Edge
from unfork.engine.step.statics import Statics
from unfork.logic.terms.concrete import signed
from unfork.program.facts.cfg import targets
from unfork.program.facts.function_facts import FunctionFacts, result_type
from unfork.program.facts.relative import relative_pointers
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Branch,
    Call,
    Cast,
    Compare,
    ConditionalBranch,
    ConstantExpression,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
    Return,
    Select,
    Store,
    Switch,
)
from unfork.program.llvm.types import IntType, PointerType

BITS = {"udiv", "urem", "sdiv", "srem"}
SAME = {"add", "sub", "mul", "and", "or", "xor"}
SHIFTS = {"shl", "lshr", "ashr"}
UNARY, FLAGGED = ("ctpop", "bswap"), ("ctlz", "cttz", "abs")
INTRINSICS = (*UNARY, *FLAGGED, "fshl", "fshr", "smin", "smax", "umin", "umax")


@dataclass(frozen=True, slots=True)
class Point:
    """Where the code leaves: before an instruction. ``registers`` are pairs of a register and its word."""

    block: int
    index: int
    registers: tuple[tuple[int, int], ...]


class _Scope(NamedTuple):
    """The function being written: the loop's own, or one that is called in it. ``prefix`` makes its names unique.

    ``relative`` registers hold pointers outside of the object that they are counted from. A called function belongs to
    the call at ``point``: where it would leave, the call has had no effect.
    """

    facts: FunctionFacts
    relative: frozenset[int]
    prefix: str
    point: ProgramPoint | None
    returns: str
    """The label in the loop's function after the call."""
    result: int
    """The register that gets the return value."""


class NativeText:
    """The text of the loop ``blocks`` of a function, which may be entered at ``heads``.

    It leaves at ``points``. ``entries`` are the registers that each head needs, with their words. The table begins at
    the word ``table``. ``turns``: an iteration may run from beginning to end. ``calls`` are the functions called, each
    with the word that counts its calls; ``callee`` tells which may be called.
    """

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        coverage: BranchCoverage,
        blocks: frozenset[int],
        heads: Sequence[int],
        callee: Callable[[Call], FunctionFacts | None],
    ) -> None:
        self._statics, self._coverage, self._callee = statics, coverage, callee
        self._blocks, self.heads = blocks, heads
        self._scope = self._scope_of(facts)
        self._out = NativeLines()
        self._types: dict[int, str] = {}
        """Types of the loop's registers, as native code holds them."""
        self._callee_types: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._callees: list[_Scope] = []
        """Called functions that are not written yet."""
        self._defined: set[int] = set()
        self._declared: dict[str, str] = {}
        self._edges: dict[int, list[int]] = {}
        for block in sorted(blocks):
            self._block(block)
        for scope in self._callees:
            self._scope = scope
            for block in range(len(scope.facts.function.blocks)):
                self._block(block)
        self.turns = self._has_cycle()
        words = {register: REGISTERS + i for i, register in enumerate(sorted(self._types))}
        self.calls = [(name, REGISTERS + len(words) + i) for name, i in self._counts.items()]
        self.table = REGISTERS + len(words) + len(self.calls)
        live = facts.written.before
        self.entries = [
            [(register, word) for register, word in words.items() if live(head, 0) >> register & 1] for head in heads
        ]
        self.points = [
            Point(
                block,
                index,
                tuple(
                    (register, word)
                    for register, word in words.items()
                    if register in self._defined and live(block, index) >> register & 1
                ),
            )
            for block, index in self._out.leaving
        ]
        self.text = "\n".join(
            [FIND, *self._declared.values(), *self._beginning(words), *self._out.lines, *self._ends()]
        )

    def _scope_of(
        self,
        facts: FunctionFacts,
        prefix: str = "",
        point: ProgramPoint | None = None,
        returns: str = "",
        result: int = -1,
    ) -> _Scope:
        relative = relative_pointers(facts.function, self._statics.program)
        return _Scope(facts, relative, prefix, point, returns, result)

    def _beginning(self, words: dict[int, int]) -> list[str]:
        lines = ["define i64 @loop(ptr noalias %W) {"]
        lines += [f"  %s{register} = alloca {kind}" for register, kind in self._types.items()]
        lines += [f"  %s{name} = alloca {kind}" for name, kind in self._callee_types.items()]
        lines += [f"  %c{site} = alloca ptr" for site in range(self._out.sites)]
        lines.append("  %k = alloca i64")
        for number in range(len(self.calls)):
            lines += [f"  %q{number} = alloca i64", f"  store i64 0, ptr %q{number}"]
        lines += ["  %n = alloca i64", "  store i64 0, ptr %n", f"  %T = getelementptr i64, ptr %W, i64 {self.table}"]
        lines += [f"  store ptr %T, ptr %c{site}" for site in range(self._out.sites)]
        for name, word, kind in (("entry", ENTRY, "i64"), ("budget", BUDGET, "i64"), ("V", PASSED, "ptr")):
            lines += [
                f"  %{name}.at = getelementptr i64, ptr %W, i64 {word}",
                f"  %{name} = load {kind}, ptr %{name}.at",
            ]
        for register, word in words.items():
            kind, value = self._types[register], f"%in{register}"
            lines += [
                f"  {value}.at = getelementptr i64, ptr %W, i64 {word}",
                f"  {value}.w = load i64, ptr {value}.at",
            ]
            if kind != "i64":
                lines.append(f"  {value}.c = trunc i64 {value}.w to {kind}")
            lines.append(f"  store {kind} {value}.{'w' if kind == 'i64' else 'c'}, ptr %s{register}")
        cases = " ".join(f"i64 {i}, label %b{head}" for i, head in enumerate(self.heads))
        return [*lines, f"  switch i64 %entry, label %b{self.heads[0]} [ {cases} ]"]

    def _ends(self) -> list[str]:
        lines = []
        for number, point in enumerate(self.points):
            lines.append(f"leave{point.block}.{point.index}:")
            for register, word in point.registers:
                kind, value = self._types[register], f"%o{number}.{register}"
                lines.append(f"  {value} = load {kind}, ptr %s{register}")
                if kind != "i64":
                    lines.append(f"  {value}.w = zext {kind} {value} to i64")
                lines.append(f"  {value}.at = getelementptr i64, ptr %W, i64 {word}")
                lines.append(f"  store i64 {value}{'' if kind == 'i64' else '.w'}, ptr {value}.at")
            for i, (_, word) in enumerate(self.calls):
                value = f"%q{number}.{i}"
                lines += [f"  {value} = load i64, ptr %q{i}", f"  {value}.at = getelementptr i64, ptr %W, i64 {word}"]
                lines.append(f"  store i64 {value}, ptr {value}.at")
            lines += [f"  %n{number} = load i64, ptr %n", f"  %m{number} = add i64 %n{number}, {point.index}"]
            lines += [f"  store i64 %m{number}, ptr %budget.at", f"  ret i64 {number}"]
        return [*lines, "}", "!0 = !{}"]

    def _has_cycle(self) -> bool:
        pending, visited = list(self._edges.get(self.heads[0], ())), set()
        while pending:
            block = pending.pop()
            if block not in visited:
                visited.add(block)
                pending += self._edges.get(block, ())
        return self.heads[0] in visited

    # --- pieces ---

    def _use(self, operand: Operand) -> str:
        kind = kind_of(operand.type)
        match operand:
            case Register(index=index):
                return self._out.new(f"load {kind}, ptr {self._slot(index, kind)}")
            case Bits(value=value):
                return str(value)
            case GlobalAddress() | ConstantExpression():
                constant = self._statics.constant(operand)
                if isinstance(constant, int):
                    return str(constant)
        raise NotNative

    def _slot(self, register: int, kind: str) -> str:
        prefix = self._scope.prefix
        if prefix:
            self._callee_types[f"{prefix}{register}"] = kind
        else:
            self._types[register] = kind
        return f"%s{prefix}{register}"

    def _set(self, register: int, kind: str, value: str) -> None:
        self._out.lines.append(f"  store {kind} {value}, ptr {self._slot(register, kind)}")
        if not self._scope.prefix:
            self._defined.add(register)

    # --- blocks ---

    def _block(self, block: int) -> None:
        scope = self._scope
        self._out.lines.append(f"b{scope.prefix}{block}:")
        body = scope.facts.function.blocks[block].body
        for index, instruction in enumerate(body):
            start, point = len(self._out.lines), scope.point or (block, index)
            try:
                if index == len(body) - 1:
                    self._terminator(instruction, block, point, len(body))
                else:
                    self._instruction(instruction, point)
            except NotNative:
                del self._out.lines[start:]
                self._out.lines.append(f"  br label {self._out.leave(point)}")
                return

    def _terminator(self, instruction: Instruction, block: int, point: ProgramPoint, size: int) -> None:
        if not self._scope.prefix:
            self._edges[block] = []
        match instruction:
            case Branch(target=target):
                place = self._branch()
                self._out.lines[place] = f"  br label %{self._edge(block, point, size, target, None)}"
            case ConditionalBranch(condition=condition, then=then, otherwise=otherwise):
                value, place = self._use(condition), self._branch()
                ways = [self._edge(block, point, size, to, i) for i, to in enumerate((then, otherwise))]
                self._out.lines[place] = f"  br i1 {value}, label %{ways[0]}, label %{ways[1]}"
            case Switch(value=operand, cases=cases, default=default):
                value, kind, place = self._use(operand), kind_of(operand.type), self._branch()
                leads_to = targets(instruction)
                edges = {to: self._edge(block, point, size, to, leads_to.index(to)) for to in leads_to}
                listed = " ".join(f"{kind} {case}, label %{edges[to]}" for case, to in dict(cases).items())
                self._out.lines[place] = f"  switch {kind} {value}, label %{edges[default]} [ {listed} ]"
            case Return(value=operand) if self._scope.prefix:
                self._return(operand, size)
            case _:
                raise NotNative

    def _branch(self) -> int:
        self._out.lines.append("")
        return len(self._out.lines) - 1

    def _edge(self, block: int, point: ProgramPoint, size: int, target: int, successor: int | None) -> str:
        """Write an edge; its label. The code leaves before the branch if the edge leads out of the loop or is not
        covered.
        """
        scope, label, start = self._scope, self._out.label(), len(self._out.lines)
        self._out.lines.append(f"{label}:")
        try:
            if not scope.prefix and target not in self._blocks:
                raise NotNative
            if successor is not None:
                self._cover((scope.facts.function.name, block, successor), point)
            phis = scope.facts.function.blocks[target].phis
            kinds = [kind_of(phi.type) for phi in phis]
            values = [self._use(next(value for value, source in phi.incoming if source == block)) for phi in phis]
        except NotNative:
            self._out.lines[start:] = [f"{label}:", f"  br label {self._out.leave(point)}"]
            return label
        for phi, kind, value in zip(phis, kinds, values, strict=True):
            self._set(phi.result, kind, value)
        executed = self._out.add("%k" if scope.prefix else "%n", size)
        if not scope.prefix:
            if target in scope.facts.flow.loop_heads:
                self._out.unless(self._out.new(f"icmp uge i64 {executed}, %budget"), (target, 0))
            self._edges[block].append(target)
        self._out.lines.append(f"  br label %b{scope.prefix}{target}")
        return label

    def _cover(self, edge: Edge, point: ProgramPoint) -> None:
        """Leave where the state has not passed the edge, or the edge has no number yet."""
        if edge[0] in self._statics.program.library:
            return
        number = self._coverage.known_number(edge)
        if number is None:
            raise NotNative
        if not self._coverage.settled[number]:
            at = self._out.new(f"getelementptr i8, ptr %V, i64 {number}")
            passed = self._out.new(f"load i8, ptr {at}, !invariant.load !0")
            self._out.unless(self._out.new(f"icmp eq i8 {passed}, 0"), point)

    # --- calls ---

    def _call(self, call: Call, point: ProgramPoint) -> None:
        """Write a call of an intrinsic function, or the body of a function that only computes a value."""
        facts = None if self._scope.prefix else self._callee(call)
        if facts is None:
            self._set(call.result, kind_of(call.type.result), self._intrinsic(call, point))
            return
        outer, function = self._scope, facts.function
        for operand in call.arguments:
            kind_of(operand.type)
        values = [self._use(operand) for operand in call.arguments]
        executed = self._out.new(f"add i64 {self._out.new('load i64, ptr %n')}, {point[1] + 1}")
        self._out.unless(
            self._out.new(f"icmp uge i64 {executed}, %budget"), point
        )  # where a function is entered a step may end
        self._out.lines.append("  store i64 0, ptr %k")
        onward = self._out.label()
        self._scope = self._scope_of(facts, f"{onward}.", point, onward, call.result)
        for register, (operand, value) in enumerate(zip(call.arguments, values, strict=True)):
            self._set(register, kind_of(operand.type), value)
        self._callees.append(self._scope)
        self._scope = outer
        self._out.lines += [f"  br label %b{onward}.0", f"{onward}:"]
        self._out.add("%n", self._out.new("load i64, ptr %k"))
        self._out.add(f"%q{self._counts.setdefault(function.name, len(self._counts))}", 1)

    def _return(self, operand: Operand | None, size: int) -> None:
        scope = self._scope
        value = None if operand is None or scope.result < 0 else self._use(operand)
        self._out.add("%k", size)
        if value is not None and operand is not None:
            self._scope = scope._replace(prefix="")
            self._set(scope.result, kind_of(operand.type), value)
            self._scope = scope
        self._out.lines.append(f"  br label %{scope.returns}")

    # --- instructions ---

    def _instruction(self, instruction: Instruction, point: ProgramPoint) -> None:
        match instruction:
            case Call():
                self._call(instruction, point)
                return
            case Store(value=value, pointer=pointer, type=type) if not self._scope.prefix:
                self._out.store(self._use(value), self._use(pointer), type, point)
                return
            case Binary(type=IntType(width=width)):
                result = self._binary(instruction, width, point)
            case Compare(type=IntType() | PointerType() as type, left=left, right=right, predicate=predicate):
                fixed = not isinstance(left, Register) or not isinstance(right, Register)
                if isinstance(type, PointerType) and fixed and predicate not in ("eq", "ne"):
                    raise NotNative
                a, b = self._use(left), self._use(right)
                result = self._out.new(f"icmp {predicate} {kind_of(type)} {a}, {b}")
            case Cast():
                result = self._cast(instruction, point)
            case Select(condition=condition, then=then, otherwise=otherwise, type=type):
                kind = kind_of(type)
                c, a, b = self._use(condition), self._use(then), self._use(otherwise)
                result = self._out.new(f"select i1 {c}, {kind} {a}, {kind} {b}")
            case Freeze(value=operand):
                result = self._use(operand)
            case GetElementPointer(type=PointerType()) if instruction.result not in self._scope.relative:
                result = self._address(instruction)
            case Load(volatile=False, pointer=pointer, type=type):
                result = self._out.load(self._use(pointer), type, point)
            case _:
                raise NotNative
        self._set(instruction.result, kind_of(result_type(instruction)), result)

    def _binary(self, instruction: Binary, width: int, point: ProgramPoint) -> str:
        op, kind = instruction.op, kind_of(instruction.type)
        left, right = self._use(instruction.left), self._use(instruction.right)
        if op in SHIFTS:
            mask = amount_mask(width)
            amount = self._out.new(f"and {kind} {right}, {mask}")
            if mask >= width:
                self._out.unless(self._out.new(f"icmp uge {kind} {amount}, {width}"), point)
            return self._out.new(f"{op} {kind} {left}, {amount}")
        if op in BITS:
            self._out.unless(self._out.new(f"icmp eq {kind} {right}, 0"), point)
            if op in ("sdiv", "srem"):
                lowest = self._out.new(f"icmp eq {kind} {left}, {1 << width - 1}")
                negates = self._out.new(f"icmp eq {kind} {right}, -1")
                self._out.unless(self._out.new(f"and i1 {lowest}, {negates}"), point)
        elif op not in SAME:
            raise NotNative
        return self._out.new(f"{op} {kind} {left}, {right}")

    def _cast(self, instruction: Cast, point: ProgramPoint) -> str:
        kind_of(instruction.source), kind_of(instruction.target)
        before, after = layout.bits_of(instruction.source), layout.bits_of(instruction.target)
        value = self._use(instruction.value)
        match instruction.op:
            case "ptrtoint" if layout.store_size(instruction.source) == layout.bits_of(instruction.source) // 8:
                return self._out.resized(self._out.number(value, point), 64, after)
            case "bitcast":
                return value
            case "trunc" | "zext" | "sext":
                return self._out.resized(value, before, after, instruction.op)
        raise NotNative

    def _address(self, instruction: GetElementPointer) -> str:
        address = self._use(instruction.base)
        if instruction.offset:
            address = self._out.new(f"add i64 {address}, {instruction.offset}")
        for index, stride in instruction.terms:
            if not isinstance(index.type, IntType):
                raise NotNative
            width = layout.bits_of(index.type)
            if isinstance(index, Bits):
                scaled = str(signed(index.value, width) * stride)
            else:
                scaled = self._out.new(f"mul i64 {self._out.resized(self._use(index), width, 64, 'sext')}, {stride}")
            address = self._out.new(f"add i64 {address}, {scaled}")
        return address

    def _intrinsic(self, call: Call, point: ProgramPoint) -> str:
        if not isinstance(call.callee, GlobalAddress):
            raise NotNative
        name, kind = call.callee.name, kind_of(call.type.result)
        op = name.removeprefix("llvm.").removesuffix(f".{kind}")
        if name != f"llvm.{op}.{kind}" or op not in INTRINSICS or not isinstance(call.type.result, IntType):
            raise NotNative
        operands = [self._use(argument) for argument in call.arguments]
        listed = [f"{kind} {operand}" for operand in operands]
        types = [kind] * len(operands)
        if op in FLAGGED:
            if op != "abs":
                self._out.unless(self._out.new(f"icmp eq {kind} {operands[0]}, 0"), point)
            types[1], listed[1] = "i1", "i1 false"
        self._declared[name] = f"declare {kind} @{name}({', '.join(types)})"
        return self._out.new(f"call {kind} @{name}({', '.join(listed)})")
