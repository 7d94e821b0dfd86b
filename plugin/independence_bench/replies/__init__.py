"""A chat server's message, divided into what was said, thought and called, and how it ended. Pure; knows no HTTP."""
