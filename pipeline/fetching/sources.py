"""The public homes of dumps and corpora, as ``configs/sources.yaml`` lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.errors import ConfigError, InputError

Strings = Annotated[tuple[str, ...], Field(strict=False)]

LATEST = "latest"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SourceFile(_Part):
    """One file of a source; ``unpack`` names the members of an archive that are wanted."""

    name: str
    bytes: int | None = None
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    git_blob: str | None = Field(default=None, pattern="^[0-9a-f]{40}$")
    unpack: Strings = ()


class Source(_Part):
    """What is fetched under one name; ``bases`` are tried in order."""

    title: str
    licence: str
    home: str
    folder: str
    bases: Strings = Field(alias="from", min_length=1)
    sums: str | None = None
    files: Annotated[tuple[SourceFile, ...], Field(strict=False, min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One file to fetch: its addresses in order of preference, its target, what is known of it."""

    urls: tuple[str, ...]
    target: Path
    bytes: int | None
    sha256: str | None
    git_blob: str | None
    sums: tuple[str, ...]
    unpack: tuple[str, ...]


def load_sources(path: Path) -> dict[str, Source]:
    """Read and check the list of sources."""
    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError:
        raise ConfigError(f"{path}: not valid YAML") from None
    if not isinstance(tree, Mapping):
        raise ConfigError(f"{path}: expected a mapping of sources")
    sources = {}
    for name, entry in tree.items():
        try:
            sources[str(name)] = Source.model_validate(entry)
        except ValidationError as error:
            problem = error.errors()[0]
            key = ".".join([str(name), *(str(part) for part in problem["loc"])])
            raise ConfigError(f"{path}: {key}: {problem['msg']}") from None
    return sources


def files_to_fetch(source: Source, out: Path, wiki: str, date: str) -> list[Wanted]:
    """The files of a source, its ``{wiki}`` and ``{date}`` filled in."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", wiki):
        raise InputError(f"--wiki: '{wiki}' is no name of a wiki; expected one such as enwiki")
    if date != LATEST and not re.fullmatch(r"20[0-9]{6}", date):
        raise InputError(f"--date: '{date}' is no date; expected YYYYMMDD or '{LATEST}'")

    def filled(text: str) -> str:
        return text.replace("{wiki}", wiki).replace("{date}", date)

    bases = [filled(base) for base in source.bases]
    sums = tuple(base + filled(source.sums) for base in bases) if source.sums else ()
    wanted = []
    for file in source.files:
        name, folder = filled(file.name), filled(source.folder)
        for part in (name, folder):
            if PurePosixPath(part).is_absolute() or ".." in PurePosixPath(part).parts:
                raise ConfigError(f"'{part}' leads out of the target folder")
        wanted.append(
            Wanted(
                urls=tuple(base + name for base in bases),
                target=out / folder / name,
                bytes=file.bytes,
                sha256=file.sha256,
                git_blob=file.git_blob,
                sums=sums,
                unpack=file.unpack,
            )
        )
    return wanted
