"""Templates: what a reader sees of them."""

from __future__ import annotations

from collections import Counter


def expand_templates(text: str, unknown: Counter[str]) -> str:
    from pipeline.wikipedia.braces import outermost_templates

    out = []
    position = 0
    for span in outermost_templates(text):
        out.append(text[position:span.start])
        out.append("\x07")
        position = span.end
    out.append(text[position:])
    return "".join(out)
