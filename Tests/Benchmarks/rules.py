#!/usr/bin/env python3
"""Chooses what the shipped signals weigh for the category, and measures what such weights do on authors they have not seen.

    Tests/Benchmarks/rules.py measure [--triage BIN]
    Tests/Benchmarks/rules.py fit [--triage BIN]

`measure` leaves out a sixth of the authors of messages at a time, chooses weights on the others, and judges what was left
out with the rules alone, beside the weights that stand in the files. `fit` writes weights chosen on all of them into
`Sources/ShippedRules/rules`; the same data give the same weights. Needs a release build and numpy, scipy and PyYAML.

The weights are those of a logistic regression (softmax over fan, business and spam) on which signals are there, with an L2
penalty towards 1 for what the signal is named after and 0 for the rest, rounded to tenths. Three kinds stay as a person
wrote them: signals that fewer than LEAST messages have, those of what is known of the sender's reach (KEPT), which a
composed message tells nothing about, and those of the conversation. A signal that would end up speaking against what it is named after
is left with a weight of 0.1: then it is the others that tell.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import model as trainer

# Sums over several threads come out a little different each time.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np
import yaml
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

RULES = os.path.join(trainer.ROOT, "Sources", "ShippedRules", "rules")
LANES = ("fan", "business", "spam")
KEPT = ("sender.verified", "sender.followers-10k", "sender.followers-mid", "sender.followers-low", "sender.email",
        "sender.handle-digits")
LEAST = 10
PENALTY = 3.0
GROUPS = 6
# Weights below are left out: they make the files longer and nothing better.
SMALLEST = 0.15


def shipped():
    """What each signal weighs in the files, by name, and the biases."""
    weights, bias = {}, None
    for path in sorted(glob.glob(os.path.join(RULES, "*.yaml"))):
        with open(path, encoding="utf-8") as source:
            content = yaml.safe_load(source)
        if set(LANES) <= set(content.get("bias", {})):
            bias = [float(content["bias"][lane]) for lane in LANES]
        for signal in content["signals"]:
            feeds = [float(signal.get("feeds", {}).get(lane, 0)) for lane in LANES]
            # What the conversation says depends on the answers before: it is not there in single messages.
            if any(feeds) and not signal["name"].startswith("thread."):
                weights[signal["name"]] = feeds
    return weights, bias


def present(triage, names):
    """Author, category, language, length and the signals of every message, each taken by itself."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = lambda name: os.path.join(folder, name)
        # Evidence names what moves an answer: with these weights each signal does, and the answer is always the same.
        with open(place("rules.json"), "w", encoding="utf-8") as out:
            json.dump({"signals": [{"name": name, "feeds": {"business": 5}} for name in names]}, out)
        for author, path in sorted(trainer.authors().items()):
            with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as source:
                records = [json.loads(line) for line in source]
            with open(os.path.join(path, "creators.json"), encoding="utf-8") as source:
                creators = json.load(source)
            for creator in creators:
                own = [record for record in records if record["creator"] == creator["id"]]
                with open(place("creator.json"), "w", encoding="utf-8") as out:
                    json.dump(creator, out)
                with open(place("in.jsonl"), "w", encoding="utf-8") as out:
                    for record in own:
                        alone = {key: value for key, value in record.items() if key != "gold"}
                        out.write(json.dumps(dict(alone, conversation_id=record["id"])) + "\n")
                found = trainer.call(
                    ["explain", "--json", "--model", "none", "--creator", place("creator.json"), "--rules",
                     place("rules.json"), place("in.jsonl")], triage=triage, stdout=subprocess.PIPE).stdout
                for record, line in zip(own, found.decode().splitlines(), strict=True):
                    answer = json.loads(line)["triage"]["category"] or {}
                    rows.append((author, record["gold"]["category"], record["lang"], len(record["text"]),
                                 {reason["signal"] for reason in answer.get("because", [])}))
    return rows


