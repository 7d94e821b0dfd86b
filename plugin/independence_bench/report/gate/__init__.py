"""The deployment gate: from a store and what is asked of a model to passed, failed or inconclusive, and its texts.

Reads a store and notes its look there; knows no pytest and no command line.
"""
