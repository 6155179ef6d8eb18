"""unfork lsp: scans the functions of a C file when an editor opens or saves it. The only module that imports pygls."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, PyglsError
from pygls.lsp.server import LanguageServer

from unfork.commands.editors import failing_test
from unfork.commands.editors.background import unfork
from unfork.commands.editors.file_results import (
    FileResults,
    PlacedFinding,
    changed_functions,
    function_summary,
    ineffective,
    results_of,
    updated,
)
from unfork.commands.editors.scan_queue import ScanQueue
from unfork.commands.editors.scanner import CompilerComplaint, FileScan, FileScanner
from unfork.commands.editors.workspace import Workspace
from unfork.commands.scan.judgement import CERTAIN
from unfork.options.options import VERSION, Options
from unfork.program.c.function_lines import function_lines
from unfork.program.c.suffixes import C_SUFFIXES, COMPILED
from unfork.program.llvm.subprocesses import TooSlow
from unfork.report.record.verdict import EXIT_SAFE

RUN, VERIFY = "unfork.run", "unfork.verify"
"""The commands of code lenses; they take a file's address and a function's name."""
_MOST = 60.0
"""Seconds that a run or a proof may take which a code lens starts."""
_GRACE = 600.0
"""Further seconds until it is killed: the first of all builds the C library."""
_WORD = re.compile(r"\w+")
_SOURCE = "unfork"


class EditorServer:
    """What the editor shows. If it ``finds_root``, the workspace is where the editor says."""

    def __init__(self, workspace: Workspace, folder: Path, *, finds_root: bool) -> None:
        self._finds_root = finds_root
        self._scanner = FileScanner(workspace, folder)
        self._queue = ScanQueue(self._scan, self._fail)
        self._numbers = count(1)
        self._results: dict[str, FileResults] = {}
        self._scans: dict[str, list[FileScan]] = {}
        self.server = LanguageServer("unfork", VERSION)
        self.server.report_server_error = self._tell
        features: dict[str, Any] = {
            types.INITIALIZED: self._begin,
            types.TEXT_DOCUMENT_DID_OPEN: self._open,
            types.TEXT_DOCUMENT_DID_SAVE: self._save,
            types.TEXT_DOCUMENT_DID_CLOSE: self._close,
            types.TEXT_DOCUMENT_CODE_LENS: self._lenses,
            types.TEXT_DOCUMENT_HOVER: self._hover,
            types.TEXT_DOCUMENT_CODE_ACTION: self._actions,
        }
        for name, feature in features.items():
            self.server.feature(name)(partial(feature))  # pygls marks functions, which methods do not allow
        self.server.command(RUN)(partial(self._run))
        self.server.command(VERIFY)(partial(self._verify))

    def _begin(self, asked: types.InitializedParams) -> None:
        """Work in the folder that the editor has opened, wherever it has started the server."""
        root = self.server.workspace.root_path
        if root is not None and self._finds_root:
            self._scanner.workspace = replace(self._scanner.workspace, root=Path(root))
        self._scanner.prepare()

    # --- scans

    def _open(self, asked: types.DidOpenTextDocumentParams) -> None:
        if _file(asked.text_document.uri).suffix in COMPILED:
            self._queue.add(asked.text_document.uri)

    def _save(self, asked: types.DidSaveTextDocumentParams) -> None:
        if _file(asked.text_document.uri).suffix in COMPILED:
            self._queue.urge(asked.text_document.uri)

    def _close(self, asked: types.DidCloseTextDocumentParams) -> None:
        uri = asked.text_document.uri
        self._queue.drop(uri)
        self._results.pop(uri, None)
        for scan in self._scans.pop(uri, ()):
            self._scanner.forget(scan)
        self._publish(uri, ())

    async def _scan(self, uri: str) -> None:
        """Scan a file, and let the editor show that meanwhile."""
        window, token = self.server.client_capabilities.window, f"unfork {next(self._numbers)}"
        if window is None or not window.work_done_progress:
            await self._scan_functions(uri)
            return
        progress = self.server.work_done_progress
        await progress.create_async(token)
        progress.begin(token, types.WorkDoneProgressBegin(f"unfork: {_file(uri).name}"))
        try:
            await self._scan_functions(uri)
        finally:
            progress.end(token, types.WorkDoneProgressEnd())

    async def _scan_functions(self, uri: str) -> None:
        """Glance at the functions whose text has changed, then scan all: most others are taken as kept from before."""
        file = _file(uri)
        text = file.read_text("utf-8", "replace")
        reading = asyncio.ensure_future(self._scanner.complaints(file))
        try:
            await self._glance_at_changed(uri, file, text)
            scan = await self._scanner.scan(file)
            if scan.data is not None:
                self._keep(uri, self._read(file, text, scan), scan)
                return
            self._log(f"{file.name}: {scan.reason}")
            lines = text.split("\n")
            self._publish(uri, [_of_compiler(each, lines) for each in await reading if each.file == file])
        finally:
            reading.cancel()

    async def _glance_at_changed(self, uri: str, file: Path, text: str) -> None:
        before = self._results.get(uri)
        if before is None or file.suffix not in C_SUFFIXES:
            return

        def show(part: FileScan) -> None:
            self._keep(uri, updated(before, self._read(file, text, part)), part)

        names = changed_functions(before.text, text)
        if 0 < len(names) < len(function_lines(text)):
            first = await self._scanner.glance(file, names, show)
            if first.data is not None:
                show(first)

    def _read(self, file: Path, text: str, scan: FileScan) -> FileResults:
        assert scan.data is not None
        return results_of(text, file, self._scanner.workspace.root, scan.data, scan.folder)

    def _keep(self, uri: str, results: FileResults, scan: FileScan) -> None:
        """Keep the results and show them. The directories of earlier scans go once no finding is theirs."""
        self._results[uri] = results
        earlier = [each for each in self._scans.get(uri, ()) if each.folder != scan.folder]
        needed = {each.folder for each in results.findings}
        for each in earlier:
            if each.folder not in needed:
                self._scanner.forget(each)
        self._scans[uri] = [*[each for each in earlier if each.folder in needed], scan]
        lines = results.text.split("\n")
        shown = [self._diagnostic(each, lines) for each in results.findings]
        shown += [
            _diagnostic(lines, each.line, f"this comment has no effect: {each.fault}", types.DiagnosticSeverity.Warning)
            for each in ineffective(results.text)
        ]
        self._publish(uri, shown)
        capabilities = self.server.client_capabilities.workspace
        if capabilities is not None and capabilities.code_lens is not None and capabilities.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)

    def _publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [*diagnostics]))

    def _fail(self, problem: BaseException) -> None:
        said = "a scan took too long and was ended" if isinstance(problem, TooSlow) else f"a scan failed: {problem!r}"
        self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"unfork: {said}"))

    def _tell(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Tell the editor of an error, unless it is one of sending: the message would fail likewise, and be told."""
        if source is not JsonRpcInternalError:
            LanguageServer.report_server_error(self.server, error, source)

    def _log(self, text: str) -> None:
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Log, text))

    def _diagnostic(self, found: PlacedFinding, lines: Sequence[str]) -> types.Diagnostic:
        row = found.row
        is_certain = row["certainty"] == CERTAIN
        severity = types.DiagnosticSeverity.Error if is_certain else types.DiagnosticSeverity.Hint
        requires = "" if is_certain else row["precondition"]
        why = f"requires: {requires}" if requires else f"{row['certainty']}: {row['reason']}"
        shown = _diagnostic(lines, found.line, f"{row['message']}\n{why}", severity)
        shown.code, shown.data = row["kind"], row["fingerprint"]
        root = self._scanner.workspace.root
        shown.related_information = [
            types.DiagnosticRelatedInformation(
                types.Location(
                    uris.from_fs_path(str((root / step["file"]).resolve())) or "", _range(step["line"], 0, 0)
                ),
                step["what"],
            )
            for step in row["path"]
        ]
        return shown

    # --- what is asked

    def _lenses(self, asked: types.CodeLensParams) -> list[types.CodeLens]:
        uri = asked.text_document.uri
        results = self._results.get(uri)
        if results is None:
            return []
        now = {each.name: each.first for each in function_lines(self._text(uri))}
        lenses = []
        for line, name in sorted((now.get(name, row["line"]), name) for name, row in results.functions.items()):
            row, place = results.functions[name], _range(line, 0, 0)
            titles = ((function_summary(row), ""), ("run", RUN), ("verify", VERIFY))
            lenses += [
                types.CodeLens(place, types.Command(title, call, arguments=[uri, name])) for title, call in titles
            ]
        return lenses

    def _hover(self, asked: types.HoverParams) -> types.Hover | None:
        """What a function requires, at its definition and at its calls in all files that were scanned."""
        lines = self._text(asked.text_document.uri).split("\n")
        line, at = lines[asked.position.line : asked.position.line + 1], asked.position.character
        name = next((each[0] for each in _WORD.finditer("".join(line)) if each.start() <= at <= each.end()), "")
        rows = [results.functions[name] for results in self._results.values() if name in results.functions]
        if not rows:
            return None
        text = [f"`{name}`: {function_summary(rows[0])}"]
        text += ["```c\n" + "\n".join(rows[0]["requires"]) + "\n```"] * bool(rows[0]["requires"])
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(text)))

    def _text(self, uri: str) -> str:
        return str(self.server.workspace.get_text_document(uri).source)

    def _actions(self, asked: types.CodeActionParams) -> list[types.CodeAction]:
        """The actions on findings that the editor shows there: it moves them along while the text is edited."""
        uri = asked.text_document.uri
        results = self._results.get(uri)
        known = {} if results is None else {each.row["fingerprint"]: each for each in results.findings}
        chosen = [(known.get(str(each.data)), each.range.start.line + 1) for each in asked.context.diagnostics]
        return [action for found, line in chosen if found is not None for action in self._actions_on(uri, found, line)]

    def _actions_on(self, uri: str, found: PlacedFinding, line: int) -> Iterator[types.CodeAction]:
        """Ignore a finding if it is in this file, or write its input as a test."""
        file, kind = _file(uri), found.row["kind"]
        if (self._scanner.workspace.root / (found.row["file"] or "")).resolve() == file:
            text = self._text(uri).split("\n")[line - 1]
            comment = f"{text[: len(text) - len(text.lstrip())]}/* unfork: ignore {kind}  */\n"
            title = f"Ignore this {kind} (write the reason into the comment)"
            yield _action(title, types.WorkspaceEdit({uri: [types.TextEdit(_range(line, 0, 0), comment)]}))
        datas = [each.data for each in self._scans.get(uri, ()) if each.folder == found.folder]
        sources = [name for data in datas if data is not None for name in data["program"]]
        text = failing_test.test_text(self._scanner.workspace, file, found, sources)
        target = failing_test.test_file(file, found.row)
        if text and not target.exists():
            address = uris.from_fs_path(str(target)) or ""
            document = types.OptionalVersionedTextDocumentIdentifier(address)
            changes: list[Any] = [
                types.CreateFile(address),
                types.TextDocumentEdit(document, [types.TextEdit(_range(1, 0, 0), text)]),
            ]
            yield _action(f"Write the failing input as {target.name}", types.WorkspaceEdit(document_changes=changes))

    # --- commands

    async def _run(self, uri: str, function: str) -> str:
        """Explore a function, and show what came out."""
        workspace = self._scanner.workspace
        words = ["run", *self._file_words(uri), *workspace.check_words(), *workspace.native_words()]
        return await self._command([*words, "--function", function], "run", function)

    async def _verify(self, uri: str, function: str) -> str:
        """Prove a function's contract, and show what came out."""
        return await self._command(["verify", *self._file_words(uri), "--function", function], "verify", function)

    def _file_words(self, uri: str) -> list[str]:
        workspace, file = self._scanner.workspace, _file(uri)
        return [workspace.shown(file), *workspace.words(workspace.flags(file) or ())]

    async def _command(self, words: Sequence[str], name: str, function: str) -> str:
        workspace = self._scanner.workspace
        out = tempfile.mkdtemp(prefix=f"{name}-", dir=self._scanner.folder)  # the text names it: it stays to the end
        words = [*words, "--max-time", f"{_MOST}s", "--out", f"{out}/out", "--no-progress"]
        try:
            done = await unfork(words, workspace.root, _MOST + _GRACE)
        except TooSlow:
            return self._said(f"unfork {name} {function}", "it took too long and was ended", types.MessageType.Error)
        text = (done.output.decode("utf-8", "replace") + done.complaint).strip()
        kind = types.MessageType.Info if done.status == EXIT_SAFE else types.MessageType.Warning
        return self._said(f"unfork {name} {function}", text, kind)

    def _said(self, what: str, text: str, kind: types.MessageType) -> str:
        """The text of a command, which goes to the log; its last line is shown."""
        self._log(text)
        last = text.rpartition("\n")[2]
        self.server.window_show_message(types.ShowMessageParams(kind, f"{what}: {last}"))
        return text


