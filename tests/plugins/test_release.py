"""What a release is made of: packages that know their version and commit, and workflows that call what exists."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from unfork.options.options import VERSION

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"


def head() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    return done.stdout.strip()


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_says_version_and_commit(packages: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"unfork-{VERSION}.dist-info/METADATA"))
        assert metadata["Version"] == VERSION
        assert archive.read("unfork/commit").decode().strip() == head()
        assert any(name.endswith("share/man/man1/unfork.1") for name in archive.namelist())


def test_the_sdist_makes_the_same_wheel(packages: Path, tmp_path: Path) -> None:
    (sdist,) = packages.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)
    (tree,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist")]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    (first,) = packages.glob("*.whl")
    (second,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(first) as ours, zipfile.ZipFile(second) as theirs:
        assert theirs.read("unfork/commit") == ours.read("unfork/commit")
        assert sorted(theirs.namelist()) == sorted(ours.namelist())


def test_a_wheel_brings_the_libraries_that_are_ready(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    tree = tmp_path / "tree"
    for name in ("src/unfork/options", "docs", "cmake"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    (tree / "ready" / "libc-0").mkdir(parents=True)
    (tree / "ready" / "libc-0" / "index.json").write_text("[]")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist")]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("unfork/ready/libc-0/index.json") == b"[]"
        assert "unfork/commit" not in archive.namelist()  # this tree has none to tell


def workflow(name: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load((WORKFLOWS / name).read_text())
    assert isinstance(read, dict)
    return read


def steps(read: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in read["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("name", ["tests.yml", "release.yml"])
def test_workflows_call_what_exists(name: str) -> None:
    goals = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for step in steps(workflow(name)):
        script = step.get("run", "")
        assert set(re.findall(r"^make ([\w-]+)", script, re.MULTILINE)) <= goals
        assert all((ROOT / word).exists() for word in re.findall(r"(?<!\S)(?:examples|\.ci)/\S+", script))
        assert "uses" not in step or re.search(r"@(v\d+|release/v1)$", step["uses"])


def test_nothing_is_published_that_was_not_tried() -> None:
    jobs = workflow("release.yml")["jobs"]
    assert set(jobs["publish"]["needs"]) == {"try", "image"}
    assert jobs["try"]["needs"] == jobs["image"]["needs"] == "build"
    assert {"*.whl", "*.tar.gz"} == set(jobs["try"]["strategy"]["matrix"]["package"])


@pytest.mark.parametrize("name", ["tests.yml", "release.yml"])
def test_hosts_are_three(name: str) -> None:
    text = (WORKFLOWS / name).read_text()
    assert all(host in text for host in ("ubuntu-24.04", "ubuntu-24.04-arm", "macos-15"))
