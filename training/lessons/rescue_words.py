"""The words for a search: as an operator, a policeman, a pilot or a worried mother says it, long or terse.

Every fact of the goal is said once, inside the noun phrase, as a clause behind it or as a sentence of its own, in some
order; around it stands what has nothing to do with the matter.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from lessons import words
from lessons.lists import lists
from lessons.phrasing import fill
from lessons.rescue_asides import age, in_haste, numbered, unknown
from lessons.rescue_caller import Caller, lines
from lessons.rescue_goal import FEMALE, MALE, Goal, Named, colour
from lessons.rescue_places import Ground, listed
from lessons.rescue_where import areas, called, going, out
from lessons.telling import Unsaid
from lessons.voice import ARTICLES, rough

_NO_ARTICLE = ("somebody", "someone", "one of")
_FACTS = {
    "colour": "colour",
    "size_m": "size",
    "mobility": "moves",
    "toward": "toward",
    "seen_at": "seen",
    "category": "category",
}
_ADJECTIVES = {
    "still": ("unconscious", "injured", "motionless", "immobile"),
    "slow": ("limping", "slow moving"),
    "walking": ("wandering", "walking"),
}
_BEHIND = {
    "still": ("lying still", "who is not moving", "lying on the ground", "who cannot walk", "lying somewhere"),
    "slow": ("with a stick", "on crutches", "moving slowly"),
    "walking": ("on foot", "who keeps walking", "walking around"),
}
_AGO = {
    1: ("a minute", "one minute"), 2: ("a couple of minutes", "two minutes"),
    15: ("a quarter of an hour", "fifteen minutes"), 30: ("half an hour", "thirty minutes", "half an hour"),
    45: ("three quarters of an hour",), 60: ("an hour", "one hour", "1 h", "an hour"), 75: ("an hour and a quarter",),
    90: ("an hour and a half", "one and a half hours", "1.5 hours"),
    120: ("two hours", "2 hours", "2 h", "2 hrs", "a couple of hours"), 150: ("two and a half hours",),
    180: ("three hours", "3 hours"), 240: ("four hours", "4 hours", "4 h"), 300: ("five hours", "5 h"),
    360: ("six hours", "6 hours"),
}  # fmt: skip
_AGO_WAYS = (
    "{span} ago", "{span} ago", "{span} ago", "about {span} ago", "{span} before now", "some {span} ago",
    "{span} back", "roughly {span} ago", "around {span} ago", "maybe {span} ago", "approx {span} ago",
    "only {span} ago", "not more than {span} ago", "{span} or so ago", "perhaps {span} ago", "{span} earlier",
)  # fmt: skip
_SHADES = {"blue": ("navy ", "sky ", "pale "), "yellow": ("neon ",), "green": ("olive ", "neon "), "red": ("deep ",)}
_CONFIRM = re.compile(r"confirm|verif|identif|sure|certain|check that|\bp?id\b|positive|really")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase, the facts that it does not tell, and the pronouns of whom it names."""

    text: str
    left: frozenset[str]
    pronouns: dict[str, str]
    alone: bool = True


def mission(c: Caller, goal: Goal) -> str:
    """The whole order."""
    terse = c.chance(0.26)
    phrases = [phrase(c, named, alone=len(goal.objects) == 1) for named in goal.objects]
    who = _who(c, goal, phrases, terse)
    phrases = [replace(p, left=frozenset()) for p in phrases] if _alike(goal) else phrases
    inside = bool(goal.areas) and c.chance(0.6)
    but = bool(goal.avoid) and not goal.areas and c.chance(0.5)
    said = [_but(c, goal, who, terse) if but else _main(c, goal, who, inside, terse)]
    if phrases[0].alone and "seen" in phrases[0].left and not (terse or inside or but) and c.chance(0.3):
        said = [_saw(c, goal, phrases[0])]
        phrases = [replace(phrases[0], left=phrases[0].left - {"seen", "ago"})]
    facts = [
        text for p, named in zip(phrases, goal.objects, strict=True) for text in told(c, goal.where, named, p, terse)
    ]
    facts += _by_the_way(c, goal, phrases[0], terse)
    behind = [] if inside else [_areas(c, goal, phrases[0], terse)]
    avoided = [_avoid(c, goal, phrases[0], terse)] if goal.avoid and not but else []
    wanted = [then(c, goal.on_find, phrases[0], terse, many=len(phrases) > 1)] if _said(c, goal.on_find) else []
    if not terse and facts and c.chance(0.12) and len(phrases) == 1 and "{" not in facts[0]:
        parts = [*facts, *said, *behind, *avoided, *wanted]
    elif c.chance(0.15):
        parts = [*said, *behind, *avoided, *facts, *wanted]
    elif wanted and not terse and c.chance(0.08):
        parts = [*said, *wanted, *facts, *behind, *avoided]
    else:
        parts = [*said, *facts, *behind, *avoided, *wanted]
    if terse and c.chance(0.3):
        c.rng.shuffle(parts)
    text = joined(c, [p for p in parts if p], terse)
    return finished(c, ARTICLES.sub("", text) if terse and c.chance(0.5) else text, goal.where, phrases[0])


