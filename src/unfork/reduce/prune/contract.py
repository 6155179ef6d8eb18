"""What covering a state takes and leaves: reasons against it, evidence for it, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unfork.logic.solve.path import PathCondition
from unfork.logic.terms.term import Term, Value

Pair = tuple[Value, Value, int]
"""What must be equal: a value of the covered state, the value in its place of the covering one, their bits."""


class Differ(Exception):
    """The one state does not cover the other. ``reason`` is short and countable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ContainmentProof:
    """Why what a path allows is among what another path allows.

    Each of ``obligations`` (1 bit, over the symbols of the covered path) holds wherever the covered path does; together
    they say that the values are equal and the covering path holds, its symbols being worth what one of
    ``substitutions`` says (where there are several, whichever fits).
    """

    obligations: tuple[Term, ...]
    substitutions: tuple[Mapping[Term, Value], ...]


Record = tuple[Value | None, ...]
"""What a node holds besides its pointers, value by value; None where nobody has touched it: anything."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Two segments of nodes that match: the records of the nodes on either side, and the bits of each value."""

    covered: tuple[Record, ...]
    coverer: tuple[Record, ...]
    widths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One node of each segment of the covered state, nodes of the coverer that hold the same, and why they do."""

    covered: tuple[Record, ...]
    coverer: tuple[Record, ...]
    proof: ContainmentProof


@dataclass(frozen=True, slots=True)
class StateCover:
    """All that the covered state could do is explored from node ``coverer`` of the execution graph on.

    ``path`` is that of the covered state, ``its_path`` that of the coverer; ``pairs`` are the values that must be
    equal, ``objects`` maps the covered state's objects to those of the coverer. ``is_exact`` is false where states were
    compared under an abstraction, so that behaviour may be lost; ``renames`` is true where names differed: those of
    objects that were matched, or those that objects will get. Under an abstraction ``summaries`` are the segments that
    match, and each way to choose nodes of the covered state's segments has a proof of its own in ``chosen``.
    """

    coverer: int
    path: PathCondition
    its_path: PathCondition
    pairs: Sequence[Pair]
    objects: Mapping[int, int]
    proof: ContainmentProof
    is_exact: bool = True
    renames: bool = False
    summaries: Sequence[Summaries] = ()
    chosen: Sequence[Chosen] = ()

    def __str__(self) -> str:
        return f"covered by state {self.coverer}" + ("" if self.is_exact else ", under an abstraction")


@dataclass(frozen=True, slots=True)
class Demands:
    """What a cover must respect besides the states. ``depth``, ``objects``: forks along a path and lazily made objects
    are bounded, so that a state covers only states with no more of them left. ``unwritten``: see Matching.
    ``precondition``: more may be known of an input heap than its path says, until it is wholly read; states before that
    take no part.
    """

    depth: bool
    objects: bool
    unwritten: bool
    precondition: bool


@dataclass(slots=True)
class PruneCounts:
    """What came of covering: ``checks`` states were looked at, ``hits`` of them were covered, ``stored`` were kept.

    ``compared`` counts pairs of states; ``refused`` says why the first state of a pair did not cover the second.
    """

    checks: int = 0
    hits: int = 0
    stored: int = 0
    compared: int = 0
    size: int = 0
    """Memory objects that the stored states hold, each counted once."""
    seconds: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    under: int = 0
    """How many of the hits may lose behaviour."""
    under_because: str | None = None
    """What the program did so that exact covers may lose behaviour after all."""
    unlearnt: Counter[str] = field(default_factory=Counter)
    """Why nothing was learnt from finished stretches of paths (interpolation)."""
    speculated: int = 0
    """How often a stretch was explored again with less known of its inputs."""
    widened: int = 0
    """How often that led to an interpolant that asks for less."""
