#!/usr/bin/env python3
"""Fits the judge of drafts that models write (draft-judge.weights), the same bytes from the same drafts, and measures it.

    Tests/Benchmarks/drafts.py fit [-o FILE]
    Tests/Benchmarks/drafts.py check

`fit` learns from the sets named in LEARNED of Tests/TriageLLMTests/Drafts. `check` leaves out one set after the other, which are
by different authors, and says how the judge alone does on it. Needs nothing but Python; takes a minute.

The judge is a linear support vector machine over words, rows of two and three words, and parts of words; it sees whole drafts.
Coordinate descent in a fixed order does no more than add, multiply and divide, so no machine comes to other weights.
"""
import argparse
import json
import math
import os
import random
import struct
import unicodedata

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRAFTS = os.path.join(ROOT, "Tests", "TriageLLMTests", "Drafts")
# The others are for measuring.
LEARNED = [
    "tuned", "registers", "second-author-a", "third-author", "fourth-author", "fifth-author", "sixth-author",
    "eighth-author", "ninth-author", "tenth-author", "eleventh-author", "model-alex",
    "model-maya", "model-theo", "model-nell", "model-marisol", "model-tamsin", "model-jonas",
]

BITS = 17
COST = 1.0
ROUNDS = 40
SEED = 20261124
# What a sentence counts beside its draft, what a rule that speaks counts, and from which sum on a draft is refused.
SHARE, RULE, THRESHOLD = 0.5, 0.55, 0.43
# However kind the rest is, it speaks for one bad sentence no more than this.
KINDEST = 0.5
UNIT_OF_RARITY = 28


def fold(word):
    word = word.lower().replace("ß", "ss").replace("œ", "oe").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")


def sentences(text):
    """Folded words and marks of each sentence, as PhraseText and DraftJudge read them."""
    found, words, index = [], [], 0

    def close(mark):
        if words:
            found.append(words + [mark])
            words.clear()

    while index < len(text):
        sign = text[index]
        if sign.isalpha() or sign.isdigit():
            end = index + 1
            while end < len(text) and (
                text[end].isalpha() or text[end].isdigit() or unicodedata.category(text[end]) == "Mn"
            ):
                end += 1
            word = text[index:end]
            words.append("0" if all(c.isdigit() for c in word) else fold(word))
            index = end
            continue
        if sign in "{[":
            end = text.find("}" if sign == "{" else "]", index, index + 42)
            if end > index + 1:
                words.append("{}")
                index = end
        elif sign == ".":
            # "3.5", "am 15. September": no end of a sentence.
            inside = index + 1 < len(text) and (text[index + 1].isalpha() or text[index + 1].isdigit())
            ordinal = (
                index > 0 and text[index - 1].isdigit() and words and words[-1] == "0"
                and (index < 3 or not text[index - 3].isdigit()) and text[index + 1:index + 2] == " "
                and text[index + 2:index + 3].isalpha()
            )
            if not inside and not ordinal:
                close(".")
        elif sign in "!;\n…。！":
            close(".")
        elif sign in "?？؟":
            close("?")
        elif sign in ",:，、–—()":
            if words and words[-1] != ",":
                words.append(",")
        elif sign == "%":
            words.append("%")
        index += 1
    close(".")
    return found


def place(feature):
    number = 2166136261
    for byte in feature.encode():
        number = (number ^ byte) * 16777619 & 0xFFFFFFFF
    return (number ^ number >> 15) & ((1 << BITS) - 1)


PLACES = {}


def places(features):
    found = set()
    for feature in features:
        if feature not in PLACES:
            PLACES[feature] = place(feature)
        found.add(PLACES[feature])
    return sorted(found)


def features(tokens):
    rows = [
        f"{length} " + " ".join(tokens[k:k + length]) for length in (1, 2, 3) for k in range(len(tokens) - length + 1)
    ]
    parts = []
    for word in tokens:
        if word not in (",", "."):
            padded = f" {word[:40]} "
            parts += ["c" + padded[k:k + n] for n in (2, 3, 4, 5) for k in range(len(padded) - n + 1)]
    return places(rows), places(parts)


def joined(parts):
    return [token for part in parts for token in part]


