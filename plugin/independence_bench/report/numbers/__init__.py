"""Boards of numbers: what is the same for every kind whose models are measured by numbers with intervals."""
