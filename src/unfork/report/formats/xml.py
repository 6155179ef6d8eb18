"""XML 1.0 as a tree. It shows control characters, most of which XML cannot write, as escapes."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from unfork.program.c.escape import escape_text

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def root(tag: str, /, **values: object) -> Element:
    """The root of a document, with attributes named as in ``child``."""
    return Element(tag, _attributes(values))


def child(parent: Element, tag: str, text: str = "", /, **values: object) -> Element:
    """A new last child of ``parent``, with a text of one line and attributes.

    In attribute names, a trailing underscore disappears and others become hyphens.
    """
    element = SubElement(parent, tag, _attributes(values))
    element.text = escape_text(text) or None
    return element


def document(root: Element, head: str = HEAD) -> str:
    """The text of a document; ``head`` comes before its root."""
    indent(root, " ")
    return f"{head}{tostring(root, 'unicode')}\n"


def _attributes(values: dict[str, object]) -> dict[str, str]:
    return {name.rstrip("_").replace("_", "-"): escape_text(str(value)) for name, value in values.items()}
