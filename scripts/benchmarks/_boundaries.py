"""The gold sentence boundaries of CoNLL-U files, and how well a splitter finds them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path


def gold_paragraphs(path: Path) -> Iterator[tuple[str, set[int]]]:
    """Each paragraph of a CoNLL-U file with the offsets at which its sentences end."""
    text, ends, sentence, space, opens = "", set[int](), "", True, False
    for line in [*path.read_text(encoding="utf-8").splitlines(), "", "# newpar", "# text = ."]:
        if line.startswith(("# newdoc", "# newpar")):
            opens = True
        elif line.startswith("# text = "):
            sentence = line.removeprefix("# text = ")
            if opens and text:
                yield text.rstrip(), ends
                text, ends = "", set()
            opens = False
        elif not line and sentence:
            text += sentence
            ends.add(len(text))
            text += " " if space else ""
            sentence = ""
        elif line and not line.startswith("#"):
            space = "SpaceAfter=No" not in line.split("\t")[9]


def boundary_f1(
    gold: Iterable[tuple[str, set[int]]], spans: Iterable[Sequence[Sequence[int]]]
) -> float:
    """F1 of the boundaries inside paragraphs; white space before a boundary does not count."""
    right = found = wanted = 0
    for (text, ends), pieces in zip(gold, spans, strict=True):
        inner = {end for end in ends if end < len(text)}
        ours = {start + len(text[start:end].rstrip()) for start, end in pieces}
        ours = {end for end in ours if end < len(text)}
        right, found, wanted = right + len(inner & ours), found + len(ours), wanted + len(inner)
    return 2 * right / max(found + wanted, 1)
