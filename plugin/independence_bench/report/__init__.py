"""Reports: the leaderboard as data, Markdown and terminal text, and the record of a session's cases."""
