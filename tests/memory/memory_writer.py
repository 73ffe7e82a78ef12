"""A process that lets a memory learn and says what was acknowledged, to be killed at any moment.

    python memory_writer.py JOURNAL MAP LOOKS

Each look shows everything so far and one more; `N UNITS` goes out on standard output after the look was kept.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from memory_rooms import look, thing

from sayso.memory.agent_memory import AgentMemory
from sayso.memory.journal import Journal


def main() -> None:
    with Journal(Path(sys.argv[1])) as journal:
        memories = AgentMemory(journal, sys.argv[2])
        for n in range(int(sys.argv[3])):
            shown = [thing(f"thing {k}", 1.0 + k % 7, -2.0 + k // 7) for k in range(n + 1)]
            memories.see(look(shown, float(n), seeing=False))
            memories.store.flush()
            os.write(1, f"{n} {len(memories.things)}\n".encode())


if __name__ == "__main__":
    main()
