"""The examples, and the programs that speed is measured on, do what their headers say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.corpus import read
from tests.support.power import IS_FULL
from tests.support.runs import errors_of, explore

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.c"))
MEASURED = sorted((ROOT / "bench" / "programs").glob("*.c"))
PAGES = (ROOT / "README.md", *[ROOT / "docs" / f"{name}.md" for name in ("recipes", "in-your-tools", "api")])
LONG = ("crc32", "sha256", "arithmetic")
"""These take seconds on the engine; what they compute is checked natively."""
DEAR = ("regexp", "regexp_safe")
"""Half a minute each as they are: where not everything is to run, with a smaller pattern."""
SMALLER = () if IS_FULL else ("-D", "SIZE=4")
ALIKE = () if IS_FULL else ("timsort_stack_fixed",)
"""As long, and much the same."""
CHOSEN = [path for path in (*EXAMPLES, *MEASURED) if path.stem not in LONG + ALIKE]


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_what_the_header_says_comes_out(path: Path, tmp_path: Path) -> None:
    expected = read(path)
    result = explore(expected, tmp_path / "out", *(SMALLER if path.stem in DEAR else ()))
    assert errors_of(result) == expected.errors
    assert all(found.replayed for found in result.errors)
    assert (result.verdict, result.exit_status) == (expected.verdict, expected.exit)
    if expected.paths is not None:
        plain = (
            result
            if "--merge" in expected.options
            else explore(expected, tmp_path / "plain", "--merge", "none", "--loops", "run")
        )
        assert plain.summary["paths"]["completed"] == expected.paths


@pytest.mark.parametrize("name", LONG)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_concrete_programs_compute_what_they_claim(name: str, tmp_path: Path) -> None:
    program = tmp_path / name
    source = ROOT / "bench" / "programs" / f"{name}.c"
    subprocess.run(["gcc", "-O1", "-Wall", "-Werror", str(source), "-o", str(program)], check=True)
    subprocess.run([str(program)], check=True)


def test_python_in_the_documents_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", "\n".join(page.read_text() for page in PAGES), re.DOTALL)
    assert len(blocks) >= len(PAGES)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for block in blocks:
        subprocess.run([sys.executable, "-c", block], cwd=tmp_path, check=True)
