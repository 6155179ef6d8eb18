"""What is shown of a build that is done once: at once what it is, and then how long it takes on this machine."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from unfork.report.record.progress import building, duration


def shown(reports: list[tuple[float, int]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a pipe has got before any report, and in the end, where so many of 1,000 parts are done at some seconds."""
    pipe, now = io.StringIO(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with building("building it (once)", Console(file=pipe)) as report:
        first = pipe.getvalue()
        for now[0], done in reports:
            report(done, 1000)
    return [first, pipe.getvalue()]


@pytest.mark.parametrize(
    ("reports", "end"),
    [
        ([(0, 0), (1, 20), (4, 40), (9, 900)], " about 100 s\n"),
        ([(0, 900), (5, 950)], " about 5 s\n"),  # of a build that goes on, what was there before is not counted
        ([(0, 0), (60, 10), (120, 20)], " about 98 min\n"),
        ([(0, 0), (1, 500), (2, 1000)], "\n"),
        ([], "\n"),
    ],
)
def test_a_pipe_gets_one_line(reports: list[tuple[float, int]], end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = "building it (once) ..."
    assert shown(reports, monkeypatch) == [start, start + end]


def test_a_line_ends_where_a_build_is_broken_off() -> None:
    pipe = io.StringIO()
    with pytest.raises(KeyboardInterrupt), building("building it", Console(file=pipe)):
        raise KeyboardInterrupt
    assert pipe.getvalue() == "building it ...\n"


def test_a_terminal_gets_a_bar_with_the_time_left() -> None:
    screen = io.StringIO()
    with building("building it", Console(file=screen, force_terminal=True, width=100)) as report:
        report(0, 10)
        report(5, 10)
    assert "building it" in screen.getvalue()
    assert "10/10" in screen.getvalue() or "5/10" in screen.getvalue()


def test_a_duration_is_as_exact_as_it_is_known() -> None:
    assert [duration(seconds) for seconds in (0.1, 5, 51, 119, 121, 3600)] == [
        *("5 s", "5 s", "55 s", "120 s", "2 min", "60 min"),
    ]
