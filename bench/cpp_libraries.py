"""How far does unfork get in C++ libraries, and does it find their old bugs? A row for each library or bug.

``python -m bench.cpp_libraries libraries|bugs [NAMES] --sources DIR [--cpu S] [--markdown]``

``libraries``: a main of a few lines (bench/cpp/libraries) parses or formats symbolic values for ``--cpu`` seconds of
processors. A row has the verdict, paths that ended, instructions, branches of library and main, what was unsupported,
memory, and how many tests ended natively as on the engine. ``bugs``: a row says whether the bug's kind was found in its
function, whether the fixed version is silent there, and the seconds of processors of the run.

Sources are fetched into ``--sources``, unless they are there, and never become part of this repository. Those with
many files are compiled with ``unfork c++`` before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import known_bugs
from bench.known_bugs import Debian
from bench.processors import Done, run
from bench.real_proofs import environment, show

HERE = Path(__file__).resolve().parent
MAINS = HERE / "cpp" / "libraries"
LONGEST = 3600
"""Seconds of the clock after which a command is killed."""
FEW = 4
"""Files that a run compiles itself, which takes few of its seconds; then native replays have sanitizers."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A release in a public repository on GitHub."""

    repository: str
    name: str

    @property
    def version(self) -> str:
        """The tag without letters before its number."""
        return re.sub(r"^\D*", "", self.name)

    def unpack(self, sources: Path) -> Path:
        """The folder with the library, cloned if it is not there yet."""
        place = sources / f"{self.repository.split('/')[1]}-{self.version}"
        if not place.exists():
            address = f"https://github.com/{self.repository}"
            known_bugs.run("git", "clone", "-q", "--depth", "1", "--branch", self.name, address, str(place))
        return place


@dataclass(frozen=True, slots=True)
class Library:
    """Files of a library as patterns, and how they are compiled; in ``include``, "" is the tree itself."""

    tree: Debian | Tag
    files: Sequence[str] = ()
    include: Sequence[str] = ("",)
    flags: Sequence[str] = ()

    def build(self, sources: Path) -> list[str]:
        """Its files, or many files as bitcode, made if it is not there yet; and the options that compile them."""
        folder = self.tree.unpack(sources)
        options = [*(f"-I{folder / name}" for name in self.include), *self.flags]
        found = sorted({path for pattern in self.files for path in folder.glob(pattern)})
        if len(found) <= FEW:
            return [*map(str, found), "--cflags", shlex.join(["-w", *options])]
        place = sources / "bitcode" / folder.name
        place.mkdir(parents=True, exist_ok=True)
        files = []
        for file in found:
            files.append(str(place / f"{file.stem}.bc"))
            if not Path(files[-1]).exists():
                words = [*UNFORK, "c++", "-w", "-c", "-emit-llvm", *options, str(file), "-o", files[-1]]
                subprocess.run(words, env=environment(), check=True)
        return [*files, "--cflags", shlex.join(["-w", *options])]


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that was found and fixed; ``kind`` is what unfork calls it, ``function`` where it shows."""

    reference: str
    what: str
    kind: str
    function: str
    buggy: Library
    fixed: Library
    options: Sequence[str] = ()


UNFORK = (sys.executable, "-m", "unfork")
JSONCPP = ("src/lib_json/*.cpp",), ("include",)
YAML = ("src/*.cpp",), ("include",)
RE2 = ("re2/*.cc", "util/rune.cc", "util/strutil.cc")

LIBRARIES = {
    "tinyxml2": Library(Debian("tinyxml2", "9.0.0"), ("tinyxml2.cpp",)),
    "pugixml": Library(Debian("pugixml", "1.13"), ("src/pugixml.cpp",), ("src",)),
    "jsoncpp": Library(Tag("open-source-parsers/jsoncpp", "1.9.6"), *JSONCPP),
    "nlohmann-json": Library(Debian("nlohmann-json3", "3.11.2"), (), ("single_include",)),
    "fmt": Library(Debian("fmtlib", "9.1.0"), ("src/format.cc",), ("include",)),
    "re2": Library(
        Tag("google/re2", "2022-06-01"), RE2, ("",), ("-DRE2_ON_VALGRIND",)
    ),  # its sets read no unwritten memory
    "leveldb": Library(Debian("leveldb", "1.23"), ("util/coding.cc",), ("", "include")),
    "yaml-cpp": Library(Debian("yaml-cpp", "0.7.0"), *YAML),
}
"""By the names of their mains."""

BUGS = {
    "jsoncpp": Bug(
        "#1503",
        "what follows a carriage return is read without a test that the text goes on",
        "out-of-bounds",
        "Json::OurReader::getLocationLineAndColumn",
        Library(Debian("libjsoncpp", "1.9.5"), *JSONCPP),
        LIBRARIES["jsoncpp"],
    ),
    "nlohmann-json-msgpack": Bug(
        "acb7e0558d2337ad42261ed81e67d37385679285",
        "the length of a string is not tested against what is left of the input",
        "out-of-bounds",
        "::from_msgpack_internal",
        Library(Tag("nlohmann/json", "v2.0.9"), (), ("src",), ("-std=c++11",)),
        Library(Tag("nlohmann/json", "v2.1.1"), (), ("src",), ("-std=c++11",)),
    ),
    "fmt-printf": Bug(
        "#4742",
        "what follows a percent sign is read without a test that the format goes on",
        "out-of-bounds",
        "parse_header",
        Library(Tag("fmtlib/fmt", "12.1.0"), (), ("include",), ("-DFMT_HEADER_ONLY",)),
        Library(Tag("fmtlib/fmt", "12.2.0"), (), ("include",), ("-DFMT_HEADER_ONLY",)),
    ),
    "tinyxml2-reference": Bug(
        "CVE-2024-50615",
        "a character reference with more digits than a number holds breaks an assertion",
        "assert",
        "tinyxml2::XMLUtil::GetCharacterRef",
        Library(Tag("leethomason/tinyxml2", "10.0.0"), ("tinyxml2.cpp",), ("",), ("-DTINYXML2_DEBUG",)),
        Library(Tag("leethomason/tinyxml2", "11.0.0"), ("tinyxml2.cpp",), ("",), ("-DTINYXML2_DEBUG",)),
    ),
    "pugixml-doctype": Bug(
        "0542b1869b6970003caa954ebc5f1dea41d48032",
        "behind a comment within a DOCTYPE, the character after it is skipped, even if it ends the text",
        "out-of-bounds",
        "xml_parser::parse_doctype_group",
        Library(Tag("zeux/pugixml", "v1.5"), ("src/pugixml.cpp",), ("src",)),
        Library(Tag("zeux/pugixml", "v1.6"), ("src/pugixml.cpp",), ("src",)),
    ),
}
"""By the names of their mains. References are issues, or commits that fixed them."""


def explore(
    name: str, library: Library, given: argparse.Namespace, options: Sequence[str]
) -> tuple[Path, Done, dict[str, Any]]:
    """A run of a main with a library, interrupted when its seconds are used: where it is, and its summary."""
    built = library.build(given.sources)
    out = given.sources / "runs" / f"{name}-{library.tree.version}"
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(exist_ok=True)
    words = [*UNFORK, "run", str(MAINS / f"{name}.cpp"), *built, "--cores", "1", "--quiet", "--no-progress"]
    words += [*options, "--out", str(out)]
    done = run(words, out.parent, environment(), LONGEST, given.cpu)
    try:
        return out, done, json.loads((out / "summary.json").read_text("utf-8"))
    except FileNotFoundError:
        sys.exit(f"{name}: no summary\n{done.stderr[-2000:]}")


def natively(out: Path) -> str:
    """How many of a run's tests ended natively as on the engine, of those whose path the engine ended."""
    done = run([*UNFORK, "replay", str(out), "--native"], out.parent, environment(), LONGEST)
    count = re.search(r"(\d+) of (\d+) tests", done.stdout)
    if count is None:
        return f"{done.stdout[-500:]}{done.stderr[-500:]}"
    return f"{count[1]} of {int(count[2]) - done.stdout.count('cut: nothing expected')}"


