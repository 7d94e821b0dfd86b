"""The lexical judge: files in this folder change its verdicts and no model's answers."""
