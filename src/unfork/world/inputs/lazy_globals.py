"""Global variables of a function run alone: initial values, or part of the input."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import lru_cache, partial

from unfork.engine.memory.lazy_targets import add_untouched, layout_of
from unfork.engine.memory.library_objects import ERRNO_FUNCTIONS, ERRNO_NAME, address_of_errno
from unfork.engine.state.lazy import InputVariable, LazyObject
from unfork.engine.state.memory import object_of
from unfork.engine.step.step import Step
from unfork.errors import InputError, Unsupported
from unfork.program.facts.written import written_variables
from unfork.program.llvm import layout
from unfork.program.llvm.c_types import Array, ProgramVariable, Scalar
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, GlobalVariable, Program

Globals = Callable[[Step, Function], None]
"""Sets global variables at a function's call, in the state and in its assumptions."""

INITIAL = "global variables begin with their initial values"
_OTHERS = "constants, and variables of the C library or without debug information, hold their initial values"
_POINTERS = (
    "each pointer in the input is null, or leads to an object of its own, or to the start of one of its type that was "
    "met before: none leads to a number inside a struct or inside an array, to {}variable or to freed memory"
)
MOST_CELLS = 1 << 16
"""Most cells of a variable in the input."""


def begin_initial(step: Step, function: Function) -> None:
    """Give global variables their initial values."""
    step.state.lazy = step.state.lazy.assuming(_POINTERS.format("a ")).assuming(INITIAL)


def begin_symbolic(step: Step, function: Function, *, only_written: bool = False) -> None:
    """Make the program's own variables symbolic, except constants; assumptions give the values of the others.

    ``only_written``: also except variables that nothing in the program writes.

    Raises InputError for a program whose constructors run before the function does, and could set them.
    """
    program, state = step.program, step.state
    if program.constructors:
        raise InputError(f"--globals: {program.constructors[0]} is a constructor, which sets variables first")
    prototype = program.c_types.prototype(function.name)
    used = set() if prototype is None else {parameter.name for parameter in prototype.parameters}
    lazy = state.lazy.assuming(_POINTERS.format("any other ")).assuming(_OTHERS)
    variables = []
    written = written_variables(program) if only_written else program.globals
    for name, declared, variable in own_variables(program):
        reason = _hindrance(program, function, declared, variable)
        if name not in written:
            reason = reason or "nothing in the program writes it"
        if reason is not None:
            lazy = lazy.assuming(f"the variable {variable.name} begins with its initial value: {reason}")
            continue
        lazy_object = _input_object(step, function, name, variable, used)
        used.add(lazy_object.path.removeprefix("&"))
        variables.append(lazy_object)
    if _reads_errno(program):
        variables.append(_errno(step))
    state.lazy = lazy.with_globals(variables)
    for lazy_object in variables:
        size, capacity = layout_of(step.limits, lazy_object)
        add_untouched(state.memory, lazy_object, size, capacity)


CHOICES: dict[str, Globals] = {
    "initial": begin_initial,
    "written": partial(begin_symbolic, only_written=True),
    "symbolic": begin_symbolic,
}
"""By the values of --globals."""


def own_variables(program: Program) -> Iterator[tuple[str, GlobalVariable, ProgramVariable]]:
    """(linker name, global, C variable) of each variable that the program defines and may change."""
    for name in program.globals:
        if name in program.aliases:
            continue
        try:
            declared = program.globals[name]
        except Unsupported:
            continue  # reported when the program accesses it
        if declared.constant or declared.initializer is None or not declared.reference:
            continue
        if declared.position is None or LIBRARY_FOLDER in declared.position.file:
            continue
        variable = program.c_types.variable(declared.reference)
        if variable is not None:
            yield name, declared, variable


@lru_cache(maxsize=4)
def _reads_errno(program: Program) -> bool:
    """Whether the program's own code uses errno: what it holds at first is left from a call before."""
    return any(not ERRNO_FUNCTIONS.isdisjoint(program.outlines.called(name)) for name in program.own)


def _errno(step: Step) -> LazyObject:
    kind = Scalar("int", 4, "signed")
    number, cells = object_of(address_of_errno()), step.program.c_types.cells(kind)
    known = InputVariable(ERRNO_NAME, is_foreign=False)
    return LazyObject(number, f"&{ERRNO_NAME}", kind, cells, 1, is_stated=True, variable=known)


def _hindrance(program: Program, function: Function, declared: GlobalVariable, variable: ProgramVariable) -> str | None:
    """Why a variable cannot be part of the input; None if it can."""
    kind = variable.type
    element = kind.element if isinstance(kind, Array) else kind
    cells = program.c_types.cells(element)
    if not variable.unit:
        return "it is declared in a function"
    if declared.thread_local:
        return "each thread has one of its own"
    if variable.is_static and variable.unit != program.c_types.unit(function.name):
        return f"it is static in another file than {function.source_name}"
    if kind.size != layout.size_of(declared.type) or kind.size == 0:
        return f"its size is not that of its type, {kind.name}"
    if cells is None or kind.size // element.size * len(cells.cells) > MOST_CELLS:
        return f"its type, {kind.name}, is not built or has more than {MOST_CELLS} cells"
    return None


def _input_object(
    step: Step, function: Function, name: str, variable: ProgramVariable, used: Container[str]
) -> LazyObject:
    """A name in ``used`` gets brackets."""
    kind, types = variable.type, step.program.c_types
    is_array = isinstance(kind, Array)
    element = kind.element if isinstance(kind, Array) else kind
    shown = variable.name
    while shown in used:
        shown = f"({shown})"
    cells = types.cells(element)
    known = InputVariable(name, variable.unit != types.unit(function.name))
    return LazyObject(
        object_of(step.statics.address(name)),
        shown if is_array else f"&{shown}",
        element,
        cells,
        (kind.size - (cells.base if cells else 0)) // element.size,
        is_stated=True,
        variable=known,
    )
