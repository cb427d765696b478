"""What `model.py heads` learns from sentence vectors: SentenceHeads in numbers.

A linear map reads the feeling and the urgency from the vector of a message, and a second one weighs that with what the program found
without it; the two are multiplied into one. Both learn from messages to creators and from a changed copy of each, and what a change adds to
a vector must say little (AGREEMENT). The second map learns from a few groups of authors, of whom neither the model that answers nor
the first map there saw anything; messages that the program calls spam keep its answers.
"""
import json
import os
import re
import struct

import numpy as np
from scipy.optimize import minimize

import heads

SENTIMENTS, CATEGORIES = ["positive", "negative", "neutral"], ["fan", "business", "spam"]
# What of a message is read.
LONGEST = 1200
# Vectors have length 1, so their differences are small: times this, one penalty fits all.
SCALE = 15.0
PENALTY, FUSION_PENALTY = 10.0, 3.0
# How much the difference between a message and its copy may say, by question.
AGREEMENT = {"sentiment": 2.0, "urgent": 0.0}
ROWS = {"sentiment": 3, "urgent": 1}
MAGIC = b"TSH1"
# Log-odds from which a message becomes urgent that was not, and stays urgent (EncoderStage): a false alarm costs more trust than a
# message that is looked at in its turn.
RAISE, KEEP = 2.5, 1.1


def text_of(record):
    """What of a message the encoder reads."""
    return plain(record["text"].encode().strip(BLANKS)[:LONGEST].decode("utf-8", "ignore").encode())


def plain(text):
    """SentenceText.plain."""
    text = text.strip(BLANKS)
    return (b" ".join(word for word in text.split() if not is_left_out(word.lstrip(b"([{<\"'"))) or text).decode("utf-8", "ignore")


BLANKS = b" \t\n\v\f\r"
DOMAIN = re.compile(rb"(?=[^/]*\.)[A-Za-z\x80-\xff][A-Za-z0-9.\x80-\xff-]*/")


def is_left_out(word):
    """Links, mentions and hashtags."""
    return bool(re.match(rb"[@#][A-Za-z0-9_\x80-\xff]|[Ww]{3}\.", word) or b"://" in word or DOMAIN.match(word))


class Answers:
    """What the program says of messages without the encoder, what is right, and their vectors' texts."""

    def __init__(self, author, group, gold, answered):
        self.texts, rows = [], []
        for record in answered:
            triage, right = record["triage"], gold[record["id"]]
            if triage["category"] is None or triage["sentiment"] is None or triage["category"]["label"] is None:
                continue
            self.texts.append(text_of(right))
            category, sentiment, urgency = triage["category"], triage["sentiment"], triage["urgency"]
            rows.append((record["id"], [category["scores"][name] for name in CATEGORIES], CATEGORIES.index(category["label"]),
                         SENTIMENTS.index(sentiment["label"]), sentiment["confidence"], sentiment["intensity"], urgency["score"],
                         urgency["urgent"], urgency["by"] == "urgency.rules",
                         SENTIMENTS.index(right["gold"]["sentiment"]), bool(right["gold"]["urgent"])))
        columns = list(zip(*rows))
        self.ids = list(columns[0])
        (self.scores, self.category, self.sentiment, self.confidence, self.intensity, self.urgency, self.is_urgent, self.is_ruled,
         self.right_sentiment, self.right_urgent) = (np.array(column) for column in columns[1:])
        self.author, self.group = np.array([author] * len(rows)), np.full(len(rows), group)

    def right(self, question):
        return {"sentiment": self.right_sentiment, "urgent": self.right_urgent}[question].astype(int)

    @staticmethod
    def joined(parts):
        whole = object.__new__(Answers)
        for name in parts[0].__dict__:
            values = [getattr(part, name) for part in parts]
            setattr(whole, name, sum(values, []) if isinstance(values[0], list) else np.concatenate(values))
        return whole


def odds(values, most):
    values = np.clip(values, 1e-6, 1 - 1e-6)
    return np.clip(np.log(values / (1 - values)), -most, most)


def features(answers):
    """What the program found, by question, in the order of SentenceHeads."""
    chosen = np.eye(3)[answers.sentiment]
    feeling = [chosen * np.clip(odds(answers.confidence, 14), -1, 6)[:, None], chosen, chosen * answers.intensity[:, None]]
    category = np.log(np.clip(answers.scores, 1e-4, 1))
    category = np.clip(category - category.mean(1, keepdims=True), -6, 6)
    urgency = odds(answers.urgency, 7)[:, None]
    hurry = np.concatenate([urgency, answers.is_urgent[:, None], answers.is_ruled[:, None], category, feeling[0]], 1)
    return {"sentiment": np.concatenate(feeling + [category, urgency], 1), "urgent": hurry}


