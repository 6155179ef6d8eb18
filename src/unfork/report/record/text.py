"""The final lines of a run or of proofs: results, gaps, and where the rest is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unfork.program.c.escape import escape_text

_VERDICTS = {
    "safe": "every path was explored and none fails",
    "bounded": "no path within the bounds fails",
    "unsafe": "the program can fail",
    "unknown": "not everything could be explored",
}
_ERRORS_SHOWN = 20
_IN_DETAIL = 12
"""The most functions with a line for each obligation."""
_LONGEST_TEXT = 60
"""The most characters of an obligation."""
KILLED = "killed"
"""The ``stopped_by`` of a run that could not say why it stopped."""


def plural(count: int, noun: str) -> str:
    """``count`` with its noun."""
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith(("ch", "sh")) else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several}"


def clipped(text: str, longest: int) -> str:
    """The text, cut to ``longest`` characters."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def meaning_of(verdict: str) -> str:
    """A verdict in a few words."""
    return _VERDICTS[verdict]


def final_lines(data: Mapping[str, Any], directory: str) -> list[str]:
    """The summary in a few lines."""
    lines = [*_findings(data["errors"], ""), *_findings(data["alarms"], "alarm: ")]
    paths, coverage = data["paths"], data["coverage"]
    line = f"{plural(paths['completed'], 'path')}, {plural(data['forks'], 'fork')}"
    line += f", {plural(data['instructions'], 'instruction')}, {plural(data['solver']['queries'], 'query')}"
    lines.append(f"{line} in {data['seconds']:.1f} s")
    lines += _thread_line(data)
    lines += _race_line(data["strategies"])
    lines += _path_counts(paths)
    lines += _coverage_lines(coverage)
    lines += _pruning_lines(data["prunes"])
    lines += _gaps(data)
    lines += _audit(data["audit"])
    lines.append(f"{plural(data['tests'], 'test')} in {escape_text(directory)}/tests")
    lines += [f"assumed: {escape_text(assumption)}" for assumption in data["assumptions"]]
    lines.append(f"verdict: {data['verdict']}{_condition(data)} ({_VERDICTS[data['verdict']]})")
    return lines


def _condition(summary: Mapping[str, Any]) -> str:
    is_conditional = summary["verdict"] == "safe" and summary["assumptions"]
    return ", if what is assumed is true" if is_conditional else ""


def _thread_line(data: Mapping[str, Any]) -> list[str]:
    if data.get("threads", 1) == 1:
        return []
    paths = data["paths"]
    line = f"{plural(data['threads'], 'thread')}, {plural(paths['completed'] + paths['silent'], 'execution')}"
    return [line + f", {paths['pruned']:,} cut short as others do the same" * bool(paths["pruned"])]


def _race_line(strategies: Sequence[Mapping[str, Any]]) -> list[str]:
    words = []
    for strategy in strategies:
        if not (strategy["rounds"] or strategy["stopped_by"]):
            continue
        did = [plural(strategy["rounds"], "round")]
        did += [f"first to {plural(strategy['edges_first'], 'branch')}"] * bool(strategy["edges_first"])
        did += [f"first to {plural(strategy['errors_first'], 'error')}"] * bool(strategy["errors_first"])
        did += ["explored everything"] * strategy["ended"]
        did += [f"stopped: {escape_text(str(strategy['stopped_by']))}"] * bool(strategy["stopped_by"])
        words.append(f"{strategy['name']} {', '.join(did)}")
    return [f"strategies: {'; '.join(words)}"] if words else []


def _coverage_lines(coverage: Mapping[str, Any] | None) -> list[str]:
    if coverage is None:
        return []
    branches, rows = coverage["branches"], coverage["lines"]
    line = f"branches {branches['covered']}/{branches['total']}, lines {rows['covered']}/{rows['total']} covered"
    goals = coverage["goals"]
    return [line, f"{plural(len(goals), 'goal')} reached"] if goals else [line]


def failure_line(failure: Mapping[str, Any]) -> str:
    """A line about a refuted obligation of an audit."""
    location = f"{escape_text(failure['file'])}:{failure['line']}" if failure["file"] is not None else "unknown place"
    return f"{location}: {escape_text(failure['what'])} does not hold what it should"


def sampling_line(count: int) -> str:
    """A line about branches at which a path went on with sampled values."""
    return f"{plural(count, 'query')} {'was' if count == 1 else 'were'} sampled: not everything was explored"


def _pruning_lines(prunes: Mapping[str, Any] | None) -> list[str]:
    if not prunes or not (prunes["checks"] or prunes["stored"]):
        return []
    line = f"pruning: {prunes['hits']:,} of {plural(prunes['checks'], 'state')} covered that were looked at, "
    line += f"{prunes['stored']:,} stored (size {prunes['size']:,}), in {prunes['seconds']:.1f} s"
    if prunes["speculated"]:
        line += f"; {prunes['widened']:,} of {plural(prunes['speculated'], 'speculation')} widened what was learnt"
    if unlearnt := sum(prunes["unlearnt"].values()):
        most = max(prunes["unlearnt"], key=lambda reason: prunes["unlearnt"][reason])
        line += f"; nothing learnt of {plural(unlearnt, 'stretch')}, mostly: {most}"
    if prunes["under_because"]:
        lost = plural(prunes["under"], "state")
        return [
            line,
            f"{lost} covered under other names of objects, which count: {escape_text(prunes['under_because'])}",
        ]
    return [line]


