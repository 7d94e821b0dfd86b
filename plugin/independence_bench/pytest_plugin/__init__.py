"""The pytest door."""
