"""Serves weights through an OpenAI-compatible endpoint: ``serve.py WEIGHTS CONTEXT LONGEST``.

It runs in an environment of its own, which has the engine and nothing of toolworld. The URL goes to
stdout; the server ends when its stdin does.
"""

from __future__ import annotations

import os
import sys

import xllamacpp  # type: ignore[import-not-found]

TEMPERATURE = 0.5
"""Low enough for code; at 0 a model that is asked again says the same again."""


def main() -> None:
    """Serve until stdin ends."""
    path, context, longest = sys.argv[1:]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_ctx, parameters.n_predict = int(context), int(longest)
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _threads()
    parameters.sampling.temp = TEMPERATURE
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


def _threads() -> int:
    """Return one thread fewer than there are cores, since threads that wait cost most speed."""
    return max(1, (os.cpu_count() or 1) - 1)


if __name__ == "__main__":
    main()
