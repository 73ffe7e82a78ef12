"""The office and the quadrotor in it, flown by physics."""

from pathlib import Path

EYES = Path(__file__).with_name("eyes.onnx")
"""A detector of the office's things, from `make eyes`: it learnt from rendered rooms and knows nothing else."""
