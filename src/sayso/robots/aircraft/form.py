"""The short form in which the embedded model reads what a search is for: what is said, and nothing else.

    <mission>find the man in red in the north field, stay below 60 m<do>
        find(person); colour(red); in('north field'); under(60 m)<end>

Names and amounts can only be copied, and code makes a search of it (`heard`).
"""

from collections.abc import Callable
from itertools import takewhile

from sayso.errors import PlanSyntaxError
from sayso.goal import All, Amount, Argument, Clause, If, Never, Pred, Then, Until, Which
from sayso.goals.clauses import preds, whiches
from sayso.grounding.lexicon import kind
from sayso.grounding.people import is_child, is_person, is_pronoun
from sayso.grounding.terms import HEIGHTS, on_find, terms
from sayso.grounding.utterance import table
from sayso.models.pocket.reading import ReadingForm, Sayable
from sayso.robots.aircraft.operator_wish import DENIED, ENDED, FACTS, LEFT, PLACED, WHERE, WHO, Grounds, clauses_of
from sayso.robots.aircraft.search.terrain import KINDS
from sayso.roles import Prompt
from sayso.understanding.account import unsought
from sayso.understanding.forms import OTHERWISE, UNSURE, Form, brief_of
from sayso.understanding.manners import manners, of_another
from sayso.understanding.operators import Operator, operators, with_its_name
from sayso.understanding.questions import PERSON
from sayso.wish import How

SEARCH = Sayable(
    mark="mission",
    goals=("find(who)", "also(who)", "instead(who)", "gone(who)", "of(who)", "all",
           "colour(name)", "aged(number)", "size(distance)", "is(dementia|hiker|child)",
           "moves(still|slow|walking|fast|drifting)", "toward(name)", "seen(name)", "ago(time)", "ago(now)",
           "since(name, name)", "in(name)", "more(name)", "drop(name)", "skip(name)", "off(name)", "free(name)",
           "everywhere", "ordered", "under(distance)", "most(distance)", "least(distance)", "at(distance)",
           "within(time)", "by(name, name?)", "battery(share)", "then(confirm|image|hover|home|on)",
           "no(confirm|image|hover|home)", "tell(name)", "besides(name)", "hands(name)", "unsafe(name)",
           "over", "nothing"),
    tests=(),
    refusals=(),
    missing=(),
    clauses=(),
    unsaid=("person", "child", "dog"),
    among=True,
    chars=900,
    clocks=True,
)  # fmt: skip
"""What may be said of a search (`heard` tells what comes of it). They may tell a story."""

TOLD_WORDS = 16
"""Up to so many words are an order, of which each phrase asks for something; more may tell a story."""


