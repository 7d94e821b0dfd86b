"""The simulated models: what is in this folder decides their answers and no verdict."""
