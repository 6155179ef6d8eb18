"""Where a run explores: its processor cores, which strategies get the spare ones, and the cluster."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from unfork import host
from unfork.commands.run.coordinator import RemoteExplorers
from unfork.errors import InputError
from unfork.options.option_rules import alone
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import pack

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # on standard output, where Ray reports deaths, the run's own lines are
}
"""Environment variables that Ray reads when it is imported."""
_INSTALL = "pip install 'unfork[cluster]' installs it"
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_BOUNDED = ("max_instructions", "max_forks")
"""Limits that only one process can keep."""


def available() -> int:
    """The number of cores that this process may use, by its affinity and by the time quota of its control group."""
    cores = len(host.this().cores())
    try:
        quota, period = _QUOTA.read_text().split()
    except (OSError, ValueError):
        return cores
    return cores if quota == "max" else max(min(cores, int(quota) // int(period)), 1)


def processes(options: Options) -> int:
    """The processes that work on functions at once."""
    return options.cores or available()


def some(count: int) -> set[int]:
    """``count`` of this process's cores, or all; which ones depends on its number, so that runs use different ones."""
    cores = sorted(host.this().cores())
    first = os.getpid() % len(cores)
    return {cores[(first + number) % len(cores)] for number in range(min(count, len(cores)))}


@contextlib.contextmanager
def limit_cores(options: Options) -> Iterator[None]:
    """Let this process use as many cores as --cores says."""
    if options.cores is None:
        yield
        return
    before = host.this().cores()
    host.this().keep_to(some(options.cores))
    try:
        yield
    finally:
        host.this().keep_to(before)


def helpers(options: Options, strategies: int) -> list[int]:
    """For each of so many strategies, the number of processes that help its first one: spare cores go round.

    All 0 with options that only one process can serve.
    """
    cores = available() if options.cores is None else options.cores
    is_single = options.cluster is not None or bool(alone(options)) or any(options.is_given(name) for name in _BOUNDED)
    spare = 0 if is_single else max(cores - strategies, 0)
    return [spare // strategies + (number < spare % strategies) for number in range(strategies)]


def cluster(options: Options, strategies: int, program: Program) -> RemoteExplorers | None:
    """The machines that explore all strategies but the first; None if this machine does.

    All explore ``program``. Raises InputError if there is no such cluster, or only one strategy.
    """
    if options.cluster is None:
        return None
    if strategies == 1:
        raise InputError("--cluster: one strategy alone is explored here; name several with --strategy, or none")
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        module = importlib.import_module("unfork.commands.run.cluster")
    except ModuleNotFoundError as missing:
        raise InputError(f"--cluster needs Ray ({missing}): {_INSTALL}") from None
    machines: RemoteExplorers = module.connect(options.cluster, partial(pack, program))
    return machines
