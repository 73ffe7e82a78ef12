"""The conversation view: what was said, the plan as it streams and runs, refusals, questions, and the input line."""

from functools import partial
from pathlib import PurePath

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from sayso.console.plan_text import plan_lines, spelled
from sayso.console.station import Station
from sayso.console.views.parts import Text, block, button, put, show_if
from sayso.memory.mission_view import Item, Statement
from sayso.plugins.kits import kits
from sayso.skill import SkillSet

MARKS = {"ready": "·", "running": "▶", "done": "✓", "dropped": "–", "failed": "✗"}
SPOKEN = {"ready": "not yet", "running": "runs", "done": "done", "dropped": "given up", "failed": "failed"}
WARNING = ("limit", "replan", "warning")
SEND = """(e) => { if (e.isComposing) return; const v = e.target.value.trim(); e.target.value = ""; if (v) emit(v); }"""
SEND_BUTTON = """() => { const f = document.getElementById("say"); const v = f.value.trim(); f.value = ""; f.focus();
  if (v) emit(v); }"""


class PlanView:
    """One plan; its statements change in place while they run."""

    def __init__(self, item: Item, skills: SkillSet | None) -> None:
        self._skills = skills
        self._rows: list[tuple[Statement, Element, Text, Text, Text]] = []
        self._box = block("plan", role="list", aria_label="plan")
        self.show(item)

    def show(self, item: Item) -> None:
        """Add what is new, mark what has changed."""
        for at, row in enumerate(item.rows):
            if at >= len(self._rows):
                self._add(row)
            elif self._rows[at][0] is not row:
                self._update(at, row)

    def _add(self, row: Statement) -> None:
        with self._box, block(f"step {row.state}", role="listitem") as line:
            mark = Text(MARKS[row.state], "mark")
            mark.props["aria-label"] = SPOKEN[row.state]
            code = Text(spelled(row.text, self._skills), "code")
            code.props["title"] = row.text
            code.style(f"padding-left: {1.4 * row.depth}em")
            came = Text(_came(row), "came")
        self._rows.append((row, line, mark, code, came))

    def _update(self, at: int, row: Statement) -> None:
        before, line, mark, code, came = self._rows[at]
        if before.state != row.state:
            line.classes(remove=before.state, add=row.state)
            put(mark, MARKS[row.state])
            mark.props["aria-label"] = SPOKEN[row.state]
        put(came, _came(row))
        self._rows[at] = row, line, mark, code, came


def _came(row: Statement) -> str:
    again = f"×{row.times}" if row.times > 1 else ""
    return f"{again} {row.note}".strip()


