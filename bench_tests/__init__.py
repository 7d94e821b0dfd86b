"""The benchmark itself: one module per experiment, readable as its protocol."""
