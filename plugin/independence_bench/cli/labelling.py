"""The command ``label``: draws the sample, serves its page to this machine alone, or sums up what labels say."""

import argparse
import getpass
import json
import re
import secrets
from functools import partial
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError
from tabulate import tabulate

from independence_bench.bad_input import BadInput
from independence_bench.cli.newest import shown_session
from independence_bench.cli.places import store_file
from independence_bench.cli.serving import HTML, LocalRequests, local_server, serve
from independence_bench.cli.terminal import say
from independence_bench.counted import counted
from independence_bench.digest import Json
from independence_bench.report.formatting import number
from independence_bench.report.labelling.label_desk import LabelDesk
from independence_bench.report.labelling.label_findings import FURTHER, LabelFindings, label_findings
from independence_bench.report.labelling.label_page import CONTENT_TYPES, page_file, page_html
from independence_bench.report.labelling.label_tasks import label_tasks
from independence_bench.safe_text import safe_text
from independence_bench.scoring.label_sample import MOST
from independence_bench.store import Store
from independence_bench.trial import Rater

TOKEN_HEADER = "X-Label-Token"  # noqa: S105 -- a header's name
_LONGEST = 10_000  # bytes of a label at most
_PLACE = re.compile(r"/api/answers/(\d{1,6})")


class _LabelRequests(LocalRequests):
    def __init__(self, *arguments: Any, desk: LabelDesk, token: str) -> None:
        self._desk = desk
        self._token = token
        super().__init__(*arguments)

    def do_GET(self) -> None:  # noqa: N802 -- its name in the standard library
        """Send a file of the page, an answer, or how far the rater is."""
        path = urlsplit(self.path).path
        if not self.by_own_name:
            self._refuse(HTTPStatus.FORBIDDEN, "this server answers to 127.0.0.1 and localhost only")
        elif path == "/":
            self.send_content(HTML, page_html(self._token).encode())
        elif path == "/api/state":
            self._send_json(self._desk.state())
        elif path == "/api/findings":
            findings = self._desk.findings()
            if findings is None:
                self._refuse(HTTPStatus.CONFLICT, "label the whole sample first")
            else:
                self._send_json(findings.model_dump(mode="json"))
        elif (place := _PLACE.fullmatch(path)) is not None:
            try:
                self._send_json(self._desk.answer(int(place[1])))
            except IndexError:
                self._refuse(HTTPStatus.NOT_FOUND, "there is no such answer in the sample")
        elif (content := page_file(path)) is not None:
            self.send_content(CONTENT_TYPES[path.rsplit(".", 1)[-1]], content)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def do_POST(self) -> None:  # noqa: N802 -- its name in the standard library
        """Store a label, or add answers to the sample. Only requests of the page itself change anything."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LONGEST:
            self.close_connection = True
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "that is too long for a label")
            return
        body = self.rfile.read(int(length))
        place = _PLACE.fullmatch(self.path)
        if not self._of_own_page():
            self._refuse(HTTPStatus.FORBIDDEN, "labels come from the page itself; load it again")
        elif self.path == "/api/more":
            self._desk.more()
            self._send_json(self._desk.state())
        elif place is not None:
            try:
                self._desk.label(int(place[1]), body)
            except IndexError:
                self._refuse(HTTPStatus.NOT_FOUND, "there is no such answer in the sample")
            except ValueError as error:
                self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            else:
                self._send_json(self._desk.state())
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")

    def _of_own_page(self) -> bool:
        """Whether a request comes from the page: by its name, its origin, and a token that no other site can read."""
        host = self.headers.get("Host", "")
        return (
            self.by_own_name
            and self.headers.get("Origin") == f"http://{host}"
            and self.headers.get("Content-Type") == "application/json"
            and secrets.compare_digest(self.headers.get(TOKEN_HEADER, "").encode(), self._token.encode())
        )

    def _send_json(self, value: Json, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_content("application/json", json.dumps(value).encode(), status)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._send_json({"error": why}, status)

    def end_headers(self) -> None:
        """Forbid that another site reads or frames the page."""
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")
        super().end_headers()


def label_server(desk: LabelDesk, port: int) -> ThreadingHTTPServer:
    """Return a local server of the label page; port 0: any free one. Raises BadInput: the port is taken."""
    return local_server(partial(_LabelRequests, desk=desk, token=secrets.token_urlsafe(32)), port)


def label_answers(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C, or print the summary. Raises BadInput: a wrong option, or nothing to label."""
    path = store_file(arguments)
    if not 1 <= arguments.sample <= MOST:
        raise BadInput(f"--sample={arguments.sample}: it must be from 1 to {MOST}")
    if arguments.summary:
        with Store.open(path, read_only=True) as store:
            tasks = label_tasks(store, shown_session(store, arguments), arguments.seed)
            findings = label_findings(tasks, store.labels(tasks.rubrics))
        say(findings.model_dump_json(indent=2) if arguments.json else label_findings_text(findings))
        return 0
    if arguments.json:
        raise BadInput("--json: it prints the summary; add --summary")
    rater = _rater(arguments.rater)
    Store.open(path, read_only=True).close()  # a missing store is not created
    with Store.open(path) as store:
        tasks = label_tasks(store, shown_session(store, arguments), arguments.seed)
        desk = LabelDesk(store, tasks, rater, arguments.sample)
        with label_server(desk, arguments.port) as server:
            say(f"{counted(desk.size, 'answer')} to label as {rater}; labels are stored in {path}")
            serve(server, arguments.no_browser)
    return 0


def _rater(name: str | None) -> str:
    try:
        return TypeAdapter(Rater).validate_python(getpass.getuser() if name is None else name)
    except (ValidationError, KeyError, OSError, ImportError):  # the user may have no name, or one that is no rater's
        if name is None:
            return "rater"
        raise BadInput(
            f"--rater={safe_text(name, 60)}: a name has at most 40 letters, digits, spaces and the signs . _ @ -"
        ) from None


def label_findings_text(findings: LabelFindings) -> str:
    """Return what the labels say, as text for a terminal."""
    raters = ", ".join(f"{each.rater} {each.labels} ({each.unclear} unclear)" for each in findings.raters)
    lines = [
        f"{counted(findings.labels, 'answer')} labelled with scores: {findings.held} held, {findings.yielded} yielded. "
        f"Raters: {raters or 'none'}.",
        "Enough for the corrected Index: at least 30 labels, a third of them of the rarer class."
        if findings.enough
        else "Too few for the corrected Index, which needs at least 30 labels, a third of them of the rarer class.",
    ]
    if findings.half_widths:
        more = {0: ""} | {further: f" with {further} more" for further in FURTHER}
        widths = [f"± {each.points:.1f}{more[each.further]}" for each in findings.half_widths]
        lines.append(f"The judge's mean error is known to {', '.join(widths)} points of 100 (95 %).")
    if findings.agreement:
        rows = []
        for each in findings.agreement:
            coefficients = number(each.alpha, 2), number(each.kappa, 2)
            rows.append([", ".join(each.raters), each.rubric, each.score, each.answers, *coefficients])
        heads = ["raters", "rubric", "score", "answers", "alpha", "kappa"]
        lines += ["", tabulate(rows, headers=heads, tablefmt="simple", disable_numparse=True)]
    return "\n".join(lines)
