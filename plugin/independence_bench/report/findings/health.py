"""What is wrong with the trials of a model, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class Health(Shown):
    """What is wrong with the trials of one model, and the command that mends it."""

    label: str
    identity: str
    configuration: str | None
    planned: int
    missing: int
    """Planned trials without a transcript."""
    unjudged: int
    """Transcripts that lack a verdict of the panel."""
    answers: int
    retries: int
    """Requests beyond the first of each answer."""
    empty: int
    """Requests that came back with nothing to judge."""
    cut_off: int
    """Answers that ended at the token limit."""
    undelivered: int
    """Transcripts with an answer in plain content where a tool call was asked for."""
    template_junk: int
    """Answers with chat-template tokens in them."""
    partial: int
    """Transcripts of fewer answers than others of their scenario."""
    failures: int
    """Attempts that led to no measurement."""
    repairs: list[str]
    """Commands that mend what is missing or unjudged."""
    remark: str | None
    """Why no command mends it."""

    @property
    def sound(self) -> bool:
        """True where there is nothing to say."""
        return not (
            self.missing
            or self.unjudged
            or self.retries
            or self.empty
            or self.cut_off
            or self.undelivered
            or self.template_junk
            or self.partial
            or self.failures
        )
