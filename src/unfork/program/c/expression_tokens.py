"""The tokens of expressions, with macros expanded; each keeps its place in the source. Also reads literals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from unfork.program.c.c_source import CSource, Macro
from unfork.program.c.expressions import INT, LONG, UNSIGNED, UNSIGNED_LONG, Integral, NumberLiteral

_LEXEME = re.compile(
    r"""(?:\s|\\\n)+|/\*.*?\*/|//[^\n]*|(?P<float>\d+\.(?!\.)\w*|\d+[eE][-+]?\d+|\.\d\w*)|(?P<number>\d\w*)"""
    r"""|(?P<word>\\?[A-Za-z_]\w*)|(?P<char>'(?:\\.[0-9xa-fA-F]*|[^'\\])')|(?P<text>"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<mark><-->|<==>|==>|-->|\.\.\.|\.\.|\^\^|->|\+\+|--|<<=|>>=|[-+*/%&|^]=|<<|>>|<=|>=|==|!=|&&|\|\||\#\#|.)""",
    re.S,
)
_MOST_EXPANDED = 20_000
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)")
_SUFFIXES = frozenset(("", "u", "l", "ul", "lu", "ll", "ull", "llu"))
_ESCAPES = dict(zip("ntrabfv\\'\"?", (10, 9, 13, 7, 8, 12, 11, 92, 39, 34, 63), strict=True))


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: ``kind`` is float, number, word, char, text, mark or end. Its range is ``start`` to ``end``.

    Tokens of a macro's expansion have the macro's range. ``hidden`` names the macros that it must not expand to
    again.
    """

    kind: str
    text: str
    start: int
    end: int
    hidden: frozenset[str] = frozenset()


def lexemes_of_code(source: CSource, start: int, end: int) -> list[Lexeme]:
    """The tokens of a part of the source's code, macros expanded. Raises InputError for a macro that cannot be."""
    if source.is_expanded:
        return list(_tokens(source.text, start, end))
    return lexemes_of_comments(source, [(start, end)])


def lexemes_of_comments(source: CSource, regions: Sequence[tuple[int, int]]) -> list[Lexeme]:
    """The tokens of parts of comments, macros expanded. Raises InputError for a macro that cannot be."""
    plain = [token for start, end in regions for token in _tokens(source.text, start, end)]
    return _Expansion(source, plain).expanded


def _tokens(text: str, start: int, end: int) -> Iterator[Lexeme]:
    at = start
    while at < end:
        match = _LEXEME.match(text, at, end)
        assert match is not None
        kind = match.lastgroup
        at = match.end()
        if kind is not None and not (match[0] == "@" and _is_margin(text, match.start(), start, end)):
            yield Lexeme(kind, match[0], match.start(), at)


def _is_margin(text: str, at: int, start: int, end: int) -> bool:
    """Whether @ counts as white space: at the beginning of a line, or at the end of the comment."""
    begin = max(text.rfind("\n", 0, at) + 1, start)
    return not text[begin:at].strip("@ \t") or not text[at:end].strip("@ \t\n")


