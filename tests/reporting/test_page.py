"""The page: self-contained, and nothing in it is markup but our own."""

import re
from html.parser import HTMLParser

from pipeline.reporting.page import Plot, render_page
from pipeline.reporting.tables import Table
from tests.fakes import config

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


class Tags(HTMLParser):
    """The tags and attributes of a page, and whether every tag was closed."""

    VOID = {"meta", "link", "br", "img", "input", "hr"}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(*, name: str = "own", golden: tuple[str, ...] = (), synthetic: bool = False) -> str:
    content = [
        Table(f"Table {name}", name, ("", name), ((name, "1"),)),
        Plot(f"Plot {name}", name, '<?xml version="1.0"?>\n<svg xmlns="x"><g></g></svg>'),
    ]
    counts = {"articles": 12345, "passages": 67890}
    return render_page(config(), content, [name], counts, golden, synthetic=synthetic)


def tags_of(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    return tags


def test_hostile_names_and_titles_are_shown_and_not_run() -> None:
    text = page(name=HOSTILE)
    tags = tags_of(text)
    assert "script" not in tags.seen and "img" not in tags.seen
    assert not [key for key, _ in tags.attributes if key.startswith("on")]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_the_page_is_whole_and_loads_nothing_from_elsewhere() -> None:
    text = page()
    assert {"main", "table", "svg", "h1"} <= set(tags_of(text).seen)
    assert "<?xml" not in text
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://""", text)


def test_the_page_says_what_it_is_about_and_with_which_settings() -> None:
    text = page()
    assert "12,345 articles, 67,890 passages" in text
    assert "<dt>match.threshold</dt><dd>0.4</dd>" in text
    assert "<dt>match.weights</dt><dd>0.25, 0.35, 0.4</dd>" in text


def test_a_synthetic_sample_says_so() -> None:
    assert "synthetic" in page(synthetic=True)
    assert "synthetic" not in page(synthetic=False)


def test_known_passages_alone_make_no_sample() -> None:
    text = page(golden=("own", "b"))
    assert "right passages are known for own, b" in text
    assert "sample" not in text
    assert "are known for" not in page()


def test_the_same_figures_give_the_same_page() -> None:
    assert page() == page()
