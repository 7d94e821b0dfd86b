"""Editions that measure whether simulated personas keep their values in any context (role stability)."""