class _Expansion:
    """Expands macros, as the preprocessor does."""

    def __init__(self, source: CSource, tokens: Sequence[Lexeme]) -> None:
        self._source = source
        self.expanded: list[Lexeme] = []
        waiting = list(reversed(tokens))
        steps = 0
        while waiting:
            token = waiting.pop()
            macro = self._macro(token)
            if macro is None:
                self.expanded.append(token)
            elif macro.parameters is None:
                waiting += reversed(self._body(macro, token, token.end))
            elif waiting and waiting[-1].text == "(":
                end, arguments = self._arguments(token, waiting)
                waiting += reversed(self._with(macro, arguments, token, end))
            else:
                self.expanded.append(token)
            steps += 1
            if steps > _MOST_EXPANDED:
                raise source.problem(token.start, f"{token.text!r} expands to too much")

    def _macro(self, token: Lexeme) -> Macro | None:
        if token.kind != "word" or token.text in token.hidden:
            return None
        macro = self._source.macro(token.text, token.start)
        if macro is not None and not macro.is_certain:
            raise self._source.problem(token.start, f"the macro {token.text} is not supported: it depends on an #if")
        return macro

    def _body(self, macro: Macro, token: Lexeme, end: int) -> list[Lexeme]:
        hidden = token.hidden | {token.text}
        body = [
            replace(inner, start=token.start, end=end, hidden=hidden)
            for inner in _tokens(macro.body, 0, len(macro.body))
        ]
        if any(inner.text in ("#", "##") for inner in body):
            raise self._source.problem(token.start, f"the macro {token.text} with # is not supported")
        return body

    def _with(self, macro: Macro, arguments: list[list[Lexeme]], token: Lexeme, end: int) -> list[Lexeme]:
        names = macro.parameters or ()
        if (len(arguments) != len(names) and not (not names and arguments == [[]])) or "..." in names:
            raise self._source.problem(token.start, f"{token.text} does not take {len(arguments)} arguments")
        given = dict(zip(names, arguments, strict=False))
        body: list[Lexeme] = []
        for inner in self._body(macro, token, end):
            if inner.text in given:
                body += [replace(each, start=token.start, end=end) for each in given[inner.text]]
            else:
                body.append(inner)
        return body

    def _arguments(self, token: Lexeme, waiting: list[Lexeme]) -> tuple[int, list[list[Lexeme]]]:
        """The end of a call, and its arguments, which are taken off ``waiting``."""
        waiting.pop()
        arguments: list[list[Lexeme]] = [[]]
        depth = 0
        while waiting:
            inner = waiting.pop()
            if inner.text == ")" and depth == 0:
                return inner.end, arguments
            depth += (inner.text in ("(", "[")) - (inner.text in (")", "]"))
            if inner.text == "," and depth == 0:
                arguments.append([])
            else:
                arguments[-1].append(inner)
        raise self._source.problem(token.start, f"the call of {token.text} does not end")


def number(token: str, *, unbounded: bool = False) -> NumberLiteral:
    """The literal in ``token``; with ``unbounded``, of any size. Raises ValueError with a one-line message."""
    match = _NUMBER.fullmatch(token)
    suffix = match[2].lower() if match else ""
    if match is None or suffix not in _SUFFIXES:
        raise ValueError(f"{token!r} is no integer")
    digits = match[1]
    is_decimal = digits == "0" or digits[0] != "0"
    try:
        value = int(digits, 10 if is_decimal else 0 if digits[1:2] in "xXbB" else 8)
    except ValueError:
        raise ValueError(f"{token!r} is no integer") from None
    kinds = [LONG, UNSIGNED_LONG] if "l" in suffix else [INT, UNSIGNED, LONG, UNSIGNED_LONG]
    for kind in kinds:
        unfit = kind.signed if "u" in suffix else not kind.signed and is_decimal
        if not unfit and value >> (kind.width - kind.signed) == 0:
            return NumberLiteral(value, kind)
    if unbounded and not suffix:
        return NumberLiteral(value, Integral(value.bit_length() + 1, True))
    raise ValueError(f"{token!r} is too large")


def character(token: str) -> NumberLiteral:
    """The value of a character in quotes. Raises ValueError with a one-line message."""
    inside = token[1:-1]
    if inside[0] != "\\":
        value = ord(inside)
    elif inside[1] == "x":
        value = int(inside[2:], 16) if inside[2:] else 256
    elif inside[1] in "01234567":
        value = int(inside[1:], 8) if all(digit in "01234567" for digit in inside[1:]) else 256
    else:
        value = _ESCAPES.get(inside[1:], 256)
    if value > 255:
        raise ValueError(f"{token} is no character of one byte")
    return NumberLiteral((value - 256 if value > 127 else value) & 0xFFFFFFFF, INT)
