"""Question-answering corpora in the formats they are published in, read into one record."""
