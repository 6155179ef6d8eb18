"""Why a run does not end: its hot spots and what to try, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unfork.inputs.command import Command, SymbolicArgument, SymbolicArguments, Word, read
from unfork.report.advice import Advice, advice
from unfork.report.hot_spots import HotSpots, hot_spots
from unfork.report.kept_run import read_exploration
from unfork.report.tables import Tables


@dataclass(frozen=True, slots=True)
class Why:
    """What is known of a run, and what to try; the latter is empty for a run that has explored everything."""

    summary: Mapping[str, Any]
    spots: HotSpots
    advice: tuple[Advice, ...]


def why(root: Path) -> Why:
    """Why the run in ``root`` has not ended, or took what it took. Raises InputError."""
    run = read_exploration(root)
    with closing(run.tables()) as tables:
        return why_of(run.summary, tables)


def why_of(summary: Mapping[str, Any], tables: Tables) -> Why:
    """The same, of a run with this summary and run.db. Raises InputError where that says nothing of it."""
    tables.need("forked", "fork_places", "query_places", "refusals")
    strategy, is_first = _counted(summary, tables)
    spots = hot_spots(tables, strategy, is_first=is_first)
    return Why(summary, spots, advice(summary, spots, _last_news(summary, tables), _command(summary)))


def _counted(summary: Mapping[str, Any], tables: Tables) -> tuple[str, bool]:
    """The strategy whose counts the summary has, and whether it is the first one."""
    standings = summary["strategies"]
    winners = [each["name"] for each in standings[1:] if each["ended"] and not standings[0]["ended"]]
    if winners:
        return winners[0], False
    if standings:
        return standings[0]["name"], True
    return next(iter(tables.strategies()), ""), True


def _command(summary: Mapping[str, Any]) -> Command:
    """What the program was started with."""
    options = summary["options"]
    words: list[Word] = [SymbolicArgument(*word) for word in options["sym-arg"]]
    words += [SymbolicArguments(*group) for group in options["sym-args"]]
    count, size = options["sym-files"] or (0, 0)
    return read(summary.get("arguments", ()), Command(tuple(words), options["sym-stdin"], files=(count, size)))


def _last_news(summary: Mapping[str, Any], tables: Tables) -> tuple[int, int] | None:
    """The state of the last test, and the last state; None where tests are not for branches, or come from others."""
    if summary["options"]["tests"] != "coverage" or any(each["tests"] for each in summary["strategies"]):
        return None
    last = max([state for _, state in tables.tests()], default=None)
    largest, left = tables.largest(), {end.state for end in tables.ends(ended="left")}
    if last is None or any(state in left for _, state in tables.tests()):
        return None
    return last, largest
