"""The results of the stored trials as data: the leaderboard, its rows and the analyses. Renders nothing."""
