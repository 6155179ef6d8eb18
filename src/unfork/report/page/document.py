"""The page as one HTML document: template, style, script and data, with a policy that lets nothing else in."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

_SCRIPTS = ("begin", "source", "lists", "path", "proofs", "scan", "icicle", "keys", "live", "end")
"""The script's parts, in order."""
_LEVEL = 6
"""Of compression: more takes twice as long for a twentieth less."""


def document(data: Mapping[str, Any], title: str) -> bytes:
    """The document. ``data`` goes in compressed; of it only ``title`` is in the text, escaped."""
    return _put_together(title, base64.b64encode(packed(data)).decode(), "", "")


def live_document(title: str) -> bytes:
    """The document of a run that goes on: it asks for its data, and for nothing that is not below its own address."""
    return _put_together(title, "", " data-live", "connect-src 'self'; ")


def packed(data: Mapping[str, Any]) -> bytes:
    """The data as the page's script takes it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode()
    return gzip.compress(text, _LEVEL, mtime=0)


def _put_together(title: str, data: str, live: str, more: str) -> bytes:
    style = _asset("page.css")
    script = "".join([_asset(f"script/{name}.js") for name in _SCRIPTS])
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; {more}"
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"POLICY": policy, "TITLE": escape(title), "STYLE": style, "SCRIPT": script, "DATA": data, "LIVE": live}
    out = []
    for number, part in enumerate(_asset("page.html").split("@@")):
        out.append(parts[part] if number % 2 else part)
    return "".join(out).encode()


def _asset(name: str) -> str:
    return files("unfork.report.page").joinpath("assets").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
