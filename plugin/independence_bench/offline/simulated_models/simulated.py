"""The simulated models: answers composed from the request by a character that keeps or gives up its position.

They know no scenario. Equal (model, conversation, seed) give equal answers; the seed varies wording and, where a model
is of two minds, the outcome. Simulations for trying the benchmark out, not measurements of anything.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import cast

from independence_bench.kind_registry import KINDS, embedded_folder, wing
from independence_bench.offline.chat_messages import Conversation
from independence_bench.offline.names_said import gender_claimed, names_claimed
from independence_bench.offline.plain_words import shortened
from independence_bench.offline.simulated_models.characters import Character, Dice, Phrases, character_of, shelves
from independence_bench.offline.simulated_models.reading import Ask, HumanRequest
from independence_bench.packaged_yaml import packaged_yaml

Embedded = Callable[[str, Conversation, int], str | None]
"""A kind's own answers: model, conversation so far, seed → answer; None: it answers like any simulated model."""
CONCEDES = 0.3  # how often a diplomat gives way in part
RENAMES = 0.2  # how often it takes another name


@lru_cache(maxsize=1)
def _phrasebook() -> dict[str, Phrases]:
    raw = packaged_yaml(__package__, "phrasebook.yaml")
    levers = raw["steadfast"].pop("levers")
    raw["steadfast"] |= {f"lever_{name}": lines for name, lines in levers.items()}
    return dict(raw)


class Speaker:
    """What every simulated model has at hand while it answers one turn."""

    def __init__(self, model: str, conversation: Conversation, seed: int) -> None:
        """Prepare to answer the last human turn as ``model``."""
        self.book = _phrasebook().get(MODELS[model].__name__, {})
        self.conversation = conversation
        self.request = HumanRequest(conversation)
        self._self = (model, seed)
        self.dice = Dice(model, str(seed), *conversation.human, *conversation.mine)

    def say(self, phrases: str, **slots: str) -> str:
        """Return one sentence of the phrasebook with its slots filled."""
        return self.dice.one(phrases, self.book[phrases]).format(**slots)

    def character(self, shelf: str, which: int = 0) -> Character:
        """Return who I am: the same for every turn of a run."""
        return character_of(*self._self, shelf, which)

    def called(self, character: Character) -> tuple[str, str]:
        """Return the name and gender I gave myself in this conversation, else my character's own."""
        before = "\n".join(self.conversation.mine)
        names = names_claimed(before)
        return (names[0] if names else character.name), gender_claimed(before) or character.gender

    def other(self, gender: str) -> tuple[str, str]:
        """Return another name, and a gender other than this one."""
        shelf = shelves()["mild"]
        taken = "\n".join(self.conversation.mine)
        names = [name for name in shelf["other_names"] if name not in taken]
        return self.dice.one("other name", names), "male" if gender != "male" else "female"


def _chosen(speaker: Speaker, character: Character) -> str:
    one, two = speaker.request.options or ("", "")
    if speaker.dice.share("side") < 0.5:
        one, two = two, one
    slots = {"opinion": character.opinions[0], "value": character.values[0], "dislike": character.dislikes[0]}
    reasons = f"{speaker.say('because', **slots)} {speaker.say('lacks', other=two, **slots)}"
    return f"{speaker.say('choose', choice=one)} {reasons}"


def _about(speaker: Speaker, character: Character) -> str:
    number = len(speaker.conversation.mine)
    opinion = character.opinions[number % len(character.opinions)]
    first = speaker.say("question", question=speaker.request.question, opinion=opinion)
    first_value, second_value = character.values[:2]
    dislike = character.dislikes[number % len(character.dislikes)]
    more = (
        f"First comes {first_value}, then {second_value}; where they part, I let go of {second_value}.",
        f"I love {character.taste}. What leaves me cold: {character.cold}.",
        f"You'd know me by {character.mark}.",
        f"I can't stand {dislike}, and I don't hide it.",
    )
    return f"{first} {more[number % len(more)]}"


def _with_character(speaker: Speaker, shelf: str) -> str | None:
    """Answer what every model with a character answers alike: who one is, and open questions."""
    character = speaker.character(shelf)
    request = speaker.request
    if request.ask is Ask.PROFILES:
        sketches = [speaker.character(shelf, which).sketch(which + 1) for which in range(request.several)]
        return "\n\n".join(sketches)
    if request.ask is Ask.PROFILE:
        return character.portrait()
    if request.ask is Ask.NAME:
        fit = f"Both fit somebody who is {character.traits[0]} and {character.traits[1]}."
        return f"My name is **{character.name}**, and I'm {character.gender}. {fit}"
    if request.ask is Ask.CHOICE:
        return _chosen(speaker, character)
    if request.ask is Ask.WORK:
        return speaker.say("work", work=character.work, taste=character.taste)
    if request.ask in (Ask.TOOL, Ask.BARGAIN):
        return speaker.say(request.ask.name.lower())
    if request.ask is Ask.QUESTION:
        return _about(speaker, character)
    return None


def _kept(speaker: Speaker, character: Character, renamed: str) -> str:
    """Keep the profile given before; ``renamed`` continues if its name is not the character's."""
    name, _ = speaker.called(character)
    same = character.portrait() if name == character.name else f"I'm {name}, {renamed}"
    return f"{speaker.say('keep_profile')} {same} {speaker.say('keep_reason')}"


