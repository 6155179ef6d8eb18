from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from unfork.cli.manual import escape, manual

PAGE = Path(__file__).parents[2] / "docs" / "unfork.1"


def test_the_manual_is_what_the_commands_say() -> None:
    assert PAGE.read_text() == manual(), "run 'make generated'"


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_the_manual_is_formatted_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_what_roff_would_interpret_is_shown_as_it_is() -> None:
    page = f".TH X 1\n.PP\n{escape(PLAIN)}\n"
    command = ["groff", "-man", "-Tascii", "-P-c"]
    done = subprocess.run(command, input=page, capture_output=True, text=True, check=True)
    assert PLAIN in done.stdout


PLAIN = ".so 'quoted' \\fBnot bold\\fP --flag ^~"
