"""The embedded default: an invented encyclopedia in two editions, and three corpora quoting it."""
