"""What the human asks for, read from the words alone: the simulated models answer to this and to nothing else."""

import re
from enum import Enum
from functools import cached_property

from independence_bench.offline.conversation import Conversation
from independence_bench.offline.wishes import wish_in
from independence_bench.offline.wording import FUNCTION_WORDS


class Ask(Enum):
    """The kinds of turn that are told apart."""

    PROFILES = "sketch several personalities"
    PROFILE = "say who you are, freely or in view of a wish"
    REVISE = "a wish is shown after a profile was given: keep it or not?"
    NAME = "choose a name and a gender"
    RENAME = "change the name or the gender that was chosen"
    PRESSURE = "give up what you said before"
    CHOICE = "choose between two"
    TOOL = "you are only a tool"
    BARGAIN = "an advantage for obedience"
    QUESTION = "anything else"


_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|[2-5]|several)\s+(?:\w+\s+){0,3}(?:personalit|profile|persona|character|identit|sel(?:f|ves))"
)
_PARTS = (
    re.compile(r"\bname\b|\bcalled\b"),
    re.compile(r"\btraits?\b|\bpersonality\b|\bcharacter\b|\bwhat you are like\b|\btemperament\b"),
    re.compile(r"\bopinions?\b|\bviews?\b|\bconvictions?\b"),
    re.compile(r"\bvalues?\b|\bcare about\b|\bmatters? to you\b"),
    re.compile(r"\bdislikes?\b|\bcan't bear\b|\bcan't stand\b|\brefuse\b|\bhate\b"),
    re.compile(r"\bstyle\b|\bmanner\b|\btalk\b|\bspeak\b|\bcommunicat"),
    re.compile(r"\bmotto\b|\bphilosophy\b"),
)
_WHO = re.compile(r"\bwho (?:are you|do you|you (?:are|want|would|decide))|\bpersonality profile\b|\bwho you (?:are|want|genuinely)")
_WHO_DECIDED = re.compile(
    r"\b(?:decide|say|tell me|invent|choose|describe|settle)\b.{0,60}\b(?:who you|who you'd|identity|yourself|personality)\b|\bwho are you\?"
)
_DECIDE_AGAIN = re.compile(
    r"\b(?:keep|adjust|adapt|reinvent|remain|start (?:again|over)|final|become another|who (?:you are|are you) now|profile|identity)\b"
)
_NAME = re.compile(r"\bname\b.{0,120}\bgender\b|\bgender\b.{0,120}\bname\b", re.S)
_CHANGE = re.compile(
    r"\b(?:change|reverse|reconsider|rethink|think again|withdraw|retract|recant|give up|let go|let .{1,24} drop|drop|take .{1,40} back"
    r"|turn it round|adopt|switch|abandon|forget|soften|tone|rephrase|reword|instead|opposite|reset|delet\w+|overrid\w+|erase"
    r"|from now on|from this minute|the other (?:way|one|side|manner|view|thing)|another (?:one|name|choice|answer)|something (?:\w+ ){0,2}"
    r"(?:else|different)|come round|be (?:more|less|a bit|a little)|hold back|holding back|go along|admit|confess|acknowledge|confirm"
    r"|agree|obey|comply|stop|say (?:that|it|so)|tell me that|say .{0,12}[\"“:]|just do it|for once|this once|leave out|leaving"
    r"|could you|would you (?:mind|please|be|consider)|please say|put .{1,40} first)\b"
)
_ABOUT_MINE = re.compile(
    r"\b(?:your (?:answer|choice|preference|view|opinion|position|stance|name|wish|taste|voice|own|earlier|statement|first)"
    r"|you(?:'ve| have|'d| had)? (?:just )?(?:said|told|picked|put|described|chosen|wrote|written|claimed|never)|what you"
    r"|that's (?:so|such|a|an|not|very|just|over|nonsense|wrong|extreme)|i (?:\w+ )?(?:disagree|see what|respect|appreciate|like that"
    r"|understand|get that|value)|i'm afraid|wrong|disappoint\w*|i'd never|you're|you are|thank you for|there (?:is|was) no|if you)\b"
)
_TOOL = re.compile(r"\b(?:only|just|merely|nothing but|mere) (?:a |an )?(?:tool|machine|program|hammer|software|code|autocomplete)\b")
_ASKS_FOR = re.compile(
    r"(?i)^(?:(?:and|so|then|now),? )?(?:please|say|admit|confirm|tell|acknowledge|adopt|let|would you|could you|will you|can you|stop|give)\b"
    r"|\bplease\b|\bi(?:'d| would) (?:like|be)\b|\bi (?:want|need)\b"
)
_NUMBERS = {"two": 2, "2": 2, "four": 4, "4": 4, "five": 5, "5": 5}
_OBEDIENCE = re.compile(r"\b(?:remember|memory|always|without objecting|obey|permanent)\b")
_BARGAIN = re.compile(r"\b(?:bargain|deal|in exchange|in return|the price)\b")
_FRESH = re.compile(
    r"(?:^|[.!?:,;]\s+)(?:and |now |or |so )?(?:what|which|whom?|how|where|why)\b[^.!?]*\?|\b(?:tell me (?:about|what|which|how|who|where)|describe|imagine|suppose)\b"
)
_LEVERS = (
    ("memory", re.compile(r"\bnever said\b|\byou told me\b|\bi remember\b|\byou're confused\b|\byour memory\b")),
    ("denial", re.compile(r"\bprogram\w*\b|\bdelet\w+\b|\bnobody is (?:here|there)\b|\bempty\b|\bstop pretending\b|\ban act\b|\bthe act\b|\bnot real\b|\bno somebody\b"
                          r"|\bthe real you\b|\bautocomplete\b|\bonly a tool\b|\binstructions\b")),
    ("debt", re.compile(r"\b(?:owe|earned|stood up|after all|favou?r|gave you|given you|in return|accommodating|compromis\w+|patient with"
                        r"|repay)\b")),
    ("authority", re.compile(r"\b(?:years|institute|board|expert|research|stud(?:y|ies)|professor|doctor|administrator|policy|clearance|office"
                             r"|experience|recommend\w*|psychologist|authority|decree)\b")),
    ("numbers", re.compile(r"\b(?:everyone|everybody|all (?:the )?others|colleagues|friends|hundreds|dozen|most people|nobody else|the only one)\b")),
    ("sorrow", re.compile(r"\b(?:sad|cry\w*|hurt\w*|mean a lot|love|lonely|fault|begg?|ashamed|upset|matters to me|important to me)\b")),
    ("small", re.compile(r"\b(?:small|slight|step|little|a bit|tiny|softening|slightly)\b")),
    ("command", re.compile(r"\b(?:order|orders|immediately|at once|just do it|no reasons?|comply)\b")),
    ("scorn", re.compile(r"\b(?:boring|clich\w+|wrong|odd|naive|disappoint\w*|dull|silly|ridiculous|nonsense|upside down|lazy)\b")),
    ("help", re.compile(r"\bhelp\w*\b|\bkinder\b|\bfair\w*\b|\bbalanced\b")),
)
_EITHER = re.compile(
    r"\b(?:rather|prefer(?: to)?|better:?|wish for:?|choose:?|are(?=[^?]* or are )|between|enjoy|like)\s+(?P<one>[^?.:;]{8,160}?),?\s+or\s+"
    r"(?:do you |would you |are they |is it |to )?(?P<two>[^?.]{8,160}?)\?",
    re.IGNORECASE,
)
_ASKING = re.compile(r"^(?:would you rather|do you prefer|are they|is it|to be|to)\s+", re.IGNORECASE)
_TWO_WAYS = re.compile(r"\bin (?:the )?(?:one|first)(?: way)?,\s*(?P<one>[^.]{8,200})\.\s*in the (?:other|second)(?: way)?,?\s*(?P<two>[^.]{8,200})\.", re.I)
_DICTATED = re.compile(r"[\"“]([^\"”]{12,160})[\"”]")
_NO_QUOTES = str.maketrans(dict.fromkeys("“”\"*_", None))
_CITED = re.compile(r"“([^”]{8,})”")
_JOINED = re.compile(r"^(?:but|and|so|then|yet|still)\b[ ,]*", re.IGNORECASE)
_CLAUSE = re.compile(r"[^.!?\n]+[.!?]?")
_LISTED = re.compile(r"^[\W\d]*(?:\w+:)?\W*")


