"""Source trees of public projects, fetched with git into a folder outside the repository."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


def clone(address: str, commit: str, folder: Path) -> None:
    """Fetch a repository into a new folder, at a commit."""
    subprocess.run(["git", "clone", "--quiet", address, str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "checkout", "--quiet", commit], check=True)


@dataclass(frozen=True, slots=True)
class GitTree:
    """A commit of a repository on GitHub."""

    repository: str
    commit: str

    @property
    def name(self) -> str:
        return self.repository.partition("/")[2]

    def unpack(self, work: Path) -> Path:
        """The folder with the library, fetched if it is not there yet."""
        place = work / f"{self.name}-{self.commit[:12]}"
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=work) as scratch:
                made = Path(scratch) / "tree"
                clone(f"https://github.com/{self.repository}", self.commit, made)
                shutil.rmtree(made / ".git")
                made.rename(place)
        return place
