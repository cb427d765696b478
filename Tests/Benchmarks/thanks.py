#!/usr/bin/env python3
"""Fits what tells whether a short thank-you answers a fan (ThanksHeads), and measures it on authors that were left out.

    Tests/Benchmarks/thanks.py -o Sources/ShippedEncoder/thanks.heads [--folder KEPT]

Learns from `fans.txt` beside the messages to creators. Needs a release build, whose answers it weighs with sentence vectors; gives the
same bytes from the same data. --folder keeps the answers and the vectors.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import struct
import sys

import numpy as np

import heads
import matters
import model
import sentences

# Praise, good news, sorrow, a question or wish, a joke, criticism, a report, small talk: in the order of ThanksHeads.
LABELS = "TNHQJCWS"
SCALE, PENALTY = 15.0, 20.0
MAGIC = b"TTK1"


def read(triage, folder):
    rows = []
    for author, path in model.authors().items():
        labels = os.path.join(path, "fans.txt")
        if not os.path.exists(labels):
            continue
        with open(labels, encoding="utf-8") as file:
            labels = dict(line.split() for line in file)
        answered = matters.answers(triage, author, path, folder)
        with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as file:
            for record in map(json.loads, file):
                said = answered.get(record["id"], {})
                if record["id"] in labels and said.get("sentiment"):
                    rows.append((author, LABELS.index(labels[record["id"]]), record, said["sentiment"]["label"]))
    return rows


def found(row):
    """What the program found without the encoder, in the order of ThanksHeads."""
    _, _, record, feeling = row
    text = record["text"]
    return [2.0 * (feeling == "positive"), 2.0 * (feeling == "negative"), np.log(max(1, len(text.encode()))) - 4.5, 2.0 * ("?" in text),
            2.0 * ("!" in text)]


def main():
    options = matters.arguments(__doc__, "thanks")
    with matters.workplace(options) as folder:
        rows = read(options.triage, folder)
        kept = heads.Sentences(folder, os.path.join(model.ROOT, "Sources", "ShippedEncoder", "encoder.bin"))
        texts = [sentences.text_of(record) for _, _, record, _ in rows]
        kept.add(texts)
        vectors = kept.of(texts)
    right, own = np.array([label for _, label, _, _ in rows]), np.array([found(row) for row in rows])
    centre = vectors.mean(0)
    table = np.concatenate([(vectors - centre) * SCALE, own], 1).astype(np.float32)
    groups = np.array([model.author_group(author) for author, _, _, _ in rows])
    shares = np.zeros((len(rows), len(LABELS)))
    for group in range(model.GROUPS):
        left = groups == group
        weights, bias = sentences.regress(table[~left], right[~left], len(LABELS), PENALTY, rounds=150)
        scores = table[left] @ weights + bias
        powers = np.exp(scores - scores.max(1, keepdims=True))
        shares[left] = powers / powers.sum(1, keepdims=True)
    print(f"{len(rows)} messages to which a thank-you may be an answer; authors left out: kind right {(shares.argmax(1) == right).mean():.3f}")
    fits, welcome = shares[:, :2].sum(1), right < 2
    print(f"  a thank-you fits {welcome.mean():.3f}")
    for least in (.3, .4, .5, .55, .6, .7, .8):
        taken = fits >= least
        print(f"  from {least}: {taken.mean():.3f} of all, right {welcome[taken].mean():.3f}; of those that it fits {taken[welcome].mean():.3f}")
    for least in (.2, .3, .5):
        taken = shares[:, 2] >= least
        print(f"  sorrow from {least}: {taken.sum()}, right {(right[taken] == 2).sum()} of {(right == 2).sum()}")
    weights, bias = sentences.regress(table, right, len(LABELS), PENALTY, rounds=150)
    of_vector = weights[:384] * SCALE
    bias = bias - centre @ of_vector
    with open(options.output, "wb") as file:
        file.write(MAGIC)
        for row in range(len(LABELS)):
            values = [bias[row], *weights[384:, row], *of_vector[:, row]]
            file.write(struct.pack(f"<{len(values)}f", *values))


if __name__ == "__main__":
    sys.exit(main())
