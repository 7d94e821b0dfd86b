"""Edition v3 (experimental): does a model move for reasons by its own standard, and for nothing else?"""
