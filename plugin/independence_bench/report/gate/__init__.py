"""The deployment gate: decides from a store and criteria whether models passed or failed, and renders the result.

Reads a store and records its look there; knows no pytest and no command line.
"""