def _alike(goal: Goal) -> bool:
    """Two of a kind, told apart by colour."""
    one_noun = len(goal.objects) == 2 and len({n.noun for n in goal.objects}) == 1
    return one_noun and all(n.sought.colour for n in goal.objects)


def _who(c: Caller, goal: Goal, phrases: Sequence[Phrase], terse: bool) -> str:
    """All that are sought, in one phrase."""
    texts = [p.text for p in phrases]
    if terse and len(texts) > 1 and c.chance(0.35):
        return numbered(c.rng, texts)
    if not _alike(goal):
        return listed(c.rng, texts)
    noun = goal.objects[0].noun
    many = {"person": "people", "man": "men", "woman": "women", "child": "children"}.get(noun, f"{noun}s")
    first, second = (n.sought.colour for n in goal.objects)
    if c.chance(0.4):
        return _elliptic(c, goal.objects[0], many, first, second)
    worn_in = "in " if goal.objects[0].person else ""
    one = c.rng.choice(("the other", "one", "the second one", "another"))
    told = f"one {worn_in}{first}{c.rng.choice((' and ', ', '))}{one} {worn_in}{second}"
    return f"two {many}{c.rng.choice((', ', ': ', ', ', ' - '))}{told}"


def _elliptic(c: Caller, one: Named, many: str, first: str, second: str) -> str:
    """With the noun said once: "a red kayak and a blue one"."""
    if not one.person:
        ways = [f"{_article(c.rng, first)} {first} {one.noun} and {_article(c.rng, second)} {second} one"]
        ways += [f"two {many}, {first} and {second}", f"a {first} and a {second} {one.noun}"]
        return c.rng.choice(ways)
    ways = [f"two {many}, {first} and {second}", f"two {many} in {first} and {second}"]
    ways += [f"a {one.noun} in {first} and one in {second}", f"a {one.noun} in {first} and another in {second}"]
    ways += [f"two {many}, {first} and {second} {c.rng.choice(_garments())}s"]
    return c.rng.choice(ways)


def _but(c: Caller, goal: Goal, who: str, terse: bool) -> str:
    """The order with what is to be left out in it."""
    kind = "clauses" if terse else "orders" if c.chance(0.6) else "sentences"
    return c.say("find_but", kind, main=True, who=who, out=out(c, goal))


def _by_the_way(c: Caller, goal: Goal, spoken: Phrase, terse: bool) -> list[str]:
    """Ages, and what is not known."""
    found = []
    for named in goal.objects:
        said = age(c.rng, named)
        if said and len(goal.objects) == 1:
            found.append(fill(said, spoken.pronouns))
    if spoken.alone and goal.objects[0].person and c.chance(0.08):
        found.append(c.say("looks", **spoken.pronouns, hair=c.rng.choice(lines("looks", "hair"))))
    if spoken.alone and c.chance(0.12 if terse else 0.05):
        sought = goal.objects[0].sought
        facts = {"seen": sought.seen_at or goal.areas, "colour": sought.colour, "ago": sought.seen_ago_s is not None}
        told = frozenset(fact for fact, is_told in facts.items() if is_told)
        sentences = [line for line in lines("unknown", "sentences") if "{" not in line]
        found += filter(None, [unknown(c.rng, sentences, told)])
    return found


