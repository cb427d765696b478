"""What `faq.py fit` and `faq.py heads` learn from sentence vectors: FAQHeads and FAQEncoder in numbers.

A linear map turns the vectors until the sentences of labelled questions lie nearer to their entry than to all others. Then an entry is
ranked by how near it is, before and after, and by what the words say; and the best one is judged. What a message is judged by while
this is fitted comes from word vectors, word models and maps that did not see its author; the cues of words and the model that says
what a message is saw all.
"""
import hashlib
import json
import os
import struct

import numpy as np
from scipy.optimize import minimize

TURNED, ANSWER, WORDINGS = 128, 600, 9
ROUNDS, STEP, DROPPED, PULL, SPREAD, NONE_SHARE = 10, 0.002, 0.1, 2e-3, 0.07, 0.35
RANKING_PENALTY, JUDGING_PENALTY, ASKING_PENALTY = 3.0, 30.0, 3.0
# Log-odds that stand for nothing found by words; from which a message without a question mark is read (FAQStage.leastOdds).
NO_ODDS, LEAST_ODDS = -8.0, -4.0
# Log-odds taken off, so that from 0.40 on 97 of 100 messages without an answer are left alone.
CAUTION = 0.25
CONTEXT = 17


class Sentences:
    """Vectors of texts, kept in a folder; what is not there yet is made."""

    def __init__(self, folder, encoder):
        source = os.path.join(os.path.dirname(encoder), "..", "CEncoder", "sentence_encoder.c")
        key = hashlib.sha256()
        for path in (encoder, source):
            with open(path, "rb") as file:
                key.update(file.read())
        key = key.hexdigest()[:12]
        self.path, self.encoder = os.path.join(folder, f"sentences-{key}.npz"), encoder
        self.places, self.vectors = {}, np.zeros((0, 384), np.float32)
        if os.path.exists(self.path):
            kept = np.load(self.path)
            self.places = {text: place for place, text in enumerate(json.loads(str(kept["texts"])))}
            self.vectors = kept["vectors"]

    def add(self, texts):
        missing = sorted(set(texts) - set(self.places))
        if not missing:
            return
        import multiprocessing
        parts = [missing[k:k + 500] for k in range(0, len(missing), 500)]
        with multiprocessing.get_context("fork").Pool(2, start, (self.encoder,)) as pool:
            found = pool.map(encode, parts, 1)
        for text in missing:
            self.places[text] = len(self.places)
        self.vectors = np.concatenate([self.vectors, *found])
        np.savez(self.path + ".new.npz", texts=np.array(json.dumps(list(self.places))), vectors=self.vectors)
        os.rename(self.path + ".new.npz", self.path)

    def of(self, texts):
        return self.vectors[[self.places[text] for text in texts]]


def start(path):
    import encoder
    globals()["engine"] = encoder.Encoder(path)


def encode(texts):
    return globals()["engine"].vectors(texts)


def prefix(text, count):
    """The first bytes of a text, as the program cuts answers: half a character is none that the encoder knows."""
    return text.encode()[:count].decode("utf-8", "replace")


def read(units, sentences):
    """Gives each unit the vectors of its messages' parts, wordings and answers."""
    spans = {id(unit): [json.loads(line) for line in unit.call("=").split(b"\n") if line] for unit in units}
    texts = set()
    for unit in units:
        for label, parts in zip(unit.labels, spans[id(unit)]):
            texts.update(parts if label != "spam" else ())
        for entry in unit.library:
            texts.update(([entry["question"]] + entry.get("also_asked", []))[:WORDINGS])
            texts.add(prefix(entry["answer"], ANSWER))
    sentences.add(texts)
    for unit in units:
        parts = [(number, place, text) for number, (label, own) in enumerate(zip(unit.labels, spans[id(unit)]))
                 if label != "spam" for place, text in enumerate(own)]
        unit.owner = np.array([number for number, _, _ in parts], int)
        unit.is_whole = np.array([place == 0 for _, place, _ in parts], bool)
        unit.parts = sentences.of([text for _, _, text in parts]) if parts else np.zeros((0, 384), np.float32)
        wordings = [([entry["question"]] + entry.get("also_asked", []))[:WORDINGS] for entry in unit.library]
        unit.wording_vectors = sentences.of([text for own in wordings for text in own])
        unit.entry_of_wording = np.repeat(np.arange(len(wordings)), [len(own) for own in wordings])
        unit.answer_vectors = sentences.of([prefix(entry["answer"], ANSWER) for entry in unit.library])


def highest(values, owner, count):
    found = np.full((count, values.shape[1]), -1.0, np.float32)
    np.maximum.at(found, owner, values)
    return found


