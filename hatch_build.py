"""What a package registry shows: the README, with links that lead to the repository once pyproject.toml names it."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class LongDescription(MetadataHookInterface):
    """Makes the relative links and pictures of the README absolute in the metadata of the package."""

    def update(self, metadata: dict) -> None:
        """Set the long description."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if url := metadata.get("urls", {}).get("Repository"):
            text = re.sub(r"(!?)(\[[^\[\]]*\])\((?!https?:|#)", lambda found: _absolute(found, url.rstrip("/")), text)
            text = re.sub(r'((?:src|srcset)=")(?!https?:)', rf"\1{url.rstrip('/')}/raw/HEAD/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _absolute(found: re.Match, url: str) -> str:
    picture, label = found.groups()
    return f"{picture}{label}({url}/{'raw' if picture else 'blob'}/HEAD/"
