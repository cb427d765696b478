#!/usr/bin/env python3
"""Chooses what the shipped signals weigh, and measures what such weights do on authors they have not seen.

    Tests/Benchmarks/rules.py measure [--triage BIN]
    Tests/Benchmarks/rules.py fit [--triage BIN]

`measure` leaves out a sixth of the authors of messages at a time, chooses weights on the others, and judges what was left
out with the rules alone, beside the weights that stand in the files. `fit` writes weights chosen on all of them into
`Sources/ShippedRules/rules`; the same data give the same weights. Needs a release build and numpy, scipy and PyYAML.

Category: the weights are those of a logistic regression (softmax over fan, business and spam) on which signals are there,
with an L2 penalty towards 1 for what the signal is named after and 0 for the rest, rounded to tenths. Four kinds stay as a
person wrote them: signals that fewer than LEAST messages have, those of what is known of the sender's reach (KEPT), which a
composed message tells nothing about, those of the conversation, and those that tell of danger (DANGER): they are rare, and
nobody would look at a cry for help that is taken for spam. A signal that would end up speaking against what it is named
after is left with a weight of 0.1: then it is the others that tell.

Injection: logistic regression over the signals that feed it, whose weights keep their sign; rare ones stay as they are.
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
DANGER = {"kind.self-harm", "kind.threat", "kind.account", "kind.impersonation", "kind.other"}
LEAST = 10
PENALTY = 3.0
GROUPS = 6
# Of injection, which is rare: messages that a signal needs, and what its weight is drawn towards, with which penalty.
INJECTION_LEAST, INJECTION_PRIOR, INJECTION_PENALTY = 5, 2.0, 2.0
# Weights below are left out: they make the files longer and nothing better.
SMALLEST = 0.15


def shipped():
    """What each signal weighs in the files, by name, and the biases: for the category, then for injection; and who is kept."""
    weights, injection, bias, kept = {}, {}, {}, set(KEPT)
    for path in sorted(glob.glob(os.path.join(RULES, "*.yaml"))):
        with open(path, encoding="utf-8") as source:
            content = yaml.safe_load(source)
        bias.update(content.get("bias", {}))
        for signal in content["signals"]:
            feeds = signal.get("feeds", {})
            if DANGER & set(feeds):
                kept.add(signal["name"])
            # What the conversation says depends on the answers before: it is not there in single messages.
            if any(feeds.get(lane) for lane in LANES) and not signal["name"].startswith("thread."):
                weights[signal["name"]] = [float(feeds.get(lane, 0)) for lane in LANES]
            if feeds.get("injection"):
                injection[signal["name"]] = float(feeds["injection"])
    return weights, [float(bias[lane]) for lane in LANES], injection, float(bias["injection"]), kept


def present(triage, names):
    """Author, label, language, length and the signals of every message, each taken by itself."""
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
                    rows.append((author, record["gold"], record["lang"], len(record["text"]),
                                 {reason["signal"] for reason in answer.get("because", [])}))
    return rows


def presence(names, rows):
    """A row a message, a column a signal, and a last one that is always 1."""
    places = {name: place for place, name in enumerate(names)}
    entries = [(row, places[name]) for row, found in enumerate(rows) for name in found[4] if name in places]
    entries += [(row, len(places)) for row in range(len(rows))]
    return csr_matrix((np.ones(len(entries)), tuple(zip(*entries))), shape=(len(rows), len(places) + 1))


class CategoryFit:
    """Signals by message, and the weights for the category that follow."""

    def __init__(self, weights, bias, kept, rows):
        self.names = sorted(weights)
        self.kept = kept
        self.written = np.array([weights[name] for name in self.names] + [bias])
        self.x = presence(self.names, rows)
        self.y = np.array([LANES.index(row[1]["category"]) for row in rows])

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
                 if name in self.kept or counts[place] < LEAST}
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


class InjectionFit:
    """The same for injection."""

    def __init__(self, weights, bias, rows):
        self.names = sorted(weights)
        self.written = np.array([weights[name] for name in self.names] + [bias])
        self.x = presence(self.names, rows)
        self.y = np.array([bool(row[1]["injection"]) for row in rows])

    def solve(self, rows):
        x, y = self.x[rows], self.y[rows]
        signs = np.sign(self.written)
        free = np.asarray(x.sum(axis=0)).ravel() >= INJECTION_LEAST
        start = np.where(free, signs * INJECTION_PRIOR, self.written)
        start[-1] = self.written[-1]
        bounds = [(0.1, None) if sign > 0 else (None, -0.1) for sign in signs[free][:-1]] + [(None, None)]

        def loss(values):
            weights = start.copy()
            weights[free] = values
            logits = x @ weights
            change = values - start[free]
            gradient = (x.T @ (1 / (1 + np.exp(-logits)) - y))[free] + INJECTION_PENALTY * change
            return np.logaddexp(0, logits).sum() - logits[y].sum() + INJECTION_PENALTY / 2 * (change ** 2).sum(), gradient

        weights = start.copy()
        weights[free] = minimize(loss, start[free], jac=True, method="L-BFGS-B", bounds=bounds,
                                 options={"maxiter": 500}).x
        return np.round(weights, 1) + 0.0

    def found(self, weights, rows):
        """What the rules say: nothing where no signal is."""
        return (np.asarray(self.x[rows] @ weights) >= 0) & (np.asarray(self.x[rows][:, :-1].sum(axis=1)).ravel() > 0)


def f1(gold, found):
    return 2 * (gold & found).sum() / max(1, gold.sum() + found.sum())


def macro_f1(gold, found):
    return np.mean([f1(gold == lane, found == lane) for lane in range(len(LANES))])


def measure(fit, injection, rows):
    authors = sorted({row[0] for row in rows})
    who = np.array([row[0] for row in rows])
    found = np.zeros(len(rows), dtype=int)
    shares = np.zeros(len(rows))
    suspected = np.zeros(len(rows), dtype=bool)
    for group in range(GROUPS):
        out = np.isin(who, authors[group::GROUPS])
        suspected[out] = injection.found(injection.solve(np.where(~out)[0]), out)
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
    everyone = np.arange(len(rows))
    for name, said in [("as written", injection.found(injection.written, everyone)), ("left out", suspected)]:
        print(f"injection, {name}: F1 {f1(injection.y, said):.3f}, false alarms {said[~injection.y].mean():.2%}")


def write(bias, by_name):
    """Puts weights into the files, by signal and by what they speak for, and leaves everything else as it is."""
    for path in sorted(glob.glob(os.path.join(RULES, "*.yaml"))):
        with open(path, encoding="utf-8") as source:
            lines = source.read().split("\n")
        name = None
        for number, line in enumerate(lines):
            known = re.fullmatch(r"bias: \{(\w+):.*\}", line)
            if known:
                lanes = LANES if known[1] in LANES else (known[1],)
                if set(lanes) <= set(bias):
                    lines[number] = "bias: {" + ", ".join(f"{lane}: {bias[lane]:g}" for lane in lanes) + "}"
            named = re.match(r"  - name: (\S+)", line)
            name = named[1] if named else name
            feeds = re.fullmatch(r"    feeds: \{(.*)\}", line)
            if not feeds or name not in by_name:
                continue
            chosen = by_name.pop(name)
            others = [part.strip() for part in feeds[1].split(",") if part.split(":")[0].strip() not in chosen]
            said = [f"{lane}: {weight:g}" for lane, weight in chosen.items() if weight]
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
    weights, bias, injection_weights, injection_bias, kept = shipped()
    rows = present(arguments.triage, sorted(set(weights) | set(injection_weights)))
    fit = CategoryFit(weights, bias, kept, rows)
    injection = InjectionFit(injection_weights, injection_bias, rows)
    if arguments.command == "measure":
        measure(fit, injection, rows)
        return
    everyone = np.arange(len(rows))
    categories, injections = fit.solve(everyone), injection.solve(everyone)
    by_name = {name: dict(zip(LANES, chosen)) for name, chosen in zip(fit.names, categories)}
    for name, chosen in zip(injection.names, injections):
        by_name.setdefault(name, {})["injection"] = chosen
    write(dict(zip(LANES, categories[-1]), injection=injections[-1]), by_name)


if __name__ == "__main__":
    main()
