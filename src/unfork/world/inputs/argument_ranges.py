"""Arguments that bound a range of one object, as in ``parse(const char *at, const char *end)``.

The first one leads to a new object, whose length is an input; others lie in it, and the end is its end. A cursor that
is passed by its address (``parse(const char **at, const char *end)``) is the only element of another object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from unfork.engine.memory import lazy_ranges
from unfork.engine.memory.lazy_targets import Target, address_of_target, targets
from unfork.engine.state.lazy import LazyObject
from unfork.engine.step.step import Step
from unfork.errors import InputError
from unfork.logic.terms.term import Value
from unfork.program.facts.pointer_places import PassedCursor
from unfork.program.facts.pointer_ranges import pointer_ranges
from unfork.program.llvm.c_types import Parameter, Pointer
from unfork.program.llvm.module import Function


@dataclass(frozen=True, slots=True)
class _Bound:
    """A pointer of a range: the parameter that it is, or that leads to it (``is_cursor``), and its type."""

    parameter: str
    type: Pointer
    is_cursor: bool

    @property
    def path(self) -> str:
        return f"*{self.parameter}" if self.is_cursor else self.parameter


class ArgumentRanges:
    """The ranges among the arguments of a function, and where their pointers lead."""

    def __init__(
        self, step: Step, function: Function, parameters: Sequence[Parameter], positions: Sequence[int]
    ) -> None:
        """``positions`` are those of the compiled function's parameters, for each one in C."""
        self._step = step
        rooms = zip(parameters, positions, strict=True)
        self._promised = {each.name for each, at in rooms if function.parameter_room[at] is not None}
        """The parameters that attributes declare non-null."""
        self._groups: dict[str, Sequence[_Bound]] = {}
        """For each parameter of a range, all of its pointers in order."""
        self._values: dict[str, Value] = {}
        """The pointers of ranges that have begun, by parameter."""
        if not step.limits.pairs_sizes:
            return
        at = dict(zip(positions, parameters, strict=True))
        for end, before in pointer_ranges(step.program).parameters.get(function.name, {}).items():
            group = [bound for place in (*before, end) if (bound := self._bound(at, place)) is not None]
            if len(group) > len(before) and lazy_ranges.have_one_stride(step, [each.type for each in group]):
                self._groups |= dict.fromkeys([each.parameter for each in group], group)

    def _bound(self, parameters: Mapping[int, Parameter], place: int | PassedCursor) -> _Bound | None:
        is_cursor = isinstance(place, PassedCursor)
        parameter = parameters.get(place.parameter if isinstance(place, PassedCursor) else place)
        kind = None if parameter is None else parameter.type
        if is_cursor and isinstance(kind, Pointer):
            kind = self._step.program.c_types.target(kind)
        if parameter is None or not isinstance(kind, Pointer) or (is_cursor and self._step.state.memory.is_narrow):
            return None
        return _Bound(parameter.name, kind, is_cursor)

    def includes(self, name: str) -> bool:
        """Whether an argument belongs to a range."""
        return name in self._groups

    def argument(self, parameter: Parameter, pick: Callable[[Sequence[Target]], Target]) -> Value:
        """The address (64 bits) that is the argument; ``pick`` chooses where pointers lead."""
        name, step = parameter.name, self._step
        if name not in self._values:
            self._begin(self._groups[name], pick)
        bound = next(each for each in self._groups[name] if each.parameter == name)
        value = self._values[name]
        if not bound.is_cursor:
            return value
        assert isinstance(parameter.type, Pointer)
        holder = pick(self._new(parameter.type, name, [name]))
        address = address_of_target(step.state, holder, step.limits)
        if isinstance(holder, LazyObject):
            lazy_ranges.give(step.state, holder.number, 0, value)
        return address

    def _begin(self, group: Sequence[_Bound], pick: Callable[[Sequence[Target]], Target]) -> None:
        """Let a range have a new object, or none."""
        step, first = self._step, group[0]
        values: Sequence[Value] = [0] * len(group)
        named = [each.parameter for each in group if not each.is_cursor]
        target = pick(self._new(first.type, first.path, named))
        if isinstance(target, LazyObject):
            made, values, good = lazy_ranges.bounded(step, target, [each.path for each in group])
            step.assume(good)
            address_of_target(step.state, made.target, step.limits)
        self._values |= {each.parameter: value for each, value in zip(group, values, strict=True)}

    def _new(self, kind: Pointer, path: str, names: Iterable[str]) -> list[Target]:
        """Null, unless a parameter of these names is declared not to be, and a new object if there is room for one.

        Raises InputError if nothing is left.
        """
        offered = lazy_ranges.apart(self._step, targets(self._step, kind, path), path)
        promised = sorted(self._promised.intersection(names))
        if promised:
            said = ", ".join(f"{name} is not null (its attribute)" for name in promised)
            self._step.state.lazy = self._step.state.lazy.assuming(said)
            offered = [each for each in offered if each != 0]
        if not offered:
            raise InputError(f"the argument {promised[0]} is not null, but nothing of its type is here")
        return offered
