"""The page of past missions: their list, one of them at any moment, replayed in the scene, and its story."""

import asyncio
from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path

from nicegui import ui
from nicegui.element import Element

from sayso.agent import Agent
from sayso.console.archive import Recording, list_missions, read_mission
from sayso.console.plan_text import spelled_line
from sayso.console.solids import Place, Spot, alone, read_place
from sayso.console.views.parts import Text, block, button, choice, put, title
from sayso.console.views.scene import SceneView
from sayso.errors import SaysoError
from sayso.memory.journal import MissionRow
from sayso.memory.mission_view import MissionView, words
from sayso.scene import Pose
from sayso.setup import Setup
from sayso.skill import SkillSet

PACES = {"1": "1×", "4": "4×", "16": "16×"}
HAND_M, HAND_UP_M = 0.45, 0.8
"""Where a thing in the hand is shown: so far ahead of the robot's middle, and so high."""

STORY = 600
"""Lines of a story that are drawn."""


class PastView:
    """The page of missions. It reads the journal in another thread, and only when somebody looks."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._recording: Recording | None = None
        self._scene: SceneView | None = None
        self._home: tuple[Pose, dict[int, Spot]] = (Pose(), {})
        self._at_s, self._pace, self._plays = 0.0, 1.0, False
        self._lines: list[Text | Element] = []
        self._marked = -1
        with block("past", "main") as self.box:
            with block("card scroll", "section", aria_label="missions on record"):
                title("Missions")
                self._list = block("missions")
            with block("middle"):
                self._stage = block("card stage", "section", aria_label="replay")
                self._timeline()
            with block("card scroll", "section", aria_label="story"):
                title("Why did it do that?")
                self._story = block("story", tabindex="0")

    def _timeline(self) -> None:
        with block("card timeline"):
            self._play = button("▶", self._toggle, aria_label="play or pause")
            self._range = block(
                tag="input", type="range", min="0", max="1000", value="0", step="1", aria_label="moment of the mission"
            )
            self._range.on(
                "input",
                lambda e: self._scrubbed(float(e.args)),
                js_handler="(e) => emit(e.target.value)",
                throttle=0.05,
            )
            self._time = Text("", "note")
            choice("", PACES, "1", self._set_pace).props["aria-label"] = "pace of the replay"
            self._export = Text("Export", "button", "a")
            self._export.props["download"] = True

    def opened(self) -> None:
        """Read the list, since somebody looks."""
        ui.timer(0.0, self._load_list, once=True)

    async def _load_list(self) -> None:
        try:
            rows = await asyncio.to_thread(list_missions, self._journal)
        except SaysoError as error:
            rows = []
            ui.notify(words(error), type="negative")
        self._list.clear()
        with self._list:
            if not rows:
                Text("No mission is on record yet.", "note")
            for row in rows:
                self._mission(row)
        if rows and self._recording is None:
            await self._open(rows[0].id)

    def _mission(self, row: MissionRow) -> None:
        entry = block("mission", "button", type="button")
        entry.on("click", lambda _, m=row.id: self._open(m), args=[])
        entry.props["data-mission"] = row.id
        calm = row.outcome in ("achieved", "asked", "refused")
        with entry:
            Text(words(row.instruction, 200), "said")
            outcome = row.ended or ("running" if row.alive else "died")
            when = "when" if calm and not row.doubtful else "when bad"
            Text(f"{row.wall[:16].replace('T', ' ')} · {outcome}", when)

    async def _open(self, mission: str) -> None:
        try:
            recording = await asyncio.to_thread(read_mission, self._journal, mission)
            place, home, skills = await asyncio.to_thread(_stage, recording)
        except SaysoError as error:
            ui.notify(words(error), type="negative")
            return
        self._recording, self._marked, self._plays = recording, -1, False
        self._home = home
        self._set_place(place)
        self._draw_story(recording, skills)
        self._export.props["href"] = f"/export/{recording.mission}.jsonl"
        for entry in self._list.default_slot.children:
            current = entry.props.get("data-mission") == mission
            entry.props.set_optional("aria-current", "true" if current else None)
        self._seek(0.0)

    def _set_place(self, place: Place) -> None:
        if self._scene is None:
            with self._stage:
                self._scene = SceneView(place)
        else:
            self._scene.set_place(place)

    def _draw_story(self, recording: Recording, skills: SkillSet) -> None:
        self._story.clear()
        self._lines = []
        with self._story:
            for line in recording.story[:STORY]:
                entry = block("", "button", type="button")
                entry.on("click", lambda _, at_s=line.at_s: self._seek(at_s), args=[])
                with entry:
                    Text(f"{line.at_s:.2f} s", "t", "span")
                    Text(line.mark, "m", "span")
                    Text(spelled_line(line.text, skills) if line.mark == "plan" else line.text, "", "span")
                self._lines.append(entry)

    def _toggle(self) -> None:
        if self._recording and self._at_s >= self._recording.length_s:
            self._at_s = 0.0
        self._plays = not self._plays
        put(self._play, "❚❚" if self._plays else "▶")

    def _set_pace(self, pace: str) -> None:
        self._pace = float(pace)

    def _scrubbed(self, thousandths: float) -> None:
        if self._recording:
            self._seek(self._recording.length_s * thousandths / 1000)

    def tick(self, dt_s: float) -> None:
        """Play on."""
        if not self._plays or self._recording is None:
            return
        self._seek(min(self._recording.length_s, self._at_s + dt_s * self._pace))
        if self._at_s >= self._recording.length_s:
            self._toggle()

    def _seek(self, at_s: float) -> None:
        recording = self._recording
        if recording is None:
            return
        self._at_s = at_s
        shown = recording.at(at_s)
        put(self._time, f"{at_s:.1f} of {recording.length_s:.1f} s")
        if recording.length_s:
            self._range.props["value"] = str(round(1000 * at_s / recording.length_s))
        if self._scene:
            self._scene.move(bodies_at(self._scene.place, shown, recording.first, *self._home))
            self._scene.trail(shown.trail)
            self._scene.believe(shown.beliefs, at_s)
        self._mark(bisect_right(recording.story, at_s + 1e-9, key=lambda line: line.at_s) - 1)

    def _mark(self, at: int) -> None:
        if at == self._marked:
            return
        for number, add in ((self._marked, False), (at, True)):
            if 0 <= number < len(self._lines):
                self._lines[number].classes(add="now" if add else "", remove="" if add else "now")
        self._marked = at


def bodies_at(
    place: Place, shown: MissionView, first: Mapping[str, Pose], home: Pose, spots: Mapping[int, Spot]
) -> dict[int, Spot]:
    """Where everything that moves was at a moment of a record, by what was journaled: the robot's own poses, where
    things were seen, and what it carried. `home` and `spots` are where robot and bodies are built."""
    seen = {id_: belief.pose for id_, belief in shown.beliefs.items() if belief.pose}
    in_hand = shown.pose.moved(forward_m=HAND_M, up_m=HAND_UP_M) if shown.pose and shown.held else None
    held = {shown.held: in_hand} if in_hand else {}
    bodies = place.things_at({**seen, **shown.carried, **held}, first, spots)
    return bodies | (place.robot_at(shown.pose, spots, home) if shown.pose else {})


def _stage(recording: Recording) -> tuple[Place, tuple[Pose, dict[int, Spot]], SkillSet]:
    """The place of a recorded mission, as it stood, where its robot was built, and what that can do.

    Raises `UsageError`."""
    setup = recording.at(0.0).setup
    robot, world = Setup.recorded(setup).make_robot()
    place = read_place(world) if world else alone(robot)
    return place, (robot.state().pose, place.spots()), Agent(robot, world=world).skills
