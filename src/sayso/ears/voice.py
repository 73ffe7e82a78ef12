"""The robot's voice: the program espeak-ng, where it is installed; else its words are only shown."""

import shutil
import subprocess

LONGEST_S = 30.0
PROGRAM = "espeak-ng"


def can_speak() -> bool:
    return shutil.which(PROGRAM) is not None


def speak(text: str) -> None:
    """Say it aloud and return when it is said. What the machine's sound cannot do is no reason to fail."""
    try:
        subprocess.run([PROGRAM, "--stdin"], input=text.encode(), capture_output=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
