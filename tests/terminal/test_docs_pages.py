"""The pages for newcomers, followed to the letter: their files are written, their commands run, their output compared.

A block of Python that begins with `# NAME.py` is a file. In a block of console every line behind `$ ` is a command; the
lines below it are what it prints, in this order, and `…` is whatever lies between or behind. What needs no shell runs
in this process. What no test can run (a model elsewhere, a machine, a microphone) is read by the command line all the
same, on every page, and each file that a page names is there.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from cli_runner import Home
from typer.core import TyperGroup

import sayso
from sayso.program import app
from sayso.worlds import make as make_world

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    "own-robot.md",
    "own-skill.md",
    "own-world.md",
    "own-planner.md",
    "own-model.md",
    "tello.md",
    "mavlink.md",
    "ros.md",
]
TIMES = re.compile(r"(?m)^ *\d+\.\d\d s  |first text after \d\.\d\d s")
SEEING = "your-detector.md"
"""Its commands look at rendered pictures."""


def files(page: str) -> Iterator[tuple[str, str]]:
    for kind, text in BLOCK.findall(page):
        name = re.match(r"# (\w+\.py)\n", text)
        if kind == "python" and name:
            yield name[1], text


def commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each command and the lines that it prints."""
    for kind, text in BLOCK.findall(page):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if kind == "console" else ():
            command, *lines = part.rstrip().split("\n")
            yield command, [line.strip() for line in lines]


@pytest.fixture
def around(tmp_path: Path) -> dict[str, str]:
    """A folder in which `sayso` and `python` are ours."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, runs in (("sayso", f"{sys.executable} -m sayso"), ("python", sys.executable)):
        (tools / name).write_text(f'#!/bin/sh\nexec {runs} "$@"\n')
        (tools / name).chmod(0o755)
    return {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "SAYSO_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path), "COLUMNS": "160",
    }  # fmt: skip


def ran(command: str, folder: Path, around: dict[str, str]) -> str:
    """What a command prints."""
    plain = re.fullmatch(r'(?:echo "(.*)" \| )?sayso ([^|<>]*?)( < /dev/null)?', command)
    if plain:
        done = Home(folder).sayso(*shlex.split(plain[2]), stdin=(plain[1] or "").encode(), COLUMNS="160")
        return done.out + done.err
    shell = subprocess.run(command, shell=True, cwd=folder, env=around, capture_output=True, text=True)
    return shell.stdout + shell.stderr


def follow(page: str, folder: Path, around: dict[str, str]) -> int:
    """Do what the page says; how many commands it had."""
    for name, text in files(page):
        (folder / name).write_text(text, "utf-8")
    done = 0
    for command, lines in commands(page):
        told, at = ran(command, folder, around), 0
        for line in lines:
            for piece in filter(None, (piece.strip() for piece in line.split("…"))):
                found = told.find(piece, at)
                assert found >= 0, f"$ {command}\n{told}\nlacks, or has not in this order: {piece}"
                at = found + len(piece)
        done += 1
    return done


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_who_follows_the_page_gets_what_it_says(
    name: str, tmp_path: Path, around: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert follow((ROOT / "docs" / name).read_text("utf-8"), tmp_path, around) >= 1


@pytest.mark.rendered
def test_a_stranger_who_follows_the_page_of_detectors_gets_what_it_says(
    tmp_path: Path, around: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if make_world("office").robot.picture(64, 48) is None:
        pytest.skip("no GL library here")
    monkeypatch.chdir(tmp_path)
    assert follow((ROOT / "docs" / SEEING).read_text("utf-8"), tmp_path, around) == 3


def test_the_example_of_the_first_page_runs_as_printed(tmp_path: Path, around: dict[str, str]) -> None:
    """On the wall's time, on which a robot is halted where a busy machine lets its program stand still: then again."""
    page = (ROOT / "README.md").read_text("utf-8").partition("## From Python")[2]
    for tries_left in reversed(range(5)):
        try:
            assert follow(page, tmp_path, around) == 1
            return
        except AssertionError as other:
            if "stopped" not in str(other) or not tries_left:
                raise


def test_the_first_run_of_the_first_page_is_printed_as_it_is(tmp_path: Path, around: dict[str, str]) -> None:
    """Without the moments, which hang on how quick this computer is."""
    [(_, block), *_] = BLOCK.findall((ROOT / "README.md").read_text("utf-8"))
    command, *lines = block[block.index("$ sayso") + 2 :].rstrip().split("\n")
    told, at = TIMES.sub("", ran(command, tmp_path, around)), 0
    for line in (line.strip() for line in TIMES.sub("", "\n".join(lines)).split("\n") if line.strip() != "…"):
        found = told.find(line, at)
        assert found >= 0, f"{told}\nlacks, or has not in this order: {line}"
        at = found + len(line)


ALL_PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("examples/**/*.md"))]


def typed(page: str) -> Iterator[list[str]]:
    """The commands of ours on a page, in blocks of any kind, as a shell would hand them over."""
    for _, text in re.findall(r"^ *```(\w*)\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL):
        for line in re.sub(r"\\\n *", "", text).split("\n"):
            if found := re.match(r"(?:\$ )?(?:.*\| )?sayso (.*)", line.strip()):
                yield shlex.split(re.split(r" (?=[<>|&#] )| {6,}", found[1])[0])


@cache
def all_commands() -> Any:
    return typer.main.get_command(app)


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.stem)
def test_every_command_on_a_page_is_one(page: Path) -> None:
    for words in typed(page.read_text("utf-8")):
        command, name, rest = all_commands(), "sayso", words
        while isinstance(command, TyperGroup) and rest:
            name, found, rest = command.resolve_command(typer.Context(command), rest)
            assert found is not None, words
            command = found
        command.make_context(name, list(rest))


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = {page.parent / name for name in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)}
    named = {
        ROOT / name
        for name in re.findall(r"`((?:src|docs|examples|scripts|benchmarks|tests|training)/[\w/.-]+)`", text)
    }
    assert not [str(path) for path in linked | named if not path.exists()]


def test_what_is_public_is_there() -> None:
    table = re.findall(r"^\|.*\|$", (ROOT / "docs" / "public.md").read_text("utf-8"), re.MULTILINE)
    names = set(re.findall(r"`([A-Z]\w+)", "\n".join(table)))
    assert len(names) > 20 and names <= set(sayso.__all__)
