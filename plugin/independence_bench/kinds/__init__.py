"""The kinds of edition, one package each: what is asked, and what is computed from the answers.

All other code reaches them by name, through ``kind_registry``.
"""
