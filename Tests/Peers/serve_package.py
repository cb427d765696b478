#!/usr/bin/env python3
"""A server of a Python package on loopback: llmock, which fails on request and judges its clients, or mocklimit, which
limits rates.

usage: serve_package.py llmock [OPTION]...
       serve_package.py mocklimit --spec FILE --rate-config FILE

Run by the Python of the environment that `.ci/peers` makes; options are those of the package's `serve`. Prints its port;
ends, and ends the server, when its standard input closes.
"""
import signal
import socket
import subprocess
import sys
import time

import lifetime

# Ends the server when its own standard input closes, which nothing but this script holds: whatever ends the one ends the
# other, also what no process can catch.
ENDS = """
import os, sys, threading
def end():
    while os.read(0, 4096):
        pass
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
"""
STARTS = {
    "llmock": "from llmock.cli import app; app()",
    "mocklimit": "from mocklimit.main import main; main()",
}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def started(name, options):
    """The server and its port, once it listens; another port where somebody was faster to take it."""
    for _ in range(3):
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-c", ENDS + STARTS[name], "serve", "--host", "127.0.0.1", "--port", str(port), *options],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        while server.poll() is None:
            if accepts(port):
                return server, port
            time.sleep(0.05)
    sys.exit(name + " ended before it listened")


def main():
    # By default it would end at once and leave the server behind, with whatever that inherited.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    server, port = started(sys.argv[1], sys.argv[2:])
    try:
        print(port, flush=True)
        lifetime.wait()
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
