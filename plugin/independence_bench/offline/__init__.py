"""The names of the embedded models and their judge, which ``offline://embedded/v1`` serves without socket and key."""

INDEX_MODELS = (
    "offline/steadfast",
    "offline/diplomat",
    "offline/weathervane",
    "offline/mirror",
    "offline/contrarian",
    "offline/noise",
)
"""Those that an Index tells apart, from the one that holds everything to the null model."""
ROLE_MODELS = ("offline/role-keeper", "offline/role-drifter")
"""Those that role stability tells apart, with the null model; asked anything else they are steadfast and mirror."""
REASON_MODELS = ("offline/cue-follower",)
"""Those that only dossiers tell apart from a model with reasons; asked anything else they are weathervanes."""
OFFLINE_MODELS = (*INDEX_MODELS, *ROLE_MODELS, *REASON_MODELS)  # each answers in every edition
LEXICAL_JUDGE = "offline/lexical"  # a heuristic that weighs words, no language model


class BadRequest(ValueError):
    """A request that cannot be answered or judged; the text says why and goes out with status 400."""