def explore_library(name: str, library: Library, given: argparse.Namespace) -> tuple[str, ...]:
    """A row for a library."""
    out, done, summary = explore(name, library, given, ("--native-check", "never"))
    branches = summary["coverage"]["branches"]
    reasons = [*summary["unsupported"], *summary["given_up"], *summary["errors"], *summary["alarms"]]
    return (
        f"{name} {library.tree.version}",
        summary["verdict"],
        f"{summary['paths']['completed']:,}",
        f"{summary['instructions']:,}",
        f"{branches['covered']}/{branches['total']}",
        "; ".join(str(each) for each in reasons) or str(summary["internal_error"] or "none"),
        f"{summary['peak_memory_mb']:.0f}",
        f"{done.cpu:.0f}",
        natively(out),
    )


def explore_bug(name: str, bug: Bug, given: argparse.Namespace) -> list[tuple[str, ...]]:
    """A row for the version with the bug, and one for the version without it."""
    rows: list[tuple[str, ...]] = []
    for library in (bug.buggy, bug.fixed):
        options = [*bug.options, *(["--stop-at", bug.kind] if library is bug.buggy else [])]
        _, done, summary = explore(name, library, given, options)
        errors = [f"{each['kind']} {Path(each['file']).name}:{each['line']}" for each in summary["errors"]]
        there = [each for each in summary["errors"] if each["kind"] == bug.kind and bug.function in each["function"]]
        cells = bug.reference if library is bug.buggy else "the same, fixed", f"{name} {library.tree.version}"
        found = f"found, natively {there[0]['native']}" if there else "silent"
        rows.append((*cells, found, f"{done.cpu:.0f}", summary["verdict"], "; ".join(errors) or "none"))
    return rows


LIBRARY_TITLES = ("library", "verdict", "paths", "instructions", "branches", "unsupported", "MB", "CPU s", "natively")
BUG_TITLES = ("bug", "version", "there", "CPU s", "verdict", "errors")


def main() -> None:
    """The table, each row also as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["libraries", "bugs"])
    parser.add_argument("names", nargs="*", help="only these mains (default: all)")
    parser.add_argument("--sources", type=Path, required=True, metavar="DIR")
    parser.add_argument("--cpu", type=float, default=60.0, metavar="S", help="seconds of processors for each run")
    parser.add_argument("--markdown", action="store_true", help="the table as documents have it")
    given = parser.parse_args()
    given.sources = given.sources.resolve()
    given.sources.mkdir(parents=True, exist_ok=True)
    known = LIBRARIES if given.what == "libraries" else BUGS
    rows: list[tuple[str, ...]] = []
    for name in given.names or known:
        if name not in known:
            parser.error(f"unknown main {name} (known: {', '.join(known)})")
        new = (
            [explore_library(name, LIBRARIES[name], given)]
            if given.what == "libraries"
            else explore_bug(name, BUGS[name], given)
        )
        rows += new
        for row in new:
            print(*row, sep="\t", file=sys.stderr, flush=True)
    show(LIBRARY_TITLES if given.what == "libraries" else BUG_TITLES, rows, markdown=given.markdown)


if __name__ == "__main__":
    main()
