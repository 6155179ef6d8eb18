"""Calls: to program functions, through pointers, to the library and to intrinsics; varargs and setjmp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from unfork.engine.instructions.access import store_typed
from unfork.engine.instructions.activations import SCOPES, activation_of, enter, unwind
from unfork.engine.memory.loads import load, store, store_pointer
from unfork.engine.memory.ranges import copy
from unfork.engine.memory.resolve import UNKNOWN_ARGUMENTS
from unfork.engine.memory.visible_models import visible_model
from unfork.engine.protocols.fault import Aspect, SpecialFault
from unfork.engine.state.flat_layout import address_at
from unfork.engine.state.memory import MemoryObject, address_of
from unfork.engine.state.state import JUMP_TARGETS, RegisterValue
from unfork.engine.step.handlers import Arguments, Handler, nothing, unsupported
from unfork.engine.step.operands import Registers, Semantics, convert, define, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.function_facts import FactsTable, FunctionFacts
from unfork.program.facts.summarisable_loops import Purity
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call, GlobalAddress, InlineAssembly, MetadataOperand, Operand, Register, Undefined
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import NARROW_POINTER

VARIADIC_SITE = -1
BYVAL_SITE = -2
READ_BEYOND = 48
"""Bytes that a C library may read past the last variadic argument, as six words of registers."""
TARGETS_OF_A_CALL = 64
SETJMP = frozenset(["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"])
LONGJMP = frozenset(["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"])
UNDEFINED_PREFIX = "unfork.undefined."
KEEP_PREFIX = "unfork.keep"


class Modelled(Protocol):
    """The functions that the engine models."""

    def find(self, name: str) -> Handler | None:
        """The model of an undefined function; None if there is none."""

    def override(self, name: str) -> Handler | None:
        """The model that replaces even the program's definition of a function."""

    def is_pure(self, name: str) -> bool:
        """Whether the model of this name only computes a value."""

    def sizes(self, name: str) -> tuple[int, ...]:
        """The positions of arguments that are numbers of bytes or elements, whose value the model asks for."""


class AssemblyMeaning(Protocol):
    """The inline assembly that the engine models."""

    def find(self, assembly: InlineAssembly) -> Handler | None:
        """The model of a template, or None."""


Target = Function | Handler
Gather = Callable[[Step, Registers], list[RegisterValue]]
"""Reads the arguments of a call."""


