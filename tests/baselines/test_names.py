"""Names by their capital letters."""

import pytest

from pipeline.baselines.names import names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The river Lune meets Orvik. Its mouth is near.", ["lune", "orvik"]),
        ("Orvik lies there. Then Émile came: Later he left.", ["émile"]),
        ("no name", []),
        ("", []),
    ],
)
def test_a_capital_letter_makes_a_name_but_not_at_the_start_of_a_sentence(
    text: str, names: list[str]
) -> None:
    assert names_in(text) == names
