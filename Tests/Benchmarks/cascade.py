#!/usr/bin/env python3
"""How many messages a cascade asks a language model about, and how right it is then: the curve behind its thresholds.

    Tests/Benchmarks/cascade.py [--triage BINARY] [--model FILE] [--folder DIR ...]

The model is a script that answers with the labels themselves (Tests/Peers/scripted_llm.py --answers): the best that any
model could do. `--model` names a model of `triage train` that has not seen the messages; with the shipped one, which has
learned from them, far fewer are asked. Also prints what packing saves: tokens for each message that is asked about.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LABELS = ("fan", "business", "spam")
THRESHOLDS = (0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)


class Server:
    """The scripted model, stopped with the program."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Tests", "Peers", "scripted_llm.py"), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def counts(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/counts") as answer:
            return json.load(answer)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def macro_f1(pairs, labels):
    scores = []
    for label in labels:
        hits = sum(1 for gold, said in pairs if gold == said == label)
        said = sum(1 for _, s in pairs if s == label)
        there = sum(1 for g, _ in pairs if g == label)
        scores.append(2 * hits / (said + there) if said + there else 0)
    return sum(scores) / len(scores)


def f1(pairs):
    hits = sum(1 for g, s in pairs if g and s)
    return 2 * hits / max(1, sum(1 for g, _ in pairs if g) + sum(1 for _, s in pairs if s))


def run(triage, folders, server, limits, model, extra=""):
    """Answers all messages; returns the records, how many were asked about, and how many there are."""
    records, asked, total = [], 0, 0
    for folder in folders:
        creators = json.load(open(os.path.join(folder, "creators.json"), encoding="utf-8"))
        lines = open(os.path.join(folder, "messages.jsonl"), encoding="utf-8").readlines()
        for creator in creators:
            with tempfile.TemporaryDirectory() as work:
                json.dump(creator, open(f"{work}/creator.json", "w", encoding="utf-8"))
                with open(f"{work}/triage.yaml", "w", encoding="utf-8") as config:
                    config.write(f'llm: {{provider: openai, base_url: "http://127.0.0.1:{server.port}/v1", model: m, '
                                 f"price: {{input: 0.15, output: 0.6}}{extra}}}\nlimits: {{escalate_below: {limits}}}\n")
                own = [line for line in lines if json.loads(line)["creator"] == creator["id"]]
                command = [triage, "run", "--creator", f"{work}/creator.json", "--config", f"{work}/triage.yaml",
                           "--faq", os.path.join(folder, f"faq-{creator['id']}.json"), "--cache", "off"]
                if model:
                    command += ["--model", model]
                result = subprocess.run(command, input="".join(own).encode(), capture_output=True, check=True)
                records += [json.loads(line) for line in result.stdout.splitlines()]
                found = re.search(rb"sent ([\d,]+) of ([\d,]+) messages", result.stderr)
                asked += int(found.group(1).replace(b",", b""))
                total += int(found.group(2).replace(b",", b""))
    return records, asked, total


def measures(records):
    category = [(r["gold"]["category"], (r["triage"].get("category") or {}).get("label")) for r in records]
    sentiment = [(r["gold"]["sentiment"], (r["triage"].get("sentiment") or {}).get("label")) for r in records]
    urgent = [(r["gold"]["urgent"], (r["triage"].get("urgency") or {}).get("urgent", False)) for r in records]
    return (macro_f1(category, LABELS), macro_f1(sentiment, ("positive", "negative", "neutral")), f1(urgent))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    parser.add_argument("--model")
    parser.add_argument("--folder", action="append")
    options = parser.parse_args()
    folders = options.folder or [os.path.join(ROOT, "Tests", "Data", "creators")]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as answers:
        for folder in folders:
            answers.write(open(os.path.join(folder, "messages.jsonl"), encoding="utf-8").read())
        answers.flush()
        server = Server("--answers", answers.name)
        try:
            print("category   asked  category  sentiment  urgent")
            print("   below   share  macro-F1   macro-F1      F1")
            for threshold in THRESHOLDS:
                limits = f"{{category: {threshold}, sentiment: 0, urgency: 0, faq: 0}}"
                records, asked, total = run(options.triage, folders, server, limits, options.model)
                print(f"{threshold:8.2f}  {asked / total:6.1%}  " + "  ".join(f"{m:8.3f}" for m in measures(records)))
            print("\nsentiment below / urgency within, with category below 0.80")
            for sentiment, urgency in ((0, 0.15), (0.5, 0), (0.6, 0), (0.7, 0), (0.5, 0.15), (0.5, 0.25), (0.6, 0.25)):
                limits = f"{{category: 0.8, sentiment: {sentiment}, urgency: {urgency}, faq: 0}}"
                records, asked, total = run(options.triage, folders, server, limits, options.model)
                print(f"{sentiment:4.2f} {urgency:4.2f}  {asked / total:6.1%}  "
                      + "  ".join(f"{m:8.3f}" for m in measures(records)))
            print("\n    k  requests  input tokens a message  output tokens a message")
            for pack in (1, 8, 25):
                before = server.counts()
                _, asked, _ = run(options.triage, folders, server, "{category: 1, sentiment: 1}", options.model,
                                  f", pack: {pack}")
                after = server.counts()
                spent = {k: after[k] - before[k] for k in ("requests", "input", "output")}
                print(f"{pack:5d}  {spent['requests']:8d}  {spent['input'] / asked:22.0f}  {spent['output'] / asked:23.0f}")
        finally:
            server.stop()


main()
