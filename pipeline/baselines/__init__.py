"""Simple systems for answer sentence selection and triggering, to hold others against."""
