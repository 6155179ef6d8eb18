"""Each part of bench/worth.py is still where it is switched off: a name that has gone would make it look worthless."""

from __future__ import annotations

import multiprocessing

import pytest

from bench.worth import WITHOUT


@pytest.mark.parametrize("part", WITHOUT)
def test_a_part_can_be_switched_off(part: str) -> None:
    process = multiprocessing.get_context("fork").Process(target=WITHOUT[part])
    process.start()
    process.join()
    assert process.exitcode == 0
