"""Adds two things to a wheel: its commit, for ``unfork --version``, and libraries that are compiled already.

In an sdist, the commit is in the file of the same name. Compiled libraries come from the folder ``ready``, if there is
one: copies of folders in unfork's cache.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReleaseHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the file ``commit`` and includes it; a tree without git and without that file has no commit to tell."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # the checkout tells by itself
        root = Path(self.root)
        if self.target_name == "wheel" and (root / "ready").is_dir():
            build_data["force_include"][str(root / "ready")] = "unfork/ready"
        kept = root / "commit"
        if not kept.is_file():
            done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
            if done.returncode or not (root / ".git").exists():
                return
            kept = Path(self.directory) / "commit"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(done.stdout)
        build_data["force_include"][str(kept)] = "unfork/commit" if self.target_name == "wheel" else "commit"
