"""What predicates say of a state's variables: of their numbers nothing else counts in an abstract comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unfork.clang.expressions import INT, names_in
from unfork.logic.term import Value
from unfork.merge.predicates import Predicate
from unfork.merge.rules import fits
from unfork.merge.scope import Holder, Variables
from unfork.state.state import State


class Facts:
    """Asks each of ``predicates`` in every frame: those about a value, of each variable that they fit."""

    def __init__(self, predicates: Sequence[Predicate], variables: Variables) -> None:
        names = [names_in(predicate.expression) for predicate in predicates]
        self._predicates = [(each, each.placeholder in known) for each, known in zip(predicates, names, strict=True)]
        self._variables = variables

    def of(self, state: State) -> list[Value | None]:
        """What they say (1 bit each), in an order that is the same in all states at one place.

        None: a variable has no value there.
        """
        return [said for depth in range(len(state.frames)) for said in self._in_frame(state, depth)]

    def _in_frame(self, state: State, depth: int) -> Iterator[Value | None]:
        scope = self._variables.scope(state, depth)
        for predicate, is_about_a_value in self._predicates:
            if not is_about_a_value:
                yield predicate.at(scope, 0, INT)
                continue
            for variable, held in self._variables.locals(state, depth):
                if fits(predicate.about, Holder(variable, INT if held is None else held.type, depth)):
                    yield None if held is None else predicate.at(scope, held.value, held.type)
