"""Getting real data from its public homes: resumable, and with checksums."""
