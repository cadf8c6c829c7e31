"""Measures: what they divide by, what a missing answer counts as, how sure they are."""
