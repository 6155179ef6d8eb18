"""What formats of a whole run are made from: all that is read of a run directory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.facts.own_source import readable
from unfork.inputs.testcase import TestCase
from unfork.llvm.module import Program
from unfork.report.proofs import is_of_proofs
from unfork.report.show import read_test


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run directory. ``summary`` is the data of summary.json; ``program`` builds what the run explored, once asked.

    ``program`` raises InputError where that is gone, and for proofs, which keep none.
    """

    root: Path
    summary: Mapping[str, Any]
    program: Callable[[], Program]
    rebuilt: Callable[[Path, str], Program]
    """The program of one C file, compiled from another text (latin-1) in its place. Raises InputError."""

    @property
    def is_of_proofs(self) -> bool:
        """Whether unfork verify wrote it."""
        return is_of_proofs(self.summary)

    def tests(self) -> list[tuple[str, TestCase]]:
        """The tests by name ("tests/000001.json"), in the order in which they were written. Raises InputError."""
        return [(f"tests/{path.name}", read_test(path)) for path in sorted((self.root / "tests").glob("*.json"))]

    def source(self, name: str) -> Path | None:
        """The C file that debug information calls ``name``: where it was, or the run's copy; None if it is gone."""
        places = (Path(name), self.root / name)
        return next((place for place in places if place.is_file()), None)

    def contents(self, name: str) -> bytes | None:
        """What is in that file; None if it cannot be read, or may not be (facts/own_source.py)."""
        path, allowed = self.source(name), readable(self.root, self.summary)
        if path is None:
            return None
        try:
            return allowed.contents(path, None)
        except OSError:
            return None
        except ValueError:
            with contextlib.suppress(InputError, OSError, ValueError):
                return allowed.contents(path, self.program().checksums().get(name))
            return None


@dataclass(frozen=True, slots=True)
class Whole:
    """A format of a whole run: the file that it becomes in the run directory, and what makes its bytes.

    ``write`` is a function of what is kept alone, so that the end of a run and a later export make the same bytes. It
    raises InputError for what cannot be told.
    """

    file: str
    write: Callable[[KeptRun], bytes]
    fits_proofs: bool
    """Whether it can tell of proofs, too."""
