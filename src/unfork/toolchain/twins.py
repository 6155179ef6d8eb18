"""What a static program links in place of shared libraries: the bitcode that they carry."""

from __future__ import annotations

import os
from collections.abc import Sequence

from unfork.toolchain import object_files


class Twins:
    """The shared libraries of one link. Mutable: it grows as they are taken."""

    def __init__(self, scratch: str, folders: Sequence[str]) -> None:
        """Bitcode is written to ``scratch``; ``folders`` are those of -L."""
        self.files: dict[str, str] = {}
        self._scratch = scratch
        self._folders = folders
        self._new: list[str] = []
        self._needs: list[tuple[str, str]] = []

    def take(self, library: str) -> bool:
        """Take a shared library, once even if it is named again. False if it is none, or carries no bitcode."""
        path = os.path.realpath(library)
        if path in self.files:
            return True
        contents = object_files.of_library(path)
        if contents is None:
            return False
        bitcode, needs = contents
        twin = os.path.join(self._scratch, f"{len(self.files)}-{os.path.basename(path)}.bc")
        with open(twin, "wb") as file:
            file.write(bitcode)
        self.files[path] = twin
        self._new.append(twin)
        self._needs += ((os.path.dirname(path), need) for need in needs)
        return True

    def new(self) -> list[str]:
        """The files to link for what was taken since the last time."""
        new, self._new = self._new, []
        return new

    def needed(self) -> list[str]:
        """The files of all that the taken libraries need in turn: from where it was, beside them, or a folder of -L."""
        while self._needs:
            folder, need = self._needs.pop(0)
            places = [need, *(os.path.join(other, os.path.basename(need)) for other in (folder, *self._folders))]
            next((place for place in places if self.take(place)), None)
        return self.new()
