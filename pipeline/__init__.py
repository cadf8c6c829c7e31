"""Silver passages: answer sentences of QA corpora mapped onto one version of Wikipedia."""