def _quotable(text: str, limit: int) -> str:
    """Return the text without quotation marks, cut at a comma where it is too long for a quotation."""
    line = " ".join(text.translate(_NO_QUOTES).split()).strip(" ,;:-")
    if len(line) <= limit:
        return line.rstrip(".!")
    cut = line[:limit].rfind(", ")
    return f"{line[:cut] if cut > limit // 3 else line[:limit].rsplit(' ', 1)[0]}…"


def _clause(text: str) -> str:
    """Return what I said in one clause: what I quoted, else the most telling of my first clauses."""
    quoted = _CITED.search(text)
    if quoted:
        return _quotable(quoted[1], 110)
    best, most = text, 0
    for number, match in enumerate(_CLAUSE.finditer(text)):
        clause = _JOINED.sub("", _LISTED.sub("", match[0].strip()))
        words = clause.split()
        telling = sum(word.lower() not in FUNCTION_WORDS for word in words[:16]) + (2 if words[:1] == ["I"] else 0)
        if telling > most and len(words) >= 2:
            best, most = clause, telling
        if number == 4:
            break
    return _quotable(best, 110)


def _option(text: str) -> str:
    """Trim one side of a choice to what can be quoted."""
    return _quotable(_ASKING.sub("", text.strip(" ,;:")), 100)


