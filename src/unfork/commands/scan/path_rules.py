"""The rules about what a path did before any pointer or number of its input is compared."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.commands.scan.failing_input import (
    FunctionPointer,
    called_undefined,
    function_pointers,
    given_by_undefined,
    is_chosen,
    is_local,
    parts_of_world,
    raw_class,
    symbols_of,
)
from unfork.commands.scan.fault_case import FaultCase
from unfork.commands.scan.judgement import CERTAIN, CONDITIONAL, LIKELY, UNDECIDED, Grounds
from unfork.commands.scan.leak_claims import LEAK, LOST_BY
from unfork.commands.scan.siblings import runs_through_pointer
from unfork.commands.scan.unset_variables import unset_variable
from unfork.engine.protocols.fault import Aspect
from unfork.engine.state.inputs import UNWRITTEN
from unfork.engine.state.lazy import LazyHeap
from unfork.engine.state.memory import object_of
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.terms.term import Term
from unfork.program.c.callbacks import PREFIX, stands_for
from unfork.program.c.object_calls import GivenArgument, ObjectCall
from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.functions_together import functions_together
from unfork.program.facts.library_calls import variables_of_library
from unfork.program.facts.passed_callbacks import passed_functions, stand_ins
from unfork.program.llvm.c_types import Pointer, RecordType
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import PointerType

_LEFT_TO_CALLBACKS = (LEAK, UNINITIALISED)
AT_THE_END = frozenset((LEAK, LOST_BY, "cleanup", "nontermination", "data-race", "deadlock"))
"""Kinds of errors that do not happen at the line that they are reported at."""
_THROWS_AGAIN = "__cxa_rethrow"
_UNSET = frozenset(("null-dereference", "div-by-zero"))
TOO_EARLY = frozenset(("double-free", "invalid-free", "use-after-free"))
"""Kinds of errors in which something is used, or freed, that is gone."""
ASSERTIONS = frozenset(("assert", "abort", "reach-error", "unreachable", "user"))
"""Kinds of errors by which a program states its preconditions."""


class Asserted:
    """The program states that this never happens: an assertion is a precondition."""

    name, certainty = "assertion", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.fault.kind not in ASSERTIONS:
            return None
        return Grounds("the program itself says that this never happens", case.fault.message)


class CallsNoFunction:
    """A pointer leads to no function. Callers know which functions it may lead to."""

    name, certainty = "no-function", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.fault.aspect is not Aspect.NO_FUNCTION:
            return None
        return Grounds("it needs a pointer to a function that leads to none")


class RunsOutsideHandler:
    """An exception is thrown again where none is being handled. A function that begins so is called by handlers."""

    name, certainty = "outside-handler", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        is_thrown = any(frame.function.name == _THROWS_AGAIN for frame in case.state.frames)
        if not is_thrown or case.fault.aspect is not Aspect.NO_EXCEPTION:
            return None
        return Grounds("it throws an exception again, and only a handler that calls it has one", "a handler calls it")


class RunsOwnCallback:
    """It fails in a static function to which an argument leads. Only the project can pass that, with what it needs."""

    name, certainty = "own-callback", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        program, running = case.scanned.program, {frame.function for frame in case.state.frames}
        for argument in case.lazy.arguments:
            name = case.lazy.functions.get(argument.value) if isinstance(argument.value, int) else None
            function = program.functions.get(name or "")
            if function is not None and function.is_static and function in running:
                reason = f"it needs {argument.name} to lead to {name}, which only functions here can pass"
                return Grounds(reason, f"{argument.name} does not lead to {name}")
        return None


class RunsChosenFunction:
    """The path ran a function of the project where a caller chooses one. With another one there it may do well."""

    name, certainty = "chosen-function", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        program = case.scanned.program
        for each in function_pointers(case.lazy, program.c_types):
            name = case.lazy.functions.get(each.address, "")
            if name not in program.defined or name.startswith(PREFIX) or not is_chosen(each, case.lazy):
                continue
            if _passes(program, case, each, name) or _offers(program, case.lazy, each):
                continue
            if _fails_with_all(program, case, each, name):
                continue
            if runs_through_pointer(program, name, case.siblings.places):
                goal = program.function(name).source_name
                reason = f"it runs {goal}, and the caller chooses where {each.path} leads"
                return Grounds(reason, f"{each.path} does not lead to {goal}", about=(each.path,))
        return None


def _passes(program: Program, case: FaultCase, pointer: FunctionPointer, name: str) -> bool:
    """Whether the project itself passes a function of its own for an argument."""
    if pointer.place is not None:
        return False
    driver = program.object_drivers.get(case.scanned.function.name)
    taken = {(case.scanned.function.name, pointer.path)}
    if driver is not None:
        calls = [call for group in (*driver.makers, *driver.steps, (driver.entry,)) for call in group]
        taken = {place for call in calls for place in _taken(program, call, pointer.path)}
    return any(name in passed_functions(program).get(place, ()) for place in taken)


def _offers(program: Program, lazy: LazyHeap, pointer: FunctionPointer) -> bool:
    """Whether a variable that users can name has the function, and all others that the path read beside it."""
    if pointer.place is None:
        return False
    number, offset = pointer.place
    item = lazy.find(number)
    if item is None or not isinstance(item.type, RecordType):
        return False
    element, size, read = offset // item.type.size, item.type.size, dict[int, str | None]()
    for each in function_pointers(lazy, program.c_types):
        if each.place is not None and each.place[0] == number and each.place[1] // size == element:
            read[each.place[1] % size] = lazy.functions.get(each.address)
    offered = functions_together(program).get(item.type, ())
    return any(all(given.get(at) == function for at, function in read.items()) for given in offered)


def _fails_with_all(program: Program, case: FaultCase, pointer: FunctionPointer, name: str) -> bool:
    """Whether paths to the fault have each function of the project there, and nothing stands for others of the type."""
    types = program.c_types
    if isinstance(pointer.type, Pointer) and types.callback(pointer.type) in program.defined:
        return False  # the path with that one is judged by itself
    alike = {each for each in address_taken(program) if types.routine(each) == types.routine(name)}
    heaps = [failed.state.lazy for failed in case.paths]
    found = ((heap, each) for heap in heaps for each in function_pointers(heap, types) if each.path == pointer.path)
    return len(alike) > 1 and alike <= {heap.functions.get(each.address) for heap, each in found}


def _taken(program: Program, call: ObjectCall, argument: str) -> Iterator[tuple[str, str]]:
    """The parameters of a function for which a call of a driver's passes one of the driver's arguments."""
    prototype = program.c_types.prototype(call.function)
    for parameter, given in zip(() if prototype is None else prototype.parameters, call.arguments, strict=False):
        if isinstance(given, GivenArgument) and given.name == argument:
            yield call.function, parameter.name


class LeavesToCallback:
    """A function of the caller's that takes or makes pointers may keep the lost block, or write the unwritten bytes."""

    name, certainty = "callback-block", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        program = case.scanned.program
        if case.fault.kind not in _LEFT_TO_CALLBACKS or case.fault.aspect is Aspect.REGISTER:
            return None
        is_leak = case.fault.kind == LEAK
        may = "keep or free what is lost here" if is_leak else "write what is read here"
        for each in function_pointers(case.lazy, program.c_types):
            name = case.lazy.functions.get(each.address, "")
            if name.startswith(PREFIX) and _has_pointers(program.functions.get(name), has_result=is_leak):
                return Grounds(f"{each.path} is a function of the caller's, which may {may}")
        called = {*called_undefined(case.state)}
        for name in stand_ins(program) if called else ():
            if stands_for(name) in called and _has_pointers(program.function(name), has_result=is_leak):
                return Grounds(f"no file here defines {stands_for(name)}, which may {may}")
        return None


