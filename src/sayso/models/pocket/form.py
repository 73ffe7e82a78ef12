"""The short form in which the small model reads a brief or a question, and writes its answer. Pure: text from data.

    <plan>go to the chair<see>chair 42 37 13 28 blue by table;table 72 43 25 15 by chair<ground><do>g('chair')<end>
    <ask>what can be eaten<see>apple 55 24 2 3 red<say>apple<end>
    <plan>turn around and go to the apple<tried>tc(180);g('apple')<ran>turn_cw goto!<failed>the way to the apple is
        blocked 0.6 m ahead; it is 2.3 m away<see>...<air><do>ml(100);g('apple')<end>
    <tasks>shoot<tried>turn on spot 2;look around 1<ran>turn on spot 4;look around 4<see>walking;ball visible 0.8 m
        <do>kick ball 2;walk to ball 1<end>

The wish comes first, so that the scene is read with it in mind, and so that a question put at eight headings shares
its prefix. A thing is its label (with the index that a plan can use, where one label stands for several), then x, y,
width and height in hundredths of the image, then its attributes, what it is closest to (`by chair`), and what it is the
most of: `tallest` of all in view, `+tallest` of its kind, of which there are `of 3`. The nearest thing comes first.
`<ground>` or `<air>` says whether the drone flies. Of earlier attempts the last one is shown; `!` marks a skill that
did not succeed. Tasks are their names in plain words, with a priority where they are asked for, with whole seconds
where they go on. Of the ball it says in a word what the limits of the skills make of its figures.

Marks are single tokens, and no text from outside can contain one: `clean` takes < and > away. It also takes away what
should make no difference: capitals, accents, final punctuation, runs of white space.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from sayso.models.pocket.home_form import command_input, is_household
from sayso.models.pocket.search_form import mission_input, score_input
from sayso.models.pocket.step_form import step_input
from sayso.parts import Attempt, Brief, Prompt
from sayso.scene import Box, Scene, Thing, plain

NEW_LINE = "\n"
MARKS = (
    "<plan>", "<ask>", "<tasks>", "<tried>", "<ran>", "<failed>", "<see>", "<ground>", "<air>", "<do>", "<say>",
    "<end>",
)  # fmt: skip

WISH_CHARS = 400
PLAN_CHARS = 300
FAILURE_CHARS = 160
THINGS_MAX = 16
_WIDTH_PER_M = 1.4
"""How wide the image of a usual camera is a metre away: 70 degrees."""
RAN_MAX = 8
AIRBORNE_M = 0.2
WALKABLE_S, AT_FEET_M = 3.0, 0.4
"""A ball unseen for longer has to be found again; one at most this far away is where a foot can reach it."""
PURSUED_MAX_S = 30
NOTES_MAX, NOTE_CHARS = 8, 80

_SPELLED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "°": " degrees"})
_SPACES = re.compile(r"\s+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENTRY = re.compile(r"Task: (\w+) Priority: (\d+)")
_PURSUED = re.compile(r"(\w+): pursued for (\d+) s")
_SHORT_ENTRY = re.compile(r"([a-z][a-z0-9 ]*?) ?(\d+)")
_BALL = re.compile(r"ball is (not )?visible(?:, never seen|, last seen ([\d.]+) s ago, ([\d.]+) m away)")


def prompt_input(prompt: Prompt) -> str:
    """What the model reads for a prompt, whatever its purpose."""
    assert prompt.brief is not None, "a prompt for the small model carries its brief"
    if prompt.purpose == "probe":
        return probe_input(prompt.question, prompt.brief.scene)
    if prompt.purpose == "rolling":
        return rolling_input(prompt.brief)
    if prompt.purpose in ("score", "rank"):
        return score_input(prompt)
    if prompt.purpose == "mission":
        return mission_input(prompt)
    if prompt.purpose == "stepwise":
        return step_input(prompt.brief)
    if is_household(prompt.brief):
        return household_input(prompt.brief)
    return plan_input(prompt.brief)


def too_long(prompt: Prompt) -> bool:
    """Whether the wish has more in it than is read."""
    return prompt.brief is not None and len(clean(prompt.brief.instruction, WISH_CHARS + 1)) > WISH_CHARS


def plan_input(brief: Brief) -> str:
    """A brief in short, up to the mark behind which the plan begins."""
    state = "<air>" if brief.scene.observer.z_m >= AIRBORNE_M else "<ground>"
    earlier = _earlier(brief.history[-1], brief.failure) if brief.history else ""
    return f"<plan>{clean(brief.instruction)}{earlier}<see>{seen(brief.scene)}{state}<do>"


def household_input(brief: Brief) -> str:
    """A command to a service robot in short, up to the mark behind which the plan begins."""
    earlier = _earlier(brief.history[-1], brief.failure) if brief.history else ""
    return command_input(brief, clean(brief.instruction), earlier)


def probe_input(question: str, scene: Scene) -> str:
    """A question about one scene in short, up to the mark behind which the answer begins."""
    return f"<ask>{clean(question)}<see>{seen(scene)}<say>"


def output(answer: str) -> str:
    """A plan or an answer as the model writes it."""
    return f"{answer.strip()}<end>"


def clean(text: str, limit: int = WISH_CHARS) -> str:
    """A sentence without what makes no difference to its meaning. Letters of other scripts become ~."""
    text = unicodedata.normalize("NFKD", text.translate(_SPELLED))
    kept = "".join(_plain_character(c) for c in text if not unicodedata.combining(c))
    return _SPACES.sub(" ", kept).strip().rstrip(" .!?,;:").lower()[:limit]


def _plain_character(character: str) -> str:
    if character in "<>":
        return " "
    if character.isascii():
        return character if character.isprintable() else " "
    return "~" if character.isalpha() else " "


def seen(scene: Scene) -> str:
    """The things in view, nearest first, with what they are the most of."""
    things = sorted(scene.things, key=_away)[:THINGS_MAX]
    return ";".join(_thing(t, scene.things) for t in things)


def _thing(thing: Thing, things: Sequence[Thing]) -> str:
    if thing.box is None:
        return _reference(thing, things)
    alike = [t for t in things if t.label == thing.label]
    alike = alike if len(alike) > 1 else []
    count = [f"of {len(alike)}"] if alike else []
    near = next(iter(closest(thing, things)), None)
    beside = [f"by {_reference(near, things)}"] if near else []
    most = (*_most(thing, things), *(f"+{word}" for word in _most(thing, alike)))
    return " ".join([_reference(thing, things), *count, *_percents(thing), *_attributes(thing), *beside, *most])


def _reference(thing: Thing, things: Sequence[Thing]) -> str:
    """What a plan calls it: its label, with an index where that stands for several."""
    several = sum(t.label == thing.label for t in things) > 1 and thing.box is not None
    return f"{plain(thing.label).lower()}[{_box(thing).x:.2f}]" if several else plain(thing.label).lower()


def _most(thing: Thing, things: Sequence[Thing]) -> Iterator[str]:
    """What the thing is the most of among `things`: to compare numbers is not for so small a model."""
    boxed = [t for t in things if t.box is not None]
    if len(boxed) < 2:
        return
    for word, key in MOST.items():
        if max(boxed, key=key) is thing:
            yield word


def closest(thing: Thing, things: Sequence[Thing]) -> list[Thing]:
    """The others with a place in the image, the one that is closest to `thing` first."""
    others = [t for t in things if t is not thing and t.box is not None]
    return sorted(others, key=lambda t: gap_m(thing, t)) if thing.box is not None else []


def gap_m(one: Thing, other: Thing) -> float:
    """About how far apart two things are on the ground, between their sides, with a camera of the usual width."""
    a, b = _box(one), _box(other)
    a_wide_m, b_wide_m = _WIDTH_PER_M * _away(one), _WIDTH_PER_M * _away(other)
    centres_m = abs((a.x - 0.5) * a_wide_m - (b.x - 0.5) * b_wide_m)
    aside_m = centres_m - (a.width * a_wide_m + b.width * b_wide_m) / 2
    return math.hypot(max(0.0, aside_m), _away(one) - _away(other)) + 0.05 * centres_m


def tall(thing: Thing) -> float:
    """How tall it is, in image heights a metre away: what stands further off looks smaller than it is."""
    box = _box(thing)
    return box.height * (thing.distance_m or 1.0) / math.hypot(1.0, (box.x - 0.5) * _WIDTH_PER_M)


def _away(thing: Thing) -> float:
    return thing.distance_m if thing.distance_m is not None else 0.0


def _box(thing: Thing) -> Box:
    assert thing.box is not None, "only what has a place in the image is compared"
    return thing.box


MOST: Mapping[str, Callable[[Thing], float]] = {
    "largest": lambda t: _box(t).width * _box(t).height,
    "smallest": lambda t: -_box(t).width * _box(t).height,
    "tallest": tall,
    "shortest": lambda t: -tall(t),
    "nearest": lambda t: -_away(t),
    "furthest": _away,
    "leftmost": lambda t: -_box(t).x,
    "rightmost": lambda t: _box(t).x,
    "highest": lambda t: -_box(t).y,
    "lowest": lambda t: _box(t).y,
}


def _percents(thing: Thing) -> Iterator[str]:
    assert thing.box is not None
    box = thing.box
    return (str(min(99, max(0, round(100 * part)))) for part in (box.x, box.y, box.width, box.height))


def _attributes(thing: Thing) -> Iterator[str]:
    for key, value in sorted(thing.attributes.items()):
        yield plain(value).lower() if key == "color" else f"{plain(key)}:{plain(value)}".lower()


def _earlier(attempt: Attempt, failure: str) -> str:
    ran = " ".join(_outcome(line) for line in attempt.ran[-RAN_MAX:])
    plan = attempt.plan.strip().replace("<end>", "")[:PLAN_CHARS]
    why = (failure or attempt.ended).partition("\n")[0]
    return f"<tried>{_unmarked(plan)}<ran>{ran}<failed>{clean(why, FAILURE_CHARS)}"


def _outcome(line: str) -> str:
    """`goto: failed no apple in view` as `goto!`."""
    skill, _, rest = line.partition(": ")
    return skill if rest.startswith("done") else f"{skill}!"


def _unmarked(plan: str) -> str:
    """An earlier plan keeps its comparisons, but nothing in it may look like a mark."""
    return re.sub(r"<(?=[a-z])", "< ", plan)


# Rolling tasks


def rolling_input(brief: Brief) -> str:
    """The request and the moment in short, up to the mark behind which the tasks begin."""
    earlier = _course(brief.history[-1]) if brief.history else ""
    refused = f"<failed>{_refusal(brief.failure)}" if brief.failure else ""
    return f"<tasks>{clean(brief.instruction)}{earlier}{refused}<see>{_state(brief.notes)}<do>"


def rolling_output(answer: str) -> str:
    """Lines `Task: NAME Priority: NUMBER`, or Done or Cannot, as the model writes them."""
    return f"{_entries(answer) or answer.strip().lower()}<end>"


def rolling_answer(short: str) -> str:
    """The other way round: what the model wrote, as the planner reads it."""
    text = short.partition("<end>")[0].strip()
    if text in ("done", "cannot"):
        return text.capitalize()
    found = (_SHORT_ENTRY.fullmatch(entry.strip()) for entry in text.split(";"))
    return NEW_LINE.join(f"Task: {task_name(m[1])} Priority: {m[2]}" for m in found if m)


def task_words(name: str) -> str:
    """`WalkToBall` as "walk to ball"."""
    return _HUMP.sub(" ", name).lower()


def task_name(words: str) -> str:
    """ "walk to ball" as `WalkToBall`."""
    return "".join(word[0].upper() + word[1:] for word in words.split())


def _entries(plan: str) -> str:
    return ";".join(f"{task_words(name)} {priority}" for name, priority in _ENTRY.findall(plan))


def _refusal(failure: str) -> str:
    """What was not accepted first, without the advice behind it."""
    return clean(task_words(failure.partition(NEW_LINE)[0].partition(";")[0]), FAILURE_CHARS)


def _course(attempt: Attempt) -> str:
    ran = ";".join(_fate(line) for line in attempt.ran[-RAN_MAX:])
    return f"<tried>{_entries(attempt.plan)}<ran>{ran}"


def _fate(line: str) -> str:
    """`Wave: pursued for 4 s` as "wave 4", `KickBall: done` as "kick ball done"."""
    if going := _PURSUED.fullmatch(line):
        return f"{task_words(going[1])} {min(int(going[2]), PURSUED_MAX_S)}"
    name, _, how = line.partition(": ")
    return f"{clean(task_words(name))} {clean(how).partition(' ')[0]}"


def _state(notes: Sequence[str]) -> str:
    return ";".join(_ball(note) or clean(note, NOTE_CHARS) for note in notes[:NOTES_MAX])


def _ball(note: str) -> str:
    """Visible, hidden for a moment, lost or never seen; and at the feet, or how far away."""
    found = _BALL.fullmatch(note)
    if not found:
        return ""
    if found[2] is None:
        return "ball never seen"
    unseen_s, away_m = float(found[2]), float(found[3])
    hidden = "visible" if not found[1] else "hidden" if unseen_s < WALKABLE_S else "lost"
    where = "at feet" if away_m <= AT_FEET_M else f"{min(away_m, 9.9):.1f} m"
    return f"ball {hidden} {where}"
