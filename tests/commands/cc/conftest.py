"""A folder with a small project in it, and ``unfork`` as an installed command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

SOURCE = Path(__file__).parents[3] / "src"
OF_OTHERS = frozenset(("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "UNFORK_CC_OPTIMIZE"))


class Project:
    """A folder in which commands are run."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        # What an outer make tells its children is not for the makes in here.
        inherited = {name: value for name, value in os.environ.items() if name not in OF_OTHERS}
        self.environment = {**inherited, "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C"}

    def write(self, **files: str) -> None:
        """Files by name; ``__`` in a name is a dot."""
        for name, text in files.items():
            (self.folder / name.replace("__", ".")).write_text(text)

    def run(self, command: str, status: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command, which must end with ``status``."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def defined(self, name: str) -> set[str]:
        """The functions that a bitcode file defines."""
        module = llvm.parse_bitcode((self.folder / name).read_bytes())
        module.verify()
        return {function.name for function in module.functions if not function.is_declaration}

    def text(self, name: str) -> str:
        """A bitcode file as text."""
        return str(llvm.parse_bitcode((self.folder / name).read_bytes()))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "unfork"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={SOURCE} exec {sys.executable} -m unfork "$@"\n')
    script.chmod(0o755)
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder, programs)
