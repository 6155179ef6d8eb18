"""Are five known bugs of C libraries found, and the fixed versions silent? Seconds and verdict of each.

``python -m bench.known_bugs [NAMES] [--time S] [--show] [--work DIR]``

Sources are fetched with pip, apt-get and npm into a folder outside the repository; nothing of theirs is installed or
run, apart from what pip needs to read an sdist's metadata. docs/known-bugs.md has the story of each bug.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HARNESSES = Path(__file__).resolve().parent / "known_bugs"


@dataclass(frozen=True, slots=True)
class Sdist:
    """A release on PyPI; the C library is in ``folder`` of its source distribution."""

    name: str
    version: str
    folder: str

    def unpack(self, work: Path) -> Path:
        """The folder with the library, fetched if it is not there yet."""
        place = work / f"{self.name}-{self.version}"
        if not place.exists():
            wanted = f"{self.name}=={self.version}"
            with tempfile.TemporaryDirectory(dir=work) as scratch:
                run("pip", "download", "-q", "--no-deps", "--no-binary", self.name, "-d", scratch, wanted, module=True)
                extract(one(Path(scratch), "*.tar.gz"), place)
        return place / self.folder


@dataclass(frozen=True, slots=True)
class Npm:
    """A package of the npm registry; the C library is in ``folder``."""

    name: str
    version: str
    folder: str

    def unpack(self, work: Path) -> Path:
        """The folder with the library, fetched if it is not there yet."""
        place = work / f"{self.name}-{self.version}"
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=work) as scratch:
                run("npm", "pack", "--silent", f"{self.name}@{self.version}", folder=Path(scratch))
                extract(one(Path(scratch), "*.tgz"), place)
        return place / self.folder


@dataclass(frozen=True, slots=True)
class Debian:
    """A source package of this machine's Debian release: as its authors released it, with ``patches`` applied.

    ``version`` is the authors' version that is expected.
    """

    name: str
    version: str
    patches: Sequence[str] = ()

    def unpack(self, work: Path) -> Path:
        """The folder with the library, fetched if it is not there yet."""
        fix = f"-{Path(self.patches[-1]).stem}" if self.patches else ""
        place = work / f"{self.name}-{self.version}{fix}"
        if not place.exists():
            with tempfile.TemporaryDirectory(dir=work) as scratch:
                run("apt-get", *apt_lists(work), "source", "--download-only", "-q", self.name, folder=Path(scratch))
                released = one(
                    Path(scratch), f"{self.name}_{self.version}*.orig.tar.[gx]z", f"*_{self.version}*.orig.tar.bz2"
                )
                extract(released, work / "unpacked")
                if self.patches:
                    extract(one(Path(scratch), "*.debian.tar.xz"), work / "debian")
                    for patch in self.patches:
                        text = (work / "debian" / "patches" / patch).read_bytes()
                        subprocess.run(["patch", "-s", "-p1"], input=text, cwd=work / "unpacked", check=True)
                    shutil.rmtree(work / "debian")
                (work / "unpacked").rename(place)
        return place


def apt_lists(work: Path) -> list[str]:
    """Options with which apt-get knows source packages; the system's own lists stay as they are."""
    apt = work / "apt"
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={apt}/parts"]
    options += ["-o", f"Dir::State::lists={apt}/lists", "-o", f"Dir::Cache={apt}/cache", "-o", "APT::Sandbox::User="]
    if not apt.exists():
        for name in ("parts", "lists/partial", "cache/archives/partial"):
            (apt / name).mkdir(parents=True)
        text = Path("/etc/apt/sources.list.d/debian.sources").read_text()
        (apt / "parts" / "debian.sources").write_text(re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M))
        run("apt-get", *options, "-q", "update")
    return options


