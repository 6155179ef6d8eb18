"""A cursor over the tokens of contracts, and how types are read there."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.clang.c_expression import TYPE_WORDS, Integral, integer_type
from unfork.clang.c_source import Source
from unfork.clang.logic_expression import TypeName
from unfork.clang.logic_tokens import Lexeme
from unfork.errors import InputError

QUALIFIERS = frozenset(("const", "volatile", "restrict", "__restrict"))
_WORDS = TYPE_WORDS | QUALIFIERS | {"struct", "union", "enum", "void", "float", "double", "__int128"}
_TAGGED = frozenset(("struct", "union", "enum"))


class Cursor:
    """A place in a list of tokens, and the source that they come from; ``end`` is the offset behind the last."""

    def __init__(self, source: Source, tokens: Sequence[Lexeme], end: int) -> None:
        self.source = source
        self._tokens = [*tokens, Lexeme("end", "", end, end), Lexeme("end", "", end, end)]
        self._at = 0

    @property
    def next(self) -> Lexeme:
        """The token that comes next."""
        return self._tokens[self._at]

    @property
    def second(self) -> Lexeme:
        """The token behind the next."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    @property
    def is_at_end(self) -> bool:
        """Whether no token is left."""
        return self.next.kind == "end"

    def take(self) -> Lexeme:
        """Step over the next token."""
        token = self.next
        if token.kind != "end":
            self._at += 1
        return token

    def accept(self, text: str) -> bool:
        """Step over ``text`` if it comes next."""
        if self.next.text != text or self.next.kind not in ("mark", "word"):
            return False
        self._at += 1
        return True

    def expect(self, text: str) -> Lexeme:
        """Step over ``text``. Raises InputError if it does not come next."""
        token = self.next
        if not self.accept(text):
            raise self.misplaced(f"where {text!r} should be")
        return token

    def name(self) -> str:
        """Step over a name. Raises InputError if there is none."""
        token = self.next
        if token.kind != "word" or token.text.startswith("\\"):
            raise self.misplaced("where a name should be")
        self._at += 1
        return token.text

    def text_since(self, first: Lexeme) -> str:
        """The source's text from the token ``first`` to the one that was stepped over last, in one line."""
        text = ""
        end = first.start
        for token in self._tokens[self._tokens.index(first) : self._at]:
            # What a macro expands to stands where the macro does, and is no text of its own.
            if token.start >= end:
                text += " " * bool(text and token.start > end) + self.source.text[token.start : token.end]
                end = token.end
        return text

    def misplaced(self, where: str) -> InputError:
        """The error that the next token stands where something else should."""
        if self.next.text.startswith("\\"):
            return self.unsupported(self.next, f" {where}")
        shown = "the end" if self.next.kind == "end" else repr(self.next.text)
        return self.source.problem(self.next.start, f"{shown} {where}")

    def unsupported(self, token: Lexeme, more: str = "") -> InputError:
        """The error that a word is not known, or not here; ``more`` says how or why."""
        return self.source.problem(token.start, f"{token.text} is not supported{more}")

    def is_type(self, token: Lexeme, own: frozenset[str]) -> bool:
        """Whether a type begins with ``token``; ``own`` are words of the notation that name types."""
        known = (_WORDS, own, self.source.types)
        return token.kind == "word" and any(token.text in words for words in known)

    def type_name(self) -> TypeName:
        """The type that comes next, with its stars, without qualifiers."""
        words: list[str] = []
        while self.next.kind == "word":
            word = self.next.text
            is_first = not words
            if word in _TAGGED and is_first:
                self.take()
                words += (word, self.name())
            elif word in QUALIFIERS:
                self.take()
            elif (word in _WORDS and (is_first or words[-1] in _WORDS)) or (is_first and not word.startswith("\\")):
                words.append(self.take().text)
            else:
                break
        if not words:
            raise self.misplaced("where a type should be")
        stars = 0
        while self.next.text == "*" or self.next.text in QUALIFIERS:
            stars += self.take().text == "*"
        return TypeName(" ".join(words), stars)

    def integral(self, type_name: TypeName) -> Integral | None:
        """The integer type that a type is; None if it is none, or is not known."""
        if type_name.stars:
            return None
        return integer_type(type_name.words) or self.source.types.get(type_name.words)
