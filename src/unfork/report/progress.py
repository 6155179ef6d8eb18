"""The progress display on a terminal: time left, states, paths, coverage and when it last grew, queries, memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from unfork.contracts.events import Beat, Began, Event
from unfork.report.gauge import Gauge, Reading

_WIDTH, _INDENT = 80, " " * 8
_IDLE = 5
"""Seconds without a new branch that are worth telling."""


class Progress:
    """Redraws some lines at each beat of the run. It has no thread: a long query delays the display."""

    def __init__(self, gauge: Gauge, console: Console | None = None) -> None:
        self._gauge = gauge
        self._live = Live(console=console or Console(stderr=True), auto_refresh=False, transient=True)

    def tell(self, event: Event) -> None:
        """Start the display when the run begins, and redraw it at each beat."""
        match event:
            case Began():
                self._live.start()
            case Beat(waiting, resident):
                text = line(self._gauge.read(waiting, resident))
                self._live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def stop(self) -> None:
        """Remove the display."""
        self._live.stop()


def line(now: Reading) -> str:
    """The text to show for a reading."""
    left = "" if now.left is None else f", {now.left:.0f} s left"
    idle = f", none new for {now.idle:.0f} s" if now.idle >= _IDLE else ""
    room = "" if now.most_megabytes is None else f" of {now.most_megabytes}"
    return (
        f"{now.seconds:5.0f} s{left}  {now.states:,} states  {now.paths:,} paths  {now.errors} errors  "
        f"{now.tests} tests\n{_INDENT}{now.branches_met}/{now.branches} branches met{idle}  {now.megabytes} MB{room}\n"
        f"{_INDENT}{now.queries:,} queries ({100 * now.solving:.0f} % of time){_packed(now.strategies)}"
    )


def _packed(parts: Sequence[str]) -> str:
    """The parts, as many on a line as there is room for; each of the lines begins with a line break."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= _WIDTH:
            lines[-1] += f"  {part}"
        else:
            lines.append(_INDENT + part)
    return "".join(f"\n{line}" for line in lines)


@contextlib.contextmanager
def building(what: str, console: Console | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for a build, or a line where there is no terminal.

    Yields a function that takes the parts done and their total.
    """
    console = console or Console(stderr=True)
    if not console.is_terminal:
        with contextlib.suppress(OSError):
            console.print(f"{what} ...", soft_wrap=True)
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        console.show_cursor(True)  # a limit may kill the process that shows this
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
