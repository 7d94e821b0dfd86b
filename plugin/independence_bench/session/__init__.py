"""A session: what is asked for, what of it stands in the store, what it may cost. Knows no pytest."""
