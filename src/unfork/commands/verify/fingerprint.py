"""What the proof of a function depends on, as a text: its code, its contract, and those of what it calls.

Lines and files are left out, so that changes elsewhere in a file leave proofs as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from unfork.commands.verify.annotated import AnnotatedProgram
from unfork.commands.verify.conditions import called_by
from unfork.errors import Unsupported
from unfork.program.c.expressions import without_names
from unfork.program.facts.function_facts import FactsTable
from unfork.program.llvm.c_types import Array, CType, Pointer, RecordType
from unfork.program.llvm.module import LIBRARY_FOLDER, Function, Program

_POSITION = re.compile(r"Position\(file=.*?is_near=(?:True|False)\)", re.S)
_LOCATION = re.compile(r"\b(?:file='[^']*'|line=\d+|column=\d+|reference='[^']*')")
_ADDRESS = re.compile(r"GlobalAddress\(name='([^']*)'")
_FILE = re.compile(r"\.src(?:\.\d+)*")
_OF_FILE = re.compile(rf"name='{_FILE.pattern}'")
_NAME = re.compile(r"\b[A-Za-z_]\w*(?:\.\w+)*")
_COPY = re.compile(r"(.+?)(?:\.\d+)+")
_SCOPE = re.compile(r"!\d+")


def fingerprint(program: Program, annotated: AnnotatedProgram, name: str) -> str:
    """The text. Equal texts have equal proofs, up to reported locations."""
    functions = _reachable(program, annotated, name)
    parts = _texts(program, annotated, name, functions)
    located = position_data(program)
    named = _named(program, located, parts)
    parts += named.values()
    parts += _records(program, functions, named)
    text = _ADDRESS.sub(lambda match: "a place" if match[1] in located else match[0], "\n".join(parts))
    return _without_copies(program, without_numbers(without_positions(text)))


def variables_spoken_of(program: Program, annotated: AnnotatedProgram, name: str) -> frozenset[str]:
    """The variables that may influence a function's proof."""
    texts = _texts(program, annotated, name, _reachable(program, annotated, name))
    return frozenset(_named(program, position_data(program), texts))


def _texts(program: Program, annotated: AnnotatedProgram, name: str, functions: Sequence[Function]) -> list[str]:
    """What a proof depends on, without variables and types."""
    contract, facts = annotated.functions[name], FactsTable()
    parts = [_said(contract)]
    for function in functions:
        if function.name in annotated.unread:
            parts.append(annotated.unread[function.name])
        if function.name in annotated.functions and function.name != name:
            is_trusted = function.name in program.stubs
            parts += [function.name, _said(annotated.functions[function.name]), repr(function.type), repr(is_trusted)]
            parts.append(_prototype(program, function))
            continue
        parts += [function.name, repr(function.type), repr(function.blocks)]
        parts += _annotations(annotated, facts, function)
        parts.append(_prototype(program, function))
    # What is assumed is told with its line, and obligations with theirs from the contract's on.
    logic = [(each, each.line) for each in annotated.definitions] + [
        (each, each.clause.line) for each in annotated.lemmas
    ]
    parts += [f"{each!r} at {line}, {contract.line}" for each, line in logic]
    return parts


def without_positions(text: str) -> str:
    """The text of code without source positions."""
    return _LOCATION.sub("", _POSITION.sub("", text))


def _without_copies(program: Program, text: str) -> str:
    """The text with static functions and variables of one name numbered as they occur: the linker's numbers differ
    between copies of an inline function.
    """
    shared = {match[1] for name in (*program.defined, *program.globals) if (match := _COPY.fullmatch(name))}
    numbers: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        name, copy = match[0], _COPY.fullmatch(match[0])
        base = name if copy is None else copy[1]
        return numbers.setdefault(name, f"{base}.{len(numbers)}") if base in shared else name

    return _NAME.sub(numbered, text) if shared else text


def without_numbers(text: str) -> str:
    """The text with references of debug information numbered as they occur."""
    numbers: dict[str, str] = {}
    return _SCOPE.sub(lambda match: numbers.setdefault(match[0], f"!{len(numbers)}"), text)


