from __future__ import annotations

import io

import pytest
from rich.console import Console

from unfork.commands.run.messages import Standing
from unfork.engine.explore.limits import Budget
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Beat, Began
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import Statistics
from unfork.report.record.progress import Gauge, Progress, line


def test_progress_fits_a_terminal_and_goes_away() -> None:
    screen = io.StringIO()
    tally = Tally(completed=1234567, errors=12, tests=345)
    gauge = Gauge(tally, Statistics(queries=7654321), BranchCoverage(), Budget(0.0, memory=4000 << 20))
    shown = Progress(gauge, console=Console(file=screen, force_terminal=True, width=80))
    shown.tell(Began(()))
    shown.tell(Beat(20_000, 900 << 20))
    shown.stop()
    text = screen.getvalue()
    for part in ("20,000 states", "1,234,567 paths", "7,654,321 queries", "900 MB of 4000"):
        assert part in text
    assert all(len(row) <= 80 for row in line(gauge.read(20_000, 900 << 20)).splitlines())


def test_progress_says_what_each_strategy_does() -> None:
    standings = [
        Standing("plain", 9, 1, states=1_234_567, edges_first=123, errors_first=2),
        Standing("join", 9, 1, states=345, edges_first=12),
        Standing("learn", 4, 1, states=20, stopped_by="max-memory"),
        Standing("match", 9, 1, states=20),
    ]
    doing = [standing.doing() for standing in standings]
    rows = line(Gauge(Tally(), Statistics(), BranchCoverage(), Budget(0.0), lambda: doing).read(0, 0)).splitlines()
    assert rows[3:] == [
        "        plain 1,234,567 states +123 branches +2 errors",
        "        join 345 states +12 branches  learn stopped: max-memory  match 20 states",
    ]
    assert all(len(row) <= 80 for row in rows)


def test_progress_says_what_time_is_left_and_when_coverage_last_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    coverage = BranchCoverage()
    gauge = Gauge(Tally(), Statistics(), coverage, Budget(0.0, 60))
    assert "0 s, 60 s left" in line(gauge.read(1, 0))
    now += 7
    assert "0/0 branches met, none new for 7 s" in line(gauge.read(1, 0))
    coverage.covered.append(1)
    assert "none new" not in line(gauge.read(1, 0))
    now += 80
    assert "87 s, 0 s left" in line(gauge.read(1, 0))
    assert "none new for 80 s" in line(gauge.read(1, 0))
