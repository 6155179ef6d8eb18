"""--calls: sequences of calls on one container (Anand06): a C driver that a run explores, and the C of each test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unfork.errors import InputError
from unfork.inputs.testcase import TestInput, value_of
from unfork.program.c_types import CType, Opaque, Pointer, Scalar
from unfork.program.module import Program

FILE = "unfork-calls.c"
"""The name of the driver's file."""
LEFT = "calls left"
"""The name of the input that says how many calls are made: counted down from a number that is chosen in the beginning,
not up to a bound, so that a state covers those of later calls, which have no more calls left than it had."""
CHOICE = "next call"
"""The name of the input that says which function is called next."""
_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}
_MOST_FUNCTIONS = 250


@dataclass(frozen=True, slots=True)
class Called:
    """A function of the interface: ``numbers`` are its parameters but for the container, with their C types."""

    name: str
    takes_container: bool
    numbers: tuple[tuple[str, str], ...]
    returns_pointer: bool


@dataclass(frozen=True, slots=True)
class CallPlan:
    """Up to ``most`` calls of ``functions``. The container is what ``maker`` returns, or ``storage`` zeroed bytes."""

    maker: Called | None
    storage: int
    functions: tuple[Called, ...]
    most: int
    is_matched: bool
    """Whether states are matched between the calls."""


def plan(program: Program, maker: str | None, names: Sequence[str], most: int, *, is_matched: bool) -> CallPlan:
    """How to call the functions ``names``; InputError says what cannot be called."""
    if len(names) > _MOST_FUNCTIONS:
        raise InputError(f"--calls: more than {_MOST_FUNCTIONS} functions")
    made = None if maker is None else _called(program, maker, "--function")
    functions = tuple([_called(program, name, "--calls") for name in names])
    needed = any(one.takes_container for one in functions)
    storage = 0
    if needed and not (made is not None and made.returns_pointer):
        takers = [one.name for one in (*functions, *([made] if made else ())) if one.takes_container]
        storage = max(_container_size(program, name) for name in takers)
    return CallPlan(made, storage, functions, most, is_matched)


def _called(program: Program, name: str, flag: str) -> Called:
    prototype = program.c_types.prototype(name) if name in program.defined else None
    if prototype is None:
        raise InputError(f"{flag} {name}: the program defines no such function, or it has no debug information")
    parameters = list(prototype.parameters)
    takes = bool(parameters) and isinstance(parameters[0].type, Pointer)
    rest = parameters[takes:]
    for one in rest:
        if not isinstance(one.type, Scalar):
            raise InputError(f"{flag} {name}: its argument {one.name} of type {one.type.name} is not built")
    if prototype.is_variadic:
        raise InputError(f"{flag} {name}: it takes any number of arguments, which are not built")
    numbers = tuple([(one.name, _spelled(one.type)) for one in rest])
    return Called(name, takes, numbers, isinstance(prototype.result, Pointer))


def _container_size(program: Program, name: str) -> int:
    """The size of what the first parameter points to."""
    prototype = program.c_types.prototype(name)
    assert prototype is not None
    pointer = prototype.parameters[0].type
    assert isinstance(pointer, Pointer)
    target = program.c_types.target(pointer)
    if isinstance(target, Opaque):
        raise InputError(f"--calls {name}: the size of {target.name} is not known; name what makes it with --function")
    return target.size


def _spelled(kind: CType) -> str:
    """A number type in words that need no declaration."""
    assert isinstance(kind, Scalar)
    if kind.encoding == "boolean":
        return "_Bool"
    if kind.encoding == "float":
        return kind.name
    sign = "unsigned" if kind.encoding.startswith(("unsigned", "UTF")) else "signed"
    return f"{sign} {_INTEGERS[kind.size]}"


def assumption(calls: CallPlan) -> str:
    """What a run of the plan takes for granted."""
    made = f"made by {calls.maker.name}" if calls.maker is not None else "of zeros at first"
    names = ", ".join(one.name for one in calls.functions)
    return f"only sequences of up to {calls.most} calls of {names} are made, on one container {made}"


