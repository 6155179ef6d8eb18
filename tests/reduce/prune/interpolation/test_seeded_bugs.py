"""Mistakes that interpolation could make are noticed: each, made on purpose, loses something and fails an audit."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.reduce.prune.interpolation.test_nothing_is_lost import PROGRAMS
from tests.support.power import every
from tests.support.runs import edges_of, errors_of, explore
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Fault, Outcome
from unfork.engine.state.names import Names
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage, Onlooker
from unfork.engine.step.conduct import Conduct
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.interpolation import (
    beyond,
    interpolant,
    interpolating,
    learn,
    oracle,
    speculation,
    strengthen,
    weakest,
)
from unfork.reduce.prune.interpolation.sources import PREFIX
from unfork.reduce.prune.interpolation.weakest import Precondition

Mistake = Callable[[pytest.MonkeyPatch], None]
PLAIN = (("--merge", "none", "--search", "dfs"), ("--merge", "none", "--search", "bfs"))
JOINED = (("--merge", "marked", "--search", "dfs"),)


def forget_what_must_stay_false(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(oracle.PathDecision, "condition", property(lambda self: 1))


def take_assumptions_for_ends(patch: pytest.MonkeyPatch) -> None:
    keep = oracle.Oracle.keep

    def wrong(self: oracle.Oracle, condition: Value) -> bool:
        holds = keep(self, condition)
        if self.choices:
            last = self.choices.pop()
            self.choices.append(oracle.PathDecision(last.term, last.value, is_harmless=True))
        return holds

    patch.setattr(oracle.Oracle, "keep", wrong)


def match_any_objects(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(interpolant, "_match", lambda found, state: {number: number for number in found.shapes})


def forget_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(learn, "precondition", lambda trace, after, step, oracle: Precondition((), {}))


def believe_what_is_possible(patch: pytest.MonkeyPatch) -> None:
    def wrong(
        self: learn.Interpolants, one: interpolant.Interpolant, state: State
    ) -> tuple[tuple[Term, ...], dict[int, int]] | None:
        try:
            _, names = interpolant.instance(one, state)
        except interpolant.InterpolantMismatch:
            return None
        return (), names

    patch.setattr(learn.Interpolants, "_meets", wrong)


def take_any_side_for_known(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(beyond.Beyond, "_learnt", lambda self, trace: Precondition((), {}))


def take_stronger_for_weaker(patch: pytest.MonkeyPatch) -> None:
    slack = strengthen.slacken
    patch.setattr(strengthen, "slacken", lambda conditions, values: slack(conditions, values)[1:])


def forget_disjunctions(patch: pytest.MonkeyPatch) -> None:
    simplify = strengthen.simplify

    def is_one(condition: Term) -> bool:
        return condition.op == "or" or (condition.op == "not" and condition.args[0].op == "and")

    patch.setattr(strengthen, "simplify", lambda conditions: [one for one in simplify(conditions) if not is_one(one)])


def _without(patch: pytest.MonkeyPatch, kind: str) -> None:
    pin = weakest.pin

    def wrong(conditions: Any, values: Any) -> list[Term]:
        found = pin(conditions, values)
        return [one for one in found if not any(each.name.startswith(PREFIX + kind) for each in one.symbols)]

    patch.setattr(weakest, "pin", wrong)


def forget_registers(patch: pytest.MonkeyPatch) -> None:
    """What a phi has chosen, or a loop counted."""
    _without(patch, "r")


def forget_memory(patch: pytest.MonkeyPatch) -> None:
    _without(patch, "c")


def forget_shapes(patch: pytest.MonkeyPatch) -> None:
    """Freed blocks among them."""
    made = weakest.Interpolant

    def wrong(*parts: Any) -> interpolant.Interpolant:
        return replace(made(*parts), shapes={})

    patch.setattr(weakest, "Interpolant", wrong)


def forget_callers(patch: pytest.MonkeyPatch) -> None:
    def wrong(state: State) -> Hashable:
        top = state.frames[-1]
        return tuple([frame.function.name for frame in state.frames]), top.block, top.index

    patch.setattr(learn, "point_of", wrong)


def forget_the_stack(patch: pytest.MonkeyPatch) -> None:
    """As if all depths of a recursion were one."""

    def wrong(state: State) -> Hashable:
        top = state.frames[-1]
        return top.function.name, top.block, top.index

    patch.setattr(learn, "point_of", wrong)


def forget_which_cell(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(oracle.GeneralConduct, "located", lambda self, state, offset, size, item: self._oracle.worth(offset))


def forget_exit_handlers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(interpolant.Fixed, "fits", lambda self, state: True)


def take_checks_for_granted(patch: pytest.MonkeyPatch) -> None:
    """So that one error masks another."""
    check = oracle.Oracle.check

    def wrong(self: oracle.Oracle, condition: Value, kind: str) -> bool:
        known = len(self.choices)
        goes_well = check(self, condition, kind)
        del self.choices[known:]
        return goes_well

    patch.setattr(oracle.Oracle, "check", wrong)


def take_new_edges_for_known(patch: pytest.MonkeyPatch) -> None:
    other = beyond.Retracer.other

    def wrong(self: Any, *parts: Any) -> Any:
        patch.setattr(Onlooker, "hit", lambda self, state, edge: None)
        try:
            return other(self, *parts)
        finally:
            patch.setattr(Onlooker, "hit", hit)

    hit = Onlooker.hit
    patch.setattr(beyond.Retracer, "other", wrong)


def take_open_edges_for_covered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(beyond.Retracer, "still_open", lambda self, edges: frozenset())


def let_faults_of_speculations_pass(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Any, failed: Failed) -> Outcome:
        return failed

    patch.setattr(speculation.Speculation, "_pass_over", wrong)
    trust = interpolating.Learning.trust

    def trusting(self: interpolating.Learning, is_reported: Callable[[Fault], bool]) -> None:
        trust(self, is_reported if self._stands_for is None else lambda fault: True)

    patch.setattr(interpolating.Learning, "trust", trusting)


def name_objects_apart(patch: pytest.MonkeyPatch) -> None:
    """Where a path is run again, a local gets a name that another one has."""
    following = Machine.following

    def wrong(self: Machine, conduct: Conduct, coverage: BranchCoverage) -> Machine:
        found = following(self, conduct, coverage)
        found.step_of_instructions().names = Names()
        return found

    patch.setattr(Machine, "following", wrong)


def forget_what_joined_states_need(patch: pytest.MonkeyPatch) -> None:
    finish = interpolating.Learning._finish

    def wrong(self: interpolating.Learning, visit: interpolating.SubtreeVisit) -> None:
        for _, to in visit.ends:
            if (
                isinstance(to, interpolating.Junction)
                and isinstance(to.to, interpolating.SubtreeVisit)
                and to.to.after is not None
            ):
                to.to = replace(to.to.after, conditions=())
        finish(self, visit)

    patch.setattr(interpolating.Learning, "_finish", wrong)


@dataclass(frozen=True, slots=True)
class Seeded:
    """A mistake, and programs of which one at least notices it under one of the modes."""

    mistake: Mistake
    programs: tuple[str, ...]
    modes: tuple[tuple[str, ...], ...] = PLAIN


SEEDED = (
    Seeded(take_any_side_for_known, ("other_side_bug",)),
    Seeded(take_stronger_for_weaker, ("counter_bug", "other_side_bug")),
    Seeded(forget_what_must_stay_false, ("masked_error_bug", "counter_bug")),
    Seeded(take_assumptions_for_ends, ("sized_by_input_bug",)),
    Seeded(match_any_objects, ("kept_bug", "freed_bug")),
    Seeded(forget_ends, ("swapped_bug", "counter_bug")),
    Seeded(believe_what_is_possible, ("some_values_only_bug",)),
    Seeded(forget_disjunctions, ("either_or_bug",)),
    Seeded(forget_registers, ("masked_error_bug", "phi_predecessor_bug", "counter_bug")),
    Seeded(forget_memory, ("other_side_bug", "two_arrays_bug")),
    Seeded(forget_shapes, ("kept_bug", "freed_bug")),
    Seeded(forget_callers, ("second_return_bug",)),
    Seeded(forget_the_stack, ("second_return_bug", "recursion_bug")),
    Seeded(forget_which_cell, ("two_arrays_bug",)),
    Seeded(forget_exit_handlers, ("exit_handler_bug",)),
    Seeded(take_checks_for_granted, ("one_line_two_kinds_bug", "dead_end_first_bug")),
    Seeded(take_new_edges_for_known, ("phi_predecessor_bug", "variadic_bug", "calls_differ_bug")),
    Seeded(let_faults_of_speculations_pass, ("narrow_path_bug",)),
    Seeded(name_objects_apart, ("callers_array_bug",)),
    Seeded(take_open_edges_for_covered, ("jump_back_bug", "phi_predecessor_bug")),
    Seeded(forget_what_joined_states_need, ("joined_in_marks_bug",), JOINED),
)
NAMED = {one.path.stem: one for one in PROGRAMS}


@pytest.mark.parametrize("seeded", every(SEEDED, 2), ids=lambda one: one.mistake.__name__)
def test_it_is_noticed(seeded: Seeded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loses, fails = False, False
    for name in seeded.programs:
        program = NAMED[name]
        plain = explore(program, tmp_path / name, "--libc", "none", *PLAIN[0])
        for number, mode in enumerate(seeded.modes):
            with monkeypatch.context() as patch:
                seeded.mistake(patch)
                out = tmp_path / f"{name}-{number}"
                found = explore(program, out, "--libc", "none", "--prune", "interpolate", "--audit", *mode)
            is_lost = errors_of(found) != program.errors or not edges_of(found) >= edges_of(plain)
            is_refuted = found.summary["audit"]["failed"] > 0
            assert is_refuted or not is_lost
            loses, fails = loses or is_lost, fails or is_refuted
            if loses and fails:
                return
    pytest.fail("nobody noticed")
