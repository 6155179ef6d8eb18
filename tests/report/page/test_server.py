"""The page of a run that goes on: who may read it, what they are told, and what they may ask for."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.report.page.chromium import MISSING, Browser, program
from unfork.errors import InputError
from unfork.report.page.data import EngineData, page_data
from unfork.report.page.document import live_document
from unfork.report.page.server import PageNews, Site
from unfork.report.record.kept_run import KeptRun, read_run

ENDLESS = """
#include "unfork.h"
int main(void) {
  unsigned x, sum = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 7)
    sum = 1;
  for (;;)
    sum = sum * 5 + 1;
}
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr("unfork.report.page.server.read_run", lambda root: root)
    monkeypatch.setattr("unfork.report.page.server.page_data", lambda run, told, opened: {"root": run.name})
    monkeypatch.setattr("unfork.report.page.server.live_document", lambda title: b"<p>the page</p>")
    asked: list[str] = []
    served = Site(0, asked.append)
    served.show(tmp_path / "run")
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()
    thread.join()
    assert set(asked) <= {"stop", "tests"}


def ask(
    address: str, what: str = "", method: str = "GET", **headers: str
) -> tuple[int, bytes, http.client.HTTPMessage]:
    place = urlsplit(address)
    assert place.hostname is not None
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    connection.request(
        method, place.path + what, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )
    response = connection.getresponse()
    return response.status, response.read(), response.headers


def test_the_page_and_its_data_are_behind_a_secret(site: Site) -> None:
    status, text, _ = ask(site.address)
    assert (status, text) == (200, b"<p>the page</p>")
    assert json.loads(gzip.decompress(ask(site.address, "data")[1])) == {"root": "run"}
    root = f"http://127.0.0.1:{site.server_port}/"
    for wrong in ("", "x/", f"{'x' * len(site.secret)}/data", f"{site.secret}x/", f"{site.secret}/other", "a/b/c"):
        assert ask(root, wrong)[0] == 404


