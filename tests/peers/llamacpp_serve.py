"""llama.cpp's own server with one model: `llamacpp_serve.py FILE NAME PORT`.

Run by `test_peer_llamacpp.py` with a Python that has xllamacpp, which brings that server; nothing of ours is imported.
"""

import signal
import sys

import xllamacpp

file, name, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = file, {name}
params.hostnames, params.port = ["127.0.0.1"], int(port)
params.n_ctx, params.n_parallel, params.warmup = 16384, 1, False
params.ctx_shift = True  # an answer without an end is to have none here either
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
signal.pause()