class Callees:
    """Finds what a call reaches: by name, or by address."""

    def __init__(self, statics: Statics, facts: FactsTable, library: Modelled, assembly: AssemblyMeaning) -> None:
        self._statics = statics
        self._facts = facts
        self._library = library
        self._assembly = assembly
        self._known: dict[str, Target] = {}
        self._defined = frozenset(statics.program.defined)
        self._purity = Purity(self._program_function, self._models_purely)

    def named(self, name: str) -> Target:
        """The function ``name``: the engine's override, the program's function, or the library's model."""
        target = self._known.get(name)
        if target is None:
            target = self._known[name] = self._look_up(name)
        return target

    def _look_up(self, name: str) -> Target:
        override = self._library.override(name)
        if override is not None:
            return self._visible(name, override)
        if name in self._defined:
            return self._statics.program.function(name)
        alias = self._statics.program.aliases.get(name)
        if isinstance(alias, GlobalAddress):
            return self.named(alias.name)
        if name.startswith(UNDEFINED_PREFIX):
            return _undefined
        if name.startswith((KEEP_PREFIX, "llvm.va_end")):
            return nothing
        if name.startswith("llvm.va_start"):
            return _va_start
        if name.startswith("llvm.va_copy"):
            return _va_copy
        scope = SCOPES.get(name) or SCOPES.get(name.rpartition(".")[0])
        if scope is not None:
            return scope
        if name in SETJMP:
            return _setjmp
        if name in LONGJMP:
            return _longjmp
        is_weak = name in self._statics.program.weak
        missing = _null(name) if is_weak else unsupported(f"call of the undefined function {name}")
        model = self._library.find(name)
        return self._visible(name, model) if model else self._statics.program.stubs.get(name) or missing

    def _visible(self, name: str, model: Handler) -> Handler:
        return visible_model(name, model) if self._statics.makes_threads else model

    def is_pure(self, name: str) -> bool:
        """Whether a call of ``name`` only computes a value."""
        return self._purity.computes(name)

    def _program_function(self, name: str) -> tuple[Function, ControlFlow] | None:
        target = self.named(name)
        return (target, self._facts[target].flow) if isinstance(target, Function) else None

    def _models_purely(self, name: str) -> bool:
        return not isinstance(self.named(name), Function) and self._library.is_pure(name)

    def is_modelled(self, call: Call) -> bool:
        """Whether a call certainly reaches a model. Reads no function of the program."""
        callee = call.callee
        if not isinstance(callee, GlobalAddress):
            return isinstance(callee, InlineAssembly)
        program = self._statics.program
        if callee.name in self._defined or callee.name in program.aliases:
            return self._library.override(callee.name) is not None
        return callee.name not in program.stubs or self._library.find(callee.name) is not None

    def as_declared(self, call: Call) -> FunctionFacts | None:
        """Facts about a program function, if a call by name passes exactly the types of its definition."""
        target = self.named(call.callee.name) if isinstance(call.callee, GlobalAddress) else None
        if not isinstance(target, Function) or not _is_as_declared(target, call):
            return None
        return self._facts[target] if target.type.result == call.type.result else None

    def at(self, step: Step, address: int) -> Target:
        """The function at an address, or at its number; anything else is an invalid call."""
        name = self._statics.function_at(address_at(address, step.state.memory))
        if name is None:
            if address == 0:
                step.fail("null-dereference", "call through a null pointer")
            words = f"call through {address:#x}, which is no function"
            step.fail("invalid-call", SpecialFault(Aspect.NO_FUNCTION, words))
        return self.named(name)

    def assembly(self, assembly: InlineAssembly) -> Target:
        """The meaning of inline assembly."""
        return self._assembly.find(assembly) or unsupported(f"inline assembly {assembly.template!r}")

    def compile(self, call: Call) -> Semantics:
        return _in_place(self._nested(call)) if call.is_last else self._nested(call)

    def _nested(self, call: Call) -> Semantics:
        arguments_of = _gatherer(call.arguments, self._statics)
        if isinstance(call.callee, GlobalAddress):
            return self._direct(call, call.callee.name, arguments_of)
        target_of = self._target_of(call)

        def run(step: Step, registers: Registers) -> None:
            target = target_of(step, registers)
            arguments = arguments_of(step, registers)
            if isinstance(target, Function):
                call_defined(step, target, call, arguments)
            else:
                _call_model(step, registers, target, call, arguments)

        return run

    def _direct(self, call: Call, name: str, arguments_of: Gather) -> Semantics:
        target: Target | None = None
        as_declared = False

        def run(step: Step, registers: Registers) -> None:
            nonlocal target, as_declared
            if target is None:
                target = self.named(name)
                as_declared = isinstance(target, Function) and _is_as_declared(target, call)
            arguments = arguments_of(step, registers)
            if as_declared:
                enter(step, target, arguments, ())  # type: ignore[arg-type]  # a function
            elif isinstance(target, Function):
                call_defined(step, target, call, arguments)
            else:
                _call_model(step, registers, target, call, arguments)

        return run

    def _target_of(self, call: Call) -> Callable[[Step, Registers], Target]:
        if isinstance(call.callee, InlineAssembly):
            template = self.assembly(call.callee)
            return lambda step, registers: template
        callee_of = reader(call.callee, self._statics)

        def pointed_to(step: Step, registers: Registers) -> Target:
            address = callee_of(step, registers)
            return self.at(step, step.concretize(address, 64, TARGETS_OF_A_CALL, "target of an indirect call"))

        return pointed_to