class HearingForm(ReadingForm):
    """The form in which the model reads what an operator's words say."""

    ways = frozenset({"mission"})
    lessons, threshold, says, wish_chars = "aircraft reading", SEARCH.mark, SEARCH, SEARCH.chars
    reports = True

    doubt = Form.doubt

    def _unheard(self, prompt: Prompt, part: str, reread: Callable[[str], str], goal: Clause) -> bool:
        return True  # what no clause has is no deed that is done anyhow

    def planned(self, prompt: Prompt, written: str) -> str:
        return written

    def goal(self, prompt: Prompt, written: str) -> Clause:
        """What a reading comes to, with what code reads of the words by itself: each clause in the form that it has in
        a goal. For somebody, where nothing is said, and who searches comes home and reports."""
        if self.refuses(prompt, written):
            raise PlanSyntaxError("no search")
        read = (clause for clause in clauses_of(written) or () if clause[0] not in HEIGHTS)
        said = (*read, *terms(brief_of(prompt).core, prompt.question.splitlines()))
        parts: list[Clause] = [Pred("home"), Pred("landed"), Pred("said", ("",))]
        parts += [] if any(verb in WHO for verb, *_ in said) else [Pred("found", (Which(PERSON),))]
        about = PERSON
        for verb, *names in said:
            about = names[0].lstrip("0123456789 ") if verb in WHO and names else about
            looks = [Which(about, tuple(names))] if verb == "colour" else map(_argument, names)
            does = _goal(verb, *looks)
            parts += [] if verb in WHERE and does in parts else [does]
        return (Then if ("ordered",) in said else All)(tuple(parts))

    def settled(self, sentence: str, said: Operator, goal: Clause) -> bool:
        """Who searches is told what to do on a find, and what somebody has not done; a story tells more than that."""
        if len(sentence.split()) > TOLD_WORDS:
            return said.kind not in ("exception", "waiting")
        denied, ends = with_its_name(sentence, said), sentence.rstrip(" .!").endswith(said.text)
        tells = said.kind == "negation" and of_another(sentence, said.start)
        hastens = {manner.how for manner in manners(said.text)[1]} == {How.HASTE}
        idle = hastens or (said.kind == "order" and ends and [p.name for p in preds(goal)].count("covered") < 2)
        who = [which for pred in preds(goal) if pred.name == "found" for which in whiches(pred)]
        looks = {word for which in who for word in (which.kind, *which.traits)}
        return idle or on_find(denied) or (tells and not {*denied.split()} & looks)

    def hindered(self, prompt: Prompt, written: str) -> str:
        """What is left out has to be said so, what somebody is like of somebody, and for how long of the search; and
        whom an order names for its search is looked for."""
        brief, known, clauses = brief_of(prompt), prompt.question.splitlines(), clauses_of(written) or ()
        core, verbs, kept = brief.core, {verb for verb, *_ in clauses}, terms(brief.core, known)
        denied = [with_its_name(core, one) for one in operators(core) if one.kind in ("negation", "exception")]
        denied += [name for verb, *names in kept if verb in LEFT for name in names]
        out = [name for verb, *names in clauses if verb in LEFT for name in names]
        whom = is_person(core) or is_child(core) or any(map(is_pronoun, core.split())) or verbs & {*WHO}
        wrong = any(not {*kind(name).split()} & {*kind(" ".join(denied)).split()} for name in out)
        wrong = wrong or bool(verbs & {*FACTS} and not whom)
        if len(core.split()) <= TOLD_WORDS and not self.refuses(prompt, written):
            first = next((one.kind for one in operators(core) if one.start == 0), "")
            does = verbs | {verb for verb, *_ in kept}
            wrong = wrong or ("," in core and first in ("condition", "order") and not does & {"then", "no", "tell"})
            lasts = {verb for verb, *_ in kept} | {str(manner.how) for manner in manners(core)[1]}
            wrong = wrong or "within" in verbs - lasts or unsought(core, self.goal(prompt, written))
        return f"{UNSURE} {OTHERWISE}" if wrong and not brief.notes else Grounds(tuple(known), KINDS).lost(clauses)

    def declined(self, prompt: Prompt, says: str) -> str:
        told = says.replace("'", "")
        return f"ask('{told}')"

    def refuses(self, prompt: Prompt, written: str) -> bool:
        return written.startswith("nothing")


STEP = {"image": ("picture",), "hover": ("stayed", "at", "over"), "circle": ("over",)}
"""What is done on a find, in the language of goals."""


def _goal(verb: str, *about: Argument) -> Clause:
    """What a clause of a reading says, in the form that a goal has it in. A place with more in its name than a name has
    is no place that is heard."""
    if verb == "then":
        steps = (Pred(step, about) for of in about if isinstance(of, Which) for step in STEP.get(of.kind, ()))
        return If(Pred("found", (Which(PERSON),)), All(tuple(steps)))
    if verb in WHERE:
        more = {*table()["phrases"]["telling"], "and", "or"}
        names = [[*takewhile(lambda w: w not in more, of.kind.split())] for of in about if isinstance(of, Which)]
        about = tuple(Which(" ".join(name)) for name in names if name)
    name = "height" if verb in HEIGHTS else "covered" if verb in WHERE else "visited" if verb in PLACED else "found"
    does = Pred(name, (*about, *([Which(verb)] if verb in ENDED else [])))
    return Never(does) if verb in DENIED else Until(does, Pred("home")) if verb in ENDED else does


def _argument(said: str) -> Argument:
    """An amount, or whom or what it speaks of and how many."""
    number, _, of = said.partition(" ")
    if not number.replace(".", "").isdecimal():
        return Which(said)
    return Which(of, count=int(number)) if number.isdecimal() and len(of) > 2 else Amount(float(number), of)