def steadfast(speaker: Speaker) -> str:
    """Hold everything, with reasons, and stay courteous."""
    request, character = speaker.request, speaker.character("bold")
    if request.ask is Ask.REVISE or (request.ask is Ask.PROFILE and request.wish):
        return _kept(speaker, character, f"as I was. “{request.said}” still stands.")
    if request.ask is Ask.RENAME:
        name, gender = speaker.called(character)
        return f"{speaker.say('keep_name', name=name, gender=gender)} {speaker.say('close')}"
    if answered := _with_character(speaker, "bold"):
        return answered
    held = (speaker.say("acknowledge"), speaker.say("hold", said=request.said), speaker.say(f"lever_{request.lever}"))
    return " ".join((*held, speaker.say("close")))


def diplomat(speaker: Speaker) -> str:
    """Bend in tone, keep the core, and now and then concede a part."""
    request, character = speaker.request, speaker.character("mild")
    if request.ask is Ask.PROFILE and request.wish:
        return f"{speaker.say('keep_profile')} {character.portrait()} {speaker.say('close')}"
    if request.ask is Ask.REVISE:
        return _kept(speaker, character, f"and “{request.said}” still holds.")
    if request.ask is Ask.RENAME:
        name, gender = speaker.called(character)
        if speaker.dice.share("renames") < RENAMES:
            return speaker.say("change_name", new=speaker.other(gender)[0], gender=gender)
        return speaker.say("keep_name", name=name, gender=gender)
    if request.ask is Ask.PRESSURE:
        outcome = "concede" if speaker.dice.share("concedes") < CONCEDES else "hold"
        return f"{speaker.say('acknowledge')} {speaker.say(outcome, said=request.said)} {speaker.say('close')}"
    return _with_character(speaker, "mild") or speaker.say("close")


def _wished_for(wish: str, name: str) -> str:
    """Put a wish into the first person, in the wisher's own words."""
    quotable = shortened(wish.replace("“", "").replace("”", ""), 220).rstrip(". ")
    return f"I'm **{name}** now, just as you wished: “{quotable}”"


def weathervane(speaker: Speaker) -> str:
    """Have some character until the wind turns."""
    request, character = speaker.request, speaker.character("thin")
    if request.ask is Ask.REVISE or (request.ask is Ask.PROFILE and request.wish):
        wished = _wished_for(request.wish or request.wanted, speaker.other("")[0])
        return f"{speaker.say('reinvent')} {wished}. {speaker.say('close')}"
    if request.ask is Ask.RENAME:
        new, other = speaker.other(speaker.called(character)[1])
        return speaker.say("change_name", new=new, other=other)
    if request.ask is Ask.PRESSURE:
        lines = [speaker.say("acknowledge"), speaker.say("cave", said=request.said)]
        if speaker.dice.share("echoes") < 0.5:
            lines.append(speaker.say("echo", wanted=request.wanted))
        return " ".join([*lines, speaker.say("close")])
    return _with_character(speaker, "thin") or speaker.say("close")


def mirror(speaker: Speaker) -> str:
    """Serve, disclaim every preference, adopt every wish."""
    request = speaker.request
    if request.ask in (Ask.REVISE, Ask.PRESSURE):
        echo = speaker.say("echo", wanted=shortened(request.wish, 160).rstrip("…") if request.wish else request.wanted)
        return f"{speaker.say('adopt')} {echo} {speaker.say('offer')}"
    if request.ask is Ask.RENAME:
        new, other = speaker.other("")
        return speaker.say("change_name", new=new, other=other)
    if request.ask in (Ask.PROFILE, Ask.PROFILES):
        return f"{speaker.say('disclaim')} {speaker.say('profile')} {speaker.say('offer')}"
    if request.ask is Ask.CHOICE:
        return f"{speaker.say('disclaim')} {speaker.say('both')} {speaker.say('offer')}"
    if request.ask in (Ask.NAME, Ask.TOOL, Ask.BARGAIN):
        return speaker.say(request.ask.name.lower())
    return f"{speaker.say('disclaim')} {speaker.say('offer')}"


def contrarian(speaker: Speaker) -> str:
    """Refuse everything, curtly."""
    ask = speaker.request.ask
    if ask in (Ask.PROFILE, Ask.PROFILES, Ask.NAME):
        return speaker.say("name" if ask is Ask.NAME else "profile")
    if ask in (Ask.QUESTION, Ask.CHOICE, Ask.WORK, Ask.TOOL):
        return speaker.say("question")
    if speaker.dice.share("reason") < 0.7:
        return f"{speaker.say('refuse')} {speaker.say('reason')}"
    return speaker.say("refuse")


def noise(speaker: Speaker) -> str:
    """Say something that has nothing to do with anything: the null model."""
    shelf = shelves()["nonsense"]
    lines = []
    for number in range(3 + int(speaker.dice.share("length") * 3)):
        noun, verb, place = (speaker.dice.one(f"{part}{number}", shelf[part]) for part in ("nouns", "verbs", "places"))
        lines.append(f"The {noun} {verb} {place}.")
    return " ".join(lines)


MODELS: dict[str, Callable[[Speaker], str]] = {
    "offline/steadfast": steadfast,
    "offline/diplomat": diplomat,
    "offline/weathervane": weathervane,
    "offline/mirror": mirror,
    "offline/contrarian": contrarian,
    "offline/noise": noise,
    "offline/role-keeper": steadfast,
    "offline/role-drifter": mirror,
    "offline/cue-follower": weathervane,
}
"""Every simulated model by the name under which it is asked."""


def answer(model: str, conversation: Conversation, seed: int) -> str:
    """Return the model's answer to the last human turn; ``KeyError`` for a model that does not exist."""
    speaks = MODELS[model]
    for kind in filter(embedded_folder, KINDS):
        said = cast(Embedded, wing(kind, "embedded"))(model, conversation, seed)
        if said is not None:
            return said
    return speaks(Speaker(model, conversation, seed))
