"""Compiles blocks to Python: a tree of blocks becomes one function.

A region starts at any instruction and follows branches; a block with several predecessors is copied for each. A branch
back to the start is a Python loop. Registers are Python locals.

A plain region runs while all values are ints, and leaves before a term. A carrying region goes on there: it tests its
operands, and builds terms where they are no ints. Both call an instruction's full semantics for memory that is not
concrete, shared objects and modelled functions; a region ends when these fork, enter a function or return. DESIGN:
decision 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from unfork.engine.instructions.forms import OF_BIT, SCALARS, TRUTH, Form, Forms, NoForm
from unfork.engine.machine.hot_loops import WENT
from unfork.engine.machine.regions import CARRYING, LEFT, CompiledRegion, Extent, Stops
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.operands import Registers, Semantics
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.program.facts.address_uses import AddressUses
from unfork.program.facts.cfg import targets
from unfork.program.facts.function_facts import FunctionFacts, result_type
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Alloca,
    Bits,
    Branch,
    Call,
    ConditionalBranch,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Switch,
)
from unfork.program.llvm.types import Position
from unfork.program.llvm.uses import compares_used_by_their_branch, registers_read

Complete = Callable[[Step, State, Frame, Registers, int, int], bool]
"""Runs full semantics of one instruction. Whether the path is then elsewhere than after it, or has forked."""
MOST_SWITCH_CASES = 16
SMALL_LOCAL = 1 << 16
"""Bytes of the largest local that fits on any stack."""


@dataclass(frozen=True)
class RegionCompiler:
    """Compiles regions of one function on demand.

    ``relative`` registers hold pointers outside of the object that they are counted from. Compiled code leaves before
    each look at an address that is to be noticed (``watched``).
    """

    facts: FunctionFacts
    statics: Statics
    coverage: BranchCoverage
    relative: frozenset[int]
    watched: AddressUses | None
    complete: Complete
    semantics: Callable[[int, int], tuple[Semantics, Position | None]]
    is_modelled: Callable[[Call], bool]
    is_at_once: Callable[[int], bool]
    """Whether the loop around a block may be taken in one step, where its branch has a term."""
    is_visible: Callable[[Instruction], bool]
    """Whether other threads may notice an instruction."""

    @cached_property
    def fused(self) -> frozenset[int]:
        """The comparisons that only their branch reads."""
        return compares_used_by_their_branch(self.facts.function)

    def plain(self, block: int, index: int, stops: Stops, extent: Extent) -> CompiledRegion:
        """The plain region from instruction ``index`` of ``block`` to ``stops``."""
        return _Writer(self, block, index, stops, extent, carries=False).region()

    def carrying(self, block: int, index: int, stops: Stops) -> CompiledRegion:
        return _Writer(self, block, index, stops, CARRYING, carries=True).region()


class _Cursor(NamedTuple):
    """Where the writer is: before instruction ``at`` of ``block``.

    Only locals hold the ``defined`` registers. ``executed`` instructions have run since the region's start or its last
    loop. ``depth`` counts blocks from the region's start. ``pad`` is the indentation. ``ints`` are registers known to
    hold ints, for code that carries terms. ``has_called``: full semantics ran.
    """

    block: int
    at: int
    defined: frozenset[int]
    executed: int
    depth: int
    pad: str
    ints: frozenset[int]
    has_called: bool = False


class _Ended(Exception): ...


class _Writer:
    def __init__(
        self, compiler: RegionCompiler, block: int, index: int, stops: Stops, extent: Extent, *, carries: bool
    ) -> None:
        self.compiler = compiler
        self.stops = stops
        self.carries = carries
        self.extent = extent
        self.is_whole = True
        """Whether no end of the region is due to its extent."""
        self.blocks = compiler.facts.function.blocks
        self.head, self.start = block, index
        self.forms = Forms(
            compiler.statics,
            compiler.relative,
            compiler.watched,
            compiler.facts.pieces,
            compiler.fused,
            compiler.is_visible,
            carries=carries,
        )
        self.lines: list[str] = []
        self.exits: list[tuple[int, int]] = []
        self.phis: dict[int, None] = {}
        """Phis of the region's start, which are locals of its loop."""
        self.needed: dict[int, None] = {}
        """Registers from outside with which the current block computes. In a plain region they must be ints."""
        self.needed_at_head: dict[int, None] = {}
        self.needed_later: dict[int, None] = {}
        self.size = 0
        self.forms.namespace |= {
            "V": compiler.coverage.passed,
            "HIT": compiler.coverage.hit,
            "COMPLETE": compiler.complete,
        }

    # --- the whole ---

    def region(self) -> CompiledRegion:
        """Write and compile the region."""
        if self.start == 0:
            self.phis = {phi.result: None for phi in self.blocks[self.head].phis}
        self.forms.names = {register: f"r{register}" for register in self.phis}
        self._block(_Cursor(self.head, self.start, frozenset(self.phis), 0, 0, "  ", frozenset()))
        text = "\n".join(self._prologue() + self.lines)
        name = f"<{self.compiler.facts.function.name}:{self.head}.{self.start}>"
        namespace = self.forms.namespace
        exec(compile(text, name, "exec"), namespace)
        return CompiledRegion(namespace["region"], self.exits, self.is_whole)

    def _prologue(self) -> list[str]:
        lines = ["def region(step, state, frame, R, budget):"]
        lines += [f" r{i} = R[{i}]" for i in sorted({*self.forms.live_in, *self.phis})]
        checked = [] if self.carries else sorted({*self.needed_at_head, *self.phis})
        if checked:
            test = " or ".join(f"r{i}.__class__ is not int" for i in checked)
            lines.append(f" if {test}: return {self._exit(self.head, self.start)}")
        later = sorted(set(self.needed_later) - set(checked))
        if self.needed_later:
            lines.append(" ok = " + (" and ".join(f"r{i}.__class__ is int" for i in later) or "True"))
        lines += [" memory = state.memory", " G = memory.objects.held.get", " token = memory.token"]
        return [*lines, " before = state.instructions", " n = 0", " while True:"]

    def _exit(self, block: int, index: int) -> int:
        self.exits.append((block, index))
        return LEFT - len(self.exits) + 1

    # --- blocks ---

    def _block(self, cursor: _Cursor) -> None:
        outer_names, outer_needed = self.forms.names, self.needed
        self.forms.names, self.needed = dict(outer_names), {}
        if cursor.depth == 0:
            self.needed_at_head = self.needed
        needed, first_line = self.needed, len(self.lines)
        body = self.blocks[cursor.block].body
        current = cursor
        try:
            for index in range(cursor.at, len(body) - 1):
                current = self._instruction(body[index], current._replace(at=index))
            self._terminator(body[-1], current._replace(at=len(body) - 1))
        except _Ended:
            pass
        if cursor.depth and not self.carries:
            self._check(needed, cursor, first_line)
        self.forms.names, self.needed = outer_names, outer_needed

    def _check(self, needed: dict[int, None], cursor: _Cursor, first_line: int) -> None:
        later = [register for register in needed if register not in self.needed_at_head]
        if not later:
            return
        self.needed_later.update(dict.fromkeys(later))
        test = " and ".join(f"r{register}.__class__ is int" for register in later)
        block_lines = self.lines[first_line:]
        del self.lines[first_line:]
        self.lines.append(f"{cursor.pad}if not (ok or {test}):")
        self.lines += self._leaving(cursor, cursor.pad + " ")
        self.lines += block_lines

    def _leaving(self, cursor: _Cursor, pad: str) -> list[str]:
        lines = self._flush(self.compiler.facts.written.before(cursor.block, cursor.at), cursor.defined, pad)
        lines.append(f"{pad}state.instructions = before + n + {cursor.executed}")
        lines.append(f"{pad}return {self._exit(cursor.block, cursor.at)}")
        return lines

    def _flush(self, live: int, defined: frozenset[int], pad: str) -> list[str]:
        names = self.forms.names
        return [f"{pad}R[{register}] = {names[register]}" for register in sorted(defined) if live >> register & 1]

    # --- instructions ---

    def _instruction(self, instruction: Instruction, cursor: _Cursor) -> _Cursor:
        self.size += 1
        result = instruction.result
        try:
            form = self.forms.form(instruction)
        except NoForm:
            return self._without_form(instruction, cursor)
        self._note_needed()
        unknown = self._unknown(cursor)
        ints = cursor.ints
        if unknown:
            self._carry(instruction, form, unknown, cursor)
        else:
            self._on_ints(instruction, form, cursor)
            if result >= 0 and not isinstance(instruction, Load):
                ints = ints | {result}
        defined = cursor.defined if result < 0 else cursor.defined | {result}
        return cursor._replace(executed=cursor.executed + 1, defined=defined, ints=ints)

    def _note_needed(self) -> None:
        for register in self.forms.used:
            if register in self.forms.live_in and register not in self.forms.names:
                self.needed[register] = None

    def _unknown(self, cursor: _Cursor) -> list[str]:
        if not self.carries:
            return []
        return list(dict.fromkeys(name for i, name in self.forms.used.items() if i not in cursor.ints))

    def _on_ints(self, instruction: Instruction, form: Form, cursor: _Cursor) -> None:
        pad = cursor.pad
        self.lines += [f"{pad}{line}" for line in form.before]
        guarded = self.carries and form.guard is not None
        if form.guard is not None:
            self.lines.append(f"{pad}if {form.guard}:")
            if self.carries:
                self.lines += [*self._completing(instruction, cursor, pad + " "), f"{pad}else:"]
            else:
                self.lines += self._leaving(cursor, pad + " ")
        self._assign(instruction, form, pad + " " if guarded else pad, is_inline=form.is_inline and not guarded)
        if form.late is not None:
            self.lines.append(f"{pad}if {form.late}:")
            self.lines += self._leaving(cursor, pad + " ")

    def _assign(self, instruction: Instruction, form: Form, pad: str, *, is_inline: bool) -> None:
        self.lines += [f"{pad}{line}" for line in form.lines]
        if instruction.result < 0:
            return
        assert form.text is not None
        if is_inline:
            self.forms.names[instruction.result] = form.text
            return
        name = self.forms.names[instruction.result] = f"r{instruction.result}"
        if form.text != name:
            self.lines.append(f"{pad}{name} = {form.text}")

    def _carry(self, instruction: Instruction, form: Form, unknown: list[str], cursor: _Cursor) -> None:
        self.forms.pointers.pop(instruction.result, None)
        pad, result = cursor.pad, instruction.result
        if form.term is not None and form.term == form.text:
            self._assign(instruction, form, pad, is_inline=form.is_inline)
            return
        test = " and ".join(f"{name}.__class__ is int" for name in unknown)
        if form.term is not None:
            self.forms.names[result] = f"r{result}"
            self.lines.append(f"{pad}r{result} = ({form.text}) if {test} else {form.term}")
            return
        deeper = pad + " "
        if form.guard is None:
            self.lines.append(f"{pad}if {test}:")
            self.lines += [f"{deeper}{line}" for line in form.before]
        else:
            self.lines.append(f"{pad}plain = {test}")
            self.lines.append(f"{pad}if plain:")
            self.lines += [f"{deeper}{line}" for line in form.before]
            self.lines.append(f"{deeper}plain = not ({form.guard})")
            self.lines.append(f"{pad}if plain:")
        self._assign(instruction, form, deeper, is_inline=False)
        self.lines.append(f"{pad}else:")
        self.lines += self._completing(instruction, cursor, deeper)

    def _without_form(self, instruction: Instruction, cursor: _Cursor) -> _Cursor:
        """Write a call of full semantics; the cursor after it. Raises _Ended where they lead elsewhere."""
        pad = cursor.pad
        live = self.compiler.facts.written.before(cursor.block, cursor.at)
        is_rest = (cursor.block, cursor.at + 1) in self.stops.points.inside
        if is_rest or self._may_enter(instruction):
            self._hand_over(cursor)
            raise _Ended
        if self.compiler.watched is None and _is_about_locals(instruction):
            return self._make_local(instruction, cursor)
        self.lines += self._completing(instruction, cursor, pad)
        defined = frozenset([register for register in cursor.defined if not live >> register & 1])
        return cursor._replace(executed=cursor.executed + 1, defined=defined, has_called=True)

    def _make_local(self, instruction: Instruction, cursor: _Cursor) -> _Cursor:
        """Write full semantics that neither end nor split the path; the cursor after them."""
        pad, result, number = cursor.pad, instruction.result, len(self.forms.namespace)
        semantics, position = self.compiler.semantics(cursor.block, cursor.at)
        self.forms.namespace |= {f"S{number}": semantics, f"P{number}": position}
        read = sum([1 << register for register in set(registers_read(instruction))])
        self.lines += self._flush(read, cursor.defined, pad)
        self.lines.append(f"{pad}step.position, state.instructions = P{number}, before + n + {cursor.executed + 1}")
        self.lines.append(f"{pad}S{number}(step, R)")
        if result < 0:
            return cursor._replace(executed=cursor.executed + 1)
        self.forms.names[result] = f"r{result}"
        self.lines.append(f"{pad}r{result} = R[{result}]")
        return cursor._replace(executed=cursor.executed + 1, ints=cursor.ints | {result})

    def _may_enter(self, instruction: Instruction) -> bool:
        """Whether an instruction may call a program function, or be the target of a longjmp."""
        return isinstance(instruction, Call) and (
            instruction.returns_twice or not self.compiler.is_modelled(instruction)
        )

    def _completing(self, instruction: Instruction, cursor: _Cursor, pad: str) -> list[str]:
        """Write full semantics, and the code after them. A plain region leaves there if the result is a term."""
        block, index, result = cursor.block, cursor.at, instruction.result
        lines = self._flush(self.compiler.facts.written.before(block, index), cursor.defined, pad)
        lines.append(f"{pad}state.instructions = before + n + {cursor.executed + 1}")
        lines.append(f"{pad}if COMPLETE(step, state, frame, R, {block}, {index}): return {WENT}")
        lines.append(f"{pad}token = memory.token")
        if result < 0 or not isinstance(result_type(instruction), SCALARS):
            return lines
        name = self.forms.names[result] = f"r{result}"
        if self.compiler.facts.written.before(block, index + 1) >> result & 1:
            lines.append(f"{pad}{name} = R[{result}]")
            if not self.carries:
                lines.append(f"{pad}if {name}.__class__ is not int: return {self._exit(block, index + 1)}")
        return lines

    def _hand_over(self, cursor: _Cursor) -> None:
        self._run_semantics(cursor)
        self.lines.append(f"{cursor.pad}return {WENT}")

    def _run_semantics(self, cursor: _Cursor) -> None:
        block, index, pad = cursor.block, cursor.at, cursor.pad
        self.lines += self._flush(self.compiler.facts.written.before(block, index), cursor.defined, pad)
        self.lines.append(f"{pad}state.instructions = before + n + {cursor.executed + 1}")
        self.lines.append(f"{pad}COMPLETE(step, state, frame, R, {block}, {index})")

    # --- terminators ---

    def _terminator(self, instruction: Instruction, cursor: _Cursor) -> None:
        self.forms.used = {}
        try:
            match instruction:
                case Branch(target=target):
                    self._passable(cursor.block, target)
                    self._edge(cursor, target, None)
                    return
                case ConditionalBranch(condition=condition, then=then, otherwise=otherwise):
                    goes_on = then != otherwise and not self.compiler.is_at_once(cursor.block)
                    test = self._test_text(condition, cursor, then, otherwise, first=then if goes_on else None)
                    test = test.removeprefix(f"({TRUTH}").removesuffix(f"{OF_BIT})")
                    self.lines.append(f"{cursor.pad}if {test}:")
                    self._edge(cursor._replace(pad=cursor.pad + " "), then, 0)
                    self._edge(cursor, otherwise, 1)
                    return
                case Switch(value=value, cases=cases, default=default) if len(cases) <= MOST_SWITCH_CASES:
                    guard = self.forms.address_text([value])
                    test = self._test_text(value, cursor, default, *[target for _, target in cases])
                    if guard is not None:
                        self.lines.append(f"{cursor.pad}if {guard}:")
                        self.lines += self._leaving(cursor, cursor.pad + " ")
                    leads_to = targets(instruction)
                    for case, target in cases:
                        self.lines.append(f"{cursor.pad}if {test} == {case}:")
                        self._edge(cursor._replace(pad=cursor.pad + " "), target, leads_to.index(target))
                    self._edge(cursor, default, 0)
                    return
        except NoForm:
            pass
        self._hand_over(cursor)

    def _test_text(self, value: Operand, cursor: _Cursor, *leads_to: int, first: int | None = None) -> str:
        """The text of the value that decides a branch; where it may be a term, full semantics take the branch.

        With ``first``, the code goes on after those if the path decides the branch; ``first`` is the branch's first
        target.
        """
        test = self.forms.use(value)
        self._note_needed()
        unknown = self._unknown(cursor)
        self._passable(cursor.block, *leads_to)
        if not unknown:
            return test
        pad = cursor.pad
        if first is None:
            self.lines.append(f"{pad}if {test}.__class__ is not int:")
            self._hand_over(cursor._replace(pad=pad + " "))
            return test
        self.lines += [f"{pad}way = {test}", f"{pad}if way.__class__ is not int:"]
        self._run_semantics(cursor._replace(pad=pad + " "))
        self.lines += [f"{pad} if step.outcomes: return {WENT}", f"{pad} way = frame.block == {first}"]
        return "way"

    def _passable(self, block: int, *targets: int) -> None:
        """Raises NoForm if a phi of these edges has no plain form."""
        for target in targets:
            for phi in self.blocks[target].phis:
                if not isinstance(phi.type, SCALARS):
                    raise NoForm
                self.forms.pass_on(_operand(phi, block))

    def _edge(self, cursor: _Cursor, target: int, successor: int | None) -> None:
        """Write an edge: back to the loop's head, into a block of the region, or out of it."""
        pad, block = cursor.pad, cursor.block
        cursor = cursor._replace(executed=cursor.executed + 1)
        if successor is not None and self.compiler.facts.function.name not in self.compiler.statics.program.library:
            number = self.compiler.coverage.number(self.compiler.facts.function, block, successor)
            if not self.compiler.coverage.settled[number]:
                self.lines.append(f"{pad}if not V[{number}]: HIT(state, {number})")
        phis = self.blocks[target].phis
        loops = target == self.head and self.start == 0 and not (self.carries or cursor.has_called)
        flow = self.compiler.facts.flow
        inlined = not loops and target not in flow.loop_heads and target not in self.stops.blocks
        most = self.extent.instructions if len(flow.predecessors[target]) == 1 else self.extent.repeated_size
        if inlined and (cursor.depth >= self.extent.depth or self.size >= most):
            inlined = self.is_whole = False
        if not loops and not inlined:
            self._out(cursor, target)
            return
        operands = [_operand(phi, block) for phi in phis]
        ints = [phi.result for phi, operand in zip(phis, operands, strict=True) if _is_int(operand, cursor.ints)]
        self.forms.used = {}
        values = [(self.forms.pass_on if self.carries else self.forms.use)(operand) for operand in operands]
        self._note_needed()
        names = [f"r{phi.result}" for phi in phis]
        if names:
            self.lines.append(f"{pad}{', '.join(names)} = {', '.join(values)}")
        if loops:
            self.lines.append(f"{pad}n += {cursor.executed}")
            self.lines.append(f"{pad}if n >= budget:")
            self.lines += self._flush(-1, frozenset(self.phis), pad + " ")
            self.lines += [f"{pad} state.instructions = before + n", f"{pad} return {target}", f"{pad}continue"]
            return
        outer = self.forms.names
        self.forms.names = {**outer, **{phi.result: f"r{phi.result}" for phi in phis}}
        defined = cursor.defined | {phi.result for phi in phis}
        known = cursor.ints.union(ints)
        self._block(cursor._replace(block=target, at=0, defined=defined, depth=cursor.depth + 1, ints=known))
        self.forms.names = outer

    def _out(self, cursor: _Cursor, target: int) -> None:
        live = self.compiler.facts.written.entry[target]
        phis = [phi for phi in self.blocks[target].phis if live >> phi.result & 1]
        pad = cursor.pad
        self.lines += self._flush(live, cursor.defined - {phi.result for phi in phis}, pad)
        self.lines += [f"{pad}R[{phi.result}] = {self.forms.pass_on(_operand(phi, cursor.block))}" for phi in phis]
        self.lines.append(f"{pad}state.instructions = before + n + {cursor.executed}")
        self.lines.append(f"{pad}return {target}")


def _operand(phi: Phi, block: int) -> Operand:
    return next(value for value, source in phi.incoming if source == block)


def _is_about_locals(instruction: Instruction) -> bool:
    """Whether an instruction makes a local of known, small size, or begins or ends its scope."""
    match instruction:
        case Alloca(type=kind, count=Bits(value=count)):
            return count * layout.size_of(kind) <= SMALL_LOCAL
        case Call(callee=GlobalAddress(name=name)):
            return name.startswith("llvm.lifetime.")
    return False


def _is_int(operand: Operand, known: frozenset[int]) -> bool:
    return operand.index in known if isinstance(operand, Register) else True
