"""Reads the clauses of contracts: conditions, terms and the memory locations that may be assigned."""

from __future__ import annotations

from unfork.clang.contracts import Clause
from unfork.clang.expression_cursor import EMPTY, Scope
from unfork.clang.expression_reader import Elements, ExpressionReader, Interval
from unfork.clang.expressions import (
    AssignedLocation,
    Binary,
    Bytes,
    Deref,
    Expression,
    Guarded,
    Index,
    Member,
    Name,
    OfPointer,
    WholeObject,
)


class ClauseReader(ExpressionReader):
    """Reads clauses from the tokens of a ``source``; the caller reads the words in front of them."""

    def clause(self, allowed: frozenset[str] = frozenset(), scope: Scope = EMPTY) -> Clause:
        """A condition or term, with its name if it has one.

        ``allowed`` are the words, of those that mean something in some clauses only, that this one may have: result,
        old, and loop (for labels of loops). ``scope`` is what names mean that are no variables of C.
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
        locations = [self._location()]
        while self.accept(",") or (isinstance(locations[-1], Guarded) and not self.is_at_end):
            locations.append(self._location())
        return tuple(locations)

    def _location(self) -> AssignedLocation:
        first = self.next
        meaning = self._notation.words.get(first.text)
        location: Expression | Elements | Interval
        if meaning in ("object_whole", "object_upto", "object_from", "typed_target"):
            self.take()
            location, *more = self._arguments(first, 1 + (meaning == "object_upto"))
            match meaning:
                case "object_whole":
                    return WholeObject(location)
                case "object_upto":
                    return Bytes(location, more[0])
                case "object_from":
                    rest = Binary("-", OfPointer("size", location), OfPointer("offset", location))
                    return Bytes(location, rest)
        else:
            location = self._binary(0)
            if self.next.text == ":" and not self._notation.chains:
                self.take()
                places = [self._location()]
                while self.accept(","):
                    places.append(self._location())
                if any(isinstance(place, Guarded) for place in places):
                    raise self.unsupported(first, ": a condition behind another, with no ; between their targets")
                if not self.is_at_end:
                    self.expect(";")
                return Guarded(self._value(location, first), tuple(places))
        match location:
            case Name() | Deref() | Index() | Member():
                return location
            case Elements(elements):
                return elements
        raise self.source.problem(first.start, f"{self.text_since(first)!r} is no place that can be assigned")
