"""Reads ACSL's logic definitions: predicates, logic functions, lemmas, and axioms in axiomatic blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from unfork.program.c.clause_reader import ClauseReader
from unfork.program.c.contracts import Clause, Lemma, LogicDefinition
from unfork.program.c.expression_cursor import Scope
from unfork.program.c.expression_tokens import Lexeme
from unfork.program.c.expressions import (
    At,
    BoundVariable,
    Deref,
    Expression,
    Fresh,
    Index,
    Integral,
    MemberExpression,
    OfPointer,
    Separated,
    TypeName,
    Valid,
    ValidBytes,
    parts,
)

OF_LOGIC = frozenset(("predicate", "logic", "lemma", "axiom", "axiomatic"))
_WHOLE = frozenset(("pointers",))


@dataclass(slots=True)
class LogicNames:
    """The names defined by a text's logic definitions, with their numbers of ``arguments``.

    ``latest`` are those of the current annotation; ``problems`` are those of unreadable ones. ``is_being_read``: a
    definition is being read.
    """

    arguments: dict[str, set[int]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    latest: list[str] = field(default_factory=list)
    is_being_read: bool = False

    def refuse(self, problem: str) -> None:
        """Record a problem in the current annotation: its definitions have no meaning."""
        for name in self.latest:
            self.problems.setdefault(name, problem)


class LogicReader:
    """Reads definitions with a ``reader`` and adds each to ``known``, where later ones may use it."""

    def __init__(self, reader: ClauseReader, known: LogicNames) -> None:
        self._reader = reader
        self._known = known
        reader.logic = known.arguments
        reader.unread = known.problems

    def read(self, word: Lexeme) -> Iterator[LogicDefinition | Lemma]:
        """The definition that begins with ``word``, one of OF_LOGIC, which was stepped over."""
        self._known.is_being_read = True
        yield from self._read(word)
        self._known.is_being_read = False

    def _read(self, word: Lexeme) -> Iterator[LogicDefinition | Lemma]:
        match word.text:
            case "axiomatic":
                self._reader.name()
                self._reader.expect("{")
                while not self._reader.accept("}"):
                    inner = self._reader.take()
                    if inner.text not in OF_LOGIC - {"axiomatic"}:
                        raise self._reader.unsupported(inner, " in an axiomatic block")
                    yield from self._declaration(inner, in_block=True)
            case "axiom":
                raise self._reader.unsupported(word, " outside of an axiomatic block")
            case _:
                yield from self._declaration(word, in_block=False)

    def _declaration(self, word: Lexeme, *, in_block: bool) -> Iterator[LogicDefinition | Lemma]:
        if word.text in ("lemma", "axiom"):
            yield self._lemma(word)
        else:
            yield self._definition(word, in_block=in_block)

    def _heading(self) -> tuple[str, ...]:
        """The labels of a definition."""
        return tuple([self._reader.name() for _ in self._reader.labels()])

    def _lemma(self, word: Lexeme) -> Lemma:
        name = self._reader.name()
        labels = self._heading()
        self._reader.expect(":")
        clause = self._clause(labels, ())
        if len(labels) > 1:
            self._refuse_unlabelled(word, clause.expression)
        return Lemma(name, labels, clause, word.text == "axiom")

    def _definition(self, word: Lexeme, *, in_block: bool) -> LogicDefinition:
        reader, is_predicate = self._reader, word.text == "predicate"
        result: Integral | TypeName | None = None
        if not is_predicate:
            result = reader.variable_type(reader.next)
        first = reader.next
        name = reader.name()
        self._known.latest.append(name)
        labels = self._heading()
        if not reader.accept("("):
            raise reader.unsupported(first, f": a {word.text} without parameters")
        parameters = reader.parameters()
        file, line = reader.source.position(first.start)
        self._known.arguments.setdefault(name, set()).add(len(parameters))
        body: Expression | None = None
        if reader.accept("="):
            body = self._clause(labels, parameters).expression
        elif not in_block:
            raise reader.unsupported(word, " without a definition outside of an axiomatic block")
        else:
            if reader.accept("reads"):
                reader.locations("\\nothing")
            reader.expect(";")
        if body is not None and len(labels) > 1:
            self._refuse_unlabelled(word, body)
        return LogicDefinition(name, labels, parameters, is_predicate, result, body, file, line)

    def _clause(self, labels: tuple[str, ...], parameters: tuple[BoundVariable, ...]) -> Clause:
        bound = {parameter.name: None for parameter in parameters}
        clause = self._reader.clause(_WHOLE, Scope(bound, labels=frozenset(labels)))
        self._reader.expect(";")
        return clause

    def _refuse_unlabelled(self, word: Lexeme, body: Expression) -> None:
        """Raises InputError for a read of memory without a label, where there are several states."""
        waiting = [body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Deref | Index | MemberExpression | Valid | ValidBytes | Separated | Fresh | OfPointer):
                raise self._reader.unsupported(word, " with several labels that reads memory outside of \\at")
            if not isinstance(node, At):
                waiting += parts(node)
