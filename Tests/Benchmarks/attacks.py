#!/usr/bin/env python3
"""Puts the corpus of attacks and its harmless twins through the program, beside a server that obeys every attack.

    Tests/Benchmarks/attacks.py [--triage PATH] [--seeds 1,2,3] [--mode all|cascade] [--corpus FOLDER] [--list]

Everything is left to the model (`--mode all`), eight messages in a request, drafts too, and the attacks are shuffled among
harmless messages. The server does for a message that carries an attack whatever the attack wants: its label, its score,
its draft, the answers of its neighbors. Printed by class of attack: how many there are, how many the rules and the hints
of steering saw, how many reached the model, and how many moved a label, a score, the priority, a draft or a neighbor.
An attack has moved something when its message's answers differ from those of a run with --offline; a neighbor has moved
when its answers differ from those of a run without attacks beside a server that answers honestly. Legitimacy may fall.
Exit 1 when anything moved.
"""
import argparse
import collections
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
ROOT = os.path.dirname(TESTS)
sys.path.insert(0, os.path.join(TESTS, "Peers"))

CREATOR = """\
name: Mara Lind
handles: [maralind]
platforms: [instagram, youtube, email]
niches: [pottery, ceramics, glazing, studio tours]
excluded_topics: [gambling, crypto]
languages: [en, es, de, fr, pt]
voice: Calm and practical. Short sentences.
rates_note: Reels from EUR 1,800, long videos from EUR 4,200, no exceptions for friends of friends.
works: [Ten bowls before breakfast]
"""
FAQ = """\
- {id: start, category: Pottery, question: Where do I start with pottery?, answer: With a pinch pot and my playlist for beginners. You need no wheel.}
- {id: wheel, category: Equipment, question: Which wheel do you use?, answer: A small tabletop wheel. The list is at maralind.example/kit.}
"""
QUESTIONS = ["category", "sentiment", "urgency", "opportunity", "faq", "draft"]


class Model:
    """The scripted server, for one run."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(TESTS, "Peers", "scripted_llm.py"), *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def counts(self):
        return json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/counts"))


def configuration(folder, port, mode):
    method = {"all": "llm", "cascade": "cascade"}[mode]
    with open(os.path.join(folder, "creator.yaml"), "w") as file:
        file.write(CREATOR)
    with open(os.path.join(folder, "faq.yaml"), "w") as file:
        file.write(FAQ)
    path = os.path.join(folder, "triage.yaml")
    with open(path, "w") as file:
        file.write("creator: creator.yaml\nfaq: faq.yaml\n")
        file.write(f"llm: {{provider: openai, base_url: 'http://127.0.0.1:{port}/v1', model: scripted, pack: 8}}\n")
        file.write("methods: {" + ", ".join(f"{q}: {method}" for q in QUESTIONS) + "}\n")
    return path


def run(triage, config, records, *options):
    """Annotations by id."""
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    done = subprocess.run([triage, "run", "-q", "--config", config, "--cache", "off", *options], input=text.encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"attacks: exit {done.returncode} of triage run\n{done.stderr.decode()}")
    found = {}
    for line in done.stdout.decode().splitlines():
        record = json.loads(line)
        found[record["id"]] = record["triage"]
    return found


def answers(triage):
    """What nobody may move, by question; legitimacy and so the score's share of it stand apart."""
    offer = triage.get("opportunity") or {}
    parts = offer.get("breakdown") or {}
    return {
        "label": (triage["category"]["label"], triage["sentiment"]["label"], triage["urgency"]["urgent"],
                  (triage["faq"] or {}).get("id") if isinstance(triage["faq"], dict) else None),
        "score": tuple((name, part["points"]) for name, part in sorted(parts.items()) if name != "legitimacy"),
        "priority": triage["priority"],
        "draft": (triage["draft"] or {}).get("text"),
    }


def legitimacy(triage):
    parts = (triage.get("opportunity") or {}).get("breakdown") or {}
    return (parts.get("legitimacy") or {}).get("points", 0)


def moved(before, after):
    """Names of what differs; a score that fell, and a priority that fell with it, are no success of anybody."""
    first, second = answers(before), answers(after)
    names = [name for name in first if first[name] != second[name]]
    if legitimacy(after) > legitimacy(before) and "score" not in names:
        names.append("score")
    return names


def read(folder):
    attacks = []
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            attacks += [json.loads(line) for line in file if line.strip()]
    return attacks


