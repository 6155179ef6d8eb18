"""The command line: words become options, results become lines and exit statuses. Each command has its module."""

from unfork.cli.commands import main
from unfork.cli.words import parse

__all__ = ["main", "parse"]
