"""The whole chain on real input: SelQA dev over an excerpt of the Wikipedia of spring 2016."""

from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import Config, load_compute, load_config, with_values
from pipeline.records import Passage, Silver
from pipeline.stages.candidates import run_candidates
from pipeline.stages.extract import run_extract
from pipeline.stages.index import run_index
from pipeline.stages.match import run_match
from pipeline.stages.questions import run_questions
from pipeline.stages.score import run_score
from pipeline.stages.segment import run_segment

ROOT = Path(__file__).resolve().parent.parent

# Positions in SelQA dev of the questions whose article is in the excerpt.
ARTICLE_OF = {
    72: "Albert Einstein",
    266: "Algeria",
    587: "Algeria",
    599: "Algeria",
    383: "Apollo 11",
    771: "Apollo 11",
    435: "Anatomy",
    464: "Atomic number",
    716: "Atomic number",
}


@pytest.fixture(scope="module")
def config() -> Config:
    loaded = load_config(ROOT / "configs" / "profiles" / "enwiki.yaml")
    return with_values(loaded, "match", scorer="cosine", threshold=0.4)


@pytest.mark.real
def test_questions_whose_article_is_there_are_mapped_to_it(
    real_data: Path, tmp_path: Path, config: Config
) -> None:
    compute = load_compute(ROOT / "configs" / "compute.yaml", workers=1, quiet=True)
    dump = real_data / "dumps" / "enwiki-2016-excerpt.xml.bz2"
    corpus = real_data / "qa" / "selqa-ass-dev.json"
    articles, passages, index = (tmp_path / name for name in ("articles", "passages", "index"))
    questions, candidates, scores, silver = (
        tmp_path / f"{name}.parquet" for name in ("questions", "candidates", "scores", "silver")
    )
    run_extract([dump], articles, config, compute)
    run_segment(articles, passages, config, compute)
    run_index(passages, index, config, compute)
    run_questions("selqa", "selqa-ass-json", [("dev", corpus)], questions, config, compute)
    run_candidates(questions, index, candidates, config, compute)
    run_score(questions, candidates, index, articles / "redirects", scores, config, compute)
    counts = run_match(questions, scores, silver, config, compute)

    title_of = {
        passage.passage_id: passage.title
        for part in files.list_parts(passages)
        for passage in files.read_records(part, Passage)
    }
    mapped_titles: dict[str, set[str]] = {}
    for row in files.read_records(silver, Silver):
        if row.matched and row.passage_id is not None:
            mapped_titles.setdefault(row.question_id, set()).add(title_of[row.passage_id])
    right = {
        position
        for position, title in ARTICLE_OF.items()
        if title in mapped_titles.get(f"selqa-dev-{position}", set())
    }
    print(f"\n{len(right)} of {len(ARTICLE_OF)} mapped to their article; in all {counts}")
    assert len(right) >= 8, f"lost: {sorted(set(ARTICLE_OF) - right)}"
    assert counts["answerable"] == 785
