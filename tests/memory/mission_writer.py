"""A process that journals as fast as it can and says what was acknowledged, to be killed at any moment.

    python mission_writer.py JOURNAL

Every event goes out on standard output as a line `MISSION SEQ` once it is kept.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sayso.events import ChunkArrived, Event, MissionEnded, MissionStarted, Moved, Prompted, StatementReady, TaskStarted
from sayso.memory.journal import Journal


def event(n: int) -> Event:
    """A mixture of events, small and large; `n` can be read back from each."""
    match n % 5:
        case 0:
            return Prompted(at_s=n, call=n, purpose="plan", model="m", messages=(("user", "x" * (n * 37 % 5000)),))
        case 1:
            return ChunkArrived(at_s=n, call=n, text="tc(45);")
        case 2:
            return StatementReady(at_s=n, statement=n, text="tc(45)", line=1, column=1)
        case 3:
            return TaskStarted(at_s=n, task=n, skill="turn_cw", args=(45,), statement=n - 1)
        case _:
            return Moved(at_s=n, x_m=n, y_m=0, z_m=0, yaw_rad=0)


def main() -> None:
    journal = Journal(Path(sys.argv[1]))
    while True:
        log = journal.begin()
        log.record(MissionStarted(instruction="turn for ever", setup={"seed": 1}))
        for n in range(1, 400):
            log.record(event(n))
            log.flush(60.0)
            os.write(1, f"{log.id} {n}\n".encode())
        log.record(MissionEnded(at_s=400, outcome="achieved", reason="done"))
        log.flush(60.0)
        os.write(1, f"{log.id} 400\n".encode())


if __name__ == "__main__":
    main()
