"""Scores of one text by our network and by transformers, which has loaded the same weights from a folder.

Run by `test_peer_hugging.py` with a Python that has torch and transformers: `hugging_scores.py VOCABULARY FOLDER`. The
weights are random, since it is the layout that is compared.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import EncoderDecoderModel

import hugging
from network import Pocket
from sayso.models.pocket.words import Words

words, folder = Words.load(Path(sys.argv[1])), Path(sys.argv[2])
torch.manual_seed(0)
ours = Pocket(len(words), encoder_layers=2, decoder_layers=3).eval()
hugging.save({name: value.numpy() for name, value in ours.state_dict().items()}, words, folder)
theirs = EncoderDecoderModel.from_pretrained(folder).eval()
read = torch.tensor([words.read("<plan>go to the chair<see>chair 40 50 10 20 red<ground><do>")])
written = torch.tensor([[words.ids["<do>"], *words.write("to;g('chair')")]])
with torch.no_grad():
    here = ours.choose(ours.write(written, ours.read(read, read != 0), read != 0))
    there = theirs(input_ids=read, attention_mask=(read != 0).long(), decoder_input_ids=written).logits
print(json.dumps({"apart": float((here - there).abs().max()), "wide": float(here.abs().max())}))
