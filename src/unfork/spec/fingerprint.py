"""What the proof of a function depends on, as a text: its code, its contract, and those of what it calls.

Lines and files are left out, so that a change elsewhere in a file leaves proofs as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unfork.errors import Unsupported
from unfork.facts.function_facts import FactsTable
from unfork.inputs.lazy_globals import own_variables
from unfork.llvm.c_types import Array, CType, Pointer, Record
from unfork.llvm.module import LIBRARY_FOLDER, Function, Program
from unfork.spec.annotated import Annotated
from unfork.spec.conditions import called_by

_POSITION = re.compile(r"Position\(file=.*?is_near=(?:True|False)\)", re.S)
_LOCATION = re.compile(r"\b(?:file='[^']*'|line=\d+|column=\d+|reference='[^']*')")
ADDRESS = re.compile(r"GlobalAddress\(name='([^']*)'")
_NAME = re.compile(r"\bName\(name=\\*'([^'\\]*)")
_FILE = ".src"
_SCOPE = re.compile(r"!\d+")


def fingerprint(program: Program, annotated: Annotated, name: str) -> str:
    """The text. Equal texts have equal proofs, up to the source locations that are reported."""
    parts, facts = [repr(annotated.functions[name])], FactsTable()
    functions = reachable(program, annotated, name)
    for function in functions:
        if function.name in annotated.functions and function.name != name:
            is_trusted = function.name in program.stubs
            parts += [function.name, repr(annotated.functions[function.name]), repr(function.type), repr(is_trusted)]
            parts.append(repr(program.c_types.prototype(function.name)))
            continue
        parts += [function.name, repr(function.type), repr(function.blocks)]
        parts += _annotations(annotated, facts, function)
        parts.append(repr(program.c_types.prototype(function.name)))
    parts += [f"{each!r} at {each.line}" for each in annotated.definitions]
    parts += [f"{each!r} at {each.clause.line}" for each in annotated.lemmas]
    located = position_data(program)
    parts += _globals(program, located)
    parts += _records(program, functions)
    text = ADDRESS.sub(lambda match: "a place" if match[1] in located else match[0], "\n".join(parts))
    return without_numbers(without_positions(text))


def without_positions(text: str) -> str:
    """The text of code without where it stands."""
    return _LOCATION.sub("", _POSITION.sub("", text))


def without_numbers(text: str) -> str:
    """The text of code with the references of its debug information numbered in their order."""
    numbers: dict[str, str] = {}
    return _SCOPE.sub(lambda match: numbers.setdefault(match[0], f"!{len(numbers)}"), text)


def reachable(program: Program, annotated: Annotated, name: str) -> list[Function]:
    """The function and all that it may call, but nothing below a function with a contract."""
    waiting, reached = [name], dict[str, Function]()
    while waiting:
        current = waiting.pop()
        if current in reached or not (current in program.defined or current in program.stubs):
            continue
        function = reached[current] = program.stubs.get(current) or program.function(current)
        if current != name and current in annotated.functions:
            continue
        waiting += called_by(program, function)
    return [reached[each] for each in sorted(reached)]


def variables_spoken_of(program: Program, annotated: Annotated, name: str) -> frozenset[str]:
    """The variables that a function, what it may call, or a contract there speaks of, by their names in the program."""
    functions = reachable(program, annotated, name)
    code = {each for function in functions for each in ADDRESS.findall(repr(function.blocks))}
    contracts = [annotated.functions[each.name] for each in functions if each.name in annotated.functions]
    facts = FactsTable()
    inside = [text for function in functions for text in _annotations(annotated, facts, function)]
    words = set(_NAME.findall(repr((contracts, annotated.definitions, annotated.lemmas, inside))))
    return frozenset(
        [symbol for symbol, _, variable in own_variables(program) if symbol in code or variable.name in words]
    )


def _annotations(annotated: Annotated, facts: FactsTable, function: Function) -> Iterator[str]:
    """Contracts inside a function, with what names stand for where they are."""
    visible = facts[function].visible
    for (owner, head), loop in annotated.loops.items():
        if owner is function:
            yield f"{head} {loop!r} {visible.at(head, 0)!r}"
    for (owner, block, index), assertions in annotated.assertions.items():
        if owner is function:
            yield f"{block} {index} {assertions!r} {visible.at(block, index)!r}"


def position_data(program: Program) -> set[str]:
    """The data by which the compiler tells its checks where they stand: nameless, with the name of the file."""
    located = {_FILE} & set(program.globals)
    for name in program.globals:
        if name.isdigit() and name not in program.aliases and f"name='{_FILE}'" in repr(program.globals[name]):
            located.add(name)
    return located


def _globals(program: Program, located: set[str]) -> Iterator[str]:
    for name in program.globals:
        if name in located:
            continue
        if name in program.aliases:
            yield f"{name} is {program.aliases[name]!r}"
            continue
        try:
            declared = program.globals[name]
        except Unsupported:
            yield f"{name} is not supported"
            continue
        if declared.position is None or LIBRARY_FOLDER not in declared.position.file:
            kind = program.c_types.variable(declared.reference) if declared.reference else None
            yield f"{declared!r} {kind!r}"


def _records(program: Program, functions: Sequence[Function]) -> Iterator[str]:
    """The layout of every struct that the code's variables lead to."""
    types = program.c_types
    waiting: list[CType] = []
    for function in functions:
        prototype = types.prototype(function.name)
        if prototype is not None:
            waiting += [prototype.result, *[parameter.type for parameter in prototype.parameters]]
        for block in function.blocks:
            waiting += [types.type(record.variable.reference) for record in block.debug if record.variable.reference]
    for symbol in program.globals:
        try:
            declared = None if symbol in program.aliases else program.globals[symbol]
        except Unsupported:
            continue
        variable = types.variable(declared.reference) if declared is not None and declared.reference else None
        if variable is not None:
            waiting.append(variable.type)
    seen: set[str] = set()
    while waiting:
        kind = waiting.pop()
        match kind:
            case Pointer():
                if kind.reference is not None and kind.reference not in seen:
                    seen.add(kind.reference)
                    waiting.append(types.target(kind))
            case Array(element=element):
                waiting.append(element)
            case Record() if kind.reference not in seen:
                seen.add(kind.reference)
                fields = types.fields(kind)
                yield f"{kind.name} {kind.size} {fields!r}"
                waiting += [each.type for each in fields]
