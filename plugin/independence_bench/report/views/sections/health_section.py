"""The section on what is wrong with the trials, and how it is mended."""

from collections.abc import Iterator, Sequence

from independence_bench.report.analysis.health import Health
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import condition, section, table


def health_section(board: Leaderboard) -> Iterator[str]:
    """Yield every model with something to say about it; the sound ones are counted."""
    yield from section("Health", _lines(board.health), board.health)


def _lines(found: Sequence[Health]) -> Iterator[str]:
    ailing = [each for each in found if not each.sound]
    if sound := len(found) - len(ailing):
        yield f"Nothing to report on {sound} of {len(found)} models."
    if not ailing:
        return
    yield ""
    yield from table(
        [
            "Model",
            "Missing",
            "Unjudged",
            "Answers",
            "Retries",
            "Empty answers",
            "Cut off",
            "Delivery not kept",
            "Template junk",
            "Fewer answers",
            "Failed attempts",
        ],
        (
            [
                _name(each),
                f"{each.missing} of {each.planned}",
                str(each.unjudged),
                str(each.answers),
                str(each.retries),
                str(each.empty),
                str(each.cut_off),
                str(each.undelivered),
                str(each.template_junk),
                str(each.partial),
                str(each.failures),
            ]
            for each in ailing
        ),
    )
    mended = [each for each in ailing if each.repairs or each.remark]
    if mended:
        yield ""
        yield "What mends it; what is measured is not asked again:"
        yield ""
    for each in mended:
        for repair in each.repairs:
            yield f"- {_name(each)}: {_command(repair)}"
        if each.remark:
            yield f"- {_name(each)}: {in_markdown(each.remark)}"


def _name(health: Health) -> str:
    return f"{name_in_markdown(health.label)}{condition(health.configuration)}"


def _command(command: str) -> str:
    """Return a command as code, unless a label in it could end the code."""
    plain = command.isascii() and command.isprintable() and not set("`|<>") & set(command)
    return f"`{command}`" if plain else in_markdown(command)