def regress(table, right, rows, penalty, moments=None, rounds=100):
    """Logistic regression of one row or softmax of three; `moments`: the second moments of what must say little."""
    count, width = table.shape
    right = np.eye(rows)[right] if rows > 1 else right.astype(float)[:, None]

    def loss(point):
        weights = point.reshape(width + 1, rows)
        scores = (table @ weights[:width].astype(table.dtype)).astype(float) + weights[width]
        if rows > 1:
            top = scores.max(1, keepdims=True)
            powers = np.exp(scores - top)
            total = powers.sum(1, keepdims=True)
            value, slope = (np.log(total) + top - (scores * right).sum(1, keepdims=True)).sum(), powers / total - right
        else:
            value, slope = (np.logaddexp(0, scores) - right * scores).sum(), 1 / (1 + np.exp(-scores)) - right
        value += penalty / 2 * (weights[:width] ** 2).sum()
        gradient = np.vstack([(table.T @ slope.astype(table.dtype)).astype(float) + penalty * weights[:width],
                              slope.sum(0, keepdims=True)])
        if moments is not None:
            turned = moments @ weights[:width]
            value += (weights[:width] * turned).sum() / 2
            gradient[:width] += turned
        return value, gradient.ravel()
    point = minimize(loss, np.zeros((width + 1) * rows), jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 20}).x
    weights = point.reshape(width + 1, rows)
    return weights[:width], weights[width]


class Labelled:
    """Labelled messages, or changed copies of them, that are no spam; `vectors` once they are read."""

    def __init__(self, parts):
        self.texts, self.ids, groups, feelings, hurries = [], [], [], [], []
        for author, group, records in parts:
            for record in records:
                if record["gold"]["category"] == "spam":
                    continue
                self.texts.append(text_of(record))
                self.ids.append((author, record["id"]))
                groups.append(group)
                feelings.append(SENTIMENTS.index(record["gold"]["sentiment"]))
                hurries.append(int(record["gold"]["urgent"]))
        self.group = np.array(groups)
        self.right = {"sentiment": np.array(feelings), "urgent": np.array(hurries)}


class Heads:
    """Learns the first map on `messages` and `copies` of all authors, the second one on answers of a few groups of them."""

    def __init__(self, messages, copies, answers, changed):
        self.messages, self.copies, self.parts = messages, copies, (answers, changed)
        place = {key: row for row, key in enumerate(messages.ids)}
        pairs = [(place.get((author, name.split("+")[0])), row) for row, (author, name) in enumerate(copies.ids)]
        self.pairs = np.array([pair for pair in pairs if pair[0] is not None])
        self.kept = {}

    def of_vectors(self, question, without):
        """The first map, without some groups: weights (384 x rows) and biases."""
        key = (question, tuple(sorted(without)))
        if key not in self.kept:
            use, use_copies = (~np.isin(part.group, without) for part in (self.messages, self.copies))
            mean = self.messages.vectors[use].mean(0)
            table = np.concatenate([self.messages.vectors[use], self.copies.vectors[use_copies]]) - mean
            right = np.concatenate([self.messages.right[question][use], self.copies.right[question][use_copies]])
            pairs = self.pairs[np.isin(self.pairs[:, 0], np.flatnonzero(use))]
            apart = ((self.messages.vectors[pairs[:, 0]] - self.copies.vectors[pairs[:, 1]]) * SCALE).astype(float)
            weights, bias = regress((table * SCALE).astype(np.float32), right, ROWS[question], PENALTY,
                                    AGREEMENT[question] * (apart.T @ apart))
            weights = weights * SCALE
            self.kept[key] = weights, bias - mean @ weights
        return self.kept[key]

    def learn(self, question, groups, without=()):
        """Both maps without some groups: bias (rows), weights of what the program found, and of the vector."""
        rows = ROWS[question]
        used = [group for group in groups if group not in without]
        tables, right = [], []
        for part in self.parts:
            said = np.zeros((len(part.ids), rows))
            for group in used:
                weights, bias = self.of_vectors(question, [group, *without])
                own = part.group == group
                said[own] = part.vectors[own] @ weights + bias
            use = np.isin(part.group, used) & (part.category != 2)
            tables.append(np.concatenate([centred(said), part.found[question]], 1)[use])
            right.append(part.right(question)[use])
        table, right = np.concatenate(tables), np.concatenate(right)
        means, deviations = table.mean(0), table.std(0) + 1e-6
        weights, bias = regress((table - means) / deviations, right, rows, FUSION_PENALTY, rounds=200)
        weights = weights / deviations[:, None]
        bias = bias - means @ weights
        first, first_bias = map(centred, self.of_vectors(question, list(without)))
        return bias + first_bias @ weights[:rows], weights[rows:], first @ weights[:rows]


def centred(values):
    return values - values.mean(-1, keepdims=True) if values.shape[-1] > 1 else values


def said(fitted, found, vectors):
    bias, own, of_vector = fitted
    return found @ own + vectors @ of_vector + bias


