"""The sample stage: a whole folder, the same for the same seed, that the other stages can read."""

import hashlib
import json
from pathlib import Path

import pytest

from pipeline import files
from pipeline.config import Compute, Config, load_compute, load_config
from pipeline.errors import InputError
from pipeline.records import Article, Passage, Question, Redirect
from pipeline.sample.encyclopedia import chapters
from pipeline.sample.pages import page_id_of
from pipeline.stages.extract import run_extract
from pipeline.stages.questions import run_questions
from pipeline.stages.sample import DUMP, GOLD, run_sample
from pipeline.stages.segment import run_segment

ROOT = Path(__file__).resolve().parents[2]
ARTICLES, SEED = 120, 5
FORMATS = {"selqa": "selqa-ass-json", "wikiqa": "wikiqa-tsv", "squad": "squad-json"}


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def gold(folder: Path) -> list[dict]:
    lines = (folder / GOLD).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def config() -> Config:
    return load_config(ROOT / "configs/profiles/sample.yaml")


@pytest.fixture(scope="module")
def compute() -> Compute:
    return load_compute(ROOT / "configs/compute.yaml", workers=1, quiet=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, config: Config, compute: Compute) -> Path:
    """A folder with a sample, its articles, passages and questions."""
    folder = tmp_path_factory.mktemp("made")
    run_sample(folder / "sample", ARTICLES, SEED)
    run_extract([folder / "sample" / DUMP], folder / "articles", config, compute)
    run_segment(folder / "articles", folder / "passages", config, compute)
    for corpus, name in FORMATS.items():
        inputs = [(None, folder / "sample" / corpus)]
        run_questions(corpus, name, inputs, folder / f"{corpus}.parquet", config, compute)
    return folder


def records[Kind](folder: Path, kind: type[Kind]) -> list[Kind]:
    parts = files.list_parts(folder, whole=False)
    return [row for part in parts for row in files.read_records(part, kind)]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    run_sample(tmp_path / "one", 45, 3)
    run_sample(tmp_path / "other", 45, 3)
    assert digests(tmp_path / "one") == digests(tmp_path / "other")


def test_another_seed_gives_other_bytes_in_every_file(tmp_path: Path) -> None:
    run_sample(tmp_path / "one", 45, 3)
    run_sample(tmp_path / "other", 45, 4)
    one, other = digests(tmp_path / "one"), digests(tmp_path / "other")
    assert set(one) == set(other)
    assert all(one[name] != other[name] for name in one)


def test_an_older_sample_is_replaced_whole(tmp_path: Path) -> None:
    run_sample(tmp_path / "sample", 20, 1)
    run_sample(tmp_path / "sample", 20, 2)
    run_sample(tmp_path / "other", 20, 2)
    assert digests(tmp_path / "sample") == digests(tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "sample"]


@pytest.mark.parametrize(("articles", "seed", "name"), [(19, 1, "articles"), (20, -1, "seed")])
def test_numbers_out_of_range_are_refused(
    tmp_path: Path, articles: int, seed: int, name: str
) -> None:
    with pytest.raises(InputError, match=f"--{name}"):
        run_sample(tmp_path / "sample", articles, seed)
    assert not list(tmp_path.iterdir())


def test_a_folder_with_foreign_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        run_sample(tmp_path, 20, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("seed", range(4))
def test_the_smallest_sample_has_questions_in_every_split(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "sample"
    run_sample(folder, 20, seed)
    for corpus in ("selqa", "squad"):
        for path in (folder / corpus).iterdir():
            tree = json.loads(path.read_text(encoding="utf-8"))
            assert tree if isinstance(tree, list) else tree["data"]
    for path in (folder / "wikiqa").iterdir():
        assert len(path.read_text(encoding="utf-8").splitlines()) > 1


@pytest.mark.parametrize("articles", [20, 41, 81])
def test_the_dump_holds_as_many_articles_as_asked_for(tmp_path: Path, articles: int) -> None:
    stats = run_sample(tmp_path / "sample", articles, 2)
    counts = stats["counts"]
    assert isinstance(counts, dict)
    assert counts["articles"] == articles
    assert all(path.stat().st_size for path in (tmp_path / "sample").rglob("*.*"))


def test_the_manifest_declares_the_shares_and_counts_what_was_made(made: Path) -> None:
    stats = json.loads((made / "sample" / files.STATS).read_text())
    assert stats["declared_shares"]
    assert stats["articles"] == ARTICLES
    for corpus, counts in stats["answer_sentences"].items():
        lines = [row for row in gold(made / "sample") if row["corpus"] == corpus]
        assert sum(counts.values()) == len(lines)


def test_every_paragraph_comes_out_of_the_extraction_as_it_was_written(made: Path) -> None:
    articles = {article.page_id: article for article in records(made / "articles", Article)}
    for chapter in chapters(ARTICLES, SEED):
        for article in chapter.articles:
            if article.entity.fate == "absent":
                continue
            found = articles[page_id_of(chapter.region, article)]
            extracted = [block.text for block in found.blocks if block.kind == "paragraph"]
            texts = [article.new_text(paragraph).plain for paragraph in article.paragraphs]
            written = [text for text in texts if text]
            assert extracted[: len(written)] == written
            assert found.title == article.entity.title


def test_gold_texts_are_passages_of_the_pages_they_name(made: Path) -> None:
    passages = {(row.page_id, row.text) for row in records(made / "passages", Passage)}
    texts = [row for row in gold(made / "sample") if row["text"] is not None]
    assert texts
    assert all((row["page_id"], row["text"]) in passages for row in texts)


@pytest.mark.parametrize("corpus", FORMATS)
def test_gold_knows_every_answer_sentence_that_the_readers_find(made: Path, corpus: str) -> None:
    questions = list(files.read_records(made / f"{corpus}.parquet", Question))
    found = {
        (question.question_id, index)
        for question in questions
        for index in range(len(question.answer_sentences))
    }
    lines = [row for row in gold(made / "sample") if row["corpus"] == corpus]
    assert found == {(row["question_id"], row["answer_index"]) for row in lines}
    assert (made / f"{corpus}.rejected.jsonl").read_text() == ""


def test_the_article_a_corpus_names_is_there_through_redirects_or_was_lost(made: Path) -> None:
    titles = {article.title for article in records(made / "articles", Article)}
    redirects = {row.title: row.target for row in records(made / "articles/redirects", Redirect)}
    absent = {row["question_id"] for row in gold(made / "sample") if row["page_id"] is None}
    renamed = 0
    for corpus in FORMATS:
        for question in files.read_records(made / f"{corpus}.parquet", Question):
            assert question.title is not None
            title = question.title.replace("_", " ")
            renamed += title in redirects
            present = redirects.get(title, title) in titles
            if question.answer_sentences:
                assert present == (question.question_id not in absent)
    assert renamed
