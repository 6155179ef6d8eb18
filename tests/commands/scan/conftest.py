"""Scans in this folder end after so many steps, not seconds: they come to the same on every machine, and sooner."""

from __future__ import annotations

from itertools import count

import pytest

from unfork.commands.scan import function_scan
from unfork.commands.scan.native_trials import NativeTrials

OF_USERS = function_scan._used
RUN = NativeTrials.run
STEP = 0.02
"""Seconds that a step of exploration is said to take: most take less."""
FEW = 5
"""Times as long as a step is said to take where few are to be made."""
LONG_ENOUGH = 60.0
"""Processor seconds for the demands of a fault, which has real ones: no machine needs as many in a test."""


@pytest.fixture(autouse=True)
def clock_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes on whenever a scan looks how much it has used, which it does after each step."""
    steps = count()
    monkeypatch.setattr("unfork.commands.scan.function_scan._used", lambda: STEP * next(steps))
    monkeypatch.setattr("unfork.commands.scan.demands._SECONDS", LONG_ENOUGH)


@pytest.fixture(autouse=True)
def no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native trials take real seconds; tests of theirs allow them (``trials``)."""
    monkeypatch.setattr("unfork.commands.scan.native_trials.NativeTrials.run", lambda self, *given: None)


@pytest.fixture
def trials(no_trials: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Native trials as users have them."""
    monkeypatch.setattr("unfork.commands.scan.native_trials.NativeTrials.run", RUN)


@pytest.fixture
def clock_of_few_steps(clock_of_steps: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with fewer steps to a second: what real seconds end, such as a query, has more of them."""
    steps = count()
    monkeypatch.setattr("unfork.commands.scan.function_scan._used", lambda: FEW * STEP * next(steps))


@pytest.fixture
def clock_of_seconds(clock_of_steps: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of a scan as users have it, for programs whose steps take long."""
    monkeypatch.setattr("unfork.commands.scan.function_scan._used", OF_USERS)
