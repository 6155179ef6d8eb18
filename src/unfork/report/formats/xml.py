"""XML 1.0 as a tree. Control characters, most of which it has no way to write, are shown in texts and attributes."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from unfork.program.c.escape import escape_text

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def root(tag: str, /, **values: object) -> Element:
    """The root of a document, with attributes as ``child`` names them."""
    return Element(tag, _attributes(values))


def child(parent: Element, tag: str, text: str = "", /, **values: object) -> Element:
    """A new last child of ``parent``, with a text of one line and attributes.

    In the names of attributes, a trailing underscore is left out and others become hyphens.
    """
    element = SubElement(parent, tag, _attributes(values))
    element.text = escape_text(text) or None
    return element


def document(root: Element, head: str = HEAD) -> str:
    """The text of a document; ``head`` is what stands before its root."""
    indent(root, " ")
    return f"{head}{tostring(root, 'unicode')}\n"


def _attributes(values: dict[str, object]) -> dict[str, str]:
    return {name.rstrip("_").replace("_", "-"): escape_text(str(value)) for name, value in values.items()}
