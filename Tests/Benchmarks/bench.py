#!/usr/bin/env python3
"""Speed and size of `triage`, as ratios to `jq -c .` measured in the same run.

    Tests/Benchmarks/bench.py [--triage PATH] [--lines N] [--rounds N] [--big]

Needs jq and a release build (`swift build -c release`). Commands take turns, so that a drift of the machine hits both;
the figures are medians over the rounds. Everything goes to /dev/null. `--big` adds the run over 2,000,000 lines.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "Tests", "Data", "creators")


def corpus(path, lines, seed=7):
    """Real-looking messages of mixed length and language, each made different in id, sender, thread and wording."""
    rng = random.Random(seed)
    base = []
    with open(os.path.join(DATA, "messages.jsonl"), encoding="utf-8") as source:
        for line in source:
            record = json.loads(line)
            record.pop("gold")
            base.append(record)
    tails = ["", " thanks!", " 🙏", " ok?", " x", "\n\nbest", " pls", " ...", " :)", " gracias", " merci", " danke"]
    with open(path, "w", encoding="utf-8") as out:
        for n in range(lines):
            record = dict(rng.choice(base))
            record["id"] = f"m{n}"
            record["conversation_id"] = f"c{rng.randrange(lines)}"
            record["sender"] = dict(record["sender"], handle=f"{record['sender']['handle']}{rng.randrange(9999)}")
            words = record["text"].split(" ")
            if len(words) > 6:
                i = rng.randrange(len(words) - 1)
                words[i], words[i + 1] = words[i + 1], words[i]
            record["text"] = " ".join(words) + rng.choice(tails)
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def run(command, stdin=None):
    """Wall seconds, CPU seconds, peak RSS in MB of one command."""
    start = time.monotonic()
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, stdin=stdin, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if process.returncode != 0:
        sys.exit(f"bench: exit {process.returncode} of {' '.join(command)}")
    peak = usage.ru_maxrss / (1024 if sys.platform.startswith("linux") else 1024 * 1024)
    return wall, usage.ru_utime + usage.ru_stime, peak


def run_together(commands):
    """Wall seconds until all of several commands that run side by side have ended."""
    start = time.monotonic()
    with open(os.devnull, "wb") as null:
        processes = [subprocess.Popen(c, stdout=null, stderr=null) for c in commands]
        if any(p.wait() for p in processes):
            sys.exit("bench: a command failed")
    return time.monotonic() - start


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    options.add_argument("--lines", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--big", action="store_true")
    args = options.parse_args()
    triage = [args.triage, "run", "--quiet", "--creator", os.path.join(ROOT, "Samples", "creator.yaml"),
              "--faq", os.path.join(ROOT, "Samples", "faq.yaml")]
    with tempfile.TemporaryDirectory() as folder:
        one = os.path.join(folder, "corpus.jsonl")
        corpus(one, args.lines)
        size = os.path.getsize(one)
        print(f"corpus: {args.lines} lines, {size / 1e6:.0f} MB, {size / args.lines:.0f} bytes a line")

        rules = [*triage, "--model", "none"]
        commands = {"jq -c .": ["jq", "-c", ".", one], "triage": [*triage, "--jobs", "1", one],
                    "rules alone": [*rules, "--jobs", "1", one]}
        runs = {name: [] for name in commands}
        for _ in range(args.rounds + 1):
            for name, command in commands.items():
                runs[name].append(run(command))
        for name in commands:
            runs[name] = runs[name][1:]
            rate = [args.lines / statistics.median(r[field] for r in runs[name]) for field in (0, 1)]
            ratio = [statistics.median(a[field] / b[field] for a, b in zip(runs["jq -c ."], runs[name])) for field in (0, 1)]
            print(f"{name:12} {rate[0]:10,.0f} lines/s {rate[1]:10,.0f} per CPU second   {ratio[0]:.2f} × jq by wall, "
                  f"{ratio[1]:.2f} × by CPU, peak {statistics.median(r[2] for r in runs[name]):.0f} MB")

        long = max(args.lines, 500_000)
        whole = os.path.join(folder, "whole.jsonl")
        corpus(whole, long, seed=11)
        halves = [os.path.join(folder, "a.jsonl"), os.path.join(folder, "b.jsonl")]
        with open(whole, "rb") as source, open(halves[0], "wb") as a, open(halves[1], "wb") as b:
            for n, line in enumerate(source):
                (a if n < long // 2 else b).write(line)
        ratios = []
        for _ in range(max(3, args.rounds)):
            two = run([*triage, "--jobs", "2", whole])[0]
            apart = run_together([[*triage, "--jobs", "1", half] for half in halves])
            ratios.append(apart / two)
        print(f"2 jobs / 2 processes of 1 job, {long} lines: {statistics.median(ratios):.2f}"
              f"  (min {min(ratios):.2f}, max {max(ratios):.2f})")
        os.unlink(whole)

        first = os.path.join(folder, "first.jsonl")
        with open(one, "rb") as source, open(first, "wb") as out:
            out.write(source.readline())
        starts = [run([*triage, first])[0] for _ in range(12)][1:]
        print(f"start to first answer, warm cache: {statistics.median(starts) * 1000:.0f} ms")
        cold = dict(os.environ)
        env = {k: v for k, v in cold.items() if k not in ("HOME", "XDG_CACHE_HOME")}
        times = []
        for _ in range(5):
            begin = time.monotonic()
            subprocess.run([*triage, first], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            times.append(time.monotonic() - begin)
        print(f"start to first answer, no cache:   {statistics.median(times) * 1000:.0f} ms")

        if args.big:
            big = os.path.join(folder, "big.jsonl")
            corpus(big, 2_000_000, seed=13)
            print(f"peak memory, 2,000,000 lines: {run([*triage, '--jobs', '1', big])[2]:.0f} MB (1 job), "
                  f"{run([*triage, '--jobs', '2', big])[2]:.0f} MB (2 jobs)")

        for name, command in {"1 job": triage, "1 job, rules alone": rules}.items():
            print(f"\nwhat each stage costs ({name}):", flush=True)
            timed = [word for word in command if word != "--quiet"]
            subprocess.run([*timed, "--timings", "--jobs", "1", one], stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
