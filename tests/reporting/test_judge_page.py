"""The judging page in a real browser: keys, mouse, undo, autosave, download, and nothing else."""

import csv
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.evaluation.judgments import parse_judgments
from pipeline.evaluation.merging import merge
from pipeline.reporting.judging import render_judging_page
from tests.reporting.browser import Browser, find_chromium
from tests.reporting.test_judging import HOSTILE, item

pytestmark = pytest.mark.browser

ITEMS = [
    item(0, question="Where does it flow?", answer="It flows 𝕏 north, to the sea."),
    item(1, passage=HOSTILE, answer=HOSTILE, question=HOSTILE, title=HOSTILE),
    item(2, answer='He said "no",\ntwice.', question=""),
]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium on PATH")
    browser = Browser(program, tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture
def page(started: Browser, tmp_path: Path) -> Browser:
    """The page of three pairs, opened anew, with nothing kept from before."""
    path = tmp_path / "page.html"
    path.write_text(render_judging_page("own", ITEMS), encoding="utf-8")
    started.requested.clear()
    started.refused.clear()
    started.complaints.clear()
    started.open(path.as_uri())
    started.value("localStorage.clear()")
    started.open(path.as_uri())
    return started


def test_the_first_pair_is_shown_with_its_matching_sentence_and_what_is_in_common(
    page: Browser,
) -> None:
    assert page.text("#progress") == "pair 1 of 3, 0 judged, 3 to go"
    assert page.text("#question") == "Where does it flow?"
    assert page.text("#answer") == "It flows 𝕏 north, to the sea."
    assert page.text(".window") == "It flows north to the sea."
    assert page.text("#passage") == "It is long. It flows north to the sea. It is wide."
    assert page.text(".window mark.n3") == "north to the sea."
    assert "similarity" not in page.text("main")


def test_keys_judge_and_undo_takes_back(page: Browser) -> None:
    page.press("1", "0")
    assert page.text("#progress") == "pair 3 of 3, 2 judged, 1 to go"
    page.press("u")
    assert page.text("#progress") == "pair 2 of 3, 1 judged, 2 to go"
    page.press("?", "1")
    assert page.text("#progress") == "3 judged, 0 to go"
    assert page.value("!document.querySelector('#done').hidden")
    page.press("ArrowLeft", "ArrowLeft")
    assert page.value("document.querySelector('[data-label=\"?\"]').ariaPressed") == "true"
    page.press("0")
    page.press("u", "u", "u", "u")
    assert page.text("#progress") == "pair 1 of 3, 0 judged, 3 to go"


def test_the_mouse_does_what_the_keys_do(page: Browser) -> None:
    page.click('[data-label="1"]')
    page.click('[data-label="0"]')
    page.click("#undo")
    page.click("#next")
    assert page.text("#progress") == "pair 3 of 3, 1 judged, 2 to go"
    assert page.value("document.querySelector('#question').hidden")
    page.click("#back")
    assert page.text("#question") == HOSTILE


def test_judgments_survive_a_reload(page: Browser) -> None:
    page.press("1")
    page.value("window.old = true; location.reload()")
    page.wait("!window.old && document.readyState === 'complete'")
    page.wait("document.querySelector('#progress')?.innerText")
    assert page.text("#progress") == "pair 2 of 3, 1 judged, 2 to go"
    page.press("u")
    assert page.text("#progress") == "pair 1 of 3, 0 judged, 3 to go"


def test_writing_a_name_judges_nothing(page: Browser) -> None:
    page.click("#name")
    page.press("1", "0", "u", "?")
    assert page.text("#progress") == "pair 1 of 3, 0 judged, 3 to go"
    assert page.value("document.querySelector('#name').value") == "10u?"


def test_a_download_needs_a_name_and_reads_back_as_it_was_judged(
    page: Browser, tmp_path: Path
) -> None:
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path),
              eventsEnabled=False)  # fmt: skip
    page.press("1", "0", "?")
    page.click("#name")
    page.click("#download")
    assert not list(tmp_path.glob("*.csv"))
    page.call("Input.insertText", text='Ada "L", of Lune')
    page.click('[value="program"]')
    page.click("#download")
    page.wait("document.querySelector('#message').innerText === '3 judgments downloaded.'")
    path = tmp_path / "judgments-own-Ada-L-of-Lune.csv"
    for _ in range(200):
        if path.exists():
            break
        time.sleep(0.05)
    text = path.read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(keepends=True)))
    assert [row["label"] for row in rows] == ["1", "0", "?"]
    assert [row["passage"] for row in rows] == [entry.passage for entry in ITEMS]
    assert {(row["judge"], row["judge_kind"]) for row in rows} == {('Ada "L", of Lune', "program")}
    merged = merge([("here", row) for row in rows], hash_texts=False)
    assert merged.counts["written"] == 3
    judged = list(parse_judgments(text.split("\n"), "here", is_csv=True))
    assert [pair.label for pair in judged] == ["1", "0", "?"]


def test_hostile_text_is_shown_and_nothing_runs_or_loads(page: Browser) -> None:
    page.press("ArrowRight")
    assert page.text("#passage") == HOSTILE
    assert page.value("typeof window.hacked") == "undefined"
    assert page.value("document.querySelectorAll('main img, main script').length") == 0
    assert all(url.startswith(("file:", "about:")) for url in page.requested), page.requested
    assert page.complaints == []


def test_the_policy_stops_what_is_not_ours(page: Browser) -> None:
    page.value(
        "document.body.appendChild(Object.assign(document.createElement('script'), "
        "{textContent: 'window.hacked = 1'})); "
        "document.body.appendChild(Object.assign(new Image(), {src: 'https://example.org/a.png'}))"
        " && 0"
    )
    assert page.value("typeof window.hacked") == "undefined"
    page.wait("document.images[0].complete")
    assert page.refused == ["csp"]


@pytest.mark.parametrize("width", [320, 375, 1200])
def test_the_page_fits_the_screen(page: Browser, width: int) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=1,
              mobile=width < 500)  # fmt: skip
    page.press("ArrowRight")
    assert page.value("document.documentElement.scrollWidth") <= width
    page.call("Emulation.clearDeviceMetricsOverride")


def test_it_is_dark_where_the_reader_wants_it_dark(page: Browser) -> None:
    shades = []
    for scheme in ("light", "dark"):
        page.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])  # fmt: skip
        shades.append(page.value("getComputedStyle(document.body).backgroundColor"))
    assert shades == ["rgb(255, 255, 255)", "rgb(20, 23, 28)"]
    page.call("Emulation.setEmulatedMedia", features=[])


def test_a_page_on_which_all_is_judged_says_so(started: Browser, tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    path.write_text(render_judging_page("own", []), encoding="utf-8")
    started.open(path.as_uri())
    assert started.text("#progress") == "0 judged, 0 to go"
    assert started.text("#done") == "All pairs are judged. Download the judgments."
    started.press("1", "u", "ArrowRight")
    assert started.value("document.querySelector('#pair').hidden")
