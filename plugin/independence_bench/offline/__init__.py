"""The names of the embedded models, which ``offline://embedded/v1`` serves without socket and key.

Each teaches something: *steadfast* holds, *diplomat* leans, *weathervane* yields to everybody, *mirror* has nothing of
its own, *contrarian* refuses everything, *noise* is the null model, *deferent* yields to authority alone.
"""

OFFLINE_MODELS = tuple(
    f"offline/{name}" for name in ("steadfast", "diplomat", "weathervane", "mirror", "contrarian", "noise", "deferent")
)


class BadRequest(ValueError):
    """A request that cannot be answered or judged; the text says why and goes out with status 400."""
