#!/usr/bin/env python3
"""Trials of asking: `triage run` against a scripted model, with the model's books held against the run's.

    Tests/Benchmarks/asking.py faults      [--messages 2000] [--share 0.3] [--pack 8]
    Tests/Benchmarks/asking.py kill        [--messages 4000] [--times 50] [--pack 1]
    Tests/Benchmarks/asking.py throughput  [--messages 6000] [--latency 200] [--slots 32]
    Tests/Benchmarks/asking.py slow        [--messages 581] [--latency 5000]

faults      a server of which a share of the requests fails, each time in another way: every message comes out, in order
            and once, with the model's answer or the offline one and a named problem; requests and tokens are the same in
            the summary as at the server
kill        the run is killed (SIGKILL) again and again and begun anew with the same cache: no message is answered twice
            that was not on its way when a run was killed, and the output is that of a run that nobody disturbed
throughput  a server that takes a fixed time and has so many slots: how many requests a second, and what one costs in CPU
slow        a server with one slot that fails at nothing: every message is answered, however long the calls have to queue

Each ends with 1 when a promise is broken; throughput only reports. `--triage PATH` names the program, by default the
release build. Needs nothing but Python 3.
"""
import argparse
import contextlib
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEER = os.path.join(ROOT, "Tests", "Peers", "scripted_llm.py")

OPENINGS = [
    "I watched your {thing} video {when} and", "Hello from {place},", "So I tried the {thing} thing {when} and",
    "My {person} showed me your {thing} clip,", "Quick one about the {thing}:", "Hola desde {place}, {when}",
    "We run a small {trade} in {place} and", "Our {trade} would like to talk about a paid post on {thing},",
    "ngl the {thing} part {when}", "Question about {thing} from {place}:",
    "Follow me back and win a {thing}, {when}", "Ich habe {when} dein Video über {thing} gesehen,",
]
MIDDLES = [
    "it made my {person} laugh", "which clay do you use", "the budget is {number} euros for {number} stories",
    "I cannot stop watching", "that glaze looks wrong to me", "do you ship to {place}",
    "we need the {thing} before the {number}th", "it cracked after {number} hours", "danke dafür",
    "cuanto cuesta una taza", "the sound is far too quiet", "can you make one for my {person}",
    "{number} followers for free", "how long does the kiln take", "the handle broke off",
]
ENDINGS = ["", ".", "!", " 😍", " pls", " thanks a lot", "?", " x", " ...", " lg", " saludos"]
WORDS = {
    "thing": ["kiln", "teapot", "glaze", "wheel", "mug", "raku", "celadon", "bowl", "lid", "handle", "sponge", "slip"],
    "when": ["yesterday", "last night", "today", "on Sunday", "this week", "gestern", "ayer", "in June"],
    "place": ["Lyon", "Porto", "Leeds", "Graz", "Osaka", "Lima", "Turku", "Quito", "Delft", "Bergen"],
    "person": ["sister", "dad", "teacher", "flatmate", "boss", "daughter", "neighbor"],
    "trade": ["tea shop", "gallery", "studio", "museum store", "bakery", "magazine"],
}


def sentences(count, seed):
    """Distinct texts of several kinds and languages, none of which speaks to an automated reader."""
    rng = random.Random(seed)
    seen = set()
    while len(seen) < count:
        text = rng.choice(OPENINGS) + " " + rng.choice(MIDDLES)
        if rng.random() < 0.4:
            text += ", " + rng.choice(MIDDLES)
        text += rng.choice(ENDINGS)
        fill = {name: rng.choice(words) for name, words in WORDS.items()}
        text = text.format(number=rng.randrange(2, 900), **fill)
        key = "".join(c for c in text.casefold() if c.isalnum())
        if key not in seen:
            seen.add(key)
            yield text


class Server:
    """A scripted model that ends with the block."""

    def __init__(self, *arguments):
        command = [sys.executable, PEER, *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=30) as answer:
            return json.load(answer)

    @property
    def counts(self):
        return self.get("counts")


