"""What the options say of merging, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.program.facts.merge_points import closing_marks
from unfork.program.llvm.module import Program


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """Where states meet, which of those that meet are joined, and how.

    ``trusts_marks``: where the source marks a merge point, states are joined without a look at how similar they are.
    ``predicates`` are those that a join keeps.
    ``keeps_dead``: dead values count too, because a check looks at them. ``may_join_callers``: states in one callee
    may be joined though their callers wait at different calls. ``needs_exact``: joins that forget values are refused.
    ``build`` names how the program was compiled, for caches.
    """

    schedule: str
    join: str
    similar: str
    trusts_marks: bool
    predicates: tuple[str, ...]
    query_count: tuple[float, ...]
    """ALPHA, BETA, KAPPA and ZETA of Kuznetsov12's query count estimation."""
    delta: int
    keeps_dead: bool
    may_join_callers: bool
    needs_exact: bool
    build: str

    def joins_callers(self, program: Program) -> bool:
        """Whether states are joined in a callee whose callers wait at different calls.

        Only the semantics of a return know of that: no part that looks further down the stack may be in the run.
        """
        return self.may_join_callers and not closing_marks(program)
