"""The words of ``wiki_words.yaml``: languages, the options of file links, behaviour switches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def _words() -> tuple[Mapping[str, str], Mapping[str, str]]:
    text = files(__package__).joinpath("wiki_words.yaml").read_text(encoding="utf-8")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    tree = yaml.load(text, Loader=loader)  # noqa: S506 - it is a safe one
    return tree.pop("names"), tree


@cache
def language_codes() -> frozenset[str]:
    """The prefixes of interlanguage links."""
    names, words = _words()
    return frozenset(names) | frozenset(words["more_codes"].split())


def language_name(code: str) -> str:
    """The English name of a language by its code, "" when it is not known."""
    names, _ = _words()
    return names.get(code) or names.get(code.partition("-")[0], "")


@cache
def silent_words() -> frozenset[str]:
    """Magic words and functions that show no text that every reader sees alike."""
    return frozenset(_words()[1]["silent_words"].split())


@cache
def image_option() -> re.Pattern[str]:
    """What matches a whole part of a file link that is not its caption."""
    _, words = _words()
    options = "|".join(
        re.escape(word).replace("_", " ?") for word in words["image_options"].split()
    )
    keys = "|".join(re.escape(word) for word in words["image_keys"].split())
    size = r"(?:\d+\s*)?(?:x\s*\d+\s*)?(?:px|пкс|بك|像素)(?:px)?"
    return re.compile(
        rf"\s*(?:{options}|(?:{keys})\s*=.*|{size}|(?:upright|hochkant|redresse)[\s=]*[\d.]+)\s*",
        re.IGNORECASE | re.DOTALL,
    )


@cache
def behaviour_switch() -> re.Pattern[str]:
    """What matches a behaviour switch such as ``__NOTOC__``."""
    _, words = _words()
    known = "|".join(re.escape(word) for word in words["switches"].split())
    capitals = r"[A-ZÀ-ÖØ-ÞА-ЯЁ]"
    return re.compile(rf"(?i:{known})|__{capitals}{{3,}}(?:_{capitals}+)*__")
