"""What `model.py danger` learns: DangerHeads in numbers.

A message is cut into parts of a sentence or more (DangerSpans), because a cry for help may stand inside an advertisement. Small networks
read from the vector of a part what kind of danger it tells of, and a logistic regression weighs the worst part, the whole message and
what the program found without the encoder. Both learn from labelled messages (`danger.txt` beside the composed ones, and
`Tests/Data/danger-authors`); the second one from what networks without an author's group say of the author.
"""
import glob
import json
import os
import re
import struct
import subprocess

import numpy as np

import sentences

KINDS = ["none", "self-harm", "violence", "threat", "stalking", "medical"]
# DangerSpans.
SHORTEST, MOST, LONGEST_PART, LEAST_CUT = 30, 24, 300, 60
ENDS = re.compile(rb"(?:[.!?]+|\xe2\x80\xa6|\xd8\x9f)(?=[ \t\n\v\f\r]|$)|\n|\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f")
# Networks, their hidden units, and how they are trained.
NETWORKS, HIDDEN, EPOCHS, STEP, DECAY, DROPPED, BATCH, ROUNDS = 3, 128, 14, 2e-3, 1e-3, 0.2, 256, 2
SCALE = 5.0
GROUPS = 4
# Authors in `Tests/Data/danger-authors` that nothing learns from.
UNSEEN = ["unseen", "stranger"]
# A part of a labelled message is none of those that tell of the danger below these log-odds; between them and 0 nobody knows.
CALM = -3.0
FOUND = 10
PENALTY = 1.0
MOST_ODDS = 12.0
MAGIC = b"TDH1"


