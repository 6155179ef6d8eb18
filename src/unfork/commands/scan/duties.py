"""Duties of callers: what all calls in a project respect, and no public header contradicts, is a precondition; and so
is what the comments of a function demand.

A fault that only a call without its duty brings about is *conditional*. Duties come from how calls derive what they
pass, not from the values that they happen to pass; the step of numbers alone comes from constants.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd
from pathlib import Path
from typing import Protocol

from unfork.commands.projects.entries import CallGraph
from unfork.commands.scan.documented import NULL, ParameterNames, StatedCondition, conditions
from unfork.commands.scan.fault_needs import ArgumentNeed
from unfork.commands.scan.following import ScannedPart
from unfork.commands.scan.judgement import CONDITIONAL, SHOWN
from unfork.commands.scan.number_rules import LetsNumberBy, TestsWrongly
from unfork.commands.scan.results import ScanFinding
from unfork.program.facts.call_sites import CallSite
from unfork.program.facts.passed_sizes import SizeRelation
from unfork.program.llvm.c_types import Pointer, Scalar

_NAMED = 3
"""The most calls that a sentence names."""
_VALUES = 3
"""The fewest different numbers that show of which step all are multiples."""
_STEP = 4
"""The least such step."""
_EXACT = (SizeRelation.DERIVED, SizeRelation.BEYOND)
"""What shows that a number is meant for the bytes of an object."""
_LETTING_BY = (TestsWrongly.name, LetsNumberBy.name)
"""What decides where the code tests numbers, but lets some pass that fail."""
_NULL = re.compile(rf"\b{NULL}|nullptr", re.I)


@dataclass(frozen=True, slots=True)
class BrokenDuty:
    """The duty without which a fault does not happen: why, and what a caller must ensure."""

    reason: str
    precondition: str


class ProjectCalls:
    """The calls in all programs of a project."""

    def __init__(self, graphs: Sequence[CallGraph]) -> None:
        self._graphs = graphs
        self._passed_on: dict[str, list[tuple[str, CallSite]]] | None = None

    def of(self, name: str) -> Sequence[CallSite]:
        """The calls of a function."""
        return list(dict.fromkeys(site for graph in self._graphs for site in graph.calls.get(name, ())))

    def derivation(self, name: str, pointer: str, number: str) -> Sequence[CallSite]:
        """The calls that show a number to be at most the bytes of a pointer's object: all of a function, or of one to
        which it passes both on. One at least calculates the number from the object. Empty if they don't show it.
        """
        waiting = seen = [(name, pointer, number)]
        while waiting:
            name, pointer, number = waiting[0]
            calls = self.of(name)
            found = {each.relation(pointer, number) for each in calls}
            if SizeRelation.DERIVED in found and found <= {SizeRelation.DERIVED, SizeRelation.WITHIN}:
                return calls
            further = [
                (callee, names[pointer], names[number])
                for callee, call in self._from(name)
                if {pointer, number} <= (names := {own: other for other, own in call.forwarded}).keys()
            ]
            waiting = [*waiting[1:], *(each for each in dict.fromkeys(further) if each not in seen)]
            seen = [*seen, *further]
        return ()

    def _from(self, name: str) -> Sequence[tuple[str, CallSite]]:
        """The calls in a function, with what they call."""
        if self._passed_on is None:
            self._passed_on = defaultdict(list)
            for graph in self._graphs:
                for callee, calls in graph.calls.items():
                    for call in calls:
                        self._passed_on[call.caller].append((callee, call))
        return self._passed_on.get(name, ())


@dataclass(frozen=True, slots=True)
class FunctionUse:
    """How a project uses a function: its calls, and what its comments demand."""

    name: str
    project: ProjectCalls
    calls: Sequence[CallSite]
    speaks_of_null: bool
    conditions: Sequence[StatedCondition]
    is_taken: bool
    """Whether it may be called in other ways."""

    def derivation(self, pointer: str, number: str) -> Sequence[CallSite]:
        """The calls that show a number to be at most the bytes of a pointer's object; empty if they don't."""
        return self.project.derivation(self.name, pointer, number)


def _where(calls: Sequence[CallSite]) -> str:
    """Some calls, in words."""
    places = list(dict.fromkeys(map(_place, calls)))
    where = ", ".join(places[:_NAMED])
    return f"{where} and {len(places) - _NAMED} more" if len(places) > _NAMED else where


def _place(call: CallSite) -> str:
    return f"{call.position.file}:{call.position.line}"


class DutyRule(Protocol):
    """A duty of callers."""

    @property
    def name(self) -> str:
        """What findings call it."""

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        """The duty without which a certain fault does not happen; None if that is no duty of callers."""


class NeverPassedNull:
    """It needs a null pointer where no call passes one."""

    name = "never-passed-null"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        nulls = [each.name for each in found.needs if each.is_null]
        if found.kind != "null-dereference" or not nulls or not use.calls or use.speaks_of_null:
            return None
        if not all(each.objects.issuperset(nulls) for each in use.calls):
            return None
        reason = f"it needs a null pointer {' and '.join(nulls)}, which no call here passes ({_where(use.calls)})"
        return BrokenDuty(reason, "; ".join(f"{each} is not null" for each in nulls))


class SizeOfObject:
    """A size is larger than an object from which all calls take it."""

    name = "size-of-object"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        for need in found.needs:
            for number in need.beyond:
                if calls := use.derivation(need.name, number):
                    said = f"it needs {number} to be larger than the object of {need.name}"
                    reason = f"{said}, but every call here takes it from that object ({_where(calls)})"
                    return BrokenDuty(reason, f"{number} is at most the bytes of {need.name}")
        return None


class RoomOfObject:
    """An object is smaller than the arrays of all calls, which take the size beside it from another one."""

    name = "room-of-object"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        for need in found.needs:
            room = _room(need, use)
            if room is None or need.most is None or not need.is_outside(room - 1 - need.most):
                continue
            if self._is_of_another(need, use):
                reason = f"it needs {need.name} to be an object of fewer than {room} bytes, which no call here passes"
                return BrokenDuty(f"{reason} ({_where(use.calls)})", f"{need.name} has at least {room} bytes")
        return None

    def _is_of_another(self, need: ArgumentNeed, use: FunctionUse) -> bool:
        """Whether calls take the number, which stands for the bytes of a pointer's object, from another's object."""
        number = need.counted_by
        if not number or any(each.relation(need.name, number) is SizeRelation.DERIVED for each in use.calls):
            return False
        pointers = {pointer for each in use.calls for pointer, other, _ in each.sizes if other == number}
        return any(use.derivation(each, number) for each in pointers - {need.name})


def _room(need: ArgumentNeed, use: FunctionUse) -> int | None:
    """The bytes that all calls pass at least."""
    if need.is_text or not need.is_object or not use.calls:
        return None
    rooms = [dict(each.rooms).get(need.name) for each in use.calls]
    known = [each for each in rooms if each is not None]
    return min(known) if len(known) == len(rooms) else None


class SizeNotShown:
    """A number is taken for the bytes of an object of a function that is no entry, and no call shows that."""

    name = "size-not-shown"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        for need in found.needs:
            number = need.counted_by
            if not number or not use.calls:
                continue
            if not any(each.relation(need.name, number) in _EXACT for each in use.calls):
                reason = f"it takes {number} for the bytes of {need.name}, which no call here shows"
                return BrokenDuty(f"{reason} ({_where(use.calls)})", f"{need.name} has more than {number} bytes")
        return None


class NumberNotPassed:
    """A function that is no entry needs a number, and all its calls pass constants that are none such."""

    name = "number-not-passed"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        for need in found.needs:
            values = [dict(each.constants).get(need.name) for each in use.calls]
            known = [each for each in values if each is not None]
            if not known or len(known) < len(values) or need.is_object or need.least is None or need.most is None:
                continue
            below, above = need.least - max(known) - 1, min(known) - need.most - 1
            if need.is_outside(below) or need.is_outside(above):
                reason = f"it needs {need.name} to be from {need.least} to {need.most}, which no call here passes"
                return BrokenDuty(f"{reason} ({_where(use.calls)})", f"{need.name} is as calls here pass it")
        return None


class NumberOfCallers:
    """A function that is no entry, and has no unknown calls, lets numbers pass that fail: callers choose them."""

    name = "number-of-callers"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        if found.rule not in _LETTING_BY or not use.calls or use.is_taken:
            return None
        reason = f"{found.reason}; its callers choose what they pass ({_where(use.calls)})"
        return BrokenDuty(reason, "numbers are as calls here pass them")


class StepOfNumber:
    """A number is no multiple of the step of all constants that calls pass, which are not only powers of two."""

    name = "step-of-number"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        for need in found.needs:
            values = [dict(each.constants).get(need.name, 0) for each in use.calls]
            distinct = set(values)
            if len(distinct) < _VALUES or min(distinct) <= 0 or all(each & (each - 1) == 0 for each in distinct):
                continue
            step = gcd(*distinct)
            if step >= _STEP and step & (step - 1) == 0 and step in need.no_steps:
                reason = f"it needs {need.name} to be no multiple of {step}, as it is in every call here"
                return BrokenDuty(f"{reason} ({_where(use.calls)})", f"{need.name} is a multiple of {step}")
        return None


class Documented:
    """A comment of the function demands otherwise of an argument on which the fault depends."""

    name = "documented"

    def broken(self, found: ScanFinding, use: FunctionUse) -> BrokenDuty | None:
        needs = {each.name: each for each in found.needs}
        for each in use.conditions:
            need = needs.get(each.parameter)
            if need is not None and each.excludes(need):
                path, line, text = each.comment.line(each.offset)
                reason = f'it needs {each.parameter} to be other than {_shown(path)}:{line} says: "{text}"'
                return BrokenDuty(reason, f"{each.parameter} is as {path.name}:{line} says")
        return None


def _shown(path: Path) -> str:
    """A path, from the current folder if it is below that."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


