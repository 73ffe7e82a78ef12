"""The plan by which a drone reaches a goal, in MiniSpec, from rules that are few and written down.

- A thing in view is used at once. After the first motion, and for what is not in view, `scan` comes first, as a guard
  that ends the plan honestly. A search from the ground begins with taking off.
- What is described and not named is asked for (`scan_abstract`, or `probe` where it is to be in view), and told before
  the drone goes there.
- The most of several, one told by what it stands by, all but some, and how many there are: the drone looks all round
  first and says so, where what is in view does not decide it. What it looks like tells which one is meant, and where
  looks do not tell, eyes are asked.
- What a loop waits for is tested in each round; a loop that waited in vain ends the plan as failed. Who waits for what
  is in view already did not mean that: it is asked about.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from sayso import goal as g
from sayso.errors import NotUnderstood
from sayso.goal import ANYTHING, IT, YOU, All, Amount, Any, Argument, Clause, If, Not, Pred, Relation, Then, Which
from sayso.goals.clauses import whiches
from sayso.goals.seen import IN_VIEW, NAMELESS
from sayso.goals.spoken import thing
from sayso.goals.text import named, quoted
from sayso.grounding.amounts import usual, vague
from sayso.grounding.inflection import none_of, plural
from sayso.grounding.lexicon import UNKNOWN, known, means
from sayso.grounding.people import is_person, kind_of
from sayso.grounding.phrases import coloured, described
from sayso.grounding.utterance import speaks_of_view, table
from sayso.language.printer import FAILED, MET, joined, repeated, when
from sayso.planners.goal_plan import UNREACHED, UNTOLD, GoalPlan, Says, leaves
from sayso.planners.reflex.words import vocabulary
from sayso.robots.drone.things_in_view import ThingsInView
from sayso.scene import Scene
from sayso.tables import toml

AIRBORNE_M = 0.2
TURN_DEG = usual("turn_deg")
UP_TO_CM, UP_TO_DEG, UP_TO_S = 500.0, 180.0, 60.0
"""What one statement asks for at most."""
CLIMBS = 10
"""How often something is repeated until a test holds, where nobody said it."""
EACH_MAX = 20
"""Of "every chair" so many are gone to."""

MOVES = {"forward": "mf", "back": "mb", "left": "ml", "right": "mr", "up": "mu", "down": "md"}

EYES: dict[str, str] = toml(__package__, "replies.toml")["eyes"]
"""What eyes are asked about a thing where perception does not tell."""

ALL_ROUND = ("how many all round", "what is all round", "which one", "which are more")
"""Questions that no single view decides."""
OF_SIZE = ("how tall", "how big", "largest", "smallest", "tallest", "shortest")
"""How a question ends that what is cut off in an image does not tell."""
OF_TWO = ("which are more", "which is ", "which side", "how far apart", "is either here", "is it so")
"""Beginnings of questions about two things."""
WHETHER = ("is it here", "is either here")
"""Questions to which "there is none" is an answer."""
SEVERAL = "I see more than one {}. Which one do you mean?"
LOOKS_ROUND, RISES = "I look round first.", "I rise 50 cm to see what is on top."
NEAR_RANKS = ("leftmost", "rightmost")
"""What is most so is meant of those in view."""

log = Says("l")


def plan_of(goal: Clause, wish: str, scene: Scene) -> str:
    """A plan that reaches the goal from what is in view, in the drone's abbreviations.

    Raises `NotUnderstood` for a goal that no skill of a drone reaches.
    """
    plan = _DronePlan(wish, scene)
    match goal:
        case Pred("answered"):
            return joined(plan.only_answered(goal))
        case If(Pred("found", (Which() as which,)), yes, None) if which.count == 1:
            # who is sent to look for a thing and finds none has not done what was wished
            return joined([*plan.found(which), *plan.steps([yes])])
    return joined(plan.steps([goal]))


class _DronePlan(GoalPlan):
    """Writes one plan, and knows what may be counted on to be in view as it goes along."""

    def __init__(self, wish: str, scene: Scene) -> None:
        self._view = ThingsInView(scene)
        self._fresh, self._grounded = True, scene.observer.z_m < AIRBORNE_M
        self._found: dict[Which, str] = {}
        """What was found and not left since, and how a statement names it now."""
        self._at = list[Which]()  # what it has gone to and not left since
        self._little = bool(vague(wish))
        self._in_view = speaks_of_view(wish)
        """Whether only what is in view is meant, however much more there is (U7)."""
        self._it: str = ""
        self._looked = self._returns = False
        """Whether it has looked all round from here."""
        self._eyes: set[str] = set()
        """Variables with what eyes found, which is told before the drone goes there."""

    def found(self, which: Which) -> list[str]:
        """Statements that bring a thing into view, or end the plan."""
        before, name = self._reach(which)
        if before:
            self._moved(which, name)
        self._found[which] = name
        return before

    def times(self, parts: Sequence[Clause]) -> list[str]:
        self._moved()
        return [repeated(len(parts), self.steps([parts[0]]))]

    def only_answered(self, pred: Pred) -> list[str]:
        """A question on the ground is answered there again: it moves nothing in the end (U1)."""
        self._returns = self._grounded
        steps = self.steps([pred])
        return [*steps, "la"] if self._returns and "lr" in steps else steps

    def _lost(self, words: str) -> list[str]:
        """It says so, and that ends the plan as failed, on the ground where a question found it there."""
        said, failed = log.lost(words)
        return ["la", said, failed] if self._returns else [said, failed]

    # Deeds

    def pred(self, pred: Pred) -> list[str]:
        match pred:
            case Pred("at", (Which("place", relation=Relation("behind", to)), *_)):
                return self._about("gb", to)
            case Pred("visited", (Which() as to, *_)):
                return self._about("ci", to)
            case Pred("at", (Which() as which, *_)):
                before, name = self._to(which)
                self._at = [which]
                return [*before, *([log("I go to the ", name, ".")] if name in self._eyes else []), f"g({name})"]
            case Pred("facing" | "toward" | "picture" | "found" | "sees" as verb, (Which() as which, *_)):
                before, name = self._to(which)
                here = log("Here is the ", name, ".") if name in self._eyes else log(f"Here is {thing(which)}.")
                told = "" if which.kind == IT else here
                return [*before, f"o({name})", *{"picture": ["tp"], "found": [told], "sees": [told]}.get(verb, [])]
            case Pred("picture"):
                return ["tp"]
            case Pred("named", (Which() as which,)):
                before, name = self._reach(which)
                return [*before, log("It is the ", name, ".")]
            case Pred("said", (str(text),)):
                return [log(text)]
            case Pred("answered", (str(question), *_)):
                return self._answer(question, list(whiches(pred)))
            case Pred("moved", (str(side), *amount)):
                much = self._much(amount, usual("little_cm") / 100, usual("move_cm") / 100) * 100
                return self._motion(MOVES[side], much, UP_TO_CM)
            case Pred("height", (Amount(metres, _),)):
                return self._motion("fa", metres * 100, math.inf)
            case Pred("turned", ("back",)):
                return self._motion("tc", 180, UP_TO_DEG)
            case Pred("turned", (("left" | "right") as side, *amount)):
                much = self._much(amount, usual("little_deg"), TURN_DEG)
                return self._motion("tu" if side == "left" else "tc", much, UP_TO_DEG)
            case Pred("waited", (Amount(value, _),)):
                return _in_parts("d", value, UP_TO_S)
            case Pred("home" | "landed" | "airborne" as verb, ()):
                self._moved()
                return [{"home": "rh", "landed": "la", "airborne": "to"}[verb]]
            case Pred("stayed", ()):
                return ["d(1)"]
            case _:
                raise NotUnderstood(UNREACHED)

    def _to(self, which: Which) -> tuple[list[str], str]:
        """As `_reach`, on the way there: nothing else can be counted on to be in view from then on."""
        before, name = self._reach(which)
        self._moved(which, name)
        return before, name

    def _about(self, short: str, which: Which) -> list[str]:
        before, name = self._reach(which)
        self._moved()
        return [*before, f"{short}({name})"]

    def _much(self, amount: Sequence[Argument], little: float, usual: float) -> float:
        given = [a for a in amount if isinstance(a, Amount)]
        return given[0].value if given else little if self._little else usual

    def _motion(self, short: str, amount: float, most: float) -> list[str]:
        if amount <= 0:
            raise NotUnderstood("I move and turn by more than nothing.")
        self._moved()
        return _in_parts(short, amount, most, digits=1)

    # Things

    def _reach(self, which: Which) -> tuple[list[str], str]:
        """Statements that bring a thing into view, and how the next one names it."""
        if which.kind == IT and not self._it:
            raise NotUnderstood("I do not know which thing you mean.")
        if which.kind == IT:
            return [], self._it
        if name := self._found.get(which):
            return [], name
        by_size = which.relation and which.rank in OF_SIZE  # no thing before it may be cut off by whose size it is told
        in_view = self._fresh and (self._in_view or not _all_round(which))
        in_view = in_view and not (by_size and not self._view.shows(which, entire=True))
        if in_view and (name := self._view.name(which)):
            return [], quoted(name)
        called = self._view.called(which)
        if _told(which):
            return self._picked(which)
        if question := self._view.question(which):
            variable = self.variable()
            self._eyes.add(variable)
            return [*self._lift(), *_asked(variable, "sa", question, f"I found {none_of(called)}.")], variable
        lost = f"I see {none_of(called)}."
        if known(called):
            return [*self._lift(), when(f"!s({quoted(called)})", log.lost(lost))], quoted(called)
        if " " not in called and not is_person(called) and called not in vocabulary().nouns:
            raise NotUnderstood(f"{UNKNOWN.format(called)} What does it look like?")
        name = self.variable()  # no label may be called so, but eyes may tell what is
        self._eyes.add(name)
        asked = _asked(name, "sa", f"Which is {called}?", lost)
        return [*self._lift(), f"{name}={quoted(called)}", when(f"!s({name})", asked)], name

    def _picked(self, which: Which) -> tuple[list[str], str]:
        """The one that is meant of all that there are: by what looks tell, and by eyes where they do not."""
        called = self._view.called(replace(which, rank="", nth=1))
        name, text = self.variable(), quoted(named(which))
        none, found = f"hm({text})==0", f"{name}=nt({text},1)"
        several = which.kind == ANYTHING and which.relation and not which.rank  # not even its kind was said
        asks = [when(f"hm({text})>1", log.lost(SEVERAL.format(called)))] if several else []
        if self._counts(which):
            gone = [(named(one), self._view.called(one)) for one in which.among]
            some = [when(f"hm({quoted(text_)})==0", [log(f"I see {none_of(one)}.")]) for text_, one in gone]
            lost = when(none, log.lost(f"I see {none_of(called)}."))
            return [*self._round(), *self._beside(which), *asks, lost, *some, found], name
        self._eyes.add(name)
        eyes = _asked(name, "sa", self._view.question(which), f"I found {none_of(called)}.")
        return [*self._round(), *asks, when(none, eyes, [found])], name

    def _beside(self, which: Which) -> list[str]:
        """Of what a thing is said to be on or beside must be some: else that is what is told."""
        if which.relation is None or which.relation.to.kind in NAMELESS:
            return []
        called = self._view.called(which.relation.to)
        return [when(f"hm({quoted(named(which.relation.to))})==0", log.lost(f"I see {none_of(called)}."))]

    def _round(self) -> list[str]:
        """A look all round, once from each place."""
        if self._looked:
            return []
        self._moved()
        self._looked = True
        return [log(LOOKS_ROUND), "lr"]

    def _lift(self) -> list[str]:
        """A search that begins on the ground would not see over the tables ahead."""
        grounded, self._grounded = self._grounded, False
        return ["to"] if grounded else []

    def _moved(self, which: Which | None = None, name: str = "") -> None:
        self._fresh = self._grounded = self._looked = False
        self._at, self._found = list[Which](), {which: name} if which else {}

    # Tests and ways

    def test(self, test: Clause) -> str:
        if isinstance(test, Not) and not isinstance(test.part, All | Any):
            return f"!{self.test(test.part)}"
        return super().test(test)

    def tells(self, pred: Pred) -> str:
        match pred:
            case Pred("sees" | "found", (Which() as which,)) if which.count > 1:
                many = self._view.called(Which(which.kind, which.traits))
                return f"(p({quoted(f'How many {many} are here?')})>={which.count})"
            case Pred("sees" | "found" as verb, (Which() as which,)):
                if verb == "found" and self._counts(which):
                    return f"(hm({quoted(named(which))})>0)"
                if question := self._view.question(which):
                    return f"({'p' if verb == 'sees' else 'sa'}({quoted(question)})!=False)"
                return f"{'iv' if verb == 'sees' else 's'}({quoted(self._view.called(which))})"
        raise NotUnderstood(UNTOLD)

    def _counts(self, which: Which) -> bool:
        """Whether a look all round tells if there is one."""
        return _told(which) and self._view.tells(which)

    def _settled(self, test: Clause) -> bool | None:
        """A test that what is in view decides already; None where it has to be looked for."""
        match test:
            case Not(part):
                inner = self._settled(part)
                return None if inner is None else not inner
            case Pred("sees", (Which() as which,)) if which.count > 1 and self._fresh:
                return self._view.several(which) >= which.count
            case Pred("sees" | "found" as verb, (Which() as which,)) if which.traits and self._fresh:
                there = self._view.has(which)
                return there if verb == "sees" or there else None
        return None

    def either(self, test: Clause, yes: Clause, no: Clause | None) -> list[str]:
        settled = self._settled(test)
        if settled is not None:
            chosen = yes if settled else no
            return self.steps([chosen]) if chosen else []
        (name, found), sees = _looked_for(test), not isinstance(test, Not)
        looks = self._round if found is not None and self._counts(found) else self._lift
        lift = looks() if name == "found" else []
        if lift and found is not None and self._counts(found):
            lift += self._beside(found)  # who does not know the table cannot tell what is on it
        asked, fresh = self.test(test), self._fresh and name != "found"
        then, otherwise = self._branch(yes, fresh, found if sees else None), None
        if no is not None:
            otherwise = self._branch(no, fresh, None if sees else found)
        elif found and sees:
            otherwise = [log(f"I see {none_of(self._view.called(found))}.")]
        self._moved()
        return [*lift, when(asked, then, otherwise)]

    def _branch(self, clause: Clause, fresh: bool, found: Which | None) -> list[str]:
        kept = self._fresh, self._found, self._grounded, self._looked, self._at
        self._fresh = fresh
        if found is not None and found.count == 1:
            self._came_into_view(found)
        steps = self.steps([clause])
        self._fresh, self._found, self._grounded, self._looked, self._at = kept
        return steps

    def _came_into_view(self, which: Which) -> None:
        if not self._view.question(which):
            self._found = {which: quoted(self._view.called(which))}

    def instead(self, which: Which, other: Clause) -> Clause:
        """That it is not there is told."""
        return Then((Pred("said", (f"I see no {self._view.called(which)}.",)), other))

    def in_reach(self, which: Which) -> bool:
        return self._fresh and self._view.here(which) is not None

    def other(self, clause: Clause) -> list[str]:
        match clause:
            case g.Within(Amount(value, _), Pred(("found" | "sees"), (Which() as which,))):
                called = self._view.called(which)
                seen = when(self.tells(Pred("sees", (which,))), [log(f"I see the {called}."), MET])
                self._moved()
                return [repeated(max(1, round(value * 2)), [seen, "d(0.5)"]), *log.lost(f"I saw {none_of(called)}.")]
        return super().other(clause)

    def until(self, loop: g.Until, then: Sequence[Clause]) -> list[str]:
        match loop.test:
            case Pred("turned", (str(), Amount(whole, _))):
                body = self.steps([loop.body])
                turn = next(filter(None, map(_turned, leaves(loop.body))), TURN_DEG)
                self._moved()
                return [repeated(max(1, round(whole / turn)), body), *self.steps(then)]
            case Pred("sees", (Which() as which,)) if which.count == 1 and self.in_reach(which):
                raise NotUnderstood(f"The {self._view.called(which)} is in view already. What should I wait for?")
        test, (_, found) = self.test(loop.test), _looked_for(loop.test)
        self._moved()
        each = self._branch(loop.body, False, None)
        if found is not None:
            self._came_into_view(found)
        once_there = when(test, [*self.steps(then), MET])
        self._moved()
        called, turn = self._view.called(found) if found else "such thing", sum(map(_turned, leaves(loop.body)))
        rounds = loop.most or (math.ceil(round(360 / turn, 6)) if turn else CLIMBS)
        return [repeated(rounds, [once_there, *each]), once_there, *log.lost(f"I see {none_of(called)}.")]

    def each(self, which: Which, body: Clause) -> list[str]:
        """Look round once, and then one after another."""
        called = self._view.called(replace(which, count=1) if _told(which) else Which(which.kind))
        i, self._it = self.variable(), self.variable()
        looks = self._round()
        self._moved()
        inside = self.steps([body])
        self._moved()
        name = quoted(named(replace(which, count=1)) if _told(which) else called)
        most = which.count or EACH_MAX
        none = when(f"hm({name})==0", log.lost(f"I see {none_of(called)}."))
        nth = when(f"{i}<hm({name})", [f"{i}={i}+1", f"{self._it}=nt({name},{i})", *inside])
        to = which.relation.to if which.relation and which.relation.to.count == 1 else None
        which_one = [when(f"hm({quoted(named(to))})>1", log.lost(SEVERAL.format(self._view.called(to))))] if to else []
        done = [*looks, *self._beside(which), *which_one, none, f"{i}=0", repeated(most, [nth])]
        if which.count > 1:
            done.append(when(f"{i}<{most}", [log("I found ", i, f" of {most} {plural(called)}."), FAILED]))
        return done

    # Answers

    def _answer(self, question: str, about: Sequence[Which]) -> list[str]:
        """From what is in view where that decides it, else from a look all round."""
        things = [self._gone_to(question, one) for one in about]
        rises = [log(RISES), "mu(50)"] if things != about else []
        about = things or [Which()]
        if question.startswith(OF_TWO) and len(about) < 2:
            raise NotUnderstood(UNREACHED)
        plain = question.startswith("how many") or (question == WHETHER[0] and not about[0].traits)
        if plain and {*map(kind_of, (one.kind for one in about))} & {"man", "woman"}:
            raise NotUnderstood("I see people, and cannot tell men from women.")
        if question == "is it so":  # what it is said to be on or beside has to be seen as well
            things = [*about[:1], *(to for one in about[1:] if one.relation and (to := one.relation.to).kind != YOU)]
        asks = f"wo({quoted(question)},{quoted(', '.join(map(named, about)))})"
        more = about[0].relation is not None or bool({*about[0].traits} & {*table()["traits"]["colours"]})
        by_looks = more and not described(about[0].kind) and self._view.tells(about[0])
        if question == WHETHER[0] and not by_looks and (seen := self._view.question(about[0])):  # no label tells that
            name, none = self.variable(), log(f"I see {none_of(self._view.called(about[0]))}.")
            there = when(f"{name}==False", [none], [log("I see the ", name, ".")])
            return [*self._lift(), f"{name}=sa({quoted(seen)})", there, *(["la"] if self._returns else [])]
        beyond = (*ALL_ROUND, *(["what is on"] if self._grounded else []))  # no table top is seen from the ground
        if question in IN_VIEW or (
            self._fresh and question not in beyond and all(self._decided(w, question) for w in things)
        ):
            looks: list[str] = []
        else:
            looks = [*rises, *self._round()]
            if question not in (*ALL_ROUND, *WHETHER):
                lost = (self._lost(f"I see {none_of(self._view.called(w))} anywhere around me.") for w in things)
                looks += [when(f"hm({quoted(named(w))})==0", gone) for w, gone in zip(things, lost, strict=True)]
        if question in (*IN_VIEW, *ALL_ROUND, *WHETHER) and question != "which one":
            return [*looks, f"l({asks})"]
        told, untold = self.variable(), self._lost("I cannot tell that from here.")
        if question in EYES:
            eyes = EYES[question].format(self._view.called(about[0]))
            untold = _asked(told, "p", eyes, "I cannot tell that from here.")
        return [*looks, f"{told}={asks}", when(f"{told}==False", untold), f"l({told})"]

    def _gone_to(self, question: str, which: Which) -> Which:
        """Of what a question speaks of, and only by name, the one that the drone has just gone to."""
        if which.relation and which.relation.to != which:
            to = self._gone_to("what is on", which.relation.to)
            return replace(which, relation=replace(which.relation, to=to))
        plain = question == "what is on" and which == Which(which.kind, which.traits)
        here = plain and any(means(one.kind, which.kind) and {*which.traits} <= {*one.traits} for one in self._at)
        return replace(which, rank="nearest") if here else which

    def _decided(self, which: Which, question: str) -> bool:
        """Whether what is in view shows it, and none that is not in view could be meant instead."""
        of_two = question.startswith("which is ") and self._view.wider(which)
        return not (of_two or _all_round(which)) and self._view.shows(which, entire=question.endswith(OF_SIZE))


def _in_parts(short: str, amount: float, most: float, digits: int = 6) -> list[str]:
    """In as many equal statements as the skill needs."""
    count = max(1, math.ceil(round(amount / most, 6)))
    part = f"{short}({round(amount / count, digits):g})"
    return [part] if count == 1 else [repeated(count, [part])]


def _asked(variable: str, skill: str, question: str, lost: str) -> list[str]:
    """What eyes say when they are asked; the plan ends where they do not know."""
    return [f"{variable}={skill}({quoted(question)})", when(f"{variable}==False", log.lost(lost))]


def _told(which: Which) -> bool:
    """Whether more was said of it than its kind, which a look may tell."""
    more = which.rank or which.relation or which.but or which.among or which.traits or coloured(which.kind)[0]
    return bool(more) and not described(which.kind)


def _all_round(which: Which) -> bool:
    """Whether one that is not in view may be meant instead of those that are."""
    around = which.relation is not None and which.relation.to.kind == YOU and which.relation.word != "before"
    return around or which.count != 1 or bool(which.rank and which.rank not in NEAR_RANKS)


def _looked_for(test: Clause) -> tuple[str, Which | None]:
    """The predicate of a test or of its contrary, and the thing that it is about."""
    part = test.part if isinstance(test, Not) else test
    if not isinstance(part, Pred):
        return "", None
    return part.name, next(whiches(part), None)


def _turned(pred: Pred) -> float:
    if pred.name != "turned":
        return 0.0
    return next((a.value for a in pred.args if isinstance(a, Amount)), TURN_DEG)