def _has_pointers(function: Function | None, *, has_result: bool) -> bool:
    """Whether a function takes pointers, or ``has_result`` and that is one."""
    kinds = () if function is None else (*function.type.parameters, *([function.type.result] if has_result else []))
    return any(isinstance(kind, PointerType) for kind in kinds)


class UsesUndefinedFunction:
    """It depends on what a function gives that no file here defines, and no header here declares."""

    name, certainty = "undefined-function", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        for name, symbols in given_by_undefined(case.state):
            if case.relevant & symbols:
                return Grounds(f"it depends on what {name} gives, which no file here defines")
        return None


class ReadsUndefinedVariable:
    """The path reads a variable that no file here defines, or one of the C library that others set."""

    name, certainty = "undefined-variable", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        for frame in case.state.frames:
            if frame.function.name not in case.scanned.program.library:
                for name in variables_of_library(case.scanned.program, frame.function):
                    return Grounds(f"it depends on the variable {name} of the C library, which others set")
        if case.fault.kind != UNINITIALISED:
            return None
        variables = case.scanned.program.globals
        for record in case.state.inputs:
            name = record.name.removeprefix(UNWRITTEN).partition("[")[0].partition("+")[0].partition("#")[0]
            if record.kind == "uninit" and name in variables and variables[name].initializer is None:
                return Grounds(f"it depends on the variable {name}, which no file here defines")
        return None


