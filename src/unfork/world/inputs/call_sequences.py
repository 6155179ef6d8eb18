"""--calls: sequences of calls on one container (Anand06): a C driver to explore, and the C of each test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unfork.errors import InputError
from unfork.program.llvm.c_types import CType, Opaque, Pointer, Scalar
from unfork.program.llvm.module import Program
from unfork.world.inputs.testcase import TestInput, c_bytes, value_of

FILE = "unfork-calls.c"
LEFT = "calls left"
"""The input for the number of calls. The driver chooses it first and counts down: so a state covers later ones,
which have no more calls left.
"""
CHOICE = "next call"
_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}
_MOST_FUNCTIONS = 250


@dataclass(frozen=True, slots=True)
class Called:
    """A function of the interface; ``numbers``: (name, C type) of each parameter except the container."""

    name: str
    takes_container: bool
    numbers: tuple[tuple[str, str], ...]
    returns_pointer: bool


@dataclass(frozen=True, slots=True)
class CallPlan:
    """Up to ``most`` calls of ``functions``. ``maker`` returns the container; without it, the container is
    ``storage`` zeroed bytes.
    """

    maker: Called | None
    storage: int
    functions: tuple[Called, ...]
    most: int
    is_matched: bool


def plan(program: Program, maker: str | None, names: Sequence[str], most: int, *, is_matched: bool) -> CallPlan:
    """The plan for up to ``most`` calls of ``names``. Raises InputError if a function cannot be called."""
    if len(names) > _MOST_FUNCTIONS:
        raise InputError(f"--calls: more than {_MOST_FUNCTIONS} functions")
    maker_function = None if maker is None else _interface_function(program, maker, "--function")
    functions = tuple([_interface_function(program, name, "--calls") for name in names])
    needed = any(called.takes_container for called in functions)
    storage = 0
    if needed and not (maker_function is not None and maker_function.returns_pointer):
        every = (*functions, *([maker_function] if maker_function else ()))
        takers = [called.name for called in every if called.takes_container]
        storage = max(_container_size(program, name) for name in takers)
    return CallPlan(maker_function, storage, functions, most, is_matched)


def _interface_function(program: Program, name: str, flag: str) -> Called:
    prototype = program.c_types.prototype(name) if name in program.defined else None
    if prototype is None:
        raise InputError(f"{flag} {name}: the program defines no such function, or it has no debug information")
    parameters = list(prototype.parameters)
    takes = bool(parameters) and isinstance(parameters[0].type, Pointer)
    rest = parameters[takes:]
    for parameter in rest:
        if not isinstance(parameter.type, Scalar):
            raise InputError(f"{flag} {name}: its argument {parameter.name} of type {parameter.type.name} is not built")
    if prototype.is_variadic:
        raise InputError(f"{flag} {name}: it takes any number of arguments, which are not built")
    numbers = tuple([(parameter.name, _spelling(parameter.type)) for parameter in rest])
    return Called(name, takes, numbers, isinstance(prototype.result, Pointer))


def _container_size(program: Program, name: str) -> int:
    prototype = program.c_types.prototype(name)
    assert prototype is not None
    pointer = prototype.parameters[0].type
    assert isinstance(pointer, Pointer)
    target = program.c_types.target(pointer)
    if isinstance(target, Opaque):
        raise InputError(f"--calls {name}: the size of {target.name} is not known; name what makes it with --function")
    return target.size


def _spelling(kind: CType) -> str:
    assert isinstance(kind, Scalar)
    if kind.encoding == "boolean":
        return "_Bool"
    if kind.encoding == "float":
        return kind.name
    sign = "unsigned" if kind.encoding.startswith(("unsigned", "UTF")) else "signed"
    return f"{sign} {_INTEGERS[kind.size]}"


def assumption(calls: CallPlan) -> str:
    """The assumption that a run of the plan makes."""
    origin = f"made by {calls.maker.name}" if calls.maker is not None else "of zeros at first"
    names = ", ".join(called.name for called in calls.functions)
    return f"only sequences of up to {calls.most} calls of {names} are made, on one container {origin}"


# --- the driver ------------------------------------------------------------------------------------------------------


def driver(calls: CallPlan, name: str) -> str:
    """C of a function ``name`` that makes any sequence of calls with any arguments.

    Separate functions make the inputs, so that no local of a call outlives it.
    """
    lines = [f'#line 1 "{FILE}"', "#include <unfork.h>", "extern void unfork_settle(void *container);"]
    lines += [*declarations(calls), *_asks("unsigned", "asked_left", LEFT, f"<= {calls.most}")]
    lines += _asks("unsigned char", "asked_choice", CHOICE, f"< {len(calls.functions)}")
    for number, called in enumerate((*calls.functions, *([calls.maker] if calls.maker else ()))):
        lines += [f"static void *call_{number}(void *container) {{", *_asking(called)]
        call = _call(calls, called, [f"argument_{position}" for position in range(len(called.numbers))])
        lines += [f"  {call}", "  return container;", "}"]
    lines += [f"int {name}(void) {{", *[f"  {line}" for line in _beginning(calls)]]
    if calls.maker is not None:
        lines.append(f"  container = call_{len(calls.functions)}(container);")
    lines.append("  for (unsigned left = asked_left();; left--) {")
    lines += ["    unfork_settle(container);", "    unfork_subsume(1);"] if calls.is_matched else []
    lines += ["    if (left == 0) break;", "    unsigned char choice = asked_choice();"]
    for number in range(len(calls.functions)):
        lines.append(f"    {'else ' if number else ''}if (choice == {number}) call_{number}(container);")
    return "\n".join([*lines, "  }", "  return 0;", "}"]) + "\n"


def _asks(kind: str, name: str, called: str, bound: str) -> list[str]:
    body = f'{kind} value; unfork_symbolic(&value, sizeof value, "{called}"); unfork_assume(value {bound});'
    return [f"static {kind} {name}(void) {{ {body} return value; }}"]


def declarations(calls: CallPlan) -> list[str]:
    """Declarations of the functions for another file, with ``void *`` for every pointer."""
    functions = (*([calls.maker] if calls.maker else ()), *calls.functions)
    lines: dict[str, None] = {}
    for called in functions:
        parameters = [*(["void *"] if called.takes_container else []), *(kind for _, kind in called.numbers)]
        result = "void *" if called.returns_pointer else "int "
        lines[f"extern {result}{called.name}({', '.join(parameters) or 'void'});"] = None
    return list(lines)


def _beginning(calls: CallPlan) -> list[str]:
    if calls.storage:
        kind = "static char __attribute__((aligned(16)))"
        return [f"{kind} storage[{calls.storage}];", "void *container = storage;"]
    return ["void *container = 0;"]


def _asking(called: Called) -> list[str]:
    return [
        f'  {kind} argument_{position}; unfork_symbolic(&argument_{position}, sizeof({kind}), "{called.name}: {name}");'
        for position, (name, kind) in enumerate(called.numbers)
    ]


def _call(calls: CallPlan, called: Called, values: Sequence[str]) -> str:
    given = [*(["container"] if called.takes_container else []), *values]
    call = f"{called.name}({', '.join(given)});"
    return f"container = {call}" if called is calls.maker and called.returns_pointer else call


# --- one sequence ----------------------------------------------------------------------------------------------------


def sequence(calls: CallPlan, inputs: Sequence[TestInput]) -> list[str]:
    """The calls of one test as lines of C."""
    left = iter([test_input for test_input in inputs if test_input.kind == "symbolic"])
    lines = _beginning(calls)
    if calls.maker is not None:
        lines.append(_call(calls, calls.maker, _values(calls.maker, left)))
    for _ in range(calls.most):
        choice = next((test_input for test_input in left if test_input.name.partition("#")[0] == CHOICE), None)
        if choice is None or choice.data[0] >= len(calls.functions):
            break
        called = calls.functions[choice.data[0]]
        lines.append(_call(calls, called, _values(called, left)))
    return lines


def _values(called: Called, left: Iterator[TestInput]) -> list[str]:
    values = []
    for name, kind in called.numbers:
        given = next(
            (test_input for test_input in left if test_input.name.partition("#")[0] == f"{called.name}: {name}"), None
        )
        data = given.data if given is not None else b"\0"
        if kind in ("float", "double", "long double"):
            size = len(data)
            values.append(f"((union {{ unsigned char bytes[{size}]; {kind} value; }}){{{{{c_bytes(data)}}}}}).value")
        else:
            values.append(f"({kind}){value_of(kind, data)}{'ULL' if kind == 'unsigned long' else ''}")
    return values
