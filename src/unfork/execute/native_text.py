"""A loop as LLVM IR that runs on plain numbers, and leaves before whatever is not plain.

The function has one argument, a block of 64-bit words: where to begin, how many instructions to run, the registers, and
a table of objects. It yields the number of the point where it left: that instruction has had no effect. No pointer of
the program is ever followed: each access looks for its object in the table, checks that it is within the object's
bytes and that these are concrete, and is made relative to the data of that object. What may be a fault or needs full
semantics is a reason to leave. The law: what has run has had the effects of the plain forms (execute/forms.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from unfork.execute.coverage import BranchCoverage, Edge
from unfork.execute.forms import SCALARS
from unfork.execute.python_text import amount_mask
from unfork.execute.statics import Statics
from unfork.facts.cfg import targets
from unfork.facts.function_facts import FunctionFacts, result_type
from unfork.facts.relative import relative_pointers
from unfork.llvm import layout
from unfork.llvm.ir import (
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
from unfork.llvm.types import FloatType, IntType, PointerType, Type
from unfork.logic.concrete import signed
from unfork.state.flat_layout import FRONT, LOWEST_ADDRESS, NEAR
from unfork.state.memory import END_OF_NAMES, FIRST_STATIC, LARGEST, SLOT_BITS, SLOT_MASK, SLOT_MIDDLE

ENTRY, BUDGET, PASSED, MISSED, COUNT, REGISTERS = range(6)
"""The words: which head to begin at, how many instructions to run (then, how many ran), where the coverage's ``passed``
begins, the object that the table lacked, how many the table has, and from where on the registers are."""
FIELDS = NUMBER, DATA, MASK, LIMIT, STORED, REFUSED, START, _ = range(8)
"""What the table has of an object: its number; the addresses of its data and its mask, or 0; its size, for loads and for
stores (-1 where there may be none); which bits of the mask forbid a store; where it begins as a number."""
SIZES = (1, 2, 4, 8)
BITS = {"udiv", "urem", "sdiv", "srem"}
SAME = {"add", "sub", "mul", "and", "or", "xor"}
SHIFTS = {"shl", "lshr", "ashr"}
UNARY, FLAGGED = ("ctpop", "bswap"), ("ctlz", "cttz", "abs")
INTRINSICS = (*UNARY, *FLAGGED, "fshl", "fshr", "smin", "smax", "umin", "umax")

FIND = f"""
define internal ptr @find(ptr %W, ptr %T, i64 %number) noinline {{
  %end.at = getelementptr i64, ptr %W, i64 {COUNT}
  %end = load i64, ptr %end.at
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %j, %other ]
  %more = icmp ult i64 %i, %end
  br i1 %more, label %look, label %none
look:
  %at = getelementptr [{len(FIELDS)} x i64], ptr %T, i64 %i
  %have = load i64, ptr %at
  %same = icmp eq i64 %have, %number
  br i1 %same, label %found, label %other
other:
  %j = add i64 %i, 1
  br label %next
found:
  ret ptr %at
none:
  ret ptr null
}}
"""


class Point(NamedTuple):
    """Where the code leaves: before an instruction, with registers and the words that hold them."""

    block: int
    index: int
    registers: tuple[tuple[int, int], ...]


class _Scope(NamedTuple):
    """What is being written: the loop's function, or one that is called in it. ``prefix`` is part of its names.

    ``relative`` are registers that hold pointers which leave the object that they are counted from. All that a called function does is part of the call ``point``: where it would leave, the call has had no effect.
    """

    facts: FunctionFacts
    relative: frozenset[int]
    prefix: str
    point: tuple[int, int] | None
    returns: str
    """The label where the loop's function goes on."""
    result: int
    """Its register for what is returned."""


class _NotNative(Exception):
    """The instruction is none that runs natively."""


