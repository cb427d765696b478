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

const shipped_encoder_file shipped_matter_heads = {matter_heads, sizeof matter_heads};
const shipped_encoder_file shipped_sentence_heads = {sentence_heads, sizeof sentence_heads};
const shipped_encoder_file shipped_encoder = {encoder, sizeof encoder};
