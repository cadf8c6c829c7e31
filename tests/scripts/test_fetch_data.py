"""scripts/fetch_data against a server of its own: never the internet."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from pipeline.errors import ConfigError, InputError
from pipeline.fetching import command as fetching
from pipeline.fetching.downloads import digests_of, sum_listed
from pipeline.fetching.sources import files_to_fetch, load_sources

ROOT = Path(__file__).resolve().parents[2]
DATA = b'{"data": [' + b"1," * 200_000 + b"1]}"


class Home(ThreadingHTTPServer):
    """A public home: files by path, and the ways in which it misbehaves."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.kinds: dict[str, str] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.cut_after: list[int] = []  # bytes after which each of the next answers breaks off
        self.failures: list[int] = []  # statuses that the next answers have instead
        self.ranges = True
        self.sized = True
        self.version = "1"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Home
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        home = self.server
        asked = self.headers.get("Range")
        home.requests.append((self.path, asked))
        if home.failures:
            self._answer(home.failures.pop(0), b"")
            return
        data = home.files.get(self.path)
        if data is None:
            self._answer(404, b"<html>not found</html>", {"Content-Type": "text/html"})
            return
        tag = f'"{home.version}"'
        headers = {"ETag": tag, "Content-Type": home.kinds.get(self.path, "application/json")}
        status, begin = 200, 0
        if asked and home.ranges and self.headers.get("If-Range", tag) == tag:
            begin = int(asked.removeprefix("bytes=").removesuffix("-"))
            if begin >= len(data):
                self._answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
                return
            status = 206
            headers["Content-Range"] = f"bytes {begin}-{len(data) - 1}/{len(data)}"
        self._answer(status, data[begin:], headers)

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        length = {"Content-Length": str(len(body))} if self.server.sized else {}
        self.close_connection = not self.server.sized
        for name, value in {**length, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if status in (200, 206) and self.server.cut_after:
            self.wfile.write(body[: self.server.cut_after.pop(0)])
            self.close_connection = True
            return
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def home() -> Iterator[Home]:
    server = Home()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


Fetch = Callable[..., tuple[int, dict, str]]


@pytest.fixture
def fetch(home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Fetch:
    """Fetch one file, described by keyword, and give exit code, counts and what was said."""

    def fetch(*arguments: str, **described: object) -> tuple[int, dict, str]:
        file = {"name": "train.json", **described}
        source = {
            "title": "Own", "licence": "CC0", "home": home.address, "folder": "own",
            "from": file.pop("bases", [home.address]), "files": [file],
        } | ({"sums": file.pop("sums")} if "sums" in file else {})  # fmt: skip
        listed = tmp_path / "sources.yaml"
        listed.write_text(yaml.safe_dump({"own": source}))
        code = fetching.main(
            [
                *(arguments or ["own"]), "--out", str(tmp_path / "raw"),
                "--sources", str(listed), "--pause", "0",
            ]
        )  # fmt: skip
        said = capsys.readouterr()
        return code, json.loads(said.out.splitlines()[-1]) if said.out else {}, said.err

    return fetch


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "own" / "train.json"


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_file_is_fetched_and_its_checksum_recorded(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    code, counts, said = fetch()
    assert code == 0
    assert target.read_bytes() == DATA
    assert counts == {"files": 1, "fetched": 1, "kept": 0, "unpacked": 0, "bytes": len(DATA)}
    record = target.with_name("train.json.sha256").read_text()
    assert record == f"{hashlib.sha256(DATA).hexdigest()}  train.json\n"
    assert "no checksum known; recorded one" in said
    assert names(target.parent) == ["train.json", "train.json.sha256"]


def test_a_second_run_fetches_nothing_and_checks_what_is_there(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    fetch()
    code, counts, _ = fetch()
    assert (code, counts["kept"], counts["fetched"]) == (0, 1, 0)
    assert len(home.requests) == 1
    target.write_bytes(DATA + b" ")
    code, _, said = fetch()
    assert code == 1
    assert "delete the file to fetch it again" in said
    assert target.read_bytes() == DATA + b" "


def test_a_connection_that_breaks_off_is_taken_up_where_it_broke(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    home.cut_after = [1000, 50_000, 0, 100_000]
    code, _, _ = fetch()
    assert code == 0
    assert target.read_bytes() == DATA
    asked = [int(asked[6:-1]) for _, asked in home.requests if asked]
    assert asked == [1000, 51_000, 51_000, 151_000]


def test_a_later_run_goes_on_from_the_part(home: Home, fetch: Fetch, target: Path) -> None:
    home.files["/train.json"] = DATA
    home.cut_after = [7000] + [0] * 5
    code, _, said = fetch()
    assert code == 1
    assert "run it again to go on from there" in said
    assert names(target.parent) == ["train.json.part", "train.json.part.tag"]
    home.requests.clear()
    code, _, _ = fetch()
    assert code == 0
    assert home.requests == [("/train.json", "bytes=7000-")]
    assert target.read_bytes() == DATA


def test_a_file_that_changed_at_its_home_is_started_again(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    home.cut_after = [7000] + [0] * 5
    fetch()
    home.files["/train.json"], home.version = DATA.replace(b"1", b"2"), "2"
    code, _, _ = fetch()
    assert code == 0
    assert target.read_bytes() == DATA.replace(b"1", b"2")


def test_a_server_without_ranges_sends_the_whole_again(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"], home.ranges = DATA, False
    home.cut_after = [7000]
    assert fetch()[0] == 0
    assert target.read_bytes() == DATA


def test_a_file_of_untold_size_is_fetched(home: Home, fetch: Fetch, target: Path) -> None:
    home.files["/train.json"], home.sized = DATA, False
    assert fetch()[0] == 0
    assert target.read_bytes() == DATA


def test_a_home_that_cannot_be_reached_is_one_plain_sentence(fetch: Fetch, target: Path) -> None:
    code, _, said = fetch(bases=["http://127.0.0.1:1/"])
    assert code == 1
    assert "train.json: the connection failed or broke off" in said
    assert len(said.splitlines()) == 1
    assert not target.exists()


def test_a_part_that_was_whole_already_only_gets_its_name(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    target.parent.mkdir(parents=True)
    target.with_name("train.json.part").write_bytes(DATA)
    target.with_name("train.json.part.tag").write_text('"1"')
    assert fetch()[0] == 0
    assert target.read_bytes() == DATA


def test_a_part_longer_than_the_file_is_started_again(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/train.json"] = DATA
    target.parent.mkdir(parents=True)
    target.with_name("train.json.part").write_bytes(DATA + b"more")
    target.with_name("train.json.part.tag").write_text('"1"')
    assert fetch()[0] == 0
    assert target.read_bytes() == DATA


def test_a_busy_server_is_asked_again(home: Home, fetch: Fetch, target: Path) -> None:
    home.files["/train.json"] = DATA
    home.failures = [503, 429, 500]
    assert fetch()[0] == 0
    assert target.read_bytes() == DATA


def test_a_server_that_keeps_failing_is_given_up(home: Home, fetch: Fetch, target: Path) -> None:
    home.files["/train.json"] = DATA
    home.failures = [403] * 100
    code, _, said = fetch()
    assert code == 1
    assert "the server answered 403" in said
    assert not target.exists()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<!DOCTYPE html><html>Sign in</html>", "text/html; charset=utf-8"),
        (b"\n<html><body>Sign in</body></html>", "application/octet-stream"),
        (b"{}", "text/html"),
    ],
)
def test_a_web_page_instead_of_the_data_is_refused(
    home: Home, fetch: Fetch, target: Path, body: bytes, kind: str
) -> None:
    home.files["/train.json"], home.kinds["/train.json"] = body, kind
    code, _, said = fetch()
    assert code == 1
    assert "the server sent a web page instead of the file" in said
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("a.json", b"404: Not Found", "does not begin like a .json file"),
        ("a.xml.bz2", b"not packed", "does not begin like a .bz2 file"),
        ("a.zip", b"not packed", "does not begin like a .zip file"),
        ("a.tsv", b"", "the file is empty"),
    ],
)
def test_content_that_does_not_fit_the_name_is_refused(
    home: Home, fetch: Fetch, tmp_path: Path, name: str, body: bytes, message: str
) -> None:
    home.files["/" + name] = body
    code, _, said = fetch(name=name)
    assert code == 1
    assert message in said
    assert not (tmp_path / "raw" / "own" / name).exists()


@pytest.mark.parametrize(
    "known",
    [
        {"sha256": hashlib.sha256(DATA).hexdigest()},
        {"git_blob": hashlib.sha1(b"blob %d\0" % len(DATA) + DATA).hexdigest()},
        {"bytes": len(DATA)},
    ],
)
def test_a_file_that_is_not_what_is_known_of_it_is_refused_and_not_kept(
    home: Home, fetch: Fetch, target: Path, known: dict
) -> None:
    home.files["/train.json"] = DATA + b" "
    code, _, said = fetch(**known)
    assert code == 1
    assert "expected" in said
    assert not target.exists()
    home.files["/train.json"] = DATA
    code, _, said = fetch(**known)
    assert code == 0
    assert target.read_bytes() == DATA


def test_a_dump_is_checked_against_its_homes_own_list(home: Home, fetch: Fetch) -> None:
    packed = b"BZh9" + bytes(1000)
    right = hashlib.sha1(packed).hexdigest()
    home.files["/20240101/nowiki-20240101-a.xml.bz2"] = packed
    described = {
        "name": "{wiki}-{date}-a.xml.bz2",
        "bases": [home.address + "{date}/"],
        "sums": "sums.txt",
    }
    arguments = ("own", "--wiki", "nowiki", "--date", "20240101")
    home.files["/20240101/sums.txt"] = f"{'0' * 40}  nowiki-20240101-a.xml.bz2\n".encode()
    code, _, said = fetch(*arguments, **described)
    assert (code, "sha1 is" in said) == (1, True)
    home.files["/20240101/sums.txt"] = f"{right}  nowiki-20240101-a.xml.bz2\n".encode()
    code, counts, _ = fetch(*arguments, **described)
    assert (code, counts["fetched"]) == (0, 1)


def test_the_list_of_the_latest_dump_names_files_by_their_date() -> None:
    text = f"{'a' * 40}  enwiki-20240101-index.txt.bz2\n{'b' * 40}  enwiki-20240101-x.txt.bz2\n"
    assert sum_listed(text, "enwiki-latest-index.txt.bz2", "enwiki", "latest") == "a" * 40
    assert sum_listed(text, "enwiki-20240101-x.txt.bz2", "enwiki", "20240101") == "b" * 40
    assert sum_listed(text, "enwiki-20240101-y.txt.bz2", "enwiki", "20240101") is None


def test_a_second_home_is_asked_where_the_first_has_no_such_file(
    home: Home, fetch: Fetch, target: Path
) -> None:
    home.files["/archive/train.json"] = DATA
    bases = [home.address, home.address + "archive/"]
    assert fetch(bases=bases)[0] == 0
    assert target.read_bytes() == DATA


def test_a_file_that_no_home_has_is_the_users_error(home: Home, fetch: Fetch) -> None:
    code, _, said = fetch()
    assert code == 2
    assert f"{home.address}train.json: no such file there" in said


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"Corpus/{name}.tsv", content)
    return packed.getvalue()


def test_wanted_members_of_an_archive_are_unpacked_beside_it(
    home: Home, fetch: Fetch, tmp_path: Path
) -> None:
    home.files["/a.zip"] = zipped(dev=b"1\r\n", all=b"2\r\n")
    described = {"name": "a.zip", "unpack": ["Corpus/dev.tsv"]}
    code, counts, _ = fetch(**described)
    assert (code, counts["unpacked"]) == (0, 1)
    assert names(tmp_path / "raw" / "own") == ["a.zip", "a.zip.sha256", "dev.tsv"]
    assert (tmp_path / "raw" / "own" / "dev.tsv").read_bytes() == b"1\r\n"
    assert fetch(**described)[1]["unpacked"] == 0


def test_an_archive_without_the_wanted_member_or_damaged_is_an_error(
    home: Home, fetch: Fetch, tmp_path: Path
) -> None:
    home.files["/a.zip"] = zipped(dev=b"1")
    code, _, said = fetch(name="a.zip", unpack=["Corpus/test.tsv"])
    assert (code, "holds no 'Corpus/test.tsv'" in said) == (1, True)
    home.files["/b.zip"] = zipped(dev=b"1")[:-10]
    code, _, said = fetch(name="b.zip", unpack=["Corpus/dev.tsv"])
    assert (code, "not a whole zip file" in said) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["selqua"], "'selqua' is unknown; expected some of own"),
        (["own", "--date", "yesterday"], "--date: 'yesterday' is no date"),
        (["own", "--wiki", "../x"], "--wiki: '../x' is no name of a wiki"),
    ],
)
def test_a_wrong_command_line_is_the_users_error(
    fetch: Fetch, arguments: list[str], message: str
) -> None:
    code, _, said = fetch(*arguments)
    assert code == 2
    assert message in said


def test_a_list_of_sources_with_a_mistake_names_the_key(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text("own: {title: Own, licence: CC0, home: x, folder: own, from: [x], files: []}")
    with pytest.raises(ConfigError, match=r"own\.files"):
        load_sources(path)
    with pytest.raises(ConfigError, match="no such file"):
        load_sources(tmp_path / "nowhere.yaml")


def test_the_listed_sources_are_well_formed_and_their_targets_apart(tmp_path: Path) -> None:
    known = load_sources(ROOT / "configs/sources.yaml")
    assert {"dump", "selqa", "selqa-at", "wikiqa", "squad", "squad-2.0", "ottqa"} <= set(known)
    wanted = [
        file
        for source in known.values()
        for file in files_to_fetch(source, tmp_path, "enwiki", "20160820")
    ]
    assert len({file.target for file in wanted}) == len(wanted)
    for file in wanted:
        assert all(url.startswith("https://") and "{" not in url for url in file.urls)
        assert "{" not in str(file.target)


def test_a_name_that_leads_out_of_the_target_folder_is_refused(tmp_path: Path) -> None:
    source = load_sources(ROOT / "configs/sources.yaml")["squad"]
    evil = source.model_copy(update={"folder": "../../elsewhere"})
    with pytest.raises(InputError, match="leads out of the target folder"):
        files_to_fetch(evil, tmp_path, "enwiki", "latest")


@pytest.mark.real
def test_the_listed_checksums_are_those_of_the_real_files(real_data: Path) -> None:
    known = load_sources(ROOT / "configs/sources.yaml")
    checked = 0
    for name, folder in (("selqa", "qa"), ("ottqa", "ottqa")):
        for file in known[name].files:
            path = real_data / folder / file.name
            if path.exists():
                assert digests_of(path)["sha256"] == file.sha256
                assert path.stat().st_size == file.bytes
                checked += 1
    assert checked == 5


def test_the_script_itself_lists_what_there_is() -> None:
    done = subprocess.run(
        [ROOT / "scripts/fetch_data", "--list"], capture_output=True, text=True, check=True
    )
    assert "wikiqa" in done.stdout
    done = subprocess.run([ROOT / "scripts/fetch_data", "nothing"], capture_output=True, text=True)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