def _prototype(program: Program, function: Function) -> str:
    prototype = program.c_types.prototype(function.name)
    return repr(prototype and replace(prototype, name=""))


def _said(contract: Any) -> str:
    """The text of a contract without names of bound variables and of its function."""
    return repr(_without_words(without_names(contract)))


def _without_words(item: Any) -> Any:
    if isinstance(item, tuple):
        return tuple([_without_words(each) for each in item])
    if not is_dataclass(item) or isinstance(item, type):
        return item
    parts = {each.name: _without_words(getattr(item, each.name)) for each in fields(item)}
    return replace(item, **{each: "" if each in ("text", "function") else part for each, part in parts.items()})


def _reachable(program: Program, annotated: AnnotatedProgram, name: str) -> list[Function]:
    """The function and all that it may call, except below functions with contracts."""
    waiting, reached = [name], dict[str, Function]()
    while waiting:
        current = waiting.pop()
        if current in reached or not (current in program.defined or current in program.stubs):
            continue
        function = reached[current] = program.stubs.get(current) or program.function(current)
        if current in annotated.unread or (current != name and current in annotated.functions):
            continue
        waiting += called_by(program, function)
    return [reached[each] for each in sorted(reached, key=lambda each: (each != name, each))]


def _annotations(annotated: AnnotatedProgram, facts: FactsTable, function: Function) -> Iterator[str]:
    """Contracts inside a function, with the meaning of names there."""
    visible = facts[function].visible
    for (owner, head), loop in annotated.loops.items():
        if owner is function:
            yield f"{head} {_said(loop)} {visible.at(head, 0)!r}"
    for (owner, block, index), assertions in annotated.assertions.items():
        if owner is function:
            yield f"{block} {index} {[*map(_said, assertions)]} {visible.at(block, index)!r}"


def position_data(program: Program) -> set[str]:
    """Data with which the compiler's checks report positions: nameless, with the file's name."""
    located = {name for name in program.globals if _FILE.fullmatch(name)}
    for name in program.globals:
        if name.isdigit() and name not in program.aliases and _OF_FILE.search(repr(program.globals[name])):
            located.add(name)
    return located


def _named(program: Program, located: set[str], texts: Sequence[str]) -> dict[str, str]:
    """The variables that the texts name, and those that their first values name. No other one influences a proof:
    nothing else reads or writes where it leads.
    """
    calls: dict[str, list[str]] = {}
    for name in program.globals:
        if name not in located:
            copy = _COPY.fullmatch(name)
            calls.setdefault(name if copy is None else copy[1].rpartition(".")[2], []).append(name)
            calls.setdefault(name.rpartition(".")[2], []).append(name)
    named: dict[str, str] = {}
    waiting = [*texts]
    while waiting:
        text = waiting.pop()
        for word in dict.fromkeys((*_ADDRESS.findall(text), *_NAME.findall(text))):
            for name in (word, *calls.get(word, ())):
                if name in program.globals and name not in named and name not in located:
                    named[name] = _variable(program, name)
                    waiting.append(named[name])
    return {name: named[name] for name in program.globals if name in named}


def _variable(program: Program, name: str) -> str:
    if name in program.aliases:
        return f"{name} is {program.aliases[name]!r}"
    try:
        declared = program.globals[name]
    except Unsupported:
        return f"{name} is not supported"
    if declared.position is not None and LIBRARY_FOLDER in declared.position.file:
        return name
    kind = program.c_types.variable(declared.reference) if declared.reference else None
    return f"{declared!r} {kind!r}"


def _records(program: Program, functions: Sequence[Function], named: Iterable[str]) -> Iterator[str]:
    """The layout of every struct that variables' types contain or point to."""
    types = program.c_types
    waiting: list[CType] = []
    for function in functions:
        prototype = types.prototype(function.name)
        if prototype is not None:
            waiting += [prototype.result, *[parameter.type for parameter in prototype.parameters]]
        for block in function.blocks:
            waiting += [types.type(record.variable.reference) for record in block.debug if record.variable.reference]
    for symbol in named:
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
            case RecordType() if kind.reference not in seen:
                seen.add(kind.reference)
                fields = types.fields(kind)
                yield f"{kind.name} {kind.size} {fields!r}"
                waiting += [each.type for each in fields]
