"""The extension for VS Code: its parts agree with each other and with unfork."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from unfork.options.options import VERSION

FOLDER = Path(__file__).parents[3] / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text())
CODE = (FOLDER / "extension.js").read_text()


def test_it_has_the_version_of_unfork() -> None:
    assert PACKAGE["version"] == VERSION
    assert (FOLDER / PACKAGE["main"]).is_file()


def test_it_reads_the_settings_that_it_offers() -> None:
    read = {f"unfork.{name}" for name in re.findall(r'settings\.get\("(\w+)"\)', CODE)}
    assert read == {*PACKAGE["contributes"]["configuration"]["properties"]}


def test_it_defines_the_commands_that_it_offers() -> None:
    defined = re.findall(r'registerCommand\("([\w.]+)"', CODE)
    assert defined == [each["command"] for each in PACKAGE["contributes"]["commands"]]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js, which reads the extension, is not installed")
def test_it_is_javascript() -> None:
    words = ["node", "--check", str(FOLDER / "extension.js")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
