"""Which branches gcc has at -O0, told from what clang has there.

The function is one in which every decision is a branch (llvm/decisions.py). gcc decides once for each operand of
``&&`` and ``||``, wherever their value goes, and does not branch on that value again. It calculates some conditions
while it compiles, knows the minimum, the maximum and the absolute value of integers in ``c ? x : y``, and drops an
``if`` that has nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from unfork.explore.distance import branch_targets
from unfork.formats.operations import Choice, is_operation
from unfork.formats.values import Values
from unfork.llvm.decisions import is_made
from unfork.llvm.ir import (
    Alloca,
    Binary,
    Bits,
    Branch,
    Call,
    Cast,
    Compare,
    ConditionalBranch,
    FloatCompare,
    FloatNegate,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Store,
    Switch,
)
from unfork.llvm.module import Block, Function
from unfork.llvm.types import IntType, Position
from unfork.llvm.uses import operands_of, registers_read

_CHECKS = ("__ubsan_", "llvm.ubsantrap")
_PURE = (Binary, Cast, Compare, FloatCompare, FloatNegate, GetElementPointer, Load)
_LONGEST = 64
"""Blocks that are followed where nothing happens."""


class GccBranches:
    """The branches of one function. ``is_jump`` says of a place whether a statement like ``break`` stands there."""

    def __init__(self, function: Function, is_jump: Callable[[Position], bool]) -> None:
        self._blocks = function.blocks
        self._is_jump = is_jump
        self._sources: dict[int, list[int]] = {block.index: [] for block in function.blocks}
        for block in function.blocks:
            for target in _targets(block):
                self._sources[target].append(block.index)
        self.converting = _converting(function)
        """The lines and columns of calls with an argument that becomes a bool."""
        self._uses = _uses(function)
        self._addressed = _addressed(function)
        self._dropped: set[int] = set()
        """Blocks that end in a branch that gcc does not have."""
        self._idle: set[int] = set()
        """Those of them that have nothing to do on either side."""
        self._ends: dict[int, int] = {}
        """Where both ways from such a branch meet, if nothing is done on them."""
        self._choices: dict[int, Choice] = {}
        self._values = Values(function, self._choices)
        self._drop(function)
        self.live = self._reachable()
        """The blocks that gcc has code for."""
        self.uncounted = self._uncounted()
        """Registers for which gcc has no statement of its own: conditions that it knows, and what others compare."""

    def sides(self, block: Block) -> list[list[int]]:
        """The sides of the branch that gcc has at the end of a block, each with the edges that lead there; [] if none.

        Cases of a switch that go on to the same place are one side.
        """
        sides: dict[int, list[int]] = {}
        if block.index in self.live and block.index not in self._dropped:
            for number, target in enumerate(branch_targets(block)):
                onward = self._onward(target) if isinstance(block.body[-1], Switch) else None
                sides.setdefault(target if onward is None else onward, []).append(number)
        return list(sides.values()) if len(sides) > 1 else []

    def place(self, block: Block) -> Position | None:
        """Where the condition of a branch is, which may have a line of its own."""
        last = block.body[-1]
        if isinstance(last, ConditionalBranch):
            condition = self._values.definition(last.condition)
            if condition is not None and condition.position is not None:
                return condition.position
        return last.position

    def calculation(self, block: Block) -> Position | None:
        """Where a condition is calculated with, if that is what its branch was made for."""
        targets = branch_targets(block)
        if not targets or not self._is_made(targets[0]):
            return None
        (end,) = _targets(self._blocks[targets[0]])
        following = self._blocks[end]
        return following.body[0].position if self._is_made(end) and not following.phis else None

    def absorbs_break(self, block: Block, *, is_beside_else: bool) -> bool:
        """Whether a block that is a ``break`` and nothing else is a side of a decision with several operands.

        That goes straight to where the break leads.
        """
        sources = self._sources[block.index]
        if len(block.body) > 1 or not sources:
            return False
        if len(sources) > 1:
            return all(_condition(self._blocks[source]) is not None for source in sources)
        others = [target for target in branch_targets(self._blocks[sources[0]]) if target != block.index]
        return is_beside_else and any(len(self._sources[other]) > 1 for other in others)

    def _drop(self, function: Function) -> None:
        """Find the branches that gcc does not have."""
        deciding = [block for block in self._blocks if isinstance(block.body[-1], ConditionalBranch)]
        self._dropped = {
            block.index
            for block in deciding
            if self._is_check(block) or self._finds_argument(block) or self._repeats(block)
        }
        count = -1
        while count != len(self._dropped):
            count = len(self._dropped)
            for block in reversed(deciding):
                if block.index not in self._dropped and (self._is_known(block) or self._is_operation(block)):
                    self._dropped.add(block.index)
            if count != len(self._dropped):
                self._values = Values(function, self._choices)
        count = -1
        while count != len(self._idle):
            count = len(self._idle)
            self._idle |= {block.index for block in deciding if self._does_nothing(block)}
        self._dropped |= self._idle

    def _reachable(self) -> set[int]:
        waiting, reached = [0], {0}
        while waiting:
            block = self._blocks[waiting.pop()]
            condition = _condition(block)
            known = None if condition is None else self._values.constant(condition)
            targets = _targets(block) if known is None else branch_targets(block)[1 - known : 2 - known]
            waiting += [target for target in targets if target not in reached]
            reached.update(targets)
        return reached

    def _uncounted(self) -> set[int]:
        known = [block for block in self._blocks if (at := _condition(block)) and self._values.constant(at) is not None]
        uncounted = self._computed(known, _PURE)
        deciding = [block for block in self._blocks if self.sides(block) or block.index in self._idle]
        unused = {
            register
            for register, instruction in self._values.instructions.items()
            if isinstance(instruction, Cast) and self._uses[register] == 0
        }
        return (
            uncounted
            | unused
            | {
                register
                for register in self._computed(deciding, (Cast, Compare, FloatCompare, Load, Binary))
                if self._is_free(self._values.instructions[register])
            }
        )

    def _computed(self, blocks: list[Block], kinds: tuple[type, ...]) -> set[int]:
        """The registers that conditions of branches are computed from, and nothing else is."""
        waiting = [operand for block in blocks if isinstance(operand := _condition(block), Register)]
        computed: set[int] = set()
        while waiting:
            register = waiting.pop()
            instruction = self._values.definition(register)
            if instruction is not None and self._uses[register.index] == 1 and isinstance(instruction, kinds):
                computed.add(register.index)
                waiting += [operand for operand in operands_of(instruction) if isinstance(operand, Register)]
        return computed

    def _is_free(self, instruction: Instruction) -> bool:
        """Whether gcc has no statement for this: a comparison in a condition, the value of a variable in a register."""
        match instruction:
            case Load(pointer=Register(index=index), volatile=False):
                return isinstance(self._values.instructions.get(index), Alloca) and index not in self._addressed
            case Binary(type=type):
                return type == IntType(1)
            case _:
                return isinstance(instruction, Cast | Compare | FloatCompare)

    def _is_check(self, block: Block) -> bool:
        """Whether the branch is a check that the compiler has put there for unfork."""
        return any(
            isinstance(instruction, Call)
            and isinstance(instruction.callee, GlobalAddress)
            and instruction.callee.name.startswith(_CHECKS)
            for target in branch_targets(block)
            for instruction in self._blocks[target].body
        )

    def _finds_argument(self, block: Block) -> bool:
        """Whether the branch belongs to va_arg: the one side notes that a register of arguments is used up."""
        match self._values.definition(_condition(block)):
            case Compare(predicate="ule", left=left, right=Bits()):
                pass
            case _:
                return False
        for instruction in self._blocks[branch_targets(block)[0]].body:
            match instruction:
                case Store(value=value):
                    match self._values.definition(value):
                        case Binary(op="add", left=number, right=Bits(8 | 16)):
                            return number == left
        return False

    def _repeats(self, block: Block) -> bool:
        """Whether the branch is about the value of a && or ||, which its operands have decided, and nothing else."""
        condition = _condition(block)
        waiting: list[Operand | None] = [condition]
        while waiting:
            operand = waiting.pop()
            if isinstance(operand, Bits):
                continue
            if not isinstance(operand, Register) or self._uses[operand.index] != 1:
                return False
            match self._values.definition(operand):
                case Phi(type=IntType(1), incoming=incoming):
                    waiting += [value for value, _ in incoming]
                case Phi(incoming=incoming) if any(self._is_made(source) for _, source in incoming):
                    waiting += [value for value, source in incoming if not self._is_made(source)]
                case Binary(op="xor", left=left, right=Bits(1), type=IntType(1)):
                    waiting.append(left)
                case Compare(predicate="ne", left=left, right=Bits(0), type=IntType(64)):
                    waiting.append(self._expected(left))
                case Compare(predicate="ne", left=left, right=Bits(0)) if _is_phi(self._values.definition(left)):
                    waiting.append(left)
                case _:
                    return False
        return not isinstance(condition, Bits)

    def _is_made(self, index: int) -> bool:
        return is_made(self._blocks[index].label)

    def _expected(self, operand: Operand) -> Operand | None:
        """The condition (1 bit) in __builtin_expect: it is widened to int, and then to long."""
        match self._values.definition(operand):
            case Cast(op="sext", value=value):
                match self._values.definition(value):
                    case Cast(op="zext", source=IntType(1), value=condition):
                        return condition
        return None

    def _is_known(self, block: Block) -> bool:
        """Whether the condition is a constant, or takes part in an && or || whose other operand is a constant."""
        condition = _condition(block)
        if condition is None or self._values.constant(condition) is not None:
            return True
        then, otherwise = branch_targets(block)
        for arm, end in ((then, otherwise), (otherwise, then)):
            phis = self._blocks[end].phis
            if (
                len(phis) == 1
                and self._sources[end] in ([block.index, arm], [arm, block.index])
                and self._is_empty(arm)
            ):
                return phis[0].type == IntType(1) and all(isinstance(value, Bits) for value, _ in phis[0].incoming)
        return False

    def _is_operation(self, block: Block) -> bool:
        """Whether a choice is one operation for gcc, and no branch; notes it if so."""
        then, otherwise = (self._straight(block.index, target) for target in branch_targets(block))
        condition = _condition(block)
        if then is None or otherwise is None or condition is None or then.target != otherwise.target:
            return False
        phis = self._blocks[then.target].phis
        if len(phis) != 1 or sorted(self._sources[then.target]) != sorted((then.source, otherwise.source)):
            return False
        values = {source: value for value, source in phis[0].incoming}
        choice = Choice(phis[0].type, condition, values[then.source], values[otherwise.source])
        if not is_operation(choice, self._values):
            return False
        self._choices[phis[0].result] = choice
        self._ends[block.index] = then.target
        return True

    def _straight(self, source: int, index: int) -> _Way | None:
        """The way on from a block that ``source`` alone leads to, if there is one and nothing is done on it."""
        if self._sources[index] != [source]:
            return None
        for _ in range(_LONGEST):
            block = self._blocks[index]
            if not _is_pure(block):
                return None
            if isinstance(block.body[-1], Branch):
                return _Way(index, block.body[-1].target)
            if index not in self._ends:
                return None
            index = self._ends[index]
        return None

    def _does_nothing(self, block: Block) -> bool:
        """Whether both ways from a branch lead to the same place, and nothing is done on either; notes it if so."""
        then, otherwise = (self._onward(target) for target in branch_targets(block))
        is_decision = any(self._is_made(target) for target in branch_targets(block))
        if then is None or then != otherwise or self._blocks[then].phis or is_decision:
            return False
        self._ends.setdefault(block.index, then)
        return True

    def _onward(self, index: int) -> int | None:
        """The first block from here on in which something is done; None if there may be none."""
        for _ in range(_LONGEST):
            block = self._blocks[index]
            last = block.body[-1]
            if isinstance(last, Branch) and len(block.body) == 1 and not self._jumps(last):
                index = last.target
            elif index in self._ends and all(map(self._is_free, block.body[:-1])):
                index = self._ends[index]
            else:
                return index
        return None

    def _jumps(self, branch: Branch) -> bool:
        return branch.position is not None and self._is_jump(branch.position)

    def _is_empty(self, index: int) -> bool:
        return len(self._blocks[index].body) == 1 and not self._blocks[index].phis


@dataclass(frozen=True, slots=True)
class _Way:
    """The last block of a way, and where it leads."""

    source: int
    target: int


def _uses(function: Function) -> Counter[int]:
    """How often each register is read; clang widens the condition of a select, and does not use that."""
    uses: Counter[int] = Counter()
    for instruction in function.instructions():
        uses.update(registers_read(instruction))
    for instruction in function.instructions():
        if isinstance(instruction, Cast) and not uses[instruction.result]:
            uses.subtract(registers_read(instruction))
    return uses


def _converting(function: Function) -> set[tuple[int, int]]:
    return {
        (instruction.position.line, instruction.position.column)
        for instruction in function.instructions()
        if isinstance(instruction, Call) and instruction.position and IntType(1) in instruction.type.parameters
    }


def _addressed(function: Function) -> set[int]:
    """The registers that are used for more than to load from that address and store there."""
    addressed: set[int] = set()
    for instruction in function.instructions():
        match instruction:
            case Load():
                continue
            case Store(value=value):
                addressed.update([value.index] if isinstance(value, Register) else [])
            case Call(callee=GlobalAddress(name=name)) if name.startswith("llvm.lifetime."):
                continue
            case _:
                addressed.update(registers_read(instruction))
    return addressed


def _condition(block: Block) -> Operand | None:
    last = block.body[-1]
    return last.condition if isinstance(last, ConditionalBranch) else None


def _is_phi(instruction: Instruction | None) -> bool:
    return isinstance(instruction, Phi)


def _is_pure(block: Block) -> bool:
    """Whether nothing but the jump at its end has an effect."""
    return all(isinstance(instruction, _PURE) for instruction in block.body[:-1])


def _targets(block: Block) -> tuple[int, ...]:
    last = block.body[-1]
    return (last.target,) if isinstance(last, Branch) else tuple(dict.fromkeys(branch_targets(block)))
