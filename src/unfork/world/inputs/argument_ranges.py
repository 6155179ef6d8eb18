"""Arguments that bound a range of one object, as in ``parse(const char *at, const char *end)``.

The first one leads to a new object, whose length is an input; others lie in it, and the end is its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.engine.memory.lazy_targets import Target, address_of_target, sized
from unfork.engine.state.lazy import LAZY, LazyObject
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.pointer_ranges import range_ends
from unfork.program.llvm.c_types import Parameter, Pointer


@dataclass(frozen=True, slots=True)
class _Begun:
    """The argument that begins a range, the address of its object, how many elements this has (64 bits), and the bytes
    of each.
    """

    name: str
    address: int
    count: Value
    stride: int


class ArgumentRanges:
    """The ranges among the arguments of a function, and the objects that were made for them."""

    def __init__(self, step: Step, function: str, parameters: Sequence[Parameter], positions: Sequence[int]) -> None:
        """``positions`` are those of the compiled function's parameters, for each one in C."""
        self._step = step
        self._ends: dict[str, str] = {}
        """For each parameter of a range, the one that ends it."""
        self._begun: dict[str, _Begun] = {}
        """By the name of the end."""
        if step.limits.pairs_sizes:
            at = dict(zip(positions, parameters, strict=True))
            for end, before in range_ends(step.program).get(function, {}).items():
                known = [at[each] for each in (*before, end) if each in at]
                if len(known) > len(before) and len({self._stride(each) for each in known} - {0}) == 1:
                    self._ends |= {each.name: at[end].name for each in known}

    def _stride(self, parameter: Parameter) -> int:
        """The bytes of what a pointer leads to; 0 if they are not known."""
        if not isinstance(parameter.type, Pointer):
            return 0
        types = self._step.program.c_types
        cells = types.cells(types.target(parameter.type))
        return 0 if cells is None or cells.tail is not None else cells.size

    def begins_with(self, name: str) -> bool:
        """Whether an argument is the first one of a range."""
        return name in self._ends and self._ends[name] not in self._begun

    def begin(self, name: str, target: Target) -> int:
        """The address of the first argument of a range: that of a new object of any length, or null."""
        step, end = self._step, self._ends[name]
        count: Value = 0
        stride = 1
        if isinstance(target, LazyObject):
            assert target.cells is not None
            count, stride = step.fresh(f"{end} - {name}", 64, LAZY), target.cells.size
            target, fits = sized(step, target, [(f"{end} - {name}", count, 8)])
            step.assume(fits)
        address = address_of_target(step.state, target, step.limits)
        self._begun[end] = _Begun(name, address, count, stride)
        return address

    def goes_on_with(self, name: str) -> bool:
        """Whether an argument lies in a range that has begun, or ends it."""
        return name in self._ends and self._ends[name] in self._begun

    def inside(self, name: str) -> Value:
        """The address (64 bits) of an argument in a range that has begun, or at its end."""
        step, end = self._step, self._ends[name]
        begun = self._begun[end]
        elements = begun.count
        if name != end and begun.address:
            elements = step.fresh(f"{name} - {begun.name}", 64, LAZY)
            step.assume(build.ule(elements, begun.count, 64))
        return build.add(begun.address, build.mul(elements, begun.stride, 64), 64)
