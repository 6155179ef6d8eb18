"""The formats of a whole run, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.formats import coverage, gcc, junit, sarif
from unfork.options import RUN_FORMATS
from unfork.report.kept_run import KeptRun
from unfork.wiring import witnesses


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


_WHOLE = {
    "sarif": Whole("results.sarif", sarif.write, fits_proofs=True),
    "junit": Whole("junit.xml", junit.write, fits_proofs=True),
    "lcov": Whole("lcov.info", coverage.lcov, fits_proofs=False),
    "cobertura": Whole("cobertura.xml", coverage.cobertura, fits_proofs=False),
    "gcc": Whole("messages.txt", gcc.write, fits_proofs=True),
    "witness": Whole("witness.yml", witnesses.write, fits_proofs=False),
}
"""The names are those of unfork.options.RUN_FORMATS."""


def whole(name: str) -> Whole:
    """The format of that name, one of RUN_FORMATS."""
    return _WHOLE[name]


def chosen(formats: tuple[str, ...]) -> list[tuple[str, Whole]]:
    """The formats of a whole run among those of --formats, in a fixed order."""
    return [(name, _WHOLE[name]) for name in RUN_FORMATS if name in formats]
