from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

from tests.support.power import some
from unfork.program.llvm import compilation_cache

ROOT = Path(__file__).parents[2]
CACHE = compilation_cache.folder()


def _hook(name: str) -> dict[str, str]:
    yaml = pytest.importorskip("yaml")
    (hook,) = [each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if each["id"] == name]
    assert isinstance(hook, dict)
    return hook


def _run(hook: dict[str, str], folder: Path, name: str, temporary: Path) -> subprocess.CompletedProcess[str]:
    """Run a hook on a changed file; ``temporary`` is for what it leaves."""
    _, *words = shlex.split(hook["entry"])
    environment = {
        **os.environ,
        "UNFORK_CACHE": str(CACHE),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "unfork.plugins.pytest_c",
        "TMPDIR": str(temporary),
    }
    command = [sys.executable, *words, name]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("body", "status"), some([("1", 0), ("x != 77", 1)], "hooks", 1))
def test_the_hook_runs_the_changed_tests(body: str, status: int, tmp_path: Path) -> None:
    hook = _hook("unfork")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    changed = tmp_path / "test_changed.c"
    changed.write_text(f"#include <assert.h>\nvoid test_it(int x) {{ assert({body}); }}\n")
    assert re.search(hook["files"], "inner/test_changed.c")
    assert not re.search(hook["files"], "inner/changed.c")
    done = _run(hook, tmp_path, changed.name, tmp_path)
    assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.native_check
@pytest.mark.parametrize(("bound", "status"), some([(3, 0), (4, 1)], "hooks", 1))
def test_a_hook_scans_changed_files(bound: int, status: int, tmp_path: Path) -> None:
    hook = _hook("unfork-scan")
    assert re.search(hook["files"], "inner/a.c") and not re.search(hook["files"], "inner/a.h")
    assert re.search(hook["exclude"], "inner/test_a.c") and not re.search(hook["exclude"], "inner/a.c")
    code = f"int f(unsigned char k) {{ static const int w[4] = {{1, 3}}; return k <= {bound} ? w[k] : 0; }}\n"
    (tmp_path / "a.c").write_text(code)
    with tempfile.TemporaryDirectory() as temporary:
        Path(temporary).chmod(0o755)  # enclosed programs are other users there
        done = _run(hook, tmp_path, "a.c", Path(temporary))
    assert done.returncode == status, done.stdout + done.stderr
    assert ("a.c:1: out-of-bounds: " in done.stdout) == (status == 1)


def test_the_image_has_all_that_the_package_is_built_from() -> None:
    text = (ROOT / "Dockerfile").read_text()
    copied = [word for line in re.findall(r"^COPY (.*) \S+$", text, re.M) for word in line.split()]
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = ["pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]]
    needed += [*wheel["packages"], *wheel["shared-data"]]
    assert all(any(name == place or name.startswith(f"{place}/") for place in copied) for name in needed)
