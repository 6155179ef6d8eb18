"""What came of functions, kept from one scan to the next: what has not changed is not explored again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.checked_json import parse, text
from unfork.commands.scan.results import Explored
from unfork.program.llvm import compilation_cache
from unfork.report.record.directory import RunDirectory

_EXPLORED_COMPLETELY = "all"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A result, the seconds that it was given, and the files of its tests by their names."""

    seconds: float
    explored: Explored
    files: dict[str, str]


def find(key: str, seconds: float, folder: Path) -> Explored | None:
    """What is kept under ``key``, if so many seconds would bring no more; its files are written into ``folder``."""
    data = compilation_cache.get(key)
    if data is None:
        return None
    try:
        kept = parse(data, _Kept)
    except ValueError:
        return None
    explored = kept.explored
    if kept.seconds < seconds and (explored.explored != _EXPLORED_COMPLETELY or explored.found):
        return None
    for name, contents in kept.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        RunDirectory(folder).write(name, contents.encode("latin-1"))
    return _moved(explored, lambda file: str(folder / file))


def keep(key: str, seconds: float, folder: Path, explored: Explored) -> None:
    """Keep what came of a function that was given so many seconds, with the files in ``folder``."""
    files = {
        str(file.relative_to(folder)): file.read_bytes().decode("latin-1")
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    result = _moved(explored, lambda file: str(Path(file).relative_to(folder)))
    compilation_cache.put(key, text(_Kept(seconds, result, files)).encode())


def _moved(explored: Explored, place: Callable[[str], str]) -> Explored:
    """The same, with files elsewhere."""
    found = [replace(each, test=place(each.test), reproducer=place(each.reproducer)) for each in explored.found]
    return replace(explored, found=tuple(found))
