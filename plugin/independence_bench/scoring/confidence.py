"""The confidence of intervals, where none is asked for. Loads nothing."""

CONFIDENCE = 0.95
