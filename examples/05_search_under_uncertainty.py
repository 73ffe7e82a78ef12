"""Is the drone worth sending? A hiker is in the forest or in the field; each look costs, and may miss."""

import numpy as np

from sayso.search import AEMS2, POMDP, blind, fib, simulate, value

FOREST, FIELD, FOUND = range(3)
LOOK_FOREST, LOOK_FIELD, GO_HOME = range(3)
SEES = {FOREST: 0.4, FIELD: 0.8}  # the chance that a look at the right place finds the hiker

transition = np.stack([np.eye(3)] * 3)
reward = np.array([[-1.0, -1, 0], [-1, -1, 0], [-30, -30, 0]])
for look, place in ((LOOK_FOREST, FOREST), (LOOK_FIELD, FIELD)):
    transition[look, place, [place, FOUND]] = 1 - SEES[place], SEES[place]
    reward[look, place] += 20 * SEES[place]
transition[GO_HOME, :2] = [0, 0, 1]
seen = np.array([[1.0, 0], [1, 0], [0, 1]])  # nothing, or the hiker

search = POMDP(
    transition,
    np.stack([seen] * 3),
    reward,
    discount=0.95,
    start=[0.6, 0.4, 0],
    states=("forest", "field", "found"),
    actions=("look at forest", "look at field", "go home"),
    observations=("nothing", "hiker"),
)
print(f"between {value(blind(search), search.start):.1f} and {value(fib(search), search.start):.1f}")

planner = AEMS2(search, expansions=200, gap=0.01)
for _ in range(4):
    decision = planner.plan()
    forest, field, _ = planner.belief
    print(f"forest {forest:.2f}, field {field:.2f}: {search.actions[decision.action]} (worth {decision.lower:.1f})")
    planner.observe(decision.action, 0)

runs = [simulate(search, planner, 30, np.random.default_rng(seed)) for seed in range(50)]
looks, worth = np.mean([(len(run.actions), run.value) for run in runs], axis=0)
print(f"found in {looks:.1f} looks, worth {worth:.1f}")

# Output:
# between 1.8 and 16.4
# forest 0.60, field 0.40: look at field (worth 15.3)
# forest 0.88, field 0.12: look at forest (worth 15.4)
# forest 0.82, field 0.18: look at forest (worth 15.1)
# forest 0.73, field 0.27: look at forest (worth 15.1)
# found in 2.8 looks, worth 15.3
