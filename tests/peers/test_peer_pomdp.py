"""AEMS2 beside a planner that we did not write: pomdp-py's POMCP on the same RockSample(7, 8).

Left out of `make test`; skipped where pomdp-py is not installed. `SAYSO_POMDP_PYTHON` names the Python that has it:

    SAYSO_POMDP_PYTHON=… pytest -m peer tests/peers/test_peer_pomdp.py -s

It takes a minute of CPU time, most of it the peer's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sayso.search import AEMS2, simulate
from sayso.search.problems import rocksample
from sayso.search.problems.rocksample import LAYOUTS

pytestmark = pytest.mark.peer

PYTHON = os.environ.get("SAYSO_POMDP_PYTHON", sys.executable)
SCRIPT = Path(__file__).parent / "pomcp_rocksample.py"
EPISODES, SIMULATIONS = 10, 1000
MEASURED, ERROR = 11.1, 1.0
"""POMCP's mean return with a thousand simulations a step, as measured with more episodes."""


def peer() -> list[float]:
    if subprocess.run([PYTHON, "-c", "import pomdp_py"], capture_output=True, check=False).returncode:
        pytest.skip(f"{PYTHON} has no pomdp-py")
    asked = {
        "size": 7, "rocks": LAYOUTS[7, 8], "start": (0, 3), "simulations": SIMULATIONS, "steps": 60,
        "episodes": EPISODES, "seed": 3,
    }  # fmt: skip
    ran = subprocess.run(
        [PYTHON, str(SCRIPT), json.dumps(asked)], capture_output=True, text=True, check=True, timeout=1200
    )
    values: list[float] = json.loads(ran.stdout.splitlines()[-1])
    return values


def test_both_earn_what_is_known_and_ours_more() -> None:
    theirs = np.array(peer())
    problem, rng = rocksample(), np.random.default_rng(5)
    planner = AEMS2(problem, expansions=200)
    ours = np.array([simulate(problem, planner, 60, rng).value for _ in range(4 * EPISODES)])
    told = [f"{v.mean():.1f} ± {v.std(ddof=1) / np.sqrt(len(v)):.1f} of {len(v)}" for v in (theirs, ours)]
    print(f"discounted return: POMCP {told[0]}, AEMS2 {told[1]} episodes")
    errors = [values.std(ddof=1) / np.sqrt(len(values)) for values in (theirs, ours)]
    assert abs(theirs.mean() - MEASURED) <= 3 * np.hypot(errors[0], ERROR), f"{theirs.mean():.1f} ± {errors[0]:.1f}"
    assert ours.mean() - theirs.mean() > 2 * np.hypot(*errors), f"{ours.mean():.1f} against {theirs.mean():.1f}"
