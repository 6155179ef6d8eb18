"""What a cover relies on: the covering state's values and path, with its symbols replaced as the proof says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unfork.audit.claim import Obligation, all_of, either, equal, term_of
from unfork.logic.term import Term, Value, make, postorder
from unfork.prune.contract import Cover


class CoverClaim:
    """Obligations of a cover: wherever the covered path holds, values are equal and the covering path holds.

    Covers under an abstraction claim nothing.
    """

    def __init__(self, cover: Cover) -> None:
        self._cover = cover

    def obligations(self) -> Iterator[Obligation]:
        """One for each value and condition; a single one where it depends on the inputs which substitution fits."""
        cover = self._cover
        if not cover.is_exact:
            return
        hypotheses = tuple(cover.path.constraints())
        claims = [self._under(one) for one in cover.proof.substitutions]
        if len(claims) == 1:
            for what, conclusion in claims[0]:
                yield Obligation(what, hypotheses, conclusion)
        elif claims:
            whole: Value = 0
            for claim in claims:
                whole = either(whole, all_of([conclusion for _, conclusion in claim]))
            yield Obligation("values and path", hypotheses, whole)

    def _under(self, substitution: Mapping[Term, Value]) -> list[tuple[str, Value]]:
        cover = self._cover
        known = {s: term_of(value, s.width) for s, value in substitution.items()}
        found = [
            (f"value {number}", equal(one, _replaced(its, width, known), width))
            for number, (one, its, width) in enumerate(cover.pairs)
        ]
        parts = cover.its_path.touched(known)
        return [*found, *[("path", _replaced(one, 1, known)) for part in parts for one in part.constraints]]


def _replaced(value: Value, width: int, known: Mapping[Term, Term]) -> Value:
    """The value with symbols replaced, built as it stands."""
    if isinstance(value, int):
        return value
    made: dict[Term, Term] = {}
    for term in postorder((value,)):
        if term.op == "symbol":
            made[term] = known.get(term, term)
        elif not term.args:
            made[term] = term
        else:
            made[term] = make(term.op, term.width, tuple([made[one] for one in term.args]), term.parameter)
    found = made[value]
    return found.value if found.op == "const" else found
