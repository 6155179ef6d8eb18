"""The steps of action.yml are run by bash, as GitHub runs them; of what it brings along there are stand-ins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.report.replay.enclosure import ENCLOSURE
from tests.support.power import LONG
from unfork.cli.commands import COMMANDS
from unfork.plugins import comment
from unfork.program.llvm import compilation_cache
from unfork.report.replay.binary import Enclosure

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
CACHE = compilation_cache.folder()
NO_EXPORT = "export" not in COMMANDS
PIP = f"""#!/bin/sh
case "$*" in
  *pip*) echo "$@" >> "$RUNNER_TEMP/pip" ;;
  *) exec {sys.executable} "$@" ;;
esac
"""
GH = """#!/bin/sh
echo "$@" >> "$RUNNER_TEMP/gh"
case "$*" in *--paginate*) echo "$KNOWN_COMMENT" ;; esac
"""
CODE = """
#include <assert.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char c = 0;
  read(0, &c, 1);
  assert(c != 'x' && "a <b> | *c* `d` @e");
  return LIMIT;
}
"""


class Job:
    """A job that uses the action: what its steps see and leave."""

    def __init__(self, folder: Path, inputs: dict[str, str], event: dict[str, str]) -> None:
        self.folder = folder
        self.action = yaml.safe_load(ACTION.read_text())
        defaults = {name: str(given.get("default", "")) for name, given in self.action["inputs"].items()}
        self.values = {f"inputs.{name}": value for name, value in {**defaults, **inputs}.items()}
        self.values.update({"github.token": "secret", **event})
        self.status = 0
        self.ran: list[str] = []
        (folder / "bin").mkdir()
        for name, text in (("python", PIP), ("gh", GH)):
            (folder / "bin" / name).write_text(text)
            (folder / "bin" / name).chmod(0o755)

    def run(self) -> str:
        """Run the steps until one fails; what they print."""
        printed = ""
        for step in self.action["runs"]["steps"]:
            if self.status or not self._is_wanted(step.get("if", "true")):
                continue
            self.ran.append(step.get("name") or step["uses"])
            if "run" in step:
                printed += self._run(step)
        return printed

    def _run(self, step: dict[str, Any]) -> str:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "what users say reaches scripts through the environment alone"
        output = self.folder / "output"
        output.write_text("")
        environment = {
            "PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "UNFORK_CACHE": str(CACHE),
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": "someone/something",
            "KNOWN_COMMENT": self.values.get("known", ""),
            **{name: self._filled(str(value)) for name, value in step.get("env", {}).items()},
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        self.status = done.returncode
        return done.stdout + done.stderr

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: self.values[match[1]], text)

    def _is_wanted(self, condition: str) -> bool:
        return all(
            part == "true" or self.values[part.split(" == ")[0]] == part.split(" == ")[1].strip("'")
            for part in condition.split(" && ")
        )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a file.c").write_text(CODE)
    return tmp_path


GIVEN = {"files": "'a file.c'", "options": "--sym-stdin 1 --cflags '-DLIMIT=0 -DOTHER'", "sarif": "false"}
PULL = {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
needs_unfork = pytest.mark.skipif(
    shutil.which("bash") is None or not (Path(sys.executable).parent / "unfork").exists(),
    reason="no bash, or unfork is not installed",
)


@needs_unfork
def test_what_fails_is_commented_and_judged(folder: Path) -> None:
    job = Job(folder, GIVEN, PULL)
    printed = job.run()
    assert "a file.c:7: assert: " in printed
    assert printed.endswith("::error title=unfork::verdict unsafe, which is none of: safe bounded clean\n")
    assert job.status == 1
    assert job.values["steps.run.outputs.verdict"] == "unsafe"
    run = Path(job.values["steps.run.outputs.run"])
    comment = (run / "comment.md").read_text()
    assert comment == (folder / "summary").read_text()
    assert comment.startswith("<!-- unfork -->\n### unfork: unsafe\n\nThe program can fail.\n")
    counts = json.loads((run / "summary.json").read_text())["coverage"]["branches"]
    covered, total = counts["covered"], counts["total"]
    assert f"| branches | {covered} | {total} | {100 * covered // total} % |" in comment
    assert "a &#60;b&#62; &#124; &#42;c&#42; &#96;d&#96; &#64;e" in comment
    assert (folder / "gh").read_text().splitlines()[1:] == [
        f"api --silent --method POST repos/someone/something/issues/7/comments -F body=@{run}/comment.md"
    ]
    assert (folder / "pip").read_text() == f"-m pip install --quiet --disable-pip-version-check {ROOT}\n"


@needs_unfork
def test_a_comment_is_written_anew_and_verdicts_may_be_accepted(folder: Path) -> None:
    job = Job(folder, {**GIVEN, "accept": "unsafe"}, {**PULL, "known": "31"})
    job.run()
    assert job.status == 0
    assert "PATCH repos/someone/something/issues/comments/31 " in (folder / "gh").read_text()


@needs_unfork
def test_elsewhere_nothing_is_commented(folder: Path) -> None:
    job = Job(folder, {**GIVEN, "options": "-D LIMIT=1"}, {**PULL, "github.event_name": "push"})
    job.run()
    assert job.status == 0
    assert not (folder / "gh").exists()


SCANNED = "int f(unsigned char k) { static const int w[4] = {1, 3}; return k <= 4 ? w[k] : 0; }\n"


@needs_unfork
@pytest.mark.native_check
def test_a_scan_is_judged_by_what_the_baseline_lacks(folder: Path) -> None:
    (folder / "lib").mkdir()
    (folder / "lib" / "a.c").write_text(SCANNED)
    given = {"command": "scan", "files": "lib", "baseline": "known.json", "options": "--cores 1", "sarif": "true"}
    job = Job(folder, given, PULL)
    printed = job.run()
    assert printed.endswith("::error title=unfork::verdict unsafe, which is none of: safe bounded clean\n")
    assert job.status == 1 and "github/codeql-action/upload-sarif@v3" in job.ran
    run = Path(job.values["steps.run.outputs.run"])
    (result,) = json.loads((run / "unfork.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "out-of-bounds"
    told = (run / "comment.md").read_text()
    assert told.startswith("<!-- unfork -->\n### unfork scan: unsafe\n")
    assert "- out-of-bounds at <code>lib/a.c:1</code>" in told and "| 1 | 1 | 0 | 0 |" in told
    (run / "scan.json").rename(folder / "known.json")
    shutil.rmtree(folder / "bin")
    again = Job(folder, given, PULL)
    again.run()
    assert (again.status, again.values["steps.run.outputs.verdict"]) == (0, "clean")


TARGET = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++)
    sum = data[i] > sum % 251 ? 31 * sum + data[i] : sum / (data[i] + 3u) + sum % 97 * sum;
  if (size == 4 && data[1] == 'x') __builtin_trap();
  return sum == 4711;
}
"""