def _in_place(run: Semantics) -> Semantics:
    """A call whose callee replaces its caller's frame. Not with threads, whose sections follow the frames."""

    def take_over(step: Step, registers: Registers) -> None:
        depth = len(step.state.frames)
        run(step, registers)
        frames = step.state.frames
        if len(frames) == depth + 1 > 2 and not frames[-1].locals and not step.has_threads:
            callee = frames.pop()
            unwind(step.state, depth - 1)
            arguments = callee.registers[: len(callee.function.type.parameters)]
            enter(step, callee.function, arguments, callee.variadic)

    return take_over


def _gatherer(operands: Sequence[Operand], statics: Statics) -> Gather:
    registers_at = [(i, operand.index) for i, operand in enumerate(operands) if isinstance(operand, Register)]
    if any(isinstance(operand, Undefined | MetadataOperand) for operand in operands):
        readers = [reader(operand, statics) for operand in operands]
        return lambda step, registers: [read(step, registers) for read in readers]
    constants = [None if isinstance(operand, Register) else statics.constant(operand) for operand in operands]

    def gather(step: Step, registers: Registers) -> list[RegisterValue]:
        arguments = constants.copy()
        for i, register in registers_at:
            arguments[i] = registers[register]
        return arguments

    return gather


def _call_model(step: Step, registers: Registers, model: Handler, call: Call, arguments: list[RegisterValue]) -> None:
    value = model(step, tuple(arguments), call)
    if call.result >= 0:
        registers[call.result] = define(step, None, call.type.result) if value is None else value


def _is_as_declared(target: Function, call: Call) -> bool:
    kinds = tuple([operand.type for operand in call.arguments])
    return not target.type.variadic and kinds == target.type.parameters and not any(target.parameter_byval)


def call_defined(step: Step, target: Function, call: Call, arguments: list[RegisterValue]) -> None:
    """Enter a program function. Excess arguments are ignored, missing ones undefined."""
    parameters = target.type.parameters
    count = len(parameters)
    passed = arguments[:count]
    copies: tuple[int, ...] = ()
    for position, kind in enumerate(parameters):
        if position >= len(passed):
            passed.append(define(step, None, kind))
        elif target.parameter_byval[position] is not None:
            copies += (_byval_copy(step, target, position, passed[position]),)
            passed[position] = address_of(copies[-1])
        elif position < len(call.arguments):
            passed[position] = convert(step, passed[position], call.arguments[position].type, kind)
    variadic: tuple[RegisterValue, ...] = ()
    if target.type.variadic:
        rest = zip(call.arguments[count:], call.byval[count:], arguments[count:], strict=True)
        variadic = tuple([(operand.type, byval, value) for operand, byval, value in rest])
    enter(step, target, passed, variadic)
    step.state.frames[-1].locals = copies


def _byval_copy(step: Step, target: Function, position: int, pointer: RegisterValue) -> int:
    kind = target.parameter_byval[position]
    assert kind is not None
    size = layout.size_of(kind)
    state = step.state
    frame = state.frames[-1]
    activation = activation_of(state.frames, len(state.frames) - 1, step.names)
    calls = (frame.calls or {}).get(target.name, 0)
    name = f"{frame.function.name}>{target.name}"
    number = step.names.captured_local(activation, name, BYVAL_SITE - position, calls, size, 1)
    item = MemoryObject(bytearray(size), size, "stack", "argument", site=step.position, type=kind)
    state.memory.add(number, item)
    copy(step, address_of(number), pointer, size)
    return number


# --- functions that are part of the execution model ---


def _null(name: str) -> Handler:
    message = f"call of the weak function {name}, which nothing defines"
    return lambda step, arguments, call: step.fail("null-dereference", message)


