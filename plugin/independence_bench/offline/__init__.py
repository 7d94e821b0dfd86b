"""The embedded endpoint ``offline://embedded/v1``: simulated models and a lexical judge, without socket and key.

Names only; the transport that serves them is in ``transport.py`` and is handed in by the doors.
"""

OFFLINE_MODELS = (
    "offline/steadfast",
    "offline/diplomat",
    "offline/weathervane",
    "offline/mirror",
    "offline/contrarian",
    "offline/noise",
)
"""The simulated models, from the one that holds everything to the null model."""

LEXICAL_JUDGE = "offline/lexical"
"""The judge: a heuristic that weighs words, no language model."""

OFFLINE_URL = "offline://embedded/v1"
"""Base URL under which the transport answers."""
