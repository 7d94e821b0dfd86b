"""Renderings of what the analyses found: text for a terminal, Markdown, JSON. Computes nothing, reads no store."""
