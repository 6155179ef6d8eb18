"""The stack of steppers is in the order in which it is written down, and may be built in several goes."""

from __future__ import annotations

from dataclasses import fields

import pytest

from unfork.commands.assemble.step_stack import StepWrappers, Wrap, made, stacked
from unfork.engine.protocols.outcome import Outcome
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State

NAMES = [field.name for field in fields(StepWrappers)]


class Named:
    """A stepper that only knows which steppers it is made of, the innermost first."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        raise NotImplementedError


def wrap(name: str) -> Wrap:
    def around(stepper: Stepper) -> Stepper:
        assert isinstance(stepper, Named)
        return Named((*stepper.names, name))

    return around


def names_of(stepper: Stepper) -> tuple[str, ...]:
    assert isinstance(stepper, Named)
    return stepper.names


def test_each_wrapper_is_put_around_once_in_the_order_of_the_fields() -> None:
    whole = stacked(Named(("machine",)), StepWrappers(**{name: wrap(name) for name in NAMES}))
    assert names_of(whole) == ("machine", *NAMES)


def test_without_wrappers_it_is_the_machine() -> None:
    machine = Named(("machine",))
    assert stacked(machine, StepWrappers()) is machine


@pytest.mark.parametrize("cut", range(len(NAMES)))
def test_inner_wrappers_may_come_first(cut: int) -> None:
    inner = StepWrappers(**{name: wrap(name) for name in NAMES[:cut]})
    outer = StepWrappers(**{name: wrap(name) for name in NAMES[cut:]})
    assert names_of(stacked(stacked(Named(()), inner), outer)) == tuple(NAMES)


def test_a_stepper_that_was_made_before_takes_its_place() -> None:
    machine = Named(("machine",))
    cuts = Named(("machine", "cuts"))
    whole = stacked(machine, StepWrappers(cuts=made(cuts), metered=wrap("metered")))
    assert names_of(whole) == ("machine", "cuts", "metered")
