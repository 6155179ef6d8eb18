"""Numbers for places in sources, so that the page names each once."""

from __future__ import annotations

from typing import Any

from unfork.clang.escape import shown


class Places:
    """Files and places (file, line, function) get numbers in the order in which they are first asked for.

    Place 0 is unknown.
    """

    def __init__(self) -> None:
        self.files: list[str] = []
        """As the run names them."""
        self._files: dict[str, int] = {}
        self._places: dict[tuple[str, int, str], int] = {}

    def file(self, name: str) -> int:
        """The number of a file."""
        number = self._files.get(name)
        if number is None:
            number = self._files[name] = len(self.files)
            self.files.append(name)
        return number

    def number(self, file: str | None, line: int | None, function: str | None) -> int:
        """The number of a place."""
        if file is None or line is None:
            return 0
        key = (file, line, function or "")
        number = self._places.get(key)
        if number is None:
            number = self._places[key] = len(self._places) + 1
            self.file(file)
        return number

    def rows(self) -> list[list[Any]]:
        """All places by their numbers: the file's number, the line, the function."""
        known = [[self._files[file], line, shown(function)] for file, line, function in self._places]
        return [[-1, 0, ""], *known]
