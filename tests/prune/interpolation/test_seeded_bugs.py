"""Mistakes that interpolation could make are noticed: each, made on purpose, loses an error and fails an audit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.prune.interpolation.test_nothing_is_lost import PROGRAMS
from tests.test_corpus import errors_of, explore
from unfork.logic.term import Term
from unfork.prune.interpolation import beyond, interpolant, learn, oracle, strengthen
from unfork.prune.interpolation.weakest import Carried
from unfork.state.state import State

ORDERS = ("dfs", "bfs")


def forget_what_must_stay_false(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(oracle.Choice, "condition", property(lambda self: 1))


def take_assumptions_for_ends(patch: pytest.MonkeyPatch) -> None:
    choose = oracle.Oracle.choose

    def wrong(self: oracle.Oracle, value: object, *, is_open: bool = False) -> int:
        found = choose(self, value, is_open=is_open)  # type: ignore[arg-type]
        if self.is_assumed and self.choices:
            last = self.choices.pop()
            self.choices.append(oracle.Choice(last.term, last.value, is_harmless=True))
        return found

    patch.setattr(oracle.Oracle, "choose", wrong)


def match_any_objects(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(interpolant, "_match", lambda found, state: {number: number for number in found.shapes})


def forget_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(learn, "carried", lambda trace, after, step: Carried((), {}))


def believe_what_is_possible(patch: pytest.MonkeyPatch) -> None:
    def wrong(
        self: learn.Interpolants, one: interpolant.Interpolant, state: State
    ) -> tuple[tuple[Term, ...], dict[int, int]] | None:
        try:
            _, names = interpolant.instance(one, state)
        except interpolant.Mismatch:
            return None
        return (), names

    patch.setattr(learn.Interpolants, "_meets", wrong)


def take_any_side_for_known(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(beyond.Beyond, "_learnt", lambda self, trace: Carried((), {}))


def take_stronger_for_weaker(patch: pytest.MonkeyPatch) -> None:
    slack = strengthen.slackened
    patch.setattr(strengthen, "slackened", lambda conditions, values: slack(conditions, values)[1:])


MISTAKES = (
    take_any_side_for_known,
    take_stronger_for_weaker,
    forget_what_must_stay_false,
    take_assumptions_for_ends,
    match_any_objects,
    forget_ends,
    believe_what_is_possible,
)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_it_is_noticed(
    mistake: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)
    loses, fails = False, False
    for program in PROGRAMS:
        for order in ORDERS:
            out = tmp_path / f"{program.path.stem}-{order}"
            mode = ("--libc", "none", "--merge", "none", "--prune", "interpolate", "--search", order)
            found = explore(program, out, *mode, "--audit")
            is_lost = errors_of(found) != program.errors
            is_refuted = found.summary["audit"]["failed"] > 0
            assert is_refuted or not is_lost
            loses, fails = loses or is_lost, fails or is_refuted
            if loses and fails:
                return
    pytest.fail("nobody noticed")
