"""A kind of edition as somebody would add one: this folder and one line of the registry."""
