"""Failures with the true values put back: why one that joins brought about cannot be, as predicates for these joins.

A join forgot values; the ite of both sides is what the exact join would have had in their place. Where a failure is
unsatisfiable with that, the conditions of its unsat core are to exclude each other at the join as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from unfork.facts.merge_points import Mark
from unfork.logic import build
from unfork.logic.boolean import conjuncts
from unfork.logic.chain import Chain
from unfork.logic.evaluate import substitution
from unfork.logic.path import Trail
from unfork.logic.solver import Unknown, Unsat
from unfork.logic.term import Term, Value, postorder
from unfork.merge.learnt import Learnt, Likeness

MOST_CHECKS = 64
"""Queries about all failures of an exploration: after the first that has no answer, no more are asked."""
PATIENCE = 2.0
"""Seconds for a query."""
MOST_CONDITIONS = 1_000
"""A failure with more conditions is not looked into."""
MOST_IN_CORE = 8
MOST_ATOMS = 12
LEAST = 0.01
"""Seconds of a query that comes too late."""
_ATOMS = ("eq", "ult", "slt")


@dataclass(frozen=True, slots=True)
class Forgot:
    """What one join forgot: for its symbols the true values, and what they stand for; and what it knew besides."""

    place: Mark
    truth: Mapping[Term, Value]
    likeness: Mapping[Term, Sequence[Likeness]]
    trail: Trail | None
    """What the joined path knew before anything was inferred."""

    def known(self) -> set[Term]:
        """The conditions of the joined path."""
        known: set[Term] = set()
        trail = self.trail
        while trail is not None:
            trail, condition = trail
            known.add(condition)
        return known


class Restoring:
    """Puts true values back into the failures of one exploration, with so many queries to the solver of ``chain``."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.queries = 0
        self._gives_up = False

    def learnt(self, conditions: Sequence[Term], forgotten: Mapping[Term, Forgot]) -> dict[Mark, list[Learnt]]:
        """Predicates by place that exclude a failure under ``conditions``; none if it may be one.

        ``forgotten`` has the symbols of all joins, the latest last.
        """
        if len(conditions) > MOST_CONDITIONS:
            return {}
        order = {
            id(join): number for number, join in enumerate({id(each): each for each in forgotten.values()}.values())
        }
        levels: list[tuple[Forgot, list[Value]]] = []
        now: list[Value] = list(conditions)
        while (latest := _latest(now, forgotten, order)) is not None:
            levels.append((latest, now))
            put_back = substitution(latest.truth)
            now = [put_back(each) for each in now]
        core = self._core(now) if levels else []
        if not core or len(core) > MOST_IN_CORE:
            return {}
        lessons: dict[Mark, list[Learnt]] = {}
        likeness = {term: ways for join, _ in levels for term, ways in join.likeness.items()}
        for (join, before), (_, after) in zip(levels, [*levels[1:], (None, now)], strict=True):
            if join.place not in lessons and any(join.truth.keys() & _symbols(before[place]) for place in core):
                lessons[join.place] = _learnt(join, [before[place] for place in core], likeness)
            if self._excluded([after[place] for place in core]):
                break
        return lessons

    def _core(self, conditions: Sequence[Value]) -> list[int]:
        """Which conditions exclude each other, as few as there are checks for; none if they do not."""
        kept = list(range(len(conditions)))
        if not self._excluded(conditions):
            return []
        step = max(len(kept) // 2, 1)
        while True:
            at = 0
            while at < len(kept) and not self._gives_up:
                fewer = kept[:at] + kept[at + step :]
                if self._excluded([conditions[place] for place in fewer]):
                    kept = fewer
                else:
                    at += step
            if step == 1 or self._gives_up:
                return kept
            step = max(step // 2, 1)

    def _excluded(self, conditions: Sequence[Value]) -> bool:
        """Whether conditions cannot all hold."""
        if any(isinstance(each, int) and not each for each in conditions):
            return True
        terms = list(dict.fromkeys([each for each in conditions if isinstance(each, Term)]))
        if not terms or self._gives_up:
            return False
        self.queries += 1
        left = self._chain.deadline - monotonic()
        answer = self._chain.solver.check(terms, max(min(self._chain.timeout, PATIENCE, left), LEAST))
        self._gives_up = isinstance(answer, Unknown) or self.queries == MOST_CHECKS or left < 0
        return isinstance(answer, Unsat)


def _latest(conditions: Sequence[Value], forgotten: Mapping[Term, Forgot], order: Mapping[int, int]) -> Forgot | None:
    """The latest join that conditions depend on."""
    joins = {id(join): join for each in conditions for s in _symbols(each) if (join := forgotten.get(s)) is not None}
    return max(joins.values(), key=lambda join: order[id(join)], default=None)


def _symbols(value: Value) -> frozenset[Term]:
    return value.symbols if isinstance(value, Term) else frozenset()


def _learnt(join: Forgot, core: Sequence[Value], likeness: Mapping[Term, Sequence[Likeness]]) -> list[Learnt]:
    """The atoms of a core that mention what a join forgot, either way, and that all that it did not know cannot be."""
    known = join.known()
    conditions = [each for each in core if isinstance(each, Term) and each not in known]
    atoms = [
        atom
        for atom in postorder(tuple(conditions))
        if atom.op in _ATOMS and join.truth.keys() & atom.symbols and atom not in conditions
    ]
    whole = build.negate(build.conjunction(conditions))
    parts = [build.negate(part) for each in conditions for part in conjuncts(each, MOST_ATOMS)]
    either = [each for atom in atoms[:MOST_ATOMS] for each in (atom, build.negate(atom))]
    terms = dict.fromkeys([each for each in (*parts, *either, whole) if isinstance(each, Term)])
    return [Learnt(each, likeness) for each in terms if join.truth.keys() & each.symbols]
