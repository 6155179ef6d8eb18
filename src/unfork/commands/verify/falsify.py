"""Searches inputs that break a contract: small ones, explored without cuts, then run concretely.

A counterexample is certain: it meets the requirements, and a concrete run fails or violates the contract.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from unfork.commands.verify.annotated import AnnotatedProgram
from unfork.commands.verify.attempt import Attempt, AttemptTools
from unfork.commands.verify.concretely import ConcreteRuns, ConcreteStart, Counterexample, Instances
from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import Duties
from unfork.commands.verify.first_states import FirstStates
from unfork.commands.verify.obligations import ProofObligation, Subject
from unfork.commands.verify.refute import Refuter
from unfork.engine.explore.distance import Distances, blocks_of_line
from unfork.engine.explore.guided import Towards
from unfork.engine.explore.search import BreadthFirst
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.protocols.frontier import Order
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.memory import object_of
from unfork.logic.solve.chain import Chain
from unfork.patience import Patience
from unfork.program.llvm.module import Function
from unfork.world.inputs.lazy_globals import own_variables

LENGTHS = (3, 2, 1, 4, 0, 5)
"""Elements of objects of open length, in the order in which they are tried."""
LONGEST = 64
"""The longest objects, if the contract allows few of ``LENGTHS``."""
STEPS = 64
"""Steps from each first state in a turn; twice as many in each next round."""
MOST_STEPS = 2_048
"""The most steps in a turn: with more, only paths through endless loops are left."""


@dataclass(frozen=True, slots=True)
class FalsifyRequest:
    """What to look for: anything but ``proved``, first near ``open`` obligations, by turns."""

    proved: Collection[Subject]
    open: Collection[Subject]


def falsify_request(obligations: Iterable[ProofObligation], *, is_complete: bool) -> FalsifyRequest:
    """What a proof left open. An incomplete one has proved nothing."""
    proved, others = list[Subject](), list[Subject]()
    for each in obligations:
        (proved if each.ending == "proved" else others).append(each.subject)
    return FalsifyRequest(frozenset(proved) if is_complete else frozenset(), others)


class Falsifier:
    """Searches for counterexamples of one function's contract."""

    def __init__(
        self,
        machine: Machine,
        chain: Chain,
        annotated: AnnotatedProgram,
        conditions: ContractConditions,
        inputs: FirstStates,
        refuter: Refuter,
    ) -> None:
        self._machine = machine
        self._chain = chain
        self._inputs = inputs
        instances = Instances(refuter.plain(), machine.step_of_instructions().names.symbol)
        variables = [object_of(machine.statics.address(symbol)) for symbol, _, _ in own_variables(machine.program)]
        duties = Duties(conditions, machine.facts, frozenset(variables))
        yield_points = YieldPoints(annotated.points)
        runs = ConcreteRuns(machine, conditions, duties, instances, yield_points)
        self._tools = AttemptTools(machine, chain, conditions, refuter, instances, duties, runs, yield_points)

    def search(self, function: Function, request: FalsifyRequest, seconds: float) -> Counterexample | None:
        """Explore small inputs for these CPU seconds, or until the chain's deadline."""
        patience = Patience(seconds, until=self._chain.deadline)
        attempts: Iterable[Attempt] = self._attempts(function, request)
        steps, is_left = STEPS, True
        while is_left:
            left = []
            for attempt in attempts:
                counterexample = attempt.go_on(steps, patience)
                if counterexample is not None or patience.is_over():
                    return counterexample
                if not attempt.is_over():
                    left.append(attempt)
            attempts, steps = left, 2 * steps
            is_left = bool(left) and steps <= MOST_STEPS
        return None

    def _attempts(self, function: Function, request: FalsifyRequest) -> Iterator[Attempt]:
        blocks, allowed = self._blocks(request), 0
        for length in chain(LENGTHS, range(max(LENGTHS) + 1, LONGEST + 1)):
            is_allowed = False
            for origin in self._origins(function, length):
                try:
                    attempt = Attempt(self._tools, origin, request.proved, self._orders(function, blocks))
                except NoMeaning:
                    continue
                is_allowed = is_allowed or not attempt.is_over()
                yield attempt
            allowed += is_allowed
            if not self._inputs.has_open_lengths or allowed == len(LENGTHS):
                return

    def _origins(self, function: Function, length: int) -> list[ConcreteStart]:
        origins = []
        self._inputs.length = length
        try:
            for state, values in self._inputs.states(function):
                origins.append(ConcreteStart(function, state, values))
        except NoMeaning:
            pass
        finally:
            self._inputs.length = None
        return origins

    def _blocks(self, request: FalsifyRequest) -> list[tuple[str, int]]:
        program = self._machine.program
        functions = [program.function(name) for name in program.own]
        blocks = [blocks_of_line(functions, each.file, each.line) for each in request.open if each.file]
        return list(dict.fromkeys(each for found in blocks for each in found))

    def _orders(self, function: Function, blocks: list[tuple[str, int]]) -> list[Order]:
        if not blocks:
            return [BreadthFirst()]
        distances = Distances(self._machine.program, function.name)
        distances.want(dict.fromkeys(blocks, 0))
        return [BreadthFirst(), Towards(distances, lambda: False)]
