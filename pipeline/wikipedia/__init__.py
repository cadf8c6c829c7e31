"""Wikipedia: dumps to articles, wikitext to blocks, articles to passages."""
