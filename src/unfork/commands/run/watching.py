"""Shows the progress of a run: on the terminal, and as a page with --serve."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.engine.protocols.events import Observer
from unfork.options.options import Options
from unfork.program.c.escape import escape_text
from unfork.report.page import live
from unfork.report.record import progress
from unfork.report.record.recorder import Recorder

if TYPE_CHECKING:
    from unfork.commands.run.explorer import Explorer
    from unfork.report.page.live import LivePage


def has_reader(options: Options) -> bool:
    """Whether progress is shown on a terminal."""
    return not (options.quiet or options.no_progress or sys.stderr is None or not sys.stderr.isatty())


@contextlib.contextmanager
def line(options: Options) -> Iterator[Callable[[str], None]]:
    """A function that shows one line after the other in the same place of the terminal, if there is one."""
    is_read = has_reader(options)

    def show(text: str) -> None:
        if is_read:
            sys.stderr.write(f"\r{escape_text(text)}\x1b[K")
            sys.stderr.flush()

    try:
        yield show
    finally:
        show("")


@contextlib.contextmanager
def page(options: Options) -> Iterator[LivePage | None]:
    """The page of --serve, until the run is over."""
    if options.serve is None:
        yield None
        return
    shown_at = live.LivePage(options.serve)
    try:
        yield shown_at
    finally:
        shown_at.end()


@contextlib.contextmanager
def watching_run(
    explorer: Explorer,
    recorder: Recorder,
    root: Path,
    page: LivePage | None,
    strategies: Callable[[], Sequence[str]],
    observers: list[Observer],
) -> Iterator[None]:
    """Add the displays of the run to its ``observers``."""
    options, parts = explorer.options, explorer.parts
    if page is None and not has_reader(options):
        yield
        return
    gauge = progress.Gauge(
        parts.tally, parts.engine.chain.statistics, parts.engine.coverage, explorer.budget, strategies
    )
    with contextlib.ExitStack() as closing:
        if page is not None:
            if not options.quiet and sys.stderr is not None:
                sys.stderr.write(f"unfork: this run as a page: {escape_text(page.address)}\n")
                sys.stderr.flush()
            observers += explorer.whole(
                (page.show(root, gauge, explorer.interrupt.request, explorer.tests_now(recorder, recorder.is_due)),)
            )
        if has_reader(options):
            display = progress.Progress(gauge)
            closing.callback(display.stop)
            observers += explorer.whole((display,))
        yield