@needs_unfork
@LONG
@pytest.mark.skipif(ENCLOSURE is not Enclosure.REQUIRED, reason="no namespaces")
def test_a_fuzz_target_keeps_its_corpus(folder: Path) -> None:
    """A second job begins with what the first one found; time that is over fails none."""
    (folder / "target.c").write_text(TARGET.replace("__builtin_trap()", "return 2"))
    given = {
        "command": "fuzz",
        "files": "target.c",
        "options": "--max-time 8s --cores 1 --fuzzer own",
        "sarif": "false",
    }
    job = Job(folder, given, {**PULL, "github.event_name": "push"})
    job.run()
    assert (job.status, job.values["steps.run.outputs.verdict"]) == (0, "unknown")
    assert job.ran.index("Take the corpus of earlier jobs") < job.ran.index("Keep the corpus for later jobs")
    kept = {path.name for path in (folder / "unfork-corpus").iterdir()}
    assert kept
    (folder / "target.c").write_text(TARGET)
    shutil.rmtree(folder / "bin")
    again = Job(folder, given, {**PULL, "github.event_name": "push"})
    assert "target.c:8: " in again.run()
    assert (again.status, again.values["steps.run.outputs.verdict"]) == (1, "unsafe")
    assert kept <= {path.name for path in (folder / "unfork-corpus").iterdir()}


@needs_unfork
def test_an_unknown_command_ends_the_job(folder: Path) -> None:
    job = Job(folder, {**GIVEN, "command": "rm"}, PULL)
    assert "::error title=unfork::command: rm is none of run, fuzz and scan" in job.run()
    assert job.status == 2


@needs_unfork
def test_what_cannot_be_run_ends_the_job(folder: Path) -> None:
    job = Job(folder, {**GIVEN, "options": ""}, PULL)
    assert "use of undeclared identifier 'LIMIT'" in job.run()
    assert job.status == 2
    assert job.ran[-1] == "Explore the program"


@needs_unfork
@pytest.mark.skipif(NO_EXPORT, reason="no unfork export")
def test_findings_are_uploaded(folder: Path) -> None:
    job = Job(folder, {**GIVEN, "sarif": "true"}, PULL)
    job.run()
    assert (Path(job.values["steps.run.outputs.run"]) / "unfork.sarif").exists()
    assert "github/codeql-action/upload-sarif@v3" in job.ran


def test_each_input_is_used_and_has_a_default_or_is_required() -> None:
    action = yaml.safe_load(ACTION.read_text())
    for name, given in action["inputs"].items():
        assert f"inputs.{name}" in ACTION.read_text()
        assert ("default" in given) != (given.get("required") is True), name


def test_a_comment_of_no_run_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\x1bb").mkdir()
    for words, reason in (([], "RUN_DIR"), ([str(tmp_path / "a\x1bb")], "a\\x1bb holds no summary.json")):
        assert comment.main(words) == 2
        told = capsys.readouterr().err
        assert reason in told and told.count("\n") == 1
