"""The integer variables of C in a state: the value of a name in a frame, and the variables with a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unfork.engine.meaning.c_values import CValue
from unfork.engine.meaning.expression_meaning import Meaning, Where
from unfork.engine.meaning.scopes import Addresses, Here, Scopes, is_signed
from unfork.engine.state.memory import SLOT_BITS, object_of, offset_in
from unfork.engine.state.state import Frame, State
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expressions import Integral
from unfork.program.facts.visible import LocatedVariable, VisibleVariables
from unfork.program.llvm.ir import Bits, Register
from unfork.program.llvm.module import Function, GlobalVariable, Program
from unfork.program.llvm.types import DebugVariable, IntType
from unfork.reduce.merge.frames import Frames


@dataclass(frozen=True, slots=True)
class Holder:
    """A variable with a value of ``type``; ``depth`` counts frames from the outermost."""

    variable: DebugVariable
    type: Integral
    depth: int


Pair = tuple[Value, Value, int]
"""The values of two states, and their width."""


class Variables:
    """Finds the integer variables in states of one program."""

    def __init__(self, program: Program, addresses: Addresses, frames: Frames) -> None:
        self._program = program
        self._addresses = addresses
        self._frames = frames
        self._scopes = Scopes(program, addresses, frames.live.facts)
        self._meaning = Meaning(program.c_types, lambda: 0)
        self._by_object: dict[int, GlobalVariable] | None = None

    def here(self, state: State, depth: int) -> Here:
        """The program point of a frame; values of dead registers are unknown."""
        frame = state.frames[depth]
        names = self._scopes.locals(state, depth, lambda register: self._is_live(state, frame, depth, register))
        return Here(self._meaning, Where(state, names, is_mathematical=False))

    def locals(self, state: State, depth: int) -> Iterator[tuple[DebugVariable, CValue | None]]:
        """The integer variables visible in a frame, with their values (None: not available)."""
        frame = state.frames[depth]
        for located in self._of(frame.function).at(frame.block, frame.index).values():
            if located.is_available and is_signed(located.variable) is not None:
                yield located.variable, self._local(state, depth, located)

    def changed_globals(self, state: State) -> Iterator[tuple[DebugVariable, CValue | None]]:
        """The global integer variables that the path has written, with their values."""
        for number in sorted(state.memory.objects.held):
            item = state.memory.objects.get(number)
            known = None if item is None or item.kind != "global" else self._global_at(number)
            if known is not None and known.variable is not None and is_signed(known.variable) is not None:
                yield known.variable, self._in_memory(state, self._addresses.address(known.name), known.variable)

    def holders(self, a: State, b: State) -> Mapping[Pair, list[Holder]]:
        """For two states at one program point, the variables that differ, by the pair of their values."""
        holders: dict[Pair, list[Holder]] = {}
        for variable, depth, mine, theirs in self.both(a, b):
            if mine.value is theirs.value or mine.type != theirs.type:
                continue
            if not (isinstance(mine.value, int) and mine.value == theirs.value):
                pair = (mine.value, theirs.value, mine.type.width)
                holders.setdefault(pair, []).append(Holder(variable, mine.type, depth))
        return holders

    def both(self, a: State, b: State) -> Iterator[tuple[DebugVariable, int, CValue, CValue]]:
        """The variables of frames (with depth), and the globals that differ, with their values in both states."""
        for depth, frame in enumerate(a.frames):
            for located in self._of(frame.function).at(frame.block, frame.index).values():
                mine, theirs = self._local(a, depth, located), self._local(b, depth, located)
                if mine is not None and theirs is not None:
                    yield located.variable, depth, mine, theirs
        top = len(a.frames) - 1
        theirs_too = b.memory.objects
        touched = {**a.memory.objects.held, **theirs_too.held}
        for number in sorted(touched):
            item = a.memory.objects.get(number)
            if item is not None and item.kind == "global" and theirs_too.get(number) is not item:
                known = self._global_at(number)
                if known is not None and known.variable is not None:
                    address = self._addresses.address(known.name)
                    mine = self._in_memory(a, address, known.variable)
                    theirs = self._in_memory(b, address, known.variable)
                    if mine is not None and theirs is not None:
                        yield known.variable, top, mine, theirs

    def _of(self, function: Function) -> VisibleVariables:
        return self._frames.live.facts(function).visible

    def _local(self, state: State, depth: int, located: LocatedVariable) -> CValue | None:
        frame = state.frames[depth]
        signed = is_signed(located.variable)
        if signed is None:
            return None
        match located.operand:
            case Register(index=index) if located.indirect:
                address = frame.registers[index]
                return self._in_memory(state, address, located.variable) if isinstance(address, int) else None
            case Register(index=index, type=IntType(width)) if self._is_live(state, frame, depth, index):
                value = frame.registers[index]
                return CValue(value, Integral(width, signed)) if isinstance(value, int | Term) else None
            case Bits(value=value, type=IntType(width)) if not located.indirect:
                return CValue(value, Integral(width, signed))
        return None

    def _is_live(self, state: State, frame: Frame, depth: int, register: int) -> bool:
        """Whether the register may still be read; others hold anything."""
        is_calling = depth + 1 < len(state.frames)
        liveness = self._frames.live.facts(frame.function).liveness
        return register in liveness.registers(frame.block, frame.index, is_calling=is_calling)

    @staticmethod
    def _in_memory(state: State, address: int, variable: DebugVariable) -> CValue | None:
        signed, size = is_signed(variable), variable.size
        item = state.memory.objects.get(object_of(address)) if address >> SLOT_BITS else None
        if signed is None or not size or item is None or item.gone != 0:
            return None
        offset = offset_in(address)
        if not 0 <= offset <= item.limit - size or item.uninitialised_runs(offset, size):
            return None
        return CValue(item.read(offset, size), Integral(8 * size, signed))

    def _global_at(self, number: int) -> GlobalVariable | None:
        if self._by_object is None:
            names = [name for name in self._program.globals if name not in self._program.aliases]
            self._by_object = {object_of(self._addresses.address(name)): self._program.globals[name] for name in names}
        return self._by_object.get(number)