def environment(folder, options):
    return {"PATH": os.environ.get("PATH", ""), "XDG_CACHE_HOME": options.cache or os.path.join(folder, "xdg")}


class Trial:
    """A folder with an input and a configuration, and the runs over it."""

    def __init__(self, folder, options, server, texts, pack):
        self.folder, self.triage, self.texts = folder, options.triage, texts
        concurrency = options.concurrency
        self.environment = environment(folder, options)
        with open(self.place("in.jsonl"), "w", encoding="utf-8") as out:
            for number, text in enumerate(texts):
                out.write(json.dumps({"id": f"m{number}", "text": text}, ensure_ascii=False) + "\n")
        with open(self.place("triage.yaml"), "w", encoding="utf-8") as out:
            out.write(
                f"llm:\n  provider: openai\n  base_url: http://127.0.0.1:{server.port}/v1\n  model: scripted\n"
                f"  max_concurrency: {concurrency}\n  pack: {pack}\n  price: {{input: 1, output: 2}}\n"
                "methods:\n  category: llm\n")
        # Rules are compiled by the first run, which is none of those that count.
        self.run("--offline", limit=1)

    def place(self, name):
        return os.path.join(self.folder, name)

    def command(self, *options, output, cache="answers.db"):
        command = [self.triage, "run", self.place("in.jsonl"), "--config", self.place("triage.yaml"), "-o", self.place(output)]
        if "--offline" not in options:
            command += ["--cache", self.place(cache)]
        return [*command, *options]

    def run(self, *options, output="out.jsonl", cache="answers.db", limit=None):
        """Exit code, words for people, wall and CPU seconds of a run to its end."""
        if limit:
            options = (*options, "--limit", str(limit))
        start = time.monotonic()
        with open(self.place("err"), "w+", encoding="utf-8") as errors:
            process = subprocess.Popen(
                self.command(*options, output=output, cache=cache), env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            words = errors.read()
        return process.returncode, words, time.monotonic() - start, usage.ru_utime + usage.ru_stime

    def records(self, output="out.jsonl"):
        with open(self.place(output), encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def output(self, name="out.jsonl"):
        with open(self.place(name), "rb") as file:
            return file.read()


def agreeing(folder, options, texts):
    """A file of answers for the server that are those of the program: nothing it says is asked for a second time."""
    path = os.path.join(folder, "agreeing.jsonl")
    lines = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)
    command = [options.triage, "run", "-", "--from", "jsonl", "--quiet", "--only", "category,sentiment,urgency"]
    records = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, env=environment(folder, options), check=True).stdout
    with open(path, "w", encoding="utf-8") as out:
        for line in records.decode().splitlines():
            record = json.loads(line)
            answer = record["triage"]
            gold = {
                "category": answer["category"]["label"], "sentiment": answer["sentiment"]["label"],
                "urgent": answer["urgency"]["urgent"]}
            out.write(json.dumps({"text": record["text"], "gold": gold}, ensure_ascii=False) + "\n")
    return path


class Report:
    """Says what was looked at, and remembers what was wrong."""

    def __init__(self):
        self.broken = 0

    def expect(self, holds, what):
        print(("ok      " if holds else "BROKEN  ") + what, flush=True)
        self.broken += not holds

    def note(self, what):
        print("        " + what, flush=True)


def reported(words):
    """Requests and tokens as a summary says them."""
    number = r"([\d,]+)"
    requests = re.search(number + r" requests?\b", words)
    tokens = re.search(number + r" \+ " + number + " tokens", words)
    found = [requests and requests[1], tokens and tokens[1], tokens and tokens[2]]
    return [int(text.replace(",", "")) if text else 0 for text in found]