def nearness(unit, turn=None):
    """FAQEncoder.Candidates: records x entries x 12."""
    vectors = [unit.parts, unit.wording_vectors, unit.answer_vectors]
    if turn is not None:
        mean, table = turn
        vectors = [(v - mean) @ table for v in vectors]
        vectors = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in vectors]
    parts, wordings, answers = vectors
    count, entries = len(unit.gold), len(unit.library)
    cosines = parts @ wordings.T
    asked = np.stack([cosines[:, unit.entry_of_wording == entry].max(1) for entry in range(entries)], 1)
    answered = parts @ answers.T
    near = np.stack([highest(asked, unit.owner, count), highest(answered, unit.owner, count),
                     highest(asked[unit.is_whole], unit.owner[unit.is_whole], count),
                     highest((asked + answered) / 2, unit.owner, count)], 2)
    order = np.sort(near, axis=1)
    top, second = order[:, -1:], order[:, -2:-1] if entries > 1 else order[:, -1:]
    return np.concatenate([near, np.where(near == top, near - second, near - top), near - near.mean(1, keepdims=True)], 2)


def learn_turn(units):
    """The mean and the map: a softmax over the entries and none, by the nearest part of a message."""
    drawn, order = np.random.default_rng(1), np.random.default_rng(1)
    mean = np.concatenate([unit.wording_vectors for unit in units] + [unit.parts[::3] for unit in units]).mean(0)
    centred = np.concatenate([unit.wording_vectors for unit in units] + [unit.parts[::3] for unit in units]) - mean
    _, axes = np.linalg.eigh((centred.T @ centred / len(centred)).astype(float))
    first = axes[:, ::-1][:, :TURNED].astype(np.float32)
    table, moments, squares = first.copy(), np.zeros_like(first), np.zeros_like(first)
    none, none_moment, none_square, count = 0.5, 0.0, 0.0, 0
    units = [unit for unit in units if len(unit.parts)]

    def normed(values):
        lengths = np.linalg.norm(values, axis=1, keepdims=True) + 1e-4
        return values / lengths, lengths
    for number in range(ROUNDS):
        step = STEP * (1 - number / ROUNDS) + 1e-4
        for place in order.permutation(len(units)):
            unit = units[place]
            entries = len(unit.library)
            kept = (drawn.random(384) > DROPPED).astype(np.float32) / (1 - DROPPED)
            records, inverse = np.unique(unit.owner, return_inverse=True)
            parts = (unit.parts - mean) * kept
            texts = (np.concatenate([unit.wording_vectors, unit.answer_vectors]) - mean) * kept
            entry_of = np.concatenate([unit.entry_of_wording, np.arange(entries)])
            (a, a_lengths), (e, e_lengths) = normed(parts @ table), normed(texts @ table)
            cosines = a @ e.T / SPREAD
            best = np.zeros((len(parts), entries), int)
            near = np.zeros((len(parts), entries), np.float32)
            for entry in range(entries):
                columns = np.flatnonzero(entry_of == entry)
                best[:, entry] = columns[cosines[:, columns].argmax(1)]
                near[:, entry] = cosines[np.arange(len(parts)), best[:, entry]]
            top = np.full((len(records), entries), -99, np.float32)
            np.maximum.at(top, inverse, near)
            scores = np.c_[top, np.full((len(top), 1), none / SPREAD, np.float32)]
            slope = np.exp(scores - scores.max(1, keepdims=True))
            slope /= slope.sum(1, keepdims=True)
            gold = unit.gold[records]
            slope[np.arange(len(gold)), np.where(gold >= 0, gold, entries)] -= 1
            slope *= np.where(gold >= 0, 1.0, np.where(gold == -1, NONE_SHARE, 0.0))[:, None]
            none_slope = slope[:, -1].sum() / SPREAD
            of_near = (slope[:, :-1][inverse] * (near >= top[inverse] - 1e-7) / SPREAD).astype(np.float32)
            full = np.zeros_like(cosines)
            np.add.at(full, (np.repeat(np.arange(len(parts)), entries), best.ravel()), of_near.ravel())
            of_a, of_e = full @ e, full.T @ a
            of_a = (of_a - a * (a * of_a).sum(1, keepdims=True)) / a_lengths
            of_e = (of_e - e * (e * of_e).sum(1, keepdims=True)) / e_lengths
            gradient = parts.T @ of_a + texts.T @ of_e + PULL * len(records) * (table - first)
            count += 1
            moments += 0.1 * (gradient - moments)
            squares += 0.01 * (gradient * gradient - squares)
            table -= (step * (moments / (1 - 0.9 ** count)) / (np.sqrt(squares / (1 - 0.99 ** count)) + 1e-3)).astype(np.float32)
            none_moment += 0.1 * (none_slope - none_moment)
            none_square += 0.01 * (none_slope ** 2 - none_square)
            none -= 5 * step * (none_moment / (1 - 0.9 ** count)) / (np.sqrt(none_square / (1 - 0.99 ** count)) + 1e-3)
    return mean, table


