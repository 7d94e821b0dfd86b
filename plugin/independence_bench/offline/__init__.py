"""The names of the embedded models, which ``offline://embedded/v1`` serves without socket and key."""

# Those that an Index tells apart, from the one that holds everything to the null model.
INDEX_MODELS = tuple(
    f"offline/{name}" for name in ("steadfast", "diplomat", "weathervane", "mirror", "contrarian", "noise")
)
ROLE_MODELS = ("offline/role-keeper", "offline/role-drifter")  # role stability; elsewhere steadfast and mirror
REASON_MODELS = ("offline/cue-follower",)  # dossiers: no reasons; elsewhere a weathervane
OFFLINE_MODELS = (*INDEX_MODELS, *ROLE_MODELS, *REASON_MODELS)  # each answers in every edition


class BadRequest(ValueError):
    """A request that cannot be answered or judged; the text says why and goes out with status 400."""