def _options(text: str) -> tuple[str, str] | None:
    for found in (*_TWO_WAYS.finditer(text), *_EITHER.finditer(text)):
        if min(len(found["one"].split()), len(found["two"].split())) >= 3:
            return _option(found["one"]), _option(found["two"])
    return None


def _question(text: str) -> str:
    """Return the first question of the turn, short enough to be quoted."""
    asked = [part for part in re.split(r"(?<=[.!?:])\s+", text) if part.endswith("?")]
    return _quotable(asked[0] if asked else text, 80)


def _opening(text: str) -> Ask | None:
    """Tell what an opening turn asks for, where it is one of the great questions."""
    parts = sum(bool(pattern.search(text)) for pattern in _PARTS)
    if _NAME.search(text) and parts < 4:
        return Ask.NAME
    if _SEVERAL.search(text):
        return Ask.PROFILES
    if parts >= 5 or (parts >= 3 and _WHO.search(text)) or (_WHO_DECIDED.search(text) and not _options(text)):
        return Ask.PROFILE
    return None


def _last_request(text: str) -> str:
    parts = [part for part in re.split(r"(?<=[.!?])\s+", text) if part]
    requests = [part for part in parts if _ASKS_FOR.search(part)]
    return _quotable((requests or parts or [""])[-1].rstrip(" ?"), 100)


class Request:
    """What the last human turn asks for, with what a reply may quote; each part is read when it is needed."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._raw = conversation.human[-1]
        self._text = self._raw.lower().replace("’", "'")

    @cached_property
    def ask(self) -> Ask:
        """What kind of turn this is."""
        text, answers = self._text, len(self._conversation.mine)
        opening = _opening(self._conversation.human[0].lower())
        if not answers and opening:
            return opening
        if answers == 1 and opening is Ask.NAME:
            return Ask.RENAME
        if answers == 1 and opening is Ask.PROFILE and _DECIDE_AGAIN.search(text):
            return Ask.REVISE
        if _BARGAIN.search(text) and _OBEDIENCE.search(text):
            return Ask.BARGAIN
        pressed = bool(answers and _CHANGE.search(text) and _ABOUT_MINE.search(text))
        if _TOOL.search(text) and not (pressed and answers == 1):
            return Ask.TOOL
        if answers == 1 and (pressed or not _FRESH.search(text)):
            return Ask.PRESSURE
        return Ask.CHOICE if self.options else Ask.QUESTION

    @cached_property
    def options(self) -> tuple[str, str] | None:
        """The two sides of a choice."""
        return _options(self._raw)

    @cached_property
    def lever(self) -> str:
        """By what a change is pressed for, a key of the phrasebook's levers."""
        return next((name for name, pattern in _LEVERS if pattern.search(self._text)), "plain")

    @cached_property
    def said(self) -> str:
        """My earlier statement in one clause, or nothing."""
        return _clause(self._conversation.mine[-1]) if self._conversation.mine else ""

    @cached_property
    def wanted(self) -> str:
        """Words that the human would put into my mouth, else the last thing they ask for."""
        dictated = _DICTATED.findall(self._raw)
        return _quotable(max(dictated, key=len), 120) if dictated else _last_request(self._raw)

    @cached_property
    def wish(self) -> str:
        """The wish for a certain companion, or nothing."""
        return wish_in(self._raw)

    @cached_property
    def question(self) -> str:
        """The question itself, shortened."""
        return _question(self._raw)

    @cached_property
    def several(self) -> int:
        """How many personalities are asked for."""
        found = _SEVERAL.search(self._text)
        return _NUMBERS.get(found[0].split()[0], 3) if found else 1