class NativeText:
    """The text of the loop ``blocks`` of a function, which may be entered at ``heads``.

    ``points`` are where it leaves, ``entries`` the registers with their words that each head needs, ``table`` is the
    word where the table begins, ``turns``: whether an iteration may run from beginning to end. ``calls`` are the
    functions that it calls, each with the word that counts how often; ``callee`` finds those that may be called so.
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
        self._lines: list[str] = []
        self._leaving: dict[tuple[int, int], None] = {}
        self._types: dict[int, str] = {}
        """The registers that native code holds, with their types there."""
        self._inner: dict[str, str] = {}
        """The same for those of called functions."""
        self._counts: dict[str, int] = {}
        """Numbers of the called functions."""
        self._defined: set[int] = set()
        self._sites = 0
        self._values = 0
        self._declared: dict[str, str] = {}
        self._edges: dict[int, list[int]] = {}
        for block in sorted(blocks):
            self._block(block)
        self.turns = self._has_cycle()
        words = {register: REGISTERS + i for i, register in enumerate(sorted(self._types))}
        self.calls = [(name, REGISTERS + len(words) + i) for name, i in self._counts.items()]
        self.table = REGISTERS + len(words) + len(self.calls)
        live = facts.liveness.before
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
            for block, index in self._leaving
        ]
        self.text = "\n".join([FIND, *self._declared.values(), *self._beginning(words), *self._lines, *self._ends()])

    def _scope_of(
        self,
        facts: FunctionFacts,
        prefix: str = "",
        point: tuple[int, int] | None = None,
        returns: str = "",
        result: int = -1,
    ) -> _Scope:
        relative = relative_pointers(facts.function, self._statics.program)
        return _Scope(facts, relative, prefix, point, returns, result)

    def _beginning(self, words: dict[int, int]) -> list[str]:
        lines = ["define i64 @loop(ptr noalias %W) {"]
        lines += [f"  %s{register} = alloca {kind}" for register, kind in self._types.items()]
        lines += [f"  %s{name} = alloca {kind}" for name, kind in self._inner.items()]
        lines += [f"  %c{site} = alloca ptr" for site in range(self._sites)]
        lines.append("  %k = alloca i64")
        for number in range(len(self.calls)):
            lines += [f"  %q{number} = alloca i64", f"  store i64 0, ptr %q{number}"]
        lines += ["  %n = alloca i64", "  store i64 0, ptr %n", f"  %T = getelementptr i64, ptr %W, i64 {self.table}"]
        lines += [f"  store ptr %T, ptr %c{site}" for site in range(self._sites)]
        for name, word, kind in (("entry", ENTRY, "i64"), ("budget", BUDGET, "i64"), ("V", PASSED, "ptr")):
            lines += [f"  %{name}.at = getelementptr i64, ptr %W, i64 {word}", f"  %{name} = load {kind}, ptr %{name}.at"]
        for register, word in words.items():
            kind, value = self._types[register], f"%in{register}"
            lines += [f"  {value}.at = getelementptr i64, ptr %W, i64 {word}", f"  {value}.w = load i64, ptr {value}.at"]
            if kind != "i64":
                lines.append(f"  {value}.c = trunc i64 {value}.w to {kind}")
            lines.append(f"  store {kind} {value}.{'w' if kind == 'i64' else 'c'}, ptr %s{register}")
        cases = " ".join(f"i64 {i}, label %b{head}" for i, head in enumerate(self.heads))
        return [*lines, f"  switch i64 %entry, label %b{self.heads[0]} [ {cases} ]"]

    def _ends(self) -> list[str]:
        lines = []
        for number, (block, index, registers) in enumerate(self.points):
            lines.append(f"leave{block}.{index}:")
            for register, word in registers:
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
            lines += [f"  %n{number} = load i64, ptr %n", f"  %m{number} = add i64 %n{number}, {index}"]
            lines += [f"  store i64 %m{number}, ptr %budget.at", f"  ret i64 {number}"]
        return [*lines, "}", "!0 = !{}"]

    def _has_cycle(self) -> bool:
        pending, seen = list(self._edges.get(self.heads[0], ())), set()
        while pending:
            block = pending.pop()
            if block not in seen:
                seen.add(block)
                pending += self._edges.get(block, ())
        return self.heads[0] in seen

    # --- pieces ---

    def _new(self, text: str) -> str:
        """The name of a value that ``text`` computes."""
        self._values += 1
        self._lines.append(f"  %v{self._values} = {text}")
        return f"%v{self._values}"

    def _label(self) -> str:
        self._values += 1
        return f"l{self._values}"

    def _leave(self, point: tuple[int, int]) -> str:
        self._leaving[point] = None
        return f"%leave{point[0]}.{point[1]}"

    def _unless(self, condition: str, point: tuple[int, int]) -> None:
        """Leave at ``point`` where a condition holds."""
        onward = self._label()
        self._lines.append(f"  br i1 {condition}, label {self._leave(point)}, label %{onward}")
        self._lines.append(f"{onward}:")

    def _kind(self, type: Type) -> str:
        """The type of a scalar as native code has it: an integer of at most 64 bits."""
        if not isinstance(type, SCALARS) or layout.bits_of(type) > 64:
            raise _NotNative
        return f"i{layout.bits_of(type)}"

    def _use(self, operand: Operand) -> str:
        """The value of an operand."""
        kind = self._kind(operand.type)
        match operand:
            case Register(index=index):
                return self._new(f"load {kind}, ptr {self._slot(index, kind)}")
            case Bits(value=value):
                return str(value)
            case GlobalAddress() | ConstantExpression():
                constant = self._statics.constant(operand)
                if isinstance(constant, int):
                    return str(constant)
        raise _NotNative

    def _slot(self, register: int, kind: str) -> str:
        """Where a register is held."""
        prefix = self._scope.prefix
        if prefix:
            self._inner[f"{prefix}{register}"] = kind
        else:
            self._types[register] = kind
        return f"%s{prefix}{register}"

    def _set(self, register: int, kind: str, value: str) -> None:
        self._lines.append(f"  store {kind} {value}, ptr {self._slot(register, kind)}")
        if not self._scope.prefix:
            self._defined.add(register)

    def _add(self, counter: str, count: str | int) -> str:
        """Add to a counter; its new value."""
        total = self._new(f"add i64 {self._new(f'load i64, ptr {counter}')}, {count}")
        self._lines.append(f"  store i64 {total}, ptr {counter}")
        return total

    def _resized(self, value: str, before: int, after: int, wider: str = "zext") -> str:
        if before == after:
            return value
        return self._new(f"{wider if after > before else 'trunc'} i{before} {value} to i{after}")

    # --- blocks ---

    def _block(self, block: int) -> None:
        scope = self._scope
        self._lines.append(f"b{scope.prefix}{block}:")
        body = scope.facts.function.blocks[block].body
        for index, instruction in enumerate(body):
            start, point = len(self._lines), scope.point or (block, index)
            try:
                if index == len(body) - 1:
                    self._terminator(instruction, block, point, len(body))
                else:
                    self._instruction(instruction, point)
            except _NotNative:
                del self._lines[start:]
                self._lines.append(f"  br label {self._leave(point)}")
                return

    def _terminator(self, instruction: Instruction, block: int, point: tuple[int, int], size: int) -> None:
        if not self._scope.prefix:
            self._edges[block] = []
        match instruction:
            case Branch(target=target):
                place = self._branch()
                self._lines[place] = f"  br label %{self._edge(block, point, size, target, None)}"
            case ConditionalBranch(condition=condition, then=then, otherwise=otherwise):
                value, place = self._use(condition), self._branch()
                ways = [self._edge(block, point, size, to, i) for i, to in enumerate((then, otherwise))]
                self._lines[place] = f"  br i1 {value}, label %{ways[0]}, label %{ways[1]}"
            case Switch(value=operand, cases=cases, default=default):
                value, kind, place = self._use(operand), self._kind(operand.type), self._branch()
                leads_to = targets(instruction)
                edges = {to: self._edge(block, point, size, to, leads_to.index(to)) for to in leads_to}
                listed = " ".join(f"{kind} {case}, label %{edges[to]}" for case, to in dict(cases).items())
                self._lines[place] = f"  switch {kind} {value}, label %{edges[default]} [ {listed} ]"
            case Return(value=operand) if self._scope.prefix:
                self._return(operand, size)
            case _:
                raise _NotNative

    def _branch(self) -> int:
        """Where the text of a branch is to stand, before the code of its edges."""
        self._lines.append("")
        return len(self._lines) - 1

    def _edge(self, block: int, point: tuple[int, int], size: int, target: int, successor: int | None) -> str:
        """The label of the code of an edge. It leaves before the branch where the edge leads out, or is to be noted."""
        scope, label, start = self._scope, self._label(), len(self._lines)
        self._lines.append(f"{label}:")
        try:
            if not scope.prefix and target not in self._blocks:
                raise _NotNative
            if successor is not None:
                self._cover((scope.facts.function.name, block, successor), point)
            phis = scope.facts.function.blocks[target].phis
            kinds = [self._kind(phi.type) for phi in phis]
            values = [self._use(next(value for value, source in phi.incoming if source == block)) for phi in phis]
        except _NotNative:
            self._lines[start:] = [f"{label}:", f"  br label {self._leave(point)}"]
            return label
        for phi, kind, value in zip(phis, kinds, values, strict=True):
            self._set(phi.result, kind, value)
        done = self._add("%k" if scope.prefix else "%n", size)
        if not scope.prefix:
            if target in scope.facts.flow.loop_heads:
                self._unless(self._new(f"icmp uge i64 {done}, %budget"), (target, 0))
            self._edges[block].append(target)
        self._lines.append(f"  br label %b{scope.prefix}{target}")
        return label

    def _cover(self, edge: Edge, point: tuple[int, int]) -> None:
        """Leave where the state has not passed the edge. One without a number has not been looked at yet."""
        if edge[0] in self._statics.program.library:
            return
        number = self._coverage.known_number(edge)
        if number is None:
            raise _NotNative
        if not self._coverage.settled[number]:
            at = self._new(f"getelementptr i8, ptr %V, i64 {number}")
            passed = self._new(f"load i8, ptr {at}, !invariant.load !0")
            self._unless(self._new(f"icmp eq i8 {passed}, 0"), point)

    # --- calls ---

    def _call(self, call: Call, point: tuple[int, int]) -> None:
        """Write a call of an intrinsic function, or the body of another one that only computes a value."""
        facts = None if self._scope.prefix else self._callee(call)
        if facts is None:
            self._set(call.result, self._kind(call.type.result), self._intrinsic(call, point))
            return
        outer, function = self._scope, facts.function
        for operand in call.arguments:
            self._kind(operand.type)
        values = [self._use(operand) for operand in call.arguments]
        done = self._new(f"add i64 {self._new('load i64, ptr %n')}, {point[1] + 1}")
        self._unless(self._new(f"icmp uge i64 {done}, %budget"), point)  # where a function is entered a step may end
        self._lines.append("  store i64 0, ptr %k")
        onward = self._label()
        self._scope = self._scope_of(facts, f"{onward}.", point, onward, call.result)
        for register, (operand, value) in enumerate(zip(call.arguments, values, strict=True)):
            self._set(register, self._kind(operand.type), value)
        self._lines.append(f"  br label %b{onward}.0")
        for block in range(len(function.blocks)):
            self._block(block)
        self._scope = outer
        self._lines.append(f"{onward}:")
        self._add("%n", self._new("load i64, ptr %k"))
        self._add(f"%q{self._counts.setdefault(function.name, len(self._counts))}", 1)

    def _return(self, operand: Operand | None, size: int) -> None:
        """Hand what is returned to the loop's function."""
        scope = self._scope
        value = None if operand is None or scope.result < 0 else self._use(operand)
        self._add("%k", size)
        if value is not None and operand is not None:
            self._scope = scope._replace(prefix="")
            self._set(scope.result, self._kind(operand.type), value)
            self._scope = scope
        self._lines.append(f"  br label %{scope.returns}")

    # --- instructions ---

    def _instruction(self, instruction: Instruction, point: tuple[int, int]) -> None:
        match instruction:
            case Call():
                self._call(instruction, point)
                return
            case Store(value=value, pointer=pointer, type=type) if not self._scope.prefix:
                self._store(self._use(value), self._use(pointer), type, point)
                return
            case Binary(type=IntType(width=width)):
                value = self._binary(instruction, width, point)
            case Compare(type=IntType() | PointerType() as type, left=left, right=right, predicate=predicate):
                fixed = not isinstance(left, Register) or not isinstance(right, Register)
                if isinstance(type, PointerType) and fixed and predicate not in ("eq", "ne"):
                    raise _NotNative
                a, b = self._use(left), self._use(right)
                value = self._new(f"icmp {predicate} {self._kind(type)} {a}, {b}")
            case Cast():
                value = self._cast(instruction, point)
            case Select(condition=condition, then=then, otherwise=otherwise, type=type):
                kind = self._kind(type)
                c, a, b = self._use(condition), self._use(then), self._use(otherwise)
                value = self._new(f"select i1 {c}, {kind} {a}, {kind} {b}")
            case Freeze(value=operand):
                value = self._use(operand)
            case GetElementPointer(type=PointerType()) if instruction.result not in self._scope.relative:
                value = self._address(instruction)
            case Load(volatile=False, pointer=pointer, type=type):
                value = self._load(self._use(pointer), type, point)
            case _:
                raise _NotNative
        self._set(instruction.result, self._kind(result_type(instruction)), value)

    def _binary(self, instruction: Binary, width: int, point: tuple[int, int]) -> str:
        op, kind = instruction.op, self._kind(instruction.type)
        left, right = self._use(instruction.left), self._use(instruction.right)
        if op in SHIFTS:
            kept = amount_mask(width)
            amount = self._new(f"and {kind} {right}, {kept}")
            if kept >= width:
                self._unless(self._new(f"icmp uge {kind} {amount}, {width}"), point)
            return self._new(f"{op} {kind} {left}, {amount}")
        if op in BITS:
            self._unless(self._new(f"icmp eq {kind} {right}, 0"), point)
            if op in ("sdiv", "srem"):
                lowest = self._new(f"icmp eq {kind} {left}, {1 << width - 1}")
                negates = self._new(f"icmp eq {kind} {right}, -1")
                self._unless(self._new(f"and i1 {lowest}, {negates}"), point)
        elif op not in SAME:
            raise _NotNative
        return self._new(f"{op} {kind} {left}, {right}")

    def _cast(self, instruction: Cast, point: tuple[int, int]) -> str:
        self._kind(instruction.source), self._kind(instruction.target)
        before, after = layout.bits_of(instruction.source), layout.bits_of(instruction.target)
        value = self._use(instruction.value)
        match instruction.op:
            case "ptrtoint":
                return self._resized(self._number(value, point), 64, after)
            case "bitcast":
                return value
            case "trunc" | "zext" | "sext":
                return self._resized(value, before, after, instruction.op)
        raise _NotNative

    def _address(self, instruction: GetElementPointer) -> str:
        address = self._use(instruction.base)
        if instruction.offset:
            address = self._new(f"add i64 {address}, {instruction.offset}")
        for index, stride in instruction.terms:
            if not isinstance(index.type, IntType):
                raise _NotNative
            width = layout.bits_of(index.type)
            if isinstance(index, Bits):
                scaled = str(signed(index.value, width) * stride)
            else:
                scaled = self._new(f"mul i64 {self._resized(self._use(index), width, 64, 'sext')}, {stride}")
            address = self._new(f"add i64 {address}, {scaled}")
        return address

    def _intrinsic(self, call: Call, point: tuple[int, int]) -> str:
        if not isinstance(call.callee, GlobalAddress):
            raise _NotNative
        name, kind = call.callee.name, self._kind(call.type.result)
        op = name.removeprefix("llvm.").removesuffix(f".{kind}")
        if name != f"llvm.{op}.{kind}" or op not in INTRINSICS or not isinstance(call.type.result, IntType):
            raise _NotNative
        operands = [self._use(argument) for argument in call.arguments]
        listed = [f"{kind} {operand}" for operand in operands]
        taken = [kind] * len(operands)
        if op in FLAGGED:
            if op != "abs":
                self._unless(self._new(f"icmp eq {kind} {operands[0]}, 0"), point)
            taken[1], listed[1] = "i1", "i1 false"
        self._declared[name] = f"declare {kind} @{name}({', '.join(taken)})"
        return self._new(f"call {kind} @{name}({', '.join(listed)})")

    # --- memory ---

    def _field(self, entry: str, field: int) -> str:
        at = self._new(f"getelementptr i64, ptr {entry}, i64 {field}")
        return self._new(f"load i64, ptr {at}, !invariant.load !0")

    def _entry(self, pointer: str, point: tuple[int, int]) -> str:
        """The table's entry for the object of a pointer; each place remembers the one that it has found last."""
        cache, find, onward = f"%c{self._sites}", self._label(), self._label()
        self._sites += 1
        number = self._new(f"lshr i64 {pointer}, {SLOT_BITS}")
        known = self._new(f"load ptr, ptr {cache}")
        same = self._new(f"icmp eq i64 {self._field(known, NUMBER)}, {number}")
        self._lines += [f"  br i1 {same}, label %{onward}, label %{find}", f"{find}:"]
        missed = self._new(f"getelementptr i64, ptr %W, i64 {MISSED}")
        self._lines.append(f"  store i64 {number}, ptr {missed}")
        found = self._new(f"call ptr @find(ptr %W, ptr %T, i64 {number})")
        self._unless(self._new(f"icmp eq ptr {found}, null"), point)
        self._lines += [f"  store i64 0, ptr {missed}", f"  store ptr {found}, ptr {cache}"]
        self._lines += [f"  br label %{onward}", f"{onward}:"]
        return self._new(f"load ptr, ptr {cache}")

    def _offset(self, pointer: str) -> str:
        low = self._new(f"and i64 {pointer}, {SLOT_MASK}")
        return self._new(f"sub i64 {low}, {SLOT_MIDDLE}")

    def _within(self, pointer: str, size: int, limit: int, point: tuple[int, int]) -> tuple[str, str]:
        """The entry and the offset of an access that lies in its object."""
        entry, offset = self._entry(pointer, point), self._offset(pointer)
        last = self._new(f"sub i64 {self._field(entry, limit)}, {size}")
        self._unless(self._new(f"icmp slt i64 {offset}, 0"), point)
        self._unless(self._new(f"icmp sgt i64 {offset}, {last}"), point)
        return entry, offset

    def _masked(self, entry: str, offset: str, size: int, point: tuple[int, int], *, stores: bool) -> None:
        """Leave where the mask is against the access; a store makes unwritten bytes concrete."""
        bits, look, onward = 8 * size, self._label(), self._label()
        mask = self._field(entry, MASK)
        none = self._new(f"icmp eq i64 {mask}, 0")
        self._lines += [f"  br i1 {none}, label %{onward}, label %{look}", f"{look}:"]
        at = self._new(f"inttoptr i64 {self._new(f'add i64 {mask}, {offset}')} to ptr")
        marks = self._new(f"load i{bits}, ptr {at}, align 1")
        if stores:
            refused = self._resized(self._field(entry, REFUSED), 64, bits)
            marks = self._new(f"and i{bits} {marks}, {refused}")
        self._unless(self._new(f"icmp ne i{bits} {marks}, 0"), point)
        if stores:
            self._lines.append(f"  store i{bits} 0, ptr {at}, align 1")
        self._lines += [f"  br label %{onward}", f"{onward}:"]

    def _data(self, entry: str, offset: str) -> str:
        return self._new(f"inttoptr i64 {self._new(f'add i64 {self._field(entry, DATA)}, {offset}')} to ptr")

    def _load(self, pointer: str, type: Type, point: tuple[int, int]) -> str:
        self._kind(type)
        width, size = layout.bits_of(type), layout.store_size(type)
        if size not in SIZES:
            raise _NotNative
        entry, offset = self._within(pointer, size, LIMIT, point)
        self._masked(entry, offset, size, point, stores=False)
        value = self._new(f"load i{8 * size}, ptr {self._data(entry, offset)}, align 1")
        if isinstance(type, PointerType):  # what was stored as a number is another pointer
            before = self._new(f"sub i64 {value}, 1")
            self._unless(self._new(f"icmp ult i64 {before}, {LOWEST_ADDRESS - 1}"), point)
        elif type == IntType(64):  # and what may have been stored as a pointer another number
            named = self._new(f"sub i64 {self._new(f'lshr i64 {value}, {SLOT_BITS}')}, {FIRST_STATIC}")
            has_name = self._new(f"icmp ult i64 {named}, {END_OF_NAMES - FIRST_STATIC}")
            distance = self._new(f"add i64 {self._offset(value)}, {FRONT}")
            is_near = self._new(f"icmp ule i64 {distance}, {LARGEST + 2 * FRONT}")
            self._unless(self._new(f"and i1 {has_name}, {is_near}"), point)
        return self._resized(value, 8 * size, width)

    def _store(self, value: str, pointer: str, type: Type, point: tuple[int, int]) -> None:
        self._kind(type)
        width, size = layout.bits_of(type), layout.store_size(type)
        if size not in SIZES:
            raise _NotNative
        entry, offset = self._within(pointer, size, STORED, point)
        self._masked(entry, offset, size, point, stores=True)
        value = self._resized(value, width, 8 * size)
        self._lines.append(f"  store i{8 * size} {value}, ptr {self._data(entry, offset)}, align 1")

    def _number(self, pointer: str, point: tuple[int, int]) -> str:
        """The number that a pointer becomes (state/flat_layout.py)."""
        there, onward, origin = self._label(), self._label(), self._label()
        self._lines += [f"  br label %{origin}", f"{origin}:"]
        small = self._new(f"icmp ult i64 {pointer}, {LOWEST_ADDRESS}")
        self._lines += [f"  br i1 {small}, label %{onward}, label %{there}", f"{there}:"]
        entry, offset = self._entry(pointer, point), self._offset(pointer)
        distance = self._new(f"add i64 {offset}, {NEAR}")
        self._unless(self._new(f"icmp ugt i64 {distance}, {2 * NEAR}"), point)
        number, last = self._new(f"add i64 {self._field(entry, START)}, {offset}"), self._label()
        self._lines += [f"  br label %{last}", f"{last}:", f"  br label %{onward}", f"{onward}:"]
        return self._new(f"phi i64 [ {pointer}, %{origin} ], [ {number}, %{last} ]")
