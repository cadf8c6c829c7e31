"""The commands of ``silver`` that share options, by topic; ``pipeline/cli.py`` has the rest."""
