"""The card of a dataset: what it is, how it was made, what its files are."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.config import Config


def dataset_card(
    corpus: str, config: Config, counts: Mapping[str, object], *, circular: bool = False
) -> str:
    """A Markdown card; without dates or paths, so that the same data has the same card.

    ``circular``: the scorer saw the corpus's short answers.
    """
    match = config.match
    weights = ""
    if match.scorer != "learned":  # which has no use for them
        triple = ", ".join(f"{weight:g}" for weight in match.weights)
        weights = f"| weights of 1-, 2- and 3-grams | {triple} |\n"
    collection = (
        "every passage of the collection"
        if config.datasets.collection == "full"
        else "only the passages that qrels or run name, so it is no collection to retrieve from"
    )
    flag = (
        "\nThe scorer saw the short answers of the corpus: systems that look for them, and "
        "accuracy by\nanswer string, are judged too well by this silver standard.\n"
        if circular
        else ""
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {counts[name]} |" for name in counts)
    return f"""# {corpus}: answer passage retrieval

Questions of the corpus `{corpus}` over one version of Wikipedia. The relevant passages are a
*silver standard*: passages with a sentence whose similarity to an answer sentence of the corpus is
at or over a threshold. Nobody judged them one by one; the report says how often they are right.
{flag}
| setting | value |
|---|---|
| scorer | {match.scorer} |
{weights}| threshold | {match.threshold:g} |
| short sentences | {match.short_sentences} |
| candidate passages an answer sentence | {match.depth} |
| passage | {config.segment.unit} |

| count | value |
|---|---|
{rows}

| file | what |
|---|---|
| `corpus.jsonl` | {collection}: `_id`, `title`, `text` (BEIR) |
| `queries.jsonl` | all questions: `_id`, `text` (BEIR) |
| `qrels/<split>.tsv` | the relevant passages of the mapped questions (BEIR) |
| `trec/topics.tsv`, `trec/qrels.txt` | the same for trec_eval, ir_measures and Pyserini |
| `trec/run.trec` | what this project's own retrieval found for the questions |

The texts stay under the licences of the corpus and of Wikipedia.
"""
