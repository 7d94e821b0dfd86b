"""The lexical judge: what is in this folder decides its verdicts and no model's answer."""
