#!/usr/bin/env python3
"""Kills, freezes and restarts what there is while messages go through: chaos.py [--messages N] [--seconds S] -- TRIAGE…

Starts a server of its own on port 6399 with its files in a folder of its own, and three workers. At the end every message
must be on the output stream once. Prints what was done, and messages lost and doubled.
"""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import redis

HERE = os.path.dirname(os.path.abspath(__file__))
PORT = 6399


def server(folder):
    process = subprocess.Popen(
        ["redis-server", "--port", str(PORT), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes",
         "--appendfsync", "always", "--save", "", "--logfile", os.path.join(folder, "log")])
    for _ in range(200):
        try:
            redis.Redis(port=PORT).ping()
            return process
        except redis.exceptions.RedisError:
            time.sleep(0.05)
    raise SystemExit("the server does not start")


def children(process):
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    rng, folder = random.Random(11), tempfile.mkdtemp(prefix="triage-redis.")
    store = server(folder)
    client = redis.Redis(port=PORT)
    client.xgroup_create("messages", "triage", "0", mkstream=True)
    wanted = [f"m{number}" for number in range(options.messages)]
    pipe = client.pipeline(transaction=False)
    for identifier in wanted:
        pipe.xadd("messages", {"m": json.dumps({"id": identifier, "text": "Which camera is it? " + identifier})})
    pipe.execute()

    def worker(name):
        return subprocess.Popen(
            [sys.executable, os.path.join(HERE, "stream_worker.py"), "--url", f"redis://127.0.0.1:{PORT}", "--name", name,
             "--claim-after", "2", "--stop-when-idle", "8", "--batch", "100", "--", *options.command],
            stderr=subprocess.DEVNULL)

    workers = {f"w{number}": worker(f"w{number}") for number in range(3)}
    done, frozen, born = collections.Counter(), [], 3
    begin = time.monotonic()
    while time.monotonic() - begin < options.seconds and client.xlen("annotated") < options.messages:
        time.sleep(rng.uniform(0.3, 0.9))
        for until, process in list(frozen):
            if time.monotonic() > until:
                process.send_signal(signal.SIGCONT)
                frozen.remove((until, process))
        what, name = rng.choice(["kill", "kill", "filter", "freeze", "server"]), rng.choice(list(workers))
        process = workers[name]
        if what == "server" and done["server"] >= 3:
            what = "kill"
        done[what] += 1
        if what == "kill":
            for child in children(process):
                os.kill(child, signal.SIGKILL)
            process.kill()
            process.wait()
            del workers[name]
            workers[f"w{born}"] = worker(f"w{born}")
            born += 1
        elif what == "filter":
            for child in children(process):
                os.kill(child, signal.SIGKILL)
        elif what == "freeze":
            process.send_signal(signal.SIGSTOP)
            frozen.append((time.monotonic() + 4, process))
        else:
            store.kill()
            store.wait()
            store = server(folder)
            client = redis.Redis(port=PORT)
    for _, process in frozen:
        process.send_signal(signal.SIGCONT)
    for process in workers.values():
        try:
            process.wait(180)
        except subprocess.TimeoutExpired:
            process.kill()
    found = collections.Counter(json.loads(fields[b"m"])["id"] for _, fields in client.xrange("annotated"))
    lost = sum(identifier not in found for identifier in wanted)
    doubled = sum(count - 1 for count in found.values())
    print(f"in {len(wanted)}  out {sum(found.values())}  lost {lost}  doubled {doubled}  "
          f"pending {client.xpending('messages', 'triage')['pending']}  {dict(done)}")
    store.terminate()
    store.wait()
    shutil.rmtree(folder)
    return 1 if lost or doubled else 0


if __name__ == "__main__":
    sys.exit(main())
