"""Text and attributes of XML 1.0, which has no way to write most control characters."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from unfork.clang.escape import shown

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def attributes(**values: object) -> str:
    """Attributes with a space before each; in names, a trailing underscore is left out and others become hyphens."""
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(shown(str(value)))}" for name, value in values.items()
    )


def content(text: str) -> str:
    """Text between tags, line by line."""
    return "\n".join(escape(shown(line)) for line in text.split("\n"))