class Fit:
    """Signals by message, and the weights that follow."""

    def __init__(self, weights, bias, rows):
        self.names = sorted(weights)
        self.written = np.array([weights[name] for name in self.names] + [bias])
        places = {name: place for place, name in enumerate(self.names)}
        entries = [(row, places[name]) for row, found in enumerate(rows) for name in found[4] if name in places]
        entries += [(row, len(places)) for row in range(len(rows))]
        self.x = csr_matrix((np.ones(len(entries)), tuple(zip(*entries))), shape=(len(rows), len(places) + 1))
        self.y = np.array([LANES.index(row[1]) for row in rows])

    def own(self, place):
        """The lane a signal is named after, or that of its kind; nil: it speaks for none by its name."""
        family = self.names[place].split(".")[0]
        if family in LANES:
            return LANES.index(family)
        return int(self.written[place].argmax()) if family in ("shape", "category") and self.written[place].max() > 0 else None

    def prior(self):
        prior = np.zeros_like(self.written)
        for place in range(len(self.names)):
            if self.names[place].split(".")[0] in LANES:
                prior[place, self.own(place)] = 1
        return prior

    def solve(self, rows):
        """Weights from some of the messages, rounded; the last row are the biases."""
        x, y = self.x[rows], np.eye(len(LANES))[self.y[rows]]
        counts = np.asarray(x.sum(axis=0)).ravel()
        fixed = {place: self.written[place] for place, name in enumerate(self.names)
                 if name in KEPT or counts[place] < LEAST}
        while True:
            weights = self.minimum(x, y, fixed)
            against = [place for place in range(len(self.names)) if place not in fixed and self.own(place) is not None
                       and weights[place, self.own(place)] < max(0.1, weights[place].max())]
            if not against:
                return weights
            for place in against:
                fixed[place] = np.eye(len(LANES))[self.own(place)] * 0.1

    def minimum(self, x, y, fixed):
        start = self.prior()
        for place, written in fixed.items():
            start[place] = written
        free = np.ones_like(start, dtype=bool)
        free[list(fixed)] = False

        def loss(values):
            weights = start.copy()
            weights[free] = values
            logits = x @ weights
            logits -= logits.max(axis=1, keepdims=True)
            shares = np.exp(logits)
            shares /= shares.sum(axis=1, keepdims=True)
            change = values - start[free]
            gradient = (x.T @ (shares - y))[free] + PENALTY * change
            return -np.log((shares * y).sum(axis=1) + 1e-12).sum() + PENALTY / 2 * (change ** 2).sum(), gradient

        weights = start.copy()
        weights[free] = minimize(loss, start[free], jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
        # The same added to all three changes nothing: the middle one is 0, so that a signal has two weights at most.
        weights[:-1] -= np.median(weights[:-1], axis=1, keepdims=True)
        weights[-1] -= weights[-1].mean()
        weights[:-1][np.abs(weights[:-1]) < SMALLEST] = 0
        for place, written in fixed.items():
            weights[place] = written
        return np.round(weights, 1) + 0.0


def macro_f1(gold, found):
    return np.mean([2 * ((gold == lane) & (found == lane)).sum() / max(1, (gold == lane).sum() + (found == lane).sum())
                    for lane in range(len(LANES))])


def measure(fit, rows):
    authors = sorted({row[0] for row in rows})
    who = np.array([row[0] for row in rows])
    found = np.zeros(len(rows), dtype=int)
    shares = np.zeros(len(rows))
    for group in range(GROUPS):
        out = np.isin(who, authors[group::GROUPS])
        logits = fit.x[out] @ fit.solve(np.where(~out)[0])
        found[out] = logits.argmax(axis=1)
        shares[out] = 1 / np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)
    written = np.asarray(fit.x @ fit.written).argmax(axis=1)
    short = np.array([row[2].startswith("en") and row[3] < 100 for row in rows])
    parts = [("all", np.ones(len(rows), dtype=bool)), ("English, < 100 letters", short)]
    parts += [(author, who == author) for author in authors]
    print(f"{'macro-F1 of the category, rules alone':40} {'as written':>10} {'left out':>10} {'messages':>9}")
    for name, part in parts:
        print(f"{name:40} {macro_f1(fit.y[part], written[part]):10.3f} {macro_f1(fit.y[part], found[part]):10.3f} "
              f"{part.sum():9,}")
    bins = np.minimum((shares * 10).astype(int), 9)
    gaps = [abs(shares[bins == b].mean() - (found == fit.y)[bins == b].mean()) * (bins == b).mean() for b in set(bins)]
    print(f"calibration error of what was left out (ECE, ten bins): {sum(gaps):.3f}")


def spelled(lanes):
    return {lane: f"{value:g}" for lane, value in zip(LANES, lanes) if value}


def write(fit, weights):
    """Puts the weights into the files, and leaves everything else as it is."""
    by_name = dict(zip(fit.names, weights))
    for path in sorted(glob.glob(os.path.join(RULES, "*.yaml"))):
        with open(path, encoding="utf-8") as source:
            lines = source.read().split("\n")
        name = None
        for number, line in enumerate(lines):
            if line.startswith("bias: {") and "fan:" in line:
                lines[number] = "bias: {" + ", ".join(f"{k}: {v}" for k, v in spelled(weights[-1]).items()) + "}"
            named = re.match(r"  - name: (\S+)", line)
            name = named[1] if named else name
            feeds = re.fullmatch(r"    feeds: \{(.*)\}", line)
            if not feeds or name not in by_name:
                continue
            others = [part.strip() for part in feeds[1].split(",") if part.split(":")[0].strip() not in LANES]
            said = [f"{lane}: {value}" for lane, value in spelled(by_name.pop(name)).items()]
            lines[number] = "    feeds: {" + ", ".join(said + others) + "}"
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(lines))
    if by_name:
        sys.exit("rules: found no line of feeds for " + ", ".join(sorted(by_name)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["measure", "fit"])
    parser.add_argument("--triage", default=os.path.join(trainer.ROOT, ".build", "release", "triage"))
    arguments = parser.parse_args()
    weights, bias = shipped()
    rows = present(arguments.triage, list(weights))
    fit = Fit(weights, bias, rows)
    if arguments.command == "measure":
        measure(fit, rows)
    else:
        write(fit, fit.solve(np.arange(len(rows))))


if __name__ == "__main__":
    main()
