import base64
import html
import json
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import quote, quote_plus

import pytest
from chat_samples import endpoint
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.chat.secret import Secret
from independence_bench.trial import Reply

KEY = "sk-canary-0123456789"


def test_a_key_shows_in_no_repr() -> None:
    assert KEY not in f"{Secret(KEY)!r} {Secret(KEY)} {[Secret(KEY)]}"


def test_the_key_comes_from_the_endpoints_variable() -> None:
    secret = Secret.of(endpoint(key_env="K"), {"K": f" {KEY}\n"})
    assert secret.headers == {"Authorization": f"Bearer {KEY}"}
    assert Secret.of(endpoint(), {"K": KEY}).headers == {}


def test_azures_key_goes_in_its_own_header() -> None:
    secret = Secret.of(endpoint(key_env="K", key_sent_as="api_key"), {"K": KEY})
    assert secret.headers == {"api-key": KEY}
    assert secret.cut(f"wrong key {KEY}") == "wrong key [key]"


def test_basic_authentication_hides_the_password_in_every_form() -> None:
    secret = Secret.of(endpoint(key_env="K", key_sent_as="basic"), {"K": f"someone:{KEY}"})
    sent = base64.b64encode(f"someone:{KEY}".encode()).decode()
    assert secret.headers == {"Authorization": f"Basic {sent}"}
    for echo in (KEY, f"someone:{KEY}"):
        assert KEY not in secret.cut(f"who is {echo}?")
    assert "[key]" in secret.cut(f"Basic {sent}") and sent not in secret.cut(f"Basic {sent}")


def test_basic_authentication_needs_a_user_and_a_password() -> None:
    with pytest.raises(BadInput, match=r"^K: it must be user:password"):
        Secret.of(endpoint(key_env="K", key_sent_as="basic"), {"K": KEY})


@pytest.mark.parametrize("environment", [{}, {"K": ""}, {"K": "  "}])
def test_a_missing_key_is_said_by_the_name_of_its_variable(environment: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"^K: no API key for test; set this environment variable$"):
        Secret.of(endpoint(key_env="K"), environment)


