"""Broken characters: put right where they prove themselves broken, left alone elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpora.characters import repair_text


@pytest.mark.parametrize(
    ("broken", "right"),
    [
        ("PokÃ©mon", "Pokémon"),
        ("SÃ£o Paulo", "São Paulo"),
        ("Itâ€™s 5â€“3", "It’s 5–3"),
        ("â‚¬5", "€5"),
        ("Å\x81Ã³dÅº", "Łódź"),
        ("Ã\x81rpÃ¡d", "Árpád"),
        ("15Â°N and 3Â\xa0km", "15°N and 3\xa0km"),
        ("ðŸŽ· solo", "🎷 solo"),
        ("æ±º", "決"),
        ("Ã“ÃÃ©", "ÓÃé"),
    ],
)
def test_utf8_read_as_windows_1252_is_read_again(broken: str, right: str) -> None:
    assert repair_text(broken) == (right, ["mojibake"])


@pytest.mark.parametrize(
    "honest",
    [
        "Pokémon",
        "plain",
        "“MAÇÔ and “CIDADÔ",
        "ÂNGELA, PÂ and Ã",
        "Łódź – 15°N, 3\xa0km, £5 ½ «à»",
        "Ä’s and Ö– and Å…",
        "naïve façade à côté",
        "決🎷",
        "",
    ],
)
def test_honest_text_is_left_alone(honest: str) -> None:
    assert repair_text(honest) == (honest, [])


def test_one_proof_lets_the_doubtful_ones_be_read_again_too() -> None:
    assert repair_text("Ã–l und CafÃ©") == ("Öl und Café", ["mojibake"])
    assert repair_text("Ã–l und Café") == ("Ã–l und Café", [])


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_what_was_repaired_can_be_written_as_utf8(text: str) -> None:
    repaired, _ = repair_text(text + "\ud800")
    repaired.encode("utf-8")


@given(st.text("aeé ñöüßłžščćđ", min_size=1).filter(lambda text: not text.isascii()))
def test_breaking_a_european_text_and_repairing_it_gives_it_back(text: str) -> None:
    # Bytes that Windows-1252 lacks come through as Latin-1's control characters.
    broken = "".join(
        bytes([byte]).decode("cp1252") if byte not in b"\x81\x8d\x8f\x90\x9d" else chr(byte)
        for byte in text.encode()
    )
    repaired, kinds = repair_text(broken)
    assert repaired == text or not kinds
