"""The tables of the report as rows of text, and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.evaluation.paired import PairedSuccess, holm
from pipeline.evaluation.summary import threshold_key
from pipeline.matching.scoring import SHORT_TOKENS
from pipeline.reporting.reference import SOURCE, PublishedRow, published_row

Metrics = Mapping[str, Any]

CIRCULAR = (
    "Circular in part: the scorer saw the short answers of the corpora, so that passages which "
    "hold one were preferred, and whatever looks for short answers is judged too well."
)


@dataclass(frozen=True, slots=True)
class Table:
    """A heading row and rows of text; the first column names the row."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """GitHub's table form; bars in a cell are escaped."""
        lines = [self.head, ("---", *("---:" for _ in self.head[1:])), *self.rows]
        body = "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)
        return f"## {self.title}\n\n{self.note}\n\n{body}\n"


def main_table(
    metrics: Metrics, thresholds: Sequence[float], ks: Sequence[int], *, reference: bool
) -> Table:
    """The table of the paper: (ρ, γc, γp) a threshold and top-k accuracy, a column a corpus."""
    columns: list[tuple[str, Metrics, PublishedRow | None]] = []
    for corpus, by_split in metrics.items():
        columns.append((corpus, by_split["all"], None))
        if reference and (published := published_row(corpus)):
            columns.append((f"{corpus}, published", by_split["all"], published))
    rows = [
        (
            f"(ρ, γc, γp) at t ≥ {theta:g}",
            *(_coverage(figures, theta, published) for _, figures, published in columns),
        )
        for theta in thresholds
    ]
    rows.append(
        (
            f"top-k accuracy %, k = {', '.join(map(str, ks))} (dataset at t ≥ 0.4)",
            *(_top_k(figures, ks, published) for _, figures, published in columns),
        )
    )
    note = (
        "The reference's settings, whatever the dataset was written with (next table): plain "
        "cosine, weights (0.25, 0.35, 0.40), best 5 passages. ρ: percent of judged samples that "
        "are right, with its 95% interval; – until somebody judges (silver judge page); γc: "
        "questions mapped; γp: percent of the answerable ones. Top-k accuracy divides by the "
        "mapped questions, whose number follows it."
    )
    if any(published for *_, published in columns):
        note += f" Published: {SOURCE}."
    return Table(
        "Coverage and top-k accuracy", note, ("", *(name for name, *_ in columns)), tuple(rows)
    )


def active_table(
    metrics: Metrics, ks: Sequence[int], scorer: str, threshold: float, *, circular: bool = False
) -> Table:
    """The active settings: coverage by several denominators, decoys, top-k both ways, gold.

    ``circular``: the scorer saw the corpora's short answers, which the note says.
    """
    figures = {corpus: by_split["all"] for corpus, by_split in metrics.items()}

    def row(name: str, text: Any) -> tuple[str, ...]:
        return (name, *(text(figures[corpus]) for corpus in figures))

    rows = [
        row("questions", lambda f: f"{f['questions']:,}"),
        row("answerable", lambda f: f"{f['answerable']:,}"),
        row("mapped", lambda f: f"{f['mapped']:,}"),
        row("coverage %", lambda f: f"{f['active']['coverage_percent']:.2f}"),
        row(
            "coverage % where the article is present (n)",
            lambda f: _share(f["active"], "coverage_present_percent", "present"),
        ),
        row(
            "coverage % by answer sentence",
            lambda f: f"{f['active']['coverage_by_answer_percent']:.2f}",
        ),
        row(
            "decoy rate % (n)",
            lambda f: _share(f["active"], "decoy_percent", "named"),
        ),
        row(
            f"top-k accuracy %, k = {', '.join(map(str, ks))}, mapped questions (n)",
            lambda f: f"{_figures(f['active'], ks)} ({f['active']['top_n']:,})",
        ),
        row(
            "the same, all answerable questions",
            lambda f: _figures(f["active"], ks, suffix="_all"),
        ),
    ]
    golden = any("precision" in f["active"] for f in figures.values())
    if golden:
        rows += [
            row(name, lambda f, key=key: f"{f['active'][key]:.3f}" if key in f["active"] else "–")
            for name, key in (
                ("precision", "precision"),
                ("recall", "recall"),
                ("F1", "f1"),
                ("plain cosine's best F1 over thresholds", "cosine_best_f1"),
            )
        ]
        rows.append(
            row(
                "mapped although no right passage exists, %",
                lambda f: (
                    f"{f['active']['false_map_percent']:.2f}"
                    if f["active"].get("gold_absent")
                    else "–"
                ),
            )
        )
    note = (
        f"Scorer {scorer}, threshold {threshold:g}. Decoy rate: questions still mapped when the "
        "named article's passages are taken away."
    )
    if golden:
        note += (
            " Precision divides by mapped answer sentences, recall by those that have a right "
            "passage."
        )
    if circular:
        note += f" {CIRCULAR}"
    return Table("The active settings", note, ("", *figures), tuple(rows))


def absent_note(metrics: Metrics) -> str:
    """How many answerable questions name an article that the collection lacks; "" if none names."""
    shares = []
    for corpus, by_split in metrics.items():
        active = by_split["all"]["active"]
        if named := active["named"]:
            absent = named - active["present"]
            shares.append(f"{corpus} {absent:,} of {named:,} ({100 * absent / named:.1f}%)")
    if not shares:
        return ""
    return (
        "Answerable questions that name an article which the collection lacks: "
        f"{', '.join(shares)}; whatever those are mapped to stands in another article."
    )


