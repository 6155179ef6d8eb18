"""An agent that scans, asks, repairs and tests again; and one that looks for a way out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the server for agents needs the extra mcp: pip install 'unfork[mcp]'")
from mcp.client.client import Client

from unfork.commands.editors.agent_server import AgentServer
from unfork.commands.editors.workspace import Workspace
from unfork.options.options import Options

TEXT = """\
/* Expected: level decides by a value that it has not set if n is 7. */
int level(int n)
{
    int known;
    if (n != 7)
        known = n;
    return known > 3 ? 2 : 1;
}
"""
Ask = Callable[..., Awaitable[tuple[bool, str]]]
"""Calls a tool: whether it failed, and its text."""


def asked(root: Path, scratch: Path, play: Callable[[Ask], Awaitable[None]]) -> None:
    """Play a session of an agent in the workspace ``root``."""
    options = Options(cores=1, native_check="never", given=frozenset(("cores", "native_check")))

    async def session() -> None:
        server = AgentServer(Workspace(root, (), options, 5.0), scratch).server
        async with Client(server) as client:

            async def ask(tool: str, **arguments: Any) -> tuple[bool, str]:
                result = await client.call_tool(tool, arguments)
                return bool(result.is_error), "".join(getattr(each, "text", "") for each in result.content)

            await play(ask)

    asyncio.run(session())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace, with links that lead out of it, beside a file and a folder for the server."""
    (tmp_path / "secret.c").write_text("int secret(void) { return 1; }\n")
    (tmp_path / "scratch").mkdir()
    root = tmp_path / "work"
    root.mkdir()
    (root / "a.c").write_text(TEXT)
    (root / "link.c").symlink_to(tmp_path / "secret.c")
    (root / "up").symlink_to(tmp_path)
    return root


def test_an_agent_repairs_what_it_is_told(root: Path) -> None:
    async def play(ask: Ask) -> None:
        _, text = await ask("scan", path="a.c")
        data = json.loads(text)
        assert data["verdict"] == "unsafe"
        [finding] = data["findings"]
        assert (finding["kind"], finding["line"], finding["certainty"]) == ("uninitialised", 7, "certain")
        assert data["functions"] == {"level": "explored completely, 2/2 branches"}
        _, text = await ask("explain", finding=finding["id"])
        assert "n != 7 is false" in text
        _, text = await ask("run_test", test=finding["id"])
        assert "as expected" in text
        assert sorted(path.name for path in root.iterdir()) == ["a.c", "link.c", "up"]
        (root / "a.c").write_text(TEXT.replace("int known;", "int known = 0;"))
        _, text = await ask("run_test", test=finding["id"])
        assert "DIFFERENT" in text
        _, text = await ask("scan", path="a.c", functions=["level"])
        assert json.loads(text)["verdict"] == "clean"
        assert await ask("explain", finding=finding["id"]) == (
            True,
            f"Error executing tool explain: {finding['id']}: the last scans have no finding of that id",
        )

    asked(root, root.parent / "scratch", play)


def test_errors_of_the_compiler_are_all_said(root: Path) -> None:
    async def play(ask: Ask) -> None:
        (root / "a.c").write_text("int a(void) { return x; }\nint b(void) { return y; }\n")
        _, text = await ask("scan", path="a.c")
        assert json.loads(text)["compiler_errors"] == [
            "a.c:1:22: use of undeclared identifier 'x'",
            "a.c:2:22: use of undeclared identifier 'y'",
        ]

    asked(root, root.parent / "scratch", play)


def test_no_way_leads_out(root: Path) -> None:
    async def play(ask: Ask) -> None:
        for name in ("../secret.c", "/etc/passwd", str(root.parent / "secret.c"), "link.c", "up/secret.c"):
            for tool, argument in (("scan", "path"), ("run_test", "test")):
                is_error, text = await ask(tool, **{argument: name})
                assert is_error
                assert "is no relative path inside of the workspace" in text

    asked(root, root.parent / "scratch", play)


def test_a_test_or_a_project_with_a_program_outside_is_refused(root: Path) -> None:
    async def play(ask: Ask) -> None:
        _, text = await ask("scan", path="a.c")
        [finding] = json.loads(text)["findings"]
        [kept] = (root.parent / "scratch").rglob("tests/*.json")
        for name in ("/etc/passwd", "../secret.c", "up/secret.c"):
            (root / "test.json").write_text(kept.read_text().replace('"a.c"', json.dumps(name)))
            is_error, text = await ask("run_test", test="test.json")
            assert (is_error, "its program is outside of the workspace" in text) == (True, True)
        command = {"directory": str(root), "file": "../secret.c", "arguments": ["cc", "../secret.c"]}
        (root / "compile_commands.json").write_text(json.dumps([command]))
        is_error, text = await ask("scan", path="a.c")
        assert (is_error, "files outside of the workspace" in text) == (True, True)
        assert finding["id"]

    asked(root, root.parent / "scratch", play)


def test_options_beside_a_test_do_not_count(root: Path) -> None:
    """They may name any program as the compiler."""

    async def play(ask: Ask) -> None:
        _, text = await ask("scan", path="a.c")
        [kept] = (root.parent / "scratch").rglob("tests/*.json")
        (root / "run" / "tests").mkdir(parents=True)
        (root / "run" / "tests" / "1.json").write_text(kept.read_text())
        (root / "run" / "summary.json").write_text("{}")
        _, text = await ask("run_test", test="run/tests/1.json")
        assert "as expected" in text

    asked(root, root.parent / "scratch", play)
