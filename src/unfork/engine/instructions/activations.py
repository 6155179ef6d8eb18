"""Frames and their names: calls, returns, the end of the program; and locals in the scopes of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.engine.instructions import thread_ends
from unfork.engine.instructions.repetition import FIRST_DEPTH
from unfork.engine.memory import visible_operations
from unfork.engine.memory.leaks import check_exit, check_leaks, remember_result, remember_stack_roots
from unfork.engine.state.inputs import UNWRITTEN
from unfork.engine.state.memory import MemoryObject, object_of
from unfork.engine.state.names import Names
from unfork.engine.state.state import (
    AGENDA,
    EXIT_HANDLERS,
    LEAVES_STATICS,
    OWN_HANDLERS,
    STATUS,
    Frame,
    RegisterValue,
    State,
)
from unfork.engine.state.unbounded import MOST_ELEMENTS, UNBOUNDED
from unfork.engine.step.handlers import Arguments
from unfork.engine.step.operands import Semantics, convert
from unfork.engine.step.step import EXIT_STATUS, UNINITIALISED, ProgramExit, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.c_types import RecordType
from unfork.program.llvm.ir import Call
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType, Position, Type

THREAD_BITS = 32
"""A stack has fewer than 2 to the power of this many calls."""
FRAME_BYTES = 48
"""The least bytes of a call on a C stack: return address, saved registers, alignment."""


def activation_of(frames: Sequence[Frame], depth: int, names: Names) -> int:
    """The name of the activation ``frames[depth]``, which a frame gets on the first request."""
    start = depth
    while start > 0 and not frames[start].activation:
        start -= 1
    if not frames[start].activation:
        frames[start].activation = names.activation(0, frames[start].function.name, frames[start].ordinal)
    for i in range(start + 1, depth + 1):
        parent, frame = frames[i - 1], frames[i]
        frame.activation = names.activation(parent.activation, frame.function.name, frame.ordinal)
    return frames[depth].activation


def depth_of(frames: Sequence[Frame]) -> int:
    """The depth of the stack in names of locals; each thread has its own depths."""
    return len(frames) + (frames[0].ordinal << THREAD_BITS)


def enter(step: Step, function: Function, arguments: list[RegisterValue], variadic: tuple[RegisterValue, ...]) -> None:
    """Call ``function``: add a frame whose first registers are the arguments."""
    state = step.state
    frames = state.frames
    if step.has_threads and frames and visible_operations.crosses(step.program, frames[-1].function, function):
        visible_operations.enter_call(step, function)
    ordinal = stack_bytes = 0
    if frames:
        caller = frames[-1]
        stack_bytes = caller.stack_bytes
        counts = caller.calls
        if counts is None:
            counts = caller.calls = {}
        ordinal = counts.get(function.name, 0)
        counts[function.name] = ordinal + 1
        if stack_bytes > step.limits.stack_size:
            step.fail("stack-overflow", f"more than {step.limits.stack_size >> 20} MiB of stack in use")
    frame = Frame.begin(function, ordinal, stack_bytes + FRAME_BYTES + 8 * len(function.type.parameters), state.token)
    frame.registers[: len(arguments)] = arguments
    frame.variadic = variadic
    frames.append(frame)
    if len(frames) >= FIRST_DEPTH:
        step.looks_back(step)


def run_instruction(step: Step, semantics: Semantics, position: Position | None) -> None:
    """Run the top frame's next instruction, which is at ``position``, for callers that single-step."""
    state = step.state
    frame = state.frames[-1]
    frame.index += 1
    state.instructions += 1
    step.position = position
    step.known_inputs = len(state.inputs)
    try:
        semantics(step, frame.registers)
    except ProgramExit as program_exit:
        finish(step, program_exit.status)


def leave(step: Step, value: RegisterValue) -> None:
    """Return ``value`` from the top frame to its caller, or go on with what follows the last frame."""
    state = step.state
    if len(state.frames) > 1 and state.frames[-2].elsewhere:
        settle_call(step, len(state.frames) - 2)
    if len(state.frames) == 1 and step.has_threads and not state.remembered[AGENDA]:
        thread_ends.end_first_function(step, value)
    if len(state.frames) == 1 and not state.remembered[AGENDA] and state.remembered[STATUS] is None:
        status = _status(state.frames[0].function, value)
        if state.frames[0].function.name == "main":
            step.use(status, EXIT_STATUS)
            if step.has_threads and "leak" in step.limits.checks:
                remember_stack_roots(state, ())
                check_exit(step)
        else:
            _use_result(step, state.frames[0].function, value)
            if "leak" in step.limits.checks:
                remember_result(step.state, value)
        state = step.state
        state.remembered[STATUS] = status
    frame = state.frames.pop()
    release_locals(state, frame)
    if not state.frames:
        run_next(step)
        return
    caller = state.own_top()
    call = caller.function.blocks[caller.block].body[caller.index - 1]
    if call.result >= 0:
        assert isinstance(call, Call)
        returned, expected = frame.function.type.result, call.type.result
        caller.registers[call.result] = value if returned is expected else convert(step, value, returned, expected)
    if step.has_threads and visible_operations.crosses(step.program, caller.function, frame.function):
        visible_operations.leave_section(step)


def settle_call(step: Step, depth: int) -> None:
    """Split a joined path over the calls at which the caller may wait, and choose one."""
    frames = step.state.frames
    call_site = next((other for other in frames[depth].elsewhere if step.decide(other.guard)), None)
    caller = frames[depth] = frames[depth].copy(step.state.token)
    caller.elsewhere = ()
    if call_site is not None:
        (caller.block, caller.index), caller.registers = call_site.point, call_site.registers.copy()


