"""What all parts of an extraction must be together: without what follows a damage, without a page
twice, as many pages as the index lists, and every page accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import files
from pipeline.errors import InputError, SilverError
from pipeline.records import Article, Redirect
from pipeline.stages.extract_part import ExtractedPart, ExtractTask
from pipeline.wikipedia.dump.outcomes import most_common
from pipeline.wikipedia.dump.partitions import Index

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_TEMPLATES_KEPT = 200


def drop_what_follows_a_damage(
    tasks: Sequence[ExtractTask], parts: Sequence[ExtractedPart]
) -> list[str]:
    """Empty the parts of a file that lie behind its damage: only pages before it are kept."""
    damages: dict[Path, str] = {}
    for task, part in zip(tasks, parts, strict=True):
        path = task.partition.path
        if path in damages:
            for behind in (task.articles, task.redirects, task.rejected):
                behind.unlink(missing_ok=True)
        elif part.damage is not None:
            damages[path] = part.damage
    return list(damages.values())


def sum_parts(tasks: Sequence[ExtractTask]) -> dict[str, object]:
    """The counts of all parts, checked: every page read was kept or dropped for a reason."""
    counts = files.sum_counts(task.articles for task in tasks if task.articles.exists())
    counts["unknown_templates"] = most_common(counts.get("unknown_templates", {}), _TEMPLATES_KEPT)
    kept = counts["articles"] + counts["redirects"] + sum(counts["dropped"].values())
    if counts["pages"] != kept:
        raise SilverError(f"extract: {counts['pages']} pages read, but {kept} kept or dropped")
    if not counts["pages"]:
        raise InputError(f"{tasks[0].partition.path}: holds no page; expected a MediaWiki dump")
    return counts


def check_index_counts(tasks: Sequence[ExtractTask], indexes: dict[Path, Index]) -> None:
    """A dump holds as many pages as its index lists."""
    for path, index in indexes.items():
        parts = [task.articles for task in tasks if task.partition.path == path]
        pages = files.sum_counts(parts)["pages"]
        if pages != index.pages:
            raise InputError(
                f"{index.path}: lists {index.pages} pages, but {path} holds {pages}; "
                "the index does not fit the dump"
            )


def check_page_ids(tasks: Sequence[ExtractTask]) -> None:
    """A page may occur only once, as an article or a redirect: its id names its passages.

    The ids of a dump rise from part to part, so most parts overlap with no other; only those that
    do are compared id by id, and the memory that takes does not grow with the dump.
    """
    ranges = sorted(
        (int(ids.min()), int(ids.max()), number)
        for number, task in enumerate(tasks)
        if task.articles.exists() and len(ids := _page_ids(task))
    )
    overlapping: list[int] = []
    highest = -1
    for place, (lowest, _, number) in enumerate(ranges):
        if overlapping and lowest > highest:
            _compare_page_ids(tasks, sorted(overlapping))
            overlapping = []
        highest = max(highest, ranges[place][1])
        overlapping.append(number)
    _compare_page_ids(tasks, sorted(overlapping))


def _page_ids(task: ExtractTask) -> npt.NDArray[np.int64]:
    import numpy as np

    columns = [np.empty(0, dtype=np.int64)]
    for path, record in ((task.articles, Article), (task.redirects, Redirect)):
        batches = files.read_tables(path, record, ["page_id"])
        columns += [batch.column(0).to_numpy() for batch in batches]
    return np.concatenate(columns)


def _compare_page_ids(tasks: Sequence[ExtractTask], numbers: Sequence[int]) -> None:
    import numpy as np

    if not numbers:
        return
    columns = [_page_ids(tasks[number]) for number in numbers]
    ids = np.concatenate(columns)
    parts = np.repeat(numbers, [len(column) for column in columns])
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(twice):
        first, second = (tasks[parts[order[twice[0] + shift]]].partition.path for shift in (0, 1))
        before = "" if first == second else f", from {first}"
        raise InputError(
            f"{second}: page id {ids[order[twice[0]]]} was read before{before}; "
            "expected each page once"
        )
