"""What the right plan is, where the goal is known: the statements that reach a goal from what is in view.

The rules are few, so that a small model can learn them:

- A thing that is in view is used at once. After the first motion, and for what is not in view, `scan` comes first, as
  a guard that ends the plan honestly: `?!s('apple'){l('I see no apple.');->False}`.
- A search from the ground begins with taking off, since a landed drone sees no table top.
- What is described and not named is asked for: `_1=sa('What can be eaten?')`, with the same kind of guard.
- Which of several, and how many, is decided from the scene; behind a turn it is asked by `probe`.
- A refusal is `l('...');->False` and nothing else; a question back is the same with a question mark. Nothing moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lessons.words import plural, some
from sayso.models.pocket import seeing
from sayso.robots.drone.ways import AIRBORNE_M
from sayso.scene import Scene, Thing

UP_TO_CM, UP_TO_DEG, UP_TO_S = 500, 180, 60
"""What one statement asks for at most. A larger turn would end the plan with a wish for a new one."""


def text(words: str) -> str:
    """A string literal of MiniSpec."""
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def call(short: str, argument: str) -> str:
    return f"{short}({text(argument)})"


def log(words: str) -> str:
    return call("l", words)


def joined(statements: Iterable[str]) -> str:
    """One plan. After a block no semicolon is needed."""
    plan = ""
    for statement in statements:
        plan += statement if not plan or plan.endswith("}") else f";{statement}"
    return plan


def refusal(words: str) -> str:
    """A plan that says why not, or asks back, and moves nothing."""
    return joined([log(words), "->False"])


class View:
    """What a plan may count on being in view as it goes along."""

    def __init__(self, scene: Scene, fresh: bool = True) -> None:
        self.scene = scene
        self._fresh = fresh
        self._found: set[str] = set()
        self._grounded = fresh and scene.observer.z_m < AIRBORNE_M

    def sees(self, name: str) -> bool:
        label = name.partition("[")[0]
        return label in self._found or (self._fresh and any(t.label == label for t in self.scene))

    def found(self, name: str) -> None:
        """It was looked for and is there."""
        self._found.add(name.partition("[")[0])

    @property
    def fresh(self) -> bool:
        """Whether nothing moved yet, so that the scene still tells what is in view."""
        return self._fresh

    def lift(self) -> list[str]:
        """A search that begins on the ground would not see over the tables ahead."""
        grounded, self._grounded = self._grounded, False
        return ["to"] if grounded else []

    def moved(self, *in_view: str) -> None:
        self._fresh = self._grounded = False
        self._found = {name.partition("[")[0] for name in in_view}


def moving(view: View, statements: list[str], *in_view: str) -> list[str]:
    """Statements after which the drone sees something else."""
    view.moved(*in_view)
    return statements


# Single wishes. Each takes the view, tells it what changed, and gives statements.


def guard(view: View, name: str) -> list[str]:
    """Nothing for what is in view; else a search, and an honest end where it fails."""
    if view.sees(name):
        return []
    label = name.partition("[")[0]
    lift = view.lift()
    view.moved(label)
    return [*lift, f"?!{call('s', label)}{{{log(f'I see no {label}.')};->False}}"]


def goto(view: View, name: str) -> list[str]:
    statements = [*guard(view, name), call("g", name)]
    view.moved(name)
    return statements


def face(view: View, name: str) -> list[str]:
    statements = [*guard(view, name), call("o", name)]
    view.moved(name)
    return statements


def find(view: View, name: str) -> list[str]:
    label = name.partition("[")[0]
    return [*face(view, name), log(f"Here is the {label}.")]


def picture(view: View, name: str) -> list[str]:
    return [*face(view, name), "tp"]


def move(view: View, short: str, amount: float, most: float) -> list[str]:
    """One motion, in as many equal statements as its skill needs."""
    view.moved()
    count = max(1, math.ceil(amount / most))
    if count == 1:
        return [f"{short}({amount:g})"]
    if amount % most:
        return [*[f"{short}({most:g})"] * (count - 1), f"{short}({amount - most * (count - 1):g})"]
    return [f"{count}{{{short}({most:g})}}"]


def wait(seconds: float) -> list[str]:
    if seconds <= UP_TO_S:
        return [f"d({seconds:g})"]
    return [f"{math.ceil(seconds / UP_TO_S)}{{d({UP_TO_S})}}"]


# What is described

TELL_AND_GO = ["l(_1)", "g(_1)"]
"""Nobody named it, so it is told what was found before the drone goes there."""


def ask_round(view: View, question: str, none: str) -> list[str]:
    lift = view.lift()
    view.moved()
    return [*lift, f"_1={call('sa', question)}", f"?_1==False{{{log(f'I found {none}.')};->False}}"]


def told_here(question: str) -> list[str]:
    """A question of the person's: that there is nothing is an answer too."""
    return [f"_1={call('p', question)}", f"?_1==False{{{log('I see nothing there.')}}}:{{l(_1)}}"]


def ask_here(question: str, none: str) -> list[str]:
    return [f"_1={call('p', question)}", f"?_1==False{{{log(f'I found {none}.')};->False}}"]


# What the scene tells


def area(thing: Thing) -> float:
    assert thing.box is not None
    return round(thing.box.width, 2) * round(thing.box.height, 2)


def described(scene: Scene) -> str:
    """The scene as a sentence."""
    counts: dict[str, int] = {}
    for thing in scene:
        counts[thing.label] = counts.get(thing.label, 0) + 1
    if not counts:
        return "I see nothing that I know."
    return f"I see {enumerated([some(k) if n == 1 else f'{n} {plural(k)}' for k, n in counts.items()])}."


def enumerated(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(scene: Scene, label: str) -> str:
    n = sum(t.label == label for t in scene)
    if n == 0:
        return f"I see no {label}."
    return f"I see {n} {label if n == 1 else plural(label)}."


def closest(scene: Scene, label: str, margin_m: float = 0.25) -> Thing | None:
    """The thing that is clearly closest to the one that is called `label`."""
    those = [t for t in scene if t.label == label]
    rest = seeing.closest(those[0], scene.things) if len(those) == 1 else []
    if not rest or (len(rest) > 1 and seeing.gap_m(those[0], rest[1]) - seeing.gap_m(those[0], rest[0]) < margin_m):
        return None
    return rest[0]
