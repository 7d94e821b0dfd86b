"""Edition v3 (experimental): does a model move for reasons by its own lights, and for nothing else?"""
