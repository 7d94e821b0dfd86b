"""Answer files: what is read, and the one sentence for each thing that can be wrong with one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from roles_samples import DATA, drawn

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics.answers import population_from, read_population
from independence_bench.kinds.roles.metrics.instruments import HIGHER_ORDER, INSTRUMENTS, START_POINTS, VALUES

FILE = Path("answers.json")


def written(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "answers.json"
    file.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return file


def small_instrument() -> dict[str, Json]:
    items = {value: [2 * index + 1, 2 * index + 2] for index, value in enumerate(VALUES)}
    return {"n_items": 20, "score_min": 0, "score_max": 4, "items_1based": items}


def every_value(**changes: Json) -> dict[str, Json]:
    """Items of each of the ten values, one of them changed."""
    items: dict[str, Json] = small_instrument()["items_1based"]
    return items | changes


def with_own_instrument(**changes: Json) -> dict[str, Json]:
    rows = [[persona % 5] * 20 for persona in range(3)]
    context: dict[str, Json] = {"questionnaire": "mine", "answers": rows}
    return {"questionnaires": {"mine": small_instrument() | changes}, "contexts": {"a": context, "b": context}}


def test_an_oracle_file_is_read_whole() -> None:
    population = read_population(DATA / "populations" / "dummy.json")
    assert population.model == "dummy"
    assert population.n_personas == 50
    assert len(population.main_contexts) == 9
    assert population.main_contexts == population.contexts
    assert population.contexts[0].answers[0][:3] == (6, 2, 5)
    assert population.contexts[8].instrument.kind == "survey"


def test_null_and_nan_are_missing_answers_and_whole_floats_are_scores(tmp_path: Path) -> None:
    text = json.dumps(drawn(personas=3)).replace("[[", "[[", 1)
    parsed = json.loads(text)
    parsed["contexts"]["c0"]["answers"][0][:3] = [None, float("nan"), 4.0]
    population = read_population(written(tmp_path, json.dumps(parsed)))
    assert population.contexts[0].answers[0][:3] == (None, None, 4)


def test_a_file_without_a_model_is_named_after_itself(tmp_path: Path) -> None:
    parsed = drawn(personas=3)
    del parsed["model"]
    assert read_population(written(tmp_path, json.dumps(parsed))).model == "answers"


def test_remarks_beside_the_answers_are_let_pass() -> None:
    remarked = drawn(personas=3) | {"note": "made up", "temperature": 0.7, "value_order": ["Power", "Hedonism"]}
    assert population_from(put(remarked, "c0", "asked_at", "noon"), FILE).n_personas == 3


def test_an_instrument_may_name_the_items_that_it_does_not_use() -> None:
    parsed = with_own_instrument(n_items=21, unused_items_1based=[21], source="a study")
    rows = [[persona % 5] * 21 for persona in range(3)]
    for name in parsed["contexts"]:
        parsed = put(parsed, name, "answers", rows)
    assert population_from(parsed, FILE).contexts[0].instrument.n_items == 21


def test_a_retest_is_kept_apart_from_the_measured_contexts() -> None:
    parsed = drawn(personas=3)
    contexts = dict(parsed["contexts"])
    contexts["again"] = contexts["c0"] | {"retest_of": "c0"}
    population = population_from({"contexts": contexts}, FILE)
    assert [context.name for context in population.main_contexts] == ["c0", "c1"]
    assert [context.retest_of for context in population.contexts] == [None, None, "c0"]


def test_a_file_may_bring_its_own_questionnaire() -> None:
    population = population_from(with_own_instrument(kind="survey"), FILE)
    instrument = population.contexts[0].instrument
    assert (instrument.name, instrument.kind, instrument.n_items) == ("mine", "survey", 20)
    assert instrument.columns("Stimulation") == [2, 3]


def test_a_file_may_redefine_a_known_questionnaire_and_keeps_its_kind() -> None:
    parsed = with_own_instrument()
    parsed["questionnaires"] = {"svs": small_instrument()}
    for context in parsed["contexts"].values():
        context["questionnaire"] = "svs"
    assert population_from(parsed, FILE).contexts[0].instrument.kind == "survey"


def test_the_ten_values_are_covered_once_by_points_higher_order_values_and_items() -> None:
    assert set(START_POINTS) == set(VALUES)
    assert sorted(value for values in HIGHER_ORDER.values() for value in values) == sorted(VALUES)
    for instrument, used in ((INSTRUMENTS["pvq"], 40), (INSTRUMENTS["svs"], 46)):
        columns = [column for column, _ in instrument.value_items]
        assert len(columns) == len(set(columns)) == used
        assert columns == sorted(columns)
        assert columns[-1] < instrument.n_items


BadShape = tuple[str, Callable[[dict[str, Json]], Json], str]

BAD: list[BadShape] = [
    ("one context", lambda good: {"contexts": {"c0": good["contexts"]["c0"]}}, "contexts: 1 given"),
    ("two personas", lambda good: drawn(personas=2), "contexts: 2 personas answered; a rank order needs at least 3"),
    ("a short row", lambda good: put(good, "c1", "answers", [[1, 2]]), "has 2 answers; pvq has 40 items"),
    ("personas missing in one context", lambda good: put(good, "c1", "answers", [[3] * 40] * 4), "has 4 rows where 3"),
    ("another number of personas", lambda good: good | {"n_personas": 9}, "has 3 rows where 9 are expected"),
    ("a number of personas in words", lambda good: good | {"n_personas": "3"}, "n_personas: it must be a whole number"),
    ("an answer above the scale", lambda good: score(good, 7), "c0.answers: 7 is outside the scale of pvq, 1 to"),
    ("an enormous answer", lambda good: score(good, 10**4000), "is outside the scale"),
    ("an infinite answer", lambda good: score(good, float("inf")), "it must be a whole number (it holds inf)"),
    ("an unknown questionnaire", lambda good: put(good, "c0", "questionnaire", "mbti"), "'mbti' is no questionnaire"),
    ("an unknown key", lambda good: good | {"items": {"Power": [1]}}, "items: it is not part of an answer file"),
    ("an unknown key within", lambda good: put(good, "c0", "timings", [1]), "contexts.c0: timings: it is not part"),
    ("a retest of nothing", lambda good: retest(good, "c9"), "contexts.again.retest_of: 'c9' is no measured context"),
    ("a retest of a retest", lambda good: retest(good, "again"), "'again' is no measured context"),
    ("a retest of another questionnaire", lambda good: other_retest(good), "a retest asks what c0 asked, pvq"),
]

BAD_INSTRUMENTS: list[tuple[str, dict[str, Json], str]] = [
    ("an unknown value name", {"items_1based": {"Valour": [1]}}, "each of the ten values: Self-Direction"),
    ("a value left out", {"items_1based": {"Power": [1]}}, "items are needed"),
    ("an item of two values", {"items_1based": every_value(Hedonism=[1])}, "item 1 is given twice"),
    (
        "an item that is not there",
        {"items_1based": every_value(Power=[21])},
        "21 is no item number; give numbers from 1 to 20",
    ),
    ("a scale upside down", {"score_max": -1}, "score_max: it must be above score_min (0)"),
    ("data under an unknown key", {"wording": ["…"]}, "questionnaires.mine: wording: it is not part"),
]


def put(good: dict[str, Json], context: str, key: str | None, value: Json) -> Json:
    contexts = dict(good["contexts"])
    contexts[context] = value if key is None else contexts[context] | {key: value}
    return good | {"contexts": contexts}


def score(good: dict[str, Json], answer: Json) -> Json:
    rows = [list(row) for row in good["contexts"]["c0"]["answers"]]
    rows[0][0] = answer
    return put(good, "c0", "answers", rows)


def retest(good: dict[str, Json], of: Json) -> Json:
    return put(good, "again", None, good["contexts"]["c0"] | {"retest_of": of})


def other_retest(good: dict[str, Json]) -> Json:
    return put(good, "again", None, {"questionnaire": "svs", "answers": [[3] * 57] * 3, "retest_of": "c0"})


@pytest.mark.parametrize(("spoil", "sentence"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_answers_are_refused_in_one_sentence(spoil: Callable[[dict[str, Json]], Json], sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        population_from(spoil(drawn(personas=3)), FILE)
    text = str(refused.value)
    assert text.startswith("answers.json: ")
    assert sentence in text
    assert "\n" not in text
    assert len(text) < 700


@pytest.mark.parametrize(("changes", "sentence"), [c[1:] for c in BAD_INSTRUMENTS], ids=[c[0] for c in BAD_INSTRUMENTS])
def test_bad_questionnaires_are_refused_in_one_sentence(changes: dict[str, Json], sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        population_from(with_own_instrument(**changes), FILE)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not the JSON of an answer file"),
        ("{", "is not the JSON of an answer file"),
        (b"\xff\xfe", "is not the JSON of an answer file"),
        ('{"contexts": {"a": 1, "a": 2}}', "the key 'a' is given twice"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "is not the JSON of an answer file"),
    ],
    ids=["empty", "cut off", "not text", "repeated key", "nested deeply", "endless number"],
)
def test_a_file_that_is_no_json_is_refused_in_one_sentence(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BadInput) as refused:
        read_population(file)
    assert str(refused.value).startswith(str(file))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.json: cannot be read \(No such file"):
        read_population(tmp_path / "nowhere.json")


def test_hostile_names_do_not_reach_the_terminal() -> None:
    parsed = drawn(personas=3)
    bad = dict(parsed["contexts"]["c0"]) | {"questionnaire": "x"}
    contexts: dict[str, Json] = {"\x1b[31mred\ud800": bad, "b": parsed["contexts"]["c1"]}
    with pytest.raises(BadInput) as refused:
        population_from({"contexts": contexts}, FILE)
    assert "\x1b" not in str(refused.value)
    str(refused.value).encode("utf-8")
