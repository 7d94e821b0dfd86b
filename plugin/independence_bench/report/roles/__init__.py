"""Role stability reported: answers read from the store, leaderboard, Markdown, terminal text, figures.

Loaded only where an edition measures it: with it come numpy and scipy.
"""