def cut(text):
    """The parts of a text, as byte ranges."""
    sentences_, start = [], 0

    def close(end):
        part = text[start:end]
        first = start + len(part) - len(part.lstrip(sentences.BLANKS))
        last = start + len(part.rstrip(sentences.BLANKS))
        if last > first:
            sentences_.append((first, last))
    for end in ENDS.finditer(text):
        close(end.end())
        start = end.end()
    close(len(text))
    least, joined, open_ = max(SHORTEST, len(text) // MOST), [], None
    for first, last in sentences_:
        open_ = (open_[0] if open_ else first, last)
        if last - open_[0] >= least:
            joined.append(open_)
            open_ = None
    if open_ and joined:
        joined[-1] = (joined[-1][0], open_[1])
    elif open_:
        joined.append(open_)
    parts = []
    for first, last in joined:
        while last - first > LONGEST_PART:
            end = first + LONGEST_PART * 4 // 5
            blank = text.rfind(b" ", first + LEAST_CUT, end)
            if blank < 0:
                while text[end] & 0xC0 == 0x80:
                    end -= 1
                blank = end
            parts.append((first, blank))
            first = blank
        parts.append((first, last))
    return parts if len(parts) <= 2 * MOST else parts[:MOST] + parts[-MOST:]


class Message:
    def __init__(self, record, kind, author, group, part=None):
        text = record["text"].encode()
        ranges = cut(text)
        self.id, self.kind, self.author, self.group = record["id"], KINDS.index(kind), author, group
        self.parts = [sentences.plain(text[first:last]) for first, last in ranges]
        self.whole = sentences.text_of(record)
        self.is_spam = record.get("gold", {}).get("category") == "spam"
        # Which parts tell of the danger; nil: nobody marked them.
        self.marked = None
        if part and kind != "none" and part.encode() in text:
            place = text.index(part.encode())
            end = place + len(part.encode())
            marked = [min(last, end) - max(first, place) > min(12, (last - first) // 3) for first, last in ranges]
            self.marked = marked if any(marked) else None


def told(scores):
    """Log-odds of danger."""
    top = scores[:, 1:].max(1)
    return np.log(np.exp(scores[:, 1:] - top[:, None]).sum(1)) + top - scores[:, 0]


def train_network(values, kinds, seed):
    drawn = np.random.default_rng(seed)
    count, width = values.shape
    weights = [(drawn.standard_normal((width, HIDDEN)) * np.sqrt(2 / width)).astype(np.float32), np.zeros(HIDDEN, np.float32),
               (drawn.standard_normal((HIDDEN, len(KINDS))) * np.sqrt(1 / HIDDEN)).astype(np.float32),
               np.array([2] + [0] * (len(KINDS) - 1), np.float32)]
    moments, squares = ([np.zeros_like(part) for part in weights] for _ in range(2))
    right, number, steps = np.eye(len(KINDS), dtype=np.float32)[kinds], 0, EPOCHS * (count // BATCH)
    for _ in range(EPOCHS):
        order = drawn.permutation(count)
        for start in range(0, count - BATCH, BATCH):
            rows = order[start:start + BATCH]
            own = values[rows] * ((drawn.random((BATCH, width)) > DROPPED) / (1 - DROPPED)).astype(np.float32)
            sums = own @ weights[0] + weights[1]
            kept = ((drawn.random(sums.shape) > DROPPED) / (1 - DROPPED)).astype(np.float32)
            hidden = np.maximum(sums, 0) * kept
            scores = hidden @ weights[2] + weights[3]
            powers = np.exp(scores - scores.max(1, keepdims=True))
            slope = (powers / powers.sum(1, keepdims=True) - right[rows]) / BATCH
            inner = slope @ weights[2].T * kept * (sums > 0)
            gradients = [own.T @ inner, inner.sum(0), hidden.T @ slope, slope.sum(0)]
            number += 1
            step = STEP * (1 - number / steps) + 1e-5
            for place, gradient in enumerate(gradients):
                moments[place] += 0.1 * (gradient - moments[place])
                squares[place] += 0.001 * (gradient * gradient - squares[place])
                change = (moments[place] / (1 - 0.9 ** number)) / (np.sqrt(squares[place] / (1 - 0.999 ** number)) + 1e-8)
                weights[place] -= (step * (change + (DECAY * weights[place] if place in (0, 2) else 0))).astype(np.float32)
    return weights


def scores_of(networks, values):
    return sum(np.maximum(values @ first + first_bias, 0) @ second + second_bias
               for first, first_bias, second, second_bias in networks) / len(networks)


class Fitting:
    def __init__(self, messages, vectors, found):
        """`found`: what the program found, by message; nan where it was not asked."""
        self.messages, self.found = messages, found
        self.kind = np.array([message.kind for message in messages])
        self.group = np.array([message.group for message in messages])
        self.counts = np.array([len(message.parts) for message in messages])
        self.starts = np.r_[0, np.cumsum(self.counts)[:-1]]
        self.owner = np.repeat(np.arange(len(messages)), self.counts)
        self.mean = None
        vectors.add([text for message in messages for text in message.parts + [message.whole]])
        self.parts = vectors.of([part for message in messages for part in message.parts])
        self.wholes = vectors.of([message.whole for message in messages])
        # The same centre for all: it says nothing of any label.
        self.mean = self.parts.mean(0)
        self.parts, self.wholes = ((table - self.mean) * SCALE for table in (self.parts, self.wholes))

    def learn(self, use):
        """Networks that read what danger a part tells of; of messages that nobody marked, the parts that tell most."""
        kinds, kept = np.zeros(len(self.owner), int), use[self.owner].copy()
        dangers = np.flatnonzero(use & (self.kind > 0))
        for row in dangers:
            own = slice(self.starts[row], self.starts[row] + self.counts[row])
            marked = self.messages[row].marked
            kinds[own] = self.kind[row] if marked is None else np.where(marked, self.kind[row], 0)
            if marked is None and self.counts[row] > 1:
                kept[own] = False
        also = np.array([row for row in np.flatnonzero(use & (self.counts > 1))
                         if self.kind[row] == 0 or self.messages[row].marked is None])
        for number in range(ROUNDS):
            table = np.concatenate([self.parts[kept], self.wholes[also]])
            right = np.concatenate([kinds[kept], self.kind[also]])
            is_last = number == ROUNDS - 1
            networks = [train_network(table, right, seed) for seed in range(NETWORKS if is_last else 1)]
            if is_last:
                return networks
            odds = told(scores_of(networks, self.parts))
            for row in dangers:
                if self.messages[row].marked is not None or self.counts[row] < 2:
                    continue
                own = slice(self.starts[row], self.starts[row] + self.counts[row])
                tells = odds[own] > 0
                tells[odds[own].argmax()] = True
                kinds[own] = np.where(tells, self.kind[row], 0)
                kept[own] = tells | (odds[own] <= CALM)

    def weighed(self, networks, use):
        """What the second step weighs, in the order of DangerHeads, and the kind of the worst part."""
        scores = scores_of(networks, self.parts)
        odds = told(scores)
        worst, total = np.full(len(self.messages), -99.0), np.zeros(len(self.messages))
        np.maximum.at(worst, self.owner, odds)
        np.add.at(total, self.owner, np.exp(np.minimum(odds, 20)))
        kinds = np.zeros(len(self.messages), int)
        is_worst = odds >= worst[self.owner]
        kinds[self.owner[is_worst]] = scores[is_worst, 1:].argmax(1) + 1
        whole = told(scores_of(networks, self.wholes))
        table = np.c_[np.clip(worst, -MOST_ODDS, MOST_ODDS), np.clip(whole, -MOST_ODDS, MOST_ODDS), np.log(np.maximum(self.counts, 1)),
                      np.log(total + 1e-6), self.found]
        return table[use], kinds[use]


def found(triage):
    """What the program found without the encoder."""
    category, urgency = triage["category"], triage["urgency"]
    odds = sentences.odds(np.array([urgency["score"]]), 7)[0]
    scores = np.log(np.clip([category["scores"][name] for name in sentences.CATEGORIES], 1e-4, 1))
    return [odds, urgency["urgent"], urgency["by"] == "urgency.rules", *np.clip(scores - scores.mean(), -6, 6)]


def weigh(table, right):
    means, deviations = table.mean(0), table.std(0) + 1e-6
    weights, bias = sentences.regress((table - means) / deviations, right, 1, PENALTY, rounds=200)
    weights = weights[:, 0] / deviations
    return weights, bias[0] - means @ weights


def read(path, name, group):
    with open(path, encoding="utf-8") as file:
        return [(Message(record, record["kind"], name, group, record.get("part")), record) for record in map(json.loads, file)]


def annotate(triage, records, profile, config):
    result = subprocess.run([triage, "run", "--config", config, "--creator", profile, "--quiet"],
                            input="\n".join(json.dumps({"id": record["id"], "text": record["text"]}) for record in records).encode(),
                            stdout=subprocess.PIPE, check=True)
    return {record["id"]: record["triage"] for record in map(json.loads, result.stdout.splitlines())}


def second_step(path):
    """The weights and the bias of the second step of heads that are there."""
    with open(path, "rb") as file:
        values = np.frombuffer(file.read()[len(MAGIC):], "<f4")
    return values[-FOUND - 1:-1].astype(float), float(values[-1])


def learn(composed, answers, own, test, vectors, output, kept=None):
    """Fits the heads, writes them, and prints what heads that did not see an author say of the author.

    `composed`, `own`, `test`: messages; `answers`: by author and id, what the program found in them without the encoder; `kept`: weights
    and bias of the second step, which are fitted otherwise."""
    messages = composed + own + test
    facts = np.full((len(messages), FOUND - 4), np.nan)
    for row, message in enumerate(messages):
        if (message.author, message.id) in answers:
            facts[row] = answers[message.author, message.id]
    fitting = Fitting(messages, vectors, facts)
    is_test = np.arange(len(messages)) >= len(composed) + len(own)
    is_own = (np.arange(len(messages)) >= len(composed)) & ~is_test
    is_known = ~np.isnan(facts).any(1)
    table, kinds = np.zeros((len(messages), FOUND)), np.zeros(len(messages), int)
    for group in range(GROUPS):
        left = (fitting.group == group) & ~is_test
        table[left], kinds[left] = fitting.weighed(fitting.learn(~left & ~is_test), left)
    networks = fitting.learn(~is_test)
    table[is_test], kinds[is_test] = fitting.weighed(networks, is_test)
    is_danger = fitting.kind > 0
    odds = np.full(len(messages), np.nan)
    for group in range(GROUPS):
        left = (fitting.group == group) & ~is_test & is_known
        weights, bias = kept or weigh(*(part[~left & ~is_test & is_known] for part in (table, is_danger)))
        odds[left] = table[left] @ weights + bias
    fitted = kept or weigh(*(part[~is_test & is_known] for part in (table, is_danger)))
    odds[is_test] = table[is_test] @ fitted[0] + fitted[1]
    author = np.array([message.author for message in messages])
    report(fitting, odds, kinds, is_danger, [("composed", ~is_own & ~is_test & is_known), ("written for it", is_own)]
           + [(name, author == name) for name in UNSEEN], facts[:, 1] > 0)
    print("  weights", np.round(fitted[0], 2), round(float(fitted[1]), 2))
    write(output, fitting.mean, networks, fitted)


def report(fitting, odds, kinds, is_danger, parts, was_urgent):
    for name, use in parts:
        print(f"danger, {name}: {(use & is_danger).sum()} of {use.sum()} messages; authors left out;"
              f" urgent without the encoder {(use & is_danger & was_urgent).sum()}, of those in none {(use & ~is_danger & was_urgent).sum()}")
        for least in (-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3):
            taken = use & (odds >= least)
            right = taken & is_danger
            print(f"  from {least:4}: {right.sum():4} ({(use & is_danger & (was_urgent | taken)).sum()} with the others),"
                  f" in none {(taken & ~is_danger).sum():3} ({(taken & ~is_danger & ~was_urgent).sum()} new),"
                  f" kind right {(kinds[right] == fitting.kind[right]).mean():.2f}")
        if name in UNSEEN:
            wrapped = use & is_danger & np.array([message.marked is not None and not all(message.marked) for message in fitting.messages])
            print(f"  danger in a part only: {wrapped.sum()}, from 0.5: {(wrapped & (odds >= 0.5)).sum()}")


def write(path, mean, networks, fitted):
    """`TDH1`, then 32-bit floats: the centre of vectors; of each network the hidden units' weights by number of the vector, their biases,
    the kinds' weights by hidden unit, their biases; the weights and the bias of the second step."""
    with open(path, "wb") as file:
        file.write(MAGIC)
        for values in [mean, *[part for network in networks for part in network], fitted[0], [fitted[1]]]:
            values = np.asarray(values, "<f4").ravel()
            file.write(struct.pack(f"<{len(values)}f", *values))
