"""The command line: turns words into options, and results into lines and exit statuses. A module a command."""

from unfork.cli.commands import main
from unfork.cli.words import parse

__all__ = ["main", "parse"]