@pytest.mark.parametrize("name", ["\r\nX-Owned: 1\r\n\r\n<script>", "\u03a9", "\udcff"])
def test_a_run_that_has_written_nothing_is_told_without_its_name(
    name: str, site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(root: Path) -> KeptRun:
        raise InputError(f"{root / name} holds no summary.json")

    monkeypatch.setattr("unfork.report.page.server.read_run", nothing)
    status, text, headers = ask(site.address, "data")
    assert status == 503 and "X-Owned" not in headers and b"<script>" not in text
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(program() is None, reason=MISSING)
def test_what_is_selected_stays_when_newer_data_is_numbered_otherwise(
    site: Site, regexp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new error in another file comes before what a reader looks at."""
    first = page_data(read_run(regexp), EngineData())
    other = {"name": "other.c", "status": "same", "note": "", "lines": [["", "int other;"]] * 99}
    second = {
        **first,
        "files": [other, *first["files"]],
        "findings": [{**first["findings"][0], "test": "tests/999999.json"}, *first["findings"]],
        "places": [first["places"][0], *[[file + 1, line, name] for file, line, name in first["places"][1:]]],
        "lines": {str(int(number) + 1): lines for number, lines in first["lines"].items()},
    }
    known = [first]
    monkeypatch.setattr("unfork.report.page.server.live_document", live_document)
    monkeypatch.setattr("unfork.report.page.server.page_data", lambda run, told, opened: known[-1])
    with Browser() as browser:
        line = int(next(iter(first["lines"]["0"])))
        browser.visit(f"{site.address}#line/0/{line}")
        title = browser.value("document.querySelector('#detail h2').textContent")
        assert title.endswith(f".c:{line}")
        known.append(second)
        site.news.end()
        browser.wait("document.querySelector('#file').options.length === 2")
        assert browser.value("location.hash") == f"#line/1/{line}"
        assert browser.value("document.querySelector('#detail h2').textContent") == title
        assert browser.value("document.querySelector('#file').value") == "1"
        assert not browser.said


def test_another_site_that_names_itself_as_this_machine_reads_nothing(site: Site) -> None:
    assert ask(site.address, Host=f"evil.example:{site.server_port}")[0] == 404


def test_it_listens_on_loopback_alone(site: Site) -> None:
    assert site.server_address[0] == "127.0.0.1"


def test_orders_need_a_header_that_no_form_can_send(site: Site) -> None:
    orders: list[str] = []
    site.ask = orders.append
    assert ask(site.address, "stop", "POST")[0] == 404
    assert ask(site.address, "stop", "POST", X_Unfork="tests")[0] == 404
    assert ask(site.address, "stop", "GET", X_Unfork="stop")[0] == 404
    assert ask(site.address, "rm", "POST", X_Unfork="rm")[0] == 404
    assert not orders
    assert ask(site.address, "stop", "POST", X_Unfork="stop")[0] == 200
    assert ask(site.address, "tests", "POST", X_Unfork="tests")[0] == 200
    assert orders == ["stop", "tests"]


def test_events_tell_each_reading_and_the_end(site: Site) -> None:
    site.news.tell(b'{"states": 3}')
    site.news.end()
    status, text, headers = ask(site.address, "events")
    assert (status, headers["Content-Type"]) == (200, "text/event-stream")
    assert text == b"event: over\ndata: {}\n\n"


def test_news_are_told_once() -> None:
    news = PageNews()
    news.tell(b"1")
    news.tell(b"2")
    assert news.after(0) == (b"2", 2)
    news.end()
    assert news.after(2) == (b"", 2)


@contextlib.contextmanager
def begun(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A run without an end, and where its page is."""
    (folder / "endless.c").write_text(ENDLESS)
    words = ["run", "endless.c", "--serve", "--out", "out", "--libc", "none", "--strategy", "plain"]
    started = subprocess.Popen([sys.executable, "-m", "unfork", *words], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        assert started.stderr is not None
        yield started, next(line for line in started.stderr if "as a page" in line).split()[-1]
    finally:
        started.kill()
        started.wait()


def test_a_run_is_shown_and_stopped_from_its_page(tmp_path: Path) -> None:
    with begun(tmp_path) as (started, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]+/", address)
        assert ask(address)[0] == 200
        place = urlsplit(address)
        connection = http.client.HTTPConnection(place.netloc, timeout=60)
        connection.request("GET", place.path + "events")
        events = connection.getresponse()
        readings = (json.loads(text[6:]) for text in events if text.startswith(b"data: {"))
        assert next(readings)["states"]
        assert ask(address, "tests", "POST", X_Unfork="tests")[0] == 200
        assert next(reading for reading in readings if reading["tests"])
        assert ask(address, "stop", "POST", X_Unfork="stop")[0] == 200
        assert b"event: over\n" in list(events)
        assert ask(address, "data")[0] == 200
        assert started.wait() == 130
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["stopped_by"] == "interrupt"
    assert summary["tests"]


@pytest.mark.skipif(program() is None, reason=MISSING)
def test_a_reader_sees_the_run_go_on_and_stops_it(tmp_path: Path) -> None:
    with begun(tmp_path) as (started, address), Browser() as browser:
        browser.visit(address)
        browser.wait("document.querySelector('#reading').textContent.includes('waiting')")
        assert browser.value("document.querySelector('#live').hidden") is False
        browser.wait("document.querySelector('#code').textContent.includes('sum * 5')")
        browser.click("#tests")
        browser.wait("document.querySelectorAll('#lists a.test').length > 0")
        browser.click("#stop")
        browser.wait("document.querySelector('#reading').textContent === 'The run is over.'")
        assert browser.value("document.querySelector('#stop').disabled")
        browser.wait("document.querySelector('#detail').textContent.includes('stopped by interrupt')")
        assert started.wait() == 130
        assert not browser.said
        assert all(asked == "about:blank" or asked.startswith(address) for asked in browser.asked)


def test_a_port_that_is_taken_is_refused_before_anything_is_written(site: Site, tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int main(void) { return 0; }")
    words = ["run", "one.c", "--libc", "none", "--serve", str(site.server_port), "--out", "out"]
    ended = subprocess.run(
        [sys.executable, "-m", "unfork", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == f"unfork: --serve: port {site.server_port} cannot be had: Address already in use\n"
    assert not (tmp_path / "out").exists()
