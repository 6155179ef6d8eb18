"""The terms of covering a state: reasons against it, evidence for it, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unfork.logic.solve.path import PathCondition
from unfork.logic.terms.term import Term, Value

Pair = tuple[Value, Value, int]
"""Values that must be equal: that of the covered state, that of the covering one, their bits."""


class Differ(Exception):
    """One state does not cover the other. ``reason`` is short and countable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ContainmentProof:
    """Why the values of one path are among those of another.

    Each of ``obligations`` (1 bit, over the symbols of the covered path) holds wherever the covered path does.
    Together they say that the values are equal and the covering path holds, with its symbols replaced by one of
    ``substitutions`` (if there are several, by one that fits).
    """

    obligations: tuple[Term, ...]
    substitutions: tuple[Mapping[Term, Value], ...]


Record = tuple[Value | None, ...]
"""The values in a node beside its pointers; None where untouched: any value."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Two matching segments of nodes: the records of the nodes on either side, and the bits of each value."""

    covered: tuple[Record, ...]
    coverer: tuple[Record, ...]
    widths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One node of each segment of the covered state, equal nodes of the coverer, and the proof."""

    covered: tuple[Record, ...]
    coverer: tuple[Record, ...]
    proof: ContainmentProof


@dataclass(frozen=True, slots=True)
class StateCover:
    """All that the covered state could do is explored from node ``coverer`` of the execution graph on.

    ``path`` is that of the covered state, ``its_path`` that of the coverer; ``pairs`` are the values that must be
    equal; ``objects`` maps the covered state's objects to those of the coverer. ``is_exact`` is false if states were
    compared under an abstraction, which may lose behaviour; ``renames`` is true if names differed, of matched
    objects or of later ones. Under an abstraction, ``summaries`` are the matching segments, and each way to choose
    nodes of the covered state's segments has a proof of its own in ``chosen``.
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
    """The constraints on a cover beyond the states.

    ``depth``, ``objects``: forks on a path and lazily made objects are bounded, so that a state covers only states with
    no more of them left. ``unwritten``: see Matching. ``precondition``: a precondition may say more of an input heap
    than its path, until the heap is wholly read; states before that take no part.
    """

    depth: bool
    objects: bool
    unwritten: bool
    precondition: bool


@dataclass(slots=True)
class PruneCounts:
    """The results of covering: ``checks`` states were looked at, ``hits`` of them covered, ``stored`` kept.

    ``compared`` counts pairs of states; ``refused`` says why the first state of a pair did not cover the second.
    """

    checks: int = 0
    hits: int = 0
    stored: int = 0
    compared: int = 0
    size: int = 0
    """Memory objects in the stored states, each counted once."""
    seconds: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    under: int = 0
    """Hits that may lose behaviour."""
    under_because: str | None = None
    """The program's action that makes exact covers inexact."""
    unlearnt: Counter[str] = field(default_factory=Counter)
    """Why nothing was learnt from finished stretches of paths (interpolation)."""
    speculated: int = 0
    """How often a stretch was explored again with less known of its inputs."""
    widened: int = 0
    """How often that gave a weaker interpolant."""
