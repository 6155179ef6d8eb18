"""How BenchExec runs unfork on the tasks of SV-COMP and Test-Comp, and reads its answers."""

from __future__ import annotations

import os
import re

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2

_VERDICT = re.compile(r"true|unknown|done|false\([a-z-]+\)")


class Tool(BaseTool2):
    """``unfork svcomp`` prints one line. witness.yml, test-suite and run directories are in the working directory."""

    def name(self):
        return "unfork"

    def executable(self, tool_locator):
        return tool_locator.find_executable("unfork", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="unfork")

    def environment(self, executable):
        """Runs have a home of their own, and so has this module in a container: whoever starts BenchExec says where the
        compiled C library is."""
        cache = os.environ.get("UNFORK_CACHE")
        return {} if cache is None else {"newEnv": {"UNFORK_CACHE": cache}}

    def cmdline(self, executable, options, task, rlimits):
        data_model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"}) or "LP64"
        words = ["--property", task.property_file, "--data-model", data_model]
        words += ["--witness", "witness.yml", "--suite", "test-suite"]
        if rlimits.cputime and "--max-time" not in options:
            words += ["--max-time", str(max(int(rlimits.cputime * 0.95), 1))]
        if rlimits.memory and "--max-memory" not in options:
            words += ["--max-memory", str(max(int(rlimits.memory * 0.8) >> 20, 50))]
        if rlimits.cpu_cores and "--cores" not in options:
            words += ["--cores", str(rlimits.cpu_cores)]
        return [executable, "svcomp", *words, *options, task.single_input_file]

    def determine_result(self, run):
        last = next((line for line in reversed(run.output) if _VERDICT.fullmatch(line.strip())), None)
        return result.RESULT_ERROR if last is None else last.strip()
