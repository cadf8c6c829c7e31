"""Runs one peer over texts, in the peers' environment; the benchmarks start it.

Input: JSON lines with `text`. Output: JSON lines of the peer's answers to `--out`, and one JSON
object with the CPU seconds on standard output. Start-up and reading are not counted.
"""

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path


def strip_code() -> Callable[[str], object]:
    """mwparserfromhell's own plain text."""
    import mwparserfromhell

    return lambda text: mwparserfromhell.parse(text).strip_code()


def wikitextparser() -> Callable[[str], object]:
    """wikitextparser's own plain text."""
    import wikitextparser as wtp

    return lambda text: wtp.parse(text).plain_text()


def wikiextractor() -> Callable[[str], object]:
    """WikiExtractor's cleaning of one page, without template expansion."""
    from wikiextractor.extract import Extractor

    def read(text: str) -> object:
        extractor = Extractor("1", "1", "", "Page", text.splitlines(keepends=True))
        return "\n".join(extractor.clean_text(text, expand_templates=False))

    return read


def punkt() -> Callable[[str], object]:
    """NLTK's Punkt, trained on the texts themselves: its models are not in the wheel."""
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

    trainer = PunktTrainer()
    for text in TEXTS:
        trainer.train(text, finalize=False)
    tokenizer = PunktSentenceTokenizer(trainer.get_params())
    return lambda text: [list(span) for span in tokenizer.span_tokenize(text)]


def pysbd() -> Callable[[str], object]:
    """pySBD's rules for English."""
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
    return lambda text: [[span.start, span.end] for span in segmenter.segment(text)]


def sentencex() -> Callable[[str], object]:
    """Wikimedia's sentencex."""
    import sentencex

    return lambda text: list(sentencex.segment("en", text))


def blingfire() -> Callable[[str], object]:
    """Microsoft's BlingFire."""
    from blingfire import text_to_sentences_and_offsets

    return lambda text: [list(span) for span in text_to_sentences_and_offsets(text)[1]]


PEERS = {
    peer.__name__: peer
    for peer in (
        strip_code, wikitextparser, wikiextractor, punkt, pysbd, sentencex, blingfire,
    )
}  # fmt: skip
TEXTS: list[str] = []


def main() -> None:
    """Read the texts, run the peer, write its answers and its CPU time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("texts", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with options.texts.open(encoding="utf-8") as lines:
        TEXTS.extend(json.loads(line)["text"] for line in lines)
    read = PEERS[options.peer]()
    answers = []
    started = time.process_time()
    for text in TEXTS:
        answers.append(read(text))
    seconds = time.process_time() - started
    with options.out.open("w", encoding="utf-8") as out:
        for answer in answers:
            out.write(json.dumps(answer) + "\n")
    print(json.dumps({"seconds": seconds, "peak_megabytes": peak_megabytes()}))


def peak_megabytes() -> float:
    """The most memory that this program held; not what the one that started it did."""
    status = Path("/proc/self/status")
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
