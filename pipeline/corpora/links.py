"""Links between articles as OTT-QA writes them: ``/wiki/Prime_Suspect``."""

from __future__ import annotations

PREFIX = "/wiki/"


def title_of_link(link: str) -> str:
    """The title of the article that a link leads to, without the part of it that is meant."""
    title = link.removeprefix(PREFIX).partition("#")[0] or link
    return title.replace("_", " ")