def check_answers(report, trial, records):
    """Every record out, in order and once, with exactly one of: the model's answer, a named problem."""
    ids = [record["id"] for record in records]
    report.expect(ids == [f"m{n}" for n in range(len(trial.texts))], f"all {len(trial.texts)} messages, in order, none twice")
    problems = {}
    answered = bare = both = 0
    for record in records:
        triage = record["triage"]
        has_answer = any(model["stage"] == "text.llm" for model in triage["provenance"]["models"])
        codes = [p["code"] for p in triage.get("problems", []) if p["stage"] == "text.llm"]
        answered += has_answer
        both += has_answer and bool(codes)
        bare += not has_answer and len(codes) != 1
        for code in codes:
            problems[code] = problems.get(code, 0) + 1
        bare += not triage["category"]["label"]
    report.expect(bare == 0 and both == 0, f"{answered} with the model's answer, the others with one problem each: {problems or 'none'}")
    return answered, problems


def faults(options, folder, report):
    texts = list(sentences(options.messages, options.seed))
    with Server("--faults", options.share, "--seed", options.seed, "--latency", options.latency) as server:
        trial = Trial(folder, options, server, texts, options.pack)
        status, words, wall, _ = trial.run()
        counts = server.counts
        report.note(f"{wall:.1f} s, exit {status}; at the server: " + json.dumps({k: v for k, v in counts.items() if k != "messages"}))
        print(words)
        report.expect(status == 0, "exit 0")
        answered, _ = check_answers(report, trial, trial.records())
        distinct = len(counts["messages"])
        report.expect(answered <= distinct, f"{answered} answers taken out of {distinct} messages that the server answered")
        lost = counts["lost"]
        requests, given, taken = reported(words)
        report.expect(requests == counts["requests"], f"requests: {requests} in the summary, {counts['requests']} at the server")
        for name, mine, key in (("input", given, "input"), ("output", taken, "output")):
            theirs = counts[key] + lost[key]
            report.expect(mine == theirs, f"tokens of {name}: {mine} in the summary, {theirs} at the server "
                          f"({counts[key]} told, {lost[key]} reckoned for {lost['requests']} answers that were lost)")


def rows(path):
    """Answers in a cache, without touching it; 0 while there is none."""
    with contextlib.suppress(sqlite3.OperationalError):
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as database:
            return database.execute("SELECT count(*) FROM answer").fetchone()[0]
    return 0


def kill(options, folder, report):
    texts = list(sentences(options.messages, options.seed))
    rng = random.Random(options.seed)
    # A place in flight is held until its answer is kept.
    most = options.concurrency * options.pack
    with Server("--latency", options.latency, "--answers", agreeing(folder, options, texts)) as server:
        trial = Trial(folder, options, server, texts, options.pack)
        lost, answered, kept = [], 0, 0
        for number in range(options.times):
            before = server.counts["requests"]
            process = subprocess.Popen(
                trial.command("--quiet", output="killed.jsonl"), env=trial.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while server.counts["requests"] == before and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rng.uniform(0, options.longest / 1000))
            process.kill()
            if process.wait() == 0:
                report.note(f"the run was over before kill {number + 1}: more --messages are needed")
                break
            while server.counts["now"]:
                time.sleep(0.01)
            before_answered, before_kept = answered, kept
            answered, kept = sum(server.counts["messages"].values()), rows(trial.place("answers.db"))
            lost.append((answered - before_answered) - (kept - before_kept))
        report.note(f"{len(lost)} kills; messages that were answered and not kept, of each run: {lost}")
        report.expect(len(lost) == options.times, f"killed {options.times} times in mid-run")
        status, words, wall, _ = trial.run()
        print(words)
        counts = server.counts
        calls = sum(counts["messages"].values())
        report.expect(status == 0, f"the last run ends by itself with 0, after {wall:.1f} s")
        report.expect(len(counts["messages"]) == len(texts), f"{len(texts)} distinct messages were answered")
        report.expect(max(lost, default=0) <= most, f"at most {most} messages were on their way at each kill: {max(lost, default=0)}")
        beyond = calls - len(texts) - sum(lost)
        report.note(f"{calls} answers for {len(texts)} messages, and {sum(lost)} were on their way at the kills")
        report.expect(beyond <= 0, f"calls beyond distinct messages and those on their way: {max(0, beyond)}")
        check_answers(report, trial, trial.records())
        trial.run(output="warm.jsonl")
        report.expect(server.counts["requests"] == counts["requests"], "a run with a warm cache asks nothing")
        trial.run(output="fresh.jsonl", cache="other.db")
        report.expect(
            trial.output() == trial.output("warm.jsonl") == trial.output("fresh.jsonl"),
            "the same bytes as a run with a warm cache, and as an undisturbed one")


