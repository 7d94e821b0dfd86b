"""Comparison of two models: what is the same for every kind. Only the command ``compare`` and the API load it."""
