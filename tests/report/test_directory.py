from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from unfork.errors import InputError
from unfork.report.directory import RunDirectory, WriteFailed, check_place, create, write_file


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
    check_place("a/b/run")
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
        check_place(out)
    assert sorted(here.rglob("*")) == before


def test_an_empty_directory_may_be_used(here: Path) -> None:
    (here / "empty").mkdir()
    check_place("empty")
    assert create("empty").root.name == "empty"


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
