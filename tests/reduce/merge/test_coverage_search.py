"""Joins do not get in the way of a coverage search: the program of Kuznetsov12, Figure 2, in instructions."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.power import IS_FULL

BENCH = Path(__file__).parents[3] / "bench"


@pytest.fixture
def figure(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("figure2")


@pytest.mark.skipif(not IS_FULL, reason="a minute: make test-all")
def test_fast_forwarding_reaches_what_static_order_stalls_before(figure: ModuleType) -> None:
    wanted, _ = figure.covered("none", figure.PLENTY)
    assert len(wanted) > 15
    plain = figure.needed("none", wanted, figure.PLENTY)
    assert figure.covered("dynamic", 2 * plain)[0] >= wanted
    assert not figure.covered("static", 20 * plain)[0]
