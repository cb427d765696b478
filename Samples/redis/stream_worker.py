#!/usr/bin/env python3
"""A consumer of a Redis stream that has every message annotated by one long-lived `triage stream`.

  stream_worker.py [--url redis://127.0.0.1:6379] [--in messages] [--out annotated] [--group triage] [--name NAME]
                   [--batch 200] [--claim-after SECONDS] [--stop-when-idle SECONDS] -- TRIAGE [ARGUMENT…]

Each entry of the stream has one field `m` with a record. Any number of these run at once, on any machine: each takes what
no other has. What a consumer took and did not answer within --claim-after (it died, or hangs) another one takes over.

An answer is stored by one script on the server: the message is acknowledged, and only if that counted, the answer is
added. A consumer that wakes up after others took its messages over finds its acknowledgements refused and adds nothing: no
answer is stored twice, and none is acknowledged that is not stored. The work itself, and what a model is paid, may be done
twice; share a cache to be paid once.
"""
import argparse
import json
import os
import socket
import subprocess
import sys
import time

import redis

SCRIPT = """
local stored = 0
for i = 2, #ARGV, 2 do
  if redis.call('XACK', KEYS[1], ARGV[1], ARGV[i]) == 1 then
    redis.call('XADD', KEYS[2], '*', 'm', ARGV[i + 1])
    stored = stored + 1
  end
end
return stored
"""


class Filter:
    """One `triage stream`; started when it is needed, and again when it died."""

    def __init__(self, command):
        self.command, self.process = command, None

    def answers(self, lines):
        """One answer for each line, in order.

        Raises OSError when the filter died or answered something else: nothing of the batch is stored then.
        """
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            # A batch fits into the pipes or into the filter's memory, so writing all before reading cannot stand still.
            self.process.stdin.write(b"".join(line + b"\n" for line in lines))
            self.process.stdin.flush()
            found = []
            for line in lines:
                answer = self.process.stdout.readline()
                if not answer.endswith(b"\n") or identity(answer) != identity(line):
                    raise OSError("the filter died, or answered something else")
                found.append(answer[:-1])
            return found
        except OSError:
            self.end()
            raise

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


def identity(line):
    try:
        record = json.loads(line)
        return record.get("id") if isinstance(record, dict) else None
    except ValueError:
        return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--url", default="redis://127.0.0.1:6379")
    parser.add_argument("--in", dest="source", default="messages")
    parser.add_argument("--out", default="annotated")
    parser.add_argument("--group", default="triage")
    parser.add_argument("--name", default=f"{socket.gethostname()}-{os.getpid()}")
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--claim-after", type=float, default=60)
    parser.add_argument("--stop-when-idle", type=float, default=0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    worker, client, idle_since, cursor = Filter(options.command), None, time.monotonic(), "0-0"
    while not options.stop_when_idle or time.monotonic() - idle_since < options.stop_when_idle:
        try:
            if client is None:
                client = redis.Redis.from_url(options.url, socket_timeout=10)
                try:
                    client.xgroup_create(options.source, options.group, "0", mkstream=True)
                except redis.exceptions.ResponseError as fault:
                    if "BUSYGROUP" not in str(fault):
                        raise
            # First what others left behind.
            cursor, batch = client.xautoclaim(
                options.source, options.group, options.name, int(options.claim_after * 1000), start_id=cursor,
                count=options.batch)[:2]
            if not batch:
                fresh = client.xreadgroup(
                    options.group, options.name, {options.source: ">"}, count=options.batch, block=500)
                batch = fresh[0][1] if fresh else []
            # An entry that was deleted while it waited has no fields.
            batch = [(key, fields[b"m"]) for key, fields in batch if fields and b"m" in fields]
            if not batch:
                continue
            idle_since = time.monotonic()
            # A line break inside a record would be two records to the filter.
            answers = worker.answers([line.replace(b"\n", b" ") for _, line in batch])
            arguments = [word for (key, _), answer in zip(batch, answers) for word in (key, answer)]
            client.eval(SCRIPT, 2, options.source, options.out, options.group, *arguments)
        except redis.exceptions.RedisError as fault:
            print(f"redis: {fault}", file=sys.stderr)
            client = None
            time.sleep(0.3)
        except OSError as fault:
            # What was taken stays this consumer's, and is claimed again after --claim-after.
            print(f"filter: {fault}", file=sys.stderr)
            time.sleep(0.2)
    worker.end()


if __name__ == "__main__":
    main()
