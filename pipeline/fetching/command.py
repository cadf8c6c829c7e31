"""Fetch real data from its public homes: a Wikipedia dump, SelQA, WikiQA, SQuAD, OTT-QA.

    scripts/fetch_data --list
    scripts/fetch_data selqa wikiqa squad
    scripts/fetch_data dump --date 20240101

Files go below --out, each source in its folder. A download that broke off is taken up where it
broke when the command is run again; a file that is there and whole is left alone.
configs/sources.yaml says where everything comes from and under which licence.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import requests

from pipeline import files
from pipeline.errors import InputError, SilverError
from pipeline.fetching import downloads, sources

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what was named; 0 done, 2 the command line is wrong, 1 anything else."""
    options = _options(arguments)
    try:
        known = sources.load_sources(options.sources)
        if options.list:
            for name, source in known.items():
                print(f"{name:15} {source.title}\n{'':15} {source.licence}; {source.home}")
            return 0
        if not options.names:
            raise InputError(f"nothing named; expected some of {', '.join(known)}")
        for name in options.names:
            if name not in known:
                raise InputError(f"'{name}' is unknown; expected some of {', '.join(known)}")
        wanted = [
            file
            for name in dict.fromkeys(options.names)
            for file in sources.files_to_fetch(known[name], options.out, options.wiki, options.date)
        ]
        counts = fetch_all(wanted, options)
    except SilverError as error:
        print(f"fetch_data: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"fetch_data: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("fetch_data: stopped; run it again to go on from there", file=sys.stderr)
        return 1
    print(json.dumps(counts))
    return 0


def fetch_all(wanted: list[sources.Wanted], options: argparse.Namespace) -> dict[str, int]:
    """Fetch every file that is not there yet; how many were, and how many bytes came."""
    session = downloads.make_session(options.pause)
    counts = {"files": len(wanted), "fetched": 0, "kept": 0, "unpacked": 0, "bytes": 0}
    for file in wanted:
        if file.target.exists():
            check_kept(file)
            counts["kept"] += 1
        else:
            counts["bytes"] += fetch(session, file, options)
            counts["fetched"] += 1
        counts["unpacked"] += unpack(file)
    return counts


def check_kept(file: sources.Wanted) -> None:
    """Compare a file that is there with its checksum, recorded or known."""
    digests = downloads.digests_of(file.target)
    recorded = record_of(file.target)
    stated = recorded.read_text(encoding="utf-8").split(" ")[0] if recorded.exists() else None
    expected = {"sha256": file.sha256 or stated, "git_blob": file.git_blob}
    for kind, value in expected.items():
        if value is not None and digests[kind] != value:
            raise SilverError(
                f"{file.target}: {kind} is {digests[kind]}; expected {value}; "
                "delete the file to fetch it again"
            )
    write_record(file.target, digests["sha256"])


def fetch(session: requests.Session, file: sources.Wanted, options: argparse.Namespace) -> int:
    """Fetch one file from the first home that has it, check it, and give it its name."""
    for number, url in enumerate(file.urls):
        try:
            part = downloads.download(
                session, url, file.target,
                expected_bytes=file.bytes,
                pause=options.pause,
                progress=progress_bar(file.target.name, options.quiet),
            )  # fmt: skip
            break
        except downloads.NotThereError:
            if number + 1 == len(file.urls):
                raise InputError(f"{' and '.join(file.urls)}: no such file there") from None
    digests = downloads.digests_of(part)
    expected = {"sha256": file.sha256, "git_blob": file.git_blob}
    if file.sums:
        expected["sha1"] = listed_sum(session, file.sums[number], file.target.name, options)
    for kind, value in expected.items():
        if value is not None and digests[kind] != value:
            downloads.discard(part)
            raise SilverError(f"{url}: {kind} is {digests[kind]}; expected {value}")
    size = part.stat().st_size
    downloads.finish(part, file.target)
    write_record(file.target, digests["sha256"])
    if not any(expected.values()):
        say(f"{file.target.name}: no checksum known; recorded one", options.quiet)
    return size


def listed_sum(
    session: requests.Session, url: str, name: str, options: argparse.Namespace
) -> str | None:
    """What the home's own list of checksums gives for a file; None where it has no list."""
    try:
        response = session.get(url, timeout=60)
    except requests.RequestException:
        raise SilverError(f"{url}: cannot be read; run it again to go on from there") from None
    if response.status_code != 200 or "html" in response.headers.get("Content-Type", ""):
        return None
    return downloads.sum_listed(response.text, name, options.wiki, options.date)


def unpack(file: sources.Wanted) -> int:
    """Take the wanted members out of an archive, next to it; how many were not there yet."""
    missing = [name for name in file.unpack if not (file.target.parent / Path(name).name).exists()]
    if not missing:
        return 0
    try:
        with zipfile.ZipFile(file.target) as archive:
            for name in missing:
                target = file.target.parent / Path(name).name
                with files.written_aside(target) as aside:
                    aside.write_bytes(archive.read(name))
    except KeyError:
        raise SilverError(f"{file.target}: holds no '{name}'") from None
    except zipfile.BadZipFile:
        raise SilverError(f"{file.target}: not a whole zip file") from None
    return len(missing)


def record_of(target: Path) -> Path:
    """The file beside a download that holds its SHA-256, as sha256sum writes it."""
    return target.with_name(target.name + ".sha256")


def write_record(target: Path, sha256: str) -> None:
    """Record a checksum; it is written once."""
    if not record_of(target).exists():
        files.write_text(record_of(target), f"{sha256}  {target.name}\n")


def progress_bar(name: str, quiet: bool) -> Callable[[int, int | None], None]:
    """A bar on a terminal; nothing else."""
    if quiet or not sys.stderr.isatty():
        return lambda done, total: None
    from tqdm import tqdm

    bar = tqdm(desc=name, unit="B", unit_scale=True, unit_divisor=1024)

    def show(done: int, total: int | None) -> None:
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return show


def say(message: str, quiet: bool) -> None:
    """A line for a person, apart from the counts on standard output."""
    if not quiet:
        print(f"fetch_data: {message}", file=sys.stderr)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="fetch_data",
        description=(__doc__ or "").replace("%", "%%"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to fetch; see --list")
    parser.add_argument("--list", action="store_true", help="say what there is, and stop")
    parser.add_argument("--out", type=Path, default=ROOT / "data/raw", help="default: data/raw")
    parser.add_argument("--wiki", default="enwiki", help="wiki of the dump (enwiki)")
    parser.add_argument("--date", default="latest", help="date of the dump, YYYYMMDD (latest)")
    parser.add_argument(
        "--sources", type=Path, default=ROOT / "configs/sources.yaml", help=argparse.SUPPRESS
    )
    parser.add_argument("--pause", type=float, default=1.0, help=argparse.SUPPRESS)
    parser.add_argument("--quiet", action="store_true", help="no bars and no remarks")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
