"""The Lucene index of passages: the only package that knows Java."""