def _undefined(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    return step.fresh("uninitialised", layout.bits_of(call.type.result), "uninit")


def _va_start(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """Build the x86-64 va_list with its register area used up, so that all arguments are read from memory, or i386's,
    which is the address of the next argument.
    """
    state = step.state
    frame = state.frames[-1]
    activation = activation_of(state.frames, len(state.frames) - 1, step.names)
    if state.memory.is_narrow:
        offsets, size = _narrow_variadic_layout(step, frame.variadic)
    else:
        offsets, size = _variadic_layout(frame.variadic)
    if frame.function.name in step.program.library:
        size += READ_BEYOND
    number = step.names.captured_local(activation, frame.function.name, VARIADIC_SITE, 0, size, 1)
    area = address_of(number)
    if number not in state.memory.objects:
        name = "variadic arguments" if len(state.frames) > 1 else UNKNOWN_ARGUMENTS
        item = MemoryObject(bytearray(size), size, "stack", name, site=step.position)
        state.memory.add(number, item)
        frame.locals += (number,)
        for offset, (kind, byval, value) in zip(offsets, frame.variadic, strict=True):
            if isinstance(value, int) and byval is None and kind != NARROW_POINTER:
                step.state.memory.writable(number).write(offset, layout.store_size(kind), value)
            elif byval is not None:
                copy(step, area + offset, value, layout.size_of(byval))
            else:
                store_typed(step, area + offset, value, kind)
    if state.memory.is_narrow:
        store_pointer(step, arguments[0], area)
    else:
        store(step, arguments[0], 48 | 176 << 32 | area << 64, 24)
    return None


def _variadic_layout(variadic: tuple[RegisterValue, ...]) -> tuple[list[int], int]:
    """The offsets of variadic arguments in the overflow area, and its size: 8-byte slots, 16-byte types aligned."""
    offsets, offset = [], 0
    for kind, byval, _ in variadic:
        whole = byval or kind
        if layout.alignment_of(whole) >= 16:
            offset = (offset + 15) & ~15
        offsets.append(offset)
        offset += (layout.size_of(whole) + 7) & ~7
    return offsets, offset


def _narrow_variadic_layout(step: Step, variadic: tuple[RegisterValue, ...]) -> tuple[list[int], int]:
    """The same on i386: all arguments in memory, in 4-byte slots."""
    offsets, offset = [], 0
    for kind, byval, _ in variadic:
        whole = byval or kind
        if layout.alignment_of(whole) > 8:
            step.unsupported("a variadic argument that is aligned to 16 bytes, where pointers have 32 bits")
        offsets.append(offset)
        offset += (layout.size_of(whole) + 3) & ~3
    return offsets, offset


def _va_copy(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    copy(step, arguments[0], arguments[1], 4 if step.state.memory.is_narrow else 24)
    return None


def _setjmp(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    state = step.state
    depth = len(state.frames)
    frame = state.frames[-1]
    targets = state.remembered[JUMP_TARGETS]
    key = len(targets) + 1
    store(step, arguments[0], key, 8)
    activation = activation_of(state.frames, depth - 1, step.names)
    state.remembered[JUMP_TARGETS] = {**targets, key: (activation, depth, frame.block, frame.index)}
    return 0


def _longjmp(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    state = step.state
    key = step.concretize(load(step, arguments[0], 8), 64, 2, "a jump buffer")
    target = state.remembered[JUMP_TARGETS].get(key)
    if target is None:
        step.fail("invalid-call", "longjmp with a buffer that setjmp did not fill")
    activation, depth, block, index = target
    frames = state.frames
    if len(frames) < depth or activation_of(frames, depth - 1, step.names) != activation:
        step.fail("invalid-call", "longjmp into a function that has returned")
    unwind(state, depth)
    frame = state.frames[-1]
    frame.block, frame.index = block, index
    setjmp = frame.function.blocks[block].body[index - 1]
    value: Value = arguments[1]
    if setjmp.result >= 0:
        zero = build.eq(value, 0, 32)
        frame.registers[setjmp.result] = build.ite(zero, 1, value, 32)
    return None
