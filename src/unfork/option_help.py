"""What the options mean, as text: for the terminal, and as a page of documentation."""

from __future__ import annotations

import sys
from typing import Any

from unfork.option_kinds import LEGEND, NEUTRAL
from unfork.options import DEFAULTS, DESCRIPTIONS, flags_of


def _words(value: Any) -> str:
    return ",".join(_words(each) for each in value) if isinstance(value, tuple) else str(value)


def default_text(name: str) -> str:
    """The default of an option as a user would type it."""
    value = DEFAULTS[name]
    if value is None or value == () or value is False or value == "":
        return "off" if value is False else "none"
    return _words(value)


def legend() -> list[str]:
    """What the soundness notes say."""
    return [f"  {note}: {meaning}" for note, meaning in LEGEND.items()]


def help_text(names: tuple[str, ...]) -> str:
    """Default, meaning and soundness note of the named options, by section, for a terminal."""
    lines = ["", *legend()]
    section = ""
    for name in names:
        description = DESCRIPTIONS[name]
        if description.section != section:
            section = description.section
            lines += ["", f"{section}:"]
        flags = ", ".join(flags_of(name, description))
        head = " ".join((flags, *description.kind.words))
        note = "" if description.soundness == NEUTRAL else f", {description.soundness}"
        lines += [f"  {head}", f"      {description.meaning} (default {default_text(name)}{note})."]
    return "\n".join(lines)


def markdown() -> str:
    """The same as a page of documentation."""
    lines = ["# Options of `unfork run`", "", *(f"- {line.strip()}" for line in legend()), ""]
    section = ""
    for name, description in DESCRIPTIONS.items():
        if description.section != section:
            section = description.section
            lines += [f"## {section}", "", "| option | default | meaning | soundness |", "| --- | --- | --- | --- |"]
        head = " ".join((*flags_of(name, description), *description.kind.words)).replace("|", "\\|")
        meaning = description.meaning.replace("|", "\\|")
        lines.append(f"| `{head}` | {default_text(name)} | {meaning}. | {description.soundness} |")
        following = list(DESCRIPTIONS)[list(DESCRIPTIONS).index(name) + 1 :]
        if following and DESCRIPTIONS[following[0]].section != section:
            lines.append("")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(markdown())
