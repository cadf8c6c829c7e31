"""Getting one file over HTTP: resumed where it was cut off, checked, and renamed when whole.

A download grows in ``<name>.part``; ``<name>.part.tag`` beside it remembers which version of the
file it is, so that a file that changed at its home is started again instead of glued together.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError as TransportError
from urllib3.exceptions import TimeoutError as TransportTimeout
from urllib3.util.retry import Retry

from pipeline.errors import InputError, SilverError

CHUNK = 1 << 20
_TIMEOUT = (20, 120)  # seconds to connect, and between two pieces
_FRUITLESS_ATTEMPTS = 5
_STARTS = {".bz2": (b"BZh",), ".zip": (b"PK",), ".gz": (b"\x1f\x8b",), ".json": (b"{", b"[")}
_HTML = re.compile(rb"\s*<(!doctype|html|head|body)", re.IGNORECASE)
_MISFIT = "what was fetched before is no part of the file"
_TOTAL = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+)$")


class NotThereError(SilverError):
    """The home answers that it has no such file."""


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


def make_session(pause: float = 1.0) -> requests.Session:
    """A session that repeats a request that a busy server refused, waiting longer each time."""
    retry = Retry(
        total=3,
        backoff_factor=pause,
        status_forcelist=(429, 500, 502, 503, 504),
        allowed_methods=("GET",),
        raise_on_status=False,
    )
    session = requests.Session()
    session.headers["User-Agent"] = "silver-passages fetch_data"
    # Ranges count bytes of what is sent: it must be the file as it is.
    session.headers["Accept-Encoding"] = "identity"
    session.mount("http://", HTTPAdapter(max_retries=retry))
    session.mount("https://", HTTPAdapter(max_retries=retry))
    return session


def download(
    session: requests.Session,
    url: str,
    target: Path,
    *,
    expected_bytes: int | None = None,
    pause: float = 1.0,
    progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> Path:
    """Fetch a file into ``<target>.part`` and return that path once it is whole.

    A broken connection is taken up where it broke; after five attempts in a row that brought
    nothing the error is raised, and the part stays for the next run. ``progress`` is called with
    the bytes there are and the bytes there will be.
    """
    part = target.with_name(target.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    fruitless = 0
    while True:
        before = _size(part)
        try:
            total = _continue_part(session, url, part, target.suffix, expected_bytes, progress)
            if total is None or _size(part) == total:
                break
            problem = f"the connection ended after {_size(part)} of {total} bytes"
        except (requests.RequestException, TransportError) as error:
            problem = _plain_problem(error)
        fruitless = 0 if _size(part) > before else fruitless + 1
        if fruitless >= _FRUITLESS_ATTEMPTS:
            raise SilverError(f"{url}: {problem}; run it again to go on from there")
        time.sleep(pause * 2**fruitless)
    found = _size(part)
    if not found:
        _forget(part)
        raise SilverError(f"{url}: the file is empty")
    if expected_bytes is not None and found != expected_bytes:
        _forget(part)
        raise SilverError(f"{url}: {found} bytes; expected {expected_bytes}")
    return part


def finish(part: Path, target: Path) -> None:
    """Give a whole and checked part its name."""
    part.replace(target)
    _forget(part)


def discard(part: Path) -> None:
    """Remove a part that is not what was expected, so that the next run starts again."""
    _forget(part)


def _continue_part(
    session: requests.Session,
    url: str,
    part: Path,
    suffix: str,
    expected_bytes: int | None,
    progress: Callable[[int, int | None], None],
) -> int | None:
    """One request that adds to the part; the file's size where the server tells it."""
    tag_file = part.with_name(part.name + ".tag")
    have, tag = _size(part), _read(tag_file)
    headers = {}
    if have and tag:
        headers = {"Range": f"bytes={have}-", "If-Range": tag}
    with session.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
        if response.status_code == 416:
            match = _TOTAL.search(response.headers.get("Content-Range", ""))
            if match and int(match[2]) == have:
                return have
            _forget(part)
            raise requests.HTTPError(_MISFIT)
        if response.status_code in (404, 410):
            raise NotThereError(f"{url}: the server has no such file")
        if response.status_code not in (200, 206):
            raise requests.HTTPError(f"the server answered {response.status_code}")
        if "text/html" in response.headers.get("Content-Type", "").lower():
            raise SilverError(f"{url}: the server sent a web page instead of the file")
        begin, total = _extent(response)
        if begin != have:
            if begin:
                _forget(part)
                raise requests.HTTPError(_MISFIT)
            have = 0
        if total is not None:
            if expected_bytes is not None and total != expected_bytes:
                raise SilverError(f"{url}: {total} bytes; expected {expected_bytes}")
            _check_space(part.parent, total - have, url)
        tag_file.write_text(_tag_of(response), encoding="utf-8")
        with part.open("ab" if have else "wb") as out:
            # read1 hands out what has come, so that a broken connection costs nothing.
            while piece := response.raw.read1(CHUNK, decode_content=False):
                if have == 0:
                    _check_start(piece, suffix, url)
                out.write(piece)
                have += len(piece)
                progress(have, total)
    return total


def _extent(response: requests.Response) -> tuple[int, int | None]:
    """Where the answer's bytes begin in the file, and the file's size."""
    if response.status_code == 206:
        match = _TOTAL.search(response.headers.get("Content-Range", ""))
        if match and match[1]:
            return int(match[1]), int(match[2])
        raise requests.HTTPError("the server sent a part without saying which")
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else None


def _tag_of(response: requests.Response) -> str:
    """What tells this version of the file from another; weak tags may not be used in a range."""
    tag = response.headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")


def _check_start(data: bytes, suffix: str, url: str) -> None:
    if _HTML.match(data):
        raise SilverError(f"{url}: the server sent a web page instead of the file")
    starts = _STARTS.get(suffix)
    if starts and not data.lstrip().startswith(starts):
        raise SilverError(f"{url}: does not begin like a {suffix} file")


def _check_space(folder: Path, needed: int, url: str) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise InputError(
            f"{folder}: {free / 1e9:.1f} GB free; expected {needed / 1e9:.1f} GB for {url}"
        )


def _plain_problem(error: requests.RequestException | TransportError) -> str:
    if isinstance(error, requests.HTTPError):
        return str(error)
    if isinstance(error, requests.Timeout | TransportTimeout):
        return "the server did not answer in time"
    return "the connection failed or broke off"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    part.with_name(part.name + ".tag").unlink(missing_ok=True)


# ---------------------------------------------------------------- checksums


def digests_of(path: Path) -> dict[str, str]:
    """The SHA-256, SHA-1 and Git blob id of a file's bytes, in one reading."""
    blob = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    digests: dict[str, _Digest] = {
        "sha256": hashlib.sha256(),
        "sha1": hashlib.sha1(usedforsecurity=False),
        "git_blob": blob,
    }
    for piece in _pieces(path):
        for digest in digests.values():
            digest.update(piece)
    return {name: digest.hexdigest() for name, digest in digests.items()}


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece


def sum_listed(text: str, name: str, wiki: str, date: str) -> str | None:
    """The SHA-1 that a home's list gives for a file.

    The list of the latest dump names files by their date.
    """
    dated = re.escape(name)
    if date == "latest":
        dated = dated.replace(re.escape(f"{wiki}-latest-"), re.escape(wiki) + r"-\d{8}-", 1)
    match = re.search(rf"^([0-9a-f]{{40}})\s+\*?{dated}\s*$", text, re.MULTILINE)
    return match[1] if match else None
