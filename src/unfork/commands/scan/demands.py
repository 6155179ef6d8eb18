"""Checks preconditions: with them no known path fails, every input that comes through keeps them, and one shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from unfork.commands.scan.case_questions import CaseQuestions, SolverGaveUp
from unfork.commands.scan.contract_input import ContractInput
from unfork.commands.scan.guards import Guard, GuardedDemand, Guarding, demand_in, in_c
from unfork.commands.scan.judgement import Demand
from unfork.commands.scan.requirements import in_order
from unfork.engine.state.state import State
from unfork.patience import Patience, longest
from unfork.program.llvm.module import Program

_MOST = 12
"""Demands of one fault that are checked: one with more has no contract that anybody reads."""

_SECONDS = 1.0
"""Processor seconds for the check of one fault's demands."""


@dataclass(frozen=True, slots=True)
class DemandOfPath:
    """A demand with its text in C, as a failing path shows it."""

    demand: Demand
    text: str
    failing: State


@dataclass(frozen=True, slots=True)
class Contract:
    """Demands that a check has confirmed, without those that others make superfluous."""

    demands: tuple[GuardedDemand, ...]

    @property
    def condition(self) -> str:
        """All of them in C."""
        alike: dict[tuple[Guard, ...], list[str]] = {}
        for each in self.demands:
            alike.setdefault(each.guards, []).append(each.text)
        sides = in_order(in_c(guards, in_order(texts)) for guards, texts in alike.items())
        return " && ".join(f"({each})" if " || " in each and len(sides) > 1 else each for each in sides)

    def has(self, demand: Demand) -> bool:
        return any(each.demand == demand for each in self.demands)

    def text_of(self, demand: Demand) -> str:
        """What remains of a demand, in C with its guards; "" if it holds without any."""
        sides = dict.fromkeys(each.condition for each in self.demands if each.demand == demand and each.guards)
        return "; ".join(sides)


class DemandCheck:
    """Checks demands on callers. ``came_through`` gives paths that ended without a fault."""

    def __init__(self, ask: CaseQuestions, came_through: Callable[[], Sequence[State]], program: Program) -> None:
        self.ask = ask
        self._types = program.c_types
        self._came_through = came_through
        self._guarding = Guarding(ask, is_narrow=program.is_narrow)

    def contract(
        self, claims: Sequence[DemandOfPath], failing: Sequence[State], elsewhere: Sequence[State]
    ) -> Contract | None:
        """The demands, with the guards that they need; None if they are no precondition.

        They are none if a path fails that satisfies them, also if it fails otherwise (``elsewhere``), if an input that
        breaks them comes through, if none shows that they suffice, or if the solver does not know in time.
        """
        patience = Patience(_SECONDS, seconds=longest(_SECONDS))
        through = [self._input(each) for each in self._came_through()]
        others = [self._input(each) for each in elsewhere]
        inputs = [*[self._input(each) for each in failing], *others]
        try:
            found = self._guarded(claims, through, others, patience)
            if found is None or not self._rule_out(found, inputs):
                return None
            needed = list(found)
            for each in found:
                fewer = [other for other in needed if other is not each]
                if fewer and self._rule_out(fewer, inputs):
                    needed = fewer
            is_shown = all(any(self._guarding.shows(each, needed, one) for one in through) for each in needed)
            return Contract(tuple(needed)) if is_shown else None
        except SolverGaveUp:
            return None

    def further_along(self, claims: Sequence[DemandOfPath]) -> set[Demand]:
        """The demands about elements of a list further along than one of another demand."""
        longer = dict[Demand, int]()
        for each in claims:
            failing = self._input(each.failing)
            reads = demand_in(each.demand, each.text, failing).reads
            if failing.goes_on(reads):
                longer[each.demand] = len(reads)
        is_one = any(each.demand not in longer for each in claims)
        first = None if is_one else min(longer, key=lambda each: longer[each], default=None)
        return {each for each in longer if each != first}

    def _input(self, state: State) -> ContractInput:
        return ContractInput(state, self._types)

    def _guarded(
        self,
        claims: Iterable[DemandOfPath],
        through: Sequence[ContractInput],
        elsewhere: Sequence[ContractInput],
        patience: Patience,
    ) -> list[GuardedDemand] | None:
        """The demands with guards; None if one has none that suffice."""
        found: dict[str, GuardedDemand] = {}
        for each in claims:
            failing = self._input(each.failing)
            bare = demand_in(each.demand, each.text, failing)
            if patience.is_over() or len(found) == _MOST:
                return None
            if any(one.demand == each.demand and not self._may_hold([one], failing) for one in found.values()):
                continue  # a known one rules it out
            guarded = self._guarding.guarded(bare, failing, through, elsewhere)
            if guarded is None:
                return None
            found[guarded.condition] = guarded
        return list(found.values())

    def _rule_out(self, demands: Sequence[GuardedDemand], failing: Iterable[ContractInput]) -> bool:
        """Whether no failing path satisfies the demands."""
        return not any(self._may_hold(demands, each) for each in failing)

    def _may_hold(self, demands: Sequence[GuardedDemand], state: ContractInput) -> bool:
        return self._guarding.may_hold(demands, state, state.state.path)
