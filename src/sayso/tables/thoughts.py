"""The thoughts of a reasoning model, separated from its answer while both arrive.

Models mark their thoughts with a pair of tags, each family with its own. Some chat templates write the opening tag
into the prompt, so that only the closing one arrives: nothing tells those thoughts from an answer until then, so that
tag stays in the answer, and `behind` is what counts of it.
"""

import re

OPENING = ("<think>", "<thinking>", "<thought>", "<reasoning>", "<seed:think>", "<mm:think>", "[think]", "◁think▷",
           "<|begin_of_thought|>", "<|channel|>analysis<|message|>", "<|channel>thought")  # fmt: skip
CLOSING = ("</think>", "</thinking>", "</thought>", "</reasoning>", "</seed:think>", "</mm:think>", "[/think]",
           "◁/think▷", "<|end_of_thought|>", "<|channel|>final<|message|>", "<|end|>", "<channel|>")  # fmt: skip
FRAMES = ("<answer>", "</answer>", "<|begin_of_solution|>", "<|end_of_solution|>", "<|start|>assistant", "<|return|>",
          "<|end|>")  # fmt: skip
"""What stands round an answer, and says nothing."""

_TAGS = (*OPENING, *CLOSING, *FRAMES)
_TAG = re.compile("|".join(map(re.escape, _TAGS)), re.IGNORECASE)
CLOSING_TAG = re.compile("|".join(map(re.escape, CLOSING)), re.IGNORECASE)
LONGEST_TAG = max(map(len, _TAGS))


class Thoughts:
    """Separates thoughts from an answer, which may begin `inside` some. What could still become a tag is held back."""

    def __init__(self, inside: bool = False) -> None:
        self._held, self.inside = "", inside

    def feed(self, text: str) -> tuple[str, str]:
        """What of the text so far is the answer's, and what is thought; neither was handed out before."""
        text = self._held + text
        late = range(max(0, len(text) - LONGEST_TAG), len(text))
        begun = next((at for at in late if text[at] in "<[◁" and _could_be_tag(text[at:])), len(text))
        self._held = text[begun:]
        return self._told(text[:begun])

    def rest(self) -> tuple[str, str]:
        """The same of what was held back."""
        held, self._held = self._held, ""
        return self._told(held)

    def _told(self, text: str) -> tuple[str, str]:
        parts: dict[bool, list[str]] = {False: [], True: []}
        at = 0
        for tag in _TAG.finditer(text):
            parts[self.inside].append(text[at : tag.start()])
            at, kind = tag.end(), tag[0].lower()
            if kind in CLOSING and kind not in FRAMES and not self.inside:
                parts[False].append(tag[0])
            self.inside = kind in OPENING or (self.inside and kind not in CLOSING)
        parts[self.inside].append(text[at:])
        return "".join(parts[False]), "".join(parts[True])


def _could_be_tag(text: str) -> bool:
    return any(len(text) < len(tag) and tag.startswith(text.lower()) for tag in _TAGS)


def behind(text: str) -> str:
    """A whole answer from the last tag on that closes thoughts which no tag had opened."""
    return CLOSING_TAG.split(text)[-1]
