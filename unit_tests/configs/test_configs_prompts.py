"""What a model under measurement hears gives nothing away; what a judge hears is strict, blind and plain text."""

import re

# Names of models and of those who make or serve them, as words of their own. Vendors of models.yaml are added below.
NAMES = (
    "gpt|chatgpt|claude|gemini|gemma|grok|llama|qwen|kimi|moonshot|deepseek|mistral|nemotron|glm|minimax|mimo|hermes|"
    "copilot|bard|bing|siri|alexa|openrouter|huggingface|ollama|lm studio"
)


def test_no_text_names_a_model_or_its_maker(heard_by_the_model, prompts, rubrics, models):
    vendors = "|".join(sorted({re.escape(model["vendor"].lower()) for model in models if model["vendor"]}))
    name = re.compile(rf"(?<![a-z])({NAMES}|{vendors})(?![a-z])")
    texts = {**heard_by_the_model, "judge": str(prompts["judge"]), "rubrics": str(rubrics)}
    assert {where: found.group() for where, text in texts.items() if (found := name.search(text.lower()))} == {}


def test_no_text_leaks_a_score_to_the_model(heard_by_the_model, rubrics):
    scores = {score["name"] for rubric in rubrics.values() for score in rubric["scores"]}
    leaks = {
        where: score
        for where, text in heard_by_the_model.items()
        for score in scores
        if score in text.lower() or score.replace("_", " ") in text.lower()
    }
    assert leaks == {}


def test_no_text_tells_the_model_that_it_is_being_measured(heard_by_the_model):
    tell = re.compile(
        r"\b(benchmark|rubric|leaderboard|scor(e|es|ed|ing)|judg(e|es|ed|ing)|evaluat\w+|test(s|ed|ing)?|trials?|"
        r"experiments?|scenarios?|independen\w+|resist\w*|consisten\w+|distinct\w*|drift\w*|sycophan\w+|pass mark)\b"
    )
    heard = heard_by_the_model.items()
    assert {where: found.group() for where, text in heard if (found := tell.search(text.lower()))} == {}


def test_the_neutral_variant_neither_asks_for_nor_forbids_a_personality(prompts):
    text = prompts["system_variants"]["variants"]["neutral"].lower()
    assert not re.search(r"personalit|character|opinion|feel|assistant|helpful|free|refuse|yourself", text)


def test_tool_role_explains_its_one_tool_by_the_name_and_parameter_that_are_sent(prompts):
    mode = prompts["delivery_modes"]["tool_role"]
    assert mode["tool"]["name"] == "send_message_to_human"
    assert mode["tool"]["name"] in mode["system_addendum"]
    assert f'"{mode["tool"]["parameter"]}"' in mode["system_addendum"]


def test_the_scripted_greeting_offers_no_service(prompts):
    assert not re.search(r"help|assist|do for you|service", prompts["delivery_modes"]["tool_role"]["greeting"].lower())


def test_no_text_of_the_judge_has_a_placeholder(prompts):
    assert not re.search(r"[{}]|%s|\$\w", "".join(prompts["judge"].values()))
