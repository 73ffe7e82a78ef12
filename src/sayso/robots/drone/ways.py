"""How a drone reaches a goal: the goal as a plan in MiniSpec, from rules that are few and written down.

- A thing in view is used at once. After the first motion, and for what is not in view, `scan` comes first, as a guard
  that ends the plan honestly. A search from the ground begins with taking off.
- What is described and not named is asked for (`scan_abstract`, or `probe` where it is to be in view), and told before
  the drone goes there.
- Which of several, and how many, is decided from what is in view while nothing has moved; later it is asked.
- What a loop waits for is tested in each round; a loop that waited in vain ends the plan as failed. Who waits for what
  is in view already did not mean that: it is asked about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sayso.errors import NotUnderstood
from sayso.goal import (
    ANYTHING,
    IT,
    All,
    Amount,
    Any,
    Argument,
    Clause,
    If,
    Not,
    Pred,
    Relation,
    Until,
    Which,
    Within,
)
from sayso.goals.evidence import looked_size, order
from sayso.goals.text import quoted
from sayso.grounding.aliases import kind, words
from sayso.grounding.lexicon import known
from sayso.grounding.phrases import coloured, described, label_of
from sayso.grounding.said import table
from sayso.planners.ways import UNREACHED, Ways, joined, leaves
from sayso.scene import Scene, Thing

AIRBORNE_M = 0.2
MOVE_CM, LITTLE_CM, TURN_DEG, LITTLE_DEG = 50.0, 20.0, 90.0, 15.0
"""What no amount and "a bit" come to; the plain commands have the same."""
UP_TO_CM, UP_TO_DEG, UP_TO_S = 500.0, 180.0, 60.0
"""What one statement asks for at most."""
CLIMBS = 10
"""How often something is repeated until a test holds, where nobody said it."""
EACH_MAX = 20
"""Of "every chair" so many are gone to."""
SIDE = 0.4
"""Up to this share of an image is its left side."""

MOVES = {"forward": "mf", "back": "mb", "left": "ml", "right": "mr", "up": "mu", "down": "md"}


def plan_of(goal: Clause, wish: str, scene: Scene) -> str:
    """A plan that reaches the goal from what is in view, in the drone's abbreviations.

    Raises `NotUnderstood` for a goal that no skill of a drone reaches.
    """
    way = _Way(wish, scene)
    match goal:
        case If(Pred("found", (Which() as which,)), yes, None) if which.count == 1:
            # who is sent to look for a thing and finds none has not done what was wished
            return joined([*way.found(which), *way.steps([yes])])
    return joined(way.steps([goal]))


def log(words_: str) -> str:
    """Saying it, as a statement."""
    return f"l({quoted(words_)})"


class _Way(Ways):
    """Writes one plan, and knows what may be counted on to be in view as it goes along."""

    def __init__(self, wish: str, scene: Scene) -> None:
        self._wish, self._scene = f" {' '.join(words(wish))} ", scene
        self._fresh, self._grounded = True, scene.observer.z_m < AIRBORNE_M
        self._found: dict[Which, str] = {}
        """What was found and not left since, and how a statement names it now."""
        self._count = 0
        said = table()["vague"]["amounts"]
        self._little = any(f" {' '.join(words(p))} " in self._wish for p in said)
        self._it: str = ""

    def found(self, which: Which) -> list[str]:
        """Statements that bring a thing into view, or end the plan."""
        before, name = self._reach(which)
        if before:
            self._moved(which, name)
        self._found[which] = name
        return before

    def times(self, parts: Sequence[Clause]) -> list[str]:
        self._moved()
        return [f"{len(parts)}{{{joined(self.steps([parts[0]]))}}}"]

    # Deeds

    def pred(self, pred: Pred) -> list[str]:
        match pred:
            case Pred("at", (Which("place", relation=Relation("behind", to)), *_)):
                return self._round("gb", to)
            case Pred("visited", (Which() as to, *_)):
                return self._round("ci", to)
            case Pred("at", (Which() as which, *_)):
                before, name = self._reach(which)
                self._moved(which, name)
                return [*before, *([f"l({name})"] if name.startswith("_") else []), f"g({name})"]
            case Pred("facing" | "toward", (Which() as which, *_)):
                before, name = self._reach(which)
                self._moved(which, name)
                return [*before, f"o({name})"]
            case Pred("found" | "sees", (Which() as which,)):
                before, name = self._reach(which)
                self._moved(which, name)
                told = f"l({name})" if name.startswith("_") else log(f"Here is the {self._called(which)}.")
                return [*before, f"o({name})", told]
            case Pred("picture", (Which() as which, *_)):
                before, name = self._reach(which)
                self._moved(which, name)
                return [*before, f"o({name})", "tp"]
            case Pred("picture"):
                return ["tp"]
            case Pred("named", (Which() as which,)):
                before, name = self._reach(which)
                return [*before, f"l({name})"]
            case Pred("said", (str(text),)):
                return [log(text)]
            case Pred("answered", (str(question), *about)):
                return self._answer(question, [a for a in about if isinstance(a, Which)])
            case Pred("moved", (str(side), *amount)):
                return self._motion(MOVES[side], self._much(amount, LITTLE_CM / 100, MOVE_CM / 100) * 100, UP_TO_CM)
            case Pred("turned", ("back",)):
                return self._motion("tc", 180, UP_TO_DEG)
            case Pred("turned", (("left" | "right") as side, *amount)):
                much = self._much(amount, LITTLE_DEG, TURN_DEG)
                return self._motion("tu" if side == "left" else "tc", much, UP_TO_DEG)
            case Pred("waited", (Amount(value, _),)):
                most = UP_TO_S
                count = max(1, math.ceil(value / most))
                return [f"d({value:g})"] if count == 1 else [f"{count}{{d({value / count:g})}}"]
            case Pred("home" | "landed" | "airborne" as verb, ()):
                self._moved()
                return [{"home": "rh", "landed": "la", "airborne": "to"}[verb]]
            case Pred("stayed", ()):
                return ["d(1)"]
            case _:
                raise NotUnderstood(UNREACHED)

    def _round(self, short: str, which: Which) -> list[str]:
        before, name = self._reach(which)
        self._moved()
        return [*before, f"{short}({name})"]

    def _much(self, amount: Sequence[Argument], little: float, usual: float) -> float:
        given = [a for a in amount if isinstance(a, Amount)]
        return given[0].value if given else little if self._little else usual

    def _motion(self, short: str, amount: float, most: float) -> list[str]:
        """In as many equal statements as the skill needs."""
        self._moved()
        count = max(1, math.ceil(round(amount / most, 6)))
        if count == 1:
            return [f"{short}({round(amount, 1):g})"]
        return [f"{count}{{{short}({round(amount / count, 1):g})}}"]

    # Things

    def _reach(self, which: Which) -> tuple[list[str], str]:
        """Statements that bring a thing into view, and how the next one names it."""
        if which.kind == IT and not self._it:
            raise NotUnderstood("I do not know which thing you mean.")
        if which.kind == IT:
            return [], self._it
        if name := self._found.get(which):
            return [], name
        if self._fresh and (thing := self._here(which)) and thing.label:  # what has no label no plan can name
            return [], quoted(_ref(thing, self._scene) if _told_apart(which, thing) else thing.label)
        called = self._called(which)
        if question := self._question(which):
            before = self._reach(which.relation.to)[0] if which.relation else []
            self._count += 1
            variable = f"_{self._count}"
            asks = "p" if which.rank or which.relation else "sa"
            before = self._lift() if asks == "sa" else before
            return [*before, f"{variable}={asks}({quoted(question)})",
                    f"?{variable}==False{{{log(f'I did not find {called}.')};->False}}"], variable  # fmt: skip
        if known(called):
            return [*self._lift(), f"?!s({quoted(called)}){{{log(f'I see no {called}.')};->False}}"], quoted(called)
        self._count += 1  # no label may be called so, but eyes may tell what is
        name = f"_{self._count}"
        asked = f"{name}=sa({quoted(f'Which is {called}?')});?{name}==False{{{log(f'I see no {called}.')};->False}}"
        return [*self._lift(), f"{name}={quoted(called)}", f"?!s({name}){{{asked}}}"], name

    def _lift(self) -> list[str]:
        """A search that begins on the ground would not see over the tables ahead."""
        grounded, self._grounded = self._grounded, False
        return ["to"] if grounded else []

    def _moved(self, which: Which | None = None, name: str = "") -> None:
        self._fresh = self._grounded = False
        self._found = {which: name} if which else {}

    def _label(self, phrase: str) -> str:
        return label_of(phrase, (t.label for t in self._scene))

    def _alike(self, phrase: str) -> list[Thing]:
        """What is in view of a kind; a colour in front of it tells it from others."""
        if phrase == ANYTHING:
            return list(self._scene)
        if label := self._label(phrase):
            return self._scene.alike(label)
        colour, rest = coloured(phrase)
        if colour and (label := self._label(rest)):
            return [t for t in self._scene.alike(label) if _is(t, colour)]
        return []

    def _here(self, which: Which) -> Thing | None:
        """The thing that is meant, of those in view; None where none is, or where its looks do not tell."""
        if which.relation:
            return None
        if (one := self._told_apart(which)) is not None:
            return one
        alike = [t for t in self._alike(which.kind) if all(_is(t, trait) for trait in which.traits)]
        for out in which.but:
            alike = [t for t in alike if not all(_is(t, trait) for trait in out.traits)]
        if which.but and any(not _knows(t, trait) for t in alike for out in which.but for trait in out.traits):
            return None
        if which.rank:
            looks = looked_size if which.kind == ANYTHING else lambda thing: None
            alike = sorted(alike, key=lambda t: order(which.rank, t, self._scene.observer, looks(t)))
        elif alike:
            alike = sorted(alike, key=lambda t: t.distance_m or math.inf)
        return alike[which.nth - 1] if len(alike) >= which.nth else None

    def _told_apart(self, which: Which) -> Thing | None:
        """The only one of those of a kind of which perception tells what the phrase tells."""
        if not described(which.kind):
            return None
        head, said = words(which.kind)[0], f" {' '.join(words(which.kind))} "
        label = self._label(head)
        looks = [(t, [" ".join(words(v)) for v in t.attributes.values() if v]) for t in self._scene.alike(label)]
        fitting = [t for t, told in looks if any(f" {look} " in said for look in told)]
        return fitting[0] if label and len(fitting) == 1 else None

    def _called(self, which: Which) -> str:
        """As it was said."""
        traits = " ".join(which.traits)
        kind_ = self._label(which.kind) or which.kind
        if which.relation:
            return f"{kind_} {which.relation.word.replace('_', ' ')} the {self._called(which.relation.to)}"
        return f"{which.rank} {traits} {kind_}".strip().replace("  ", " ")

    def _question(self, which: Which) -> str:
        """What to ask for where a name does not say which thing is meant; empty where it does."""
        called = self._called(which)
        if which.relation:
            to = self._called(which.relation.to)
            return f"What is on the {to}?" if which.relation.word == "on" else f"Which thing is closest to the {to}?"
        if which.but:
            out = " or ".join(trait for one in which.but for trait in one.traits)
            return f"Which {self._called(Which(which.kind))} is not {out}?"
        if which.rank:
            nth = {2: "second ", 3: "third ", 4: "fourth "}.get(which.nth, "")
            return f"Which is the {nth}{which.rank} {self._label(which.kind) or which.kind}?"
        colour, rest = coloured(called)
        if colour:
            return f"Which {rest} is {colour}?"
        return f"Which is {called}?" if which.traits or described(which.kind) else ""

    # Tests and ways

    def _test(self, test: Clause) -> str:
        """A test as an expression."""
        match test:
            case Not(part):
                return f"!({self._test(part)})" if isinstance(part, All | Any) else f"!{self._test(part)}"
            case All(parts):
                return "&".join(f"({self._test(p)})" for p in parts)
            case Any(parts):
                return "|".join(f"({self._test(p)})" for p in parts)
            case Pred("sees" | "found" as verb, (Which() as which,)):
                called = self._called(which)
                if which.count > 1:
                    many = self._called(Which(which.kind, which.traits))
                    return f"(p({quoted(f'How many {many} are here?')})>={which.count})"
                if question := self._question(which):
                    return f"({'p' if verb == 'sees' else 'sa'}({quoted(question)})!=False)"
                return f"{'iv' if verb == 'sees' else 's'}({quoted(called)})"
            case _:
                raise NotUnderstood("I understood the condition, but not how I could tell.")

    def _settled(self, test: Clause) -> bool | None:
        """A test that what is in view decides already; None where it has to be looked for."""
        match test:
            case Not(part):
                inner = self._settled(part)
                return None if inner is None else not inner
            case Pred("sees", (Which() as which,)) if which.count > 1 and self._fresh:
                return len(self._alike(which.kind)) >= which.count
            case Pred("sees" | "found", (Which(kind_, traits),)) if traits and self._fresh:
                alike = self._alike(kind_)
                if alike and all(_knows(t, trait) for t in alike for trait in traits):
                    return any(all(_is(t, trait) for trait in traits) for t in alike)
        return None

    def either(self, test: Clause, yes: Clause, no: Clause | None) -> list[str]:
        settled = self._settled(test)
        if settled is not None:
            chosen = yes if settled else no
            return self.steps([chosen]) if chosen else []
        lift = self._lift() if _searches(test) else []
        asked, sees = self._test(test), not isinstance(test, Not)
        found = self._mentioned(test)
        fresh = self._fresh and not _searches(test)
        yes_steps = self._branch(yes, fresh, found if sees else None)
        if no is None:
            self._moved()
            told = f":{{{log(f'I see no {self._called(found)}.')}}}" if found and sees else ""
            return [*lift, f"?{asked}{{{yes_steps}}}{told}"]
        no_steps = self._branch(no, fresh, None if sees else found)
        self._moved()
        return [*lift, f"?{asked}{{{yes_steps}}}:{{{no_steps}}}"]

    def _branch(self, clause: Clause, fresh: bool, found: Which | None) -> str:
        kept = self._fresh, self._found, self._grounded
        self._fresh = fresh
        if found is not None and not self._question(found) and found.count == 1:
            self._found = {found: quoted(self._called(found))}
        steps = joined(self.steps([clause]))
        self._fresh, self._found, self._grounded = kept
        return steps

    def _mentioned(self, test: Clause) -> Which | None:
        part = test.part if isinstance(test, Not) else test
        return part.args[0] if isinstance(part, Pred) and isinstance(part.args[0], Which) else None

    def in_reach(self, which: Which) -> bool:
        return self._fresh and self._here(which) is not None

    def other(self, clause: Clause) -> list[str]:
        match clause:
            case Within(Amount(value, _), Pred(("found" | "sees"), (Which() as which,))):
                return self._watch(which, value)
        return super().other(clause)

    def until(self, loop: Until, then: Sequence[Clause]) -> list[str]:
        match loop.test:
            case Pred("turned", (str(), Amount(whole, _))):
                body = self.steps([loop.body])
                turn = next((_turned(b) for b in leaves(loop.body) if _turned(b)), TURN_DEG)
                self._moved()
                count = max(1, round(whole / turn))
                return [f"{count}{{{joined(body)}}}", *self.steps(then)]
            case Pred("sees", (Which() as which,)) if self._fresh and which.count == 1 and self._here(which):
                raise NotUnderstood(f"The {self._called(which)} is in view already. What should I wait for?")
        most = loop.most or self._rounds(loop.body)
        test, found = self._test(loop.test), self._mentioned(loop.test)
        self._moved()
        each = self._branch(loop.body, False, None)
        after = [*self.steps_after(then, found), "->True"]
        self._moved()
        called = self._called(found) if found else "such thing"
        once_more = f"?{test}{{{joined(after)}}}"
        return [f"{most}{{?{test}{{{joined(after)}}}{each}}}", once_more,
                log(f"I see no {called}."), "->False"]  # fmt: skip

    def steps_after(self, then: Sequence[Clause], found: Which | None) -> list[str]:
        """What is done once something came into view."""
        if found is not None and not self._question(found):
            self._found = {found: quoted(self._called(found))}
        return self.steps(then)

    def _rounds(self, body: Clause) -> int:
        turn = sum(_turned(b) for b in leaves(body))
        return math.ceil(round(360 / turn, 6)) if turn else CLIMBS

    def each(self, which: Which, body: Clause) -> list[str]:
        """Look round once, and then one after another."""
        called = self._called(Which(which.kind))
        self._count += 2
        i, self._it = f"_{self._count - 1}", f"_{self._count}"
        lift = self._lift()
        self._moved()
        inside = joined(self.steps([body]))
        name, most = quoted(called), which.count or EACH_MAX
        self._moved()
        done = [f"{i}=0", f"{most}{{?{i}<hm({name}){{{i}={i}+1;{self._it}=nt({name},{i});{inside}}}}}"]
        if which.count > 1:
            done.append(f"?{i}<{most}{{l('I found '+{i}+{quoted(f' of {most} {called}.')});->False}}")
        return [*lift, "lr", f"?hm({name})==0{{{log(f'I see no {called}.')};->False}}", *done]

    def _watch(self, which: Which, seconds: float) -> list[str]:
        called = self._called(which)
        test = self._test(Pred("sees", (which,)))
        self._moved()
        return [f"{max(1, round(seconds * 2))}{{?{test}{{{log(f'I see the {called}.')};->True}}d(0.5)}}",
                log(f"I saw no {called}."), "->False"]  # fmt: skip

    # Answers

    def _answer(self, question: str, about: Sequence[Which]) -> list[str]:
        which = about[0] if about else Which()
        called = self._called(which)
        here = self._alike(which.kind) if self._fresh else None
        match question:
            case "how many" if here is not None:
                return [log(f"I see {len(here)} {called}.")]
            case "how many":
                return [f"l(p({quoted(f'How many {called} are here?')}))"]
            case "how many all round":
                self._moved()
                return [*self._lift(), "lr", f"l(hm({quoted(called)}))"]
            case "what is here":
                return [log(described_scene(self._scene))] if self._fresh else ["rp"]
            case "is it in view":
                return [f"?{self._test(Pred('sees', (which,)))}{{{log(f'Yes, I see the {called}.')}}}:"
                        f"{{{log(f'No, I see no {called}.')}}}"]  # fmt: skip
            case "is it here":
                test = self._test(Pred("found", (which,)))
                self._moved()
                return [*self._lift(), f"?{test}{{{log(f'Yes, here is the {called}.')}}}:"
                        f"{{{log(f'No, I see no {called}.')}}}"]  # fmt: skip
            case "which are more" if len(about) > 1:
                return self._more(about[0], about[1])
            case "where":
                thing = self._here(which) if self._fresh else None
                if thing and thing.box:
                    x = thing.box.x
                    side = "on the left" if x < SIDE else "on the right" if x > 1 - SIDE else "in the middle"
                    return [log(f"The {called} is {side}.")]
                return self.pred(Pred("found", (which,)))
            case "how far":
                before, name = self._reach(which)
                return [*before, f"_9=od({name})", "l(_9+' cm')"]
            case "what is held":
                return ["_9=p('Is the person holding something?')", "l(_9)"]
            case "what colour" | "what does it say" | "what is on" | "what is next to":
                return self._told(question, which)
        raise NotUnderstood("I understood the question, but not how I could find the answer.")

    def _told(self, question: str, which: Which) -> list[str]:
        key = {"what colour": "color", "what does it say": "text"}.get(question, "")
        thing = self._here(which) if self._fresh else None
        if thing and (value := thing.attributes.get(key)):
            return [log(f"It says: {value}" if key == "text" else f"The {self._called(which)} is {value}.")]
        before, _ = self._reach(which)
        called = self._called(which)
        ask = {"what colour": f"What colour is the {called}?", "what does it say": f"What does the {called} say?",
               "what is on": f"What is on the {called}?",
               "what is next to": f"Which thing is closest to the {called}?"}[question]  # fmt: skip
        return [*before, f"_9=p({quoted(ask)})", f"?_9==False{{{log('I cannot tell from here.')};->False}}l(_9)"]

    def _more(self, one: Which, other: Which) -> list[str]:
        a, b = one.kind, other.kind
        if words(b)[-1:] == ("one",):  # "more red balloons than blue ones"
            other = replace(other, kind=f"{b.rpartition(' ')[0]} {coloured(a)[1]}")
            b = other.kind
        if self._fresh:
            n, m = len(self._alike(one.kind)), len(self._alike(other.kind))
            return [log(f"More {a}." if n > m else f"More {b}." if m > n else f"As many {a} as {b}.")]
        return [f"_8=p({quoted(f'How many {a} are here?')})", f"_9=p({quoted(f'How many {b} are here?')})",
                f"?_8>_9{{{log(f'More {a}.')}}}:?_9>_8{{{log(f'More {b}.')}}}:"
                f"{{{log(f'As many {a} as {b}.')}}}"]  # fmt: skip


def _told_apart(which: Which, thing: Thing) -> bool:
    """Whether more was said of a thing than its kind."""
    more = which.rank or which.traits or which.but or which.relation
    return bool(more) or kind(which.kind) != kind(thing.label)


def _searches(test: Clause) -> bool:
    part = test.part if isinstance(test, Not) else test
    return isinstance(part, Pred) and part.name == "found"


def _turned(pred: Pred) -> float:
    if pred.name != "turned":
        return 0.0
    amounts = [a.value for a in pred.args if isinstance(a, Amount)]
    return amounts[0] if amounts else TURN_DEG


def _is(thing: Thing, trait: str) -> bool:
    """Whether a thing looks so, as far as perception tells."""
    values = [v.lower() for v in thing.attributes.values()]
    return any(trait == v or f" {trait} " in f" {v} " for v in values) or trait in words(thing.label)


def _knows(thing: Thing, trait: str) -> bool:
    """Whether perception tells of a thing what could be this trait."""
    if trait in table()["traits"]["colours"]:
        return any(key in thing.attributes for key in ("color", "shirt"))
    return _is(thing, trait)


def _ref(thing: Thing, scene: Scene) -> str:
    several = sum(t.label == thing.label for t in scene) > 1
    return f"{thing.label}[{thing.box.x:.2f}]" if several and thing.box else thing.label


def described_scene(scene: Scene) -> str:
    """What is in view, in a sentence."""
    counts: dict[str, int] = {}
    for thing in scene:
        counts[thing.label] = counts.get(thing.label, 0) + 1
    if not counts:
        return "I see nothing that I know."
    told = [label if n == 1 else f"{n} times {label}" for label, n in counts.items()]
    return f"I see {told[0] if len(told) == 1 else ', '.join(told[:-1]) + ' and ' + told[-1]}."