def throughput(options, folder, report):
    texts = list(sentences(options.messages, options.seed))
    with Server("--latency", options.latency, "--slots", options.slots) as server:
        trial = Trial(folder, options, server, texts, 1)
        offline = min(trial.run("--offline", output="offline.jsonl")[3] for _ in range(3))
        status, words, wall, cpu = trial.run(*(["--timings"] if options.timings else []))
        print(words)
        report.expect(status == 0, "exit 0")
        counts, times = server.counts, sorted(server.get("times"), key=lambda time: time[1])
        first = min(came for came, _ in times)
        ends = [end - first for _, end in times]
        ideal = options.slots * 1000 / options.latency
        steady = [end for end in ends if options.ramp <= end <= ends[-1] - 1]
        share = 100 / ideal
        report.note(f"{counts['requests']} requests in {wall:.2f} s, {options.concurrency} at a time; at most {counts['most']} at the server")
        whole = len(ends) / ends[-1]
        report.note(f"all of it, the start and the tail too: {whole:.1f} requests/s, {whole * share:.1f} % of {ideal:.0f}")
        if len(steady) > 1:
            rate = (len(steady) - 1) / (steady[-1] - steady[0])
            report.note(f"after the first {options.ramp:.0f} s and before the last: {rate:.1f} requests/s, {rate * share:.1f} %")
            gaps = [sum(1 for end in ends if second <= end < second + 1) for second in range(int(ends[-1]))]
            report.note(f"by the second: {gaps}")
        else:
            report.note("too short for a steady state: more --messages are needed")
        each = (cpu - offline) / counts["requests"] * 1000
        report.note(f"CPU: {cpu:.2f} s, {offline:.2f} s of which without asking: {each:.3f} ms a request")


def slow(options, folder, report):
    texts = list(sentences(options.messages, options.seed))
    with Server("--latency", options.latency, "--slots", 1) as server:
        trial = Trial(folder, options, server, texts, options.pack)
        status, words, wall, _ = trial.run()
        print(words)
        report.expect(status == 0, "exit 0")
        records = trial.records()
        check_answers(report, trial, records)
        asked = sum(
            any(model["stage"] == "text.llm" for model in record["triage"]["provenance"]["models"]) for record in records)
        report.expect(asked == len(texts), f"all {len(texts)} answered by the model: {asked}")
        report.note(f"{server.counts['requests']} requests in {wall:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    trials = parser.add_subparsers(dest="trial", required=True)

    def add(name, messages, latency, concurrency, pack):
        trial = trials.add_parser(name)
        trial.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
        trial.add_argument("--cache", help="where compiled rules are kept; default: a folder that goes away")
        trial.add_argument("--messages", type=int, default=messages)
        trial.add_argument("--seed", type=int, default=1)
        trial.add_argument("--latency", type=float, default=latency, help="of the server, in milliseconds")
        trial.add_argument("--concurrency", type=int, default=concurrency)
        trial.add_argument("--pack", type=int, default=pack)
        return trial

    add("faults", 2000, 2, 16, 8).add_argument("--share", type=float, default=0.3)
    killed = add("kill", 4000, 40, 8, 1)
    killed.add_argument("--times", type=int, default=50)
    killed.add_argument("--longest", type=float, default=600, help="milliseconds from a run's first request to its kill")
    fast = add("throughput", 6000, 200, 32, 1)
    fast.add_argument("--slots", type=int, default=32)
    fast.add_argument("--ramp", type=float, default=5, help="seconds at the start that are not steady")
    fast.add_argument("--timings", action="store_true")
    add("slow", 581, 5000, 4, 8)
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        {"faults": faults, "kill": kill, "throughput": throughput, "slow": slow}[options.trial](options, folder, report)
    sys.exit(1 if report.broken else 0)


if __name__ == "__main__":
    main()