def _audit(audit: Mapping[str, Any] | None) -> list[str]:
    if audit is None:
        return []
    lines = [f"audit FAILED: {failure_line(failure)}" for failure in audit["failures"]]
    line = f"audit with {audit['solver']}: {plural(audit['joins'], 'join')} "
    line += f"({audit['joined_again']:,} of their sides explored alone), "
    line += f"{plural(audit['pruned'], 'pruned state')} ({audit['explored_again']:,} explored again), "
    line += f"{plural(audit['freest'], 'interpolant')} tried; "
    line += f"{plural(audit['proved'], 'obligation')} proved, {audit['failed']:,} failed, {audit['unknown']:,} unknown"
    return [*lines, line + (f", {audit['left_out']:,} left out" if audit["left_out"] else "")]


def _findings(findings: Sequence[Mapping[str, Any]], prefix: str) -> list[str]:
    lines = []
    for finding in findings[:_ERRORS_SHOWN]:
        location = (
            f"{escape_text(finding['file'])}:{finding['line']}" if finding["file"] is not None else "unknown place"
        )
        where = f" in {escape_text(finding['function'])}" if finding["function"] else ""
        line = f"{prefix}{location}: {finding['kind']}: {escape_text(finding['message'])}{where}"
        lines.append(f"{line} [{finding['test']}]{_opinion(finding)}")
    if len(findings) > _ERRORS_SHOWN:
        lines.append(f"... and {len(findings) - _ERRORS_SHOWN} more")
    return lines


def _opinion(finding: Mapping[str, Any]) -> str:
    if not finding["replayed"]:
        return f": {escape_text(finding['reason'] or 'the test does not replay')}"
    return {"confirmed": ", natively too", "not seen": ", natively not seen"}.get(finding["native"], "")


def _path_counts(paths: Mapping[str, Any]) -> list[str]:
    multiplicity = f"multiplicity {paths['represented']:,}"
    if paths["counted"] is not None:
        return [f"{plural(paths['counted'], 'path')} counted one by one ({multiplicity})"]
    if (estimated := paths["estimated"]) is not None:
        return [_path_estimate(estimated)]
    if paths["counting"] is None:
        return []
    states = plural(paths["uncounted"], "joined state")
    return [f"paths were not counted: {states} stand for more than the program does ({multiplicity})"]


def _path_estimate(estimated: Mapping[str, Any]) -> str:
    explored = estimated["explored"]
    if estimated["exact"]:
        return f"{plural(explored, 'single path')} explored, counted one by one"
    line = f"about {explored:,.0f} single paths explored (standard error {estimated['spread']:,.0f}), "
    line += f"estimated from {estimated['sampled']:,} of them"
    return f"{line}; {estimated['lost']:,} more could not be followed" if estimated["lost"] else line


def _gaps(data: Mapping[str, Any]) -> list[str]:
    lines = []
    if data["stopped_by"] == KILLED:
        lines.append("cut off: the run did not come to its end, or goes on; this is what it had written")
    elif data["stopped_by"] is not None:
        lines.append(f"stopped by {data['stopped_by']} with {plural(data['states']['left'], 'state')} left")
    if (failure := data["internal_error"]) is not None:
        lines.append(f"internal error: {escape_text(failure['line'])}")
    if unwritten := data["tests_unwritten"]:
        lines.append(f"{plural(unwritten, 'test')} not written: the time was over")
    if data["states"]["dropped"]:
        lines.append(f"{plural(data['states']['dropped'], 'state')} dropped for lack of memory")
    if data["bounds_hit"]:
        cut = data["paths"]["bounded"]
        how = f"{plural(cut, 'path')} cut" if cut else "bounded"
        lines.append(f"{how} by {', '.join(data['bounds_hit'])}")
    if data["paths"]["unexpanded"]:
        joined = plural(data["paths"]["unexpanded"], "joined state")
        lines.append(f"not every path has a test: {joined} had more paths left than tests were written")
    if sampled := data["solver"].get("sampled"):
        lines.append(sampling_line(sampled))
    lines += [
        f"given up: {loss['reason']}: {escape_text(loss['detail'])} ({plural(loss['paths'], 'path')})"
        for loss in data["given_up"][:5]
    ]
    if len(data["given_up"]) > 5:
        lines.append(f"... and {len(data['given_up']) - 5} more reasons in warnings.txt")
    return lines


