"""The rules of an abstract join: domains and predicates, each for a variable, a type, or everything."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from unfork.engine.state.state import State
from unfork.logic.terms.term import Value
from unfork.program.c.annotations import PredicateSet
from unfork.program.c.expressions import INT, Integral, integer_type, names_in
from unfork.reduce.merge.domains import DOMAINS, LATTICES, Domain, Lattice, Predicate
from unfork.reduce.merge.scope import Holder, Variables


@dataclass(frozen=True, slots=True)
class NumberRule:
    """A domain of numbers; ``widened`` is for loop heads."""

    about: str | None
    domain: Domain
    widened: Domain


@dataclass(frozen=True, slots=True)
class PredicateRule:
    """A lattice over predicates."""

    about: str | None
    lattice: Lattice
    predicates: tuple[Predicate, ...]


Rule = NumberRule | PredicateRule


def fits(about: str | None, holder: Holder | None) -> bool:
    """Whether a rule or predicate for ``about`` applies to a variable; None: a value that no variable holds.

    A type in keywords means every integer type of its size and sign; other words name a variable, or its type.
    """
    if about is None:
        return True
    if holder is None:
        return False
    kind = integer_type(about)
    if kind is not None:
        variable = holder.variable
        width = 1 if variable.encoding == "boolean" else 8 * (variable.size or 0)
        return kind == Integral(width, holder.type.signed)
    return about in (holder.variable.name, holder.variable.type_name)


def read_rules(names: Sequence[str], predicates: Sequence[Predicate]) -> tuple[Rule, ...]:
    """The rules of ``[WHAT:]NAME`` words, whose lattices are over ``predicates``. Raises ValueError in one line."""
    rules: list[Rule] = []
    is_used = False
    for word in names:
        prefix, _, name = word.rpartition(":")
        about = " ".join(prefix.split()) or None
        if name in DOMAINS:
            rules.append(NumberRule(about, *DOMAINS[name]))
        elif name not in LATTICES:
            raise ValueError(f"{name!r} is none of {', '.join((*DOMAINS, *LATTICES))}")
        elif not predicates:
            raise ValueError(f"{name!r} needs predicates")
        else:
            is_used = True
            rules.append(PredicateRule(about, LATTICES[name], tuple(predicates)))
    if predicates and not is_used:
        raise ValueError(f"predicates need one of {', '.join(LATTICES)}")
    return tuple(rules)


def annotated_rules(how: str, sets: Sequence[PredicateSet]) -> tuple[Rule, ...]:
    """The rules of an annotation that names domains (or "predicates") and has predicates of its own.

    Raises ValueError in one line.
    """
    names = [] if how == "predicates" else how.removeprefix("abstract:").split(",")
    rules = list(read_rules(names, ()))
    for group in sets:
        if group.lattice not in LATTICES:
            raise ValueError(f"{group.lattice!r} is none of {', '.join(LATTICES)}")
        given = [Predicate(text, None, group.placeholder, expression) for text, expression in group.expressions]
        rules.append(PredicateRule(group.type, LATTICES[group.lattice], tuple(given)))
    if not rules:
        raise ValueError("predicates need merge_params")
    return tuple(rules)


def check_rules(rules: Sequence[Rule], known: Collection[str]) -> None:
    """Raise ValueError for a rule about an unknown variable (or, before a colon, type)."""
    for rule in rules:
        _check_about(rule.about, known)
        check_predicates(rule.predicates if isinstance(rule, PredicateRule) else (), known)


def check_predicates(predicates: Sequence[Predicate], known: Collection[str]) -> None:
    """Raise ValueError for a predicate with an unknown variable (or type)."""
    for predicate in predicates:
        _check_about(predicate.about, known)
        for name in sorted(names_in(predicate.expression) - {predicate.placeholder}):
            if name not in known:
                raise ValueError(f"{predicate.text!r}: no variable of the program is called {name!r}")


def _check_about(about: str | None, known: Collection[str]) -> None:
    if about is not None and integer_type(about) is None and about not in known:
        raise ValueError(f"no variable or type of the program is called {about!r}")


class PredicateFacts:
    """Evaluates ``predicates`` in every frame: those about a value, for each variable that they fit."""

    def __init__(self, predicates: Sequence[Predicate], variables: Variables) -> None:
        names = [names_in(predicate.expression) for predicate in predicates]
        self._predicates = [(each, each.placeholder in known) for each, known in zip(predicates, names, strict=True)]
        self._variables = variables

    def of(self, state: State) -> list[Value | None]:
        """Their truth values (1 bit each), in an order that is the same in all states at one program point.

        None: a variable has no value there.
        """
        return [said for depth in range(len(state.frames)) for said in self._in_frame(state, depth)]

    def _in_frame(self, state: State, depth: int) -> Iterator[Value | None]:
        here = self._variables.here(state, depth)
        for predicate, is_about_a_value in self._predicates:
            if not is_about_a_value:
                yield predicate.at(here, 0, INT)
                continue
            for variable, held in self._variables.locals(state, depth):
                if fits(predicate.about, Holder(variable, INT if held is None else held.type, depth)):
                    yield None if held is None else predicate.at(here, held.value, held.type)
