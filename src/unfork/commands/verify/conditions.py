"""The conditions of contracts at program points, read in the states there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from unfork.commands.verify.annotated import AnnotatedProgram
from unfork.commands.verify.frame import ClauseFrame
from unfork.commands.verify.obligations import ProofGoal, Subject, falls
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning import formula, unbounded_integers
from unfork.engine.meaning.applications import Definitions
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.expression_meaning import Meaning, Typed, Where
from unfork.engine.meaning.formula import Formula
from unfork.engine.meaning.scopes import Scopes, as_typed
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.operands import reader
from unfork.program.c.contracts import Assertion, Behavior, Clause, FunctionContract, LoopContract, NamedBehaviors
from unfork.program.c.expressions import Fresh, OfPointer, SameObject, nodes
from unfork.program.llvm.ir import Call, GlobalAddress, InlineAssembly, Return
from unfork.program.llvm.module import Function, Program


class ContractConditions:
    """Reads contracts in states. ``contract`` is that of the function to prove.

    A function's beginning is a Where: its first state, and its parameters by name.
    """

    def __init__(self, machine: Machine, annotated: AnnotatedProgram, contract: FunctionContract) -> None:
        program = machine.program
        self._machine = machine
        self.annotated = annotated
        self.contract = contract
        fresh = machine.step_of_instructions().names.symbol
        self.scopes = Scopes(program, machine.statics, machine.facts.__getitem__)
        self.definitions = Definitions(annotated.definitions, self.scopes.global_, fresh)
        self.meaning = Meaning(program.c_types, fresh, self.definitions)

    # --- program points

    def assertions(self, state: State) -> Sequence[Assertion]:
        frame = state.frames[-1]
        return self.annotated.assertions.get((frame.function, frame.block, frame.index), ())

    def loop(self, state: State) -> LoopContract | None:
        frame = state.frames[-1]
        return self.annotated.loops.get((frame.function, frame.block)) if frame.index == 0 else None

    def callee(self, state: State) -> FunctionContract | None:
        """The contract of the function that a call begins. Raises NoMeaning for one without a known contract."""
        frame = state.frames[-1]
        if len(state.frames) == 1 or frame.block or frame.index:
            return None
        name = frame.function.name
        if name in self.annotated.unread:
            raise NoMeaning(f"{frame.function.source_name} is called: {self.annotated.unread[name]}")
        return self.annotated.functions.get(name)

    @staticmethod
    def end(state: State) -> Return | None:
        """The return of the first function, if a state stands there."""
        frame = state.frames[-1]
        body = frame.function.blocks[frame.block].body
        instruction = body[frame.index] if frame.index < len(body) else None
        return instruction if len(state.frames) == 1 and isinstance(instruction, Return) else None

    # --- where expressions are read: quantifiers are looked into later, so the state is kept as it is

    def here(self, state: State, first: Where | None, *, mathematical: bool) -> Where:
        """Locals by name; ``first`` is where the function began."""
        where = self.at(state, mathematical=mathematical)
        if first is None or len(state.frames) > 1:
            return where
        return replace(where, earlier={"Old": replace(first, is_mathematical=mathematical)})

    def at(self, state: State, *, mathematical: bool) -> Where:
        """Locals by name, without earlier states."""
        kept = state.fork()
        return Where(kept, self.scopes.locals(kept, len(kept.frames) - 1), mathematical)

    def in_loop(self, state: State, loop: LoopContract, first: Where | None, entry: State, current: State) -> Where:
        """Like ``here``, in a loop entered in ``entry`` whose turn began in ``current``."""
        is_mathematical = loop.mathematical
        where = self.here(state, first, mathematical=is_mathematical)
        labels = {
            "LoopEntry": self.at(entry, mathematical=is_mathematical),
            "LoopCurrent": self.at(current, mathematical=is_mathematical),
        }
        return replace(where, earlier={**where.earlier, **labels})

    def beginning(self, state: State, function: Function, values: tuple[RegisterValue, ...]) -> Where:
        names = self.scopes.parameters(self.contract, function, values)
        return Where(state.fork(), names, self.contract.mathematical)

    def at_call(self, state: State, contract: FunctionContract) -> Where:
        """Parameters by name, where a function with ``contract`` begins."""
        frame = state.frames[-1]
        arguments = tuple(frame.registers[: len(frame.function.type.parameters)])
        names = self.scopes.parameters(contract, frame.function, arguments)
        required = [node for clause in contract.requires for node in nodes(clause.expression)]
        fresh = tuple([node for node in required if isinstance(node, Fresh)])
        ensured = [node for clause in contract.ensures for node in nodes(clause.expression)]
        if fresh and any(isinstance(node, OfPointer | SameObject) for node in ensured):
            raise NoMeaning(
                f"{contract.function} ensures something of the objects that it is given, which may be larger"
            )
        return Where(state.fork(), names, contract.mathematical, fresh=fresh)

    # --- what is asked for, and what is promised

    def asserted(self, assertion: Assertion, state: State, first: Where | None) -> ProofGoal:
        where = self.here(state, first, mathematical=assertion.mathematical)
        return _goal("assert", assertion.clause, self.meaning.formula(assertion.clause.expression, where))

    def required(self, contract: FunctionContract, where: Where) -> list[ProofGoal]:
        """What a contract requires, under the assumptions of each behavior."""
        cases = [(each, each.requires) for each in contract.behaviors]
        return self._stated(f"requires of {contract.function}", contract.requires, cases, where, where)

    def ensured(self, contract: FunctionContract, old: Where, where: Where) -> list[ProofGoal]:
        """What it promises, likewise."""
        cases = [(each, each.ensures) for each in contract.behaviors]
        return self._stated("ensures", contract.ensures, cases, old, where)

    def _stated(
        self,
        kind: str,
        always: Sequence[Clause],
        cases: Sequence[tuple[Behavior, Sequence[Clause]]],
        old: Where,
        where: Where,
    ) -> list[ProofGoal]:
        """Clauses that always hold, and those of behaviors that apply in ``old``."""
        read = self.meaning.formula
        stated = [_goal(kind, clause, read(clause.expression, where)) for clause in always]
        for behavior, clauses in cases:
            assumed = self._assumed(behavior, old)
            stated += [_goal(kind, each, formula.implied(assumed, read(each.expression, where))) for each in clauses]
        return stated

    def _assumed(self, behavior: Behavior, where: Where) -> Formula:
        return formula.both([self.meaning.formula(clause.expression, where) for clause in behavior.assumes])

    def promised(self, state: State, first: Where, end: Return) -> list[ProofGoal]:
        function = state.frames[0].function
        result: Typed | None = None
        if end.value is not None:
            step = self._machine.step_of_instructions()
            step.begin(state, end.position)
            value = reader(end.value, self._machine.statics)(step, state.frames[0].registers)
            result = self.result(function, value)
        where = replace(first, state=state.fork(), earlier={"Old": first}, result=result)
        return self.ensured(self.contract, first, where)

    def result(self, function: Function, value: RegisterValue) -> Typed:
        types = self._machine.program.c_types
        prototype = types.prototype(function.name)
        assert prototype is not None
        return as_typed(prototype.result, function.type.result, value, types)

    def frames(self, old: Where) -> list[ClauseFrame]:
        contract = self.contract
        frames = [] if contract.assigns is None else [ClauseFrame(self.meaning, contract.assigns)]
        return frames + [
            ClauseFrame(self.meaning, behavior.assigns, self._assumed(behavior, old))
            for behavior in contract.behaviors
            if behavior.assigns is not None
        ]

    def cases(self, where: Where) -> list[ProofGoal]:
        """That one behavior applies, or no two, as the contract says."""
        assumed = {behavior.name: self._assumed(behavior, where) for behavior in self.contract.behaviors}
        said = [
            _goal("complete", named, formula.either([assumed[name] for name in named.names]))
            for named in self.contract.complete
        ]
        for named in self.contract.disjoint:
            pairs = combinations([assumed[name] for name in named.names], 2)
            apart = formula.both([formula.negated(formula.both(pair)) for pair in pairs])
            said.append(_goal("disjoint", named, apart))
        return said

    def invariants(self, kind: str, loop: LoopContract, where: Where) -> list[ProofGoal]:
        return [_goal(kind, clause, self.meaning.formula(clause.expression, where)) for clause in loop.invariants]

    # --- what becomes less

    def number(self, clause: Clause, where: Where) -> CValue:
        value = self.meaning.value(clause.expression, where)
        if not isinstance(value, CValue):
            raise NoMeaning(f"{clause.text}: no number")
        return unbounded_integers.number(value)

    def variant(self, loop: LoopContract, where: Where) -> CValue | None:
        return None if loop.variant is None else self.number(loop.variant, where)

    def progress(self, loop: LoopContract, before: CValue | None, now: Where) -> list[ProofGoal]:
        """That a loop's variant was not negative ``before`` a turn, and has decreased."""
        if loop.variant is None or before is None:
            return []
        return [_goal("variant", loop.variant, falls(before, self.number(loop.variant, now)))]

    def descent(self, first: Where, function: Function, contract: FunctionContract, where: Where) -> list[ProofGoal]:
        """That recursion ends, also through other functions, if the contract says so. The call is of ``function``, with
        ``contract`` as in ``where``.
        """
        own = self.contract
        if own.decreases is None:
            return []
        begun = first.state.frames[0].function.name
        if contract is not own and not may_call(self._machine.program, function.name, begun):
            return []
        if contract.decreases is None:
            raise NoMeaning(f"{contract.function} may call {own.function} again, and does not say what decreases")
        before = self.number(own.decreases, first)
        return [_goal("decreases", contract.decreases, falls(before, self.number(contract.decreases, where)))]


def _goal(kind: str, clause: Clause | NamedBehaviors, what: Formula) -> ProofGoal:
    return ProofGoal(Subject(kind, clause.file, clause.line, clause.text), what)


def may_call(program: Program, caller: str, callee: str) -> bool:
    """Whether a function may call another, directly or not. Pointers, and functions without a body, may call any."""
    waiting, seen = [caller], {caller}
    while waiting:
        name = waiting.pop()
        if name in program.stubs:
            return True
        if name not in program.defined or name in program.library:
            continue
        for called in called_by(program, program.function(name)):
            if called == callee:
                return True
            if called not in seen:
                seen.add(called)
                waiting.append(called)
    return False


def called_by(program: Program, function: Function) -> Iterator[str]:
    """The functions that one may call directly."""
    for instruction in function.instructions():
        if isinstance(instruction, Call):
            if isinstance(instruction.callee, GlobalAddress):
                yield instruction.callee.name
            elif not isinstance(instruction.callee, InlineAssembly):
                yield from program.own
                yield from program.stubs
