"""Results of scans of functions, kept with the files of their tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.commands.projects import kept_results
from unfork.commands.projects.kept_results import Allowance, KeptResult
from unfork.commands.scan.results import Explored
from unfork.report.record.directory import RunDirectory

_EXPLORED_COMPLETELY = "all"


@dataclass(frozen=True, slots=True)
class _ScannedFiles:
    """A result, and the files of its tests by their names."""

    explored: Explored
    files: dict[str, str]


def find(key: str, allowance: Allowance, folder: Path) -> Explored | None:
    """The result that is kept under ``key``, unless ``allowance`` might find more. Writes its files into ``folder``."""
    kept = kept_results.find(key, KeptResult[_ScannedFiles], allowance)
    if kept is None:
        return None
    for name, contents in kept.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        RunDirectory(folder).write(name, contents.encode("latin-1"))
    return _moved(kept.explored, lambda file: str(folder / file))


def keep(key: str, allowance: Allowance, folder: Path, explored: Explored) -> None:
    """Keep what a scan of a function found, with the files in ``folder``."""
    files = {
        str(file.relative_to(folder)): file.read_bytes().decode("latin-1")
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    result = _moved(explored, lambda file: str(Path(file).relative_to(folder)))
    is_final = explored.explored == _EXPLORED_COMPLETELY and not explored.found
    kept_results.keep(key, allowance, _ScannedFiles(result, files), is_final=is_final)


def _moved(explored: Explored, place: Callable[[str], str]) -> Explored:
    """The result with its files elsewhere."""
    found = [replace(each, test=place(each.test), reproducer=place(each.reproducer)) for each in explored.found]
    return replace(explored, found=tuple(found))
