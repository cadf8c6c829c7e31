"""The report as one self-contained HTML page: no script, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.config import Config
from pipeline.reporting.tables import Table

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with the words around it; ``svg`` is markup that this project drew."""

    title: str
    note: str
    svg: str


def render_page(
    config: Config,
    content: Sequence[Table | Plot],
    corpora: Sequence[str],
    collection: Mapping[str, int],
    golden: Sequence[str] = (),
    *,
    synthetic: bool,
    absent: str = "",
) -> str:
    """The whole page. Everything but our own drawings is escaped.

    ``golden`` are the corpora whose right passages are known; ``synthetic`` says that they are
    known because the sample was made so. ``absent`` says how many named articles are missing.
    """
    return _template("report.html.j2").render(
        content=_items(content),
        corpora=corpora,
        collection=collection,
        golden=golden,
        synthetic=synthetic,
        absent=absent,
        settings=list(_settings(config)),
    )


def render_benchmarks(
    content: Sequence[Table | Plot], banners: Sequence[str], settings: Sequence[tuple[str, str]]
) -> str:
    """The page of the benchmarks; banners stand above the tables."""
    return _template("benchmarks.html.j2").render(
        content=_items(content), banners=banners, settings=settings
    )


def _template(name: str) -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pipeline.reporting", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _items(content: Sequence[Table | Plot]) -> list[dict[str, object]]:
    from markupsafe import Markup

    items: list[dict[str, object]] = []
    for item in content:
        if isinstance(item, Plot):
            drawing = item.svg[item.svg.index("<svg") :]  # without the XML declaration
            items.append({"title": item.title, "note": item.note, "svg": Markup(drawing)})  # noqa: S704
        else:
            items.append(
                {"title": item.title, "note": item.note, "head": item.head, "rows": item.rows}
            )
    return items


def _settings(config: Config) -> list[tuple[str, str]]:
    shown = ("segment", "index", "candidates", "score", "match", "retrieve")
    tree = config.model_dump(mode="json", include=set(shown))
    return [
        (f"{section}.{key}", _plain(value))
        for section in shown
        for key, value in tree[section].items()
    ]


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
