"""When a server of the tests ends: with its standard input, and with the process that started it.

The input alone does not tell: another child of the same process may have come to hold its writing end.
"""
import os
import select
import signal

PARENT = os.getppid()
# Who starts a server from a thread that takes no signals hands that on.
signal.pthread_sigmask(signal.SIG_SETMASK, [])


def wait():
    """Returns when the server is to end."""
    while os.getppid() == PARENT:
        if select.select([0], [], [], 0.5)[0] and not os.read(0, 4096):
            return
