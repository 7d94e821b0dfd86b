"""A session: what is asked for, what of it is stored, what it may cost. Knows no pytest."""