def proof_lines(summary: Mapping[str, Any], directory: str) -> list[str]:
    """The lines from the data of summary.json, and its place."""
    functions = summary["functions"]
    if len(functions) > _IN_DETAIL:
        lines = [*_project_lines(summary, directory)]
    else:
        lines = [line for proof in functions for line in proof_table(proof)]
    lines += [f"left out: {escape_text(line)}" for line in summary["left_out"]]
    return [*lines, f"verdict: {summary['verdict']}{_condition(summary)} ({directory})"]


def _project_lines(summary: Mapping[str, Any], directory: str) -> Iterator[str]:
    """Broken contracts with the calls that break them, a row for each function, and the assumptions of all."""
    order = ["unsafe", "unknown", "safe"]
    proofs = sorted(summary["functions"], key=lambda each: order.index(each["verdict"]))
    for proof in proofs:
        broken = proof["counterexample"]
        if broken is not None:
            where = f"{broken['file']}:{broken['line']}"
            name = escape_text(proof["function"])
            yield f"{escape_text(where)}: {broken['kind']}: {escape_text(broken['text'])} in {name}"
            yield f"    {escape_text(broken['call'])}"
    width = max(len("function"), *(len(escape_text(each["function"])) for each in proofs))
    yield f"verdict  proved   CPU time  {'function':<{width}}"
    for proof in proofs:
        proved = sum(each["ending"] == "proved" for each in proof["obligations"])
        share = f"{proved}/{len(proof['obligations'])}"
        name = escape_text(proof["function"])
        row = f"{proof['verdict']:<7}  {share:>6}  {proof['processors']:>7.1f} s  {name:<{width}}"
        yield f"{row}  {clipped(escape_text(_why_unproved(proof)), _LONGEST_TEXT)}".rstrip()
    yield from (f"assumed, not proved: {escape_text(each)}" for each in summary["assumptions"])
    counts = ", ".join(f"{sum(each['verdict'] == word for each in proofs)} {word}" for word in reversed(order))
    kept = sum(each["cached"] for each in proofs)
    as_before = f"; {kept:,} as before" if kept else ""
    yield f"{plural(len(proofs), 'function')}: {counts}, in {summary['seconds']:.1f} s{as_before}"


def _why_unproved(proof: Mapping[str, Any]) -> str:
    """Why a function is not safe, in a few words; "" if it is."""
    if proof["verdict"] == "safe":
        return ""
    first = next((each for each in proof["obligations"] if each["ending"] != "proved"), None)
    if proof["reasons"] or first is None:
        return str(next(iter(proof["reasons"]), ""))
    return f"{first['ending']}: {first['kind']} at line {first['line']}: {first['text']}"


def proof_table(proof: Mapping[str, Any]) -> list[str]:
    """The lines about the proof of one function."""
    cached = ", as before" if proof["cached"] else ""
    lines = [f"{proof['function']}: {proof['verdict']} ({_proved_share(proof)}, {proof['seconds']:.1f} s{cached})"]
    lines += _rows(proof["obligations"])
    audit = proof["audit"]
    if any(audit.values()):
        lines.append(
            f"  proved again by the other solver: {audit['confirmed']}; it did not say: {audit['unconfirmed']}"
        )
    broken = proof["counterexample"]
    if broken is not None:
        where = f"{broken['file']}:{broken['line']}"
        lines.append(f"  {escape_text(broken['call'])}")
        lines.append(f"  breaks {broken['kind']} at {escape_text(where)}: {escape_text(broken['text'])}")
    lines += [f"  not proved: {escape_text(reason)}" for reason in proof["reasons"]]
    lines += [f"  assumed, not proved: {escape_text(assumption)}" for assumption in proof["assumptions"]]
    return lines


def is_broken(proof: Mapping[str, Any], obligation: Mapping[str, Any]) -> bool:
    """Whether the call that breaks a function's contract breaks this obligation."""
    broken = proof["counterexample"]
    return broken is not None and (obligation["text"], obligation["line"]) == (broken["text"], broken["line"])


def _proved_share(proof: Mapping[str, Any]) -> str:
    proved = sum(each["ending"] == "proved" for each in proof["obligations"])
    return f"{proved} of {len(proof['obligations'])} obligations proved"


def _rows(obligations: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each obligation, in columns, with the lines of its details."""
    rows = [_cells(each) for each in obligations]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for each, row in zip(obligations, rows, strict=True):
        padded = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        yield f"  {padded}"
        yield from (f"      {escape_text(line)}" for line in each["detail"].splitlines())


def _cells(obligation: Mapping[str, Any]) -> tuple[str, ...]:
    ending = "OPEN" if obligation["ending"] == "open" else obligation["ending"]
    line = f"line {obligation['line']}" if obligation["line"] else ""
    by = ", ".join(sorted(obligation["by"])) or "simplifying"
    text = clipped(escape_text(obligation["text"]), _LONGEST_TEXT)
    return ending, obligation["kind"], line, text, by, f"{obligation['seconds']:.2f} s"