RULES: tuple[DutyRule, ...] = (
    NeverPassedNull(),
    SizeOfObject(),
    RoomOfObject(),
    StepOfNumber(),
    Documented(),
)
"""In order: the first that applies decides."""
OF_OTHERS: tuple[DutyRule, ...] = (SizeNotShown(), NumberNotPassed(), NumberOfCallers())
"""Further ones of functions that are no entries: nobody else calls these."""


class CallerDuties:
    """The duties that the calls in all programs of a project, and the comments of its functions, show."""

    def __init__(self, graphs: Sequence[CallGraph]) -> None:
        self._project = ProjectCalls(graphs)

    def settled(self, part: ScannedPart) -> ScannedPart:
        """A part with the findings of an entry as its callers' duties allow them."""
        if not part.is_entry or not any(map(_has_needs, part.explored.found)):
            return part
        use = self._use(part)
        found = [
            (_conditional(each, use, RULES) or _with_violation(each, use)) if _has_needs(each) else each
            for each in part.explored.found
        ]
        return replace(part, explored=replace(part.explored, found=tuple(found)))

    def without_entry(self, part: ScannedPart, found: ScanFinding) -> ScanFinding:
        """A likely finding of a function that is no entry, to which no entry comes as far as is known."""
        return _conditional(found, self._use(part), (*RULES, *OF_OTHERS)) or found

    def _use(self, part: ScannedPart) -> FunctionUse:
        comments = part.graph.comments(part.name)
        speaks_of_null = any(_NULL.search(each.text) for each in comments.declared)
        every = (*comments.declared, *comments.defined)
        stated = conditions(every, _parameters(part), comments.macros)
        calls, is_taken = self._project.of(part.name), part.name in part.graph.taken
        return FunctionUse(part.name, self._project, calls, speaks_of_null, tuple(stated), is_taken)


