"""Title agreement and decoy rate, worked out by hand."""

import pyarrow as pa

from pipeline.evaluation.unjudged import unjudged_figures
from pipeline.matching.best import columns_of, reference_rows
from pipeline.records import Score, arrow_schema
from tests.fakes import score

OTHER = {"title_match": False}
NAMELESS = {"title_match": None, "article_present": None}
SCORES = [
    score("q1", "1-0", 0.9),
    score("q1", "2-0", 0.6, rank=2, **OTHER),
    score("q2", "2-0", 0.5, **OTHER),
    score("q3", "1-0", 0.2),
    score("q4", "1-0", 0.9, **NAMELESS),
    score("q5", None),
]


def figures(theta: float, *, titles: bool = True) -> dict:
    columns = columns_of(pa.Table.from_pylist(SCORES, schema=arrow_schema(Score)))
    return unjudged_figures(columns, columns.reference(), reference_rows(columns), theta,
                            titles=titles)  # fmt: skip


def test_each_figure_has_its_denominator() -> None:
    assert figures(0.4) == {
        "title_percent": 50.0,  # q1 of q1 and q2, which are mapped and name an article
        "title_named": 2,
        "decoy_percent": 50.0,  # q1 and q2 of the four that name one
        "decoy_named": 4,
    }
    assert figures(0.55)["decoy_percent"] == 25.0
    assert figures(0.95) == {"title_percent": 0.0, "title_named": 0, "decoy_percent": 0.0,
                             "decoy_named": 4}  # fmt: skip


def test_a_scorer_that_sees_titles_gets_no_title_agreement() -> None:
    assert figures(0.4, titles=False).keys() == {"decoy_percent", "decoy_named"}
