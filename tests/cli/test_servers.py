"""The commands lsp and mcp without their packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from unfork.cli import main

WITHOUT = "import sys; sys.modules[sys.argv[2]] = None; from unfork.cli import main; sys.exit(main([sys.argv[1]]))"


@pytest.mark.parametrize(("command", "package"), [("lsp", "pygls"), ("lsp", "lsprotocol"), ("mcp", "mcp")])
def test_without_its_package_a_server_says_what_to_install(command: str, package: str) -> None:
    words = [sys.executable, "-c", WITHOUT, command, package]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"pip install 'unfork[{command}]'" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--workspace", "nowhere"], "nowhere"), (["--check", "luck"], "luck"), (["--per-function", "0"], "per-function")],
)
def test_wrong_words_are_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lsp", *words]) == 2
    assert said in capsys.readouterr().err
