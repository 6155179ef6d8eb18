"""Conditions in a notation like C's, from terms and from the words in which run.db keeps them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from unfork.logic.c_terms import words
from unfork.logic.term import Term

DEEP = 12
"""Levels of a condition that are written out."""
_DEEPEST = 60
"""Words that nest deeper are left as they are."""
_INFIX = {
    "eq": "==", "ult": "<", "slt": "<", "add": "+", "mul": "*", "udiv": "/", "sdiv": "/", "urem": "%", "srem": "%",
    "shl": "<<", "lshr": ">>", "ashr": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
_CONDITIONS = frozenset(("eq", "ult", "slt", "fp.eq", "fp.lt", "fp.le", "fp.isnan"))
_OPPOSITE = {"eq": "!=", "ult": ">=", "slt": ">="}
_TRANSPARENT = ("zext", "sext")
_EXTRACT = re.compile(r"extract\[(\d+)\]:(\d+)")
_COMPARED = re.compile(r"([^\s()]+) (==|!=) (\d+)(?![\w.])")
_BYTE_BITS = 8
_TOKEN = re.compile(r"\(|\)|(?:[^\s()]|\([^\s()]*\))+")
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
_IS_BYTE = re.compile(r"\[\d+(:1)?\]$")
_BYTE = re.compile(r"(.*\[\d+):1\]")


@dataclass(frozen=True, slots=True)
class _Node:
    """An operator with what it is applied to, or a name or number without."""

    word: str
    args: tuple[_Node, ...] = ()


def formula(term: Term) -> str:
    """A condition in C's notation; what bytes are compared with is a character, if that can be read."""
    bytes_known = {symbol.name for symbol in term.symbols if symbol.width == _BYTE_BITS}

    def character(found: re.Match[str]) -> str:
        value = int(found[3])
        is_readable = found[1] in bytes_known and 0x20 <= value < 0x7F and chr(value) not in "'\\"
        return f"{found[1]} {found[2]} '{chr(value)}'" if is_readable else found[0]

    return _COMPARED.sub(character, words(term, 1, signed=False, depth=DEEP))


def in_c(kept: str) -> str:
    """An S-expression as run.db keeps it, in C's notation; as it is, if it is none."""
    tokens = _TOKEN.findall(kept)
    stack: list[list[_Node]] = [[]]
    for token in tokens:
        if token == "(":
            if len(stack) > _DEEPEST:
                return kept
            stack.append([])
        elif token == ")":
            if len(stack) < 2 or not stack[-1]:
                return kept
            head, *args = stack.pop()
            stack[-1].append(_Node(head.word, tuple(args)))
        else:
            stack[-1].append(_Node(token))
    if len(stack) != 1 or len(stack[0]) != 1:
        return kept
    return _text(stack[0][0], is_condition=True)[0]


def _text(node: _Node, *, is_condition: bool) -> tuple[str, bool]:
    """The node in words, and whether they need parentheses within others."""
    if not node.args:
        byte = _BYTE.fullmatch(node.word)
        return (f"{byte[1]}]" if byte else node.word), False
    operator, _, _ = node.word.partition(":")
    if (bits := _EXTRACT.fullmatch(node.word)) is not None and len(node.args) == 1:
        whole, low = _inside(node.args[0], is_condition=False), int(bits[1])
        shifted = f"({whole} >> {low})" if low else whole
        return f"{shifted} & {(1 << int(bits[2])) - 1:#x}", True
    if operator in _TRANSPARENT:
        return _text(node.args[0], is_condition=is_condition)
    if operator == "not":
        return _negated(node.args[0], is_condition=is_condition)
    if is_condition and operator in ("and", "or"):
        parts = [_inside(arg, is_condition=True) for arg in node.args]
        return (" && " if operator == "and" else " || ").join(parts), True
    if operator == "ite":
        test, yes, no = (_inside(arg, is_condition=number == 0) for number, arg in enumerate(node.args))
        return f"{test} ? {yes} : {no}", True
    if operator == "neg":
        return f"-{_inside(node.args[0], is_condition=False)}", False
    if node.word in _INFIX and len(node.args) >= 2:
        return _infix(node, _sign(node, _INFIX)), True
    return f"{node.word}({', '.join(_text(arg, is_condition=False)[0] for arg in node.args)})", False


def _infix(node: _Node, sign: str) -> str:
    parts = list(node.args)
    if node.word == "eq" and _NUMBER.fullmatch(parts[0].word) and not parts[0].args:
        parts.reverse()
    sides = [_inside(part, is_condition=False) for part in parts]
    if node.word in _OPPOSITE:
        sides = [_character(side, parts[1 - at]) if _NUMBER.fullmatch(side) else side for at, side in enumerate(sides)]
    return f" {sign} ".join(sides)


def _sign(node: _Node, signs: Mapping[str, str]) -> str:
    """The operator; a comparison without signs says so with a u, unless one side plainly is not negative."""
    sign = signs[node.word]
    return f"{sign}u" if node.word == "ult" and not any(map(_is_unsigned, node.args)) else sign


def _is_unsigned(node: _Node) -> bool:
    """Whether it is plain that a value is not negative as C has it."""
    return node.word.partition(":")[0] == "zext" or (not node.args and _IS_BYTE.search(node.word) is not None)


def _character(number: str, beside: _Node) -> str:
    """A number as a character, where it is compared with what is one byte."""
    value = int(number, 0)
    while beside.word.partition(":")[0] in _TRANSPARENT and beside.args:
        beside = beside.args[0]
    is_byte = not beside.args and _IS_BYTE.search(beside.word) is not None
    if is_byte and 0x20 <= value < 0x7F and chr(value) not in "'\\":
        return f"'{chr(value)}'"
    return str(value) if value < 1 << 16 else number


def _negated(node: _Node, *, is_condition: bool) -> tuple[str, bool]:
    if node.word in _OPPOSITE and len(node.args) == 2:
        return _infix(node, _sign(node, _OPPOSITE)), True
    inner = _inside(node, is_condition=is_condition)
    return f"{'!' if is_condition or node.word in _CONDITIONS else '~'}{inner}", False


def _inside(node: _Node, *, is_condition: bool) -> str:
    shown, is_loose = _text(node, is_condition=is_condition or node.word in _CONDITIONS)
    return f"({shown})" if is_loose else shown
