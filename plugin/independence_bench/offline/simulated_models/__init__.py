"""The simulated models: files in this folder change their answers and no verdict."""
