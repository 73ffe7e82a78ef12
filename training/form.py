"""The short form in which the small model reads a brief or a question, and writes its answer. Pure: text from data.

    <plan>go to the chair<see>chair 42 37 13 28 blue;table 72 43 25 15 brown<ground><do>g('chair')<end>
    <ask>what can be eaten<see>apple 55 24 2 3 red<say>apple<end>
    <plan>turn around and go to the apple<tried>tc(180);g('apple')<ran>turn_cw goto!<failed>the way to the apple is
        blocked 0.6 m ahead; it is 2.3 m away<see>...<air><do>ml(100);g('apple')<end>

The wish comes first, so that the scene is read with it in mind, and so that a question put at eight headings shares
its prefix. A thing is its label (with the index that a plan can use, where one label stands for several), then x, y,
width and height in hundredths of the image, then its attributes; the nearest thing comes first. `<ground>` or `<air>`
says whether the drone flies. Of earlier attempts the last one is shown; `!` marks a skill that did not succeed.

Marks are single tokens, and no text from outside can contain one: `clean` takes < and > away. It also takes away what
should make no difference: capitals, accents, final punctuation, runs of white space.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from sayso.parts import Attempt, Brief, Prompt
from sayso.scene import Scene, Thing, plain

MARKS = (
    "<plan>", "<ask>", "<tried>", "<ran>", "<failed>", "<see>", "<ground>", "<air>", "<do>", "<say>", "<end>",
)  # fmt: skip

WISH_CHARS = 400
PLAN_CHARS = 300
FAILURE_CHARS = 160
THINGS_MAX = 16
RAN_MAX = 8
AIRBORNE_M = 0.2

_SPELLED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "°": " degrees"})
_SPACES = re.compile(r"\s+")


def prompt_input(prompt: Prompt) -> str:
    """What the model reads for a prompt, whatever its purpose."""
    assert prompt.brief is not None, "a prompt for the small model carries its brief"
    if prompt.purpose == "probe":
        return probe_input(prompt.question, prompt.brief.scene)
    return plan_input(prompt.brief)


def plan_input(brief: Brief) -> str:
    """A brief in short, up to the mark behind which the plan begins."""
    state = "<air>" if brief.scene.observer.z_m >= AIRBORNE_M else "<ground>"
    earlier = _earlier(brief.history[-1], brief.failure) if brief.history else ""
    return f"<plan>{clean(brief.instruction)}{earlier}<see>{seen(brief.scene)}{state}<do>"


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
    """The things in view, nearest first."""
    things = sorted(scene.things, key=lambda t: t.distance_m if t.distance_m is not None else 0.0)[:THINGS_MAX]
    labels = [t.label for t in scene.things]
    return ";".join(_thing(t, labels.count(t.label) > 1) for t in things)


def _thing(thing: Thing, one_of_several: bool) -> str:
    name = plain(thing.label).lower()
    if thing.box is None:
        return name
    index = f"[{thing.box.x:.2f}]" if one_of_several else ""
    return " ".join([f"{name}{index}", *_percents(thing), *_attributes(thing)])


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