def learn(messages, copies, answers, changed, sentences, groups, output):
    """Fits the heads, writes them, and prints what heads that did not see an author do with the author."""
    sentences.add(messages.texts + copies.texts + answers.texts + changed.texts)
    for part in (messages, copies, answers, changed):
        part.vectors = sentences.of(part.texts)
    for part in (answers, changed):
        part.found = features(part)
    fitting = Heads(messages, copies, answers, changed)
    write(output, {question: fitting.learn(question, groups) for question in ROWS})
    said_of = [{question: np.zeros((len(part.ids), rows)) for question, rows in ROWS.items()} for part in (answers, changed)]
    for question in ROWS:
        for group in groups:
            fitted = fitting.learn(question, groups, [group])
            for part, own in zip((answers, changed), said_of):
                use = part.group == group
                own[question][use] = said(fitted, part.found[question][use], part.vectors[use])
    report(answers, changed, *said_of)


def labels(answers, said_of):
    """Sentiment and urgency with the heads; who is called spam keeps the program's."""
    read = answers.category != 2
    return (np.where(read, said_of["sentiment"].argmax(1), answers.sentiment),
            np.where(read, said_of["urgent"][:, 0] >= np.where(answers.is_urgent, KEEP, RAISE), answers.is_urgent))


def macro(right, found):
    scores = []
    for label in range(3):
        hit = ((right == label) & (found == label)).sum()
        scores.append(2 * hit / max(1, (right == label).sum() + (found == label).sum()))
    return sum(scores) / 3


def binary(right, found):
    hit = (right & found).sum()
    return hit / max(1, found.sum()), hit / max(1, right.sum()), 2 * hit / max(1, right.sum() + found.sum())


def interval(authors, measure, draws=1000):
    """95 %, authors drawn with replacement; of one author there is none."""
    names, drawn = sorted(set(authors)), np.random.default_rng(1)
    if len(names) < 2:
        return ""
    rows = {name: np.flatnonzero(authors == name) for name in names}
    values = [measure(np.concatenate([rows[name] for name in drawn.choice(names, len(names))])) for _ in range(draws)]
    low, high = np.percentile(values, [2.5, 97.5])
    return f" ({low:.3f}-{high:.3f})"


def report(answers, copies, said_of, said_of_copies):
    place = {key: row for row, key in enumerate(zip(answers.author.tolist(), answers.ids))}
    pairs = [(place.get((author, name.split("+")[0])), row)
             for row, (author, name) in enumerate(zip(copies.author.tolist(), copies.ids))]
    pairs = np.array([pair for pair in pairs if pair[0] is not None])
    before = (answers.sentiment, answers.is_urgent.astype(bool))
    after = labels(answers, said_of)
    after = (after[0], after[1].astype(bool))
    right = (answers.right_sentiment, answers.right_urgent.astype(bool))
    print("\nwith the encoder; each group of authors left out of model and heads")
    for name, use in (("creators", answers.author == "creators"), ("all", np.full(len(answers.ids), True))):
        for stage, (feeling, hurry) in (("before", before), ("after", after)):
            authors = answers.author[use]
            feelings = interval(authors, lambda rows: macro(right[0][use][rows], feeling[use][rows]))
            hurries = interval(authors, lambda rows: binary(right[1][use][rows], hurry[use][rows])[2])
            precision, recall, score = binary(right[1][use], hurry[use])
            print(f"  {name:9}{use.sum():6} {stage:7} sentiment {macro(right[0][use], feeling[use]):.3f}{feelings}  urgent {score:.3f}{hurries}"
                  f" P {precision:.3f} R {recall:.3f}", flush=True)
    read, odds_of = answers.category != 2, said_of["urgent"][:, 0]
    for least in (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 9):
        found = np.where(read, odds_of >= np.where(before[1], 0, least), before[1])
        print("  raised from {:4} P {:.3f} R {:.3f} F1 {:.3f}".format(least, *binary(right[1], found)))
    for author in sorted(set(answers.author)):
        use = answers.author == author
        print(f"    {author:9} sentiment {macro(right[0][use], before[0][use]):.3f} {macro(right[0][use], after[0][use]):.3f}"
              f"  urgent {binary(right[1][use], before[1][use])[2]:.3f} {binary(right[1][use], after[1][use])[2]:.3f}")
    changed = labels(copies, said_of_copies)
    first, second = pairs.T
    moved = [(copies.sentiment[second] != answers.sentiment[first]).mean(), (changed[0][second] != after[0][first]).mean(),
             (copies.is_urgent[second] != answers.is_urgent[first]).mean(), (changed[1][second] != after[1][first]).mean()]
    print("  changed copies, share that moved, before and after: sentiment {:.4f} {:.4f}  urgent {:.4f} {:.4f}".format(*moved))


def write(path, fitted):
    """`TSH1`, then 32-bit floats: of each question and row the bias, what the program found, the vector."""
    with open(path, "wb") as file:
        file.write(MAGIC)
        for question in ROWS:
            bias, own, of_vector = fitted[question]
            for row in range(ROWS[question]):
                values = [bias[row], *own[:, row], *of_vector[:, row]]
                file.write(struct.pack(f"<{len(values)}f", *values))
