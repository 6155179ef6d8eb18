"""Reasons why a proof may not cover all that a competition lets a program do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from unfork.engine.explore.distance import branch_targets
from unfork.engine.step.branch_coverage import Edge
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.sections import OPEN_FUNCTIONS
from unfork.program.llvm.ir import (
    Aggregate,
    Branch,
    Call,
    ConstantExpression,
    GlobalAddress,
    IndirectBranch,
    Invoked,
    Operand,
    Return,
)
from unfork.program.llvm.module import Function, GlobalVariable, Program
from unfork.program.llvm.types import PointerType, VoidType
from unfork.program.llvm.uses import operands_of, registers_read
from unfork.world.kernel.known_functions import library
from unfork.world.library import (
    ctype_functions,
    locks,
    memory_functions,
    number_functions,
    string_functions,
    thread_models,
)
from unfork.world.library.verifier_api import MODELS, NONDET_PREFIXES

# --- functions of the C library whose results depend on arguments and memory alone, by the C standard

_OPEN = frozenset(("rand", "srand", "random", "srandom", "malloc_usable_size", "strcoll"))
"""Results that an implementation may choose."""
_EXACT = (
    "fabs",
    "fmin",
    "fmax",
    "fdim",
    "copysign",
    "ceil",
    "floor",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "sqrt",
    "fmod",
)
_MATHEMATICS = frozenset(
    (
        *[name + letter for name in (*_EXACT, "lrint", "lround", "llround", "remainder") for letter in ("", "f", "l")],
        *[name + letter for name in ("isnan", "isinf", "finite", "signbit") for letter in ("", "f", "l")],
        *[f"__{name}{letter}" for name in ("isnan", "isinf", "finite", "signbit") for letter in ("", "f", "l")],
        *[f"__fpclassify{letter}" for letter in ("", "f", "l")],
    )
)
ENDINGS = ("exit", "_Exit", "_exit", "abort", "__assert_fail", "__assert", "__assert_rtn")
"""Functions that do not return."""
_PRINTING = ("printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fflush", "perror", "fwrite")
_SORTING = ("bsearch", "div", "ldiv", "lldiv", "atexit", "setjmp", "_setjmp", "longjmp")
CLOSED = frozenset(
    (
        *(*memory_functions.MODELS, *string_functions.MODELS, *ctype_functions.MODELS, *number_functions.MODELS),
        *(*_MATHEMATICS, *ENDINGS, *_PRINTING, *_SORTING),
        *(*locks.MODELS, *thread_models.MODELS, *OPEN_FUNCTIONS),
    )
).difference(_OPEN)
"""Printing counts for its effect alone: no property is about output. malloc and pthread_create do not fail."""


_OURS = ("llvm.", "__ubsan_handle_", "unfork_", "__CPROVER_", *NONDET_PREFIXES)
"""Prefixes of functions that are no part of the world."""


def all_names(program: Program) -> frozenset[str]:
    """The functions and variables that the program's own code and data name."""
    return program.mentioned(program.own)


def reached_names(program: Program, running: Iterable[Function], covered: Collection[Edge]) -> frozenset[str]:
    """Those that are named by code that may have run: in ``running`` functions, by the ``covered`` edges."""
    names = set(program.mentioned(()))
    by_function: dict[str, list[Edge]] = {}
    for edge in covered:
        by_function.setdefault(edge[0], []).append(edge)
    for function in running:
        if function.name not in program.library:
            for index in reached_blocks(function, by_function.get(function.name, ())):
                block = function.blocks[index]
                for instruction in (*block.phis, *block.body):
                    names.update(_names_in(operands_of(instruction)))
    return frozenset(names)


def reached_blocks(function: Function, covered: Collection[Edge]) -> set[int]:
    """The blocks that may have run: those that a covered edge leads to, and what follows without a branch.

    A path in a loop may have left it: a stepper that takes a loop at once may cover no edge of it.
    """
    flow = control_flow(function)
    waiting, reached = [0], set[int]()
    for name, index, successor in covered:
        if name == function.name:
            waiting.append(branch_targets(function.blocks[index])[successor])
    while waiting:
        index = waiting.pop()
        if index in reached:
            continue
        reached.add(index)
        if isinstance(function.blocks[index].body[-1], Branch | IndirectBranch | Invoked):
            waiting += flow.successors[index]
        for loop in flow.loops.values():
            if index in loop:
                waiting += [each for block in loop for each in flow.successors[block]]
    return reached


def _names_in(operands: Iterable[Operand]) -> Iterator[str]:
    waiting = list(operands)
    while waiting:
        match waiting.pop():
            case GlobalAddress(name):
                yield name
            case Aggregate(elements):
                waiting += elements
            case ConstantExpression(instruction):
                waiting += operands_of(instruction)
            case _:
                pass


def doubts(program: Program, names: Iterable[str]) -> Iterator[str]:
    """The answers of the world on which the program may depend and of which a run tries one, in words.

    An undefined function is not among them, since its call ends a path as unsupported; nor is one that returns nothing
    and writes nothing.
    """
    if _looks_at_arguments(program):
        yield "main looks at its arguments, of which the run gives one choice"
    for name in sorted(names):
        if name in CLOSED or name in MODELS or name.startswith(_OURS):
            continue
        variable = _library_variable(program, name)
        if variable is None and name in program.declarations.keys() | program.library and _answers(program, name):
            yield f"the result of {name}() is one choice of many"
        elif variable is not None and not variable.constant:  # as stdin and its like are
            yield f"what the library keeps in {name} is one choice of many"


def _answers(program: Program, name: str) -> bool:
    """Whether a function outside of the program can be called, and can pass a value to its caller."""
    while isinstance(target := program.aliases.get(name), GlobalAddress):
        name = target.name
    if name in program.defined:
        type = program.function(name).type
    else:
        type = program.declarations[name]
        if library().find(name) is None and name not in program.weak and name not in program.stubs:
            return False
    is_told = type.variadic or any(isinstance(each, PointerType) for each in type.parameters)
    return is_told or not isinstance(type.result, VoidType)


def _library_variable(program: Program, name: str) -> GlobalVariable | None:
    """The variable of that name in a library; None if there is none."""
    target = program.aliases.get(name)
    name = target.name if isinstance(target, GlobalAddress) else name
    return program.globals[name] if name in program.library and name in program.globals else None


def returns(program: Program, name: str) -> bool:
    """Whether a call of the function may return: whether a return is reached without a call that ends the program."""
    if name not in program.defined:
        return True
    function = program.function(name)
    successors = control_flow(function).successors
    waiting, seen = [0], {0}
    while waiting:
        block = waiting.pop()
        for instruction in function.blocks[block].body:
            if isinstance(instruction, Return):
                return True
            if isinstance(instruction, Call) and _ends_program(instruction):
                break
        else:
            waiting += [each for each in successors[block] if each not in seen]
            seen.update(successors[block])
    return False


def _ends_program(call: Call) -> bool:
    return isinstance(call.callee, GlobalAddress) and call.callee.name in ENDINGS


def _looks_at_arguments(program: Program) -> bool:
    """Whether main has parameters and reads them."""
    if "main" not in program.defined:
        return False
    main = program.function("main")
    count = len(main.type.parameters)
    return any(number < count for instruction in main.instructions() for number in registers_read(instruction))