# --- the driver ------------------------------------------------------------------------------------------------------


def driver(calls: CallPlan, name: str) -> str:
    """C of a function ``name`` that makes any sequence of calls with any arguments.

    What is asked for lies in functions of its own, so that nothing of a call is left when the next one begins.
    """
    lines = [f'#line 1 "{FILE}"', "#include <unfork.h>", "extern void unfork_settle(void *container);"]
    lines += [*declarations(calls), *_asks("unsigned", "asked_left", LEFT, f"<= {calls.most}")]
    lines += _asks("unsigned char", "asked_choice", CHOICE, f"< {len(calls.functions)}")
    for number, one in enumerate((*calls.functions, *([calls.maker] if calls.maker else ()))):
        lines += [f"static void *call_{number}(void *container) {{", *_asking(one)]
        call = _call(calls, one, [f"argument_{place}" for place in range(len(one.numbers))])
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
    """A function ``name`` that returns an input within a bound."""
    asked = f'{kind} value; unfork_symbolic(&value, sizeof value, "{called}"); unfork_assume(value {bound});'
    return [f"static {kind} {name}(void) {{ {asked} return value; }}"]


def declarations(calls: CallPlan) -> list[str]:
    """The functions as another file declares them: all pointers are alike."""
    functions = (*([calls.maker] if calls.maker else ()), *calls.functions)
    found: dict[str, None] = {}
    for one in functions:
        parameters = [*(["void *"] if one.takes_container else []), *(kind for _, kind in one.numbers)]
        result = "void *" if one.returns_pointer else "int "
        found[f"extern {result}{one.name}({', '.join(parameters) or 'void'});"] = None
    return list(found)


def _beginning(calls: CallPlan) -> list[str]:
    if calls.storage:
        kind = "static char __attribute__((aligned(16)))"
        return [f"{kind} storage[{calls.storage}];", "void *container = storage;"]
    return ["void *container = 0;"]


def _asking(one: Called) -> list[str]:
    return [
        f'  {kind} argument_{place}; unfork_symbolic(&argument_{place}, sizeof({kind}), "{one.name}: {name}");'
        for place, (name, kind) in enumerate(one.numbers)
    ]


def _call(calls: CallPlan, one: Called, values: Sequence[str]) -> str:
    given = [*(["container"] if one.takes_container else []), *values]
    call = f"{one.name}({', '.join(given)});"
    return f"container = {call}" if one is calls.maker and one.returns_pointer else call


# --- one sequence ----------------------------------------------------------------------------------------------------


def sequence(calls: CallPlan, inputs: Sequence[TestInput]) -> list[str]:
    """The calls of one test as lines of C."""
    left = iter([one for one in inputs if one.kind == "symbolic"])
    lines = _beginning(calls)
    if calls.maker is not None:
        lines.append(_call(calls, calls.maker, _values(calls.maker, left)))
    for _ in range(calls.most):
        choice = next((one for one in left if one.name.partition("#")[0] == CHOICE), None)
        if choice is None or choice.data[0] >= len(calls.functions):
            break
        one = calls.functions[choice.data[0]]
        lines.append(_call(calls, one, _values(one, left)))
    return lines


def _values(one: Called, left: Iterator[TestInput]) -> list[str]:
    """The numbers that a call is given; a float by its bits."""
    found = []
    for name, kind in one.numbers:
        given = next((each for each in left if each.name.partition("#")[0] == f"{one.name}: {name}"), None)
        data = given.data if given is not None else b"\0"
        if kind in ("float", "double", "long double"):
            size = len(data)
            found.append(f"((union {{ unsigned char bytes[{size}]; {kind} value; }}){{{{{_listed(data)}}}}}).value")
        else:
            found.append(f"({kind}){value_of(kind, data)}{'ULL' if kind == 'unsigned long' else ''}")
    return found


def _listed(data: bytes) -> str:
    return ", ".join(str(byte) for byte in data)
