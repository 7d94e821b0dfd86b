"""What each chunk of data holds. Renders no HTML and writes no file.

Chunks name scenarios, judges and scores by their places in the view's lists, so that no foreign text is ever a key.
"""
