"""How many tasks of SV-COMP's benchmarks are answered right, unknown and wrong? A row for each folder and property.

``python -m bench.competition --sources DIR [--folders NAMES] [--properties NAMES] [--time SECONDS]``: DIR has a folder
for each set of tasks (``c`` of github.com/sosy-lab/sv-benchmarks). The numbers in docs/svcomp.md are of commit 11c1a6b
of github.com/pavolmisenko/sv-benchmarks-simple, a small checkout with a few of these folders.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import yaml

from bench.tables import markdown

HOME = Path(__file__).resolve().parent
PROPERTIES = HOME / "benchexec" / "properties"


def tasks(folder: Path, properties: list[str]) -> Iterator[tuple[Path, str, str, str]]:
    """The C file, the property, the expected answer and the data model of each task in a folder."""
    for definition in sorted(folder.glob("*.yml")):
        told = yaml.safe_load(definition.read_text())
        for each in told["properties"]:
            name, expected = Path(each["property_file"]).stem, each.get("expected_verdict")
            if name in properties and expected is not None:
                answer = "true" if expected else f"false({each.get('subproperty', name)})"
                yield definition.parent / told["input_files"], name, answer, told["options"]["data_model"]


def answer(file: Path, name: str, data_model: str, seconds: float) -> str:
    """What unfork says of a task."""
    with tempfile.TemporaryDirectory() as place:
        words = ["--property", str(PROPERTIES / f"{name}.prp"), "--data-model", data_model, str(file)]
        words += ["--max-time", f"{seconds:g}", "--cores", "1", "--out", f"{place}/out"]
        command = [sys.executable, "-m", "unfork", "svcomp", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or f"exit {done.returncode}"


def judged(said: str, expected: str) -> str:
    """Whether an answer is right."""
    if said == expected:
        return "right"
    return "wrong" if said.startswith(("true", "false")) else "unknown"


def main() -> int:
    """Print a line for each task as it is answered, and the counts; fail if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--folders", default="recursive,array-cav19,loop-simple")
    parser.add_argument("--properties", default="unreach-call")
    parser.add_argument("--time", type=float, default=20.0)
    chosen = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    for folder in chosen.folders.split(","):
        for file, name, expected, data_model in tasks(chosen.sources / folder, chosen.properties.split(",")):
            said = answer(file, name, data_model, chosen.time)
            counts[folder, name, judged(said, expected)] += 1
            print(folder, file.name, name, said, judged(said, expected), flush=True)
    rows = sorted({(folder, name) for folder, name, _ in counts})
    words = ("right", "unknown", "wrong")
    table = [[folder, name, *(str(counts[folder, name, word]) for word in words)] for folder, name in rows]
    sys.stdout.write(markdown(["folder", "property", *words], table))
    return 1 if any(word == "wrong" for _, _, word in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
