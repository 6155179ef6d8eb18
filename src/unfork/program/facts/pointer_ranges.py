"""The parameters that end a range of one object, as in ``parse(const char *at, const char *end)``, learnt from a
program's code.

C cannot declare them, but code shows them: it subtracts the two, or compares the one that moves with the one that
stays. An end is never accessed: code that reads ``*end`` takes it for more than an end, as a copy does whose source and
target are compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from unfork.errors import Unsupported
from unfork.program.llvm.ir import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Return,
    Select,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import PointerType
from unfork.program.llvm.uses import operands_of

_BELOW = {"lt": True, "le": True, "gt": False, "ge": False}
"""For each comparison of pointers, whether the left one comes first."""
_Pair = tuple[int, int]
"""The positions of the parameters at the beginning and at the end of a range."""


@dataclass(frozen=True, slots=True)
class _Root:
    """The parameter that a pointer comes from, and whether it has moved since; ``back``: only by a constant below 0."""

    parameter: int
    has_moved: bool
    is_back: bool = False


@dataclass(slots=True)
class _Shown:
    """What a function shows of its parameters."""

    pairs: set[_Pair] = field(default_factory=set)
    accessed: set[int] = field(default_factory=set)
    """Those that lead to what is accessed or kept, and so are no ends."""
    passed: list[tuple[str, tuple[frozenset[int], ...]]] = field(default_factory=list)
    """The calls of the program's functions: the parameters from which each argument comes."""


@lru_cache(maxsize=4)
def range_ends(program: Program) -> Mapping[str, Mapping[int, tuple[int, ...]]]:
    """For functions, by name: the parameters that end a range, each with those that begin it or lie in it, in order."""
    shown = {}
    for name in program.defined:
        if name not in program.library:
            try:
                shown[name] = _Pointers(program.function(name), program).shown()
            except Unsupported:
                return {}
    while _pass_on(shown):
        pass
    return {name: ends for name, each in shown.items() if (ends := _ends(each))}


def _ends(shown: _Shown) -> dict[int, tuple[int, ...]]:
    """The parameters that end a range, with those before them. None of them is in two ranges."""
    before: dict[int, set[int]] = defaultdict(set)
    for begin, end in shown.pairs:
        if end not in shown.accessed and begin < end:
            before[end].add(begin)
    several = Counter(begin for begins in before.values() for begin in begins)
    return {
        end: tuple(sorted(begins))
        for end, begins in before.items()
        if all(several[each] == 1 and each not in before for each in begins)
    }


def _pass_on(shown: Mapping[str, _Shown]) -> bool:
    """Let functions show what those show that they call. Whether that was new."""
    is_new = False
    for each in shown.values():
        before = len(each.pairs), len(each.accessed)
        for callee, arguments in each.passed:
            known = shown[callee]
            for position, roots in enumerate(arguments):
                if position in known.accessed:
                    each.accessed |= roots
            for begin, end in known.pairs:
                if max(begin, end) < len(arguments) and end not in known.accessed:
                    each.pairs |= {(a, b) for a in arguments[begin] for b in arguments[end] if a != b}
        is_new = is_new or before != (len(each.pairs), len(each.accessed))
    return is_new


class _Pointers:
    """The pointers of a function that come from its parameters."""

    def __init__(self, function: Function, program: Program) -> None:
        self._function, self._program = function, program
        self._made = {each.result: each for each in function.instructions() if each.result >= 0}
        kinds = function.type.parameters
        self._kept = self._contents()
        self._parameters = {index for index, kind in enumerate(kinds) if isinstance(kind, PointerType)}

    def shown(self) -> _Shown:
        """What the function shows of its parameters."""
        found = _Shown()
        if self._parameters:
            for each in self._function.instructions():
                self._look(each, found)
        return found

    def _contents(self) -> Mapping[int, list[Operand]]:
        """The local variables that hold pointers and whose addresses go nowhere: what is stored in each."""
        found: dict[int, list[Operand]] = {
            index: []
            for index, made in self._made.items()
            if isinstance(made, Alloca) and isinstance(made.type, PointerType) and not made.captured
        }
        for each in self._function.instructions():
            if isinstance(each, Store) and isinstance(each.pointer, Register) and each.pointer.index in found:
                found[each.pointer.index].append(each.value)
        return found

    def _is_kept(self, address: Operand) -> bool:
        """Whether this is the address of such a variable."""
        return isinstance(address, Register) and address.index in self._kept

    def _look(self, instruction: Instruction, found: _Shown) -> None:
        match instruction:
            case Load(pointer=pointer) | Store(pointer=pointer) if self._is_kept(pointer):
                pass
            case Compare(type=PointerType(), predicate=predicate, left=left, right=right):
                found.pairs.update(self._compared(predicate, left, right))
            case Binary(op="sub", left=left, right=right):
                found.pairs.update((a, b) for a in self._number_of(right) for b in self._number_of(left) if a != b)
            case Cast() | GetElementPointer() | Phi() | Select() | Freeze():
                pass  # a pointer that moves, or its number
            case Compare() | Binary():
                pass  # of numbers
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in self._own:
                roots = tuple([frozenset(each.parameter for each in self._roots(one)) for one in arguments])
                found.passed.append((name, roots))
            case Return():
                pass
            case _:
                for operand in operands_of(instruction):
                    found.accessed |= {each.parameter for each in self._roots(operand) if not each.is_back}

    @property
    def _own(self) -> frozenset[str]:
        return frozenset(self._program.defined) - self._program.library

    def _compared(self, predicate: str, left: Operand, right: Operand) -> Iterator[_Pair]:
        """The pairs that a comparison of two pointers shows."""
        for first in self._roots(left):
            for second in self._roots(right):
                if first.parameter == second.parameter:
                    continue
                comes_first = _BELOW.get(predicate[1:])
                if comes_first is not None:
                    begin, end = (first, second) if comes_first else (second, first)
                    yield begin.parameter, end.parameter
                elif first.has_moved != second.has_moved:
                    begin, end = (first, second) if first.has_moved else (second, first)
                    yield begin.parameter, end.parameter

    def _number_of(self, operand: Operand) -> set[int]:
        """The parameters of whose addresses a number is one."""
        made = self._made.get(operand.index) if isinstance(operand, Register) else None
        if isinstance(made, Cast) and made.op == "ptrtoint":
            return {each.parameter for each in self._roots(made.value)}
        return set()

    def _roots(self, operand: Operand) -> set[_Root]:
        """The parameters from which a pointer comes."""
        found, seen = set[_Root](), set[tuple[int, bool, bool]]()
        waiting = [(operand, False, False)]
        while waiting:
            each, has_moved, is_back = waiting.pop()
            if not isinstance(each, Register) or (each.index, has_moved, is_back) in seen:
                continue
            seen.add((each.index, has_moved, is_back))
            if each.index in self._parameters:
                found.add(_Root(each.index, has_moved, is_back))
            match self._made.get(each.index):
                case GetElementPointer(base=base, offset=offset, terms=terms):
                    steps_back = not terms and offset < 0 and not has_moved
                    waiting.append((base, has_moved or bool(terms) or bool(offset), is_back or steps_back))
                case Phi(incoming=incoming):
                    waiting += [(value, has_moved, is_back) for value, _ in incoming]
                case Select(then=then, otherwise=otherwise):
                    waiting += [(then, has_moved, is_back), (otherwise, has_moved, is_back)]
                case Freeze(value=value):
                    waiting.append((value, has_moved, is_back))
                case Load(pointer=Register(index=index)) if index in self._kept:
                    waiting += [(value, has_moved, is_back) for value in self._kept[index]]
        return found
