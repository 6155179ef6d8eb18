"""The cache gives back exactly what was put, or nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from unfork.program.llvm import compilation_cache


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    assert compilation_cache.folder() == own
    monkeypatch.delenv("UNFORK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/there")
    assert compilation_cache.folder() == Path("/there/unfork")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/her")
    assert compilation_cache.folder() == Path("/home/her/.cache/unfork")


def test_what_was_put_comes_back(own: Path) -> None:
    name = compilation_cache.key("text", "a", b"b")
    assert compilation_cache.get(name) is None
    assert compilation_cache.put(name, b"contents")
    assert compilation_cache.get(name) == b"contents"
    assert own.stat().st_mode & 0o777 == 0o700


def test_keys_tell_parts_apart() -> None:
    assert compilation_cache.key("text", "ab", "c") != compilation_cache.key("text", "a", "bc")
    assert compilation_cache.key("text", "ab") != compilation_cache.key("code", "ab")


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:60] + b"?" + data[61:], lambda _: b""])
def test_a_damaged_entry_is_nothing_and_goes(own: Path, damage: object) -> None:
    name = compilation_cache.key("text", "a")
    compilation_cache.put(name, b"x" * 100)
    entry = own / f"{name}.entry"
    entry.write_bytes(damage(entry.read_bytes()))  # type: ignore[operator]
    assert compilation_cache.get(name) is None
    assert not entry.exists()


def test_an_entry_under_another_name_is_nothing(own: Path) -> None:
    name, other = compilation_cache.key("text", "a"), compilation_cache.key("text", "b")
    compilation_cache.put(name, b"x")
    (own / f"{name}.entry").rename(own / f"{other}.entry")
    assert compilation_cache.get(other) is None


def test_where_nothing_can_be_written_nothing_fails(own: Path) -> None:
    own.write_bytes(b"a file, no folder")
    name = compilation_cache.key("text", "a")
    assert not compilation_cache.put(name, b"x")
    assert compilation_cache.get(name) is None


def test_what_others_may_write_is_not_trusted(own: Path) -> None:
    name = compilation_cache.key("text", "a")
    compilation_cache.put(name, b"x")
    own.chmod(0o777)
    assert compilation_cache.get(name) is None
    assert not compilation_cache.put(name, b"y")


def test_the_oldest_entries_go_first(own: Path) -> None:
    names = [compilation_cache.key("text", str(number)) for number in range(4)]
    for age, name in enumerate(names):
        compilation_cache.put(name, b"x" * 100)
        os.utime(own / f"{name}.entry", (age, age))
    assert compilation_cache.get(names[0]) == b"x" * 100  # used just now
    compilation_cache.sweep(own, 2 * 200)
    assert [compilation_cache.get(name) is not None for name in names] == [True, False, False, True]
