"""A chat server's reply: what was said, thought and called, how it ended, when to ask again. Pure; sends nothing."""
