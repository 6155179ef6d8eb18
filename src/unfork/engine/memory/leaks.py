"""Leaks: heap objects that are live at the end and that no pointer reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from unfork.engine.memory.resolve import described
from unfork.engine.protocols.fault import words_of_size
from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import address_at, object_named
from unfork.engine.state.memory import Memory, MemoryObject, object_of
from unfork.engine.state.merge_rules import ByNamePart
from unfork.engine.state.pointer_words import words_in
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import Frame, RegisterValue, State
from unfork.engine.state.threads import THREADS
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.types import pointer_type

CLEANUP, LOST = "cleanup", "lost"
"""Further checks: for blocks that are not freed at the end, and for those lost before abort()."""
MOST_CHANGES = 64
"""An object whose condition has grown more often than this counts as reachable."""
STACK_ROOTS: Fact[tuple[tuple[int, Value], ...]] = Fact("objects that the stack led to at exit", ByNamePart(), ())
"""Numbers of objects that the stack led to at the end, each with the condition (1 bit)."""


def remember_stack_roots(state: State, frames: Iterable[Frame]) -> None:
    """The program ends: keep what ``frames`` and other threads point to, which are about to go."""
    threads = state.remembered[THREADS]
    others = () if threads is None else threads.all
    held: list[RegisterValue] = [value for thread in others for value in (thread.result, *thread.own.values())]
    named: dict[int, Value] = {}
    for frame in (*frames, *[frame for thread in others for frame in thread.frames or ()]):
        named.update(dict.fromkeys(frame.locals, 1))
        held += frame.registers
    for value in held:
        for number, guard in _guarded_names(value, state.memory):
            named[number] = build.either(named.get(number, 0), guard)
    live = {number: guard for number, guard in named.items() if number in state.memory.objects}
    state.remembered[STACK_ROOTS] = tuple(_reachable(state, live).items())


def remember_result(state: State, value: RegisterValue) -> None:
    """A function that runs alone has returned ``value``: what that leads to belongs to the caller."""
    live = {number: guard for number, guard in _guarded_names(value, state.memory) if number in state.memory.objects}
    state.remembered[STACK_ROOTS] = tuple(_reachable(state, live).items())


def reachable_from(state: State, numbers: Iterable[int]) -> set[int]:
    """The objects, and all that they may lead to."""
    roots: dict[int, Value] = {number: 1 for number in numbers if number in state.memory.objects}
    return set(_reachable(state, roots, through_initial=True))


def check_leaks(step: Step) -> None:
    """Fault unreachable heap objects of an ended program, at the lines that allocated them; a path reports one.

    As in LeakSanitizer, globals keep objects alive, except under --check cleanup.
    """
    state = step.state
    heap = [(number, item) for number, item in sorted(state.memory.objects.held.items()) if item.kind == "heap"]
    if all(item.gone == 1 for _, item in heap):
        return
    reachable = {} if CLEANUP in step.limits.checks else _reachable_at_end(state)
    certain = sum(reachable.get(number, 0) == 0 and item.gone == 0 for number, item in heap)
    more = f"; {certain - 1} more are lost on this path" if certain > 1 else ""
    for number, item in heap:
        condition = build.either(item.gone, reachable.get(number, 0))
        elsewhere: Value = 0
        for made_here, _, site in item.sites:
            step.position = site
            step.require(build.either(build.negate(made_here), condition), "leak", _message(item, more))
            elsewhere = build.either(elsewhere, made_here)
        if condition != 1:
            step.position = item.site
            step.require(build.either(elsewhere, condition), "leak", _message(item, more))


def check_early_end(step: Step) -> None:
    """Under --check lost, at abort(), _Exit() or a failed assertion: ends the path as unsupported if memory is unfreed.

    Whether that is a leak is debatable.
    """
    if LOST in step.limits.checks:
        reachable = {} if CLEANUP in step.limits.checks else _reachable_at_end(step.state)
        _refuse_doubt(step, reachable, list(step.state.memory.objects.held))


def check_exit(step: Step) -> None:
    """Under --check lost, at exit(): ends the path as unsupported if only registers lead to a block.

    A register may hold a pointer that no variable has any more.
    """
    state = step.state
    if LOST in step.limits.checks and CLEANUP not in step.limits.checks:
        stack = state.remembered[STACK_ROOTS]
        state.remembered[STACK_ROOTS] = ()
        _refuse_doubt(step, _reachable_at_end(state), [number for number, _ in stack])
        state.remembered[STACK_ROOTS] = stack


def _refuse_doubt(step: Step, reachable: dict[int, Value], numbers: Iterable[int]) -> None:
    for number in numbers:
        item = step.state.memory.objects[number]
        if item.kind == "heap" and build.either(item.gone, reachable.get(number, 0)) != 1:
            step.unsupported("memory that may be lost when the program ends early")


def _reachable_at_end(state: State) -> dict[int, Value]:
    """When (1 bit) globals, or the stack at exit, lead to each object that is no global in its initial state."""
    elements = state.lazy.element_numbers  # reachable if their arrays are
    held = state.memory.objects.held.items()
    roots = [number for number, item in held if item.kind != "heap" and number not in elements]
    reachable = _reachable(state, dict.fromkeys(roots, 1))
    for number, guard in state.remembered[STACK_ROOTS]:
        reachable[number] = build.either(reachable.get(number, 0), guard)
    return reachable


def _message(item: MemoryObject, more: str) -> str:
    return f"an object of {words_of_size(described(item).size)} allocated here is never freed{more}"


def _reachable(state: State, roots: dict[int, Value], *, through_initial: bool = False) -> dict[int, Value]:
    """When (1 bit) each object is reachable from ``roots``, which have conditions of their own. Globals in their
    initial state lead to globals alone: these are left out, unless ``through_initial``.
    """
    objects = state.memory.objects
    reachable = dict(roots)
    changes: Counter[int] = Counter()
    pending = list(reachable)
    while pending:
        number = pending.pop()
        if not through_initial and objects.is_initial(number):
            continue
        condition = reachable[number]
        condition = build.both(condition, build.negate(objects[number].gone))
        elements = [(each.number, 1) for each in state.lazy.elements_apart(number)]
        for target, guard in (*_guarded_targets(objects[number], state.memory), *elements):
            before = reachable.get(target, 0)
            if target not in objects or before == 1:
                continue
            changes[target] += 1
            after = build.either(before, build.both(condition, guard)) if changes[target] <= MOST_CHANGES else 1
            if after is not before:
                reachable[target] = after
                pending.append(target)
    return reachable


def _guarded_targets(item: MemoryObject, memory: Memory) -> list[tuple[int, Value]]:
    """The objects named by the words of an object, each with its condition (1 bit)."""
    symbolic = item.symbolic or {}
    names = _narrow_names_in_data(item.data, memory) if memory.is_narrow else _names_in_data(item.data)
    word = pointer_type(is_narrow=memory.is_narrow).size
    targets: list[tuple[int, Value]] = [(number, 1) for number in names]
    for start in sorted({position & -word for position in symbolic}):
        entries = [symbolic[i][0] for i in range(start, start + word) if i in symbolic]
        terms = set(entries)
        if len(entries) == word and all(each.op == "symbol" for each in terms):
            continue  # bytes of the input name no object
        if start + word <= len(item.data) and not item.uninitialised_runs(start, word):
            targets.extend(_guarded_names(item.read(start, word), memory))
        else:
            targets.extend((number, 1) for term in terms for number in _names(term, memory))
    return targets


def _guarded_names(value: RegisterValue, memory: Memory) -> list[tuple[int, Value]]:
    """The objects that a register or word may point to, each with its condition (1 bit)."""
    choices = build.choices(value) if isinstance(value, Term) and value.op in ("ite", "add") else None
    if choices is None:
        return [(number, 1) for number in _names(value, memory)]
    return [(number, guard) for guard, address in choices for number in _names(address, memory)]


def _names(value: RegisterValue, memory: Memory) -> set[int]:
    """As names_in(), also of numbers of 32 bits."""
    return {object_of(address_at(word, memory)) for word in words_in(value)} if memory.is_narrow else names_in(value)


def _narrow_names_in_data(data: bytearray, memory: Memory) -> set[int]:
    words = {int.from_bytes(data[start : start + 4], "little") for start in range(0, len(data) - 3, 4)}
    return {object_of(address_at(word, memory)) for word in words if word >= narrow_layout.GRAIN}


def _names_in_data(data: bytearray) -> set[int]:
    return {
        object_named(int.from_bytes(data[start : start + 8], "little"))
        for start in range(0, len(data) - 7, 8)
        if data[start + 5] or data[start + 6] or data[start + 7]
    }


def names_in(value: RegisterValue) -> set[int]:
    """The objects that a register may point to; for a term, those that its constants name."""
    return {object_named(word) for word in words_in(value)}
