"""Cutting articles into passages, and passages into sentences."""