def _file(uri: str) -> Path:
    return Path(uris.to_fs_path(uri) or "").resolve()


def _range(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line - 1, start), types.Position(line - 1, end))


def _diagnostic(lines: Sequence[str], line: int, said: str, severity: types.DiagnosticSeverity) -> types.Diagnostic:
    """A diagnostic for the code of a line."""
    text = lines[line - 1] if line <= len(lines) else ""
    start, end = len(text) - len(text.lstrip()), len(text.encode("utf-16-le")) // 2
    return types.Diagnostic(_range(line, start, end), said, severity, source=_SOURCE)


def _of_compiler(complaint: CompilerComplaint, lines: Sequence[str]) -> types.Diagnostic:
    shown = _diagnostic(lines, complaint.line, complaint.text, types.DiagnosticSeverity.Error)
    shown.range.start.character = complaint.column - 1
    return shown


def _action(title: str, edit: types.WorkspaceEdit) -> types.CodeAction:
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, edit=edit)


def serve(root: Path | None, paths: tuple[str, ...], options: Options, per_function: float) -> None:
    """Serve one editor over standard input and output, until it goes."""
    with tempfile.TemporaryDirectory(prefix="unfork-lsp-") as folder:
        workspace = Workspace(root or Path.cwd(), paths, options, per_function)
        EditorServer(workspace, Path(folder), finds_root=root is None).server.start_io()
