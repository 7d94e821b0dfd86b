"""The deployment gate: decides from a store and criteria, records its look in the store, and renders the result."""
