"""Templates whose text needs arithmetic or a table: what each shows for a call.

A rule returns None for arguments that it does not take; the call is then read like that of an
unknown template. ``templates.yaml`` says which templates follow which rule.
"""

from collections.abc import Callable

from pipeline.wikipedia.wikitext.calls import Call
from pipeline.wikipedia.wikitext.template_rules.dates import DATE_RULES
from pipeline.wikipedia.wikitext.template_rules.languages import LANGUAGE_RULES
from pipeline.wikipedia.wikitext.template_rules.names import NAME_RULES
from pipeline.wikipedia.wikitext.template_rules.numbers import NUMBER_RULES

Rule = Callable[[Call], str | None]

RULES: dict[str, Rule] = {**LANGUAGE_RULES, **NUMBER_RULES, **DATE_RULES, **NAME_RULES}
