"""unfork mcp: scans, replays and explanations for an agent. The only module that imports mcp.

It writes nothing into the workspace, and takes no name of a file outside. Every answer comes in bounded time.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from unfork.commands.editors.background import unfork
from unfork.commands.editors.file_results import function_summary
from unfork.commands.editors.scanner import FileScan, FileScanner
from unfork.commands.editors.workspace import Workspace, word_of
from unfork.errors import InputError
from unfork.options.options import VERSION, Options
from unfork.program.c.suffixes import COMPILED
from unfork.program.llvm.subprocesses import TooSlow
from unfork.report.record.kept_run import read_test

Answer = TypeVar("Answer")
_SHORT = 60.0
"""Seconds for an explanation or a replay."""
_NAMED = 3
"""The most files that a refusal names."""
_INSTRUCTIONS = """unfork explores C and C++ functions on all inputs. A certain finding fails whatever the caller
does, and has a test that fails; a conditional one names what callers must ensure. Silence proves nothing. Names of
files are relative to the workspace. Scan a file, explain a finding by its id, and after a repair run its test again: it
runs on the present text of the file."""
_SCAN = """Scan a C or C++ file of the workspace: every function, or those whose names match the patterns (parse_*), on
any arguments and any heap. Returns findings with ids, how far each function was explored and what it requires of its
callers, and the compiler's errors."""
_EXPLAIN = "Explain a finding of the last scan of its file: path, values, stack, input, and a C program that fails."
_TEST = """Run the test of a finding, or a test of unfork in the workspace (.json), on the present text of its file, on
the engine alone. Says how it should end and how it ended."""


class AgentServer:
    """What an agent may ask. One question at a time is worked on."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self._workspace = workspace
        self._folder = folder
        self._scanner = FileScanner(workspace, folder)
        self._scans: dict[Path, FileScan] = {}
        self._turn = asyncio.Lock()
        self.server = MCPServer("unfork", version=VERSION, instructions=_INSTRUCTIONS, log_level="WARNING")
        reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        for tool, said in ((self.scan, _SCAN), (self.explain, _EXPLAIN), (self.run_test, _TEST)):
            self.server.add_tool(tool, description=said, annotations=reading)

    async def scan(self, path: str, functions: list[str] | None = None) -> dict[str, Any]:
        return await self._answer(self._scan(path, functions or []))

    async def explain(self, finding: str) -> str:
        return await self._answer(self._explain(finding))

    async def run_test(self, test: str) -> str:
        return await self._answer(self._run_test(test))

    async def _answer(self, work: Awaitable[Answer]) -> Answer:
        """The answer, in its turn. Raises ToolError with a line for the agent."""
        async with self._turn:
            try:
                return await work
            except InputError as problem:
                raise ToolError(str(problem)) from None
            except TooSlow:
                raise ToolError("it took too long and was ended") from None

    async def _scan(self, path: str, functions: list[str]) -> dict[str, Any]:
        file = self._workspace.within(path)
        if file.suffix not in COMPILED:
            raise InputError(f"{path}: is no C or C++ file")
        outside = [str(each.path) for each in self._workspace.sources() if not self._workspace.has(each.path)]
        if outside:
            raise InputError(f"the project has files outside of the workspace: {', '.join(outside[:_NAMED])}")
        complaints = await self._scanner.complaints(file)
        scan = await self._scanner.scan(file, functions)
        earlier = self._scans.pop(file, None)
        if earlier is not None:
            self._scanner.forget(earlier)
        self._scans[file] = scan
        if scan.data is None:
            errors = [f"{path}:{each.line}:{each.column}: {each.text}" for each in complaints if each.file == file]
            return {"verdict": "unknown", "reason": scan.reason, "compiler_errors": errors}
        return {
            "verdict": scan.data["verdict"],
            "findings": [_finding(each) for each in scan.data["findings"]],
            "functions": {each["name"]: function_summary(each) for each in scan.data["functions"]},
        }

    async def _explain(self, finding: str) -> str:
        scan, row = self._found(finding)
        return await self._said(["show", str(scan.folder), word_of(f"{row['file'] or '?'}:{row['line']}")])

    async def _run_test(self, test: str) -> str:
        if any(row["fingerprint"] == test for _, row in self._known()):
            scan, row = self._found(test)
            path = scan.folder / row["test"]
        else:
            path = self._workspace.within(test)
        outside = [name for name in read_test(path).program if not self._workspace.has(Path(name))]
        if outside:
            raise InputError(f"{test}: its program is outside of the workspace: {', '.join(outside[:_NAMED])}")
        # Beside a test lie the options of its run, which may name a compiler: it is replayed apart from them.
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            copy = Path(folder, "tests", path.name)
            copy.parent.mkdir()
            shutil.copyfile(path, copy)
            return await self._said(["replay", "--engine", str(copy)])

    def _known(self) -> list[tuple[FileScan, dict[str, Any]]]:
        return [(scan, row) for scan in self._scans.values() for row in (scan.data or {}).get("findings", ())]

    def _found(self, finding: str) -> tuple[FileScan, dict[str, Any]]:
        """The finding with an id. Raises InputError."""
        for scan, row in self._known():
            if row["fingerprint"] == finding:
                return scan, row
        raise InputError(f"{finding}: the last scans have no finding of that id")

    async def _said(self, words: list[str]) -> str:
        done = await unfork(words, self._workspace.root, _SHORT)
        return (done.output.decode("utf-8", "replace") + done.complaint).strip()


def _finding(row: dict[str, Any]) -> dict[str, Any]:
    names = ("kind", "file", "line", "function", "message", "certainty", "reason", "precondition")
    return {"id": row["fingerprint"], **{name: row[name] for name in names}}


def serve(root: Path | None, paths: tuple[str, ...], options: Options, per_function: float) -> None:
    """Serve one agent over standard input and output, until it goes."""
    with tempfile.TemporaryDirectory(prefix="unfork-mcp-") as folder:
        AgentServer(Workspace(root or Path.cwd(), paths, options, per_function), Path(folder)).server.run("stdio")