Tree = Sdist | Npm | Debian


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that was once found and fixed; ``files`` are those of the library that the harness needs.

    A ``pattern`` such as ``src/*.c`` is looked up in the tree; in ``include`` too, "" is the tree itself.
    ``fixed_files`` and ``fixed_include`` are for libraries that have moved their files since.
    """

    name: str
    reference: str
    kind: str
    place: str
    buggy: Tree
    fixed: Tree
    files: Sequence[str]
    include: Sequence[str] = ("",)
    options: Sequence[str] = ()
    fixed_files: Sequence[str] | None = None
    fixed_include: Sequence[str] | None = None
    errors: int = 1
    prepare: Callable[[Path], None] = field(default=lambda tree: None)

    def command(self, work: Path, tree: Tree, limit: float, out: Path) -> list[str]:
        """The unfork command for one of the two trees."""
        fixed = tree is self.fixed
        folder = tree.unpack(work)
        self.prepare(folder)
        files = self.fixed_files if fixed and self.fixed_files is not None else self.files
        include = self.fixed_include if fixed and self.fixed_include is not None else self.include
        words = [str(HARNESSES / f"{self.name}.c"), *(str(folder / file) for file in files)]
        for one_folder in include:
            words += ["-I", str(HARNESSES / one_folder[1:] if one_folder.startswith("@") else folder / one_folder)]
        words += [*self.options, "--cflags", "-w", "--max-time", f"{limit:g}", "--out", str(out)]
        return words if fixed else [*words, "--max-errors", str(self.errors)]


def yajl_headers(tree: Path) -> None:
    """yajl's build copies its headers to where its users include them from."""
    if not (tree / "include").exists():
        shutil.copytree(tree / "src" / "api", tree / "include" / "yajl")


ZLIB = tuple(f"{name}.c" for name in ("inflate", "inffast", "inftrees", "adler32", "crc32", "zutil"))
TOMMATH = tuple(f"bn_mp_{name}.c" for name in ("2expt", "grow", "init", "clear", "zero"))
YAJL = tuple(f"src/yajl{name}.c" for name in ("", "_alloc", "_buf", "_encode", "_lex", "_parser", "_tree"))
ONIGURUMA = (
    "regcomp",
    "regenc",
    "regerror",
    "regexec",
    "regext",
    "regparse",
    "regsyntax",
    "regtrav",
    "regversion",
    "st",
)
UNICODE = (
    "onig_init",
    "ascii",
    "unicode",
    "unicode_fold1_key",
    "unicode_fold2_key",
    "unicode_fold3_key",
    "unicode_unfold_key",
    "utf8",
)

BUGS = (
    Bug(
        "ujson_encode",
        "CVE-2021-45958",
        "out-of-bounds",
        "ultrajsonenc.c",
        Sdist("ujson", "5.1.0", "lib"),
        Sdist("ujson", "5.2.0", "lib"),
        ("ultrajsonenc.c",),
    ),
    Bug(
        "zlib_gzip_header",
        "CVE-2022-37434",
        "out-of-bounds",
        "inflate.c",
        Sdist("pyminizip", "0.2.6", "zlib-1.2.11"),
        Debian("zlib", "1.2.13"),
        ZLIB,
    ),
    Bug(
        "libtommath_power",
        "CVE-2023-36328",
        "out-of-bounds",
        "bn_mp_2expt.c",
        Debian("libtommath", "1.2.0"),
        Debian("libtommath", "1.2.0", ("CVE-2023-36328.patch",)),
        TOMMATH,
        options=("--max-size", "512"),
        errors=2,
    ),
    Bug(
        "yajl_tree",
        "CVE-2023-33460",
        "leak",
        "yajl_tree.c",
        Debian("yajl", "2.1.0"),
        Debian("yajl", "2.1.0", ("CVE-2023-33460.patch",)),
        YAJL,
        ("src", "include"),
        ("--check", "memory,div,shift,unreachable,leak"),
        prepare=yajl_headers,
    ),
    Bug(
        "oniguruma_pattern",
        "oniguruma #20",
        "out-of-bounds",
        "regenc.c",
        Npm("oniguruma", "6.1.1", "deps/onig"),
        Debian("libonig", "6.9.8"),
        (*(f"{name}.c" for name in ONIGURUMA), "enc/ascii.c", "enc/unicode.c"),
        errors=2,
        options=("--check", "memory,div,shift,shift-base,unreachable"),
        fixed_files=tuple(f"src/{name}.c" for name in ONIGURUMA + UNICODE),
        fixed_include=("@oniguruma", "src"),
    ),
)


def run(program: str, *arguments: str, folder: Path | None = None, module: bool = False) -> None:
    """A command that must succeed; its complaints are shown if it does not."""
    words = [sys.executable, "-m", program] if module else [program]
    done = subprocess.run([*words, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{program} {' '.join(arguments)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def one(folder: Path, *patterns: str) -> Path:
    """The only file that fits."""
    found = sorted({path for pattern in patterns for path in folder.glob(pattern)})
    if len(found) != 1:
        raise SystemExit(f"wanted one file like {' or '.join(patterns)}, found {[path.name for path in found]}")
    return found[0]


def extract(archive: Path, place: Path) -> None:
    """Unpack an archive without its outermost folder."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    run("tar", "xf", str(archive), "--strip-components", "1", "-C", str(place))


def explore(bug: Bug, tree: Tree, given: argparse.Namespace) -> tuple[tuple[str, ...], bool]:
    """One row of the table, and whether it says what it must."""
    fixed = tree is bug.fixed
    out = given.work / "runs" / f"{bug.name}-{'fixed' if fixed else 'buggy'}"
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(exist_ok=True)
    words = bug.command(given.work, tree, given.time, out)
    if given.show:
        print("unfork run", " ".join(f'"{word}"' if " " in word else word for word in words))
    started = time.perf_counter()
    command = [sys.executable, "-m", "unfork", "run", *words, "--quiet", "--no-progress"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if not (out / "summary.json").exists():
        raise SystemExit(f"{bug.name}: no summary\n{done.stderr[-2000:]}")
    summary = json.loads((out / "summary.json").read_text())
    errors = [(error["kind"], Path(error["file"] or "").name, error["line"]) for error in summary["errors"]]
    if fixed:
        good = not errors and not summary["alarms"]
    else:
        good = any(kind == bug.kind and file == bug.place for kind, file, _ in errors)
    said = next((error for error in errors if error[:2] == (bug.kind, bug.place)), errors[0] if errors else None)
    cells = (
        bug.name,
        "fixed" if fixed else bug.reference,
        f"{tree.name} {tree.version}" + ("+patch" if isinstance(tree, Debian) and tree.patches else ""),
        f"{seconds:.0f}",
        f"{summary['paths']['completed']:,}",
        "yes"
        if summary["exhausted"]
        else summary["stopped_by"] or ("bounded" if summary["bounds_hit"] else "given up"),
        summary["verdict"],
        (f"{said[0]} {said[1]}:{said[2]}" if said else "no error") + ("" if good else " (!)"),
    )
    return cells, good


HEAD = ("harness", "bug", "source", "seconds", "paths", "explored all", "verdict", "found")
WIDTHS = (17, 14, 24, 7, 7, 14, 7, 0)


def line(cells: Sequence[str]) -> str:
    """A line of the table."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def main() -> int:
    """The table of all bugs that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these harnesses (default: all)")
    parser.add_argument("--time", type=float, default=300, help="seconds for each run (default 300)")
    parser.add_argument("--show", action="store_true", help="print the command lines")
    default = Path(tempfile.gettempdir()) / "unfork-known-bugs"
    parser.add_argument("--work", type=Path, default=default, help=f"where sources and runs go (default {default})")
    given = parser.parse_args()
    given.work = given.work.resolve()
    given.work.mkdir(parents=True, exist_ok=True)
    chosen = [bug for bug in BUGS if not given.names or bug.name in given.names]
    print(line(HEAD))
    status = 0
    for bug in chosen:
        for tree in (bug.buggy, bug.fixed):
            cells, good = explore(bug, tree, given)
            print(line(cells), flush=True)
            status |= not good
    return status


if __name__ == "__main__":
    sys.exit(main())
