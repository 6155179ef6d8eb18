"""Searches a counterexample from one first state: explores without cuts, and checks all that must hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from unfork.commands.verify.concretely import (
    ConcreteRuns,
    ConcreteStart,
    Counterexample,
    Instances,
    Known,
    with_witnesses,
)
from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import Duties
from unfork.commands.verify.obligations import ProofGoal, Subject, plain
from unfork.commands.verify.refute import Refuter, ordered
from unfork.engine.explore.limits import NoBound
from unfork.engine.explore.loop import Exploration, NoJoining, NoPruning
from unfork.engine.explore.search import WaitingStates
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning import formula
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.meaning.formula import All, Formula, Ground, QuantifiedFormula, Universal
from unfork.engine.protocols.frontier import Frontier, Order
from unfork.engine.protocols.outcome import Failed, Outcome
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.memory import SYMBOLIC
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Sat, Unsat
from unfork.logic.terms.evaluate import Model, substitution
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.patience import Patience

SMALL = (0, 1, 2, 3, 4, -1)
MOST_INSTANCES = 64
"""The most instances of a quantifier at the start, for values around indices of small objects."""
MOST_MODELS = 32
"""The most models of a violation, each with the instances that the one before violated."""
SECONDS = 2.0
"""Seconds for a query: a hard one is skipped in favour of easier ones."""


@dataclass(frozen=True, slots=True)
class AttemptTools:
    """What all attempts share. ``yield_points`` are the program points of contracts."""

    machine: Machine
    chain: Chain
    conditions: ContractConditions
    refuter: Refuter
    instances: Instances
    duties: Duties
    runs: ConcreteRuns
    yield_points: YieldPoints


class Attempt:
    """One exploration, some steps at a time. It is its own stepper, yield points and stopper.

    It assumes ``proved`` obligations: the first violation is of another one.
    """

    def __init__(
        self, tools: AttemptTools, origin: ConcreteStart, proved: Collection[Subject], orders: Sequence[Order]
    ) -> None:
        self._tools = tools
        self._origin = origin
        self._proved = proved
        conditions, state = tools.conditions, origin.state.fork()
        self._first = conditions.beginning(state, origin.function, origin.values)
        self._inputs = _symbols(origin)
        required = conditions.required(conditions.contract, self._first)
        self._required = [with_witnesses(goal.formula, self._witness) for goal in required]
        self._instances: list[Universal] = []
        """Instances of requirements that earlier inputs violated."""
        self._found: Counterexample | None = None
        self._steps = 0
        self._patience = Patience(0.0)
        self._frontier = WaitingStates(orders, Random(0))
        unbounded = (NoBound(), NoPruning(), NoJoining())
        self._exploration = Exploration(self, self, self._frontier, *unbounded, self, ExecutionGraph(), ())
        may_be = all(self._assume(state, each) for each in self._required)
        if may_be and not self._look(state, tools.duties.at_first(self._first)):
            self._exploration.begin([state])

    def go_on(self, steps: int, patience: Patience) -> Counterexample | None:
        """Explore for some steps, or until the ``patience`` is over. None: nothing found yet."""
        self._steps, self._patience = steps, patience
        if self._found is None:
            self._exploration.go_on()
        return self._found

    def is_over(self) -> bool:
        return not self._frontier

    # --- as parts of the exploration

    def look(self, frontier: Frontier) -> str | None:
        if self._found is not None:
            return "found"
        self._steps -= 1
        return "steps" if self._steps < 0 or self._patience.is_over() else None

    def yield_points(self, state: State) -> YieldPoints:
        return self._tools.yield_points

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """Check what must hold where a state stands, then take a step of the machine."""
        if state.proof.handled != state.instructions:
            if self._look(state, self._tools.duties.at(state, self._first)):
                return []
            state.proof = replace(state.proof, handled=state.instructions)
        if self._tools.conditions.end(state) is not None:
            return []
        outcomes = self._tools.machine.step(state, yield_points)
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                self._search(outcome.state, formula.TRUE)
        return outcomes

    # --- what is wrong

    def _look(self, state: State, due: Iterable[ProofGoal]) -> bool:
        """Whether a due goal is certainly violated on inputs that lead to a state."""
        for each in due:
            if each.subject in self._proved:
                continue
            parts = each.formula.formulas if isinstance(each.formula, All) else (each.formula,)
            if any(self._search(state, formula.negated(part)) for part in parts):
                return True
        return False

    def _search(self, state: State, wrong: Formula) -> bool:
        """Whether inputs that make a formula true in a state certainly break the contract."""
        try:
            for _ in range(MOST_MODELS):
                claims = (*state.proof.claims, *self._instances)
                answer = self._tools.refuter.check(state.path, claims, wrong, SECONDS)
                if not isinstance(answer, Sat):
                    break
                model = Model({**state.path.model().values, **answer.model.values})
                self._found = self._tools.runs.counterexample(self._origin, model)
                if self._found is not None or not self._learn(model):
                    break
        except NoMeaning:  # of what a quantifier is about: a search can do without
            pass
        return self._found is not None

    def _learn(self, model: Model) -> bool:
        """Add an instance of a requirement that inputs violate, if there is one."""
        known = self._known(model)
        for condition in self._required:
            instance = self._tools.instances.broken(condition, known)
            if isinstance(instance, Term):
                self._instances.append(plain(Ground(instance)))
                return True
        return False

    def _known(self, model: Model) -> Known:
        values: Mapping[Term, Value] = {each: model.values.get(each, 0) for each in self._inputs}
        return substitution(values)

    # --- what is required

    def _witness(self, width: int) -> Term:
        witness = symbol(f"witness#{self._tools.machine.step_of_instructions().names.symbol()}", width)
        self._inputs[witness] = None
        return witness

    def _assume(self, state: State, condition: Formula) -> bool:
        """Add the instances of a formula for small values to a path; False if they cannot hold."""
        match condition:
            case Ground(value):
                path = self._tools.chain.assume(state.path, value)
                if isinstance(path, PathCondition):
                    state.path = path
                return not isinstance(path, Unsat)
            case All(formulas):
                return all(self._assume(state, each) for each in formulas)
            case QuantifiedFormula(exists=False, widths=widths, body=body):
                for values in list(product(SMALL, repeat=len(widths)))[:MOST_INSTANCES]:
                    bits = tuple([value & (1 << width) - 1 for value, width in zip(values, widths, strict=True)])
                    instance = body(bits)
                    if isinstance(instance, Ground) and not self._assume(state, instance):
                        return False
        return True


def _symbols(origin: ConcreteStart) -> dict[Term, None]:
    """The inputs of a first state."""
    terms = [value for value in origin.values if isinstance(value, Term)]
    for item in origin.state.memory.objects.held.values():
        if item.mask is not None:
            offsets = [offset for offset, kind in enumerate(item.mask) if kind == SYMBOLIC]
            terms += [byte for offset in offsets if isinstance(byte := item.byte(offset), Term)]
    return dict.fromkeys(each for term in terms for each in ordered(term))
