"""Why a run does not end: its hot spots and what to try, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.inputs.command import Command, SymbolicArgument, SymbolicArguments, Word, read
from unfork.report.advice import Advice, advice
from unfork.report.database import Connection, DatabaseError, read_database
from unfork.report.hot_spots import HotSpots, hot_spots
from unfork.report.show import kept_proofs, read_summary


@dataclass(frozen=True, slots=True)
class Why:
    """What is known of a run, and what to try; the latter is empty for a run that has explored everything."""

    summary: Mapping[str, Any]
    spots: HotSpots
    advice: tuple[Advice, ...]


def why(root: Path) -> Why:
    """Why the run in ``root`` has not ended, or took what it took. Raises InputError."""
    if kept_proofs(root) is not None:
        raise InputError(f"{root} holds proofs (unfork verify): unfork show tells what is left of them")
    summary = read_summary(root)
    with closing(read_database(root / "run.db")) as database:
        try:
            return why_of(summary, database)
        except DatabaseError as problem:
            raise InputError(f"{root / 'run.db'}: {problem}; an earlier version wrote it, or it is damaged") from None


def why_of(summary: Mapping[str, Any], database: Connection) -> Why:
    """The same, of a run with this summary and run.db. Raises DatabaseError."""
    strategy, is_first = _counted(summary, database)
    spots = hot_spots(database, strategy, is_first=is_first)
    return Why(summary, spots, advice(summary, spots, _last_news(summary, database), _command(summary)))


def _counted(summary: Mapping[str, Any], database: Connection) -> tuple[str, bool]:
    """The strategy whose counts the summary has, and whether it is the first one."""
    standings = summary["strategies"]
    winners = [each["name"] for each in standings[1:] if each["ended"] and not standings[0]["ended"]]
    if winners:
        return winners[0], False
    if standings:
        return standings[0]["name"], True
    names = database.execute("SELECT strategy FROM fork_places UNION SELECT strategy FROM query_places").fetchall()
    return (names[0][0] if names else ""), True


def _command(summary: Mapping[str, Any]) -> Command:
    """What the program was started with."""
    options = summary["options"]
    words: list[Word] = [SymbolicArgument(*word) for word in options["sym-arg"]]
    words += [SymbolicArguments(*group) for group in options["sym-args"]]
    count, size = options["sym-files"] or (0, 0)
    return read(summary.get("arguments", ()), Command(tuple(words), options["sym-stdin"], files=(count, size)))


def _last_news(summary: Mapping[str, Any], database: Connection) -> tuple[int, int] | None:
    """The state of the last test, and the last state; None where tests are not for branches, or come from others."""
    if summary["options"]["tests"] != "coverage" or any(each["tests"] for each in summary["strategies"]):
        return None
    (count, last) = database.execute("SELECT COUNT(*), MAX(state) FROM tests").fetchone()
    (largest,) = database.execute("SELECT MAX(id) FROM states").fetchone()
    left = database.execute("SELECT 1 FROM tests, states WHERE state = id AND ended = 'left' LIMIT 1").fetchone()
    return None if not count or largest is None or left is not None else (last, largest)
