"""The wikitext of one page as the blocks that its reader sees."""
