// Sentence vectors from a small BERT-like encoder (XLM-R tokens, mean of the last layer), in integers where it matters.
//
// Dot products are exact integers, and floating-point code runs in a fixed order without contraction, so a text gets the same vector
// on every machine with the same C library, whatever its vector width.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Numbers of a vector.
#define SENC_SIZE 384
/// Tokens that are read of a text at most, with the marks of begin and end; the rest is not read.
#define SENC_TOKENS 128

typedef struct senc_model senc_model;
/// Memory of one thread.
typedef struct senc_scratch senc_scratch;

/// Reads a model file that stays in memory for as long as the model does. NULL if it is none or cut short, or memory is short;
/// weights are not checked.
/// `is_portable`: do without the instructions that only some machines have; vectors are the same.
senc_model *senc_open(const uint8_t *bytes, size_t count, bool is_portable);
void senc_close(senc_model *model);

senc_scratch *senc_scratch_new(void);
void senc_scratch_free(senc_scratch *scratch);

/// UTF-8.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} senc_text;

/// Writes the vectors of texts, each of length 1, one after another. Short texts are computed together, which gives the same vectors
/// and reads the weights less often.
void senc_encode(const senc_model *model, senc_scratch *scratch, const senc_text *texts, size_t count, float *vectors);

/// Tokens of a text, with the marks of begin and end; `ids` holds SENC_TOKENS.
int senc_tokens(const senc_model *model, senc_scratch *scratch, const uint8_t *text, size_t count, int32_t *ids);