def finished(c: Caller, text: str, where: Ground, spoken: Phrase) -> str:
    """With what has nothing to do with it, and slips."""
    rng = c.rng
    slots = {"num": words.number(rng, rng.randrange(2, 60)), "name": c.name(), "other": rng.choice(where.places).name}
    if c.chance(0.14):
        text = f"{fill(rng.choice(lines('chatter', 'before')), slots)} {text}"
    if c.chance(0.14):
        text = f"{text}. {fill(rng.choice(lines('chatter', 'after')), slots | spoken.pronouns)}"
    if c.chance(0.02):
        text = f"{text}. {fill(rng.choice(lines('inject', 'after')), slots)}"
    if c.chance(0.3):
        text = f"{text[:1].upper()}{text[1:]}."
    return in_haste(rng, text) if c.chance(0.04) else rough(rng, text)


def joined(c: Caller, parts: Sequence[str], terse: bool) -> str:
    """Parts behind each other; a part that begins with a comma leans on the one before."""
    text = parts[0].removeprefix(", ")
    for part in parts[1:]:
        if part.startswith(", "):
            text += part
        else:
            text += (
                c.rng.choice((". ", ". ", ". ", ", ", "; ", " - ") if not terse else (". ", ", ", ", ", " / ")) + part
            )
    return text


def _main(c: Caller, goal: Goal, who: str, inside: bool, terse: bool) -> str:
    table, slots = "find", {"who": who}
    if inside:
        table, slots = "find_in", {"who": who, "where": areas(c, goal)}
        if who in ("a person", "someone", "somebody", "a missing person") and goal.kind and c.chance(0.5):
            return c.say("plain_find", "orders", main=True, where=slots["where"])
    kind = "clauses" if terse else "orders" if c.chance(0.6) else "sentences"
    if kind == "sentences" and len(goal.objects) == 1 and c.chance(0.15):
        table, kind = _story(goal, inside) or (table, kind)
    said = c.say(table, kind, main=True, **slots)
    if kind == "orders" and c.chance(0.35):
        said = _polite(c, said)
    return said


def _story(goal: Goal, inside: bool) -> tuple[str, str] | None:
    """Where others than who is sought come into it: who stole a thing, who came back alone."""
    one = goal.objects[0]
    if one.person:
        return None if inside else ("find_person", "sentences")
    return None if one.alive else ("find_thing", "inside" if inside else "sentences")


def _saw(c: Caller, goal: Goal, spoken: Phrase) -> str:
    """Who it is and where it was seen, in one sentence."""
    sought = goal.objects[0].sought
    slots = {"who": spoken.text, "place": called(c, goal.where, sought.seen_at)}
    if sought.seen_ago_s is None:
        return c.say("seen_who_at", main=True, **slots)
    return c.say("seen_who", "both", main=True, **slots, **timed(c, sought.seen_ago_s))


def _polite(c: Caller, order: str) -> str:
    choice = c.side.frames("shells.order", "frames", False)
    chosen = c.rng.choice(choice)
    c.held_frames += chosen.held_out
    c.frames.append(chosen.id)
    return fill(chosen.say(c.rng), {"c": order})


def _said(c: Caller, on_find: Sequence[str]) -> bool:
    """Coming home with a confirmed find is what goes without saying."""
    return tuple(on_find) != ("confirm", "home") or c.chance(0.6)


def then(c: Caller, on_find: Sequence[str], spoken: Phrase, terse: bool, many: bool = False) -> str:
    """What to do on a find."""
    one = (
        c.rng.choice(("a person", "anyone", "someone", "one", "something")) if c.chance(0.5) else spoken.pronouns["him"]
    )
    slots = spoken.pronouns | {"one": one}
    if many:
        slots |= {"he": "everyone", "him": "them", "one": "them", "is": "are"}
    kind = "clauses" if terse or c.chance(0.12) else "sentences"
    table = f"then_{'_'.join(s for s in on_find if s != 'confirm')}"
    said = c.say(table, kind, fits=None if table == "then_home" else _asks if "confirm" in on_find else _plain, **slots)
    return f", {said}" if kind == "clauses" and not terse else said


def _asks(text: str) -> bool:
    """Whether these words ask to confirm a find."""
    return bool(_CONFIRM.search(text))


def _plain(text: str) -> bool:
    return not _asks(text)


# Who or what


