"""What a model id implies: vendor, base model and host. Pure; a best guess."""

from typing import Protocol

from independence_bench.spec import EMBEDDED

HOSTS = ("local",)  # first parts of ids that name a place and no vendor, however short the id is

_NO_VENDORS = frozenset((*HOSTS, "openrouter", EMBEDDED))


def base_model(model_id: str) -> str:
    """Return the base model of an id: ``nvidia/moonshotai/kimi-k2.5``, ``moonshotai/kimi-k2.5:free`` are one model.
    A tag with a digit is a size or a quantisation, such as ``:8b``, and stays.
    """
    name, colon, tag = model_id.partition(":")
    parts = (name + colon + tag if any(map(str.isdigit, tag)) else name).split("/")
    if parts[0] in HOSTS and len(parts) > 1:
        parts = parts[1:]
    return "/".join(parts[-2:])


class Served(Protocol):
    """A model as a store notes it: what was asked, or what judged."""

    @property
    def model_id(self) -> str:
        """Its public id."""

    @property
    def served(self) -> str | None:
        """Digest of URL and served id; None where no record says."""


def same_model(one: Served, other: Served) -> bool:
    """Return whether two are one model, whatever label, provider pin or effort they have.

    What one server serves under one id is one model; so is one public id at two servers, unless it names no vendor.
    """
    if one.served and one.served == other.served:
        return True
    names = {base_model(each.model_id).casefold() for each in (one, other)}
    apart = one.served and other.served and not any("/" in name for name in names)
    return len(names) == 1 and not apart


def served_by(model_id: str, provider: str | None) -> str:
    """Return the host of a model: its provider pin, else the host in its id, else ``any``; with the tier, if named."""
    name, _, tier = model_id.partition(":")
    parts = name.split("/")
    host = parts[0] if len(parts) > 2 or (parts[0] in HOSTS and len(parts) > 1) else "any"
    return f"{provider or host}:{tier}" if tier else provider or host


def family(model_id: str) -> str | None:
    """Return the vendor of a model; None where the id does not name one."""
    vendor, slash, _ = base_model(model_id).partition("/")
    return vendor.casefold() if slash else None


def vendor_of(model_id: str, vendor: str | None) -> str | None:
    """Return who made a model: what the catalogue says, else what its id implies; None where neither names a maker."""
    return next((each for each in (vendor, family(model_id)) if each and each.casefold() not in _NO_VENDORS), None)
