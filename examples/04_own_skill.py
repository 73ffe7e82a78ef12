"""A composed skill is a MiniSpec program with a name. It is checked when registered, bounded like any plan."""

from sayso.agent import Agent
from sayso.language import Composed, check, compose
from sayso.worlds import make

skills = Agent(world=make("office")).skills
more = compose(skills, [Composed("square", "4{mf($1);tc(90)}", "Fly a square with sides of that many cm.", short="sq")])

print(more["square"])
print(check("square(100);tp", more) or "admissible")
for error in check("sq('big')", more):
    print(error)

# Output:
# sq square(distance_cm: number 1..500)  Fly a square with sides of that many cm.
# admissible
# line 1, column 4: square: distance_cm takes a number, not 'big' (expected distance_cm: number 1..500)
