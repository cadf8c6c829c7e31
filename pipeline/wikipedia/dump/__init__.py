"""Reading a MediaWiki dump: files, streams, partitions, pages, and what becomes of each page."""
