"""The path of a test: the branches that it took, as run.db has them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from unfork.errors import InputError
from unfork.formats.kept_run import KeptRun
from unfork.report.ancestry import Ancestry, origin
from unfork.report.database import Connection, DatabaseError, read_database

MOST = 200
"""The most steps of a path: those nearest to its end."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a state went on after a fork, or where it was joined."""

    file: str
    line: int
    function: str
    is_join: bool


def steps(run: KeptRun, tests: list[str]) -> dict[str, list[Step]]:
    """The path of each test that run.db knows, in the order of execution.

    A test that another process of a race has found has none there.
    """
    if not tests:
        return {}
    try:
        with closing(read_database(run.root / "run.db")) as database:
            ancestry = Ancestry(database)
            return {test: _way(database, ancestry, test) for test in tests}
    except (InputError, DatabaseError):
        return {}  # the run was cut off before there was any


def _way(database: Connection, ancestry: Ancestry, test: str) -> list[Step]:
    known = origin(database, test)
    if known is None:
        return []
    births = (birth for birth in ancestry.births(*known) if birth.place[0] is not None)
    way = []
    for birth in islice(births, MOST):
        file, line, function = birth.place
        way.append(Step(file, line, function, birth.is_join))
    return way[::-1]