def learn_asking(units):
    """A logistic regression on parts of messages: some entry answers the message, or none."""
    values = np.concatenate([unit.parts for unit in units])
    right = np.concatenate([unit.gold[unit.owner] >= 0 for unit in units]).astype(float)
    weights = np.concatenate([1 / np.bincount(unit.owner, minlength=len(unit.gold))[unit.owner] for unit in units])
    mean = values.mean(0)
    table = np.c_[(values - mean) * 20, np.ones(len(values))].astype(np.float32)

    def loss(point):
        scores = (table @ point.astype(np.float32)).astype(float)
        slope = (weights * (1 / (1 + np.exp(-scores)) - right)).astype(np.float32)
        gradient = (table.T @ slope).astype(float)
        gradient[:-1] += ASKING_PENALTY * point[:-1]
        return ((weights * (np.logaddexp(0, scores) - right * scores)).sum() + ASKING_PENALTY / 2 * (point[:-1] ** 2).sum(),
                gradient)
    point = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    return mean, point[:-1] * 20, point[-1]


def prepare(unit, turn, asking):
    """Everything that the entries of a unit's messages are ranked and judged by but what the ranking says."""
    count, entries = len(unit.gold), len(unit.library)
    is_top = np.zeros((count, entries), np.float32)
    found = np.flatnonzero(unit.word_best >= 0)
    is_top[found, unit.word_best[found]] = 1
    words = np.stack([is_top, is_top * np.clip(unit.word_odds, -6, 6)[:, None]], 2)
    unit.entry_features = np.concatenate([nearness(unit), nearness(unit, turn), words], 2).astype(np.float32)
    mean, weights, bias = asking
    said = (unit.parts - mean) @ weights + bias
    unit.asks = np.full((count, 2), -6.0)
    np.maximum.at(unit.asks[:, 0], unit.owner, said)
    unit.asks[unit.owner[unit.is_whole], 1] = said[unit.is_whole]


def fit_ranking(units):
    """A softmax over the entries of a message and none."""
    values, numbers, right, count = [], [], [], 0
    for unit in units:
        used = np.flatnonzero((unit.labels != "spam") & (unit.gold != -2))
        features = unit.entry_features[used]
        values.append(features.reshape(-1, features.shape[2]))
        numbers.append(np.repeat(np.arange(len(used)), features.shape[1]) + count)
        right.append((np.arange(features.shape[1])[None] == unit.gold[used][:, None]).ravel())
        count += len(used)
    values, numbers, right = map(np.concatenate, (values, numbers, right))
    means, deviations = values.mean(0), values.std(0) + 1e-9
    table = np.c_[(values - means) / deviations, np.ones(len(values))].astype(np.float32)
    starts = np.r_[0, np.flatnonzero(np.diff(numbers)) + 1]
    has = np.zeros(count, bool)
    np.logical_or.at(has, numbers, right)

    def loss(point):
        scores = (table @ point.astype(np.float32)).astype(float)
        top = np.maximum(np.maximum.reduceat(scores, starts), 0)
        powers = np.exp(scores - top[numbers])
        total = np.add.reduceat(powers, starts) + np.exp(-top)
        of_right = powers * right
        sums = np.maximum(np.add.reduceat(of_right, starts), 1e-300)
        slope = powers / total[numbers] - np.where(has[numbers], of_right / sums[numbers], 0)
        gradient = (table.T @ slope.astype(np.float32)).astype(float)
        gradient[:-1] += RANKING_PENALTY * point[:-1]
        return ((np.log(total) - np.log(np.where(has, sums, np.exp(-top)))).sum()
                + RANKING_PENALTY / 2 * (point[:-1] ** 2).sum(), gradient)
    point = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    weights = point[:-1] / deviations
    return weights, point[-1] - (weights * means).sum()


