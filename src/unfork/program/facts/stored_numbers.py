"""The numbers that functions write into the bytes at a pointer which they are passed beside it: a header, a length.

Such a number says something of what follows, and is not the size of these bytes: unless the function compares it with
more than constants, or passes it to a function that is not the program's, as it would a size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    Compare,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Operand,
    Register,
    Store,
)
from unfork.program.llvm.module import Function, Program

_PARTS = frozenset(("and", "or", "xor", "shl", "lshr", "add", "sub"))
"""Operations with a constant that make the bytes of a number."""
_SWAPPING = "llvm.bswap."
_MADE = (_SWAPPING, "__ubsan_handle_")
"""The beginnings of the names of functions that compilers call."""

StoredPairs = frozenset[tuple[int, int]]
"""The positions of pointers, and of numbers that are written to what they lead to."""


@lru_cache(maxsize=4)
def stored_numbers(program: Program) -> Mapping[str, StoredPairs]:
    """By function of the program's own, what it writes itself, or has written by those that it calls."""
    writers = {name: _Writer(program.function(name), program) for name in program.own}
    callers: dict[str, set[str]] = defaultdict(set)
    for name, writer in writers.items():
        for callee, _ in writer.calls:
            callers[callee].add(name)
    found = {name: writer.stored for name, writer in writers.items()}
    waiting = [name for name, pairs in found.items() if pairs]
    while waiting:
        callee = waiting.pop()
        for name in callers[callee]:
            more = found[name] | writers[name].passed(callee, found[callee])
            if more != found[name]:
                found[name] = more
                waiting.append(name)
    return {name: pairs for name, pairs in found.items() if pairs}


class _Writer:
    """A function, and where the parameters go that it writes or passes on."""

    def __init__(self, function: Function, program: Program) -> None:
        self._count = len(function.type.parameters)
        self._made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}
        stores = [each for each in function.instructions() if isinstance(each, Store)]
        self.calls: list[tuple[str, Sequence[Operand]]] = [
            (each.callee.name, each.arguments)
            for each in function.instructions()
            if isinstance(each, Call) and isinstance(each.callee, GlobalAddress)
        ]
        self._counting = self._counted(function, program)
        self.stored = frozenset([pair for each in stores if (pair := self._pair(each.pointer, each.value))])

    def passed(self, callee: str, pairs: StoredPairs) -> StoredPairs:
        """What calls of a function write, which writes these."""
        calls = [arguments for name, arguments in self.calls if name == callee]
        written = [(each[at], each[number]) for each in calls for at, number in pairs if max(at, number) < len(each)]
        return frozenset([pair for each in written if (pair := self._pair(*each))])

    def _pair(self, pointer: Operand, value: Operand) -> tuple[int, int] | None:
        at, number = self._base(pointer), self._number(value)
        return None if at is None or number is None or number in self._counting else (at, number)

    def _counted(self, function: Function, program: Program) -> set[int | None]:
        """The parameters that are used as sizes are."""
        compared = [(each.left, each.right) for each in function.instructions() if isinstance(each, Compare)]
        used = [side for sides in compared for side in sides if not any(isinstance(each, Bits) for each in sides)]
        used += [each for name, arguments in self.calls if not self._is_own(name, program) for each in arguments]
        return {self._number(each) for each in used}

    @staticmethod
    def _is_own(name: str, program: Program) -> bool:
        return name.startswith(_MADE) or (name in program.defined and name not in program.library)

    def _base(self, pointer: Operand) -> int | None:
        """The parameter from which an address is calculated: also by a call that takes it first, and gives where it
        has ended to write.
        """
        while isinstance(pointer, Register) and pointer.index >= self._count:
            match self._made.get(pointer.index):
                case GetElementPointer(base=base) | Call(arguments=(base, *_)):
                    pointer = base
                case _:
                    return None
        return pointer.index if isinstance(pointer, Register) else None

    def _number(self, value: Operand) -> int | None:
        """The parameter of whose bits a value consists."""
        while isinstance(value, Register) and value.index >= self._count:
            match self._made.get(value.index):
                case Cast(op="zext" | "sext" | "trunc", value=inner):
                    value = inner
                case Binary(op=op, left=inner, right=Bits()) | Binary(op=op, left=Bits(), right=inner) if op in _PARTS:
                    value = inner
                case Call(callee=GlobalAddress(name=name), arguments=(inner, *_)) if name.startswith(_SWAPPING):
                    value = inner
                case _:
                    return None
        return value.index if isinstance(value, Register) else None
