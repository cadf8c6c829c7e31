"""The retrieval datasets in the formats of the field, one module a format."""
