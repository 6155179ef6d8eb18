"""Conditions in a notation like C's, from terms and from the words in which run.db keeps them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unfork.logic.term import Term, text

DEEP = 12
"""Levels of a condition that are written out."""
_DEEPEST = 60
"""Words that nest deeper are left as they are."""
_INFIX = {
    "eq": "==", "ult": "<", "slt": "<", "add": "+", "mul": "*", "udiv": "/", "sdiv": "/", "urem": "%", "srem": "%",
    "shl": "<<", "lshr": ">>", "ashr": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
_CONDITIONS = frozenset(("eq", "ult", "slt", "fp.eq", "fp.lt", "fp.le", "fp.isnan"))
_OPPOSITE = {"==": "!=", "<": ">="}
_TRANSPARENT = ("zext", "sext")
_EXTRACT = re.compile(r"extract\[(\d+)\]:(\d+)")
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
    """A condition in C's notation."""
    return in_c(text(term, DEEP))


def in_c(words: str) -> str:
    """An S-expression as run.db keeps it, in C's notation; as it is, if it is none."""
    tokens = _TOKEN.findall(words)
    stack: list[list[_Node]] = [[]]
    for token in tokens:
        if token == "(":
            if len(stack) > _DEEPEST:
                return words
            stack.append([])
        elif token == ")":
            if len(stack) < 2 or not stack[-1]:
                return words
            head, *args = stack.pop()
            stack[-1].append(_Node(head.word, tuple(args)))
        else:
            stack[-1].append(_Node(token))
    if len(stack) != 1 or len(stack[0]) != 1:
        return words
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
    if operator in _INFIX and len(node.args) >= 2:
        return _infix(node, operator), True
    return f"{node.word}({', '.join(_text(arg, is_condition=False)[0] for arg in node.args)})", False


def _infix(node: _Node, operator: str) -> str:
    parts = list(node.args)
    if operator == "eq" and _NUMBER.fullmatch(parts[0].word) and not parts[0].args:
        parts.reverse()
    words = [_inside(part, is_condition=False) for part in parts]
    if operator in ("eq", "ult", "slt"):
        words = [_character(word, parts[1 - at]) if _NUMBER.fullmatch(word) else word for at, word in enumerate(words)]
    if operator == "ult" and not any(_is_unsigned(part) for part in parts):
        words = [f"{word}u" if word.isdecimal() else word for word in words]
        words = [f"(unsigned){words[0]}", words[1]] if not any(word.endswith("u") for word in words) else words
    return f" {_INFIX[operator]} ".join(words)


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
    operator = node.word
    if operator == "eq" or operator in ("ult", "slt"):
        words = _infix(node, operator)
        sign = _INFIX[operator]
        left, _, right = words.rpartition(f" {sign} ")
        if left.count("(") == left.count(")"):
            return f"{left} {_OPPOSITE[sign]} {right}", True
    inner = _inside(node, is_condition=is_condition)
    return f"{'!' if is_condition or operator in _CONDITIONS else '~'}{inner}", False


def _inside(node: _Node, *, is_condition: bool) -> str:
    words, is_loose = _text(node, is_condition=is_condition or node.word in _CONDITIONS)
    return f"({words})" if is_loose else words
