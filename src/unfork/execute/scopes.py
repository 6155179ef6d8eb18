"""The lives of locals within a frame: scopes that are entered and left, and variable-length arrays."""

from __future__ import annotations

from unfork.execute.handlers import Arguments
from unfork.execute.step import Step
from unfork.llvm.ir import Call
from unfork.llvm.types import Position
from unfork.logic import build
from unfork.logic.term import Term
from unfork.state.memory import MemoryObject, object_of
from unfork.state.state import RegisterValue, State


def lifetime_start(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """A scope is entered: the local's bytes are uninitialised (again)."""
    number = _number(arguments[-1])
    memory = step.state.memory
    frame = step.state.frames[-1]
    if number in frame.locals and number in memory.objects:
        item = memory.writable(number)
        item.make_uninitialised(0, len(item.data))
        item.label = None  # its unwritten bytes are other bytes than those of the last time
        item.vanish(0)
    elif frame.ended is not None and (ended := frame.ended.get(number)) is not None:
        capacity = len(ended.data)
        fresh = MemoryObject.unwritten(capacity, ended.size, ended.kind, ended.name, ended.site, ended.type)
        memory.add(number, fresh)
    return None


def lifetime_end(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """A scope is left: the local is gone until its scope is entered again."""
    leave_scope(step.state, _number(arguments[-1]), step.position)
    return None


def leave_scope(state: State, number: int, position: Position | None) -> None:
    """End the life of a local of the top frame until its scope is entered again."""
    frame = state.frames[-1]
    item = state.memory.objects.get(number)
    if item is not None and number in frame.locals:
        if frame.ended is None:
            frame.ended = {}
        frame.ended[number] = item
        state.memory.free(number, "its scope was left", position)


def stack_save(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """A mark: how many locals the frame has."""
    return 1 + len(step.state.frames[-1].locals)


def stack_restore(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """The locals made since the mark are gone."""
    mark = step.concretize(arguments[0], 64, 1, "a stack mark") if arguments[0] is not None else 0
    frame = step.state.frames[-1]
    if not 0 < mark <= 1 + len(frame.locals):
        step.unsupported("a stack mark that stacksave did not make")
    for number in frame.locals[mark - 1 :]:
        if number in step.state.memory.objects:
            step.state.memory.free(number, "its scope was left", step.position)
    frame.locals = frame.locals[: mark - 1]
    return None


def _number(pointer: RegisterValue) -> int:
    if isinstance(pointer, Term):  # a local of a state that stands for many: its base is known
        pointer = build.constant_offset(pointer)[0]
    return object_of(pointer) if isinstance(pointer, int) else 0


SCOPES = {
    "llvm.lifetime.start": lifetime_start,
    "llvm.lifetime.end": lifetime_end,
    "llvm.stacksave": stack_save,
    "llvm.stackrestore": stack_restore,
}
