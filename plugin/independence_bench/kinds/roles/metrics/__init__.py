"""Role stability: do the personas of a simulated population keep their values in every context?

From item answers to rank-order stability, circumplex Stress, factor structure and the leaderboard's scores.
"""