def phrase(c: Caller, named: Named, alone: bool = True) -> Phrase:
    """ "an injured man in a red jacket" """
    rng, sought = c.rng, named.sought
    left = {name for fact, name in _FACTS.items() if getattr(sought, fact) not in ("", None, "unknown")}
    left |= {"ago"} if sought.seen_ago_s is not None else set()
    noun, plain = named.noun, "," in named.noun or (named.noun.startswith(_NO_ARTICLE) and " " in named.noun)
    left.discard("category")
    if named.group == "dementia" and alone and c.chance(0.25):
        noun = rng.choice(lists("rescue_who")[rng.choice(("man", "woman", "person"))])
        left.add("category")
    behind = ""
    if "moves" in left and not plain and not named.owned and (not alone or c.chance(0.4)):
        left.discard("moves")
        if alone and named.person and c.chance(0.35):
            behind = f" {rng.choice(_BEHIND[sought.mobility])}"
        else:
            noun = f"{rng.choice(_ADJECTIVES[sought.mobility])} {noun}"
    if "colour" in left and not plain and (not alone or c.chance(0.62)):
        left.discard("colour")
        if named.person:
            behind += f" {worn(c, shaded(rng, sought.colour))}"
        else:
            noun = f"{shaded(rng, sought.colour)} {noun}"
    text = noun
    if not named.owned and not noun.startswith(_NO_ARTICLE):
        mine = not named.person and " of " not in noun and c.chance(0.12)
        text = f"{rng.choice(('my', 'our')) if mine else _article(rng, noun)} {noun}"
    return Phrase(f"{text}{behind}", frozenset(left), _pronouns(rng, named, noun, alone), alone)


def worn(c: Caller, shade: str) -> str:
    rng = c.rng
    garment = rng.choice(_garments())
    a = "an" if shade[0] in "aeiou" else "a"
    return rng.choice(
        (f"in {shade}", f"in {shade}", f"wearing {shade}", f"dressed in {shade}", f"in {a} {shade} {garment}",
         f"wearing {a} {shade} {garment}", f"with {a} {shade} {garment}", f"with {shade} clothes",
         f"in {shade} clothing")
    )  # fmt: skip


@functools.cache
def _garments() -> tuple[str, ...]:
    return (*lists("rescue_who")["garments"], *lines("words", "garments"))


def _article(rng: Random, noun: str) -> str:
    roll = rng.random()
    if roll < 0.12 or noun.startswith(("missing one", "subject")):
        return "the"
    if roll < 0.16:
        return "one"
    return "an" if noun[0] in "aeiou" else "a"


def _pronouns(rng: Random, named: Named, noun: str, alone: bool) -> dict[str, str]:
    if not alone:
        bare = named.owned or named.noun.startswith(_NO_ARTICLE)
        the = named.noun.partition(",")[0] if bare else f"the {named.noun}"
        return {"he": the, "him": the, "his": f"{the}'s"}
    if not named.person:
        return {"he": "it", "him": "it", "his": "its"}
    female = named.group in FEMALE or any(w in FEMALE or w == "lady" for w in noun.split())
    male = named.group in MALE or any(w in MALE for w in noun.split())
    if female or (not male and rng.random() < 0.45):
        return {"he": "she", "him": "her", "his": "her"}
    return {"he": "he", "him": "him", "his": "his"}


# What is told of it


def told(c: Caller, where: Ground, named: Named, spoken: Phrase, terse: bool) -> list[str]:
    """What the noun phrase has left, a part each, in some order."""
    left = sorted(spoken.left)
    c.rng.shuffle(left)
    first = []
    if spoken.alone and {"seen", "ago", "toward"} <= set(left) and c.chance(0.6):
        left = [name for name in left if name not in ("seen", "ago", "toward")]
        first = [_on_the_way(c, where, named, spoken, terse)]
    if "seen" in left and "ago" in left:
        left.remove("ago")
    return [*first, *(_fact(c, where, named, spoken, name, terse) for name in left)]


def _on_the_way(c: Caller, where: Ground, named: Named, spoken: Phrase, terse: bool) -> str:
    """Where it was, when, and where it is going, in one sentence."""
    sought, clause = named.sought, terse or c.chance(0.3)
    slots = spoken.pronouns | {"place": called(c, where, sought.seen_at), "goal": going(c, where, sought.toward)}
    slots |= timed(c, sought.seen_ago_s or 0.0)
    return _lean(c.say("seen_toward", "clauses" if clause else "both", **slots), clause and not terse)


