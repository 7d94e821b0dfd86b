"""Editions whose judged scenarios add up to an Index."""
