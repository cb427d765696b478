#!/usr/bin/env python3
"""Fits what tells which topic an offer advertises (TopicHeads), and measures it on authors that were left out.

    Tests/Benchmarks/topics.py -o Sources/ShippedEncoder/topic.heads [--folder KEPT]

Learns from Tests/Data/topics, offers that avoid the obvious word of their topic and harmless ones that use it, and from the business
messages to creators whose labels (`kinds.txt`) say that they advertise nothing excluded; these stand for how rare such offers are.
Gives the same bytes from the same data. --folder keeps the vectors.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import glob
import json
import struct
import sys

import numpy as np

import heads
import matters
import model
import sentences

# In the order of TopicHeads, behind "none".
TOPICS = ["adult", "ai-images", "alcohol", "cannabis", "cosmetic-surgery", "crypto", "dating", "emissions-tampering", "fast-fashion",
          "gambling", "loans", "loot-boxes", "meat", "miracle-cures", "pesticides", "politics", "pyramid-schemes", "slimming",
          "supplements", "tobacco", "weapons"]
SCALE, PENALTY = 15.0, 1.0
MAGIC = b"TTP1"
DATA = os.path.join(model.ROOT, "Tests", "Data", "topics")


def read():
    """Author, topic (0: none) and text of the offers."""
    rows = []
    for path in sorted(glob.glob(os.path.join(DATA, "*.tsv"))):
        author = os.path.basename(path)[:-4]
        with open(path, encoding="utf-8") as file:
            for line in file:
                topic, _, text = line.rstrip("\n").split("\t")
                rows.append((author, 0 if topic == "none" else 1 + TOPICS.index(topic), text.replace("\\n", "\n")))
    return rows


def read_messages():
    """The same of business messages that advertise nothing excluded, whose creators may have excluded nothing that is asked here."""
    rows = []
    for author, path in model.authors().items():
        with open(os.path.join(path, "kinds.txt"), encoding="utf-8") as file:
            harmless = {line.split()[0] for line in file if line.split()[2] == "0"}
        with open(os.path.join(path, "messages.jsonl"), encoding="utf-8") as file:
            rows += [(author, 0, record["text"]) for record in map(json.loads, file) if record["id"] in harmless]
    return rows


def learn(table, topics, use):
    weights, bias = sentences.regress(table[use], topics[use], len(TOPICS) + 1, PENALTY, rounds=200)
    return weights, bias


def shares(table, fitted):
    scores = table @ fitted[0] + fitted[1]
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def measure(table, topics, authors, is_message):
    names = sorted(set(authors[~is_message]))
    found = np.zeros((len(topics), len(TOPICS) + 1))
    # Messages' authors are left out in as many groups.
    group = np.array([names.index(author) if not other else sum(author.encode()) % len(names)
                      for author, other in zip(authors, is_message)])
    for number in range(len(names)):
        left = group == number
        found[left] = shares(table[left], learn(table, topics, ~left))
    own = ~is_message
    print(f"{own.sum()} offers, {(topics[own] > 0).sum()} with a topic; {is_message.sum()} messages; each author left out")
    for least in (.15, .25, .3, .5, .7):
        caught = np.array([found[row, topic] >= least for row, topic in enumerate(topics)])
        near = found[:, 1:].max(1) >= least
        print(f"  from {least}: found {caught[own & (topics > 0)].mean():.3f}; called something: harmless offers"
              f" {near[own & (topics == 0)].mean():.3f}, messages {near[is_message].mean():.4f}")
    for place, name in enumerate(TOPICS, 1):
        mine = own & (topics == place)
        others = found[~mine & (topics != place), place]
        print(f"  {name:20} {mine.sum():3}: from 0.3 {(found[mine, place] >= .3).mean():.2f}, from 0.5 {(found[mine, place] >= .5).mean():.2f};"
              f" others called so {(others >= .3).sum()} and {(others >= .5).sum()}")


def main():
    options = matters.arguments(__doc__, "topic")
    offers, messages = read(), read_messages()
    rows = offers + messages
    with matters.workplace(options) as folder:
        kept = heads.Sentences(folder, os.path.join(model.ROOT, "Sources", "ShippedEncoder", "encoder.bin"))
        texts = [sentences.plain(text.encode().strip(sentences.BLANKS)[:sentences.LONGEST].decode("utf-8", "ignore").encode())
                 for _, _, text in rows]
        kept.add(texts)
        vectors = kept.of(texts)
    topics, authors = np.array([topic for _, topic, _ in rows]), np.array([author for author, _, _ in rows])
    is_message = np.arange(len(rows)) >= len(offers)
    centre = vectors.mean(0)
    table = ((vectors - centre) * SCALE).astype(np.float32)
    measure(table, topics, authors, is_message)
    weights, bias = learn(table, topics, np.full(len(rows), True))
    of_vector = weights * SCALE
    bias = bias - centre @ of_vector
    with open(options.output, "wb") as file:
        file.write(MAGIC)
        for row in range(len(TOPICS) + 1):
            file.write(struct.pack(f"<{1 + len(of_vector)}f", bias[row], *of_vector[:, row]))


if __name__ == "__main__":
    sys.exit(main())
