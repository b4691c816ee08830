"""The local model's own process: llama.cpp's server on 127.0.0.1, alive as long as its standard input is open.

It reads one JSON line, {"file": path, "alias": str, "n_ctx": int}, answers with one, {"address": str} or {"error":
str}, and serves until its parent closes the pipe or dies. In a process of its own a fault in native code ends no page,
its memory is given back when it closes, and stopping it always works.
"""

import json
import os
import sys
from importlib import import_module
from typing import Any


def main() -> None:
    """Serve until standard input ends."""
    options = json.loads(sys.stdin.readline())
    try:
        server = start(options)
    except (ImportError, OSError, RuntimeError, ValueError, MemoryError) as error:
        _say({"error": f"{type(error).__name__}: {error}"})
        raise SystemExit(1) from None
    _say({"address": server.listening_address})
    sys.stdin.read()
    # Native threads are not waited for: they hold nothing that must be saved.
    os._exit(0)


def start(options: dict[str, Any]) -> Any:  # noqa: ANN401 -- the extension module has no types
    """Return the running ``xllamacpp.Server``.

    Notes
    -----
    The same request must have the same answer. So the weights are not repacked (``no_extra_bufts``): with repacking one
    row and many round differently, and a log-probability moves by up to 0.2 with what the cache happens to hold. And
    there is one slot, so that requests queue: computed together they move each other by as much, and on few cores it
    is no faster. All that was read is kept (``swa_full``), or the server would read the last tokens again for each
    next one. How many threads compute changes nothing. Half the cores do: threads wait for each other at every
    layer by spinning, and with as many as there are cores a second busy program makes it twenty times slower.
    """
    xllamacpp: Any = import_module("xllamacpp")

    parameters = xllamacpp.CommonParams()
    parameters.model.path = options["file"]
    parameters.model_alias = {options["alias"]}
    parameters.n_ctx = options["n_ctx"]
    parameters.n_parallel = 1
    parameters.port = 0
    parameters.verbosity = 0
    parameters.no_extra_bufts = True
    parameters.cache_ram_mib = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) // 2)
    parameters.cpuparams.poll = parameters.cpuparams_batch.poll = 0
    parameters.endpoint_slots = False
    parameters.swa_full = True
    parameters.n_ctx_checkpoints = 0
    return xllamacpp.Server(parameters)


def _say(message: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
