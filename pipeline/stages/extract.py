"""The extract stage: MediaWiki dumps to articles, every block with its kind, and redirects."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from pipeline import files
from pipeline.cluster import run_tasks
from pipeline.config import Compute, Config
from pipeline.errors import InputError
from pipeline.records import Article, Redirect
from pipeline.stages.extract_part import REDIRECTS, REJECTED, ExtractTask, extract_partition
from pipeline.stages.extract_whole import (
    check_index_counts,
    check_page_ids,
    drop_what_follows_a_damage,
    sum_parts,
)
from pipeline.wikipedia.dump.page_xml import SiteInfo
from pipeline.wikipedia.dump.pages import read_siteinfo
from pipeline.wikipedia.dump.partitions import (
    MOST_PARTITIONS,
    Index,
    find_dump_files,
    find_index,
    plan_partitions,
    read_index,
)
from pipeline.wikipedia.dump.pieces import cut_into_pieces
from pipeline.wikipedia.dump.streams import (
    READ_FROM_START,
    Compression,
    check_end,
    detect_compression,
    read_file,
)


def run_extract(
    dump: Sequence[Path],
    out: Path,
    config: Config,
    compute: Compute,
    *,
    dump_index: Path | None = None,
    keep_partial: bool = False,
) -> dict[str, object]:
    """Extract all articles and redirects of the dump files into ``out``; returns the counts.

    With ``keep_partial`` the whole pages of each file before its damage are kept; ``InputError``
    is raised all the same, after everything is written.
    """
    dumps = find_dump_files(dump)
    with files.scratch_folder(out) as scratch:
        tasks, indexes = _plan(dumps, out, scratch, config, dump_index, keep_partial)
        return _extract(tasks, indexes, out, compute)


def _extract(
    tasks: Sequence[ExtractTask], indexes: dict[Path, Index], out: Path, compute: Compute
) -> dict[str, object]:
    files.begin_parts(out, Article, {REDIRECTS: Redirect, REJECTED: None})
    names = [task.part for task in tasks]
    files.keep_only(out, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REDIRECTS, (f"{name}.parquet" for name in names), "part-*.parquet")
    files.keep_only(out / REJECTED, (f"{name}.jsonl" for name in names), "part-*.jsonl")
    before = files.part_states(out)
    parts = run_tasks(extract_partition, tasks, compute, "extract")
    damages = drop_what_follows_a_damage(tasks, parts)
    counts = sum_parts(tasks)
    check_page_ids(tasks)
    if not damages:
        check_index_counts(tasks, indexes)
    fingerprint = files.fingerprint([part.fingerprint for part in parts])
    partial = {"partial": damages} if damages else {}
    files.finish_parts(out, files.stats(counts, fingerprint, **partial))
    if damages:
        raise InputError(damages[0])
    kept = files.kept_parts(before, out)
    return {**counts, "parts_kept": kept} if kept else counts


def _plan(
    dumps: Sequence[Path],
    out: Path,
    scratch: Path,
    config: Config,
    dump_index: Path | None,
    keep_partial: bool,
) -> tuple[list[ExtractTask], dict[Path, Index]]:
    """Check the files as far as that is cheap, before anything is written, and cut them up."""
    if dump_index is not None and len(dumps) != 1:
        raise InputError(f"{dump_index}: one index, but {len(dumps)} dump files; give one of each")
    compressions = {path: detect_compression(path) for path in dumps}
    if not keep_partial:
        for path, compression in compressions.items():
            check_end(path, compression)
    total = sum(path.stat().st_size for path in dumps)
    settings = config.extract
    size = max(int(settings.partition_megabytes * 1_000_000), total // MOST_PARTITIONS, 1)
    code = files.fingerprint(
        settings.model_dump(mode="json", exclude={"dump", "partition_megabytes"}),
        files.source_fingerprint("pipeline.wikipedia.dump"),
        files.source_fingerprint("pipeline.wikipedia.wikitext"),
        importlib.metadata.version("mwparserfromhell"),
    )
    indexes: dict[Path, Index] = {}
    tasks: list[ExtractTask] = []
    for path, compression in compressions.items():
        found = dump_index or (find_index(path) if compression == "bz2" else None)
        if found is not None and compression != "bz2":
            raise InputError(f"{found}: an index, but {path} is not compressed with bz2")
        # A dump that may be cut off fits no index; the cuts are the same without.
        if found is not None and not keep_partial:
            indexes[path] = read_index(found)
        siteinfo = _read_siteinfo(path, compression)
        if compression in READ_FROM_START and path.stat().st_size > size:
            partitions = cut_into_pieces(
                path, compression, size, scratch, keep_partial=keep_partial
            )
        else:
            partitions = plan_partitions(path, compression, size, indexes.get(path))
        for partition in partitions:
            tasks.append(
                ExtractTask(
                    partition=partition,
                    siteinfo=siteinfo,
                    out=out,
                    part=files.part_name(len(tasks)),
                    settings=code,
                    max_characters=settings.max_characters,
                    max_template_characters=settings.max_template_characters,
                    keep_partial=keep_partial,
                )
            )
    return tasks, indexes


def _read_siteinfo(path: Path, compression: Compression) -> SiteInfo:
    try:
        return read_siteinfo(read_file(path, compression))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
