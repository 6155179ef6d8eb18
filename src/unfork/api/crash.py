"""A run that an engine failure leaves without a result: its directory says so, and how to report it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from unfork import options as choices
from unfork.errors import InputError
from unfork.explore.tally import Tally
from unfork.failures import CRASH, INTERNAL_ERROR, EngineFailed, Failures
from unfork.logic.solver import Statistics
from unfork.merge.merge_table import MergeCounts
from unfork.options import VERSION, Options
from unfork.report import directory as places
from unfork.report.directory import RunDirectory, WriteFailed
from unfork.report.summary import Account, as_json, summary


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