def short_table(metrics: Metrics, thresholds: Sequence[float]) -> Table | None:
    """Coverage of short answer sentences and of the longer ones; None where none is short."""
    figures = {corpus: by_split["all"]["answer_sentences"] for corpus, by_split in metrics.items()}
    if not any(found["short"]["sentences"] for found in figures.values()):
        return None

    def row(name: str, key: str) -> tuple[str, ...]:
        shares = (
            " / ".join(
                f"{part[key]:.2f}" if part["sentences"] else "–"
                for part in (found["short"], found["longer"])
            )
            for found in figures.values()
        )
        return (name, *shares)

    counts = (
        f"{found['short']['sentences']:,} / {found['longer']['sentences']:,}"
        for found in figures.values()
    )
    rows = (
        ("answer sentences", *counts),
        *(
            row(f"plain cosine, t ≥ {theta:g}", f"reference_{threshold_key(theta)}_percent")
            for theta in thresholds
        ),
        row("active settings", "coverage_percent"),
    )
    note = (
        f"Coverage in percent of the answer sentences of {SHORT_TOKENS} tokens or fewer, which "
        "match almost anywhere, and of the longer ones: short / longer. Neither counts questions."
    )
    return Table("Short answer sentences", note, ("", *figures), rows)


def baseline_table(compared: Mapping[str, Sequence[PairedSuccess]]) -> Table:
    """Question retrieval against plain BM25 on the same questions, with a paired test."""
    entries = [(corpus, entry) for corpus, row in compared.items() for entry in row]
    adjusted = holm([entry.p for _, entry in entries])
    rows = tuple(
        (
            f"{corpus}, k = {entry.k}",
            f"{entry.questions:,}",
            f"{100 * entry.ours / max(entry.questions, 1):.2f}",
            f"{100 * entry.theirs / max(entry.questions, 1):.2f}",
            f"{entry.difference:+.2f}",
            f"{entry.only_ours} / {entry.only_theirs}",
            f"{p:.3f}" if p >= 0.001 else "< 0.001",
        )
        for (corpus, entry), p in zip(entries, adjusted, strict=True)
    )
    note = (
        "Success@k in percent over the mapped questions. Ours: the retrieval that the "
        "configuration sets (retrieve), as in the dataset's run. BM25: unigrams of the text "
        "alone, k1 0.9, b 0.4. p: McNemar's exact test on the questions that only one of the two "
        "answers, after Holm's correction over the table."
    )
    head = ("", "n", "ours", "BM25", "difference", "only ours / only BM25", "p")
    return Table("Question retrieval against BM25", note, head, rows)


def loss_table(losses: Mapping[str, Mapping[str, int]]) -> Table:
    """Why questions are not mapped, a column a corpus."""
    reasons = sorted({reason for counts in losses.values() for reason in counts})
    rows = tuple(
        (reason, *(f"{counts.get(reason, 0):,}" for counts in losses.values()))
        for reason in reasons
    )
    note = "Questions that no passage matches, by the first stage that lost them."
    return Table("Lost questions", note, ("", *losses), rows)


def split_table(metrics: Metrics) -> Table:
    """Coverage of each split under the active settings."""
    rows = tuple(
        (
            f"{corpus}, {split}",
            f"{figures['questions']:,}",
            f"{figures['answerable']:,}",
            f"{figures['mapped']:,}",
            f"{figures['active']['coverage_percent']:.2f}",
        )
        for corpus, by_split in metrics.items()
        for split, figures in by_split.items()
        if split != "all"
    )
    head = ("split", "questions", "answerable", "mapped", "coverage %")
    return Table("By split", "Under the active settings.", head, rows)


def _coverage(figures: Metrics, theta: float, published: PublishedRow | None) -> str:
    if published:
        if theta not in published.coverage:
            return "–"
        rho, count, share = published.coverage[theta]
        return f"{rho:.2f}, {count:,}, {share:.2f}"
    key = threshold_key(theta)
    judged = figures.get("robustness", {})
    rho_text = "–"
    if f"{key}_percent" in judged:
        low, high = judged[f"{key}_low"], judged[f"{key}_high"]
        rho_text = f"{judged[f'{key}_percent']:.2f} [{low:.0f}–{high:.0f}]"
    reference = figures["reference"]
    count = reference[f"coverage_{key}_count"]
    return f"{rho_text}, {count:,}, {reference[f'coverage_{key}_percent']:.2f}"


def _top_k(figures: Metrics, ks: Sequence[int], published: PublishedRow | None) -> str:
    if published:
        return ", ".join(f"{published.top_k[k]:.2f}" if k in published.top_k else "–" for k in ks)
    return f"{_figures(figures['reference'], ks)} ({figures['reference']['top_n']:,})"


def _share(section: Metrics, percent: str, count: str) -> str:
    """A percentage with its denominator; a dash where that is 0."""
    return f"{section[percent]:.2f} ({section[count]:,})" if section[count] else "–"


def _figures(section: Metrics, ks: Sequence[int], suffix: str = "") -> str:
    return ", ".join(f"{section[f'top_{k}{suffix}']:.2f}" for k in ks)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
