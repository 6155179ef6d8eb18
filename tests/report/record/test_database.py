"""run.db, read while a run still writes it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.report.record.tables import copy_tables, read_tables


@pytest.fixture
def path(tmp_path: Path) -> Path:
    explore(written("int main(void) { return 0; }\n", tmp_path), tmp_path / "run", "--libc", "none")
    return tmp_path / "run" / "run.db"


def test_all_that_is_read_is_of_one_moment(path: Path) -> None:
    """Counts that do not belong together were read of a run that went on: show --why failed on them."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as run:
        with closing(read_tables(path)) as tables:
            assert not list(tables.forks())
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                run.execute("INSERT INTO forks VALUES (0, 1, NULL, NULL, NULL)")
            assert not list(tables.forks())
        run.execute("INSERT INTO forks VALUES (0, 1, NULL, NULL, NULL)")


def test_a_run_need_not_wait_for_whoever_has_a_copy(path: Path) -> None:
    with (
        closing(copy_tables(path)) as tables,
        closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as run,
    ):
        run.execute("INSERT INTO forks VALUES (0, 1, NULL, NULL, NULL)")
        assert not list(tables.forks())