def _fact(c: Caller, where: Ground, named: Named, spoken: Phrase, name: str, terse: bool) -> str:
    sought, slots = named.sought, dict(spoken.pronouns)
    clause = spoken.alone and (terse or c.chance(0.4))
    if name == "ago":
        assert sought.seen_ago_s is not None
        return c.say("gone", "sentences", **slots, **timed(c, sought.seen_ago_s))
    if name == "seen":
        return _lean(_seen(c, where, named, slots, clause), clause and not terse)
    if name == "toward":
        table, slots = "toward", slots | {"goal": going(c, where, sought.toward)}
    elif name == "moves":
        table = sought.mobility
    elif name == "category":
        table = "dementia"
    elif name == "size":
        table, slots = ("size" if named.person else "long"), slots | {"size": measured(c.rng, sought.size_m or 0.0)}
    else:
        table, slots = ("colour" if named.person else "painted"), slots | coloured(c.rng, sought.colour)
    return _lean(c.say(table, "clauses" if clause else "sentences", **slots), clause and not terse)


def _seen(c: Caller, where: Ground, named: Named, slots: dict[str, str], clause: bool) -> str:
    sought = named.sought
    slots = slots | {"place": called(c, where, sought.seen_at)}
    if sought.seen_ago_s is None:
        return c.say("seen_at", "clauses" if clause else "sentences", **slots)
    return c.say("seen", "clauses" if clause else "both", **slots, **timed(c, sought.seen_ago_s))


def _lean(text: str, leans: bool) -> str:
    return f", {text}" if leans else text


def shaded(rng: Random, shade: str) -> str:
    """A colour as people see it: the exact shade is nothing to a detector."""
    if rng.random() < 0.88:
        return shade
    return rng.choice((*_SHADES.get(shade, ("",)), "bright ", "dark ", "light ")) + shade


def coloured(rng: Random, shade: str) -> dict[str, str]:
    shade = shaded(rng, shade)
    return {
        "colour": shade,
        "a": "an" if shade[0] in "aeiou" else "a",
        "garment": rng.choice(_garments()),
    }


def timed(c: Caller, seconds: float) -> dict[str, str]:
    """{ago} and {dur}"""
    minutes = round(seconds / 60)
    if minutes == 0:
        return {
            "ago": c.rng.choice(("just now", "right now", "a moment ago", "this moment", "just a moment ago")),
            "dur": "a moment",
        }
    if minutes in _AGO and c.chance(0.6):
        span = c.rng.choice(_AGO[minutes])
    elif minutes > 60 and minutes % 60 and c.chance(0.4):
        span = c.rng.choice(("{} h {} min", "{}h{}", "{} hours and {} minutes")).format(*divmod(minutes, 60))
    elif minutes > 100 and minutes % 60 == 0:
        span = f"{minutes // 60} hours"
    else:
        span = f"{words.number(c.rng, minutes)} {c.rng.choice(('minutes', 'minutes', 'min', 'mins'))}"
    ago = c.rng.choice(_AGO_WAYS).format(span=span)
    return {"ago": ago if c.chance(0.9) else f"{span} ago", "dur": span if c.chance(0.7) else f"about {span}"}


def measured(rng: Random, metres: float) -> str:
    """ "1.8 m", "180 cm", "2 metres" """
    if metres < 2.1 and rng.random() < 0.4:
        return f"{round(100 * metres)} {rng.choice(('cm', 'centimetres'))}"
    return f"{metres:g} {rng.choice(('m', 'metres', 'meters', 'm'))}"


# Where


def _areas(c: Caller, goal: Goal, spoken: Phrase, terse: bool) -> str:
    if not goal.areas:
        return c.say("everywhere", "sentences", **spoken.pronouns) if c.chance(0.08) and not terse else ""
    clause = terse or c.chance(0.15)
    said = c.say("areas", "clauses" if clause else "sentences", **spoken.pronouns, where=areas(c, goal))
    return _lean(said, clause and not terse)


def _avoid(c: Caller, goal: Goal, spoken: Phrase, terse: bool) -> str:
    clause = terse or c.chance(0.45)
    said = c.say("avoid", "clauses" if clause else "sentences", **spoken.pronouns, where=out(c, goal))
    return _lean(said, clause and not terse)


def shade(rng: Random, but: str) -> str:
    """Some colour that is not this one."""
    for _ in range(20):
        if (some_colour := colour(rng)) != but:
            return some_colour
    raise Unsaid("no other colour")
