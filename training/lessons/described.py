"""Things and people told apart in words that no table knows: to be copied whole, since only eyes can judge them."""

from __future__ import annotations

from random import Random

HEADS = (
    "something", "anything", "something", "a thing", "an object", "whatever", "some item", "one of those things",
    "stuff", "a tool", "a gadget", "the thing", "anything here", "something in this room",
)  # fmt: skip
BY = (
    "I could open this tin with", "to open a bottle with", "to hang my coat on", "to keep milk cold in",
    "that keeps the rain off", "to wrap a present in", "to measure the shelf with", "that tells the time",
    "one can sit on", "to stand on", "I can cut string with", "that ticks", "that makes a noise", "made of leather",
    "that smells nice", "that belongs in a garage", "to put flowers in", "that burns", "a baby would like",
    "a plumber would need", "to carry shopping in", "which is older than me", "with buttons on it", "with a handle",
    "with legs", "that has a screen", "that does not belong here", "to mop up water with", "to feed the fish with",
    "that floats", "that melts", "to brush a horse with", "to keep papers together", "to seal a letter with",
    "for the birds", "for a cold evening", "for the bath", "for mending a puncture", "to light a candle with",
    "to see far with", "that can roll", "that could break easily", "heavy enough to hold the door", "soft to lie on",
    "that a cook would use", "with four corners", "shiny", "hairy", "sticky", "bitter", "spicy", "crunchy",
    "transparent", "waterproof", "made in one piece", "that swims", "that flies", "with feathers", "with fur",
    "without a lid", "that nobody uses any more", "worth a lot of money", "that grows", "to write an address with",
    "to draw a straight line", "for my sore back", "against mosquitoes", "against the noise", "to keep a secret in",
    "that is neither red nor round", "that isn't plugged in", "that doesn't need power", "that can't be eaten",
)  # fmt: skip
WHO = (
    "person", "man", "woman", "guy", "lady", "boy", "girl", "child", "colleague", "visitor", "fellow", "gentleman",
    "student", "neighbour", "kid", "technician", "nurse", "teenager",
)  # fmt: skip
LOOKS = (
    "with a beard", "with glasses", "with the long hair", "with a hat", "with the umbrella", "on the phone",
    "by the door", "at the desk", "who is sitting", "who is standing up", "who waves", "that is asleep",
    "in the striped jersey", "in overalls", "in a suit", "in the dark coat", "in a white coat", "wearing a cap",
    "wearing a scarf", "holding the door", "who has no shoes on", "with a badge", "with the ladder", "in uniform",
    "who looks lost", "next to the window", "behind the counter", "who is laughing", "with a dog", "in a wheelchair",
)  # fmt: skip
PLACES = (
    "on the {y}", "on top of the {y}", "next to the {y}", "beside the {y}", "behind the {y}", "under the {y}",
    "by the {y}", "in front of the {y}", "near the {y}", "to the left of the {y}", "to the right of the {y}",
    "between the {y} and the wall", "in the {y}", "against the {y}", "in the corner", "on the floor", "over there",
)  # fmt: skip

STANDS = ("shelf", "table", "printer", "window", "sofa", "sink", "plant", "stairs", "heater", "ladder", "counter")


def described(rng: Random) -> str:
    """ "anything I could open this tin with", now and then with more to it: "... on the shelf"."""
    said = f"{rng.choice(HEADS)} {rng.choice(BY)}"
    roll = rng.random()
    if roll < 0.15:
        return f"{said}{rng.choice((' and ', ' but also ', ', '))}{rng.choice(BY)}"
    return f"{said} {rng.choice(PLACES).format(y=rng.choice(STANDS))}" if roll < 0.25 else said


def somebody(rng: Random) -> str:
    """ "lady with the ladder", without an article."""
    return f"{rng.choice(WHO)} {rng.choice(LOOKS)}"


def placed(rng: Random, bare: str, other: str) -> str:
    """ "cup next to the printer", without an article."""
    return f"{bare} {rng.choice(PLACES).format(y=other)}"
