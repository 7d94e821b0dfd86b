"""Reads the YAML tables beside our own modules. The files of users are read by ``catalog.yaml_files``, strictly."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml is twenty times as fast


@cache
def packaged_yaml(package: str, name: str) -> Any:
    """Return what a YAML file in a package of ours says; no caller changes it. ``package`` is its dotted name."""
    return yaml.load((files(package) / name).read_text("utf-8"), Loader=_Loader)  # noqa: S506  # a SafeLoader
