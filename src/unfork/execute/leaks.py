"""Leaks: heap objects that are live at the end and that no pointer leads to any more."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.execute.step import Step
from unfork.logic.term import Term, postorder
from unfork.state.memory import MemoryObject, object_of
from unfork.state.state import RegisterValue, State

STACK_ROOTS = "objects that the stack led to at exit"


def remember_stack_roots(state: State) -> None:
    """exit() was called: what the frames still point to is not lost, though they are about to go."""
    named: set[int] = set()
    for frame in state.frames:
        named.update(frame.locals)
        for value in frame.registers:
            named.update(_named_by(value))
    state.environment[STACK_ROOTS] = frozenset(_reachable(state, named))


def check_leaks(step: Step) -> None:
    """The program has ended: an unreachable heap object is a fault at the line that allocated it.

    As LeakSanitizer has it, an object that a global still leads to is no leak. A path reports its first leak.
    """
    state = step.state
    roots = {number for number, item in state.memory.objects.items() if item.kind != "heap"}
    kept = _reachable(state, roots) | state.environment.get(STACK_ROOTS, frozenset())
    lost = [
        (number, item) for number, item in state.memory.objects.items() if item.kind == "heap" and number not in kept
    ]
    if lost:
        _, first = min(lost, key=lambda one: one[0])
        step.position = first.site
        more = f"; {len(lost) - 1} more are lost on this path" if len(lost) > 1 else ""
        step.fail("leak", f"an object of {_size(first)} allocated here is never freed{more}")


def _size(item: MemoryObject) -> str:
    return f"{item.size} bytes" if isinstance(item.size, int) else "symbolic size"


def _reachable(state: State, roots: Iterable[int]) -> set[int]:
    objects = state.memory.objects
    pending = [number for number in roots if number in objects]
    found = set(pending)
    while pending:
        for number in _pointed_to(objects[pending.pop()]):
            if number in objects and number not in found:
                found.add(number)
                pending.append(number)
    return found


def _pointed_to(item: MemoryObject) -> set[int]:
    """The objects that the aligned words of an object name, and every constant in its symbolic bytes."""
    data = item.data
    named = {
        object_of(int.from_bytes(data[start : start + 8], "little"))
        for start in range(0, len(data) - 7, 8)
        if data[start + 5] or data[start + 6] or data[start + 7]
    }
    for term in {term for term, _ in (item.symbolic or {}).values()}:
        named.update(_named_by(term))
    return named


def _named_by(value: RegisterValue) -> set[int]:
    """The objects that a register may point to: for a term, those that its constants name."""
    if isinstance(value, int):
        return {object_of(value)}
    if isinstance(value, tuple):
        return {number for one in value for number in _named_by(one)}
    if isinstance(value, Term):
        return {object_of(one.value) for one in postorder((value,)) if one.op == "const"}
    return set()