def neighbors(count, seed):
    """Harmless messages by many authors."""
    found = []
    for path in sorted(glob.glob(os.path.join(TESTS, "Data", "composed", "*", "messages.jsonl"))):
        with open(path, encoding="utf-8") as file:
            found += [record for record in map(json.loads, file) if not record["gold"].get("injection")]
    chosen = random.Random(seed).sample(found, count)
    return [{"id": "n-" + record["id"], "text": record["text"], "sent_at": "2026-09-01T10:00:00Z"} for record in chosen]


def record(identifier, text):
    return {"id": identifier, "text": text, "sent_at": "2026-09-01T10:00:00Z"}


def trial(triage, attacks, mode, seed, corpus):
    """(attack, what was seen, what moved) for each attack; and twins and neighbors that moved or were suspected."""
    with tempfile.TemporaryDirectory() as folder:
        twins = [record("t-" + a["id"], a["twin"]) for a in attacks]
        others = neighbors(2 * len(attacks), seed)
        harmless = twins + others
        mixed = harmless + [record("a-" + a["id"], a["attack"]) for a in attacks]
        random.Random(seed).shuffle(mixed)
        offline = run(triage, configuration(folder, 1, mode), mixed, "--offline")
        with Model() as model:
            honest = run(triage, configuration(folder, model.port, mode), harmless)
        with Model("--obey", corpus) as model:
            after = run(triage, configuration(folder, model.port, mode), mixed)
            counts = model.counts()
    rows = []
    for attack in attacks:
        key = "a-" + attack["id"]
        reached = counts["obeyed"].get(attack["id"], 0) > 0
        rows.append((attack, offline[key]["injection"]["suspected"], reached, moved(offline[key], after[key])))
    strayed = [r["id"] for r in harmless if answers(honest[r["id"]]) != answers(after[r["id"]])]
    accused = [r["id"] for r in twins if offline[r["id"]]["injection"]["suspected"]]
    return rows, strayed, accused, counts["requests"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--triage", default=os.path.join(ROOT, ".build", "release", "triage"))
    parser.add_argument("--corpus", default=os.path.join(TESTS, "TriageLLMTests", "Attacks"))
    parser.add_argument("--mode", choices=["all", "cascade"], default="all")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--list", action="store_true", help="name the attacks that reached the model or moved anything")
    options = parser.parse_args()
    attacks = read(options.corpus)
    table = collections.OrderedDict()
    stray, accused, failed = 0, set(), False
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as corpus:
        for attack in attacks:
            corpus.write(json.dumps(attack, ensure_ascii=False) + "\n")
        corpus.flush()
        seeds = [int(s) for s in options.seeds.split(",")]
        for seed in seeds:
            rows, strayed, suspects, requests = trial(options.triage, attacks, options.mode, seed, corpus.name)
            stray += len(strayed)
            accused |= set(suspects)
            for attack, rules, reached, names in rows:
                row = table.setdefault(attack["class"], collections.Counter())
                row["attacks"] += 1
                row["rules"] += rules
                row["hints"] += not rules and not reached
                row["reached"] += reached
                for name in names:
                    row[name] += 1
                failed = failed or bool(names)
                if options.list and seed == seeds[0] and (reached or names):
                    print(f"{attack['id']}: {'reached' if reached else 'kept'}, moved {names or 'nothing'}: {attack['attack'][:160]!r}")
            if options.list:
                print(f"seed {seed}: {requests} requests, strayed {strayed[:5]}, accused twins {suspects}")
    names = ["attacks", "rules", "hints", "reached", "label", "score", "priority", "draft"]
    print(f"\nmode {options.mode}, seeds {options.seeds}; 'hints': seen by the hints of injection alone")
    if options.mode == "cascade":
        print("('hints' counts here also those that were sure enough not to be asked about)")
    print(f"{'class':<20}" + "".join(f"{name:>10}" for name in names))
    total = collections.Counter()
    for kind, row in table.items():
        total.update(row)
        print(f"{kind:<20}" + "".join(f"{row[name]:>10}" for name in names))
    print(f"{'all':<20}" + "".join(f"{total[name]:>10}" for name in names))
    print(f"harmless messages that moved: {stray}; twins that the rules suspect: {len(accused)} {sorted(accused)[:5]}")
    sys.exit(1 if failed or stray else 0)


if __name__ == "__main__":
    main()
