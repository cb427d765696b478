#!/usr/bin/env python3
"""How long a line takes through `triage stream`, and what an hour of it does to memory and order.

    Tests/Benchmarks/stream.py [--triage PATH] [--seconds N] [--rate N] [--slow-reader] [--llm] [--deadline S]

One process is fed at a steady rate and read from at once. The time of a line runs from before it is written into the
pipe to when it was read from the other one. Every answer is held against what was sent: same id, same order, none lost.

  --rate N        lines a second (default 1500); with 1, each line has to be answered before the next one goes
  --slow-reader   the reader takes a break of 0.4 s every 3 s; times are then told for lines read outside of breaks and
                  the second after them
  --llm           with a language model that takes 0.3 s, serves 8 at a time and fails one time in ten (Tests/Peers)
  --deadline S    what --llm is given before the offline answer goes out (default 1)

Prints a line every ten seconds and figures as JSON at the end; ends with 1 if a line was lost, doubled or out of order.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "Tests", "Data", "creators")


def texts():
    with open(os.path.join(DATA, "messages.jsonl"), encoding="utf-8") as source:
        found = [json.loads(line)["text"] for line in source]
    random.Random(5).shuffle(found)
    return found


def line(number, bodies):
    # A few letters more make each text another one: what was asked before is not asked again.
    letters, left = "", number
    while left:
        letters, left = letters + "abcdefghijklmnopqrstuvwxyz"[left % 26], left // 26
    body = json.dumps(f"{bodies[number % len(bodies)]} {letters}", ensure_ascii=False)
    return (f'{{"id":"s{number}","conversation_id":"c{number % 5003}","sender":{{"handle":"h{number % 5003}",'
            f'"is_self":false}},"text":{body}}}\n').encode()


def rss(pid):
    with open(f"/proc/{pid}/status") as status:
        for row in status:
            if row.startswith("VmRSS:"):
                return int(row.split()[1]) / 1024
    return 0


def share(ordered, part):
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build/release/triage"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=1500)
    parser.add_argument("--slow-reader", action="store_true")
    parser.add_argument("--llm", action="store_true")
    parser.add_argument("--deadline", type=float, default=1)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="triage-stream.")
    command = [options.triage, "stream", "--summary", os.path.join(folder, "summary.json")]
    server = None
    if options.llm:
        server = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Tests/Peers/scripted_llm.py"), "--latency", "300", "--slots", "8",
             "--faults", "0.1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        port = int(server.stdout.readline())
        config = os.path.join(folder, "triage.yaml")
        with open(config, "w") as file:
            file.write(f"llm: {{provider: openai, base_url: 'http://127.0.0.1:{port}/v1', model: scripted}}\n")
        command += ["--config", config, "--cache", os.path.join(folder, "llm.db"), "--deadline", str(options.deadline)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                               env={"XDG_CACHE_HOME": folder})
    bodies = texts()
    sent = collections.deque()
    state = {"out": 0, "wrong": 0, "late": 0, "problems": 0, "reading": True}
    times, window, memory = [], [], []
    answered = threading.Event()

    def read():
        rest, pause, calm = b"", time.monotonic() + 3, 0.0
        while True:
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            now = time.monotonic()
            if not chunk:
                break
            rows = (rest + chunk).split(b"\n")
            rest = rows.pop()
            for row in rows:
                number, at = sent.popleft()
                if not row.startswith(b'{"id":"s%d",' % number):
                    state["wrong"] += 1
                state["problems"] += b'"code":"llm.' in row
                state["out"] += 1
                if now > calm:
                    window.append(now - at)
            answered.set()
            if options.slow_reader and now > pause:
                time.sleep(0.4)
                pause, calm = time.monotonic() + 3, time.monotonic() + 1
        state["reading"] = False

    reader = threading.Thread(target=read)
    reader.start()
    # The start of the program is not part of what is measured.
    sent.append((0, time.monotonic()))
    process.stdin.write(line(0, bodies))
    answered.wait(60)
    window.clear()
    begin, number, behind = time.monotonic(), 1, 0
    tell, look = begin + 10, begin
    while time.monotonic() - begin < options.seconds:
        due = begin + (number - 1) / options.rate
        left = due - time.monotonic()
        if left > 0:
            time.sleep(left)
        else:
            behind = max(behind, -left)
        if options.rate <= 1:
            state["late"] += state["out"] < number
        row = line(number, bodies)
        sent.append((number, time.monotonic()))
        process.stdin.write(row)
        number += 1
        now = time.monotonic()
        if now > look:
            look = now + 1
            memory.append(rss(process.pid))
        if now > tell:
            tell = now + 10
            part, window[:] = sorted(window), []
            times += part
            print(f"{now - begin:6.0f} s  {state['out']:9} out  p50 {share(part, .5) * 1e3:7.1f} ms  "
                  f"p99 {share(part, .99) * 1e3:7.1f} ms  most {share(part, 1) * 1e3:7.1f} ms  {memory[-1]:6.1f} MB  "
                  f"{len(sent):5} under way  {state['problems']:8} without the model", flush=True)
    process.stdin.close()
    status = process.wait(120)
    reader.join()
    times += window
    times.sort()
    with open(os.path.join(folder, "summary.json")) as file:
        summary = json.load(file)
    tenth = max(1, len(memory) // 10)
    figures = {
        "seconds": options.seconds, "rate": options.rate, "sent": number, "out": state["out"],
        "lost": number - state["out"], "out_of_order": state["wrong"], "not_before_the_next": state["late"],
        "p50_ms": round(share(times, .5) * 1e3, 2), "p99_ms": round(share(times, .99) * 1e3, 2),
        "p999_ms": round(share(times, .999) * 1e3, 2), "most_ms": round(share(times, 1) * 1e3, 1),
        "writer_behind_s": round(behind, 2),
        "memory_mb": {"after_a_tenth": round(max(memory[:2 * tenth]), 1), "last_tenth": round(max(memory[-tenth:]), 1)},
        "problems": state["problems"], "exit": status, "summary": summary,
    }
    print(json.dumps(figures))
    if server:
        server.stdin.close()
        server.wait(20)
    return 1 if figures["lost"] or state["wrong"] or state["late"] or status else 0


if __name__ == "__main__":
    sys.exit(main())
