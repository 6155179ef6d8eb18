"""Where a proof cuts paths: at loops with invariants, at calls of functions with contracts, and at the end.

At the head of a loop its invariant is proved, what the loop modifies is havocked, and the invariant is assumed; a path
that comes back proves it again and ends there. A call proves what the callee requires, havocs what it assigns and
assumes what it ensures. Where the function returns, what it ensures is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.clang.contracts import FunctionContract, LoopContract
from unfork.contracts.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.contracts.stepper import FORKS, Stepper, YieldPoints
from unfork.errors import Unsupported
from unfork.execute.activations import leave
from unfork.execute.machine import Machine
from unfork.explore.unwind import activation_of
from unfork.facts.function_facts import FactsTable
from unfork.facts.merge_points import together
from unfork.invariants.candidates import Candidate, condition_of
from unfork.invariants.cells import NotAbstract
from unfork.invariants.havoc import Iteration, havoc, havoc_contents
from unfork.invariants.houdini import Sought, inductive, run_once
from unfork.invariants.modified_set import ModifiedSet
from unfork.llvm import layout
from unfork.llvm.ir import Return
from unfork.llvm.types import VoidType
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unsat
from unfork.logic.term import Term, Value, symbol
from unfork.meaning import formula
from unfork.meaning.c_values import CValue, NoMeaning
from unfork.meaning.expressions import Typed, Where
from unfork.meaning.formula import All, Formula, Ground, Quantified, Universal
from unfork.meaning.scopes import Here
from unfork.spec.annotated import Annotated
from unfork.spec.conditions import Beginning, Conditions, Goals, falls
from unfork.spec.due import Turn, leave_loops
from unfork.spec.frame import Frame
from unfork.spec.obligations import Obligations, Place
from unfork.spec.shown import shown_variables
from unfork.spec.strides import stride
from unfork.state.state import RegisterValue, State
from unfork.state.unbounded import Cells

MOST_STEPS = 4096
"""Steps that are taken to see what an iteration modifies."""
MOST_LOOKS = 64
"""So often an iteration is looked at."""
NUMBER = "result#"


@dataclass(frozen=True, slots=True)
class LoopCut(Turn):
    """An iteration that stands for any, and what it must come back with."""

    modified: ModifiedSet
    candidates: Sequence[Candidate]
    """What else is proved of any iteration."""
    variant: CValue | None
    frame: Frame | None


@dataclass(slots=True)
class _Look:
    """A loop, run to see what an iteration modifies and keeps; ``times`` counts how often."""

    cuts: Cuts
    contract: LoopContract
    times: int = 0

    def begin(self, modified: ModifiedSet, candidates: Sequence[Candidate]) -> Iteration:
        """Any iteration."""
        self.times += 1
        if self.times > MOST_LOOKS:
            raise NotAbstract("it modifies more and more memory")
        return self.cuts.any_iteration(modified, self.contract, candidates)

    def over(self, begun: State) -> Sequence[State]:
        """Where it is over."""
        return self.cuts.over(begun.fork())


class AtPlaces:
    """A stepper that lets states rest where proofs look at them, too."""

    def __init__(self, stepper: Stepper, annotated: Annotated) -> None:
        self._stepper = stepper
        self._annotated = annotated
        self._rests: dict[YieldPoints, YieldPoints] = {}

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """A step to the next of these places, or to where it ends otherwise."""
        known = self._rests.get(yield_points)
        if known is None:
            known = self._rests[yield_points] = YieldPoints(together(yield_points.places, self._annotated.places))
        return self._stepper.step(state, known)


class Cuts:
    """A stepper that cuts the paths of one function's proof. The one below it rests at the places of contracts."""

    def __init__(
        self,
        machine: Machine,
        stepper: Stepper,
        chain: Chain,
        conditions: Conditions,
        cells: Cells,
        obligations: Obligations,
        fresh: Callable[[], int],
        sought: Sought,
    ) -> None:
        self._machine = machine
        self._stepper = stepper
        self._chain = chain
        self._conditions = conditions
        self._meaning = conditions.meaning
        self._contract = conditions.contract
        self._cells = cells
        self._obligations = obligations
        self._fresh = fresh
        self._sought = sought
        self._facts: FactsTable = machine.facts
        self.first: Beginning | None = None
        """Where the paths began that are followed now."""
        self.called: dict[str, None] = {}
        """The functions that were known by their contracts, by their names in the program."""

    def begin(self, first: Beginning, state: State) -> None:
        """Follow paths from a first state, in which what the contract requires holds."""
        self.first = first
        where = Where(first.state, first.names, self._contract.mathematical)
        for kind, named, goal in self._conditions.cases(where):
            place = Place(kind, named.file, named.line, named.text)
            self._obligations.prove(place, state, goal, self._explained(state))

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """A step of the machine, or what comes of a place at which the path is cut."""
        try:
            outcomes = self._cut(state)
            if outcomes is None:
                outcomes = self._stepper.step(state, yield_points)
        except NoMeaning as problem:
            return [Killed(state, "unsupported", str(problem))]
        except NotAbstract as problem:
            return [Killed(state, "unsupported", f"a loop cannot be cut: {problem.reason}")]
        except Unsupported as unsupported:
            return [Killed(state, "unsupported", unsupported.construct)]
        return [_accounted(outcome) for outcome in outcomes if not self._is_spurious(outcome)]

    def _is_spurious(self, outcome: Outcome) -> bool:
        """Whether a failure is on no path at all, as claims show."""
        if not isinstance(outcome, Failed):
            return False
        state, fault = outcome.state, outcome.fault
        position = fault.position
        place = Place(fault.kind, position.file if position else "", position.line if position else 0, fault.message)
        return self._obligations.prove(place, state, formula.FALSE, self._explained(state))

    # --- places

    def _cut(self, state: State) -> list[Outcome] | None:
        """What comes of a place at which the path is cut; None if it is not one, or has been looked at."""
        if not state.frames or state.proof.handled == state.instructions:
            return None
        leave_loops(state)
        contract = self._conditions.callee(state)
        if contract is not None:
            return self._called(state, contract)
        state.proof = replace(state.proof, handled=state.instructions)
        for assertion in self._conditions.assertions(state):
            where = self._conditions.here(state, self.first, mathematical=assertion.mathematical)
            goal = self._meaning.formula(assertion.clause.expression, where)
            self._prove("assert", [(assertion.clause, goal)], state)
        loop = self._conditions.loop(state)
        if loop is not None:
            return self._at_head(state, loop)
        end = self._conditions.end(state)
        return None if end is None else self._returned(state, end)

    def _explained(self, state: State) -> Callable[[Model], str]:
        """What variables are where a path may break an obligation, and where the turns that it is in began."""

        def text(model: Model) -> str:
            lines = []
            for _, cut in sorted(state.proof.cuts.items()):
                if isinstance(cut, LoopCut):
                    where = f"a turn of the loop at line {cut.contract.line} begins with "
                    lines.append(where + self._shown(cut.begun, model))
            lines.append("here " + self._shown(state, model))
            return "\n".join(lines)

        return text

    def _shown(self, state: State, model: Model) -> str:
        """The numbers among the locals of the innermost function."""
        if not state.frames:
            return "the function has returned"
        scopes, depth = self._conditions.scopes, len(state.frames) - 1
        here = Here(self._conditions.meaning, Where(state, scopes.locals(state, depth), is_mathematical=False))
        return shown_variables(here, scopes.visible(state, depth), model)

    # --- formulas

    def _prove(self, kind: str, goals: Goals, state: State) -> None:
        for clause, goal in goals:
            for part in goal.formulas if isinstance(goal, All) else (goal,):
                place = Place(kind, clause.file, clause.line, clause.text)
                is_proved = self._obligations.prove(place, state, part, self._explained(state))
                if not is_proved or self._obligations.mute or state.proof.claims:
                    self.assume(state, part)

    def assume_all(self, state: State, goals: Goals) -> bool:
        """Let a state know conditions, up to the first that cannot hold; False if there is one."""
        return all(self.assume(state, condition) for _, condition in goals)

    def assume(self, state: State, what: Formula) -> bool:
        """Let a state know that a formula holds; False if it cannot."""
        waiting = [what]
        while waiting:
            current = waiting.pop()
            match current:
                case Ground(value):
                    path = self._chain.assume(state.path, value)
                    if isinstance(path, Unsat):
                        return False
                    if isinstance(path, PathCondition):
                        state.path = path
                    elif isinstance(value, Term):
                        state.proof = replace(state.proof, claims=(*state.proof.claims, _plain(current)))
                case All(formulas):
                    waiting += reversed(formulas)
                case Quantified(exists=True, widths=widths, body=body):
                    waiting.append(body(tuple([symbol(f"witness#{self._fresh()}", width) for width in widths])))
                case Quantified(exists=False, widths=widths, body=body):
                    state.proof = replace(state.proof, claims=(*state.proof.claims, Universal(widths, body)))
                case _:
                    state.proof = replace(state.proof, claims=(*state.proof.claims, _plain(current)))
        return True

    # --- loops

    def _at_head(self, state: State, loop: LoopContract) -> list[Outcome]:
        place = (len(state.frames) - 1, state.frames[-1].block)
        cut = state.proof.cuts.get(place)
        if isinstance(cut, LoopCut):
            if self._obligations.mute:
                return [Halted(state, "silent", 0)]  # of a loop within one that is looked at
            if cut.modified.update(self._chain, cut.begun, [state]):
                again = self.any_iteration(cut.modified, loop, cut.candidates)
                return [Running(again.state)]  # joins modified what no look has seen
            self._kept(state, loop, cut)
            return [Halted(state, "silent", 0)]
        return [Running(self._begun(state, loop))]

    def _begun(self, entry: State, loop: LoopContract) -> State:
        """Any turn of a loop that ``entry`` has come to."""
        where = self._loop_where(entry, loop, entry, entry)
        self._prove("invariant at first", self._conditions.invariants(loop, where), entry)
        stated = self._sought.stated(entry.frames[-1].function, entry.frames[-1].block)
        look, proposals = _Look(self, loop), self._sought.proposals(entry)
        self._obligations.mute += 1
        try:
            found = inductive(self._chain, look, ModifiedSet(entry, (), stride), stated, proposals)
        finally:
            self._obligations.mute -= 1
        for each, reason in found.lost.items():
            place = Place("invariant", each.invariant.file, each.invariant.line, each.invariant.text)
            self._obligations.fail(place, f"it is not proved {reason}: nothing is concluded from it")
        return found.iteration.state

    def any_iteration(self, modified: ModifiedSet, loop: LoopContract, candidates: Sequence[Candidate]) -> Iteration:
        """An iteration before which what is modified may be anything, and candidates and the invariants hold."""
        frame = None if loop.assigns is None else Frame(self._meaning, loop.assigns)
        entry = modified.entry

        def listed(state: State, number: int) -> list[tuple[Value, Value]] | None:
            return None if frame is None else frame.ranges(self._loop_where(state, loop, entry, state), number)

        iteration = havoc(modified, self._symbol, notices_unwritten=True)
        begun = iteration.state
        havoc_contents(begun, modified, self._cells, listed)
        for each in candidates:
            iteration.assume(condition_of(each, begun, iteration.before))
        where = self._loop_where(begun, loop, entry, begun)
        for _, condition in self._conditions.invariants(loop, where):
            self.assume(begun, condition)
        variant = None if loop.variant is None else self._conditions.number(loop.variant, where)
        function, block = begun.frames[-1].function, begun.frames[-1].block
        blocks = frozenset(self._facts[function].flow.loops[block])
        cut = LoopCut(loop, activation_of(begun), blocks, entry, begun.fork(), modified, candidates, variant, frame)
        place = (len(begun.frames) - 1, block)
        begun.proof = replace(begun.proof, cuts={**begun.proof.cuts, place: cut}, handled=begun.instructions)
        return iteration

    def _symbol(self, prefix: str, width: int) -> Term:
        return symbol(f"{prefix}{self._fresh()}", width)

    def _loop_where(self, state: State, loop: LoopContract, entry: State, current: State) -> Where:
        return self._conditions.in_loop(state, loop, self.first, entry, current)

    def _kept(self, state: State, loop: LoopContract, cut: LoopCut) -> None:
        """Prove what a turn must keep, at its end."""
        where = self._loop_where(state, loop, cut.entry, cut.begun)
        before = state.fork()
        self._prove("invariant kept", self._conditions.invariants(loop, where), state)
        if loop.variant is not None and cut.variant is not None:
            goal = falls(cut.variant, self._conditions.number(loop.variant, where))
            place = Place("variant", loop.variant.file, loop.variant.line, loop.variant.text)
            self._obligations.prove(place, before, goal, self._explained(before))
        if cut.frame is not None:
            begun = self._loop_where(cut.begun, loop, cut.entry, cut.begun)
            self._prove_frame(before, cut.begun, cut.frame, (where, begun))
            for smaller in cut.frame.lost(begun, where, cut.modified.objects):
                self._prove_unless(smaller, before, cut.frame)

    def _prove_frame(
        self, state: State, begun: State, frame: Frame, regions: Sequence[Where], guard: Formula = formula.TRUE
    ) -> None:
        """Prove that nothing was written since ``begun`` but what ``frame`` lists, where ``guard`` holds."""
        for outside in frame.written(state, begun, regions):
            self._prove_unless(outside, state, frame, guard)

    def _prove_unless(self, wrong: Value, state: State, frame: Frame, guard: Formula = formula.TRUE) -> None:
        """Prove that a state's writes break a frame nowhere, where ``guard`` holds: ``wrong`` says when they do."""
        assigns = frame.assigns
        place = Place("assigns", assigns.file, assigns.line, assigns.text)
        goal = formula.implied(guard, Ground(build.negate(wrong)))
        self._obligations.prove(place, state, goal, self._explained(state))

    def over(self, begun: State) -> list[State]:
        """Where an iteration is over that begins as ``begun`` says."""
        frame = begun.frames[-1]
        blocks = self._facts[frame.function].flow.loops[frame.block]
        run = run_once(begun, blocks, self._inner_step, MOST_STEPS, self._chain.deadline)
        for outcome in run.others:
            if isinstance(outcome, Killed):
                raise NoMeaning(outcome.detail)
        return run.over

    def _inner_step(self, state: State) -> list[Outcome]:
        outcomes = self._cut(state)
        if outcomes is not None:
            return outcomes
        return self._stepper.step(state, FORKS)

    # --- calls

    def _called(self, state: State, contract: FunctionContract) -> list[Outcome]:
        """What comes of a call, by the callee's contract."""
        function = state.frames[-1].function
        self.called[function.name] = None
        arguments = tuple(state.frames[-1].registers[: len(function.type.parameters)])
        names = self._conditions.scopes.parameters(contract, function, arguments)
        where = Where(state.fork(), names, contract.mathematical)
        self._prove(f"requires of {contract.function}", self._conditions.required(contract, where), state)
        if self.first is not None:
            for clause, goal in self._conditions.descent(self.first, function, contract, where):
                place = Place("decreases", clause.file, clause.line, clause.text)
                self._obligations.prove(place, state, goal, self._explained(state))
        before = state.fork()
        state.over = True
        old = Where(before, names, contract.mathematical)
        if contract.assigns is None:
            raise NoMeaning(f"{contract.function} is called, whose contract does not say what it assigns")
        Frame(self._meaning, contract.assigns).havoc(state, old, self._cells, self._fresh)
        kind = function.type.result
        value: RegisterValue = None
        result: Typed | None = None
        if not isinstance(kind, VoidType):
            value = symbol(f"{NUMBER}{self._fresh()}", layout.bits_of(kind))
            result = self._conditions.result(function, value)
        after = Where(state.fork(), names, contract.mathematical, {"Old": old}, result)
        promised = self._conditions.ensured(contract, old, after)
        may_be = self.assume_all(state, promised)
        if not may_be or self._obligations.contradicts(state, before):
            place = Place("contradiction", contract.file, contract.line, f"ensures of {contract.function}")
            self._obligations.fail(place, "what the contract ensures cannot be true where the function is called")
            return [Halted(state, "silent", 0)]
        step = self._machine.step_of_instructions()
        step.begin(state, None)
        step.outcomes = []
        leave(step, value)
        return [Running(state)]

    # --- the end

    def _returned(self, state: State, end: Return) -> list[Outcome]:
        """Prove what the function ensures, where it returns."""
        first, contract = self.first, self._contract
        assert first is not None
        self._prove("ensures", self._conditions.promised(state, first, end), state)
        old = Where(first.state, first.names, contract.mathematical)
        for assigns, guard in self._conditions.assigned(old):
            self._prove_frame(state, first.state, Frame(self._meaning, assigns), (old,), guard)
        return [Halted(state, "silent", 0)]


def _accounted(outcome: Outcome) -> Outcome:
    """The outcome, but that what ends the program without returning is given up: contracts say nothing of that."""
    if isinstance(outcome, Halted) and outcome.end != "silent":
        return Killed(outcome.state, "unsupported", "the function ends the program (exit or abort)")
    return outcome


def _plain(condition: Formula) -> Universal:
    """A formula as a claim about no variables."""
    return Universal((), lambda values: condition)
