"""Stage score-pairs: pairs of texts from anywhere, scored by the configured scorer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline import files
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.lucene.manifest import check_index
from pipeline.matching.best import ScoreColumns, best_windows
from pipeline.matching.features import FEATURES
from pipeline.stages.text_pairs import check_texts, score_rows


def run_score_pairs(
    pairs: Path, index: Path, redirects: Path | None, out: Path, config: Config, compute: Compute
) -> dict[str, object]:
    """Write the pairs again, each with the ``similarity`` and ``features`` of its best window."""
    check_index(index, config.index)
    with files.open_text(pairs) as lines:
        rows = list(_rows(lines, str(pairs)))
    columns = score_rows(rows, index, redirects, config)
    similarity = columns.active(config.match)
    best = {int(columns.question[row]): row for row in best_windows(columns, similarity, 1)}
    scored = (
        {**row, "similarity": float(similarity[best[number]]), "features": figures}
        for number, row in enumerate(rows)
        for figures in [_figures(columns, int(best[number]))]
    )
    written = files.write_json_lines(out, scored)
    matched = sum(bool(similarity[row] >= config.match.threshold) for row in best.values())
    return {"matched": matched, "pairs": written}


def _rows(lines: Iterable[str], source: str) -> Iterator[Mapping[str, Any]]:
    found = False
    for where, row in files.json_objects(lines, source):
        check_texts(row, where)
        found = True
        yield row
    if not found:
        raise InputError(f"{source}: holds no pair")


def _figures(columns: ScoreColumns, row: int) -> dict[str, float | int]:
    """What the scorers saw of the best window, by name."""
    figures: dict[str, float | int] = {
        "sentence_index": int(columns.sentence_index[row]),
        "sentence_count": int(columns.sentence_count[row]),
        "answer_tokens": int(columns.answer_tokens[row]),
        "sentence_tokens": int(columns.sentence_tokens[row]),
        "title_match": int(columns.title_match[row]),
    }
    for order in (1, 2, 3):
        figures[f"cosine_{order}"] = round(float(columns.cosines[row, order - 1]), 9)
    for number, name in enumerate(FEATURES):
        figures[name] = round(float(columns.features[row, number]), 6)
    return figures
