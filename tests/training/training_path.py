"""Training is flat and not part of the package: its folder is put on the path, as it is when its scripts run."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAINING = ROOT / "training"

if str(TRAINING) not in sys.path:
    sys.path.insert(0, str(TRAINING))
