from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from unfork.errors import InputError
from unfork.report.record.database import table_failed
from unfork.report.record.directory import RunDirectory, WriteFailed, check_root, claim, create, write_file


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file may grow beyond 1000 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_runs_are_numbered_and_the_last_is_linked(here: Path) -> None:
    assert create(None).root.name == "unfork-out-0"
    assert create(None).root.name == "unfork-out-1"
    assert os.readlink("unfork-last") == "unfork-out-1"
    assert (here / "unfork-last" / "tests").is_dir()


def test_parents_are_made(here: Path) -> None:
    check_root("a/b/run")
    assert not (here / "a").exists()
    assert create("a/b/run").root.is_dir()


def test_a_file_of_the_users_is_not_replaced_by_the_link(here: Path) -> None:
    (here / "unfork-last").write_text("mine")
    create(None)
    assert (here / "unfork-last").read_text() == "mine"


@pytest.mark.parametrize("out", ["", "file/run", "file/a/run", "taken", "file"])
def test_places_that_cannot_work_are_refused(here: Path, out: str) -> None:
    (here / "taken").mkdir()
    (here / "taken" / "thing").touch()
    (here / "file").touch()
    before = sorted(here.rglob("*"))
    with pytest.raises(InputError):
        check_root(out)
    assert sorted(here.rglob("*")) == before


def test_an_empty_directory_may_be_used(here: Path) -> None:
    (here / "empty").mkdir()
    check_root("empty")
    assert create("empty").root.name == "empty"


def test_of_two_runs_that_begin_in_one_directory_one_gets_it(here: Path) -> None:
    """Both found it empty."""
    check_root("run")
    check_root("run")
    create("run")
    with pytest.raises(InputError, match=r"^--out run: exists already$"):
        create("run")


def test_a_directory_that_is_being_written_belongs_to_one_process(here: Path) -> None:
    directory = create("run")
    with claim(directory), pytest.raises(InputError, match="another process is writing this run"), claim(directory):
        pass
    with claim(directory):
        pass


@pytest.mark.parametrize("trouble", ["damaged", "gone", "full"])
def test_a_table_that_cannot_be_written_says_why(here: Path, trouble: str) -> None:
    path = create("run").root / "run.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as run:
        run.execute("CREATE TABLE numbers (value BLOB)")
        reason, stop = "the file is damaged", "write-failed"
        if trouble == "damaged":
            path.write_bytes(b"junk" * 2048)
        elif trouble == "gone":
            shutil.rmtree("run")
            reason = "the directory run is gone"
        else:
            run.execute("PRAGMA max_page_count = 2")
            reason, stop = "the disk is full", "disk-full"
        with pytest.raises(sqlite3.Error) as caught:
            run.execute("INSERT INTO numbers VALUES (?)", (bytes(100_000),))
    failed = table_failed(path, caught.value)
    assert (str(failed), failed.stop) == (f"cannot write run/run.db: {reason}", stop)


def test_a_full_disk_leaves_the_old_file_whole(here: Path, small_files: None) -> None:
    directory = RunDirectory(here)
    directory.write("x", b"old")
    with pytest.raises(WriteFailed, match=r"cannot write .*x: the disk is full"):
        directory.write("x", bytes(5000))
    assert (here / "x").read_bytes() == b"old"
    assert [path.name for path in here.iterdir()] == ["x"]


def test_what_is_no_plain_file_is_written_to_and_stays(tmp_path: Path) -> None:
    """-o /dev/stdout and its like: as root, a file took the device's place."""
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, b"told")
    assert (os.read(reader, 9), pipe.is_fifo()) == (b"told", True)
    os.close(reader)
    with pytest.raises(WriteFailed, match="Is a directory"):
        write_file(tmp_path, b"")
    assert {place.name for place in tmp_path.iterdir()} == {"target", "link", "pipe"}