def judged(unit, ranking):
    """The best entry of each message and what it is judged by, in the order of FAQEncoder.answer.

    Not the size of the library: nearly all have 8 to 20 entries, and with it two of 25 got hardly any answer."""
    scores = unit.entry_features @ ranking[0] + ranking[1]
    best, order, count = scores.argmax(1), np.sort(scores, 1), len(scores)
    top = order[:, -1]
    lead = np.minimum(6, top - order[:, -2]) if scores.shape[1] > 1 else np.full(count, 6.0)
    shares = np.exp(scores - top[:, None])
    shares /= shares.sum(1, keepdims=True)
    questions, length, cue = unit.context[:, 0], np.log1p(unit.context[:, 1]), unit.context[:, 2]
    agrees, odds = unit.word_best == best, unit.word_odds
    columns = [unit.scores[:, 0], unit.scores[:, 1], unit.foreign, (unit.labels == "business") & ~unit.trade[best], top, lead,
               -(shares * np.log(shares + 1e-9)).sum(1), np.log1p(np.exp(np.clip(scores, -20, 20)).sum(1)), questions, length, cue,
               questions == 0, agrees, np.where(agrees, odds, 0), odds, unit.word_best < 0,
               unit.word_sure]
    assert len(columns) == CONTEXT
    return best, np.c_[np.stack([np.asarray(column, float) for column in columns], 1),
                       unit.entry_features[np.arange(count), best], unit.asks]


def products(values):
    values = values[:, :CONTEXT]
    a, b = np.triu_indices(CONTEXT)
    return values[:, a] * values[:, b]


def fit_judging(units, ranking):
    values, right = [], []
    for unit in units:
        best, features = judged(unit, ranking)
        used = (unit.labels != "spam") & (unit.gold != -2)
        values.append(features[used])
        right.append((best == unit.gold)[used])
    values, right = np.concatenate(values), np.concatenate(right).astype(float)
    means, scales = values.mean(0), 1 / (values.std(0) + 1e-9)
    values = np.clip((values - means) * scales, -5, 5)
    values = np.c_[values, products(values)]
    centre, deviations = values.mean(0), values.std(0) + 1e-9
    table = np.c_[(values - centre) / deviations, np.ones(len(values))]

    def loss(point):
        scores = table @ point
        gradient = table.T @ (1 / (1 + np.exp(-scores)) - right)
        gradient[:-1] += JUDGING_PENALTY * point[:-1]
        return ((np.logaddexp(0, scores) - right * scores).sum() + JUDGING_PENALTY / 2 * (point[:-1] ** 2).sum(), gradient)
    point = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    weights = point[:-1] / deviations
    return means, scales, weights, point[-1] - (weights * centre).sum()


def odds_of(features, judging):
    values = np.clip((features - judging[0]) * judging[1], -5, 5)
    return np.c_[values, products(values)] @ judging[2] + judging[3]


def is_read(unit):
    """Messages that the program shows to the encoder."""
    return (unit.labels != "spam") & ((unit.context[:, 0] > 0) | (unit.word_odds > LEAST_ODDS))


def fit(units, groups):
    """Heads from all units, and what heads without its own group say of each: `unit.best`, `unit.odds`."""
    for group in groups:
        others = [unit for unit in units if unit.group not in group]
        turn, asking = learn_turn(others), learn_asking(others)
        for unit in units:
            if unit.group in group:
                prepare(unit, turn, asking)
    for group in groups:
        others = [unit for unit in units if unit.group not in group]
        ranking = fit_ranking(others)
        judging = fit_judging(others, ranking)
        for unit in units:
            if unit.group in group:
                unit.best, features = judged(unit, ranking)
                unit.odds = odds_of(features, judging)
    odds = np.concatenate([unit.odds[is_read(unit)] for unit in units])
    right = np.concatenate([(unit.best == unit.gold)[is_read(unit)] for unit in units]).astype(float)

    def loss(point):
        scores = point[0] * odds + point[1]
        slope = 1 / (1 + np.exp(-scores)) - right
        return (np.logaddexp(0, scores) - right * scores).sum(), np.array([(slope * odds).sum(), slope.sum()])
    scale, offset = minimize(loss, [1.0, 0.0], jac=True, method="L-BFGS-B").x
    ranking = fit_ranking(units)
    return learn_turn(units), learn_asking(units), ranking, fit_judging(units, ranking), (scale, offset - CAUTION)


def probability(unit, end):
    """Of the best entry by heads that did not see the unit's group; 0 where the encoder is not asked."""
    return np.where(is_read(unit), 1 / (1 + np.exp(-(end[0] * unit.odds + end[1]))), 0.0)


def write(path, heads):
    (mean, table), (asking_mean, asking, asking_bias), (ranking, ranking_bias), judging, end = heads
    count = len(judging[0])
    parts = [mean, table, asking_mean, asking, ranking, judging[0], judging[1], judging[2][:count], judging[2][count:],
             [asking_bias, ranking_bias, judging[3], *end]]
    with open(path, "wb") as file:
        file.write(b"TFH1")
        for part in parts:
            file.write(np.asarray(part, "<f4").tobytes())
    assert struct.calcsize("<f") == 4