def _use_result(step: Step, function: Function, value: RegisterValue) -> None:
    """The caller of the function that a run begins with uses its result; padding of a struct may be unwritten."""
    if UNINITIALISED not in step.limits.checks or isinstance(value, tuple):
        return
    prototype = step.program.c_types.prototype(function.name)
    if prototype is not None and not isinstance(prototype.result, RecordType):
        step.use(value, f"the result of {function.source_name}")


def _status(function: Function, value: RegisterValue) -> RegisterValue:
    """The exit status (32 bits) when the entry function returns ``value``: 0 if that is no integer."""
    kind = function.type.result
    if value is None or not isinstance(kind, IntType):
        return 0
    return build.trunc(value, kind.width, 32) if kind.width > 32 else build.zext(value, kind.width, 32)


def release_locals(state: State, frame: Frame) -> None:
    """End the life of a frame's stack objects."""
    drop = state.memory.objects.drop
    for number in frame.locals:
        drop(number)


def unwind(state: State, depth: int) -> None:
    """Drop all frames above the first ``depth``."""
    while len(state.frames) > depth:
        release_locals(state, state.frames.pop())
    if state.frames:
        state.own_top()


def finish(step: Step, status: RegisterValue) -> None:
    """exit(status): drop the stack, run exit handlers, newest first, then halt."""
    state = step.state
    thread_ends.end_program(step)
    if "leak" in step.limits.checks:
        remember_stack_roots(state, state.frames)
        check_exit(step)
    unwind(state, 0)
    state.remembered[AGENDA] = ()
    state.remembered[STATUS] = status
    run_next(step)


def may_throw_to_caller(step: Step) -> bool:
    """Whether the caller of the first activation may catch its exceptions."""
    remembered = step.state.remembered
    is_entry = not remembered[AGENDA] and remembered[STATUS] is None
    return is_entry and step.limits.may_throw and not step.has_threads


def go_to_caller(step: Step, exception: RegisterValue) -> None:
    """End a function that runs alone with an exception, which its caller gets like a result."""
    unwind(step.state, 0)
    if "leak" in step.limits.checks:
        remember_result(step.state, exception)
    step.state.remembered[STATUS] = 0
    run_next(step)


def run_next(step: Step) -> None:
    """With an empty stack, start what comes next: constructors and main, then exit handlers, then the end."""
    remembered = step.state.remembered
    agenda, handlers = remembered[AGENDA], remembered[EXIT_HANDLERS]
    if agenda:
        (name, arguments), remembered[AGENDA] = agenda[0], agenda[1:]
        function = step.program.function(name)
        enter(step, function, list(arguments[: len(function.type.parameters)]), ())
        return
    own = () if remembered[LEAVES_STATICS] else remembered[OWN_HANDLERS]
    if own:
        remembered[OWN_HANDLERS] = own[:-1]
        _enter_handler(step, *own[-1])
        return
    if handlers:
        remembered[EXIT_HANDLERS], remembered[LEAVES_STATICS] = handlers[:-1], True
        _enter_handler(step, *handlers[-1])
        return
    if "leak" in step.limits.checks:
        check_leaks(step)
    step.stop("exit", step.state.remembered[STATUS])


def _enter_handler(step: Step, name: str, argument: RegisterValue) -> None:
    function = step.program.function(name)
    enter(step, function, [argument] if function.type.parameters else [], ())


def add_local(
    step: Step, number: int, size: Value, capacity: int, name: str, position: Position | None, type: Type | None
) -> None:
    """Add an uninitialised local. In a proof, a long array of numbers has only the cells that are read.

    Arrays of characters stay whole, since the library often copies bytes.
    """
    proof, element = step.state.proof, 0 if type is None else layout.element_of(type)
    is_known = not isinstance(size, int) or size <= MOST_ELEMENTS * element or UNINITIALISED in step.limits.checks
    if proof.cells is None or element <= 1 or is_known:
        step.state.memory.add(number, MemoryObject.unwritten(capacity, size, "stack", name, position, type))
        return
    step.state.memory.add(number, MemoryObject(bytearray(), size, UNBOUNDED, name, site=position, type=type))
    contents = {**proof.contents, number: proof.cells.unknown(UNWRITTEN + name, element)}
    step.state.proof = replace(proof, contents=contents)


def lifetime_start(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """Enter a scope: the local's bytes are uninitialised (again)."""
    number = _number(arguments[-1])
    memory = step.state.memory
    frame = step.state.frames[-1]
    live = memory.objects.get(number) if number in frame.locals else None
    if live is not None and live.kind != UNBOUNDED:
        item = memory.writable(number)
        item.make_uninitialised(0, len(item.data))
        item.label = None  # its unwritten bytes are new ones
        item.vanish(0)
    elif (ended := live or (frame.ended or {}).get(number)) is not None:
        capacity = ended.size if ended.kind == UNBOUNDED and isinstance(ended.size, int) else len(ended.data)
        add_local(step, number, ended.size, capacity, ended.name, ended.site, ended.type)
    return None


def lifetime_end(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """Leave a scope: the local is gone until the scope is entered again."""
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
    """A mark: the number of the frame's locals."""
    return 1 + len(step.state.frames[-1].locals)


def stack_restore(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """Drop the locals made since the mark."""
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
    if isinstance(pointer, Term):  # a local of a joined state has a known base
        pointer = build.constant_offset(pointer)[0]
    return object_of(pointer) if isinstance(pointer, int) else 0


SCOPES = {
    "llvm.lifetime.start": lifetime_start,
    "llvm.lifetime.end": lifetime_end,
    "llvm.stacksave": stack_save,
    "llvm.stackrestore": stack_restore,
}