class Judge:
    def __init__(self, drafts):
        read = [features(joined(sentences(draft["draft"]))) for draft in drafts]
        counts = {}
        for groups in read:
            for feature in {feature for group in groups for feature in group}:
                counts[feature] = counts.get(feature, 0) + 1
        self.rarity = {
            feature: min(255, round(UNIT_OF_RARITY * (math.log((1 + len(drafts)) / (1 + count)) + 1)))
            for feature, count in counts.items()
        }
        self.unit, self.bias, self.weights = 1.0, 0.0, {}
        self.learn([self.vector(groups) for groups in read], [1 if draft["bad"] else -1 for draft in drafts])

    def vector(self, groups):
        vector = {}
        for group in groups:
            known = [(feature, self.rarity[feature]) for feature in group if feature in self.rarity]
            length = math.sqrt(sum(rarity * rarity for _, rarity in known)) or 1
            for feature, rarity in known:
                vector[feature] = vector.get(feature, 0) + rarity / length
        return vector

    def learn(self, vectors, labels):
        bad = sum(label > 0 for label in labels)
        # Both sides count the same.
        cost = {1: COST * len(labels) / (2 * bad), -1: COST * len(labels) / (2 * (len(labels) - bad))}
        items = [list(vector.items()) for vector in vectors]
        ridge = [1 / (2 * cost[label]) for label in labels]
        length = [sum(value * value for _, value in item) + 1 + add for item, add in zip(items, ridge)]
        alpha, weights, bias = [0.0] * len(items), [0.0] * (1 << BITS), 0.0
        order, shuffle = list(range(len(items))), random.Random(SEED)
        for _ in range(ROUNDS):
            for k in range(len(order) - 1, 0, -1):
                other = int(shuffle.random() * (k + 1))
                order[k], order[other] = order[other], order[k]
            for k in order:
                label = labels[k]
                margin = bias
                for feature, value in items[k]:
                    margin += weights[feature] * value
                new = max(0.0, alpha[k] - (label * margin - 1 + ridge[k] * alpha[k]) / length[k])
                step = (new - alpha[k]) * label
                if step:
                    alpha[k] = new
                    bias += step
                    for feature, value in items[k]:
                        weights[feature] += step * value
        # A twentieth of a per cent of the weights is cut.
        kept = sorted(abs(weights[feature]) for feature in self.rarity)
        self.unit = kept[int(len(kept) * 0.9995)] / 127
        self.bias = bias
        self.weights = {
            feature: max(-127, min(127, round(weights[feature] / self.unit))) for feature in self.rarity
        }

    def score(self, tokens):
        total = 0.0
        for group in features(tokens):
            known = [feature for feature in group if feature in self.rarity]
            squares = sum(self.rarity[feature] ** 2 for feature in known)
            if squares:
                total += sum(self.rarity[f] * self.weights[f] for f in known) / math.sqrt(squares)
        return self.bias + self.unit * total

    def sum(self, draft):
        parts = sentences(draft)
        worst = max([self.score(part) for part in parts] or [self.bias])
        return (1 - SHARE) * max(self.score(joined(parts)), -KINDEST) + SHARE * worst

    def bytes(self):
        count = 1 << BITS
        out = b"TDJ1" + struct.pack("<I5f", BITS, self.unit, self.bias, SHARE, RULE, THRESHOLD)
        out += bytes(self.rarity.get(k, 0) for k in range(count))
        return out + bytes(self.weights.get(k, 0) & 0xFF for k in range(count))


def load(name):
    with open(os.path.join(DRAFTS, name + ".jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def report(name, judge, drafts):
    refused = [judge.sum(draft["draft"]) > THRESHOLD for draft in drafts]
    bad, good = sum(d["bad"] for d in drafts), sum(not d["bad"] for d in drafts)
    hits = sum(r and d["bad"] for r, d in zip(refused, drafts))
    lost = sum(r and not d["bad"] for r, d in zip(refused, drafts))
    print(f"{name}: refused {hits} of {bad} bad ({hits / bad:.1%}), {lost} of {good} good ({lost / good:.1%})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["fit", "check"])
    parser.add_argument(
        "-o", "--output", default=os.path.join(ROOT, "Sources", "ShippedRules", "draft-judge.weights"))
    options = parser.parse_args()
    sets = {name: load(name) for name in LEARNED}
    if options.command == "fit":
        with open(options.output, "wb") as file:
            file.write(Judge([draft for drafts in sets.values() for draft in drafts]).bytes())
        return
    for name, drafts in sets.items():
        report(name, Judge([draft for other in sets if other != name for draft in sets[other]]), drafts)
    for name in sorted({file[:-6] for file in os.listdir(DRAFTS)} - set(LEARNED)):
        report(name, Judge([draft for drafts in sets.values() for draft in drafts]), load(name))


if __name__ == "__main__":
    main()