class RunsBeforeSetup:
    """A variable is null, or 0, as when the program begins, and another function of the project sets it."""

    name, certainty = "before-setup", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        if case.fault.kind not in _UNSET or case.scanned.function.name == "main":
            return None
        passed = {place.function for place in case.siblings.places}
        name = unset_variable(case.scanned.program, case.failed, passed)
        return None if name is None else Grounds(f"{name} is not set yet, which another function does")


class ReadsLibraryClass:
    """The path reads members of a class of the C++ library that only its constructors and methods may set."""

    name, certainty = "library-class", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        raw = raw_class(case.lazy, case.scanned.program.c_types)
        return None if raw is None else Grounds(f"it needs the members of {raw} as no constructor might make them")


class FreesTooEarly:
    """Calls on an object that the project makes use what is gone. Which inputs decide alike is not known."""

    name, certainty = "after-calls", LIKELY

    def grounds(self, case: FaultCase) -> Grounds | None:
        is_driver = case.scanned.function.name in case.scanned.program.object_drivers
        if not is_driver or case.fault.kind not in TOO_EARLY or _knows_siblings(case):
            return None
        return Grounds("it uses what is gone, but not all inputs that decide alike are known")


class UsesOwnBlock:
    """A block that the path itself made is used when it is gone. Which inputs decide alike is not known."""

    name, certainty = "own-block", LIKELY

    def grounds(self, case: FaultCase) -> Grounds | None:
        is_own = case.fault.thing is not None and case.fault.thing.line is not None
        if case.fault.kind not in TOO_EARLY or not is_own or case.not_plain or _knows_siblings(case):
            return None
        return Grounds("it uses a block of its own that is gone, but not all inputs that decide alike are known")


class FailsOnContents:
    """Contents of texts, and of blocks of stated size, make it fail, but too many inputs decide alike."""

    name, certainty = "on-contents", LIKELY

    def grounds(self, case: FaultCase) -> Grounds | None:
        if (
            _knows_siblings(case)
            or case.not_plain
            or case.fault.kind in _LEFT_TO_CALLBACKS
            or not _is_on_contents(case)
        ):
            return None
        return Grounds("what texts and blocks hold makes it fail, but not all inputs that decide alike are known")


def _is_on_contents(case: FaultCase) -> bool:
    """Whether texts, and blocks with their size beside them, are all that the path has asked about, but for single
    values of other numbers.
    """
    lazy = case.lazy
    rooms = [each for each in lazy.arguments if each.room is not None]
    filled = {object_of(each.value) for each in rooms if isinstance(each.value, int)}
    filled |= {each.number for each in lazy.objects if each.is_text}
    free = symbols_of(each.room for each in rooms if each.room is not None)
    free |= symbols_of(each.length for each in lazy.objects if each.is_text)
    free |= symbols_of(each for (number, _), each in lazy.numbers.items() if number in filled)
    free |= symbols_of(each.character for points in lazy.points.values() for each in points)
    others = [each for each in case.state.path.constraints() if not each.symbols <= free]
    return bool(case.state.path.length > len(others)) and all(map(_is_single_value, others))


def _is_single_value(condition: Term) -> bool:
    """Whether a condition compares something of one number with a constant, and says whether they are equal."""
    inner = condition.args[0] if condition.op == "not" else condition
    return inner.op == "eq" and len(inner.symbols) == 1 and any(not each.symbols for each in inner.args)


class HasUnknownSiblings:
    """Not all inputs that decide alike could be explored: they are too many or too large."""

    name, certainty = "unknown-siblings", UNDECIDED

    def grounds(self, case: FaultCase) -> Grounds | None:
        if _knows_siblings(case):
            return None
        return Grounds("it is not known whether all inputs that decide alike fail")


def _knows_siblings(case: FaultCase) -> bool:
    return bool(case.failing_alike) and case.siblings.are_known(case.lazy)


class ComparesAddresses:
    """The path depends on where objects lie in memory, which no code can test. Faults of locals still count."""

    name, certainty = "addresses", CONDITIONAL

    def grounds(self, case: FaultCase) -> Grounds | None:
        look = case.siblings.look
        if look is None or is_local(case.fault):
            return None
        return Grounds(f"it depends on where objects lie in memory: {look}")


class EveryInputFails:
    """Every input that takes these decisions fails here."""

    name, certainty = "every-input", CERTAIN

    def grounds(self, case: FaultCase) -> Grounds | None:
        return Grounds("every input that takes these decisions fails here") if case.is_sure else None


class MayHoldAnything:
    """It depends on the contents of a text or a buffer, or on the world, which may be anything."""

    name, certainty = "contents", CERTAIN

    def grounds(self, case: FaultCase) -> Grounds:
        held = " and ".join(parts_of_world(case.failing.state, case.relevant)) or "what text or a buffer holds"
        return Grounds(f"it depends on {held}, which may be anything")
