"""The configuration, checked once into frozen objects: every result-changing value, no defaults.

``configs/params.yaml`` is complete, so that nothing that changes a result hides in code. Each
error names the key, what was found and what was expected.
"""

from pipeline.config.compute import Compute, available_cores
from pipeline.config.loading import corpus_inputs, load_compute, load_config, with_values
from pipeline.config.sections import (
    BM25,
    Config,
    Corpus,
    Format,
    Index,
    IndexField,
    Match,
    Segment,
    check_corpus_name,
)

__all__ = [
    "BM25",
    "Compute",
    "Config",
    "Corpus",
    "Format",
    "Index",
    "IndexField",
    "Match",
    "Segment",
    "available_cores",
    "check_corpus_name",
    "corpus_inputs",
    "load_compute",
    "load_config",
    "with_values",
]
