"""questions: a corpus in its published format becomes one file of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from pipeline import files
from pipeline.cluster import show_progress
from pipeline.config import Compute, Config, check_corpus_name
from pipeline.corpora.registry import CorpusFormat, Splitter, files_of, format_named, split_of
from pipeline.corpora.rows import REPAIRS, Rejected
from pipeline.errors import InputError, SilverError
from pipeline.records import Question, is_split_name


def run_questions(
    corpus: str,
    format_name: str,
    inputs: Sequence[tuple[str | None, Path]],
    out: Path,
    config: Config,
    compute: Compute,
) -> dict[str, object]:
    """Read a corpus and write its questions, sorted by ``question_id`` in code point order.

    Each input is a split, or None to read it off the file's name, and a file or folder. Beside
    ``out`` stand ``<name>.stats.json`` and ``<name>.rejected.jsonl``. Returns the counts.
    """
    try:
        check_corpus_name(corpus)
    except ValueError as error:
        raise InputError(f"--corpus: {error}") from None
    corpus_format = format_named(format_name)
    sources, passed_over = _sources(inputs, corpus_format)
    _check_not_an_input(out, [path for _, path in sources])
    splitter, settings = _splitter(corpus_format, sources, config)
    questions, rejected, read = _gather(_items(corpus, corpus_format, sources, splitter, compute))
    if not questions:
        raise InputError(_nothing_found(format_name, sources, rejected))

    inputs_read = [(split, files.file_fingerprint(path)) for split, path in sources]
    if corpus_format.beside is not None:
        beside = [file for _, path in sources for file in corpus_format.beside(path)]
        inputs_read += [(file.name, files.file_fingerprint(file)) for file in beside]
    fingerprint = files.fingerprint("questions", corpus, format_name, settings, inputs_read)
    written = files.write_records(out, Question, questions, {files.FINGERPRINT: fingerprint})
    dropped = sum(item.unit == "question" for item in rejected)
    if read != written + dropped:
        raise SilverError(f"{out}: read {read} questions, wrote {written}, dropped {dropped}")
    files.write_json_lines(files.sidecar(out, "rejected.jsonl"), map(asdict, rejected))
    counts = _counts(questions, rejected, read)
    stats = files.stats(
        counts,
        fingerprint,
        files=[{"name": path.name, "split": split} for split, path in sources],
        files_passed_over=[path.name for path in passed_over],
    )
    files.write_json(files.sidecar(out, "stats.json"), stats)
    return counts


def _gather(
    items: Iterable[tuple[Path, Question | Rejected]],
) -> tuple[list[Question], list[Rejected], int]:
    """The questions sorted by id, what was dropped, and how many questions there were to read.

    The first question of an id is kept.
    """
    questions: dict[str, Question] = {}
    rejected: list[Rejected] = []
    read = 0
    for path, item in items:
        read += isinstance(item, Question) or item.unit == "question"
        if isinstance(item, Rejected):
            rejected.append(item)
        elif item.question_id in questions:
            reason = "duplicate question id"
            rejected.append(Rejected(reason=reason, where=path.name, what=item.question_id))
        else:
            questions[item.question_id] = item
    return [questions[key] for key in sorted(questions)], rejected, read


def _sources(
    inputs: Sequence[tuple[str | None, Path]], corpus_format: CorpusFormat
) -> tuple[list[tuple[str, Path]], list[Path]]:
    """Every file with its split, in order, and those passed over; one named twice is read once."""
    sources: dict[Path, str] = {}
    passed_over: list[Path] = []
    for split, path in inputs:
        if split is not None and not is_split_name(split):
            raise InputError(
                f"--input: '{split}' is no name of a split; expected letters, digits, '-' and '_'"
            )
        taken, left = files_of(path, corpus_format)
        passed_over += left
        for file in taken:
            sources.setdefault(file, split or split_of(file))
    if not sources:
        raise InputError("--input: names no file; expected a corpus")
    return [(split, path) for path, split in sources.items()], passed_over


def _splitter(
    corpus_format: CorpusFormat, sources: Sequence[tuple[str, Path]], config: Config
) -> tuple[Splitter | None, list[str]]:
    """The sentence splitter where the format needs one, and the settings that it depends on.

    Punkt learns from the corpus's own running text.
    """
    if corpus_format.contexts is None:
        return None, []
    from pipeline.wikipedia.segmentation.sentences import make_splitter

    name, language = config.segment.splitter, config.segment.language
    contexts = corpus_format.contexts
    text = (context for _, path in sources for context in contexts(path))
    return make_splitter(name, language, text if name == "punkt" else None), [name, language]


def _items(
    corpus: str,
    corpus_format: CorpusFormat,
    sources: Sequence[tuple[str, Path]],
    splitter: Splitter | None,
    compute: Compute,
) -> Iterator[tuple[Path, Question | Rejected]]:
    positions: Counter[str] = Counter()
    label = f"questions {corpus}"
    for split, path in show_progress(sources, len(sources), compute.quiet, label):
        first = positions[split]
        for item in corpus_format.read(path, corpus, split, first, splitter):
            positions[split] += isinstance(item, Question) or item.unit == "question"
            yield path, item


def _nothing_found(
    format_name: str, sources: Sequence[tuple[str, Path]], rejected: Sequence[Rejected]
) -> str:
    names = ", ".join(str(path) for _, path in sources)
    if rejected:
        first = rejected[0]
        return (
            f"{names}: no usable question among {len(rejected)} rows; the first was dropped "
            f"({first.where}: {first.reason}); expected {format_name}"
        )
    return f"{names}: no question; expected {format_name}"


def _counts(
    questions: Sequence[Question], rejected: Sequence[Rejected], read: int
) -> dict[str, object]:
    repairs = (
        kind
        for question in questions
        for kind in question.attributes.get(REPAIRS, "").split(";")
        if kind
    )
    splits = sorted({question.split for question in questions})
    return {
        "read": read,
        "questions": len(questions),
        "answerable": sum(bool(question.answer_sentences) for question in questions),
        "answer_sentences": sum(len(question.answer_sentences) for question in questions),
        "candidates": sum(len(question.candidates) for question in questions),
        "splits": {split: _split_counts(questions, split) for split in splits},
        "rejected": files.counted(item.reason for item in rejected if item.unit == "question"),
        "rejected_parts": files.counted(item.reason for item in rejected if item.unit == "part"),
        "repaired": files.counted(repairs),
    }


def _split_counts(questions: Sequence[Question], split: str) -> dict[str, int]:
    mine = [question for question in questions if question.split == split]
    return {
        "questions": len(mine),
        "answerable": sum(bool(question.answer_sentences) for question in mine),
    }


def _check_not_an_input(out: Path, sources: Iterable[Path]) -> None:
    written = {out, *(files.sidecar(out, kind) for kind in ("stats.json", "rejected.jsonl"))}
    resolved = {path.resolve() for path in written}
    for source in sources:
        if source.resolve() in resolved:
            raise InputError(f"--out {out}: would overwrite the input {source}")
