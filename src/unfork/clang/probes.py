"""Calls put into a C text at the places that witnesses name: at heads of loops, statements, decisions and calls.

The compiler then says what is in scope there and what expressions mean. Lines stay; ``Probed.back`` undoes columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unfork.clang.c_definedness import defined
from unfork.clang.c_text import Statements, Token, scanned
from unfork.clang.expression_reader import parsed
from unfork.clang.expressions import TYPE_WORDS

PASSED, SEEN = "unfork_probe", "unfork_value"
"""The functions that are called: with the number of a place and a truth value, or with a number of 64 bits."""
MOST_CHARACTERS = 20_000
"""Of an expression."""
_HEAD = f"extern int {PASSED}(int, int); extern void {SEEN}(int, long long);\n#line 1\n"
_LOOPS, _HEADS = frozenset(("for", "while", "do")), frozenset(("if", "while", "for", "switch"))
_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_LOOSER = frozenset((",", "?", ":", ";", "=", "return", "case"))
"""What may stand in front of the condition of ``?``."""
_NO_VALUE = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=|[;{}#\\\"]|//|/\*")
_CASTS = TYPE_WORDS | {"*", "const", "volatile", "struct", "union", "enum", "float", "double"}

_BEHIND, _BEFORE, _OPEN = range(3)
"""At one offset: what ends comes first, the last one that was begun before others; then calls, then what begins."""


class NoPlace(Exception):
    """Nothing of the kind stands at a place, or nothing can be put there."""


@dataclass(frozen=True, slots=True)
class Probed:
    """A text with calls in it, and where what was inserted stands: (line, column in the original, length), in order."""

    text: str
    inserted: tuple[tuple[int, int, int], ...]

    def back(self, line: int, column: int) -> int | None:
        """The column in the original text of what stands at a place of this one; None if that was inserted."""
        for number, start, length in self.inserted:
            if number == line and column >= start:
                if column < start + length:
                    return None
                column -= length
        return column


def checked_expression(text: str) -> str:
    """The text of an expression of C without side effects. Raises NoPlace for any other text."""
    plain = text.strip()
    if len(plain) > MOST_CHARACTERS:
        raise NoPlace(f"an expression of {len(plain)} characters is too long")
    if not plain or _NO_VALUE.search(plain):
        raise NoPlace(f"{text!r} is no expression without side effects")
    tokens = scanned(plain).tokens
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text in _OPENING:
            before = tokens[at - 1].text if at else ""
            if token.text == "(" and (
                (before.isidentifier() and before not in ("sizeof", "_Alignof"))
                or (before in (")", "]") and not _is_cast(tokens, at - 1))
            ):
                raise NoPlace(f"{text!r} calls a function")
            opened.append(at)
        elif token.text in _CLOSING and (not opened or _OPENING[tokens[opened.pop()].text] != token.text):
            raise NoPlace(f"{text!r} has brackets that do not match")
    if opened:
        raise NoPlace(f"{text!r} has brackets that do not match")
    return plain


def _is_cast(tokens: Sequence[Token], closing: int) -> bool:
    """Whether the brackets that end at a token hold the name of a type that is known without the program."""
    at = closing - 1
    while at >= 0 and tokens[at].text not in ("(", ")"):
        at -= 1
    words = [token.text for token in tokens[at + 1 : closing]]
    named = [word for number, word in enumerate(words) if number and words[number - 1] in ("struct", "union", "enum")]
    return (
        tokens[closing].text == ")"
        and any(word in TYPE_WORDS or word in ("float", "double") for word in (*words, *(["int"] if named else [])))
        and all(word in _CASTS or word in named for word in words)
    )


def call(number: int, text: str) -> str:
    """The call with the truth value of an expression: 0 where it has none, if that can be told.

    It can be of expressions over integers (clang/c_definedness.py). Raises NoPlace for other text than an expression.
    """
    plain = checked_expression(text)
    try:
        guard = defined(parsed(plain))
    except ValueError:
        guard = "1"
    return f"{PASSED}({number}, {f'!!({plain})' if guard == '1' else f'{guard} && ({plain})'})"


class Probes:
    """The text of one file, and the calls that are to be put into it. Places are lines and columns of the file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = scanned(text).tokens
        self._statements = Statements(self._tokens)
        self._starts = [0, *[match.end() for match in re.finditer("\n", text)]]
        self._offsets = [token.start for token in self._tokens]
        self._around = list(_enclosing(self._tokens))
        """The number of the innermost round or square bracket that is open before each token; -1 for none."""
        self._edits: list[tuple[int, int, int, str]] = []
        """Offset, rank, number and text of what is put in, to be sorted."""

    # --- what is put in

    def loop(self, line: int, column: int | None, calls: Sequence[str]) -> None:
        """Calls whenever the head of a loop is reached; of a do, also where its body begins."""
        at = self._find(line, column, lambda at: self._text_at(at) in _LOOPS and not self._ends_do(at), "loop")
        listed = ", ".join(calls)
        match self._text_at(at):
            case "while":
                self._put(self._token(at + 1).end, f"{listed}, ")
            case "for":
                first, second, _ = self._clauses(at)
                is_empty = second == first + 1
                self._put(self._token(first).end, f"{listed}, 1" if is_empty else f"{listed}, ")
            case _:
                end = self._behind(at + 1)
                if self._text_at(end) != "while":
                    raise NoPlace("the end of the loop cannot be found")
                self._put_first(at + 1, f"{listed}; ")
                self._put(self._token(end + 1).end, f"{listed}, ")

    def statement(self, line: int, column: int | None, call: str) -> None:
        """A call before a statement or declaration, behind its labels."""
        at = self._find(line, column, self._is_statement, "statement")
        at = self._behind_labels(at)
        self._put_first(at, f"{call}; ")

    def decision(self, line: int, column: int | None, number: int, wanted: str | None) -> None:
        """A call with the truth value of what decides at a place: an if, a loop, ``?``, or ``wanted`` of a switch."""
        at = self._find(line, column, self._decides, "branching")
        word = self._text_at(at)
        if word == "switch":
            if wanted is None:
                raise NoPlace("a switch is not true or false")
            self._wrap(at + 1, self._closing(at + 1), "({ __auto_type unfork_v = (", _seen(number, wanted))
        elif wanted is not None:
            raise NoPlace(f"{word} does not decide for {wanted}")
        elif word == "for":
            first, second, _ = self._clauses(at)
            if second == first + 1:
                self._put(self._token(first).end, f"{PASSED}({number}, 1)")
            else:
                self._wrap(first, second, f"{PASSED}({number}, !!(", "))")
        elif word == "?":
            self._wrap(self._condition(at), at, f"{PASSED}({number}, !!(", ")) ")
        else:
            if word == "do":
                at = self._behind(at + 1)
            self._wrap(at + 1, self._closing(at + 1), f"{PASSED}({number}, !!(", "))")

    def entered(self, line: int, column: int | None, number: int) -> None:
        """A call once the arguments of a call are evaluated whose closing bracket stands at a place."""
        opening, closing = self._call(line, column)
        if closing == opening + 1:
            start = self._token(opening - 1).start
            self._around_with(start, self._token(closing).end, f"({PASSED}({number}, 1), ", ")")
            return
        last = opening
        for at in range(opening + 1, closing):
            if self._text_at(at) == "{":
                raise NoPlace("an argument has braces")
            if self._text_at(at) == "," and self._around[at] == opening:
                last = at
        told = f"); {PASSED}({number}, 1); unfork_v; }})"
        self._wrap(last, closing, "({ __auto_type unfork_v = (", told)

    def returned(self, line: int, column: int | None, number: int, constraint: str) -> None:
        """A call with whether a call's result, which a constraint names unfork_v, is as that says."""
        opening, closing = self._call(line, column)
        told = f"; {PASSED}({number}, !!({constraint})); unfork_v; }})"
        start, end = self._token(opening - 1).start, self._token(closing).end
        self._around_with(start, end, "({ __auto_type unfork_v = ", told)

    def decisions(self) -> Iterator[tuple[int, int]]:
        """The places of all that decides for true or false, in the order of the text."""
        for at, token in enumerate(self._tokens):
            if self._decides(at) and token.text != "switch":
                yield self._place(at)

    def endings(self) -> Iterator[tuple[int, int]]:
        """The places of statements that end the program: a return of main, or a call of exit."""
        body = self._main()
        for at in range(len(self._tokens)):
            is_return = self._text_at(at) == "return" and body is not None and body[0] < at < body[1]
            is_exit = self._text_at(at) == "exit" and self._text_at(at + 1) == "("
            if (is_return or is_exit) and self._is_statement(at):
                yield self._place(at)

    def end_of_main(self) -> tuple[int, int] | None:
        """The place of the brace that closes main."""
        body = self._main()
        return None if body is None else self._place(body[1])

    def _main(self) -> tuple[int, int] | None:
        """The braces of main's body."""
        for at, token in enumerate(self._tokens):
            if token.text == "main" and not token.depth and self._text_at(at + 1) == "(":
                opening = self._closing(at + 1) + 1
                end = self._statements.behind_group(opening) if self._text_at(opening) == "{" else None
                if end is not None:
                    return opening, end - 1
        return None

    def probed(self) -> Probed:
        """The text with all calls."""
        pieces, at = [_HEAD], 0
        inserted: list[tuple[int, int, int]] = []
        for start, _, _, more in sorted(self._edits):
            pieces += [self._text[at:start], more]
            line = bisect_right(self._starts, start)
            before = sum(length for number, _, length in inserted if number == line)
            inserted.append((line, start - self._starts[line - 1] + 1 + before, len(more)))
            at = start
        pieces.append(self._text[at:])
        # From the last on, what stands before it is as in the original.
        return Probed("".join(pieces), tuple(reversed(inserted)))

    # --- what stands at a place

    def _find(self, line: int, column: int | None, fits: Callable[[int], bool], what: str) -> int:
        """The number of the token at a place; without a column, the first on the line that fits."""
        if not 1 <= line <= len(self._starts):
            raise NoPlace("the file has no such line")
        end = self._starts[line] if line < len(self._starts) else len(self._text) + 1
        start = self._starts[line - 1] + (0 if column is None else column - 1)
        at = bisect_right(self._offsets, start - 1)
        while at < len(self._tokens) and self._offsets[at] < end:
            if column is not None and self._offsets[at] != start:
                break
            if fits(at):
                return at
            at += 1
        raise NoPlace(f"no {what} stands there")

    def _decides(self, at: int) -> bool:
        word = self._text_at(at)
        if word == "?":
            return True
        return (word in _HEADS or word == "do") and self._token(at).depth > 0 and not self._ends_do(at)

    def _is_statement(self, at: int) -> bool:
        """Whether a statement or declaration of a function begins at a token."""
        if self._around[at] >= 0 or not self._token(at).depth or self._text_at(at) in ("{", "}", "else"):
            return False
        if self._text_at(at) == "while" and self._ends_do(at):
            return False
        before = self._text_at(at - 1)
        if before == ")":
            return self._text_at(self._opening(at - 1) - 1) in _HEADS
        return before in (";", "{", "}", "else", "do") or (before == ":" and self._ends_label(at - 1))

    def _ends_label(self, colon: int) -> bool:
        at = colon - 1
        while at >= 0 and self._text_at(at) not in (";", "{", "}", "?", "case", "default"):
            at -= 1
        is_name = at == colon - 2 and self._text_at(colon - 1).isidentifier()
        return self._text_at(at) in ("case", "default") or (is_name and self._text_at(at) != "?")

    def _behind_labels(self, at: int) -> int:
        while True:
            if self._text_at(at) in ("case", "default"):
                while self._text_at(at) not in (":", ""):
                    at += 1
                at += 1
            elif self._text_at(at).isidentifier() and self._text_at(at + 1) == ":":
                at += 2
            else:
                return at

    def _put_first(self, at: int, calls: str) -> None:
        """Put calls before the statement that begins at a token, as its part if it is the only one somewhere."""
        if self._text_at(at) == "{":
            self._put(self._token(at).end, f" {calls}")
        elif self._text_at(at - 1) in (";", "{", "}"):
            self._put(self._token(at).start, calls)
        else:
            end = self._behind(at)
            self._put(self._token(at).start, f"{{ {calls}")
            self._put(self._token(end - 1).end, " }", _BEHIND)

    def _ends_do(self, at: int) -> bool:
        """Whether a while ends a do: what it follows is the body of one."""
        if self._text_at(at) != "while" or self._text_at(at - 1) not in ("}", ";"):
            return False
        depth = self._token(at).depth
        for start in range(at - 1, -1, -1):
            token = self._tokens[start]
            if token.depth < depth:
                return False
            if token.text == "do" and token.depth == depth and self._statements.end(start + 1, 0) == at:
                return True
        return False

    def _clauses(self, at: int) -> tuple[int, int, int]:
        """The tokens of the two semicolons in the head of a for, and of its closing bracket."""
        closing = self._closing(at + 1)
        marks = [n for n in range(at + 2, closing) if self._text_at(n) == ";" and self._around[n] == at + 1]
        if len(marks) != 2:
            raise NoPlace("the head of the loop cannot be read")
        return marks[0], marks[1], closing

    def _condition(self, question: int) -> int:
        """The token in front of the condition of ``?``."""
        at = question - 1
        while at >= 0:
            text = self._text_at(at)
            if text in _CLOSING:
                at = self._opening(at)
            elif text in _OPENING or (text in _LOOSER and not self._compares(at)):
                return at
            at -= 1
        raise NoPlace("the beginning of the condition cannot be found")

    def _compares(self, at: int) -> bool:
        """Whether = is part of ==, !=, <= or >=, rather than of an assignment."""
        if self._text_at(at) != "=":
            return False
        start = self._token(at).start
        before, after = self._text[start - 1 : start], self._text[start + 1 : start + 2]
        is_shift = self._text[start - 2 : start] in ("<<", ">>")
        return not is_shift and (before in ("=", "!", "<", ">") or after == "=")

    def _call(self, line: int, column: int | None) -> tuple[int, int]:
        """The brackets of the call whose closing bracket stands at a place."""

        def ends_call(at: int) -> bool:
            if self._text_at(at) != ")":
                return False
            name = self._opening(at) - 1
            is_name = self._text_at(name).isidentifier() and self._text_at(name) not in _HEADS | {"sizeof", "return"}
            is_member = self._text_at(name - 1) == "." or self._text[: self._token(name).start].endswith("->")
            is_inside = self._token(at).depth > 0 and not self._text_at(name - 1).isidentifier()
            return is_name and not is_member and (is_inside or self._text_at(name - 1) in ("return", "else", "do"))

        closing = self._find(line, column, ends_call, "call of a function by its name")
        return self._opening(closing), closing

    # --- tokens

    def _put(self, offset: int, text: str, rank: int = _BEFORE) -> None:
        number = len(self._edits)
        self._edits.append((offset, rank, -number if rank == _BEHIND else number, text))

    def _around_with(self, start: int, end: int, opening: str, closing: str) -> None:
        self._put(start, opening, _OPEN)
        self._put(end, closing, _BEHIND)

    def _wrap(self, before: int, behind: int, opening: str, closing: str) -> None:
        """Put text behind the token ``before`` and in front of the token ``behind``."""
        self._around_with(self._token(before).end, self._token(behind).start, opening, closing)

    def _behind(self, at: int) -> int:
        end = self._statements.end(at, 0)
        if end is None:
            raise NoPlace("the end of the statement cannot be found")
        return end

    def _closing(self, opening: int) -> int:
        end = self._statements.behind_group(opening) if self._text_at(opening) == "(" else None
        if end is None:
            raise NoPlace("brackets that do not match")
        return end - 1

    def _opening(self, closing: int) -> int:
        depth = 0
        for at in range(closing, -1, -1):
            depth += (self._text_at(at) in _CLOSING) - (self._text_at(at) in _OPENING)
            if not depth:
                return at
        return 0

    def _place(self, at: int) -> tuple[int, int]:
        offset = self._offsets[at]
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _token(self, at: int) -> Token:
        if not 0 <= at < len(self._tokens):
            raise NoPlace("the text ends there")
        return self._tokens[at]

    def _text_at(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""


def _seen(number: int, wanted: str) -> str:
    return f"); {PASSED}({number}, unfork_v == ({wanted})); unfork_v; }})"


def _enclosing(tokens: Sequence[Token]) -> Iterator[int]:
    """For each token, the round or square bracket that is open before it; -1 inside braces and outside of all."""
    opened: list[int] = [-1]
    for at, token in enumerate(tokens):
        if token.text in _CLOSING and len(opened) > 1:
            opened.pop()
        yield opened[-1]
        if token.text in ("(", "["):
            opened.append(at)
        elif token.text == "{":
            opened.append(-1)
