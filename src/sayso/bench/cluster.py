"""The same episodes on the machines of a Ray cluster: the one that `RAY_ADDRESS` names, else one on this machine.

Every machine of it needs this version of sayso, and the files that a planner or model of one's own stands in.
"""

from collections.abc import Sequence

import ray

from sayso.bench.suite import Played, Suite, Trial, attempt, broken


def play_on_ray(suite: Suite, todo: Sequence[Trial]) -> Played:
    """Every trial; an episode whose machine is lost is one with an error."""
    ray.init(ignore_reinit_error=True, log_to_driver=False)
    remote = ray.remote(attempt).options(max_retries=0)
    running = {remote.remote(suite.run_episode, trial): trial for trial in todo}
    try:
        while running:
            ended, _ = ray.wait(list(running), num_returns=1)
            trial = running.pop(ended[0])
            try:
                yield trial, ray.get(ended[0])
            except ray.exceptions.RayError as error:
                yield trial, broken(trial, f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}")
    finally:
        for one in running:
            ray.cancel(one, force=True)
