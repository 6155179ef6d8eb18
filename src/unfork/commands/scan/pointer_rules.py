"""The rules about pointers of the input: where they lead, and which of them the code compares with null."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.commands.scan.failing_input import (
    bounding_members,
    function_pointers,
    goal_of,
    have_equals,
    needed_class,
    numbers_of,
    symbols_of,
)
from unfork.commands.scan.fault_case import FaultCase
from unfork.commands.scan.judgement import CERTAIN, CONDITIONAL, Apart, Grounds, NotNull
from unfork.commands.scan.null_tests import is_tested_before, is_tested_later
from unfork.commands.scan.siblings import agrees, is_plain, path_at
from unfork.engine.memory.lazy_objects import member_in
from unfork.engine.state.lazy import names_places
from unfork.engine.state.memory import offset_in
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value, sort_terms
from unfork.program.facts.counting import counting_members

_EQUAL = "it needs pointers in memory that are equal: whoever writes them knows whether they are"


class TestsNullTooLate:
    """The code compares the pointer with null, but only after it has used it."""

    name, certainty = "null-tested-late", CERTAIN

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or not case.siblings.surviving or not is_tested_later(case.failed, case.scanned.facts):
            return None
        return Grounds("the code tests the pointer, but only after it has used it")


class NeedsNull:
    """A pointer is null that the code never tests. Inputs with another pointer survive."""

    name, certainty = "null-pointer", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        path, address = case.differing_pointer or ("", None)
        if address != 0:
            return None
        reason = f"it needs a null pointer {path} that the code never tested"
        return _not_null(reason, path)


class NeedsSharedObject:
    """A pointer leads to an object that the input has already. Inputs in which it leads elsewhere survive."""

    name, certainty = "pointer-target", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        path, address = case.differing_pointer or ("", None)
        if address is None:
            return None
        goal = goal_of(case.lazy, address)
        reason = f"it needs {path} to lead to {goal}, which the code never tested"
        other = goal.removeprefix("*") if address in case.lazy.functions or not offset_in(address) else ""
        requires = f"{path} != {other}" if other else ""
        said = f"{path} does not lead to {goal}"
        return Grounds(reason, said, requires, Apart(path, other) if other else None, said, about=(path,))


class NeedsClass:
    """An object is of one class. Inputs in which it is of another class survive."""

    name, certainty = "class", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        needed = needed_class(case.lazy, case.siblings.failing, case.siblings.surviving)
        if needed is None:
            return None
        path, name = needed
        return Grounds(f"it needs {path} to be of class {name}", f"{path} is not of class {name}")


class NeedsNullFunction:
    """A pointer to a function is null that is called untested. The project has no function for it."""

    name, certainty = "null-function", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or case.fault.kind != "null-dereference":
            return None
        types = case.scanned.program.c_types
        pointers = (found for each in case.siblings.failing for found in function_pointers(each.state.lazy, types))
        pointer = next((each.path for each in pointers if each.address == 0), None)
        if pointer is None or is_tested_before(case.failed, case.siblings.places):
            return None
        return _not_null(f"it needs a null pointer {pointer}, for which there is no function here", pointer)


class FailsWithPlainPointers:
    """It also fails if each pointer leads to an object of its own. That path is judged by itself."""

    name, certainty = "plain-pointers", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or not any(is_plain(each.state.lazy) for each in case.siblings.failing):
            return None
        return Grounds("it fails like this with better pointers, too")


class NeedsEqualPointers:
    """Two pointers in memory are equal. The code that writes them knows whether they may be."""

    name, certainty = "equal-pointers", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or not have_equals(case.lazy, case.scanned.program.c_types):
            return None
        return Grounds(_EQUAL)


class NeedsEmptyRange:
    """Members that bound a range are equal. The code that writes them knows whether they may be."""

    name, certainty = "empty-range", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        path = case.failing.state.path
        for each in sort_terms(bounding_members(case.lazy)):
            if case.ask.under(path, build.negate(build.eq(each, 0, each.width))) is None:
                return Grounds(_EQUAL, f"{each.name} is not 0")
        return None


class NeedsPointerToNothing:
    """A pointer leads to no object, and the code never tests it."""

    name, certainty = "pointer-to-nothing", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or case.fault.access is None or not case.fault.access.is_nowhere:
            return None
        return Grounds("it needs a pointer that leads nowhere, which the code never tested")


class NeedsNullBesideSize:
    """A pointer is null beside a size that is not zero. The size promises that data is there."""

    name, certainty = "null-beside-size", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        for name, size in _beside_null(case):
            if isinstance(size, Term) and case.ask.under(case.state.path, build.eq(size, 0, size.width)) is None:
                return _not_null(f"it needs a null pointer {name} with a size that is not zero", name)
        return None


def _beside_null(case: FaultCase) -> Iterator[tuple[str, Value]]:
    """The null pointers of the input, each with the number that says how much there is."""
    lazy, program = case.lazy, case.scanned.program
    for argument in lazy.arguments:
        if argument.value == 0 and argument.room is not None:
            yield argument.name, argument.room
    for (number, offset), address in lazy.pointers.items():
        item = None if address else lazy.find(number)
        member = None if item is None else member_in(program.c_types, item, offset)
        if member is None:
            continue
        for count in counting_members(program).get(member, ()):
            size = lazy.numbers.get((number, offset - member.offset + count))
            if size is not None:
                yield path_at(lazy, (number, offset)), size


class NeedsUntestedHeap:
    """Inputs with another heap survive, and the code tests none of it."""

    name, certainty = "untested-heap", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.is_plain or case.siblings.have_one_heap or not case.siblings.surviving:
            return None
        return Grounds("it needs something of the heap that the code never tested")


class NeedsNullResult:
    """A call returns null because of what the caller passed. The caller may know that it does not."""

    name, certainty = "null-result", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.fault.kind != "null-dereference" or not _is_of_callee(case):
            return None
        return Grounds("a call returns null for what the caller gave, of which the code has tested nothing")


def _not_null(reason: str, pointer: str) -> Grounds:
    said = f"{pointer} is not null"
    requires = f"{pointer} != 0" if names_places(pointer) else ""
    return Grounds(reason, said, requires, NotNull(pointer), said, (pointer,))


def _is_of_callee(case: FaultCase) -> bool:
    library, places = case.scanned.program.library, case.siblings.places
    frames = [frame.function.name not in library for frame in case.state.frames]
    depth = max(number for number, is_own in enumerate(frames, 1) if is_own)
    if all(place.depth <= depth for place in places):
        return False
    freer = case.scanned.family.freer(case.failed, places, depth)
    if not freer.are_known(case.lazy):
        return True
    constraints = frozenset(case.state.path.constraints())
    return any(
        not agrees(case.lazy, each.state.lazy)
        or numbers_of(each.state).keys() & symbols_of(set(each.state.path.constraints()) - constraints)
        for each in freer.surviving
    )
