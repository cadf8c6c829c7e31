"""Templates of foreign words and their sounds."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.words import language_name


def _named_language(call: Call) -> str | None:
    """``{{lang-fr|x}}`` shows "French: x"; ``label=none`` leaves the name out."""
    if call.name == "langx":
        code, text, romanized = call.plain("1"), call.get("2", "text"), call.get("3", "translit")
    else:
        code = call.name.removeprefix("lang-")
        text, romanized = call.get("1", "text"), call.get("2", "translit")
    literal = call.get("lit", "3" if call.name != "langx" else "4")
    if not text:
        return ""
    label = call.plain("label")
    name = "" if label == "none" else label or language_name(code)
    shown = f"{name}: {text}" if name else text
    if romanized:
        shown += f", romanized: {romanized}" if name else f", {romanized}"
    return f"{shown}, lit. '{literal}'" if literal else shown


_CHINESE = (
    ("c", "Chinese"),
    ("s", "simplified Chinese"),
    ("t", "traditional Chinese"),
    ("p", "pinyin"),
    ("hp", "pinyin"),
    ("tp", "Tongyong Pinyin"),
    ("w", "Wade–Giles"),
    ("j", "Jyutping"),
    ("cy", "Cantonese Yale"),
    ("poj", "Pe̍h-ōe-jī"),
    ("l", "lit."),
    ("lit", "lit."),
)


def _chinese(call: Call) -> str | None:
    labels = call.plain("labels") != "no"
    parts = []
    for key, label in _CHINESE:
        text = call.get(key)
        if not text:
            continue
        if label == "lit.":
            parts.append(f"lit. '{text}'")
        else:
            parts.append(f"{label}: {text}" if labels else text)
    if not parts and (text := call.get("1")):
        return f"Chinese: {text}" if labels else text
    return "; ".join(parts)


def _japanese(call: Call) -> str | None:
    """English, then the Japanese and its reading in brackets; what is missing moves up."""
    parts = [part for part in (call.get("1"), call.get("2"), call.get("3")) if part]
    if extra := call.get("4", "extra"):
        parts.append(extra)
    if not parts:
        return ""
    shown = f"{parts[0]} ({', '.join(parts[1:])})" if parts[1:] else parts[0]
    return f"{shown} {last}" if (last := call.get("5", "extra2")) else shown


_SOUND_FILE = re.compile(r"\.(?:ogg|oga|wav|mp3|flac)\s*$", re.IGNORECASE)
_SPOKEN = {
    "lang": "",
    "pron": "pronounced ",
    "also": "also ",
    "us": "US: ",
    "uk": "UK: ",
    "au": "AU: ",
    "local": "locally ",
    "ipa": "",
    "": "",
    "_": " ",
}


def _ipa_word(call: Call) -> str | None:
    """``{{IPAc-en|k|æ|t}}``: the sounds are arguments; some words of its own come before."""
    lead, sounds = "", ""
    for argument in call.positional():
        sound = argument.strip()
        if _SOUND_FILE.search(sound):
            continue
        if not sounds.strip() and sound.casefold() in _SPOKEN and sound != "_":
            lead += _SPOKEN[sound.casefold()]
        else:
            sounds += " " if sound == "_" else sound
    return f"{lead}/{sounds}/" if sounds else lead.strip()


def _respelling(call: Call) -> str | None:
    shown = ""
    for syllable in (argument.strip() for argument in call.positional()):
        if syllable == "_":
            shown += " "
        elif syllable:
            shown += ("-" if shown and not shown.endswith(" ") else "") + syllable
    return shown


LANGUAGE_RULES: dict[str, Callable[[Call], str | None]] = {
    "named_language": _named_language,
    "japanese": _japanese,
    "chinese": _chinese,
    "ipa_word": _ipa_word,
    "respelling": _respelling,
}
