"""One module a stage: the only code that opens files. No stage imports another."""
