"""The import contracts hold, and each of them breaks when a module oversteps it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WINGS = ("plugins", "cli", "commands", "report", "reduce", "world", "engine", "program", "logic", "options", "errors")
"""The wings, from the one that may import all others down to the one that imports none."""
ROOMS = {
    "commands": ("scan", "verify", "projects", "run", "afterwards", "witness", "assemble"),
    "report": ("page", "record"),
    "reduce": ("merge", "prune"),
    "world": ("inputs", "kernel", "library"),
    "engine": ("machine", "instructions", "memory", "step", "meaning", "state"),
    "program": ("facts", "llvm", "c"),
    "logic": ("integers", "solve", "terms"),
}
"""Rooms of the wings that have several, likewise."""
LIBRARIES = (
    *("llvmlite", "bitwuzla", "z3", "rich", "pygments", "pytest", "msgspec", "tree_sitter"),
    *("multiprocessing", "ray", "subprocess", "sqlite3"),
    *("mcp", "pygls"),
    *("click", "yaml"),
)


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "COLUMNS": "200"}
    return subprocess.run(
        [*command, "--no-cache", "--config", str(root / "pyproject.toml")],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, to be broken."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def _some_module(root: Path, layer: str) -> Path:
    """A module of the layer that no contract names."""
    place = root / "src" / "unfork" / layer
    if not place.is_dir():
        return place.with_suffix(".py")
    module = place / "overstepping.py"
    module.touch()
    return module


def _append(module: Path, line: str) -> None:
    with module.open("a") as file:
        file.write(f"\n{line}\n")


def test_contracts_hold() -> None:
    done = _lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_contract_is_broken_by_some_test_here() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == {"layers", "names", "audit", *ROOMS, *LIBRARIES}


def test_no_wing_may_import_one_above_it(copy: Path) -> None:
    for upper, lower in pairwise(WINGS):
        _append(_some_module(copy, lower), f"import unfork.{upper}")
    done = _lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    for upper, lower in pairwise(WINGS):
        assert f"unfork.{lower} is not allowed to import unfork.{upper}:" in done.stdout


def test_no_room_may_import_one_above_it(copy: Path) -> None:
    pairs = [(wing, *pair) for wing, rooms in ROOMS.items() for pair in pairwise(rooms)]
    stairs = [(f"{wing}.{upper}", f"{wing}.{lower}") for wing, upper, lower in pairs]
    for upper, lower in stairs:
        _append(_some_module(copy, lower.replace(".", "/")), f"import unfork.{upper}")
    done = _lint(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    for upper, lower in stairs:
        assert f"unfork.{lower} is not allowed to import unfork.{upper}:" in done.stdout


def test_a_new_folder_must_find_its_layer(copy: Path) -> None:
    (copy / "src" / "unfork" / "misc.py").touch()
    done = _lint(copy)
    assert done.returncode == 1
    assert "misc" in done.stdout


def test_a_part_may_not_look_at_the_options(copy: Path) -> None:
    _append(_some_module(copy, "engine/explore"), "from unfork.options.options import Options")
    done = _lint(copy)
    assert done.returncode == 1
    assert "unfork.engine is not allowed to import unfork.options:" in done.stdout


def test_an_audit_may_not_use_what_it_proves(copy: Path) -> None:
    module = _some_module(copy, "reduce/audit")
    used = ("reduce.merge.joined_paths", "logic.terms.build", "logic.solve.chain")
    for name in used:
        _append(module, f"import unfork.{name}")
    done = _lint(copy)
    assert done.returncode == 1
    assert "An audit shares no code with what it proves BROKEN" in done.stdout
    for name in used:
        assert f"unfork.reduce.audit.overstepping -> unfork.{name}" in done.stdout


def test_no_second_module_may_import_an_outside_library(copy: Path) -> None:
    module = _some_module(copy, "engine/state")
    for library in LIBRARIES:
        _append(module, f"import {library}")
    done = _lint(copy)
    assert done.returncode == 1
    for library in LIBRARIES:
        assert f"unfork is not allowed to import {library}:" in done.stdout
