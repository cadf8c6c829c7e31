"""One module a stage, and what stages share. They open the files between the stages.

Readers of foreign formats (dumps, corpora) stream the paths that a stage gives them. No stage
imports another.
"""
