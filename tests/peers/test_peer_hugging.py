"""Weights in Hugging Face's layout, read by software that we did not write: the same scores to the last bit."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from peer_server import PYTHON, need

from sayso.models.pocket.net import FOLDER

pytestmark = pytest.mark.peer

ROOT = Path(__file__).parents[2]


def test_transformers_loads_what_training_exports(tmp_path: Path) -> None:
    need("torch", "transformers", "safetensors")
    script = Path(__file__).with_name("hugging_scores.py")
    around = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'training'}", "HF_HUB_OFFLINE": "1"}
    command = [PYTHON, str(script), str(FOLDER / "vocab.txt"), str(tmp_path)]
    ran = subprocess.run(command, env=around, capture_output=True, text=True, timeout=900)
    assert ran.returncode == 0, ran.stderr[-2000:]
    scores = json.loads(ran.stdout.splitlines()[-1])
    assert scores["wide"] > 0.1, "there is something to compare"
    assert scores["apart"] < 1e-4 * scores["wide"]
