"""A run that an engine failure leaves without a result: its directory says so, and how to report it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from unfork import options as choices
from unfork.errors import InputError, UnforkError
from unfork.explore.failures import INTERNAL_ERROR, Failure, Failures
from unfork.explore.tally import Tally
from unfork.logic.solver import Statistics
from unfork.merge.meetings import MergeCounts
from unfork.options import VERSION, Options
from unfork.report import directory as places
from unfork.report.directory import RunDirectory, WriteFailed
from unfork.report.summary import Account, as_json, summary

CRASH = "crash.txt"
"""The file of a run directory with the traceback of an engine failure."""


class EngineFailed(UnforkError):
    """The engine failed where no result could be saved; crash.txt in ``directory`` has the traceback."""

    def __init__(self, failure: Failure, directory: Path) -> None:
        super().__init__(failure.line)
        self.failure = failure
        self.directory = directory


@contextlib.contextmanager
def reported(files: Sequence[str | Path], options: Options) -> Iterator[None]:
    """Turn an unexpected exception into EngineFailed, and write down what it was."""
    try:
        yield
    except (InputError, WriteFailed):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # a file that the system refuses to open
        failures = Failures()
        failures.note(error, "the run")
        raise _written([str(file) for file in files], options, failures) from error


def _written(files: Sequence[str], options: Options, failures: Failures) -> EngineFailed:
    """Write a run directory that says that there was no run."""
    is_there = options.out is not None and Path(options.out).is_dir()
    directory = RunDirectory(Path(options.out)) if is_there and options.out is not None else places.create(options.out)
    account = Account(
        VERSION,
        tuple(files),
        choices.as_dict(options),
        options.seed,
        INTERNAL_ERROR,
        options.is_given("max_size"),
        Tally(),
        Statistics(),
        None,
        (),
        (),
        0.0,
        MergeCounts(),
        failure=failures.first,
    )
    directory.write("summary.json", as_json(summary(account)).encode())
    directory.write(CRASH, failures.text().encode("utf-8", "backslashreplace"))
    assert failures.first is not None
    return EngineFailed(failures.first, directory.root)
