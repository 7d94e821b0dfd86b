"""Turns what the predecessor published, its cache or its verdicts alone, into a store of ours."""
