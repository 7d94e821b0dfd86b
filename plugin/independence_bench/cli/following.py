"""The server of ``view --follow``: the written site, and a page that shows a session while it runs."""

import argparse
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.cli.serving import HTML, SitePages, local_server, serve
from independence_bench.report.site.live import LIVE_DATA, LIVE_PAGE, LiveReader, live_page
from independence_bench.report.site.site_folder import ASSETS


class Following:
    """What the pages need to know of the session, and whether the site has been written since."""

    def __init__(self, store: Path, write_site: Callable[[], object]) -> None:
        """Follow the newest session of a store; ``write_site`` may raise BadInput where nothing is measured."""
        self._write = write_site
        self.live = LiveReader(store, ended=lambda: Thread(target=self.write, daemon=True).start())
        self.site = False  # whether there is a site that shows what the store holds

    def write(self) -> None:
        """Write the site, if anything is measured."""
        try:
            self._write()
            self.site = True
        except BadInput:
            self.site = False


class _LivePages(SitePages):
    def __init__(self, *arguments: Any, following: Following, **options: Any) -> None:
        self._following = following
        super().__init__(*arguments, **options)

    def send_head(self) -> Any:
        """Answer what is live; everything else is the site's."""
        asked = self.path.partition("?")[0]
        if not self.by_own_name:
            return self.send_error(HTTPStatus.FORBIDDEN)
        if asked == f"/{LIVE_PAGE}" or (asked in ("/", "/index.html") and not self._following.site):
            return self.send_content(HTML, live_page().encode())
        if asked == f"/{LIVE_DATA}":
            known = b'{"site": true, ' if self._following.site else b'{"site": false, '
            return self.send_content("application/json; charset=utf-8", known + self._following.live.state()[1:])
        return super().send_head()

    def translate_path(self, path: str) -> str:
        """Take scripts and styles from the package: the site may not be written yet."""
        _, folder, name = path.partition("?")[0].rpartition("/assets/")
        known = ASSETS / name if folder and "/" not in name else None
        return str(known) if known is not None and known.is_file() else super().translate_path(path)


def live_server(folder: Path, port: int, following: Following) -> ThreadingHTTPServer:
    """Return a local server of the site in a folder and of the live page. Raises BadInput: the port is taken."""
    return local_server(partial(_LivePages, directory=str(folder), following=following), port)


def follow(store: Path, folder: Path, arguments: argparse.Namespace, write_site: Callable[[], object]) -> None:
    """Serve the live page until Ctrl-C; the site is written now, and again when a session ends."""
    following = Following(store, write_site)
    following.write()
    with live_server(folder, arguments.port, following) as server:
        serve(server, arguments.no_browser, LIVE_PAGE)
