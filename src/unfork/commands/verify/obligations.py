"""The obligations of a proof: how each ended, who decided it, and what a path may then assume."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal, Protocol

from unfork.commands.verify.refute import Refuter
from unfork.engine.meaning import unbounded_integers
from unfork.engine.meaning.c_values import CValue
from unfork.engine.meaning.formula import All, Formula, Ground, QuantifiedFormula, Universal, negated
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Sat, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol
from unfork.reduce.merge.refinement import Suspects

LEAST = 0.01
"""Seconds of a query that comes too late."""
Ending = Literal["proved", "open", "unknown"]


class AnswerSource(Protocol):
    """A solver that says who gave its last answer."""

    decided_by: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What an obligation is about: its kind, its location, and its text."""

    kind: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ProofGoal:
    """A formula that must hold where a path stands, and the subject of its obligation."""

    subject: Subject
    formula: Formula


@dataclass(slots=True)
class ProofObligation:
    """An obligation and how it ended: ``open`` if a path may break it, ``unknown`` if no solver decided."""

    subject: Subject
    ending: Ending = "proved"
    paths: int = 0
    """How many paths had to prove it."""
    seconds: float = 0.0
    by: dict[str, int] = field(default_factory=dict)
    detail: str = ""
    """The path and the values that may break it."""


@dataclass(slots=True)
class Obligations:
    """A function's obligations, in order. None are noted while ``mute`` is positive."""

    refuter: Refuter
    solver: AnswerSource
    chain: Chain
    fresh: Callable[[], int]
    timeout: float
    explained: Callable[[State, Model], str]
    """The text for a model that may break an obligation."""
    all: dict[Subject, ProofObligation] = field(default_factory=dict)
    failed: list[Suspects] = field(default_factory=list)
    """What each failure on a path depends on: the query, then the path."""
    mute: int = 0
    deadline: float = FOREVER
    """Time (``monotonic``) after which no query starts."""

    def _patience(self) -> float:
        return min(self.timeout, max(self.deadline - monotonic(), LEAST))

    def prove_all(self, goals: Iterable[ProofGoal], state: State) -> None:
        """Prove goals in a state, part by part; what follows may assume each."""
        for goal in goals:
            for part in goal.formula.formulas if isinstance(goal.formula, All) else (goal.formula,):
                is_proved = self.prove(ProofGoal(goal.subject, part), state)
                if not is_proved or self.mute or state.proof.claims:
                    self.assume(state, part)

    def prove(self, goal: ProofGoal, state: State) -> bool:
        """Prove a goal in a state. While mute: True without a query."""
        if self.mute:
            return True
        subject, wrong = goal.subject, negated(goal.formula)
        began = monotonic()
        self.solver.decided_by = ""
        answer = self.refuter.check(state.path, state.proof.claims, wrong, self._patience())
        holds = isinstance(answer, Unsat)
        obligation = self.all.setdefault(subject, ProofObligation(subject))
        obligation.paths += 1
        obligation.seconds += monotonic() - began
        if self.solver.decided_by:
            obligation.by[self.solver.decided_by] = obligation.by.get(self.solver.decided_by, 0) + 1
        if not holds:
            asked = frozenset(answer.model.values) if isinstance(answer, Sat) else frozenset()
            self.failed.append(Suspects(asked, frozenset(state.path.slices), self.refuter.asked))
        if not holds and obligation.ending != "open":
            if isinstance(answer, Sat):
                obligation.ending, obligation.detail = "open", self.explained(state, answer.model)
            elif isinstance(answer, Unknown):
                obligation.ending, obligation.detail = "unknown", answer.reason
        return holds

    def prove_in_a_way(self, subject: Subject, ways: Iterable[Formula], seconds: float) -> bool:
        """Prove a subject by refuting one of some formulas in any state; else note nothing."""
        began = monotonic()
        for wrong in ways:
            self.solver.decided_by = ""
            seconds = min(seconds, self._patience())
            answer = self.refuter.check(PathCondition.EMPTY, (), wrong, seconds)
            if isinstance(answer, Unsat):
                by = {self.solver.decided_by: 1} if self.solver.decided_by else {}
                self.all[subject] = ProofObligation(subject, "proved", 1, monotonic() - began, by)
                return True
        return False

    def contradicts(self, state: State, before: State) -> bool:
        """Whether a state is contradictory, but not ``before``."""
        return not self.mute and self.is_impossible(state) and not self.is_impossible(before)

    def is_impossible(self, state: State) -> bool:
        claims = state.proof.claims
        return bool(claims) and self.refuter.is_contradiction(state.path, claims, self._patience())

    def fail(self, subject: Subject, detail: str) -> None:
        if not self.mute:
            obligation = self.all.setdefault(subject, ProofObligation(subject))
            obligation.paths += 1
            obligation.ending, obligation.detail = "open", obligation.detail or detail

    def assume_all(self, state: State, goals: Iterable[ProofGoal]) -> bool:
        """Assume formulas; False if one cannot hold."""
        return all(self.assume(state, goal.formula) for goal in goals)

    def assume(self, state: State, what: Formula) -> bool:
        """Assume a formula; False if it cannot hold."""
        waiting = [what]
        while waiting:
            current = waiting.pop()
            match current:
                case Ground(value):
                    path = self.chain.assume(state.path, value)
                    if isinstance(path, Unsat):
                        return False
                    if isinstance(path, PathCondition):
                        state.path = path
                    elif isinstance(value, Term):
                        _claim(state, plain(current))
                case All(formulas):
                    waiting += reversed(formulas)
                case QuantifiedFormula(exists=True, widths=widths, body=body):
                    waiting.append(body(tuple([symbol(f"witness#{self.fresh()}", width) for width in widths])))
                case QuantifiedFormula(exists=False, widths=widths, body=body):
                    _claim(state, Universal(widths, body))
                case _:
                    _claim(state, plain(current))
        return True


def _claim(state: State, claim: Universal) -> None:
    state.proof = replace(state.proof, claims=(*state.proof.claims, claim))


def plain(condition: Formula) -> Universal:
    """A formula as a claim without variables."""
    return Universal((), lambda values: condition)


def falls(before: CValue, now: CValue) -> Formula:
    """That an integer was not negative and has decreased."""
    is_natural = unbounded_integers.compared(">=", before, unbounded_integers.constant(0))
    return Ground(build.both(is_natural, unbounded_integers.compared("<", now, before)))
