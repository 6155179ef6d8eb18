"""Reads the clauses of contracts: conditions, terms and assignable memory locations."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.program.c.contracts import Clause
from unfork.program.c.expression_cursor import EMPTY, Scope
from unfork.program.c.expression_reader import ExpressionReader, Interval, RangeElements
from unfork.program.c.expression_tokens import Lexeme
from unfork.program.c.expressions import (
    AssignedLocation,
    BinaryExpression,
    Bytes,
    Deref,
    Expression,
    GuardedLocations,
    Index,
    MemberExpression,
    Name,
    OfPointer,
    Place,
    WholeObject,
)


class ClauseReader(ExpressionReader):
    """Reads clauses from the tokens of a ``source``; the caller reads the words before them."""

    def clause(self, allowed: frozenset[str] = frozenset(), scope: Scope = EMPTY) -> Clause:
        """A condition or term, with its name if it has one.

        ``allowed`` are the context-dependent words that this clause may use: result, old, and loop (for labels of
        loops). ``scope`` has the meaning of names that are not C variables.
        """
        first = self.next
        name = self._name() if self._notation.chains else None
        self._allowed, self._scope = allowed, scope
        expression = self.expression()
        self._allowed, self._scope = frozenset(), EMPTY
        file, line = self.source.position(first.start)
        return Clause(self.text_since(first), expression, file, line, name)

    def locations(self, nothing: str | None) -> tuple[AssignedLocation, ...]:
        """The memory locations of an assigns clause; ``nothing`` is the word for none."""
        if nothing is not None and self.accept(nothing):
            return ()
        return tuple(self._sets())

    def _sets(self) -> Iterator[AssignedLocation]:
        """Memory locations, and those of unions."""
        is_more = True
        while is_more:
            meaning = self._notation.words.get(self.next.text)
            is_guarded = False
            if meaning == "union":
                token = self.take()
                self._opening(token)
                with self._nesting(token):
                    yield from self._sets()
                self.expect(")")
            elif meaning == "empty":
                self.take()
            else:
                location = self._location()
                is_guarded = isinstance(location, GuardedLocations)
                yield location
            is_more = self.accept(",") or (is_guarded and not self.is_at_end)

    def _location(self) -> AssignedLocation:
        first = self.next
        read = self._target()
        if self.next.text != ":" or self._notation.chains or isinstance(read, Bytes | WholeObject):
            return self._place(read, first)
        self.take()
        places: list[Place] = []
        while not places or self.accept(","):
            behind = self.next
            places.append(self._place(self._target(), behind))
        if not self.is_at_end:
            self.expect(";")
        return GuardedLocations(self._value(read, first), tuple(places))

    def _target(self) -> Expression | RangeElements | Interval | Bytes | WholeObject:
        """A possible memory location."""
        first = self.next
        meaning = self._notation.words.get(first.text)
        if meaning not in ("object_whole", "object_upto", "object_from", "typed_target"):
            return self._binary(0)
        self.take()
        pointer, *more = self._arguments(first, 1 + (meaning == "object_upto"))
        match meaning:
            case "object_whole":
                return WholeObject(pointer)
            case "object_upto":
                return Bytes(pointer, more[0])
            case "object_from":
                return Bytes(pointer, BinaryExpression("-", OfPointer("size", pointer), OfPointer("offset", pointer)))
        return pointer

    def _place(self, read: Expression | RangeElements | Interval | Bytes | WholeObject, first: Lexeme) -> Place:
        match read:
            case Name() | Deref() | Index() | MemberExpression() | Bytes() | WholeObject():
                return read
            case RangeElements(elements):
                return elements
        raise self.source.problem(first.start, f"{self.text_since(first)!r} is no place that can be assigned")