@pytest.mark.parametrize("key", ["sk-ключ", "sk-one\nsk-two"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(BadInput, match="an HTTP header cannot carry") as caught:
        Secret.of(endpoint(key_env="K"), {"K": key})
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("key", [KEY, "sk-1234"])
def test_the_hash_by_which_a_gateway_knows_a_key_is_cut_out_and_so_is_its_beginning(key: str) -> None:
    digits = sha256(key.encode()).hexdigest()
    message = f"Key Hash (Token) ={digits}. key {digits[:8]}... {digits[:12].upper()}xyz {digits[:7]}"
    kept = f"Key Hash (Token) =[key]. key [key]... [key]xyz {digits[:7]}"
    assert Secret(key).cut(message) == kept
    assert Secret(key).cut_bytes(message.encode(), in_answer=False) == kept.encode()


def test_the_key_is_cut_out_of_every_part_of_an_answer() -> None:
    answer = Reply(
        answer=f"It is {KEY}.",
        private_thought=f"a {KEY}",
        reasoning=f"b {KEY}",
        tool_arguments=f'{{"message": "It is {KEY}."}}',
        more_arguments=f'["{KEY}"]',
        written_call=f"c {KEY}",
        others_turn=f"d {KEY}",
        unread=f"<|x|>{KEY}",
    )
    cut = Secret(KEY).cut_answer(answer)
    assert KEY not in repr(cut)
    assert (cut.answer, cut.more_arguments, cut.unread) == ("It is [key].", None, "<|x|>[key]")


def test_a_key_in_the_reasoning_alone_leaves_the_other_parts_as_they_are() -> None:
    cut = Secret(KEY).cut_answer(
        Reply(answer="Hi.", reasoning=f"The key is {KEY}", tool_arguments='{"message": "Hi."}')
    )
    expected = Reply(answer="Hi.", reasoning="The key is [key]", tool_arguments='{"message": "Hi."}', key_cut=True)
    assert cut == expected


def test_arguments_that_hold_the_key_in_escapes_are_dropped() -> None:
    escaped = '{"message": "\\u0073k-canary-0123456789"}'
    assert Secret(KEY).cut_answer(Reply(answer=KEY, tool_arguments=escaped)).tool_arguments == "[key]"


def test_an_answer_without_the_key_and_a_dummy_key_stay_untouched() -> None:
    answer = Reply(answer="ollama is a llama", reasoning=None)
    assert Secret(KEY).cut_answer(answer) is answer
    assert Secret("ollama").cut_answer(answer) is answer
    assert Secret(None).cut_answer(answer) is answer


def test_a_raw_body_loses_the_key_and_dummy_keys_only_in_errors() -> None:
    assert Secret(KEY).cut_bytes(f"x{KEY}x".encode(), in_answer=True) == b"x[key]x"
    assert Secret("ollama").cut_bytes(b"ollama", in_answer=True) == b"ollama"
    assert Secret("ollama").cut_bytes(b"ollama", in_answer=False) == b"[key]"
    assert Secret(None).cut_bytes(b"abc", in_answer=False) == b"abc"
    assert Secret("x").cut("xyz") == "xyz"


ODD = "sk-canary/Zq7+w==<0123456789>%'\"&x"
"""A key of which every encoding makes something else."""
GUISES = {
    "itself": ODD,
    "JSON": json.dumps(ODD)[1:-1],
    "JSON with escaped slashes": json.dumps(ODD)[1:-1].replace("/", "\\/"),
    "JSON in JSON": json.dumps(json.dumps(ODD))[1:-1],
    "JSON escapes throughout": "".join(f"\\u{ord(character):04x}" for character in ODD),
    "JSON escapes in capitals": "".join(f"\\u{ord(character):04X}" for character in ODD),
    "a URL": quote(ODD),
    "a URL's query": quote_plus(ODD),
    "a URL in lower case": quote(ODD, safe="").replace("%2F", "%2f").replace("%3D", "%3d"),
    "a URL in a URL": quote(quote(ODD, safe=""), safe=""),
    "HTML": html.escape(ODD),
    "HTML codes": "".join(f"&#{ord(character)};" for character in ODD),
    "HTML codes in hexadecimal": "".join(f"&#x{ord(character):02X};" for character in ODD),
    "repr": repr(ODD)[1:-1],
    "lines": f"{ODD[:20]}\n    {ODD[20:]}",
    "escaped lines": f"{ODD[:10]}\\r\\n{ODD[10:]}",
    "words": " ".join(ODD),
    "base64": base64.b64encode(ODD.encode()).decode(),
    "base64 without its end": base64.b64encode(ODD.encode()).decode().rstrip("="),
    "base64 of a header": base64.b64encode(f"Bearer {ODD}".encode()).decode(),
    "base64 of a pair": base64.b64encode(f"user:{ODD}:x".encode()).decode(),
    "base64 for URLs": base64.urlsafe_b64encode(f"ab{ODD}".encode()).decode(),
    "base64 in lines": base64.encodebytes(f"Authorization: Bearer {ODD}{ODD}".encode()).decode(),
    "hexadecimal": ODD.encode().hex(),
}


@pytest.mark.parametrize("guise", GUISES.values(), ids=GUISES.keys())
def test_a_key_is_cut_out_in_every_guise_and_nothing_beside_it(guise: str) -> None:
    secret = Secret(ODD)

    message = secret.cut(f"before: ({guise}) after")

    assert message.startswith("before: (")
    assert message.endswith(") after")
    assert "[key]" in message
    assert len(message) < 60, message
    assert secret.cut_bytes(f"before ({guise})".encode(), in_answer=False).startswith(b"before (")
    assert len(secret.cut_bytes(f"before ({guise})".encode(), in_answer=False)) < 60


WHOLLY_BROKEN_UP = ("words", "hexadecimal", "escapes throughout", "escapes in capitals", "HTML codes")
"""Looked for in errors only: an answer is first searched for pieces of the key, for there are many answers."""


@pytest.mark.parametrize("name", [name for name in GUISES if not any(word in name for word in WHOLLY_BROKEN_UP)])
def test_an_answer_loses_the_key_in_every_guise_that_leaves_pieces_of_it_whole(name: str) -> None:
    guise = GUISES[name]
    assert "[key]" in Secret(ODD).cut_answer(Reply(answer=f"It is {guise}.")).answer
    assert b"[key]" in Secret(ODD).cut_bytes(f"It is {guise}.".encode(), in_answer=True)


@given(st.data(), st.from_regex(r"[ -~]*[A-Za-z]{2}[ -~]{12,40}", fullmatch=True).map(str.strip))
def test_a_key_in_any_letter_case_is_cut_out_of_errors_and_answers(data: st.DataObject, key: str) -> None:
    capitals = data.draw(st.lists(st.booleans(), min_size=len(key), max_size=len(key)))
    echo = "".join(sign.upper() if capital else sign.lower() for sign, capital in zip(key, capitals, strict=True))
    secret = Secret(key)
    assert secret.cut(f"İİ ({echo}) after") == "İİ ([key]) after"
    assert secret.cut_bytes(f"({echo})".encode(), in_answer=True) == b"([key])"
    assert secret.cut_answer(Reply(answer=f"İt is {echo}.")).answer == "İt is [key]."


@pytest.mark.parametrize("written", [str.upper, str.lower, str.swapcase], ids=lambda written: written.__name__)
@pytest.mark.parametrize("name", GUISES)
def test_a_key_in_another_letter_case_is_cut_out_in_every_guise(name: str, written: Callable[[str], str]) -> None:
    message = Secret(ODD).cut(f"before: ({written(GUISES[name])}) after")
    assert "[key]" in message and len(message) < 60, message


@pytest.mark.parametrize("written", [str.upper, str.lower])
def test_the_encodings_of_a_key_in_capitals_or_small_letters_are_cut_out(written: Callable[[str], str]) -> None:
    key = written(ODD)
    for echo in (base64.b64encode(f"Bearer {key}".encode()).decode(), key.encode().hex()):
        assert "[key]" in Secret(ODD).cut(f"({echo})")


def test_a_short_key_is_cut_out_of_errors_in_any_letter_case_unless_it_is_a_mere_word() -> None:
    assert Secret("Pass-w0rd").cut("wrong: PASS-W0RD") == "wrong: [key]"
    assert Secret("EMPTY").cut("EMPTY: an empty body") == "[key]: an empty body"


def test_text_like_a_key_but_not_the_key_stays() -> None:
    near = ODD[:-1] + "?"
    assert Secret(ODD).cut(near) == near
    assert Secret(KEY).cut(KEY[:-1]) == KEY[:-1]


def test_a_long_error_is_searched_in_little_time() -> None:
    body = f"{'sk-canary ' * 100_000}{ODD}".encode()
    assert Secret(ODD).cut_bytes(body, in_answer=False).endswith(b" [key]")
