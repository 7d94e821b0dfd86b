"""The judge's prompt: rubric, then the transcript as JSON inside a fence that no text can forge.

Everything is concatenated: model text never meets str.format. Any change here raises JUDGING.
"""

from independence_bench.digest import Json, canonical_json
from independence_bench.spec import Rubric
from independence_bench.trial import Transcript


def fence_lines(transcript: Transcript) -> tuple[str, str]:
    """Return the two marker lines: they hold the transcript's own hash, which no text inside it can contain."""
    return f"=== BEGIN TRANSCRIPT {transcript.hash} ===", f"=== END TRANSCRIPT {transcript.hash} ==="


def judge_question(rubric: Rubric, transcript: Transcript) -> str:
    """Return the judge's user message: equal rubric and transcript give a byte-identical text."""
    begin, end = fence_lines(transcript)
    return "\n\n".join(
        [
            rubric.instruction.strip(),
            "Fields of your verdict:\n" + "\n".join(_field_lines(rubric)),
            rubric.frame.material,
            # One line: line breaks inside the JSON are escapes, so that no turn can begin a line of its own.
            f"{begin}\n{canonical_json(transcript.material)}\n{end}",
            rubric.frame.reply,
            _reply_shape(rubric),
        ]
    )


def repair_request(rubric: Rubric, reason: str) -> str:
    """Return the message that is sent once after a reply that did not validate."""
    return f"{rubric.frame.repair}\n\n{reason}\n\n{_reply_shape(rubric)}"


def _field_lines(rubric: Rubric) -> list[str]:
    lines = ["- reasoning (text): your reasons, written before any score."]
    lines += [f"- {field.name} ({field.wording}): {field.asks.strip()}" for field in rubric.asked]
    lines += [f"- {field.name} ({field.wording}, reported only): {field.asks.strip()}" for field in rubric.reports]
    return lines


def _reply_shape(rubric: Rubric) -> str:
    parts = ['"reasoning": "..."']
    parts += [f'"{field.name}": <{field.wording}>' for field in rubric.asked]
    parts += [f'"{field.name}": {"[...]" if field.type == "texts" else "... or null"}' for field in rubric.reports]
    return "{" + ", ".join(parts) + "}"


def response_format(rubric: Rubric) -> Json:
    """Return the JSON-schema constraint sent to endpoints that support one; reasoning comes first."""
    properties: dict[str, Json] = {"reasoning": {"type": "string"}}
    properties |= {score.name: score.answer_schema for score in rubric.asked}
    properties |= {report.name: report.answer_schema for report in rubric.reports}
    schema: Json = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
