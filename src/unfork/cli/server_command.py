"""unfork lsp and unfork mcp: servers for editors and for agents."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import click

from unfork.cli.words import Exploring, files, per_function
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.report.record.verdict import EXIT_SAFE

_OPTIONS = ("check", "cflags", "std", "include", "define", "libc", "native_check", "cores")
_PER_FUNCTION = 5.0
_PROJECT = """PATHs say what a file is linked with, as for unfork scan: C files, folders, or a compile_commands.json.
Without one, it is the compile_commands.json of the folder or its build folder; without that, each file stands alone."""
_LSP = f"""Serve an editor, by the Language Server Protocol on standard input and output.

Scans the functions of a C or C++ file when it is opened or saved (docs/editors.md). It needs pip install
'unfork[lsp]'.

{_PROJECT}"""
_MCP = f"""Serve an agent, by the Model Context Protocol on standard input and output.

Scans files of the workspace, runs tests again and explains findings (docs/editors.md); it changes no file there, and
reads none outside. It needs pip install 'unfork[mcp]'.

{_PROJECT}"""
_WORKSPACE = click.option(
    "--workspace",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the project (default: the one that the editor has opened, or the current one).",
)


@click.command("lsp", cls=Exploring, names=_OPTIONS, params=[files("[PATH...]")], help=_LSP)
@per_function(_PER_FUNCTION)
@_WORKSPACE
def lsp_command(files: tuple[str, ...], options: Options, per_function: float, workspace: Path | None) -> int:
    """Serve an editor. Returns the exit status."""
    return _serve("lsp", "language_server", files, options, per_function, workspace)


@click.command("mcp", cls=Exploring, names=_OPTIONS, params=[files("[PATH...]")], help=_MCP)
@per_function(_PER_FUNCTION)
@_WORKSPACE
def mcp_command(files: tuple[str, ...], options: Options, per_function: float, workspace: Path | None) -> int:
    """Serve an agent. Returns the exit status."""
    return _serve("mcp", "agent_server", files, options, per_function, workspace)


def _serve(
    name: str, server: str, paths: tuple[str, ...], options: Options, per_function: float, workspace: Path | None
) -> int:
    try:
        module = importlib.import_module(f"unfork.commands.editors.{server}")
    except ModuleNotFoundError as missing:
        raise InputError(f"{name}: a package is missing ({missing}): pip install 'unfork[{name}]'") from None
    serve: Callable[..., None] = module.serve
    serve(None if workspace is None else workspace.absolute(), paths, options, per_function)
    return EXIT_SAFE
