"""Start missions, kill each with SIGKILL at a random moment, and see what their journal still knows.

A mission acknowledges an event by printing its line, which it does after the event was recorded. So every whole line
that came out of a killed process must be in the journal, in order; the journal must be whole; `sayso why` must tell the
story up to the kill; and a replay must go the same way as far as the record goes.

    python scripts/kill_missions.py --missions 50
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from sayso.events import Event, MissionEnded, MissionStarted
from sayso.memory.event_text import EventNarrator
from sayso.memory.journal import Journal
from sayso.terminal import tables
from sayso.terminal.replay import replay

SCRIPT = {
    "plan": ["to;_1=p('is there a chair?');?_1==True{g('chair')};tp;g('unicorn');l('not reached')"],
    "replan": ["tc(90);4{mf(20);tc(90)};->True"],
    "probe": ["True"],
}
"""What the double for a model says: with probes, a failed skill and a new plan, so that a kill can fall anywhere."""

DIED = "the record ends here: the process died"
MOST_S = 0.2
"""A kill comes up to so long after a line, chosen by chance as well: the moment then does not hang on the load."""


@dataclass(frozen=True, slots=True)
class Killed:
    """One process: the seed that names its mission, and the whole lines that it printed."""

    seed: int
    lines: tuple[str, ...]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--missions", type=int, default=50)
    asked.add_argument("--seed", type=int, default=0, help="of the random moments")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as home:
        return run(Path(home), options.missions, random.Random(options.seed))


def run(home: Path, missions: int, chance: random.Random) -> int:
    """All of it, with the journal in `home`; prints every fault and a summary, 0 where there is no fault."""
    script = home / "script.json"
    script.write_text(json.dumps(SCRIPT), "utf-8")
    kinds = [
        ["take off, turn around, go to the chair, take a picture, come back and land", "--pace", "50"],
        ["look for a unicorn", "--model", f"modelled:scripted:{script}", "--pace", "30"],
    ]
    killed, seeds = [], range(1, missions + 1)
    lines = {kind: len(_mission(home, kinds[kind], 0)) for kind in {seed % len(kinds) for seed in seeds}}
    for seed in seeds:
        kind = seed % len(kinds)
        moment = (chance.randrange(lines[kind]), chance.uniform(0, MOST_S))
        killed.append(Killed(seed, _mission(home, kinds[kind], seed, moment)))
    return report(home / "journal.sqlite", killed)


def report(file: Path, killed: Sequence[Killed]) -> int:
    """Hold the journal against what was printed."""
    faults, acknowledged, in_flight, unborn = [], 0, 0, 0
    with Journal(file) as journal:
        journal.verify()
        recorded = {
            _seed(events): (id_, events) for id_, events in ((m.id, journal.events(m.id)) for m in journal.missions())
        }
    for one in killed:
        acknowledged += len(one.lines)
        id_, events = recorded.get(one.seed, ("", []))
        unborn += not events
        in_flight += bool(events) and not isinstance(events[-1], MissionEnded)
        faults += [
            f"seed {one.seed}: {fault}" for fault in (_faults(file, id_, events, one) if events else _lost([], one))
        ]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(
        f"{len(killed)} missions killed: {in_flight} in flight, {len(killed) - in_flight - unborn} at their end, "
        f"{unborn} before their first event; {acknowledged} lines acknowledged, {len(faults)} faults"
    )
    return 1 if faults else 0


def _faults(file: Path, id_: str, events: Sequence[Event], one: Killed) -> list[str]:
    tell = EventNarrator()
    faults = _lost([said.short for e in events if (said := tell(e))], one)
    story = _why(file, id_)
    moments = re.findall(r"^ *(\d+\.\d\d) s ", story, re.MULTILINE)
    if not moments or abs(float(moments[-1]) - events[-1].at_s) > 0.01:
        faults.append(f"why does not reach {events[-1].at_s} s: {moments[-1:]}")
    if not isinstance(events[-1], MissionEnded) and DIED not in story.splitlines()[-1]:
        faults.append(f"why does not tell that it died, but: {story.splitlines()[-1]}")
    if difference := replay(events, Console(quiet=True)):
        faults.append(f"the replay went another way: {difference}")
    return faults


def _lost(recorded: Sequence[str], one: Killed) -> list[str]:
    """What was printed and is not on record."""
    pairs = itertools.zip_longest(one.lines, recorded[: len(one.lines)], fillvalue="")
    return [f"acknowledged and lost: {line!r}" for line, kept in pairs if line != kept]


def _seed(events: Sequence[Event]) -> int:
    started = events[0]
    assert isinstance(started, MissionStarted)
    return int(started.setup["seed"])


def _mission(home: Path, kind: Sequence[str], seed: int, moment: tuple[int, float] | None = None) -> tuple[str, ...]:
    """Fly, and kill so many lines and seconds into it; the whole lines that came out, up to the verdict."""
    command = [sys.executable, "-m", "sayso", "run", *kind, "--seed", str(seed)]
    environment = {**os.environ, "SAYSO_HOME": str(home)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        out = b""
        if moment is not None:
            out = b"".join(process.stdout.readline() for _ in range(moment[0]))
            time.sleep(moment[1])
            process.kill()
        out += process.stdout.read()
    whole = out.decode().rpartition("\n")[0].splitlines()
    ends = [n for n, line in enumerate(whole, 1) if line.split()[2:3] == ["end"]]
    return tuple(whole[: ends[0]] if ends else whole)


def _why(file: Path, mission: str) -> str:
    """What `sayso why` prints of it."""
    out = io.StringIO()
    with Journal(file) as journal:
        tables.why(Console(file=out, width=160), journal, mission)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
