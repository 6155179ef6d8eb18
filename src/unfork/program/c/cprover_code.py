"""Turns CBMC's extensions in a program's code into C: quantifiers become loops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from unfork.errors import InputError
from unfork.program.c.c_source import CSource, Edit, apply_edits
from unfork.program.c.syntax import Syntax

_UNINTERPRETED = "__CPROVER_uninterpreted_"
_BUILT_IN = "__builtin_"
_QUANTIFIER = re.compile(r"\b__CPROVER_(forall|exists)\s*\{")
_VARIABLE = re.compile(r"\s*((?:\w+\s+)+)(\w+)\s*")
_UNSIGNED = re.compile(r"\b(?:unsigned|_Bool|size_t|__CPROVER_size_t|uint\w*)\b")
_LOWEST = re.compile(r"(?:\(\s*[\w\s]+\s*\)\s*)?\(?\s*(\d+)[lL]*\s*\)?")
"""A lower bound: a literal without a sign, with or without a cast."""
_RELATION = re.compile(r"(?<![<>=\-!])(<=|>=|<|>)(?![<>=])")
_LOOSER = re.compile(r"[|&^?=]")
"""Operators that bind less tightly than a comparison, except "<=" and ">="."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class _Range:
    """The first value of a variable, and the conditions on its last."""

    first: int
    most: str


def as_c(file: str, text: str) -> str:
    """The preprocessed text as C.

    Each ``__CPROVER_forall { T i; low <= i && i < high ==> ... }`` is a loop; ``exists`` has its range before the
    rest of a conjunction. Uninterpreted functions may be declared in several ways. A program's replacements of
    compiler builtins are never called.

    Raises InputError, with file and line, for a quantifier without an obvious range: over several variables, without
    an upper bound, or with a lower bound that is not a literal.
    """
    source = CSource(file, text)
    code = source.layout.code
    edits = list(_declarations(source)) if _UNINTERPRETED in code or _BUILT_IN in code else []
    loops: dict[int, Edit] = {}
    for match in reversed(list(_QUANTIFIER.finditer(code))):  # inner ones first
        end = _closing(code, match.end() - 1)
        within = [loops.pop(start) for start in list(loops) if start < end]
        inner = [Edit(each.start - match.end(), each.end - match.end(), each.text) for each in within]
        try:
            loop = _loop(match[1] == "forall", apply_edits(text[match.end() : end], inner))
        except InputError as error:
            raise source.problem(match.start(), f"__CPROVER_{match[1]} in code {error}") from None
        lines = "\n" * text.count("\n", match.start(), end)
        loops[match.start()] = Edit(match.start(), end + 1, " ".join(loop.split()) + lines)
    return apply_edits(text, [*edits, *loops.values()])


def _declarations(source: CSource) -> Iterator[Edit]:
    """The edits that remove the parameters of uninterpreted functions, and rename replacements of builtins."""
    for node in Syntax(source.layout.code).all_of("function_declarator"):
        name, parameters = node.child_by_field_name("declarator"), node.child_by_field_name("parameters")
        if name is None or parameters is None:
            continue
        word = source.text[name.start_byte : name.end_byte]
        if word.startswith(_UNINTERPRETED):
            yield Edit(parameters.start_byte, parameters.end_byte, "()")
        elif word.startswith(_BUILT_IN):
            yield Edit(name.start_byte, name.end_byte, f"__CPROVER{word}")


def _loop(is_forall: bool, quantified: str) -> str:
    declaration, _, rest = quantified.partition(";")
    variable = _VARIABLE.fullmatch(declaration)
    if variable is None:
        raise InputError("is supported over one variable only")
    kind, name = variable[1].strip(), variable[2]
    condition = rest.strip().removesuffix(";")
    where, arrow, body = _parted(condition, "==>")
    if is_forall and not arrow:
        raise InputError("is supported as: range ==> condition")
    if not is_forall:
        where, body = condition, "1"
    values = _range(_conjuncts(where), kind, name)
    step = f"__CPROVER_holds {'&=' if is_forall else '|='} !!({_implications(body)})"
    return (
        f"(__extension__({{ _Bool __CPROVER_holds = {int(is_forall)}; for ({kind} {name} = {values.first}; "
        f"{values.most}; {name}++) if ({where}) {step}; __CPROVER_holds; }}))"
    )


def _implications(condition: str) -> str:
    """The condition with ``!(a) || (b)`` for ``a ==> b``, also in brackets."""
    if "==>" not in condition:
        return condition
    first, comma, rest = _parted(condition, ",")
    if comma:
        return f"{_implications(first)},{_implications(rest)}"
    premise, arrow, conclusion = _parted(condition, "==>")
    if arrow:
        return f"(!({_implications(premise)}) || ({_implications(conclusion)}))"
    start = min(condition.index(opening) for opening in _OPENING if opening in condition)
    end = _closing(condition, start)
    inner = _implications(condition[start + 1 : end])
    return f"{condition[: start + 1]}{inner}{condition[end : end + 1]}{_implications(condition[end + 1 :])}"


def _range(conditions: list[str], kind: str, name: str) -> _Range:
    """The range of a variable of type ``kind`` stated in conditions; several of them may be about its end."""
    first = 0 if _UNSIGNED.search(kind) else None
    most: list[str] = []
    for condition in conditions:
        parts = _RELATION.split(_bare(condition))
        if len(parts) != 3 or len(re.findall(rf"\b{name}\b", condition)) != 1 or _LOOSER.search(_outside(condition)):
            continue
        left, relation, right = parts
        if _bare(right) == name:
            left, relation, right = right, _TURNED[relation], left
        if _bare(left) != name:
            continue
        if relation.startswith("<"):
            most.append(f"({condition})")
        elif literal := _LOWEST.fullmatch(right.strip()):
            first = int(literal[1]) + (relation == ">")
    if first is None or not most:
        raise InputError("has no range that can be seen: a literal as lower bound, and an upper bound")
    return _Range(first, " && ".join(most))


def _conjuncts(condition: str) -> list[str]:
    """The parts of a conjunction, with any parentheses."""
    first, operator, rest = _parted(_bare(condition), "&&")
    return [*_conjuncts(first), *_conjuncts(rest)] if operator else [first]


def _parted(text: str, operator: str) -> tuple[str, str, str]:
    """The text before and after the first ``operator`` outside of brackets, as ``str.partition`` gives it."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth == 0 and text.startswith(operator, at):
            return text[:at], operator, text[at + len(operator) :]
    return text, "", ""


def _bare(text: str) -> str:
    """The text without surrounding white space and parentheses."""
    text = text.strip()
    while text.startswith("(") and _closing(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def _outside(text: str) -> str:
    """A condition without comparisons and bracketed parts."""
    kept: list[str] = []
    depth = 0
    for character in _RELATION.sub(" ", _bare(text)):
        depth -= character in _CLOSING
        kept += character if depth == 0 else ""
        depth += character in _OPENING
    return "".join(kept)


def _closing(text: str, start: int) -> int:
    """The end of the bracket that opens at ``start``; the end of the text without one."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        if depth == 0:
            return at
    return len(text)
