"""A workspace with one C file, and a language client that opens and saves it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

TEXT = """\
/* Expected: level decides by a value that it has not set if n is 7; first must not get null; last is safe. */
int level(int n)
{
    int known;
    if (n != 7)
        known = n;
    return known > 3 ? 2 : 1;
}

int first(const int *numbers)
{
    return numbers[0];
}

int last(int n)
{
    return n > 4 ? n - 4 : n;
}
"""
QUICK = ("--cores", "1", "--native-check", "never")
_PATIENCE = 600.0
"""Seconds after which a test fails that waits for a server."""
Shown = list[tuple[int, str, str]]
"""Lines of diagnostics, from 1, with their severity and the first line of their text."""


class Editor:
    """A client of ``unfork lsp`` in a folder with ``a.c``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "a.c"
        self.client = LanguageClient("editor", "1")
        self.messages: list[str] = []
        self.progress: list[str] = []
        self.diagnostics: Sequence[types.Diagnostic] = ()
        self._published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self._versions = 0

    async def begin(self) -> None:
        """Start the server, and open the file."""
        notices: dict[str, Callable[[Any], None]] = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self._published.put_nowait,
            types.WINDOW_SHOW_MESSAGE: lambda said: self.messages.append(said.message),
            types.WINDOW_LOG_MESSAGE: lambda said: None,
            types.WINDOW_WORK_DONE_PROGRESS_CREATE: lambda said: None,
            types.PROGRESS: lambda said: self.progress.append(said.value["kind"]),
        }
        for name, notice in notices.items():
            self.client.feature(name)(lambda said, notice=notice: notice(said))
        await self.client.start_io(sys.executable, "-P", "-m", "unfork", "lsp", *QUICK, cwd=str(self.folder.parent))
        root = self.folder.as_uri()
        able = types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True))
        await self.client.initialize_async(types.InitializeParams(able, root_uri=root))
        self.client.initialized(types.InitializedParams())
        document = types.TextDocumentItem(self.uri, types.LanguageKind.C, 1, self.file.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    async def end(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    @property
    def uri(self) -> str:
        return self.file.as_uri()

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        """Edit the text, and do not save it."""
        self._versions += 1
        whole = types.TextDocumentContentChangeWholeDocument(text)
        which = types.VersionedTextDocumentIdentifier(self._versions, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(which, [whole]))

    def save(self, text: str) -> None:
        self.change(text)
        self.file.write_text(text)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document))

    async def shown(self) -> Shown:
        """The next diagnostics that the server publishes."""
        self.diagnostics = (await asyncio.wait_for(self._published.get(), _PATIENCE)).diagnostics
        return [
            (each.range.start.line + 1, each.severity.name if each.severity else "", each.message.partition("\n")[0])
            for each in self.diagnostics
        ]

    async def actions(self, line: int) -> dict[str, types.WorkspaceEdit]:
        """The quick fixes at a line, by the first word of their titles."""
        here = [each for each in self.diagnostics if each.range.start.line + 1 == line]
        asked = types.CodeActionParams(self.document, here[0].range, types.CodeActionContext(here))
        offered = await self.client.text_document_code_action_async(asked)
        return {each.title.partition(" ")[0]: each.edit for each in offered or () if isinstance(each, types.CodeAction)}

    async def lenses(self) -> list[tuple[int, str]]:
        """The lines of code lenses, from 1, with their titles."""
        lenses = await self.client.text_document_code_lens_async(types.CodeLensParams(self.document))
        return [(each.range.start.line + 1, each.command.title if each.command else "") for each in lenses or ()]

    async def hover(self, line: int, column: int) -> str:
        asked = types.HoverParams(self.document, types.Position(line - 1, column - 1))
        found = await self.client.text_document_hover_async(asked)
        return found.contents.value if found and isinstance(found.contents, types.MarkupContent) else ""

    async def call(self, command: str, function: str) -> str:
        """What a command of a code lens returns."""
        asked = types.ExecuteCommandParams(command, [self.uri, function])
        return str(await self.client.workspace_execute_command_async(asked))
