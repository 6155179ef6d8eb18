"""What a cover relies on: the covering state's values and path, with its symbols replaced as the proof says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from unfork.audit.claim import Obligation, all_of, either, equal, replaced, term_of
from unfork.logic.term import Term, Value, symbol
from unfork.prune.contract import Chosen, Pair, Proof, StateCover


class CoverClaim:
    """Obligations of a cover: wherever the covered path holds, values are equal and the covering path holds.

    Of a cover under an abstraction the same is asked for each choice of nodes of the covered state's segments: that the
    states match as they were abstracted. That nothing is lost by it is not claimed.
    """

    def __init__(self, cover: StateCover) -> None:
        self._cover = cover

    def obligations(self) -> Iterator[Obligation]:
        """One for each value and condition; a single one where it depends on the inputs which substitution fits."""
        cover = self._cover
        if cover.is_exact:
            yield from self._proved(cover.proof, [])
            return
        if not self._has_every_choice():
            yield Obligation("a proof for each choice of nodes", tuple(cover.path.constraints()), 0)
        for chosen in cover.chosen:
            yield from self._proved(chosen.proof, self._held(chosen))

    def _has_every_choice(self) -> bool:
        """Whether each choice of the covered state's nodes has an answer among the coverer's."""
        mine = {chosen.covered for chosen in self._cover.chosen}
        theirs = set(product(*[each.coverer for each in self._cover.summaries]))
        asked = set(product(*[each.covered for each in self._cover.summaries]))
        return asked <= mine and all(chosen.coverer in theirs for chosen in self._cover.chosen)

    def _held(self, chosen: Chosen) -> list[Pair]:
        """What the chosen nodes hold: where the coverer's is untouched, anything may be."""
        pairs: list[Pair] = []
        for mine, theirs, each in zip(chosen.covered, chosen.coverer, self._cover.summaries, strict=True):
            for number, (value, its, width) in enumerate(zip(mine, theirs, each.widths, strict=True)):
                if its is not None:
                    pairs.append((symbol(f"untouched {number}", width) if value is None else value, its, width))
        return pairs

    def _proved(self, proof: Proof, more: Sequence[Pair]) -> Iterator[Obligation]:
        hypotheses = tuple(self._cover.path.constraints())
        claims = [self._under(substitution, more) for substitution in proof.substitutions]
        if len(claims) == 1:
            for what, conclusion in claims[0]:
                yield Obligation(what, hypotheses, conclusion)
        elif claims:
            whole: Value = 0
            for claim in claims:
                whole = either(whole, all_of([conclusion for _, conclusion in claim]))
            yield Obligation("values and path", hypotheses, whole)

    def _under(self, substitution: Mapping[Term, Value], more: Sequence[Pair]) -> list[tuple[str, Value]]:
        cover = self._cover
        known = {s: term_of(value, s.width) for s, value in substitution.items()}
        claims = [
            (f"value {number}", equal(one, replaced(its, known), width))
            for number, (one, its, width) in enumerate([*cover.pairs, *more])
        ]
        parts = cover.its_path.touched(known)
        return [*claims, *[("path", replaced(constraint, known)) for part in parts for constraint in part.constraints]]
