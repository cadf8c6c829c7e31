"""Tables, plots and the HTML report, made from the figures of ``metrics.json``."""
