"""Pages with sessions show what comes out: their programs are written down and their commands run, in their order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.replay.enclosure import ENCLOSURE
from tests.support.power import LONG, some
from unfork.program.llvm import compilation_cache
from unfork.report.replay.binary import Enclosure

DOCS = Path(__file__).parents[2] / "docs"
NEEDS_GCC = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc, without which a scan is certain of nothing")
NEEDS_NAMESPACES = pytest.mark.skipif(
    ENCLOSURE is not Enclosure.REQUIRED, reason="no namespaces, without which nothing is fuzzed"
)
CACHE = compilation_cache.folder()
_BLOCK = re.compile(r'```(?:c title="(?P<name>.*?)"|console)\n(?P<text>.*?)```', re.S)
_VARYING = re.compile(
    r"\d[\d,]*\.\d+ ?s\b|\d+ rounds?|first to \d+ \w+|, natively too|natively: .*|with [\d,]+ states|, as before"
    r"|; \d+ as kept from before"
)
"""What depends on the machine: times, how a race went, whether the system encloses programs, what proofs it keeps."""


def _alike(line: str) -> str:
    return " ".join(_VARYING.sub("", line).split())


def _shows(expected: list[str], lines: list[str]) -> bool:
    """Whether ``expected`` are the lines, where ... stands for any lines, and at the start of a word for any text."""
    pattern = ""
    for line in map(_alike, expected):
        pattern += "(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
    return re.fullmatch(pattern, "".join(f"{_alike(line)}\n" for line in lines)) is not None


@pytest.mark.skipif(not (Path(sys.executable).parent / "unfork").exists(), reason="unfork is not installed")
@pytest.mark.parametrize(
    ("page", "least"),
    some(
        [
            ("tutorial", 8),
            pytest.param("for-maintainers", 7, marks=[NEEDS_GCC, NEEDS_NAMESPACES, LONG]),
            ("from-klee", 2),
            ("from-cbmc", 2),
        ],
        "pages",
        2,
    ),
)
def test_a_page_shows_what_comes_out(page: str, least: int, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "UNFORK_CACHE": str(CACHE),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "unfork.plugins.pytest_c",
    }
    blocks = list(_BLOCK.finditer((DOCS / f"{page}.md").read_text()))
    assert sum(block["name"] is None for block in blocks) >= least
    for block in blocks:
        if block["name"] is not None:
            (tmp_path / block["name"]).write_text(block["text"])
            continue
        command, *expected = block["text"].splitlines()
        if "--max-time 5s" in command:  # which no faster machine and no slower one would show alike
            command = command.replace("5s", "2s")
        done = subprocess.run(
            command.removeprefix("$ "),
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        said = [line for line in (done.stdout + done.stderr).splitlines() if not line.endswith("(once) ...")]
        assert _shows(expected, said), f"{command}\n{done.stdout}{done.stderr}"
