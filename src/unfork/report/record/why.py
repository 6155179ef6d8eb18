"""Why a run does not end: its hot spots and what to try, as data and as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from textwrap import wrap
from typing import Any

from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.advice import Advice, HotSpots, advice, hot_spots, location
from unfork.report.record.kept_run import KeptRun
from unfork.report.record.seed_sides import seed_lines
from unfork.report.record.tables import Tables
from unfork.report.record.text import plural
from unfork.report.record.unreached import NOTHING_UNREACHED, Unreached, unreached
from unfork.report.record.unreached_text import growth_line, unreached_lines
from unfork.world.inputs.command import (
    CommandLine,
    SymbolicArgument,
    SymbolicArguments,
    SymbolicVariable,
    Word,
    read,
    with_files,
    with_variables,
)


@dataclass(frozen=True, slots=True)
class Why:
    """The facts on a run, and advice; no advice for a complete exploration.

    ``trouble`` is why ``unreached`` is empty, if that cannot be told. ``source`` has the lines of a file.
    """

    summary: Mapping[str, Any]
    spots: HotSpots
    advice: tuple[Advice, ...]
    growth: tuple[tuple[float, int], ...] = ()
    """(seconds of the run, covered branch edges) each time there were more."""
    unreached: Unreached = NOTHING_UNREACHED
    trouble: str = ""
    source: Callable[[str], Sequence[bytes]] = lambda file: ()


def why(run: KeptRun) -> Why:
    """Why a run has not ended, or took its time, and what it did not reach. Raises InputError."""
    with closing(run.tables()) as tables:
        trouble, found = "", NOTHING_UNREACHED
        try:
            found = unreached_of(run, tables)
        except InputError as problem:
            trouble = str(problem)
        return replace(why_of(run.summary, tables, found), trouble=trouble, source=cache(run.lines))


def unreached_of(run: KeptRun, tables: Tables) -> Unreached:
    """What a run did not reach. Raises InputError if its program or its coverage is gone."""
    tables.need("sides")
    if run.summary["coverage"] is None:
        raise InputError("the run was cut off before it wrote what it covered")
    return unreached(run.program(), tables)


def why_of(summary: Mapping[str, Any], tables: Tables, found: Unreached) -> Why:
    """The same from a summary, run.db and what was not reached. Raises InputError if run.db lacks the tables."""
    tables.need("forked", "fork_places", "query_places", "refusals")
    strategy, is_first = _main_strategy(summary, tables)
    spots, growth = hot_spots(tables, strategy, is_first=is_first), tuple(tables.growth())
    rules = advice(summary, spots, _last_news(summary, tables), _command(summary), growth, found)
    return Why(summary, spots, rules, growth, found)


def _main_strategy(summary: Mapping[str, Any], tables: Tables) -> tuple[str, bool]:
    """(the strategy with the summary's counts, whether it is the first one)."""
    standings = summary["strategies"]
    winners = [each["name"] for each in standings[1:] if each["ended"] and not standings[0]["ended"]]
    if winners:
        return winners[0], False
    if standings:
        return standings[0]["name"], True
    return next(iter(tables.strategies()), ""), True


def _command(summary: Mapping[str, Any]) -> CommandLine:
    options = summary["options"]
    words: list[Word] = [SymbolicArgument(*word) for word in options["sym-arg"]]
    words += [SymbolicArguments(*group) for group in options["sym-args"]]
    count, size = options["sym-files"] or (0, 0)
    given = CommandLine(tuple(words), options["sym-stdin"], files=(count, size))
    given = with_variables(given, [SymbolicVariable(*each) for each in options.get("sym-env", ())])
    return read(summary.get("arguments", ()), with_files(given, options.get("sym-file", ())))


def _last_news(summary: Mapping[str, Any], tables: Tables) -> tuple[int, int] | None:
    """The state of the last test, and the last state; None if tests are not for branches, or come from other
    processes.
    """
    if summary["options"]["tests"] != "coverage" or any(each["tests"] for each in summary["strategies"]):
        return None
    last = max([state for _, state in tables.tests()], default=None)
    largest, left = tables.largest(), {end.state for end in tables.ends(ended="left")}
    if last is None or any(state in left for _, state in tables.tests()):
        return None
    return last, largest


_SHOWN = 8
_LEVELS = 10
_WIDTH = 110


def why_lines(why: Why) -> list[str]:
    """The end of the run, the advice, and the tables that it rests on."""
    summary, spots = why.summary, why.spots
    states = summary["states"]
    lines = [f"explored everything in {summary['seconds']:.1f} s"]
    if summary["stopped_by"] is not None:
        lines = [
            f"stopped by {escape_text(str(summary['stopped_by']))} after {summary['seconds']:.1f} s: "
            f"{states['left']:,} of {plural(states['created'], 'state')} still wait"
        ]
    if spots.strategy and summary["strategies"]:
        lines[0] += f"; this is about the strategy {escape_text(spots.strategy)}"
    lines += growth_line(summary, why.growth)
    for number, each in enumerate(why.advice, 1):
        lines += ["", f"{number}. try {escape_text(each.options)}", *_wrap(each.because)]
    lines += seed_lines(summary, why.unreached) + _unreached(why) + _attention(why) + _forks(why)
    return lines + _loops(why) + _queries(why) + _refusals(why) + _waiting(why)


def _unreached(why: Why) -> list[str]:
    if why.trouble:
        return ["", f"what was not reached cannot be told: {escape_text(why.trouble)}"]
    return unreached_lines(why.unreached, why.source)


def _attention(why: Why) -> list[str]:
    functions, work = why.spots.attention, sum(each.work for each in why.spots.attention)
    if not work:
        return []
    lines = ["", "where states went, and what that brought: new states, share of the work, new branches"]
    return [
        *lines,
        *_more(len(functions)),
        *[
            f"  {each.born:>10,} {each.work / work:>10.0%} {each.news:>10,}  {_function(each.function)}"
            for each in functions[:_SHOWN]
        ],
    ]


def _function(name: str | None) -> str:
    return "outside of the program's own source" if name is None else escape_text(name)


def _forks(why: Why) -> list[str]:
    forks = why.spots.forks
    if not forks:
        return ["", "no state has forked"]
    lines = ["", "where states multiply: forks, new states, paths that forked", *_more(len(forks))]
    for fork in forks[:_SHOWN]:
        lines.append(f"  {fork.forks:>10,} {fork.born:>10,} {_short(fork.multiplicity):>10}  {_where(fork.at)}")
        if len(fork.levels) > 1:
            levels = ", ".join(f"{count:,}" for count in fork.levels[:_LEVELS])
            lines.append(
                f"{'':>36}by how often a path had forked there: {levels}" + ", ..." * (len(fork.levels) > _LEVELS)
            )
    return lines


def _loops(why: Why) -> list[str]:
    loops, born = why.spots.loops, max(why.spots.born, 1)
    if not loops:
        return []
    lines = ["", "loops, with all that they call: forks, new states, share of all", *_more(len(loops))]
    for loop in loops[:_SHOWN]:
        late = f", {loop.late:,} of the last {why.spots.late:,} forks" if why.spots.late else ""
        lines.append(f"  {loop.forks:>10,} {loop.born:>10,} {loop.born / born:>10.0%}  {_where(loop.loop)}{late}")
    return lines


def _queries(why: Why) -> list[str]:
    queries, seconds = why.spots.queries, max(why.summary["seconds"], 0.001)
    if not queries:
        return []
    lines = ["", "queries that cost: how many, seconds, share of the run", *_more(len(queries))]
    return [
        *lines,
        *[
            f"  {query.queries:>10,} {query.seconds:>10.2f} {query.seconds / seconds:>10.0%}  {_where(query.at)}"
            for query in queries[:_SHOWN]
        ],
    ]


def _refusals(why: Why) -> list[str]:
    refused = why.spots.refused
    if not refused:
        done = why.summary["merges"]["done"]
        return ["", f"{done:,} joins were done, and none refused" if done else "no join was done, and none refused"]
    lines = ["", f"joins that were refused ({why.summary['merges']['done']:,} were done):", *_more(len(refused))]
    for each in refused[:_SHOWN]:
        who = f" by {escape_text(each.strategy)}" if each.strategy != why.spots.strategy else ""
        lines.append(f"  {each.times:>10,}  {escape_text(each.reason)}, {_where(each.at)}{who}")
    return lines


def _waiting(why: Why) -> list[str]:
    waiting = why.spots.waiting
    if not waiting:
        return []
    lines = ["", "where states wait:", *_more(len(waiting))]
    return [*lines, *[f"  {each.states:>10,}  {_where(each.at)}" for each in waiting[:_SHOWN]]]


def _wrap(text: str) -> list[str]:
    return wrap(escape_text(text), _WIDTH, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False)


def _more(rows: int) -> list[str]:
    return [f"  (the first {_SHOWN} of {rows})"] if rows > _SHOWN else []


def _where(spot: SourceSpot) -> str:
    return "a place without a line" if spot == NOWHERE else escape_text(location(spot))


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**8 else f"{number:.1e}"
