#!/usr/bin/env python3
"""A consumer of a Redis stream that has every message annotated by one long-lived `triage stream`.

  stream_worker.py [--url redis://127.0.0.1:6379] [--in messages] [--out annotated] [--group triage] [--name NAME]
                   [--batch 200] [--claim-after SECONDS] [--answer-within SECONDS] [--stop-when-idle SECONDS]
                   -- TRIAGE [ARGUMENT…]

Each entry of the stream has one field `m` with a record. Any number of these run at once, on any machine: each takes what
no other has. What a consumer took and did not answer within --claim-after (it died, or hangs) another one takes over. A
filter that does nothing for --answer-within is killed and started anew. A record that the filter rejects is answered like
any other: with its verdict, and in base64 what was asked.

An answer is stored by one script on the server: the message is acknowledged, and only if that counted, the answer is
added. A consumer that wakes up after others took its messages over finds its acknowledgements refused and adds nothing: no
answer is stored twice, and none is acknowledged that is not stored. The work itself, and what a model is paid, may be done
twice; share a cache to be paid once.
"""
import argparse
import base64
import json
import os
import select
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

    def __init__(self, command, limit=300.0):
        self.command, self.limit, self.process = command, limit, None

    def answers(self, lines):
        """One answer for each line, in order.

        Raises OSError when the filter died, answered something else, or did nothing for `limit` seconds: nothing of the
        batch is stored then.
        """
        if self.process is None or self.process.poll() is not None:
            self.end()
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            os.set_blocking(self.process.stdin.fileno(), False)
        try:
            found = self.exchange(memoryview(b"".join(line + b"\n" for line in lines)), len(lines))
            for line, answer in zip(lines, found):
                if not is_answer(answer, line):
                    raise OSError("the filter answered something else")
            return found
        except OSError:
            self.end()
            raise

    def exchange(self, asked, count):
        """Writes and reads by turns: a filter that waits until its answers are read takes no more lines meanwhile."""
        source, sink, parts, seen = self.process.stdout.fileno(), self.process.stdin.fileno(), [], 0
        while seen < count:
            readable, writable, _ = select.select([source], [sink] if asked else [], [], self.limit)
            if not readable and not writable:
                raise OSError(f"the filter did nothing for {self.limit:.0f} s")
            if readable:
                part = os.read(source, 1 << 16)
                if not part:
                    raise OSError("the filter died")
                seen += part.count(b"\n")
                parts.append(part)
            if writable:
                asked = asked[os.write(sink, asked[:1 << 16]):]
        answers = b"".join(parts).split(b"\n")
        if asked or seen > count or answers.pop():
            raise OSError("the filter answered what nobody asked")
        return answers

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
        self.process = None


def parsed(line):
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def is_answer(answer, line):
    """Whether this is the answer to that record: it has its "id", or says that just this line was rejected."""
    record = parsed(answer)
    verdict = record.get("triage")
    if not isinstance(verdict, dict) or "rejected" not in verdict:
        return record.get("id") == parsed(line).get("id")
    # The line itself stands in it, unless it is blank or very long.
    try:
        return "raw_b64" not in record or base64.b64decode(record["raw_b64"], validate=True) == line
    except (ValueError, TypeError):
        return False


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--url", default="redis://127.0.0.1:6379")
    parser.add_argument("--in", dest="source", default="messages")
    parser.add_argument("--out", default="annotated")
    parser.add_argument("--group", default="triage")
    parser.add_argument("--name", default=f"{socket.gethostname()}-{os.getpid()}")
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--claim-after", type=float, default=60)
    parser.add_argument("--answer-within", type=float, default=300)
    parser.add_argument("--stop-when-idle", type=float, default=0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    worker, client, idle_since, cursor = Filter(options.command, options.answer_within), None, time.monotonic(), "0-0"
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
