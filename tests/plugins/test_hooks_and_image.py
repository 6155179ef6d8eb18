from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from unfork.llvm import cache

ROOT = Path(__file__).parents[2]
CACHE = cache.folder()


def _hook() -> dict[str, str]:
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert isinstance(hook, dict)
    return hook


@pytest.mark.parametrize(("body", "status"), [("1", 0), ("x != 77", 1)])
def test_the_hook_runs_the_changed_tests(body: str, status: int, tmp_path: Path) -> None:
    hook = _hook()
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    changed = tmp_path / "test_changed.c"
    changed.write_text(f"#include <assert.h>\nvoid test_it(int x) {{ assert({body}); }}\n")
    assert re.search(hook["files"], "inner/test_changed.c")
    assert not re.search(hook["files"], "inner/changed.c")
    _, *words = shlex.split(hook["entry"])
    environment = {
        **os.environ,
        "UNFORK_CACHE": str(CACHE),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "unfork.plugins.pytest_c",
        "TMPDIR": str(tmp_path),
    }
    command = [sys.executable, *words, changed.name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr


def test_the_image_has_all_that_the_package_is_built_from() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = [word for line in re.findall(r"^COPY (.*) \S+$", text, re.M) for word in line.split()]
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = ["pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]]
    needed += [*wheel["packages"], *wheel["shared-data"]]
    assert all(any(name == place or name.startswith(f"{place}/") for place in copied) for name in needed)