class Conversation:
    """The log of what was said and done, and the line below it. `refresh` draws what has changed at the station."""

    def __init__(self, station: Station, seat: str) -> None:
        self._station, self._seat = station, seat
        self._version = -1
        self._asked = self._approved_plan = ""
        self._drawn: list[Item] = []
        self._plans: dict[int, PlanView] = {}
        with block("card talk", "section", aria_label="conversation"):
            with block("log", role="log", aria_live="polite", id="log", tabindex="0"):
                self._welcome = block("turn")
                with block("turn"):
                    self._items = block("turn")
                    self._arriving = Text("", "arriving gone")
                    self._awaited = Text("", "note gone")
                    self._reply = block("reply gone")
                    self._approval = block("approval gone", role="group", aria_label="plan to approve")
            self._saybar()
        self._greet()
        self._greeted = station.choice
        self.refresh()

    def _saybar(self) -> None:
        with block("saybar"):
            self._hint = Text("", "hint")
            self._hint.props["role"] = "status"
            with block("line speak"):
                say = block(
                    tag="input", id="say", type="text", autocomplete="off", maxlength="2000",
                    aria_label="say what you want", placeholder="Say what you want",
                )  # fmt: skip
                say.on("keydown.enter", self._said, js_handler=SEND)
                say.mark("say")
                send = Text("Say it", "button main", "button")
                send.on("click", self._said, js_handler=SEND_BUTTON)
                if self._station.hears:
                    Text("Hold and talk", "button", "button").props["id"] = "talk"
            Text("", "hint heard").props(add="id=heard role=status")

    def _greet(self) -> None:
        with self._welcome:
            Text("What shall it do?", "says")
            with block("chips"):
                for sentence in examples(self._station):
                    button(sentence, partial(self._say, sentence))
            if self._station.ready and self._station.agent.model is None:
                Text("No model is connected: plain commands only. Choose one in the setup, above.", "note")

    def _greet_again(self) -> None:
        if self._greeted is not self._station.choice:
            self._greeted = self._station.choice
            self._welcome.clear()
            self._greet()

    async def _said(self, event: GenericEventArguments) -> None:
        await self._say(str(event.args))

    async def _say(self, text: str, answers: str = "") -> None:
        self.hint("")
        why_not = await self._station.say(self._seat, text, answers=answers)
        self.hint(why_not, bad=True)

    def hint(self, text: str, bad: bool = False) -> None:
        """A line above the input."""
        put(self._hint, text)
        self._hint.classes(remove="" if bad else "bad", add="bad" if bad else "")

    @property
    def stale(self) -> bool:
        """Whether there is something to draw."""
        return self._version != self._station.version

    def refresh(self) -> None:
        """Draw what has changed since the last time."""
        station = self._station
        if not self.stale:
            return
        self._version = station.version
        many, items = len(self._drawn), station.shown.items
        show_if(self._welcome, not items)
        if not items:
            self._greet_again()
        self._draw(items)
        self._show_tail()
        self._invite(station.question)
        if len(self._drawn) != many or station.shown.arriving:
            ui.run_javascript('sayso.follow("log")')

    def _draw(self, items: tuple[Item, ...]) -> None:
        if self._drawn and (len(items) < len(self._drawn) or items[0] is not self._drawn[0]):
            self._items.clear()
            self._drawn, self._plans = [], {}
        for at, item in enumerate(items):
            if at < len(self._drawn):
                if self._drawn[at] is not item and at in self._plans:
                    self._plans[at].show(item)
                    self._drawn[at] = item
                continue
            with self._items:
                self._add(at, item)
            self._drawn.append(item)

    def _add(self, at: int, item: Item) -> None:
        match item.kind:
            case "plan":
                self._plans[at] = PlanView(item, self._station.agent.skills if self._station.ready else None)
            case "wish" | "says":
                if item.kind == "wish" and at:
                    block("next")
                Text(item.text, item.kind)
            case "asks":
                self._question(item)
            case "verdict":
                Text(item.text, f"verdict {'refused' if item.calm else 'good' if item.good else 'bad'}")
            case "picture":
                self._picture(item)
            case "refused":
                why, _, spot = item.text.partition("\n")
                Text(why, "note warn")
                if spot:
                    Text(spot, "note code")
            case kind:
                Text(item.text, "note warn" if kind in WARNING else "note" if item.good else "note bad")

    def _question(self, item: Item) -> None:
        with block("says"):
            Text(item.text)
            with block("chips"):
                for answer in item.choices:
                    button(answer, partial(self._say, answer, answers=item.text)).mark(f"answer {answer}")

    def _picture(self, item: Item) -> None:
        Text(item.text, "note")
        if item.file:
            block("taken", "img", src=f"/picture/{PurePath(item.file).name}", alt=item.text)

    def _show_tail(self) -> None:
        shown = self._station.shown
        put(self._arriving, shown.arriving)
        show_if(self._arriving, bool(shown.arriving))
        put(self._awaited, shown.awaited and f"{shown.awaited} …")
        show_if(self._awaited, bool(shown.awaited))
        if shown.approval != self._approved_plan:
            self._approved_plan = shown.approval
            self._draw_approval(shown.approval)

    def _draw_approval(self, plan: str) -> None:
        self._approval.clear()
        show_if(self._approval, bool(plan))
        if not plan:
            return
        with self._approval:
            Text("This plan was checked. Shall it run?", tag="h3")
            with block("plan"):
                for depth, line in plan_lines(plan):
                    with block("step"):
                        Text(spelled(line, self._station.agent.skills), "code").style(f"padding-left: {1.4 * depth}em")
            way = len(self._station.foreseen)
            Text("The dashed line in the scene is where it would lead." if way else "Where it leads depends on what "
                 "it meets.", "note")  # fmt: skip
            with block("chips"):
                button("Run it", lambda: self._answer(True), "button main")
                button("Do not run it", lambda: self._answer(False))
        ui.run_javascript('sayso.follow("log")')

    def _invite(self, question: str) -> None:
        """A field for the answer under the question; the next sentence below is taken for one as well."""
        if question == self._asked:
            return
        self._asked = question
        self.hint(f"Your answer to: {question}" if question else "")
        self._reply.clear()
        show_if(self._reply, bool(question))
        if question:
            with self._reply:
                field = block(
                    tag="input", type="text", autocomplete="off", maxlength="2000", placeholder="Your answer",
                    aria_label=f"your answer to: {question}",
                )  # fmt: skip
                field.on("keydown.enter", self._answered, js_handler=SEND)
                field.mark("reply")

    async def _answered(self, event: GenericEventArguments) -> None:
        await self._say(str(event.args), answers=self._asked)

    def _answer(self, approved: bool) -> None:
        self.hint(self._station.answer(self._seat, approved), bad=True)


def examples(station: Station) -> tuple[str, ...]:
    """Sentences to begin with, by what the robot is, whether it has eyes, and what understands them."""
    if not station.ready:
        return ()
    agent = station.agent
    if agent.model and agent.world and agent.world.instruction:
        return (agent.world.instruction,)
    kit = kits().get(agent.robot.kind)
    return (kit and (kit.wishes if agent.model and agent.perception else kit.commands)) or ("say hello",)
