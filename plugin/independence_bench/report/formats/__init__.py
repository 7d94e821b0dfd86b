"""Writers of exports for other tools, each with files for all leaderboards of a store."""
