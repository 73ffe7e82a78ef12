"""`sayso bench voice`: what it counts, and that its noise is as loud as it says."""

from __future__ import annotations

import numpy as np
import pytest

from sayso.bench import voice
from sayso.bench.suite import Trial
from sayso.ears import RATE_HZ, Heard, Recogniser, Sound
from sayso.roles import Brief


class Told(Recogniser):
    """Hears every second sentence as it was said, is not sure of the rest, and takes one of chat for a landing."""

    name = "told"

    def __init__(self) -> None:
        self.said: list[str] = []

    def hear(self, sound: Sound, brief: Brief) -> Heard:
        text = self.said[-1]
        if "umbrella" in text:
            return Heard("land", True)
        if text == "take a photo":
            return Heard("take off", True)
        return Heard(text, "and" not in text.split() and text not in _chat())


def _chat() -> list[str]:
    return list(voice.sentences("measured")["chat"])


def test_right_asked_wrong_and_taken_are_counted_by_what_would_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    ears = Told()

    def said(_: str, sentence: str) -> Sound:
        ears.said.append(sentence)
        return Sound(np.ones(1600, np.int16))

    monkeypatch.setattr(voice, "spoken_by", said)
    score = voice.measured(ears, voice.brief(), Trial("voice", "flite slt, clean", 0, 0, "", "reference"))
    said_ = voice.sentences("measured")
    many, joined = len(said_["commands"]), sum("and" in s.split() for s in said_["commands"])
    got = {name: score.figures[name] * many for name in ("asked", "wrong", "right", "again", "astray")}
    assert got == pytest.approx({"asked": joined, "wrong": 1, "right": many - joined - 1, "again": joined, "astray": 0})
    assert score.figures["taken"] == 1 / len(_chat())
    words = sum(len(voice._words(sentence)) for sentence in said_["commands"])
    assert score.figures["word_errors"] == voice.edits(["take", "a", "photo"], ["take", "off"]) / words
    assert (score.r_time_s or 0) > 0 and not score.success
    assert "'take a photo' heard as 'take off'" in score.reason and "taken for 'land'" in score.reason


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [("go up", "go up", 0), ("go up", "", 2), ("", "go", 1), ("go up now", "now go up", 2), ("a b c d", "a x c", 2)],
)
def test_word_errors_are_words_put_in_left_out_or_replaced(said: str, heard: str, errors: int) -> None:
    assert voice.edits(said.split(), heard.split()) == errors


@pytest.mark.parametrize("part", voice.PARTS)
def test_every_command_is_one_and_no_chat_is(part: str) -> None:
    drone, said = voice.brief(), voice.sentences(part)
    assert all(voice.plan(text, drone) for text in said["commands"])
    assert not any(voice.plan(text, drone) for text in said["chat"])


def test_what_is_measured_was_not_chosen_on() -> None:
    chosen, measured = (voice.sentences(part) for part in ("choosing", "measured"))
    assert not any(set(chosen[kind]) & set(measured[kind]) for kind in chosen)


@pytest.mark.parametrize("ratio_db", [5.0, 10.0, 20.0])
def test_noise_is_as_loud_as_it_says(ratio_db: float) -> None:
    tone = Sound((5000 * np.sin(np.arange(RATE_HZ))).astype(np.int16))
    pause = int(voice.PAUSE_S * RATE_HZ)
    noise = voice.noisy(tone, ratio_db, 1).samples.astype(float)
    noise[pause : pause + RATE_HZ] -= tone.samples
    got_db = 10 * np.log10(np.mean(tone.samples.astype(float) ** 2) / np.mean(noise**2))
    assert got_db == pytest.approx(ratio_db, abs=0.1)