def _parameters(part: ScannedPart) -> ParameterNames:
    types = part.graph.program.c_types
    prototype = types.prototype(part.name)
    parameters = () if prototype is None else prototype.parameters
    numbers = [
        each.name
        for each in parameters
        if isinstance(each.type, Scalar) and each.type.encoding in ("signed", "unsigned")
    ]
    pointers = [(each.name, types.target(each.type)) for each in parameters if isinstance(each.type, Pointer)]
    buffers = [name for name, target in pointers if (cells := types.cells(target)) is not None and cells.size == 1]
    return ParameterNames(tuple([each.name for each in parameters]), tuple(numbers), tuple(buffers))


def _has_needs(found: ScanFinding) -> bool:
    return found.certainty in SHOWN and bool(found.needs)


def _conditional(found: ScanFinding, use: FunctionUse, rules: Sequence[DutyRule]) -> ScanFinding | None:
    """A fault as the first duty allows it that is broken; None if there is none."""
    for rule in rules:
        duty = rule.broken(found, use)
        if duty is not None:
            return replace(
                found,
                certainty=CONDITIONAL,
                rule=rule.name,
                reason=duty.reason,
                precondition=duty.precondition,
                requires="",
            )
    return None


def _with_violation(found: ScanFinding, use: FunctionUse) -> ScanFinding:
    """A certain fault with the call that passes a size beyond its object, if it needs such a size."""
    pairs = [(each.name, number) for each in found.needs for number in each.beyond]
    for call in use.calls:
        for pointer, number in pairs:
            if call.relation(pointer, number) is SizeRelation.BEYOND:
                said = f"the call at {_place(call)} passes {number} beyond the object of {pointer}"
                return replace(found, reason=f"{found.reason}; {said}")
    return found
