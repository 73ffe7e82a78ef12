"""The package for a ROS 2 workspace in examples/ros: it starts commands of ours that there are, on names that we hear.
Nobody's `launch` runs it here."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).parents[2] / "terminal"))

from cli_runner import Home

from sayso.robots.base.ros.navigation import SPEEDS

PACKAGE = Path(__file__).parents[3] / "examples" / "ros"
LAUNCH = ElementTree.parse(PACKAGE / "launch" / "sayso.launch.xml").getroot()


def test_what_it_starts_are_commands_of_ours_with_options_that_there_are(tmp_path: Path) -> None:
    [start], told = LAUNCH.iter("executable"), {arg.attrib["name"]: arg.attrib for arg in LAUNCH.iter("arg")}
    for command in (told["command"]["default"], told["command"]["description"].partition(": ")[2]):
        name, *words = start.attrib["cmd"].replace("$(var command)", command).split()[1:]
        known = Home(tmp_path).sayso(name, "--help", COLUMNS="200").out
        assert all(word in known for word in words if word.startswith("--")), known


def test_every_argument_that_is_used_is_declared_and_every_one_that_is_declared_is_used() -> None:
    used = set(re.findall(r"\$\(var (\w+)\)", ElementTree.tostring(LAUNCH, "unicode")))
    assert used == {arg.attrib["name"] for arg in LAUNCH.iter("arg")}


def test_what_is_passed_on_is_what_the_adapter_hears() -> None:
    passed = [node.attrib["args"] for node in LAUNCH.iter("node")]
    for args, name in zip(passed, ("image", "camera_info"), strict=True):
        assert args.endswith(f" $(var namespace)/sayso/{name}")
    assert f'cmd_vel_out_topic: "{SPEEDS}"' in (PACKAGE / "config" / "nav2.yaml").read_text("utf-8")
