"""The records: each row survives writing and reading, and each schema is the contract's."""

import dataclasses
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import files, records
from tests import strategies

NAMED = {
    records.Article: "page_id int64, revision_id int64, title string, blocks list",
    records.Redirect: "title string, target string, page_id int64",
    records.Passage: (
        "passage_id string, page_id int64, revision_id int64, title string, section string, "
        "text string, text_sha1 string, sentence_starts list, sentence_ends list"
    ),
    records.Question: (
        "question_id string, corpus string, split string, question string, title string?, "
        "answer_sentences list, answers list, candidates list, labels list, attributes map"
    ),
    records.Candidate: (
        "question_id string, answer_index int32, rank int32, passage_id string, "
        "retrieval_score double"
    ),
    records.Silver: (
        "question_id string, answer_index int32, passage_id string?, sentence_index int32?, "
        "sentence_count int32?, similarity double?, cosine_similarity double?, rank int32?, "
        "matched bool, loss string?"
    ),
}


def test_every_record_of_the_module_is_tested_here() -> None:
    declared = {
        value
        for value in vars(records).values()
        if dataclasses.is_dataclass(value) and value is not records.Block
    }
    assert declared == set(strategies.ROWS_OF)


@pytest.mark.parametrize("record", NAMED, ids=lambda record: record.__name__)
def test_the_columns_of_a_record_are_those_of_the_contract(record: type) -> None:
    columns = [
        f"{field.name} {str(field.type).partition('<')[0]}{'?' if field.nullable else ''}"
        for field in records.arrow_schema(record)
    ]
    assert ", ".join(columns) == NAMED[record]


def test_the_types_inside_lists_and_maps_are_those_of_the_contract() -> None:
    passage, question = (
        records.arrow_schema(record) for record in (records.Passage, records.Question)
    )
    assert passage.field("sentence_starts").type.value_type == pa.int32()
    assert question.field("labels").type.value_type == pa.int8()
    attributes = question.field("attributes").type
    assert (attributes.key_type, attributes.item_type) == (pa.string(), pa.string())
    block = records.arrow_schema(records.Article).field("blocks").type.value_type
    assert [field.name for field in block] == ["kind", "section", "text"]


@pytest.mark.parametrize("record", strategies.ROWS_OF, ids=lambda record: record.__name__)
@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(data=st.data())
def test_every_row_that_is_written_is_read_again(
    record: type, tmp_path: Path, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(strategies.ROWS_OF[record], max_size=4))
    path = tmp_path / "rows.parquet"
    assert files.write_records(path, record, rows) == len(rows)
    assert list(files.read_records(path, record)) == rows
    assert files.read_table(path, record).num_rows == len(rows)
    assert files.row_count(path, record) == len(rows)


def test_a_record_cannot_be_changed_and_takes_no_unknown_field() -> None:
    row = records.Redirect(title="A", target="B", page_id=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.title = "C"  # type: ignore[misc]
    with pytest.raises(TypeError):
        records.Redirect(title="A", target="B", page_id=1, more=2)  # type: ignore[call-arg]


def test_the_sentences_of_a_passage_are_cut_by_its_offsets() -> None:
    passage = records.Passage(
        passage_id="1-0", page_id=1, revision_id=1, title="T", section="", text="Ångström. Two. ",
        text_sha1="", sentence_starts=(0, 10), sentence_ends=(9, 14),
    )  # fmt: skip
    assert passage.sentences() == ["Ångström.", "Two."]
