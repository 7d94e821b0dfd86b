"""The files of the label page: its own, and those that it shares with the viewer."""

from functools import cache
from html import escape
from pathlib import Path

from independence_bench.report.site.pages import CONTENT_SECURITY_POLICY

_OWN = Path(__file__).parent / "page"
_SHARED = Path(__file__).parents[1] / "site" / "assets"
_FILES = {
    f"/assets/{path.name}": path
    for path in (
        *(_OWN / name for name in ("label.js", "label.css")),
        *(_SHARED / name for name in ("site.css", "theme.js", "bench.js", "icon.svg")),
    )
}
CONTENT_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}


@cache
def page_file(address: str) -> bytes | None:
    """Return the content of a file by its address; None if the page has no such file."""
    path = _FILES.get(address)
    return path.read_bytes() if path else None


def page_html(token: str) -> str:
    """Return the page. Its script sends the token back with every label."""
    policy = CONTENT_SECURITY_POLICY.replace("connect-src 'none'", "connect-src 'self'")
    html = (_OWN / "label.html").read_text(encoding="utf-8")
    return html.replace("{policy}", escape(policy)).replace("{token}", escape(token))
