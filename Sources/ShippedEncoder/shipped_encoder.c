#include "shipped_encoder.h"

// #embed is C23; this compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char encoder[] __attribute__((aligned(64))) = {
#embed "encoder.bin"
};

static const unsigned char sentence_heads[] = {
#embed "sentence.heads"
};

static const unsigned char matter_heads[] = {
#embed "matter.heads"
};

static const unsigned char thanks_heads[] = {
#embed "thanks.heads"
};

static const unsigned char topic_heads[] = {
#embed "topic.heads"
};

static const unsigned char danger_heads[] = {
#embed "danger.heads"
};

const shipped_encoder_file shipped_topic_heads = {topic_heads, sizeof topic_heads};
const shipped_encoder_file shipped_thanks_heads = {thanks_heads, sizeof thanks_heads};
const shipped_encoder_file shipped_danger_heads = {danger_heads, sizeof danger_heads};
const shipped_encoder_file shipped_matter_heads = {matter_heads, sizeof matter_heads};
const shipped_encoder_file shipped_sentence_heads = {sentence_heads, sizeof sentence_heads};
const shipped_encoder_file shipped_encoder = {encoder, sizeof encoder};
