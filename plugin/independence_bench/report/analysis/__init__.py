"""What the stored trials come to, as data: the leaderboard, its rows, and the analyses over them. Renders nothing."""
