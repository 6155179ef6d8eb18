"""Does unfork say the same on another processor? It runs in an arm64 Debian, under qemu-user, against this machine.

``python -m bench.hosts --work DIR [--corpus FIRST] [--only NAME ...]`` needs root on Debian, with debootstrap and
qemu-user-static. It makes the other system in a folder once, builds a wheel of this checkout, installs that there with
its dependencies' wheels for that processor, and lends it this machine's builds of the C library, which are for the same
target: build those first. Then ``bench.sameness`` records its runs here and compares them there: verdicts, errors,
forks, instructions and queries. A processor second is worth some 20 less there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from bench.sameness import programs
from tests.support import corpus

ROOT = Path(__file__).resolve().parent.parent
SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PYTHON = "3.11"
"""That of the suite."""
TAGS = ("manylinux_2_17_aarch64", "manylinux2014_aarch64", "manylinux_2_28_aarch64")
PACKAGES = "python3,python3-venv"
HOME = "/opt/unfork"
"""Where everything is in the other system."""
HANDLER = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
MAGIC = r"\x7fELF\x02\x01\x01" + r"\x00" * 9 + r"\x02\x00\xb7\x00"
MASK = r"\xff" * 7 + r"\x00" + r"\xff" * 8 + r"\xfe\xff\xff\xff"
EVERY = 4
"""Without --only, every fourth program: the whole list takes hours there."""
IN_CORPUS = 16
"""With --corpus, every sixteenth of the corpus' programs in C, in the order of names, in mode default alone."""
SECONDS = 180
"""A run that takes longer is not answered in time."""


def call(*words: str | Path, **more: object) -> None:
    """Run a command. Raises CalledProcessError."""
    print("+", *words, file=sys.stderr, flush=True)
    subprocess.run([str(word) for word in words], check=True, **more)  # type: ignore[call-overload]


def make_system(root: Path) -> None:
    """The other system in the folder ``root``, unless it is there."""
    emulator = shutil.which("qemu-aarch64-static")
    if emulator is None or shutil.which("debootstrap") is None or os.getuid():
        raise SystemExit("this needs root, debootstrap and qemu-user-static")
    if not HANDLER.parent.joinpath("register").exists():
        call("mount", "-t", "binfmt_misc", "binfmt_misc", HANDLER.parent)
    if not HANDLER.exists():
        HANDLER.parent.joinpath("register").write_text(f":{HANDLER.name}:M::{MAGIC}:{MASK}:{emulator}:F")
    if not (root / "made").exists():
        shutil.rmtree(root, ignore_errors=True)
        words = ["--arch=arm64", "--foreign", "--variant=minbase", f"--include={PACKAGES}", SUITE, root, MIRROR]
        call("debootstrap", *words)
        call("chroot", root, "/debootstrap/debootstrap", "--second-stage")
        (root / "made").touch()
    for folder in ("proc", "dev"):
        if not os.path.ismount(root / folder):
            call("mount", "--bind", Path("/") / folder, root / folder)


def install(root: Path, work: Path) -> None:
    """This checkout's wheel, with its dependencies, in the other system."""
    wheels = work / "wheels"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [each for each in project["dependencies"] if "sys_platform" not in each] + ["pytest", "hypothesis"]
    tags = [word for tag in TAGS for word in ("--platform", tag)]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    call(*pip, "download", "--dest", wheels, "--only-binary", ":all:", "--python-version", PYTHON, *tags, *needed)
    for old in wheels.glob("unfork-*.whl"):
        old.unlink()
    call(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ROOT)
    there = root / HOME.lstrip("/")
    shutil.rmtree(there / "wheels", ignore_errors=True)
    shutil.copytree(wheels, there / "wheels")
    if not (there / "venv").exists():
        call("chroot", root, "python3", "-m", "venv", f"{HOME}/venv")
    pip_there = ["chroot", root, f"{HOME}/venv/bin/pip", "install", "--quiet", "--no-index", "--find-links"]
    call(*pip_there, f"{HOME}/wheels", *needed)
    call(*pip_there, f"{HOME}/wheels", "--no-deps", "--force-reinstall", "unfork")


def lend(root: Path) -> None:
    """The programs, the scripts that run them, and this machine's builds for the target."""
    there = root / HOME.lstrip("/") / "checkout"
    shutil.rmtree(there, ignore_errors=True)
    for folder in ("bench", "tests", "examples"):
        shutil.copytree(ROOT / folder, there / folder, ignore=shutil.ignore_patterns("__pycache__"))
    cache = Path(os.environ.get("UNFORK_CACHE", "~/.cache/unfork")).expanduser()
    for build in cache.iterdir():
        if build.is_dir() and not (root / "root/.cache/unfork" / build.name).exists():
            shutil.copytree(build, root / "root/.cache/unfork" / build.name, symlinks=True)


def of_corpus(first: int) -> list[str]:
    """Some of the corpus' programs that are one file of C, from the one at a position on."""
    names = [each.name for each in corpus.programs() if each.path.suffix == ".c" and len(each.sources) == 1]
    return names[first::IN_CORPUS]


def compare(root: Path, work: Path, names: Sequence[str], more: Sequence[str]) -> int:
    """Record here, compare there; the exit status says whether anything differs."""
    record = work / "here.json"
    here = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    call(sys.executable, "-m", "bench.sameness", "record", record, *more, "--only", *names, env=here, cwd=ROOT)
    shutil.copy(record, root / "root/here.json")
    assert set(json.loads(record.read_text())) == set(names)
    script = f"cd {HOME}/checkout && exec {HOME}/venv/bin/python -m bench.sameness compare /root/here.json"
    words = ["chroot", str(root), "/bin/sh", "-c", f'{script} "$@"', "sh", *more, "--only", *names]
    return subprocess.run(words, check=False).returncode


def main() -> int:
    """Make the other system, install, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="for the other system (2 GB)")
    parser.add_argument("--only", nargs="+", default=[*programs()][::EVERY], metavar="NAME", help="of bench.sameness")
    parser.add_argument("--corpus", type=int, metavar="FIRST", help=f"every {IN_CORPUS}th of the corpus, from FIRST on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    given = parser.parse_args()
    root = given.work.resolve() / "root"
    make_system(root)
    install(root, given.work)
    lend(root)
    more = ["--jobs", str(given.jobs), "--seconds", str(SECONDS)]
    if given.corpus is None:
        return compare(root, given.work, given.only, more)
    return compare(root, given.work, of_corpus(given.corpus), [*more, "--modes", "default"])


if __name__ == "__main__":
    sys.exit(main())
