"""The formats of a whole run, by name."""

from __future__ import annotations

from unfork.formats import cobertura, gcc, junit, lcov, sarif
from unfork.formats.kept_run import Whole
from unfork.options import RUN_FORMATS
from unfork.wiring import witnesses

_WHOLE = {
    "sarif": Whole("results.sarif", sarif.write, fits_proofs=True),
    "junit": Whole("junit.xml", junit.write, fits_proofs=True),
    "lcov": Whole("lcov.info", lcov.write, fits_proofs=False),
    "cobertura": Whole("cobertura.xml", cobertura.write, fits_proofs=False),
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
