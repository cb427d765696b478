// The rule files and word lists that travel inside the binary.
#pragma once
#include <stddef.h>

typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} shipped_file;

// The rule file at an index, in the order in which they are read; its name is NULL behind the last one.
shipped_file shipped_rule_file(size_t index);
// draft-guard.yaml: what a draft of a model may not say of its own accord.
extern const shipped_file shipped_draft_guard;
// draft-judge.weights: what reads like a promise, as Tests/Benchmarks/drafts.py makes it.
extern const shipped_file shipped_draft_judge;
// batch-talk.yaml: how people speak of other messages than their own.
extern const shipped_file shipped_batch_talk;
// languages.yaml.
extern const shipped_file shipped_languages;
// reasons.yaml.
extern const shipped_file shipped_reasons;
// changes.yaml: what people add to a message that does not change what it is.
extern const shipped_file shipped_changes;
// injection-words.txt: words of orders to programs that read messages.
extern const shipped_file shipped_injection_words;
