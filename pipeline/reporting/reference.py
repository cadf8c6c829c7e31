"""The published rows that ours are read beside.

T. Jurczyk, A. Deshmane, J. D. Choi, arXiv 1801.02073: dump enwiki-20160820, 28.7 million
paragraphs, the best 5 of them, weights (0.25, 0.35, 0.40); robustness judged on 50 samples a case.
"""

from __future__ import annotations

from dataclasses import dataclass

SOURCE = (
    "Jurczyk, Deshmane and Choi, arXiv 1801.02073, over 28.7 million paragraphs of enwiki-20160820"
)


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """Per threshold (robustness percent, questions mapped, coverage percent); top-k in percent."""

    coverage: dict[float, tuple[float, int, float]]
    top_k: dict[int, float]


PUBLISHED = {
    "wikiqa": PublishedRow(
        {0.3: (92.0, 1203, 96.86), 0.4: (94.0, 1139, 91.71), 0.5: (100.0, 1051, 84.62)},
        {1: 4.39, 5: 12.47, 10: 16.59, 20: 22.39},
    ),
    "selqa": PublishedRow(
        {0.3: (90.0, 7446, 94.28), 0.4: (94.0, 7133, 90.31), 0.5: (98.0, 6870, 86.98)},
        {1: 20.01, 5: 34.07, 10: 40.29, 20: 46.40},
    ),
    "squad": PublishedRow(
        {0.3: (100.0, 93928, 95.61), 0.4: (100.0, 93928, 95.61), 0.5: (100.0, 93928, 95.61)},
        {1: 19.90, 5: 35.08, 10: 40.96, 20: 46.74},
    ),
}


def published_row(corpus: str) -> PublishedRow | None:
    """The published row of a corpus, by its name up to the first '-' or '_': ``selqa-dev``."""
    for name, row in PUBLISHED.items():
        if corpus == name or corpus.startswith((f"{name}-", f"{name}_")):
            return row
    return None
