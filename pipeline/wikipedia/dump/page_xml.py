"""The XML of a MediaWiki dump: bytes in, pages out, nothing unbounded in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from pipeline.errors import InputError

ROOT = "mediawiki"
_PAGE = f"{ROOT}/page"
_REVISION = f"{_PAGE}/revision"
_SITEINFO = f"{ROOT}/siteinfo"
_NAMESPACE = f"{_SITEINFO}/namespaces/namespace"
# The only elements whose text is read. Anything else, known or not, is passed over; so is the
# second content of a revision (schema 0.11), which lies one level deeper.
_READ = frozenset(
    {
        _NAMESPACE,
        f"{_PAGE}/title",
        f"{_PAGE}/ns",
        f"{_PAGE}/id",
        f"{_REVISION}/id",
        f"{_REVISION}/timestamp",
        f"{_REVISION}/model",
        f"{_REVISION}/text",
    }
)
_DEEPEST = 100
_LONGEST_TEXT = 64_000_000
_LONGEST_TOKEN = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a dump as it stands there, with its newest revision."""

    page_id: int | None
    revision_id: int
    title: str
    namespace: int | None
    redirect: str | None  # None: no <redirect>; "": one without a title
    model: str
    text: str
    flaw: str | None = None  # why there is no text, where there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteInfo:
    """What the head of a dump says about its wiki."""

    language: str = ""
    namespaces: Mapping[int, str] = field(default_factory=dict)


class PageReader:
    """Turns the bytes of a dump, fed in pieces, into pages.

    A reader that starts ``inside`` the dump is fed whole ``<page>`` elements without the root.
    Unknown elements are passed over. Declarations of entities are refused, and no element, token
    or text grows without bound.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._pages: list[Page] = []
        self._paths: list[str] = []
        self._parts: list[str] | None = None
        self._length = 0
        self._page: dict[str, str] = {}
        self._revision: dict[str, str] = {}
        self._newest: dict[str, str] | None = None
        self._language = ""
        self._namespaces: dict[int, str] = {}
        self._key = ""
        self._closed = False
        self._fed = 0
        self.started = 0
        self.last_title = ""
        self.siteinfo_read = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        self._parser.XmlDeclHandler = _check_encoding
        if inside:
            self.feed(f"<{ROOT}>".encode())

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Take the next bytes; raises ``InputError`` (without the file's name) on broken XML."""
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise InputError(f"not well-formed XML ({_explain(error)})") from None
        self._fed += len(data)
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise InputError(f"one XML tag or comment is longer than {_LONGEST_TOKEN} bytes")

    def take(self) -> list[Page]:
        """The pages that became whole since the last call."""
        pages, self._pages = self._pages, []
        return pages

    @property
    def between_pages(self) -> bool:
        """Whether the root is open and no page is."""
        return self._paths == [ROOT]

    @property
    def closed(self) -> bool:
        """Whether the root element has ended."""
        return self._closed

    def siteinfo(self) -> SiteInfo:
        """What the dump has said so far about its wiki."""
        return SiteInfo(
            language=self._language,
            namespaces=dict(self._namespaces),
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        path = f"{self._paths[-1]}/{name}" if self._paths else name
        if not self._paths:
            if name != ROOT:
                raise InputError(f"the root element is <{name[:40]}>; expected <{ROOT}>")
            self._language = attributes.get("xml:lang", "")
        if len(self._paths) >= _DEEPEST:
            raise InputError(f"elements nested more than {_DEEPEST} deep")
        self._paths.append(path)
        if path in _READ:
            self._parts, self._length = [], 0
            if path == _NAMESPACE:
                self._key = attributes.get("key", "")
            elif path == f"{_REVISION}/text" and "deleted" in attributes:
                self._revision["flaw"] = "deleted text"
        elif path == _PAGE:
            self._page, self._newest = {}, None
            self.started += 1
            self.siteinfo_read = True
        elif path == _REVISION:
            self._revision = {}
        elif path == f"{_PAGE}/redirect":
            self._page["redirect"] = attributes.get("title", "")

    def _characters(self, data: str) -> None:
        if self._parts is not None:
            self._length += len(data)
            if self._length <= _LONGEST_TEXT:
                self._parts.append(data)

    def _end(self, _name: str) -> None:
        path = self._paths.pop()
        if self._parts is not None and path in _READ:
            self._keep(path, "".join(self._parts))
            self._parts = None
        elif path == _REVISION:
            newest = self._newest
            # ISO times compare as text; a dump of full history may list revisions in any order.
            if newest is None or self._revision.get("timestamp", "") >= newest.get("timestamp", ""):
                self._newest = self._revision
        elif path == _PAGE:
            page = _page_of(self._page, self._newest)
            self.last_title = page.title
            self._pages.append(page)
        elif path == _SITEINFO:
            self.siteinfo_read = True
        elif path == ROOT:
            self._closed = True

    def _keep(self, path: str, text: str) -> None:
        parent, _, name = path.rpartition("/")
        if parent == _PAGE:
            self._page.setdefault(name, text)
        elif parent == _REVISION:
            self._revision.setdefault(name, text)
            if self._length > _LONGEST_TEXT:
                self._revision["flaw"] = f"text of more than {_LONGEST_TEXT} characters"
        else:
            number = _number(self._key)
            if number is not None:
                self._namespaces[number] = text.strip()


def _page_of(page: Mapping[str, str], revision: Mapping[str, str] | None) -> Page:
    shown = revision or {}
    return Page(
        page_id=_number(page.get("id", "")),
        revision_id=_number(shown.get("id", "")) or 0,
        title=page.get("title", "").strip(),
        namespace=_number(page["ns"]) if "ns" in page else None,
        redirect=page.get("redirect"),
        model=shown.get("model", "").strip(),
        text=shown.get("text", ""),
        flaw=shown.get("flaw") if revision is not None else "no revision",
    )


def _number(text: str) -> int | None:
    digits = text.strip()
    if not (digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 19):
        return None
    return int(digits)


def _refuse_doctype(*_declaration: object) -> None:
    raise InputError("holds a DOCTYPE; a MediaWiki dump has none")


def _check_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding is not None and encoding.casefold() not in ("utf-8", "utf8"):
        raise InputError(f"is encoded in {encoding[:40]}; expected UTF-8")


def _explain(error: expat.ExpatError) -> str:
    return f"{expat.ErrorString(error.code)}, line {error.lineno}"
