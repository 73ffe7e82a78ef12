"""The metrics of a mission, counted from its events."""

from collections.abc import Callable, Sequence

from sayso import events as ev
from sayso.skill import Value
from sayso.task import Ran


class Metrics:
    """Counts one mission's events; the first motion or spoken word is the response, and `moves` tells which skills move
    the robot. `answers` tells whether what it returns is all that comes of it.

    `said` is what the latest task was to say, if it was: a plan that ends with that gives its reason so. `ran` is what
    ran of the present plan; what is `ever_` or `called` is of the whole mission.
    """

    def __init__(self, moves: Callable[[str], bool], answers: Callable[[str], bool]) -> None:
        self._moves, self._answers = moves, answers
        self._purposes: dict[int, str] = {}
        self.r_time_s: float | None = None
        self.c_time_s: float | None = None
        self.plan_tokens = self.replans = self.pictures = 0
        self.said = ""
        self._words: Sequence[object] = ()
        self.ran: list[Ran] = []
        self.ever_ran: list[str] = []
        self.ever_said: list[str] = []
        self.called: list[ev.TaskStarted] = []
        self._args: dict[int, tuple[Value, ...]] = {}

    def see(self, event: ev.Event) -> None:
        """Count an event."""
        match event:
            case ev.TaskStarted():
                self.said, self._words = "", event.args
                self.called.append(event)
                self._args[event.task] = event.args
                if self._moves(event.skill):
                    self._respond(event.at_s)
            case ev.Said():
                self.ever_said.append(event.text)
                self.said = event.text if event.text in self._words else self.said
                self._respond(event.at_s)
            case ev.TaskEnded():
                self.c_time_s = event.at_s
                args = self._args.get(event.task, ())
                told = event.outcome, event.detail, event.value, event.code, event.about
                self.ran.append(Ran(event.skill, args, *told, self._answers(event.skill)))
                self.ever_ran.append(str(self.ran[-1]))
            case ev.Prompted():
                self._purposes[event.call] = event.purpose
            case ev.AnswerEnded() if self._purposes.get(event.call) != "probe":
                self.plan_tokens += event.tokens_out
            case ev.Replanned():
                self.replans += 1
            case ev.PictureTaken():
                self.pictures += 1

    def ended(self, outcome: str, reason: str, value: Value = None) -> ev.MissionEnded:
        """The verdict with all that was counted."""
        return ev.MissionEnded(
            outcome=outcome,
            reason=reason,
            value=value,
            r_time_s=self.r_time_s,
            c_time_s=self.c_time_s,
            plan_tokens=self.plan_tokens,
            model_calls=len(self._purposes),
            replans=self.replans,
        )

    def _respond(self, at_s: float) -> None:
        if self.r_time_s is None:
            self.r_time_s = at_s
