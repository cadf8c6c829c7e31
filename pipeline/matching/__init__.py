"""How alike an answer sentence and a sentence of a passage are, and what counts as a match."""
