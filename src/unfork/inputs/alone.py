"""The first states of a function that is run alone: on the heap of a test, or on any heap, lazily initialised."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from unfork.execute.machine import Machine
from unfork.execute.step import Step
from unfork.inputs import given_heap, lazy_arguments
from unfork.inputs.heap_data import Heap
from unfork.inputs.lazy_arguments import Choices
from unfork.inputs.lazy_globals import Globals
from unfork.llvm.module import Function, Program
from unfork.state.state import RegisterValue, State

Place = Callable[[Step], None]
"""Puts the world (files, standard input) in a fresh state."""


def is_alone(program: Program, name: str) -> bool:
    """Whether the entry is a function that needs arguments no command line can give."""
    return name != "main" and name in program.defined and bool(program.function(name).type.parameters)


def first_states(machine: Machine, name: str, heap: Heap | None, place: Place, variables: Globals) -> list[State]:
    """One state for a given heap; otherwise one for each choice of targets for the pointer arguments.

    ``variables`` says what global variables hold if no heap is given.
    """
    if heap is not None:
        return [machine.initial(name, partial(_given, heap, place))]
    states = []
    choices: Choices | None = Choices(())
    while choices is not None:
        states.append(machine.initial(name, partial(_lazily, choices, place, variables)))
        choices = choices.following()
    return states


def _given(heap: Heap, place: Place, step: Step, function: Function) -> list[RegisterValue]:
    place(step)
    return given_heap.arguments(step, function, heap)


def _lazily(choices: Choices, place: Place, variables: Globals, step: Step, function: Function) -> list[RegisterValue]:
    place(step)
    return lazy_arguments.make(step, function, choices, variables)
