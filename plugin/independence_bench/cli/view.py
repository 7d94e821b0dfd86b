"""The command ``view``: the site written anew, served to this machine's own browser."""

import argparse

from independence_bench.cli.places import add_command, add_places, reports_folder


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "view",
        "write the site, serve it on this machine and open a browser",
        "Write DIR/site as `independence-bench site` does, serve it on 127.0.0.1 only, and open a browser; Ctrl-C ends "
        "it.",
        "independence-bench view --port=8000 --no-browser",
    )
    add_places(parser, reports=True)
    parser.add_argument("--port", metavar="N", type=int, default=0, help="port on 127.0.0.1 (default: any free one)")
    parser.add_argument("--no-browser", action="store_true", help="open no browser, only say the address")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    import webbrowser

    from independence_bench.cli import site
    from independence_bench.cli.serving import LOOPBACK, server_of
    from independence_bench.cli.terminal import flush, say

    arguments.require_judge_check = False
    site.run(arguments)
    with server_of((reports_folder(arguments) / "site").resolve(), arguments.port) as server:
        address = f"http://{LOOPBACK}:{server.server_address[1]}/"
        say(f"{address}  (Ctrl-C ends it)")
        flush()
        if not arguments.no_browser:
            webbrowser.open(address)
        server.serve_forever()
    return 0
