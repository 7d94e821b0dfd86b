"""What scripts and notebooks use: results read from a store.

A door like the command line: it holds no statistics, no SQL and no sentence of a report.
"""
