"""The cluster that the options name."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable

from unfork.errors import InputError
from unfork.options import Options
from unfork.race.coordinator import Elsewhere

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it is nobody's business what is analysed
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # on standard output, where Ray reports deaths, the run's own lines are
}
"""What Ray looks at when it is imported."""
_INSTALL = "pip install 'unfork[cluster]' installs it"


def cluster(options: Options, strategies: int, pack: Callable[[], object]) -> Elsewhere | None:
    """The machines for all strategies but the first; None if they are to be explored on this one.

    ``pack`` makes what all of them share. Raises InputError if there is no such cluster, or nothing to do for it.
    """
    if options.cluster is None:
        return None
    if strategies == 1:
        raise InputError("--cluster: one strategy alone is explored here; name several with --strategy, or none")
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        module = importlib.import_module("unfork.race.cluster")
    except ModuleNotFoundError as missing:
        raise InputError(f"--cluster needs Ray ({missing}): {_INSTALL}") from None
    machines: Elsewhere = module.connected(options.cluster, pack)
    return machines
