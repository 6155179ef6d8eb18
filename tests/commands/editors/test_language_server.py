"""An editor that opens, changes and saves a C file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra lsp: pip install 'unfork[lsp]'")
from tests.commands.editors.session import TEXT, Editor
from unfork.cli import main
from unfork.plugins.c_tests import read

UNSET = (7, "Error", "a choice depends on uninitialised bytes")
NULL = (12, "Hint", "read of 4 bytes through a null pointer")


def edited(folder: Path, play: Callable[[Editor], Awaitable[None]]) -> None:
    """Play a session with a file of that text."""

    async def session() -> None:
        editor = Editor(folder)
        editor.file.write_text(TEXT)
        await editor.begin()
        try:
            await play(editor)
        finally:
            await editor.end()

    asyncio.run(session())


def test_an_open_file_shows_what_a_scan_finds(tmp_path: Path) -> None:
    async def play(editor: Editor) -> None:
        assert await editor.shown() == [UNSET, NULL]
        assert [each.code for each in editor.diagnostics] == ["uninitialised", "null-dereference"]
        steps = editor.diagnostics[0].related_information or ()
        assert [(each.location.range.start.line + 1, each.message) for each in steps] == [(5, "n != 7 is false")]
        assert await editor.lenses() == [
            *((2, title) for title in ("explored completely, 2/2 branches", "run", "verify")),
            *((10, title) for title in ("explored completely, 0/0 branches; requires: numbers is not null", "run")),
            (10, "verify"),
            *((15, title) for title in ("explored completely, 2/2 branches", "run", "verify")),
        ]
        assert "UNFORK_REQUIRES(numbers != 0);" in await editor.hover(10, 6)
        assert await editor.hover(1, 1) == ""
        assert "verdict: unsafe" in await editor.call("unfork.run", "level")
        assert "no contract" in await editor.call("unfork.verify", "level")
        assert len(editor.messages) == 2
        assert editor.progress == ["begin", "end"]
        assert not [path for path in tmp_path.iterdir() if path.name != "a.c"]

    edited(tmp_path, play)


def test_a_save_shows_the_changed_function_first(tmp_path: Path) -> None:
    async def play(editor: Editor) -> None:
        await editor.shown()
        editor.save(TEXT.replace("int known;", "int known = 0;").replace("int first", "\nint first"))
        moved = (13, *NULL[1:])
        assert await editor.shown() == [moved]
        assert await editor.shown() == [moved]

    edited(tmp_path, play)


def test_errors_of_the_compiler_stand_where_they_are(tmp_path: Path) -> None:
    async def play(editor: Editor) -> None:
        await editor.shown()
        editor.save(TEXT.replace("2 : 1;", "2 : 1"))
        assert await editor.shown() == [(7, "Error", "expected ';' after return statement")]
        assert editor.diagnostics[0].range.start.character == len("    return known > 3 ? 2 : 1")
        assert len(await editor.lenses()) == 9
        editor.save(TEXT)
        assert await editor.shown() == [UNSET, NULL]

    edited(tmp_path, play)


def test_a_finding_is_ignored_with_a_reason(tmp_path: Path) -> None:
    async def play(editor: Editor) -> None:
        await editor.shown()
        editor.change(f"\n{TEXT}")  # the editor moves what it shows
        for each in editor.diagnostics:
            each.range.start.line += 1
        edit = (await editor.actions(8))["Ignore"]
        assert edit.changes is not None
        [change] = edit.changes[editor.uri]
        assert (change.range.start.line + 1, change.new_text) == (8, "    /* unfork: ignore uninitialised  */\n")
        lines = f"\n{TEXT}".splitlines(keepends=True)
        editor.save("".join([*lines[:7], change.new_text, *lines[7:]]))
        assert (8, "Warning", "this comment has no effect: it says no reason") in await editor.shown()
        with_reason = change.new_text.replace("  */", " the caller never passes 7 */")
        editor.save("".join([*lines[:7], with_reason, *lines[7:]]))
        assert await editor.shown() == [(14, *NULL[1:])]

    edited(tmp_path, play)


def test_a_failing_input_becomes_a_test_that_follows_the_repair(tmp_path: Path) -> None:
    written: list[tuple[str, str]] = []

    async def play(editor: Editor) -> None:
        await editor.shown()
        edit = (await editor.actions(7))["Write"]
        created, change = edit.document_changes or ()
        written.append((created.uri, change.edits[0].new_text))  # type: ignore[union-attr] # the one makes, one fills

    edited(tmp_path, play)
    [(uri, text)] = written
    test = tmp_path / "test_level_uninitialised_7.c"
    assert uri == test.as_uri()
    assert text.startswith("/* unfork: --check memory,div,shift,unreachable,leak,uninitialised,bounds\n")
    test.write_text(text)
    words = ["run", str(test), *read(test).words, "--quiet", "--no-progress", "--native-check", "never", "--out"]
    assert main([*words, str(tmp_path / "before")]) == 1
    (tmp_path / "a.c").write_text(TEXT.replace("int known;", "int known = 0;"))
    assert main([*words, str(tmp_path / "after")]) == 0
