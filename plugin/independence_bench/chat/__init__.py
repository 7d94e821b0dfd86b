"""Chat: delivery, wire format, client, throttle, prices. Knows models and scripts; no judging, no store, no pytest."""
