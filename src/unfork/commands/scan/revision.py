"""The files of a project as they were at a git revision."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unfork.errors import InputError
from unfork.program.llvm.subprocesses import Finished, run


@dataclass(frozen=True, slots=True)
class EarlierTree:
    """A copy of the tree ``root`` as it was."""

    root: Path
    copy: Path

    def moved(self, text: str) -> str:
        """A path, or words with paths, that lead into the copy. A relative path stays: it is read in a folder of the
        copy.
        """
        return text.replace(f"{self.root}{os.sep}", f"{self.copy}{os.sep}")

    def folder(self, path: Path) -> Path:
        """The folder of the copy for a folder of the tree; the top for any other."""
        return self.copy / path.relative_to(self.root) if path.is_relative_to(self.root) else self.copy


@contextmanager
def as_of(revision: str, folder: Path) -> Iterator[EarlierTree]:
    """The tree of ``folder`` as it was. Files that git does not track are as they are now. Raises InputError."""
    found = _git(folder, "rev-parse", "--show-toplevel")
    if found.status:
        raise InputError(f"--changed {revision}: {folder} is in no git repository")
    root = Path(os.fsdecode(found.output.rstrip(b"\n")))
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit.status:
        raise InputError(f"--changed {revision}: git knows no such revision")
    tree = _git(root, "archive", f"{os.fsdecode(commit.output.strip())}^{{tree}}")
    if tree.status:
        raise InputError(f"--changed {revision}: {tree.complaint.strip()}")
    with tempfile.TemporaryDirectory(prefix="unfork-changed-") as name:
        copy = Path(name).resolve()
        if any(tree.output):  # it had files
            with tarfile.open(fileobj=io.BytesIO(tree.output)) as archive:
                archive.extractall(copy, **_within(archive))
        for file in _git(root, "ls-files", "-z", "--others").output.split(b"\0")[:-1]:
            _link(root, copy, os.fsdecode(file))
        yield EarlierTree(root, copy)


def _within(archive: tarfile.TarFile) -> dict[str, Any]:
    """How to take out of an archive only what stays within the folder. Python before 3.11.4 knows no filter: without
    links, nothing leads out.
    """
    if hasattr(tarfile, "data_filter"):
        return {"filter": "data"}
    return {"members": [each for each in archive if each.isfile() or each.isdir()]}


def _link(root: Path, copy: Path, file: str) -> None:
    place = copy / file
    if not os.path.lexists(place) and all(each.is_dir() or not each.exists() for each in place.parents):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(root / file)


def _git(folder: Path, *words: str) -> Finished:
    try:
        return run(["git", *words], folder=folder)
    except OSError:
        raise InputError("--changed: git is not installed") from None
